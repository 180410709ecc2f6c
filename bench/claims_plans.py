"""How the planner goes about the worker's statements, from the server's own log."""

import re
import subprocess
from pathlib import Path

from servers import ROOT, run

# Enough for each statement to have the plan that its connection keeps.
ROUNDS = 12
SETTINGS = {
    "session_preload_libraries": "auto_explain",
    "auto_explain.log_min_duration": "0",
    "auto_explain.log_nested_statements": "on",
}
NODE = re.compile(r"(Seq Scan|Index Scan|Index Only Scan|Bitmap Heap Scan)(?: Backward)?(?: using \S+)? on (?:dispatcher\.)?(\w+)")


class Plans:
    def __init__(self, servers, side):
        self.servers, self.side = servers, side

    def explain(self):
        """The ways in which each table is read, by table; days are one table."""
        log = Path(self.side.query("show data_directory")).parent / "log"
        start = log.stat().st_size
        for name, value in SETTINGS.items():
            self.servers.query(f"alter database {self.side.name} set {name} = '{value}'")
        run(*self.side.command(ROUNDS), cwd=ROOT, env=self.side.servers.environment, stdout=subprocess.DEVNULL)
        self.servers.query(f"alter database {self.side.name} reset all")
        found = {}
        with open(log, encoding="utf-8", errors="replace") as file:
            file.seek(start)
            for line in file:
                for way, table in NODE.findall(line):
                    found.setdefault(re.sub(r"_\d{8}$|_default$", "", table), set()).add(way)
        return {table: sorted(ways) for table, ways in sorted(found.items())}
