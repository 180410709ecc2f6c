-- Who may do what over HTTP: keys of services, secrets of devices, and the wall between hubs.

SET LOCAL ROLE dispatcher_owner;

-- A service's key. Signatures are made with the secret itself, so it is kept as it is; only the owner's functions read it.
-- Either secret is good: a rotation makes the primary one the secondary.
CREATE TABLE dispatcher.access_key (
    id               integer     GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    created_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    rotated_at       timestamptz,
    hub_id           integer     NOT NULL REFERENCES dispatcher.hub,
    rights           smallint    NOT NULL CHECK (rights BETWEEN 1 AND 7), -- 1 listen, 2 send, 4 manage
    name             text        NOT NULL UNIQUE CHECK (name ~ '^[A-Za-z0-9._-]{1,64}$'),
    primary_secret   text        NOT NULL CHECK (octet_length(primary_secret) BETWEEN 32 AND 256),
    secondary_secret text        NOT NULL CHECK (octet_length(secondary_secret) BETWEEN 32 AND 256)
);

-- A device's own secret, as its SHA-256: it has 256 bits of chance, so nothing slower is needed. After a rotation the
-- previous one is good until the new one is used, so that an answer that was lost locks nobody out.
CREATE TABLE dispatcher.device_secret (
    installation  bigint      PRIMARY KEY REFERENCES dispatcher.installation ON DELETE CASCADE,
    issued_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    hub_id        integer     NOT NULL,
    secret_hash   bytea       NOT NULL UNIQUE CHECK (octet_length(secret_hash) = 32),
    previous_hash bytea       UNIQUE CHECK (octet_length(previous_hash) = 32)
);

-- The hub that the transaction works for; null, and so no row at all, when nobody has said.
CREATE FUNCTION dispatcher.current_hub() RETURNS integer
LANGUAGE sql STABLE PARALLEL SAFE
RETURN nullif(current_setting('dispatcher.hub_id', true), '')::integer;

-- The API sees one hub. Owner and worker see all of them, by a policy that the planner removes. Tables that the worker
-- fills by COPY cannot have policies ("COPY FROM not supported with row-level security"), so the API has no right on
-- these at all: it gets what it needs by the view and the functions below.
ALTER TABLE dispatcher.installation ENABLE ROW LEVEL SECURITY;
ALTER TABLE dispatcher.installation FORCE ROW LEVEL SECURITY;
CREATE POLICY every_hub ON dispatcher.installation TO dispatcher_owner, dispatcher_worker USING (true) WITH CHECK (true);
CREATE POLICY one_hub ON dispatcher.installation TO dispatcher_api
    USING (hub_id = dispatcher.current_hub() AND NOT is_direct)
    WITH CHECK (hub_id = dispatcher.current_hub() AND NOT is_direct);

ALTER TABLE dispatcher.device_secret ENABLE ROW LEVEL SECURITY;
ALTER TABLE dispatcher.device_secret FORCE ROW LEVEL SECURITY;
CREATE POLICY every_hub ON dispatcher.device_secret TO dispatcher_owner USING (true) WITH CHECK (true);
CREATE POLICY one_hub ON dispatcher.device_secret TO dispatcher_api
    USING (hub_id = dispatcher.current_hub()) WITH CHECK (hub_id = dispatcher.current_hub());

ALTER TABLE dispatcher.access_key ENABLE ROW LEVEL SECURITY;
ALTER TABLE dispatcher.access_key FORCE ROW LEVEL SECURITY;
CREATE POLICY every_hub ON dispatcher.access_key TO dispatcher_owner USING (true) WITH CHECK (true);

-- The notifications of the transaction's hub.
CREATE VIEW dispatcher.hub_notification WITH (security_barrier) AS
SELECT n.id, n.hub, n.state, n.target, n.audience, n.accepted, n.failed, n.retrying, n.expired, n.suppressed, n.cancelled,
       n.unknown, n.created_at, n.finished_at, n.number
