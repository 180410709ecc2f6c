-- What the hub has yet to tell the broker, written with what caused it; and who a device is, with its user.

SET LOCAL ROLE dispatcher_owner;

-- A row is an event for other services, named by what it tells of, or a job of the hub's own. It leaves when the broker
-- has confirmed it, so each is published at least once.
CREATE TABLE dispatcher.outbox (
    id              bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    notification_id bigint      NOT NULL,                              -- what the event tells of, or what the job follows from
    installation_id bigint,
    job_id          uuid,
    hub_id          integer     NOT NULL,
    event           smallint,                                          -- the kind of event; null for a job
    lane            smallint    CHECK (lane BETWEEN 0 AND 2),          -- of a job
    receipt_id      text,                                              -- of an event that a receipt caused
    body            bytea,                                             -- of a job
    CHECK (CASE WHEN event IS NULL THEN num_nulls(job_id, lane, body) = 0 ELSE num_nonnulls(job_id, lane, body) = 0 END)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

GRANT SELECT, INSERT, DELETE ON dispatcher.outbox TO dispatcher_worker;

-- The device whose secret has this hash; the first use of a new secret ends the previous one.
DROP FUNCTION dispatcher.find_device(bytea);
CREATE FUNCTION dispatcher.find_device(hash bytea)
RETURNS TABLE (hub_id integer, hub text, installation_id text, installation bigint, user_id text)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    UPDATE dispatcher.device_secret SET previous_hash = NULL WHERE secret_hash = hash AND previous_hash IS NOT NULL;
    SELECT s.hub_id, h.name, i.installation_id, i.id, i.user_id
    FROM dispatcher.device_secret s
    JOIN dispatcher.installation i ON i.id = s.installation
    JOIN dispatcher.hub h ON h.id = s.hub_id
    WHERE s.secret_hash = hash OR s.previous_hash = hash
$$;

REVOKE EXECUTE ON FUNCTION dispatcher.find_device(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION dispatcher.find_device(bytea) TO dispatcher_api;
