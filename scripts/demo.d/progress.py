"""What people see while the workers work: one redrawn line on a terminal, a line every second elsewhere."""

import shutil
import sys
import time

COUNTS = """
    SELECT count(*), count(finished_at), coalesce(sum(audience), 0), coalesce(sum(accepted), 0),
           coalesce(sum(failed), 0), coalesce(sum(retrying), 0), (SELECT count(*) FROM dashboard.dead_letters)
    FROM dashboard.notifications
"""


class Progress:
    def __init__(self, database):
        self.database = database
        self.is_terminal = sys.stdout.isatty()
        self.started = time.monotonic()
        self.shown = 0.0

    def wait(self, notifications, dead_letters, seconds):
        """Follows until so many are finished and refused; answers whether they were in time."""
        end = time.monotonic() + seconds
        while True:
            known, finished, audience, accepted, failed, retrying, refused = map(int, self.database.rows(COUNTS)[0])
            is_done = known == finished == notifications and refused == dead_letters
            self._show(
                f"{finished}/{notifications} notifications done, {accepted}/{audience} devices accepted, "
                f"{failed} failed, {retrying} retrying, {refused} jobs refused",
                is_last=is_done,
            )
            if is_done or time.monotonic() > end:
                return is_done
            time.sleep(0.2)

    def _show(self, text, is_last):
        now = time.monotonic()
        text = f"{now - self.started:5.1f} s  {text}"
        if self.is_terminal:
            # A line that wraps cannot be redrawn.
            text = text[: shutil.get_terminal_size().columns - 1]
            print(f"\r\x1b[K{text}", end="\n" if is_last else "", flush=True)
        elif is_last or now - self.shown >= 1:
            print(text, flush=True)
            self.shown = now
