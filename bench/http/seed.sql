-- What is there before the first request: devices with secrets, jobs to all of them, every user's inbox, one content.
-- Variables: devices, jobs.
insert into dispatcher.installation (hub_id, installation_id, user_id, platform, push_channel, tags)
select 1, 'device-' || n, 'user-' || n, 1 + n % 2, lpad(n::text, 64, 'd'), array['user:' || n, 'segment:' || n % 50]
from generate_series(0, :devices - 1) as n;

insert into dispatcher.device_secret (installation, hub_id, secret_hash)
select id, 1, sha256(('secret-of-' || installation_id)::bytea) from dispatcher.installation;

select dispatcher.maintain_partitions(30);

insert into dispatcher.notification (id, created_at, expires_at, job_id, hub_id, audience, lane, target, body)
select dispatcher.first_notification_id((now() at time zone 'utc')::date) + (1 << 20) + n, now() - (:jobs - n) * interval '1 second', now() + interval '20 days',
       ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 1, :devices, 2, 'broadcast',
       convert_to(format('{"id":"00000000-0000-7000-8000-%s","to":{"broadcast":true},"content":{"title":"Match update",'
           '"body":"Goal! The score is now %s to %s","thread":"match-%s"}}', lpad(to_hex(n), 12, '0'), n % 7, n % 5, n % 5), 'UTF8')
from generate_series(0, :jobs - 1) as n;

insert into dispatcher.delivery (notification_id, installation_id, accepted_at, finished_at, state, platform, attempts)
select n.id, i.id, now(), now(), 2, i.platform, 1
from dispatcher.notification n cross join dispatcher.installation i
order by n.id, i.id;

insert into dispatcher.inbox (notification_id, created_at, hub_id, user_id, thread)
select n.id, n.created_at, 1, i.user_id, 'match-' || (n.id % 5)
from dispatcher.notification n cross join dispatcher.installation i
order by n.id, i.id;

-- The first job's content, 10 KiB.
with octets as (
    select string_agg(sha256(n::text::bytea), ''::bytea) as bytes from generate_series(1, 320) as n
), kept as (
    insert into dispatcher.content (published_at, job_id, hub_id, length, checksum, media_type)
    select now(), '00000000-0000-7000-8000-000000000000', 1, octet_length(bytes), sha256(bytes), 'image/png' from octets
    returning id
)
insert into dispatcher.content_chunk (content_id, hub_id, position, bytes)
select kept.id, 1, 0, octets.bytes from kept, octets;
