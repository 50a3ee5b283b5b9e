"""Sources are read in many threads at once, on a Python where that fails by itself."""

import subprocess
import sys

import pytest

from app.settings import ROOT
from graders.parsing import IS_AFFECTED
from tests.waiting import LIMIT_SECONDS

# What the collector runs lets other threads go on, in the middle of making a tree; it fails when one of them ends.
RACE = """
import ast, gc, sys, threading, time
if sys.argv[1] == "in turn":
    import graders
class Held:
    def __init__(self):
        self.me = self
    def __del__(self):
        time.sleep(0.0005)
gc.set_threshold(50, 2, 2)
source = "\\n".join(f"x{n} = [(a, b, {{'k': {n}}}) for a in range({n}) if a > {n}]" for n in range(60))
failed = []
def read():
    for _ in range(25):
        if failed:
            return
        Held()
        try:
            ast.parse(source)
        except SystemError as error:
            failed.append(str(error))
threads = [threading.Thread(target=read) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(*failed)
"""


def race(how: str) -> str:
    command = [sys.executable, "-c", RACE, how]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=LIMIT_SECONDS, check=True)
    return done.stdout.strip()


@pytest.mark.skipif(not IS_AFFECTED, reason="this Python is not affected")
def test_threads_take_turns_in_parsing() -> None:
    assert "recursion depth mismatch" in race("at once"), "what does not fail anyway shows nothing"
    assert race("in turn") == ""
