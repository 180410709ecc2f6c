-- What devices report about notifications: every receipt as it came, and what is known of each delivery by them.

SET LOCAL ROLE dispatcher_owner;

-- One row per receipt; one that is reported again is nothing new. Rows are only added.
-- Kinds: 1 fetched, 2 displayed, 3 read, 4 dismissed, 5 action, 6 reply.
CREATE TABLE dispatcher.receipt (
    notification_id bigint      NOT NULL,
    installation_id bigint      NOT NULL,
    device_at       timestamptz NOT NULL,                              -- by the device's own clock, whatever it says
    received_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    kind            smallint    NOT NULL CHECK (kind BETWEEN 1 AND 6),
    response        smallint    CHECK (response BETWEEN 1 AND 3),      -- 1 stayed, 2 dismissed, 3 and forwarded
    receipt_id      text        NOT NULL,
    action_id       text,
    reply           text,
    PRIMARY KEY (notification_id, installation_id, receipt_id)
) PARTITION BY RANGE (notification_id);

-- One row per (notification, installation) that something is known of. Facts are added, the first of each kind stays.
-- Times are the device's, but not before the notification was accepted and not after its receipt came.
CREATE TABLE dispatcher.reading (
    notification_id bigint      NOT NULL,
    installation_id bigint      NOT NULL,
    fetched_at      timestamptz,
    displayed_at    timestamptz,
    read_at         timestamptz,
    dismissed_at    timestamptz,
    action_at       timestamptz,
    replied_at      timestamptz,
    known           smallint    NOT NULL,                              -- bit k-1 is set when kind k is known
    added           smallint    NOT NULL,                              -- the bits that the last change has set
    response        smallint,
    action_id       text,
    reply           text,
    PRIMARY KEY (notification_id, installation_id)
) PARTITION BY RANGE (notification_id);

CREATE TABLE dispatcher.receipt_default PARTITION OF dispatcher.receipt DEFAULT;
CREATE TABLE dispatcher.reading_default PARTITION OF dispatcher.reading DEFAULT;

COMMENT ON COLUMN dispatcher.progress.state IS
    'A delivery''s state, 1 to 7; or 10 + k: devices of which kind k of receipt is known';

CREATE OR REPLACE FUNCTION dispatcher.partitions_need_work(today date, retention_days integer) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT EXISTS (
        SELECT FROM generate_series(-1, 7) AS n,
                    unnest(ARRAY['delivery', 'progress', 'outcome_count', 'receipt', 'reading']) AS parent
        WHERE to_regclass(format('dispatcher.%I', parent || '_' || to_char(today + n, 'YYYYMMDD'))) IS NULL
    ) OR EXISTS (
        SELECT FROM pg_class c
        WHERE c.relnamespace = 'dispatcher'::regnamespace AND c.relkind = 'r'
          AND c.relname ~ '^(delivery|progress|outcome_count|receipt|reading)_[0-9]{8}$'
          AND to_date(right(c.relname, 8), 'YYYYMMDD') < today - retention_days
    )
$$;

