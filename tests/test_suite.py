"""What runs the tests: tried on small suites of its own, in processes of their own."""

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.changed import Chooser, changes_since, functions_of
from tests.parallel import Part, Plan
from tests.twins import MEET, cover
from tests.waiting import LIMIT_SECONDS, until

ROOT = Path(__file__).resolve().parents[1]
PLUGINS = ["-p", "tests.parallel", "-p", "tests.suite", "-p", "no:cacheprovider", "--import-mode=importlib"]


class Suite:
    """A folder with tests, and what a run of them says."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.write("pytest.ini", "[pytest]\nmarkers = extra\n")

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))

    def run(self, *arguments: str) -> tuple[int, str]:
        return self.end(self.begin(*arguments))

    def begin(self, *arguments: str) -> subprocess.Popen[str]:
        places = {"PYTHONPATH": ROOT, "LECTERN_TEST_CACHE": self.root / "cache", "TMPDIR": self.root}
        environment = {**os.environ, **{name: str(place) for name, place in places.items()}}
        command = [sys.executable, "-P", "-m", "pytest", *PLUGINS, f"--rootdir={self.root}", *arguments]
        return subprocess.Popen(
            command, cwd=self.root, env=environment, text=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip

    def end(self, run: subprocess.Popen[str]) -> tuple[int, str]:
        with run:
            try:
                output, _ = run.communicate(timeout=LIMIT_SECONDS)
            except BaseException:
                run.kill()
                raise
        return run.returncode, output


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    return Suite(tmp_path)


def test_workers_run_every_test_once_and_the_summary_says_how_to_repeat_a_failure(suite: Suite) -> None:
    for name in ("app", "content"):
        suite.write(
            f"tests/{name}/test_{name}.py",
            f"""
            import os, pathlib, pytest

            @pytest.mark.parametrize("number", range(40))
            def test_notes_itself(number):
                with open({str(suite.root / "notes")!r}, "a") as notes:
                    notes.write(f"{name} {{number}} {{os.getpid()}}\\n")

            def test_fails():
                print("printed here")
                assert 1 == 2

            def test_is_skipped():
                pytest.skip("no such thing here")
            """,
        )
    code, output = suite.run("tests", "--workers", "3", "-ra")
    assert code == 1
    notes = [line.split() for line in (suite.root / "notes").read_text().splitlines()]
    assert sorted((name, int(number)) for name, number, _ in notes) == [
        (name, number) for name in ("app", "content") for number in range(40)
    ]
    assert len({pid for *_, pid in notes}) > 1, "they are shared"
    assert "2 failed, 80 passed, 2 skipped" in output
    assert "app        40 passed, 1 skipped, 1 failed" in output
    assert "skipped in content: 1 × no such thing here" in output
    assert "INTERNALERROR" not in output
    assert "./lectern test tests/app/test_app.py::test_fails" in output
    assert output.count("printed here") >= 2
    assert "FAILED tests/app/test_app.py::test_fails: assert 1 == 2" in output, "said at once"
    assert "assert 1 == 2" in output


@pytest.mark.parametrize("end", ["os._exit(0)", "os._exit(3)", "os.kill(os.getpid(), 9)"])
def test_a_worker_that_dies_fails_its_test_and_no_other(suite: Suite, end: str) -> None:
    suite.write(
        "tests/app/test_a.py",
        f"""
        import os

        def test_before(): pass
        def test_dies(): {end}
        def test_after(): pass
        def test_last(): pass
        """,
    )
    suite.write("tests/app/test_b.py", "def test_elsewhere(): pass\n")
    code, output = suite.run("tests", "--workers", "2")
    assert code == 1
    assert "1 failed, 4 passed" in output
    assert "./lectern test tests/app/test_a.py::test_dies" in output
    assert "The process that ran this test ended" in output


def test_what_a_session_sets_up_ends_in_each_worker(suite: Suite) -> None:
    suite.write(
        "tests/app/conftest.py",
        f"""
        import os, pytest

        @pytest.fixture(scope="session")
        def server():
            with open({str(suite.root / "notes")!r}, "a") as notes:
                notes.write(f"begins {{os.getpid()}}\\n")
            yield
            with open({str(suite.root / "notes")!r}, "a") as notes:
                notes.write(f"ends {{os.getpid()}}\\n")
        """,
    )
    for name in "abcdef":
        suite.write(f"tests/app/test_{name}.py", "def test_one(server): pass\ndef test_two(server): pass\n")
    assert suite.run("tests", "--workers", "2")[0] == 0
    notes = (suite.root / "notes").read_text().split()
    workers = {pid for pid in notes if pid.isdigit()}
    assert 1 <= len(workers) <= 2
    assert notes.count("begins") == notes.count("ends") == len(workers)


def test_the_first_failure_ends_the_run_where_that_is_asked(suite: Suite) -> None:
    for name in "abcdefgh":
        suite.write(f"tests/app/test_{name}.py", "def test_fails(): assert False\n")
    code, output = suite.run("tests", "--workers", "2", "-x")
    assert code == 1
    assert "stopping after" in output
    assert "8 failed" not in output


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_run_that_is_told_to_end_ends_its_tests_and_leaves_nothing(suite: Suite, number: signal.Signals) -> None:
    """Only the process that was started is told, as by an editor's stop button."""
    for name in "abcd":  # a worker has two of them at once
        suite.write(
            f"tests/app/test_{name}.py",
            f"""
            import pathlib, pytest, threading
            place = pathlib.Path({str(suite.root)!r})

            @pytest.fixture
            def server():
                yield
                (place / "{name} is torn down").touch()

            def test_one(server):
                (place / "{name} waits").touch()
                try:
                    threading.Event().wait()
                except Exception:
                    pass
            """,
        )
    before = signal.signal(number, signal.default_int_handler)  # what a shell has in the background ignores SIGINT
    run = suite.begin("tests", "--workers", "2")
    signal.signal(number, before)
    until(lambda: len([*suite.root.glob("* waits")]) == 2)
    scratch = [path for place in (Path("/dev/shm"), suite.root) for path in place.glob(f"lectern-tests-{run.pid}-*")]
    assert scratch
    run.send_signal(number)
    code, output = suite.end(run)
    assert code == pytest.ExitCode.INTERRUPTED, output
    assert len([*suite.root.glob("* is torn down")]) == 2, output
    assert not [path for path in scratch if path.exists()]


