"""The private broker and database of the benchmark, and its own programs."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HOME = ROOT / ".local" / "bench"
PROGRAMS = HOME / "bin"
PYTHON = HOME / "venv" / "bin" / "python"
DISPATCHER = ROOT / ".build" / "release" / "dispatcher"
PACKAGES = ["celery", "asyncpg", "aio-pika", "aiormq", "uvloop", "psycopg[binary]", "orjson", "fastapi",
            "uvicorn", "httptools"]
SOURCES = ["broker.c", "opponents/pipeline.c", "opponents/copy.c"]


def say(text):
    print(text, file=sys.stderr, flush=True)


def run(*command, **options):
    return subprocess.run([str(part) for part in command], check=True, text=True, **options)


def build_programs():
    PROGRAMS.mkdir(parents=True, exist_ok=True)
    flags = ["-O2", "-std=c17", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-I/usr/include/postgresql"]
    for source in SOURCES:
        target = PROGRAMS / Path(source).stem
        run("cc", *flags, "-o", target, ROOT / "bench" / source, "-lrabbitmq", "-lpq")


def install_python_packages():
    """The opponents' libraries, in an environment of their own; done once."""
    mark = HOME / "venv" / "installed"
    if mark.exists() and mark.read_text() == "\n".join(PACKAGES):
        return
    say("bench: installing the opponents' Python packages")
    run("/usr/bin/python3", "-m", "venv", HOME / "venv")
    run(PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES, stdout=sys.stderr)
    mark.write_text("\n".join(PACKAGES))


class Servers:
    """A running stack with commit timestamps on: they say when a row was recorded, without anybody polling for it."""

    def __init__(self):
        self.environment = dict(os.environ, DISPATCHER_STACK_DIR=str(HOME / "stack"))
        self.session = None

    def start(self):
        self._stack("up")
        self._read_urls()
        if self.query("show track_commit_timestamp") == "off":
            self.query("alter system set track_commit_timestamp = on")
            self.stop()
            self._stack("up")
            self._read_urls()

    def stop(self):
        self.close()
        self._stack("down")

    def close(self):
        """Ends the open psql."""
        if self.session:
            self.session.stdin.close()
            self.session.wait()
            self.session = None

    def of_database(self, name):
        """The same servers with another database of theirs."""
        other = Servers()
        other.amqp, other.database = self.amqp, self.database.rpartition("/")[0] + "/" + name
        other.environment = dict(self.environment, DISPATCHER_DATABASE_URL=other.database)
        return other

    def _stack(self, command):
        run(ROOT / "scripts" / "local-stack", command, env=self.environment, stdout=sys.stderr)

    def _read_urls(self):
        answer = run(ROOT / "scripts" / "local-stack", "env", env=self.environment, stdout=subprocess.PIPE)
        for line in answer.stdout.splitlines():
            name, value = shlex.split(line)[1].split("=", 1)
            self.environment[name] = value
        self.amqp = self.environment["DISPATCHER_AMQP_URL"]
        self.database = self.environment["DISPATCHER_DATABASE_URL"]

    def query(self, sql):
        """The first value of a statement's answer, through one psql that stays open: a new one for each question would
        take processor time from what is measured. Lines are joined; a failure ends psql and with it the run."""
        if not self.session:
            self.session = subprocess.Popen(
                ["psql", "-XAtq", "-v", "ON_ERROR_STOP=1", self.database],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True,
            )  # fmt: skip
        self.session.stdin.write(f"{sql};\n\\echo end-of-answer\n")
        self.session.stdin.flush()
        lines = []
        for line in self.session.stdout:
            if line == "end-of-answer\n":
                return "\n".join(lines)
            lines.append(line.rstrip("\n"))
        raise RuntimeError(f"the database refused: {sql}")

    def run_sql_file(self, path):
        run("psql", "-Xq", "-v", "ON_ERROR_STOP=1", "-f", path, self.database, stdout=sys.stderr)

    def load_table(self, table, path):
        run("psql", "-Xqc", f"\\copy {table} from '{path}'", self.database)

    def fill(self, exchange, key, lines):
        run(PROGRAMS / "broker", self.amqp, "fill", exchange, key, input="\n".join(lines) + "\n")

    def purge(self, *queues):
        run(PROGRAMS / "broker", self.amqp, "purge", *queues)

    def depth(self, queue):
        return int(run(PROGRAMS / "broker", self.amqp, "depth", queue, stdout=subprocess.PIPE).stdout)
