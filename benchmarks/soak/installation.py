"""What the soak kills: Lectern's processes and services, started from a throw-away folder, each restarted at will."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import psycopg

from benchmarks.processes import Process, alive, children, descendants, free_port
from benchmarks.services import Nats, Postgres, StallingProxy, own_postgres
from benchmarks.soak.content import write_content

ROOT = Path(__file__).resolve().parents[2]
STAFF = "author@example.org"
WEBS, WORKERS = 2, 3
READY_SECONDS = 600.0  # on a machine with much other work
DRAIN_SECONDS = 45.0
ZYGOTE = b"graders/inside/zygote.py"


@dataclass
class Part:
    """A process of Lectern's: a web process, or a worker."""

    name: str
    command: list[str]
    environment: dict[str, str]
    log: Path
    url: str = ""  # of a web process
    process: subprocess.Popen[bytes] | None = None
    pids: list[int] = field(default_factory=list)  # all that it ever had

    @property
    def is_web(self) -> bool:
        return bool(self.url)

    @property
    def is_alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def start(self) -> None:
        with self.log.open("ab") as out:
            self.process = subprocess.Popen(self.command, cwd=ROOT, env=self.environment, stdout=out, stderr=out)
        self.pids.append(self.process.pid)

    def send(self, number: signal.Signals) -> None:
        if self.process is not None:
            self.process.send_signal(number)

    def kill(self) -> None:
        self.send(signal.SIGKILL)
        self.wait()

    def wait(self, seconds: float | None = None) -> None:
        if self.process is not None:
            self.process.wait(seconds)

    def is_ready(self) -> bool:
        """A web process: whether it answers and can judge. A worker: whether its zygote has boxes."""
        if not self.is_alive:
            return False
        if not self.is_web:
            return bool(self.boxes())
        try:
            return httpx.get(f"{self.url}/readyz", timeout=2).status_code == 200
        except httpx.TransportError:
            return False

    def zygotes(self) -> list[int]:
        """Its children that run the zygote's program."""
        assert self.process is not None
        return [pid for pid in children(self.process.pid) if _runs_zygote(pid)]

    def boxes(self) -> list[int]:
        """A zygote has one child, which forks: what is below that."""
        return [box for guard in self.zygotes() for forks in children(guard) for box in children(forks)]

    def everything_below(self) -> set[Process]:
        return descendants(self.process.pid) if self.process is not None and self.is_alive else set()


def _runs_zygote(pid: int) -> bool:
    try:
        return ZYGOTE in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


