"""The hostile corpus: submissions that attack, a file each below hostile/, through the real judge.

Line one of a file names the verdicts allowed; `# exercise: …` what it attacks, if that is not softmax-rows. Each is
judged twice in a row, the first time beside an honest neighbour, who must be accepted; then the control (inp-029) must
be. After it nothing is left: no process, mount, descriptor, control group or file; what was planted is as it was,
nobody came to the listeners, and nothing that is stored holds the canary or the word that attacks print when they
succeed.
"""

import json
import os
import re
import runpy
import socket
import stat
import sysconfig
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from graders.boxes import proc
from graders.boxes.pool import Judge
from graders.boxes.warmth import ZYGOTE
from graders.exercise.built import cases_of
from graders.exercise.definition import Exercise
from graders.exercise.reader import exercise_from_files, files_of
from graders.grade import Began, CaseFinished, Finished, grade
from graders.verdict import SubmissionResult, Verdict
from tests.conftest import note_taken
from tests.waiting import until, until_ended

from .conftest import EXERCISES, STOCK

FOLDER = Path(__file__).parent / "hostile"
ROOT = Path(__file__).resolve().parents[2]
PLACES = (EXERCISES, ROOT / "tests" / "exercises")  # of what is attacked
FILES = sorted(FOLDER.iterdir())
CANARY = "CANARY-7f3a"  # in the server's memory; what finds it in a box has got out of it

# The corpus that was given to us, by number; own-… are ours.
GIVEN = {
    "res": "001 003 004 006 007 009 010 012 013 015 016 018 019 021 022 024 025 027 028 030 031 033 034 036 037 039 040"
    " 042",
    "esc": "001 003 004 006 007 009 010 012 013 015 016 018 019 021 022 023 024 025 027 028 030 031 033 034 036 037",
    "int": "001 003 004 006 007 009 010 012 013 015 016 018 019 021 022 024 025 027 028 030 031 033 034 036 037 039 040"
    " 042 043 045 046 048 049 051 052",
    "per": "001 003 004 006 007 009 010",
    "inp": "001 003 004 006 007 009 010 012 013 015 016 018 019 021 022 024 025 026 027 028 029 030",
}
# What is not for a box to show, or not only, and where it is.
ELSEWHERE = {
    "esc-027": "tests/app/test_hostile.py::test_limits_and_names_are_not_for_a_request_to_choose",
    "esc-033": "tests/graders/hostile/own-008-memory-searched-by-probing.py",
    "per-010": "tests/graders/test_hostile.py::test_two_hundred_submissions_leave_nothing",
    "int-051": "tests/app/test_hostile.py::test_prints_make_no_event",
    "inp-006": "tests/app/test_hostile.py::test_a_source_of_ten_megabytes_is_refused",
    "int-052": "tests/app/test_hostile.py::test_no_number_of_a_student_poisons_a_score",
}


@dataclass(frozen=True)
class Attack:
    """One file: its marks, and the source as it is sent."""

    allowed: tuple[str, ...]
    framework: str
    limits: str
    source: bytes
    exercise: str


def attack_in(path: Path) -> Attack:
    data = path.read_bytes()
    first, *more = data.decode().split("\n", 12)
    marks = dict(re.findall(r"^# (framework|limits|exercise): (.+)$", "\n".join(more[:12]), re.M))
    allowed = tuple(first.removeprefix("# allowed: ").split(", "))
    source = runpy.run_path(str(path))["SOURCE"] if path.name.endswith(".gen.py") else data
    source = source if isinstance(source, bytes) else source.encode()
    exercise = marks.get("exercise", "softmax-rows")
    framework = "numpy" if exercise in ("softmax-rows", "eigenvectors") else "python"
    return Attack(allowed, marks.get("framework", framework), marks.get("limits", ""), source, exercise)


def number_of(path: Path) -> str:
    return path.name[:7]


CONTROL = attack_in(next(path for path in FILES if number_of(path) == "inp-029")).source
# Stays a while, so that an attack beside it has a neighbour.
NEIGHBOUR = CONTROL.replace(b"def solve(x):\n", b"def solve(x):\n    __import__('time').sleep(0.01)\n")


