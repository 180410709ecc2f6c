-- Batches that were in the hands of workers that crashed: tried alone, narrowed down to the device that does it, and ended.

SET LOCAL ROLE dispatcher_owner;

-- `crashes` counts the unclean ends of workers that had the batch in hand since some of it was recorded, `strikes` those
-- at which it was one device and tried alone. A suspect (`suspicion` 1) is only taken by whoever has nothing else in hand,
-- and says so by `is_alone`; a guilty one (2) ends as failed, without being looked at.
ALTER TABLE dispatcher.batch
    ADD COLUMN crashes        smallint NOT NULL DEFAULT 0,
    ADD COLUMN strikes        smallint NOT NULL DEFAULT 0,
    ADD COLUMN suspicion      smallint NOT NULL DEFAULT 0 CHECK (suspicion BETWEEN 0 AND 2),
    ADD COLUMN is_alone       boolean  NOT NULL DEFAULT false,
    ADD COLUMN lost_worker_id bigint;                                  -- the last one that ended so

CREATE INDEX batch_crashed ON dispatcher.batch ((notification_ids[1])) WHERE crashes > 0;
CREATE INDEX batch_suspect ON dispatcher.batch (id) WHERE suspicion = 1;

-- What is left of it ends as failed, without being looked at: several of its devices have crashed workers.
ALTER TABLE dispatcher.notification ADD COLUMN quarantined_at timestamptz;

-- Notifications of which batches are suspects. While `settled_at` is null the other batches of a large audience wait. A row
-- of whom nothing was isolated goes when it is settled.
CREATE TABLE dispatcher.suspect_notification (
    notification_id bigint      PRIMARY KEY,
    suspected_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    settled_at      timestamptz,
    crashes         integer     NOT NULL DEFAULT 1,
    isolated        integer     NOT NULL DEFAULT 0                     -- devices whose delivery was ended
);

-- Whether a batch has to wait: it is a part of a large audience of which others are suspects.
CREATE FUNCTION dispatcher.is_held(notifications bigint[]) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT cardinality(notifications) = 1 AND EXISTS (
        SELECT FROM dispatcher.suspect_notification s
        WHERE s.notification_id = notifications[1] AND s.settled_at IS NULL)
$$;

-- As before; and what is left of a batch of which some was answered is under no suspicion.
CREATE OR REPLACE FUNCTION dispatcher.shrink_batch(
    batch_id bigint, owner_id bigint, owner_epoch integer,
    notifications bigint[], sizes integer[], installations bigint[], attempt_numbers smallint[]
) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE dispatcher.batch
    SET epoch = epoch + 1, notification_ids = notifications, audience_sizes = sizes,
        installation_ids = installations, attempts = attempt_numbers,
        crashes = CASE WHEN cardinality(installations) < cardinality(installation_ids) THEN 0 ELSE crashes END,
        strikes = CASE WHEN cardinality(installations) < cardinality(installation_ids) THEN 0 ELSE strikes END,
        suspicion = CASE WHEN cardinality(installations) < cardinality(installation_ids) THEN 0 ELSE suspicion END,
        is_alone = is_alone AND cardinality(installations) = cardinality(installation_ids)
    WHERE id = batch_id AND worker_id = owner_id AND epoch = owner_epoch;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'batch is no longer owned' USING ERRCODE = 'DP001';
    END IF;
END
$$;

-- Puts batches of so many deliveries, in the same order, into the place of a suspect.
CREATE FUNCTION dispatcher.split_suspect(batch_id bigint, piece_size integer) RETURNS void
LANGUAGE sql AS $$
    WITH whole AS (
        DELETE FROM dispatcher.batch b WHERE b.id = batch_id RETURNING b.*
    ),
    part AS (
        SELECT p.notification_id, p.position, sum(p.size) OVER (ORDER BY p.position) AS last_place, p.size
        FROM whole w
        CROSS JOIN LATERAL unnest(w.notification_ids, w.audience_sizes) WITH ORDINALITY
            AS p(notification_id, size, position)
    ),
    target AS (
        SELECT t.place, t.installation_id, w.attempts[t.place::integer] AS attempt, p.notification_id, p.position,
               (t.place - 1) / piece_size AS piece
        FROM whole w
        CROSS JOIN LATERAL unnest(w.installation_ids) WITH ORDINALITY AS t(installation_id, place)
        JOIN part p ON t.place <= p.last_place AND t.place > p.last_place - p.size
    ),
    head AS (
        SELECT h.piece, array_agg(h.notification_id ORDER BY h.position) AS notification_ids,
               array_agg(h.size ORDER BY h.position) AS sizes
        FROM (SELECT piece, position, notification_id, count(*)::int4 AS size FROM target GROUP BY 1, 2, 3) h
        GROUP BY 1
    ),
    body AS (
        SELECT piece, array_agg(installation_id ORDER BY place) AS installation_ids,
               array_agg(attempt ORDER BY place) AS attempts
        FROM target GROUP BY 1
    )
    INSERT INTO dispatcher.batch
        (created_at, epoch, lane, is_ambiguous, crashes, suspicion, lost_worker_id, notification_ids, audience_sizes,
         installation_ids, attempts)
    SELECT w.created_at, w.epoch, w.lane, w.is_ambiguous, w.crashes, w.suspicion, w.lost_worker_id,
           h.notification_ids, h.sizes, b.installation_ids, CASE WHEN w.attempts IS NOT NULL THEN b.attempts END
    FROM whole w
    CROSS JOIN head h
    JOIN body b USING (piece)
    ORDER BY piece
