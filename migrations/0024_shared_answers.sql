-- What workers were answered on a channel that is in trouble, so that the guard and the circuit count all of it.

SET LOCAL ROLE dispatcher_owner;

-- One row for each worker, channel and second, while an alarm of the last minute is there: a worker raises one when it sees
-- trouble and next to no success, and all who know the channel tell what they were answered. Healthy channels have no rows.
CREATE TABLE dispatcher.channel_answers (
    told_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    second      bigint      NOT NULL,                              -- by the database's clock, since 1970
    worker_id   bigint      NOT NULL,
    hub_id      integer     NOT NULL,
    accepted    integer     NOT NULL,
    unavailable integer     NOT NULL,
    dead        integer     NOT NULL,
    platform    smallint    NOT NULL CHECK (platform BETWEEN 1 AND 6),
    is_sandbox  boolean     NOT NULL,
    is_alarm    boolean     NOT NULL,
    target      text        NOT NULL,
    PRIMARY KEY (second, worker_id, hub_id, platform, is_sandbox, target)
);

-- Keeps what a worker tells, and answers what all have told of every channel with an alarm. What was answered before a
-- channel was last stopped does not count again.
CREATE FUNCTION dispatcher.share_answers(
    sharer bigint, oldest bigint, seconds bigint[], hubs integer[], platforms smallint[], sandboxes boolean[],
    targets text[], accepted_counts integer[], unavailable_counts integer[], dead_counts integer[], alarms boolean[]
)
RETURNS TABLE (hub_id integer, platform smallint, target text, is_sandbox boolean, alarmed_at timestamptz,
               second bigint, accepted bigint, unavailable bigint, dead bigint)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    IF cardinality(seconds) > 0 THEN
        DELETE FROM dispatcher.channel_answers a
        USING (SELECT o.second, o.worker_id, o.hub_id, o.platform, o.is_sandbox, o.target
               FROM dispatcher.channel_answers o
               WHERE o.second < oldest OR o.second > oldest + 120
               FOR UPDATE SKIP LOCKED) o
        WHERE (a.second, a.worker_id, a.hub_id, a.platform, a.is_sandbox, a.target)
            = (o.second, o.worker_id, o.hub_id, o.platform, o.is_sandbox, o.target);
        INSERT INTO dispatcher.channel_answers AS a
            (worker_id, second, hub_id, platform, is_sandbox, target, accepted, unavailable, dead, is_alarm)
        SELECT sharer, u.*
        FROM unnest(seconds, hubs, platforms, sandboxes, targets, accepted_counts, unavailable_counts, dead_counts,
                    alarms) u
        ON CONFLICT (second, worker_id, hub_id, platform, is_sandbox, target) DO UPDATE
        SET accepted = EXCLUDED.accepted, unavailable = EXCLUDED.unavailable, dead = EXCLUDED.dead,
            is_alarm = a.is_alarm OR EXCLUDED.is_alarm;
    END IF;
    RETURN QUERY
        WITH told AS MATERIALIZED (
            SELECT a.* FROM dispatcher.channel_answers a
            WHERE a.second BETWEEN oldest AND oldest + 120
              AND NOT EXISTS (
                  SELECT FROM dispatcher.channel_pause p
                  WHERE p.platform = a.platform AND p.is_sandbox = a.is_sandbox AND p.hub_id IN (0, a.hub_id)
                    AND p.target IN ('', a.target) AND p.cause <> 'throttled'
                    AND (p.closed_at IS NULL OR p.closed_at > to_timestamp(a.second)))
        ),
        alarm AS (
            SELECT t.hub_id, t.platform, t.target, t.is_sandbox, min(t.told_at) AS alarmed_at
            FROM told t WHERE t.is_alarm GROUP BY 1, 2, 3, 4
        )
        SELECT t.hub_id, t.platform, t.target, t.is_sandbox, min(m.alarmed_at), t.second,
               sum(t.accepted)::bigint, sum(t.unavailable)::bigint, sum(t.dead)::bigint
        FROM told t
        JOIN alarm m ON (m.hub_id, m.platform, m.target, m.is_sandbox) = (t.hub_id, t.platform, t.target, t.is_sandbox)
        GROUP BY 1, 2, 3, 4, 6;
END
$$;

REVOKE EXECUTE ON FUNCTION dispatcher.share_answers(
    bigint, bigint, bigint[], integer[], smallint[], boolean[], text[], integer[], integer[], integer[], boolean[])
    FROM PUBLIC;
GRANT EXECUTE ON FUNCTION dispatcher.share_answers(
    bigint, bigint, bigint[], integer[], smallint[], boolean[], text[], integer[], integer[], integer[], boolean[])
    TO dispatcher_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON dispatcher.channel_answers TO dispatcher_worker;
