"""What has ended stays as it ended: looks at the same rows again later."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from psql import Refused
from verdict import Verdict

if TYPE_CHECKING:
    from load import Load
    from stage import Stage

LOADS_KEPT = 3
ENDED = """
    select d.notification_id, d.installation_id, d.state, d.attempts, d.finished_at, coalesce(d.reason, '')
    from dispatcher.delivery d join dispatcher.notification n on n.id = d.notification_id
    where d.state > 1 and n.job_id in ({ids})"""

Rows = dict[tuple[str, str], tuple[str, ...]]


class Finality:
    """Pictures of ended deliveries, each with the jobs whose they are."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self._pictures: deque[tuple[list[str], Rows]] = deque(maxlen=LOADS_KEPT)

    def remember(self, load: Load) -> None:
        """Takes a picture, if the database lets itself be asked."""
        jobs = list(load.by_id)
        try:
            self._pictures.append((jobs, self._rows(jobs)))
        except (Refused, OSError):
            return

    def check(self, verdict: Verdict) -> None:
        for jobs, before in self._pictures:
            now = self._rows(jobs)
            if changed := [f"{key} was {row}, is {now.get(key)}" for key, row in before.items() if now.get(key) != row]:
                verdict.complain("what had ended has changed", changed)

    def _rows(self, jobs: list[str]) -> Rows:
        ids = ",".join(f"'{job}'" for job in jobs)
        return {(row[0], row[1]): tuple(row[2:]) for row in self.stage.database.rows(ENDED.format(ids=ids))}
