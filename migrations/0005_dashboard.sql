-- The dashboard schema: a contract. Names and columns change only with a migration note.

SET LOCAL ROLE dispatcher_owner;

CREATE FUNCTION dashboard.platform_name(platform smallint) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (ARRAY['apns', 'fcmV1', 'browser', 'wns', 'adm', 'hms'])[platform];

CREATE FUNCTION dashboard.delivery_state_name(state smallint) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (ARRAY['retrying', 'accepted', 'failed', 'expired', 'suppressed', 'cancelled', 'unknown'])[state];

CREATE FUNCTION dashboard.lane_name(lane smallint) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (ARRAY['high', 'normal', 'bulk'])[lane + 1];

-- One row per notification. `id` is the job's id, `number` the hub's own.
CREATE VIEW dashboard.notifications AS
SELECT n.job_id AS id,
       h.name AS hub,
       CASE
           WHEN n.cancelled_at IS NOT NULL THEN 'cancelled'
           WHEN p.due_at > now() AND p.cursor = 0 THEN 'scheduled'
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
       0::bigint AS read,
       CASE
           WHEN p.notification_id IS NULL AND counts.finished >= n.audience
           THEN coalesce(counts.recorded_at, n.created_at)
       END AS finished_at,
       counts.cancelled,
       counts.unknown,
       dashboard.lane_name(n.lane) AS lane,
       n.expires_at,
       n.id AS number
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
           coalesce(sum(delta) FILTER (WHERE state > 1), 0) AS finished,
           max(recorded_at) AS recorded_at
    FROM dispatcher.progress g
    WHERE g.notification_id = n.id
) counts;

-- One row per (notification, device) whose first attempt is answered.
CREATE VIEW dashboard.deliveries AS
SELECT n.job_id AS notification_id,
       i.installation_id,
       i.user_id,
       dashboard.platform_name(d.platform) AS platform,
       dashboard.delivery_state_name(d.state) AS state,
       d.attempts,
       d.reason,
       d.is_ambiguous AS ambiguous,
       r.due_at AS next_attempt_at,
       d.accepted_at,
       NULL::timestamptz AS displayed_at,
       NULL::timestamptz AS read_at,
       NULL::text AS action,
       d.finished_at,
       d.notification_id AS notification_number,
       d.installation_id AS installation_number
FROM dispatcher.delivery d
JOIN dispatcher.notification n ON n.id = d.notification_id
LEFT JOIN dispatcher.installation i ON i.id = d.installation_id
LEFT JOIN dispatcher.retry r ON r.notification_id = d.notification_id AND r.installation_id = d.installation_id;

CREATE VIEW dashboard.retries_due AS
SELECT n.job_id AS notification_id,
       h.name AS hub,
       i.installation_id,
       dashboard.platform_name(i.platform) AS platform,
       dashboard.lane_name(r.lane) AS lane,
       r.attempt,
       r.due_at,
       d.reason
FROM dispatcher.retry r
JOIN dispatcher.notification n ON n.id = r.notification_id
JOIN dispatcher.hub h ON h.id = n.hub_id
LEFT JOIN dispatcher.installation i ON i.id = r.installation_id
LEFT JOIN dispatcher.delivery d ON d.notification_id = r.notification_id AND d.installation_id = r.installation_id;

CREATE VIEW dashboard.dead_letters AS
SELECT id, received_at, published_at, times_seen, queue, hub, message_id, reason, path, byte_offset, detail, byte_count
FROM dispatcher.dead_letter;

CREATE VIEW dashboard.installations AS
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
       i.id AS number
FROM dispatcher.installation i
JOIN dispatcher.hub h ON h.id = i.hub_id
WHERE NOT i.is_direct;

CREATE VIEW dashboard.platform_outcomes AS
SELECT o.minute,
       h.name AS hub,
       dashboard.platform_name(o.platform) AS platform,
       dashboard.delivery_state_name(o.state) AS state,
       o.reason,
       sum(o.count)::bigint AS count
FROM dispatcher.outcome_count o
JOIN dispatcher.hub h ON h.id = o.hub_id
GROUP BY o.minute, h.name, o.platform, o.state, o.reason;

CREATE VIEW dashboard.workers AS
SELECT w.id,
       w.host,
       w.process,
       w.version,
       CASE WHEN w.lease_until < now() THEN 'lost' ELSE w.state END AS state,
       w.started_at,
       w.heartbeat_at,
       w.lease_until,
       w.jobs,
       w.deliveries,
       (SELECT count(*) FROM dispatcher.batch b WHERE b.worker_id = w.id) AS batches
FROM dispatcher.worker w;

CREATE VIEW dashboard.batches AS
SELECT b.id,
       dashboard.lane_name(b.lane) AS lane,
       CASE WHEN b.worker_id IS NOT NULL THEN 'sending' WHEN b.published_at IS NULL THEN 'unpublished' ELSE 'queued' END
           AS state,
       b.worker_id,
       b.epoch,
       b.is_ambiguous AS ambiguous,
       cardinality(b.installation_ids) AS deliveries,
       b.created_at,
       b.published_at
FROM dispatcher.batch b;

-- Least privilege: the worker moves work, the API registers and asks, the dashboard looks.
GRANT USAGE ON SCHEMA dispatcher TO dispatcher_worker, dispatcher_api;
GRANT USAGE ON SCHEMA dashboard TO dispatcher_worker, dispatcher_api, dispatcher_dashboard;
GRANT SELECT ON ALL TABLES IN SCHEMA dashboard TO dispatcher_worker, dispatcher_api, dispatcher_dashboard;
GRANT SELECT ON dispatcher.hub TO dispatcher_worker, dispatcher_api;
GRANT SELECT, INSERT, UPDATE ON dispatcher.installation TO dispatcher_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON dispatcher.installation TO dispatcher_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON
    dispatcher.notification, dispatcher.worker, dispatcher.plan, dispatcher.batch, dispatcher.delivery,
    dispatcher.progress, dispatcher.outcome_count, dispatcher.retry, dispatcher.dead_letter, dispatcher.suspect
    TO dispatcher_worker;
GRANT SELECT ON dispatcher.notification TO dispatcher_api;
GRANT UPDATE (cancelled_at) ON dispatcher.notification TO dispatcher_api;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA dispatcher TO dispatcher_worker, dispatcher_api;
REVOKE EXECUTE ON FUNCTION dispatcher.maintain_partitions(integer) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION dispatcher.partitions_need_work(date, integer) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION dispatcher.create_day_partition(text, date, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION dispatcher.maintain_partitions(integer) TO dispatcher_worker;
-- A partition that is named directly, as the doctor does, has privileges of its own.
GRANT SELECT ON dispatcher.delivery_default TO dispatcher_worker;
GRANT SELECT ON dispatcher.migration TO dispatcher_worker, dispatcher_api, dispatcher_dashboard;
