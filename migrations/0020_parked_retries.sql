-- What waits for a stopped channel knows for which, APNs' environments are channels of their own, and other services are
-- told when a channel stops and when it is resumed.

SET LOCAL ROLE dispatcher_owner;

-- Retries that wait without an attempt: for a channel to be resumed, or for their gateway's retry budget. `parked_at` is
-- null for the others. What was parked before its channel was resumed is due at once.
ALTER TABLE dispatcher.retry
    ADD COLUMN parked_at       timestamptz,
    ADD COLUMN parked_hub      integer,
    ADD COLUMN parked_platform smallint,
    ADD COLUMN parked_sandbox  boolean,
    ADD COLUMN parked_target   text;

DROP INDEX dispatcher.retry_due;
CREATE INDEX retry_due ON dispatcher.retry (lane, due_at) WHERE parked_at IS NULL;
CREATE INDEX retry_parked_due ON dispatcher.retry (lane, due_at) WHERE parked_at IS NOT NULL;
CREATE INDEX retry_parked ON dispatcher.retry (parked_platform, parked_hub, parked_target, parked_sandbox, lane)
    WHERE parked_at IS NOT NULL;

-- `round` is how often the pause was imposed in a row for its cause: it sets the length. `revision` rises with each change
-- and tells the verdict on one round from that on another.
ALTER TABLE dispatcher.channel_pause
    ADD COLUMN is_sandbox boolean NOT NULL DEFAULT false,
    ADD COLUMN revision   integer NOT NULL DEFAULT 1,
    DROP CONSTRAINT channel_pause_pkey,
    ADD PRIMARY KEY (hub_id, platform, target, is_sandbox);

-- No two pauses of the versions before may be taken for one another.
UPDATE dispatcher.channel_pause SET revision = round;

-- Forms a batch of each so many retries of one lane, and answers them.
CREATE FUNCTION dispatcher.batch_retries(batch_lane smallint, batch_limit integer, notifications bigint[],
                                         installations bigint[], next_attempts smallint[])
RETURNS TABLE (id bigint, size integer, lane smallint)
LANGUAGE sql AS $$
    WITH cut AS (
        SELECT r.*, (row_number() OVER (ORDER BY notification_id, installation_id) - 1) / batch_limit AS piece
        FROM unnest(notifications, installations, next_attempts) AS r(notification_id, installation_id, attempt)
    ),
    heads AS (
        SELECT piece, array_agg(notification_id ORDER BY notification_id) AS notification_ids,
               array_agg(size ORDER BY notification_id) AS sizes
        FROM (SELECT piece, notification_id, count(*)::int4 AS size FROM cut GROUP BY 1, 2) p
        GROUP BY 1
    ),
    bodies AS (
        SELECT piece, array_agg(installation_id ORDER BY notification_id, installation_id) AS installation_ids,
               array_agg(attempt ORDER BY notification_id, installation_id) AS attempts
        FROM cut GROUP BY 1
    )
    INSERT INTO dispatcher.batch (lane, notification_ids, audience_sizes, installation_ids, attempts)
    SELECT batch_lane, notification_ids, sizes, installation_ids, attempts FROM heads JOIN bodies USING (piece)
    RETURNING id, cardinality(installation_ids), lane
$$;

-- Moves up to `wanted` due retries into batches; each row is taken by exactly one caller. Urgent ones come first. In each
-- lane those that were answered come before those that are parked, so that a channel with much to resume is not in the way
-- of the others; a quarter is kept for the parked.
CREATE FUNCTION dispatcher.take_retries(wanted integer, urgent_limit integer, batch_limit integer)
RETURNS TABLE (id bigint, size integer, lane smallint)
LANGUAGE plpgsql AS $$
DECLARE
    rest integer := wanted;
    kept integer;
    taken integer;
    notifications bigint[];
    installations bigint[];
    next_attempts smallint[];
