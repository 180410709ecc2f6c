"""The benchmark of old rows: what a worker asks of the database to find, claim, record and rescue work, with and without
millions of deliveries that have ended.

Two databases on one server differ in nothing else. They take turns, so that whatever the machine does meets both; the statements
are the worker's own (`dispatcher bench claims`). Fails when one of them reads old rows by a sequential scan.
"""

import argparse
import json
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import claims_report
from claims_plans import Plans
from servers import DISPATCHER, ROOT, Servers, run, say

SCRIPTS = ROOT / "bench" / "claims"
DEVICES = 100_000
DAYS = 30
# Tables that only grow, until the retention takes their oldest days.
OLD = "delivery", "progress", "outcome_count", "notification"
WORK = "batch", "retry", "plan"
# Connections are new in each run, and so are their plans.
WARM_UP = 0.05


class Side:
    """One of the two databases."""

    def __init__(self, servers, name, rows, waiting):
        self.name, self.rows, self.waiting = name, rows, waiting
        servers.query(f"drop database if exists {name} with (force)")
        servers.query(f"create database {name}")
        self.servers = servers.of_database(name)
        self.query = self.servers.query
        self.samples = {}
        self.rounds = 0

    def fill(self):
        run(DISPATCHER, "migrate", cwd=ROOT, env=self.servers.environment, stdout=sys.stderr)
        self.run_script("devices.sql", devices=DEVICES, days=DAYS, waiting=self.waiting)
        if self.rows:
            with ThreadPoolExecutor(2) as pool:
                list(pool.map(self.fill_day, range(DAYS, 0, -1)))
        # Each table for itself: autovacuum never looks at a partitioned table as a whole either.
        for table in self.tables():
            self.query(f"vacuum (analyze) dispatcher.{table}")
        self.query("checkpoint")

    def fill_day(self, day):
        audience = min(DEVICES, self.rows // DAYS * 4 // 10)
        jobs = (self.rows // DAYS - audience) // 2
        self.run_script("day.sql", devices=DEVICES, day=day, audience=audience, jobs=jobs)
        say(f"bench: {audience + 2 * jobs:,} deliveries have ended {day} days ago")

    def run_script(self, name, **variables):
        settings = [word for item in variables.items() for word in ("-v", "{}={}".format(*item))]
        run("psql", "-Xq", "-v", "ON_ERROR_STOP=1", *settings, "-f", SCRIPTS / name, self.servers.database, stdout=sys.stderr)

    def tables(self):
        return self.query("select relname from pg_stat_user_tables where schemaname = 'dispatcher'").split("\n")

    def command(self, rounds):
        return [DISPATCHER, "bench", "claims", "--rounds", str(rounds), "--json"]

    def measure(self, rounds):
        answer = run(*self.command(rounds), cwd=ROOT, env=self.servers.environment, stdout=subprocess.PIPE)
        self.rounds += rounds
        for step, times in json.loads(answer.stdout).items():
            self.samples.setdefault(step, []).extend(times[int(len(times) * WARM_UP) :])

    def counters(self):
        """Rows read by scans and by indexes, as the server counts them, by table; days are one table."""
        time.sleep(1.2)
        self.query("select pg_stat_clear_snapshot()")
        rows = self.query("""
            select regexp_replace(relname, '_[0-9]{8}$|_default$', ''), sum(seq_tup_read), sum(coalesce(idx_tup_fetch, 0))
            from pg_stat_user_tables where schemaname = 'dispatcher' group by 1""")
        return {name: (int(scanned), int(fetched)) for name, scanned, fetched in (row.split("|") for row in rows.split("\n"))}

    def work_tables(self):
        """What vacuum has to do, and how often it came by itself."""
        rows = self.query(f"""
            select relname, n_tup_ins + n_tup_upd + n_tup_del, n_dead_tup, autovacuum_count, pg_total_relation_size(relid)
            from pg_stat_user_tables where schemaname = 'dispatcher' and relname in {WORK + ('worker',)} order by 1""")
        return [row.split("|") for row in rows.split("\n")]

    def sizes(self):
        rows = self.query("""
            select regexp_replace(relname, '_[0-9]{8}$|_default$', ''), sum(n_live_tup), sum(pg_total_relation_size(relid))
            from pg_stat_user_tables where schemaname = 'dispatcher' group by 1""")
        found = (row.split("|") for row in rows.split("\n"))
        return {name: (int(count), int(size)) for name, count, size in found if name in OLD}


class Benchmark:
    def __init__(self, servers, options):
        self.servers, self.options = servers, options
        self.sides = [
            Side(servers, "claims_none", 0, options.waiting),
            Side(servers, "claims_old", options.rows, options.waiting),
        ]

    def execute(self):
        for side in self.sides:
            side.fill()
        before = [side.counters() for side in self.sides]
        for number in range(self.options.turns):
            for side in self.sides:
                side.measure(self.options.rounds)
            say(f"bench: turn {number + 1} of {self.options.turns}")
        none, old = self.sides
        result = {
            "rows": self.options.rows,
            "waiting": self.options.waiting,
            "sizes": old.sizes(),
            "steps": claims_report.steps(none.samples, old.samples),
            "reads": [self.reads(side, first) for side, first in zip(self.sides, before)],
            "work": old.work_tables(),
            "plans": Plans(self.servers, old).explain(),
        }
        result["retention"] = self.retention(old) if self.options.retention else {}
        return result

    def reads(self, side, before):
        """Rows read for one round, by table: (by sequential scans, by indexes)."""
        after = side.counters()
        return {
            name: [(now - then) / side.rounds for now, then in zip(after[name], before.get(name, (0, 0)))]
            for name in sorted(after)
        }

    def retention(self, side):
        """Drops the older half of the days while work goes on, then has a worker remove their notifications."""
        kept = DAYS // 2
        alone = list(side.samples["record a batch of 450"])
        side.samples = {}
        busy = subprocess.Popen(list(map(str, side.command(self.options.rounds))), cwd=ROOT, env=side.servers.environment,
                                stdout=subprocess.PIPE, text=True)  # fmt: skip
        time.sleep(2)
        began = time.monotonic()
        side.query(f"select dispatcher.maintain_partitions({kept})")
        dropped = time.monotonic() - began
        times = json.loads(busy.communicate()[0])
        if busy.returncode != 0:
            raise RuntimeError("the work beside the retention failed")
        return {
            "days": DAYS - kept,
            "drop_seconds": dropped,
            "longest_ms": max(max(samples, default=0) for samples in times.values()) / 1000,
            "longest_alone_ms": max(alone) / 1000,
            **self.remove_notifications(side, kept),
        }

    def remove_notifications(self, side, kept):
        oldest = f"dispatcher.first_notification_id((now() at time zone 'utc')::date - {kept})"
        count = int(side.query(f"select count(*) from dispatcher.notification where id < {oldest}"))
        environment = dict(side.servers.environment, DISPATCHER_RETENTION_DAYS=str(kept))
        began = time.monotonic()
        worker = subprocess.Popen([DISPATCHER, "worker"], cwd=ROOT, env=environment, stdin=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL)  # fmt: skip
        try:
            while side.query(f"select exists (select from dispatcher.notification where id < {oldest})") == "t":
                if worker.poll() is not None or time.monotonic() - began > 1800:
                    raise RuntimeError("the worker did not remove the notifications")
                time.sleep(0.2)
            seconds = time.monotonic() - began
        finally:
            worker.terminate()
            worker.wait()
        return {"notifications": count, "remove_seconds": seconds}

    def is_flat(self, result):
        """No old rows are read by a scan: neither counted by the server nor in any plan."""
        scanned = [name for name in OLD if result["reads"][1][name][0] > 1]
        planned = [name for name in result["plans"] if name in OLD and "Seq Scan" in result["plans"][name]]
        for name in scanned + planned:
            say(f"bench: {name} is read by a sequential scan")
        return not scanned and not planned


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/bench claims", description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000_000, help="old deliveries (10000000)")
    parser.add_argument("--waiting", type=int, default=100_000, help="scheduled jobs and retries in both (100000)")
    parser.add_argument("--turns", type=int, default=5, help="how often the two take turns (5)")
    parser.add_argument("--rounds", type=int, default=100, help="rounds of each turn (100)")
    parser.add_argument("--no-retention", dest="retention", action="store_false", help="leave out the end of the retention")
    parser.add_argument("--keep", action="store_true", help="keep the databases")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of the tables")
    return parser.parse_args()


def main():
    options = arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    servers = Servers()
    try:
        servers.start()
        benchmark = Benchmark(servers, options)
        result = benchmark.execute()
        print(json.dumps(result) if options.json else claims_report.markdown(result))
        is_flat = benchmark.is_flat(result)
        for side in benchmark.sides:
            side.servers.close()
            if not options.keep:
                servers.query(f"drop database {side.name} with (force)")
    finally:
        servers.stop()
    return 0 if is_flat else 1


sys.exit(main())
