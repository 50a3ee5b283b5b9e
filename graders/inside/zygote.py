"""The zygote: imports one framework, runs no operation with it, and forks boxes on request.

Started by `exec` with an empty environment, so that it has never held anything of the server's: no key, no database,
no exercise. It has one thread, and checks that before every fork: after a JAX backend has started, or a torch operation
has run on several threads, a forked child hangs.

    python -I -B zygote.py '{"framework": "jax", "off": [], "cache": ""}'      control socket: descriptor 0
    python -I -B zygote.py '{"framework": "jax", "fill": [], "wide": false, "nice": 10, "cache": "…"}'
        fills the cache, and ends

It lives in the root that its boxes will have, and in namespaces of its own (walls.py). Of the host it holds a
descriptor of /proc, which each box closes before it is sent anything.

A request on the control socket is one datagram, `wire.BOX`, with three descriptors: the box's channel, the pipe for its
prints, and its status socket; then, where there are control groups, those by which a box enters its own. The zygote
answers on the status socket: first with a pidfd of the box, and at the end how the box ended. It is the boxes' guard:
one whose status socket is closed is killed, and when the control socket is closed it waits for those that are left.

    attack: a box rewrites its guard, which reports how it ended. defence: it is not dumpable, numbered in a namespace
            that a box does not see, and mostly of another user. No call that a box may make names a process.
    attack: keep the guard busy, so that other boxes are not guarded. defence: a box sends it nothing: its ends are its
            process, for which it waits, and a socket whose other end is the server's.
"""

import contextlib
import fcntl
import gc
import importlib
import json
import os
import select
import signal
import socket
import struct
import sys
import traceback
import types
import warnings
from typing import Any

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))))

# Their handlers run Python in each new box, 200 pages of it, for threads and locks of which a zygote has one and none.
# Random numbers are seeded before each fork (randomness.py). So nothing above imports `random`, or `threading`.
_register_at_fork, os.register_at_fork = os.register_at_fork, lambda **handlers: None

import random  # noqa: E402

from graders.frameworks import BY_NAME  # noqa: E402
from graders.inside import futexes, walls  # noqa: E402

# Before the first import of NumPy: its BLAS reads these once, and starts that many threads.
os.environ.clear()
os.environ.update(walls.ENVIRONMENT)

from graders.inside import cell, randomness, runner, values, warm, where, wire  # noqa: E402, F401 (cell: the runner asks for it behind the walls)

OWN = 4  # descriptor of a box's own folder in /proc, until its walls are up
DESCRIPTOR = struct.Struct("i")
ROOM = socket.CMSG_SPACE(5 * DESCRIPTOR.size)  # for the descriptors of a request
SIGKILL = int(signal.SIGKILL)
REHEARSALS = 20  # Python specialises code after some runs; done here, no box writes that into its own copy
CACHE = 5  # descriptor of the folder of compiled programs, where a box needs it
# What programs import most. Each page of memory that a zygote holds costs each of its boxes something. So what few
# programs use is imported when one of them asks for it: but then it, too, must be there (`_learn`).
COMMON = ("collections", "dataclasses", "functools", "importlib.util", "itertools", "math", "typing")
RARE = ("concurrent.futures", "hashlib", "logging", "ml_dtypes", "numpy.ma", "pathlib", "secrets", "shutil", "tempfile")


