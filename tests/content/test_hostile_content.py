"""No content stops, hangs or crashes its readers: not the server, not `check`, whatever stands in the files."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from app.content.course import find_course_faults
from app.content.exercise import page
from app.content.reading import ReadCourse, Reader, ReadExercise, Unsound
from app.content.trial import PIECE_SECONDS
from app.settings import ROOT, Settings
from benchmarks.processes import descendants
from graders.exercise.fault import Fault
from tests.conftest import Running, running
from tests.content import hostile
from tests.content.hostile import FAULTY, SOUND, UNREADABLE, course, exercise, toml
from tests.needs import missing
from tests.waiting import LIMIT_SECONDS, until, until_ended

Make = Callable[[Path], object]


@pytest.fixture(scope="module")
def reader() -> Iterator[Reader]:
    with Reader() as one:
        yield one


def read(reader: Reader, folder: Path) -> ReadCourse | ReadExercise:
    return reader.exercise(folder) if os.path.lexists(folder / "exercise.toml") else reader.course(folder)


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_no_folder_may_hold_is_named_with_its_remedy(reader: Reader, tmp_path: Path, name: str) -> None:
    UNREADABLE[name](tmp_path / name)
    with pytest.raises(Unsound) as unsound:
        read(reader, tmp_path / name)
    fault = unsound.value.fault
    assert fault.severity == "error"
    assert fault.hint.endswith(".")
    assert fault.code in ("unreadable", "broken-exercise")
    assert "Lectern cannot read it" not in fault.message
    assert fault.path or name == "many-files"
    str(fault).encode()


@pytest.mark.parametrize("name", FAULTY)
def test_what_is_wrong_in_a_course_is_named_with_its_line(reader: Reader, tmp_path: Path, name: str) -> None:
    make, line = FAULTY[name]
    make(tmp_path / name)
    found = read(reader, tmp_path / name)
    first = found.proof.faults[0]
    assert (first.severity, first.line) == ("error", line)
    assert first.path == ("course.toml" if name.startswith("cover") else "01-a.md")
    assert first.hint


@pytest.mark.parametrize("name", SOUND)
def test_what_only_looks_odd_is_sound(reader: Reader, tmp_path: Path, name: str) -> None:
    SOUND[name](tmp_path / name)
    found = read(reader, tmp_path / name)
    assert isinstance(found, ReadCourse)
    assert [fault for fault in found.proof.faults if fault.severity == "error"] == []


def test_a_date_in_a_summary_is_text(reader: Reader, tmp_path: Path) -> None:
    found = reader.course(course(tmp_path / "a", head="title: 2026-01-01\nsummary: 2026-02-30"))
    assert (found.course.lessons[0].title, found.course.lessons[0].summary) == ("2026-01-01", "2026-02-30")


def test_links_and_what_may_not_be_read_are_not_followed(reader: Reader, tmp_path: Path) -> None:
    folder = course(tmp_path / "a")
    (folder / "figures").symlink_to("/etc")
    (folder / "02-b.md").symlink_to("/etc/hostname")
    found = reader.course(folder)
    assert list(found.course.files) == ["01-a.md", "course.toml"]
    assert [(fault.severity, fault.path) for fault in found.faults] == [("error", "02-b.md"), ("error", "figures")]
    linked = exercise(tmp_path / "b")
    (linked / "hints.md").unlink()
    (linked / "hints.md").symlink_to("/etc/hostname")
    with pytest.raises(Unsound, match="symbolic link"):
        reader.exercise(linked)


def test_a_file_that_the_servers_user_may_not_read_is_named(tmp_path: Path) -> None:
    """As root there is no such file: read by another user, in a process of its own."""
    folder = course(tmp_path / "a")
    (folder / "01-a.md").chmod(0)
    for path in (folder, *folder.parents):
        if path.is_relative_to(tmp_path.parents[2]) and path != tmp_path.parents[2]:
            path.chmod(path.stat().st_mode | 0o055)
    pid = os.fork()
    if pid == 0:  # pragma: no cover (the coverage of a fork is not collected)
        code = 9
        try:
            if os.getuid() == 0:
                os.setresuid(65534, 65534, 65534)
            Reader().course(folder)
        except Unsound as unsound:
            code = 0 if (unsound.fault.path, unsound.fault.hint) == ("01-a.md", "Let the server's user read it.") else 8
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


# ---- the process that reads -------------------------------------------------------------------------------------


def endless(folder: Path, words: str = "") -> Path:
    """Sound by every cap, and hours of work: arithmetic, thousands of times, in each of hundreds of variants."""
    given = "; ".join(f"{name} = {' | '.join(str(n) for n in range(1, 8))}" for name in "abc")
    asked = " ".join(["{{a ** 3 + b ** 3 + c ** 3 + 1}}"] * 6000)
    question = f"::::{{question}} q\n:type: count\n:given: {given}\n:answer: a\n{asked}\n:::{{explain}}\nx\n:::\n::::\n"
    return course(folder, f"{words}\n\n{question}")


def swelling(folder: Path) -> Path:
    """Sound by every cap, and gigabytes of memory: a long value, put in thousands of times."""
    question = (
        f"::::{{question}} q\n:type: count\n:given: a = 1; b = {'x' * 100_000}\n:answer: a\n{'{{b}} ' * 20_000}\n"
    )
    return course(folder, f"{question}:::{{explain}}\nx\n:::\n::::\n")


@pytest.mark.extra
def test_what_takes_too_long_ends_and_is_named(reader: Reader, tmp_path: Path) -> None:
    with pytest.raises(Unsound) as unsound:
        reader.course(endless(tmp_path / "a"))
    assert (unsound.value.fault.path, unsound.value.fault.code) == ("01-a.md", "slow")
    assert f"{PIECE_SECONDS} seconds" in unsound.value.fault.message
    assert reader.course(course(tmp_path / "b")).course.lessons


def test_what_takes_too_much_memory_ends_and_is_named(reader: Reader, tmp_path: Path) -> None:
    with pytest.raises(Unsound) as unsound:
        reader.course(swelling(tmp_path / "a"))
    assert unsound.value.fault.path == "01-a.md"
    assert unsound.value.fault.code in ("memory", "crash")
    assert reader.course(course(tmp_path / "b")).course.lessons


def children() -> set[int]:
    def is_reader(pid: int) -> bool:
        try:
            return b"app.content.trial" in Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            return False

    return {pid for pid, _ in descendants(os.getpid()) if is_reader(pid)}


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGSEGV, "crash"), (signal.SIGABRT, "crash"), (signal.SIGXCPU, "slow"), (signal.SIGALRM, "slow")],
)
def test_a_reader_that_crashes_is_that_folders_fault_alone(tmp_path: Path, number: signal.Signals, code: str) -> None:
    """The signal is a real one; which parser would have raised it makes no difference to who waits."""
    outcome: list[Any] = []

    def run() -> None:
        try:
            outcome.append(own.course(endless(tmp_path / "a", f"Ended by {number.name}.")))
        except Unsound as unsound:
            outcome.append(unsound.fault)

    def started() -> set[int]:
        assert thread.is_alive(), outcome
        return children() - before

    before = children()
    with Reader() as own:
        thread = threading.Thread(target=run)
        thread.start()
        for pid in until(started, "no reader was started"):
            os.kill(pid, number)
        until_ended(thread)
        assert outcome[0].code == code
        assert outcome[0].hint
        assert own.course(course(tmp_path / "b")).course.lessons
    assert children() <= before


def test_a_reader_that_somebody_kills_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    start = subprocess.Popen
    readers = []

    def killed_at_first(*arguments: Any, **options: Any) -> subprocess.Popen[bytes]:
        readers.append(reader := start(*arguments, **options))
        if len(readers) == 1:
            reader.kill()
        return reader

    monkeypatch.setattr(subprocess, "Popen", killed_at_first)
    with Reader() as own:
        found = own.course(course(tmp_path / "a", "Read, though its reader was killed.\n"))
        assert found.proof.entries[0].text == "Read, though its reader was killed."
    assert len(readers) == 2


def test_what_is_proved_needs_no_reader_again(tmp_path: Path) -> None:
    """A process of its own each time: what this one knows would not tell."""
    folder = course(tmp_path / "a", f"Some words {uuid.uuid4()}.\n")
    script = (
        "import sys; from pathlib import Path; from app.content.reading import Reader\n"
        "reader = Reader(Path(sys.argv[1])); found = reader.course(Path(sys.argv[2]))\n"
        "print(reader._child is not None, found.proof.entries[0].title); reader.close()"
    )

    def asked() -> str:
        command = [sys.executable, "-P", "-c", script, str(tmp_path / "cache"), str(folder)]
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=LIMIT_SECONDS)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    assert asked() == "True A lesson"
    assert asked() == "False A lesson"
    for proof in (tmp_path / "cache").iterdir():
        proof.write_text('{"faults": [], "entries": [["lesson", "", "", "", "", "https://else.where/", ""]]}')
    assert asked() == "True A lesson"  # what looks like no proof of ours is none
    (folder / "01-a.md").write_text("---\ntitle: Another\n---\n")
    assert asked() == "True Another"


# ---- everyone who asks it ----------------------------------------------------------------------------------------


def everything(folder: Path) -> dict[str, Make]:
    """Every hostile folder below `folder`, courses and exercises apart; by name, in its place."""
    made: dict[str, Make] = {}
    for name, make in {**UNREADABLE, **{name: one for name, (one, _) in FAULTY.items()}, **SOUND}.items():
        kind = "exercises" if name.startswith("exercise") else "lessons"
        (folder / kind).mkdir(parents=True, exist_ok=True)
        make(folder / kind / name)
        made[name] = make
    return made


def test_check_names_each_of_them_and_ends_with_1(tmp_path: Path) -> None:
    everything(tmp_path)
    folders = [str(tmp_path / "lessons"), str(tmp_path / "exercises")]
    command = [sys.executable, "-P", "-m", "app", "check", "--json", *folders]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=LIMIT_SECONDS)
    if done.returncode == 2:
        missing("sandbox", f"this machine cannot judge: {done.stdout}")
    assert done.returncode == 1, done.stderr
    assert "Traceback" not in done.stderr
    faults = json.loads(done.stdout)["faults"]
    errors = {Path(fault["path"]).relative_to(tmp_path).parts[1] for fault in faults if fault["severity"] == "error"}
    assert errors == {*UNREADABLE, *FAULTY}


@pytest.mark.extra
def test_the_server_starts_with_all_of_them_and_serves_the_rest(tmp_path: Path) -> None:
    everything(tmp_path)
    endless(tmp_path / "lessons" / "endless")
    course(tmp_path / "lessons" / "good", "Good words.\n")
    exercise(tmp_path / "exercises" / "good-one")
    weird = os.fsdecode(os.fsencode(tmp_path / "lessons") + b"/\xff\xfe")
    course(Path(weird))
    chosen = Settings(
        data=tmp_path / "data", exercises=(tmp_path / "exercises",), lessons=(tmp_path / "lessons",), workers=0
    )
    with running(chosen) as server, server.client() as client:
        assert [one["slug"] for one in client.get("/api/v1/exercises").json()] == ["good-one"]
        assert client.get("/exercises/good-one").status_code == 200
        slugs = set(server.state.catalog.courses)
        assert slugs == {"good", *SOUND}  # what has a fault has never passed
        assert "Good words." in client.get("/courses/good/a").text
        for slug in sorted(slugs):
            assert client.get(f"/courses/{slug}/a").status_code == 200, slug
            assert client.get(f"/courses/{slug}").status_code == 200, slug
        assert "/courses/good/a" in client.get("/search", params={"q": "good words"}).text


BAD: dict[str, Make] = {
    "pipe": lambda folder: os.mkfifo(folder / "03-c.md"),
    "too-large": lambda folder: (folder / "01-a.md").write_text("x" * 300_000),
    "endless": lambda folder: shutil.copy(endless(folder.parent / "_endless") / "01-a.md", folder / "01-a.md"),
    "not-utf8-name": lambda folder: Path(os.fsdecode(os.fsencode(folder) + b"/\xff.md")).touch(),
}


@pytest.mark.parametrize(
    "bad",
    [pytest.param(bad, marks=pytest.mark.extra) if bad == "endless" else bad for bad in BAD],  # eight seconds
)
def test_a_folder_that_goes_bad_stays_as_it_was(
    tmp_path: Path, bad: str, database_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lessons, exercises = tmp_path / "lessons", tmp_path / "exercises"
    course(lessons / "demo", "The first words.\n")
    exercise(exercises / "softmax")
    chosen = Settings(
        data=tmp_path / "data", exercises=(exercises,), lessons=(lessons,), workers=0, database_url=database_url
    )

    def served(server: Running) -> tuple[str, str, str]:
        with server.client() as client:
            hashed = client.get("/api/v1/exercises/softmax").json()["content_hash"]
            found = client.get("/search", params={"q": "first words"}).text
            return client.get("/courses/demo/a").text, hashed, "found" if "/courses/demo/a" in found else "lost"

    with running(chosen) as server:
        before = served(server)
    assert "The first words." in before[0]
    assert before[2] == "found"
    BAD[bad](lessons / "demo")
    (exercises / "softmax" / "exercise.toml").write_text(toml("title = [" * 99))
    capsys.readouterr()
    for _ in range(2):  # and it stays so
        with running(chosen) as server:
            after = served(server)
            assert "The first words." in after[0]
            assert after[1:] == before[1:]
    said = capsys.readouterr()
    logged = said.out + said.err
    assert logged.count("course_stays_as_it_was") == logged.count("exercise_stays_as_it_was") == 2
    assert "./lectern check" in logged
    shutil.rmtree(lessons / "demo")
    course(lessons / "demo", "The second words.\n")
    with running(chosen) as server, server.client() as client:
        assert "The second words." in client.get("/courses/demo/a").text


# ---- whatever else an author could write -------------------------------------------------------------------------


def one_of(text: str) -> st.SearchStrategy[str]:
    return st.sampled_from(text.split(" "))


WORDS = one_of(
    "a word [ ] ( ) { } < > * ** _ ` `` ``` ~~~ $ $$ \\ | - + # ## > >> ! [^1] [^1]: [x] [ ]( ]() ![ { .a } {#b} :: "
    "::: :::: :::{note} ::::{note} :::{figure} :::{code-cell} :::{lab} :::{exercise} ::::{question} :type: :answer: "
    ":given: :mistake: :::{explain} {{a}} {{answer}} {{a**99}} \\begin{align} \\end{align} \\frac & &amp; &#0; "
    "&#xd800; --- === 1. 9999999999. - [x] http:// javascript: mailto: figures/ ../ exercise: a | b ; = -> -- choice "
    "count shape text order predict number \ufeff \u202e \u2028 é \x0b \x0c \x1b \x7f 😀 "
    "0 -1 1e999 0x \t \" ' % @ ^ = // https://[::1"
)
LINES = st.lists(st.lists(WORDS, max_size=6).map(" ".join), max_size=25).map("\n".join)
SCALARS = one_of(
    "x 1 0 -5 1e9 true null ~ 2026-02-30 0o8 0x1F 12:30:45 .inf .nan !!int &a *a [ ] { } [a,b] {a:b} | > - ? : '' "
    '"\\ud800" % @ ` quiz lesson best last <<: ='
)
NAMES = one_of("title minutes kind summary time_limit attempts counts ? <<")
HEADS = st.lists(st.tuples(NAMES, st.lists(SCALARS, max_size=4).map(" ".join)), max_size=8).map(
    lambda lines: "\n".join(f"{name}: {value}" for name, value in lines)
)
TOML_KEYS = one_of(
    "title entry difficulty minutes tags frameworks related credit a.b signature.x tolerance limits warm \"q\" ''"
)
TOML_VALUES = one_of(
    '1 -1 "x" \' " [] [[ {} {a=1} 2026-02-30 1e400 nan true """ ["numpy"] ["numpy","torch"] ["numpy",["numpy"]] [1] '
    f'"\\u0000" 07:99:00 a  0x{"f" * 40} {"9" * 4400}'
)
TOMLS = st.lists(st.tuples(TOML_KEYS, TOML_VALUES), max_size=4).map(
    lambda lines: "\n".join(f"{name} = {value}" for name, value in lines)
)
KINDS = one_of("choice choices shape count number text order predict")
FILES = one_of("01-a.md course.toml figures/a.svg figures/a.jpg")