@dataclass
class Installation:
    """`postgres`: its own; None for SQLite, or for a PostgreSQL of somebody's, which is not restarted."""

    folder: Path
    database_url: str
    parts: list[Part]
    postgres: Postgres | None = None
    broker: Nats | None = None
    queue: str = ""
    broker_proxy: StallingProxy | None = None
    database_proxy: StallingProxy | None = None

    @property
    def webs(self) -> list[Part]:
        return [part for part in self.parts if part.is_web]

    @property
    def workers(self) -> list[Part]:
        return [part for part in self.parts if not part.is_web]

    @property
    def judges(self) -> list[Part]:
        """All of them: each web process judges too."""
        return [part for part in self.parts if part.is_alive]

    @property
    def is_sqlite(self) -> bool:
        return self.database_url.startswith("sqlite")

    def wait_until_ready(self) -> None:
        deadline = time.monotonic() + READY_SECONDS
        for part in self.parts:
            while not part.is_ready():
                if time.monotonic() > deadline or not part.is_alive:
                    raise SystemExit(f"{part.name} did not become ready:\n{part.log.read_text()[-2000:]}")
                time.sleep(0.2)

    def staff_token(self) -> str:
        """An instructor's, made by the commands that an operator has."""
        command = [sys.executable, "-P", "-m", "app", "users"]
        for rest in (["add", STAFF, "--role", "instructor", "--password-stdin"], ["token", STAFF]):
            done = subprocess.run(
                [*command, *rest], env=self.webs[0].environment, cwd=ROOT, input="a staple, a horse\n",
                capture_output=True, text=True,
            )  # fmt: skip
            if done.returncode:
                raise SystemExit(f"no account for {STAFF}: {done.stderr[-1000:]}")
        return done.stdout.strip()

    def end(self) -> list[str]:
        """Ask everything to end in good order. Returns what did not."""
        odd = []
        for part in self.parts:
            part.send(signal.SIGCONT)
            part.send(signal.SIGTERM)
        deadline = time.monotonic() + DRAIN_SECONDS
        for part in self.parts:
            try:
                part.wait(max(0.1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                odd.append(f"{part.name} did not end within {DRAIN_SECONDS:.0f} s of SIGTERM")
                part.kill()
        return odd


@contextmanager
def local(folder: Path) -> Iterator[Installation]:
    """SQLite, the local queue, one `serve`."""
    environment = _environment(folder) | {"DATABASE_URL": "", "LECTERN_QUEUE": "local", "LECTERN_WORKERS": "2"}
    server = _web("server", folder, environment)
    url = f"sqlite+pysqlite:///{folder / 'server' / 'lectern.sqlite3'}"
    with _ended(Installation(folder, url, [server])) as installation:
        yield installation


@contextmanager
def cluster(folder: Path, database: str = "") -> Iterator[Installation]:
    """PostgreSQL, a broker, two web processes and three workers. `database`: the URL of an empty database; without one
    PostgreSQL runs here, too, and is restarted. The last web process reaches it through a proxy, and the last worker
    the broker. Raises ServiceMissing.
    """
    with ExitStack() as stack:
        postgres = None if database else stack.enter_context(own_postgres(folder / "postgres"))
        url, proxied = database, None
        if postgres is not None:
            with psycopg.connect(postgres.url(), autocommit=True) as admin:
                admin.execute("CREATE DATABASE lectern")
            url, proxied = postgres.url("lectern"), StallingProxy(postgres.port)
            stack.callback(proxied.close)
        (folder / "broker").mkdir()
        broker = Nats(folder / "broker")
        broker.start()
        stack.callback(broker.kill)
        stalling = StallingProxy(broker.port)
        stack.callback(stalling.close)
        parts = []
        for number in range(WEBS):
            is_last = number == WEBS - 1
            through = postgres.url("lectern", proxied.port) if is_last and postgres and proxied else url
            own = {"DATABASE_URL": _psycopg(through), "LECTERN_QUEUE": broker.url("soak"), "LECTERN_WORKERS": "1"}
            parts.append(_web(f"web-{number}", folder, _environment(folder) | own))
        for number in range(WORKERS):
            queue = broker.url("soak", port=stalling.port if number == WORKERS - 1 else None)
            parts.append(_worker(f"worker-{number}", folder, _environment(folder) | {"LECTERN_QUEUE": queue}))
        installation = Installation(
            folder, _psycopg(url), parts, postgres, broker, broker.url("soak"), stalling, proxied
        )  # fmt: skip
        yield stack.enter_context(_ended(installation))


@contextmanager
def _ended(installation: Installation) -> Iterator[Installation]:
    """Whatever happens, nothing of it stays."""
    try:
        yield installation
    finally:
        for part in installation.parts:
            below = part.everything_below()
            part.kill()
            for pid, _ in alive(below):
                _killed(pid)


def _killed(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def _environment(folder: Path) -> dict[str, str]:
    """Nothing of what this shell sets for Lectern."""
    exercises, lessons = folder / "exercises", folder / "lessons"
    if not exercises.exists():
        write_content(folder)
        (folder / "tmp").mkdir()
    plain = {name: value for name, value in os.environ.items() if not name.startswith("LECTERN_")}
    return plain | {
        "LECTERN_EXERCISES": str(exercises), "LECTERN_LESSONS": str(lessons), "LECTERN_CACHE": str(folder / "cache"),
        "LECTERN_RATE_LIMITS": "off", "TMPDIR": str(folder / "tmp"),
    }  # fmt: skip


def _web(name: str, folder: Path, environment: dict[str, str]) -> Part:
    port = free_port()
    own = {"LECTERN_DATA": str(folder / name), "LECTERN_PORT": str(port)}
    return _part(name, folder, "serve", [], environment | own, f"http://127.0.0.1:{port}")


def _worker(name: str, folder: Path, environment: dict[str, str]) -> Part:
    own = {"LECTERN_DATA": str(folder / name), "LECTERN_WORKERS": "1"}
    return _part(name, folder, "worker", ["--frameworks", "numpy"], environment | own)


def _part(
    name: str, folder: Path, command: str, options: list[str], environment: dict[str, str], url: str = ""
) -> Part:
    (folder / name).mkdir()
    (folder / name).chmod(0o700)
    program = [sys.executable, "-P", "-m", "app", command, *options]
    return Part(name, program, environment, folder / f"{name}.log", url)


def _psycopg(url: str) -> str:
    return url.replace("postgresql://", "postgresql+psycopg://")


KINDS: dict[str, Callable[..., object]] = {"local": local, "cluster": cluster}
