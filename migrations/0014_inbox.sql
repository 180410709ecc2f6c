-- What each user was told and has read, and the settings of a hub about it.

SET LOCAL ROLE dispatcher_owner;

ALTER TABLE dispatcher.hub
    ADD COLUMN keeps_inbox boolean NOT NULL DEFAULT false, -- notifications that say nothing of it are kept
    ADD COLUMN syncs_badge boolean NOT NULL DEFAULT false; -- what is read on one device changes the others' badges

-- One row per (notification, user), written with the audience. The first read counts, on whichever device it was.
CREATE TABLE dispatcher.inbox (
    notification_id bigint      NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT now(),    -- when it was planned, which for a scheduled one is its time
    read_at         timestamptz,
    hub_id          integer     NOT NULL,                  -- no foreign key: checked once, not per row
    user_id         text        NOT NULL,
    thread          text,
    PRIMARY KEY (notification_id, user_id)                 -- so retention and cancelling find what is to go, too
);

-- A user's inbox in its order. The thread is in it so that looking for one passes over the others' rows.
CREATE INDEX inbox_user ON dispatcher.inbox (hub_id, user_id, created_at, notification_id, thread);

-- Unread counts come from here alone. A row leaves it once in its life, when it is read.
CREATE INDEX inbox_unread ON dispatcher.inbox (hub_id, user_id, created_at, notification_id, thread)
    WHERE read_at IS NULL;

