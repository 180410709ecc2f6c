"""Rendering without servers: `dispatcher bench render`, and Python writing the same APNs payload."""

import json
import os

from servers import DISPATCHER, HOME, PYTHON, ROOT, run, say

ROUNDS = 5


def measure(seconds, with_ours):
    results = {}
    if with_ours:
        say(f"bench: rendering for {seconds} s")
        results["ours"] = ours(seconds)
    say("bench: rendering in Python")
    results["python"] = python()
    return results


def ours(seconds):
    environment = dict(os.environ, LD_PRELOAD=str(counter()))
    command = [DISPATCHER, "bench", "render", "--seconds", seconds, "--json"]
    return json.loads(run(*command, env=environment, capture_output=True).stdout)


def counter():
    """The library that counts allocations."""
    target = HOME / "bin" / "allocations.so"
    target.parent.mkdir(parents=True, exist_ok=True)
    flags = ["-O2", "-std=c17", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-fno-builtin"]
    run("cc", *flags, "-o", target, ROOT / "bench" / "allocations.c")
    return target


def python():
    command = [PYTHON, ROOT / "bench" / "opponents" / "json_dumps.py", ROUNDS, 0.4]
    return json.loads(run(*command, capture_output=True).stdout)
