"""The load of one fault: the same jobs, registrations and receipts for the same seed, at an even pace, with confirms."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from random import Random
from typing import TYPE_CHECKING, Callable

from api import HubClient
from jobs import Job, JobMaker
from publisher import Publisher
from witness import Acceptance

if TYPE_CHECKING:
    from stage import Stage

PUBLISHERS = 4
CLIENTS = 2
REGISTRATIONS = 30
RECEIPT_SHARE = 10  # one in so many accepted pushes is reported as displayed
MOST_RECEIPTS = 200
PATIENCE = 180

class Load:
    """Publishes in the background. Whoever strikes asks how far it is."""

    def __init__(self, stage: Stage, dice: Random, jobs: list[Job] | None = None, count: int = 300, rate: float = 60) -> None:
        self.stage = stage
        self.dice = dice
        self.rate = rate
        self.maker = JobMaker(stage.population, dice)
        self.jobs = self.maker.mixture(count) if jobs is None else jobs
        self.by_id = {job.id: job for job in self.jobs}
        self.receipts: dict[str, Acceptance] = {}  # confirmed ones by their id
        self.revisions: dict[str, int] = {}  # the confirmed registration of a device that was published last
        self._tried = 0
        self._turn = threading.Lock()
        self._threads: list[threading.Thread] = []
        self._is_over = threading.Event()

    def replace(self, jobs: list[Job]) -> None:
        """Other jobs, before it begins."""
        self.jobs = jobs
        self.by_id = {job.id: job for job in jobs}

    def begin(self) -> None:
        amqp = [(place, job) for place, job in enumerate(self.jobs) if not job.over_http for _ in range(job.copies)]
        http = [(place, job) for place, job in enumerate(self.jobs) if job.over_http]
        self._began = time.monotonic()
        self._give_up = self._began + len(self.jobs) / self.rate + PATIENCE
        self._run_all(self._publish_jobs, amqp, PUBLISHERS)
        self._run_all(self._send_jobs, http, CLIENTS)
        self._run(self._register)
        self._run(self._report)

    def wait_for_share(self, share: float) -> None:
        """Until so much of it has been tried for the first time."""
        while self._tried < share * len(self.jobs) and any(thread.is_alive() for thread in self._threads):
            time.sleep(0.005)

    def finish(self) -> None:
        """Waits until every job has been tried to the end, and everything that was accepted meanwhile is reported."""
        for thread in self._threads[:-1]:
            thread.join()
        self._is_over.set()
        self._threads[-1].join()

    def publish_now(self, job: Job, seconds: float) -> None:
        """Publishes one more job at once."""
        self.publish_in_turn([job], seconds)

    def publish_in_turn(self, jobs: list[Job], seconds: float) -> None:
        """Publishes more jobs at once, each when the one before it is confirmed, as long as there is time."""
        with self._turn:
            for job in jobs:
                self.jobs.append(job)
                self.by_id[job.id] = job
                job.attempted = True
        self.stage.know(self)
        began = time.monotonic()
        publisher = Publisher(lambda: self.stage.broker.url)
        for job in jobs:
            job.acknowledged = publisher.insist(
                f"jobs.{job.lane}", job.body, job.id, lambda: time.monotonic() - began > seconds
            )
        publisher.close()

    def probe(self, platform: str, seconds: float) -> float | None:
        """Publishes an urgent job; answers the seconds until its gateway has it."""
        began = time.monotonic()
        job = self.maker.probe(platform)
        self.publish_now(job, seconds)
        while time.monotonic() - began < seconds:
            self.stage.witness.read()
            if self.stage.witness.by_job.get(job.id):
                return time.monotonic() - began
            time.sleep(0.02)
        return None

    def attempted(self) -> set[str]:
        return {job.id for job in self.jobs if job.attempted}

    def acknowledged(self) -> set[str]:
        return {job.id for job in self.jobs if job.acknowledged}

    def is_enough(self) -> bool:
        """Whether even those who insist give up."""
        return time.monotonic() > self._give_up

    def _run(self, work: Callable, *arguments: object) -> None:
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _run_all(self, work: Callable, places: list[tuple[int, Job]], hands: int) -> None:
        queue = iter(places)
        for _ in range(hands):
            self._run(work, queue)

    def _next(self, queue) -> Job | None:
        """The next job, when its time has come."""
        with self._turn:
            place, job = next(queue, (0, None))
        if job is not None:
            time.sleep(max(0.0, self._began + place / self.rate - time.monotonic()))
            with self._turn:
                self._tried += not job.attempted
                job.attempted = True
        return job

    def _publish_jobs(self, queue) -> None:
        publisher = Publisher(lambda: self.stage.broker.url)
        while job := self._next(queue):
            self._publish(publisher, job)
        publisher.close()

    def _publish(self, publisher: Publisher, job: Job) -> None:
        key = f"jobs.{job.lane}"
        enough = self.is_enough if job.insists else lambda: True
        if publisher.insist(key, job.body, job.id, enough):
            job.acknowledged = True
        if job.rival is not None:
            job.rival_acknowledged = publisher.insist(key, job.rival, job.id, self.is_enough)

    def _send_jobs(self, queue) -> None:
        client = HubClient(self.stage.http.address, self.stage.secrets)
        while job := self._next(queue):
            enough = self.is_enough if job.insists else lambda: True
            if client.insist(job.hub, job.body, enough):
                job.acknowledged = True
            if job.kind == "cancelled" and job.acknowledged:
                job.cancelled = client.cancel(job.hub, job.id, self.is_enough)

    def _register(self) -> None:
        """Devices that are well come again, with a number that only grows."""
        publisher = Publisher(lambda: self.stage.broker.url)
        devices = self.dice_of("registrations").choices([d for d in self.stage.population.devices if d.is_well], k=REGISTRATIONS)
        for device in devices:
            device.revision += 1
            body = json.dumps(device.registration()).encode()
            if publisher.insist("installations", body, None, self.is_enough):
                self.revisions[device.id] = device.revision
            time.sleep(len(self.jobs) / self.rate / REGISTRATIONS)
        publisher.close()

    def dice_of(self, name: str) -> Random:
        """Other dice, so that what is thrown with them changes nothing else."""
        return Random(f"{name} {self.jobs[0].id if self.jobs else ''}")

    def _report(self) -> None:
        """As phones do: what was accepted is displayed some moments later."""
        publisher = Publisher(lambda: self.stage.broker.url)
        while not self._is_over.is_set():
            for acceptance in self.stage.witness.read():
                if self._is_reported(acceptance):
                    self._report_one(publisher, acceptance)
            self._is_over.wait(0.2)
        publisher.close()

    def _is_reported(self, acceptance: Acceptance) -> bool:
        digest = hashlib.sha256(f"{acceptance.job} {acceptance.device}".encode()).digest()
        job = self.by_id.get(acceptance.job)
        is_ours = job is not None and job.kind != "foreign"
        return is_ours and digest[0] % RECEIPT_SHARE == 0 and len(self.receipts) < MOST_RECEIPTS

    def _report_one(self, publisher: Publisher, acceptance: Acceptance) -> None:
        receipt_id = f"{acceptance.job} {acceptance.device} displayed"
        receipt = {
            "id": receipt_id, "hub": self.by_id[acceptance.job].hub, "notificationId": acceptance.job,
            "installationId": acceptance.device, "kind": "displayed",
            "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        }  # fmt: skip
        if publisher.insist("receipts", json.dumps(receipt).encode(), None, self.is_enough):
            self.receipts[receipt_id] = acceptance
