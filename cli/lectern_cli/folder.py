"""An exercise as a folder: the statement, the file to write in, and the sample cases as a test.

attack: a server names its exercise, its function or a file `../../.bashrc`, or sends code in a name.
defence: the folder has the name that the student typed, the files have names of ours, and what the server says is data
in them. What the exercise brings keeps its names, in `provided/` and `data/`, if they are plain ones. Only the starter
and `provided/` are code: the student reads them before running them.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lectern_cli.server import read_address, read_slug
from lectern_cli.terminal import printable, say, stop
from lectern_cli.tokens import replace_file

SOLUTION, STATEMENT, SAMPLES, TEST, ORIGIN = (
    "solution.py", "statement.md", "samples.json", "test_samples.py", "lectern.json"
)  # fmt: skip
FRAMEWORKS = ("numpy", "jax", "torch", "python")
_WIDE = re.compile(r"\b(int64|uint64|float64|complex128)\b")
_READABLE = 0o644
_PROVIDED = re.compile(r"provided/[A-Za-z][A-Za-z0-9_]{0,80}\.py")
_DATA = re.compile(r"data(/[A-Za-z0-9_][A-Za-z0-9_.-]{0,80}){1,4}")


@dataclass(frozen=True)
class Origin:
    """Where a folder's exercise came from, and so where its solution goes."""

    server: str
    exercise: str
    framework: str


def write_folder(folder: Path, origin: Origin, exercise: Mapping[str, Any], samples: Mapping[str, Any] | None) -> None:
    """Writes all but a solution that is there already: that is the student's."""
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        stop(f"{folder} is not a folder.", "Remove it, or choose another with --into.")
    try:
        folder.mkdir(exist_ok=True)
        for name, text in _texts(origin, exercise, samples).items():
            if name != SOLUTION or not (folder / name).exists():
                replace_file(folder / name, text, _READABLE)
        for name, content in _materials(samples or {}).items():
            _make_folders(folder, name)
            replace_file(folder / name, content, _READABLE)
    except OSError as error:
        stop(f"Cannot write to {folder}: {error.strerror}.", "Choose another folder with --into.")


def _texts(origin: Origin, exercise: Mapping[str, Any], samples: Mapping[str, Any] | None) -> dict[str, str]:
    texts = {
        ORIGIN: json.dumps(vars(origin), indent=1) + "\n",
        STATEMENT: _statement(origin, exercise),
        SOLUTION: printable(_text(exercise, "starter", origin.framework)),
    }
    if samples is not None:
        texts[SAMPLES] = json.dumps(_test_of(origin, exercise, samples)) + "\n"
        texts[TEST] = Path(__file__).with_name("test_samples.py").read_text("utf-8")
    return texts


def _materials(samples: Mapping[str, Any]) -> dict[str, str | bytes]:
    """What the exercise brings: modules in `provided/`, files in `data/`."""
    provided, data = samples.get("provided"), samples.get("data")
    found: dict[str, str | bytes] = {}
    for name, text in (provided if isinstance(provided, dict) else {}).items():
        if _PROVIDED.fullmatch(name) and isinstance(text, str):
            found[name] = printable(text)
    for name, text in (data if isinstance(data, dict) else {}).items():
        if _DATA.fullmatch(name) and isinstance(text, str):
            try:
                found[name] = base64.b64decode(text, validate=True)
            except (ValueError, binascii.Error):
                continue
    return found


def _make_folders(folder: Path, name: str) -> None:
    """attack: a link in the folder leads elsewhere. defence: no folder on the way is a link."""
    for part in reversed(Path(name).parents[:-1]):
        if (folder / part).is_symlink():
            stop(f"{folder / part} is a link.", "Remove it, then get the exercise again.")
        (folder / part).mkdir(exist_ok=True)


def _statement(origin: Origin, exercise: Mapping[str, Any]) -> str:
    title, slug = _text(exercise, "title"), origin.exercise
    head = f"# {title}\n\n<{origin.server}/exercises/{slug}>\n\n`{_text(exercise, 'signature', 'text')}`\n\n"
    return printable(f"{head}{_text(exercise, 'statement').strip()}\n")


def _test_of(origin: Origin, exercise: Mapping[str, Any], samples: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "entries": _names(samples, "entries"),
        "raises": _names(samples, "raises"),
        "messages": bool(samples.get("messages")),
        "framework": origin.framework,
        "wide": bool(_WIDE.search(_text(exercise, "signature", "text"))),
        "tolerance": {name: _number(exercise, name) for name in ("rtol", "atol")},
        "cases": samples.get("cases", []),
    }


def _text(exercise: Mapping[str, Any], *names: str) -> str:
    value: Any = exercise
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    if not isinstance(value, str):
        stop(
            f"The server sent no {' '.join(names)} for this exercise.",
            "It may be newer than this program: update it.",
        )
    return value


def _names(exercise: Mapping[str, Any], name: str) -> list[str]:
    value = exercise.get(name)
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _number(exercise: Mapping[str, Any], name: str) -> float:
    tolerance = exercise.get("tolerance")
    value = tolerance.get(name) if isinstance(tolerance, dict) else None
    return float(value) if isinstance(value, (int, float)) else 1e-6


def read_origin(file: Path) -> Origin | None:
    """Where the exercise of this file's folder came from; None if nothing beside it says so."""
    path = file.resolve().parent / ORIGIN
    try:
        found = json.loads(path.read_text("utf-8"))
        origin = Origin(str(found["server"]), str(found["exercise"]), str(found["framework"]))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        stop(f"{path} cannot be read: {error}.", "Get the exercise again, or name --exercise and --server.")
    return Origin(read_address(origin.server), read_slug(origin.exercise), read_framework(origin.framework))


def read_framework(name: str) -> str:
    if name not in FRAMEWORKS:
        stop(f"There is no framework {name!r}.", f"Use one of {', '.join(FRAMEWORKS)}.")
    return name


def say_what_is_there(folder: Path, has_samples: bool) -> None:
    say(f"{folder}/")
    say(f"  {STATEMENT:<16} what to write")
    say(f"  {SOLUTION:<16} where you write it")
    if has_samples:
        say(f"  {TEST:<16} the sample cases: run `pytest` in this folder")
    say(f"Then: submit {folder / SOLUTION}")
