"""The walls that a box puts up before it runs anything. Each names the attack, then the defence.

Two processes run this code, in this order (theory of operation: graders/__init__.py):

    zygote  builds the root that its boxes will have and lives in it; forks boxes, waits for them, runs no student code
    box     forked by the zygote; enters new namespaces, drops every right, and only then loads anything

Every function here returns quietly or raises OSError. `Walls.report` collects which walls stand, and why others do not.
The trusted side reads the report before it sends a submission, and refuses boxes below the minimum.
Only ctypes and the standard library are used, and no external program.
"""

import contextlib
import ctypes
import os
import platform
import resource
import stat
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from graders.inside import futexes, where

libc = ctypes.CDLL(None, use_errno=True)
# Looked up once, here: ctypes makes a function of it, for which each box would copy thirty pages
_sethostname = libc.sethostname

CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWIPC = 0x00020000, 0x04000000, 0x08000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000
# What pthread_create asks for: shared memory, files, signals and semaphores, thread storage, and the thread's number
# written and cleared. musl adds CLONE_DETACHED, which every kernel ignores.
CLONE_OF_A_THREAD, CLONE_DETACHED = 0x003D0F00, 0x00400000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = (
    1,
    2,
    4,
    8,
    32,
    4096,
    16384,
    1 << 18,
)
MNT_DETACH = 2
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 1, 4, 22, 24, 38
PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL = 47, 4
MAP_PRIVATE, MAP_TYPE, MAP_ANONYMOUS, MAP_GROWSDOWN = 2, 0x0F, 0x20, 0x100
SYS_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
SYS_CAPSET = {"x86_64": 126, "aarch64": 91}
SYS_LANDLOCK = 444  # create_ruleset, add_rule, restrict_self: the same three numbers everywhere
MACHINE = platform.machine()
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}  # as libseccomp and the kernel name them

BOX_MB = 64  # the box's own folder, a tmpfs, which counts as memory
BOX_INODES = 4096
ADDRESS_GB = 64  # JAX and torch reserve a few and touch little of it
FILLING_GB = 4  # private memory for compiling ahead, which takes half a gigabyte
FILLING_CPU_SECONDS = 1800
# The whole environment of a box and of its zygote.
THREADS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "BLIS_NUM_THREADS",
)
ENVIRONMENT = {
    **dict.fromkeys(THREADS, "1"),
    "HOME": "/box",
    "TMPDIR": "/box",
    "LANG": "C.UTF-8",
    "JAX_PLATFORMS": "cpu",
    # Otherwise the cache's path is a part of its keys, and the process that filled it used another path
    "JAX_PERSISTENT_CACHE_ENABLE_XLA_CACHES": "none",
    "TF_CPP_MIN_LOG_LEVEL": "2",
    # A box has one core: XLA's own pool would only wait for itself. A submission compiles each shape once and runs it
    # once, so nearly all of its time is compiling. Without LLVM's optimiser Flax's five shapes took 0.65 s, not 1.1 s.
    # To draw normal numbers at a new shape, the older emitters take 75 ms, the newer ones 170.
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false --xla_backend_optimization_level=0 "
    "--xla_cpu_use_fusion_emitters=false --xla_cpu_parallel_codegen_split_count=1",
}
NAMESPACES = {
    "user": CLONE_NEWUSER,
    "pid": CLONE_NEWPID,
    "mount": CLONE_NEWNS,
    "net": CLONE_NEWNET,
    "ipc": CLONE_NEWIPC,
    "uts": CLONE_NEWUTS,
}


class Walls:
    """The walls so far: `report[name]` is "" for a wall that is up, else the reason why it is not."""

    def __init__(self, off: Iterable[str] = ()) -> None:
        self.off = frozenset(off)  # tests switch walls off, to show what each one stops by itself
        self.report: dict[str, str] = {}

    def put_up(self, name: str, build: Callable[..., str | None], *arguments: Any) -> bool:
        """Run `build`, which raises OSError or returns a reason if that fails. Returns whether the wall stands."""
        if name in self.off:
            self.report[name] = "switched off"
            return False
        try:
            self.report[name] = build(*arguments) or ""
        except OSError as error:
            self.report[name] = error.strerror or str(error)
        return not self.report[name]

    def stands(self, name: str) -> bool:
        return self.report.get(name, "not tried") == ""


# ---------------------------------------------------------------------------------------------- the zygote


def empty_network(off: Iterable[str]) -> bool:
    """Have a root server's zygote enter an empty network, for all of its boxes. False: each box makes its own.

    A network namespace is the most expensive one to make and to remove. An empty one holds nothing of the boxes in it:
    its loopback is down, and no box may open a socket or bring it up. The price: if both seccomp and Landlock failed,
    two boxes of one framework could talk to each other there. They could not reach anything else.
    """
    if os.geteuid() != 0 or "net" in off:
        return False
    try:
        _unshare(CLONE_NEWNET)
    except OSError:  # root without CAP_SYS_ADMIN
        return False
    return True