def main() -> None:
    config = json.loads(sys.argv[1])
    if "fill" in config:
        os.nice(config["nice"])  # nobody waits for this
        # attack: an author's sizes that take all of the machine's memory. defence: these limits, and MAX_ELEMENTS
        walls.filling_limits()
        warm.fill(config["fill"], config["wide"], config["cache"])
        return
    gc.disable()  # frameworks are imported, and stay; a box collects again when it is ready (`_box`)
    os.umask(0o022)  # the server's is 077, and a box's user must be able to enter the folders of its root
    home = sys.path[0]
    sys.argv = [""]
    control = socket.socket(fileno=fcntl.fcntl(0, fcntl.F_DUPFD_CLOEXEC, 3))
    _open_streams()
    program = walls.seccomp_program(walls.load_seccomp_library(), traps=futexes.catch(walls.libc))
    filter_ = walls.SeccompFilter(program) if program is not None else None
    frozen = walls.processor_files()
    warnings.filterwarnings("ignore", message=r"os\.fork\(\) was called", category=RuntimeWarning)
    warnings.formatwarning = values.format_warning
    _import_numpys_random_numbers()
    for name in (*COMMON, *BY_NAME[config["framework"]].imports):
        importlib.import_module(name)
    sys.path[:] = [path for path in sys.path if os.path.realpath(path) != home]
    BY_NAME[config["framework"]].settle()
    errors, readable = _learn()
    os.register_at_fork = _register_at_fork
    if config["cache"]:
        readable.append(config["cache"])
        config["cache_folder"] = os.open(config["cache"], os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    standing = walls.Walls(config["off"])
    walls.enter_zygotes_namespaces(standing, config["uid"], walls.empty_network(config["off"]))
    zygote = os.fork()
    if zygote != 0:
        _wait_for(zygote)
    try:
        _Zygote(config, control, standing, readable, frozen, filter_).run(errors)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(70)


def _import_numpys_random_numbers() -> None:
    """Import `numpy.random` without OpenSSL, which it does not use: it takes one function from `secrets`, which imports
    `hashlib`. That would be 150 pages and eleven mappings for each box to copy and to drop."""
    if "secrets" in sys.modules:
        return
    standing_in: Any = types.ModuleType("secrets")
    standing_in.randbits = random.SystemRandom().getrandbits  # as in `secrets`
    sys.modules["secrets"] = standing_in
    importlib.import_module("numpy.random")
    del sys.modules["secrets"]


def _open_streams() -> None:
    """Open the streams by which the programs of all boxes read and print, on descriptors 0 to 2.

    A stream asks its descriptor once what it is. So we open them on what a box will have there (`_keep_only`): nothing
    to read, and pipes. A box that opened its own needed a twentieth more time to be ready.
    """
    null = os.open("/dev/null", os.O_RDONLY)
    os.dup2(null, 0, inheritable=False)
    own = {descriptor: fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 3) for descriptor in (1, 2)}
    reading, writing = os.pipe()
    for descriptor in own:
        os.dup2(writing, descriptor)
    sys.stdin = open(0, encoding="utf-8", errors="replace", closefd=False)  # noqa: SIM115
    sys.stdout, sys.stderr = (
        open(descriptor, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False)  # noqa: SIM115
        for descriptor in own
    )
    for descriptor, copy in own.items():
        os.dup2(copy, descriptor)
        os.close(copy)
    for descriptor in (null, reading, writing):
        os.close(descriptor)


