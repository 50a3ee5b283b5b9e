"""`export`: all content as folders, questions in the formats of other systems, or whole folders in a zip."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.commands.exchanged import show_exchanged
from app.commands.terminal import counted, say, stop

if TYPE_CHECKING:
    from app.content.formats.kind import Exported

FOLDERS = "folders"


def export(
    path: Annotated[
        Path,
        typer.Argument(help="The folder to write to; with --format a course's folder, or any folder of content."),
    ],
    format_name: Annotated[
        str | None, typer.Option("--format", help="gift, moodle-xml, qti or folders; default: all that is published.")
    ] = None,
    drafts: Annotated[
        bool, typer.Option("--drafts", help="Without --format: the newest revision of each, published or not.")
    ] = False,
    to: Annotated[Path | None, typer.Option(help="The file to write; default: named after the folder, here.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print exactly one JSON object.")] = False,
) -> None:
    """Write everything that is published as folders, DIR/exercises and DIR/lessons; repeat it at any time.

    With --format, write the questions of a course as one file for another system, and say what that cannot hold.
    Exit status: 0 all exported, 1 some left out, 2 could not run.
    """
    if format_name is None:
        raise typer.Exit(_all(path, drafts, as_json))
    if not path.is_dir():
        raise stop(as_json, "not_found", f"There is no such folder: {path}.", "Name the folder of a course.")
    exported, suffix = _folders(path, as_json) if format_name == FOLDERS else _questions(path, format_name, as_json)
    target = to or Path(f"{path.resolve().name}{suffix}")
    _write(target, exported.content, as_json)
    if as_json:
        say(json.dumps(_report(format_name, target, exported), ensure_ascii=False))
    else:
        _show(target, exported)
    raise typer.Exit(1 if exported.left_out else 0)


def _all(root: Path, drafts: bool, as_json: bool) -> int:
    from app.commands.installation import open_database
    from app.teaching.exchange import export_all

    try:
        with open_database() as database:
            exchanged = list(export_all(database, root, drafts=drafts))
    except OSError as error:
        message = f"Cannot write {error.filename or root}: {error.strerror}."
        raise stop(as_json, "invalid", message, "Name a folder that you may write to.") from None
    return show_exchanged("exported", exchanged, as_json)


def _questions(path: Path, name: str, as_json: bool) -> "tuple[Exported, str]":
    from app.content.course import read_course
    from app.content.formats.exports import EXPORTS
    from graders.exercise.folder import FolderUnreadable

    if name not in EXPORTS:
        known = f"The formats are {', '.join([*EXPORTS, FOLDERS])}."
        raise stop(as_json, "not_found", f"There is no format {name!r}.", known)
    if not (path / "course.toml").is_file():
        hint = "Name the folder of a course; exercises are exported with --format folders."
        raise stop(as_json, "invalid", f"There is no course in {path}.", hint)
    try:
        exported = EXPORTS[name].exported(read_course(path))
    except FolderUnreadable as error:
        raise stop(as_json, "invalid", f"{error}.", f"{error.hint}.") from None
    if not exported.questions:
        raise stop(as_json, "invalid", f"No question of {path} can be exported.", "Run ./lectern check on it.")
    return exported, EXPORTS[name].SUFFIX


def _folders(path: Path, as_json: bool) -> "tuple[Exported, str]":
    from app.content.check import find_folders
    from app.content.formats.folders import SUFFIX, zip_of
    from app.content.formats.kind import Exported
    from graders.exercise.folder import FolderUnreadable

    exercises, courses, faults = find_folders([path])
    if faults:
        raise stop(as_json, "invalid", faults[0].message, faults[0].hint)
    try:
        return Exported(zip_of([*exercises, *courses]), 0), SUFFIX
    except FolderUnreadable as error:
        raise stop(as_json, "invalid", f"{error}.", f"{error.hint}.") from None


def _write(target: Path, content: bytes, as_json: bool) -> None:
    """What is there stays, unless it is the same."""
    try:
        if target.exists() and target.read_bytes() != content:
            hint = "Name another with --to, or remove it."
            raise stop(as_json, "conflict", f"{target} is there already, and is another.", hint)
        target.write_bytes(content)
    except OSError as error:
        message = f"Cannot write {target}: {error.strerror}."
        raise stop(as_json, "invalid", message, "Name a file that you may write to with --to.") from None


def _report(name: str, target: Path, exported: "Exported") -> dict[str, object]:
    return {
        "format": name,
        "path": str(target),
        "questions": exported.questions,
        "lost": [vars(lost) for lost in exported.lost],
        "left_out": [vars(refused) for refused in exported.left_out],
    }


def _show(target: Path, exported: "Exported") -> None:
    for lost in exported.lost:
        say(f"{lost.name}: not shown there: {lost.what}.", sys.stderr)
    for refused in exported.left_out:
        say(f"{refused.name}: left out: {refused.why}", sys.stderr)
    held = f"{counted(exported.questions, 'question')}, {len(exported.left_out)} left out"
    say(f"{target}: {held if exported.questions else 'written'}.")
