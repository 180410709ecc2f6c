-- Times by the clocks of time zones.

SET LOCAL ROLE dispatcher_owner;

-- The names that count as time zones. What their clocks show is asked of PostgreSQL itself, each time.
CREATE TABLE dispatcher.time_zone (name text PRIMARY KEY);

-- Takes over the names that PostgreSQL knows now; those it has forgotten go, because asking for one is an error.
CREATE FUNCTION dispatcher.learn_time_zones() RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    WITH known AS MATERIALIZED (
        SELECT name FROM pg_timezone_names
        WHERE name !~ '^(posix|right)/' AND name NOT IN ('localtime', 'posixrules', 'Factory')
    ),
    forgotten AS (
        DELETE FROM dispatcher.time_zone z WHERE z.name NOT IN (SELECT name FROM known)
    )
    INSERT INTO dispatcher.time_zone (name) SELECT name FROM known ON CONFLICT DO NOTHING
$$;

SELECT dispatcher.learn_time_zones();

-- The zone of devices that have none, or one that is not known.
ALTER TABLE dispatcher.hub ADD COLUMN time_zone text NOT NULL DEFAULT 'UTC'
    CHECK (octet_length(time_zone) BETWEEN 1 AND 64);

-- When the clocks of the zone show this time, and of all zones when none is named: the first and the last of those instants,
-- nulls when there is no such zone. A time that a clock skips is read with the offset of before, and of one that it shows
-- twice the second is meant: so PostgreSQL decides.
CREATE FUNCTION dispatcher.local_moments(local_time timestamp, zone text)
RETURNS TABLE (first_at timestamptz, last_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT min(local_time AT TIME ZONE z.name), max(local_time AT TIME ZONE z.name)
    FROM dispatcher.time_zone z
    WHERE zone IS NULL OR z.name = zone
$$;

-- A plan by the devices' clocks goes in steps, one whenever a zone's moment has come. A step takes the devices that are due
-- and that no step before has taken; due_at is when the next one is.
ALTER TABLE dispatcher.plan
    ADD COLUMN local_at   timestamp,    -- what the devices' clocks show then; null: one instant, due_at
    ADD COLUMN began_at   timestamptz,  -- when the first device of such a plan came into a batch
    ADD COLUMN step_until timestamptz;  -- the step takes devices whose moment is not after this; null: none was yet

-- The zones of such a plan by the instants at which they are due, as the devices were when they were last looked at.
CREATE TABLE dispatcher.local_time (
    notification_id bigint      NOT NULL,
    due_at          timestamptz NOT NULL,
    begun_at        timestamptz,                                       -- null: waits
    local_at        timestamp   NOT NULL,
    devices         integer     NOT NULL,
    zones           text[]      NOT NULL,
    PRIMARY KEY (notification_id, due_at)
);

CREATE VIEW dashboard.local_times AS
SELECT n.job_id AS notification_id,
       h.name AS hub,
       l.due_at,
       l.zones,
       CASE WHEN l.begun_at IS NOT NULL THEN 'begun' WHEN n.cancelled_at IS NOT NULL THEN 'cancelled' ELSE 'waiting' END
           AS state,
       l.local_at AS local_time,
       l.devices,
       l.begun_at,
       l.notification_id AS notification_number
FROM dispatcher.local_time l
JOIN dispatcher.notification n ON n.id = l.notification_id
JOIN dispatcher.hub h ON h.id = n.hub_id;

-- As before; what goes by the devices' clocks is scheduled until its first zone begins. The end is told by the clock of a
-- worker, which may be some milliseconds behind the database's, that tells the beginning.
CREATE OR REPLACE VIEW dashboard.notifications AS
SELECT n.job_id AS id,
       h.name AS hub,
       CASE
           WHEN n.cancelled_at IS NOT NULL THEN 'cancelled'
           WHEN p.due_at > now() AND p.cursor = 0 AND p.local_at IS NULL OR p.local_at IS NOT NULL AND p.began_at IS NULL
               THEN 'scheduled'
           WHEN p.notification_id IS NOT NULL THEN 'planning'
           WHEN counts.finished >= n.audience THEN 'completed'
           ELSE 'sending'
       END AS state,
       n.created_at,
       n.target,
       n.audience,
       counts.accepted,
       counts.failed,
       counts.retrying,
       counts.expired,
       counts.suppressed,
       counts.read,
       CASE
           WHEN p.notification_id IS NULL AND counts.finished >= n.audience
           THEN greatest(counts.recorded_at, n.created_at)
       END AS finished_at,
       counts.cancelled,
       counts.unknown,
       dashboard.lane_name(n.lane) AS lane,
       n.expires_at,
       n.id AS number,
       counts.fetched,
       counts.displayed,
       counts.dismissed,
       counts.acted,
       counts.replied
FROM dispatcher.notification n
JOIN dispatcher.hub h ON h.id = n.hub_id
LEFT JOIN dispatcher.plan p ON p.notification_id = n.id
CROSS JOIN LATERAL (
    SELECT coalesce(sum(delta) FILTER (WHERE state = 1), 0) AS retrying,
           coalesce(sum(delta) FILTER (WHERE state = 2), 0) AS accepted,
           coalesce(sum(delta) FILTER (WHERE state = 3), 0) AS failed,
           coalesce(sum(delta) FILTER (WHERE state = 4), 0) AS expired,
           coalesce(sum(delta) FILTER (WHERE state = 5), 0) AS suppressed,
           coalesce(sum(delta) FILTER (WHERE state = 6), 0) AS cancelled,
           coalesce(sum(delta) FILTER (WHERE state = 7), 0) AS unknown,
           coalesce(sum(delta) FILTER (WHERE state BETWEEN 2 AND 7), 0) AS finished,
           coalesce(sum(delta) FILTER (WHERE state = 11), 0) AS fetched,
           coalesce(sum(delta) FILTER (WHERE state = 12), 0) AS displayed,
           coalesce(sum(delta) FILTER (WHERE state = 13), 0) AS read,
           coalesce(sum(delta) FILTER (WHERE state = 14), 0) AS dismissed,
           coalesce(sum(delta) FILTER (WHERE state = 15), 0) AS acted,
           coalesce(sum(delta) FILTER (WHERE state = 16), 0) AS replied,
           max(recorded_at) FILTER (WHERE state < 10) AS recorded_at
    FROM dispatcher.progress g
    WHERE g.notification_id = n.id
) counts;

-- As before, and what goes by the devices' clocks, at the first instant at which one of them is due.
CREATE OR REPLACE VIEW dispatcher.hub_schedule WITH (security_barrier) AS
SELECT n.job_id AS id,
       CASE WHEN p.local_at IS NULL THEN p.due_at
            ELSE coalesce((SELECT min(l.due_at) FROM dispatcher.local_time l
                           WHERE l.notification_id = p.notification_id AND l.begun_at IS NULL), p.due_at) END AS due_at,
       n.created_at, n.expires_at, n.target, n.lane, n.id AS number, p.local_at
FROM dispatcher.plan p
JOIN dispatcher.notification n ON n.id = p.notification_id
WHERE n.hub_id = dispatcher.current_hub() AND n.cancelled_at IS NULL
  AND CASE WHEN p.local_at IS NULL THEN p.worker_id IS NULL AND p.cursor = 0 AND p.due_at > now()
           ELSE p.began_at IS NULL END;

DROP FUNCTION dispatcher.change_job(uuid, bytea, text, smallint, boolean, timestamptz, timestamptz);

-- Puts another document in the place of a job that no worker has begun to plan; answers 'changed', or why not: 'queued' (no
-- worker has taken it), 'cancelled', 'begun', or null when the hub has no such job.
--
-- The plan is a new row afterwards: whoever claims at this moment by what it saw before finds the old one gone, so
-- nobody plans by the old document. The plan is locked before the notification, as a planner's page does.
CREATE FUNCTION dispatcher.change_job(
    job uuid, new_body bytea, new_target text, new_lane smallint, new_once boolean, new_expiry timestamptz,
    new_due timestamptz, new_local timestamp
) RETURNS text
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    found_id    bigint;
    found_epoch integer;
BEGIN
    SELECT n.id INTO found_id FROM dispatcher.notification n
    WHERE n.job_id = job AND n.hub_id = dispatcher.current_hub();
    IF NOT FOUND THEN
        RETURN (SELECT 'queued' FROM dispatcher.job_intake k WHERE k.job_id = job AND k.hub_id = dispatcher.current_hub());
    END IF;
    -- One by the devices' clocks may be in a worker's hands that only looks which zones there are.
    DELETE FROM dispatcher.plan p
    WHERE p.notification_id = found_id
      AND CASE WHEN p.local_at IS NULL THEN p.worker_id IS NULL AND p.cursor = 0 ELSE p.began_at IS NULL END
    RETURNING p.epoch INTO found_epoch;
    IF FOUND THEN
        -- What was uploaded for the old document stays the notification's.
        UPDATE dispatcher.content k SET job_hash = sha256(new_body)
        FROM dispatcher.notification n
        WHERE n.id = found_id AND n.cancelled_at IS NULL
          AND k.job_id = n.job_id AND k.hub_id = n.hub_id AND k.job_hash = sha256(n.body);
        UPDATE dispatcher.notification n
        SET body = new_body, target = new_target, lane = new_lane, at_most_once = new_once, expires_at = new_expiry
        WHERE n.id = found_id AND n.cancelled_at IS NULL;
        IF FOUND THEN
            DELETE FROM dispatcher.local_time l WHERE l.notification_id = found_id;
            INSERT INTO dispatcher.plan (notification_id, due_at, epoch, local_at)
            VALUES (found_id, CASE WHEN new_local IS NULL THEN greatest(new_due, now()) ELSE now() END, found_epoch + 1,
                    new_local);
            RETURN 'changed';
        END IF;
    END IF;
    RETURN (SELECT CASE WHEN n.cancelled_at IS NULL THEN 'begun' ELSE 'cancelled' END
            FROM dispatcher.notification n WHERE n.id = found_id);
END
$$;

-- Ends a notification that has not ended. What waits for its time, or was not begun, leaves the schedule at once; what is
-- being planned ends with the page that is being written.
CREATE FUNCTION dispatcher.end_notification(number bigint) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    DELETE FROM dispatcher.plan p WHERE p.notification_id = number AND p.worker_id IS NULL AND p.cursor = 0;
    UPDATE dispatcher.notification n SET cancelled_at = clock_timestamp() WHERE n.id = number AND n.cancelled_at IS NULL;
END
$$;

CREATE OR REPLACE FUNCTION dispatcher.cancel_notification(job uuid) RETURNS text
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    found_state text;
    found_end   timestamptz;
    found_id    bigint;
BEGIN
    SELECT n.state, n.finished_at, n.number INTO found_state, found_end, found_id
    FROM dispatcher.hub_notification n WHERE n.id = job;
    IF NOT FOUND THEN
        RETURN (SELECT 'queued' FROM dispatcher.job_intake k WHERE k.job_id = job AND k.hub_id = dispatcher.current_hub());
    ELSIF found_state = 'cancelled' THEN
        RETURN 'cancelled';
    ELSIF found_end IS NOT NULL THEN
        RETURN 'finished';
    END IF;
    PERFORM dispatcher.end_notification(found_id);
    RETURN 'cancelled';
END
$$;

-- The same for the operator, in whatever hubs the job is: how many notifications were cancelled.
CREATE FUNCTION dispatcher.cancel_everywhere(job uuid) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    found_id bigint;
    ended    bigint := 0;
BEGIN
    FOR found_id IN
        SELECT d.number FROM dashboard.notifications d
        WHERE d.id = job AND d.state <> 'cancelled' AND d.finished_at IS NULL
    LOOP
        PERFORM dispatcher.end_notification(found_id);
        ended := ended + 1;
    END LOOP;
    RETURN ended;
END
$$;

REVOKE EXECUTE ON FUNCTION dispatcher.learn_time_zones() FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION dispatcher.local_moments(timestamp, text) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION
    dispatcher.change_job(uuid, bytea, text, smallint, boolean, timestamptz, timestamptz, timestamp) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION dispatcher.end_notification(bigint) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION dispatcher.cancel_everywhere(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION dispatcher.local_moments(timestamp, text),
    dispatcher.change_job(uuid, bytea, text, smallint, boolean, timestamptz, timestamptz, timestamp) TO dispatcher_api;
GRANT EXECUTE ON FUNCTION dispatcher.local_moments(timestamp, text), dispatcher.learn_time_zones(),
    dispatcher.cancel_everywhere(uuid) TO dispatcher_worker;
GRANT SELECT ON dispatcher.time_zone TO dispatcher_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON dispatcher.local_time TO dispatcher_worker;
GRANT SELECT ON dashboard.local_times TO dispatcher_worker, dispatcher_dashboard;