-- Users whose other devices are to learn that something was read: one row each, however much it was.
CREATE TABLE dispatcher.badge_sync (
    due_at          timestamptz NOT NULL DEFAULT now() + interval '2 seconds',
    notification_id bigint      NOT NULL,                  -- one that was read
    reader          bigint,                                -- the one installation that knows already; null: none alone
    hub_id          integer     NOT NULL,
    user_id         text        NOT NULL,
    PRIMARY KEY (hub_id, user_id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

CREATE INDEX badge_sync_due ON dispatcher.badge_sync (due_at);

-- Notifications that were cancelled and may still stand in inboxes.
CREATE TABLE dispatcher.withdrawal (
    notification_id bigint PRIMARY KEY
);

-- The API has no right on these at all: it gets what it needs by the functions below.
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['inbox', 'badge_sync'] LOOP
        EXECUTE format('ALTER TABLE dispatcher.%I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE dispatcher.%I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY every_hub ON dispatcher.%I TO dispatcher_owner, dispatcher_worker '
            'USING (true) WITH CHECK (true)', name);
    END LOOP;
END
$$;

-- Marks what users have read; answers what was unread until then.
--
-- Rows are locked in key order, so that two waves cannot lock each other out; who waits for a row finds it read. A user
-- is written down for the other devices' badges once, and `installations` says which of them did the reading.
CREATE FUNCTION dispatcher.mark_read(
    hubs integer[], users text[], notifications bigint[], installations bigint[], times timestamptz[]
) RETURNS TABLE (notification_id bigint, user_id text)
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH told AS MATERIALIZED (
        SELECT DISTINCT ON (notification_id, user_id) *
        FROM unnest(hubs, users, notifications, installations, times)
            AS r(hub_id, user_id, notification_id, reader, at)
        WHERE notification_id IS NOT NULL AND user_id IS NOT NULL
        ORDER BY notification_id, user_id, at
    ),
    unread AS MATERIALIZED (
        SELECT t.*
        FROM told t
        CROSS JOIN LATERAL (
            SELECT FROM dispatcher.inbox
            WHERE notification_id = t.notification_id AND user_id = t.user_id AND hub_id = t.hub_id AND read_at IS NULL
            FOR UPDATE
        ) x
    ),
    marked AS (
        UPDATE dispatcher.inbox x SET read_at = u.at
        FROM unread u
        WHERE x.notification_id = u.notification_id AND x.user_id = u.user_id
        RETURNING x.hub_id, x.user_id, x.notification_id, u.reader
    ),
    synced AS (
        INSERT INTO dispatcher.badge_sync AS b (hub_id, user_id, notification_id, reader)
        SELECT m.hub_id, m.user_id, max(m.notification_id),
               CASE WHEN count(DISTINCT coalesce(m.reader, 0)) = 1 THEN max(m.reader) END
        FROM marked m
        JOIN dispatcher.hub h ON h.id = m.hub_id AND h.syncs_badge
        GROUP BY m.hub_id, m.user_id
        ORDER BY m.hub_id, m.user_id
        ON CONFLICT (hub_id, user_id) DO UPDATE
        SET reader = CASE WHEN b.reader = EXCLUDED.reader THEN b.reader END
    )
    SELECT m.notification_id, m.user_id FROM marked m;
END
$$;

-- Receipts as before, and what they say that a user has read is read in the inbox.
ALTER FUNCTION dispatcher.add_receipts(
    integer[], bigint[], timestamptz[], bigint[], text[], text[], smallint[], text[], smallint[], timestamptz[], text[],
    text[], smallint[], integer
) RENAME TO add_receipt_facts;

CREATE FUNCTION dispatcher.add_receipts(
    hubs integer[], notifications bigint[], accepted_times timestamptz[], installations bigint[], devices text[],
    users text[], platforms smallint[], receipt_ids text[], kinds smallint[], device_times timestamptz[],
    action_ids text[], replies text[], responses smallint[], told integer
) RETURNS boolean[]
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    is_new boolean[];
    r      record;
BEGIN
    is_new := dispatcher.add_receipt_facts(hubs, notifications, accepted_times, installations, devices, users,
        platforms, receipt_ids, kinds, device_times, action_ids, replies, responses, told);
    SELECT array_agg(x.hub) AS hubs, array_agg(x.of_user) AS users, array_agg(x.notification) AS notifications,
           array_agg(x.installation) AS installations,
           array_agg(least(greatest(x.device_at, x.accepted_at), now())) AS times
    INTO r
    FROM unnest(hubs, users, notifications, installations, device_times, accepted_times, kinds, is_new)
        AS x(hub, of_user, notification, installation, device_at, accepted_at, kind, is_new)
    WHERE x.is_new AND x.of_user IS NOT NULL AND x.kind IN (3, 5, 6);
    IF r.hubs IS NOT NULL THEN
        PERFORM dispatcher.mark_read(r.hubs, r.users, r.notifications, r.installations, r.times);
    END IF;
    RETURN is_new;
END
$$;

-- How much of the transaction's hub a user has not read.
CREATE FUNCTION dispatcher.unread_count(of_user text) RETURNS bigint
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT count(*) FROM dispatcher.inbox
    WHERE hub_id = dispatcher.current_hub() AND user_id = of_user AND read_at IS NULL
$$;

-- Marks notifications of the transaction's hub, each for a user (of whom a service says it) or for a device and its
-- user, who then also has a receipt. Answers for each, in order: how many were unread (0 or 1; null: there is no such
-- notification for this user or device), and how many the user has left.
CREATE FUNCTION dispatcher.read_notifications(
    jobs uuid[], numbers bigint[], of_users text[], devices text[], told integer
) RETURNS TABLE (was_unread integer, unread bigint)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET jit = off AS $$
#variable_conflict use_column
DECLARE
    size    integer[] := ARRAY[cardinality(devices)];
    hubs    integer[] := array_fill(dispatcher.current_hub(), size);
    wave    record;
    marked  bigint[];
    readers text[];
BEGIN
    -- First of all, as take_receipts does.
    LOCK TABLE ONLY dispatcher.receipt IN ROW EXCLUSIVE MODE;
    SELECT array_agg(t.notification_id ORDER BY t.ordinal) AS notifications,
           array_agg(t.is_addressed ORDER BY t.ordinal) AS addressed,
           array_agg(CASE WHEN t.is_addressed THEN t.notification_id END ORDER BY t.ordinal) AS reported,
           array_agg(t.accepted_at ORDER BY t.ordinal) AS accepted,
           array_agg(t.installation_id ORDER BY t.ordinal) AS installations,
           array_agg(t.platform ORDER BY t.ordinal) AS platforms,
           array_agg(CASE WHEN devices[t.ordinal] IS NULL THEN of_users[t.ordinal] ELSE t.user_id END
                     ORDER BY t.ordinal) AS users
    INTO wave
    FROM dispatcher.find_receipt_targets(hubs, jobs, numbers, devices) t;

    -- Receipts before inboxes, as every receipt goes.
    PERFORM dispatcher.add_receipt_facts(hubs, wave.reported, wave.accepted, wave.installations, devices, wave.users,
        wave.platforms, array_fill('read'::text, size), array_fill(3::smallint, size), array_fill(now(), size),
        array_fill(NULL::text, size), array_fill(NULL::text, size), array_fill(NULL::smallint, size), told)
    WHERE cardinality(array_remove(wave.reported, NULL)) > 0;

    SELECT array_agg(m.notification_id), array_agg(m.user_id) INTO marked, readers
    FROM dispatcher.mark_read(hubs, wave.users, wave.notifications, wave.installations, array_fill(now(), size)) m;

    RETURN QUERY
    WITH item AS (
        SELECT *, ordinal = min(ordinal) OVER (PARTITION BY notification_id, user_id) AS is_first
        FROM unnest(wave.notifications, wave.users, wave.addressed) WITH ORDINALITY
            AS i(notification_id, user_id, is_addressed, ordinal)
    ),
    left_over AS MATERIALIZED (
        SELECT user_id, dispatcher.unread_count(user_id) AS unread
        FROM (SELECT DISTINCT user_id FROM item WHERE user_id IS NOT NULL) u
    )
    SELECT CASE WHEN m.is_marked AND i.is_first THEN 1
                WHEN i.is_addressed OR EXISTS (
                    SELECT FROM dispatcher.inbox x
                    WHERE x.notification_id = i.notification_id AND x.user_id = i.user_id
                      AND x.hub_id = dispatcher.current_hub())
                THEN 0
           END,
           coalesce(l.unread, 0)
    FROM item i
    LEFT JOIN (SELECT DISTINCT true AS is_marked, * FROM unnest(marked, readers) AS m(notification_id, user_id)) m
        USING (notification_id, user_id)
    LEFT JOIN left_over l USING (user_id)
    ORDER BY i.ordinal;
END
$$;

-- Marks up to `row_limit` of what a user has not read, the oldest first: of one thread or of all, as far as the
-- notification named. Answers how many of how many seen were unread, and how many are left; no row when the named one is
-- not in the inbox.
CREATE FUNCTION dispatcher.read_inbox(
    of_user text, of_thread text, job uuid, number bigint, device text, told integer, row_limit integer
) RETURNS TABLE (was_unread integer, unread bigint, seen integer)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET jit = off AS $$
#variable_conflict use_column
DECLARE
    up_to   record;
    entries bigint[];
BEGIN
    LOCK TABLE ONLY dispatcher.receipt IN ROW EXCLUSIVE MODE;
    SELECT 'infinity'::timestamptz AS created_at, 0::bigint AS notification_id INTO up_to;
    IF job IS NOT NULL OR number IS NOT NULL THEN
        SELECT x.created_at, x.notification_id INTO up_to
        FROM dispatcher.inbox x
        WHERE x.hub_id = dispatcher.current_hub() AND x.user_id = of_user AND x.notification_id = coalesce(number, (
            SELECT n.id FROM dispatcher.notification n WHERE n.job_id = job AND n.hub_id = dispatcher.current_hub()));
        IF NOT FOUND THEN
            RETURN;
        END IF;
    END IF;
    entries := ARRAY(
        SELECT x.notification_id
        FROM dispatcher.inbox x
        WHERE x.hub_id = dispatcher.current_hub() AND x.user_id = of_user AND x.read_at IS NULL
          AND (x.created_at, x.notification_id) <= (up_to.created_at, up_to.notification_id)
          AND (of_thread IS NULL OR x.thread = of_thread)
        ORDER BY x.created_at, x.notification_id
        LIMIT row_limit);
    SELECT coalesce(sum(r.was_unread), 0) INTO was_unread
    FROM dispatcher.read_notifications(array_fill(NULL::uuid, ARRAY[cardinality(entries)]), entries,
        array_fill(of_user, ARRAY[cardinality(entries)]), array_fill(device, ARRAY[cardinality(entries)]), told) r;
    -- A statement of its own, so that it sees what the one before has done.
    unread := dispatcher.unread_count(of_user);
    seen := cardinality(entries);
    RETURN NEXT;
END
$$;

-- A page of a user's inbox, the newest first, and the unread counts of the same moment: rows of a notification, then
-- rows of a thread (null: of none) with its number.
--
-- Planned anew at each call, so that each form of the question has the index that is made for it. A notification that
-- no longer fits into `byte_limit` comes without its body: the page ends before it.
CREATE FUNCTION dispatcher.inbox_page(
    of_user text, of_thread text, is_unread boolean, before_time timestamptz, before_id bigint, row_limit integer,
    byte_limit bigint
) RETURNS TABLE (number bigint, job_id uuid, thread text, created_at timestamptz, read_at timestamptz, body bytea,
                 unread bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_custom_plan SET enable_seqscan = off SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    of_hub integer := dispatcher.current_hub();
BEGIN
    RETURN QUERY
    SELECT i.notification_id, i.job_id, i.thread, i.created_at, i.read_at,
           CASE WHEN i.bytes - octet_length(i.body) <= byte_limit THEN i.body END, NULL::bigint
    FROM (
        SELECT p.*, n.job_id, n.body,
               sum(octet_length(n.body)) OVER (ORDER BY p.created_at DESC, p.notification_id DESC) AS bytes
        FROM (
            SELECT x.notification_id, x.thread, x.created_at, x.read_at
            FROM dispatcher.inbox x
            WHERE x.hub_id = of_hub AND x.user_id = of_user AND (NOT is_unread OR x.read_at IS NULL)
              AND (x.created_at, x.notification_id) < (before_time, before_id)
              AND (of_thread IS NULL OR x.thread = of_thread)
            ORDER BY x.created_at DESC, x.notification_id DESC
            LIMIT row_limit
        ) p
        CROSS JOIN LATERAL (SELECT job_id, body FROM dispatcher.notification WHERE id = p.notification_id LIMIT 1) n
    ) i
    ORDER BY i.created_at DESC, i.notification_id DESC;

    RETURN QUERY
    SELECT NULL::bigint, NULL::uuid, x.thread, NULL::timestamptz, NULL::timestamptz, NULL::bytea, count(*)
    FROM dispatcher.inbox x
    WHERE x.hub_id = of_hub AND x.user_id = of_user AND x.read_at IS NULL
    GROUP BY x.thread;
END
$$;

-- What is cancelled is taken back: it leaves every inbox, a small audience's at once and a large one's step by step.
--
-- Rows that somebody is reading at this moment are left to the steps: to wait here could be to wait for each other.
CREATE FUNCTION dispatcher.withdraw_from_inboxes() RETURNS trigger
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $$
BEGIN
    DELETE FROM dispatcher.inbox WHERE (notification_id, user_id) IN (
        SELECT x.notification_id, x.user_id FROM dispatcher.inbox x
        WHERE x.notification_id = NEW.id
        ORDER BY x.user_id LIMIT 1000 FOR UPDATE SKIP LOCKED);
    INSERT INTO dispatcher.withdrawal (notification_id)
    SELECT NEW.id
    WHERE EXISTS (SELECT FROM dispatcher.inbox x WHERE x.notification_id = NEW.id)
       OR EXISTS (SELECT FROM dispatcher.plan p WHERE p.notification_id = NEW.id)
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;

CREATE TRIGGER withdrawn AFTER UPDATE OF cancelled_at ON dispatcher.notification
    FOR EACH ROW WHEN (OLD.cancelled_at IS NULL AND NEW.cancelled_at IS NOT NULL)
    EXECUTE FUNCTION dispatcher.withdraw_from_inboxes();

CREATE VIEW dashboard.unread AS
SELECT h.name AS hub,
       x.user_id,
       x.thread,
       count(*) AS unread
FROM dispatcher.inbox x
JOIN dispatcher.hub h ON h.id = x.hub_id
WHERE x.read_at IS NULL
GROUP BY h.name, x.user_id, x.thread;

GRANT SELECT ON dashboard.unread TO dispatcher_worker, dispatcher_dashboard;
GRANT SELECT, INSERT, UPDATE, DELETE ON dispatcher.inbox TO dispatcher_worker;
GRANT SELECT, UPDATE, DELETE ON dispatcher.badge_sync TO dispatcher_worker;
GRANT SELECT, UPDATE, DELETE ON dispatcher.withdrawal TO dispatcher_worker;

REVOKE EXECUTE ON FUNCTION
    dispatcher.mark_read(integer[], text[], bigint[], bigint[], timestamptz[]),
    dispatcher.add_receipts(integer[], bigint[], timestamptz[], bigint[], text[], text[], smallint[], text[],
        smallint[], timestamptz[], text[], text[], smallint[], integer),
    dispatcher.unread_count(text),
    dispatcher.read_notifications(uuid[], bigint[], text[], text[], integer),
    dispatcher.read_inbox(text, text, uuid, bigint, text, integer, integer),
    dispatcher.inbox_page(text, text, boolean, timestamptz, bigint, integer, bigint),
    dispatcher.withdraw_from_inboxes()
FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
    dispatcher.read_notifications(uuid[], bigint[], text[], text[], integer),
    dispatcher.read_inbox(text, text, uuid, bigint, text, integer, integer),
    dispatcher.inbox_page(text, text, boolean, timestamptz, bigint, integer, bigint)
TO dispatcher_api;
