"""A broker, a PostgreSQL and a stalling proxy of one's own: each on a free port, each may be killed and started again.

For the soak and for fault drills. A service that is shared is never touched.
"""

import contextlib
import itertools
import os
import pwd
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.processes import free_port

START_SECONDS = 60.0
CHUNK_BYTES = 1 << 16
# Debian keeps PostgreSQL's own programs beside the path, by version.
DEBIANS = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
SYSTEM_FOLDERS = ":".join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/bin", *map(str, DEBIANS)])
UNPRIVILEGED = ("postgres", "nobody")  # PostgreSQL refuses to be root


class ServiceMissing(Exception):
    """The program is not installed here."""


class Nats:
    """`nats-server` with JetStream. It can be killed and started again, with its memory or without."""

    def __init__(self, folder: Path, config: str = "") -> None:
        self.folder, self.port = folder, free_port()
        self._config = folder / "nats.conf"
        # Nobody pulls the plug here: each message would wait for the disk. How it is in earnest: docs/operating.md.
        store = folder / "jetstream"
        self._config.write_text(
            f'listen: "127.0.0.1:{self.port}"\njetstream {{ store_dir: "{store}" }}\nmax_payload: 8MB\n{config}'
        )
        self._process: subprocess.Popen[bytes] | None = None

    @staticmethod
    def program() -> str:
        """Raises ServiceMissing."""
        found = shutil.which("nats-server", path=SYSTEM_FOLDERS)
        if found is None:
            raise ServiceMissing("nats-server is not installed")
        return found

    def url(self, installation: str, user: str = "", port: int | None = None) -> str:
        return f"nats://{user + '@' if user else ''}127.0.0.1:{port or self.port}/{installation}"

    def start(self) -> None:
        with (self.folder / "nats.log").open("ab") as output:
            self._process = subprocess.Popen([self.program(), "-c", str(self._config)], stdout=output, stderr=output)
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                assert self._process.poll() is None, (self.folder / "nats.log").read_text()[-2000:]
                assert time.monotonic() < deadline
                time.sleep(0.02)

    def reload(self, config: str) -> None:
        """With other settings, and the connections that these allow."""
        self._config.write_text(config)
        assert self._process is not None
        self._process.send_signal(signal.SIGHUP)

    @property
    def config(self) -> str:
        return self._config.read_text()

    def kill(self, *, forget: bool = False) -> None:
        """SIGKILL; `forget`: its files are gone, too."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            self._process = None
        if forget:
            shutil.rmtree(self.folder / "jetstream", ignore_errors=True)


class Postgres:
    """A PostgreSQL with files of its own below `folder`, run by an unprivileged user if we are root."""

    def __init__(self, folder: Path) -> None:
        """Makes the files. Raises ServiceMissing."""
        initdb, self._pg_ctl = self.programs()
        self.folder, self.port = folder, free_port()
        self._user = _unprivileged() if os.geteuid() == 0 else None
        folder.mkdir(parents=True)
        if self._user is not None:
            os.chown(folder, self._user.pw_uid, self._user.pw_gid)
        self._files = folder / "files"
        self._run([initdb, "-D", str(self._files), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"])
        # Processes are killed here, the machine is not: what PostgreSQL wrote, the kernel has.
        options = {
            "port": self.port, "listen_addresses": "'127.0.0.1'", "unix_socket_directories": "''", "fsync": "off",
            "max_connections": 200,
        }  # fmt: skip
        with (self._files / "postgresql.conf").open("a") as file:
            file.writelines(f"{name} = {value}\n" for name, value in options.items())

    @staticmethod
    def programs() -> tuple[str, str]:
        """initdb and pg_ctl. Raises ServiceMissing."""
        found = [shutil.which(name, path=SYSTEM_FOLDERS) for name in ("initdb", "pg_ctl")]
        if found[0] is None or found[1] is None:
            raise ServiceMissing("initdb and pg_ctl are not installed")
        return found[0], found[1]

    @property
    def owner(self) -> tuple[int, int]:
        """The user and the group that it runs as."""
        return (self._user.pw_uid, self._user.pw_gid) if self._user else (os.geteuid(), os.getegid())

    def url(self, name: str = "postgres", port: int | None = None) -> str:
        return f"postgresql://postgres@127.0.0.1:{port or self.port}/{name}"

    def start(self) -> None:
        log = str(self.folder / "log")
        self._run([self._pg_ctl, "-D", str(self._files), "-l", log, "-t", f"{START_SECONDS:.0f}", "-w", "start"])

    def stop(self, *, mode: str = "immediate") -> None:
        """`immediate`: without a word to anybody, as after a crash; `fast`: in good order."""
        if (self._files / "postmaster.pid").exists():
            self._run([self._pg_ctl, "-D", str(self._files), "-m", mode, "-w", "stop"])

    def _run(self, command: list[str]) -> None:
        user = {"user": self._user.pw_uid, "group": self._user.pw_gid, "extra_groups": []} if self._user else {}
        # A server that inherited a pipe would keep it open: its own output goes to the log.
        with (self.folder / "commands.log").open("ab") as output:
            done = subprocess.run(
                command, cwd="/", env={"PATH": SYSTEM_FOLDERS, "LC_ALL": "C"}, stdin=subprocess.DEVNULL,
                stdout=output, stderr=output, **user,  # type: ignore[call-overload]
            )  # fmt: skip
        if done.returncode:
            raise RuntimeError(f"{command[0]}: {(self.folder / 'commands.log').read_text()[-1000:]}")


def _unprivileged() -> pwd.struct_passwd:
    for name in UNPRIVILEGED:
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name)
    raise ServiceMissing(f"PostgreSQL refuses to be root, and there is no user {' or '.join(UNPRIVILEGED)}")


@contextmanager
def own_postgres(folder: Path) -> Iterator[Postgres]:
    """One that runs until the end of the block. Raises ServiceMissing."""
    server = Postgres(folder)
    server.start()
    try:
        yield server
    finally:
        server.stop()


class StallingProxy:
    """A TCP proxy in front of ports of this machine, to which it connects in turn: change `targets` to take one out.

    While it stalls, connections stay open and nothing passes, in neither direction: a partition, as both sides see it.
    """

    def __init__(self, *targets: int) -> None:
        self.targets = list(targets)
        self._turn = itertools.count()
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = int(self._listener.getsockname()[1])
        self._passes = threading.Event()
        self._passes.set()
        self._closed = False
        threading.Thread(target=self._accept, name="stalling-proxy", daemon=True).start()

    def stall(self) -> None:
        self._passes.clear()

    def pass_on(self) -> None:
        self._passes.set()

    def close(self) -> None:
        self._closed = True
        self._passes.set()
        self._listener.close()

    def _accept(self) -> None:
        while not self._closed:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            self._passes.wait()
            try:
                far = socket.create_connection(("127.0.0.1", self._next()), timeout=5)
            except OSError:
                near.close()
                continue
            far.settimeout(None)
            for source, target in ((near, far), (far, near)):
                threading.Thread(target=self._pump, args=(source, target), daemon=True).start()

    def _next(self) -> int:
        return self.targets[next(self._turn) % len(self.targets)]

    def _pump(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(CHUNK_BYTES):
                self._passes.wait()
                target.sendall(data)
        self._passes.wait()
        for end in (source, target):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
