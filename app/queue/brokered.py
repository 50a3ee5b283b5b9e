"""The queue over a broker, as a web process has it: any number of them, and of workers, are one queue.

It takes submissions in, and writes down what workers reply: every web process is a recorder, and each reply comes to
one of them. The one that leads says whose turn it is (dispatch.py). The rows are the truth.
"""

import threading
import time
from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial
from typing import Any

import structlog
from sqlalchemy import func, or_

from app.db import Database
from app.practice import gradings
from app.practice.gradings import Grading
from app.practice.submissions import Shown, Submission
from app.queue.contract import Crew
from app.queue.dispatch import Dispatcher, worker_of
from app.queue.elsewhere import Elsewhere
from app.queue.events import Events
from app.queue.exercises import FetchedExercises, OfferedExercises
from app.queue.hands import Hands
from app.queue.leases import LEASE_SECONDS
from app.queue.messages import Beat, Capabilities, Garbled, Reply, pack, read_reply_id, waiting_row
from app.queue.nats import RECORDERS, Broker, BrokerAway, Message, NobodyListens
from app.queue.recorder import DATABASE_TROUBLE, Recorder, Running, may_pass
from app.queue.remote import RemoteJobs, process_name
from app.queue.roster import Roster
from app.queue.tasks import Tasks
from app.queue.turns import Waiting
from app.reading.catalog import Catalog
from app.settings import Settings
from app.web.limits import RateLimits
from app.web.metrics import Metrics
from graders.exercise.built import Shelf
from graders.exercise.preparer import Preparer
from graders.verdict import State, Verdict

log = structlog.get_logger("lectern.queue")

