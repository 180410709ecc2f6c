"""Questions to the database through one psql that stays open: Debian's client is all it takes."""

from __future__ import annotations

import csv
import io
import subprocess
import threading
from typing import Callable

END = "end-of-answer"


class Refused(Exception):
    """The database refused a statement, or was away."""


class Psql:
    """A session that is opened when it is first needed, and again after it was lost."""

    def __init__(self, url: Callable[[], str]) -> None:
        self._url = url
        self._session: subprocess.Popen[str] | None = None
        self._turn = threading.Lock()

    def rows(self, sql: str) -> list[list[str]]:
        """The rows as lists of texts; NULL is an empty text. A second try when the session was lost meanwhile."""
        with self._turn:
            is_old = self._session is not None
            try:
                return self._ask(sql)
            except (Refused, OSError):
                self._end()
                if not is_old:
                    raise
                return self._ask(sql)

    def close(self) -> None:
        with self._turn:
            self._end()

    def _ask(self, sql: str) -> list[list[str]]:
        session = self._session = self._session or self._open()
        session.stdin.write(f"{sql};\n\\echo {END}\n")
        session.stdin.flush()
        lines = []
        for line in session.stdout:
            if line == END + "\n":
                return list(csv.reader(io.StringIO("".join(lines))))
            lines.append(line)
        raise Refused(sql[:200])

    def _open(self) -> subprocess.Popen[str]:
        return subprocess.Popen(
            ["psql", "-XAtq", "--csv", "-v", "ON_ERROR_STOP=1", self._url()],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True,
        )  # fmt: skip

    def _end(self) -> None:
        session, self._session = self._session, None
        if session is None:
            return
        try:
            session.stdin.close()
        except OSError:
            pass
        session.kill()
        session.wait()