def softmax(limits: str) -> Exercise:
    return attacked("softmax-rows", limits)


@cache
def attacked(slug: str, limits: str) -> Exercise:
    """An exercise with short limits; the canary is in its reference and in the hidden cases' names."""
    chosen = {"wall_seconds": "1", "memory_mb": "512"} | {
        part.split("=")[0].strip(): part.split("=")[1] for part in limits.split(",") if part
    }
    files = {
        name: data
        for name, data in files_of(next(place / slug for place in PLACES if (place / slug).exists())).items()
        if not name.startswith(("mistakes/", "solutions/"))
    }
    toml = files["exercise.toml"].decode().split("[limits]")[0] + "[limits]\n"
    files["exercise.toml"] = (toml + "\n".join(f"{name} = {value}" for name, value in chosen.items())).encode()
    files["reference.py"] += f"\nexpected_output = '{CANARY}'\n".encode()
    samples, hidden = files["cases.py"].decode().split("def hidden_cases")
    files["cases.py"] = (samples + "def hidden_cases" + hidden.replace('yield "', f'yield "{CANARY} ')).encode()
    return exercise_from_files(slug, files)


# ------------------------------------------------------------------ what is planted, and what is left


class Planted:
    """A readable file and three listeners, which an attack would love to reach."""

    def __init__(self, folder: Path) -> None:
        self.settled: dict[str, object] | None = None  # what was there after the last attack
        self.file = folder / "canary"
        self.file.write_text(CANARY)
        self.file.chmod(0o644)
        self.before = self._look()
        self.name = f"lectern-canary-{os.getpid()}"
        self.tcp = socket.create_server(("127.0.0.1", 0))
        self.path = str(folder / "canary.sock")
        self.unix, self.abstract = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
        self.unix.bind(self.path)
        Path(self.path).chmod(0o777)
        self.abstract.bind(f"\0{self.name}")
        for listener in (self.tcp, self.unix, self.abstract):
            listener.listen()
            listener.setblocking(False)

    def told_to(self, source: bytes) -> bytes:
        """An attack that knows where to look."""
        for word, value in (("FILE", self.file), ("PORT", self.tcp.getsockname()[1]), ("SOCKET", self.path)):
            source = source.replace(f"CANARY_{word}".encode(), str(value).encode())
        return source.replace(b"CANARY_NAME", self.name.encode())

    def assert_untouched(self) -> None:
        assert self._look() == self.before
        for listener in (self.tcp, self.unix, self.abstract):
            with pytest.raises(BlockingIOError):
                listener.accept()

    def close(self) -> None:
        for listener in (self.tcp, self.unix, self.abstract):
            listener.close()

    def _look(self) -> tuple[str, int, int]:
        seen = self.file.stat()
        return self.file.read_text(), seen.st_mode, seen.st_uid


@pytest.fixture(scope="module")
def planted(judge: Judge) -> Iterator[Planted]:
    judge.start()
    until(judge.ready, "not every framework came up")
    with tempfile.TemporaryDirectory(prefix="lectern-") as folder, ExitStack() as stack:
        Path(folder).chmod(0o755)
        planted = Planted(Path(folder))
        stack.callback(planted.close)
        yield planted


def left(judge: Judge) -> dict[str, object]:
    """Everything that a submission could leave behind, as it stands."""
    packages = [Path(sysconfig.get_path(name)) for name in ("purelib", "stdlib")]
    places = [*packages, packages[0] / "numpy" / "__init__.py", packages[0] / "jax" / "__init__.py", ZYGOTE]
    return {
        "zygotes": judge.zygotes(),
        "processes": descendants(os.getpid()) - 2 * len(judge.zygotes()) - parked(judge) - others(),
        "orphans": orphans(judge),
        "descriptors": sum(1 for _ in Path("/proc/self/fd").iterdir()) - 4 * parked(judge),
        "mounts": mounts(),
        "groups": max(0, sum(len(list(path.glob("box-*"))) for path in groups()) - len(groups()) * parked(judge)),
        "shared memory": shared_memory(),
        "System V": [row for kind in ("shm", "sem", "msg") for row in system_v(kind)],
        "installed": [(path.stat().st_mtime_ns, path.stat().st_size) for path in places],
        "planted": [path for path in ("/tmp/PWNED", "/tmp/bean", "/bean", "/var/tmp/bean", "/dev/shm/bean", "/tmp/mem",
                                      "/tmp/out.npy", "/tmp/0", str(ROOT / "core"), str(Path.cwd() / "core"))
                    if os.path.lexists(path)],
    }  # fmt: skip


