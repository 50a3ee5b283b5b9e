"""The command line. Each command imports what it needs when it runs, so that `--help` is instant."""

import importlib.util
import json
import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.db import Database
    from app.settings import Settings
    from graders.boxes.pool import Judge

ROOT = Path(__file__).resolve().parent.parent
ACCEPTED, REJECTED, COULD_NOT = 0, 1, 2

cli = typer.Typer(
    name="lectern",
    help="Lectern: lessons, questions, and exercises that grade tensor code.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@cli.command()
def serve(
    host: Annotated[
        str | None, typer.Option(help="Address to listen on; default: LECTERN_HOST, then 127.0.0.1.")
    ] = None,
    port: Annotated[int | None, typer.Option(help="Port; default: LECTERN_PORT, then 8000.")] = None,
) -> None:
    """Migrate the database, import the content, then serve pages and judge submissions until Ctrl-C."""
    given = {name: value for name, value in (("host", host), ("port", port)) if value is not None}
    settings = _settings(**given)
    from app.web.server import serve as run_server

    if settings.sandbox == "off":
        _say("warning: LECTERN_SANDBOX=off: code runs without the walls that this machine lacks", sys.stderr)
    if not settings.database_url and not (settings.data / "lectern.sqlite3").exists():
        _say("First start on an empty data folder. To author and to see classes, make an instructor:", sys.stderr)
        _say("  ./lectern users add you@example.org --role instructor", sys.stderr)
    raise typer.Exit(run_server(settings))


@cli.command("test")
def run_tests(
    groups: Annotated[
        list[str] | None,
        typer.Argument(help="app, browser, code, graders, …; default: all but machines, mutants."),
    ] = None,
) -> None:
    """Run the tests. A group whose browser or service is missing is skipped and named in the summary.

    With LECTERN_TEST_REQUIRE=sandbox,services,browser a missing one is a failure.
    """
    if importlib.util.find_spec("pytest") is None:
        raise _stop(
            False,
            "not_found",
            "The packages that the tests need are not installed.",
            "Run `./lectern test`, which installs them.",
        )
    tests = ROOT / "tests"
    found = {path.name: [path] for path in tests.iterdir() if path.is_dir() and any(path.glob("test_*.py"))}
    found["code"] = sorted(tests.glob("test_*.py"))
    known = sorted(found)
    for group in groups or []:
        if group not in known:
            raise _stop(False, "not_found", f"There is no test group {group!r}.", f"The groups are {', '.join(known)}.")
    # Without a group it is all of them but `machines` and `mutants` (tests/conftest.py), which take hours.
    chosen = [str(path) for group in groups or [] for path in found[group]] or [str(tests)]
    os.chdir(ROOT)
    os.execv(sys.executable, [sys.executable, "-m", "pytest", *chosen])  # noqa: S606


@cli.command()
def grade(
    exercise_dir: Annotated[Path, typer.Argument(help="The exercise's folder, inside the repository or not.")],
    file: Annotated[Path, typer.Argument(help="The Python file to judge.")],
    framework: Annotated[
        str | None,
        typer.Option(help="numpy, jax, torch or python; default: the file's mark, else the first."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print exactly one JSON object: the submission.")] = False,
    trace: Annotated[bool, typer.Option("--trace", help="Follow one sample case, line by line.")] = False,
    case: Annotated[str | None, typer.Option(help="With --trace: the sample case's name; default: the first.")] = None,
    seed: Annotated[
        int | None, typer.Option(help="Use the fresh cases of this seed, which the page of a grading shows.")
    ] = None,
) -> None:
    """Judge one file against one exercise. Needs no server and no database.

    Exit status: 0 accepted, 1 not accepted, 2 could not judge.
    """
    if case is not None and not trace:
        raise _stop(
            as_json, "invalid", "--case needs --trace: it chooses the case to trace.", "Use --trace --case NAME."
        )
    if seed is not None and trace:
        raise _stop(
            as_json,
            "invalid",
            "--seed chooses hidden cases, but --trace follows a sample case.",
            "Use one or the other.",
        )
    if seed is not None and not 0 <= seed < 1 << 63:
        raise _stop(
            as_json, "invalid", f"{seed} is not the seed of a grading.", "Copy the seed from the page of the grading."
        )
    from graders.boxes.keeper import JudgeUnavailable
    from graders.boxes.sandbox import BoxLost
    from graders.exercise.definition import BrokenExercise
    from graders.exercise.reader import read_exercise, require_ceilings
    from graders.frameworks import FRAMEWORKS

    try:
        source = file.read_bytes()
    except OSError as error:
        raise _stop(as_json, "not_found", f"Cannot read {file}: {error.strerror}.", "Name a Python file.") from None
    try:
        exercise = read_exercise(exercise_dir)
        require_ceilings(exercise, _settings().ceilings)
    except BrokenExercise as broken:
        raise _stop(as_json, "invalid", str(broken), broken.hint) from None
    if framework is not None and framework not in exercise.frameworks:
        wanted = ", ".join(exercise.frameworks)
        code = "invalid" if framework in FRAMEWORKS else "not_found"
        raise _stop(as_json, code, f"This exercise is not for {framework}.", f"Use --framework with one of {wanted}.")

    from graders.grade import Began, CaseFinished, Finished
    from graders.grade import grade as judge_source

    names: list[Any] = []
    finished: Finished | None = None
    try:
        with _judge(("numpy", *exercise.frameworks)) as judge:
            kind = "trace" if trace else "submit"
            for event in judge_source(exercise, source, framework, judge, kind, case_name=case, seed=seed):
                if isinstance(event, Began):
                    names = list(event.cases)
                elif isinstance(event, CaseFinished):
                    _progress(event.result.name, event.result.verdict, len(names))
                else:
                    finished = event
    except JudgeUnavailable as refused:
        raise _stop(as_json, "judge_unavailable", refused.message, refused.hint) from None
    except BoxLost as lost:
        raise _stop(
            as_json, "judge_unavailable", f"No sandbox could be started: {lost}.", "Run ./lectern doctor."
        ) from None
    assert finished is not None
    if case is not None and not names and not finished.reason:
        hint = f"The cases are in {exercise_dir / 'cases.py'}."
        raise _stop(as_json, "not_found", finished.result.summary, hint)
    if trace and finished.trace and not as_json:
        from graders.reasons.trace import beside

        for line in beside(finished.trace, source.decode("utf-8-sig", "replace")):
            _say(line)
        if finished.trace.note:
            _say(finished.trace.note)
    _report(exercise, framework or _mark(source) or exercise.frameworks[0], finished, as_json, kind)


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
        _say(json.dumps(shown, ensure_ascii=False, allow_nan=False))
    else:
        _say(f"{result.verdict.replace('_', ' ')}: {result.summary}")
        if finished.reason:
            _say(finished.reason)
        for case in result.cases:
            if case.error and (case.error.traceback or case.error.plain):
                for line in (case.error.traceback or "").splitlines():
                    _say(f"  {line}")
                if case.error.plain:
                    _say(case.error.plain)
                break
        if result.diagnosis:
            _say(result.diagnosis)
    codes = {Verdict.accepted: ACCEPTED, Verdict.internal_error: COULD_NOT}
    raise typer.Exit(codes.get(result.verdict, REJECTED))


def _progress(name: str, verdict: Any, total: int) -> None:
    _say(f"  {(verdict or 'not judged').replace('_', ' '):<18} {name}", sys.stderr)


@cli.command()
def check(
    paths: Annotated[
        list[Path] | None, typer.Argument(help="Exercise or course folders; default: all of them.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print exactly one JSON object.")] = False,
) -> None:
    """Check that exercises are sound and lessons readable; name the file, line and remedy of each fault.

    Exit status: 0 clean or only warnings, 1 faults, 2 could not run.
    """
    for path in paths or []:
        if not path.is_dir():
            hint = "Name the folder of an exercise or a course, or a folder of these."
            raise _stop(as_json, "not_found", f"There is no such folder: {path}.", hint)
    from app.content.check import check as check_paths
    from graders.boxes.keeper import JudgeUnavailable
    from graders.boxes.sandbox import BoxLost
    from graders.frameworks import FRAMEWORKS

    settings = _settings()
    siblings = {path.parent.name for path in settings.exercises.glob("*/exercise.toml")}
    try:
        with _judge(FRAMEWORKS, parked=2) as judge:
            report = check_paths(
                paths or [settings.exercises, settings.lessons],
                judge,
                siblings,
                lambda line: _say(line, sys.stderr),
                named=bool(paths),
                ceilings=settings.ceilings,
                cache=settings.cache_folder / "content",
            )
    except JudgeUnavailable as refused:
        raise _stop(as_json, "judge_unavailable", refused.message, refused.hint) from None
    except BoxLost as lost:
        raise _stop(
            as_json, "judge_unavailable", f"No sandbox could be started: {lost}.", "Run ./lectern doctor."
        ) from None
    if as_json:
        _say(json.dumps(report.as_json(), ensure_ascii=False))
    else:
        for slug, findings in report.findings.items():
            for n, line in enumerate(findings):
                _say(f"  {line}" if n else f"{slug}: {line}")
        for fault in report.faults:
            _say(f"{fault}")
        errors = sum(fault.severity == "error" for fault in report.faults)
        counted = f"{_count(errors, 'fault')}, {_count(len(report.faults) - errors, 'warning')}."
        _say(counted[:1].upper() + counted[1:])
    raise typer.Exit(0 if report.ok else 1)


@cli.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []})
def bench(context: typer.Context) -> None:
    """Compare how long a student waits with a cold process, bubblewrap and bare calls; see benchmarks/README.md.

    --submissions N, --only NAME, --record (appends to benchmarks/results.md).
    """
    os.chdir(ROOT)
    os.execv(sys.executable, [sys.executable, "-P", str(ROOT / "benchmarks" / "bench.py"), *context.args])  # noqa: S606


def _count(number: int, noun: str) -> str:
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"


@cli.command()
def doctor() -> None:
    """List the walls of the sandbox: which are up on this machine, which are down, why, and how to get them."""
    from app.doctor import examine
    from app.private import exposed

    settings = _settings()
    found = exposed(settings)
    judge = _judge(("numpy",))  # which closes what is open, or says why it cannot
    private = f"{settings.data} is private: no other user can read it"
    raise typer.Exit(examine(judge, f"{found}; it is closed now" if found else private))


users = typer.Typer(help="Manage accounts.", no_args_is_help=True)
cli.add_typer(users, name="users")


@users.command("add")
def users_add(
    email: str,
    role: Annotated[str, typer.Option(help="student, instructor or admin")],
    password_stdin: Annotated[bool, typer.Option("--password-stdin", help="Read the password from stdin.")] = False,
) -> None:
    """Create an account. Asks for the password unless --password-stdin; without a terminal, sets none."""
    from app.people import accounts
    from app.web.errors import Problem

    password: str | None = None
    if password_stdin:
        password = sys.stdin.readline().rstrip("\n")
    elif sys.stdin.isatty():
        password = typer.prompt("Password", hide_input=True, confirmation_prompt=True)
    try:
        with _database() as database:
            user = accounts.add_user(database, email, role, password)
    except Problem as problem:
        raise _stop(False, problem.code, problem.message, problem.hint or "") from None
    _say(f"{user.email} is now {'an' if role[0] in 'aeiou' else 'a'} {role}.")
    if password is None:
        _say(f"No password was set. For an API token, run ./lectern users token {email}", sys.stderr)


@users.command("token")
def users_token(email: str) -> None:
    """Print a new bearer token for an account."""
    from app.people import accounts
    from app.web.errors import Problem

    try:
        with _database() as database:
            _say(accounts.make_token(database, email))
    except Problem as problem:
        raise _stop(False, problem.code, problem.message, problem.hint or "") from None


@users.command("time")
def users_time(
    email: str,
    multiplier: Annotated[float, typer.Argument(help="1 to 10; 1.5 gives 30 minutes for a quiz of 20.")],
) -> None:
    """Give someone more time in quizzes, also in open attempts. A deadline is never moved forward."""
    from app.quizzes import extra_time
    from app.web.errors import Problem

    try:
        with _database() as database:
            extended = extra_time.give_time(database, email, multiplier)
    except Problem as problem:
        raise _stop(False, problem.code, problem.message, problem.hint or "") from None
    _say(f"{email} now has {multiplier:g} times the usual time in quizzes.")
    if extended:
        _say(f"{_count(extended, 'open attempt')} extended.")


@contextmanager
def _database() -> "Iterator[Database]":
    from app.db import Database

    settings = _settings()
    _keep_private(settings)
    database = Database(settings.database)
    try:
        database.migrate()
        yield database
    finally:
        database.close()


def _settings(**given: Any) -> "Settings":
    """The settings, or exit 2 naming what cannot be."""
    from pydantic import ValidationError

    from app.settings import Settings

    try:
        return Settings(**given)
    except ValidationError as error:
        said = "; ".join(f"{'.'.join(map(str, e['loc'])) or 'settings'}: {e['msg']}" for e in error.errors())
        raise _stop(
            False, "invalid", said.replace("Value error, ", ""), "Correct the option or the environment variable."
        ) from None


def _keep_private(settings: "Settings") -> None:
    """For whatever writes to the data folder or the cache. Exit 2 where others can get at them."""
    from app.private import Exposed, keep_private

    try:
        keep_private(settings)
    except Exposed as exposed:
        raise _stop(False, "forbidden", exposed.message, exposed.hint) from None


def _judge(frameworks: tuple[str, ...], parked: int = 1) -> "Judge":
    """A judge for one command: a box at a time, its cache where the settings say."""
    from graders.boxes.pool import Judge

    settings = _settings()
    _keep_private(settings)
    require = settings.sandbox == "on"
    if not require:
        _say("warning: LECTERN_SANDBOX=off: code runs without the walls that this machine lacks", sys.stderr)
    return Judge(settings.cache_folder, dict.fromkeys(frameworks), dict.fromkeys(frameworks, parked), require)


def _say(line: str, where: TextIO | None = None) -> None:
    (where or sys.stdout).write(f"{line}\n")


def _stop(as_json: bool, code: str, message: str, hint: str) -> typer.Exit:
    """Exit 2, saying what and what to do: as JSON on stdout, or in words on stderr."""
    if as_json:
        _say(json.dumps({"error": {"code": code, "message": message, "hint": hint}}, ensure_ascii=False))
    else:
        _say(f"lectern: {message}\n         {hint}", sys.stderr)
    return typer.Exit(COULD_NOT)


def _mark(source: bytes) -> str | None:
    from graders.exercise.reader import framework_mark

    return framework_mark(source[:200].decode("utf-8", "replace"))


if __name__ == "__main__":
    cli(prog_name="./lectern")
