-- What a day that is over has left: :jobs jobs to one user's two devices each, a broadcast to :audience devices, and for each
-- delivery how it ended. :day is how many days ago it was.
SET synchronous_commit = off;
SET jit = off;

SELECT h.id AS hub, (now() AT TIME ZONE 'UTC')::date - :day AS date,
       dispatcher.first_notification_id((now() AT TIME ZONE 'UTC')::date - :day) AS first,
       min(i.id) AS device, count(*) AS devices
FROM dispatcher.hub h JOIN dispatcher.installation i ON i.hub_id = h.id
WHERE h.name = 'bench-claims' GROUP BY h.id \gset

-- Waves of 50 take runs of 1,024 numbers, in the order of time; ids of jobs are UUIDs of version 7.
CREATE TEMPORARY TABLE job AS
SELECT :first + (n / 50 << 10) + n % 50 AS id, n, n = :jobs AS is_broadcast,
       :'date'::timestamp AT TIME ZONE 'UTC' + n * interval '23 hours' / (:jobs + 1) AS at
FROM generate_series(0::bigint, :jobs) n;

INSERT INTO dispatcher.notification (id, created_at, expires_at, job_id, hub_id, audience, lane, target, body)
SELECT id, at, at + interval '28 days',
       (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || substr(md5(id::text), 1, 3) || '8'
        || substr(md5(id::text), 4, 15))::uuid,
       :hub, CASE WHEN is_broadcast THEN :audience ELSE 2 END, CASE WHEN is_broadcast THEN 2 ELSE 1 END,
       CASE WHEN is_broadcast THEN 'broadcast' ELSE 'users: u' || n % (:devices / 2) END,
       convert_to('{"id":"' || md5(id::text)::uuid || '","hub":"bench-claims","to":{"users":["u' || n % (:devices / 2)
                  || '"]},"content":{"title":"Match update","body":"Goal! The score is now 3 to 2 after 63 minutes of play"},'
                  || '"options":{"priority":"normal"}}', 'UTF8')
FROM job ORDER BY id;

-- Of 1,024 deliveries 942 were accepted; one in 20 needed a second attempt.
INSERT INTO dispatcher.delivery
    (notification_id, installation_id, accepted_at, finished_at, state, platform, attempts, is_ambiguous, reason)
SELECT id, device, CASE WHEN state = 2 THEN at END, at, state, CASE WHEN device % 3 = 0 THEN 2 ELSE 1 END,
       CASE WHEN state IN (4, 5, 6) THEN 0 WHEN dice % 20 = 7 THEN 2 ELSE 1 END, state = 7,
       (ARRAY[NULL, NULL, 'Unregistered', 'Expired', 'PermissionDenied', 'Cancelled', 'WorkerLost'])[state]
FROM (
    SELECT j.id, d.device, j.at + interval '40 milliseconds' AS at, dice,
           CASE WHEN dice < 942 THEN 2 WHEN dice < 972 THEN 3 WHEN dice < 990 THEN 4 WHEN dice < 1004 THEN 5
                WHEN dice < 1018 THEN 6 ELSE 7 END AS state
    FROM job j
    CROSS JOIN LATERAL (
        SELECT :device + CASE WHEN j.is_broadcast THEN m ELSE 2 * (j.n % (:devices / 2)) + m END AS device
        FROM generate_series(0, CASE WHEN j.is_broadcast THEN :audience - 1 ELSE 1 END) m
    ) d
    CROSS JOIN LATERAL (SELECT hashint8(j.id * 7 + d.device) & 1023 AS dice) r
) answered;

-- One entry for each batch and state; who was tried again was counted as that first.
INSERT INTO dispatcher.progress (notification_id, recorded_at, delta, state)
SELECT notification_id, max(finished_at), count(*), state
FROM dispatcher.delivery WHERE notification_id >= :first AND notification_id < :first + (1::bigint << 36)
GROUP BY notification_id, state, (installation_id - :device) / 450 ORDER BY notification_id;

INSERT INTO dispatcher.progress (notification_id, recorded_at, delta, state)
SELECT notification_id, finished_at, sign, 1
FROM dispatcher.delivery, unnest(ARRAY[1, -1]) sign
WHERE notification_id >= :first AND notification_id < :first + (1::bigint << 36) AND attempts = 2;

INSERT INTO dispatcher.outcome_count (minute, hub_id, count, platform, state, reason)
SELECT date_trunc('minute', finished_at), :hub, count(*), platform, state, reason
FROM dispatcher.delivery WHERE notification_id >= :first AND notification_id < :first + (1::bigint << 36)
GROUP BY 1, platform, state, reason, notification_id >> 10, (installation_id - :device) / 450;

-- The work itself is gone from its tables, which keep the room that it took.
INSERT INTO dispatcher.batch (lane, notification_ids, audience_sizes, installation_ids)
SELECT 1, array_agg(id), array_agg(2), array_agg(:device) || array_agg(:device + 1) FROM job GROUP BY n / 50;
INSERT INTO dispatcher.retry (notification_id, installation_id, due_at, attempt, lane)
SELECT id, :device, at, 2, 1 FROM job WHERE n % 10 = 0;
INSERT INTO dispatcher.plan (notification_id, due_at) SELECT id, at FROM job WHERE n % 50 = 0;
DELETE FROM dispatcher.batch;
DELETE FROM dispatcher.retry WHERE notification_id >= :first AND notification_id < :first + (1::bigint << 36);
DELETE FROM dispatcher.plan WHERE notification_id >= :first AND notification_id < :first + (1::bigint << 36);
-- As autovacuum does while such rows come in over a day.
VACUUM (ANALYZE) dispatcher.batch, dispatcher.retry, dispatcher.plan;
