-- Messages that can never become notifications, and messages suspected of crashing workers.

SET LOCAL ROLE dispatcher_owner;

CREATE TABLE dispatcher.dead_letter (
    id           bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    received_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    published_at timestamptz,                       -- confirmed in push.dead; null: not yet
    times_seen   integer     NOT NULL DEFAULT 1,
    byte_count   integer     NOT NULL,
    byte_offset  integer,                           -- where in the body the mistake is
    queue        text        NOT NULL,
    hub          text,
    message_id   text,
    reason       text        NOT NULL,              -- a fixed name, such as unknownMember
    path         text,                              -- the member's path, such as $.content.badge
    detail       text        NOT NULL,              -- a sentence for people
    fingerprint  bytea       NOT NULL UNIQUE,       -- of queue, message id and body: a redelivery is the same row
    body         bytea       NOT NULL
);

CREATE INDEX dead_letter_received ON dispatcher.dead_letter (received_at);

-- A message that was in a worker's hands when it died is tried alone, and counted here before each try.
CREATE TABLE dispatcher.suspect (
    fingerprint bytea       PRIMARY KEY,
    first_seen  timestamptz NOT NULL DEFAULT clock_timestamp(),
    tries       integer     NOT NULL DEFAULT 1
);
