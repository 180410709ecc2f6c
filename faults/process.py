"""One running program of ours, known by its id."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path


class Process:
    """A program that appends what it logs to a file, with the signals that faults send it."""

    def __init__(self, command: list[str], environment: dict[str, str], log: Path) -> None:
        self.log = log
        self.log_begins = log.stat().st_size if log.exists() else 0
        with open(log, "ab") as file:
            self.popen = subprocess.Popen(
                command, env=environment, stdin=subprocess.DEVNULL, stdout=file, stderr=file, start_new_session=True
            )

    @property
    def pid(self) -> int:
        return self.popen.pid

    def logged(self) -> str:
        """What this process has logged; another one may have written to the same file before."""
        with open(self.log, encoding="utf-8", errors="replace") as file:
            file.seek(self.log_begins)
            return file.read()

    def is_alive(self) -> bool:
        return self.popen.poll() is None

    def send(self, number: signal.Signals) -> None:
        if self.is_alive():
            self.popen.send_signal(number)

    def kill(self) -> int:
        """Ends it at once; answers its exit status."""
        self.send(signal.SIGKILL)
        return self.popen.wait()

    def term(self) -> None:
        self.send(signal.SIGTERM)

    def freeze(self) -> None:
        self.send(signal.SIGSTOP)

    def thaw(self) -> None:
        self.send(signal.SIGCONT)

    def wait(self, seconds: float) -> int | None:
        """Its exit status, or nothing when it has not ended in that time."""
        try:
            return self.popen.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def end(self, patience: float = 40, is_told: bool = False) -> int:
        """As a supervisor ends it: by SIGTERM, unless it is told already, and by force when that takes too long."""
        self.thaw()
        if not is_told:
            self.term()
        status = self.wait(patience)
        return self.kill() if status is None else status

    def resident_kilobytes(self) -> int:
        return _status_number(self.pid, "VmRSS:")

    def descriptors(self) -> int:
        try:
            return len(os.listdir(f"/proc/{self.pid}/fd"))
        except OSError:
            return 0


def _status_number(pid: int, name: str) -> int:
    try:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith(name)), 0)


def wait_until(condition, seconds: float, pause: float = 0.05) -> bool:
    """Whether the condition came true in that time."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(pause)
    return True
