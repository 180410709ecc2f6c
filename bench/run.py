"""The benchmark: Dispatcher beside what one would build instead, in the same minutes, on the same servers.

Contenders take turns within each round, so that whatever the machine does meanwhile meets all of them.
"""

import argparse
import json
import signal
import sys
import time
from dataclasses import dataclass

import measures
import rendering
import report
import workload
from contenders import OUR_ENVIRONMENT, opponents, ours
from servers import DISPATCHER, HOME, ROOT, Servers, build_programs, install_python_packages, run, say

MEASURES = ["single_user", "broadcast", "growth", "urgency", "idle", "render"]
NEEDS_NO_SERVER = {"render"}


@dataclass
class Plan:
    """How much is measured."""

    rounds: int
    jobs: int
    slow_jobs: int
    audience: int
    sizes: list
    urgent: int
    idle_seconds: int
    render_seconds: int


FULL = Plan(3, 20_000, 20_000, 1_000_000, [10_000, 100_000, 1_000_000, 3_000_000], 400, 30, 60)
QUICK = Plan(3, 20_000, 1_000, 300_000, [10_000, 100_000, 300_000], 150, 10, 20)
SINGLE_USER_DEVICES = 100_000
URGENT_PACE_MS = 10


class Benchmark:
    """One run. Devices are only ever added, so the measures follow the size they need."""

    def __init__(self, servers, plan, only, with_ours):
        self.servers, self.plan, self.only, self.with_ours = servers, plan, only, with_ours
        self.devices = 0
        self.results = {measure: {} for measure in only}

    def execute(self):
        self.prepare()
        sizes = {SINGLE_USER_DEVICES, self.plan.audience} | (set(self.plan.sizes) if "growth" in self.only else set())
        for size in sorted(sizes):
            if self.is_needed(size):
                self.grow(size)
                self.measure(size)
        return self.results

    def is_needed(self, size):
        if size == SINGLE_USER_DEVICES and "single_user" in self.only:
            return True
        if size == self.plan.audience and {"broadcast", "urgency", "idle"} & set(self.only):
            return True
        return "growth" in self.only and self.with_ours

    def measure(self, size):
        if size == SINGLE_USER_DEVICES and "single_user" in self.only:
            self.single_user()
        if size == self.plan.audience and "broadcast" in self.only:
            self.broadcast()
        if not self.with_ours:
            return
        if "growth" in self.only and size in self.plan.sizes:
            self.growth(size)
        if size == self.plan.audience and "urgency" in self.only:
            self.urgency()
        if size == self.plan.audience and "idle" in self.only:
            self.results["idle"] = [measures.idle(self.servers, ours(), self.plan.idle_seconds)]

    def prepare(self):
        self.servers.run_sql_file(ROOT / "bench" / "opponents" / "schema.sql")
        path = HOME / "devices.tsv"
        workload.write_device_rows(path, SINGLE_USER_DEVICES)
        self.servers.load_table("opponent.device", path)
        self.servers.query("create index on opponent.device using gin (tags)")
        self.servers.query("vacuum (analyze) opponent.device")
        if self.with_ours:
            self.servers.query("drop schema if exists dispatcher cascade")
            self.servers.query("drop schema if exists dashboard cascade")
            run(DISPATCHER, "migrate", cwd=ROOT, env=self.environment(), stdout=sys.stderr)

    def environment(self):
        return dict(self.servers.environment, **OUR_ENVIRONMENT)

    def grow(self, size):
        if not self.with_ours or size <= self.devices:
            return
        say(f"bench: importing devices up to {size:,}")
        path = HOME / "devices.jsonl"
        workload.write_installations(path, self.devices, size)
        run(DISPATCHER, "installations", "import", path, cwd=ROOT, env=self.environment(), stdout=sys.stderr)
        path.unlink()
        self.devices = size
        self.servers.query("vacuum (analyze)")

    def record(self, measure, key, sample):
        self.results[measure].setdefault(key, []).append(sample)
        text = ", ".join(f"{name} {value:,.1f}" for name, value in sample.items())
        say(f"bench: {measure} {key}: {text}")

    def single_user(self):
        contenders = ([ours(), ours(2)] if self.with_ours else []) + opponents()
        for _ in range(self.plan.rounds):
            for contender in contenders:
                count = self.plan.slow_jobs if contender.slow else self.plan.jobs
                self.record("single_user", contender.key, measures.single_user(self.servers, contender, count))

    def broadcast(self):
        audience = self.plan.audience
        for _ in range(self.plan.rounds):
            if self.with_ours:
                self.record("broadcast", "ours", measures.broadcast(self.servers, ours(), audience))
                self.record("broadcast", "ours_two", measures.broadcast(self.servers, ours(2), audience))
            self.record("broadcast", "copy", measures.raw_copy(self.servers, audience, 1))
            self.record("broadcast", "copy_two", measures.raw_copy(self.servers, audience, 2))

    def growth(self, size):
        if size == self.plan.audience and "broadcast" in self.only:
            # It has just been measured.
            self.results["growth"][str(size)] = self.results["broadcast"]["ours"]
            return
        for _ in range(self.plan.rounds):
            self.record("growth", str(size), measures.broadcast(self.servers, ours(), size))

    def urgency(self):
        plan = self.plan
        for _ in range(plan.rounds):
            alone = measures.urgency(self.servers, ours(), plan.urgent, URGENT_PACE_MS)
            self.record("urgency", "idle", alone)
            during = measures.urgency(self.servers, ours(), plan.urgent, URGENT_PACE_MS, plan.audience)
            self.record("urgency", "during_broadcast", during)


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="smaller sizes, under four minutes")
    parser.add_argument("--rounds", type=int, help="rounds of each measure (3)")
    parser.add_argument("--only", metavar="MEASURE,…", help=f"some of {', '.join(MEASURES)}")
    parser.add_argument("--opponents", action="store_true", help="without Dispatcher: what the others reach here")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of the tables")
    parser.add_argument("--plot", nargs="?", const="docs/benchmark.svg", metavar="FILE",
                        help="also write the plot (docs/benchmark.svg)")  # fmt: skip
    options = parser.parse_args()
    options.only = options.only.split(",") if options.only else MEASURES
    unknown = set(options.only) - set(MEASURES)
    if unknown:
        print(f"unknown measure: {', '.join(sorted(unknown))}", file=sys.stderr)
        sys.exit(64)
    return options


def with_servers(plan, options):
    build_programs()
    servers = Servers()
    try:
        servers.start()
        return Benchmark(servers, plan, options.only, not options.opponents).execute()
    finally:
        servers.stop()


def main():
    options = arguments()
    # An ended benchmark stops its workers and servers too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    plan = QUICK if options.quick else FULL
    plan.rounds = options.rounds or plan.rounds
    workload.start_run(int(time.time()))
    install_python_packages()
    results = {}
    if set(options.only) - NEEDS_NO_SERVER:
        results = with_servers(plan, options)
    if "render" in options.only:
        results["render"] = rendering.measure(plan.render_seconds, not options.opponents)
    if options.plot:
        (ROOT / options.plot).write_text(report.plot(results))
    print(json.dumps(report.summary(results)) if options.json else report.markdown(results))


main()
