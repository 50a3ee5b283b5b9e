"""Control groups, v2 or v1, one for each box: the kernel counts a box's whole memory, and kills it at the limit.

attack: touch memory faster than the watchdog looks; memory that no limit of a process counts: page tables, files on
        the box's own tmpfs, shared pages, what the kernel holds for it (pipes, sockets, inodes).
defence: all of it is charged to the box's group. At the limit the kernel kills the box. The group says that memory was
         the reason, so the failure is the submission's and not ours.

A judge has one group that holds its boxes' groups, below our own:

    v2  <our own group, delegated>/lectern-<pid>-<n>/box-<n>          one folder, controllers memory and pids
    v1  <our own group in memory>/lectern-<pid>-<n>/box-<n>           the same two folders in each hierarchy
        <our own group in pids>/lectern-<pid>-<n>/box-<n>

The trusted side makes the group and opens its `cgroup.procs`. The box writes itself there, first of all that it does,
and closes it before anybody can send it anything. A box that runs a submission has no descriptor of the group and no
cgroup file system, so it cannot leave.

The judge's own group is locked (flock) as long as its server lives. A group that is not locked was left by a server
that was killed, and the next start removes it. Only boxes are in the groups that we make, with one exception. On v2 a
group whose children have controllers may hold no process itself. There our own processes move to `lectern-server`
first, and only if no other program's are among them.
"""

import contextlib
import errno
import fcntl
import itertools
import os
import queue
import threading
import time
from collections.abc import Iterable
from pathlib import Path

from graders.boxes import proc

CONTROLLERS = ("memory", "pids")
SERVER = "lectern-server"
# Kernel memory of an honest box beyond that measured at parking: stacks of 64 threads, page tables, socket buffers.
KERNEL_MB = 32
REMOVE_SECONDS = 5.0
CLOSE_SECONDS = 1.0


class NoGroups(Exception):
    """Control groups cannot be made here. The text says why."""


class ControlGroup:
    """One box's group. `folders` by controller; on v2 both are the same folder."""

    def __init__(self, groups: "ControlGroups", folders: dict[str, Path], version: int, threads: int) -> None:
        self._groups, self.folders, self.version = groups, folders, version
        for folder in self._unique():
            folder.mkdir()
        self.limit_threads(threads)

    def descriptors(self) -> list[int]:
        """Descriptors opened with our rights, for the box to enter by. The caller closes them."""
        opened: list[int] = []
        try:
            for folder in self._unique():
                opened.append(os.open(folder / "cgroup.procs", os.O_WRONLY | os.O_CLOEXEC))
        except OSError:
            for descriptor in opened:
                os.close(descriptor)
            raise
        return opened

    def limit(self, memory_bytes: int) -> None:
        """Allow no more memory than this from now on, and no swap. Raises OSError."""
        memory = self.folders["memory"]
        if self.version == 2:
            _write(memory / "memory.max", str(memory_bytes))
            with contextlib.suppress(FileNotFoundError):  # a kernel without swap
                _write(memory / "memory.swap.max", "0")
        else:
            _write(memory / "memory.limit_in_bytes", str(memory_bytes))
            with contextlib.suppress(FileNotFoundError):
                _write(memory / "memory.memsw.limit_in_bytes", str(memory_bytes))

    def limit_threads(self, most: int) -> None:
        """Allow no more processes and threads than this from now on. Raises OSError."""
        if "pids" in self.folders:
            _write(self.folders["pids"] / "pids.max", str(most))

    def overstepped(self) -> bool:
        """Whether the kernel killed the box at its own limit.

        False when a group above it or the machine ran out: another program may be the reason, so it is ours.
        """
        memory = self.folders["memory"]
        try:
            if self.version == 2:
                return _fields(memory / "memory.events.local").get("oom", 0) > 0
            killed = _fields(memory / "memory.oom_control").get("oom_kill", 0) > 0
            # not memory.failcnt: seen 0 after a box had been killed at exactly its limit (Linux 6.18)
            limit, most = (int((memory / f"memory.{name}_in_bytes").read_text()) for name in ("limit", "max_usage"))
            return killed and most > limit - (1 << 20)
        except (OSError, ValueError):
            return False

    def release(self) -> None:
        """Remove the group once its box, which is dead or dying, has ended. Returns at once."""
        self._groups.release(self)

    def remove(self) -> bool:
        """Try to remove the group. Returns whether it is gone: until its process ends, the kernel says EBUSY."""
        is_gone = True
        for folder in self._unique():
            try:
                folder.rmdir()
            except FileNotFoundError:
                pass
            except OSError as error:
                is_gone = error.errno != errno.EBUSY  # other errors are for the next sweep
        return is_gone

    def _unique(self) -> list[Path]:
        return list(dict.fromkeys(self.folders.values()))


