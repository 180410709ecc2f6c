"""The HTTP API of a stage."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Callable

from process import Process, wait_until


class Service:
    """`dispatcher serve` on one port, which stays the same when it is started again."""

    def __init__(self, program: Path, folder: Path, environment: Callable[[], dict[str, str]]) -> None:
        self.program = program
        self.log = folder / "serve.log"
        self.environment = environment
        self.process: Process | None = None
        self.address = f"127.0.0.1:{_free_port()}"

    def start(self) -> None:
        environment = self.environment() | {"DISPATCHER_HTTP_ADDRESS": self.address}
        self.process = Process([str(self.program), "serve"], environment, self.log)
        wait_until(self.answers, 20)

    def answers(self) -> bool:
        host, port = self.address.split(":")
        try:
            socket.create_connection((host, int(port)), 1).close()
        except OSError:
            return False
        return True

    def heal(self) -> None:
        self.process.thaw()
        if not self.process.is_alive():
            self.start()

    def stop(self) -> None:
        if self.process:
            self.process.end()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
