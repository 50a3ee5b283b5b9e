"""What an exercise brings into every box beside its code: files to read in `data/`, modules to import in `provided/`.

cases.py, the reference, solutions, mistakes and submissions find the same ones: `open("data/words.txt")` and
`from provided.tree import Node`. Students can read all of it.
"""

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

import numpy as np

from graders.boxes.sandbox import Box, BoxLost
from graders.exercise.definition import BrokenExercise, Exercise

MAX_DATA_BYTES = 8 << 20  # they are sent to a box with each submission


def provided_in(files: Mapping[str, bytes]) -> dict[str, str]:
    """The sources of the modules in `provided/`, by path."""
    return {path: data.decode("utf-8-sig") for path, data in files.items() if path.startswith("provided/")}


def data_in(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The contents of the files in `data/`, by path."""
    return {path: data for path, data in files.items() if path.startswith("data/")}


def require_usable(files: Mapping[str, bytes]) -> None:
    """Raises BrokenExercise for what no box could be given, or no student could import."""
    for path in files:
        if path.startswith("provided/") and not re.fullmatch(r"provided/[A-Za-z][A-Za-z0-9_]*\.py", path):
            hint = "put a Python file of letters, digits and underscores here, such as provided/tree.py"
            raise BrokenExercise(path, "cannot be imported", hint)
    size = sum(map(len, data_in(files).values()))
    if size > MAX_DATA_BYTES:
        message = f"holds {size / (1 << 20):.1f} MB; {MAX_DATA_BYTES >> 20} MB are allowed"
        raise BrokenExercise("data", message, "keep what the cases need, in a compact format such as .npy")


def for_box(exercise: Exercise, box: Box) -> dict[str, Any]:
    """The part of a load request that brings them. Raises BoxLost where this machine's boxes have no folder."""
    data = data_in(exercise.files)
    if data and (why := box.walls.get("mount", "not tried")):
        raise BoxLost(f"{exercise.slug} has files in data/, and boxes here have no folder for them: {why}")
    provided = {PurePosixPath(path).stem: source for path, source in provided_in(exercise.files).items()}
    return {"data": {path: np.frombuffer(content, np.uint8) for path, content in data.items()}, "provided": provided}


def judged(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files of these that can change a verdict."""
    return {path: data for path, data in files.items() if path.startswith(("data/", "provided/"))}