BEGIN
    FOR taken_lane IN 0..2 LOOP
        EXIT WHEN rest <= 0;
        kept := CASE WHEN EXISTS (
            SELECT FROM dispatcher.retry r
            WHERE r.lane = taken_lane AND r.parked_at IS NOT NULL AND r.due_at <= now()) THEN rest / 4 ELSE 0 END;
        WITH answered AS (
            SELECT r.notification_id, r.installation_id FROM dispatcher.retry r
            WHERE r.lane = taken_lane AND r.parked_at IS NULL AND r.due_at <= now()
            ORDER BY r.due_at LIMIT rest - kept FOR UPDATE SKIP LOCKED
        ),
        parked AS (
            SELECT r.notification_id, r.installation_id FROM dispatcher.retry r
            WHERE r.lane = taken_lane AND r.parked_at IS NOT NULL AND r.due_at <= now()
            ORDER BY r.due_at LIMIT rest - (SELECT count(*) FROM answered) FOR UPDATE SKIP LOCKED
        ),
        resumed AS (
            SELECT r.notification_id, r.installation_id
            FROM dispatcher.channel_pause p
            JOIN dispatcher.retry r ON r.parked_hub = p.hub_id AND r.parked_platform = p.platform
                AND r.parked_target = p.target AND r.parked_sandbox = p.is_sandbox
            -- Nothing is parked for longer than this.
            WHERE p.closed_at > now() - interval '70 minutes'
              AND r.lane = taken_lane AND r.parked_at < p.closed_at AND r.due_at > now()
            LIMIT rest - (SELECT count(*) FROM answered) - (SELECT count(*) FROM parked) FOR UPDATE OF r SKIP LOCKED
        ),
        -- A stopped channel whose pause is over needs a few to be tried, even if none is due.
        probes AS (
            SELECT r.notification_id, r.installation_id
            FROM dispatcher.channel_pause p
            CROSS JOIN LATERAL (
                SELECT r.notification_id, r.installation_id FROM dispatcher.retry r
                WHERE r.parked_hub = p.hub_id AND r.parked_platform = p.platform AND r.parked_target = p.target
                  AND r.parked_sandbox = p.is_sandbox AND r.lane = taken_lane AND r.parked_at < p.until
                  AND r.due_at > now()
                LIMIT 3 FOR UPDATE SKIP LOCKED
            ) r
            WHERE p.closed_at IS NULL AND p.until <= now()
        ),
        gone AS (
            DELETE FROM dispatcher.retry r
            USING (TABLE answered UNION ALL TABLE parked UNION ALL TABLE resumed UNION ALL TABLE probes) d
            WHERE r.notification_id = d.notification_id AND r.installation_id = d.installation_id
            RETURNING r.notification_id, r.installation_id, r.attempt
        )
        SELECT count(*), array_agg(g.notification_id), array_agg(g.installation_id), array_agg(g.attempt)
        INTO taken, notifications, installations, next_attempts
        FROM gone g;
        CONTINUE WHEN taken = 0;
        rest := rest - taken;
        RETURN QUERY SELECT b.id, b.size, b.lane FROM dispatcher.batch_retries(taken_lane::smallint,
            CASE taken_lane WHEN 0 THEN urgent_limit ELSE batch_limit END, notifications, installations, next_attempts) b;
    END LOOP;
END
$$;

-- The functions below replace those of migration 9; workers of the version before call them without their last arguments.

DROP FUNCTION dispatcher.resume_channel(integer, smallint, text, integer);
DROP FUNCTION dispatcher.prolong_pause(integer, smallint, text, integer, text, text, timestamptz);
DROP FUNCTION dispatcher.stop_channel(integer, smallint, text, text, text, timestamptz, bigint, bigint);
DROP FUNCTION dispatcher.restore_again(integer, smallint, text);
DROP FUNCTION dispatcher.restore_devices(integer, smallint, text, timestamptz);

-- Brings back the devices of a channel that were retired since then, and answers how many. A device whose push channel
-- belongs to another registration by now stays retired, and of several with one push channel the newest comes back.
CREATE FUNCTION dispatcher.restore_devices(
    channel_hub integer, channel_platform smallint, channel_target text, channel_sandbox boolean, since timestamptz
) RETURNS bigint
LANGUAGE sql AS $$
    WITH retired AS (
        SELECT DISTINCT ON (i.is_direct, i.push_channel) i.id
        FROM dispatcher.installation i
        JOIN dispatcher.hub h ON h.id = i.hub_id
        WHERE i.retired_at >= since AND i.retire_reason <> 'ChannelTaken'
          AND i.hub_id = channel_hub AND i.platform = channel_platform AND i.is_sandbox = channel_sandbox
          AND dispatcher.channel_target(i.platform, i.topic, h.apns_topic, i.push_channel) = channel_target
          AND (i.is_direct OR NOT EXISTS (
              SELECT FROM dispatcher.installation o
              WHERE o.hub_id = i.hub_id AND o.platform = i.platform AND o.id <> i.id AND o.retired_at IS NULL
                AND hashtextextended(o.push_channel, 0) = hashtextextended(i.push_channel, 0) AND NOT o.is_direct))
        ORDER BY i.is_direct, i.push_channel, i.registered_at DESC, i.id DESC
    ),
    restored AS (
        UPDATE dispatcher.installation i SET retired_at = NULL, retire_reason = NULL
        FROM retired WHERE i.id = retired.id AND i.retired_at IS NOT NULL
        RETURNING 1
    )
    SELECT count(*) FROM restored
