-- Channels that take no pushes, and the guard that restores devices which were retired by mistake.

SET LOCAL ROLE dispatcher_owner;

-- The part of a hub that one credential reaches: the topic of APNs, the origin of browsers, nothing elsewhere. The
-- program computes the same in ChannelKey.
CREATE FUNCTION dispatcher.channel_target(platform smallint, topic text, hub_topic text, push_channel text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE platform
    WHEN 1 THEN coalesce(topic, hub_topic, '')
    WHEN 3 THEN coalesce(substring(push_channel FROM '^(?:\{"endpoint":")?([^:]*://[^/"]*)'), '')
    ELSE ''
END;

-- One row for each channel that was ever stopped: in force while closed_at is null, kept for the operator after that.
-- Hub 0 is every hub, an empty target every target of the platform.
CREATE TABLE dispatcher.channel_pause (
    opened_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    until         timestamptz NOT NULL,                            -- probes go out after this
    closed_at     timestamptz,
    trusted_until timestamptz,                                     -- an operator's word: the guard looks away until then
    restore_since timestamptz NOT NULL,                            -- devices retired from here on are restored
    worker_id     bigint      NOT NULL,                            -- who stopped it
    hub_id        integer     NOT NULL,
    round         integer     NOT NULL DEFAULT 1,
    restored      bigint      NOT NULL DEFAULT 0,
    platform      smallint    NOT NULL CHECK (platform BETWEEN 1 AND 6),
    target        text        NOT NULL,
    cause         text        NOT NULL CHECK (cause IN ('throttled', 'unavailable', 'refused', 'dead')),
    reason        text        NOT NULL,
    PRIMARY KEY (hub_id, platform, target)
);

-- Few registrations are ever retired, and each once.
CREATE INDEX installation_retired ON dispatcher.installation (retired_at) WHERE retired_at IS NOT NULL;

-- Brings back the devices of a channel that were retired since then, and answers how many. A device whose push channel
-- belongs to another registration by now stays retired, and of several with one push channel the newest comes back.
CREATE FUNCTION dispatcher.restore_devices(
    channel_hub integer, channel_platform smallint, channel_target text, since timestamptz
) RETURNS bigint
LANGUAGE sql AS $$
    WITH retired AS (
        SELECT DISTINCT ON (i.is_direct, i.push_channel) i.id
        FROM dispatcher.installation i
        JOIN dispatcher.hub h ON h.id = i.hub_id
        WHERE i.retired_at >= since AND i.retire_reason <> 'ChannelTaken'
          AND i.hub_id = channel_hub AND i.platform = channel_platform
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
CREATE FUNCTION dispatcher.restore_again(channel_hub integer, channel_platform smallint, channel_target text)
RETURNS void
LANGUAGE sql AS $$
    UPDATE dispatcher.channel_pause p
    SET restored = p.restored + dispatcher.restore_devices(p.hub_id, p.platform, p.target, p.restore_since)
    WHERE p.hub_id = channel_hub AND p.platform = channel_platform AND p.target = channel_target AND p.cause = 'dead'
$$;

-- Stops a channel; a row comes back when this call did it. One that is stopped already stays as it is, unless the new
-- pause is longer or the guard's. One that was resumed less than five minutes ago goes on with longer pauses.
CREATE FUNCTION dispatcher.stop_channel(
    channel_hub integer, channel_platform smallint, channel_target text, new_cause text, new_reason text,
    pause_until timestamptz, stopped_by bigint, guard_window bigint,
    OUT round integer, OUT restored bigint
)
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO dispatcher.channel_pause AS p
        (hub_id, platform, target, cause, reason, until, worker_id, restore_since)
    VALUES (channel_hub, channel_platform, channel_target, new_cause, new_reason, pause_until, stopped_by,
            clock_timestamp() - guard_window * interval '1 microsecond')
    ON CONFLICT (hub_id, platform, target) DO UPDATE
    SET cause = EXCLUDED.cause, reason = EXCLUDED.reason, worker_id = EXCLUDED.worker_id,
        until = CASE WHEN p.closed_at > clock_timestamp() - interval '5 minutes' AND EXCLUDED.cause <> 'throttled'
                     THEN clock_timestamp() + least(interval '5 minutes',
                         (EXCLUDED.until - clock_timestamp()) * (1 << least(p.round, 10)))
                     ELSE EXCLUDED.until END,
        round = p.round + 1,
        opened_at = CASE WHEN p.closed_at IS NULL THEN p.opened_at ELSE clock_timestamp() END,
        restored = CASE WHEN p.closed_at IS NULL THEN p.restored ELSE 0 END,
        restore_since = EXCLUDED.restore_since, closed_at = NULL
    WHERE p.closed_at IS NOT NULL
       OR EXCLUDED.cause = 'dead' AND p.cause <> 'dead'
       OR EXCLUDED.cause = 'throttled' AND p.cause = 'throttled' AND EXCLUDED.until > p.until + interval '1 second'
    RETURNING p.round INTO round;
    IF round IS NULL THEN
        RETURN;
    END IF;
    PERFORM dispatcher.restore_again(channel_hub, channel_platform, channel_target);
    SELECT p.restored INTO restored FROM dispatcher.channel_pause p
    WHERE p.hub_id = channel_hub AND p.platform = channel_platform AND p.target = channel_target;
END
$$;

-- The probes of a round failed; only the first to say so is heard.
CREATE FUNCTION dispatcher.prolong_pause(
    channel_hub integer, channel_platform smallint, channel_target text, new_round integer, new_cause text,
    new_reason text, pause_until timestamptz, OUT round integer, OUT restored bigint
)
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM dispatcher.restore_again(channel_hub, channel_platform, channel_target);
    UPDATE dispatcher.channel_pause p
    SET round = new_round, cause = new_cause, reason = new_reason, until = pause_until
    WHERE p.hub_id = channel_hub AND p.platform = channel_platform AND p.target = channel_target
      AND p.closed_at IS NULL AND p.round = new_round - 1
    RETURNING p.round, p.restored INTO round, restored;
END
$$;

-- The probes of a round came through: pushes flow again.
CREATE FUNCTION dispatcher.resume_channel(
    channel_hub integer, channel_platform smallint, channel_target text, probed_round integer,
    OUT round integer, OUT restored bigint
)
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM dispatcher.restore_again(channel_hub, channel_platform, channel_target);
    UPDATE dispatcher.channel_pause p SET closed_at = clock_timestamp()
    WHERE p.hub_id = channel_hub AND p.platform = channel_platform AND p.target = channel_target
      AND p.closed_at IS NULL AND p.round = probed_round
    RETURNING p.round, p.restored INTO round, restored;
END
$$;

-- Every channel that was ever stopped; the others take pushes and have no row. A hub that is null is every hub.
CREATE VIEW dashboard.channels AS
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
       p.trusted_until
FROM dispatcher.channel_pause p
LEFT JOIN dispatcher.hub h ON h.id = p.hub_id;

GRANT SELECT, INSERT, UPDATE ON dispatcher.channel_pause TO dispatcher_worker;
GRANT SELECT, UPDATE ON dispatcher.channel_pause TO dispatcher_api;
GRANT SELECT ON dashboard.channels TO dispatcher_worker, dispatcher_api, dispatcher_dashboard;
