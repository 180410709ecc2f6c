-- The kinds of notifications that a hub's apps declare: their buttons, and what becomes of a notification once it is answered.

SET LOCAL ROLE dispatcher_owner;

CREATE TABLE dispatcher.category (
    updated_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    hub_id      integer     NOT NULL REFERENCES dispatcher.hub ON DELETE CASCADE,
    category_id text        COLLATE "C" NOT NULL CHECK (octet_length(category_id) BETWEEN 1 AND 256),
    document    text        NOT NULL,                                  -- as it is written, the same bytes for the same category
    answers     text[]      NOT NULL DEFAULT '{}',                     -- the actions that its rules are on
    PRIMARY KEY (hub_id, category_id)
);

-- Those with rules alone: every answer asks for them, and most hubs have none.
CREATE INDEX category_rules ON dispatcher.category (hub_id) WHERE cardinality(answers) > 0;

ALTER TABLE dispatcher.category ENABLE ROW LEVEL SECURITY;
ALTER TABLE dispatcher.category FORCE ROW LEVEL SECURITY;
CREATE POLICY every_hub ON dispatcher.category TO dispatcher_owner, dispatcher_worker USING (true) WITH CHECK (true);
CREATE POLICY one_hub ON dispatcher.category TO dispatcher_api
    USING (hub_id = dispatcher.current_hub()) WITH CHECK (hub_id = dispatcher.current_hub());

GRANT SELECT ON dispatcher.category TO dispatcher_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON dispatcher.category TO dispatcher_api;

-- Answers for which a rule may be: a row for each whose action a rule of its hub is on, with what is needed to decide.
--
-- Called in the transaction that has added the receipts. Adding one locks the device's row of `reading`, so the answers of
-- a device to a notification are told one transaction after the other, and each sees all that came before.
CREATE FUNCTION dispatcher.find_answers(hubs integer[], notifications bigint[], installations bigint[], actions text[])
RETURNS TABLE (ordinal bigint, documents text[], job_id uuid, body bytea, expires_at timestamptz, devices text[],
               known_receipts text[], known_actions text[])
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET jit = off AS $$
    -- Most hubs have no rules: what they answer ends here.
    WITH a AS MATERIALIZED (
        SELECT i.*, c.documents
        FROM unnest(hubs, notifications, installations, actions) WITH ORDINALITY
            AS i(hub, notification, installation, action, ordinal)
        CROSS JOIN LATERAL (
            SELECT array_agg(document) AS documents
            FROM dispatcher.category
            WHERE hub_id = i.hub AND cardinality(answers) > 0 AND i.action = ANY (answers)
        ) c
        WHERE c.documents IS NOT NULL
    )
    SELECT a.ordinal, a.documents, n.job_id, n.body,
           -- An hour: who has answered is online, or soon will be, and later the screen has long gone on.
           greatest(n.expires_at, now() + interval '1 hour'),
           u.devices, h.receipts, h.actions
    FROM a
    CROSS JOIN LATERAL (
        SELECT job_id, body, expires_at
        FROM dispatcher.notification
        WHERE id = a.notification AND hub_id = a.hub AND cancelled_at IS NULL
        LIMIT 1
    ) n
    -- In the order of the device's own clock; of one more than rules can count the newest by the hub's.
    CROSS JOIN LATERAL (
        SELECT array_agg(r.receipt_id ORDER BY r.device_at, r.received_at, r.receipt_id) AS receipts,
               array_agg(r.action_id ORDER BY r.device_at, r.received_at, r.receipt_id) AS actions
        FROM (
            SELECT receipt_id, action_id, device_at, received_at
            FROM dispatcher.receipt
            WHERE notification_id = a.notification AND installation_id = a.installation AND action_id IS NOT NULL
            ORDER BY received_at DESC
            LIMIT 1001
        ) r
    ) h
    -- The user's other devices that have the notification too; a job takes 1,000, with the device itself.
    CROSS JOIN LATERAL (
        SELECT coalesce(array_agg(o.installation_id), '{}') AS devices
        FROM (
            SELECT other.installation_id
            FROM dispatcher.installation me
            JOIN dispatcher.installation other ON other.hub_id = me.hub_id AND other.user_id = me.user_id
            JOIN dispatcher.delivery d ON d.notification_id = a.notification AND d.installation_id = other.id
            WHERE me.id = a.installation AND other.id <> me.id AND other.retired_at IS NULL
            LIMIT 999
        ) o
    ) u
    ORDER BY a.ordinal
$$;

-- The same for the transaction's hub.
CREATE FUNCTION dispatcher.find_hub_answers(notifications bigint[], installations bigint[], actions text[])
RETURNS TABLE (ordinal bigint, documents text[], job_id uuid, body bytea, expires_at timestamptz, devices text[],
               known_receipts text[], known_actions text[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT * FROM dispatcher.find_answers(array_fill(dispatcher.current_hub(), ARRAY[cardinality(notifications)]),
        notifications, installations, actions)
$$;

-- Has jobs published that follow from answers. A person waits for them: they go before all others.
CREATE FUNCTION dispatcher.add_follow_ups(hubs integer[], notifications bigint[], jobs uuid[], bodies bytea[]) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    INSERT INTO dispatcher.outbox (hub_id, notification_id, job_id, lane, body)
    SELECT f.hub, f.notification, f.job, 0, f.body
    FROM unnest(hubs, notifications, jobs, bodies) WITH ORDINALITY AS f(hub, notification, job, body, ordinal)
    ORDER BY f.ordinal
$$;

-- The same for notifications of the transaction's hub.
CREATE FUNCTION dispatcher.add_hub_follow_ups(notifications bigint[], jobs uuid[], bodies bytea[]) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    INSERT INTO dispatcher.outbox (hub_id, notification_id, job_id, lane, body)
    SELECT n.hub_id, n.id, f.job, 0, f.body
    FROM unnest(notifications, jobs, bodies) WITH ORDINALITY AS f(notification, job, body, ordinal)
    JOIN dispatcher.notification n ON n.id = f.notification AND n.hub_id = dispatcher.current_hub()
    ORDER BY f.ordinal
$$;

REVOKE EXECUTE ON FUNCTION
    dispatcher.find_answers(integer[], bigint[], bigint[], text[]),
    dispatcher.find_hub_answers(bigint[], bigint[], text[]),
    dispatcher.add_follow_ups(integer[], bigint[], uuid[], bytea[]),
    dispatcher.add_hub_follow_ups(bigint[], uuid[], bytea[])
FROM PUBLIC;
GRANT EXECUTE ON FUNCTION dispatcher.find_answers(integer[], bigint[], bigint[], text[]),
    dispatcher.add_follow_ups(integer[], bigint[], uuid[], bytea[]) TO dispatcher_worker;
GRANT EXECUTE ON FUNCTION dispatcher.find_hub_answers(bigint[], bigint[], text[]),
    dispatcher.add_hub_follow_ups(bigint[], uuid[], bytea[]) TO dispatcher_api;
