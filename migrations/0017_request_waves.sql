-- What many requests ask at once, as one question.

SET LOCAL ROLE dispatcher_owner;

-- The devices whose secrets have these hashes, by their place among them; the first use of a new secret ends the previous
-- one. Each hash is a probe of an index, however the planner thinks of the table.
CREATE FUNCTION dispatcher.find_devices(hashes bytea[])
RETURNS TABLE (place bigint, hub_id integer, hub text, installation_id text, installation bigint, user_id text)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $$
    -- Locked in the order of their keys, so that two of these cannot lock each other out.
    WITH renewed AS (
        SELECT s.installation
        FROM dispatcher.device_secret s
        WHERE s.installation = ANY (ARRAY(
            SELECT found.installation
            FROM unnest(hashes) AS k(hash)
            CROSS JOIN LATERAL (
                SELECT s.installation
                FROM dispatcher.device_secret s
                WHERE s.secret_hash = k.hash AND s.previous_hash IS NOT NULL
                LIMIT 1
            ) found))
        ORDER BY s.installation
        FOR UPDATE
    )
    UPDATE dispatcher.device_secret s SET previous_hash = NULL FROM renewed r WHERE s.installation = r.installation;
    SELECT k.place, s.hub_id, h.name, i.installation_id, i.id, i.user_id
    FROM unnest(hashes) WITH ORDINALITY AS k(hash, place)
    CROSS JOIN LATERAL (
        SELECT s.installation, s.hub_id FROM dispatcher.device_secret s WHERE s.secret_hash = k.hash
        UNION ALL
        SELECT s.installation, s.hub_id FROM dispatcher.device_secret s WHERE s.previous_hash = k.hash
        LIMIT 1
    ) s
    JOIN dispatcher.installation i ON i.id = s.installation
    JOIN dispatcher.hub h ON h.id = s.hub_id
$$;

-- The keys with these names.
CREATE FUNCTION dispatcher.find_access_keys(names text[])
RETURNS TABLE (name text, hub_id integer, hub text, rights smallint, primary_secret text, secondary_secret text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT k.name, k.hub_id, h.name, k.rights, k.primary_secret, k.secondary_secret
    FROM dispatcher.access_key k
    JOIN dispatcher.hub h ON h.id = k.hub_id
    WHERE k.name = ANY (names)
$$;

DROP FUNCTION dispatcher.find_device(bytea);
DROP FUNCTION dispatcher.find_access_key(text);

-- Locks what a wave of registrations may change in the hub: the rows of its ids, and whoever has its channels now. All
-- of them at once and in the order of their keys, so that two waves cannot lock each other out.
CREATE FUNCTION dispatcher.lock_registrations(ids text[], platforms smallint[], channels text[])
RETURNS SETOF dispatcher.installation
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $$
    SELECT i.*
    FROM dispatcher.installation i
    WHERE NOT i.is_direct AND i.id = ANY (ARRAY(
        SELECT named.id
        FROM unnest(ids) AS k(installation_id)
        CROSS JOIN LATERAL (
            SELECT n.id
            FROM dispatcher.installation n
            WHERE n.hub_id = dispatcher.current_hub() AND n.installation_id = k.installation_id
            LIMIT 1
        ) named
        UNION ALL
        SELECT holder.id
        FROM unnest(platforms, channels) AS k(platform, channel)
        CROSS JOIN LATERAL (
            SELECT h.id
            FROM dispatcher.installation h
            WHERE h.hub_id = dispatcher.current_hub() AND h.platform = k.platform
              AND hashtextextended(h.push_channel, 0) = hashtextextended(k.channel, 0)
              AND h.retired_at IS NULL AND NOT h.is_direct
            LIMIT 1
        ) holder))
    ORDER BY i.id
    FOR UPDATE
$$;

REVOKE EXECUTE ON FUNCTION dispatcher.find_devices(bytea[]) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION dispatcher.find_access_keys(text[]) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION dispatcher.lock_registrations(text[], smallint[], text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION dispatcher.find_devices(bytea[]), dispatcher.find_access_keys(text[]),
    dispatcher.lock_registrations(text[], smallint[], text[]) TO dispatcher_api;
