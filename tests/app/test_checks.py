"""The gate for files in memory: in the background, known again after a restart, and never passed unproved."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.db import Database
from app.teaching.checks import Check, Checks
from app.teaching.pages.checks import CheckPanel
from app.teaching.subjects import Subject
from graders.boxes.pool import Judge
from graders.exercise.fault import Fault
from graders.exercise.folder import hash_files
from graders.exercise.limits import CEILINGS
from graders.exercise.reader import exercise_from_files
from graders.proof.admitted import Admitted
from graders.proof.report import ProofReport
from tests.app.thresholds import CASES, sound_thresholds, thresholds
from tests.conftest import require_boxes
from tests.waiting import LIMIT_SECONDS, until

COURSE = {
    "course.toml": b'title = "Cells"\nblurb = "A course."\n',
    "01-first.md": b"---\ntitle: First\n---\n\nA text.\n\n:::{exercise} thresholds\n:::\n\n"
    b":::{code-cell} python\n:name: one\n1 / 0\n:::\n",
}


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judge]:
    with Judge(tmp_path_factory.mktemp("cache"), ["numpy"], parked={"numpy": 2}) as judge:
        require_boxes(judge)
        yield judge


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    database = Database(f"sqlite+pysqlite:///{tmp_path_factory.mktemp('checks') / 'lectern.sqlite3'}")
    database.migrate()
    yield database
    database.close()


Begin = Callable[..., Checks]


@pytest.fixture
def begin(database: Database, judge: Judge, tmp_path: Path) -> Iterator[Begin]:
    """Checks of a process that has just begun."""
    begun = []

    def started(siblings: set[str] | None = None, judged_by: Judge | None = judge) -> Checks:
        named = {"thresholds"} if siblings is None else siblings
        checks = Checks(database, judged_by, tmp_path / "content", CEILINGS, lambda: named, Admitted(tmp_path / "ok"))
        checks.start()
        begun.append(checks)
        return checks

    yield started
    for checks in begun:
        checks.close()


def look(database: Database, checks: Checks, slug: str, files: dict[str, bytes]) -> Check | None:
    with database.reading() as db:
        return checks.of(db, "exercise", slug, hash_files(files))


def found(checks: Checks, slug: str, files: dict[str, bytes], kind: str = "exercise") -> Check:
    checks.want(kind, slug, files)
    return checks.wait(kind, slug, hash_files(files), LIMIT_SECONDS)


def report_of(database: Database, checks: Checks, files: dict[str, bytes]) -> ProofReport:
    found(checks, "thresholds", files)
    with database.reading() as db:
        check = checks.of(db, "exercise", "thresholds", hash_files(files), in_full=True)
    assert check is not None
    assert check.report is not None
    return check.report


def test_faults_stand_at_their_files_and_a_later_process_knows_them(begin: Begin, database: Database) -> None:
    files = thresholds()
    checks = begin()
    check = found(checks, "thresholds", files)
    assert (check.state, check.ok) == ("finished", False)
    at = {fault.code: (fault.path, fault.line) for fault in check.faults}
    assert at["mistake-verdict"] == ("mistakes/keeps-equal.py", None)
    assert at["mutant-lives"] == ("reference.py", 5)
    assert check.as_json().keys() == {"state", "ok", "faults", "mutants", "killed", "equivalent"}
    checks.close()
    assert look(database, begin(judged_by=None), "thresholds", files) == check, "nothing is forgotten"
    assert look(database, begin(), "thresholds", sound_thresholds()) is None, "and nothing passes that was not proved"


def test_the_report_has_the_case_that_kills_a_survivor(begin: Begin, database: Database, tmp_path: Path) -> None:
    checks = begin()
    report = report_of(database, checks, thresholds())
    assert [(case.name, case.sample) for case in report.cases] == [
        ("three", True), ("six drawn", False), ("nine drawn", False)
    ]  # fmt: skip
    assert report.cases[0].expected.arrays[0].block.array().tolist() == [0.0, 0.75, 2.125]
    assert [(one.path, one.verdict, one.share) for one in report.answers] == [("reference.py", "accepted", 0.0)]
    assert {usage.limit for usage in report.answers[0].usages} == {
        "wall_seconds", "total_seconds", "memory_mb", "output_kb"
    }  # fmt: skip
    mistakes = {one.name: (one.verdict, one.is_sound, one.sentence) for one in report.mistakes}
    assert mistakes["keeps-all"] == ("wrong_answer", True, "You keep everything: nothing is replaced by 0.")
    assert mistakes["keeps-equal"][:2] == ("accepted", False)
    (survivor,) = report.survivors
    assert survivor.telling is not None
    assert survivor.telling.inputs[0].arrays[0].block.array().tolist() == [0.5], "the smallest that tells"
    files = thresholds(cases_py=CASES + (survivor.telling.snippet or ""))
    assert found(checks, "thresholds", files).ok
    after = report_of(database, checks, files)
    assert after.survivors == ()
    assert all(one.is_sound for one in after.mistakes)
    assert Admitted(tmp_path / "ok").holds(exercise_from_files("thresholds", files))


def test_a_newer_state_takes_the_place_of_an_older_one(begin: Begin, database: Database) -> None:
    checks = begin()
    stale = thresholds(cases_py=CASES + '    yield "slow", {"x": np.arange(90_000.0)}\n')
    checks.want("exercise", "newer", stale)
    until(lambda: (check := look(database, checks, "newer", stale)) is not None and check.state == "running", stale)
    assert found(checks, "newer", sound_thresholds()).ok
    assert look(database, checks, "newer", stale) is None, "it has found nothing, and can be wanted again"


def test_an_interrupted_check_runs_again(begin: Begin, database: Database) -> None:
    files = sound_thresholds() | {"statement.md": b"Another statement.\n"}
    before = begin()
    before.want("exercise", "interrupted", files)
    until(lambda: (check := look(database, before, "interrupted", files)) is not None and check.step is not None)
    before.close()
    after = begin()
    assert look(database, after, "interrupted", files) is None
    assert found(after, "interrupted", files).ok


def test_what_cannot_be_read_is_a_fault_like_another(begin: Begin) -> None:
    check = found(begin(), "unread", {"exercise.toml": b"title = ["})
    assert check.ok is False
    assert [fault.path for fault in check.faults] == ["statement.md"]


def test_a_course_is_asked_again_when_what_it_embeds_comes_or_goes(begin: Begin) -> None:
    checks = begin(siblings=set())
    assert {fault.code for fault in found(checks, "cells", COURSE, "course").faults} == {"link", "cell-raises"}
    checks.close()
    check = found(begin(), "cells", COURSE, "course")
    assert [(fault.code, fault.path, fault.line) for fault in check.faults] == [("cell-raises", "01-first.md", 12)]


def test_without_a_judge_nothing_is_proved(begin: Begin) -> None:
    files = thresholds(statement_md="Never judged.\n")
    checks = begin(judged_by=None)
    checks.want("exercise", "thresholds", files)
    check = checks.wait("exercise", "thresholds", hash_files(files), 0)
    assert (check.state, check.ok) == ("queued", None)
    assert check.step


def test_a_fault_is_a_link_to_its_file_and_a_folder_is_none() -> None:
    faults = tuple(
        Fault("error", path, 3 if path else None, "broken-exercise", "It is wrong.", "Correct it.")
        for path in ("mistakes/one two.py", "mistakes", "solutions", "")
    )
    panel = CheckPanel(Subject("exercise", "doubled"), "1", Check("finished", ok=False, faults=faults), True)
    file = "/author/exercise/doubled?file=mistakes/one%20two.py&line=3"
    assert [mark.url for mark in panel.marks] == [file, None, None, None]
