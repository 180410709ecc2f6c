"""Compares what is in the views, the broker and the gateway's own log with what the workload says must be there."""

import collections
import json

from comparison import Comparison
from workload import Outcome


class Checks(Comparison):
    def __init__(self, workload, database, channel, witness):
        super().__init__()
        self.workload = workload
        self.database = database
        self.channel = channel
        self.witness = witness

    def run(self):
        """Prints one line for each check; answers whether all is exact."""
        self._deliveries()
        self._notifications()
        self._witness()
        self._retired()
        self._dead_letters()
        self._leftovers()
        self._workers()
        return self.is_exact

    def _deliveries(self):
        """Row by row: state, reason, number of attempts and ambiguity of each notification on each device."""
        expected = {(job, device): outcome for job, device, outcome in self.workload.outcomes()}
        rows = self.database.rows(
            "SELECT notification_id, installation_id, state, reason, attempts, ambiguous FROM dashboard.deliveries"
        )
        found = {
            (job, device): Outcome(state, reason or None, int(attempts), ambiguous == "t")
            for job, device, state, reason, attempts, ambiguous in rows
        }
        self.check("delivery rows", expected, found)
        self.check("rows without a twin", len(rows), len(found))
        for state in ["accepted", "failed", "suppressed", "expired"]:
            count = sum(outcome.state == state for outcome in expected.values())
            self.check(f"of these {state}", count, sum(outcome.state == state for outcome in found.values()))
        ambiguous = sum(outcome.ambiguous for outcome in expected.values())
        self.check("of these ambiguous", ambiguous, sum(outcome.ambiguous for outcome in found.values()))

    def _notifications(self):
        expected = {}
        for job, devices in self.workload.expected.items():
            states = collections.Counter(outcome.state for outcome in devices.values())
            counts = [len(devices)] + [states[state] for state in ["accepted", "failed", "suppressed", "expired"]]
            expected[job] = ("completed", *counts)
        rows = self.database.rows(
            "SELECT id, state, audience, accepted, failed, suppressed, expired FROM dashboard.notifications"
        )
        self.check("notifications, with audience and counts", expected,
                    {job: (state, *map(int, counts)) for job, state, *counts in rows})  # fmt: skip

    def _witness(self):
        """The gateway has accepted exactly what is recorded as accepted, each once."""
        with open(self.witness, encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        accepted = {
            (job, device) for job, device, outcome in self.workload.outcomes() if outcome.state == "accepted"
        }
        self.check("lines in the gateway's own log", len(accepted), len(lines))
        self.check("pushes that the gateway took", accepted,
                    {(line["notificationId"], line["installationId"]) for line in lines})  # fmt: skip

    def _retired(self):
        rows = self.database.rows("SELECT installation_id FROM dashboard.installations WHERE retired_at IS NOT NULL")
        dead = {device.id for device in self.workload.devices if device.script == "dead"}
        self.check("retired installations", dead, {row[0] for row in rows})

    def _dead_letters(self):
        rows = self.database.rows("SELECT message_id, reason FROM dashboard.dead_letters WHERE published_at IS NOT NULL")
        self.check("dead letters, with reason", self.workload.dead_letters, dict(rows))
        self.check("messages in push.dead", len(self.workload.dead_letters), self._depth("push.dead"))

    def _leftovers(self):
        left = sum(self._depth(f"push.{kind}.{lane}") for kind in ["jobs", "batches"] for lane in ["high", "normal", "bulk"])
        self.check("messages left in the work queues", 0, left)
        work = self.database.rows("SELECT (SELECT count(*) FROM dashboard.batches) + (SELECT count(*) FROM dashboard.retries_due)")
        self.check("batches and retries left", 0, int(work[0][0]))

    def _workers(self):
        """The workers' own counters: every answer they recorded, and every job that became a notification."""
        answers = sum(max(outcome.attempts, 1) for *_, outcome in self.workload.outcomes())
        # One that is sent twice is one, and what is in conflict with another is none.
        jobs = len(self.workload.expected)
        rows = self.database.rows("SELECT coalesce(sum(jobs), 0), coalesce(sum(deliveries), 0) FROM dashboard.workers")
        self.check("jobs accepted by the workers", jobs, int(rows[0][0]))
        self.check("answers recorded by the workers", answers, int(rows[0][1]))

    def _depth(self, queue):
        return self.channel.queue_declare(queue, passive=True).method.message_count
