"""A discrete-event simulation of Lectern under load (SimPy), second by second, with measured costs.

Three things are shared, and each is a queue of its own:

- **cores** of a machine. Work takes them in slices of SLICE_MS, as an operating system gives them out.
- **the interpreter** of a process. Python's threads of one process work one at a time: request, worker's thread and
  keepers of a server wait for each other, but for half of what they do in the kernel. Boxes and
  zygotes, processes of their own, need a core alone.
- **the database**. SQLite has one transaction after the other, from its first row until the disk has it; PostgreSQL
  has many, and one flush for all that wait.

Whose turn it is says the server's own code (app/queue/turns.py), with the simulated clock. Not simulated: gradings that
yield (they must have run for four seconds), boxes given up after a minute without demand, refusals, faults.
"""

import itertools
import math
import random
from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import simpy

from app.queue.turns import Turns, Waiting
from benchmarks.night import JUDGED, PAGES, Step, Student
from benchmarks.parts import Grading, Parts
from graders.boxes import patience
from graders.boxes.keeper import CALM_SECONDS, FORKS_AT_ONCE
from graders.boxes.pool import AFTER_SECONDS
from graders.exercise.fresh import BATCH, FRESH, KEPT, LEAST
from graders.exercise.preparer import STOCK_SECONDS
from graders.frameworks import BY_NAME

SLICE_MS = 3.0
ENDS = 0.3  # of what is done for a box behind the verdict, its end takes; the next one's beginning takes the rest
BEGINS_SECONDS = 0.012  # a box that comes up waits for the kernel so long, for its mounts
STREAM_AFTER_SECONDS = 0.3  # for so long a request waits for its verdict, then the page listens to events
LOOK_SECONDS = 2.0
CLAIM = 0.5  # of what a verdict's rows take, those of a claim take
BUCKET_SECONDS = 10.0  # "busiest": the part's share in use, in the ten seconds with the most of it

Going = Generator[simpy.Event, Any, Any]
Draw = Callable[[random.Random, float], float]  # a duration of this mean


@dataclass(frozen=True)
class Installation:
    """What serves. Without a broker it is one machine: a web process with its threads that judge, on SQLite.

    Over a broker each web process and each worker has a machine of its own, and PostgreSQL is elsewhere.
    `free`: the share of each core that nobody else uses. `parked`: how many boxes wait at the beginning; None: as few
    as after a start. More are kept once a submission found none.
    """

    cores: int = 2
    threads: int = 2  # LECTERN_WORKERS, of each process that judges
    webs: int = 1
    workers: int = 0  # processes over a broker; 0: one server with the local queue
    web_cores: int = 2
    free: float = 1.0
    parked: int | None = None

    @property
    def is_brokered(self) -> bool:
        return self.workers > 0


@dataclass
class Judged:
    """A grading from its request to its answer; seconds of the simulated clock."""

    student: int
    what: str
    sent: float
    queued: float = math.nan
    begun: float = math.nan
    ended: float = math.nan
    told: float = math.nan
    thread: int = -1

    @property
    def wait_seconds(self) -> float:
        return self.told - self.sent


@dataclass
class Outcome:
    judged: list[Judged]
    page_seconds: list[float]
    seconds: float  # until the last answer
    mean: dict[str, float]  # the share of each part that was in use, over the whole time
    busiest: dict[str, float]  # the same in the ten seconds with the most
    most_waiting: int  # gradings
    most_streams: int

    @property
    def saturates_first(self) -> str:
        return max(self.busiest, key=lambda name: self.busiest[name])


def constant(draws: random.Random, mean: float) -> float:
    return mean


def exponential(draws: random.Random, mean: float) -> float:
    return draws.expovariate(1 / mean) if mean else 0.0


def lognormal(spread: float) -> Draw:
    """`spread`: standard deviation ÷ mean."""
    sigma = math.sqrt(math.log1p(spread**2))

    def draw(draws: random.Random, mean: float) -> float:
        return mean * draws.lognormvariate(-(sigma**2) / 2, sigma)

    return draw


def simulate(
    students: Sequence[Student], parts: Parts, installation: Installation, *, seed: int = 1, draw: Draw | None = None
) -> Outcome:
    """Runs until every student has had the answer to their last step."""
    return _Simulation(parts, installation, seed, draw or lognormal(parts.spread)).run(students)


