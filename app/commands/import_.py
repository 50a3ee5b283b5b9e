"""`import`: folders into the database, or what other systems hold as folders of ours."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.commands.exchanged import show_exchanged
from app.commands.installation import open_judge, read_settings
from app.commands.terminal import counted, say, stop
from graders.text import headline

if TYPE_CHECKING:
    from app.content.formats.kind import Format
    from app.importing import Report


def import_(
    path: Annotated[
        Path,
        typer.Argument(help="A folder with exercises/ and lessons/; with --into a file or folder of another system."),
    ],
    into: Annotated[
        Path | None, typer.Option(help="The folder to write what another system holds to, for example exercises.")
    ] = None,
    format_name: Annotated[str | None, typer.Option("--format", help="Its format; default: as it looks.")] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Without --into: also where the browser has a newer draft.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print exactly one JSON object.")] = False,
) -> None:
    """Save DIR/exercises and DIR/lessons as the newest revisions, to be published; repeat it at any time.

    With --into, bring exercises of another system: write their folders, judge them, and say which are sound.
    Exit status: 0 all imported, 1 some flagged or refused, 2 could not run.
    """
    if into is None:
        raise typer.Exit(_folders(path, format_name, replace, as_json))
    from app.importing import import_all
    from graders.boxes.keeper import JudgeUnavailable
    from graders.boxes.sandbox import BoxLost
    from graders.frameworks import FRAMEWORKS

    format_ = _format(path, format_name, as_json)
    ceilings = read_settings().ceilings
    try:
        with open_judge(FRAMEWORKS, parked=2) as judge:
            report = import_all(format_, path, into, judge, lambda line: say(line, sys.stderr), ceilings)
    except JudgeUnavailable as refused:
        raise stop(as_json, "judge_unavailable", refused.message, refused.hint) from None
    except BoxLost as lost:
        message = f"No sandbox could be started: {lost}."
        raise stop(as_json, "judge_unavailable", message, "Run ./lectern doctor.") from None
    except OSError as error:
        message = f"Cannot read or write {error.filename or into}: {error.strerror}."
        raise stop(
            as_json, "invalid", message, "Name what you may read, and with --into what you may write to."
        ) from None
    if as_json:
        say(json.dumps(report.as_json(), ensure_ascii=False))
    else:
        _show(report)
    raise typer.Exit(0 if report.ok else 1)


def _folders(root: Path, format_name: str | None, replace: bool, as_json: bool) -> int:
    from app.commands.installation import open_database
    from app.teaching.exchange import find, import_all

    if format_name is not None:
        raise stop(as_json, "invalid", "--format needs --into.", "Name the folder to write to, for example exercises.")
    if not root.is_dir() or not any(find(root)):
        hint = "Name a folder that holds exercises/ or lessons/; for another system's files, add --into."
        raise stop(as_json, "not_found", f"There are no exercises and no courses in {root}.", hint)
    with open_database() as database:
        exchanged = list(import_all(database, root, replace=replace))
    return show_exchanged("imported", exchanged, as_json)


def _format(path: Path, name: str | None, as_json: bool) -> "Format":
    from app.content.formats.table import FORMATS, format_of

    known = f"The formats are {', '.join(FORMATS)}."
    if not path.exists():
        raise stop(as_json, "not_found", f"There is no such file or folder: {path}.", "Name what to import.")
    if name is not None and name not in FORMATS:
        raise stop(as_json, "not_found", f"There is no format {name!r}.", known)
    found = format_of(path) if name is None else FORMATS[name]
    if found is None or not found.recognises(path):
        message = f"{path} does not look like {name or 'any format that can be imported'}."
        raise stop(as_json, "invalid", message, f"{known} docs/importing.md says what each looks like.")
    return found


def _show(report: "Report") -> None:
    for entry in report.imported:
        for warning in entry["warnings"]:
            say(f"{entry['path']}: warning: {warning}")
    for entry in report.flagged:
        for fault in entry["faults"]:
            say(f"{fault}")
    for item in report.refused:
        say(f"{item.name}: refused: {item.why}")
    imported = f"{counted(len(report.imported), 'item')} imported"
    say(headline(f"{imported}, {len(report.flagged)} flagged, {len(report.refused)} refused ({report.format})."))
