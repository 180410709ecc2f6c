"""The workers of a stage."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import Callable, Iterator

from process import Process, wait_until

ENOUGH = 30


class Fleet:
    """Workers by their place, from 0. A place keeps its log and its witness log whoever stands there."""

    def __init__(self, program: Path, folder: Path, environment: Callable[[], dict[str, str]]) -> None:
        self.program = program
        self.folder = folder
        self.environment = environment  # asked at each start
        self.wanted = 0
        self.places: list[Process] = []
        self.statuses: list[int] = []  # of those that have ended by SIGTERM
        folder.mkdir(parents=True, exist_ok=True)

    def __len__(self) -> int:
        return len(self.places)

    def start(self, count: int) -> None:
        """Starts so many workers besides those that there are."""
        for place in range(len(self.places), len(self.places) + count):
            self.places.append(self._new(place))
        self.wanted = len(self.places)

    def kill(self, place: int) -> None:
        self.places[place].kill()

    def term(self, place: int) -> None:
        self.places[place].term()

    def freeze(self, place: int) -> None:
        self.places[place].freeze()

    def thaw(self, place: int) -> None:
        self.places[place].thaw()

    def end(self, place: int, is_told: bool = False) -> int:
        """Ends one as a supervisor does; answers its exit status."""
        self.statuses.append(self.places[place].end(is_told=is_told))
        return self.statuses[-1]

    def restart(self, place: int) -> None:
        """Starts another worker where one has ended."""
        if self.places[place].is_alive():
            raise RuntimeError(f"worker {place} runs")
        self.places[place] = self._new(place)

    def replace_all(self) -> None:
        """Ends and starts one after the other, for example because the environment has changed."""
        for place in range(len(self.places)):
            self.end(place)
            self.restart(place)
        self.wait_until_ready()

    @contextmanager
    def supervised(self) -> Iterator[None]:
        """For the time of the block, whoever ends by himself is started again at once."""
        is_over = threading.Event()
        thread = threading.Thread(target=self._supervise, args=(is_over,), daemon=True)
        thread.start()
        try:
            yield
        finally:
            is_over.set()
            thread.join()

    def _supervise(self, is_over: threading.Event) -> None:
        while not is_over.wait(0.1):
            self._restart_dead()
        # Who was killed at the last moment may take some time to die.
        for _ in range(10):
            time.sleep(0.1)
            self._restart_dead()

    def _restart_dead(self) -> None:
        for place, process in enumerate(self.places):
            if not process.is_alive():
                self.restart(place)

    def scale(self, count: int) -> None:
        """Starts workers, or ends the last ones, until there are so many."""
        surplus = self.places[count:]
        for process in surplus:
            process.term()
        self.statuses += [process.end(is_told=True) for process in surplus]
        del self.places[count:]
        self.start(count - len(self.places))

    def heal(self) -> None:
        """As many alive and moving ones as there were wanted."""
        for place, process in enumerate(self.places):
            process.thaw()
            if not process.is_alive():
                self.restart(place)

    def alive(self) -> list[int]:
        return [place for place, process in enumerate(self.places) if process.is_alive()]

    def wait_until_ready(self) -> None:
        """Until each has said that it takes work, or ended."""
        for place, process in enumerate(self.places):
            wait_until(lambda: not process.is_alive() or self._has_started(place), ENOUGH)

    def stop(self) -> None:
        for process in self.places:
            process.thaw()
            process.term()
        for process in self.places:
            process.end(is_told=True)
        self.places = []

    def logs(self) -> list[Path]:
        return sorted(self.folder.glob("worker-*.log"))

    def _new(self, place: int) -> Process:
        environment = self.environment() | {"DISPATCHER_SIMULATED_LOG": str(self.folder / f"accepted-{place}.jsonl")}
        return Process([str(self.program), "worker"], environment, self.folder / f"worker-{place}.log")

    def _has_started(self, place: int) -> bool:
        return "event=worker.started" in self.places[place].logged()