def percentile(figures: Iterable[float], share: float) -> float:
    """NaN of none."""
    ordered = sorted(figures)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else math.nan


# ------------------------------------------------------------------ what is shared


class _Meter:
    """For how long a part was in use, in all and by bucket."""

    def __init__(self, capacity: float) -> None:
        self.capacity, self.all = capacity, 0.0
        self.buckets: defaultdict[int, float] = defaultdict(float)

    def add(self, since: float, seconds: float) -> None:
        self.all += seconds
        while seconds > 0:
            bucket = int(since / BUCKET_SECONDS)
            here = min(seconds, max((bucket + 1) * BUCKET_SECONDS - since, 1e-6))
            self.buckets[bucket] += here
            since, seconds = since + here, seconds - here

    def busiest(self) -> float:
        return min(1.0, max(self.buckets.values(), default=0.0) / (self.capacity * BUCKET_SECONDS))


class _Machine:
    """Each core has a queue of its own, as in the kernel: what has to wait joins the shorter one, and stays there. With
    one queue for all cores students waited a sixth too little at two thirds of full load (benchmarks/checked.py)."""

    def __init__(self, env: simpy.Environment, cores: int, free: float, meter: _Meter) -> None:
        self.env, self.free, self.meter = env, free, meter
        self.cores = [simpy.Resource(env) for _ in range(cores)]

    def work(self, ms: float) -> Going:
        """Of a process of its own."""
        while ms > 0:
            ms -= (step := min(ms, SLICE_MS))
            yield from self.step(step)

    def step(self, ms: float) -> Going:
        with min(self.cores, key=lambda core: core.count + len(core.queue)).request() as turn:
            yield turn
            seconds = ms / 1000 / self.free
            self.meter.add(self.env.now, seconds)
            yield self.env.timeout(seconds)


class _Process:
    """A Python process: its threads work one at a time, for the share `held` of what they do."""

    def __init__(self, machine: _Machine, meter: _Meter, held: float) -> None:
        self.machine, self.meter, self.held = machine, meter, held
        self.interpreter = simpy.Resource(machine.env)

    def work(self, ms: float) -> Going:
        while ms > 0:
            ms -= (step := min(ms, SLICE_MS / self.held if self.held else ms))
            with self.interpreter.request() as turn:
                yield turn
                self.meter.add(self.machine.env.now, step * self.held / 1000 / self.machine.free)
                yield from self.machine.step(step * self.held)
            if self.held < 1:
                yield from self.machine.step(step * (1 - self.held))


class _Disk:
    """`grouped`: one flush is for all that wait."""

    def __init__(self, env: simpy.Environment, commit_ms: float, grouped: bool, meter: _Meter) -> None:
        self.env, self.seconds, self.grouped, self.meter = env, commit_ms / 1000, grouped, meter
        self.turn = simpy.Resource(env)
        self.flush: simpy.Event | None = None

    def commit(self, process: _Process, ms: float, *, durable: bool = True) -> Going:
        """A transaction: what its process works in it, and the flush that it waits for if it is `durable`."""
        if not self.grouped:
            with self.turn.request() as turn:
                yield turn
                began = self.env.now
                yield from process.work(ms)
                yield self.env.timeout(self.seconds if durable else 0)
                self.meter.add(began, self.env.now - began)
            return
        yield from process.work(ms)
        if not durable or not self.seconds:
            return
        if self.flush is None:
            self.flush = self.env.event()
            self.env.process(self._flush(self.flush))
        yield self.flush

    def _flush(self, flush: simpy.Event) -> Going:
        with self.turn.request() as turn:
            yield turn
            self.flush = None  # who comes from now on waits for the next
            yield from self._write()
        flush.succeed()

    def _write(self) -> Going:
        self.meter.add(self.env.now, self.seconds)
        yield self.env.timeout(self.seconds)


@dataclass(eq=False)
class _Judge:
    """A process that judges: its threads that are idle, and its boxes."""

    process: _Process
    idle: list[int]
    keepers: dict[str, "_Keeper"] = field(default_factory=dict)  # by framework
    stock: int = KEPT  # sets of fresh cases that wait
    is_stocking: bool = False

    def is_idle(self) -> bool:
        return not self.boxes_in_use()

    def boxes_in_use(self) -> int:
        return sum(keeper.in_use for keeper in self.keepers.values())


