-- Plans that a worker has in hand.

SET LOCAL ROLE dispatcher_owner;

-- Every worker looks every few seconds for plans of lost workers and for its own. Without this it passes by all scheduled
-- jobs each time, though they are in nobody's hand.
CREATE INDEX plan_worker ON dispatcher.plan (worker_id) WHERE worker_id IS NOT NULL;
