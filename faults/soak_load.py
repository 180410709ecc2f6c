"""A steady load for an hour: judged job by job as it goes, and forgotten after that."""

from __future__ import annotations

import threading
import time
from collections import Counter, deque
from random import Random
from typing import TYPE_CHECKING

from jobs import Job, JobMaker
from population import audience
from psql import Refused
from publisher import Publisher
from verdict import Verdict

if TYPE_CHECKING:
    from stage import Stage

SINGLES = 15  # a second, the rest are broadcasts
SINGLE_SIZE = 2
URGENT_PAUSE = 2.0
SUMMARY = """
    select n.job_id::text, n.audience, count(d.*), count(d.*) filter (where d.state = 2),
           count(d.*) filter (where d.state = 1), count(d.*) filter (where d.is_ambiguous)
    from dispatcher.notification n left join dispatcher.delivery d on d.notification_id = n.id
    where n.job_id in ({ids}) group by n.id"""
FLAGGED = """
    select notification_id::text, installation_id from dashboard.deliveries
    where ambiguous and notification_id in ({ids})"""


class SoakLoad:
    """Broadcasts and jobs for one user, at a rate of deliveries; and an urgent one now and then, to see how long it takes."""

    def __init__(self, stage: Stage, dice: Random) -> None:
        self.stage = stage
        self.maker = JobMaker(stage.population, Random(dice.random()))
        self.reach = len(audience(stage.population.of_hub("default"))[0])
        self.by_id: dict[str, Job] = {}  # what is not judged yet
        self.fault = ""
        self.published = self.confirmed = self.deliveries = self.duplicated = self.ambiguous = 0
        self.urgent: deque[float] = deque(maxlen=5)  # seconds from the publish to the gateway
        self.revisions: dict[str, int] = {}
        self.receipts: dict[str, object] = {}
        self._open: deque[tuple[float, Job]] = deque()
        self._turn = threading.Lock()
        self._is_over = threading.Event()
        self._threads: list[threading.Thread] = []

    def peak(self, broadcasts: int) -> float:
        """Deliveries a second when so many broadcasts are there at once."""
        publisher = Publisher(lambda: self.stage.broker.url)
        self.stage.witness.read()
        jobs = [self.maker.make("broadcast") for _ in range(broadcasts)]
        began = time.monotonic()
        for job in jobs:
            self._publish(publisher, job)
        wanted = broadcasts * sum(device.is_well for device in self.stage.population.of_hub("default"))
        while sum(len(self.stage.witness.by_job[job.id]) for job in jobs) < wanted:
            time.sleep(0.2)
            self.stage.witness.read()
        publisher.close()
        return broadcasts * self.reach / (time.monotonic() - began)

    def begin(self, rate: float) -> None:
        pause = self.reach / max(rate - SINGLES * SINGLE_SIZE, 1)
        for work in (lambda: self._repeat("broadcast", pause), lambda: self._repeat("single", 1 / SINGLES), self._probe):
            thread = threading.Thread(target=work, daemon=True)
            self._threads.append(thread)
            thread.start()

    def end(self) -> None:
        self._is_over.set()
        for thread in self._threads:
            thread.join()

    def wait_for_share(self, share: float) -> None:
        """A load without an end has no shares."""
        time.sleep(share * 4)

    def acknowledged(self) -> set[str]:
        with self._turn:
            return {job.id for _, job in self._open if job.acknowledged}

    def _repeat(self, kind: str, pause: float) -> None:
        publisher = Publisher(lambda: self.stage.broker.url)
        due = time.monotonic()
        while not self._is_over.wait(max(0.0, due - time.monotonic())):
            job = self.maker.make(kind)
            job.over_http, job.insists = False, True
            self._publish(publisher, job)
            # After an outage the rate goes on as before, without what could not be published.
            due = max(due + pause, time.monotonic())
        publisher.close()

    def _publish(self, publisher: Publisher, job: Job) -> None:
        with self._turn:
            self.by_id[job.id] = job
            self.stage.known_jobs.add(job.id)
            self.published += 1
        job.acknowledged = publisher.insist(f"jobs.{job.lane}", job.body, job.id, lambda: self._is_over.is_set())
        with self._turn:
            self.confirmed += job.acknowledged
            self._open.append((time.monotonic(), job))

    def _probe(self) -> None:
        publisher = Publisher(lambda: self.stage.broker.url)
        while not self._is_over.wait(URGENT_PAUSE):
            job = self.maker.make("single")
            job.lane = "high"
            began = time.monotonic()
            self._publish(publisher, job)
            self._await_push(job, began)
        publisher.close()

    def _await_push(self, job: Job, began: float) -> None:
        well = any(device.is_well and device.id in job.audience for device in self.stage.population.devices)
        while well and job.acknowledged and not self._is_over.is_set() and time.monotonic() - began < 60:
            self.stage.witness.read()
            if self.stage.witness.by_job.get(job.id):
                self.urgent.append(time.monotonic() - began)
                return
            time.sleep(0.01)

    def judge(self, verdict: Verdict, age: float) -> None:
        """Everything of the jobs that are old enough must have ended; they are forgotten after that."""
        self.stage.witness.read()
        ripe = self._take(time.monotonic() - age)
        for start in range(0, len(ripe), 500):
            if not self._judge_if_asked(verdict, ripe[start : start + 500]):
                return self._put_back(ripe[start:])
            self.stage.witness.forget({job.id for job in ripe[start : start + 500]})
        self.stage.witness.punch()

    def _judge_if_asked(self, verdict: Verdict, jobs: list[Job]) -> bool:
        """Whether the database let itself be asked; on a machine that is busy it may take another minute."""
        try:
            self._judge(verdict, jobs)
        except (Refused, OSError):
            return False
        return True

    def _put_back(self, jobs: list[Job]) -> None:
        with self._turn:
            self._open.extendleft((0.0, job) for job in reversed(jobs))

    def _take(self, until: float) -> list[Job]:
        ripe = []
        with self._turn:
            while self._open and self._open[0][0] <= until:
                ripe.append(self._open.popleft()[1])
        return ripe

    def _judge(self, verdict: Verdict, jobs: list[Job]) -> None:
        # Both questions come first, so that jobs are judged all or not at all.
        ids = ",".join(f"'{job.id}'" for job in jobs)
        found = {row[0]: [int(value) for value in row[1:]] for row in self.stage.database.rows(SUMMARY.format(ids=ids))}
        flagged = {(row[0], row[1]) for row in self.stage.database.rows(FLAGGED.format(ids=ids))}
        self.ambiguous += len(flagged)
        for job in jobs:
            if job.acknowledged and job.id not in found:
                verdict.lost += 1
                verdict.complain(f"{job.kind} {job.id} was confirmed and is lost")
            elif job.id in found:
                self._judge_job(verdict, job, found[job.id], flagged)

    def _judge_job(self, verdict: Verdict, job: Job, counts: list[int], flagged: set[tuple[str, str]]) -> None:
        planned, rows, accepted, waiting, _ = counts
        pushes = Counter(push.device for push in self.stage.witness.by_job.get(job.id, ()))
        self.deliveries += rows
        twice = {device for device, count in pushes.items() if count > 1}
        self.duplicated += len(twice)
        if waiting or planned != rows or not len(job.audience) <= rows <= len(job.audience | job.maybe):
            verdict.complain(f"{job.kind} {job.id}: audience {planned}, rows {rows} ({waiting} wait), expected {len(job.audience)}")
        if unflagged := {device for device in twice if (job.id, device) not in flagged}:
            verdict.complain(f"{job.id} was accepted twice and is not flagged", unflagged)
        if not accepted <= len(pushes) <= accepted + sum(key[0] == job.id for key in flagged):
            verdict.complain(f"{job.id}: the tables say {accepted}, the gateways {len(pushes)}")