class _Keeper:
    """A framework's boxes in one process, as graders/boxes/keeper.py keeps them: up to FORKS_AT_ONCE are begun
    together, by one thread that then waits for each in turn; and while a submission is judged with some to spare,
    none is."""

    def __init__(
        self, env: simpy.Environment, process: _Process, framework: str, costs: Grading, parked: int | None
    ) -> None:
        self.env, self.process, self.costs = env, process, costs
        fewest, self.most = BY_NAME[framework].parked
        self.size = fewest if parked is None else parked
        self.parked = simpy.Container(env, init=self.size)
        self.in_use, self.taken_at = 0, 0.0
        self.changed = env.event()
        env.process(self._keep())

    def take(self) -> Going:
        if not self.parked.level:
            self.size = min(self.size + 1, self.most)
        took = self.parked.get(1)
        self._tell()
        yield took
        self.in_use += 1
        self.taken_at = self.env.now
        self._tell()

    def close(self) -> Going:
        yield self.env.timeout(AFTER_SECONDS)
        self.in_use -= 1
        self._tell()
        yield from self.process.machine.work(ENDS * self.costs.behind_ms)

    def _tell(self) -> None:
        changed, self.changed = self.changed, self.env.event()
        changed.succeed()

    def _keep(self) -> Going:
        while True:
            seconds = self._until_fork()
            if seconds is None:
                yield self.changed
            elif seconds:
                yield self.changed | self.env.timeout(seconds)
            else:
                missing = max(self.size, len(self.parked.get_queue)) - int(self.parked.level)
                coming = [self.env.process(self._begin()) for _ in range(max(1, min(missing, FORKS_AT_ONCE)))]
                for box in coming:
                    yield box
                    yield from self.process.work(self.costs.beside_ms)
                    yield self.parked.put(1)

    def _begin(self) -> Going:
        yield self.env.timeout(BEGINS_SECONDS)
        yield from self.process.machine.work((1 - ENDS) * self.costs.behind_ms)

    def _until_fork(self) -> float | None:
        """None: not before something changes."""
        level = self.parked.level
        if level < len(self.parked.get_queue):
            return 0
        if level >= self.size:
            return None
        is_calm = self.in_use and 2 * level >= self.size
        return max(0.0, CALM_SECONDS - (self.env.now - self.taken_at)) if is_calm else 0


@dataclass(eq=False)
class _Waits:
    """A grading in the queue."""

    judged: Judged
    costs: Grading
    draws: random.Random
    framework: str
    done: simpy.Event = field(repr=False)


# ------------------------------------------------------------------ the simulation