FROM dashboard.notifications n
WHERE n.hub = (SELECT h.name FROM dispatcher.hub h WHERE h.id = dispatcher.current_hub());

-- A caller is not known to be of any hub before its key is.
CREATE FUNCTION dispatcher.find_access_key(key_name text)
RETURNS TABLE (hub_id integer, hub text, rights smallint, primary_secret text, secondary_secret text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT k.hub_id, h.name, k.rights, k.primary_secret, k.secondary_secret
    FROM dispatcher.access_key k
    JOIN dispatcher.hub h ON h.id = k.hub_id
    WHERE k.name = key_name
$$;

-- The device whose secret has this hash; the first use of a new secret ends the previous one.
CREATE FUNCTION dispatcher.find_device(hash bytea)
RETURNS TABLE (hub_id integer, hub text, installation_id text)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    UPDATE dispatcher.device_secret SET previous_hash = NULL WHERE secret_hash = hash AND previous_hash IS NOT NULL;
    SELECT s.hub_id, h.name, i.installation_id
    FROM dispatcher.device_secret s
    JOIN dispatcher.installation i ON i.id = s.installation
    JOIN dispatcher.hub h ON h.id = s.hub_id
    WHERE s.secret_hash = hash OR s.previous_hash = hash
$$;

-- Retires whoever else in the hub has the channel. By the owner, because a condition that is not leakproof, as one with
-- a hash is, could not use its index beside a policy.
CREATE FUNCTION dispatcher.take_channel(of_platform smallint, channel text, keeper text) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    UPDATE dispatcher.installation
    SET retired_at = clock_timestamp(), updated_at = clock_timestamp(), retire_reason = 'ChannelTaken'
    WHERE hub_id = dispatcher.current_hub() AND platform = of_platform
      AND hashtextextended(push_channel, 0) = hashtextextended(channel, 0)
      AND retired_at IS NULL AND NOT is_direct AND installation_id <> keeper
$$;

-- Cancels a notification of the hub; answers 'cancelled' (also when it was before), 'finished', or null when there is none.
CREATE FUNCTION dispatcher.cancel_notification(job uuid) RETURNS text
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    found_state text;
    found_end   timestamptz;
    found_id    bigint;
BEGIN
    SELECT n.state, n.finished_at, n.number INTO found_state, found_end, found_id
    FROM dispatcher.hub_notification n WHERE n.id = job;
    IF NOT FOUND THEN
        RETURN NULL;
    ELSIF found_state = 'cancelled' THEN
        RETURN 'cancelled';
    ELSIF found_end IS NOT NULL THEN
        RETURN 'finished';
    END IF;
    UPDATE dispatcher.notification SET cancelled_at = clock_timestamp() WHERE id = found_id AND cancelled_at IS NULL;
    RETURN 'cancelled';
END
$$;

REVOKE EXECUTE ON FUNCTION dispatcher.find_access_key(text) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION dispatcher.find_device(bytea) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION dispatcher.take_channel(smallint, text, text) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION dispatcher.cancel_notification(uuid) FROM PUBLIC;

-- The API's rights anew: what it does not need it does not have.
REVOKE ALL ON ALL TABLES IN SCHEMA dashboard FROM dispatcher_api;
REVOKE ALL ON SCHEMA dashboard FROM dispatcher_api;
REVOKE ALL ON ALL TABLES IN SCHEMA dispatcher FROM dispatcher_api;
REVOKE ALL ON ALL SEQUENCES IN SCHEMA dispatcher FROM dispatcher_api;
GRANT SELECT ON dispatcher.migration TO dispatcher_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON dispatcher.installation TO dispatcher_api;
GRANT SELECT, INSERT, UPDATE ON dispatcher.device_secret TO dispatcher_api;
GRANT SELECT ON dispatcher.hub_notification TO dispatcher_api;
GRANT EXECUTE ON FUNCTION dispatcher.find_access_key(text), dispatcher.find_device(bytea),
    dispatcher.take_channel(smallint, text, text), dispatcher.cancel_notification(uuid) TO dispatcher_api;
