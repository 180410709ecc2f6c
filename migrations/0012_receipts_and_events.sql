-- Receipts by message and by request go the same way, and become events in the same transaction.

SET LOCAL ROLE dispatcher_owner;

-- An event says what was so when it happened, whatever becomes of the device until it is told. What users write is not
-- copied: it is read from the receipt when it is told.
-- Events: 1 to 6 as the kinds of receipts; 10 + a delivery's state; 20 retired.
ALTER TABLE dispatcher.outbox
    ADD COLUMN platform smallint,
    ADD COLUMN attempts smallint,
    ADD COLUMN device   text,                                          -- what apps call the installation
    ADD COLUMN user_id  text,
    ADD COLUMN reason   text,
    ADD CHECK (event IS NULL OR num_nulls(installation_id, device) = 0);

-- The worker that publishes the outbox; it stays so while it lives and can. A second one would only publish twice.
CREATE TABLE dispatcher.relay (
    is_only   boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    worker_id bigint
) WITH (fillfactor = 50);

INSERT INTO dispatcher.relay (worker_id) VALUES (NULL);

GRANT SELECT, UPDATE ON dispatcher.relay TO dispatcher_worker;

-- What receipts are about, a row for each in their order: a key that is null is unknown to the hub.
--
-- A device may report before its delivery is recorded; it then stands in a batch that has begun. One statement looks at
-- both, because a record moves devices from the one to the other in one transaction. LIMIT keeps each look a probe by
-- its whole key; the planner would rather read all deliveries of a notification, a million for each receipt.
CREATE FUNCTION dispatcher.find_receipt_targets(hubs integer[], jobs uuid[], numbers bigint[], devices text[])
RETURNS TABLE (ordinal bigint, notification_id bigint, accepted_at timestamptz, installation_id bigint, user_id text,
               platform smallint, is_addressed boolean)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT r.ordinal, n.id, n.created_at, i.id, i.user_id, i.platform,
           CASE WHEN d.installation_id IS NOT NULL THEN true
                WHEN n.id IS NULL OR i.id IS NULL THEN false
                ELSE EXISTS (
                    SELECT FROM dispatcher.batch b
                    CROSS JOIN LATERAL (
                        SELECT notification, size, sum(size) OVER (ORDER BY position) AS upto
                        FROM unnest(b.notification_ids, b.audience_sizes) WITH ORDINALITY
                            AS u(notification, size, position)
                    ) part
                    WHERE b.epoch > 0 AND n.id = ANY (b.notification_ids) AND part.notification = n.id
                      AND i.id = ANY (b.installation_ids[part.upto - part.size + 1 : part.upto]))
           END
    FROM unnest(hubs, jobs, numbers, devices) WITH ORDINALITY AS r(hub, job, number, device, ordinal)
    LEFT JOIN LATERAL (
        SELECT id, created_at FROM dispatcher.notification WHERE job_id = r.job AND hub_id = r.hub
        UNION ALL
        SELECT id, created_at FROM dispatcher.notification WHERE id = r.number AND hub_id = r.hub
        LIMIT 1
    ) n ON true
    LEFT JOIN LATERAL (
        SELECT id, user_id, platform FROM dispatcher.installation
        WHERE hub_id = r.hub AND installation_id = r.device
        LIMIT 1
    ) i ON true
    LEFT JOIN LATERAL (
        SELECT installation_id FROM dispatcher.delivery
        WHERE notification_id = n.id AND installation_id = i.id
        LIMIT 1
    ) d ON true
    ORDER BY r.ordinal;
END
$$;

-- Adds receipts and what is known by them, and answers for each whether it was new: what was reported before is nothing
-- new, and facts that are known stay. One without a notification is left out. Events are written of the kinds whose bit (kind - 1) is set in `told`.
--
-- Rows are written in key order, so that two waves cannot lock each other out. Which bits a row of `reading` has gained
-- is told by the row itself, after its lock: so each device is counted once for each kind, however many add to it at a
-- time. A reply is an answer too.
CREATE FUNCTION dispatcher.add_receipts(
    hubs integer[], notifications bigint[], accepted_times timestamptz[], installations bigint[], devices text[],
    users text[], platforms smallint[], receipt_ids text[], kinds smallint[], device_times timestamptz[],
    action_ids text[], replies text[], responses smallint[], told integer
) RETURNS boolean[]
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
    is_new boolean[];