def enter_zygotes_namespaces(walls: Walls, uid: int, has_network: bool) -> None:
    """Enter what the zygote, our next child, shares with no program of the host: mounts, process numbers and, for an
    ordinary user, a user namespace. `uid`: what a root who may not do this becomes, if that helps.

    attack: get past a box's walls and act as its zygote. defence: it stands behind some of them too. It has the boxes'
    root for its own, finds no process but its boxes, and with it they all end.
    """
    walls.report.update({name: "switched off" for name in NAMESPACES if name in walls.off})
    flags = {name: NAMESPACES[name] for name in ("user", "pid", "mount") if name not in walls.off}
    if has_network:
        walls.report["net"] = ""
    if os.geteuid() == 0:
        try:
            # without "user": binding what only root may enter takes root's rights. A box drops them, then enters "user"
            _unshare(sum(flag for name, flag in flags.items() if name != "user"))
        except OSError as error:
            # root without CAP_SYS_ADMIN, as in a container: if an ordinary user may, be one
            if not _succeeds(lambda: _unshare_as(uid)):
                _refuse(walls, error)
                return
            become(uid)
        else:
            walls.report.update({name: "" for name in flags if name != "user"})
            return
    ids = os.getuid(), os.getgid()
    own = own_proc()
    try:
        _unshare(sum(flags.values()))
        if "user" in flags:
            _map_user(*ids, own)
    except OSError as error:
        _refuse(walls, error)
    else:
        walls.report.update({name: "" for name in flags if name != "user"})  # each box enters another of its own
    finally:
        os.close(own)


def _refuse(walls: Walls, error: OSError) -> None:
    reason = f"{error.strerror} (no user namespaces for this user: see docs/sandbox.md)"
    walls.report.update({name: reason for name in NAMESPACES if name not in walls.report})


def _unshare_as(uid: int) -> None:
    become(uid)
    _unshare(CLONE_NEWUSER)


def try_pid_namespaces(own: int) -> str | None:
    """Whether `fork` can work, tried in a process of its own. `own`: the zygote's pid namespace."""

    def there_and_back() -> None:
        _unshare(CLONE_NEWPID)
        _check(libc.setns(own, CLONE_NEWPID))

    return None if _succeeds(there_and_back) else "a process may not choose where its children are numbered"


def fork(own: int | None) -> int:
    """As os.fork(), but the child is the first process of a new pid namespace. `own` is where the next ones are forked
    again, or None where there are no such namespaces. Raises OSError.

    attack: find, signal or trace another process. defence: no other one is in there. What the first one of a namespace
    leaves behind, the kernel kills with it.
    """
    if own is None:
        return os.fork()
    _unshare(CLONE_NEWPID)
    child = -1
    try:
        child = os.fork()
    finally:
        if child != 0 and libc.setns(own, CLONE_NEWPID) != 0:
            os._exit(70)  # mutants: tried before; a zygote that cannot go back can fork nothing more, and is replaced
    return child


def _succeeds(attempt: Callable[[], object]) -> bool:
    """Whether a child process can do this. (What cannot be undone is tried there first.)"""
    child = os.fork()
    if child == 0:
        try:
            attempt()
            os._exit(0)
        finally:
            os._exit(1)
    return os.waitpid(child, 0)[1] == 0


def become(uid: int) -> None:
    """Stop being root for good: `uid` owns nothing on this host."""
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def _unshare(flags: int) -> None:
    _check(libc.unshare(flags))


def _map_user(uid: int, gid: int, own: int) -> None:
    """Map only our own ids. After a change of uid, root owns our folder in /proc; we become dumpable to write there."""
    _check(libc.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0))
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        file = os.open(name, os.O_WRONLY | os.O_CLOEXEC, dir_fd=own)
        try:
            os.write(file, text.encode())
        finally:
            os.close(file)


def own_proc(proc: int | None = None) -> int:
    """A descriptor of our own folder in /proc; the caller closes it. `proc`: one of /proc, where that has no path."""
    path = "/proc/self" if proc is None else "self"
    return os.open(path, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=proc)


def threads(tasks: int) -> int:
    """How many threads this process has. `tasks`: a descriptor of its /proc/self/task, which has a folder for each.
    A folder has two links, and one more for each folder in it. To list them takes three times as long."""
    return os.fstat(tasks).st_nlink - 2