def _wait_for(zygote: int) -> None:
    """The process that was started: its only use is that the zygote is another one, the first of its namespace."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.closerange(0, 1 << 16)
    os.waitpid(zygote, 0)
    os._exit(0)


_Child = tuple[int, int, socket.SocketType]  # a box, for its guard: its number, its pidfd, its status socket


class _Zygote:
    """Forks boxes and waits for them, in one thread, as long as there is a control socket or a box.

    After each fork it must copy each page that it writes to, and to look at a Python object is to write: a reference is
    counted. So what it does for each box is written with few objects, without helpers of the library.
    """

    def __init__(
        self,
        config: dict[str, Any],
        control: socket.socket,
        standing: walls.Walls,
        readable: list[str],
        frozen: dict[str, bytes],
        filter_: walls.SeccompFilter | None,
    ) -> None:
        walls.die_with_parent()
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then closes our control socket
        self.config, self.control, self.standing = config, control, standing
        self.readable, self.frozen, self.filter = readable, frozen, filter_
        self.proc = os.open("/proc", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        self.tasks = os.open("/proc/self/task", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        self.numbers: int | None = None  # the namespace of process numbers that we are in, if boxes get their own
        if standing.stands("pid"):
            self.numbers = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)
            if not standing.put_up("pid", walls.try_pid_namespaces, self.numbers):
                self.numbers = None
        if standing.stands("mount"):
            standing.put_up("mount", walls.build_root, readable, frozen)
        walls.drop_bounding_set()
        walls.libc.prctl(walls.PR_SET_DUMPABLE, 0, 0, 0, 0)
        self.children: dict[int, _Child] = {}  # by each of the two descriptors that tell of it
        self.poll = select.poll()

    def run(self, errors: list[str]) -> None:
        for _ in range(REHEARSALS):
            runner.rehearse("numpy")  # no framework's operation: Python's own caches are then filled for all boxes
        gc.collect()
        walls.give_back_memory()
        gc.freeze()  # the pages so far stay shared between all boxes
        report = json.dumps({"errors": errors}).encode()
        own = os.pidfd_open(os.getpid())
        socket.send_fds(self.control, [report], [own])
        os.close(own)
        control = self.control.fileno()
        self.poll.register(control, select.POLLIN)
        is_open = True
        while is_open or self.children:
            ready = [descriptor for descriptor, _ in self.poll.poll()]
            for descriptor in ready:
                if (child := self.children.get(descriptor)) is not None:
                    self._attend(child, descriptor)
            # last, since a new box gets the numbers of descriptors that have just been closed
            if control in ready:
                is_open = self._take_request()
        os._exit(0)

    def _take_request(self) -> bool:
        """Fork a box. Returns False where the server is ending, or done with us."""
        message, ancillary, *_ = self.control.recvmsg(4096, ROOM)
        if not message:
            self.poll.unregister(self.control)
            return False
        # A fork copies one thread. A second one's locks would stay locked in the child for ever.
        if walls.threads(self.tasks) != 1:
            os._exit(70)
        descriptors = [number for _, _, data in ancillary for (number,) in DESCRIPTOR.iter_unpack(data)]
        channel, prints, status, *groups = descriptors
        parent = 0 if self.numbers is not None else os.getpid()
        try:
            randomness.seed_differently()
            box = walls.fork(self.numbers)
            if box == 0:
                try:
                    self._box(message, channel, prints, groups, parent)
                finally:
                    os._exit(72)
        except OSError:  # too many processes or namespaces: that the status socket closes says so
            os.close(status)
        else:
            self._guard(box, socket.SocketType(socket.AF_UNIX, socket.SOCK_SEQPACKET, 0, status))
        for descriptor in (channel, prints, *groups):
            os.close(descriptor)
        return True

    def _guard(self, box: int, status: socket.SocketType) -> None:
        """From now on the box lives only as long as the server holds the other end of `status`."""
        pidfd = os.pidfd_open(box)
        try:
            status.sendmsg([b"{}"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, DESCRIPTOR.pack(pidfd))])
        except OSError:  # nobody is there any more: the next poll says so
            pass
        child = box, pidfd, status
        for descriptor in (pidfd, status.fileno()):
            self.children[descriptor] = child
            self.poll.register(descriptor, select.POLLIN)

    def _attend(self, child: _Child, descriptor: int) -> None:
        """The box has ended, or nobody wants it any more. (Nothing is ever sent on its status socket.)"""
        box, pidfd, status = child
        if descriptor != pidfd:
            signal.pidfd_send_signal(pidfd, SIGKILL)
            self._forget(descriptor)
            return
        _, code, usage = os.wait4(box, 0)
        exit_ = str(os.WEXITSTATUS(code)) if os.WIFEXITED(code) else "null"
        signal_ = str(os.WTERMSIG(code)) if os.WIFSIGNALED(code) else "null"
        report = f'{{"exit":{exit_},"signal":{signal_},"cpu_seconds":{usage.ru_utime + usage.ru_stime!r}}}'
        try:
            status.send(report.encode(), socket.MSG_DONTWAIT)
        except OSError:
            pass
        self._forget(status.fileno())
        self._forget(pidfd)
        status.close()
        os.close(pidfd)

    def _forget(self, descriptor: int) -> None:
        if self.children.pop(descriptor, None) is not None:
            self.poll.unregister(descriptor)

    def _box(self, message: bytes, channel: int, prints: int, groups: list[int], parent: int) -> None:
        """What becomes of the child: a box that never returns."""
        os.setsid()
        standing, own = self.standing, walls.own_proc(self.proc)
        if groups:
            standing.put_up("cgroup", walls.enter_groups, groups)
        _keep_only(channel, prints, own, self.config.get("cache_folder"))
        _box(self.config, message, self.readable, self.frozen, self.filter, standing, parent)


def _learn() -> tuple[list[str], list[str]]:
    """(the names of all exceptions, the paths that a box may read), as they are where a program has imported all of
    RARE. A child imports it, and ends: the zygote holds none of it."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            for name in RARE:
                with contextlib.suppress(ImportError):  # a Python without some of its libraries
                    importlib.import_module(name)
            with open(writing, "w") as pipe:
                json.dump((_exceptions(), _readable()), pipe)
        finally:
            os._exit(0)
    os.close(writing)
    with open(reading) as pipe:
        errors, readable = json.load(pipe)
    os.waitpid(child, 0)
    return errors, readable


def _exceptions() -> list[str]:
    """The names of all exceptions before any student code: none of them was made from an input."""
    classes: set[type] = set()
    pending: list[type] = [BaseException]
    while pending:
        class_ = pending.pop()
        if class_ not in classes:
            classes.add(class_)
            pending += type.__subclasses__(class_)
    return sorted({class_.__name__ for class_ in classes})


