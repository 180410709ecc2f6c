"""The invariants that hold after every fault, whatever it was."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fault import Fault
from jobs import Job
from verdict import Verdict

if TYPE_CHECKING:
    from stage import Stage

FINAL = {"accepted", "failed", "expired", "suppressed", "cancelled", "unknown"}
LOST_PER_KILL = 1000
NOTIFICATIONS = """
    select id::text, audience, number, state, encode(sha256(b.body), 'hex')
    from dashboard.notifications join (select id as nid, body from dispatcher.notification) b on b.nid = number
    where id in ({ids})"""
DELIVERIES = """
    select notification_id::text, installation_id, state, attempts, ambiguous, reason, notification_number, installation_number
    from dashboard.deliveries where notification_id in ({ids})"""


@dataclass(frozen=True)
class Delivery:
    """One row of dashboard.deliveries."""

    job: str
    device: str
    state: str
    attempts: int
    is_ambiguous: bool
    reason: str


class Checker:
    """Compares what the load knows, what the tables say and what the gateways have accepted."""

    def __init__(self, stage: Stage, fault: Fault, verdict: Verdict) -> None:
        self.stage = stage
        self.fault = fault
        self.verdict = verdict
        self.load = stage.load

    def check(self) -> None:
        self._read()
        self._check_jobs()
        self._check_dead_letters()
        self.faults: dict[str, list[str]] = {}
        for job in self.load.jobs:
            if job.id in self.audiences:
                self._check_audience(job)
        for sentence, cases in self.faults.items():
            self.verdict.complain(sentence, cases)
        self._check_pushes()
        self._check_unexpected()

    def _read(self) -> None:
        self.ids = ",".join(f"'{job.id}'" for job in self.load.jobs)
        database = self.stage.database
        rows = database.rows(NOTIFICATIONS.format(ids=self.ids))
        self.audiences = {row[0]: int(row[1]) for row in rows}
        self.states = {row[0]: row[3] for row in rows}
        self.deliveries = [
            Delivery(row[0], row[1], row[2], int(row[3]), row[4] == "t", row[5])
            for row in database.rows(DELIVERIES.format(ids=self.ids))
        ]
        self.by_job: dict[str, list[Delivery]] = {}
        for delivery in self.deliveries:
            self.by_job.setdefault(delivery.job, []).append(delivery)
        self.letters = database.rows(
            "select message_id, reason, queue, is_open, published_at is not null from dispatcher.dead_letter"
            f" where message_id in ({self.ids})"
        )
        self.stage.witness.read()
        # What went to devices that are none of the population's is the fault's own to judge.
        self.judged = [job for job in self.load.jobs if job.kind != "foreign"]
        self.pushes = Counter(
            (job.id, push.device) for job in self.judged for push in self.stage.witness.by_job.get(job.id, ())
        )

    def _check_jobs(self) -> None:
        """Nothing that was confirmed is lost; what was not confirmed may be there."""
        verdict, attempted, acknowledged = self.verdict, self.load.attempted(), self.load.acknowledged()
        present = set(self.audiences) | {row[0] for row in self.letters}
        verdict.attempted, verdict.acknowledged = len(attempted), len(acknowledged)
        lost = acknowledged - present
        verdict.lost = len(lost)
        if lost:
            verdict.complain("confirmed and lost", lost)
        verdict.recovered = len((attempted - acknowledged) & present)
        verdict.deliveries = len(self.deliveries)

    def _check_dead_letters(self) -> None:
        """Exactly those that were meant to be, for their reason, each once, and in the queue too."""
        expected = Counter()
        for job in self.load.jobs:
            if job.reason and job.acknowledged:
                expected[job.id, job.reason] = 1
            if job.rival is not None and job.acknowledged and job.rival_acknowledged:
                expected[job.id, "conflictingJob"] = 1
        found = Counter((row[0], row[1]) for row in self.letters)
        maybe = {(job.id, job.reason or "conflictingJob") for job in self.load.jobs if job.reason or job.rival}
        if missing := expected - found:
            self.verdict.complain("dead letters are missing", missing)
        surplus = [row[:3] for row in self.letters if (row[0], row[1]) not in maybe or found[row[0], row[1]] > 1]
        if surplus:
            self.verdict.complain("dead letters that nobody meant", surplus)
        if unpublished := [row[0] for row in self.letters if row[3:] != ["t", "t"]]:
            self.verdict.complain("dead letters without a message in push.dead", unpublished)

    def _check_audience(self, job: Job) -> None:
        """The audience is the one that the tags and users make, and each of it has ended."""
        rows = self.by_job.get(job.id, [])
        devices = {row.device for row in rows}
        for row in rows:
            if row.state not in FINAL:
                self._add("deliveries have not ended", f"{job.id} {row.device} {row.state}")
        if job.cancelled:
            return self._check_cancelled(job, rows)
        if self.audiences[job.id] != len(rows):
            self._add("audiences and their rows differ", f"{job.id} {self.audiences[job.id]} {len(rows)}")
        for device in job.audience - devices:
            self._add("jobs have not reached everybody", f"{job.kind} {job.id} {device}")
        for device in devices - job.audience - job.maybe:
            self.verdict.unexpected += 1
            self._add("jobs went to others", f"{job.kind} {job.id} {device}")
        self._check_ends(job, rows)

    def _check_cancelled(self, job: Job, rows: list[Delivery]) -> None:
        sent = [f"{job.id} {row.device}" for row in rows if row.state != "cancelled"]
        if self.states[job.id] != "cancelled" or sent or any(key[0] == job.id for key in self.pushes):
            self._add("cancelled and yet sent", " ".join(sent or [job.id]))

    def _check_ends(self, job: Job, rows: list[Delivery]) -> None:
        """Each delivery ends as the device's script says."""
        devices = {device.id: device for device in self.stage.population.of_hub(job.hub)}
        for row in rows:
            allowed = {"expired"} if job.kind == "expired" else devices[row.device].final_states() if row.device in devices else FINAL
            if job.kind == "crashing":
                allowed = {"failed", "suppressed"}
            if job.kind == "once" and row.is_ambiguous:
                allowed = allowed | {"unknown"}
            if self.fault.may_be_unfinished:
                allowed = allowed | {"failed", "expired", "unknown"}
            if row.state not in allowed:
                self._add("deliveries have ended wrongly", f"{job.kind} {job.id} {row.device} {row.state} {row.reason}")

    def _add(self, sentence: str, case: str) -> None:
        """One more case of something that is complained of once."""
        self.faults.setdefault(sentence, []).append(case)

    def _check_pushes(self) -> None:
        """What the gateways accepted and what the tables say is the same, and twice is only what was flagged."""
        known = {job.id for job in self.judged}
        rows = {(row.job, row.device): row for row in self.deliveries if row.job in known}
        flagged = {key for key, row in rows.items() if row.is_ambiguous}
        twice = {key for key, count in self.pushes.items() if count > 1}
        self.verdict.ambiguous, self.verdict.duplicated = len(flagged), len(twice)
        if not self.fault.ambiguous and (surprising := {key for key in flagged if not self._is_usual(key)}):
            self.verdict.complain("ambiguous without a reason", surprising)
        if twice - flagged:
            self.verdict.complain("accepted twice and not flagged", twice - flagged)
        if self.fault.kills and len(twice) > self.fault.kills * LOST_PER_KILL:
            self.verdict.complain(f"{len(twice)} were accepted twice after {self.fault.kills} kills")
        once = {job.id for job in self.load.jobs if job.kind == "once"}
        if again := [key for key in twice if key[0] in once]:
            self.verdict.complain("at most once, and accepted twice", again)
        if phantoms := [key for key, row in rows.items() if row.state == "accepted" and key not in self.pushes]:
            self.verdict.complain("accepted by the tables and by no gateway", phantoms)
        if silent := [key for key in self.pushes if key not in rows or self._denies(rows[key])]:
            self.verdict.complain("accepted by a gateway and not by the tables", silent)
        self._check_attempts(rows)

    def _is_usual(self, key: tuple[str, str]) -> bool:
        """Google was seen to deliver what it had answered with 503, so a device that is scripted so is flagged."""
        return any(device.id == key[1] and device.script.startswith("retry") for device in self.stage.population.devices)

    @staticmethod
    def _denies(row: Delivery) -> bool:
        return row.state != "accepted" and not row.is_ambiguous

    def _check_attempts(self, rows: dict[tuple[str, str], Delivery]) -> None:
        """The attempt that a gateway accepted is the one that the row counts."""
        wrong = []
        for job in self.load.jobs:
            for push in self.stage.witness.by_job.get(job.id, ()):
                row = rows.get((push.job, push.device))
                # An attempt whose answer was lost is counted when it is made again, and never when it is closed.
                lost = 1 if row and row.is_ambiguous and row.state != "accepted" else 0
                if row and push.attempt > row.attempts + lost:
                    wrong.append(f"{push.job} {push.device} attempt {push.attempt} of {row.attempts}")
                elif row and self.pushes[push.job, push.device] == 1 and row.state == "accepted" and push.attempt != row.attempts:
                    wrong.append(f"{push.job} {push.device} attempt {push.attempt}, the row says {row.attempts}")
        if wrong:
            self.verdict.complain("attempts are miscounted", wrong)

    def _check_unexpected(self) -> None:
        """Nobody's jobs are neither in the tables nor at the gateways."""
        foreign = set(self.stage.witness.by_job) - self.stage.known_jobs
        if foreign:
            self.verdict.unexpected += len(foreign)
            self.verdict.complain("pushes of jobs that nobody sent", foreign)
