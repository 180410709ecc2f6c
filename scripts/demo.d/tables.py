"""The tables at the end: all of them from the views that dashboards use."""

TABLES = [
    ("Notifications (the five largest and two others)", """
        (SELECT target, state, lane, audience, accepted, failed, suppressed, expired,
                to_char(finished_at - created_at, 'SS.MS') AS seconds
         FROM dashboard.notifications ORDER BY audience DESC, created_at LIMIT 5)
        UNION ALL
        (SELECT target, state, lane, audience, accepted, failed, suppressed, expired,
                to_char(finished_at - created_at, 'SS.MS')
         FROM dashboard.notifications WHERE expired > 0 OR audience < 2 ORDER BY expired DESC, created_at DESC LIMIT 2)"""),
    ("Deliveries by state", """
        SELECT state, count(*), sum(attempts) AS attempts, count(*) FILTER (WHERE ambiguous) AS ambiguous
        FROM dashboard.deliveries GROUP BY state ORDER BY count(*) DESC"""),
    ("Platform outcomes (every answer, so a delivery that was retried counts more than once)", """
        SELECT platform, state, reason, sum(count) AS count
        FROM dashboard.platform_outcomes GROUP BY platform, state, reason ORDER BY platform, state, count DESC"""),
    ("Retries: how many attempts it took", """
        SELECT platform, attempts, count(*) AS deliveries,
               to_char(max(d.finished_at - n.created_at), 'SS.MS') AS slowest_seconds
        FROM dashboard.deliveries d JOIN dashboard.notifications n ON n.id = d.notification_id
        WHERE d.state = 'accepted' GROUP BY platform, attempts ORDER BY platform, attempts"""),
    ("Retired installations", """
        SELECT platform, retire_reason, count(*) FROM dashboard.installations
        WHERE retired_at IS NOT NULL GROUP BY platform, retire_reason ORDER BY platform"""),
    ("Dead letters", """
        SELECT reason, path, byte_offset AS byte, detail FROM dashboard.dead_letters ORDER BY id"""),
    ("Workers", """
        SELECT id, process, version, state, jobs, deliveries, batches FROM dashboard.workers ORDER BY id"""),
]


def show(database):
    for title, sql in TABLES:
        database.show(title, sql)