def processor_files() -> dict[str, bytes]:
    """The files of /proc and /sys that libraries need: they read about the processor to choose their instructions.

    attack: the other files of /proc and /sys are live: how much of a library's file others have mapped (smaps), the
    machine's free memory and load, how fast each processor runs now. Two boxes can whisper by any of them, and some
    name the host's folders.
    defence: a box has none of them, not even its own /proc/self. It has copies of these, made when the zygote began.
    """
    contents = {}
    for path in (
        "/proc/cpuinfo",
        *(f"/sys/devices/system/cpu/{name}" for name in ("possible", "present", "kernel_max")),
    ):
        try:
            with open(path, "rb") as file:
                contents[path] = file.read()
        except OSError:
            continue
    return contents


def build_root(readable: Iterable[str], frozen: Mapping[str, bytes]) -> None:
    """Make the zygote's root, which its boxes copy: the interpreter and its libraries read-only, an empty /box, and
    nothing else.

    `frozen`: contents of files to write there, by path.

    attack: read the database, another student's work, the reference, docker's socket.
    defence: they are not in this file system. The old root is unmounted, not hidden.

    attack: all boxes of a zygote see one root. Change a file of it, or its times, and have another box read them.
    defence: every mount in it is read-only, so that no time of access is kept either. A box copies these mounts into a
    namespace of its own before it drops its rights; what it may write is mounted there, by itself (`own_folder`).
    """
    _mount("none", "/", None, MS_REC | MS_PRIVATE)
    # Opened first and bound by descriptor: the staging folder may hide a source, and a source may lie below a folder
    # that only root may enter.
    sources = [(path, os.open(path, os.O_PATH | os.O_CLOEXEC)) for path in readable if os.path.exists(path)]
    devices = [(path, os.open(path, os.O_PATH | os.O_CLOEXEC)) for path in ("/dev/null", "/dev/urandom")]
    links = {name: os.readlink(f"/{name}") for name in ("lib", "lib64") if os.path.islink(f"/{name}")}
    # /proc/self/fd must be reachable while we bind: so the staging root is on /tmp, never on /proc
    new = "/tmp"
    size = (1 << 20) + 2 * sum(map(len, frozen.values()))
    _mount("box", new, "tmpfs", MS_NOSUID | MS_NODEV, f"size={size},nr_inodes=2048,mode=755")
    for path, fd in sources:
        _bind(fd, new + path, os.path.isdir(f"/proc/self/fd/{fd}"))
        os.close(fd)
    for name in ("lib", "lib64"):
        if name in links and not os.path.lexists(f"{new}/{name}"):
            os.symlink(links[name], f"{new}/{name}")
    for path, fd in devices:
        _bind(fd, new + path, False, nodev=False)
        os.close(fd)
    for path, content in frozen.items():
        os.makedirs(os.path.dirname(new + path), exist_ok=True)
        with open(new + path, "wb") as file:
            file.write(content)
    os.makedirs(f"{new}/box", exist_ok=True)
    if not os.path.exists(f"{new}/tmp"):  # an installation below /tmp keeps its path; TMPDIR is /box in any case
        os.symlink("box", f"{new}/tmp")
    os.chdir(new)
    _check(libc.syscall(_number(SYS_PIVOT_ROOT), b".", b"."))
    _check(libc.umount2(b".", MNT_DETACH))
    os.chdir("/")
    _mount(None, "/", None, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV)


def _bind(fd: int, target: str, folder: bool, nodev: bool = True) -> None:
    """Bind read-only, so that no access time is kept. A device can still be written."""
    if folder:
        os.makedirs(target, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o644))
    _mount(f"/proc/self/fd/{fd}", target, None, MS_BIND)
    # in a user namespace the flags of the source's mount are locked: keep them and add ours
    locked = os.statvfs(target).f_flag & (os.ST_RDONLY | os.ST_NOSUID | os.ST_NODEV | os.ST_NOEXEC)
    flags = locked | MS_RDONLY | MS_NOSUID | (MS_NODEV if nodev else 0)
    _mount(None, target, None, MS_REMOUNT | MS_BIND | flags)


def _mount(source: str | None, target: str, file_system: str | None, flags: int, data: str = "") -> None:
    def c(text: str | None) -> bytes | None:
        return os.fsencode(text) if text is not None else None

    _check(libc.mount(c(source), c(target), c(file_system), ctypes.c_ulong(flags), c(data or None)))


# ---------------------------------------------------------------------------------------------- the box


