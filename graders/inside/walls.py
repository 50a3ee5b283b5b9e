"""The walls a box puts up before it runs anything. Each tells the attack, then the defence.

Two processes pass through here, in this order (theory of operation: graders/__init__.py):

    guard   forked by the zygote; enters new namespaces, forks the box, waits for it, never runs a student's code
    box     forked by the guard; builds its own root, drops every right, and only then loads anything

Every function here returns quietly or raises OSError; `Walls.report` collects which walls stand and why others do not.
The trusted side reads that report before it sends a submission, and refuses boxes below the minimum.
Only ctypes and the standard library; no external program.
"""

import ctypes
import os
import platform
import resource
import stat
import struct
from collections.abc import Callable, Iterable
from typing import Any

libc = ctypes.CDLL(None, use_errno=True)

CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWIPC = 0x00020000, 0x04000000, 0x08000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000
CLONE_THREAD = 0x00010000
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

BOX_MB = 64  # the box's own folder, a tmpfs; what it holds is memory
BOX_INODES = 4096
ADDRESS_GB = 64  # JAX and torch reserve a few and touch little of it
NAMESPACES = {
    "user": CLONE_NEWUSER,
    "pid": CLONE_NEWPID,
    "mount": CLONE_NEWNS,
    "net": CLONE_NEWNET,
    "ipc": CLONE_NEWIPC,
    "uts": CLONE_NEWUTS,
}


class Walls:
    """What stands: `report[name]` is "" for a wall that is up, else the reason that it is not."""

    def __init__(self, off: Iterable[str] = ()) -> None:
        self.off = frozenset(off)  # tests switch walls off, to show what each one stops alone
        self.report: dict[str, str] = {}

    def put_up(self, name: str, build: Callable[..., str | None], *given: Any) -> bool:
        """Run `build`; it raises OSError, or returns a reason, when the wall cannot be had."""
        if name in self.off:
            self.report[name] = "switched off"
            return False
        try:
            self.report[name] = build(*given) or ""
        except OSError as error:
            self.report[name] = error.strerror or str(error)
        return not self.report[name]

    def stands(self, name: str) -> bool:
        return self.report.get(name, "not tried") == ""


# ---------------------------------------------------------------------------------------------- the guard


def enter_namespaces(walls: Walls, uid: int) -> None:
    """New namespaces for the caller and, for pid, its next child. `uid` is what a root server's boxes become.

    attack: signal or ptrace another student's box, reach the metadata address, list the host's mounts.
    defence: there is nobody else in there, no network but a dead loopback, and nothing mounted but what we bind.
    """
    wanted = {name: flag for name, flag in NAMESPACES.items() if name not in walls.off}
    walls.report.update({name: "switched off" for name in NAMESPACES if name in walls.off})
    if os.geteuid() == 0:
        try:
            _unshare(sum(flag for name, flag in wanted.items() if name != "user"))
        except OSError:
            # root without CAP_SYS_ADMIN, as in a container: stop being root first, then try as an ordinary user
            become(uid)
        else:
            # the box needs root's rights to bind what only root may enter; it drops them, then enters "user"
            walls.report.update({name: "" for name in wanted if name != "user"})
            return
    uid, gid = os.getuid(), os.getgid()
    try:
        _unshare(sum(wanted.values()))
        if "user" in wanted:
            _map_user(uid, gid)
    except OSError as error:
        reason = f"{error.strerror} (no user namespaces for this user: see docs/sandbox.md)"
        walls.report.update(dict.fromkeys(wanted, reason))
    else:
        walls.report.update(dict.fromkeys(wanted, ""))


def become(uid: int) -> None:
    """Stop being root for good: `uid` owns nothing on this host."""
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def _unshare(flags: int) -> None:
    _check(libc.unshare(flags))


def _map_user(uid: int, gid: int) -> None:
    """Map only ourselves. After a change of uid /proc/self is root's; it is made ours for these three writes."""
    _check(libc.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0))
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)


