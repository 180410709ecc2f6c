"""Faults that last a while under load that goes on before, during and after."""

from __future__ import annotations

import time
from random import Random

from fault import Fault
from proxy import Proxy
from stage import Stage

# The most connections that one who lost his may try in a minute, and what a count of a moment may be beside it.
TRIES_A_MINUTE = 10


class Lasting(Fault):
    """Begins somewhere in the first fifth of the load, lasts for some seconds; the load is longer than both."""

    rate = 25
    seconds: float = 10  # it lasts so long, or longer when `begin` takes longer
    expected: float | None = None  # how long it takes, when `begin` ends it itself
    needs = ("proxies",)
    patience = 180
    loses_confirms = True

    @property
    def jobs(self) -> int:  # type: ignore[override]
        return round(self.rate * ((self.expected or self.seconds) * 1.3 + 15))

    def begin(self, stage: Stage, dice: Random) -> None:
        """What breaks."""
        raise NotImplementedError

    def strike(self, stage: Stage, dice: Random) -> None:
        stage.load.wait_for_share(dice.uniform(0.05, 0.2))
        self.watch = [Tries(proxy) for proxy in (stage.proxies.amqp, stage.proxies.database)]
        self.began = time.monotonic()
        self.begin(stage, dice)
        time.sleep(max(0.0, self.began + self.seconds - time.monotonic()))
        for tries in self.watch:
            tries.end()

    def check(self, stage: Stage) -> list[str]:
        return [sentence for tries in self.watch for sentence in tries.check()]


class Tries:
    """Counts the connections that come to a proxy while something is broken behind it."""

    def __init__(self, proxy: Proxy) -> None:
        self.proxy = proxy
        self.began = time.monotonic()
        self.before = proxy.open_links
        self.count = 0
        self.seconds = 0.0

    def end(self) -> None:
        self.count = self.proxy.reconnects(self.began)
        self.seconds = time.monotonic() - self.began

    def check(self) -> list[str]:
        """Each that was connected may try so often in each minute that has begun."""
        minutes = int(self.seconds // 60) + 1
        if self.count <= self.before * TRIES_A_MINUTE * minutes:
            return []
        return [f"{self.before} connections to {self.proxy.name} became {self.count} tries in {self.seconds:.0f} s"]