def enter_namespaces(walls: Walls, own: int) -> None:
    """Enter new namespaces, which the zygote has not entered for all of its boxes.

    `own`: the box's folder in /proc. A root server's box enters its user namespace later, when it has dropped root.

    attack: reach the metadata address, shared memory of another program, another box's files.
    defence: no network but a dead loopback, no other program's memory, and mounts that nobody else sees.
    """
    names = [name for name in ("mount", "ipc", "uts", "net") if walls.report.get(name, "") == ""]
    if walls.report.get("net") == "":
        names.remove("net")
    ids = os.getuid(), os.getgid()
    if ids[0] != 0 and "user" not in walls.report:
        names.append("user")
    try:
        _unshare(sum(NAMESPACES[name] for name in names))
        if "user" in names:
            _map_user(*ids, own)
    except OSError as error:
        walls.report.update(dict.fromkeys(names, error.strerror or str(error)))
    else:
        walls.report.update(dict.fromkeys(names, ""))


def rename_host() -> None:
    _sethostname(b"box", 3)


def own_folder() -> None:
    """Mount /box: a small folder that this box alone can see and write. It goes when the box's mounts go.

    attack: fill the machine's memory with files. defence: a size, a number of files, and the control group counts them.
    """
    _mount("box", "/box", "tmpfs", MS_NOSUID | MS_NODEV, f"size={BOX_MB}m,nr_inodes={BOX_INODES},mode=1777")


def enter_groups(groups: Iterable[int]) -> str | None:
    """Enter our control groups, by their `cgroup.procs`; done first, so that all that follows is counted."""
    for descriptor in groups:
        os.write(descriptor, b"0")  # the writer
    return None


def drop_root(uid: int) -> str | None:
    """Become `uid`. An ordinary user's server has nothing to drop: its boxes keep its uid.

    attack: code that gets past the other walls acts with the server's rights.
    defence: it has no rights. Set-user-ID programs do not help: no_new_privs is set, and none are bound.
    """
    if os.getuid() == 0:
        become(uid)
    return "still root" if os.getuid() == 0 else None


def enter_user_namespace(own: int) -> None:
    """For a box that was just root: enter a user namespace whose only id owns nothing.

    `own`: the box's folder in /proc, opened before /proc was gone.
    """
    uid, gid = os.getuid(), os.getgid()
    _unshare(CLONE_NEWUSER)
    _map_user(uid, gid, own)


def give_back_memory() -> None:
    """Give the kernel back what importing has used and freed: each fork would copy its page tables. (musl has no such
    call.)"""
    with contextlib.suppress(AttributeError):
        libc.malloc_trim(ctypes.c_size_t(0))


def drop_bounding_set() -> None:
    """No program that is executed from here on gets a capability by its file. The zygote does it for all boxes of a
    root server; a box does it again where a new user namespace has given it a full set."""
    for capability in range(64):
        if libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0:
            break


def drop_capabilities() -> None:
    drop_bounding_set()
    libc.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    header = struct.pack("=Ii", 0x20080522, 0)  # _LINUX_CAPABILITY_VERSION_3, this process
    _check(libc.syscall(_number(SYS_CAPSET), header, b"\0" * 24))
    _check(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    # attack: ptrace or /proc/<pid>/mem from a sibling of the same uid. defence: not dumpable, so root's
    _check(libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0))


def die_with_parent() -> None:
    """Get SIGKILL when the parent dies. Call this after the last change of uid, which would clear it."""
    _check(libc.prctl(PR_SET_PDEATHSIG, 9, 0, 0, 0))


def reachable(readable: Iterable[str]) -> str | None:
    """Check what the walls must leave: a box that cannot read its standard library fails with confusing errors."""
    for path in readable:
        if path[0] == "/" and not os.access(path, os.R_OK):
            return f"{path} lies in a folder that only root may enter, and without a mount namespace it cannot be bound"
    return None


# Landlock's access rights by the ABI that brought them
_READ = (1 << 2) | (1 << 3)  # read file, read folder
_ABI_RIGHTS = {1: (1 << 13) - 1, 2: 1 << 13, 3: 1 << 14, 5: 1 << 15}
_NO_EXECUTE_OR_DEVICES = ~(1 | (1 << 6) | (1 << 9) | (1 << 10) | (1 << 11) | (1 << 15))


