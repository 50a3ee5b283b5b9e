"""Fills the caches that all servers of a test run share (LECTERN_TEST_CACHE): what each would make for itself.

    python -m tests.prepare FOLDER

Expected outputs, the outcomes of mistakes, what JAX compiles ahead, what lessons' cells give: some 35 seconds of a
core, once instead of for each group of tests.
"""

import sys
import tempfile
from pathlib import Path

from app.settings import Settings
from graders.boxes import warmth
from graders.exercise.preparer import Preparer
from tests.conftest import running
from tests.waiting import LIMIT_SECONDS, until


def fill(folder: Path) -> None:
    """Start Lectern as it ships, and wait until it has nothing left to make ahead that somebody waits for."""
    warmth.COMMON_DECLARATIONS = 0
    with (
        tempfile.TemporaryDirectory() as data,
        running(Settings(data=Path(data), cache=folder, workers=1)) as server,
    ):
        # Not until the threads that make it end: they wait for what authors change, as long as the server runs.
        preparer, cells = server.state.preparer, server.state.cells
        assert isinstance(preparer, Preparer)
        assert preparer.wait_until_prepared(LIMIT_SECONDS), "the exercises are not prepared"

        def missing() -> list[str]:
            return [cell.name for cell in server.state.catalog.cells() if cells.output(cell) is None]

        until(lambda: not missing(), missing, look_seconds=0.05)


if __name__ == "__main__":
    fill(Path(sys.argv[1]))
