"""Sessions of somebody else in the database: they hold locks, old snapshots, or merely their place."""

from __future__ import annotations

import socket
import struct
import subprocess


class Session:
    """A psql that stays open, with what it has begun."""

    def __init__(self, url: str) -> None:
        self.psql = subprocess.Popen(
            ["psql", "-XAtq", url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            start_new_session=True,
        )  # fmt: skip

    def begin(self, sql: str) -> None:
        """Sends a statement and does not wait for it."""
        assert self.psql.stdin is not None
        self.psql.stdin.write(f"{sql};\n")
        self.psql.stdin.flush()

    def ask(self, sql: str) -> str:
        """Sends a statement and waits for its answer, or for what went wrong."""
        assert self.psql.stdout is not None
        self.begin(sql + ";\n\\echo end-of-answer")
        lines = []
        for line in self.psql.stdout:
            if line.startswith("end-of-answer"):
                break
            lines.append(line)
        return "".join(lines).strip()

    def close(self) -> None:
        """What it has begun is rolled back."""
        self.psql.kill()
        self.psql.communicate()


class Idler:
    """A connection that has logged in and does nothing: it takes one of max_connections."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=5)
        words = b"user\0postgres\0database\0dispatcher\0application_name\0idler\0\0"
        self.socket.sendall(struct.pack("!ii", 8 + len(words), 196608) + words)
        self.is_in = self.socket.recv(1) == b"R"

    def close(self) -> None:
        self.socket.close()