CREATE OR REPLACE FUNCTION dispatcher.maintain_partitions(retention_days integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    today  date := (clock_timestamp() AT TIME ZONE 'UTC')::date;
    day    date;
    parent text;
    old    record;
BEGIN
    -- One caller at a time: workers start together.
    PERFORM pg_advisory_xact_lock(hashtext('dispatcher.maintain_partitions'));
    -- In the order in which receipts and records write them; any other could wait for one that waits for this.
    IF dispatcher.partitions_need_work(today, retention_days) THEN
        LOCK TABLE dispatcher.receipt, dispatcher.reading, dispatcher.progress, dispatcher.outcome_count,
                   dispatcher.delivery IN ACCESS EXCLUSIVE MODE;
    ELSE
        RETURN;
    END IF;
    FOR day IN SELECT today + n FROM generate_series(-1, 7) AS n LOOP
        FOREACH parent IN ARRAY ARRAY['delivery', 'progress', 'receipt', 'reading'] LOOP
            PERFORM dispatcher.create_day_partition(parent, day,
                dispatcher.first_notification_id(day)::text, dispatcher.first_notification_id(day + 1)::text);
        END LOOP;
        PERFORM dispatcher.create_day_partition('outcome_count', day,
            quote_literal(day::text || ' 00:00:00+00'), quote_literal((day + 1)::text || ' 00:00:00+00'));
    END LOOP;
    FOR old IN
        SELECT c.relname
        FROM pg_class c
        JOIN pg_inherits i ON i.inhrelid = c.oid
        JOIN pg_class p ON p.oid = i.inhparent
        WHERE p.relnamespace = 'dispatcher'::regnamespace
          AND p.relname IN ('delivery', 'progress', 'outcome_count', 'receipt', 'reading')
          AND c.relname ~ '_[0-9]{8}$'
          AND to_date(right(c.relname, 8), 'YYYYMMDD') < today - retention_days
    LOOP
        EXECUTE format('DROP TABLE dispatcher.%I', old.relname);
    END LOOP;
END
$$;

-- Days that have deliveries already: their receipts come too, and go with them.
DO $$
DECLARE
    day    date;
    parent text;
BEGIN
    FOR day IN
        SELECT to_date(right(c.relname, 8), 'YYYYMMDD')
        FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = 'dispatcher.delivery'::regclass AND c.relname ~ '_[0-9]{8}$'
    LOOP
        FOREACH parent IN ARRAY ARRAY['receipt', 'reading'] LOOP
            PERFORM dispatcher.create_day_partition(parent, day,
                dispatcher.first_notification_id(day)::text, dispatcher.first_notification_id(day + 1)::text);
        END LOOP;
    END LOOP;
END
$$;

SELECT dispatcher.maintain_partitions(36500);

CREATE FUNCTION dashboard.receipt_kind_name(kind smallint) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (ARRAY['fetched', 'displayed', 'read', 'dismissed', 'action', 'reply'])[kind];

CREATE FUNCTION dashboard.response_name(response smallint) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (ARRAY['doNotDismiss', 'dismiss', 'dismissAndForwardAction'])[response];

CREATE OR REPLACE VIEW dashboard.notifications AS
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
       counts.read,
       CASE
           WHEN p.notification_id IS NULL AND counts.finished >= n.audience
           THEN coalesce(counts.recorded_at, n.created_at)
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

CREATE OR REPLACE VIEW dashboard.deliveries AS
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
       g.displayed_at,
       g.read_at,
       g.action_id AS action,
       d.finished_at,
       d.notification_id AS notification_number,
       d.installation_id AS installation_number,
       g.fetched_at,
       g.dismissed_at,
       g.action_at,
       dashboard.response_name(g.response) AS response,
       g.replied_at
FROM dispatcher.delivery d
JOIN dispatcher.notification n ON n.id = d.notification_id
LEFT JOIN dispatcher.installation i ON i.id = d.installation_id
LEFT JOIN dispatcher.retry r ON r.notification_id = d.notification_id AND r.installation_id = d.installation_id
LEFT JOIN dispatcher.reading g ON g.notification_id = d.notification_id AND g.installation_id = d.installation_id;

-- What users write stays out of it.
CREATE VIEW dashboard.receipts AS
SELECT r.receipt_id AS id,
       n.job_id AS notification_id,
       h.name AS hub,
       i.installation_id,
       i.user_id,
       dashboard.receipt_kind_name(r.kind) AS kind,
       r.action_id AS action,
       dashboard.response_name(r.response) AS response,
       r.device_at,
       r.received_at,
       r.notification_id AS notification_number,
       r.installation_id AS installation_number
FROM dispatcher.receipt r
JOIN dispatcher.notification n ON n.id = r.notification_id
JOIN dispatcher.hub h ON h.id = n.hub_id
LEFT JOIN dispatcher.installation i ON i.id = r.installation_id;

GRANT SELECT ON dashboard.receipts TO dispatcher_worker, dispatcher_api, dispatcher_dashboard;
GRANT SELECT, INSERT ON dispatcher.receipt TO dispatcher_worker;
GRANT SELECT, INSERT, UPDATE ON dispatcher.reading TO dispatcher_worker;
