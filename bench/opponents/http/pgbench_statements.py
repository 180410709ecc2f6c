"""What pgbench runs: the opponent's statements with values that it computes, and the same for a hundred rows at once.

`:k` is a number that no two transactions have in common; pgbench takes any colon before a letter for a variable.
"""

DEVICES = 100_000

REGISTER_VALUES = [
    "1", "('phone-' || :k::bigint)", "('user-' || :k::bigint / 2)", "1::smallint", "lpad(:k::bigint::text, 64, '0')",
    "array['user:' || :k::bigint / 2, 'segment:' || :k::bigint % 50, 'lang' || chr(58) || 'en']", "'en-US'", "'Europe/Berlin'",
    "3::smallint", "sha256(('secret-' || :k::bigint)::bytea)",
]  # fmt: skip

REGISTER_GROUP = """
    with written as (
        insert into opponent_http.installation as i
            (hub_id, installation_id, user_id, platform, push_channel, tags, locale, time_zone, permission)
        select 1, 'phone-' || n, 'user-' || n / 2, 1, lpad(n::text, 64, '0'),
               array['user:' || n / 2, 'segment:' || n % 50, 'lang' || chr(58) || 'en'], 'en-US', 'Europe/Berlin', 3
        from generate_series(:k::bigint * 100, :k::bigint * 100 + 99) as n
        on conflict (hub_id, installation_id) do update
        set user_id = excluded.user_id, platform = excluded.platform, push_channel = excluded.push_channel,
            tags = excluded.tags, locale = excluded.locale, time_zone = excluded.time_zone,
            permission = excluded.permission, registered_at = clock_timestamp(), updated_at = clock_timestamp(),
            retired_at = null, retire_reason = null
        returning id, installation_id, updated_at
    ), secret as (
        insert into opponent_http.device_secret (installation, hub_id, secret_hash)
        select id, 1, sha256(('secret-' || installation_id)::bytea) from written
        on conflict (installation) do nothing
        returning installation
    )
    select updated_at, exists (select from secret) as has_new_secret from written"""

JOB = "('00000000-0000-7000-8000-' || lpad(to_hex(:k::bigint / 100000), 12, '0'))"
# The device and its user are looked up as a credential would be.
DEVICE = """(select s.installation from dispatcher.device_secret s
    where s.secret_hash = sha256(('secret-of-device-' || :k::bigint % 100000)::bytea))"""

RECEIPT_VALUES = [
    "1", JOB, DEVICE, "('device-' || :k::bigint % 100000)", "('user-' || :k::bigint % 100000)", "1::smallint", "'read'",
    "3::smallint", "'2026-01-01T00:00:00Z'::timestamptz",
]  # fmt: skip

RECEIPT_GROUP = """
    with target as (
        select n.id, n.created_at, i.id as installation, i.installation_id, i.user_id, i.platform
        from generate_series(:k::bigint * 100, :k::bigint * 100 + 99) as r
        join dispatcher.notification n
          on n.job_id = ('00000000-0000-7000-8000-' || lpad(to_hex(r / 100000), 12, '0'))::uuid and n.hub_id = 1
        join dispatcher.device_secret s on s.secret_hash = sha256(('secret-of-device-' || r % 100000)::bytea)
        join dispatcher.installation i on i.id = s.installation
        join dispatcher.delivery d on d.notification_id = n.id and d.installation_id = i.id
    ), added as (
        insert into opponent_http.receipt (notification_id, installation_id, receipt_id, kind, device_at)
        select id, installation, 'read', 3, '2026-01-01T00:00:00Z' from target order by 1, 2
        on conflict do nothing
        returning notification_id, installation_id
    ), known as (
        insert into opponent_http.reading as g (notification_id, installation_id, read_at, known, added)
        select t.id, t.installation, t.created_at, 4, 4
        from added a join target t on t.id = a.notification_id and t.installation = a.installation_id
        order by 1, 2
        on conflict (notification_id, installation_id) do update
        set read_at = coalesce(g.read_at, excluded.read_at), added = excluded.known & ~g.known, known = excluded.known | g.known
        returning notification_id, added
    ), counted as (
        insert into opponent_http.progress (notification_id, recorded_at, delta, state)
        select notification_id, now(), count(*), 13 from known where added <> 0 group by notification_id
    ), told as (
        insert into opponent_http.outbox (hub_id, event, notification_id, installation_id, device, user_id, platform, receipt_id)
        select 1, 3, t.id, t.installation, t.installation_id, t.user_id, t.platform, 'read'
        from added a join target t on t.id = a.notification_id and t.installation = a.installation_id
    )
    select count(*) from target"""

CONTENT_VALUES = [
    "1", "'00000000-0000-7000-8000-000000000000'", DEVICE,
]  # fmt: skip
