"""The queue over a broker, as a web process has it: any number of them, and of workers, are one queue.

It takes submissions in, and writes down what workers reply: every web process is a recorder, and each reply comes to
one of them. The one that leads says whose turn it is (dispatch.py). The rows are the truth.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import structlog
from sqlalchemy import func

from app.db import Database
from app.practice import gradings
from app.practice.gradings import Grading
from app.practice.submissions import Shown, Submission
from app.queue.dispatch import Dispatcher, worker_of
from app.queue.events import Events
from app.queue.exercises import FetchedExercises, OfferedExercises
from app.queue.leases import LEASE_SECONDS
from app.queue.messages import Beat, Capabilities, Reply, pack, waiting_row
from app.queue.nats import RECORDERS, Broker, BrokerAway, Message, NobodyListens
from app.queue.recorder import DATABASE_TROUBLE, Recorder, Running, may_pass
from app.queue.remote import RemoteJobs, process_name
from app.queue.turns import Waiting
from app.reading.catalog import Catalog
from app.settings import Settings
from app.web.limits import RateLimits
from app.web.metrics import Metrics
from graders.exercise.preparer import Preparer
from graders.verdict import State, Verdict

log = structlog.get_logger("lectern.queue")

PLACE_SECONDS = 0.5  # for the leader to say how many are before somebody
RECORDERS_AT_ONCE = 4
RETRY_SECONDS = 0.5
WORKER_SECONDS = 12.0  # without a beat, a worker does not count as there


class BrokeredQueue:
    """app.queue.contract.WebQueue over a broker. `jobs`: for workers in this very process, if it has any."""

    def __init__(
        self,
        database: Database,
        catalog: Catalog,
        events: Events,
        metrics: Metrics,
        limits: RateLimits | None,
        broker: Broker,
        jobs: RemoteJobs | None = None,
        lease_seconds: float = LEASE_SECONDS,
    ) -> None:
        self._database, self._catalog, self._events = database, catalog, events
        self._broker, self.jobs = broker, jobs
        self._recorder = Recorder(database, catalog, events, metrics, limits)
        self._exercises = OfferedExercises(database, broker)
        self._dispatcher = Dispatcher(
            database, broker, self._announce, self._exercises, self._memory_mb_of, lease_seconds
        )
        self._beats: dict[str, tuple[float, Beat]] = {}
        self._closed, self._is_due = threading.Event(), threading.Event()
        self._setting_up = threading.Thread(target=self._set_up, name="lectern-broker-setup", daemon=True)

    # ---- its life ----

    def start(self) -> None:
        """Does not wait for the broker: pages answer without it, and what is sent meanwhile waits in the rows."""
        subject, listen = self._broker.subject, self._broker.listen
        listen(subject("nudge"), self._on_nudge)
        listen(subject("beat", ">"), self._on_beat)
        listen(subject("hello", ">"), self._on_hello, group="webs")
        listen(subject("cases", ">"), self._in_thread(self._on_cases), group="webs")
        self._broker.pull(self._broker.stream("replies"), RECORDERS, self._on_reply, RECORDERS_AT_ONCE)
        self._broker.on_reconnect.append(self._is_due.set)
        self._recorder.start()
        self._broker.open(0.0)
        self._setting_up.start()
        self._dispatcher.start()
        if self.jobs is not None:
            self.jobs.start()

    def close(self) -> None:
        self._closed.set()
        self._is_due.set()
        if self.jobs is not None:
            self.jobs.close()
        self._dispatcher.close()
        self._recorder.close()
        self._broker.close()

    def _set_up(self) -> None:
        """At the start, and whenever the broker was away: it may have lost its memory."""
        while not self._closed.is_set():
            self._is_due.clear()
            try:
                self._broker.set_up()
                self._is_due.wait()
            except (BrokerAway, NobodyListens) as error:
                log.warning("broker_not_set_up", reason=str(error))
                self._closed.wait(RETRY_SECONDS)

    # ---- what the web asks ----

    def put(self, waiting: Waiting) -> None:
        self._broker.tell(self._broker.subject("put"), pack(waiting_row(waiting)))

    def present(self, user_id: int, neighbourhood: str) -> tuple[int, int]:
        mine, near = Submission.user_id == user_id, Grading.neighbourhood == neighbourhood
        counted = gradings.unfinished(func.count().filter(mine), func.count().filter(near))
        with self._database.reading() as db:
            of_person, nearby = db.execute(counted.join(Submission, Submission.id == Grading.submission_id)).one()
        return int(of_person), int(nearby)

    def placed(self, shown: Shown) -> Shown:
        """Without its place where nobody leads at this moment."""
        if shown.grading.state != State.queued:
            return shown
        asked = {"grading": shown.grading.id, "user": shown.submission.user_id}
        try:
            place = int(self._broker.ask(self._broker.subject("place"), pack(asked), PLACE_SECONDS))
        except (BrokerAway, NobodyListens, ValueError):
            return shown
        return replace(shown, queue_position=place or None)

    def finished(self, submission_id: int) -> Shown | None:
        return self._recorder.finished(submission_id)

    def counts(self) -> dict[str, float]:
        running = Grading.state == State.running
        counted = gradings.unfinished(func.count().filter(~running), func.count().filter(running))
        with self._database.reading() as db:
            waiting, run = db.execute(counted).one()
        return {"waiting": waiting, "running": run}

    def longest_wait_seconds(self) -> float:
        return self._recorder.longest_wait_seconds()

    def workers(self) -> dict[str, float]:
        since = time.monotonic() - WORKER_SECONDS
        return {name: beat.slots for name, (at, beat) in list(self._beats.items()) if at > since}

    def build_by(self, preparer: Preparer) -> None:
        if self.jobs is not None:
            self.jobs.preparer = preparer

    def look_again(self) -> None:
        if self.jobs is not None:
            self.jobs.look_again()

    def can_judge(self) -> bool:
        """Whether a beat of any worker, here or elsewhere, came in the last seconds from one that is warm."""
        since = time.monotonic() - WORKER_SECONDS
        return any(at > since and beat.parked for at, beat in list(self._beats.values()))

    # ---- what workers and other web processes say ----

    def _announce(self, submission_id: int, finished: bool) -> None:
        """To every web process, and to this one without the detour."""
        self._events.announce(submission_id, finished=finished)
        self._broker.tell(self._broker.subject("nudge"), b"%d %d" % (submission_id, finished))

    def _on_nudge(self, message: Message) -> None:
        submission_id, finished = message.data.split()
        self._events.announce(int(submission_id), finished=finished == b"1")

    def _on_beat(self, message: Message) -> None:
        now = time.monotonic()
        worker = worker_of(message, self._broker, "beat")
        self._beats[worker] = now, Beat.decoded(message.data)
        for gone in [name for name, (at, _) in self._beats.items() if at < now - WORKER_SECONDS]:
            del self._beats[gone]

    def _on_hello(self, message: Message) -> None:
        """A worker is new, or new to a broker that has forgotten. What is sent to it is delivered from now on; the
        answer is what it will be asked to judge."""
        worker = worker_of(message, self._broker, "hello")

        def welcome() -> None:
            offered = {slug: exercise.content_hash for slug, exercise in self._catalog.exercises.items()}
            try:
                self._broker.add_worker(worker)
                for content_hash in offered.values():
                    self._exercises.offer(content_hash)
                message.answer(pack(offered))
            except (BrokerAway, NobodyListens) as error:
                log.warning("worker_not_added", worker=worker, reason=str(error))
                message.answer(b"")  # no welcome: it says hello again

        threading.Thread(target=welcome, name="lectern-welcome", daemon=True).start()

    def _memory_mb_of(self, slug: str) -> int:
        exercise = self._catalog.exercises.get(slug)
        return exercise.limits.memory_mb if exercise is not None else 0

    def _in_thread(self, handle: Callable[[Message], None]) -> Callable[[Message], None]:
        def handled(message: Message) -> None:
            try:
                handle(message)
            except Exception:
                log.warning("message_not_handled", subject=message.subject, exc_info=True)

        return lambda message: threading.Thread(target=handled, args=(message,), daemon=True).start()

    # ---- recording ----

    def _on_cases(self, message: Message) -> None:
        reply = Reply.decoded(message.data)
        fence = gradings.held(reply.grading_id, reply.attempt, worker_of(message, self._broker, "cases"))
        with self._database.changing(durable=False) as db:
            if not gradings.store_cases(db, fence, reply.cases):
                return
        self._announce(reply.submission_id, False)

    def _on_reply(self, message: Message) -> None:
        """attack: replies that cannot be written come again and again, until nothing else is recorded. defence: a reply
        is delivered again only if the database was away. Any other that fails is dropped, and its grading is judged
        elsewhere when its lease is over."""
        try:
            worker = worker_of(message, self._broker, "reply")
            reply = Reply.decoded(message.data)
            is_owned, state = self._written(reply, worker)
        except Exception as error:
            if isinstance(error, DATABASE_TROUBLE) and may_pass(error):
                log.error("reply_not_recorded", reason=str(error), remedy="trying again")
                self._closed.wait(RETRY_SECONDS)
                message.refuse()
                return
            log.exception("reply_refused", subject=message.subject)
            message.acknowledge()
            return
        recorded = {"grading": reply.grading_id, "attempt": reply.attempt, "round": reply.round, "owned": is_owned}
        self._broker.tell(self._broker.subject("recorded", worker), pack(recorded))
        if is_owned:
            self._tell_done(reply, state)
        message.acknowledge()

    def _tell_done(self, reply: Reply, state: State) -> None:
        is_yielded = reply.kind == "yielded"
        done = {"grading": reply.grading_id, "state": state, "yielded": is_yielded}
        self._broker.tell(self._broker.subject("done"), pack(done))
        self._announce(reply.submission_id, state == State.finished)

    def _written(self, reply: Reply, worker: str) -> tuple[bool, State]:
        """Whether it counts, and how its grading stands now. A reply that comes twice counts both times: the answer to
        the first was lost."""
        fence = gradings.held(reply.grading_id, reply.attempt, worker)
        match reply.kind:
            case "verdict":
                return self._write_verdict(reply, worker) or self._is_written(reply), State.finished
            case "failure":
                log.warning("grading_given_back", grading=reply.grading_id, worker=worker, reason=reply.reason)
                with self._database.changing() as db:
                    state = gradings.put_back(db, fence, reply.attempt)
                return state is not None, state or State.queued
            case "yielded":
                log.info("grading_yielded", grading=reply.grading_id, attempt=reply.attempt)
                with self._database.changing() as db:
                    return gradings.wait_again(db, fence), State.queued
            case _:
                log.error("reply_unknown", kind=reply.kind)
                return False, State.queued

    def _write_verdict(self, reply: Reply, worker: str) -> bool:
        assert reply.finished is not None
        running = self._running(reply, worker)
        if running is None:
            return False
        recorded = self._recorder.store_verdict(running, reply.finished)
        self._recorder.conclude(running, recorded)
        return recorded.is_owned

    def _running(self, reply: Reply, worker: str) -> Running | None:
        columns: tuple[Any, ...] = (Submission, Grading.neighbourhood, Grading.queued_at, Grading.started_at)
        asked = gradings.unfinished(*columns).join_from(Grading, Submission, Submission.id == Grading.submission_id)
        with self._database.reading() as db:
            row = db.execute(asked.where(Grading.id == reply.grading_id)).one_or_none()
        if row is None:
            return None
        submission, near, queued_at, started_at = row
        exercise = self._recorder.exercise_of(submission)
        if exercise is None:
            return None
        waited = (started_at - queued_at).total_seconds() if started_at else 0.0
        waiting = Waiting(
            reply.grading_id, submission.id, submission.user_id, submission, neighbourhood=near or "",
            since=time.monotonic() - waited,
        )  # fmt: skip
        return self._recorder.run(waiting, submission, exercise, reply.attempt, worker)

    def _is_written(self, reply: Reply) -> bool:
        with self._database.reading() as db:
            grading = db.get(Grading, reply.grading_id)
        if grading is None or reply.finished is None:
            return False
        written = grading.state, grading.attempt, grading.verdict, grading.summary
        result = reply.finished.result
        return written == (State.finished, reply.attempt, Verdict(result.verdict), result.summary)


def brokered(
    settings: Settings, database: Database, catalog: Catalog, events: Events, metrics: Metrics, limits: RateLimits
) -> tuple[BrokeredQueue, RemoteJobs]:
    """The two sides for a web process: its own, and that of the workers in it, if there are any."""
    broker = Broker(settings.queue, process_name("web"))
    exercises = FetchedExercises(broker, settings.cache_folder / "exercises", settings.ceilings)
    jobs = RemoteJobs(broker, exercises, Capabilities(memory_mb=settings.max_memory_mb), settings.workers)
    own = jobs if settings.workers else None
    return BrokeredQueue(database, catalog, events, metrics, limits, broker, own), jobs