$$;

-- Restores once more what the guard's row is to restore: a record that was on its way may have retired devices since.
CREATE FUNCTION dispatcher.restore_again(
    channel_hub integer, channel_platform smallint, channel_target text, channel_sandbox boolean DEFAULT false
) RETURNS void
LANGUAGE sql AS $$
    UPDATE dispatcher.channel_pause p
    SET restored = p.restored
        + dispatcher.restore_devices(p.hub_id, p.platform, p.target, p.is_sandbox, p.restore_since)
    WHERE p.hub_id = channel_hub AND p.platform = channel_platform AND p.target = channel_target
      AND p.is_sandbox = channel_sandbox AND p.cause = 'dead'
$$;

-- Stops a channel; a row comes back when this call did it. One that is stopped already stays as it is, unless the new
-- pause is longer or the guard's. One that was resumed less than five minutes ago goes on with longer pauses, if the cause
-- is the same.
CREATE FUNCTION dispatcher.stop_channel(
    channel_hub integer, channel_platform smallint, channel_target text, new_cause text, new_reason text,
    pause_until timestamptz, stopped_by bigint, guard_window bigint, channel_sandbox boolean DEFAULT false,
    OUT round integer, OUT restored bigint, OUT revision integer
)
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO dispatcher.channel_pause AS p
        (hub_id, platform, target, is_sandbox, cause, reason, until, worker_id, restore_since)
    VALUES (channel_hub, channel_platform, channel_target, channel_sandbox, new_cause, new_reason, pause_until,
            stopped_by, clock_timestamp() - guard_window * interval '1 microsecond')
    ON CONFLICT (hub_id, platform, target, is_sandbox) DO UPDATE
    SET cause = EXCLUDED.cause, reason = EXCLUDED.reason, worker_id = EXCLUDED.worker_id,
        until = CASE WHEN p.closed_at > clock_timestamp() - interval '5 minutes' AND EXCLUDED.cause = p.cause
                          AND EXCLUDED.cause <> 'throttled'
                     THEN clock_timestamp() + least(interval '5 minutes',
                         (EXCLUDED.until - clock_timestamp()) * (1 << least(p.round, 10)))
                     ELSE EXCLUDED.until END,
        round = CASE WHEN EXCLUDED.cause = p.cause
                          AND (p.closed_at IS NULL OR p.closed_at > clock_timestamp() - interval '5 minutes')
                     THEN p.round + 1 ELSE 1 END,
        revision = p.revision + 1,
        opened_at = CASE WHEN p.closed_at IS NULL THEN p.opened_at ELSE clock_timestamp() END,
        restored = CASE WHEN p.closed_at IS NULL THEN p.restored ELSE 0 END,
        restore_since = EXCLUDED.restore_since, closed_at = NULL
    WHERE p.closed_at IS NOT NULL
       OR EXCLUDED.cause = 'dead' AND p.cause <> 'dead'
       OR EXCLUDED.cause = 'throttled' AND p.cause = 'throttled' AND EXCLUDED.until > p.until + interval '1 second'
    RETURNING p.round, p.revision INTO round, revision;
    IF round IS NULL THEN
        RETURN;
    END IF;
    PERFORM dispatcher.restore_again(channel_hub, channel_platform, channel_target, channel_sandbox);
    SELECT p.restored INTO restored FROM dispatcher.channel_pause p
    WHERE p.hub_id = channel_hub AND p.platform = channel_platform AND p.target = channel_target
      AND p.is_sandbox = channel_sandbox;
END
$$;

-- The probes of a round failed; only the first to say so is heard.
CREATE FUNCTION dispatcher.prolong_pause(
    channel_hub integer, channel_platform smallint, channel_target text, new_round integer, new_cause text,
    new_reason text, pause_until timestamptz, channel_sandbox boolean DEFAULT false,
    probed_revision integer DEFAULT NULL, OUT round integer, OUT restored bigint, OUT revision integer
)
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM dispatcher.restore_again(channel_hub, channel_platform, channel_target, channel_sandbox);
    UPDATE dispatcher.channel_pause p
    SET round = new_round, revision = p.revision + 1, cause = new_cause, reason = new_reason, until = pause_until
    WHERE p.hub_id = channel_hub AND p.platform = channel_platform AND p.target = channel_target
      AND p.is_sandbox = channel_sandbox AND p.closed_at IS NULL
      AND CASE WHEN probed_revision IS NULL THEN p.round = new_round - 1 ELSE p.revision = probed_revision END
    RETURNING p.round, p.restored, p.revision INTO round, restored, revision;
