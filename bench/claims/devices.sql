-- The hub of the benchmark: :devices devices, two of each user, in segments of about 1,350; and what waits in it for a
-- later time, :waiting scheduled jobs and as many retries. Both databases have this.
INSERT INTO dispatcher.hub (name) VALUES ('bench-claims');

INSERT INTO dispatcher.installation (hub_id, platform, installation_id, user_id, push_channel, tags)
SELECT h.id, CASE WHEN n % 3 = 0 THEN 2 ELSE 1 END, 'device-' || n, 'u' || n / 2, md5(n::text) || md5((-n)::text),
       ARRAY['username:u' || n / 2, 'segment:' || n / 2 % greatest(:devices / 1350, 1)]
FROM dispatcher.hub h, generate_series(0, :devices - 1) n
WHERE h.name = 'bench-claims';

-- The day partitions of the time that has passed.
SELECT count(*) FROM (
    SELECT dispatcher.create_day_partition('delivery', d, dispatcher.first_notification_id(d)::text,
                                           dispatcher.first_notification_id(d + 1)::text),
           dispatcher.create_day_partition('progress', d, dispatcher.first_notification_id(d)::text,
                                           dispatcher.first_notification_id(d + 1)::text),
           dispatcher.create_day_partition('outcome_count', d, quote_literal(d || ' 00:00:00+00'),
                                           quote_literal(d + 1 || ' 00:00:00+00'))
    FROM (SELECT (now() AT TIME ZONE 'UTC')::date - n AS d FROM generate_series(2, :days) n) past
) made \g /dev/null

-- What waits has been accepted today, with numbers that the sequence does not reach.
CREATE TEMPORARY TABLE scheduled AS
SELECT dispatcher.first_notification_id((now() AT TIME ZONE 'UTC')::date) + (1::bigint << 35) + n AS id, n, h.id AS hub
FROM dispatcher.hub h, generate_series(1, :waiting) n
WHERE h.name = 'bench-claims';

INSERT INTO dispatcher.notification (id, expires_at, job_id, hub_id, lane, target, body)
SELECT id, now() + interval '40 days', gen_random_uuid(), hub, 1, 'tags: segment:2',
       convert_to('{"to":{"tags":"segment:2"},"content":{"title":"Later","body":"Number ' || n || '"}}', 'UTF8')
FROM scheduled;

INSERT INTO dispatcher.plan (notification_id, due_at)
SELECT id, now() + interval '1 day' + n * interval '1 second' FROM scheduled;

INSERT INTO dispatcher.retry (notification_id, installation_id, due_at, attempt, lane)
SELECT id, n, now() + interval '1 day' + n * interval '1 second', 4, 1 FROM scheduled;