class ControlGroups:
    """A judge's groups. Nothing is made before its first box."""

    _numbers = itertools.count()

    def __init__(self, root: Path = Path("/"), off: bool = False) -> None:
        self.root = root
        self.why: str | None = "switched off" if off else None  # why there are none; "": there are; None: unknown
        self.version = 0
        self.description = ""  # which there are, in words
        self._numbers_of_boxes = itertools.count()
        self._locks: list[int] = []
        self.folders: dict[str, Path] = {}
        self._leaving: queue.SimpleQueue[ControlGroup | None] = queue.SimpleQueue()
        self._remover: threading.Thread | None = None
        self._changing = threading.Lock()

    def make(self, threads: int) -> ControlGroup | str:
        """A group for one box, or the reason that there is none. Without one, the other walls must do."""
        with self._changing:
            if self.why is None:
                self.why = self._begin()
            if self.why:
                return self.why
            name = f"box-{next(self._numbers_of_boxes)}"
            folders = {controller: folder / name for controller, folder in self.folders.items()}
            try:
                return ControlGroup(self, folders, self.version, threads)
            except OSError as error:
                return _reason(error)

    def release(self, group: ControlGroup) -> None:
        """Remove `group` as soon as its process has gone. Returns at once."""
        with self._changing:
            if self._remover is None and self.folders:
                self._remover = threading.Thread(target=self._remove, name="cgroups", daemon=True)
                self._remover.start()
        self._leaving.put(group)

    def close(self) -> None:
        """Remove everything. Boxes must have been killed before."""
        with self._changing:
            remover, self._remover = self._remover, None
            self.why = self.why or "the judge is closing"
        if remover:
            self._leaving.put(None)
            remover.join(REMOVE_SECONDS)
        deadline = time.monotonic() + CLOSE_SECONDS
        for folder in dict.fromkeys(self.folders.values()):
            while not _take_away(folder) and time.monotonic() < deadline:
                time.sleep(0.01)  # a box in use may have been killed a moment ago
        self.folders = {}
        for lock in self._locks:
            os.close(lock)
        self._locks = []

    def _begin(self) -> str:
        try:
            self.version, places = find(self.root)
            sweep(places.values())
            self._make(places)
        except NoGroups as error:
            return str(error)
        except OSError as error:
            return _reason(error)
        self.description = f"v{self.version}: {', '.join(places)}"
        return ""

    def _make(self, places: dict[str, Path]) -> None:
        while True:
            name = f"lectern-{os.getpid()}-{next(self._numbers)}"
            self.folders = {controller: place / name for controller, place in places.items()}
            try:
                for folder in dict.fromkeys(self.folders.values()):
                    folder.mkdir()
                    self._locks.append(_lock(folder))
            except (FileExistsError, FileNotFoundError, BlockingIOError):
                # a server in another pid namespace has our number, or another process swept between the two steps
                while self._locks:
                    os.close(self._locks.pop())
                continue
            if self.version == 2:
                _enable(self.folders["memory"])
            return

    def _remove(self) -> None:
        leaving: list[ControlGroup] = []
        closing, deadline = False, 0.0
        while True:
            if not closing:
                try:
                    group = self._leaving.get(timeout=0.02 if leaving else None)
                    if group is None:
                        closing, deadline = True, time.monotonic() + REMOVE_SECONDS / 2
                    else:
                        leaving.append(group)
                except queue.Empty:
                    pass
            else:
                time.sleep(0.01)
            leaving = [group for group in leaving if not group.remove()]
            if closing and (not leaving or time.monotonic() > deadline):
                return