def landlock(readable: Iterable[str], writable: Iterable[str]) -> str | None:
    """File access by path, TCP and (ABI 6) signals and abstract sockets, denied by the kernel's own hooks.

    attack: the same files as above, on a machine without mount namespaces.
    defence: read the installation, write /box, execute nothing, connect nowhere.
    """
    abi = libc.syscall(SYS_LANDLOCK, None, 0, 1)
    if abi < 1:
        return "the kernel has no Landlock (Linux 5.13 and later, lsm=landlock)"
    files = sum(rights for since, rights in _ABI_RIGHTS.items() if abi >= since)
    network = 3 if abi >= 4 else 0  # bind and connect TCP
    scoped = 3 if abi >= 6 else 0  # abstract unix sockets, signals
    attributes = struct.pack("=QQQ", files, network, scoped)[: 8 if abi < 4 else 16 if abi < 6 else 24]
    ruleset = _check(libc.syscall(SYS_LANDLOCK, attributes, len(attributes), 0))
    try:
        for path in readable:
            _allow(ruleset, path, _READ)
        for path in writable:
            _allow(ruleset, path, files & _NO_EXECUTE_OR_DEVICES)
        _check(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
        _check(libc.syscall(SYS_LANDLOCK + 2, ruleset, 0))
    finally:
        os.close(ruleset)
    return None


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(fd).st_mode):
            rights &= (1 << 1) | (1 << 2) | (1 << 14)  # what a file can have: write, read, truncate
        _check(libc.syscall(SYS_LANDLOCK + 1, ruleset, 1, struct.pack("=Qi", rights, fd), 0))
    finally:
        os.close(fd)


def parked_limits(own_uid: bool, threads: int, cpu_seconds: int) -> None:
    """The limits that no exercise changes. `submission_limits` sets the others when a submission comes.

    attack: core dumps of a gigabyte, a file of eight exabytes, ten thousand descriptors, a thread bomb, 256 TB of
    addresses whose page tables alone are half a terabyte.

    RLIMIT_CPU is a backstop in case the watchdog's process stands still. It is the same for all, and no call may lower
    it (seccomp), since its SIGKILL would look like one of ours.
    """
    _lower(resource.RLIMIT_CPU, cpu_seconds)
    _lower(resource.RLIMIT_AS, ADDRESS_GB << 30)
    _lower(resource.RLIMIT_CORE, 0)
    _lower(resource.RLIMIT_FSIZE, BOX_MB << 20)
    _lower(resource.RLIMIT_NOFILE, 256)
    _lower(resource.RLIMIT_MEMLOCK, 0)
    _lower(resource.RLIMIT_MSGQUEUE, 0)
    _lower(resource.RLIMIT_STACK, 64 << 20)
    if own_uid:  # counted by uid: the server's own uid has other processes, so there the watchdog counts threads
        _lower(resource.RLIMIT_NPROC, threads)


def filling_limits() -> None:
    """For the process that compiles ahead, outside of any box. It runs library calls at sizes that an author chose.

    It ends with the server's thread that waits for it, and which bounds its wall clock.
    """
    _lower(resource.RLIMIT_DATA, FILLING_GB << 30)
    _lower(resource.RLIMIT_CPU, FILLING_CPU_SECONDS)
    _lower(resource.RLIMIT_CORE, 0)
    die_with_parent()


def submission_limits(data_bytes: int) -> None:
    """Called by the runner when a submission comes, before its source is read.

    RLIMIT_DATA counts private writable memory: `data_bytes` is the present amount plus what the exercise grants.
    RLIMIT_AS is not used, since JAX's reservations alone would exceed it. The watchdog limits processor time.
    """
    _lower(resource.RLIMIT_DATA, data_bytes)


def _lower(which: int, limit: int) -> None:
    hard = resource.getrlimit(which)[1]
    limit = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
    resource.setrlimit(which, (limit, limit))


# ---------------------------------------------------------------------------------------------- seccomp

# Any call that is not listed fails with EPERM, which students see as PermissionError. The names are libseccomp's, which
# knows their numbers on each machine and leaves out those that a machine lacks. tests/graders/test_seccomp.py builds
# aarch64's table too, and traces honest submissions: it lists the calls that they are refused.

# strace saw these in NumPy, JAX, Flax and torch submissions that multiply, decompose, draw, compile, differentiate,
# start threads and keep files. It also saw those below whose arguments have rules.
SEEN = """
    alarm brk chdir close epoll_create1 exit exit_group fstat ftruncate getcwd
    getdents64 getpid getppid getrandom getrusage gettid getuid lseek mkdir mprotect munmap newfstatat
    pread64 read readlink readlinkat rename rmdir rseq rt_sigprocmask rt_sigreturn
    sched_yield sendfile setitimer sigaltstack stat
    umask unlink unlinkat write writev
""".split()  # noqa: SIM905 (a list to read, not to parse)

