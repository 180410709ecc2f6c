-- What is to be sent, and the work in flight.

SET LOCAL ROLE dispatcher_owner;

-- The low 36 bits of a notification's id; the high bits are its UTC day (see notification_day). One value reserves a
-- run of 1,024, so that a wave asks once.
CREATE SEQUENCE dispatcher.notification_number MINVALUE 0 MAXVALUE 67108863 CYCLE;

CREATE FUNCTION dispatcher.first_notification_id(day date) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ((day - DATE '1970-01-01')::bigint << 36);

CREATE FUNCTION dispatcher.notification_day(notification_id bigint) RETURNS date
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN DATE '1970-01-01' + (notification_id >> 36)::integer;

-- The first of `count` (at most 1,024) ids in a row, all of the day on which the calling transaction began.
CREATE FUNCTION dispatcher.reserve_notification_ids(count integer) RETURNS bigint
LANGUAGE sql VOLATILE
AS $$
    SELECT dispatcher.first_notification_id((now() AT TIME ZONE 'UTC')::date)
         | (nextval('dispatcher.notification_number') << 10)
    WHERE count BETWEEN 1 AND 1024
$$;

-- One send job, accepted once: the same job id twice is one row.
CREATE TABLE dispatcher.notification (
    id           bigint      PRIMARY KEY,
    created_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    expires_at   timestamptz NOT NULL,
    cancelled_at timestamptz,
    job_id       uuid        NOT NULL,
    hub_id       integer     NOT NULL,                                 -- no foreign key: checked once, not per row
    audience     integer     NOT NULL DEFAULT 0 CHECK (audience >= 0), -- grows while a large audience is planned
    lane         smallint    NOT NULL CHECK (lane BETWEEN 0 AND 2),    -- 0 high, 1 normal, 2 bulk
    at_most_once boolean     NOT NULL DEFAULT false,
    target       text        NOT NULL,                                 -- for people; the job itself is in body
    body         bytea       NOT NULL,
    UNIQUE (job_id, hub_id)
);

-- A worker process that is alive until lease_until. Its batches are rescued after that.
CREATE TABLE dispatcher.worker (
    id           bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    started_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    heartbeat_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    lease_until  timestamptz NOT NULL,
    jobs         bigint      NOT NULL DEFAULT 0,
    deliveries   bigint      NOT NULL DEFAULT 0,
    process      integer     NOT NULL,
    state        text        NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'draining')),
    host         text        NOT NULL,
    version      text        NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200);

-- An audience that is still being cut into batches, or that waits for its time. Gone when all of it is.
CREATE TABLE dispatcher.plan (
    notification_id bigint      PRIMARY KEY,
    due_at          timestamptz NOT NULL DEFAULT clock_timestamp(),
    cursor          bigint      NOT NULL DEFAULT 0,                    -- the last installation already in a batch
    worker_id       bigint,                                            -- who is planning; null: nobody
    epoch           integer     NOT NULL DEFAULT 0
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200);

CREATE INDEX plan_due ON dispatcher.plan (due_at);

-- Work that is not finished: up to 1,000 deliveries that one worker sends and records together.
-- `worker_id` is the intent: it is committed before the first gateway call and fences the results by `epoch`.
CREATE TABLE dispatcher.batch (
    id               bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    created_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    published_at     timestamptz,                                      -- confirmed by the broker; null: not yet
    worker_id        bigint,
    epoch            integer     NOT NULL DEFAULT 0,
    lane             smallint    NOT NULL CHECK (lane BETWEEN 0 AND 2),
    is_ambiguous     boolean     NOT NULL DEFAULT false,               -- its last owner died between intent and record
    notification_ids bigint[]    NOT NULL,
    audience_sizes   integer[]   NOT NULL,                             -- how many of installation_ids each one has
    installation_ids bigint[]    NOT NULL,
    attempts         smallint[],                                       -- null: first attempts, no delivery row yet
    CHECK (cardinality(notification_ids) = cardinality(audience_sizes)),
    CHECK (cardinality(installation_ids) BETWEEN 1 AND 1000),
    CHECK (attempts IS NULL OR cardinality(attempts) = cardinality(installation_ids))
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

-- The arrays are random numbers: trying to compress them costs and gains nothing.
ALTER TABLE dispatcher.batch ALTER COLUMN notification_ids SET STORAGE EXTERNAL;
ALTER TABLE dispatcher.batch ALTER COLUMN installation_ids SET STORAGE EXTERNAL;
CREATE INDEX batch_worker ON dispatcher.batch (worker_id);

-- Fails with SQLSTATE DP001 unless the caller still owns the batch: a late writer loses here.
CREATE FUNCTION dispatcher.finish_batch(batch_id bigint, owner_id bigint, owner_epoch integer) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM dispatcher.batch WHERE id = batch_id AND worker_id = owner_id AND epoch = owner_epoch;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'batch is no longer owned' USING ERRCODE = 'DP001';
    END IF;
END
$$;

-- Keeps only the deliveries that still wait for their gateway's answer; fenced like finish_batch. The epoch rises, so
-- that the same record written again is late too.
CREATE FUNCTION dispatcher.shrink_batch(
    batch_id bigint, owner_id bigint, owner_epoch integer,
    notifications bigint[], sizes integer[], installations bigint[], attempt_numbers smallint[]
) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE dispatcher.batch
    SET epoch = epoch + 1, notification_ids = notifications, audience_sizes = sizes,
        installation_ids = installations, attempts = attempt_numbers
    WHERE id = batch_id AND worker_id = owner_id AND epoch = owner_epoch;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'batch is no longer owned' USING ERRCODE = 'DP001';
    END IF;
END
$$;