def _readable() -> list[str]:
    """The paths that a box may read: the standard library, installed packages, and folders of the libraries in use."""
    installed = [path for path in sys.path if path and os.path.isdir(path)]
    libraries = set()
    with open("/proc/self/maps", errors="surrogateescape") as maps:
        for line in maps:
            path = line.split(maxsplit=5)[5].strip() if line.count("/") else ""
            if ".so" in path and not any(path.startswith(f"{folder}/") for folder in installed):
                libraries.add(os.path.dirname(path))
    extra = ["/etc/ld.so.cache", "/etc/localtime", "/usr/share/zoneinfo"]
    roots: list[str] = []
    for path in sorted({*installed, *libraries}, key=len):
        if path != "/" and not any(path == root or path.startswith(f"{root}/") for root in roots):
            roots.append(path)
    return [*roots, *(path for path in extra if os.path.exists(path))]


# ------------------------------------------------------------ from here on: inside the box, before the student


def _box(
    config: dict[str, Any],
    message: bytes,
    readable: list[str],
    frozen: dict[str, bytes],
    filter_: walls.SeccompFilter | None,
    standing: walls.Walls,
    parent: int,
) -> None:
    """Put the walls up, warm the framework behind them, then serve. `parent`: our zygote's number, as we see it.

    The order is the defence: no thread before the walls, since it would not be behind them; no byte of a student's
    before the report about the walls.
    """
    uid, dropped, threads, cpu_seconds = wire.BOX.unpack(message)
    walls.enter_namespaces(standing, OWN)
    rooted = standing.stands("mount") and standing.put_up("mount", walls.own_folder)
    if standing.stands("uts"):
        walls.rename_host()
    standing.put_up("uid", walls.drop_root, uid)
    if "user" not in standing.report:  # a root server's box enters it only now
        standing.put_up("user", walls.enter_user_namespace, OWN)
    os.close(OWN)
    standing.put_up("capabilities", walls.drop_capabilities)
    walls.die_with_parent()
    if os.getppid() != parent:
        os._exit(0)  # the zygote died before die_with_parent
    if config.get("cache_folder"):
        config["cache"], readable = _cache(config["cache"], readable)
    standing.put_up("rlimits", walls.parked_limits, dropped or standing.stands("user"), threads, cpu_seconds)
    # in its own root /proc is an ordinary folder with a few files, which it may list
    visible = [*readable, *frozen, "/dev/urandom", *(["/proc"] if rooted else [])]
    standing.put_up("interpreter", walls.reachable, readable)
    standing.put_up("landlock", walls.landlock, visible, ["/box", "/dev/null"] if rooted else ["/dev/null"])
    where.answer_on(runner.CHANNEL)  # before the filter, which lets nobody change it afterwards
    standing.put_up("seccomp", walls.seccomp, filter_)
    os.chdir("/box" if rooted else "/")
    gc.enable()
    failed = _warm(config)
    runner.send({"n": 0, "walls": standing.report, "failed": failed})
    runner.serve()


def _keep_only(channel: int, prints: int, own: int, cache: int | None = None) -> None:
    """Keep descriptors 0 to 3 only; for a moment also 4, our folder in /proc, and 5, the folder of compiled programs.

    attack: read the zygote's control socket, a sibling's channel or status, a file of the server's or of /proc.
    defence: they are not open here.

    attack: two boxes whisper through an open file that both inherited, by its position or its flags.
    defence: each box opens its own /dev/null here.
    """
    high = [fcntl.fcntl(descriptor, fcntl.F_DUPFD, 100) for descriptor in (channel, prints, own, cache or 0)]
    null = os.open("/dev/null", os.O_RDONLY)
    for source, target in ((null, 0), (high[1], 1), (high[1], 2), (high[0], 3), (high[2], OWN)):
        os.dup2(source, target, inheritable=False)
    if cache:
        os.dup2(high[3], CACHE, inheritable=False)
    os.closerange(CACHE + 1 if cache else CACHE, 1 << 16)


def _cache(path: str, readable: list[str]) -> tuple[str, list[str]]:
    """A path by which this box can reach the folder of compiled programs, and the paths that it may read.

    The folder lies in one that only the server's user may enter. If that is root and there is no mount namespace, the
    box is another user by now: it uses the descriptor that was opened before. Landlock keeps the folders above closed.
    """
    if os.access(path, os.R_OK | os.X_OK):
        os.close(CACHE)
        return path, readable
    by_descriptor = f"/proc/self/fd/{CACHE}"
    return by_descriptor, [*(folder for folder in readable if folder != path), by_descriptor]


def _warm(config: dict[str, Any]) -> str | None:
    """Start the framework's threads behind the walls. Returns the reason when it does not come up, else None."""
    try:
        if config["cache"]:
            warm.read_only(config["cache"])
        BY_NAME[config["framework"]].wake()
        runner.rehearse(config["framework"])
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:500]
    return None


if __name__ == "__main__":
    main()
