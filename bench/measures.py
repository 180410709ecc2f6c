"""The measures. Every one counts its rows exactly and fails the benchmark when one is missing or too many."""

import statistics
import subprocess
import time

import workload
from contenders import OUR_TABLE, THEIR_TABLE, copy_streams
from servers import HOME, PROGRAMS

PATIENCE = 600
# A run of ours starts as empty as the opponents' do.
OUR_TABLES = ", ".join(
    f"dispatcher.{name}"
    for name in ("delivery", "progress", "outcome_count", "retry", "batch", "plan", "notification")
)
# The job's id and the moment its last row was committed, for jobs of this run that are to one user.
URGENT_ROWS = """
    select notification.job_id, max(extract(epoch from pg_xact_commit_timestamp(delivery.xmin)))
    from dispatcher.delivery as delivery
    join dispatcher.notification as notification on notification.id = delivery.notification_id
    group by notification.job_id having count(*) <= 3"""


class WrongCount(Exception):
    """A contender recorded another number of rows than the jobs ask for."""


def clear(servers, table, *queues):
    servers.query(f"truncate {OUR_TABLES if table == OUR_TABLE else table}")
    if queues:
        servers.purge(*queues)
    # Each run starts with the same distance to the next checkpoint.
    servers.query("checkpoint")


def recorded_rows(servers, table):
    return int(servers.query(f"select count(*) from {table}"))


def inserted_rows(servers, table):
    """The server's own statistics: late by a second or more, but free of any scan."""
    schema, name = table.split(".")
    return int(servers.query(
        f"select coalesce(sum(n_tup_ins), 0) from pg_stat_user_tables"
        f" where schemaname = '{schema}' and relname like '{name}%'"
    ))  # fmt: skip


def await_rows(servers, workers, table, expected, before):
    """Waits until the table holds the rows. While the statistics move nothing is counted; once they rest, it is."""
    deadline = time.monotonic() + PATIENCE
    seen, since = before, time.monotonic()
    while True:
        time.sleep(0.25)
        now = inserted_rows(servers, table)
        if now != seen:
            seen, since = now, time.monotonic()
        if now - before >= expected or time.monotonic() - since > 0.75:
            count = recorded_rows(servers, table)
            if count >= expected:
                return check(count, expected)
            since = time.monotonic()
        if not workers.all_alive():
            raise RuntimeError(f"a worker ended; see {HOME / 'log'}")
        if time.monotonic() > deadline:
            raise WrongCount(f"{recorded_rows(servers, table)} rows after {PATIENCE} s, expected {expected}")


def check(count, expected):
    if count != expected:
        raise WrongCount(f"{count} rows, expected {expected}")


def last_commit(servers, table):
    """The moment the last row was recorded, by the server's commit timestamps."""
    return float(servers.query(f"select max(extract(epoch from pg_xact_commit_timestamp(xmin))) from {table}"))


def single_user(servers, contender, count, options=None):
    """Jobs per second of one-user jobs, from the first message taken to the last row recorded."""
    lines, expected = workload.user_jobs(count, "normal", options)
    clear(servers, contender.table, *contender.queues_to_purge)
    contender.fill(servers, lines)
    before = inserted_rows(servers, contender.table)
    # The workers boot while this waits, so its questions to the broker take nothing from the measured time.
    taken = subprocess.Popen(
        [PROGRAMS / "broker", servers.amqp, "taken", contender.queue, str(count)], stdout=subprocess.PIPE, text=True
    )
    workers = contender.start(servers)
    try:
        began = float(taken.communicate(timeout=60)[0])
        await_rows(servers, workers, contender.table, expected, before)
        time.sleep(0.3)
        seconds = last_commit(servers, contender.table) - began
        cost, peak = workers.cpu_seconds(), workers.peak_megabytes()
    finally:
        taken.kill()
        workers.stop()
    check(recorded_rows(servers, contender.table), expected)
    if servers.depth(contender.queue) != 0:
        raise WrongCount(f"{contender.label}: jobs are left in the queue")
    return {
        "jobs_per_second": count / seconds,
        "rows_per_second": expected / seconds,
        "worker_cpu_microseconds": cost * 1e6 / count,
        "peak_mb": peak,
    }


def broadcast(servers, contender, audience):
    """One job to every device: rows per second from the publish to the last row, with the worker's cost."""
    clear(servers, OUR_TABLE, "push.jobs.bulk", "push.batches.bulk")
    before = inserted_rows(servers, OUR_TABLE)
    workers = contender.start(servers)
    try:
        time.sleep(1)
        cpu = workers.cpu_seconds()
        began = publish_one(servers, "jobs.bulk", workload.job({"broadcast": True}, "low"))
        await_rows(servers, workers, OUR_TABLE, audience, before)
        seconds = last_commit(servers, OUR_TABLE) - began
        cost, peak = workers.cpu_seconds() - cpu, workers.peak_megabytes()
    finally:
        workers.stop()
    check(recorded_rows(servers, OUR_TABLE), audience)
    return {
        "rows_per_second": audience / seconds,
        "microseconds_per_row": seconds * 1e6 / audience,
        "worker_cpu_microseconds_per_row": cost * 1e6 / audience,
        "peak_mb": peak,
    }


