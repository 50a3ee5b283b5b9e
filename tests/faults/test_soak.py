"""`./lectern bench soak`, for a moment: load, a handful of faults, and the audit."""

import json
import subprocess
import sys

import pytest

from app.settings import ROOT
from benchmarks.services import Nats, Postgres, ServiceMissing
from tests.needs import missing

SECONDS = {"local": 12, "cluster": 20}
EVERY = 2.5


@pytest.mark.usefixtures("walls")
@pytest.mark.parametrize("on", SECONDS)
def test_nothing_is_lost_doubled_or_wrong(on: str) -> None:
    if on == "cluster":
        require_services()
    options = ["--minutes", str(SECONDS[on] / 60), "--every", str(EVERY), "--students", "5", "--seed", "16", "--json"]
    command = [sys.executable, "-P", "-m", "app", "bench", "soak", "--on", on, *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.stdout, done.stderr[-3000:]
    report = json.loads(done.stdout)
    found = {what: report[what] for what in ("lost", "doubled", "wrong", "left")}
    assert found == {"lost": [], "doubled": [], "wrong": [], "left": []}
    assert done.returncode == 0
    assert report["faults_made"] >= 2, report
    assert report["checked"]["acknowledged"] > 0, report


def require_services() -> None:
    try:
        Nats.program()
        Postgres.programs()
    except ServiceMissing as error:
        missing("services", str(error))
