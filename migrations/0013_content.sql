-- Rich content: what apps fetch by a notification's id, and the secrets that its signed addresses are made with.

SET LOCAL ROLE dispatcher_owner;

-- One content a job, which never changes: it comes with the job, or is uploaded before the job is published. Its octets
-- are in chunks, so that neither writing nor reading one takes much memory; a url has none.
CREATE TABLE dispatcher.content (
    id           bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    created_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    published_at timestamptz,                                          -- null: uploaded, and nobody knows of its job yet
    job_id       uuid        NOT NULL,
    hub_id       integer     NOT NULL,                                 -- no foreign key: checked once, not per row
    length       integer     NOT NULL CHECK (length BETWEEN 0 AND 10485760),
    checksum     bytea       NOT NULL CHECK (octet_length(checksum) = 32), -- SHA-256
    media_type   text        NOT NULL CHECK (octet_length(media_type) <= 256),
    file_name    text        CHECK (octet_length(file_name) <= 255),
    job_hash     bytea       CHECK (octet_length(job_hash) = 32),      -- SHA-256 of the job it was uploaded for; null: came with it
    url          text        CHECK (octet_length(url) <= 2048),        -- where those are sent who fetch it
    UNIQUE (job_id, hub_id)
);

CREATE TABLE dispatcher.content_chunk (
    content_id bigint  NOT NULL REFERENCES dispatcher.content ON DELETE CASCADE,
    hub_id     integer NOT NULL,
    position   integer NOT NULL,                                       -- counted from 0
    bytes      bytea   NOT NULL CHECK (octet_length(bytes) BETWEEN 1 AND 262144),
    PRIMARY KEY (content_id, position)
);

-- Pictures and films are compressed already.
ALTER TABLE dispatcher.content_chunk ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE INDEX content_created ON dispatcher.content (created_at);
CREATE INDEX content_unpublished ON dispatcher.content (created_at) WHERE published_at IS NULL;

-- Signatures are made with the primary one; either is good.
CREATE TABLE dispatcher.link_secret (
    hub_id           integer     PRIMARY KEY REFERENCES dispatcher.hub,
    created_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    rotated_at       timestamptz,
    primary_secret   bytea       NOT NULL CHECK (octet_length(primary_secret) = 32),
    secondary_secret bytea       NOT NULL CHECK (octet_length(secondary_secret) = 32)
);

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['content', 'content_chunk', 'link_secret'] LOOP
        EXECUTE format('ALTER TABLE dispatcher.%I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE dispatcher.%I FORCE ROW LEVEL SECURITY', name);
    END LOOP;
END
$$;

CREATE POLICY every_hub ON dispatcher.content TO dispatcher_owner, dispatcher_worker USING (true) WITH CHECK (true);
CREATE POLICY one_hub ON dispatcher.content TO dispatcher_api
    USING (hub_id = dispatcher.current_hub()) WITH CHECK (hub_id = dispatcher.current_hub());
CREATE POLICY every_hub ON dispatcher.content_chunk TO dispatcher_owner, dispatcher_worker USING (true) WITH CHECK (true);
CREATE POLICY one_hub ON dispatcher.content_chunk TO dispatcher_api
    USING (hub_id = dispatcher.current_hub()) WITH CHECK (hub_id = dispatcher.current_hub());
CREATE POLICY every_hub ON dispatcher.link_secret TO dispatcher_owner USING (true) WITH CHECK (true);

-- 244 bits of chance from the server's strong source.
CREATE FUNCTION dispatcher.new_link_secret() RETURNS bytea
LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
    SELECT sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
$$;

-- The secrets of a hub, made when it is first asked; no row for a hub that does not exist.
CREATE FUNCTION dispatcher.find_link_secrets(hub_name text)
RETURNS TABLE (hub_id integer, primary_secret bytea, secondary_secret bytea)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    wanted integer := (SELECT h.id FROM dispatcher.hub h WHERE h.name = hub_name);
BEGIN
    IF wanted IS NULL THEN
        RETURN;
    END IF;
    IF NOT EXISTS (SELECT FROM dispatcher.link_secret s WHERE s.hub_id = wanted) THEN
        INSERT INTO dispatcher.link_secret (hub_id, primary_secret, secondary_secret)
        VALUES (wanted, dispatcher.new_link_secret(), dispatcher.new_link_secret())
        ON CONFLICT DO NOTHING;
    END IF;
    RETURN QUERY SELECT s.hub_id, s.primary_secret, s.secondary_secret FROM dispatcher.link_secret s WHERE s.hub_id = wanted;
END
$$;

-- Makes the primary secret the secondary one; false for a hub that does not exist.
CREATE FUNCTION dispatcher.rotate_link_secret(hub_name text) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    wanted integer := (SELECT s.hub_id FROM dispatcher.find_link_secrets(hub_name) s);
BEGIN
    UPDATE dispatcher.link_secret s
    SET secondary_secret = s.primary_secret, primary_secret = dispatcher.new_link_secret(), rotated_at = clock_timestamp()
    WHERE s.hub_id = wanted;
    RETURN wanted IS NOT NULL;
END
$$;

-- Since when somebody else than before uses the device, or nobody; null: the first user still does.
ALTER TABLE dispatcher.installation ADD COLUMN user_since timestamptz;

CREATE FUNCTION dispatcher.stamp_user() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    NEW.user_since := clock_timestamp();
    RETURN NEW;
END
$$;

