"""One PostgreSQL server: its folder, its port and its processes."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
from pathlib import Path

import pids


def programs() -> Path:
    """The folder of the newest installed server."""
    return max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))


def as_postgres(*words: str | Path) -> None:
    """Runs a program as the user that PostgreSQL wants, when we are root."""
    command = [str(word) for word in words]
    if os.geteuid() == 0:
        command = ["runuser", "-u", "postgres", "--", *command]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, cwd="/")


def free_port() -> int:
    """One below the kernel's ephemeral range: no outgoing connection takes it before a server listens there."""
    while True:
        port = random.randrange(15_000, 32_000)
        try:
            socket.create_server(("127.0.0.1", port)).close()
            return port
        except OSError:
            continue


class Postgres:
    """A server that is stopped, frozen and started by its id; its children are its backends."""

    def __init__(self, home: Path, port: int) -> None:
        self.home = home
        self.data = home / "data"
        self.port = port

    @property
    def url(self) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/dispatcher"

    @property
    def pid(self) -> int | None:
        """The postmaster's, while it lives."""
        try:
            pid = int((self.data / "postmaster.pid").read_text(encoding="ascii").split()[0])
        except (OSError, IndexError):
            return None
        return None if pids.is_gone(pid) else pid

    def start(self, wait: bool = True) -> None:
        if self.pid is not None:
            return
        words = ["--wait", "--timeout=120"] if wait else ["--no-wait"]
        as_postgres(
            programs() / "pg_ctl", f"--pgdata={self.data}", f"--log={self.home / 'log'}", "--silent", *words, "start"
        )

    def stop(self, mode: str = "fast") -> None:
        """fast ends sessions and writes a checkpoint; immediate is a crash that is recovered from at the next start."""
        pid = self.pid
        if pid is not None:
            pids.end(pid, signal.SIGINT if mode == "fast" else signal.SIGQUIT, 60)

    def processes(self) -> list[int]:
        pid = self.pid
        return [] if pid is None else [pid, *pids.children(pid)]

    def freeze(self) -> None:
        """The postmaster first: it starts no backend meanwhile."""
        for pid in self.processes():
            pids.send(pid, signal.SIGSTOP)

    def thaw(self) -> None:
        for pid in reversed(self.processes()):
            pids.send(pid, signal.SIGCONT)

    def copy_from(self, primary: Postgres) -> None:
        """Becomes a standby of another server, not yet started."""
        source = f"host=127.0.0.1 port={primary.port} user=postgres application_name=standby"
        as_postgres(
            programs() / "pg_basebackup", f"--pgdata={self.data}", "--write-recovery-conf", "--checkpoint=fast",
            f"--dbname={source}",
        )  # fmt: skip
        settings = self.data / "stack.conf"
        lines = settings.read_text(encoding="utf-8").splitlines()
        lines = [line for line in lines if not line.startswith("port = ")] + [f"port = {self.port}"]
        settings.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def move_log(self, folder: Path) -> None:
        """Puts the write-ahead log elsewhere, while the server is down."""
        log = self.data / "pg_wal"
        as_postgres("cp", "--archive", f"{log}/.", folder)
        as_postgres("rm", "--recursive", log)
        as_postgres("ln", "--symbolic", folder, log)

    def query(self, sql: str, seconds: float = 30, database: str = "dispatcher") -> str:
        """The answer to a statement, through a psql of its own."""
        url = f"postgresql://postgres@127.0.0.1:{self.port}/{database}?connect_timeout=5"
        answer = subprocess.run(
            ["psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-c", sql, url],
            check=True, text=True, stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds,
        )  # fmt: skip
        return answer.stdout.strip()

    def log(self) -> str:
        try:
            return (self.home / "log").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""