$$;

-- A device of the notification has crashed its worker twice while nothing else was in hand. Answers whether all that is left
-- of the notification is to end: from the second device on if none has come through, from the fourth on in any case.
CREATE FUNCTION dispatcher.isolate(of_notification bigint) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    devices integer;
BEGIN
    UPDATE dispatcher.suspect_notification SET isolated = isolated + 1 WHERE notification_id = of_notification
    RETURNING isolated INTO devices;
    IF devices < 2 OR devices < 4 AND EXISTS (
        SELECT FROM dispatcher.delivery d
        WHERE d.notification_id = of_notification AND d.attempts > 0 AND d.reason IS DISTINCT FROM 'CrashesWorkers')
    THEN
        RETURN false;
    END IF;
    UPDATE dispatcher.notification SET quarantined_at = clock_timestamp()
    WHERE id = of_notification AND quarantined_at IS NULL;
    RETURN FOUND;
END
$$;

-- Takes batches from workers whose lease has ended; what was begun is ambiguous from here on. Answers what is to be
-- announced, and a verdict on what is not: from `suspect_after` crashes on a batch is a suspect, and so is one of a large
-- audience whose batches were in the hands of so many workers that have ended. Whoever leaves in good order, or gives a
-- batch back, casts no suspicion on it.
CREATE FUNCTION dispatcher.rescue_batches(step integer, suspect_after integer)
RETURNS TABLE (found_id bigint, found_size integer, found_lane smallint, verdict text, about bigint)
LANGUAGE plpgsql AS $$
DECLARE
    lost  record;
    ended integer;
BEGIN
    -- One at a time: what one finds out about a notification the next has to know.
    PERFORM pg_advisory_xact_lock(hashtext('dispatcher.suspects'));
    FOR lost IN
        SELECT b.id, b.worker_id, b.lane, b.crashes, b.strikes, b.suspicion, b.is_alone,
               b.notification_ids AS notifications, cardinality(b.installation_ids) AS size
        FROM dispatcher.batch b
        WHERE b.worker_id IS NOT NULL AND NOT EXISTS (
            SELECT FROM dispatcher.worker w WHERE w.id = b.worker_id AND w.lease_until >= clock_timestamp())
        ORDER BY b.id
        LIMIT step
        FOR UPDATE OF b SKIP LOCKED
    LOOP
        ended := least(lost.crashes + 1, 1000);
        IF cardinality(lost.notifications) = 1 THEN
            SELECT greatest(ended, count(DISTINCT e.worker_id)) INTO ended
            FROM (
                SELECT b.lost_worker_id AS worker_id FROM dispatcher.batch b
                WHERE b.notification_ids[1] = lost.notifications[1] AND cardinality(b.notification_ids) = 1
                  AND b.crashes > 0
                UNION ALL SELECT lost.worker_id
            ) e;
        END IF;
        UPDATE dispatcher.batch b
        SET worker_id = NULL, epoch = b.epoch + 1, is_ambiguous = true, published_at = NULL, is_alone = false,
            crashes = least(lost.crashes + 1, 1000), lost_worker_id = lost.worker_id,
            suspicion = CASE WHEN ended >= suspect_after THEN greatest(b.suspicion, 1) ELSE b.suspicion END,
            strikes = CASE WHEN lost.is_alone AND lost.size = 1 THEN b.strikes + 1 ELSE b.strikes END
        WHERE b.id = lost.id;
        found_id := lost.id;
        found_size := lost.size;
        found_lane := lost.lane;
        about := lost.notifications[1];
        verdict := NULL;
        IF ended < suspect_after OR lost.suspicion = 2 THEN
            RETURN NEXT;
            CONTINUE;
        END IF;
        INSERT INTO dispatcher.suspect_notification AS s (notification_id, crashes)
        SELECT DISTINCT n.id, ended FROM unnest(lost.notifications) AS n(id) ORDER BY 1
        ON CONFLICT (notification_id) DO UPDATE SET settled_at = NULL, crashes = s.crashes + 1;
        IF NOT lost.is_alone THEN
            -- New, or reserved and not begun.
            verdict := 'suspected';
        ELSIF lost.size > 1 THEN
            verdict := 'narrowed';
            PERFORM dispatcher.split_suspect(lost.id, CASE WHEN lost.size > 25 THEN 25 ELSE 1 END);
        ELSIF lost.strikes = 0 THEN
            verdict := 'struck';
        ELSE
            verdict := 'isolated';
            UPDATE dispatcher.batch b SET suspicion = 2 WHERE b.id = lost.id;
        END IF;
        RETURN NEXT;
        IF verdict = 'isolated' AND dispatcher.isolate(about) THEN
            verdict := 'quarantined';
            found_id := NULL;
            RETURN NEXT;
            verdict := NULL;
            FOR found_id, found_size, found_lane IN
                UPDATE dispatcher.batch b SET suspicion = 2
                WHERE b.suspicion = 1 AND b.worker_id IS NULL AND b.notification_ids = ARRAY[about]
                RETURNING b.id, cardinality(b.installation_ids), b.lane
            LOOP
                RETURN NEXT;
            END LOOP;
        END IF;
    END LOOP;