CREATE TRIGGER user_changed BEFORE UPDATE OF user_id ON dispatcher.installation
FOR EACH ROW WHEN (OLD.user_id IS NOT NULL AND NEW.user_id IS DISTINCT FROM OLD.user_id)
EXECUTE FUNCTION dispatcher.stamp_user();

-- Whether the notification was for one of these installations, and its end there not before its user had it. Planned
-- once: to plan a probe of as many partitions as there are days takes ten times as long as the probe.
CREATE FUNCTION dispatcher.was_sent(notification bigint, devices bigint[]) RETURNS boolean
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET jit = off AS $$
BEGIN
    RETURN EXISTS (
        SELECT FROM unnest(devices) AS u(id)
        CROSS JOIN LATERAL (
            SELECT coalesce(d.accepted_at, d.finished_at, 'infinity') AS at
            FROM dispatcher.delivery d WHERE d.notification_id = notification AND d.installation_id = u.id LIMIT 1
        ) found
        WHERE NOT EXISTS (SELECT FROM dispatcher.installation i WHERE i.id = u.id AND i.user_since > found.at)
    );
END
$$;

-- Whether the notification was for this installation or for another one of its user: recorded, in a batch that has begun,
-- or in the user's inbox.
CREATE FUNCTION dispatcher.is_recipient(notification bigint, device bigint) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    owner   text;
    hub     integer;
    devices bigint[];
BEGIN
    IF dispatcher.was_sent(notification, ARRAY[device]) THEN
        RETURN true;
    END IF;
    SELECT i.user_id, i.hub_id INTO owner, hub FROM dispatcher.installation i WHERE i.id = device;
    devices := ARRAY(SELECT i.id FROM dispatcher.installation i WHERE i.hub_id = hub AND i.user_id = owner) || device;
    IF dispatcher.was_sent(notification, devices) THEN
        RETURN true;
    END IF;
    IF EXISTS (
        SELECT FROM dispatcher.batch b
        CROSS JOIN LATERAL (
            SELECT u.id, u.size, sum(u.size) OVER (ORDER BY u.position) AS upto
            FROM unnest(b.notification_ids, b.audience_sizes) WITH ORDINALITY AS u(id, size, position)
        ) part
        WHERE b.epoch > 0 AND notification = ANY (b.notification_ids) AND part.id = notification
          AND devices && b.installation_ids[part.upto - part.size + 1 : part.upto]
    ) THEN
        RETURN true;
    END IF;
    -- The inbox comes with a later migration; until then nobody has one.
    IF to_regclass('dispatcher.inbox') IS NULL THEN
        RETURN false;
    END IF;
    RETURN EXISTS (
        SELECT FROM dispatcher.inbox x WHERE x.hub_id = hub AND x.user_id = owner AND x.notification_id = notification
    );
END
$$;

-- The contents of the hub that are asked for, each by a job or a number; `device` is null for a service, which may read
-- all of them, also before a worker has taken the job. No row where there is none or it is not for the device. What was
-- uploaded counts only if the notification came of the same job: nobody puts a content to another's notification.
CREATE FUNCTION dispatcher.find_contents(jobs uuid[], numbers bigint[], devices bigint[])
RETURNS TABLE (ordinal bigint, id bigint, notification_id bigint, job_id uuid, length integer, checksum bytea,
               media_type text, file_name text, url text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT r.ordinal, c.id, n.id, c.job_id, c.length, c.checksum, c.media_type, c.file_name, c.url
    FROM unnest(jobs, numbers, devices) WITH ORDINALITY AS r(job, number, device, ordinal)
    LEFT JOIN LATERAL (
        SELECT m.id, m.job_id, m.body FROM dispatcher.notification m
        WHERE m.job_id = r.job AND m.hub_id = dispatcher.current_hub()
        UNION ALL
        SELECT m.id, m.job_id, m.body FROM dispatcher.notification m
        WHERE m.id = r.number AND m.hub_id = dispatcher.current_hub()
        LIMIT 1
    ) n ON true
    JOIN LATERAL (
        SELECT k.id, k.job_id, k.length, k.checksum, k.media_type, k.file_name, k.url FROM dispatcher.content k
        WHERE k.job_id = coalesce(n.job_id, r.job) AND k.hub_id = dispatcher.current_hub()
          AND (k.job_hash IS NULL OR n.id IS NULL OR k.job_hash = sha256(n.body))
        LIMIT 1
    ) c ON true
    WHERE r.device IS NULL OR (n.id IS NOT NULL AND dispatcher.is_recipient(n.id, r.device))
$$;

REVOKE EXECUTE ON FUNCTION dispatcher.new_link_secret() FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION dispatcher.find_link_secrets(text) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION dispatcher.rotate_link_secret(text) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION dispatcher.stamp_user() FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION dispatcher.was_sent(bigint, bigint[]) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION dispatcher.is_recipient(bigint, bigint) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION dispatcher.find_contents(uuid[], bigint[], bigint[]) FROM PUBLIC;

GRANT SELECT, INSERT, UPDATE, DELETE ON dispatcher.content TO dispatcher_worker;
GRANT SELECT, INSERT ON dispatcher.content_chunk TO dispatcher_worker;
GRANT EXECUTE ON FUNCTION dispatcher.find_link_secrets(text) TO dispatcher_worker, dispatcher_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON dispatcher.content TO dispatcher_api;
GRANT SELECT, INSERT ON dispatcher.content_chunk TO dispatcher_api;
GRANT EXECUTE ON FUNCTION dispatcher.find_contents(uuid[], bigint[], bigint[]) TO dispatcher_api;
