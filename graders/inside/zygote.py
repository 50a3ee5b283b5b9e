"""The zygote: imports one framework, runs no operation with it, and forks boxes on request.

Started by `exec` with an empty environment, so that it has never held anything of the server's: no key, no database,
no exercise. It has one thread, and checks that before every fork: after a JAX backend has started, or a torch operation
has run on several threads, a forked child hangs.

    python -I -B zygote.py '{"framework": "jax", "off": [], "cache": ""}'      control socket: descriptor 0
    python -I -B zygote.py '{"framework": "jax", "fill": [], "wide": false, "cache": "…"}'    fills the cache, and ends

A request on the control socket is one datagram, `{"uid"}`, with three descriptors: the box's channel, the pipe for its
prints, and the guard's status socket; then, where there are control groups, those by which a box enters its own. The
guard answers on the status socket: first the box's pid (with a pidfd), and at the end how the box ended.
"""

import fcntl
import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
import warnings
from typing import Any

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))))

from graders.frameworks import BY_NAME
from graders.inside import futexes, walls

# Before the first import of NumPy: its BLAS reads these once, and starts that many threads.
os.environ.clear()
os.environ.update(walls.ENVIRONMENT)

from graders.inside import cell, randomness, runner, values, warm, where  # noqa: F401 (cell: the runner asks for it behind the walls)

CACHE = 5  # descriptor of the folder of compiled programs, where a box needs it
COMMON = (
    "collections",
    "concurrent.futures",
    "dataclasses",
    "functools",
    "itertools",
    "math",
    "typing",
    "ml_dtypes",
)


