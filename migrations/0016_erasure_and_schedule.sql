-- Jobs over HTTP from the moment that the broker has them: asked for, listed and changed while they wait.

SET LOCAL ROLE dispatcher_owner;

-- Emptied, or rewritten without somebody: whatever comes under its id is the same job.
ALTER TABLE dispatcher.notification ADD COLUMN erased_at timestamptz;

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
-- Without a digest, whatever comes is the same: somebody was erased from it.
CREATE FUNCTION dispatcher.known_jobs(jobs uuid[])
RETURNS TABLE (ordinal bigint, body_hash bytea, state text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT j.ordinal, CASE WHEN n.id IS NULL THEN k.body_hash WHEN n.erased_at IS NULL THEN sha256(n.body) END,
           CASE WHEN n.id IS NOT NULL THEN (SELECT d.state FROM dispatcher.hub_notification d WHERE d.number = n.id) END
    FROM unnest(jobs) WITH ORDINALITY AS j(id, ordinal)
    LEFT JOIN LATERAL (
        SELECT o.id, o.body, o.erased_at FROM dispatcher.notification o
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
        -- What was uploaded for the old document stays the notification's.
        UPDATE dispatcher.content k SET job_hash = sha256(new_body)
        FROM dispatcher.notification n
        WHERE n.id = found_id AND n.cancelled_at IS NULL
          AND k.job_id = n.job_id AND k.hub_id = n.hub_id AND k.job_hash = sha256(n.body);
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

-- Users who are to be forgotten. The row is the order, and afterwards the record of it: without the user's id.
CREATE TABLE dispatcher.erasure (
    id            uuid        PRIMARY KEY,                              -- what the markers in the queues name
    requested_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    changed_at    timestamptz NOT NULL DEFAULT clock_timestamp(),       -- workers read again when the greatest has changed
    until         timestamptz NOT NULL DEFAULT clock_timestamp() + interval '7 days', -- how long the tombstones stand
    marked_at     timestamptz,                                          -- the broker has confirmed the markers
    settled_at    timestamptz,                                          -- the last marker was met
    passed_at     timestamptz,                                          -- when the last finished pass had begun
    completed_at  timestamptz,
    claimed_until timestamptz,                                          -- a worker is at it
    installations bigint      NOT NULL DEFAULT 0,
    notifications bigint      NOT NULL DEFAULT 0,
    receipts      bigint      NOT NULL DEFAULT 0,
    dead_letters  bigint      NOT NULL DEFAULT 0,
    hub_id        integer     NOT NULL REFERENCES dispatcher.hub,
    awaits        smallint    NOT NULL DEFAULT 31 CHECK (awaits BETWEEN 0 AND 31), -- 1, 2, 4 the lanes' jobs, 8 installations, 16 receipts
    user_hash     bytea       NOT NULL CHECK (octet_length(user_hash) = 32),
    user_id       text,                                                 -- null when it is completed
    CHECK ((completed_at IS NULL) = (user_id IS NOT NULL))
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200);

CREATE INDEX erasure_user ON dispatcher.erasure (user_hash, requested_at);
CREATE INDEX erasure_changed ON dispatcher.erasure (changed_at);
CREATE INDEX erasure_open ON dispatcher.erasure (requested_at) WHERE completed_at IS NULL;

-- Digests of what may not come back out of the queues. Kinds: 1 user, 2 installation, 3 push channel.
CREATE TABLE dispatcher.tombstone (
    erasure_id uuid    NOT NULL REFERENCES dispatcher.erasure ON DELETE CASCADE,
    hub_id     integer NOT NULL,
    name_hash  bytea   NOT NULL,
    PRIMARY KEY (erasure_id, name_hash)
);

-- The devices that an erasure has removed, until it is completed.
CREATE TABLE dispatcher.erased_device (
    erasure_id      uuid     NOT NULL REFERENCES dispatcher.erasure ON DELETE CASCADE,
    installation    bigint   NOT NULL,
    installation_id text     NOT NULL,
    PRIMARY KEY (erasure_id, installation)
);

-- Makes the digests worth nothing without this database.
CREATE TABLE dispatcher.erasure_salt (
    salt   bytea   NOT NULL CHECK (octet_length(salt) = 32),
    is_one boolean PRIMARY KEY DEFAULT true CHECK (is_one)
);

INSERT INTO dispatcher.erasure_salt (salt) VALUES (uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['erasure', 'tombstone', 'erased_device'] LOOP
        EXECUTE format('ALTER TABLE dispatcher.%I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE dispatcher.%I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY every_hub ON dispatcher.%I TO dispatcher_owner, dispatcher_worker
                        USING (true) WITH CHECK (true)', name);
    END LOOP;
END
$$;

-- The program computes the same in Tombstones.
CREATE FUNCTION dispatcher.name_hash(hub integer, kind smallint, name text) RETURNS bytea
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT sha256(s.salt || int4send(hub) || int2send(kind) || convert_to(name, 'UTF8')) FROM dispatcher.erasure_salt s
$$;

-- Removes up to `step` of the user's devices that were registered before the erasure; answers how many.
CREATE FUNCTION dispatcher.erase_devices(of_erasure uuid, step integer) RETURNS integer
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    WITH gone AS (
        DELETE FROM dispatcher.installation i
        USING (
            SELECT o.id
            FROM dispatcher.erasure e
            JOIN dispatcher.installation o ON o.hub_id = e.hub_id AND o.user_id = e.user_id
            WHERE e.id = of_erasure AND o.registered_at <= e.requested_at
            ORDER BY o.id LIMIT step FOR UPDATE OF o
        ) d
        WHERE i.id = d.id
        RETURNING i.id, i.hub_id, i.installation_id, i.push_channel
    ),
    kept AS (
        INSERT INTO dispatcher.erased_device (erasure_id, installation, installation_id)
        SELECT of_erasure, id, installation_id FROM gone
    ),
    named AS (
        INSERT INTO dispatcher.tombstone (erasure_id, hub_id, name_hash)
        SELECT of_erasure, g.hub_id, dispatcher.name_hash(g.hub_id, n.kind, n.name)
        FROM gone g
        CROSS JOIN LATERAL (VALUES (2::smallint, g.installation_id), (3::smallint, g.push_channel)) AS n(kind, name)
        ON CONFLICT DO NOTHING
    ),
    counted AS (
        UPDATE dispatcher.erasure
        SET installations = installations + (SELECT count(*) FROM gone), changed_at = clock_timestamp()
        WHERE id = of_erasure AND EXISTS (SELECT FROM gone)
    )
    SELECT count(*)::integer FROM gone
$$;

-- Enters an erasure and removes the user's devices, the first thousand at once. The lock is what the lane of registrations
-- shares while it writes: what it has written is seen here, and what it writes later sees the tombstones.
CREATE FUNCTION dispatcher.enter_erasure(new_id uuid, of_hub integer, erased_user text) RETURNS integer
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('dispatcher.erasure'));
    INSERT INTO dispatcher.erasure (id, hub_id, user_id, user_hash)
    VALUES (new_id, of_hub, erased_user, dispatcher.name_hash(of_hub, 1::smallint, erased_user));
    INSERT INTO dispatcher.tombstone (erasure_id, hub_id, name_hash)
    VALUES (new_id, of_hub, dispatcher.name_hash(of_hub, 1::smallint, erased_user));
    RETURN dispatcher.erase_devices(new_id, 1000);
END
$$;

-- The same for the transaction's hub.
CREATE FUNCTION dispatcher.erase_user(new_id uuid, erased_user text) RETURNS integer
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT dispatcher.enter_erasure(new_id, dispatcher.current_hub(), erased_user)
    WHERE dispatcher.current_hub() IS NOT NULL
$$;

-- The broker has confirmed the markers of an erasure of the hub.
CREATE FUNCTION dispatcher.note_markers(of_erasure uuid) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    UPDATE dispatcher.erasure SET marked_at = clock_timestamp()
    WHERE id = of_erasure AND marked_at IS NULL AND hub_id = coalesce(dispatcher.current_hub(), hub_id)
$$;

CREATE VIEW dashboard.erasures AS
SELECT e.id,
       h.name AS hub,
       encode(e.user_hash, 'hex') AS user_hash,
       CASE WHEN e.completed_at IS NOT NULL THEN 'done' WHEN e.settled_at IS NULL THEN 'waiting' ELSE 'running' END
           AS state,
       e.requested_at,
       e.completed_at,
       e.until AS stopped_until,
       e.installations,
       e.notifications,
       e.receipts,
       e.dead_letters,
       array_remove(ARRAY[
           CASE WHEN e.awaits & 1 > 0 THEN 'push.jobs.high' END, CASE WHEN e.awaits & 2 > 0 THEN 'push.jobs.normal' END,
           CASE WHEN e.awaits & 4 > 0 THEN 'push.jobs.bulk' END, CASE WHEN e.awaits & 8 > 0 THEN 'push.installations' END,
           CASE WHEN e.awaits & 16 > 0 THEN 'push.receipts' END], NULL) AS awaits
FROM dispatcher.erasure e
JOIN dispatcher.hub h ON h.id = e.hub_id;

-- The last erasure of a user of the transaction's hub.
CREATE FUNCTION dispatcher.user_erasure(erased_user text)
RETURNS TABLE (id uuid, state text, requested_at timestamptz, completed_at timestamptz, installations bigint,
               notifications bigint, receipts bigint, dead_letters bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT d.id, d.state, d.requested_at, d.completed_at, d.installations, d.notifications, d.receipts, d.dead_letters
    FROM dashboard.erasures d
    WHERE d.id = (
        SELECT e.id FROM dispatcher.erasure e
        WHERE e.user_hash = dispatcher.name_hash(dispatcher.current_hub(), 1::smallint, erased_user)
        ORDER BY e.requested_at DESC LIMIT 1)
$$;

REVOKE EXECUTE ON FUNCTION dispatcher.name_hash(integer, smallint, text) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION dispatcher.erase_devices(uuid, integer) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION dispatcher.enter_erasure(uuid, integer, text) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION dispatcher.erase_user(uuid, text) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION dispatcher.note_markers(uuid) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION dispatcher.user_erasure(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION dispatcher.erase_user(uuid, text), dispatcher.note_markers(uuid),
    dispatcher.user_erasure(text) TO dispatcher_api;
GRANT EXECUTE ON FUNCTION dispatcher.erase_devices(uuid, integer), dispatcher.note_markers(uuid),
    dispatcher.name_hash(integer, smallint, text) TO dispatcher_worker;
GRANT SELECT, UPDATE, DELETE ON dispatcher.erasure TO dispatcher_worker;
GRANT SELECT, DELETE ON dispatcher.tombstone, dispatcher.erased_device TO dispatcher_worker;
GRANT SELECT ON dispatcher.erasure_salt TO dispatcher_worker;
GRANT DELETE ON dispatcher.installation, dispatcher.receipt TO dispatcher_worker;
GRANT SELECT ON dashboard.erasures TO dispatcher_worker, dispatcher_dashboard;

-- When a device was here, and when it changed its mind.

-- To the day: a device that shows its secret writes this once a day.
ALTER TABLE dispatcher.device_secret ADD COLUMN last_seen_at timestamptz;
ALTER TABLE dispatcher.installation ADD COLUMN permission_at timestamptz; -- when the permission last changed

CREATE INDEX installation_expiry ON dispatcher.installation (expires_at) WHERE expires_at IS NOT NULL;

CREATE FUNCTION dispatcher.stamp_permission() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    NEW.permission_at := clock_timestamp();
    RETURN NEW;
END
$$;

CREATE TRIGGER permission_changed BEFORE UPDATE OF permission ON dispatcher.installation
FOR EACH ROW WHEN (OLD.permission IS DISTINCT FROM NEW.permission) EXECUTE FUNCTION dispatcher.stamp_permission();

-- Devices have shown their secrets. Locked in the order of their keys; one that was here within the day writes nothing.
CREATE FUNCTION dispatcher.note_seen(installations bigint[]) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    UPDATE dispatcher.device_secret s SET last_seen_at = now()
    FROM (
        SELECT d.installation FROM dispatcher.device_secret d
        WHERE d.installation = ANY (installations)
          AND (d.last_seen_at IS NULL OR d.last_seen_at < now() - interval '1 day')
        ORDER BY d.installation FOR UPDATE
    ) seen
    WHERE s.installation = seen.installation
$$;

REVOKE EXECUTE ON FUNCTION dispatcher.note_seen(bigint[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION dispatcher.note_seen(bigint[]) TO dispatcher_api;

CREATE OR REPLACE VIEW dashboard.installations AS
SELECT h.name AS hub,
       i.installation_id,
       i.user_id,
       dashboard.platform_name(i.platform) AS platform,
       i.tags,
       i.locale,
       i.time_zone,
       (ARRAY['notDetermined', 'authorized', 'denied', 'provisional', 'ephemeral'])[i.permission + 1] AS permission,
       CASE WHEN i.is_sandbox THEN 'sandbox' ELSE 'production' END AS environment,
       i.topic,
       i.registered_at,
       i.updated_at,
       i.expires_at,
       i.retired_at,
       i.retire_reason,
       i.id AS number,
       s.last_seen_at,
       i.permission_at AS permission_changed_at
FROM dispatcher.installation i
JOIN dispatcher.hub h ON h.id = i.hub_id
LEFT JOIN dispatcher.device_secret s ON s.installation = i.id
WHERE NOT i.is_direct;
