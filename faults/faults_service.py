"""The HTTP API killed and stopped: what it has answered with 202 is not lost."""

from __future__ import annotations

import time
from random import Random

from fault import Fault, fault
from load import Load
from stage import Stage

REQUESTS = 150


class ServiceFault(Fault):
    """Most of the load comes over HTTP."""

    def add_jobs(self, stage: Stage, load: Load) -> None:
        singles = load.maker.many("single", REQUESTS, over_http=True)
        load.replace([job for pair in zip(load.jobs, singles, strict=False) for job in pair] + load.jobs[len(singles):])


@fault
class KillService(ServiceFault):
    """kill -9 of the API under load"""

    name = "http-kill"
    reference = ("F1",)

    def strike(self, stage: Stage, dice: Random) -> None:
        stage.load.wait_for_share(dice.uniform(0.3, 0.6))
        stage.http.process.kill()
        time.sleep(1)


@fault
class TerminateService(ServiceFault):
    """SIGTERM of the API under load: what has arrived is answered, exit status 0"""

    name = "http-term"
    reference = ("F2",)

    def strike(self, stage: Stage, dice: Random) -> None:
        stage.load.wait_for_share(dice.uniform(0.3, 0.6))
        began = time.monotonic()
        self.status = stage.http.process.end()
        self.seconds = time.monotonic() - began

    def check(self, stage: Stage) -> list[str]:
        return [] if self.status == 0 else [f"the API ended with status {self.status} after {self.seconds:.1f} s"]


@fault
class FreezeService(ServiceFault):
    """SIGSTOP of the API for some seconds"""

    name = "http-freeze"
    reference = ("F15",)

    def strike(self, stage: Stage, dice: Random) -> None:
        stage.load.wait_for_share(dice.uniform(0.3, 0.6))
        stage.http.process.freeze()
        time.sleep(5)
        stage.http.process.thaw()
