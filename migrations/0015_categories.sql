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

ALTER TABLE dispatcher.category ENABLE ROW LEVEL SECURITY;
ALTER TABLE dispatcher.category FORCE ROW LEVEL SECURITY;
CREATE POLICY every_hub ON dispatcher.category TO dispatcher_owner, dispatcher_worker USING (true) WITH CHECK (true);
CREATE POLICY one_hub ON dispatcher.category TO dispatcher_api
    USING (hub_id = dispatcher.current_hub()) WITH CHECK (hub_id = dispatcher.current_hub());

GRANT SELECT ON dispatcher.category TO dispatcher_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON dispatcher.category TO dispatcher_api;