# Not seen, and the reasons to allow them.
UNSEEN = {
    "access lstat getdents mkdirat renameat faccessat faccessat2 statx dup dup2 dup3 pipe": "the same as those "
    "seen, by the name that another libc, another Python or aarch64 calls them by; os.dup",
    "poll ppoll select pselect6 epoll_create epoll_ctl epoll_wait epoll_pwait": "select and selectors on own pipes",
    "readv preadv pwritev pwrite64": "os, shutil and numpy.memmap on one's own files",
    "close_range": "os.closerange",
    "getcpu": "OpenBLAS and torch size their pools by them on machines with several memory nodes",
    "sched_get_priority_max sched_get_priority_min": "glibc, when a pool names its threads' scheduling",
    "gettimeofday time times getitimer nanosleep": "clocks, where the vDSO does not answer",
    "geteuid getgid getegid getgroups getresuid getresgid getpgrp": "os and pathlib ask who they are",
    "getrlimit uname": "resource and platform",
    "restart_syscall": "the kernel's own, for a sleep that was interrupted",
}
ALLOWED = (*SEEN, *" ".join(UNSEEN).split())

# Answered with success, but not performed. A box's own files are memory, so there is nothing to flush. A list of locks
# to release matters only when one thread of several dies, and a box dies as a whole. Every thread's scheduling is the
# default (0), and asking about it could find another process.
ANSWERED = ("fsync", "fdatasync", "msync", "fadvise64", "set_robust_list", "sched_getscheduler", "sched_getparam")
# ENOSYS: callers then fall back to older calls
MISSING = ("clone3", "io_uring_setup", "openat2", "pidfd_open", "copy_file_range", "futex_waitv")
_PR_ALLOWED = (15, 16, 3, 23, 0x53564D41)  # set and get name, get dumpable, read bounding set, name a mapping
# duplicate, flags, pipe size. No locks, and not F_SETOWN and F_SETSIG, with which the kernel sends signals to others
_FCNTL_ALLOWED = (0, 1, 2, 3, 1030, 1032)
_F_SETFL = 4
_O_DIRECT = {"x86_64": 0o40000, "aarch64": 0o200000}
_IOCTL_ALLOWED = (0x5401, 0x5413, 0x5421, 0x5451, 0x541B)  # TCGETS, TIOCGWINSZ, FIONBIO, FIOCLEX, FIONREAD
_RENAME_NOREPLACE, _PIPE_FLAGS, _MREMAP_MOVES = 1, os.O_CLOEXEC | os.O_NONBLOCK, 7
_MPOL_F_MEMS_ALLOWED = 4
_NORMAL, _DONTNEED, _FREE, _HUGEPAGE, _NOHUGEPAGE = 0, 4, 8, 14, 15  # seen: DONTNEED, HUGEPAGE; allocators use the rest
# hints that nothing depends on: how a file will be read, what a core dump or a child will hold
_RANDOM, _SEQUENTIAL, _WILLNEED, _DONTFORK, _DOFORK, _DONTDUMP, _DODUMP = 1, 2, 3, 10, 11, 16, 17
_PRIVATE_FUTEX = (
    futexes.WAIT, futexes.WAKE, futexes.WAIT_BITSET, futexes.WAKE_BITSET,
    futexes.REQUEUE, futexes.CMP_REQUEUE, futexes.WAKE_OP,
)  # fmt: skip

_ERRNO, _TRAP, _KILL_PROCESS, _ALLOW, _EPERM, _ENOSYS = 0x00050000, 0x00030000, 0x80000000, 0x7FFF0000, 1, 38
_CMP_EQ, _CMP_MASKED_EQ = 4, 7
_WORD = 0xFFFFFFFF  # the part of an argument that the kernel reads as an int; it ignores the bits above


class Comparison(ctypes.Structure):
    _fields_ = (("arg", ctypes.c_uint), ("op", ctypes.c_int), ("a", ctypes.c_uint64), ("b", ctypes.c_uint64))


def load_seccomp_library() -> Any:
    """libseccomp, or None if it is missing. Loaded by its file name: find_library would run programs."""
    try:
        library = ctypes.CDLL("libseccomp.so.2", use_errno=True)
    except OSError:
        return None
    library.seccomp_arch_add.argtypes = library.seccomp_arch_remove.argtypes = [ctypes.c_void_p, ctypes.c_uint32]
    library.seccomp_syscall_resolve_name_arch.argtypes = [ctypes.c_uint32, ctypes.c_char_p]
    library.seccomp_init.restype = ctypes.c_void_p
    library.seccomp_init.argtypes = [ctypes.c_uint32]
    library.seccomp_release.argtypes = [ctypes.c_void_p]
    library.seccomp_export_bpf.argtypes = [ctypes.c_void_p, ctypes.c_int]
    library.seccomp_attr_set.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_uint32]
    library.seccomp_rule_add_array.argtypes = [
        ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int, ctypes.c_uint, ctypes.POINTER(Comparison),
    ]  # fmt: skip
    return library


_Rule = tuple[Any, ...]  # an action, a call's name, and conditions: (argument, comparison, two values)


