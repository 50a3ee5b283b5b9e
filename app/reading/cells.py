"""The cells of lessons: what each gives as its author wrote it, made ahead and kept, and what readers made of it.

An author's cells run once, behind the pages, after the judge is warm; what came of them is kept in the data folder's
cache under a hash of their source, so that a lesson is whole before anybody runs anything, and without JavaScript. What
could not be made is tried again, until it is made or nobody wants it any more.
"""

import hashlib
import json
import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from heapq import heappop, heappush
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

import structlog

from app.content.cell import Cell
from app.queue.turns import Turns, Waiting
from app.web.errors import JudgeCannotRun
from graders.boxes.keeper import START_SECONDS, JudgeUnavailable
from graders.boxes.pool import Judge
from graders.boxes.sandbox import BoxLost
from graders.cache import CacheFolder, RecentCache
from graders.cell import WAIT_SECONDS, WAITING_MOST, Busy, CellRun, Cells, run_cell
from graders.exercise.definition import JUDGE_VERSION
from graders.frameworks import releases

log = structlog.get_logger("lectern.cells")

KEPT = 256  # outputs in memory
OUTPUT_VERSION = "2"  # of what is kept: another number makes them all again
AGAIN_SECONDS = 2.0  # after which workers that were busy, or not there, are asked for an author's cell again
AGAIN_MOST_SECONDS = 300.0  # likewise for a cell that was lost; each time it is twice as long until then
_AGAIN = {"Retry-After": "5"}


class Elsewhere(Protocol):
    """Workers that run cells for a process without a judge (app/queue/elsewhere.py). Each raises Busy, BoxLost, and
    JudgeUnavailable where no worker is there."""

    def run_cell(
        self,
        source: str,
        framework: str = ...,
        before: Sequence[str] = ...,
        inputs: Mapping[str, Any] | None = ...,
        wants_result: bool = ...,
        neighbourhood: str = ...,
    ) -> CellRun: ...

    def run_authors(self, source: str, framework: str, before: Sequence[str]) -> CellRun: ...


class CellTurns:
    """At most `most` cells run at once, and who waits is let in by turns.

    attack: one address runs loops without end in all the places there are, and has as many waiting: which of those
            that wait is woken is chance, and nobody else's cell runs.
    defence: turns by neighbourhood (app/queue/turns.py). A cell is one call and does not yield: somebody of another
             address waits for what runs, 10 s at most, and is next.
    """

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._turns, self._most = Turns(clock), most
        self._running = 0
        self._number = 0
        self._let_in: set[int] = set()
        self._changed = threading.Condition()

    @contextmanager
    def turn(self, neighbourhood: str, wait_seconds: float = WAIT_SECONDS) -> Iterator[None]:
        """Until it ends, one of the places is theirs. Raises Busy, at once where as many wait as may."""
        with self._changed:
            if len(self._turns) >= WAITING_MOST:
                raise Busy
            self._number += 1
            number = self._number
            # Each run is a line of its own: AT_ONCE lets a person have two at a time.
            self._turns.add(Waiting(number, number, number, neighbourhood=neighbourhood))
            self._fill()
            if not self._changed.wait_for(lambda: number in self._let_in, wait_seconds):
                self._turns.leave(number)
                raise Busy
        try:
            yield
        finally:
            with self._changed:
                self._let_in.discard(number)
                self._turns.done(number)
                self._running -= 1
                self._fill()

    def _fill(self) -> None:
        while self._running < self._most and (one := self._turns.next()) is not None:
            self._running += 1
            self._let_in.add(one.user_id)
        self._changed.notify_all()


