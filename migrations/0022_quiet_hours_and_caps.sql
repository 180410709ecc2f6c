-- Classes of notifications: the hours at which they stay away, and how many of them there may be.

SET LOCAL ROLE dispatcher_owner;

-- The class `default` holds for jobs that name none.
CREATE TABLE dispatcher.notification_class (
    id          integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    hub_id      integer NOT NULL REFERENCES dispatcher.hub,
    quiet_from  time,                                                   -- by the clock of the device's zone; null: none
    quiet_until time,
    drops       boolean NOT NULL DEFAULT false,                         -- what comes in these hours is dropped, not deferred
    name        text    NOT NULL CHECK (name ~ '^[A-Za-z0-9._-]{1,64}$'),
    UNIQUE (hub_id, name),
    CHECK ((quiet_from IS NULL) = (quiet_until IS NULL)),
    CHECK (quiet_from <> quiet_until)
);

-- At most so many notifications of the class within any stretch of time so long.
CREATE TABLE dispatcher.notification_cap (
    class_id integer  NOT NULL REFERENCES dispatcher.notification_class ON DELETE CASCADE,
    period   interval NOT NULL CHECK (period BETWEEN '1 minute' AND '31 days'),
    most     integer  NOT NULL CHECK (most BETWEEN 1 AND 1000),
    per_user boolean  NOT NULL,                                         -- or per installation
    PRIMARY KEY (class_id, per_user, period)
);

-- The last notifications that counted for somebody: an installation by its key, a user by a digest. Nothing older than the
-- class's longest period is needed.
CREATE TABLE dispatcher.cap_use (
    class_id      integer       NOT NULL REFERENCES dispatcher.notification_class ON DELETE CASCADE,
    per_user      boolean       NOT NULL,
    subject       bigint        NOT NULL,
    changed_at    timestamptz   NOT NULL DEFAULT clock_timestamp(),
    used_at       timestamptz[] NOT NULL DEFAULT '{}',
    notifications bigint[]      NOT NULL DEFAULT '{}',
    PRIMARY KEY (class_id, per_user, subject)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);

-- Until when the clock of the zone is within these hours; null when it is not. Hours over midnight end on the next day.
CREATE FUNCTION dispatcher.quiet_until(zone text, quiet_from time, quiet_until time, at timestamptz) RETURNS timestamptz
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT (l.clock::date + quiet_until + CASE WHEN l.clock::time >= quiet_until THEN interval '1 day' ELSE '0' END)
           AT TIME ZONE zone
    FROM (SELECT at AT TIME ZONE zone AS clock) l
    WHERE CASE WHEN quiet_from < quiet_until THEN l.clock::time >= quiet_from AND l.clock::time < quiet_until
               ELSE l.clock::time >= quiet_from OR l.clock::time < quiet_until END
$$;