def raw_copy(servers, rows, streams):
    """The same number of rows by raw binary COPY."""
    clear(servers, THEIR_TABLE)
    seconds = copy_streams(servers, 0, rows, streams)
    check(recorded_rows(servers, THEIR_TABLE), rows)
    return {"rows_per_second": rows / seconds}


def urgency(servers, contender, count, pace_ms, audience=None):
    """Milliseconds from the publish of a one-user job to its recorded rows; with an audience, during a broadcast."""
    clear(servers, OUR_TABLE, "push.jobs.high", "push.jobs.bulk", "push.batches.bulk")
    before = inserted_rows(servers, OUR_TABLE)
    workers = contender.start(servers)
    try:
        time.sleep(1)
        if audience:
            lines, _ = workload.user_jobs(PATIENCE * 1000 // pace_ms, "high")
            with Pace(servers, "jobs.high", lines, pace_ms) as urgent:
                time.sleep(0.2)
                began = publish_one(servers, "jobs.bulk", workload.job({"broadcast": True}, "low"))
                finished = _await_broadcast(servers, workers, audience, before)
            published = {job: moment for job, moment in urgent.published().items() if began <= moment < finished}
        else:
            lines, _ = workload.user_jobs(count, "high")
            with Pace(servers, "jobs.high", lines, pace_ms) as urgent:
                urgent.wait()
            published = urgent.published()
        time.sleep(2)
    finally:
        workers.stop()
    return _latencies(servers, published)


class Pace:
    """A publisher at a fixed pace, which notes the moment of each publish; it ends with the block."""

    def __init__(self, servers, key, lines, pace_ms):
        self.source, self.target = HOME / f"{key}.jsonl", HOME / f"{key}.txt"
        self.source.write_text("\n".join(lines) + "\n")
        self.command = [PROGRAMS / "broker", servers.amqp, "pace", "push.in", key, str(pace_ms)]

    def __enter__(self):
        with open(self.source, "rb") as source, open(self.target, "wb") as target:
            self.process = subprocess.Popen(self.command, stdin=source, stdout=target)
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def wait(self):
        if self.process.wait(PATIENCE) != 0:
            raise RuntimeError("publishing failed")

    def published(self):
        """The moment of each job's publish; a last line that was cut off does not count."""
        pairs = (line.split() for line in self.target.read_text().splitlines(keepends=True) if line.endswith("\n"))
        return {job: float(moment) for job, moment in pairs}


def publish_one(servers, key, line):
    """Publishes one job and answers the moment just before, without the time that the publisher takes to connect."""
    with Pace(servers, key, [line], 1) as publisher:
        publisher.wait()
    return next(iter(publisher.published().values()))


def _await_broadcast(servers, workers, audience, before):
    """Waits for the broadcast alone, which is the notification with the most rows; answers the moment of its last."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        time.sleep(0.25)
        if not workers.all_alive():
            raise RuntimeError(f"a worker ended; see {HOME / 'log'}")
        if inserted_rows(servers, OUR_TABLE) - before < audience:
            continue
        rows, moment = servers.query(
            f"select count(*), max(extract(epoch from pg_xact_commit_timestamp(xmin))) from {OUR_TABLE}"
            f" group by notification_id order by 1 desc limit 1"
        ).split("|")
        if int(rows) >= audience:
            check(int(rows), audience)
            return float(moment)
    raise WrongCount("the broadcast did not end")


def _latencies(servers, published):
    recorded = dict(line.split("|") for line in servers.query(URGENT_ROWS).splitlines())
    missing = [name for name in published if name not in recorded]
    if missing:
        raise WrongCount(f"{len(missing)} of {len(published)} urgent jobs have no row")
    if len(published) < 20:
        raise RuntimeError("the broadcast is too small: hardly any urgent job fell into it")
    times = sorted((float(recorded[name]) - moment) * 1000 for name, moment in published.items())
    return {"p50_ms": statistics.median(times), "p99_ms": times[int(len(times) * 0.99)], "count": len(times)}


def idle(servers, contender, seconds):
    """The share of one core that a worker without work takes, in percent."""
    servers.purge("push.jobs.high", "push.jobs.normal", "push.jobs.bulk")
    workers = contender.start(servers)
    try:
        time.sleep(5)
        before = workers.cpu_seconds()
        time.sleep(seconds)
        return {"percent": (workers.cpu_seconds() - before) / seconds * 100, "peak_mb": workers.peak_megabytes()}
    finally:
        workers.stop()
