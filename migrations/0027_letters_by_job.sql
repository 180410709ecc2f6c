-- A dead letter is found by its job's id, which may stand in the body only.

SET LOCAL ROLE dispatcher_owner;

-- Beside message_id, which is the message's own property: a replay sends that, and the fingerprint has it.
ALTER TABLE dispatcher.dead_letter ADD COLUMN job_id text;

CREATE OR REPLACE VIEW dashboard.dead_letters AS
SELECT id, received_at, published_at, times_seen, queue, hub,
       coalesce(nullif(message_id, ''), job_id) AS message_id,
       reason, path, byte_offset, detail, byte_count,
       CASE WHEN is_open THEN 'open' WHEN discarded_at IS NOT NULL THEN 'discarded' ELSE 'replayed' END AS state,
       coalesce(last_seen_at, received_at) AS last_seen_at,
       replays,
       replayed_at,
       discarded_at,
       exchange,
       routing_key
FROM dispatcher.dead_letter;

-- Whoever cancels names the hub: ids are unique in a hub only.
DROP FUNCTION dispatcher.cancel_everywhere(uuid);
GRANT EXECUTE ON FUNCTION dispatcher.end_notification(bigint) TO dispatcher_worker;