END
$$;

-- The probes of a round came through: pushes flow again.
CREATE FUNCTION dispatcher.resume_channel(
    channel_hub integer, channel_platform smallint, channel_target text, probed_round integer,
    channel_sandbox boolean DEFAULT false, probed_revision integer DEFAULT NULL,
    OUT round integer, OUT restored bigint, OUT revision integer
)
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM dispatcher.restore_again(channel_hub, channel_platform, channel_target, channel_sandbox);
    UPDATE dispatcher.channel_pause p SET closed_at = clock_timestamp(), revision = p.revision + 1
    WHERE p.hub_id = channel_hub AND p.platform = channel_platform AND p.target = channel_target
      AND p.is_sandbox = channel_sandbox AND p.closed_at IS NULL
      AND CASE WHEN probed_revision IS NULL THEN p.round = probed_round ELSE p.revision = probed_revision END
    RETURNING p.round, p.restored, p.revision INTO round, restored, revision;
END
$$;

-- Events 30 and 31 are a channel's; their body is the whole event, because a channel has no row that keeps it.
ALTER TABLE dispatcher.outbox
    ALTER COLUMN notification_id DROP NOT NULL,
    DROP CONSTRAINT outbox_check,
    DROP CONSTRAINT outbox_check1,
    ADD CONSTRAINT outbox_form CHECK (
        CASE WHEN event IS NULL THEN num_nulls(notification_id, job_id, lane, body) = 0
             WHEN event >= 30 THEN body IS NOT NULL AND num_nonnulls(notification_id, job_id, lane, device) = 0
             ELSE num_nonnulls(job_id, lane, body) = 0 AND num_nulls(notification_id, installation_id, device) = 0 END);

-- Jobs have a turn of their own.
CREATE INDEX outbox_job ON dispatcher.outbox (id) WHERE job_id IS NOT NULL;

CREATE OR REPLACE FUNCTION dashboard.event_name(event smallint) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
    WHEN event IS NULL THEN 'job'
    WHEN event = 20 THEN 'retired'
    WHEN event = 30 THEN 'channel.stopped'
    WHEN event = 31 THEN 'channel.resumed'
    WHEN event > 10 THEN dashboard.delivery_state_name((event - 10)::smallint)
    ELSE dashboard.receipt_kind_name(event)
END;

-- An event about a platform for all hubs has none.
CREATE OR REPLACE VIEW dashboard.outbox AS
SELECT h.name AS hub,
       dashboard.event_name(o.event) AS kind,
       count(*) AS count,
       min(o.created_at) AS oldest
FROM dispatcher.outbox o
LEFT JOIN dispatcher.hub h ON h.id = o.hub_id
GROUP BY h.name, o.event;

CREATE OR REPLACE VIEW dashboard.channels AS
SELECT h.name AS hub,
       dashboard.platform_name(p.platform) AS platform,
       p.target AS topic,
       CASE WHEN p.closed_at IS NOT NULL THEN 'closed' WHEN p.until > now() THEN 'open' ELSE 'half-open' END AS state,
       p.cause,
       p.reason,
       p.opened_at AS since,
       CASE WHEN p.closed_at IS NULL THEN p.until END AS next_probe_at,
       p.closed_at AS resumed_at,
       p.round,
       p.restored AS retired_restored,
       p.trusted_until,
       CASE WHEN p.platform = 1 THEN CASE WHEN p.is_sandbox THEN 'sandbox' ELSE 'production' END END AS environment
FROM dispatcher.channel_pause p
LEFT JOIN dispatcher.hub h ON h.id = p.hub_id;

-- `state` is parked for what waits without an attempt, and comes forward when its channel is resumed.
CREATE OR REPLACE VIEW dashboard.retries_due AS
SELECT n.job_id AS notification_id,
       h.name AS hub,
       i.installation_id,
       dashboard.platform_name(i.platform) AS platform,
       dashboard.lane_name(r.lane) AS lane,
       r.attempt,
       r.due_at,
       d.reason,
       CASE WHEN r.due_at <= now() THEN 'due' WHEN r.parked_at IS NOT NULL THEN 'parked' ELSE 'waiting' END AS state,
       r.due_at AS next_attempt_at,
       d.attempts
FROM dispatcher.retry r
JOIN dispatcher.notification n ON n.id = r.notification_id
JOIN dispatcher.hub h ON h.id = n.hub_id
LEFT JOIN dispatcher.installation i ON i.id = r.installation_id
LEFT JOIN dispatcher.delivery d ON d.notification_id = r.notification_id AND d.installation_id = r.installation_id;