NO_PLACE_SECONDS = 2.0  # after it has not answered
PLACE_SECONDS = 0.5  # for the leader to say how many are before somebody
RECORDERS_AT_ONCE = 4
RETRY_SECONDS = 0.5
MOST_WAITING = 512  # messages that wait for a thread, of different gradings or workers


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
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database, self._catalog, self._events = database, catalog, events
        self._broker, self.jobs, self._clock = broker, jobs, clock
        self.roster = Roster(clock=clock)
        # PostgreSQL's writers wait for a row at most, and each hand-out has a fence of its own: none waits for another
        alone = database.is_sqlite
        self._recorder = Recorder(database, catalog, events, metrics, limits, one_at_a_time=alone, clock=clock)
        self._exercises = OfferedExercises(database, broker)
        self._dispatcher = Dispatcher(
            database,
            broker,
            self._announce_dispatched,
            self._exercises,
            self._memory_mb_of,
            lease_seconds,
            self.roster,
            clock=clock,
        )
        self._hands = Hands("lectern-cases", 4, MOST_WAITING)
        self._welcomes = Hands("lectern-welcome", 2, MOST_WAITING)
        self._no_place_until = 0.0
        self._closed, self._is_due = threading.Event(), threading.Event()
        self._setting_up = threading.Thread(target=self._set_up, name="lectern-broker-setup", daemon=True)

    # ---- its life ----

    def start(self) -> None:
        """Does not wait for the broker: pages answer without it, and what is sent meanwhile waits in the rows."""
        subject, listen = self._broker.subject, self._broker.listen
        listen(subject("nudge"), self._on_nudge)
        listen(subject("beat", ">"), self._on_beat)
        listen(subject("hello", ">"), self._on_hello, group="webs")
        listen(subject("cases", ">"), self._on_cases, group="webs")
        listen(subject("content"), lambda message: self._catalog.look_soon())
        self._catalog.on_change.append(self._tell_content)
        self._hands.start()
        self._welcomes.start()
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
        self._broker.hang_up()
        if self.jobs is not None:
            self.jobs.close()
        self._hands.close()
        self._welcomes.close()
        self._dispatcher.close()
        self._recorder.close()
        self._broker.close()

    def _set_up(self) -> None:
        """At the start, and whenever the broker was away: it may have lost its memory."""
        while not self._closed.is_set():
            self._is_due.clear()
            if not self._broker.is_reached(RETRY_SECONDS):
                continue
            try:
                self._broker.set_up()
                self._is_due.wait()
            except (BrokerAway, NobodyListens) as error:
                log.warning("broker_not_set_up", reason=str(error))
                self._closed.wait(RETRY_SECONDS)

    # ---- what the web asks ----

    def put(self, waiting: Waiting) -> None:
        if not self._dispatcher.put(waiting):
            self._broker.tell(self._broker.subject("put"), pack(waiting_row(waiting)))

    def present(self, user_id: int, neighbourhood: str) -> tuple[int, int]:
        mine, near = Submission.user_id == user_id, Grading.neighbourhood == neighbourhood
        counted = gradings.unfinished(func.count().filter(mine), func.count().filter(near)).where(or_(mine, near))
        with self._database.reading() as db:
            of_person, nearby = db.execute(counted.join(Submission, Submission.id == Grading.submission_id)).one()
        return int(of_person), int(nearby)

    def placed(self, shown: Shown) -> Shown:
        """Without its place where nobody leads at this moment.

        A leader that stands still is not asked by each page that waits: they would fill the threads that pages have.
        """
        if shown.grading.state != State.queued or self._clock() < self._no_place_until:
            return shown
        asked = {"grading": shown.grading.id, "user": shown.submission.user_id}
        try:
            place = int(self._broker.ask(self._broker.subject("place"), pack(asked), PLACE_SECONDS))
        except (BrokerAway, NobodyListens, ValueError):
            self._no_place_until = self._clock() + NO_PLACE_SECONDS
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
        return {name: beat.slots for name, beat in self.roster.there().items()}

    def crews(self) -> list[Crew]:
        ages = self.roster.ages()
        return [
            Crew(
                name,
                beat.capabilities.frameworks,
                beat.slots,
                tuple(grading for grading, _ in beat.held),
                beat.parked,
                ages.get(name, 0.0),
            )
            for name, beat in sorted(self.roster.there().items())
        ]

    def nobody_for(self, framework: str, exercise: str) -> str:
        memory_mb = self._memory_mb_of(exercise)
        if any(beat.capabilities.can(framework, memory_mb) for beat in self.roster.there().values()):
            return ""
        memory = f" with {memory_mb} MB of memory" if memory_mb else ""
        return f"no connected worker can judge {framework}{memory}"

    def build_by(self, preparer: Preparer) -> None:
        if self.jobs is not None:
            self.jobs.preparer = preparer

    def look_again(self) -> None:
        if self.jobs is not None:
            self.jobs.look_again()

    def can_judge(self) -> bool:
        """Whether a beat of any worker, here or elsewhere, came in the last seconds from one that is warm."""
        return self.roster.can_judge()

    def is_cut_off(self) -> bool:
        return self._broker.has_ended

    # ---- what workers and other web processes say ----

    def _announce(self, submission_id: int, finished: bool) -> None:
        """To every web process, and to this one without the detour."""
        self._events.announce(submission_id, finished=finished)
        self._broker.tell(self._broker.subject("nudge"), b"%d %d" % (submission_id, finished))

    def _announce_dispatched(self, submission_id: int, finished: bool) -> None:
        """Who leads ends a grading in one way alone: it gives up."""
        self._announce(submission_id, finished)
        if finished:
            self._recorder.count_given_up([submission_id])

    def _on_nudge(self, message: Message) -> None:
        submission_id, finished = message.data.split()
        self._events.announce(int(submission_id), finished=finished == b"1")

    def _on_beat(self, message: Message) -> None:
        self.roster.heard(worker_of(message, self._broker, "beat"), Beat.decoded(message.data))

    def _on_hello(self, message: Message) -> None:
        """A worker is new, or new to a broker that has forgotten. What is sent to it is delivered from now on; the
        answer is what it will be asked to judge."""
        worker = worker_of(message, self._broker, "hello")
        # attack: a machine says hello as one process after the other, and the broker makes each a consumer. defence: of
        # one name so many count (roster.py). A worker's beat comes before its hello.
        if self.roster.slots(worker) is None:
            message.answer(b"")
            return

        def welcome() -> None:
            try:
                self._broker.add_worker(worker)
                message.answer(pack(self._offered()))
            except (BrokerAway, NobodyListens) as error:
                log.warning("worker_not_added", worker=worker, reason=str(error))
                message.answer(b"")  # no welcome: it says hello again

        self._welcomes.do(worker, welcome)

    def _offered(self, slugs: Collection[str] | None = None) -> dict[str, str]:
        """What workers will be asked to judge, or of it what is named, each with its hash: they can have it when this
        returns. Raises BrokerAway, NobodyListens."""
        served = self._catalog.exercises
        offered = {
            slug: served[slug].content_hash for slug in (slugs if slugs is not None else served) if slug in served
        }
        for content_hash in offered.values():
            self._exercises.offer(content_hash)
        return offered

    def _tell_content(self, kind: str, slug: str) -> None:
        """What is served has changed here: the other web processes look at once, and workers prepare it."""
        self._broker.tell(self._broker.subject("content"), b"")
        if kind == "exercise" and self._dispatcher.is_leading:
            self._welcomes.do(("content", slug), partial(self._have_prepared, slug))

    def _have_prepared(self, slug: str) -> None:
        try:
            offered = pack(self._offered([slug]))
        except (BrokerAway, NobodyListens) as error:
            log.warning("exercise_not_offered", exercise=slug, reason=str(error))
            return  # workers fetch it with the first submission
        for worker in self.roster.there():
            self._broker.tell(self._broker.subject("prepare", worker), offered)

    def _memory_mb_of(self, slug: str) -> int:
        exercise = self._catalog.exercises.get(slug)
        if exercise is None:
            return 0
        return max(one.limits.memory_mb for one in (exercise, *exercise.others))

    # ---- recording ----

    def _on_cases(self, message: Message) -> None:
        """What finds no place is dropped: the next one brings more, and the verdict all of it."""
        worker = worker_of(message, self._broker, "cases")
        self._hands.do(object(), partial(self._store_cases, message, worker))

    def _store_cases(self, message: Message, worker: str) -> None:
        reply = Reply.decoded(message.data)
        fence = gradings.held(reply.grading_id, reply.attempt, worker, reply.round)
        with self._database.changing(durable=False) as db:
            if not gradings.store_cases(db, fence, reply.cases):
                return
        self._announce(reply.submission_id, False)

    def _on_reply(self, message: Message) -> None:
        """attack: replies that cannot be written come again and again, until nothing else is recorded. defence: a reply
        is delivered again only if the database was away. Any other that fails is dropped, and its worker lets go of the
        grading, which is judged again when its lease is over."""
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
            self._tell_refused(message)
            message.acknowledge()
            return
        recorded = {"grading": reply.grading_id, "attempt": reply.attempt, "round": reply.round, "owned": is_owned}
        self._broker.tell(self._broker.subject("recorded", worker), pack(recorded))
        if is_owned:
            self._tell_done(reply, state)
        message.acknowledge()

    def _tell_refused(self, message: Message) -> None:
        """It does not count, so that its worker does not send it for ten minutes, and keep the grading meanwhile."""
        try:
            grading_id, attempt, round = read_reply_id(message.id)
            worker = worker_of(message, self._broker, "reply")
        except Garbled:
            return
        refused = {"grading": grading_id, "attempt": attempt, "round": round, "owned": False}
        self._broker.tell(self._broker.subject("recorded", worker), pack(refused))

    def _tell_done(self, reply: Reply, state: State) -> None:
        is_yielded = reply.kind == "yielded"
        done = {"grading": reply.grading_id, "state": state, "yielded": is_yielded}
        self._broker.tell(self._broker.subject("done"), pack(done))
        self._announce(reply.submission_id, state == State.finished)

    def _written(self, reply: Reply, worker: str) -> tuple[bool, State]:
        """Whether it counts, and how its grading stands now. A reply that comes twice counts both times: the answer to
        the first was lost."""
        fence = gradings.held(reply.grading_id, reply.attempt, worker, reply.round)
        match reply.kind:
            case "verdict":
                return self._write_verdict(reply, worker) or self._is_written(reply), State.finished
            case "failure":
                names = {"submission": reply.submission_id, "grading": reply.grading_id}
                log.warning("grading_given_back", **names, worker=worker, reason=reply.reason)
                with self._database.changing() as db:
                    state = gradings.put_back(db, fence, reply.attempt)
                if state == State.finished:
                    self._recorder.count_given_up([reply.submission_id])
                return state is not None, state or State.queued
            case "yielded":
                names = {"submission": reply.submission_id, "grading": reply.grading_id}
                log.info("grading_yielded", **names, attempt=reply.attempt)
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
        try:
            recorded = self._recorder.store_verdict(running, reply.finished)
        finally:
            self._recorder.drop(running.job)  # attack: replies that the database refuses, each with a source kept here
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
            trace=reply.trace, since=self._clock() - waited,
        )  # fmt: skip
        return self._recorder.run(waiting, submission, exercise, reply.attempt, worker, reply.round)

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
) -> tuple[BrokeredQueue, RemoteJobs, Elsewhere | None]:
    """The two sides for a web process: its own, and that of the workers in it, if there are any. Without any, also how
    it has workers elsewhere do what needs a judge."""
    broker = Broker(settings.queue, process_name("web"))
    exercises = FetchedExercises(broker, settings.cache_folder / "exercises", settings.ceilings)
    jobs = RemoteJobs(broker, exercises, Capabilities(memory_mb=settings.max_memory_mb), settings.workers)
    own = jobs if settings.workers else None
    queue = BrokeredQueue(database, catalog, events, metrics, limits, broker, own)
    shelf = Shelf(settings.cache_folder)
    return queue, jobs, None if settings.workers else Elsewhere(Tasks(broker, queue.roster), shelf, settings.ceilings)
