"""Load on an HTTP server by wrk, and on the database alone by pgbench."""

import json
import re
import subprocess

from servers import HOME, ROOT, run

LOAD = ROOT / "bench" / "http" / "load.lua"
CLIENTS = 32


def wrk(url, work, authorization, connections, seconds, first=0):
    """Sends one kind of request as fast as answers come; every one must be answered as it should be."""
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "10s", "-s", LOAD, url, "--", work, first, authorization]
    answer = run(*command, stdout=subprocess.PIPE)
    result = json.loads(answer.stdout.splitlines()[-1])
    if result["refused"] or result["failed"]:
        raise RuntimeError(f"{work}: {result['refused']} refused, {result['failed']} without an answer")
    return result


def pgbench(servers, statement, seconds, rows=1):
    """Runs one prepared statement from many sessions, each a transaction of its own; answers rows a second."""
    path = HOME / "statement.pgbench"
    path.write_text(f"\\set n :n + 1\n\\set k :n * {CLIENTS} + :client_id\n{statement.strip()};\n")
    programs = sorted(subprocess.check_output(["sh", "-c", "ls -d /usr/lib/postgresql/*/bin/pgbench"], text=True).split())
    command = [programs[-1], "-n", "-M", "prepared", "-c", CLIENTS, "-j", "1", "-T", seconds, "-D", "n=-1", "-f", path]
    answer = run(*command, servers.database, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    failed = re.search(r"number of failed transactions: (\d+)", answer.stdout)
    if failed and int(failed[1]):
        raise RuntimeError(f"pgbench: {failed[1]} transactions failed")
    count = int(re.search(r"actually processed: (\d+)", answer.stdout)[1])
    rate = float(re.search(r"tps = ([\d.]+)", answer.stdout)[1])
    return {"requests": count * rows, "rate": rate * rows}


def with_values(statement, values):
    """The statement with its numbered parameters replaced by what pgbench computes."""
    return re.sub(r"\$(\d+)", lambda match: values[int(match[1]) - 1], statement)
