"""Who takes part: how each is filled and started, and where its rows are."""

import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

from servers import DISPATCHER, HOME, PROGRAMS, PYTHON, ROOT, run

OPPONENTS = ROOT / "bench" / "opponents"
OUR_TABLE = "dispatcher.delivery"
THEIR_TABLE = "opponent.delivery"
# The simulated gateway of the benchmark accepts everything at once.
OUR_ENVIRONMENT = {}


@dataclass
class Contender:
    """A worker program that takes one-user jobs from a queue."""

    key: str
    label: str
    command: list
    processes: int = 1
    table: str = THEIR_TABLE
    queue: str = "push.jobs.normal"
    environment: dict = field(default_factory=dict)
    slow: bool = False

    @property
    def queues_to_purge(self):
        return [self.queue]

    def fill(self, servers, lines):
        servers.fill("push.in", "jobs.normal", lines)

    def start(self, servers):
        command = [part.format(amqp=servers.amqp, database=servers.database) for part in map(str, self.command)]
        return Workers(self.key, command, self.processes, dict(servers.environment, **self.environment))


class CeleryContender(Contender):
    """Celery's messages have a form of their own, so Celery publishes them, into a queue that it declares itself."""

    @property
    def queues_to_purge(self):
        return []

    def fill(self, servers, lines):
        text = "\n".join(lines) + "\n"
        run(PYTHON, OPPONENTS / "celery_tasks.py", input=text, env=servers.environment)


class Workers:
    """Running processes of one contender."""

    def __init__(self, name, command, count, environment):
        logs = HOME / "log"
        logs.mkdir(exist_ok=True)
        with open(logs / f"{name}.log", "ab") as log:
            self.processes = [
                subprocess.Popen(command, env=environment, cwd=OPPONENTS, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
                for _ in range(count)
            ]  # fmt: skip

    def all_alive(self):
        return all(process.poll() is None for process in self.processes)

    def cpu_seconds(self):
        return sum(map(_cpu_seconds, self._tree()))

    def peak_megabytes(self):
        """The largest resident size that any of the processes has had."""
        return max(_megabytes(pid, "VmHWM:") for pid in self._tree())

    def resident_megabytes(self):
        """What all processes together hold now."""
        return sum(_megabytes(pid, "VmRSS:") for pid in self._tree())

    def stop(self):
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _tree(self):
        found = [process.pid for process in self.processes]
        for pid in found:
            for task in Path(f"/proc/{pid}/task").glob("*/children"):
                found.extend(map(int, task.read_text().split()))
        return found


def _cpu_seconds(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / 100


def _megabytes(pid, name):
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(name):
            return int(line.split()[1]) / 1024
    return 0.0


def ours(processes=1):
    key, label = ("ours", "Dispatcher") if processes == 1 else ("ours_two", "Dispatcher, 2 workers")
    return Contender(key, label, [DISPATCHER, "worker"], processes, OUR_TABLE, environment=OUR_ENVIRONMENT)


def opponents():
    bulk = [PYTHON, "asyncio_bulk.py"]
    floor = [PROGRAMS / "pipeline", "{amqp}", "{database}", "push.jobs.normal", "1000", "500"]
    celery = [PYTHON, "-m", "celery", "-A", "celery_tasks", "worker", "--pool=prefork", "--concurrency=2",
              "--loglevel=error", "--without-gossip", "--without-mingle", "--without-heartbeat"]  # fmt: skip
    return [
        Contender("asyncio_bulk", "asyncio, in bulk", bulk),
        Contender("asyncio_bulk_two", "asyncio, in bulk, 2 processes", bulk, 2),
        Contender("asyncio_each", "asyncio, job by job", [PYTHON, "asyncio_each.py"], slow=True),
        CeleryContender("celery", "Celery, 2 children", celery, queue="celery.push", slow=True),
        Contender("c_floor", "C without checks", floor),
        Contender("c_floor_two", "C without checks, 2 processes", floor, 2),
    ]


def copy_streams(servers, first, count, streams):
    """Records `count` rows by raw COPY in the given number of processes; answers the seconds from start to end."""
    share = count // streams
    started = time.time()
    copies = [
        subprocess.Popen([PROGRAMS / "copy", servers.database, str(first + index * share), str(share)])
        for index in range(streams)
    ]
    if any(copy.wait() for copy in copies):
        raise RuntimeError("copy failed")
    return time.time() - started
