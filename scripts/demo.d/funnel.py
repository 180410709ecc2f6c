"""The figures at the end, from the views that dashboards use, each compared with what the phones did."""

import time
from collections import Counter

from ledger import KINDS

COLUMNS = [
    "notifications", "devices", "accepted", "suppressed", "failed", "expired", "fetched", "displayed", "read", "dismissed",
    "answered", "reply",
]  # fmt: skip


class Funnel:
    def __init__(self, world, events):
        self.world = world
        self.events = events
        self.ledger = world.ledger
        self.database = world.database

    def scenario_rows(self):
        return ", ".join(f"('{scenario}', '{job}'::uuid)" for job, scenario in sorted(self.ledger.scenarios.items(), key=str))

    def query(self):
        return f"""
            SELECT s.scenario, count(*) AS notifications, sum(audience) AS devices, sum(accepted) AS accepted,
                   sum(suppressed) AS suppressed, sum(failed) AS failed, sum(expired) AS expired, sum(fetched) AS fetched,
                   sum(displayed) AS displayed, sum(read) AS read, sum(dismissed) AS dismissed, sum(acted) AS answered, sum(replied) AS replied
            FROM (VALUES {self.scenario_rows()}) s (scenario, id) JOIN dashboard.notifications n ON n.id = s.id
            GROUP BY s.scenario ORDER BY length(s.scenario), s.scenario"""

    def show(self):
        self.database.show("The funnel, from dashboard.notifications", self.query())
        self.database.show("Unread, from dashboard.unread", f"""
            SELECT user_id, thread, unread FROM dashboard.unread WHERE hub = '{self.world.hub}' ORDER BY 1, 2""")
        self.database.show("Answers, from dashboard.receipts", f"""
            SELECT action, response, count(DISTINCT installation_id) AS devices, count(*) AS receipts
            FROM dashboard.receipts WHERE hub = '{self.world.hub}' AND action IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2""")  # fmt: skip

    def wait(self, seconds=20):
        """Receipts over AMQP take a moment."""
        deadline = time.monotonic() + seconds
        expected = sum(self.ledger.receipts.values())
        while time.monotonic() < deadline:
            if int(self.database.rows(self._receipt_count())[0][0]) >= expected and not self._unfinished():
                return
            time.sleep(0.05)

    def _receipt_count(self):
        return f"SELECT count(*) FROM dashboard.receipts WHERE hub = '{self.world.hub}'"

    def _unfinished(self):
        sql = f"SELECT count(*) FROM dashboard.notifications WHERE hub = '{self.world.hub}' AND finished_at IS NULL"
        return int(self.database.rows(sql)[0][0])

    def run(self):
        self._funnel()
        self._deliveries()
        self._receipts()
        self._unread()
        self._events()
        return self.world.is_exact

    def _funnel(self):
        found = {scenario: tuple(map(int, counts)) for scenario, *counts in self.database.rows(self.query())}
        expected = {
            scenario: tuple(counts[column] for column in COLUMNS) for scenario, counts in self.ledger.funnel().items()
        }
        self.world.check("scenarios, with every figure of the funnel", expected, found)

    def _deliveries(self):
        rows = self.database.rows(f"""
            SELECT d.notification_id, d.installation_id, d.state, d.reason, d.fetched_at IS NOT NULL, d.displayed_at IS NOT NULL,
                   d.read_at IS NOT NULL, d.dismissed_at IS NOT NULL, d.action_at IS NOT NULL, d.replied_at IS NOT NULL,
                   d.action, d.response
            FROM dashboard.deliveries d JOIN dashboard.notifications n ON n.id = d.notification_id
            WHERE n.hub = '{self.world.hub}'""")  # fmt: skip
        found = {}
        for job, phone, state, reason, *flags, action, response in rows:
            flags = [flag == "t" for flag in flags]
            found[job, phone] = (state, reason or None, *flags, action or None, response or None)
        expected = {key: delivery.facts() for key, delivery in self.ledger.deliveries.items()}
        self.world.check("delivery rows, with what each phone reported", expected, found)

    def _receipts(self):
        rows = self.database.rows(f"SELECT kind, count(*) FROM dashboard.receipts WHERE hub = '{self.world.hub}' GROUP BY 1")
        found = {kind: int(count) for kind, count in rows}
        for kind in KINDS:
            count = sum(n for (_, _, its, *_), n in self.ledger.receipts.items() if its == kind)
            self.world.check(f"receipts of the kind {kind}", count, found.get(kind, 0))

    def _unread(self):
        rows = self.database.rows(f"SELECT user_id, thread, unread FROM dashboard.unread WHERE hub = '{self.world.hub}'")
        found = {(user, thread or None): int(count) for user, thread, count in rows}
        self.world.check("unread by user and thread", self.ledger.unread(), found)

    def _events(self):
        """What was told on push.events: every receipt, and each delivery that came to a bad end."""
        expected = Counter(kind for (_, _, kind, *_), n in self.ledger.receipts.items() for _ in range(n))
        expected += Counter(d.state for d in self.ledger.deliveries.values() if d.state in ("failed", "expired"))
        self.events.wait(sum(expected.values()))
        self.world.check("events that another service got", dict(expected), dict(self.events.kinds()))
        replies = {
            (self.world.phones[phone].user, text) for (_, phone, kind, _, text, _) in self.ledger.receipts if kind == "reply"
        }
        self.world.check("replies that it can pass on", replies, self.events.replies())