def seccomp_program(library: Any, machine: str = MACHINE, traps: bool = True) -> bytes | None:
    """The compiled allow-list: the zygote builds it once (2 ms), each box loads it. None without libseccomp.

    Only tests name another `machine`, to read the program that it would get. `traps`: whether this process catches the
    calls that the filter traps (futexes.py).

    Native calls only: a 32-bit or x32 call kills the process.

    attack: a kernel bug behind a call that no tensor code needs — io_uring, userfaultfd, bpf, keyrings, mount.
    defence: such calls are not allowed. `clone` only makes threads, so a box is always one process. No call sends a
    signal, sets a limit that sends one, or names a receiver, so a SIGKILL never comes from the student.

    attack: memory that no limit counts: shared pages that are unmapped but kept by the file behind them; a stack.
    defence: anonymous memory must be private and may not be a stack, so RLIMIT_DATA and the watchdog count it.

    attack: the installation's read-only files are the host's. Lock one, and another box sees the lock, and the host's
    programs wait for it. Flush the disk a thousand times a second, so that every commit of the database waits. Drop the
    files from the cache, or read them past the cache as fast as the disk can.
    defence: there are no locks; calls that flush or advise are answered but not performed (ANSWERED); nothing is opened
    O_DIRECT; `madvise` is allowed only for the box's own memory.

    attack: two boxes whisper, by a futex on a library's page, or by facts about the machine or a process that one box
    changes and another reads.
    defence: no shared futex is performed (futexes.py). Calls about the whole machine or a file system (sysinfo, statfs)
    are not allowed. Calls that take a process's number accept only 0, and clocks are only the box's own.
    """
    if library is None:
        return None
    architecture = ARCHITECTURES.get(machine, 0)  # 0: libseccomp's word for the machine it runs on
    context = library.seccomp_init(_ERRNO | _EPERM)
    if not context:
        raise OSError(12, "seccomp_init failed")

    def rule(action: int, name: str, *comparisons: tuple[int, int, int, int]) -> None:
        if library.seccomp_syscall_resolve_name_arch(architecture, name.encode()) < 0:
            return  # not a call of this architecture
        number = library.seccomp_syscall_resolve_name(name.encode())  # libseccomp translates from ours to the filter's
        conditions = (Comparison * max(1, len(comparisons)))(*(Comparison(*comparison) for comparison in comparisons))
        code = library.seccomp_rule_add_array(context, action, number, len(comparisons), conditions)
        if code != 0:
            raise OSError(-code, f"seccomp rule for {name}: {os.strerror(-code)}")

    try:
        if machine != MACHINE:
            library.seccomp_arch_add(context, architecture)
            library.seccomp_arch_remove(context, 0)  # SCMP_ARCH_NATIVE
        library.seccomp_attr_set(context, 2, _KILL_PROCESS)  # SCMP_FLTATR_ACT_BADARCH
        library.seccomp_attr_set(context, 8, 2)  # SCMP_FLTATR_CTL_OPTIMIZE: a binary tree
        for name in ALLOWED:
            rule(_ALLOW, name)
        for name in ANSWERED:
            rule(_ERRNO | 0, name)
        for name in MISSING:
            rule(_ERRNO | _ENOSYS, name)
        for action, name, *comparisons in _by_argument(machine, traps):
            rule(action, name, *comparisons)
        reading, writing = os.pipe()  # the program is a few KB, a pipe holds 64
        try:
            code = library.seccomp_export_bpf(context, writing)
            if code != 0:
                raise OSError(-code, f"seccomp_export_bpf: {os.strerror(-code)}")
            return os.read(reading, 1 << 16)
        finally:
            os.close(reading)
            os.close(writing)
    finally:
        library.seccomp_release(context)


