"""A network that silently loses what two groups of processes on this machine say to each other; needs root and nft."""

from __future__ import annotations

import re
import subprocess


class Partition:
    """Rules of the kernel in a table of their own, which goes when the partition is healed."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.is_split = False

    def split(self, pid: int, ports: list[int]) -> None:
        """Loses what goes over the process's connections to or from these ports, and new connections to them."""
        listed = ", ".join(map(str, ports))
        lines = [
            f"add table ip {self.table}",
            f"add chain ip {self.table} input {{ type filter hook input priority 0; }}",
            f"add rule ip {self.table} input tcp dport {{ {listed} }} tcp flags & (syn | ack) == syn drop",
        ]
        for here, there in self._connections(pid, ports):
            for source, target in ((here, there), (there, here)):
                lines.append(f"add rule ip {self.table} input tcp sport {source} tcp dport {target} drop")
        self.is_split = True
        subprocess.run(["nft", "-f", "-"], input="\n".join(lines), text=True, check=True)

    def heal(self) -> None:
        if self.is_split:
            subprocess.run(["nft", "delete", "table", "ip", self.table], check=True)
            self.is_split = False

    @staticmethod
    def _connections(pid: int, ports: list[int]) -> list[tuple[int, int]]:
        """The port here and the port there of each."""
        answer = subprocess.run(["ss", "-Htnp", "state", "established"], text=True, stdout=subprocess.PIPE, check=True)
        found = []
        for line in answer.stdout.splitlines():
            if f"pid={pid}," not in line:
                continue
            here, there = (int(port) for port in re.findall(r":(\d+)\s", line)[:2])
            if here in ports or there in ports:
                found.append((here, there))
        return found
