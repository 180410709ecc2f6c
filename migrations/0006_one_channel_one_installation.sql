-- One push channel is one installation, and registrations that come over AMQP are written in the order of their queue.

SET LOCAL ROLE dispatcher_owner;

-- Of several live installations with one channel the last to register keeps it.
WITH ranked AS (
    SELECT id, row_number() OVER (
        PARTITION BY hub_id, platform, hashtextextended(push_channel, 0) ORDER BY registered_at DESC, id DESC) AS rank
    FROM dispatcher.installation
    WHERE retired_at IS NULL AND NOT is_direct
)
UPDATE dispatcher.installation i
SET retired_at = clock_timestamp(), updated_at = clock_timestamp(), retire_reason = 'ChannelTaken'
FROM ranked
WHERE ranked.id = i.id AND ranked.rank > 1;

-- By a hash, because a channel may be longer than an index entry. Two channels with one 64-bit hash would count as the
-- same: among ten million devices that is one chance in 400,000. A cryptographic digest costs ten times as much a row.
CREATE UNIQUE INDEX installation_channel
    ON dispatcher.installation (hub_id, platform, hashtextextended(push_channel, 0))
    WHERE retired_at IS NULL AND NOT is_direct;

-- Whose turn it is to write what a queue with a single active consumer brings. The number rises when another consumer
-- takes over, and a transaction that names an older one writes nothing: what it holds is with the other consumer now.
CREATE TABLE dispatcher.turn (
    queue  text   PRIMARY KEY,
    number bigint NOT NULL DEFAULT 1
) WITH (fillfactor = 50);

GRANT SELECT, INSERT, UPDATE ON dispatcher.turn TO dispatcher_worker;
