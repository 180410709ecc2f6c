"""The benchmark over HTTP: `dispatcher serve` beside what one would build instead, and beside the database alone.

Everyone answers the same requests on the same servers in the same minutes, in turns. Rows are counted after every run.
"""

import argparse
import json
import signal
import socket
import sys
import time
from dataclasses import dataclass

import http_report
from http_contenders import Ours, contenders, raise_descriptor_limit
from http_load import pgbench, with_values, wrk
from servers import DISPATCHER, HOME, ROOT, Servers, install_python_packages, run, say

sys.path.append(str(ROOT / "bench" / "opponents" / "http"))
import statements  # noqa: E402
from pgbench_statements import CONTENT_VALUES, RECEIPT_GROUP, RECEIPT_VALUES, REGISTER_GROUP, REGISTER_VALUES  # noqa: E402

WORKS = ["registrations", "renewals", "receipts", "content", "inbox", "connections"]
DEVICES = 100_000
GROUP = 100
CONNECTIONS = 256
OPEN_CONNECTIONS = 2000
WRITTEN = {
    "registrations": ["installation where installation_id like 'phone-%'"],
    "renewals": [],
    "receipts": ["receipt", "reading"],
    "content": [],
    "inbox": [],
}


@dataclass
class Plan:
    """How much is measured."""

    rounds: int
    seconds: int
    jobs: int


FULL = Plan(3, 10, 100)
QUICK = Plan(2, 4, 10)


class Benchmark:
    def __init__(self, servers, plan, only):
        self.servers, self.plan, self.only = servers, plan, only
        self.results = {work: {} for work in only}
        self.contenders = contenders()

    def execute(self):
        self.prepare()
        for work in self.only:
            if work == "connections":
                self.connections()
                continue
            for _ in range(self.plan.rounds):
                self.round(work)
        return self.results

    def prepare(self):
        for schema in ("dispatcher", "dashboard"):
            self.servers.query(f"drop schema if exists {schema} cascade")
        run(DISPATCHER, "migrate", cwd=ROOT, env=self.servers.environment, stdout=sys.stderr)
        self.servers.run_sql_file(ROOT / "bench" / "opponents" / "http" / "schema.sql")
        jobs = self.plan.jobs if {"receipts", "inbox"} & set(self.only) else 1
        say(f"bench: {DEVICES:,} devices, {DEVICES * jobs:,} deliveries")
        run("psql", "-Xq", "-v", "ON_ERROR_STOP=1", "-v", f"devices={DEVICES}", "-v", f"jobs={jobs}", "-f",
            ROOT / "bench" / "http" / "seed.sql", self.servers.database, stdout=sys.stderr)  # fmt: skip
        self.servers.query("vacuum (analyze)")
        for contender in self.contenders:
            if isinstance(contender, Ours):
                contender.make_key(self.servers.environment)

    def round(self, work):
        for contender in self.contenders:
            with contender.start(self.servers) as service:
                self.record(work, contender.key, self.run(work, contender, service))
        for key, rows, statement in database_alone(work):
            self.clear(work, "opponent_http")
            sample = pgbench(self.servers, statement, self.plan.seconds, rows)
            self.check(work, "opponent_http", sample["requests"], 0)
            self.record(work, key, sample)

    def run(self, work, contender, service):
        authorization = contender.authorization(service) if work in ("registrations", "renewals") else "devices"
        connections = CONNECTIONS if work != "inbox" else 8
        if work != "renewals":
            self.clear(work, contender.schema)
        # Statements are prepared, pools filled and caches warm before anything counts.
        first = wrk(service.url, work, authorization, connections, 1)["requests"]
        time.sleep(0.5)
        self.clear(work, contender.schema)
        cpu = service.workers.cpu_seconds()
        result = wrk(service.url, work, authorization, connections, self.plan.seconds, first + connections)
        self.check(work, contender.schema, result["requests"], connections)
        rate = result["requests"] / result["seconds"]
        cost = (service.workers.cpu_seconds() - cpu) / result["requests"] * 1e6
        return {"rate": rate, "p50_ms": result["p50_ms"], "p99_ms": result["p99_ms"], "cpu_us": cost,
                "peak_mb": service.workers.peak_megabytes()}  # fmt: skip

    def clear(self, work, schema):
        if work in ("registrations", "renewals"):
            self.servers.query(f"delete from {schema}.installation where installation_id not like 'device-%'")
        if work == "receipts":
            self.servers.query(f"truncate {schema}.receipt, {schema}.reading, {schema}.progress, {schema}.outbox")
        # Each run starts with the same distance to the next checkpoint.
        self.servers.query("checkpoint")

    def check(self, work, schema, requests, open_at_end):
        """Each answered request is a row; of those that were still open at the end some may be."""
        for table in WRITTEN[work]:
            rows = int(self.servers.query(f"select count(*) from {schema}.{table}"))
            if not requests <= rows <= requests + open_at_end:
                raise RuntimeError(f"{work}: {rows} rows in {schema}.{table}, {requests} answers")

    def connections(self):
        """Memory of a server with many open connections, each of which was used once."""
        for contender in self.contenders[:2]:
            with contender.start(self.servers) as service:
                wrk(service.url, "content" if "content" in self.only else "health", "devices", CONNECTIONS, 2)
                before = service.workers.resident_megabytes()
                sockets = [open_connection(service.port) for _ in range(OPEN_CONNECTIONS)]
                opened = service.workers.resident_megabytes()
                time.sleep(self.plan.seconds)
                rested = service.workers.resident_megabytes()
                for connection in sockets:
                    connection.close()
            self.record("connections", contender.key, {"before_mb": before, "opened_mb": opened, "rested_mb": rested})

    def record(self, work, key, sample):
        self.results[work].setdefault(key, []).append(sample)
        text = ", ".join(f"{name} {value:,.1f}" for name, value in sample.items())
        say(f"bench: {work} {key}: {text}")


