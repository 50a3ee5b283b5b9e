"""One box, seen from the trusted side: start, ask, kill.

attack: never answer; answer without end; answer twice; answer in another format; answer byte by byte, so that we
        read everything again each time; use memory between two checks; die in a way that looks like our own failure.
defence: one loop with a deadline reads everything, each byte once, and accepts nothing that is longer than its cap or
         of another shape than the runner's replies. Anything else is the submission's fault. Only a SIGKILL that
         neither we nor a limit sent is our failure, since no call that a box may make can cause one (walls.seccomp).
"""

import contextlib
import ctypes
import errno
import json
import os
import resource
import select
import signal
import socket
import threading
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from graders.boxes import proc, where
from graders.boxes.cgroups import KERNEL_MB, ControlGroup
from graders.boxes.reply import BoxAnswer, Done, Reply, Stopped, read_answer, read_envelope, why_not_done
from graders.boxes.warmth import Warmth
from graders.exercise.limits import Limits
from graders.inside import wire
from graders.text import storable

WATCH_SECONDS = 0.010  # how often a running box's memory and processor time are checked
READY_SECONDS = 60.0
STILL_SECONDS = 3.0  # a zygote or a box that is stopped for longer is not expected to continue
GAP_SECONDS = 1.0  # between two looks at a running box: it was we who stood still, and mostly the whole machine
WARM_SECONDS = 20.0
WARM_MB = 1024  # beyond the framework's, for what an author has compiled ahead
BOX_CPU_SECONDS = 3600  # of a box's whole life, for any submission: a backstop for the watchdog
EXIT_SECONDS = 1.0  # between the closing of a box's channel and its end, if it is ending
LEAVING_SECONDS = 30.0  # for the kernel to take away what has been killed, on a machine that does much else
PRINTS_SHOWN = 8_192  # bytes of a case's prints that are kept
REPLY_BYTES = 1 << 20  # a reply's envelope; its value has the exercise's own cap
READ_BYTES, LARGE_READ_BYTES = 1 << 16, 1 << 20  # above 128 KiB the C library asks the kernel for the room each time
FIGURES = frozenset({"RssAnon", "RssFile", "RssShmem", "VmSwap", "VmPTE", "VmHWM", "Threads"})
CPUCLOCK_SCHED = 2  # of linux/posix-timers.h
SYS_PIDFD_SEND_SIGNAL = 424  # on each architecture
STOPPED = "\nState:\tT ("  # in /proc/PID/status; what a box names itself cannot begin a line
# No call that a box may make sends one of these (walls.seccomp); without a namespace of process numbers others may.
FROM_OUTSIDE = frozenset({signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT})

# A box without these gets no submission. Either Landlock or a mount namespace keeps files away.
MINIMUM = ("uid", "seccomp", "rlimits", "interpreter")
ALTERNATIVES = ("landlock", "mount")


_libc = ctypes.CDLL(None, use_errno=True)  # its calls release the interpreter's lock
_WARMING = Limits(wall_seconds=WARM_SECONDS, cpu_seconds=WARM_SECONDS, memory_mb=WARM_MB)


_ReadAnswer = Callable[[Mapping[str, Any], Any], BoxAnswer]


class BoxLost(Exception):
    """The box is gone, and not because of the submission. Our failure: the submission is judged again."""


class NotWarmed(BoxLost):
    """The library calls that an author declares for JAX's boxes were too much for this one."""


class TriesSpent(BoxLost):
    """All the boxes that may be tried for one submission were lost."""


