-- What each user was told and has read, and the settings of a hub about it.

SET LOCAL ROLE dispatcher_owner;

ALTER TABLE dispatcher.hub
    ADD COLUMN keeps_inbox boolean NOT NULL DEFAULT false, -- notifications that say nothing of it are kept
    ADD COLUMN syncs_badge boolean NOT NULL DEFAULT false; -- what is read on one device changes the others' badges

-- One row per (user, notification), written with the audience. The first read counts, on whichever device it was.
CREATE TABLE dispatcher.inbox (
    notification_id bigint      NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT now(),
    read_at         timestamptz,                           -- by the clock of the device, within what is possible
    hub_id          integer     NOT NULL,                  -- no foreign key: checked once, not per row
    user_id         text        NOT NULL,
    thread          text,
    PRIMARY KEY (hub_id, user_id, notification_id)
);

-- Unread counts come from here alone. A row leaves it once in its life, when it is read.
CREATE INDEX inbox_unread ON dispatcher.inbox (hub_id, user_id, notification_id) INCLUDE (thread)
    WHERE read_at IS NULL;

-- For retention, and for what is cancelled; a broadcast's million rows are a few pages of it.
CREATE INDEX inbox_notification ON dispatcher.inbox (notification_id);

ALTER TABLE dispatcher.inbox ENABLE ROW LEVEL SECURITY;
ALTER TABLE dispatcher.inbox FORCE ROW LEVEL SECURITY;
CREATE POLICY every_hub ON dispatcher.inbox TO dispatcher_owner, dispatcher_worker USING (true) WITH CHECK (true);

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
GRANT SELECT, INSERT, DELETE ON dispatcher.inbox TO dispatcher_worker;