def test_what_a_killed_run_left_is_cleared_away_by_the_next(suite: Suite) -> None:
    for name in "ab":
        suite.write(f"tests/app/test_{name}.py", "def test_one(): pass\n")
    ended = subprocess.Popen(["true"])
    ended.wait()
    left = [suite.root / f"lectern-tests-{pid}-x" for pid in (ended.pid, os.getpid())]
    for folder in left:
        folder.mkdir()
    assert suite.run("tests", "--workers", "2")[0] == 0
    assert [folder.exists() for folder in left] == [False, True], "the other one's run goes on"


def test_a_number_of_workers_that_would_run_nothing_is_refused(suite: Suite) -> None:
    suite.write("tests/app/test_a.py", "def test_fails(): assert False\n")
    for number in ("0", "-1"):
        code, output = suite.run("tests", "--workers", number)
        assert code == pytest.ExitCode.USAGE_ERROR
        assert "it takes at least one" in output


def test_a_test_counts_once_by_the_worst_of_its_parts(suite: Suite) -> None:
    suite.write(
        "tests/app/test_a.py",
        """
        import pytest

        @pytest.fixture
        def fragile():
            yield
            assert False

        def test_one(fragile): pass
        def test_two(fragile): pytest.skip("not here")
        def test_three(): pass
        """,
    )
    assert "app        1 passed, 2 failed" in suite.run("tests")[1]


def test_a_folder_for_temporary_files_is_emptied_once(suite: Suite) -> None:
    for name in "abcdef":
        suite.write(f"tests/app/test_{name}.py", "def test_one(tmp_path): (tmp_path / 'file').touch()\n")
    code, output = suite.run("tests", "--workers", "3", f"--basetemp={suite.root / 'temporary'}")
    assert code == 0, output


def test_part_of_a_run_writes_no_map_and_no_list(suite: Suite) -> None:
    suite.write("tests/app/test_a.py", "def test_one(): pass\n")
    files = [ROOT / "tests" / name for name in ("reach.json.gz", "without_a_twin.json")]
    before = [file.stat().st_mtime_ns for file in files]
    assert "reach.json.gz stays as it was" in suite.run("tests", "--map")[1]
    assert "without_a_twin.json stays as it was" in suite.run("tests", "--twins")[1]
    assert [file.stat().st_mtime_ns for file in files] == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["broswer"], "There is no test group or file 'broswer'."),
        (["--changed", "HEAD", "broswer"], "--changed compares with one revision, not with HEAD, broswer."),
    ],
)
def test_a_name_that_is_no_group_is_refused_before_anything_runs(arguments: list[str], message: str) -> None:
    command = [sys.executable, "-P", "-m", "app", "test", *arguments]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=LIMIT_SECONDS)
    assert run.returncode == 2
    assert message in run.stderr
    assert "The groups are app, browser, code" in run.stderr
    assert "collected" not in run.stdout