class Box:
    """A forked, walled-in process that serves one submission and dies.

    `zygote` is the zygote's control socket. `uid` is what the box becomes when the server is root (`dropped`).
    `group` is the box's control group, or the reason that it has none. `watched=False` leaves the watchdog out, so that
    tests can show what each wall stops by itself. Raises BoxLost, and OSError where this process has no descriptors
    left.
    """

    def __init__(
        self,
        zygote: socket.socket,
        uid: int,
        dropped: bool,
        threads: int = 64,
        errors: frozenset[str] = frozenset(),
        group: ControlGroup | str = "switched off",
        watched: bool = True,
    ) -> None:
        self.group, self.watched = group, watched
        self.memory_mb = 0  # what its submission may use
        self.baseline_kb = 0  # what it had before the submission: the framework
        self.risen_kb = 0  # its high-water mark when its submission came
        with contextlib.ExitStack() as opened:  # all of them, or none
            self.channel, channel = map(opened.enter_context, socket.socketpair())
            self.status, status = map(
                opened.enter_context, socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            )  # fmt: skip
            self.prints, prints_in = os.pipe2(os.O_CLOEXEC)
            opened.pop_all()
        self.pid, self.pidfd, self.has_ended = 0, -1, False
        self._killing = threading.Lock()
        self.zygote_pid = 0  # who has forked it, and guards it
        self.threads_most = self.threads_granted = threads  # in all; those that its submission may start
        self.walls: dict[str, str] = {}
        self.errors = errors  # names of the exceptions that existed before any submission
        self.ready = False
        self.warmth: str | None = None
        self.on_close: Callable[[], None] | None = None  # called once, when the box is closed
        self.on_ask: Callable[[], None] | None = None  # called before each question, whose time has not begun
        self.number = 0
        self.lines = 0  # of the source, where the present question may be answered by one
        self.output_bytes = self.value_bytes = 1 << 20
        self.prints_shown = PRINTS_SHOWN
        os.set_blocking(self.prints, False)
        self.channel.setblocking(False)
        request = wire.BOX.pack(uid, dropped, threads, BOX_CPU_SECONDS)
        doors: list[int] = []
        try:
            doors = group.descriptors() if isinstance(group, ControlGroup) else []
            socket.send_fds(zygote, [request], [channel.fileno(), prints_in, status.fileno(), *doors])
        except OSError as error:
            self.close()
            raise BoxLost(f"the zygote or the box's control group is gone: {error.strerror}") from None
        finally:
            for door in doors:
                os.close(door)
            channel.close()
            os.close(prints_in)
            status.close()

    def wait_ready(self, seconds: float = READY_SECONDS, zygote: int = 0) -> None:
        """Wait for the box's report that its walls stand and its framework is up. Raises BoxLost.

        `zygote`: the process that forks it. It may take all of `seconds`, but only STILL_SECONDS while it is stopped.
        """
        self.zygote_pid = zygote
        try:
            began = running_at = time.monotonic()
            while not _readable(self.status.fileno(), 0.1):
                now = time.monotonic()
                running_at = running_at if proc.is_stopped(zygote) else now
                if now - running_at > STILL_SECONDS:
                    raise BoxLost("the zygote was stopped")
                if now - began > seconds:
                    raise BoxLost(f"no box came within {seconds:g} s")
            _, descriptors, *_ = socket.recv_fds(self.status, 4096, 1)
            if not descriptors:
                raise BoxLost("the zygote could not fork it")
            self.pidfd = descriptors[0]
            self.pid = proc.pid_of(self.pidfd)
            reply = self._converse(b"", seconds, seconds, None, self._greeted)
        except OSError as error:
            self.close()
            raise BoxLost(f"no box came: {error}") from None
        except BoxLost:
            self.close()
            raise
        if why := why_not_done(reply.answer):
            self.close()
            raise BoxLost(f"the box did not come up: {why} {reply.prints[-500:]}")
        if isinstance(self.group, str):
            self.walls["cgroup"] = self.group
        self.walls["watchdog"] = "" if self.watched else "switched off"
        self.baseline_kb = self._size()[0]
        self.ready = True

    def warm(self, warmth: Warmth) -> None:
        """Have JAX make an exercise's library calls ahead of a submission. Raises NotWarmed, BoxLost."""
        request = {"op": "warm", "calls": [list(call) for call in warmth.calls], "wide": warmth.wide}
        reply = self.ask(request, WARM_SECONDS, _WARMING)
        if isinstance(reply.answer, Stopped):
            self.close()
            raise NotWarmed(f"the box did not warm up: {reply.answer.text}")
        self.warmth = warmth.digest
        self.baseline_kb = self._size()[0]

    def missing_walls(self) -> dict[str, str]:
        """The required walls that do not stand, each with the reason."""
        missing = {name: self.walls.get(name, "not tried") for name in MINIMUM if self.walls.get(name, "not tried")}
        if all(self.walls.get(name, "not tried") for name in ALTERNATIVES):
            missing |= {name: self.walls.get(name, "not tried") for name in ALTERNATIVES}
        return missing

    def ask(
        self,
        request: Mapping[str, Any],
        seconds: float,
        limits: Limits,
        value_bytes: int | None = None,
        lines: int = 0,
    ) -> Reply:
        """Send one request and wait at most `seconds` of wall clock for its reply. Raises BoxLost for failures of ours.

        `value_bytes`: the cap of the reply's value, where it differs from the cap of the prints. `lines`: how many the
        source has, if at a time limit the box is to tell which of them it was in; 0 for a hidden case (where.py).
        """
        if self.on_ask is not None:
            self.on_ask()
        self.number += 1
        self.lines = lines
        self.output_bytes = limits.output_kb << 10
        self.value_bytes = value_bytes if value_bytes is not None else self.output_bytes
        if not self.is_quiet() and not self._at_end():
            # attack: answer before the question. defence: anything sent out of turn ends the submission
            return self._stop(
                "runtime_error", "Your program wrote to the judge's channel out of turn.", time.monotonic()
            )
        if request["op"] in ("load", "cell"):
            self._grant(limits)
        frame = wire.encode({**request, "n": self.number})
        return self._converse(
            frame, seconds, limits.cpu_seconds, limits.memory_mb, partial(read_answer, str(request["op"]))
        )

    def _grant(self, limits: Limits) -> None:
        """Limit the box, when it loads its submission, to this much beyond what it has now. Raises BoxLost."""
        self.memory_mb = limits.memory_mb
        self.threads_granted = limits.threads
        fallen = self._fall_back()
        self.threads_most = min(self.threads_most, fallen.get("Threads", 0) + limits.threads)
        self.risen_kb = fallen.get("VmHWM", 0)
        if isinstance(self.group, ControlGroup) and not self.walls["cgroup"]:
            try:
                self.group.limit((self.baseline_kb << 10) + (limits.memory_mb + KERNEL_MB << 20))
                self.group.limit_threads(self.threads_most)
            except OSError as error:
                raise BoxLost(f"its control group took no limit: {error}") from None

    def is_quiet(self) -> bool:
        """Whether nothing is to be read from the box: neither an answer nor its end."""
        return not _readable(self.channel.fileno())

    def kill(self) -> None:
        """Any thread may: a judge that closes kills what others work with, and they may be closing it. Without the lock
        the descriptor may be closed between the two lines, and its number another box's."""
        with self._killing:
            if self.pidfd >= 0 and not self.has_ended:
                with contextlib.suppress(ProcessLookupError):
                    _kill(self.pidfd)

    def close(self) -> None:
        """Kill the box and release everything. Its zygote also kills it, when its status socket closes."""
        self.kill()
        on_close, self.on_close = self.on_close, None
        if on_close:
            on_close()
        self.channel.close()
        self.status.close()
        if isinstance(self.group, ControlGroup):
            self.group.release()
            self.group = "released"
        with self._killing:
            for name in ("prints", "pidfd"):
                if getattr(self, name) >= 0:
                    os.close(getattr(self, name))
                    setattr(self, name, -1)

    # ------------------------------------------------------------------ the loop

    def _greeted(self, envelope: Mapping[str, Any], _value: Any) -> BoxAnswer:
        """Read the box's first message, from before any student code."""
        if failed := envelope.get("failed"):
            return Stopped("internal_error", str(failed))
        self.walls = {str(name): str(reason) for name, reason in envelope["walls"].items()}
        return Done()

    def _converse(
        self, frame: bytes, seconds: float, cpu_seconds: float, memory_mb: int | None, reader: _ReadAnswer
    ) -> Reply:
        """Write `frame` and read one reply, watching the box meanwhile.

        With `is_quiet` a question costs four calls of the kernel where nothing is printed. At each of them another
        thread may take the interpreter.
        """
        began = time.monotonic()
        deadline = began + seconds
        cpu_before: float | None = None  # at the first check; a call that ends before it needs none
        outgoing, incoming, prints = memoryview(frame), _Incoming(self.number, self.value_bytes, reader), bytearray()
        printed = 0
        if outgoing:
            with contextlib.suppress(OSError):  # full, or closed: the loop sees which
                outgoing = outgoing[self.channel.send(outgoing) :]  # nearly always the whole: nothing else is in there
        # The channel first: the kernel looks at the two in this order. The box's prints are out before its reply, so
        # when a reply is seen to come, `ready` knows of all prints before it.
        poll = select.poll()
        poll.register(self.channel, select.POLLIN | (select.POLLOUT if outgoing else 0))
        poll.register(self.prints, select.POLLIN)
        watched_at = looked_at = began
        stopped_seconds = 0.0

        while True:
            now = time.monotonic()
            # A look comes every 10 ms. Where none came for long, the submission is not charged with that: neither with
            # a time limit nor with the time of all cases. Its processor time is limited all the same.
            if now - looked_at > GAP_SECONDS:
                began, deadline = began + now - looked_at, deadline + now - looked_at
            looked_at = now
            if now >= deadline:
                if proc.is_stopped(self.pid) and not self.walls.get("seccomp"):
                    raise BoxLost("the box was stopped from outside")  # no program in a box can stop itself
                if proc.are_all_ending(self.pid):
                    return self._ended(began, prints, printed)  # killed a moment ago
                return self._out_of_time(_no_reply(seconds), began, prints, printed)
            ready = dict(poll.poll(min(deadline - now, WATCH_SECONDS) * 1000 + 0.5))
            if self.prints in ready:
                printed += self.take_prints(prints)
                if ready[self.prints] & select.POLLHUP and not ready[self.prints] & select.POLLIN:
                    poll.unregister(self.prints)
            if printed > self.output_bytes:
                return self._stop("output_limit", _too_much(self.output_bytes), began, prints, printed)
            events = ready.get(self.channel.fileno(), 0)
            if events & select.POLLOUT and outgoing:
                try:
                    outgoing = outgoing[self.channel.send(outgoing) :]
                except BlockingIOError:
                    pass
                except OSError:
                    return self._ended(began, prints, printed)
                if not outgoing:
                    poll.modify(self.channel, select.POLLIN)
            if events & (select.POLLIN | select.POLLHUP | select.POLLERR):
                try:
                    answer = self._take_reply(incoming)
                except wire.WireError:  # too large too: the runner reports that, and announces nothing over its cap
                    text = "Your program wrote something to the judge's channel that is no reply."
                    return self._stop("runtime_error", text, began, prints, printed)
                except EOFError:
                    return self._ended(began, prints, printed)
                if answer is not None:
                    wall_ms = (time.monotonic() - began) * 1000
                    return Reply(answer, wall_ms, _text(prints), printed > len(prints), incoming.trace)
            if memory_mb is not None and self.watched and time.monotonic() - watched_at >= WATCH_SECONDS:
                since, watched_at = watched_at, time.monotonic()
                status = self._proc("status")
                if STOPPED in status and not self.walls.get("seccomp"):  # from outside, as above
                    stopped_seconds += watched_at - since
                    if stopped_seconds > STILL_SECONDS:
                        raise BoxLost("the box was stopped from outside")
                    began, deadline = began + watched_at - since, deadline + watched_at - since
                memory_kb, threads = self._size(status)
                if not memory_kb:
                    # attack: end only the first thread, so that the kernel's figures for the process, which are that
                    # thread's, are empty. defence: a box that cannot be watched is stopped.
                    if not self._ends():
                        text = "Your program ended its main thread."
                        return self._stop("runtime_error", text, began, prints, printed)
                    deadline = max(deadline, time.monotonic() + EXIT_SECONDS)  # to be told how, not that it was late
                if memory_kb - self.baseline_kb > memory_mb << 10:
                    return self._stop("memory_limit", _too_big(memory_mb), began, prints, printed)
                if threads > self.threads_most:  # needed where RLIMIT_NPROC would also count the server's processes
                    text = f"More than {self.threads_granted} threads."
                    return self._stop("runtime_error", text, began, prints, printed)
                cpu_now = self.cpu_seconds()
                cpu_before = cpu_now if cpu_before is None else cpu_before
                if cpu_now - cpu_before > cpu_seconds:
                    return self._out_of_time(_too_slow(cpu_seconds), began, prints, printed)

    def take_prints(self, prints: bytearray) -> int:
        """Read all prints that are there into `prints`, which keeps the first bytes. Returns how many there were."""
        count = 0
        while count < 1 << 22:
            try:
                part = os.read(self.prints, 1 << 16)
            except BlockingIOError:
                break
            if not part:
                break
            count += len(part)
            prints += part[: max(0, self.prints_shown - len(prints))]
        return count

    def _take_reply(self, incoming: "_Incoming") -> BoxAnswer | None:
        """The answer once a whole reply is there, else None. Raises EOFError, and WireError for an invalid reply."""
        try:
            part = self.channel.recv(incoming.room)
        except BlockingIOError:
            return None
        except OSError:
            raise EOFError from None
        if not part:
            raise EOFError
        return incoming.add(part)

    def _out_of_time(self, text: str, began: float, prints: bytearray, printed: int) -> Reply:
        place = self._where() if self.lines else where.NOWHERE
        return self._stop("time_limit", text, began, prints, printed, place)

    def _where(self) -> where.Where:
        # The first thread answers. Others may compute meanwhile, as JAX's do: they do not show that it could answer.
        # attack: threads that compute and keep the first from running. defence: MOST_ROUNDS, half a second at most.
        cpu_before, most_kb = proc.first_thread_seconds(self.pid), self.baseline_kb + (self.memory_mb << 10)
        return where.ask(
            self.pidfd,
            self.channel,
            self.lines,
            may_go_on=lambda: not self.watched or self._size()[0] <= most_kb,
            is_held_up=lambda: (
                proc.is_ready_or_stopped(self.pid)
                and proc.first_thread_seconds(self.pid) - cpu_before < 2 * WATCH_SECONDS
            ),
        )

    def _stop(
        self,
        reason: str,
        text: str,
        began: float,
        prints: bytearray | None = None,
        printed: int = 0,
        place: where.Where = where.NOWHERE,
    ) -> Reply:
        self.kill()
        prints = prints if prints is not None else bytearray()
        printed += self.take_prints(prints)
        stopped = Stopped(reason, text, place)
        return Reply(stopped, (time.monotonic() - began) * 1000, _text(prints), printed > len(prints))

    def _ended(self, began: float, prints: bytearray, printed: int) -> Reply:
        """After the channel closed: ask its zygote how the box ended. Raises BoxLost when the reason is unknown."""
        wall = (time.monotonic() - began) * 1000
        if not self._ends():
            self.kill()
            closed = Stopped("runtime_error", "Your program closed the judge's channel.")
            return Reply(closed, wall, _text(prints), printed > len(prints))
        try:
            self.status.settimeout(5)
            report = json.loads(self.status.recv(4096) or b"{}")
        except (OSError, ValueError):
            report = {}
        self.has_ended = True
        printed += self.take_prints(prints)
        code, number = report.get("exit"), report.get("signal")
        if number == signal.SIGKILL and isinstance(self.group, ControlGroup) and self.group.overstepped():
            stopped = Stopped("memory_limit", _too_big(self.memory_mb))
        elif number == signal.SIGKILL and report["cpu_seconds"] >= BOX_CPU_SECONDS:
            stopped = Stopped("time_limit", _too_slow(BOX_CPU_SECONDS))
        elif code is not None:
            stopped = Stopped("runtime_error", f"Your program ended itself (exit code {code}) instead of returning.")
        elif number is not None and (
            number not in FROM_OUTSIDE or (number != signal.SIGKILL and self.walls.get("seccomp"))
        ):
            stopped = Stopped("runtime_error", f"Your program crashed ({_signal_name(number)}).")
        else:
            raise BoxLost(f"the box was killed from outside: {report or 'its zygote is gone too'}")
        return Reply(stopped, wall, _text(prints), printed > len(prints))

    def _ends(self) -> bool:
        """Whether the box has ended, or does so now.

        attack: close the channel, or end only the first thread, and go on. defence: EXIT_SECONDS, and it is killed.

        A box that is killed from outside lets go of its memory and its channel before it has ended. Where the machine
        does much else that takes seconds, of which the submission is not guilty: while each of its threads is ending,
        it is waited for. Raises BoxLost where that takes for ever.
        """
        began = time.monotonic()
        while not _readable(self.pidfd, 0.05):
            waited = time.monotonic() - began
            if waited > EXIT_SECONDS and not proc.are_all_ending(self.pid):
                return False
            if waited > LEAVING_SECONDS:
                raise BoxLost("the box was killed, and does not end")
        return True

    def _at_end(self) -> bool:
        try:
            return self.channel.recv(1, socket.MSG_PEEK) == b""
        except OSError:
            return True

    def _size(self, status: str | None = None) -> tuple[int, int]:
        """The box's memory in KiB, including pages that it still shares with the zygote, and its number of threads.
        `status`: the file in /proc, where it has just been read.

        attack: touch one page in every two megabytes, so that page tables take more memory than pages. defence: VmPTE
        is counted too.
        """
        fields = self._status() if status is None else proc.numbers(status, FIGURES)
        return _memory_kb(fields), fields.get("Threads", 0)

    def peak_kb(self) -> int:
        """The most memory in KiB that the box has had since its submission came, beyond its framework's.

        It is the kernel's own mark, which misses nothing between two checks. If it did not rise, warming may have
        raised it before, and the present size is closer to the truth. 0 where it is unknown, say after the box ended.
        """
        fields = self._status()
        highest, files, tables = (fields.get(name, 0) for name in ("VmHWM", "RssFile", "VmPTE"))
        risen = highest - files + tables if highest > self.risen_kb else 0
        return max(0, _memory_kb(fields) - self.baseline_kb, risen - self.baseline_kb)

    def _fall_back(self) -> dict[str, int]:
        """Reset the kernel's high-water mark to the present size, where we may. Returns the figures after it."""
        with contextlib.suppress(OSError):
            descriptor = os.open(f"/proc/{self.pid}/clear_refs", os.O_WRONLY | os.O_CLOEXEC)
            try:
                os.write(descriptor, b"5")
            finally:
                os.close(descriptor)
        return self._status()

    def _status(self) -> dict[str, int]:
        """The kernel's figures for the box: sizes in KiB, and threads."""
        return proc.numbers(self._proc("status"), FIGURES)

    def data_bytes(self) -> int:
        """The box's private writable memory, as RLIMIT_DATA counts it."""
        if self.walls["rlimits"] == "switched off":  # by a test that shows what another wall stops by itself
            return 1 << 50
        fields = self._proc("statm").split()
        return int(fields[5]) * resource.getpagesize() if len(fields) > 5 else 1 << 30

    def cpu_seconds(self) -> float:
        """Processor time of all its threads so far, in seconds, to the nanosecond; 0.0 when the box has gone.

        Source: the clock of another process, `clock_getcpuclockid(3)`, whose id Linux makes so.
        """
        try:
            return time.clock_gettime((~self.pid << 3) | CPUCLOCK_SCHED)
        except OSError:
            return 0.0

    def _proc(self, name: str) -> str:
        """A file of the box in /proc; "" when the box has gone. Raises BoxLost when it cannot be read.

        attack: use up the server's descriptors, and then memory that nobody can measure. defence: a box that cannot be
        watched is not judged.
        """
        try:
            return proc.read(f"/proc/{self.pid}/{name}")
        except OSError as error:
            if error.errno in (errno.EMFILE, errno.ENFILE, errno.ENOMEM):
                raise BoxLost(f"the box cannot be watched: {error.strerror}") from None
            return ""