def find(root: Path = Path("/")) -> tuple[int, dict[str, Path]]:
    """The version, and for each controller the folder below which groups can be made. Raises NoGroups with the reasons.

    `root` is the folder of /proc and the hierarchies: a test puts another machine's there.
    """
    mounts = _mounts(root)
    own = _own(root)
    reasons = []
    for version, place in ((2, _place_v2), (1, _place_v1)):
        try:
            return version, place(root, mounts, own)
        except NoGroups as error:
            reasons.append(f"v{version}: {error}")
        except OSError as error:
            reasons.append(f"v{version}: {_reason(error)}")
    raise NoGroups("; ".join(reasons))


def sweep(places: Iterable[Path]) -> None:
    """Remove what killed servers left: groups of ours that are not locked."""
    for place in dict.fromkeys(places):
        for folder in place.glob("lectern-*-*"):
            try:
                lock = _lock(folder)
            except OSError:
                continue  # its server lives, or it is already gone
            try:
                _take_away(folder)
            finally:
                os.close(lock)


def _place_v2(root: Path, mounts: dict[str, tuple[str, Path]], own: dict[str, str]) -> dict[str, Path]:
    """The folder whose children have the controllers: our own group if we are alone in it, or a delegated one above."""
    if "" not in mounts or "" not in own:
        raise NoGroups("not mounted")
    here = _below(mounts[""], own[""])
    controllers = (here / "cgroup.controllers").read_text().split()
    if "memory" not in controllers:
        raise NoGroups("the memory controller is not delegated to our group")
    if not os.access(here, os.W_OK):
        raise NoGroups(f"our group is not ours to write ({here.name or '/'})")
    above = here.parent
    if here.name == SERVER or (here != mounts[""][1] and _delegated(above)):
        # groups beside ours are for us to make: systemd's DelegateSubgroup=, or an earlier judge of this process
        _enable(above)
        return _having(above)
    real_root = not (here / "cgroup.type").exists()  # the only group that may have both processes and controllers
    if not real_root:
        _move_over(root, here)
    _enable(here)
    return _having(here)


def _having(folder: Path) -> dict[str, Path]:
    enabled = (folder / "cgroup.subtree_control").read_text().split()
    if "memory" not in enabled:
        raise NoGroups("the memory controller cannot be enabled below our group")
    return {controller: folder for controller in CONTROLLERS if controller in enabled}


def _enable(folder: Path) -> None:
    enabled = (folder / "cgroup.subtree_control").read_text().split()
    offered = (folder / "cgroup.controllers").read_text().split()
    for controller in CONTROLLERS:
        if controller in offered and controller not in enabled:
            _write(folder / "cgroup.subtree_control", f"+{controller}")


def _delegated(folder: Path) -> bool:
    """Whether this group has been delegated: to its user, or with systemd's own mark."""
    if (folder / "cgroup.procs").read_text().split() or not os.access(folder, os.W_OK):
        return False
    if os.geteuid() != 0:
        return True
    for name in ("trusted.delegate", "user.delegate"):
        with contextlib.suppress(OSError):
            if os.getxattr(folder, name) == b"1":
                return True
    return False


