"""Fills the caches that all servers of a test run share (LECTERN_TEST_CACHE): what each would make for itself.

    python -m tests.prepare FOLDER

Expected outputs, the outcomes of mistakes, what JAX compiles ahead, what lessons' cells give: some 35 seconds of a
core, once instead of for each group of tests.
"""

import sys
import tempfile
import threading
from pathlib import Path

from app.settings import Settings
from tests.conftest import running


def fill(folder: Path) -> None:
    """Start Lectern as it ships, and wait until it has nothing left to make ahead."""
    with (
        tempfile.TemporaryDirectory() as data,
        running(Settings(data=Path(data), cache=folder, workers=1)),
    ):
        for thread in [thread for thread in threading.enumerate() if thread.name in ("preparer", "cells")]:
            thread.join(300)


if __name__ == "__main__":
    fill(Path(sys.argv[1]))
