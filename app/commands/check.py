"""`check`: the publish gate, in a terminal or for a program."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from app.commands.installation import open_judge, read_settings
from app.commands.terminal import counted, say, stop
from graders.text import headline


def check(
    paths: Annotated[
        list[Path] | None, typer.Argument(help="Exercises, courses, or files in one; default: all of them.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print exactly one JSON object.")] = False,
) -> None:
    """Check that exercises are sound and lessons readable; name the file, line and remedy of each fault.

    Exit status: 0 clean or only warnings, 1 faults, 2 could not run.
    """
    for path in paths or []:
        if not path.exists():
            hint = "Name the folder of an exercise or a course, a folder of these, or a file in one."
            raise stop(as_json, "not_found", f"There is no such file or folder: {path}.", hint)
    from app.content.check import check as check_paths
    from graders.boxes.keeper import JudgeUnavailable
    from graders.boxes.sandbox import BoxLost
    from graders.frameworks import FRAMEWORKS
    from graders.proof.admitted import Admitted

    settings = read_settings()
    siblings = {path.parent.name for folder in settings.exercises for path in folder.glob("*/exercise.toml")}
    try:
        with open_judge(FRAMEWORKS, parked=2) as judge:
            report = check_paths(
                paths or [*settings.exercises, *settings.lessons],
                judge,
                siblings,
                (lambda line: None) if as_json else (lambda line: say(line, sys.stderr)),
                named=bool(paths),
                ceilings=settings.ceilings,
                cache=settings.cache_folder / "content",
                admitted=Admitted(settings.cache_folder / "admitted"),
            )
    except JudgeUnavailable as refused:
        raise stop(as_json, "judge_unavailable", refused.message, refused.hint) from None
    except BoxLost as lost:
        raise stop(
            as_json, "judge_unavailable", f"No sandbox could be started: {lost}.", "Run ./lectern doctor."
        ) from None
    if as_json:
        say(json.dumps(report.as_json(), ensure_ascii=False))
    else:
        for slug, findings in report.findings.items():
            for n, line in enumerate(findings):
                say(f"  {line}" if n else f"{slug}: {line}")
        for fault in report.faults:
            say(f"{fault}")
        errors = sum(fault.severity == "error" for fault in report.faults)
        total = f"{counted(errors, 'fault')}, {counted(len(report.faults) - errors, 'warning')}."
        say(headline(total))
    raise typer.Exit(0 if report.ok else 1)