def test_a_thread_that_collection_starts_is_named(suite: Suite) -> None:
    suite.write(
        "tests/app/test_a.py",
        """
        import threading
        threading.Thread(target=threading.Event().wait, daemon=True, name="typesetter").start()
        def test_one(): pass
        """,
    )
    suite.write("tests/app/test_b.py", "def test_two(): pass\n")
    code, output = suite.run("tests", "--workers", "2")
    assert code == pytest.ExitCode.USAGE_ERROR
    assert "has started threads (typesetter)" in output


def test_extra_tests_run_with_all_and_where_their_file_is_named(suite: Suite) -> None:
    suite.write(
        "tests/app/test_a.py",
        "import pytest\ndef test_one(): pass\n@pytest.mark.extra\ndef test_further(): pass\n",
    )
    suite.write("tests/faults/test_b.py", "import pytest\npytestmark = pytest.mark.extra\ndef test_drill(): pass\n")
    assert "1 passed, 2 deselected" in suite.run("tests")[1]
    assert "3 passed" in suite.run("tests", "--all")[1]
    assert "2 passed" in suite.run("tests/app/test_a.py")[1]
    assert "1 passed" in suite.run("tests/faults")[1], "a group of nothing else"
    assert "2 passed, 1 deselected" in suite.run("tests/faults", "tests/app")[1]


def test_a_group_has_its_own_worker_until_it_is_done() -> None:
    parts = [Part("app", [number], 10.0) for number in range(3)] + [Part("graders", [9], 50.0)]
    plan = Plan(parts)
    first, second = plan.next(None), plan.next(None)
    assert first
    assert second
    assert (first.group, second.group) == ("graders", "app")
    after = plan.next("app")
    assert after
    assert after.group == "app"
    assert plan.next("graders") is not None
    assert plan.next("app") is None
    assert plan.is_empty


def test_what_is_not_prepared_yet_waits() -> None:
    plan = Plan([Part("graders", [0], 50.0), Part("content", [1], 1.0)])
    plan.prepared = False
    first = plan.next(None)
    assert first
    assert first.group == "content"
    assert plan.next("content") is None
    assert not plan.is_empty
    plan.prepared = True
    assert plan.next(None)


# ---------------------------------------------------------------------- --changed


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


def test_each_line_belongs_to_the_innermost_function_around_it() -> None:
    source = (
        "import os\n\n@one\ndef f():\n    def g():\n        pass\n    return g\n\n"
        "class A:\n    b = 1\n    def c(self):\n        pass\n"
    )
    lines = functions_of(source)
    assert lines == {3: "f", 4: "f", 5: "f.g", 6: "f.g", 7: "f", 11: "A.c", 12: "A.c"}


def test_a_changed_function_brings_the_tests_that_reach_it(suite: Suite) -> None:
    suite.write("app/sums.py", "def add(a, b):\n    return a + b\n\n\ndef double(a):\n    return add(a, a)\n")
    suite.write("tests/app/test_sums.py", "def test_add(): pass\ndef test_double(): pass\n")
    suite.write("tests/app/test_other.py", "def test_other(): pass\n")
    git(suite.root, "init", "-q")
    git(suite.root, "add", ".")
    git(suite.root, "commit", "-qm", "Begin")
    assert changes_since("HEAD", suite.root) == {}
    suite.write("app/sums.py", "def add(a, b):\n    return a + b\n\n\ndef double(a):\n    return 2 * a\n")
    assert changes_since("HEAD", suite.root) == {"app/sums.py": {6}}
    tests = [
        "tests/app/test_sums.py::test_add",
        "tests/app/test_sums.py::test_double",
        "tests/app/test_other.py::test_other",
    ]
    reach = {"tests": tests, "functions": {"app/sums.py": {"add": [0, 1], "double": [1]}}}
    chooser = Chooser([FakeItem(test, suite.root) for test in tests], reach, suite.root)  # type: ignore[misc]
    assert chooser.choose(changes_since("HEAD", suite.root)) == {tests[1]}
    suite.write("tests/app/test_other.py", "def test_other(): assert True\n")
    assert chooser.choose(changes_since("HEAD", suite.root)) == {tests[1], tests[2]}, "a changed test runs"
    suite.write("app/sums.py", "def add(a, b):\n    return a + b\n\n\ndef half(a):\n    return a / 2\n")
    suite.write("tests/app/test_other.py", "from app import sums\ndef test_other(): pass\n")
    chooser = Chooser([FakeItem(test, suite.root) for test in tests], {}, suite.root)  # type: ignore[misc]
    assert chooser.choose({"app/sums.py": {5}}) == {*tests}, "without a map: who imports it, and who has its name"
    with pytest.raises(pytest.UsageError, match="git does not know 'nonsense'"):
        changes_since("nonsense", suite.root)