class _Simulation:
    def __init__(self, parts: Parts, installation: Installation, seed: int, draw: Draw) -> None:
        self.parts, self.seed, self.draw = parts, seed, draw
        self.env = env = simpy.Environment()
        self.meters: dict[str, _Meter] = {}
        self.is_brokered = installation.is_brokered
        one = installation
        self.parked = one.parked
        if self.is_brokered:
            web_cores = self._meter("web cores", one.webs * one.web_cores)
            worker_cores = self._meter("worker cores", one.workers * one.cores)
            inside, judging = self._meter("web interpreters", one.webs), self._meter("worker interpreters", one.workers)
            self.webs = [
                _Process(_Machine(env, one.web_cores, one.free, web_cores), inside, parts.held) for _ in range(one.webs)
            ]
            machines = [_Machine(env, one.cores, one.free, worker_cores) for _ in range(one.workers)]
            judges = [_Process(machine, judging, parts.held) for machine in machines]
        else:
            machine = _Machine(env, one.cores, one.free, self._meter("cores", one.cores))
            self.webs = judges = [_Process(machine, self._meter("interpreter", 1), parts.held)]
        flushes = self._meter("commits" if self.is_brokered else "SQLite's writer", 1)
        self.disk = _Disk(env, parts.commit_ms, self.is_brokered, flushes)
        self.leader_meter = self._meter("leader", 1) if self.is_brokered else None
        self.threads_meter = self._meter("judging threads", len(judges) * one.threads)
        self.judges = [
            _Judge(process, list(range(number * one.threads, (number + 1) * one.threads)))
            for number, process in enumerate(judges)
        ]
        self.turns = Turns(lambda: float(env.now))
        self.waiting: dict[int, _Waits] = {}
        self.ids = itertools.count(1)
        self.leading = False
        self.judged: list[Judged] = []
        self.pages: list[float] = []
        self.streams = self.most_streams = self.most_waiting = 0
        self.last = 0.0

    def run(self, students: Sequence[Student]) -> Outcome:
        for place, student in enumerate(students):
            self.env.process(self._live(student, random.Random(f"{self.seed}/{place}")))
        self.env.run()
        seconds = self.last or 1.0
        return Outcome(
            self.judged,
            self.pages,
            seconds,
            {name: meter.all / (meter.capacity * seconds) for name, meter in self.meters.items()},
            {name: meter.busiest() for name, meter in self.meters.items()},
            self.most_waiting,
            self.most_streams,
        )

    def _meter(self, name: str, capacity: float) -> _Meter:
        self.meters[name] = meter = _Meter(capacity)
        return meter

    # ---- a student ----

    def _live(self, student: Student, draws: random.Random) -> Going:
        web = self.webs[student.number % len(self.webs)]
        yield self.env.timeout(student.begins_seconds)
        for step in student.steps:
            yield self.env.timeout(step.pause_seconds)
            began = self.env.now
            if step.kind in JUDGED:
                yield from self._submit(student, step, web, draws)
            elif step.kind in PAGES:
                yield from web.work(self.draw(draws, self.parts.page_ms))
                self.pages.append(self.env.now - began)
            elif step.kind == "answer":
                yield from self.disk.commit(web, self.draw(draws, self.parts.answer_ms))
            else:
                yield from self._run_cell(step, web, draws)
            self.last = max(self.last, self.env.now)

    def _submit(self, student: Student, step: Step, web: _Process, draws: random.Random) -> Going:
        env, costs = self.env, self.parts.grading(step.framework, step.kind)
        judged = Judged(student.number, f"{step.framework} {step.kind}", env.now)
        self.judged.append(judged)
        own = random.Random(draws.random())  # what it will cost does not depend on who was first
        yield from web.work(self.draw(own, costs.intake_ms))
        yield env.timeout(costs.idle_ms / 1000)
        yield from self.disk.commit(web, self.draw(own, costs.store_ms))
        waits = _Waits(judged, costs, own, step.framework, env.event())
        judged.queued = env.now
        yield from self._hop()
        id = next(self.ids)
        self.waiting[id] = waits
        self.turns.add(Waiting(id, id, student.number, neighbourhood=student.address, since=env.now))
        self.most_waiting = max(self.most_waiting, len(self.turns))
        self._look()
        yield waits.done | env.timeout(STREAM_AFTER_SECONDS)
        if not waits.done.triggered:
            yield from self._follow(web, waits)
        yield from web.work(self.draw(own, costs.answer_ms))
        judged.told = env.now

    def _follow(self, web: _Process, waits: _Waits) -> Going:
        """The page listens until the verdict is there."""
        self.streams += 1
        self.most_streams = max(self.most_streams, self.streams)
        yield from web.work(self.parts.stream_ms)
        while not waits.done.processed:
            yield waits.done | self.env.timeout(LOOK_SECONDS)
            if not waits.done.triggered:
                yield from web.work(self.parts.look_ms)
        self.streams -= 1

    def _run_cell(self, step: Step, web: _Process, draws: random.Random) -> Going:
        """A box of the web process's own, and no thread that judges."""
        costs = self.parts.grading(step.framework, "run")
        judge = self.judges[0]
        yield from web.work(self.draw(draws, costs.intake_ms))
        keeper = None if self.is_brokered else self._keeper(judge, step.framework, costs)
        if keeper is not None:
            yield from keeper.take()
        yield from web.machine.work(self.draw(draws, costs.calls_ms))
        if keeper is not None:
            self.env.process(keeper.close())

    # ---- the queue ----

    def _look(self) -> None:
        """Threads that are idle get what may begin."""
        if self.is_brokered:
            if not self.leading:
                self.leading = True
                self.env.process(self._lead())
            return
        while (judge := self._idle()) is not None and (turn := self.turns.next()) is not None:
            self.env.process(self._judge(judge, judge.idle.pop(), turn))

    def _lead(self) -> Going:
        """The leader hands out one after the other: it chooses, takes the row, and gives it to the broker."""
        leader, meter = self.webs[0], self.leader_meter
        assert meter is not None
        while (judge := self._idle()) is not None:
            choosing_ms = self.parts.turn_us / 1000 * len(self.turns)
            if (turn := self.turns.next()) is None:
                break
            thread = judge.idle.pop()
            began = self.env.now
            yield from leader.work(choosing_ms)
            yield self.env.timeout(self.parts.hand_out_ms / 1000)
            meter.add(began, self.env.now - began)
            self.env.process(self._judge(judge, thread, turn))
        self.leading = False

    def _idle(self) -> _Judge | None:
        """The process with the most idle threads: workers ask when one is free."""
        judge = max(self.judges, key=lambda judge: len(judge.idle))
        return judge if judge.idle else None

    def _judge(self, judge: _Judge, thread: int, turn: Waiting) -> Going:
        waits = self.waiting.pop(turn.grading_id)
        judged, costs, draws = waits.judged, waits.costs, waits.draws
        yield from self._hop()
        judged.begun, judged.thread = self.env.now, thread
        scale = self.draw(draws, 1.0)
        if not self.is_brokered:
            yield from judge.process.work(self.parts.turn_us / 1000 * len(self.turns))
            yield from self.disk.commit(judge.process, scale * costs.record_ms * CLAIM, durable=False)
        keeper = self._keeper(judge, waits.framework, costs)
        if not judged.what.endswith("run") and costs.fresh_ms:
            judge.stock -= 1
            if not judge.is_stocking:
                self.env.process(self._stock(judge, keeper, costs))
        yield from keeper.take()
        for _ in range(costs.rounds):
            yield from judge.process.work(scale * costs.worker_ms / costs.rounds)
            yield from judge.process.machine.work(scale * costs.calls_ms / costs.rounds)
        yield from self._hop()
        recorder = self.webs[turn.grading_id % len(self.webs)] if self.is_brokered else judge.process
        yield from self.disk.commit(recorder, scale * costs.record_ms)
        judged.ended = self.env.now
        self.threads_meter.add(judged.begun, judged.ended - judged.begun)
        waits.done.succeed()
        self.turns.done(turn.user_id)
        judge.idle.append(thread)
        self.env.process(keeper.close())
        self._look()

    def _stock(self, judge: _Judge, keeper: _Keeper, costs: Grading) -> Going:
        """More fresh cases, BATCH sets at a time: while nothing is judged, or once half of them are gone. Two boxes
        make them, the generator's and the reference's, and give way before each question."""
        judge.is_stocking = True
        while judge.stock < KEPT:
            yield self.env.timeout(STOCK_SECONDS)
            if judge.stock < KEPT // 2 or judge.is_idle():
                for questions in (BATCH, FRESH * BATCH):
                    yield from self._give_way(judge, 0)
                    yield from keeper.take()
                    for _ in range(questions):
                        yield from self._give_way(judge, 1)
                        yield from judge.process.work(costs.fresh_ms * BATCH / questions / 2)
                    self.env.process(keeper.close())
                judge.stock += BATCH
        judge.is_stocking = False

    def _give_way(self, judge: _Judge, own: int) -> Going:
        """As graders/boxes/patience.py does; `own`: boxes in use that are not a submission's."""
        until = self.env.now + patience.PATIENCE_SECONDS
        while judge.stock >= LEAST and judge.boxes_in_use() > own and self.env.now < until:
            yield self.env.timeout(patience.LOOK_SECONDS)

    def _keeper(self, judge: _Judge, framework: str, costs: Grading) -> _Keeper:
        if framework not in judge.keepers:
            judge.keepers[framework] = _Keeper(self.env, judge.process, framework, costs, self.parked)
        return judge.keepers[framework]

    def _hop(self) -> Going:
        if self.is_brokered:
            yield self.env.timeout(self.parts.hop_ms / 1000)
