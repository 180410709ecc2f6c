-- Which of the broker's users may publish for which hub.

SET LOCAL ROLE dispatcher_owner;

-- A hub without rows here takes messages of everybody who may publish; one with rows only those whose `user-id`, which
-- the broker verifies, is among them.
CREATE TABLE dispatcher.publisher (
    hub_id    integer     NOT NULL REFERENCES dispatcher.hub,
    user_name text        NOT NULL CHECK (octet_length(user_name) BETWEEN 1 AND 255),
    added_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (hub_id, user_name)
);

-- Who published a dead letter, so that a replay says so too: it must not make a stranger's message the hub's own.
ALTER TABLE dispatcher.dead_letter ADD COLUMN publisher text;

-- Workers and whoever replays read it; the owner alone changes it.
GRANT SELECT ON dispatcher.publisher TO dispatcher_worker;

-- PostgreSQL lets everybody execute a new function. Nothing here is for everybody: workers may call what they had by
-- that, the API what only computes, and whoever reads views the names that these show.
DO $$
DECLARE
    function record;
BEGIN
    FOR function IN
        SELECT p.oid::regprocedure AS name, n.nspname = 'dashboard' AS is_shown, p.provolatile <> 'v' AS is_computing,
               p.prorettype = 'trigger'::regtype AS is_trigger
        FROM pg_proc p
        JOIN pg_namespace n ON n.oid = p.pronamespace
        WHERE n.nspname IN ('dispatcher', 'dashboard') AND has_function_privilege('public', p.oid, 'EXECUTE')
    LOOP
        EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', function.name);
        CONTINUE WHEN function.is_trigger;
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO dispatcher_worker', function.name);
        IF function.is_shown OR function.is_computing THEN
            EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO dispatcher_api', function.name);
        END IF;
        IF function.is_shown THEN
            EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO dispatcher_dashboard', function.name);
        END IF;
    END LOOP;
END
$$;