BEGIN
    WITH incoming AS MATERIALIZED (
        SELECT * FROM unnest(hubs, notifications, accepted_times, installations, devices, users, platforms, receipt_ids,
                             kinds, device_times, action_ids, replies, responses) WITH ORDINALITY
            AS r(hub_id, notification_id, accepted_at, installation_id, device, user_id, platform, receipt_id, kind,
                 device_at, action_id, reply, response, ordinal)
    ),
    once AS MATERIALIZED (
        SELECT DISTINCT ON (notification_id, installation_id, receipt_id) * FROM incoming
        WHERE notification_id IS NOT NULL
        ORDER BY notification_id, installation_id, receipt_id, ordinal
    ),
    added AS (
        INSERT INTO dispatcher.receipt
            (notification_id, installation_id, receipt_id, kind, device_at, action_id, reply, response)
        SELECT notification_id, installation_id, receipt_id, kind, device_at, action_id, reply, response
        FROM once
        ORDER BY notification_id, installation_id, receipt_id
        ON CONFLICT DO NOTHING
        RETURNING notification_id, installation_id, receipt_id
    ),
    fresh AS MATERIALIZED (
        SELECT o.*, least(greatest(o.device_at, o.accepted_at), now()) AS at
        FROM added
        JOIN once o USING (notification_id, installation_id, receipt_id)
    ),
    facts AS (
        SELECT f.notification_id, f.installation_id,
               (array_agg(f.at) FILTER (WHERE f.kind = 1))[1] AS fetched_at,
               (array_agg(f.at) FILTER (WHERE f.kind = 2))[1] AS displayed_at,
               (array_agg(f.at) FILTER (WHERE f.kind = 3))[1] AS read_at,
               (array_agg(f.at) FILTER (WHERE f.kind = 4))[1] AS dismissed_at,
               (array_agg(f.at) FILTER (WHERE f.kind >= 5))[1] AS action_at,
               (array_agg(f.action_id) FILTER (WHERE f.kind >= 5))[1] AS action_id,
               (array_agg(f.response) FILTER (WHERE f.kind >= 5))[1] AS response,
               (array_agg(f.at) FILTER (WHERE f.kind = 6))[1] AS replied_at,
               (array_agg(f.reply) FILTER (WHERE f.kind = 6))[1] AS reply,
               bit_or(CASE WHEN f.kind = 6 THEN 48 ELSE 1 << (f.kind - 1) END)::int2 AS known
        FROM (SELECT * FROM fresh ORDER BY notification_id, installation_id, ordinal) f
        GROUP BY f.notification_id, f.installation_id
    ),
    known AS (
        INSERT INTO dispatcher.reading AS g
            (notification_id, installation_id, fetched_at, displayed_at, read_at, dismissed_at, action_at, action_id,
             response, replied_at, reply, known, added)
        SELECT notification_id, installation_id, fetched_at, displayed_at, read_at, dismissed_at, action_at, action_id,
               response, replied_at, reply, known, known
        FROM facts
        ORDER BY notification_id, installation_id
        ON CONFLICT (notification_id, installation_id) DO UPDATE
        SET fetched_at = coalesce(g.fetched_at, EXCLUDED.fetched_at),
            displayed_at = coalesce(g.displayed_at, EXCLUDED.displayed_at),
            read_at = coalesce(g.read_at, EXCLUDED.read_at),
            dismissed_at = coalesce(g.dismissed_at, EXCLUDED.dismissed_at),
            action_at = coalesce(g.action_at, EXCLUDED.action_at),
            action_id = coalesce(g.action_id, EXCLUDED.action_id),
            response = CASE WHEN g.action_at IS NULL THEN EXCLUDED.response ELSE g.response END,
            replied_at = coalesce(g.replied_at, EXCLUDED.replied_at),
            reply = coalesce(g.reply, EXCLUDED.reply),
            added = EXCLUDED.known & ~g.known,
            known = EXCLUDED.known | g.known
        WHERE EXCLUDED.known & ~g.known <> 0
        RETURNING notification_id, added
    ),
    counted AS (
        INSERT INTO dispatcher.progress (notification_id, recorded_at, delta, state)
        SELECT notification_id, now(), count(*), 10 + kind
        FROM known
        CROSS JOIN generate_series(1, 6) AS kind
        WHERE (added >> (kind - 1)) & 1 = 1
        GROUP BY notification_id, kind
    ),
    events AS (
        INSERT INTO dispatcher.outbox
            (hub_id, event, notification_id, installation_id, device, user_id, platform, receipt_id)
        SELECT hub_id, kind, notification_id, installation_id, device, user_id, platform, receipt_id
        FROM fresh
        WHERE (told >> (kind - 1)) & 1 = 1
        ORDER BY ordinal
    )
    SELECT array_agg(f.ordinal IS NOT NULL ORDER BY i.ordinal) INTO is_new
    FROM incoming i
    LEFT JOIN fresh f USING (ordinal);

    -- The inbox's place: what is new and says that a user has read (kinds 3, 5 and 6) is marked here, in this
    -- transaction, by dispatcher.mark_read over is_new, kinds, hubs, users, notifications, device_times, accepted_times.

    RETURN is_new;
END
$$;