def open_connection(port):
    connection = socket.create_connection(("127.0.0.1", port))
    connection.sendall(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    if not connection.recv(4096).startswith(b"HTTP/1.1 200"):
        raise RuntimeError("an open connection was not answered")
    return connection


def database_alone(work):
    """The same rows by the same statement from pgbench: one a transaction, and a hundred."""
    if work == "registrations":
        return [
            ("pgbench", 1, with_values(statements.REGISTER, REGISTER_VALUES)),
            ("pgbench_group", GROUP, REGISTER_GROUP),
        ]
    if work == "receipts":
        return [
            ("pgbench", 1, with_values(statements.RECEIPT, RECEIPT_VALUES)),
            ("pgbench_group", GROUP, RECEIPT_GROUP),
        ]
    if work == "content":
        return [("pgbench", 1, with_values(statements.CONTENT, CONTENT_VALUES))]
    return []


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/bench http", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a million deliveries and short runs, some four minutes")
    parser.add_argument("--rounds", type=int, help="rounds of each measure (3)")
    parser.add_argument("--only", metavar="WORK,…", help=f"some of {', '.join(WORKS)}")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of the table")
    options = parser.parse_args()
    options.only = options.only.split(",") if options.only else WORKS
    unknown = set(options.only) - set(WORKS)
    if unknown:
        print(f"unknown measure: {', '.join(sorted(unknown))}", file=sys.stderr)
        sys.exit(64)
    return options


def main():
    options = arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    raise_descriptor_limit()
    plan = QUICK if options.quick else FULL
    plan.rounds = options.rounds or plan.rounds
    HOME.mkdir(parents=True, exist_ok=True)
    install_python_packages()
    servers = Servers()
    try:
        servers.start()
        results = Benchmark(servers, plan, options.only).execute()
    finally:
        servers.stop()
    print(json.dumps(http_report.summary(results)) if options.json else http_report.markdown(results))


main()
