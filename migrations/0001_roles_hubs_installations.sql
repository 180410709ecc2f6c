-- Roles, hubs and the devices registered with them.

-- Roles belong to the whole server, so another database's migration may be creating them at this moment.
DO $$
DECLARE
    role_name text;
BEGIN
    FOREACH role_name IN ARRAY ARRAY['dispatcher_owner', 'dispatcher_worker', 'dispatcher_api', 'dispatcher_dashboard'] LOOP
        BEGIN
            EXECUTE format('CREATE ROLE %I NOLOGIN', role_name);
        EXCEPTION WHEN duplicate_object OR unique_violation THEN
            NULL;
        END;
    END LOOP;
    IF NOT pg_has_role(current_user, 'dispatcher_owner', 'MEMBER') THEN
        EXECUTE format('GRANT dispatcher_owner TO %I', current_user);
    END IF;
END
$$;

ALTER SCHEMA dispatcher OWNER TO dispatcher_owner;
ALTER TABLE dispatcher.migration OWNER TO dispatcher_owner;
CREATE SCHEMA dashboard AUTHORIZATION dispatcher_owner;
REVOKE ALL ON SCHEMA public FROM PUBLIC;

SET LOCAL ROLE dispatcher_owner;

-- A hub is one app: a tenant with its own devices and notifications.
CREATE TABLE dispatcher.hub (
    id         integer     GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name       text        NOT NULL UNIQUE CHECK (name ~ '^[A-Za-z0-9._-]{1,64}$'),
    apns_topic text,       -- used for installations that name none
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

INSERT INTO dispatcher.hub (name) VALUES ('default');

-- One app on one device. `id` is the hub's own key; apps know `installation_id`.
CREATE TABLE dispatcher.installation (
    id              bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    registered_at   timestamptz NOT NULL DEFAULT clock_timestamp(), -- compared with the gateway's "gone since" time
    updated_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    expires_at      timestamptz,
    retired_at      timestamptz,                                    -- set on the gateway's clear word only
    hub_id          integer     NOT NULL REFERENCES dispatcher.hub,
    platform        smallint    NOT NULL CHECK (platform BETWEEN 1 AND 6),
    permission      smallint    NOT NULL DEFAULT 0 CHECK (permission BETWEEN 0 AND 4),
    is_sandbox      boolean     NOT NULL DEFAULT false,
    is_direct       boolean     NOT NULL DEFAULT false,             -- a channel addressed by a job, never by tags
    installation_id text        NOT NULL CHECK (octet_length(installation_id) BETWEEN 1 AND 300),
    user_id         text        CHECK (octet_length(user_id) BETWEEN 1 AND 256),
    push_channel    text        NOT NULL CHECK (octet_length(push_channel) BETWEEN 1 AND 4096),
    topic           text,
    locale          text,
    time_zone       text,
    retire_reason   text,
    tags            text[]      NOT NULL DEFAULT '{}',
    templates       jsonb,
    UNIQUE (hub_id, installation_id),
    CHECK ((retired_at IS NULL) = (retire_reason IS NULL))
);

CREATE INDEX installation_tags ON dispatcher.installation USING gin (tags);
CREATE INDEX installation_user ON dispatcher.installation (hub_id, user_id) WHERE user_id IS NOT NULL;
