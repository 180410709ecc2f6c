"""The campaign: for each fault generate, strike, heal, drain, check. See scripts/fault-test --help."""

from __future__ import annotations

import argparse
import importlib
import secrets
import signal
import sys
import time
import traceback
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Callable

import report
from fault import Fault, all_faults
from invariants import judge_tables
from ledgers import check_logs, check_processes
from settings import DEBUG, RELEASE, Settings, say
from soak import soak
from stage import Stage
from stages import Stages
from verdict import Verdict

SHORT = ("calm", "worker-kill-all", "worker-rolling-restart", "poison", "http-kill")
SHORT_SEED = 5
HEAL_BOUND = 15


def load_faults() -> None:
    for path in sorted(Path(__file__).parent.glob("faults_*.py")):
        importlib.import_module(path.stem)


def run_fault(stage: Stage, fault: Fault, number: int) -> Verdict:
    """One fault from its load to its verdict."""
    settings = stage.settings
    dice = Random(f"{settings.seed} {fault.name} {number}")
    verdict = Verdict(fault.name, fault.reference, number)
    set_environment(stage, fault)
    fault.prepare(stage)
    load = stage.new_load(dice, fault.jobs or settings.jobs, fault.rate)
    fault.add_jobs(stage, load)
    stage.know(load)
    load.begin()
    fault.strike(stage, dice)
    fault.heal(stage)
    stage.heal()
    stage.finality.remember(load)
    began = time.monotonic()
    verdict.heal_seconds = load.probe(fault.probed, HEAL_BOUND + fault.heal_patience)
    load.finish()
    if stage.drain(fault.patience):
        verdict.quiet_seconds = time.monotonic() - began
    else:
        verdict.complain(f"not quiet after {fault.patience:.0f} s: {stage.unfinished()} rows of work, unheard", stage.unheard())
    judge(stage, fault, verdict)
    return verdict


def judge(stage: Stage, fault: Fault, verdict: Verdict) -> None:
    judge_tables(stage, fault, verdict)
    stage.finality.remember(stage.load)
    check_processes(stage, verdict)
    check_logs(stage, verdict)
    if verdict.heal_seconds is None:
        verdict.complain(f"an urgent job was not sent within {HEAL_BOUND + fault.heal_patience:.0f} s of the end of the fault")
    for sentence in fault.check(stage):
        verdict.complain(sentence)


def set_environment(stage: Stage, fault: Fault) -> None:
    """Workers with the environment that the fault wants."""
    wanted = fault.environment(stage)
    if wanted != stage.extra:
        stage.extra = wanted
        stage.workers.replace_all()


def run_all(settings: Settings, faults: list[Fault], keep: Callable[[list[Verdict]], None]) -> list[Verdict]:
    """One stage for all faults that need the same; what is known is kept after each."""
    verdicts: list[Verdict] = []
    report.show_head()
    for needs, group in groupby(sorted(faults, key=lambda fault: sorted(fault.needs)), key=lambda fault: fault.needs):
        stages = Stages(settings, needs)
        try:
            for fault in group:
                for number in range(1, settings.rounds + 1):
                    verdicts.append(run_guarded(stages, fault, number))
                    report.show(verdicts[-1])
                    keep(verdicts)
        finally:
            stages.stop()
    return verdicts


def run_guarded(stages: Stages, fault: Fault, number: int) -> Verdict:
    """A verdict also when the fault could not be played to its end: the others shall be played all the same."""
    try:
        return run_fault(stages.get(), fault, number)
    except Exception as error:  # whatever the harness met: it is in the verdict, and the stage is not trusted again
        traceback.print_exc()
        stages.stop()
        verdict = Verdict(fault.name, fault.reference, number)
        verdict.complain(f"not played to its end: {type(error).__name__}: {error}")
        return verdict


def chosen_faults(settings: Settings) -> list[Fault]:
    faults = all_faults()
    names = settings.only or (SHORT if settings.short else tuple(faults))
    unknown = [name for name in names if name not in faults]
    if unknown:
        sys.exit(f"scripts/fault-test: no fault is called {', '.join(unknown)}; see --list")
    return [faults[name]() for name in names]


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/fault-test", description="Breaks what can break, and checks what must hold.")
    parser.add_argument("--seed", type=int, help="of a campaign that is to be played again; printed by each")
    parser.add_argument("--only", metavar="NAME[,NAME…]", default="", help="these faults alone")
    parser.add_argument("--rounds", type=int, default=1, help="how often each fault is played")
    parser.add_argument("--short", action="store_true", help="a few faults with few jobs, as scripts/test does")
    parser.add_argument("--list", action="store_true", help="names of all faults")
    parser.add_argument("--json", type=Path, help="writes the verdicts to this file")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="prints the tables of docs/reliability.md, from such a file")
    parser.add_argument("--jobs", type=int, help="how many jobs each fault has")
    parser.add_argument("--soak", type=float, metavar="MINUTES", help="instead: a steady load with a fault each minute")
    parser.add_argument("--rate", type=float, help="deliveries a second of a soak; a third of what it measures otherwise")
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--program", type=Path, default=RELEASE, help="the dispatcher to try; not built then")
    parser.add_argument("--debug-program", type=Path, default=DEBUG, help="one with the hooks for faults")
    return parser.parse_args()


def make_settings(arguments: argparse.Namespace) -> Settings:
    seed = arguments.seed if arguments.seed is not None else SHORT_SEED if arguments.short else secrets.randbelow(2**32)
    return Settings(
        seed=seed, program=arguments.program.resolve(), debug_program=arguments.debug_program.resolve(),
        only=tuple(filter(None, arguments.only.split(","))), rounds=arguments.rounds, short=arguments.short,
        workers=arguments.workers, jobs=arguments.jobs or (120 if arguments.short else 300),
        devices=300 if arguments.short else 3000 if arguments.soak else 600,
    )  # fmt: skip


def write(path: Path | None, settings: Settings, verdicts: list[Verdict]) -> None:
    if path:
        report.write_json(path, settings, verdicts)


def main() -> int:
    arguments = parse()
    # As Ctrl-C: every stage is ended on the way out.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    load_faults()
    if arguments.markdown:
        print(report.descriptions(all_faults()))
        print(report.markdown(arguments.markdown))
        return 0
    if arguments.list:
        for name, cls in all_faults().items():
            print(f"{name:32} {' '.join(cls.reference):8} {(cls.__doc__ or '').splitlines()[0] if cls.__doc__ else ''}")
        return 0
    settings = make_settings(arguments)
    print(f"seed {settings.seed}", flush=True)
    if arguments.soak:
        verdicts = [soak(settings, arguments.soak, arguments.rate)]
    else:
        verdicts = run_all(settings, chosen_faults(settings), lambda known: write(arguments.json, settings, known))
    write(arguments.json, settings, verdicts)
    broken = [verdict.fault for verdict in verdicts if not verdict.holds]
    if broken:
        say(f"faults: BROKEN by {', '.join(broken)}; play it again with --seed {settings.seed}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