# ---------------------------------------------------------------------------------------------- the box


def build_root(readable: Iterable[str]) -> None:
    """A root of its own: the interpreter and its libraries read-only, a small writable /box, and nothing else.

    attack: read the database, another student's work, the reference, docker's socket.
    defence: they are not in this file system. The old root is unmounted, not hidden.
    """
    _mount("none", "/", None, MS_REC | MS_PRIVATE)
    # Opened first, bound by descriptor: the staging folder may cover a source, and a source may lie below a folder
    # that only root may enter.
    sources = [(path, os.open(path, os.O_PATH | os.O_CLOEXEC)) for path in readable if os.path.exists(path)]
    devices = [(path, os.open(path, os.O_PATH | os.O_CLOEXEC)) for path in ("/dev/null", "/dev/urandom")]
    links = {name: os.readlink(f"/{name}") for name in ("lib", "lib64") if os.path.islink(f"/{name}")}
    # /proc/self/fd must be reachable when the binds are made: the staging root lies on /tmp, never on /proc
    new = "/tmp"
    _mount("box", new, "tmpfs", MS_NOSUID | MS_NODEV, "size=1m,nr_inodes=2048,mode=755")
    for path, fd in sources:
        _bind(fd, new + path, os.path.isdir(f"/proc/self/fd/{fd}"), MS_RDONLY)
        os.close(fd)
    for name in ("lib", "lib64"):
        if name in links and not os.path.lexists(f"{new}/{name}"):
            os.symlink(links[name], f"{new}/{name}")
    for path, fd in devices:
        _bind(fd, new + path, False, 0, nodev=False)
        os.close(fd)
    _build_proc(new)
    os.makedirs(f"{new}/box", exist_ok=True)
    _mount("box", f"{new}/box", "tmpfs", MS_NOSUID | MS_NODEV, f"size={BOX_MB}m,nr_inodes={BOX_INODES},mode=1777")
    if not os.path.exists(f"{new}/tmp"):  # an installation below /tmp keeps its path; TMPDIR is /box either way
        os.symlink("box", f"{new}/tmp")
    os.chdir(new)
    _check(libc.syscall(SYS_PIVOT_ROOT[MACHINE], b".", b"."))
    _check(libc.umount2(b".", MNT_DETACH))
    os.chdir("/")
    _mount(None, "/", None, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV)


def _build_proc(new: str) -> None:
    """Of /proc only this process, and what libraries ask of the processor before they choose their instructions."""
    os.makedirs(f"{new}/proc", exist_ok=True)
    whole = f"{new}/.proc"
    os.mkdir(whole)
    try:
        _mount("proc", whole, "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
    except OSError:
        return  # a container may mask /proc, and then the kernel refuses a new one: the box does without
    own = os.readlink(f"{whole}/self")
    for name in (own, "cpuinfo", "meminfo"):
        fd = os.open(f"{whole}/{name}", os.O_PATH | os.O_CLOEXEC)
        # its own folder is writable: a root server's box still writes its uid_map
        _bind(fd, f"{new}/proc/{name}", name == own, 0 if name == own else MS_RDONLY)
        os.close(fd)
    os.symlink(own, f"{new}/proc/self")
    _check(libc.umount2(os.fsencode(whole), MNT_DETACH))
    for name in ("possible", "present", "kernel_max"):
        path = f"/sys/devices/system/cpu/{name}"
        if os.path.exists(path):
            fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
            _bind(fd, new + path, False, MS_RDONLY)
            os.close(fd)


def _bind(fd: int, target: str, folder: bool, flags: int, nodev: bool = True) -> None:
    if folder:
        os.makedirs(target, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o644))
    _mount(f"/proc/self/fd/{fd}", target, None, MS_BIND)
    # flags that the source's mount has are locked in a user namespace: keep them, add ours
    kept = os.statvfs(target).f_flag & (os.ST_RDONLY | os.ST_NOSUID | os.ST_NODEV | os.ST_NOEXEC)
    flags |= kept | MS_NOSUID | (MS_NODEV if nodev else 0)
    _mount(None, target, None, MS_REMOUNT | MS_BIND | flags)


