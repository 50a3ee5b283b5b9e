"""A framework's boxes: forked, walled in and warmed ahead of time, parked, and replaced when they are taken.

A keeper's thread forks the next box from its zygote, restarts a zygote that died, and closes everything at the end.
Taking a box is a pop from a list.

The number of parked boxes follows recent demand: more for a framework that is used, fewer for one that is not. JAX's
boxes have made the library calls of the exercises that were submitted to most recently (warmth.py). A box that was
warmed for one exercise can also serve another, only more slowly.
"""

import compileall
import itertools
import json
import os
import socket
import subprocess
import sys
import threading
import time
import weakref
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from functools import cache

from graders.boxes import proc
from graders.boxes.cgroups import ControlGroup, ControlGroups
from graders.boxes.sandbox import Box, BoxLost, NotWarmed
from graders.boxes.warmth import ZYGOTE, CompileCache, Warmth
from graders.exercise.limits import MAX_THREADS
from graders.frameworks import compiles

START_SECONDS = 120.0
IDLE_SECONDS = 60.0  # without demand, after which one box fewer is kept
# A taken box is replaced when its submission has been judged, or after this time: forking would slow it down.
CALM_SECONDS = 0.25
FORKS_AT_ONCE = 3  # mutants: a choice; that all come that are wanted is tested
REMEMBERED = 8  # exercises whose library calls boxes may have made
WARM_TRIES = 2  # boxes that an exercise's library calls may cost before no more are warmed for it
GRACE_SECONDS = 0.7