def test_what_no_map_knows_brings_the_tests_that_are_about_it(suite: Suite) -> None:
    files = {
        "tests/conftest.py": "", "tests/app/conftest.py": "from tests.app.office import office\n",
        "tests/app/office.py": "from tests.paper import paper\n", "tests/paper.py": "",
        "tests/app/test_a.py": "", "tests/app/test_migrations.py": "",
        "tests/commands/test_grade.py": "", "tests/commands/test_b.py": "from .lines import line\n",
        "tests/commands/lines.py": "",
        "tests/graders/test_hostile.py": 'FILES = Path(__file__).parent / "hostile"\n', "tests/graders/test_c.py": "",
        "tests/graders/hostile/own-1.py": "",
        "app/commands/grade.py": "def run(): pass\n", "app/commands/serve.py": "def run(): pass\n",
        "app/pairs.py": "def first(): pass\ndef second(): pass\n", "app/cut.py": "def cut(): pass\n",
        "cli/lectern_cli/folder.py": "def read(): pass\n", "migrations/versions/one.py": "",
    }  # fmt: skip
    for name, text in files.items():
        suite.write(name, text)
    tests = [f"{name}::test_it" for name in files if "/test_" in name]
    reach = {"tests": ["tests/graders/test_c.py::test_it"], "functions": {"app/pairs.py": {"first": [0]}}}
    chooser = Chooser([FakeItem(test, suite.root) for test in tests], reach, suite.root)  # type: ignore[misc]

    def chosen(path: str, *lines: int) -> set[str]:
        return {test.partition("::")[0].removeprefix("tests/") for test in chooser.choose({path: {*lines}})}

    of_app, of_commands = {"app/test_a.py", "app/test_migrations.py"}, {"commands/test_grade.py", "commands/test_b.py"}
    assert chosen("tests/conftest.py", 1) == {test.partition("::")[0].removeprefix("tests/") for test in tests}
    assert chosen("tests/app/conftest.py", 1) == of_app
    assert chosen("tests/paper.py", 1) == of_app, "by a module, and by a conftest that imports it"
    assert chosen("tests/commands/lines.py", 1) == {"commands/test_b.py"}
    assert chosen("tests/graders/hostile/own-1.py", 1) == {"graders/test_hostile.py"}
    assert chosen("app/commands/grade.py", 1) == {"commands/test_grade.py"}
    assert chosen("app/commands/serve.py", 1) == chosen("cli/lectern_cli/folder.py", 1) == of_commands
    assert chosen("migrations/versions/one.py", 1) == {"app/test_migrations.py"}
    assert chosen("app/pairs.py", 1) == {"graders/test_c.py"}
    assert chosen("app/pairs.py", 1, 2) == {"graders/test_c.py"} | of_app, "one that the map does not know beside it"


def test_a_file_that_was_moved_or_has_no_lines_has_changed(suite: Suite) -> None:
    suite.write("templates/a page.html", "<p>\n<p>\n")
    (suite.root / "picture.png").write_bytes(b"\x89PNG\0\xff")
    git(suite.root, "init", "-q")
    git(suite.root, "add", ".")
    git(suite.root, "commit", "-qm", "Begin")
    git(suite.root, "mv", "templates/a page.html", "templates/größer.html")
    (suite.root / "picture.png").write_bytes(b"\x89PNG\0\xfe")
    assert changes_since("HEAD", suite.root) == {
        "templates/a page.html": {0, 1}, "templates/größer.html": {1, 2}, "picture.png": {1},
    }  # fmt: skip


class FakeItem:
    """As much of a test as is asked for."""

    def __init__(self, nodeid: str, root: Path) -> None:
        self.nodeid, self.path = nodeid, root / nodeid.partition("::")[0]


def test_twins_that_are_left_ask_all_that_all_ask() -> None:
    meets = f"{MEET[0]}::test_two_at_once"
    statements = {"a": ["one", "two"], "b": ["two", "three", "four"], "c": ["three"], "d": ["four"], meets: ["one"]}
    assert cover(statements) == {"b", meets}
    assert cover({**statements, "c": ["three", "five"]}) == {"b", "c", meets}


def test_a_listed_test_has_no_twin_unless_it_is_named(suite: Suite) -> None:
    listed, unlisted = "test_a_calendar_shows_what_is_due_with_own_extensions", "test_a_new_one"
    suite.write(
        "tests/app/test_calendars.py",
        f"""
        import pytest

        @pytest.mark.parametrize("backend", ["sqlite", "postgresql"])
        def {listed}(backend): pass

        @pytest.mark.parametrize("backend", ["sqlite", "postgresql"])
        def {unlisted}(backend): pass
        """,
    )
    code, output = suite.run("tests", "--all", "-v", "-s")
    assert code == 0, output
    assert "3 passed, 1 deselected" in output
    assert f"{listed}[postgresql]" not in output
    code, output = suite.run(f"tests/app/test_calendars.py::{listed}[postgresql]", "--all", "-s")
    assert "1 passed" in output