def _mount(source: str | None, target: str, kind: str | None, flags: int, data: str = "") -> None:
    def c(text: str | None) -> bytes | None:
        return os.fsencode(text) if text is not None else None

    _check(libc.mount(c(source), c(target), c(kind), ctypes.c_ulong(flags), c(data or None)))


def drop_root(uid: int) -> str | None:
    """Become `uid`. An ordinary user's server has nothing to drop: its boxes stay who it is.

    attack: whatever gets past the other walls acts with the server's rights.
    defence: it has none. Set-user-ID programs do not help: no_new_privs, and none are bound.
    """
    if os.getuid() == 0:
        for capability in range(64):
            libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
        become(uid)
    return "still root" if os.getuid() == 0 else None


def enter_user_namespace() -> None:
    """For a box that was root a moment ago: a user namespace whose only id owns nothing."""
    uid, gid = os.getuid(), os.getgid()
    _unshare(CLONE_NEWUSER)
    _map_user(uid, gid)


def drop_capabilities() -> None:
    for capability in range(64):
        if libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0:
            break
    libc.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    header = struct.pack("=Ii", 0x20080522, 0)  # _LINUX_CAPABILITY_VERSION_3, this process
    _check(libc.syscall(SYS_CAPSET[MACHINE], header, b"\0" * 24))
    _check(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    # attack: ptrace or /proc/<pid>/mem from a sibling of the same uid. defence: not dumpable, so root's
    _check(libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0))


def die_with_parent() -> None:
    """SIGKILL when the guard dies. To be called after the last change of uid, which clears it."""
    _check(libc.prctl(PR_SET_PDEATHSIG, 9, 0, 0, 0))


def reachable(readable: Iterable[str]) -> str | None:
    """Not a wall but what they must leave: a box that cannot read its own standard library fails in strange words."""
    for path in readable:
        if os.path.isabs(path) and not os.access(path, os.R_OK):
            return f"{path} lies in a folder that only root may enter, and without a mount namespace it cannot be bound"
    return None


# Landlock's access rights by the ABI that brought them
_READ = (1 << 2) | (1 << 3)  # read file, read folder
_ABI_RIGHTS = {1: (1 << 13) - 1, 2: 1 << 13, 3: 1 << 14, 5: 1 << 15}
_NO_EXECUTE_OR_DEVICES = ~(1 | (1 << 6) | (1 << 9) | (1 << 10) | (1 << 11) | (1 << 15))