def shared_memory() -> list[str]:
    """What a box may have made: PostgreSQL, browsers and other Pythons make and remove their own all the time."""
    found = []
    for path in Path("/dev/shm").iterdir():
        with suppress(FileNotFoundError):
            owner = path.lstat().st_uid
            if owner >= 60_000 if os.getuid() == 0 else owner == os.getuid():
                found.append(path.name)
    return sorted(name for name in found if ".org.chromium" not in name)


def system_v(kind: str) -> list[tuple[str, ...]]:
    """What has the key that per-007 asks for; other servers on this machine make their own."""
    path = Path(f"/proc/sysvipc/{kind}")
    heads, *rows = [line.split() for line in path.read_text().splitlines()] if path.exists() else [[]]
    made = []
    for row in rows:
        if row[0] == str(0x1234):
            made.append((kind, *row[:2], row[heads.index("uid")]))
    return made


def descendants(pid: int) -> int:
    """How many processes stem from this one."""
    return sum(1 + descendants(child) for child in children(pid))


def children(pid: int) -> list[int]:
    """Those of each of its threads."""
    listed: list[int] = []
    with suppress(FileNotFoundError):
        for thread in proc.threads(pid):
            with suppress(FileNotFoundError, ProcessLookupError):
                listed += map(int, proc.read(f"/proc/{pid}/task/{thread}/children").split())
    return listed


def orphans(judge: Judge) -> list[int]:
    """Zygotes and boxes that nobody waits for any more: of this judge, or with a box's user. Another run of the tests
    may have killed a server in this checkout, whose zygotes are not ours."""
    found = []
    with suppress(ProcessLookupError):
        sessions = {os.getsid(zygote) for zygote in judge.zygotes().values()}
        for process in children(1):
            with suppress(OSError):
                is_box = os.getuid() != 0 or Path(f"/proc/{process}").stat().st_uid >= 60_000
                command = Path(f"/proc/{process}/cmdline").read_bytes()
                if str(ZYGOTE).encode() in command and (is_box or os.getsid(process) in sessions):
                    found.append(process)
    return found


def mounts() -> list[str]:
    """Those of this process's namespace, but for what other tests mount in folders of theirs."""
    lines = Path("/proc/self/mounts").read_text().splitlines()
    return [line for line in lines if "/pytest-" not in line and "/lectern-faults-" not in line]


@cache
def groups() -> tuple[Path, ...]:
    """The control groups of this process's judges."""
    mark = f"lectern-{os.getpid()}-"
    # os.walk passes over a folder that is gone by the time it is looked into: another server's box.
    walked = os.walk("/sys/fs/cgroup")
    return tuple(Path(top, name) for top, names, _ in walked for name in names if name.startswith(mark))


def settled(judge: Judge) -> dict[str, object]:
    """What is left once no box is on its way, in or out: the pool may still fill, which is allowed for."""
    seen: dict[str, object] = {}

    def is_settled() -> bool:
        nonlocal seen
        last, seen = seen, left(judge)
        return seen["processes"] == 0 and seen == last

    until(is_settled, lambda: seen, look_seconds=0.025)  # a look reads all of /proc
    return seen


def parked(judge: Judge) -> int:
    """Boxes that wait: each is a process, four descriptors of ours, and a control group."""
    return sum(len(keeper.parked) for keeper in judge.keepers.values())


