"""Reads folders so that none of them can stop, hang or swell the process that asks.

A folder's bytes are taken with care (`graders.exercise.folder`), and tried out in a child (`trial`): read and rendered
in full, within limits. What the child proves sound is then read here. The proof is kept in the cache folder, under
the hash of the bytes and of all that reads them, so that a start with known content asks no child; what the search
may find lies beside it, so that the server renders nothing for its index. That a folder takes too long is kept as
well: to find that out once is enough. One child serves folder after folder; when it has died, the next is started.

attack: a crashed parser's memory is the author's. defence: the child answers in JSON, of which only texts, numbers and
`sound` are taken, each looked at; nothing is unpickled, and nothing it says is run.
"""

import hashlib
import json
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Self, TypeVar

from app.content.course import MAX_FILE_BYTES, Course, course_from_files, course_slug
from app.content.entries import Entry
from app.content.page import TooSlow
from app.content.trial import SILENT_SECONDS, too_slow
from graders.cache import CacheFolder, RecentCache
from graders.exercise.definition import BrokenExercise, Exercise
from graders.exercise.fault import Fault, faults_of
from graders.exercise.folder import FolderUnreadable, hash_files, read_files
from graders.exercise.limits import CEILINGS, Limits
from graders.exercise.reader import exercise_from_files, require_ceilings
from graders.exercise.reader import files_of as exercise_files
from graders.text import escaped, headline

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_SECONDS = SILENT_SECONDS + 30  # the child ends itself first
MAX_ANSWER_BYTES = 64 << 20
MAX_SLUG_CHARACTERS = 120
REMEMBERED = 512
TRIES = 3  # of a folder whose child is killed from outside
Content = TypeVar("Content")
Instead = Callable[[str, Mapping[str, bytes]], Mapping[str, bytes] | None]


class Unsound(Exception):
    """The folder cannot be served as it is; the paths of its faults are within it. `fault` is the first.

    `is_dear`: it took long to find out, and would again; how busy the machine is makes no difference.
    """

    def __init__(self, fault: Fault, *more: Fault, is_dear: bool = False) -> None:
        super().__init__(str(fault))
        self.fault, self.faults, self.is_dear = fault, (fault, *more), is_dear


@dataclass(frozen=True)
class Proof:
    """That a folder is sound: what is wrong in it all the same, and what the search may find."""

    faults: tuple[Fault, ...]
    entries: tuple[Entry, ...]

    @property
    def errors(self) -> tuple[Fault, ...]:
        return tuple(fault for fault in self.faults if fault.severity == "error")


@dataclass(frozen=True)
class ReadExercise:
    """An exercise that is sound, and the proof of it."""

    exercise: Exercise
    proof: Proof

    @property
    def slug(self) -> str:
        return self.exercise.slug

    @property
    def content_hash(self) -> str:
        return self.exercise.content_hash


@dataclass(frozen=True)
class ReadCourse:
    """`faults` are of the folder as it lies there: links that were passed over."""

    course: Course
    proof: Proof
    faults: tuple[Fault, ...] = ()

    @property
    def slug(self) -> str:
        return self.course.slug

    @property
    def content_hash(self) -> str:
        return self.course.content_hash