-- Takes what devices report, of any hub. Answers for each, in their order, what became of it: 1 added, 2 known before,
-- 3 unknown notification, 4 unknown installation, 5 not addressed; with the keys of those that were taken.
CREATE FUNCTION dispatcher.take_receipts(
    hubs integer[], jobs uuid[], numbers bigint[], devices text[], receipt_ids text[], kinds smallint[],
    device_times timestamptz[], action_ids text[], replies text[], responses smallint[], told integer
) RETURNS TABLE (outcome smallint, notification_id bigint, installation_id bigint)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET jit = off AS $$
#variable_conflict use_column
DECLARE
    outcomes      smallint[];
    notifications bigint[];
    installations bigint[];
    accepted      timestamptz[];
    users         text[];
    platforms     smallint[];
    is_new        boolean[];
BEGIN
    -- First of all, as maintain_partitions does: who has it waits for nobody that waits for this.
    LOCK TABLE ONLY dispatcher.receipt IN ROW EXCLUSIVE MODE;
    SELECT array_agg(CASE WHEN t.notification_id IS NULL THEN 3
                          WHEN t.installation_id IS NULL THEN 4
                          WHEN NOT t.is_addressed THEN 5
                          ELSE 1 END ORDER BY t.ordinal),
           array_agg(CASE WHEN t.is_addressed THEN t.notification_id END ORDER BY t.ordinal),
           array_agg(t.installation_id ORDER BY t.ordinal),
           array_agg(t.accepted_at ORDER BY t.ordinal),
           array_agg(t.user_id ORDER BY t.ordinal),
           array_agg(t.platform ORDER BY t.ordinal)
    INTO outcomes, notifications, installations, accepted, users, platforms
    FROM dispatcher.find_receipt_targets(hubs, jobs, numbers, devices) t;

    is_new := dispatcher.add_receipts(hubs, notifications, accepted, installations, devices, users, platforms,
        receipt_ids, kinds, device_times, action_ids, replies, responses, told);

    RETURN QUERY
    SELECT CASE WHEN r.outcome = 1 AND NOT r.is_new THEN 2::smallint ELSE r.outcome END,
           r.notification_id, r.installation_id
    FROM unnest(outcomes, notifications, installations, is_new) WITH ORDINALITY
        AS r(outcome, notification_id, installation_id, is_new, ordinal)
    ORDER BY r.ordinal;
END
$$;

-- The same for the transaction's hub.
CREATE FUNCTION dispatcher.take_hub_receipts(
    jobs uuid[], numbers bigint[], devices text[], receipt_ids text[], kinds smallint[], device_times timestamptz[],
    action_ids text[], replies text[], responses smallint[], told integer
) RETURNS TABLE (outcome smallint, notification_id bigint, installation_id bigint)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT outcome, notification_id, installation_id
    FROM dispatcher.take_receipts(array_fill(dispatcher.current_hub(), ARRAY[cardinality(devices)]), jobs, numbers,
        devices, receipt_ids, kinds, device_times, action_ids, replies, responses, told)
$$;

REVOKE EXECUTE ON FUNCTION
    dispatcher.find_receipt_targets(integer[], uuid[], bigint[], text[]),
    dispatcher.add_receipts(integer[], bigint[], timestamptz[], bigint[], text[], text[], smallint[], text[], smallint[],
        timestamptz[], text[], text[], smallint[], integer),
    dispatcher.take_receipts(integer[], uuid[], bigint[], text[], text[], smallint[], timestamptz[], text[], text[],
        smallint[], integer),
    dispatcher.take_hub_receipts(uuid[], bigint[], text[], text[], smallint[], timestamptz[], text[], text[], smallint[],
        integer)
FROM PUBLIC;
GRANT EXECUTE ON FUNCTION dispatcher.take_receipts(integer[], uuid[], bigint[], text[], text[], smallint[],
    timestamptz[], text[], text[], smallint[], integer) TO dispatcher_worker;
GRANT EXECUTE ON FUNCTION dispatcher.take_hub_receipts(uuid[], bigint[], text[], text[], smallint[], timestamptz[],
    text[], text[], smallint[], integer) TO dispatcher_api;

CREATE FUNCTION dashboard.event_name(event smallint) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
    WHEN event IS NULL THEN 'job'
    WHEN event = 20 THEN 'retired'
    WHEN event > 10 THEN dashboard.delivery_state_name((event - 10)::smallint)
    ELSE dashboard.receipt_kind_name(event)
END;

-- What the broker has yet to be told, by hub and kind.
CREATE VIEW dashboard.outbox AS
SELECT h.name AS hub,
       dashboard.event_name(o.event) AS kind,
       count(*) AS count,
       min(o.created_at) AS oldest
FROM dispatcher.outbox o
JOIN dispatcher.hub h ON h.id = o.hub_id
GROUP BY h.name, o.event;

GRANT SELECT ON dashboard.outbox TO dispatcher_worker, dispatcher_dashboard;
