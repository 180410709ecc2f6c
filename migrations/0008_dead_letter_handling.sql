-- Replaying and discarding dead letters. A row is open while its message has to lie in push.dead.

SET LOCAL ROLE dispatcher_owner;

ALTER TABLE dispatcher.dead_letter
    ADD COLUMN exchange      text,                          -- where the message was published first, and how
    ADD COLUMN routing_key   text,
    ADD COLUMN content_type  text,
    ADD COLUMN headers       text,                          -- JSON, for people; a replay does not send them
    ADD COLUMN is_open       boolean     NOT NULL DEFAULT true,
    ADD COLUMN generation    integer     NOT NULL DEFAULT 1, -- one more each time that it is opened again
    ADD COLUMN last_seen_at  timestamptz,
    ADD COLUMN replays       integer     NOT NULL DEFAULT 0,
    ADD COLUMN replayed_at   timestamptz,
    ADD COLUMN discarded_at  timestamptz,
    ADD COLUMN claim         uuid,                          -- the replay that has it in hand
    ADD COLUMN claimed_until timestamptz;

CREATE INDEX dead_letter_open ON dispatcher.dead_letter (id) WHERE is_open;

CREATE OR REPLACE VIEW dashboard.dead_letters AS
SELECT id, received_at, published_at, times_seen, queue, hub, message_id, reason, path, byte_offset, detail, byte_count,
       CASE WHEN is_open THEN 'open' WHEN discarded_at IS NOT NULL THEN 'discarded' ELSE 'replayed' END AS state,
       coalesce(last_seen_at, received_at) AS last_seen_at,
       replays,
       replayed_at,
       discarded_at,
       exchange,
       routing_key
FROM dispatcher.dead_letter;
