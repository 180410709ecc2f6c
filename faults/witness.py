"""What the simulated gateways have accepted, as their own logs say it."""

from __future__ import annotations

import subprocess
import threading
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Acceptance:
    """One push that a gateway has taken."""

    job: str
    device: str
    attempt: int


class Witness:
    """Reads the logs of all workers as they grow; each line once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.by_job: dict[str, list[Acceptance]] = defaultdict(list)
        self._offsets: dict[Path, int] = {}
        self._turn = threading.Lock()

    def read(self) -> list[Acceptance]:
        """What is new since the last call, by whomever."""
        with self._turn:
            news = [acceptance for path in self._logs() for acceptance in self._read(path)]
            for acceptance in news:
                self.by_job[acceptance.job].append(acceptance)
            return news

    def size(self) -> int:
        """Grows with each accepted push."""
        return sum(path.stat().st_size for path in self._logs())

    def forget(self, jobs: set[str]) -> None:
        """Their pushes are judged."""
        with self._turn:
            for job in jobs:
                self.by_job.pop(job, None)

    def punch(self) -> None:
        """Gives the disk back what is read; the files keep their length, because workers go on at their ends."""
        for path, offset in list(self._offsets.items()):
            subprocess.run(["fallocate", "--punch-hole", "--offset", "0", "--length", str(max(offset, 1)), str(path)], check=False)

    def _logs(self) -> list[Path]:
        return sorted(self.folder.glob("accepted-*.jsonl"))

    def _read(self, path: Path) -> list[Acceptance]:
        with open(path, "rb") as file:
            file.seek(self._offsets.get(path, 0))
            data = file.read()
        # The rest of a line that is just being written comes with the next call.
        complete = data[: data.rfind(b"\n") + 1]
        self._offsets[path] = self._offsets.get(path, 0) + len(complete)
        return [found for line in complete.splitlines() if (found := _acceptance(line))]


def _acceptance(line: bytes) -> Acceptance | None:
    """Half a line of a worker that was killed while it wrote is none: it has not answered for it.

    Lines begin alike, and reading each as JSON would take more than all the rest of a campaign."""
    words = line.split(b'"', 8)
    attempt = line.find(b'"attempt":')
    if words[:2] != [b"{", b"notificationId"] or len(words) < 9 or attempt < 0 or not line.endswith(b"}"):
        return None
    number = line[attempt + 10 : attempt + 16].split(b",")[0]
    return Acceptance(words[3].decode(), words[7].decode(), int(number))