def gently(examples: int) -> settings:
    """The same examples each time, as many, however slow the machine is."""
    slow = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large]
    return settings(derandomize=True, deadline=None, database=None, max_examples=examples, suppress_health_check=slow)


def attempted(reader: Reader, folder: Path) -> ReadCourse | ReadExercise | Fault:
    try:
        return read(reader, folder)
    except Unsound as unsound:
        return unsound.fault


def survives(reader: Reader, folder: Path) -> None:
    """It is sound, and then nothing that is made of it raises here either; or it is a fault that we foresaw."""
    found = attempted(reader, folder)
    if isinstance(found, Fault):
        assert found.hint
        assert "Lectern cannot read it" not in found.message, found
        assert found.code not in ("crash", "slow", "memory"), found
        return
    faults = list(found.proof.faults)
    if isinstance(found, ReadCourse):
        faults += find_course_faults(found.course)
        json.dumps([found.course.title, found.course.blurb, found.course.authors, found.course.prerequisites])
        assert all(lesson.minutes > 0 for lesson in found.course.lessons)
    else:
        page(found.exercise)
    for fault in faults:
        str(fault).encode()
        assert fault.hint
        assert fault.line is None or fault.line > 0


@gently(150)
@given(body=LINES, head=HEADS)
@example(body="[text]()", head="summary: 2026-02-30")
@example(body=hostile.nested(9), head="title: [[[[[[")
def test_whatever_a_lesson_holds_is_read_or_refused(
    reader: Reader, tmp_path_factory: pytest.TempPathFactory, body: str, head: str
) -> None:
    survives(reader, course(tmp_path_factory.mktemp("made") / "made", body, f"title: T\n{head}"))