class _Incoming:
    """A reply that is arriving: an envelope and, if it announces one, the frame of its value."""

    def __init__(self, number: int, value_bytes: int, reader: _ReadAnswer) -> None:
        self.number, self.value_bytes, self.reader = number, value_bytes, reader
        self.bytes = bytearray()
        self.room = READ_BYTES
        self.envelope: dict[str, Any] | None = None  # decoded once, while its value is still arriving

    @property
    def trace(self) -> str | None:
        return self.envelope.get("trace") if self.envelope else None

    def add(self, part: bytes) -> BoxAnswer | None:
        """The answer once all of it is there, else None. Raises WireError for an invalid reply."""
        self.bytes += part
        if len(part) == self.room:  # a large one
            self.room = LARGE_READ_BYTES
        if self.envelope is None:
            fields = self._frame(REPLY_BYTES)
            if fields is None:
                return None
            self.envelope = read_envelope(fields) if self.number else fields
            if self.envelope.get("n") != self.number:
                raise wire.WireError("an answer to another question")
        value = None
        if self.number and self.envelope.get("value"):
            frame = self._frame(self.value_bytes + REPLY_BYTES)
            if frame is None:
                return None
            if "v" not in frame:
                raise wire.WireError("a value that is none")
            value = frame["v"]
        if self.bytes:
            raise wire.WireError("more than one answer")
        return self.reader(self.envelope, value)

    def _frame(self, cap: int) -> dict[str, Any] | None:
        """Remove and decode the first frame once all of it is there, else None."""
        size = wire.HEADER.size
        if len(self.bytes) < size:
            return None
        text, blob = wire.lengths(bytes(self.bytes[:size]), cap)
        end = size + text + blob
        if len(self.bytes) < end:
            return None
        message = wire.decode(bytes(self.bytes[size : size + text]), bytes(self.bytes[size + text : end]))
        del self.bytes[:end]
        return message