-- Those of the deliveries whose device is within the quiet hours of its class now, by their place, and until when.
CREATE FUNCTION dispatcher.find_quiet(installations bigint[], classes integer[])
RETURNS TABLE (place bigint, until timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    WITH target AS MATERIALIZED (
        SELECT t.place, t.class_id, coalesce(z.name, home.name, 'UTC') AS zone
        FROM unnest(installations, classes) WITH ORDINALITY AS t(installation, class_id, place)
        JOIN dispatcher.installation i ON i.id = t.installation
        JOIN dispatcher.hub h ON h.id = i.hub_id
        LEFT JOIN dispatcher.time_zone z ON z.name = i.time_zone
        LEFT JOIN dispatcher.time_zone home ON home.name = h.time_zone
    ),
    -- Few zones and classes, many devices.
    hours AS MATERIALIZED (
        SELECT k.class_id, k.zone, dispatcher.quiet_until(k.zone, c.quiet_from, c.quiet_until, now()) AS until
        FROM (SELECT DISTINCT class_id, zone FROM target) k
        JOIN dispatcher.notification_class c ON c.id = k.class_id AND c.quiet_from IS NOT NULL
    )
    SELECT t.place, q.until FROM target t JOIN hours q USING (class_id, zone) WHERE q.until IS NOT NULL
$$;

-- Who the deliveries count for, by the caps of their classes; `round` tells apart the notifications of one user.
CREATE FUNCTION dispatcher.cap_subjects(notifications bigint[], installations bigint[], classes integer[])
RETURNS TABLE (place bigint, notification bigint, class_id integer, per_user boolean, subject bigint, round bigint)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    WITH target AS MATERIALIZED (
        SELECT t.place, t.notification, t.class_id, i.id AS installation,
               coalesce(hashtextextended(i.user_id, 0), i.id) AS owner
        FROM unnest(notifications, installations, classes) WITH ORDINALITY AS t(notification, installation, class_id, place)
        JOIN dispatcher.installation i ON i.id = t.installation
    )
    SELECT t.place, t.notification, t.class_id, k.per_user, CASE WHEN k.per_user THEN t.owner ELSE t.installation END,
           dense_rank() OVER (PARTITION BY t.class_id, t.owner ORDER BY t.notification)
    FROM target t
    JOIN (SELECT DISTINCT c.class_id, c.per_user FROM dispatcher.notification_cap c) k ON k.class_id = t.class_id
$$;

-- Counts the deliveries against the caps of their classes; answers the places of those that are over one. A notification
-- counts once for each user and each installation, however often and from wherever it is asked for; who has no user
-- counts as one. All that may be written is locked first, in the order of its keys, so two batches cannot lock each
-- other out, and each sees what the other has counted.
CREATE FUNCTION dispatcher.take_caps(notifications bigint[], installations bigint[], classes integer[])
RETURNS SETOF bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    rounds  bigint;
    moment  timestamptz;
    refused bigint[];
BEGIN
    INSERT INTO dispatcher.cap_use (class_id, per_user, subject)
    SELECT DISTINCT s.class_id, s.per_user, s.subject
    FROM dispatcher.cap_subjects(notifications, installations, classes) s
    ORDER BY 1, 2, 3
    ON CONFLICT (class_id, per_user, subject) DO UPDATE SET changed_at = clock_timestamp();
    moment := clock_timestamp();
    SELECT max(s.round) INTO rounds FROM dispatcher.cap_subjects(notifications, installations, classes) s;
    FOR current_round IN 1..coalesce(rounds, 0) LOOP
        WITH judged AS MATERIALIZED (
            SELECT s.*, s.notification = ANY (u.notifications) AS is_known,
                   s.notification = ANY (u.notifications) OR NOT EXISTS (
                       SELECT FROM dispatcher.notification_cap c
                       WHERE c.class_id = s.class_id AND c.per_user = s.per_user
                         AND (SELECT count(*) FROM unnest(u.used_at) AS t(used_at) WHERE t.used_at > moment - c.period)
                             >= c.most) AS is_free
            FROM dispatcher.cap_subjects(notifications, installations, classes) s
            JOIN dispatcher.cap_use u ON u.class_id = s.class_id AND u.per_user = s.per_user AND u.subject = s.subject
            WHERE s.round = current_round
        ),
        verdict AS MATERIALIZED (
            SELECT j.place, bool_and(j.is_free) AS is_taken FROM judged j GROUP BY j.place
        ),
        counted AS (
            UPDATE dispatcher.cap_use u
            SET used_at = left_over.used_at || moment, notifications = left_over.notifications || n.notification
            FROM (
                SELECT DISTINCT j.class_id, j.per_user, j.subject, j.notification
                FROM judged j
                JOIN verdict v ON v.place = j.place
                WHERE v.is_taken AND NOT j.is_known
            ) n
            JOIN dispatcher.cap_use o ON o.class_id = n.class_id AND o.per_user = n.per_user AND o.subject = n.subject
            CROSS JOIN LATERAL (
                SELECT coalesce(array_agg(e.used_at ORDER BY e.used_at), '{}') AS used_at,
                       coalesce(array_agg(e.notification ORDER BY e.used_at), '{}') AS notifications
                FROM unnest(o.used_at, o.notifications) AS e(used_at, notification)
                WHERE e.used_at > moment - (
                    SELECT max(c.period) FROM dispatcher.notification_cap c
                    WHERE c.class_id = n.class_id AND c.per_user = n.per_user)
            ) left_over
            WHERE u.class_id = n.class_id AND u.per_user = n.per_user AND u.subject = n.subject
        )
        SELECT array_agg(v.place) INTO refused FROM verdict v WHERE NOT v.is_taken;
        RETURN QUERY SELECT unnest(refused);
    END LOOP;
END
$$;

-- Whether the transaction's hub has the class; the usual one it always has.
CREATE FUNCTION dispatcher.has_class(class_name text) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT class_name = 'default' OR EXISTS (
        SELECT FROM dispatcher.notification_class c WHERE c.hub_id = dispatcher.current_hub() AND c.name = class_name)
$$;

CREATE VIEW dashboard.classes AS
SELECT h.name AS hub,
       c.name AS class,
       c.quiet_from,
       c.quiet_until,
       CASE WHEN c.quiet_from IS NOT NULL THEN CASE WHEN c.drops THEN 'drop' ELSE 'defer' END END AS quiet_action,
       k.most AS cap,
       k.period AS cap_period,
       CASE WHEN k.per_user THEN 'user' WHEN NOT k.per_user THEN 'installation' END AS cap_per
FROM dispatcher.notification_class c
JOIN dispatcher.hub h ON h.id = c.hub_id
LEFT JOIN dispatcher.notification_cap k ON k.class_id = c.id;

REVOKE EXECUTE ON FUNCTION dispatcher.quiet_until(text, time, time, timestamptz) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION dispatcher.find_quiet(bigint[], integer[]) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION dispatcher.cap_subjects(bigint[], bigint[], integer[]) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION dispatcher.take_caps(bigint[], bigint[], integer[]) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION dispatcher.has_class(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION dispatcher.has_class(text) TO dispatcher_api;
GRANT EXECUTE ON FUNCTION dispatcher.find_quiet(bigint[], integer[]),
    dispatcher.take_caps(bigint[], bigint[], integer[]) TO dispatcher_worker;
GRANT SELECT ON dispatcher.notification_class, dispatcher.notification_cap TO dispatcher_worker;
GRANT SELECT, DELETE ON dispatcher.cap_use TO dispatcher_worker;
GRANT SELECT ON dashboard.classes TO dispatcher_worker, dispatcher_dashboard;