class Reader:
    """`cache`: where proofs are kept; None: in this process alone. `ceilings`: the most that an exercise's limits may
    ask for. May be asked from several threads."""

    def __init__(self, cache: Path | None = None, ceilings: Limits = CEILINGS) -> None:
        self._proofs, self._ceilings = CacheFolder(cache, ".proof"), ceilings
        self._child: _Child | None = None
        self._turn = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the child; the next folder that needs one starts another."""
        with self._turn:
            self._end_child()

    def exercise(self, folder: Path, instead: Instead = lambda slug, files: None) -> ReadExercise:
        """Raises Unsound. `instead`: asked for other files than those of the folder."""
        slug, files = folder.resolve().name, read_exercise_folder(folder)
        others = instead(slug, files)
        return self.exercise_of(slug, files if others is None else others)

    def course(self, folder: Path, instead: Instead = lambda slug, files: None) -> ReadCourse:
        """As `exercise`."""
        slug = course_slug(folder.name)
        _require_name(slug)
        contents, passed_over = read_course_folder(folder)
        others = instead(slug, contents)
        if others is not None:
            return self.course_of(slug, others)
        read = self.course_of(slug, contents, str(folder))
        hint = "Put the file itself here."
        message = "This is a symbolic link; links are not followed."
        links = [Fault("error", path, None, "link", message, hint) for path in passed_over]
        return replace(read, faults=tuple(links))

    def exercise_of(self, slug: str, files: Mapping[str, bytes]) -> ReadExercise:
        """As a snapshot holds it. Raises Unsound."""
        proof = self._proof("exercise", slug, files)
        exercise = _unsurprised(lambda: exercise_from_files(slug, files))
        try:
            require_ceilings(exercise, self._ceilings)
        except BrokenExercise as broken:
            raise Unsound(*faults_of(broken, escaped(slug))) from None
        return ReadExercise(exercise, proof)

    def course_of(self, slug: str, files: Mapping[str, bytes], folder: str | None = None) -> ReadCourse:
        """As a snapshot holds it; `folder` is what its faults call it. Raises Unsound."""
        proof = self._proof("course", slug, files)
        return ReadCourse(_unsurprised(lambda: course_from_files(slug, files, folder)), proof)

    def _proof(self, kind: str, slug: str, files: Mapping[str, bytes]) -> Proof:
        key = _key(kind, slug, files)
        known = _known.get(key) or self._load(key)
        if known is None:
            try:
                with self._turn:
                    known = self._tried(kind, slug, files)
            except Unsound as unsound:
                if not unsound.is_dear:
                    raise
                known = unsound.fault
            self._store(key, known)
        _known.put(key, known)
        if isinstance(known, Fault):
            raise Unsound(known)
        return known

    def _tried(self, kind: str, slug: str, files: Mapping[str, bytes]) -> Proof:
        for _ in range(TRIES):
            try:
                self._child = self._child or _Child()
                return self._child.prove(kind, slug, files)
            except (_Killed, OSError):
                self._end_child()
            finally:
                if self._child is not None and self._child.has_ended:
                    self._end_child()
        message = f"The process that reads it was killed {TRIES} times, for an unknown reason."
        raise Unsound(
            Fault("error", "", None, "reader-killed", message, "Check whether the machine is short of memory.")
        )

    def _end_child(self) -> None:
        if self._child is not None:
            self._child.close()
            self._child = None

    def _load(self, key: str) -> Proof | Fault | None:
        try:
            record = json.loads(self._proofs.read(key) or b"")
        except (ValueError, RecursionError):
            return None  # what cannot be read proves nothing
        return _proof_from(record) or (_fault_from(record.get("fault")) if isinstance(record, dict) else None)

    def _store(self, key: str, known: Proof | Fault) -> None:
        record: dict[str, object] = {"fault": astuple(known)} if isinstance(known, Fault) else {
            "faults": [astuple(one) for one in known.faults], "entries": [astuple(one) for one in known.entries]
        }  # fmt: skip
        self._proofs.write(key, json.dumps(record).encode())


def read_exercise_folder(folder: Path) -> Mapping[str, bytes]:
    """Its files. Raises Unsound."""
    try:
        return exercise_files(folder)
    except BrokenExercise as broken:
        raise Unsound(*faults_of(broken, escaped(folder.resolve().name))) from None


def read_course_folder(folder: Path) -> tuple[Mapping[str, bytes], tuple[str, ...]]:
    """Its files, and the links that were passed over. Raises Unsound."""
    try:
        found = read_files(folder, MAX_FILE_BYTES)
    except FolderUnreadable as error:
        raise Unsound(_unreadable(error)) from None
    return found.contents, found.links


def _require_name(slug: str) -> None:
    if escaped(slug) != slug or len(slug) > MAX_SLUG_CHARACTERS:
        message = f"The folder's name is not UTF-8, or longer than {MAX_SLUG_CHARACTERS} characters."
        raise Unsound(Fault("error", "", None, "unreadable", message, "Rename it, using plain letters."))


def require_one_folder(kind: str, slug: str, folders: Sequence[Path]) -> None:
    """Raises Unsound where several folders have the name that is one exercise's or one course's."""
    if len(folders) > 1:
        places = " and ".join(escaped(str(folder)) for folder in folders)
        message = f"There are {len(folders)} folders of the {kind} {escaped(slug)}: {places}."
        hint = "Rename all but one, or remove a folder from LECTERN_EXERCISES or LECTERN_LESSONS."
        raise Unsound(Fault("error", "", None, "same-name", message, hint))


def _unreadable(error: FolderUnreadable) -> Fault:
    subject = "The file " if error.path else ""
    message = f"{subject}{error.message}."
    hint = f"{headline(error.hint)}."
    return Fault("error", error.path, None, "unreadable", headline(message), hint)


def _unsurprised(read: Callable[[], Content]) -> Content:
    """What is sound for the child is read here. Should it differ all the same, it is that folder's trouble alone."""
    try:
        return read()
    except Exception as error:
        message = f"Lectern cannot read it a second time: {type(error).__name__}: {error}."
        hint = "Undo the last change to it, and report this: it is also a fault in Lectern."
        raise Unsound(Fault("error", "", None, "unreadable", message[:500], hint)) from error


# ---- the child --------------------------------------------------------------------------------------------------


class _Killed(Exception):
    """The child was ended by a signal that is neither its fault nor ours."""