def landlock(readable: Iterable[str], writable: Iterable[str]) -> str | None:
    """File access by path, TCP and (ABI 6) signals and abstract sockets, denied by the kernel's own hooks.

    attack: the same files as above, on a machine where mount namespaces are not to be had.
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
    """The limits that no exercise changes. `submission_limits` follows when it is known for whom.

    attack: core dumps of a gigabyte, a file of eight exabytes, ten thousand descriptors, a thread bomb, 256 TB of
    addresses whose page tables alone are half a terabyte.

    RLIMIT_CPU is a backstop for the watchdog, should its process stand still, and the same for everybody: no call may
    lower it (seccomp), since its SIGKILL would look like one of ours.
    """
    _lower(resource.RLIMIT_CPU, cpu_seconds)
    _lower(resource.RLIMIT_AS, ADDRESS_GB << 30)
    _lower(resource.RLIMIT_CORE, 0)
    _lower(resource.RLIMIT_FSIZE, BOX_MB << 20)
    _lower(resource.RLIMIT_NOFILE, 256)
    _lower(resource.RLIMIT_MEMLOCK, 0)
    _lower(resource.RLIMIT_MSGQUEUE, 0)
    _lower(resource.RLIMIT_STACK, 64 << 20)
    if own_uid:  # the count is by uid: a server's own uid has other processes, and the watchdog counts threads then
        _lower(resource.RLIMIT_NPROC, threads)


def submission_limits(data_bytes: int) -> None:
    """Set by the runner when a submission is named, before its source is read.

    RLIMIT_DATA counts private writable memory: `data_bytes` is what there was before, plus what the exercise grants.
    Not RLIMIT_AS, under which JAX's reservations alone would fail. Processor time is the watchdog's.
    """
    _lower(resource.RLIMIT_DATA, data_bytes)


def _lower(which: int, limit: int) -> None:
    hard = resource.getrlimit(which)[1]
    limit = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
    resource.setrlimit(which, (limit, limit))


# ---------------------------------------------------------------------------------------------- seccomp

# What NumPy, JAX, Flax and torch submissions were seen to need (strace), and what plain Python needs beside it.
# Anything that is not here fails with EPERM, which students read as PermissionError.
ALLOWED = """
    read write readv writev pread64 pwrite64 preadv pwritev lseek close close_range dup dup2 dup3 pipe pipe2
    poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait eventfd eventfd2 open
    openat stat fstat lstat newfstatat statx access faccessat faccessat2 readlink readlinkat getdents getdents64
    statfs fstatfs getcwd chdir fchdir mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2 ftruncate fsync
    fdatasync flock fadvise64 sendfile copy_file_range umask munmap mprotect mremap madvise brk
    mincore msync membarrier futex set_robust_list get_robust_list rseq set_tid_address sched_yield
    sched_getaffinity sched_getparam sched_getscheduler sched_get_priority_max sched_get_priority_min getpriority
    get_mempolicy getcpu exit exit_group restart_syscall rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending
    rt_sigtimedwait rt_sigsuspend sigaltstack pause alarm setitimer getitimer timerfd_create timerfd_settime
    timerfd_gettime nanosleep clock_nanosleep clock_gettime clock_getres gettimeofday time times getrusage getrlimit
    getpid gettid getppid getuid geteuid getgid getegid getgroups getresuid getresgid getpgrp getpgid
    getsid uname sysinfo getrandom wait4 waitid