@gently(60)
@given(
    options=LINES,
    prompt=LINES,
    kind=KINDS,
)
def test_whatever_a_question_holds_is_read_or_refused(
    reader: Reader, tmp_path_factory: pytest.TempPathFactory, options: str, prompt: str, kind: str
) -> None:
    body = (
        f"::::::{{question}} q\n:type: {kind}\n:given: a = 1 | $x$ | [; b = 2\n:answer: {options}\n{prompt}\n::::::\n"
    )
    survives(reader, course(tmp_path_factory.mktemp("made") / "made", body))


@gently(60)
@given(cover=TOMLS)
def test_whatever_a_cover_holds_is_read_or_refused(
    reader: Reader, tmp_path_factory: pytest.TempPathFactory, cover: str
) -> None:
    survives(reader, course(tmp_path_factory.mktemp("made") / "made", cover=cover))


@gently(80)
@given(more=TOMLS, statement=LINES, hints=LINES)
def test_whatever_an_exercise_holds_is_read_or_refused(
    reader: Reader, tmp_path_factory: pytest.TempPathFactory, more: str, statement: str, hints: str
) -> None:
    keys = [line.partition(" =")[0] for line in more.splitlines()]
    plain = "\n".join(line for line in toml("").splitlines() if line.partition("=")[0].strip() not in keys)
    folder = tmp_path_factory.mktemp("made") / "made"
    survives(reader, exercise(folder, exercise_toml=f"{more}\n{plain}", statement_md=statement, hints_md=hints))


@gently(60)
@given(content=st.binary(max_size=300), name=FILES)
def test_whatever_bytes_a_file_has_it_is_read_or_refused(
    reader: Reader, tmp_path_factory: pytest.TempPathFactory, content: bytes, name: str
) -> None:
    folder = course(tmp_path_factory.mktemp("made") / "made", "![a](figures/a.svg) ![b](figures/a.jpg)")
    (folder / "figures").mkdir()
    (folder / name).write_bytes(content)
    survives(reader, folder)
