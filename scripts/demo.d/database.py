"""The dashboards' database through one psql that stays open: Debian's client is all it takes."""

import csv
import io
import subprocess

END = "end-of-answer"


class Database:
    def __init__(self, url):
        self.url = url
        self.session = subprocess.Popen(
            ["psql", "-XAtq", "--csv", "-v", "ON_ERROR_STOP=1", url],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip

    def rows(self, sql):
        """The rows of a statement as lists of texts; NULL is an empty text."""
        self.session.stdin.write(f"{sql};\n\\echo {END}\n")
        self.session.stdin.flush()
        lines = []
        for line in self.session.stdout:
            if line == END + "\n":
                return list(csv.reader(io.StringIO("".join(lines))))
            lines.append(line)
        raise RuntimeError(f"the database refused: {sql}")

    def show(self, title, sql):
        """Prints a table as psql draws it."""
        print(f"\n{title}", flush=True)
        subprocess.run(["psql", "-Xq", "-P", "footer=off", "-P", "null=-", "-P", "pager=off", "-c", sql, self.url], check=True)

    def close(self):
        self.session.stdin.close()
        self.session.wait()
