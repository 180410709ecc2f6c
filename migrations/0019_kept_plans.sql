-- Plans that are kept.

SET LOCAL ROLE dispatcher_owner;

-- A function in SQL is planned at every call, and one in PL/pgSQL as long as the planner takes what it does not know of the
-- arrays for cheap. For waves of some dozens that is half of the work. All of these are probes by key, so one plan is
-- right for every wave.
CREATE OR REPLACE FUNCTION dispatcher.find_devices(hashes bytea[])
RETURNS TABLE (place bigint, hub_id integer, hub text, installation_id text, installation bigint, user_id text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET jit = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
    renewed bigint[];
BEGIN
    SELECT array_agg(found.installation) INTO renewed
    FROM unnest(hashes) AS k(hash)
    CROSS JOIN LATERAL (
        SELECT s.installation
        FROM dispatcher.device_secret s
        WHERE s.secret_hash = k.hash AND s.previous_hash IS NOT NULL
        LIMIT 1
    ) found;
    IF renewed IS NOT NULL THEN
        -- Locked in the order of their keys, so that two of these cannot lock each other out.
        PERFORM FROM dispatcher.device_secret s WHERE s.installation = ANY (renewed) ORDER BY s.installation FOR UPDATE;
        UPDATE dispatcher.device_secret s SET previous_hash = NULL WHERE s.installation = ANY (renewed);
    END IF;
    RETURN QUERY
    SELECT k.place, s.hub_id, h.name, i.installation_id, i.id, i.user_id
    FROM unnest(hashes) WITH ORDINALITY AS k(hash, place)
    CROSS JOIN LATERAL (
        SELECT s.installation, s.hub_id FROM dispatcher.device_secret s WHERE s.secret_hash = k.hash
        UNION ALL
        SELECT s.installation, s.hub_id FROM dispatcher.device_secret s WHERE s.previous_hash = k.hash
        LIMIT 1
    ) s
    CROSS JOIN LATERAL (
        SELECT i.installation_id, i.id, i.user_id FROM dispatcher.installation i WHERE i.id = s.installation LIMIT 1
    ) i
    CROSS JOIN LATERAL (SELECT h.name FROM dispatcher.hub h WHERE h.id = s.hub_id LIMIT 1) h;
END
$$;

CREATE OR REPLACE FUNCTION dispatcher.note_seen(installations bigint[]) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
BEGIN
    UPDATE dispatcher.device_secret s SET last_seen_at = now()
    FROM (
        SELECT d.installation FROM dispatcher.device_secret d
        WHERE d.installation = ANY (installations)
          AND (d.last_seen_at IS NULL OR d.last_seen_at < now() - interval '1 day')
        ORDER BY d.installation FOR UPDATE
    ) seen
    WHERE s.installation = seen.installation;
END
$$;

-- Contents as before; what many ask for at once, as after a broadcast, is looked up once for all of them.
CREATE OR REPLACE FUNCTION dispatcher.find_contents(jobs uuid[], numbers bigint[], devices bigint[])
RETURNS TABLE (ordinal bigint, id bigint, notification_id bigint, job_id uuid, length integer, checksum bytea,
               media_type text, file_name text, url text)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET jit = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
    hub CONSTANT integer := dispatcher.current_hub();
BEGIN
    RETURN QUERY
    WITH asked AS MATERIALIZED (
        SELECT * FROM unnest(jobs, numbers, devices) WITH ORDINALITY AS r(job, number, device, ordinal)
    ),
    found AS MATERIALIZED (
        SELECT r.job, r.number, n.id AS notification, c.*
        FROM (SELECT DISTINCT job, number FROM asked) r
        LEFT JOIN LATERAL (
            SELECT m.id, m.job_id, m.body FROM dispatcher.notification m WHERE m.job_id = r.job AND m.hub_id = hub
            UNION ALL
            SELECT m.id, m.job_id, m.body FROM dispatcher.notification m WHERE m.id = r.number AND m.hub_id = hub
            LIMIT 1
        ) n ON true
        CROSS JOIN LATERAL (
            SELECT k.id, k.job_id, k.length, k.checksum, k.media_type, k.file_name, k.url FROM dispatcher.content k
            WHERE k.job_id = coalesce(n.job_id, r.job) AND k.hub_id = hub
              AND (k.job_hash IS NULL OR n.id IS NULL OR k.job_hash = sha256(n.body))
            LIMIT 1
        ) c
    )
    SELECT r.ordinal, f.id, f.notification, f.job_id, f.length, f.checksum, f.media_type, f.file_name, f.url
    FROM asked r
    -- A reference is one of the two.
    JOIN found f ON coalesce(f.job::text, f.number::text) = coalesce(r.job::text, r.number::text)
    -- What is_recipient looks at first, and finds for nearly everybody, without a call for each.
    LEFT JOIN LATERAL (
        SELECT coalesce(d.accepted_at, d.finished_at, 'infinity') AS at
        FROM dispatcher.delivery d WHERE d.notification_id = f.notification AND d.installation_id = r.device LIMIT 1
    ) sent ON true
    LEFT JOIN LATERAL (
        SELECT i.user_since FROM dispatcher.installation i WHERE i.id = r.device LIMIT 1
    ) owner ON true
    WHERE r.device IS NULL
       OR sent.at >= coalesce(owner.user_since, '-infinity')
       OR (f.notification IS NOT NULL AND dispatcher.is_recipient(f.notification, r.device));
END
$$;

ALTER FUNCTION dispatcher.is_recipient(bigint, bigint) SET plan_cache_mode = force_generic_plan;

-- What these call keeps its plans as well.
ALTER FUNCTION dispatcher.take_receipts(
    integer[], uuid[], bigint[], text[], text[], smallint[], timestamptz[], text[], text[], smallint[], integer
) SET plan_cache_mode = force_generic_plan;
ALTER FUNCTION dispatcher.read_notifications(uuid[], bigint[], text[], text[], integer)
    SET plan_cache_mode = force_generic_plan;
