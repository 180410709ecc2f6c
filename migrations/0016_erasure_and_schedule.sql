-- Jobs over HTTP from the moment that the broker has them: asked for, listed and changed while they wait.

SET LOCAL ROLE dispatcher_owner;

-- A job that came over HTTP and that the broker has confirmed. Gone some minutes after a worker has taken it.
CREATE TABLE dispatcher.job_intake (
    job_id    uuid        NOT NULL,
    taken_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    hub_id    integer     NOT NULL,
    body_hash bytea       NOT NULL CHECK (octet_length(body_hash) = 32),
    PRIMARY KEY (job_id, hub_id)
);

CREATE INDEX job_intake_taken ON dispatcher.job_intake USING brin (taken_at);

ALTER TABLE dispatcher.job_intake ENABLE ROW LEVEL SECURITY;
ALTER TABLE dispatcher.job_intake FORCE ROW LEVEL SECURITY;
CREATE POLICY every_hub ON dispatcher.job_intake TO dispatcher_owner, dispatcher_worker USING (true) WITH CHECK (true);
CREATE POLICY one_hub ON dispatcher.job_intake TO dispatcher_api
    USING (hub_id = dispatcher.current_hub()) WITH CHECK (hub_id = dispatcher.current_hub());

CREATE INDEX dead_letter_message ON dispatcher.dead_letter (message_id);

-- Those of the jobs that the hub knows, by a digest of their bodies: as a notification, or as one that waits for a worker.
CREATE FUNCTION dispatcher.known_jobs(jobs uuid[])
RETURNS TABLE (ordinal bigint, body_hash bytea, state text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT j.ordinal, CASE WHEN n.id IS NULL THEN k.body_hash ELSE sha256(n.body) END,
           CASE WHEN n.id IS NOT NULL THEN (SELECT d.state FROM dispatcher.hub_notification d WHERE d.number = n.id) END
    FROM unnest(jobs) WITH ORDINALITY AS j(id, ordinal)
    LEFT JOIN LATERAL (
        SELECT o.id, o.body FROM dispatcher.notification o
        WHERE o.job_id = j.id AND o.hub_id = dispatcher.current_hub()
        LIMIT 1
    ) n ON true
    LEFT JOIN dispatcher.job_intake k ON k.job_id = j.id AND k.hub_id = dispatcher.current_hub()
    WHERE n.id IS NOT NULL OR k.job_id IS NOT NULL
$$;

-- A job of the hub that came over HTTP and is no notification: since when, and why it never becomes one if that is so.
CREATE FUNCTION dispatcher.waiting_job(job uuid)
RETURNS TABLE (taken_at timestamptz, reason text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT k.taken_at, (
        SELECT l.reason FROM dispatcher.dead_letter l
        WHERE l.message_id = job::text
          AND l.hub = (SELECT h.name FROM dispatcher.hub h WHERE h.id = dispatcher.current_hub())
        ORDER BY l.id DESC LIMIT 1)
    FROM dispatcher.job_intake k
    WHERE k.job_id = job AND k.hub_id = dispatcher.current_hub()
$$;

-- What waits for its time in the transaction's hub.
CREATE VIEW dispatcher.hub_schedule WITH (security_barrier) AS
SELECT n.job_id AS id, p.due_at, n.created_at, n.expires_at, n.target, n.lane, n.id AS number
FROM dispatcher.plan p
JOIN dispatcher.notification n ON n.id = p.notification_id
WHERE n.hub_id = dispatcher.current_hub() AND n.cancelled_at IS NULL
  AND p.worker_id IS NULL AND p.cursor = 0 AND p.due_at > now();

-- Puts another document in the place of a job that no worker has begun to plan; answers 'changed', or why not: 'queued' (no
-- worker has taken it), 'cancelled', 'begun', or null when the hub has no such job.
--
-- The plan is a new row afterwards: whoever claims at this moment by what it saw before finds the old one gone, so
-- nobody plans by the old document. The plan is locked before the notification, as a planner's page does.
CREATE FUNCTION dispatcher.change_job(
    job uuid, new_body bytea, new_target text, new_lane smallint, new_once boolean, new_expiry timestamptz,
    new_due timestamptz
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
    DELETE FROM dispatcher.plan p WHERE p.notification_id = found_id AND p.worker_id IS NULL AND p.cursor = 0
    RETURNING p.epoch INTO found_epoch;
    IF FOUND THEN
        UPDATE dispatcher.notification n
        SET body = new_body, target = new_target, lane = new_lane, at_most_once = new_once, expires_at = new_expiry
        WHERE n.id = found_id AND n.cancelled_at IS NULL;
        IF FOUND THEN
            INSERT INTO dispatcher.plan (notification_id, due_at, epoch)
            VALUES (found_id, greatest(new_due, now()), found_epoch + 1);
            RETURN 'changed';
        END IF;
    END IF;
    RETURN (SELECT CASE WHEN n.cancelled_at IS NULL THEN 'begun' ELSE 'cancelled' END
            FROM dispatcher.notification n WHERE n.id = found_id);
END
$$;

-- As before; and what waits for its time, or was not begun, leaves the schedule at once.
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
    DELETE FROM dispatcher.plan p WHERE p.notification_id = found_id AND p.worker_id IS NULL AND p.cursor = 0;
    UPDATE dispatcher.notification SET cancelled_at = clock_timestamp() WHERE id = found_id AND cancelled_at IS NULL;
    RETURN 'cancelled';
END
$$;

REVOKE EXECUTE ON FUNCTION dispatcher.known_jobs(uuid[]) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION dispatcher.waiting_job(uuid) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION
    dispatcher.change_job(uuid, bytea, text, smallint, boolean, timestamptz, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION dispatcher.known_jobs(uuid[]), dispatcher.waiting_job(uuid),
    dispatcher.change_job(uuid, bytea, text, smallint, boolean, timestamptz, timestamptz) TO dispatcher_api;
GRANT SELECT ON dispatcher.hub_schedule TO dispatcher_api;
GRANT SELECT, INSERT ON dispatcher.job_intake TO dispatcher_api;
GRANT SELECT, UPDATE, DELETE ON dispatcher.job_intake TO dispatcher_worker;
