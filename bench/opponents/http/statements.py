"""The statements of the opponent, which pgbench runs too. Tables of its own are written, Dispatcher's are only read."""

KEY = "select hub_id, rights from opponent_http.api_key where key_hash = $1"

DEVICE = """
    select s.hub_id, s.installation, i.installation_id, i.user_id, i.platform
    from dispatcher.device_secret s join dispatcher.installation i on i.id = s.installation
    where s.secret_hash = $1"""

REGISTER = """
    with written as (
        insert into opponent_http.installation as i
            (hub_id, installation_id, user_id, platform, push_channel, tags, locale, time_zone, permission)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        on conflict (hub_id, installation_id) do update
        set user_id = excluded.user_id, platform = excluded.platform, push_channel = excluded.push_channel,
            tags = excluded.tags, locale = excluded.locale, time_zone = excluded.time_zone,
            permission = excluded.permission, registered_at = clock_timestamp(), updated_at = clock_timestamp(),
            retired_at = null, retire_reason = null
        returning id, updated_at
    ), secret as (
        insert into opponent_http.device_secret (installation, hub_id, secret_hash)
        select id, $1, $10 from written
        on conflict (installation) do nothing
        returning installation
    )
    select updated_at, exists (select from secret) as has_new_secret from written"""

# The receipt, what is known of the delivery by it, the count, the event, and the inbox: as Dispatcher keeps them.
RECEIPT = """
    with target as (
        select n.id, n.created_at
        from dispatcher.notification n
        join dispatcher.delivery d on d.notification_id = n.id and d.installation_id = $3
        where n.job_id = $2::uuid and n.hub_id = $1
    ), added as (
        insert into opponent_http.receipt (notification_id, installation_id, receipt_id, kind, device_at)
        select id, $3, $7, $8, $9 from target
        on conflict do nothing
        returning notification_id
    ), known as (
        insert into opponent_http.reading as g (notification_id, installation_id, read_at, known, added)
        select t.id, $3, least(greatest($9, t.created_at), now()), 1 << ($8::int - 1), 1 << ($8::int - 1)
        from added a join target t on t.id = a.notification_id
        on conflict (notification_id, installation_id) do update
        set read_at = coalesce(g.read_at, excluded.read_at), added = excluded.known & ~g.known, known = excluded.known | g.known
        returning notification_id, added
    ), counted as (
        insert into opponent_http.progress (notification_id, recorded_at, delta, state)
        select notification_id, now(), 1, 10 + $8 from known where added <> 0
    ), told as (
        insert into opponent_http.outbox (hub_id, event, notification_id, installation_id, device, user_id, platform, receipt_id)
        select $1, $8, notification_id, $3, $4, $5, $6, $7 from added
    )
    select id from target"""

CONTENT = """
    select c.checksum, c.media_type, k.bytes
    from dispatcher.notification n
    join dispatcher.delivery d on d.notification_id = n.id and d.installation_id = $3
    join dispatcher.content c on c.job_id = n.job_id and c.hub_id = n.hub_id
    join dispatcher.content_chunk k on k.content_id = c.id and k.position = 0
    where n.job_id = $2::uuid and n.hub_id = $1"""

INBOX = """
    select n.job_id as id, n.id as number, x.thread, x.created_at, x.read_at,
           convert_from(n.body, 'UTF8')::json -> 'content' #>> '{}' as content
    from dispatcher.inbox x join dispatcher.notification n on n.id = x.notification_id
    where x.hub_id = $1 and x.user_id = $2
    order by x.created_at desc, x.notification_id desc
    limit $3"""

UNREAD = """
    select thread, count(*) as unread from dispatcher.inbox
    where hub_id = $1 and user_id = $2 and read_at is null
    group by thread"""
