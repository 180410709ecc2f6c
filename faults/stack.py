"""The private servers of a stage, as scripts/local-stack starts them."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

from settings import ROOT


class Stack:
    """A folder with its servers: one broker or a cluster of three, and one database."""

    def __init__(self, folder: Path, nodes: int = 1) -> None:
        self.folder = folder
        self.nodes = nodes
        self.amqp_url = ""
        self.database_url = ""

    def start(self) -> None:
        self.wipe()
        self.up()
        answer = subprocess.run(
            self._words("env"), check=True, text=True, stdout=subprocess.PIPE, env=self._environment()
        )
        values = dict(shlex.split(line)[1].split("=", 1) for line in answer.stdout.splitlines())
        self.amqp_url = values["DISPATCHER_AMQP_URL"]
        self.database_url = values["DISPATCHER_DATABASE_URL"]

    def up(self) -> None:
        """Starts what is down, on its old ports and data."""
        self._command("up", "--nodes", str(self.nodes))

    def wipe(self) -> None:
        self._command("down", "--wipe")

    def state(self, name: str) -> str:
        """What local-stack remembers under a name, such as rabbit1-pid or postgres-port."""
        return (self.folder / "state" / name).read_text(encoding="utf-8").strip()

    def _words(self, *words: str) -> list[str]:
        return [str(ROOT / "scripts" / "local-stack"), *words]

    def _environment(self) -> dict[str, str]:
        return dict(os.environ, DISPATCHER_STACK_DIR=str(self.folder))

    def _command(self, *words: str) -> None:
        subprocess.run(self._words(*words), check=True, env=self._environment(), stdout=sys.stderr)