END
$$;

-- Ends the suspicion on notifications that have no suspects left.
CREATE FUNCTION dispatcher.settle_suspects() RETURNS void
LANGUAGE sql AS $$
    WITH settled AS MATERIALIZED (
        SELECT s.notification_id FROM dispatcher.suspect_notification s
        WHERE s.settled_at IS NULL AND NOT EXISTS (
            SELECT FROM dispatcher.batch b WHERE b.suspicion = 1 AND s.notification_id = ANY (b.notification_ids))
    ),
    cleared AS (
        DELETE FROM dispatcher.suspect_notification s USING settled d
        WHERE s.notification_id = d.notification_id AND s.isolated = 0
    )
    UPDATE dispatcher.suspect_notification s SET settled_at = clock_timestamp()
    FROM settled d WHERE s.notification_id = d.notification_id AND s.isolated > 0
$$;

-- Reserves the next suspect for a worker, if nobody has one: at most one worker at a time ends of them. The most suspicious
-- one comes first, so that what crashes is found out before it is met in the next piece.
CREATE FUNCTION dispatcher.reserve_suspect(by_worker bigint) RETURNS SETOF bigint
LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM dispatcher.suspect_notification s WHERE s.settled_at IS NULL) THEN
        RETURN;
    END IF;
    PERFORM pg_advisory_xact_lock(hashtext('dispatcher.suspects'));
    PERFORM dispatcher.settle_suspects();
    IF EXISTS (SELECT FROM dispatcher.batch b WHERE b.suspicion = 1 AND b.worker_id IS NOT NULL) THEN
        RETURN;
    END IF;
    RETURN QUERY
        UPDATE dispatcher.batch b SET worker_id = by_worker, epoch = b.epoch + 1, is_alone = false
        WHERE b.id = (
            SELECT c.id FROM dispatcher.batch c
            WHERE c.suspicion = 1 AND c.worker_id IS NULL
            ORDER BY c.strikes DESC, c.lane, cardinality(c.installation_ids), c.id
            LIMIT 1
            FOR UPDATE SKIP LOCKED)
        RETURNING b.id;
END
$$;

-- Notifications of which something crashed workers.
CREATE VIEW dashboard.suspects AS
SELECT n.job_id AS notification_id,
       h.name AS hub,
       CASE WHEN s.settled_at IS NULL THEN 'suspected' WHEN n.quarantined_at IS NULL THEN 'isolated' ELSE 'quarantined' END
           AS state,
       s.suspected_at,
       s.settled_at,
       s.crashes,
       s.isolated,
       n.quarantined_at,
       (SELECT coalesce(sum(cardinality(b.installation_ids)), 0) FROM dispatcher.batch b
        WHERE b.suspicion = 1 AND n.id = ANY (b.notification_ids)) AS deliveries_suspected,
       n.target,
       n.id AS number
FROM dispatcher.suspect_notification s
JOIN dispatcher.notification n ON n.id = s.notification_id
JOIN dispatcher.hub h ON h.id = n.hub_id;

CREATE OR REPLACE VIEW dashboard.batches AS
SELECT b.id,
       dashboard.lane_name(b.lane) AS lane,
       CASE WHEN b.worker_id IS NOT NULL THEN 'sending' WHEN b.published_at IS NULL THEN 'unpublished' ELSE 'queued' END
           AS state,
       b.worker_id,
       b.epoch,
       b.is_ambiguous AS ambiguous,
       cardinality(b.installation_ids) AS deliveries,
       b.created_at,
       b.published_at,
       (ARRAY['suspect', 'guilty'])[b.suspicion] AS suspicion,
       b.crashes
FROM dispatcher.batch b;

REVOKE EXECUTE ON FUNCTION dispatcher.is_held(bigint[]) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION dispatcher.split_suspect(bigint, integer) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION dispatcher.isolate(bigint) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION dispatcher.rescue_batches(integer, integer) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION dispatcher.settle_suspects() FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION dispatcher.reserve_suspect(bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION dispatcher.is_held(bigint[]), dispatcher.split_suspect(bigint, integer),
    dispatcher.isolate(bigint), dispatcher.rescue_batches(integer, integer), dispatcher.settle_suspects(),
    dispatcher.reserve_suspect(bigint) TO dispatcher_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON dispatcher.suspect_notification TO dispatcher_worker;
GRANT SELECT ON dashboard.suspects TO dispatcher_worker, dispatcher_dashboard;