def _move_over(root: Path, here: Path) -> None:
    """Move our processes to a group of their own: a group with controllers for its children may hold none itself."""
    inside = [int(pid) for pid in (here / "cgroup.procs").read_text().split()]
    strangers = [pid for pid in inside if not _ours(root, pid)]
    if strangers:
        raise NoGroups(
            "other programs are in our group: give the server one of its own (a systemd service with Delegate=yes, "
            "or systemd-run --user --scope -p Delegate=yes)"
        )
    (here / SERVER).mkdir(exist_ok=True)
    for pid in inside:
        with contextlib.suppress(ProcessLookupError):
            _write(here / SERVER / "cgroup.procs", str(pid))


def _ours(root: Path, pid: int) -> bool:
    """Whether `pid` is this process or descends from it. Init counts as ours: on a host it is in its own group only, so
    finding it in our group means that we are in a container, and it belongs to us."""
    if pid == 1:
        return True
    while pid > 1:
        if pid == os.getpid():
            return True
        try:
            pid = int(proc.after_name(proc.read(root / f"proc/{pid}/stat"))[1])
        except (OSError, ValueError, IndexError):
            return True  # it has ended
    return False


def _place_v1(root: Path, mounts: dict[str, tuple[str, Path]], own: dict[str, str]) -> dict[str, Path]:
    """Our own groups of the memory hierarchy and, if it can be written, of the pids hierarchy."""
    if "memory" not in mounts or "memory" not in own:
        raise NoGroups("the memory controller is not mounted")
    places = {}
    for controller in CONTROLLERS:
        if controller in mounts and controller in own:
            here = _below(mounts[controller], own[controller])
            if os.access(here, os.W_OK):
                places[controller] = here
    if "memory" not in places:
        raise NoGroups("our group of the memory hierarchy is not ours to write")
    return places


def _mounts(root: Path) -> dict[str, tuple[str, Path]]:
    """For each controller ("" for v2), the mount of its hierarchy: which group is mounted, and where."""
    mounts: dict[str, tuple[str, Path]] = {}
    try:
        lines = proc.lines(root / "proc/self/mountinfo")
    except OSError:
        raise NoGroups("/proc cannot be read") from None
    for line in lines:
        head, _, tail = line.partition(" - ")
        file_system, _, options = tail.split(" ", 2)
        group, mount_point = head.split(" ")[3:5]
        place = (group, root / mount_point.lstrip("/"))
        if file_system == "cgroup2":
            mounts.setdefault("", place)
        elif file_system == "cgroup":
            for option in options.split(" ")[-1].split(","):
                if option in CONTROLLERS:
                    mounts.setdefault(option, place)
    return mounts


def _own(root: Path) -> dict[str, str]:
    """For each controller ("" for v2), our own group's path, from /proc/self/cgroup."""
    groups = {}
    for line in proc.lines(root / "proc/self/cgroup"):
        _, controllers, path = line.split(":", 2)
        for controller in controllers.split(","):
            groups[controller] = path
    return groups


def _below(mount: tuple[str, Path], path: str) -> Path:
    """The folder of the group `path`. A container may have mounted only a part of the hierarchy."""
    group, mount_point = mount
    inside = path.removeprefix(group) if group != "/" and path.startswith(group) else path
    folder = mount_point / inside.lstrip("/")
    return folder if folder.is_dir() else mount_point


def _lock(folder: Path) -> int:
    """A descriptor that locks `folder` for us until it is closed. Raises OSError; BlockingIOError if it is locked."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if folder.stat().st_ino != os.fstat(descriptor).st_ino:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def _take_away(folder: Path) -> bool:
    """Remove a judge's group and its boxes' groups. Returns whether they are gone: one with a process in it stays."""
    for inner in (*folder.glob("box-*"), folder):
        with contextlib.suppress(OSError):
            inner.rmdir()
    return not folder.exists()


def _reason(error: OSError) -> str:
    return f"{error.strerror}{f' ({error.filename})' if error.filename else ''}"


def _fields(path: Path) -> dict[str, int]:
    return {name: int(value) for name, value in (line.split() for line in path.read_text().splitlines())}


def _write(path: Path, text: str) -> None:
    """Write in one write(2), as the kernel requires. Raises OSError with its answer."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)
