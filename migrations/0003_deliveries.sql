-- What became of each notification on each device.

SET LOCAL ROLE dispatcher_owner;

-- One row per (notification, installation), written by COPY when the first attempt is answered.
-- States: 1 retrying, 2 accepted, 3 failed, 4 expired, 5 suppressed, 6 cancelled, 7 unknown; all but 1 are final.
-- No index or predicate names a column that is updated, so the few updates (retries) stay in the page.
CREATE TABLE dispatcher.delivery (
    notification_id bigint      NOT NULL,
    installation_id bigint      NOT NULL,
    accepted_at     timestamptz,
    finished_at     timestamptz,
    state           smallint    NOT NULL CHECK (state BETWEEN 1 AND 7),
    platform        smallint    NOT NULL,
    attempts        smallint    NOT NULL,
    is_ambiguous    boolean     NOT NULL DEFAULT false,
    reason          text,
    PRIMARY KEY (notification_id, installation_id),
    CHECK ((state = 1) = (finished_at IS NULL)),
    CHECK ((state = 2) = (accepted_at IS NOT NULL))
) PARTITION BY RANGE (notification_id);

-- Counts per notification as a ledger: rows are only added, so a million deliveries never update one hot row.
CREATE TABLE dispatcher.progress (
    notification_id bigint      NOT NULL,
    recorded_at     timestamptz NOT NULL,
    delta           integer     NOT NULL,
    state           smallint    NOT NULL
) PARTITION BY RANGE (notification_id);

CREATE INDEX progress_notification ON dispatcher.progress (notification_id);

-- Outcomes per minute for dashboards; several rows of one minute add up.
CREATE TABLE dispatcher.outcome_count (
    minute   timestamptz NOT NULL,
    hub_id   integer     NOT NULL,
    count    integer     NOT NULL,
    platform smallint    NOT NULL,
    state    smallint    NOT NULL,
    reason   text
) PARTITION BY RANGE (minute);

CREATE INDEX outcome_count_minute ON dispatcher.outcome_count USING brin (minute);

-- Deliveries that wait for their next attempt. A row leaves when a batch takes it.
CREATE TABLE dispatcher.retry (
    notification_id bigint      NOT NULL,
    installation_id bigint      NOT NULL,
    due_at          timestamptz NOT NULL,
    attempt         smallint    NOT NULL,                              -- the number of the attempt to come
    lane            smallint    NOT NULL,
    PRIMARY KEY (notification_id, installation_id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

CREATE INDEX retry_due ON dispatcher.retry (due_at);

-- Whether a partition of the coming week is missing or one is older than `retention_days`.
CREATE FUNCTION dispatcher.partitions_need_work(today date, retention_days integer) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT EXISTS (
        SELECT FROM generate_series(-1, 7) AS n, unnest(ARRAY['delivery', 'progress', 'outcome_count']) AS parent
        WHERE to_regclass(format('dispatcher.%I', parent || '_' || to_char(today + n, 'YYYYMMDD'))) IS NULL
    ) OR EXISTS (
        SELECT FROM pg_class c
        WHERE c.relnamespace = 'dispatcher'::regnamespace AND c.relkind = 'r'
          AND c.relname ~ '^(delivery|progress|outcome_count)_[0-9]{8}$'
          AND to_date(right(c.relname, 8), 'YYYYMMDD') < today - retention_days
    )
$$;

-- Makes the partitions of the coming week and drops those older than `retention_days`; safe to call at any time.
CREATE FUNCTION dispatcher.maintain_partitions(retention_days integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    today date := (clock_timestamp() AT TIME ZONE 'UTC')::date;
    day   date;
    old   record;
BEGIN
    -- One caller at a time: workers start together.
    PERFORM pg_advisory_xact_lock(hashtext('dispatcher.maintain_partitions'));
    -- In the order in which a record writes them; any other order could wait for a record that waits for this.
    IF dispatcher.partitions_need_work(today, retention_days) THEN
        LOCK TABLE dispatcher.progress, dispatcher.outcome_count, dispatcher.delivery IN ACCESS EXCLUSIVE MODE;
    ELSE
        RETURN;
    END IF;
    FOR day IN SELECT today + n FROM generate_series(-1, 7) AS n LOOP
        PERFORM dispatcher.create_day_partition('delivery', day,
            dispatcher.first_notification_id(day)::text, dispatcher.first_notification_id(day + 1)::text);
        PERFORM dispatcher.create_day_partition('progress', day,
            dispatcher.first_notification_id(day)::text, dispatcher.first_notification_id(day + 1)::text);
        PERFORM dispatcher.create_day_partition('outcome_count', day,
            quote_literal(day::text || ' 00:00:00+00'), quote_literal((day + 1)::text || ' 00:00:00+00'));
    END LOOP;
    FOR old IN
        SELECT c.relname
        FROM pg_class c
        JOIN pg_inherits i ON i.inhrelid = c.oid
        JOIN pg_class p ON p.oid = i.inhparent
        WHERE p.relnamespace = 'dispatcher'::regnamespace
          AND p.relname IN ('delivery', 'progress', 'outcome_count')
          AND c.relname ~ '_[0-9]{8}$'
          AND to_date(right(c.relname, 8), 'YYYYMMDD') < today - retention_days
    LOOP
        EXECUTE format('DROP TABLE dispatcher.%I', old.relname);
    END LOOP;
END
$$;

CREATE FUNCTION dispatcher.create_day_partition(parent text, day date, lower text, upper text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    name text := parent || '_' || to_char(day, 'YYYYMMDD');
BEGIN
    IF to_regclass(format('dispatcher.%I', name)) IS NULL THEN
        EXECUTE format('CREATE TABLE dispatcher.%I PARTITION OF dispatcher.%I FOR VALUES FROM (%s) TO (%s)',
                       name, parent, lower, upper);
    END IF;
END
$$;

-- Rows that no day takes are kept, not refused; doctor reports any that are here.
CREATE TABLE dispatcher.delivery_default PARTITION OF dispatcher.delivery DEFAULT;
CREATE TABLE dispatcher.progress_default PARTITION OF dispatcher.progress DEFAULT;
CREATE TABLE dispatcher.outcome_count_default PARTITION OF dispatcher.outcome_count DEFAULT;

SELECT dispatcher.maintain_partitions(36500);