class JudgeUnavailable(Exception):
    """This machine cannot judge submissions safely, or not yet. `hint` names the remedy."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message, self.hint = message, hint


class Keeper:
    """Keeps boxes of one framework parked: at least `fewest`, and up to `most` while they are in demand.

    Hold `changed` to see its counts at one moment, and notify it to have the keeper look at them now.
    """

    _numbers = itertools.count()

    def __init__(
        self,
        framework: str,
        size: int | tuple[int, int],
        require_walls: bool,
        off: tuple[str, ...],
        groups: ControlGroups,
        compiled: CompileCache | None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.groups, self._clock = groups, clock
        self.framework, self.require_walls, self.off, self.compiled = framework, require_walls, off, compiled
        self.fewest, self.most = (size, size) if isinstance(size, int) else size
        self.size = self.fewest
        self.zygote: subprocess.Popen[bytes] | None = None  # ends with the zygote, which is its child
        self.zygote_pid = 0
        self._retired: list[subprocess.Popen[bytes]] = []  # they fork nothing more, and guard the boxes they have
        self.control: socket.socket | None = None
        self.walls: dict[str, str] = {}
        self.errors: frozenset[str] = frozenset()
        self.refusal: JudgeUnavailable | None = None
        self.has_been_ready = False
        self.parked: deque[Box] = deque()
        self.handed_out: weakref.WeakSet[Box] = weakref.WeakSet()  # in use, or closed a moment ago
        self.boxes_in_use = 0
        self.submissions_waiting = 0
        self.cells_waiting = 0  # for a box that no submission needs
        self._taken_at = 0.0
        self.warmths: OrderedDict[str, Warmth] = OrderedDict()  # the newest last
        self._unfit: Counter[str] = Counter()  # boxes that a warmth has cost, by its digest
        self.changed = threading.Condition()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        with self.changed:
            if self._thread is None and not self._stopping.is_set():
                self._thread = threading.Thread(target=self._run, name=f"keeper-{self.framework}", daemon=True)
                self._thread.start()

    def expect(self, warmth: Warmth) -> None:
        with self.changed:
            self._remember(warmth)
            self.changed.notify_all()

    def take(self, seconds: float, warmth: Warmth | None) -> Box:
        with self.changed:
            if warmth is not None and warmth.calls:
                self._remember(warmth)
            if not self.parked and self.has_been_ready:
                self.size = min(self.size + 1, self.most)  # in demand
            self.submissions_waiting += 1
            self.changed.notify_all()
            try:
                return self._await_box(seconds, lambda: bool(self.parked), warmth)
            finally:
                self.submissions_waiting -= 1

    def take_spare(self, seconds: float, warmth: Warmth | None = None) -> Box:
        """attack: endless loops in a lesson's cells, so that a submission finds no box.

        defence: cells come after every submission that waits, and one box stays parked for the next submission. While
        a cell waits, one box more than usual is forked.
        """
        with self.changed:
            self.cells_waiting += 1
            self.changed.notify_all()
            try:
                return self._await_box(seconds, self._has_one_to_spare, warmth, " to spare")
            finally:
                self.cells_waiting -= 1

    def _has_one_to_spare(self) -> bool:
        return len(self.parked) > 1 and not self.submissions_waiting

    def _await_box(self, seconds: float, may_take: Callable[[], bool], warmth: Warmth | None, which: str = "") -> Box:
        """A quiet box, once `may_take` allows it. The caller holds `changed`. Raises JudgeUnavailable, BoxLost."""
        deadline = self._clock() + seconds
        while True:
            while may_take():
                box = self._fitting(warmth)
                # A killed zygote takes its boxes along, a moment later: what is still quiet then is as good as dead
                if box.is_quiet() and not proc.is_ending(box.zygote_pid):
                    return self._handed_out(box)
                box.close()
                self.changed.notify_all()  # the keeper may have parked it a moment ago, and think that all are there
            if self._stopping.is_set():
                raise BoxLost("the judge is closing")
            if self.refusal:
                raise self.refusal
            if not self.changed.wait(deadline - self._clock()):
                raise BoxLost(f"no {self.framework} box{which} within {seconds:g} s")

    def _handed_out(self, box: Box) -> Box:
        self.handed_out.add(box)
        self.boxes_in_use += 1
        self._taken_at = self._clock()
        box.on_close = self._returned
        self.changed.notify_all()
        return box

    def _aim(self) -> int:
        """How many boxes should wait now."""
        return max(self.size, self.submissions_waiting, 2 if self.cells_waiting else 0)

    def _remember(self, warmth: Warmth) -> None:
        self.warmths[warmth.digest] = warmth
        self.warmths.move_to_end(warmth.digest)
        while len(self.warmths) > REMEMBERED:
            self.warmths.popitem(last=False)

    def _fitting(self, warmth: Warmth | None) -> Box:
        """A parked box warmed for this; else one warmed for nothing; else the one whose exercise was used longest
        ago."""
        warmth_digest = warmth.digest if warmth is not None else None
        order = {digest: place for place, digest in enumerate(self.warmths)}
        box = min(self.parked, key=lambda box: (box.warmth != warmth_digest, order.get(box.warmth or "", -1)))
        self.parked.remove(box)
        return box

    def _next_warmth(self) -> Warmth | None:
        """What to warm the next box for: of the most recently used exercises, the one with the fewest boxes."""
        with self.changed:
            waiting = Counter(box.warmth for box in self.parked)
            fit = [warmth for warmth in reversed(self.warmths.values()) if self._unfit[warmth.digest] < WARM_TRIES]
            newest = fit[: self.size]
            return min(newest, key=lambda warmth: waiting[warmth.digest]) if newest else None

    def _unwarmed(self) -> Box | None:
        """A parked box that was forked before there was anything to warm it for, if another is parked too."""
        if len(self.parked) < 2 or self.submissions_waiting >= len(self.parked) or self._next_warmth() is None:
            return None
        return next((box for box in self.parked if box.warmth is None), None)

    def _unpark_unwarmed(self) -> Box | None:
        with self.changed:
            if (box := self._unwarmed()) is not None:
                self.parked.remove(box)
            return box

    def _returned(self) -> None:
        with self.changed:
            self.boxes_in_use -= 1
            self.changed.notify_all()

    def stop(self) -> None:
        with self.changed:
            self._stopping.set()
            self.changed.notify_all()

    def join(self) -> None:
        self._close_parked()
        for box in list(self.handed_out):  # their users get BoxLost
            box.kill()
        self.retire_zygote()
        if self._thread:
            self._thread.join(5)
        for zygote in self._retired:
            _end(zygote)
        self._close_parked()  # one that was still coming up

    def _close_parked(self) -> None:
        with self.changed:  # the keeper's thread changes the list too, until it has stopped
            while self.parked:
                self.parked.popleft().close()

    def _run(self) -> None:
        delay = 0.0
        while not self._stopping.is_set():
            coming: list[Box] = []
            try:
                self._ensure_zygote()
                unwarmed = self._unpark_unwarmed()
                coming = [unwarmed] if unwarmed else []
                for _ in range(0 if unwarmed else self._missing()):
                    coming.append(self.begin())
                while coming:
                    self._finish(coming[0])
                    if not self._park(coming.pop(0)):
                        return
                delay = 0.0
            except Exception as error:  # noqa: BLE001 (reported below)
                # attack: use up the server's descriptors with connections, so that any call here may fail.
                # defence: try again. A keeper that ended would leave its framework without boxes for good.
                if self._stopping.is_set():
                    return
                delay = min(5.0, max(0.05, delay * 2))
                why = error if isinstance(error, BoxLost) else f"{type(error).__name__}: {error}"
                sys.stderr.write(f"lectern: no {self.framework} box ({why}); trying again in {delay:g} s\n")
                self.retire_zygote()
                with self.changed:
                    self.changed.wait_for(self._stopping.is_set, delay)
                continue
            finally:
                for box in coming:
                    box.close()
            with self.changed:
                while (seconds := self._until_fork()) != 0:
                    self.changed.wait(seconds)

    def _missing(self) -> int:
        """How many boxes to fork now. Several at once, since a box that comes up mostly waits for the kernel."""
        with self.changed:
            return max(1, min(self._aim() - len(self.parked), FORKS_AT_ONCE))

    def _park(self, box: Box) -> bool:
        """Park a warm box for a submission. Returns False when no box may be parked any more."""
        with self.changed:
            if self._stopping.is_set() or self.refusal:
                box.close()
                self.changed.notify_all()
                return False
            self.parked.append(box)
            self.has_been_ready = True
            self.changed.notify_all()
            return True

    def _until_fork(self) -> float | None:
        """Seconds until the next box may be forked if nothing changes; None for never."""
        for box in [box for box in self.parked if not box.is_quiet()]:
            self.parked.remove(box)
            box.close()
        if self._stopping.is_set() or len(self.parked) < self.submissions_waiting:
            return 0
        if self.cells_waiting and len(self.parked) < 2:
            return 0
        idle = self._clock() - self._taken_at
        if idle > IDLE_SECONDS and self.size > self.fewest:
            self.size, self._taken_at = self.size - 1, self._clock()
            if len(self.parked) > self.size:
                self.parked.popleft().close()
        if len(self.parked) >= self.size:
            if self._unwarmed() is not None:
                return 0
            return IDLE_SECONDS if self.size > self.fewest else None
        is_calm = self.boxes_in_use and 2 * len(self.parked) >= self.size  # under load calm never comes
        return max(0, CALM_SECONDS - idle) if is_calm else 0

    def begin(self) -> Box:
        """Begin to fork a box."""
        control = self.control
        # mutants: without it the next call fails, and `_run` ends as quietly
        if control is None:
            raise BoxLost("the judge is closing")
        number = next(self._numbers)
        group = self.groups.make(MAX_THREADS)
        watched = "watchdog" not in self.off
        try:
            return Box(control, _box_uid(number), os.getuid() == 0, MAX_THREADS, self.errors, group, watched)
        except OSError:
            if isinstance(group, ControlGroup):
                group.release()
            raise

    def _finish(self, box: Box) -> None:
        """Wait until its walls are up, then warm it for a recently used exercise. Raises BoxLost.

        attack: an author's [warm] that kills every box, so that nobody gets one. defence: it costs WARM_TRIES boxes.
        """
        if not box.ready:
            box.wait_ready(zygote=self.zygote_pid)
            self._examine(box)
        if (warmth := self._next_warmth()) is not None and not self.refusal:
            try:
                box.warm(warmth)
            except NotWarmed:
                self._unfit[warmth.digest] += 1
                raise

    def _examine(self, box: Box) -> None:
        self.walls = box.walls
        missing = box.missing_walls()
        if missing and self.require_walls:
            reasons = "; ".join(f"{name}: {reason}" for name, reason in missing.items())
            self.refusal = JudgeUnavailable(
                f"This machine lacks walls that the judge must have ({reasons}).",
                "Run ./lectern doctor: it names each wall and how to get it. To author without students, on "
                "loopback only, set LECTERN_SANDBOX=off.",
            )

    def _ensure_zygote(self) -> None:
        if self.zygote and self.zygote.poll() is None and self.control:
            return
        self.retire_zygote()
        _compile_what_boxes_run()
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        cache = self.compiled.open() if self.compiled and compiles(self.framework) else ""
        uid = _box_uid(next(self._numbers))
        config = json.dumps({"framework": self.framework, "off": self.off, "cache": cache, "uid": uid})
        # An empty environment, and no descriptor but the control socket: a box can inherit nothing else.
        with theirs, self.changed:
            try:
                if self._stopping.is_set():  # or the new zygote would outlive this keeper
                    raise BoxLost("the judge is closing")
                self.zygote = subprocess.Popen(
                    [sys.executable, "-I", "-B", str(ZYGOTE), config],
                    stdin=theirs.fileno(), stdout=subprocess.DEVNULL, env={}, cwd="/", start_new_session=True,
                )  # fmt: skip
            except BaseException:
                ours.close()  # mutants: else reading from it fails below, and is tried again too
                raise
            self.control = ours
        ours.settimeout(START_SECONDS)
        try:
            report, descriptors, *_ = socket.recv_fds(ours, 1 << 16, 1)
        except OSError as error:
            raise BoxLost(f"the zygote said nothing: {error}") from None
        ours.settimeout(None)
        if not descriptors:
            raise BoxLost("the zygote died while it imported its framework")
        try:
            self.zygote_pid = proc.pid_of(descriptors[0])
        finally:
            os.close(descriptors[0])
        self.errors = frozenset(json.loads(report)["errors"])

    def retire_zygote(self) -> None:
        """The next box is another zygote's. Those that this one has forked go on, and it guards them until they end."""
        control, zygote = self.control, self.zygote
        self.control = self.zygote = None
        if control:
            try:
                control.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            control.close()
        if zygote:
            self._retired = [other for other in self._retired if other.poll() is None]
            if self._stopping.is_set() or not self.has_been_ready or proc.is_stopped(self.zygote_pid):
                _end(zygote)
            else:
                # Its boxes, parked or at work, end with it. With its control socket closed it ends after the last one.
                self._retired.append(zygote)


@cache
def _compile_what_boxes_run() -> None:
    """Compile the modules that only boxes import. A zygote writes no bytecode: it would compile them each time that it
    starts. That leaves 1.7 MB in its memory, and each fork copies the page tables of them. Does nothing where the
    folders cannot be written."""
    for folder in (ZYGOTE.parent, ZYGOTE.parent.parent / "frameworks"):
        compileall.compile_dir(folder, quiet=2)


def _end(zygote: subprocess.Popen[bytes]) -> None:
    """With it what it has forked ends. It ends by itself when its sockets are closed, and the kernel tidies up less."""
    try:
        zygote.wait(GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        zygote.kill()
        zygote.wait()


def _box_uid(number: int) -> int:
    """A uid that owns nothing here, different for each living box, in the range that this user namespace has."""
    try:
        _, _, count = map(int, proc.lines("/proc/self/uid_map")[0].split())
    except (OSError, ValueError, IndexError):
        count = 65536  # mutants: it is only compared with a number that is far away
    return (1_879_100_000 if count > 2_000_000_000 else 61_000) + number % 4096
