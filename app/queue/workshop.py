"""`./lectern worker`: a process that judges for web processes elsewhere, over a broker. It has no database."""

import signal
import threading
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path

import structlog

from app.queue.exercises import FetchedExercises
from app.queue.hands import Hands
from app.queue.leases import LEASE_SECONDS, RENEWALS
from app.queue.messages import Capabilities
from app.queue.nats import Broker, BrokerAway, NobodyListens, NothingKept
from app.queue.remote import RemoteJobs, process_name
from app.queue.taskwork import Taskwork
from app.queue.watch import watched
from app.queue.workbench import Workbench
from app.settings import Settings
from app.web import tracing
from app.web.log import configure
from graders.boxes.pool import Judge
from graders.exercise.definition import BrokenExercise, Exercise
from graders.exercise.fresh import Stock
from graders.exercise.preparer import Preparer
from graders.frameworks import FRAMEWORKS
from graders.worker import Worker

log = structlog.get_logger("lectern.worker")

DRAIN_SECONDS = 30.0  # for what is being judged to end, once the process is asked to
GPU = Path("/dev/nvidia0")
KNOWN = 256  # exercises that are kept prepared, those that were asked for last
MARK_SECONDS = 0.5
ALIVE, READY = "worker.alive", "worker.ready"  # files in the data folder; an old one is no longer true


class Workshop:
    """A judge, its threads, and what the exercises that come need."""

    def __init__(
        self,
        settings: Settings,
        frameworks: tuple[str, ...] = FRAMEWORKS,
        beat_seconds: float = LEASE_SECONDS / RENEWALS,
    ) -> None:
        self._frameworks = frameworks
        self._data = settings.data
        self._broker = Broker(settings.queue, process_name("worker"))
        self.judge = Judge(
            cache_folder=settings.cache_folder,
            require_walls=settings.sandbox == "on",
            build_seconds=settings.build_seconds,
        )
        ceilings = settings.ceilings_of_worker
        self._exercises = FetchedExercises(self._broker, settings.cache_folder / "exercises", ceilings)
        limited = () if set(frameworks) == set(FRAMEWORKS) else frameworks
        self.jobs = RemoteJobs(
            self._broker,
            self._exercises,
            Capabilities(limited, settings.max_memory_mb, GPU.exists()),
            settings.workers,
            beat_seconds,
        )
        stock = Stock()
        self._preparer = Preparer((), self.judge, stock, self.jobs.look_again)
        self._known: OrderedDict[str, Exercise] = OrderedDict()
        self._lock = threading.Lock()
        self._fetches = Hands("lectern-fetch", 1, KNOWN)
        self.jobs.preparer = self._preparer
        self.jobs.on_exercise = self._keep_prepared
        self.jobs.on_welcome = self._prepare
        self.jobs.parked = lambda: int(sum(self.judge.parked().values()))
        self.jobs.does_tasks = True
        work = Taskwork(self.judge, settings.workers, ceilings, settings.cache_folder / "content")
        self._bench = Workbench(self._broker, self._broker.subject("task", self.jobs.worker), work.lanes())
        self._workers = [Worker(self.jobs, self.judge, stock, watched) for _ in range(settings.workers)]

    @property
    def has_ended(self) -> bool:
        """Whether the broker will have nothing more to do with it."""
        return self._broker.has_ended

    def mark(self) -> None:
        """Touch two files for health checks, since a worker has no port: that it runs, and that the web processes know
        it. A worker that is stuck, or has lost the broker, touches nothing, and the file gets old."""
        for name, is_true in ((ALIVE, True), (READY, self.jobs.is_known and self._broker.is_connected)):
            if is_true:
                with suppress(OSError):  # a full disk, say: then it is not well
                    (self._data / name).touch()

    def _unmark(self) -> None:
        with suppress(OSError):  # a read-only folder, say, in which there is no such file
            (self._data / READY).unlink(missing_ok=True)

    def start(self) -> None:
        self._unmark()  # what the process before left in the same folder
        self.judge.start([framework for framework in ("numpy",) if framework in self._frameworks])
        self._preparer.start()
        self._fetches.start()
        self._bench.start()
        self.jobs.start()
        self._broker.open()
        for worker in self._workers:
            worker.start()

    def close(self, drain_seconds: float = DRAIN_SECONDS) -> bool:
        """Claim nothing more and finish what is being judged. Whether all of it was finished in time; what was not is
        judged again elsewhere."""
        self._unmark()
        drained = self.jobs.drain(drain_seconds)
        self._broker.hang_up()
        self._bench.close()
        self._fetches.close()
        self.judge.close()
        self.jobs.close()
        for worker in self._workers:
            worker.close(1.0)
        self._preparer.close(1.0)
        self._broker.close()
        return drained

    def has_prepared(self, content_hash: str) -> bool:
        """Whether this state of an exercise is here, built or being built, before anybody sends a submission to it."""
        with self._lock:
            return any(exercise.content_hash == content_hash for exercise in self._known.values())

    def _prepare(self, offered: Mapping[str, str]) -> None:
        """What students may send next is prepared before they do."""
        self._fetches.do(tuple(sorted(offered.items())), partial(self._fetch, dict(offered)))

    def _fetch(self, offered: Mapping[str, str]) -> None:
        for slug, content_hash in offered.items():
            try:
                self._keep_prepared(self._exercises.get(slug, content_hash))
            except (BrokenExercise, BrokerAway, NobodyListens, NothingKept) as error:
                log.warning("exercise_not_fetched", exercise=slug, reason=str(error))

    def _keep_prepared(self, exercise: Exercise) -> None:
        """In all of its variants, where this is the first."""
        with self._lock:
            is_new = exercise.judging_hash not in self._known
            for one in (exercise, *exercise.others):
                self._known[one.judging_hash] = one
                self._known.move_to_end(one.judging_hash)
            while len(self._known) > KNOWN:
                self._known.popitem(last=False)
            if is_new:  # before another thread brings a newer list
                self._preparer.replace(list(self._known.values()))
        if is_new:
            self.judge.start([framework for framework in exercise.frameworks if framework in self._frameworks])


def work(settings: Settings, frameworks: tuple[str, ...] = FRAMEWORKS) -> int:
    """Judge until SIGTERM or Ctrl-C; returns the process's exit code: 0, or 2 where nothing can be judged here."""
    stopping = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
    configure(settings.log_level, settings.log_format)
    end_traces = tracing.start(settings.traces, "lectern-worker")
    workshop = Workshop(settings, frameworks)
    workshop.start()
    log.info("worker_started", worker=workshop.jobs.worker, threads=settings.workers, frameworks=frameworks)
    refusal = None
    while not stopping.wait(MARK_SECONDS) and not workshop.has_ended:
        workshop.mark()
        refusal = workshop.judge.why_not()
        if refusal is not None:
            log.error("judge_unavailable", reason=str(refusal), remedy=refusal.hint)
            break
    is_well = refusal is None and not workshop.has_ended
    workshop.close(DRAIN_SECONDS if is_well else 0.0)
    end_traces()
    return 0 if is_well else 2
