"""The benchmark of rules: what classes with quiet hours and caps, and times by the clocks of zones, cost those who use them, and those
who do not.

One worker sends the same one-user jobs, and a broadcast, for a hub in which the rules differ; the variants take turns.
"""

import argparse
import datetime
import json
import signal
import statistics
import sys
import time

import measures
import workload
from contenders import ours
from servers import DISPATCHER, HOME, ROOT, Servers, build_programs, run, say

DEVICES = 100_000
HUB = "default"


def quiet_hours():
    """An hour of the day that is half a day away: nobody is held back, all are asked for."""
    start = (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=12)).strftime("%H:00")
    end = (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=13)).strftime("%H:00")
    return f"{start}-{end}"


def same_time(number):
    return {"sendAt": "2026-01-01T12:00:00", "timeZone": "Europe/Paris"}


def own_time(number):
    minute, zone = divmod(number, 4)
    at = datetime.datetime(2026, 1, 1) + datetime.timedelta(minutes=minute)
    return {"sendAt": at.isoformat(), "timeZone": ["Europe/Paris", "Asia/Tokyo", "America/New_York", "Etc/UTC"][zone]}


# Title, what `dispatcher classes set` is told, the options of job number so and so.
VARIANTS = {
    "none": ("no classes", [], None),
    "other": ("a class with rules, jobs of none", ["offers", "--quiet", quiet_hours(), "--cap", "1000/day per user"], None),
    "empty": ("a class without rules", ["default"], None),
    "quiet": ("quiet hours, not now", ["default", "--quiet", quiet_hours()], None),
    "cap": ("a cap that nobody reaches", ["default", "--cap", "1000/day per user"], None),
    "zone": ("no classes, one time in Paris", [], same_time),
    "zones": ("no classes, a time of its own in four zones", [], own_time),
}


class Benchmark:
    def __init__(self, servers, options):
        self.servers, self.options = servers, options
        self.results = {key: {"jobs": [], "broadcast": []} for key in options.only}

    def execute(self):
        self.prepare()
        for _ in range(self.options.rounds):
            for key in self.options.only:
                self.measure(key)
        return self.results

    def prepare(self):
        for schema in ("dispatcher", "dashboard"):
            self.servers.query(f"drop schema if exists {schema} cascade")
        self.dispatcher("migrate")
        self.servers.query("alter database dispatcher set track_functions = 'all'")
        path = HOME / "devices.jsonl"
        workload.write_installations(path, 0, DEVICES)
        self.dispatcher("installations", "import", path)
        path.unlink()
        self.servers.query("vacuum (analyze)")

    def dispatcher(self, *arguments):
        run(DISPATCHER, *arguments, cwd=ROOT, env=self.servers.environment, stdout=sys.stderr)

    def measure(self, key):
        _, settings, options = VARIANTS[key]
        self.servers.query("truncate dispatcher.notification_class cascade")
        if settings:
            name, *rules = settings
            self.dispatcher("classes", "set", HUB, name, *rules)
        self.servers.query("select pg_stat_reset()")
        sample = measures.single_user(self.servers, ours(), self.options.jobs, options)
        self.record(key, "jobs", sample | self.calls())
        if options is None:
            self.servers.query("truncate dispatcher.cap_use")
            self.record(key, "broadcast", measures.broadcast(self.servers, ours(), DEVICES))

    def calls(self):
        """How often the functions of quiet hours and caps were called, and their milliseconds, as the server counts them."""
        time.sleep(1.2)
        self.servers.query("select pg_stat_clear_snapshot()")
        calls, spent = self.servers.query("""
            select coalesce(sum(calls), 0), coalesce(sum(total_time), 0) from pg_stat_user_functions
            where funcname in ('find_quiet', 'take_caps')""").split("|")
        return {"rule_calls": int(calls), "rule_ms": float(spent)}

    def record(self, key, measure, sample):
        self.results[key][measure].append(sample)
        say(f"bench: {key} {measure}: " + ", ".join(f"{name} {value:,.1f}" for name, value in sample.items()))


def markdown(results, jobs):
    rows = ["| the hub and its jobs | jobs/s | ratio | worker CPU µs a job | rules asked | broadcast rows/s | ratio | worker CPU µs a row |",
            "|---|--:|--:|--:|--:|--:|--:|--:|"]  # fmt: skip
    base = next(iter(results.values()))
    for key, found in results.items():
        cells = [VARIANTS[key][0], *rate(found["jobs"], base["jobs"], "jobs_per_second")]
        cells += [f"{median(found['jobs'], 'worker_cpu_microseconds'):.1f}", f"{median(found['jobs'], 'rule_calls'):,.0f}"]
        if found["broadcast"]:
            cells += rate(found["broadcast"], base["broadcast"], "rows_per_second")
            cells.append(f"{median(found['broadcast'], 'worker_cpu_microseconds_per_row'):.2f}")
        rows.append("| " + " | ".join(cells + [""] * (8 - len(cells))) + " |")
    return "\n".join(rows) + f"\n\n{jobs:,} jobs to one user with 1–3 devices, and a broadcast to {DEVICES:,}; medians.\n"


def median(samples, member):
    return statistics.median(sample[member] for sample in samples)


def rate(samples, base, member):
    """The median, and the median of the ratios within each round."""
    ratios = [sample[member] / first[member] for sample, first in zip(samples, base)]
    return [f"{median(samples, member):,.0f}", f"**{statistics.median(ratios):.2f}**"]


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/bench rules", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="turns of each variant (5)")
    parser.add_argument("--jobs", type=int, default=20_000, help="one-user jobs of a turn (20000)")
    parser.add_argument("--only", metavar="VARIANT,…", help=f"some of {', '.join(VARIANTS)}")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of the table")
    options = parser.parse_args()
    options.only = options.only.split(",") if options.only else list(VARIANTS)
    unknown = set(options.only) - set(VARIANTS)
    if unknown:
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    return options


def main():
    options = arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    workload.start_run(int(time.time()))
    build_programs()
    servers = Servers()
    try:
        servers.start()
        results = Benchmark(servers, options).execute()
    finally:
        servers.stop()
    print(json.dumps(results) if options.json else markdown(results, options.jobs))


main()