def _kill(pidfd: int) -> None:
    """Often the dying box gets the sender's core until it has ended, for 1.5 ms. `signal.pidfd_send_signal` would hold
    the interpreter's lock for that time; this call does not. Raises ProcessLookupError, or OSError."""
    if _libc.syscall(SYS_PIDFD_SEND_SIGNAL, pidfd, int(signal.SIGKILL), None, 0) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def _readable(descriptor: int, seconds: float = 0) -> bool:
    """Whether there is something to read, or the end. Not by select(), which a thousand open connections break."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(seconds * 1000))


def _memory_kb(fields: Mapping[str, int]) -> int:
    """What counts as a box's memory, of the kernel's figures."""
    return sum(fields.get(name, 0) for name in ("RssAnon", "RssShmem", "VmSwap", "VmPTE"))


def _text(prints: bytes | bytearray) -> str:
    """Prints as text that any database and page can hold."""
    return storable(bytes(prints).decode("utf-8", "replace"))


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _no_reply(seconds: float) -> str:
    return f"No answer within {seconds:g} s of wall-clock time."


def _too_slow(seconds: float) -> str:
    return f"More than {seconds:g} s of processor time in one call."


def _too_big(memory_mb: int) -> str:
    return f"More than {memory_mb} MB of memory."


def _too_much(output_bytes: int) -> str:
    return f"More than {output_bytes >> 10} KB printed or returned."
