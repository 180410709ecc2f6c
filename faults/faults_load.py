"""What clients do to the hub: the same again and again, and what can never be a job."""

from __future__ import annotations

import sys
import threading
import time
from random import Random

from fault import Fault, fault
from load import Load
from population import FORGETFUL
from publisher import Publisher
from stage import Stage


@fault
class Duplicates(Fault):
    """each job 100 times in parallel over four connections, some with another body; and jobs of before once more"""

    name = "duplicates"
    reference = ("F24",)
    jobs = 60
    rate = 20

    def add_jobs(self, stage: Stage, load: Load) -> None:
        load.replace(load.jobs + load.maker.many("twice", 10, copies=100, insists=True) + load.maker.many("conflict", 10))

    def strike(self, stage: Stage, dice: Random) -> None:
        publisher = Publisher(lambda: stage.broker.url)
        old = [job for load in stage.earlier_loads for job in load.jobs if job.acknowledged and not job.reason and not job.rival]
        self.replayed = dice.sample(old, min(50, len(old)))
        self.before = {job.id: len(stage.witness.by_job[job.id]) for job in self.replayed}
        for job in self.replayed:
            publisher.publish(f"jobs.{job.lane}", job.body, job.id)
        publisher.close()

    def check(self, stage: Stage) -> list[str]:
        again = [job.id for job in self.replayed if len(stage.witness.by_job[job.id]) != self.before[job.id]]
        return [f"jobs of before were sent again: {again}"] if again else []


@fault
class Poison(Fault):
    """everything that is no job, three times each, among jobs that are"""

    name = "poison"
    reference = ("F25", "F27")

    def add_jobs(self, stage: Stage, load: Load) -> None:
        poison = [job for _ in range(3) for job in load.maker.every_poison()]
        jobs = load.jobs + poison
        load.dice_of("order").shuffle(jobs)
        load.replace(jobs)

    def strike(self, stage: Stage, dice: Random) -> None:
        stage.load.wait_for_share(0.9)


@fault
class NestedHeaders(Fault):
    """good jobs whose AMQP headers are nested to the limit of a frame"""

    name = "nested-headers"
    reference = ("F25",)
    jobs = 60
    depths = (10, 100, 1_000, 8_000)

    def add_jobs(self, stage: Stage, load: Load) -> None:
        self.nested = load.maker.many("single", len(self.depths), over_http=False, insists=True)
        load.replace(load.jobs + self.nested)

    def strike(self, stage: Stage, dice: Random) -> None:
        # Encoding such headers calls itself once for each level.
        limit, size = sys.getrecursionlimit(), threading.stack_size(256 * 1024 * 1024)
        sys.setrecursionlimit(100_000)
        thread = threading.Thread(target=self._publish, args=(stage,))
        thread.start()
        thread.join()
        threading.stack_size(size)
        sys.setrecursionlimit(limit)

    def _publish(self, stage: Stage) -> None:
        publisher = Publisher(lambda: stage.broker.url)
        for depth, job in zip(self.depths, self.nested, strict=True):
            headers: dict = {"x": 1}
            for _ in range(depth):
                headers = {"x": headers}
            publisher.publish(f"jobs.{job.lane}", job.body, job.id, headers)
        publisher.close()


@fault
class Erasure(Fault):
    """users are forgotten while a broadcast goes out to them: nothing of them stays, and nothing is sent to them any more"""

    name = "erasure"
    reference = ("F34",)
    users = 12

    def prepare(self, stage: Stage) -> None:
        self.names = [f"forgotten-{stage.load_number}-{number}" for number in range(self.users)]
        devices = stage.population.visitors(FORGETFUL, self.names)
        stage.register(devices)
        self.devices = [device.id for device in devices]

    def add_jobs(self, stage: Stage, load: Load) -> None:
        maybe = frozenset(self.devices) | {""}
        jobs = [load.maker.to_hub(FORGETFUL, {"broadcast": True}, maybe, lane="bulk") for _ in range(3)]
        jobs += [load.maker.to_hub(FORGETFUL, {"users": [name]}, maybe) for name in self.names]
        load.replace(load.jobs + jobs)
        load.dice_of("order").shuffle(load.jobs)

    def strike(self, stage: Stage, dice: Random) -> None:
        client = stage.client()
        for number, name in enumerate(self.names):
            stage.load.wait_for_share((number + 1) / (self.users + 2))
            client.insist_on(202, FORGETFUL, "DELETE", f"/api/users/{name}")
        time.sleep(1)
        self.sent = self._pushes(stage)

    def _pushes(self, stage: Stage) -> int:
        stage.witness.read()
        jobs = [job.id for job in stage.load.jobs if job.kind == "foreign"]
        return sum(len(stage.witness.by_job[job]) for job in jobs)

    def check(self, stage: Stage) -> list[str]:
        client = stage.client()
        more = self._pushes(stage) - self.sent
        wrong = [f"{more} pushes to forgotten users after their erasure"] if more else []
        for name in self.names:
            state = client.wait_for_state(FORGETFUL, f"/api/users/{name}/erasure", "done", 60)
            if state != "done":
                wrong.append(f"the erasure of {name} is {state}")
        return wrong + [f"{table} still names a forgotten user" for table in stage.tables_with("forgotten-")]
