"""An hour of a third of what the machine can do, with a fault each minute: nothing may grow, nothing may be lost."""

from __future__ import annotations

import subprocess
import time
from collections import Counter
from pathlib import Path
from random import Random

import report
from fault import Fault, all_faults
from growth import check_growth
from ledgers import check_logs, check_processes, check_tables
from psql import Refused
from sampler import Sampler
from settings import Settings, say
from soak_load import SoakLoad
from soak_plot import draw
from stage import Stage
from stages import start_stage
from verdict import Verdict

# Those that leave the same stage behind; a soak skips what is not there.
FAULTS = (
    "worker-kill", "worker-term", "worker-rolling-restart", "worker-freeze-short", "worker-freeze", "gateway-unavailable",
    "gateway-accept-then-drop", "http-kill", "broker-restart", "broker-kill", "database-restart", "database-crash",
    "database-backend-killed", "database-sessions-ended", "broker-events-missing",
)  # fmt: skip
INTERVAL = 60
PEAK_BROADCASTS = 30
SLOW_DOWN = 3
TRIES = 4
SLOW = (Refused, OSError, RuntimeError, subprocess.SubprocessError)
RIPE = 150  # seconds after which everything of a job must have ended


class Soak:
    """One stage, one load, many faults."""

    def __init__(self, stage: Stage, minutes: float, rate: float | None, folder: Path) -> None:
        self.stage = stage
        self.seconds = minutes * 60
        self.folder = folder
        self.dice = Random(f"{stage.settings.seed} soak")
        self.verdict = Verdict("soak", ("F29",), 1)
        self.load = SoakLoad(stage, self.dice)
        self.rate = rate or self.load.peak(PEAK_BROADCASTS) / SLOW_DOWN
        self.struck: Counter[str] = Counter()

    def play(self) -> Verdict:
        say(f"faults: soaking at {self.rate:.0f} deliveries a second for {self.seconds / 60:.0f} min")
        self.stage.load = self.load
        sampler = Sampler(self.stage, self.load, self.folder / "soak.csv")
        sampler.start()
        self.load.begin(self.rate)
        try:
            self._strike_all()
        finally:
            self.load.end()
            self._heal()
        if not self.stage.drain(300):
            self.verdict.complain(f"not quiet after 300 s: {self.stage.unfinished()} rows of work")
        sampler.stop()
        self._judge_all()
        draw(self.folder / "soak.csv", self.folder / "soak.svg", self.rate, self.struck)
        return self.verdict

    def _strike_all(self) -> None:
        faults = [fault() for name, fault in all_faults().items() if name in FAULTS and not fault.needs]
        began = time.monotonic()
        for minute in range(1, int(self.seconds / INTERVAL)):
            time.sleep(max(0.0, began + minute * INTERVAL - 30 - time.monotonic()))
            self._strike(self.dice.choice(faults))
            self.load.judge(self.verdict, RIPE)
            self._tell(minute)
            if time.monotonic() - began > self.seconds:
                return
        time.sleep(max(0.0, began + self.seconds - time.monotonic()))

    def _strike(self, fault: Fault) -> None:
        self.struck[fault.name] += 1
        self.load.fault = fault.name
        try:
            fault.strike(self.stage, self.dice)
            fault.heal(self.stage)
        except SLOW as error:
            say(f"faults: {fault.name} was cut short: {error!r}")
        finally:
            self._heal()
            self.load.fault = ""

    def _heal(self) -> None:
        """On a machine that is busy a server may need longer to come back than anybody waits for it."""
        for _ in range(TRIES - 1):
            try:
                return self.stage.heal()
            except SLOW as error:
                say(f"faults: not healed yet: {error!r}")
        self.stage.heal()

    def _tell(self, minute: int) -> None:
        size = sum(self.struck.values())
        say(f"faults: minute {minute}: {self.load.deliveries} deliveries judged, {size} faults, {len(self.verdict.wrong)} wrong")

    def _judge_all(self) -> None:
        self.load.judge(self.verdict, 0)
        verdict = self.verdict
        verdict.attempted, verdict.acknowledged = self.load.published, self.load.confirmed
        verdict.deliveries, verdict.ambiguous = self.load.deliveries, self.load.ambiguous
        verdict.duplicated = self.load.duplicated
        check_tables(self.stage, verdict, may_differ=True)
        check_processes(self.stage, verdict)
        check_logs(self.stage, verdict)
        check_growth(self.folder / "soak.csv", verdict)


def soak(settings: Settings, minutes: float, rate: float | None) -> Verdict:
    stage = start_stage(settings, ())
    try:
        verdict = Soak(stage, minutes, rate, settings.home).play()
    finally:
        stage.stop()
    report.show_head()
    report.show(verdict)
    return verdict
