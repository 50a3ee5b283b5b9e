"""The warm sandboxes that wait for a submission: `Judge` holds a zygote a framework and parks boxes from it.

A box is forked, walled in and warmed ahead of time, serves one submission, and dies. Taking one is a pop from a list.
A keeper thread a framework forks the next one, starts the zygote again when it died, and closes everything at the end.
"""

import itertools
import json
import os
import socket
import subprocess
import sys
import threading
import time
import weakref
from collections import deque
from collections.abc import Iterable
from pathlib import Path

from graders.exercise import FRAMEWORKS
from graders.sandbox import Box, BoxLost

ZYGOTE = Path(__file__).parent / "inside" / "zygote.py"
PARKED = {"numpy": 3, "jax": 2, "torch": 2}
START_SECONDS = 120.0
GRACE_SECONDS = 0.7
THREADS = 64  # a box's threads and processes; JAX alone wants 16


class JudgeUnavailable(Exception):
    """This machine cannot hold a submission safely, or not yet. `hint` names the remedy."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message, self.hint = message, hint


class Judge:
    """Boxes on demand. `cache_folder` keeps expected outputs between runs; `off` switches walls off, for tests.

    `require_walls=False` is LECTERN_SANDBOX=off: boxes are used whatever walls they have.
    """

    def __init__(
        self,
        cache_folder: Path | None = None,
        frameworks: Iterable[str] = FRAMEWORKS,
        parked: dict[str, int] | None = None,
        require_walls: bool = True,
        off: Iterable[str] = (),
    ) -> None:
        self.cache_folder = cache_folder
        self.off = tuple(off)
        self._keepers = {
            name: _Keeper(name, (parked or PARKED).get(name, 1), require_walls, self.off) for name in frameworks
        }

    def start(self) -> None:
        """Begin to warm every framework, in the background."""
        for keeper in self._keepers.values():
            keeper.start()

    def take(self, framework: str, seconds: float = START_SECONDS) -> Box:
        """A warm box, alone for the caller, who must close it. Raises JudgeUnavailable, or BoxLost after `seconds`."""
        if framework not in self._keepers:
            raise JudgeUnavailable(f"This judge does not run {framework}.", "Start it with that framework.")
        keeper = self._keepers[framework]
        keeper.start()
        return keeper.take(seconds)

    def ready(self) -> bool:
        """Whether a submission in any framework could be judged at once."""
        return all(keeper.has_been_ready for keeper in self._keepers.values()) and self.why_not() is None

    def why_not(self) -> JudgeUnavailable | None:
        """Why submissions cannot be judged on this machine; None when they can, or while that is not known yet."""
        return next((keeper.refusal for keeper in self._keepers.values() if keeper.refusal), None)

    def walls(self) -> dict[str, str]:
        """The walls of the newest box: name → "" when up, else why not."""
        return next((keeper.walls for keeper in self._keepers.values() if keeper.walls), {})

    def zygotes(self) -> dict[str, int]:
        """The process ids of the zygotes that run, by framework."""
        return {name: keeper.zygote.pid for name, keeper in self._keepers.items() if keeper.zygote}

    def close(self) -> None:
        """End every box and zygote; at most a second."""
        for keeper in self._keepers.values():
            keeper.stop()
        for keeper in self._keepers.values():
            keeper.join()

    def __enter__(self) -> "Judge":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class _Keeper:
    """Keeps `size` boxes of one framework parked."""

    _numbers = itertools.count()

    def __init__(self, framework: str, size: int, require_walls: bool, off: tuple[str, ...]) -> None:
        self.framework, self.size, self.require_walls, self.off = framework, size, require_walls, off
        self.zygote: subprocess.Popen[bytes] | None = None
        self.control: socket.socket | None = None
        self.walls: dict[str, str] = {}
        self.refusal: JudgeUnavailable | None = None
        self.has_been_ready = False
        self._parked: deque[Box] = deque()
        self._taken: weakref.WeakSet[Box] = weakref.WeakSet()
        self._wanted = 0  # callers that wait
        self._changed = threading.Condition()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        with self._changed:
            if self._thread is None and not self._stopping.is_set():
                self._thread = threading.Thread(target=self._run, name=f"keeper-{self.framework}", daemon=True)
                self._thread.start()

    def take(self, seconds: float) -> Box:
        deadline = time.monotonic() + seconds
        with self._changed:
            self._wanted += 1
            self._changed.notify_all()
            try:
                while True:
                    while self._parked:
                        box = self._parked.popleft()
                        if box.is_quiet():
                            self._taken.add(box)
                            self._changed.notify_all()
                            return box
                        box.close()
                    if self._stopping.is_set():
                        raise BoxLost("the judge is closing")
                    if self.refusal:
                        raise self.refusal
                    if not self._changed.wait(deadline - time.monotonic()):
                        raise BoxLost(f"no {self.framework} box within {seconds:g} s")
            finally:
                self._wanted -= 1

    def stop(self) -> None:
        with self._changed:
            self._stopping.set()
            self._changed.notify_all()

    def join(self) -> None:
        self._close_parked()
        for box in list(self._taken):  # whoever uses one learns that it was lost
            box.kill()
        self._end_zygote()
        if self._thread:
            self._thread.join(5)
        self._close_parked()  # one that was on its way

    def _close_parked(self) -> None:
        with self._changed:  # the keeper looks after the same boxes until it sees that it is to stop
            while self._parked:
                self._parked.popleft().close()

    def _run(self) -> None:
        delay = 0.0
        while not self._stopping.is_set():
            try:
                self._mend_zygote()
                box = self._fork()
                delay = 0.0
            except BoxLost as error:
                if self._stopping.is_set():
                    return
                delay = min(5.0, max(0.05, delay * 2))
                sys.stderr.write(f"lectern: no {self.framework} box ({error}); trying again in {delay:g} s\n")
                self._end_zygote()
                with self._changed:
                    self._changed.wait_for(self._stopping.is_set, delay)
                continue
            with self._changed:
                if self._stopping.is_set():
                    box.close()
                    return
                if self.refusal:
                    box.close()
                    self._changed.notify_all()
                    return
                self._parked.append(box)
                self.has_been_ready = True
                self._changed.notify_all()
                self._changed.wait_for(self._may_fork)

    def _may_fork(self) -> bool:
        while self._parked and not self._parked[0].is_quiet():
            self._parked.popleft().close()
        return self._stopping.is_set() or len(self._parked) < max(self.size, self._wanted)

    def _fork(self) -> Box:
        control = self.control
        if control is None:
            raise BoxLost("the judge is closing")
        number = next(self._numbers)
        box = Box(control, _box_uid(number), os.getuid() == 0, THREADS)
        box.wait_ready()
        self.walls = box.walls
        missing = box.missing_walls()
        if missing and self.require_walls:
            reasons = "; ".join(f"{name}: {reason}" for name, reason in missing.items())
            self.refusal = JudgeUnavailable(
                f"This machine lacks walls that the judge must have ({reasons}).",
                "Run ./lectern doctor: it names each wall and how to get it. To author without students, on "
                "loopback only, set LECTERN_SANDBOX=off.",
            )
        return box

    def _mend_zygote(self) -> None:
        if self.zygote and self.zygote.poll() is None and self.control:
            return
        self._end_zygote()
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        config = json.dumps({"framework": self.framework, "off": self.off})
        # An empty environment, and no descriptor but the control socket: what it does not hold, no box inherits.
        with self._changed:
            if self._stopping.is_set():  # or this one would outlive whoever ends the one there was
                raise BoxLost("the judge is closing")
            self.zygote = subprocess.Popen(
                [sys.executable, "-I", "-B", str(ZYGOTE), config],
                stdin=theirs.fileno(), stdout=subprocess.DEVNULL, env={}, cwd="/", start_new_session=True,
            )  # fmt: skip
            self.control = ours
        theirs.close()
        ours.settimeout(START_SECONDS)
        try:
            said = ours.recv(4096)
        except OSError as error:
            raise BoxLost(f"the zygote said nothing: {error}") from None
        ours.settimeout(None)
        if not said:
            raise BoxLost("the zygote died while it imported its framework")

    def _end_zygote(self) -> None:
        control, zygote = self.control, self.zygote
        self.control = self.zygote = None
        if control:
            try:
                control.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            control.close()
        if zygote:
            try:
                # with its control socket closed it ends once its guards have: nobody is left for init to reap
                zygote.wait(GRACE_SECONDS if self.has_been_ready else 0)
            except subprocess.TimeoutExpired:
                zygote.kill()
                zygote.wait()


def _box_uid(number: int) -> int:
    """A uid that owns nothing here, another for each box while they live, from what this user namespace has."""
    try:
        with open("/proc/self/uid_map") as file:
            _, _, count = map(int, file.readline().split())
    except (OSError, ValueError):
        count = 65536
    return (1_879_100_000 if count > 2_000_000_000 else 61_000) + number % 4096