class _Child:
    """One process that proves folder after folder."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._ours, theirs = socket.socketpair()
        with theirs:
            # A session of its own: Ctrl-C is for the server, which then ends the child. No secret of ours goes along.
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "app.content.trial"],
                stdin=theirs.fileno(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                env={"PYTHONPATH": str(ROOT)}, cwd="/", start_new_session=True,
            )  # fmt: skip
        self._answer = b""
        self._at = ""
        self.has_ended = False

    def close(self) -> None:
        self._ours.close()
        self._process.kill()
        self._process.wait()

    def prove(self, kind: str, slug: str, files: Mapping[str, bytes]) -> Proof:
        """Raises Unsound and _Killed. Afterwards `has_ended` says whether the child is of no more use."""
        self._at, self.has_ended = "", True
        try:
            self._ours.settimeout(PATIENCE_SECONDS)
            head = {"kind": kind, "slug": slug, "files": [[name, len(content)] for name, content in files.items()]}
            self._ours.sendall(b"".join((json.dumps(head).encode(), b"\n", *files.values())))
            while not (report := self._next()).keys() & {"sound"}:
                self._at = report["at"] if report.get("at") in files else ""
        except TimeoutError:
            raise Unsound(too_slow(self._at, TooSlow())) from None
        except (OSError, ValueError, RecursionError):
            raise self._why() from None
        self.has_ended = report.get("ends") is not False
        if report["sound"] is True and (proof := _proof_from(report)):
            return proof
        reported = report["faults"] if isinstance(report.get("faults"), list) else []
        faults = [fault for fault in map(_fault_from, reported) if fault]
        if not faults:
            raise Unsound(_crashed(self._at, "The process that reads it gave an invalid reply."))
        raise Unsound(*faults, is_dear=faults[0].code in ("slow", "memory"))

    def _next(self) -> dict[str, Any]:
        """The next line that the child says. Raises TimeoutError, OSError, ValueError."""
        deadline = self._clock() + PATIENCE_SECONDS
        while b"\n" not in self._answer:
            self._ours.settimeout(max(0.01, deadline - self._clock()))
            more = self._ours.recv(1 << 20)
            if not more or len(self._answer) + len(more) > MAX_ANSWER_BYTES:
                raise ConnectionError
            self._answer += more
        line, _, self._answer = self._answer.partition(b"\n")
        report = json.loads(line)
        if not isinstance(report, dict):
            raise ValueError(report)
        return report

    def _why(self) -> Exception:
        """What the child's end means."""
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            return Unsound(_crashed(self._at, "The process that reads it gave an invalid reply."))
        ended_by = -self._process.returncode
        if ended_by in (signal.SIGXCPU, signal.SIGALRM):
            return Unsound(too_slow(self._at, TooSlow()), is_dear=ended_by == signal.SIGXCPU)
        if ended_by in (signal.SIGSEGV, signal.SIGBUS, signal.SIGILL, signal.SIGTRAP, signal.SIGABRT, signal.SIGFPE):
            return Unsound(_crashed(self._at, f"Reading it crashes a parser ({signal.Signals(ended_by).name})."))
        if ended_by > 0:
            return _Killed()
        return Unsound(_crashed(self._at, "Reading it ends the process that reads it."))


def _crashed(place: str, message: str) -> Fault:
    hint = "Undo the last change to it: something is nested too deeply, too long or too large."
    return Fault("error", place, None, "crash", message, hint)


# ---- what the child says, and what was kept of it ----------------------------------------------------------------


def _proof_from(record: object) -> Proof | None:
    """None for what no proof looks like."""
    if not isinstance(record, dict) or not isinstance(record.get("faults"), list):
        return None
    faults = [_fault_from(one) for one in record["faults"]]
    entries = [_entry_from(one) for one in record["entries"]] if isinstance(record.get("entries"), list) else [None]
    if None in faults or None in entries:
        return None
    return Proof(tuple(filter(None, faults)), tuple(filter(None, entries)))


def _fault_from(record: object) -> Fault | None:
    match record:
        case [("error" | "warning") as severity, str(path), None | int() as line, str(code), str(message), str(hint)]:
            return Fault(severity, escaped(path), line, code, message, hint)
    return None


def _entry_from(record: object) -> Entry | None:
    """attack: a link to another site among what is found. defence: only our own paths."""
    match record:
        case [
            ("lesson" | "exercise" | "question") as kind,
            str(course), str(title), str(heading), str(text), str(url), str(around), str(names),
        ] if _is_ours(url):  # fmt: skip
            return Entry(kind, course, title, heading, text, url, around, names)
    return None


def _is_ours(url: str) -> bool:
    return url.startswith(("/courses/", "/exercises/"))


_known: RecentCache[str, Proof | Fault] = RecentCache(
    REMEMBERED
)  # what this process has seen: a few texts for each folder


def _key(kind: str, slug: str, files: Mapping[str, bytes]) -> str:
    return hashlib.sha256(f"{edition_of_reading()}:{kind}:{len(slug)}:{slug}:{hash_files(files)}".encode()).hexdigest()


@cache
def edition_of_reading() -> str:
    """Of all that reads content: our own code, and the releases of what it uses. Another one proves it again."""
    digest = hashlib.sha256(f"{sys.version}".encode())
    ours = [*(ROOT / "app" / "content").rglob("*.py"), *(ROOT / "app" / "content").rglob("*.js")]
    others = [ROOT / "requirements.lock", *(ROOT / "graders").rglob("*.py")]
    for path in sorted([*ours, *others]):
        content = path.read_bytes() if path.exists() else b""
        digest.update(f"{path.relative_to(ROOT)}:{len(content)}:".encode() + content)
    return digest.hexdigest()
