"""What workers and database use, every few seconds, in a table."""

from __future__ import annotations

import csv
import threading
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from psql import Psql, Refused

if TYPE_CHECKING:
    from soak_load import SoakLoad
    from stage import Stage

PAUSE = 5
COLUMNS = (
    "seconds", "fault", "workers", "resident_mb", "largest_mb", "descriptors", "serve_mb", "sessions", "idle_in_transaction",
    "deliveries", "dead_tuples", "dead_share", "due_ms", "urgent_ms", "backlog",
)  # fmt: skip
SESSIONS = """
    select count(*), count(*) filter (where state like 'idle in transaction%' and state_change < now() - interval '5 s')
    from pg_stat_activity where datname = current_database()"""
TUPLES = """
    select sum(n_live_tup) filter (where relname like 'delivery%'),
           sum(n_dead_tup) filter (where relname in ('batch', 'plan', 'retry', 'worker', 'outbox')), sum(n_dead_tup)
    from pg_stat_user_tables where schemaname = 'dispatcher'"""
# What workers ask four times a second, and what an urgent job has to find.
DUE = """
    select (select count(*) from dispatcher.retry where due_at <= now()),
           (select count(*) from (select from dispatcher.plan where due_at <= now() and worker_id is null limit 1) p),
           (select count(*) from (select from dispatcher.batch where worker_id is null limit 1) b)"""


class Sampler:
    """A thread with a session of its own; a moment without a database is a row without its numbers."""

    def __init__(self, stage: Stage, load: SoakLoad, path: Path) -> None:
        self.stage = stage
        self.load = load
        self.path = path
        self._psql = Psql(lambda: stage.database.url)
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._sample, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._is_over.set()
        self._thread.join()
        self._psql.close()

    def _sample(self) -> None:
        began = time.monotonic()
        with open(self.path, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(COLUMNS)
            while not self._is_over.wait(PAUSE):
                row = [f"{time.monotonic() - began:.0f}", self.load.fault, *self._processes(), *self._database()]
                writer.writerow([*row, self._urgent(), len(self.load.by_id)])
                file.flush()

    def _processes(self) -> list[object]:
        sizes = [process.resident_kilobytes() / 1024 for process in self.stage.workers.places]
        files = max((process.descriptors() for process in self.stage.workers.places), default=0)
        api = self.stage.http.process.resident_kilobytes() / 1024
        return [len(self.stage.workers.alive()), f"{sum(sizes):.0f}", f"{max(sizes, default=0):.0f}", files, f"{api:.0f}"]

    def _database(self) -> list[object]:
        try:
            sessions = self._psql.rows(SESSIONS)[0]
            live, dead, all_dead = (int(value or 0) for value in self._psql.rows(TUPLES)[0])
            began = time.monotonic()
            self._psql.rows(DUE)
            due = (time.monotonic() - began) * 1000
        except (Refused, OSError, ValueError):
            return [""] * 6
        return [*sessions, live, dead, f"{all_dead / max(live, 1):.4f}", f"{due:.1f}"]

    def _urgent(self) -> str:
        return f"{median(self.load.urgent) * 1000:.0f}" if self.load.urgent else ""