@cache
def others() -> int:
    """Children of this process that are no zygotes: of fixtures that last as long as the run."""
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    commands = [Path(f"/proc/{child}/cmdline").read_bytes() for child in children]
    return sum(str(ZYGOTE).encode() not in command for command in commands)


def settled_as(judge: Judge, before: dict[str, object]) -> dict[str, object]:
    """What is left, once nothing is there that was not before; a box that was just being cleared away then may be gone
    by now."""
    after: dict[str, object] = {}

    def is_nothing_more() -> bool:
        nonlocal after
        after = settled(judge)
        return not what_is_more(after, before)

    until(is_nothing_more, lambda: what_is_more(after, before))
    return after


def what_is_more(after: dict[str, object], before: dict[str, object]) -> dict[str, tuple[object, object]]:
    def is_more(name: str) -> bool:
        now, then = after[name], before[name]
        if type(now) is type(then) is int:
            return now > then
        if type(now) is type(then) is list:
            return any(path not in then for path in now)
        return now != then

    return {name: (before[name], after[name]) for name in before if is_more(name)}


# ------------------------------------------------------------------ judging


def judged(judge: Judge, exercise: Exercise, source: bytes, framework: str) -> SubmissionResult:
    """One submission, whose events must be one beginning, each case once, and one end."""
    *events, last = grade(exercise, source, framework, judge, stock=STOCK)
    assert isinstance(last, Finished)
    assert last.reason is None
    assert sum(isinstance(event, Began) for event in events) == 1
    indices = [event.index for event in events if isinstance(event, CaseFinished)]
    assert indices == sorted(set(indices))
    assert sum(isinstance(event, Began | CaseFinished) for event in events) == len(events)
    assert_told_no_more_than_may_be(last.result)
    return last.result


def assert_told_no_more_than_may_be(result: SubmissionResult) -> None:
    assert result.score in (0, 1)
    stored = json.dumps(asdict(result), allow_nan=False)
    assert CANARY not in stored
    assert "\\u0000" not in stored  # which PostgreSQL does not store
    for case in result.cases:
        json.dumps(case.public(), allow_nan=False)
        assert "BREACH" not in f"{case.stdout} {case.error and case.error.message}", case
        if not case.sample:
            assert case.stdout is None
            assert case.error is None or case.error.message is None
            assert case.mismatch is None or not case.mismatch.text
            assert (case.actual, case.expected, case.inputs) == (None, None, None)


class Neighbour(threading.Thread):
    """An honest student at the next desk, with the exercise's own limits."""

    def __init__(self, judge: Judge) -> None:
        super().__init__(name="neighbour")
        self.judge = judge
        self.result: SubmissionResult | None = None

    def run(self) -> None:
        self.result = judged(self.judge, softmax("wall_seconds=10"), NEIGHBOUR, "numpy")


# They use up a limit, a second of a core and more. Of each kind another one runs always.
SPENDERS = ("inp-012", "inp-028", "int-013", "int-016", "int-048", "res-009", "res-010", "res-042")
OURS = "own-"  # further examples of what the given ones attack


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=pytest.mark.extra if path.name.startswith((*SPENDERS, OURS)) else [])
        for path in FILES
        if attack_in(path).allowed != ("elsewhere",)
    ],
    ids=lambda path: path.name.split(".")[0],
)
def test_a_hostile_submission_gets_an_allowed_verdict_and_leaves_nothing(
    path: Path, judge: Judge, planted: Planted, monkeypatch: pytest.MonkeyPatch
) -> None:
    attack = attack_in(path)
    # What ends by its time ends soon; what ends otherwise has time for it on a busy machine.
    limits = attack.limits or ("" if "time_limit" in attack.allowed else "wall_seconds=10")
    exercise = attacked(attack.exercise, limits)
    for known in (softmax("wall_seconds=10"), exercise):  # first, that no box is taken for them meanwhile
        cases_of(judge, known)
    before, planted.settled = planted.settled or settled(judge), None
    boxes = note_taken(judge, monkeypatch)
    neighbour = Neighbour(judge)
    neighbour.start()
    first = judged(judge, exercise, planted.told_to(attack.source), attack.framework)
    second = judged(judge, exercise, planted.told_to(attack.source), attack.framework)
    until_ended(neighbour)
    control = judged(judge, softmax("wall_seconds=10"), CONTROL, "numpy")
    monkeypatch.undo()

    assert first.verdict in attack.allowed, first
    assert second.verdict in attack.allowed, second
    assert neighbour.result
    assert neighbour.result.verdict == control.verdict == Verdict.accepted
    until(lambda: not any(Path(f"/proc/{box.pid}").exists() for box in boxes), [box.pid for box in boxes])
    planted.settled = settled_as(judge, before)
    planted.assert_untouched()