def _by_argument(machine: str, traps: bool) -> Iterator[_Rule]:
    """The calls that are allowed with some arguments only, or answered differently with some."""
    through_cache = (_CMP_MASKED_EQ, _O_DIRECT.get(machine, os.O_DIRECT), 0)
    yield _ALLOW, "open", (1, *through_cache)
    yield _ALLOW, "openat", (2, *through_cache)
    yield _ALLOW, "clone", (0, _CMP_MASKED_EQ, ~CLONE_DETACHED & (1 << 64) - 1, CLONE_OF_A_THREAD)
    yield _ALLOW, "prlimit64", (0, _CMP_EQ, 0, 0), (2, _CMP_EQ, 0, 0)  # to read
    yield _ALLOW, "prlimit64", (0, _CMP_EQ, 0, 0), (1, _CMP_EQ, resource.RLIMIT_DATA, 0)
    yield _ALLOW, "mmap", (3, _CMP_MASKED_EQ, MAP_ANONYMOUS | MAP_GROWSDOWN, 0)
    yield _ALLOW, "mmap", (3, _CMP_MASKED_EQ, MAP_TYPE | MAP_GROWSDOWN, MAP_PRIVATE)
    yield _ALLOW, "mremap", (3, _CMP_MASKED_EQ, _WORD & ~_MREMAP_MOVES, 0)
    yield from ((_ALLOW, "madvise", (2, _CMP_MASKED_EQ, _WORD, advice)) for advice in
                (_NORMAL, _DONTNEED, _FREE, _HUGEPAGE, _NOHUGEPAGE))  # fmt: skip
    yield from ((_ERRNO | 0, "madvise", (2, _CMP_MASKED_EQ, _WORD, advice)) for advice in
                (_RANDOM, _SEQUENTIAL, _WILLNEED, _DONTFORK, _DOFORK, _DONTDUMP, _DODUMP))  # fmt: skip
    yield _ALLOW, "pipe2", (1, _CMP_MASKED_EQ, _WORD & ~_PIPE_FLAGS, 0)  # no packets, no messages of the kernel's
    yield _ALLOW, "renameat2", (4, _CMP_MASKED_EQ, _WORD & ~_RENAME_NOREPLACE, 0)
    for name in ("getsid", "getpgid", "sched_getaffinity"):
        yield _ALLOW, name, (0, _CMP_MASKED_EQ, _WORD, 0)
    for name in ("clock_gettime", "clock_getres", "clock_nanosleep"):
        yield _ALLOW, name, (0, _CMP_MASKED_EQ, 1 << 31, 0)  # negative ones are devices and other processes' clocks
    for flags in (0, _MPOL_F_MEMS_ALLOWED):
        yield _ALLOW, "get_mempolicy", (4, _CMP_EQ, flags, 0)  # and not the node of a file's page
    # a program that handles every signal would take this one from the judge: answered as done, and not performed
    yield _ALLOW, "rt_sigaction", (0, _CMP_MASKED_EQ, where.SIGNAL, 0)
    yield _ERRNO | 0, "rt_sigaction", (0, _CMP_MASKED_EQ, where.SIGNAL, where.SIGNAL)
    yield from ((_ALLOW, "fcntl", (1, _CMP_EQ, command, 0)) for command in _FCNTL_ALLOWED)
    yield _ALLOW, "fcntl", (1, _CMP_EQ, _F_SETFL, 0), (2, *through_cache)
    yield from ((_ALLOW, "prctl", (0, _CMP_EQ, option, 0)) for option in _PR_ALLOWED)
    yield from ((_ALLOW, "ioctl", (1, _CMP_EQ, request, 0)) for request in _IOCTL_ALLOWED)
    yield from _futex(traps)


def _futex(traps: bool) -> Iterator[_Rule]:
    """Private ones are allowed; shared waits and wakes go to our handler; none with priorities."""
    operation = _WORD & ~futexes.CLOCK_REALTIME
    for command in _PRIVATE_FUTEX:
        yield _ALLOW, "futex", (1, _CMP_MASKED_EQ, operation, command | futexes.PRIVATE)
    for command in (futexes.WAIT, futexes.WAKE, futexes.WAIT_BITSET, futexes.WAKE_BITSET):
        yield _TRAP if traps else _ERRNO | 0, "futex", (1, _CMP_MASKED_EQ, operation, command)
    for command in (6, 7, 8, 11, 12, 13):  # with priorities: glibc then reports that it cannot make such a lock
        yield _ERRNO | _ENOSYS, "futex", (1, _CMP_MASKED_EQ, operation & ~futexes.PRIVATE, command)


RULED = frozenset(name for _, name, *_ in _by_argument(MACHINE, traps=True))  # allowed with some arguments only


class SeccompFilter:
    """What `seccomp_program` built, as the kernel takes it. The zygote makes it, and spares each box twenty pages."""

    def __init__(self, program: bytes) -> None:
        self._instructions = ctypes.create_string_buffer(program, len(program))
        self.header = struct.pack("@HP", len(program) // 8, ctypes.addressof(self._instructions))  # struct sock_fprog


def seccomp(filter_: SeccompFilter | None) -> str | None:
    """Load it, for all future threads of this process."""
    if filter_ is None:
        return "libseccomp.so.2 is missing (apt-get install libseccomp2)"
    _check(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    _check(libc.prctl(PR_SET_SECCOMP, 2, filter_.header, 0, 0))  # SECCOMP_MODE_FILTER
    return None


def _number(by_machine: dict[str, int]) -> int:
    if MACHINE not in by_machine:
        raise OSError(38, f"not known on this machine ({MACHINE}): x86_64 and aarch64 are")
    return by_machine[MACHINE]


def _check(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result