def main() -> None:
    config = json.loads(sys.argv[1])
    if "fill" in config:
        os.nice(10)  # nobody waits for this
        # attack: an author's sizes that take all of the machine's memory. defence: these limits, and MAX_ELEMENTS
        walls.filling_limits()
        warm.fill(config["fill"], config["wide"], config["cache"])
        return
    os.umask(0o022)  # the server's is 077, and a box's user must be able to enter the folders of its root
    home = sys.path[0]
    sys.argv = [""]
    control = socket.socket(fileno=0)
    os.set_inheritable(0, False)
    filter_ = walls.seccomp_program(walls.load_seccomp_library(), traps=futexes.catch(walls.libc))
    frozen = walls.processor_files()
    warnings.filterwarnings("ignore", message=r"os\.fork\(\) was called", category=RuntimeWarning)
    warnings.formatwarning = values.format_warning
    for name in (*COMMON, *BY_NAME[config["framework"]].imports):
        importlib.import_module(name)
    sys.path[:] = [path for path in sys.path if os.path.realpath(path) != home]
    BY_NAME[config["framework"]].settle()
    readable = _readable()
    if config["cache"]:
        readable.append(config["cache"])
        config["cache_folder"] = os.open(config["cache"], os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    config["network"] = walls.empty_network(config["off"])
    signal.signal(signal.SIGCHLD, _reap)  # not by the kernel: what they used would be counted nowhere
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then closes our control socket
    gc.collect()
    gc.freeze()  # the pages so far stay shared between all boxes
    control.send(json.dumps({"ready": os.getpid(), "errors": _exceptions()}).encode())

    while True:
        message, descriptors, *_ = socket.recv_fds(control, 4096, 5)
        if not message:
            _end()
        # A fork copies one thread. A second one's locks would stay locked in the child for ever.
        if len(os.listdir("/proc/self/task")) != 1:
            os._exit(70)
        request = json.loads(message)
        if os.fork() == 0:
            try:
                _guard(config, request, readable, frozen, filter_, list(descriptors))
            finally:
                os._exit(71)
        for descriptor in descriptors:
            os.close(descriptor)


def _reap(_number: int, _frame: object) -> None:
    """Guards that have ended."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def _end() -> None:
    """The server has ended or is ending, and its boxes die with their sockets. Wait for their guards, but not long."""
    signal.setitimer(signal.ITIMER_REAL, 0.5)  # SIGALRM ends us
    try:
        while True:
            os.wait()
    except ChildProcessError:
        pass
    os._exit(0)


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


def _guard(
    config: dict[str, Any],
    request: dict[str, Any],
    readable: list[str],
    frozen: dict[str, bytes],
    filter_: bytes | None,
    descriptors: list[int],
) -> None:
    """Fork the box and wait for it. Runs no student code, and outlives the box by a moment."""
    channel, prints, status_fd, *groups = descriptors
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    standing = walls.Walls(config["off"])
    walls.enter_namespaces(standing, request["uid"], config["network"])
    alive, write_end = os.pipe()  # write_end stays open as long as the guard lives
    box = os.fork()
    if box == 0:
        try:
            _box(config, request, readable, frozen, filter_, standing, channel, prints, alive)
        finally:
            os._exit(72)
    # attack: a box of the same uid rewrites its guard, which reports how it ended. defence: this, and the other walls
    walls.libc.prctl(walls.PR_SET_DUMPABLE, 0, 0, 0, 0)
    pidfd = os.pidfd_open(box)
    status = socket.socket(fileno=status_fd)
    # This takes the kernel some milliseconds, while the box puts its walls up. Only we can wait for the box, so this
    # pid is still the box's.
    cgroup = walls.enter_groups(box, groups)
    socket.send_fds(status, [json.dumps({"pid": box, "cgroup": cgroup}).encode()], [pidfd])
    for descriptor in (0, 1, channel, prints, alive, *groups):
        os.close(descriptor)

    # The box lives only as long as the trusted side holds the other end of `status`.
    poll = select.poll()
    poll.register(pidfd, select.POLLIN)
    poll.register(status, select.POLLIN)  # nothing is ever sent to us, so this means that the other end was closed
    if any(descriptor == status.fileno() for descriptor, _ in poll.poll()):
        os.kill(box, signal.SIGKILL)
    _, code, usage = os.wait4(box, 0)
    report = {
        "exit": os.WEXITSTATUS(code) if os.WIFEXITED(code) else None,
        "signal": os.WTERMSIG(code) if os.WIFSIGNALED(code) else None,
        "cpu_seconds": usage.ru_utime + usage.ru_stime,
    }
    try:
        status.send(json.dumps(report).encode())
    except OSError:
        pass
    os.close(write_end)
    os._exit(0)


# ------------------------------------------------------------ from here on: inside the box, before the student


def _box(
    config: dict[str, Any],
    request: dict[str, Any],
    readable: list[str],
    frozen: dict[str, bytes],
    filter_: bytes | None,
    standing: walls.Walls,
    channel: int,
    prints: int,
    alive: int,
) -> None:
    """Put the walls up, warm the framework behind them, then serve.

    The order is the defence: no thread before the walls, since it would not be behind them; no byte of a student's
    before the report about the walls.
    """
    _keep_only(channel, prints, alive, config.get("cache_folder"))
    own = walls.own_proc()
    rooted = standing.stands("mount") and standing.put_up("mount", walls.build_root, readable, frozen)
    if standing.stands("uts"):
        walls.libc.sethostname(b"box", 3)
    standing.put_up("uid", walls.drop_root, request["uid"])
    if "user" not in standing.report:  # a root server's box enters it only now
        standing.put_up("user", walls.enter_user_namespace, own)
    os.close(own)
    standing.put_up("capabilities", walls.drop_capabilities)
    walls.die_with_parent()
    if select.select([4], [], [], 0)[0]:
        os._exit(0)  # the guard died before die_with_parent
    os.close(4)
    if config.get("cache_folder"):
        config["cache"], readable = _cache(config["cache"], readable)
    own_uid = request["dropped"] or standing.stands("user")
    standing.put_up("rlimits", walls.parked_limits, own_uid, request["threads"], request["cpu_seconds"])
    # in its own root /proc is an ordinary folder with a few files, which it may list
    visible = [*readable, *frozen, "/dev/urandom", *(["/proc"] if rooted else [])]
    standing.put_up("interpreter", walls.reachable, readable)
    standing.put_up("landlock", walls.landlock, visible, ["/box", "/dev/null"] if rooted else ["/dev/null"])
    where.answer_on(runner.CHANNEL)  # before the filter, which lets nobody change it afterwards
    standing.put_up("seccomp", walls.seccomp, filter_)
    os.chdir("/box" if rooted else "/")
    gc.enable()
    sys.stdin = open(0, encoding="utf-8", errors="replace", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False)  # noqa: SIM115
    failed = _warm(config)
    runner.send({"n": 0, "walls": standing.report, "failed": failed})
    runner.serve()


def _keep_only(channel: int, prints: int, alive: int, cache: int | None = None) -> None:
    """Keep descriptors 0 to 4 only; for a moment also 5, the folder of compiled programs.

    attack: read the zygote's control socket, a sibling's channel, a file of the server's.
    defence: they are not open here.
    """
    high = [fcntl.fcntl(descriptor, fcntl.F_DUPFD, 100) for descriptor in (channel, prints, alive, cache or 0)]
    null = os.open("/dev/null", os.O_RDONLY)
    for source, target in ((null, 0), (high[1], 1), (high[1], 2), (high[0], 3), (high[2], 4)):
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
        randomness.seed_differently()
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:500]
    return None


if __name__ == "__main__":
    main()