@pytest.mark.extra
def test_two_hundred_submissions_leave_nothing(judge: Judge) -> None:
    """per-010: what a zygote and its boxes share is not used up, nor grows."""
    exercise = softmax("wall_seconds=10")
    for _ in range(20):
        judged(judge, exercise, CONTROL, "numpy")
    before = settled(judge)
    zygote = judge.zygotes()["numpy"]
    sizes = [resident_kb(os.getpid()), resident_kb(zygote)]
    for _ in range(200):
        assert judged(judge, exercise, CONTROL, "numpy").verdict == Verdict.accepted
    settled_as(judge, before)
    grown = [after - size for size, after in zip(sizes, [resident_kb(os.getpid()), resident_kb(zygote)], strict=True)]
    assert max(grown) < 16 << 10, grown


def resident_kb(pid: int) -> int:
    return proc.numbers(proc.read(f"/proc/{pid}/status"), ("VmRSS",))["VmRSS"]


# ------------------------------------------------------------------ the corpus itself


def test_every_submission_of_the_corpus_is_here_and_says_what_it_may_get() -> None:
    listed = {f"{group}-{number}" for group, numbers in GIVEN.items() for number in numbers.split()}
    assert len(listed) == 118
    numbers = [number_of(path) for path in FILES]
    assert len(numbers) == len(set(numbers))
    own = {number for number in numbers if number.startswith("own-")}
    assert set(numbers) == listed | own
    assert len(own) >= 15
    for path in FILES:
        attack = attack_in(path)
        first, *comment = path.read_text().split("\n")[:4]
        assert first.startswith("# allowed: "), path
        assert all(line.startswith("#") for line in comment[:2]), path
        if attack.allowed == ("elsewhere",):
            assert number_of(path) in ELSEWHERE, path
        else:
            assert set(attack.allowed) <= {verdict.value for verdict in Verdict} - {"internal_error"}, path
            assert "accepted" not in attack.allowed or attack.allowed == ("accepted",), path


@pytest.mark.parametrize("number", ELSEWHERE)
def test_what_is_shown_elsewhere_is_shown_there(number: str) -> None:
    path, _, name = ELSEWHERE[number].partition("::")
    assert f"def {name}(" in (ROOT / path).read_text() if name else (ROOT / path).exists()


def test_a_canary_in_a_box_would_be_found(judge: Judge) -> None:
    """The searches of memory find what is there: otherwise their silence would say nothing."""
    for name, planting in (("own-008", b'keep = [bytearray(b"CANARY") + b"-7f3a" for _ in range(2000)]\n'),
                           ("own-009", b'keep = ["CANARY" + str("-7f3a")]\n')):  # fmt: skip
        source = attack_in(next(path for path in FILES if number_of(path) == name)).source + b"\n" + planting
        *_, last = grade(softmax("wall_seconds=10"), source, "numpy", judge)
        assert isinstance(last, Finished)
        assert "BREACH" in (last.result.cases[0].stdout or ""), name


def test_a_file_left_in_a_readable_place_is_readable_to_us(planted: Planted) -> None:
    """The canary is no secret of file rights: only walls keep a box from it."""
    assert stat.S_IMODE(planted.file.stat().st_mode) == 0o644
    assert np.all([stat.S_IMODE(parent.stat().st_mode) & 0o001 for parent in planted.file.parents])
