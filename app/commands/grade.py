"""`grade`: one file against one exercise, without a server."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.commands.installation import open_judge, read_settings
from app.commands.terminal import ACCEPTED, COULD_NOT, REJECTED, say, stop

if TYPE_CHECKING:
    from graders.boxes.pool import Judge
    from graders.exercise.definition import Exercise


def grade(
    exercise_dir: Annotated[Path, typer.Argument(help="The exercise's folder, inside the repository or not.")],
    file: Annotated[Path, typer.Argument(help="The Python file to judge.")],
    framework: Annotated[
        str | None, typer.Option(help="numpy, jax, torch or python; default: the file's mark, else the first.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print exactly one JSON object: the submission.")] = False,
    trace: Annotated[bool, typer.Option("--trace", help="Follow one sample case, line by line.")] = False,
    case: Annotated[str | None, typer.Option(help="With --trace: the sample case's name; default: the first.")] = None,
    seed: Annotated[
        int | None, typer.Option(help="Use the fresh cases of this seed, which the page of a grading shows.")
    ] = None,
    reveal: Annotated[bool, typer.Option("--reveal", help="Tell all of the hidden cases too: for authors.")] = False,
) -> None:
    """Judge one file against one exercise. Needs no server and no database.

    Exit status: 0 accepted, 1 not accepted, 2 could not judge.
    """
    if case is not None and not trace:
        raise stop(
            as_json, "invalid", "--case needs --trace: it chooses the case to trace.", "Use --trace --case NAME."
        )
    if seed is not None and trace:
        raise stop(
            as_json,
            "invalid",
            "--seed chooses hidden cases, but --trace follows a sample case.",
            "Use one or the other.",
        )
    if seed is not None and not 0 <= seed < 1 << 63:
        raise stop(
            as_json, "invalid", f"{seed} is not the seed of a grading.", "Copy the seed from the page of the grading."
        )
    if reveal and (trace or as_json):
        other = "--trace" if trace else "--json"
        message = f"--reveal and {other} do not go together: only --reveal tells of hidden cases, in words."
        raise stop(as_json, "invalid", message, "Use one or the other.")
    from graders.boxes.keeper import JudgeUnavailable
    from graders.boxes.sandbox import BoxLost
    from graders.exercise.definition import BrokenExercise
    from graders.exercise.reader import read_exercise, require_ceilings
    from graders.frameworks import FRAMEWORKS

    try:
        source = file.read_bytes()
    except OSError as error:
        raise stop(as_json, "not_found", f"Cannot read {file}: {error.strerror}.", "Name a Python file.") from None
    try:
        exercise = read_exercise(exercise_dir)
        require_ceilings(exercise, read_settings().ceilings)
    except BrokenExercise as broken:
        raise stop(as_json, "invalid", str(broken), broken.hint) from None
    if framework is not None and framework not in exercise.frameworks:
        wanted = ", ".join(exercise.frameworks)
        code = "invalid" if framework in FRAMEWORKS else "not_found"
        raise stop(as_json, code, f"This exercise is not for {framework}.", f"Use --framework with one of {wanted}.")

    from graders.grade import Began, CaseFinished, Finished
    from graders.grade import grade as judge_source

    names: list[Any] = []
    finished: Finished | None = None
    try:
        with open_judge(("numpy", *exercise.frameworks)) as judge:
            kind = "trace" if trace else "submit"
            for event in judge_source(exercise, source, framework, judge, kind, case_name=case, seed=seed):
                if isinstance(event, Began):
                    names = list(event.cases)
                elif isinstance(event, CaseFinished):
                    _progress(event.result.name, event.result.verdict, len(names))
                else:
                    finished = event
            if reveal:
                _reveal(judge, exercise, source, framework, seed)
    except JudgeUnavailable as refused:
        raise stop(as_json, "judge_unavailable", refused.message, refused.hint) from None
    except BoxLost as lost:
        raise stop(
            as_json, "judge_unavailable", f"No sandbox could be started: {lost}.", "Run ./lectern doctor."
        ) from None
    assert finished is not None
    if case is not None and not names and not finished.reason:
        hint = f"The cases are in {exercise_dir / 'cases.py'}."
        raise stop(as_json, "not_found", finished.result.summary, hint)
    if trace and finished.trace and not as_json:
        from graders.reasons.trace import beside

        for line in beside(finished.trace, source.decode("utf-8-sig", "replace")):
            say(line)
        if finished.trace.note:
            say(finished.trace.note)
    _report(exercise, framework or _mark(source) or exercise.frameworks[0], finished, as_json, kind)


def _reveal(judge: "Judge", exercise: "Exercise", source: bytes, framework: str | None, seed: int | None) -> None:
    """Every case by its name, with what is wrong on it and the tolerance that would accept it."""
    from graders.exercise.built import cases_of
    from graders.exercise.definition import BrokenExercise, Source
    from graders.exercise.fresh import draw
    from graders.proof.reveal import reveal

    text = source.decode("utf-8-sig", "replace")
    file = Source("your file", text, framework or _mark(source) or exercise.frameworks[0])
    try:
        fresh = draw(judge, exercise, [seed])[0].cases if seed is not None else ()
        found = list(reveal(judge, exercise, file, [*cases_of(judge, exercise), *fresh]))
    except BrokenExercise:
        return  # the report says so
    for one in found:
        say(f"  {one}")
    wrong = [one for one in found if not one.is_right]
    if len(wrong) > 1:
        say(f"The worst: {max(wrong, key=lambda one: one.share)}")


def _report(exercise: Any, framework: str, finished: Any, as_json: bool, kind: str) -> None:
    from datetime import UTC, datetime

    from graders.verdict import PublicSubmission, State, Verdict

    result = finished.result
    if as_json:
        shown = PublicSubmission(
            id=None,
            exercise=exercise.slug,
            exercise_hash=exercise.content_hash,
            framework=framework,
            kind=kind,
            state=State.finished,
            created_at=datetime.now(UTC),
            cases=result.cases,
            verdict=result.verdict,
            score=result.score,
            summary=result.summary,
            diagnosis=result.diagnosis,
            mistake=result.mistake,
            trace=finished.trace.public() if finished.trace else None,
        ).json()
        if result.verdict == Verdict.internal_error:
            hint = "Correct the exercise: ./lectern check names the file and the line."
            shown["error"] = {"code": "internal", "message": finished.reason or result.summary, "hint": hint}
        say(json.dumps(shown, ensure_ascii=False, allow_nan=False))
    else:
        say(f"{result.verdict.replace('_', ' ')}: {result.summary}")
        if finished.reason:
            say(finished.reason)
        wrong = [case for case in result.cases if case.verdict not in (None, Verdict.accepted)]
        for case in wrong:
            if case.error and (case.error.traceback or case.error.plain):
                if case is not wrong[0]:  # the summary names the first
                    say(f"In the case “{case.name}”:")
                for line in (case.error.traceback or "").splitlines():
                    say(f"  {line}")
                if case.error.plain:
                    say(case.error.plain)
                break
        if result.diagnosis:
            say(result.diagnosis)
    codes = {Verdict.accepted: ACCEPTED, Verdict.internal_error: COULD_NOT}
    raise typer.Exit(codes.get(result.verdict, REJECTED))


def _progress(name: str, verdict: Any, total: int) -> None:
    say(f"  {(verdict or 'not judged').replace('_', ' '):<18} {name}", sys.stderr)


def _mark(source: bytes) -> str | None:
    from graders.exercise.reader import framework_mark

    return framework_mark(source[:200].decode("utf-8", "replace"))
