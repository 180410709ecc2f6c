-- What waits for a later attempt ends at once when it is cancelled, and quiet hours end when the clock says so.

SET LOCAL ROLE dispatcher_owner;

-- Notifications that were cancelled and of which something may still wait, or come to wait: whoever was sending at that
-- moment writes its retries afterwards. No index names a column that is updated.
CREATE TABLE dispatcher.ending (
    notification_id bigint      PRIMARY KEY,
    began_at        timestamptz NOT NULL DEFAULT clock_timestamp(),
    look_at         timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

CREATE FUNCTION dispatcher.begin_ending() RETURNS trigger
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    INSERT INTO dispatcher.ending (notification_id) VALUES (NEW.id) ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;

CREATE TRIGGER ended AFTER UPDATE OF cancelled_at ON dispatcher.notification
    FOR EACH ROW WHEN (OLD.cancelled_at IS NULL AND NEW.cancelled_at IS NOT NULL)
    EXECUTE FUNCTION dispatcher.begin_ending();

INSERT INTO dispatcher.ending (notification_id)
SELECT n.id FROM dispatcher.notification n
WHERE n.cancelled_at IS NOT NULL AND EXISTS (SELECT FROM dispatcher.retry r WHERE r.notification_id = n.id);

-- Moves up to `wanted` retries of cancelled notifications into batches, whenever they would have been due and whatever
-- they wait for. A batch whose notification is cancelled ends without an attempt. A notification is looked at until all its
-- deliveries have ended.
CREATE FUNCTION dispatcher.take_cancelled(wanted integer, urgent_limit integer, batch_limit integer)
RETURNS TABLE (id bigint, size integer, lane smallint)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    rest  integer := wanted;
    taken integer;
    ended record;
    piece record;
BEGIN
    FOR ended IN
        SELECT e.notification_id, e.began_at FROM dispatcher.ending e
        WHERE e.look_at <= clock_timestamp()
        ORDER BY e.look_at, e.notification_id LIMIT 100 FOR UPDATE SKIP LOCKED
    LOOP
        EXIT WHEN rest <= 0;
        taken := 0;
        FOR piece IN
            WITH waiting AS (
                SELECT r.installation_id FROM dispatcher.retry r
                WHERE r.notification_id = ended.notification_id
                ORDER BY r.installation_id LIMIT rest FOR UPDATE SKIP LOCKED
            ),
            gone AS (
                DELETE FROM dispatcher.retry r USING waiting w
                WHERE r.notification_id = ended.notification_id AND r.installation_id = w.installation_id
                RETURNING r.*
            )
            SELECT g.lane AS of_lane, count(*)::integer AS count, array_agg(g.notification_id) AS notifications,
                   array_agg(g.installation_id) AS installations, array_agg(g.attempt) AS attempts
            FROM gone g GROUP BY g.lane
        LOOP
            taken := taken + piece.count;
            RETURN QUERY SELECT b.id, b.size, b.lane FROM dispatcher.batch_retries(piece.of_lane,
                CASE piece.of_lane WHEN 0 THEN urgent_limit ELSE batch_limit END, piece.notifications,
                piece.installations, piece.attempts) b;
        END LOOP;
        rest := rest - taken;
        IF taken = 0 AND (
            EXISTS (SELECT FROM dashboard.notifications d
                    WHERE d.number = ended.notification_id AND d.finished_at IS NOT NULL)
            OR NOT EXISTS (SELECT FROM dispatcher.notification n
                           WHERE n.id = ended.notification_id AND n.expires_at > now() - interval '31 days'))
        THEN
            DELETE FROM dispatcher.ending e WHERE e.notification_id = ended.notification_id;
        ELSE
            UPDATE dispatcher.ending e
            SET look_at = clock_timestamp() + CASE WHEN taken > 0 THEN interval '0'
                ELSE least(greatest((clock_timestamp() - e.began_at) / 8, interval '1 second'), interval '1 minute') END
            WHERE e.notification_id = ended.notification_id;
        END IF;
    END LOOP;
END
$$;

-- Whether a clock is within these hours; hours over midnight end on the next day.
CREATE FUNCTION dispatcher.is_quiet(clock time, quiet_from time, quiet_until time) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN quiet_from < quiet_until THEN clock >= quiet_from AND clock < quiet_until
            ELSE clock >= quiet_from OR clock < quiet_until END;

-- The first moment after `at` at which the clock of the zone is not within these hours; null when it is not now.
--
-- Where the clock is put forward over the end of the hours, they end with the gap; where it is put back, when it shows
-- something else for the first time. Only a night with such a change is looked at minute by minute.
CREATE OR REPLACE FUNCTION dispatcher.quiet_until(zone text, quiet_from time, quiet_until time, at timestamptz)
RETURNS timestamptz
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT CASE
        WHEN (e.moment AT TIME ZONE zone) - l.clock = e.moment - at THEN e.moment
        ELSE least(e.moment, (
            SELECT min(m.moment)
            FROM generate_series(date_trunc('minute', at) + interval '1 minute', e.moment, interval '1 minute') m(moment)
            WHERE NOT dispatcher.is_quiet((m.moment AT TIME ZONE zone)::time, quiet_from, quiet_until)))
    END
    FROM (SELECT at AT TIME ZONE zone AS clock) l
    CROSS JOIN LATERAL (
        SELECT (l.clock::date + quiet_until + CASE WHEN l.clock::time >= quiet_until THEN interval '1 day' ELSE '0' END)
               AT TIME ZONE zone AS moment
    ) e
    WHERE dispatcher.is_quiet(l.clock::time, quiet_from, quiet_until)
$$;

-- Until when a device's gateway wants it to be left alone. No index names it, so a pause stays in the page of its row.
ALTER TABLE dispatcher.installation ADD COLUMN paused_until timestamptz;

-- The gateway's word was about the channel.
CREATE FUNCTION dispatcher.end_device_pause() RETURNS trigger
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    NEW.paused_until := NULL;
    RETURN NEW;
END
$$;

CREATE TRIGGER channel_changed BEFORE UPDATE OF push_channel, platform ON dispatcher.installation
    FOR EACH ROW
    WHEN (OLD.paused_until IS NOT NULL
          AND (OLD.push_channel IS DISTINCT FROM NEW.push_channel OR OLD.platform <> NEW.platform))
    EXECUTE FUNCTION dispatcher.end_device_pause();

REVOKE EXECUTE ON FUNCTION dispatcher.end_device_pause() FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION dispatcher.is_quiet(time, time, time) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION dispatcher.begin_ending() FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION dispatcher.take_cancelled(integer, integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION dispatcher.take_cancelled(integer, integer, integer) TO dispatcher_worker;
GRANT SELECT, UPDATE, DELETE ON dispatcher.ending TO dispatcher_worker;