""".split()  # noqa: SIM905 (a list to read, not to parse)

# Why the unusual ones: get_mempolicy, sched_getscheduler — OpenBLAS and XLA size their pools with them ·
# membarrier, rseq — glibc's thread start · mremap, mincore — NumPy's and XLA's allocators · sigaltstack —
# faulthandler · wait4, waitid — harmless without children, and libraries that fork fail later, in their own words.
MISSING = ("clone3", "io_uring_setup", "openat2", "pidfd_open")  # ENOSYS: callers then fall back to older ways
_PR_ALLOWED = (15, 16, 3, 23, 0x53564D41)  # set and get name, get dumpable, read bounding set, name a mapping
# duplicate, flags, locks, pipe size. Not F_SETOWN and F_SETSIG, by which the kernel sends any signal to anybody
_FCNTL_ALLOWED = (0, 1, 2, 3, 4, 5, 6, 7, 36, 37, 38, 1030, 1032)
_IOCTL_ALLOWED = (0x5401, 0x5413, 0x5421, 0x5451, 0x541B)  # TCGETS, TIOCGWINSZ, FIONBIO, FIOCLEX, FIONREAD

_ERRNO, _KILL_PROCESS, _ALLOW, _EPERM, _ENOSYS = 0x00050000, 0x80000000, 0x7FFF0000, 1, 38
_CMP_EQ, _CMP_MASKED_EQ = 4, 7


class _Comparison(ctypes.Structure):
    _fields_ = (("arg", ctypes.c_uint), ("op", ctypes.c_int), ("a", ctypes.c_uint64), ("b", ctypes.c_uint64))


def load_seccomp_library() -> Any:
    """libseccomp by its own name: ctypes.util.find_library runs programs, which a box has none of. None if missing."""
    try:
        library = ctypes.CDLL("libseccomp.so.2", use_errno=True)
    except OSError:
        return None
    library.seccomp_init.restype = ctypes.c_void_p
    library.seccomp_init.argtypes = [ctypes.c_uint32]
    library.seccomp_release.argtypes = [ctypes.c_void_p]
    library.seccomp_load.argtypes = [ctypes.c_void_p]
    library.seccomp_attr_set.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_uint32]
    library.seccomp_rule_add_array.argtypes = [
        ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int, ctypes.c_uint, ctypes.POINTER(_Comparison),
    ]  # fmt: skip
    return library


def seccomp(library: Any) -> str | None:
    """The allow-list. Native calls only: the 32-bit and x32 doors kill the process that knocks.

    attack: a kernel bug behind a call that no tensor code needs — io_uring, userfaultfd, bpf, keyrings, mount.
    defence: it is not there. `clone` only makes threads, so a box is one process for life; no call sends a signal,
    sets the limit that sends one, or names who gets one, so that a SIGKILL never comes from the student.

    attack: memory that no limit counts: shared pages, given back to the map and kept by the file behind it; a stack.
    defence: memory without a file is private and no stack, which RLIMIT_DATA and the watchdog count.
    """
    if library is None:
        return "libseccomp.so.2 is missing (apt-get install libseccomp2)"
    context = library.seccomp_init(_ERRNO | _EPERM)
    if not context:
        raise OSError(12, "seccomp_init failed")

    def rule(action: int, name: str, *comparisons: tuple[int, int, int, int]) -> None:
        number = library.seccomp_syscall_resolve_name(name.encode())
        if number < 0:
            return  # not a call of this architecture
        given = (_Comparison * max(1, len(comparisons)))(*(_Comparison(*comparison) for comparison in comparisons))
        code = library.seccomp_rule_add_array(context, action, number, len(comparisons), given)
        if code != 0:
            raise OSError(-code, f"seccomp rule for {name}: {os.strerror(-code)}")

    try:
        library.seccomp_attr_set(context, 2, _KILL_PROCESS)  # SCMP_FLTATR_ACT_BADARCH
        library.seccomp_attr_set(context, 8, 2)  # SCMP_FLTATR_CTL_OPTIMIZE: a binary tree
        for name in ALLOWED:
            rule(_ALLOW, name)
        for name in MISSING:
            rule(_ERRNO | _ENOSYS, name)
        rule(_ALLOW, "clone", (0, _CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD))
        rule(_ALLOW, "prlimit64", (0, _CMP_EQ, 0, 0), (2, _CMP_EQ, 0, 0))  # to read
        rule(_ALLOW, "prlimit64", (0, _CMP_EQ, 0, 0), (1, _CMP_EQ, resource.RLIMIT_DATA, 0))
        rule(_ALLOW, "mmap", (3, _CMP_MASKED_EQ, MAP_ANONYMOUS | MAP_GROWSDOWN, 0))
        rule(_ALLOW, "mmap", (3, _CMP_MASKED_EQ, MAP_TYPE | MAP_GROWSDOWN, MAP_PRIVATE))
        for command in _FCNTL_ALLOWED:
            rule(_ALLOW, "fcntl", (1, _CMP_EQ, command, 0))
        for option in _PR_ALLOWED:
            rule(_ALLOW, "prctl", (0, _CMP_EQ, option, 0))
        for request in _IOCTL_ALLOWED:
            rule(_ALLOW, "ioctl", (1, _CMP_EQ, request, 0))
        code = library.seccomp_load(context)
        if code != 0:
            raise OSError(-code, f"seccomp_load: {os.strerror(-code)}")
    finally:
        library.seccomp_release(context)
    return None


def _check(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result