class LessonCells:
    """At most `most` cells run at once, on `judge`, or else on workers `elsewhere`. With neither, this server only
    shows what another has made."""

    def __init__(
        self,
        judge: Judge | None,
        folder: Path,
        most: int,
        elsewhere: Elsewhere | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.judge, self._elsewhere = judge, elsewhere
        self._cells = Cells(judge, max(1, most)) if judge else None
        self._turns = CellTurns(max(1, most), clock)
        self._kept: RecentCache[str, CellRun] = RecentCache(KEPT)
        self._stored = CacheFolder(folder, ".json")
        self._making = _Making(self._make, clock)

    def output(self, cell: Cell) -> CellRun | None:
        """What the author's own source gives; None while that is not known."""
        digest = _digest(cell)
        found = self._kept.get(digest) or _run_from(self._stored.read(digest), cell)
        return self._kept.put(digest, found) if found is not None else None

    def run(self, cell: Cell, source: str, before: Sequence[str], neighbourhood: str = "") -> CellRun:
        """What a reader made of it, after the sources `before` it. Raises JudgeCannotRun."""
        hint = "Your code is still here: run it again"
        return self._run(neighbourhood, hint, source, cell.framework, before=before)

    def experiment(self, source: str, inputs: Mapping[str, float], neighbourhood: str = "") -> CellRun:
        """A lab's own code with a reader's numbers. Raises JudgeCannotRun."""
        return self._run(neighbourhood, "The plots are unchanged. Try again", source, inputs=inputs, wants_result=True)

    def prepare(
        self, cells: Iterable[Cell], on_made: Callable[[], None] = lambda: None, course: str | None = None
    ) -> None:
        """Make, behind the pages, the outputs that are not kept yet, one at a time; each is told. `course`: whose they
        are, and an earlier request for it is forgotten; None: of several, and nothing is."""
        self._making.want(_Request(cells, on_made, course))

    def close(self) -> None:
        self._making.close()

    def _make(self, cell: Cell) -> bool:
        """Whether it was made just now. Raises BoxLost; Busy and JudgeUnavailable where no worker takes it."""
        if self.judge is not None:
            self.judge.start([cell.framework])  # a reader may change it
        if self.output(cell) is not None or (made := self._made(cell)) is None:
            return False
        self._kept.put(_digest(cell), made)
        if not _is_passing(made):
            self._store(cell, made)
        return True

    def _made(self, cell: Cell) -> CellRun | None:
        """None where it will never be made here."""
        if self.judge is None:
            if self._elsewhere is None:
                return None
            return self._elsewhere.run_authors(cell.source, cell.framework, cell.before)
        try:
            return run_cell(self.judge, cell.source, cell.framework, before=cell.before, wait_seconds=START_SECONDS)
        except JudgeUnavailable:
            return None

    def _run(self, neighbourhood: str, hint: str, source: str, framework: str = "numpy", **options: Any) -> CellRun:
        if self._elsewhere is None and (self._cells is None or self._cells.judge.why_not()):
            raise JudgeCannotRun(
                "This server cannot run code right now.",
                f"{hint} later. Operators: run ./lectern doctor",
                headers={"Retry-After": "60"},
            )
        try:
            with self._turns.turn(neighbourhood):
                if self._elsewhere is not None:
                    return self._elsewhere.run_cell(source, framework, neighbourhood=neighbourhood, **options)
                assert self._cells is not None
                return self._cells.run(source, framework, **options)
        except Busy:
            why = "The server is busy, and your code did not get a turn."
        except (BoxLost, JudgeUnavailable) as error:
            log.warning("cell_not_run", reason=str(error))
            if self._elsewhere is not None and isinstance(error, JudgeUnavailable):
                raise JudgeCannotRun(
                    "No worker is there to run code right now.",
                    f"{hint} in a moment. Operators: start one with ./lectern worker",
                    headers=_AGAIN,
                ) from None
            why = "No sandbox was free to run this, or it failed because of us."
        raise JudgeCannotRun(why, f"{hint} in a moment.", headers=_AGAIN)

    def _store(self, cell: Cell, run: CellRun) -> None:
        if problem := self._stored.write(_digest(cell), json.dumps(run.row()).encode()):
            log.warning("cell_not_kept", cell=cell.name, reason=problem)


@dataclass(frozen=True, eq=False)
class _Request:
    """Cells that are wanted, each of which is told once it is made."""

    cells: Iterable[Cell]
    on_made: Callable[[], None]
    course: str | None


@dataclass(frozen=True, order=True)
class _Wanted:
    """A cell in the line. `not_before`: on the clock; below zero for what was not tried yet. Of that, the newest
    request is first: its author waits for it. `pause_seconds`: if it is lost again."""

    not_before: float
    number: int
    cell: Cell = field(compare=False)
    request: _Request = field(compare=False)
    pause_seconds: float = field(default=AGAIN_SECONDS, compare=False)


class _Making:
    """One thread, which makes what is wanted, one cell at a time, and tries again what could not be made.

    A newer request for a course takes the place of the older one: an author who saves every minute while no worker is
    there leaves one line of cells, and not fifty.
    """

    def __init__(self, make: Callable[[Cell], bool], clock: Callable[[], float]) -> None:
        """`make` says whether it was made just now. Raises Busy or JudgeUnavailable where nobody is there for this
        cell's framework, BoxLost where the cell was tried in vain."""
        self._make, self._clock = make, clock
        self._requests: queue.SimpleQueue[_Request | None] = queue.SimpleQueue()
        self._newest: dict[str, _Request] = {}  # by course
        self._line: list[_Wanted] = []  # a heap; the thread's own, as are the next three
        self._requested, self._number = 0, 0
        self._nobody_until: dict[str, float] = {}  # by framework
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None

    def want(self, request: _Request) -> None:
        """Returns at once. Where it is closed, nothing is made any more."""
        with self._lock:
            if self._closed.is_set():
                return
            if request.course is not None:
                self._newest[request.course] = request
            self._requests.put(request)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="cells", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Nothing more is begun. Closing the judge, or what asks the workers, ends what is being made."""
        with self._lock:
            self._closed.set()
            self._requests.put(None)

    def _run(self) -> None:
        while not self._closed.is_set():
            try:
                self._turn()
            except Exception:  # a thread that ended here would make nobody's any more
                log.exception("cells_not_prepared")

    def _turn(self) -> None:
        """Take in a request, if there is one; try what has waited long enough."""
        now = self._clock()
        if self._line and self._line[0].not_before <= now and self._requests.empty():
            self._try(heappop(self._line), now)
            return
        try:
            request = self._requests.get(timeout=max(0.0, self._line[0].not_before - now) if self._line else None)
        except queue.Empty:
            return
        if request is None or not self._is_newest(request):
            return
        self._requested += 1
        for cell in request.cells:  # here, and not where they are asked for: a lesson's first rendering takes a while
            self._number += 1
            heappush(self._line, _Wanted(-self._requested, self._number, cell, request))

    def _is_newest(self, request: _Request) -> bool:
        return request.course is None or self._newest[request.course] is request

    def _try(self, wanted: _Wanted, now: float) -> None:
        if not self._is_newest(wanted.request):
            return
        cell, nobody_until = wanted.cell, self._nobody_until.get(wanted.cell.framework, now)
        if nobody_until > now:
            heappush(self._line, replace(wanted, not_before=nobody_until))
            return
        try:
            if self._make(cell):
                wanted.request.on_made()
        except (Busy, JudgeUnavailable):  # not yet: workers come and go
            self._nobody_until[cell.framework] = later = self._clock() + AGAIN_SECONDS
            heappush(self._line, replace(wanted, not_before=later))
        except BoxLost as lost:
            if self._closed.is_set():
                return
            seconds = wanted.pause_seconds
            log.warning("cell_not_made", cell=cell.name, reason=str(lost), again_seconds=seconds)
            longer = min(2 * seconds, AGAIN_MOST_SECONDS)
            heappush(self._line, replace(wanted, not_before=self._clock() + seconds, pause_seconds=longer))


def _run_from(content: bytes | None, cell: Cell) -> CellRun | None:
    """None for what is not there, and for what no cell gives or another version of Lectern kept: it is made again."""
    try:
        return CellRun.from_row(json.loads(content), before=len(cell.before)) if content is not None else None
    except (ValueError, RecursionError):
        return None


def _is_passing(run: CellRun) -> bool:
    """Whether it may go otherwise the next time: the machine was busy."""
    return run.error is not None and run.error.type == "TimeLimit"


@cache
def _releases() -> tuple[str, ...]:
    """Read once: each is a file that is looked for and parsed, and a lesson asks for each of its cells."""
    return tuple(version(name) for name in (*releases(), "matplotlib"))


def _digest(cell: Cell) -> str:
    parts = [OUTPUT_VERSION, JUDGE_VERSION, *_releases(), cell.framework, cell.source, *cell.before]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
