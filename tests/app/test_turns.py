"""Whose turn it is, in a simulation: time passes when the test says so, and nothing depends on the machine."""

import heapq
import itertools
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.queue import turns as rules
from app.queue.turns import PATIENCE_SECONDS, Turns, Waiting

WALL_SECONDS, TOTAL_SECONDS = 5.0, 15.0  # of an exercise as it is made by default
BOUND_SECONDS = 10.0  # see the docstring of app/queue/turns.py
HERE, THERE = "203.0.113.7", "198.51.100.4"


@dataclass
class Sent:
    """A submission that will take these seconds: to its first finished case, and from one case to the next."""

    at: float
    user_id: int
    neighbourhood: str
    cases: tuple[float, ...]
    is_newcomer: bool = False
    begins: list[float] = field(default_factory=list)
    ended: float | None = None


@dataclass
class Simulation:
    """Workers, and submissions that arrive at their times. `run` returns when the last one has ended."""

    workers: int
    sent: list[Sent]
    now: float = 0.0
    yielded: int = 0

    def run(self) -> None:
        self.turns = Turns(lambda: self.now)
        self.free = self.workers
        coming: list[tuple[float, int, Callable[[], None]]] = []
        self._coming, self._count = coming, 0
        for number, one in enumerate(self.sent):
            self._at(one.at, lambda number=number: self._arrive(number))  # type: ignore[misc]
        while coming:
            self.now, _, happens = heapq.heappop(coming)
            happens()
            if not coming or coming[0][0] > self.now:
                self._fill()
            assert len(list(self.turns.serving())) == self.workers - self.free

    def _at(self, at: float, happens: Callable[[], None]) -> None:
        self._count += 1
        heapq.heappush(self._coming, (at, self._count, happens))

    def _arrive(self, number: int) -> None:
        one = self.sent[number]
        self.turns.add(
            Waiting(
                number,
                number,
                one.user_id,
                neighbourhood=one.neighbourhood,
                is_newcomer=one.is_newcomer,
                since=self.now,
            )
        )

    def _fill(self) -> None:
        while self.free and (waiting := self.turns.next()) is not None:
            self.free -= 1
            self.sent[waiting.grading_id].begins.append(self.now)
            self._judge(waiting, 0)

    def _judge(self, waiting: Waiting, case: int) -> None:
        """Until its next case is over; then asked whether to yield, unless that was the last."""
        one = self.sent[waiting.grading_id]

        def over() -> None:
            is_last = case == len(one.cases) - 1
            if is_last:
                one.ended = self.now
                self.turns.done(one.user_id)
            elif self.turns.should_yield(one.user_id):
                self.yielded += 1
                self.turns.add(waiting, first=True)
                self.turns.done(one.user_id, yielded=True)
            else:
                self._judge(waiting, case + 1)
                return
            self.free += 1

        self._at(self.now + one.cases[case], over)


SLEEPS = (4.9, 4.9, 4.9)
SLOWEST = (9.8, 4.9)  # 4.9 s to load, as long in each call


def sleepers(
    number: int, *, at: float = 0.0, cases: tuple[float, ...] = SLEEPS, is_newcomer: bool = True
) -> list[Sent]:
    return [Sent(at, 1000 + n, HERE, cases, is_newcomer) for n in range(number)]


@pytest.mark.parametrize("workers", [2, 3, 4, 8])
@pytest.mark.parametrize("cases", [SLEEPS, SLOWEST, (1.0,) * 14])
@pytest.mark.parametrize("has_history", [False, True])
def test_a_neighbour_waits_within_the_bound_whenever_they_come(
    workers: int, cases: tuple[float, ...], has_history: bool
) -> None:
    for at in (0.0, 0.05, 0.1, 3.9, 4.0, 4.8, 4.95, 9.85, 14.6, 14.75, 20.0, 33.3):
        honest = Sent(at, 1, THERE, (0.1,), is_newcomer=True)
        crowd = sleepers(300 if at == 0.1 else 40, cases=cases, is_newcomer=not has_history)
        Simulation(workers, [*crowd, honest]).run()
        assert honest.begins[0] - at <= BOUND_SECONDS, (at, cases)
        assert all(one.ended is not None for one in crowd), "nobody is starved"


@settings(deadline=None, max_examples=150)
@given(data=st.data(), workers=st.integers(2, 6))
def test_the_bound_holds_whatever_one_neighbourhood_sends(data: st.DataObject, workers: int) -> None:
    case = st.floats(0.0, WALL_SECONDS)
    shapes = st.builds(lambda load, calls: (load + calls[0], *calls[1:]), case, st.lists(case, min_size=1, max_size=3))
    crowd = [
        Sent(at, user_id, HERE, cases, is_new)
        for at, user_id, cases, is_new in data.draw(
            st.lists(st.tuples(st.floats(0, 40), st.integers(1000, 1020), shapes, st.booleans()), max_size=60)
        )
    ]
    arrives = data.draw(st.floats(0, 60))
    honest = Sent(arrives, 1, THERE, (0.1,), is_newcomer=data.draw(st.booleans()))
    Simulation(workers, [*crowd, honest]).run()
    assert honest.begins[0] - arrives <= BOUND_SECONDS + 1e-6
    assert all(one.ended is not None for one in crowd)


def test_with_one_worker_a_neighbour_is_next_after_what_runs() -> None:
    honest = Sent(0.1, 1, THERE, (0.1,))
    simulation = Simulation(1, [*sleepers(300), honest])
    simulation.run()
    assert honest.begins[0] <= TOTAL_SECONDS
    assert simulation.yielded == 0


def test_twenty_neighbours_of_twenty_addresses_share_what_is_freed() -> None:
    crowd = sleepers(300)
    honest = [Sent(1.0, n, f"192.0.2.{n}", (0.1,)) for n in range(1, 21)]
    Simulation(2, [*crowd, *honest]).run()
    assert max(one.begins[0] for one in honest) - 1.0 <= BOUND_SECONDS + 20 * 0.1
    assert sum(len(one.begins) - 1 for one in crowd) <= 2, "they took turns on one worker; nobody else had to make room"


def test_a_class_behind_one_address_has_every_worker_while_nobody_else_waits() -> None:
    pupils = [Sent(0.0, n, HERE, (0.5,), is_newcomer=n % 2 == 0) for n in range(100)]
    simulation = Simulation(4, pupils)
    simulation.run()
    assert simulation.now == pytest.approx(100 * 0.5 / 4)
    assert simulation.yielded == 0


def test_what_is_quick_is_never_made_to_yield() -> None:
    pupils = [Sent(n / 20, n, HERE, (1.0, 1.0, 1.0)) for n in range(100)]
    others = [Sent(n / 3, 1000 + n, THERE, (0.2,)) for n in range(60)]
    simulation = Simulation(2, [*pupils, *others])
    simulation.run()
    assert simulation.yielded == 0
    assert PATIENCE_SECONDS > 3.0


def test_what_yields_is_judged_in_the_end_though_others_never_stop_coming() -> None:
    slow = [Sent(0.0, n, HERE, SLEEPS) for n in range(3)]
    others = [Sent(n * 0.5, 1000 + n, THERE, (0.4,)) for n in range(600)]
    simulation = Simulation(2, [*slow, *others])
    simulation.run()
    assert all(one.ended is not None and one.ended < 200 for one in slow)
    assert simulation.yielded >= 1


def test_two_neighbourhoods_share_alike_however_many_people_each_has() -> None:
    crowd = [Sent(0.0, n, HERE, (1.0,)) for n in range(200)]
    few = [Sent(0.0, 1000 + n % 3, THERE, (1.0,)) for n in range(30)]
    Simulation(2, [*crowd, *few]).run()
    assert max(one.ended or 1e9 for one in few) <= 32.0


def test_sleeping_is_charged_as_computing_is() -> None:
    """Two people of one class: one holds a worker ten times as long, and has a turn for every ten of the other's."""
    long = [Sent(0.0, 1, HERE, (2.0,)) for _ in range(50)]
    short = [Sent(0.0, 2, HERE, (0.2,)) for _ in range(50)]
    Simulation(1, [*long, *short]).run()
    until = max(one.ended or 0 for one in short)
    before = sum(1 for one in long if one.ended is not None and one.ended <= until)
    assert 3 <= before <= 8


def test_newcomers_come_after_people_with_a_history_and_not_for_ever() -> None:
    newcomers = [Sent(0.0, 1000 + n, HERE, (1.0,), is_newcomer=True) for n in range(20)]
    known = [Sent(0.01 * n, n, HERE, (1.0,)) for n in range(20)]
    Simulation(1, [*newcomers, *known]).run()
    ended_known = sorted(one.ended or 1e9 for one in known)
    assert sum(1 for one in newcomers if (one.ended or 1e9) < ended_known[-1]) <= 1
    crowd = [Sent(n * 0.9, n % 40, HERE, (1.0,)) for n in range(1, 300)]  # more than one worker can do
    late = Sent(0.0, 2000, HERE, (1.0,), is_newcomer=True)
    first = Sent(0.0, 2001, HERE, (1.0,))
    Simulation(1, [first, late, *crowd]).run()
    assert late.begins[0] <= rules.NEWCOMER_SECONDS + 60


def test_a_persons_own_are_never_two_at_once_and_in_their_order() -> None:
    random_ = random.Random(5)
    sent = [
        Sent(
            random_.uniform(0, 30), random_.randrange(6), random_.choice((HERE, THERE)), SLEEPS[: random_.randint(1, 3)]
        )
        for _ in range(80)
    ]
    sent.sort(key=lambda one: one.at)  # as their rows are numbered
    Simulation(3, sent).run()
    for user_id in range(6):
        mine = sorted((one for one in sent if one.user_id == user_id), key=lambda one: one.at)
        for one, following in itertools.pairwise(mine):
            assert one.ended is not None
            assert following.begins[0] >= one.ended


def turns_of(*waiting: Waiting) -> Turns:
    turns = Turns(lambda: 0.0)
    for one in waiting:
        turns.add(one)
    return turns


def test_what_is_told_of_late_is_before_what_the_same_person_sent_after_it() -> None:
    """Two web processes took them in, and the first one's message was slower."""
    turns = Turns()
    for grading in (5, 7, 4, 6):
        turns.add(Waiting(grading, grading, 1))
    turns.add(Waiting(3, 3, 1), first=True)
    order = []
    while (waiting := turns.next()) is not None:
        order.append(waiting.grading_id)
        turns.done(1)
    assert order == [3, 4, 5, 6, 7]


def test_a_line_that_may_not_begin_yet_is_passed_over_and_keeps_its_place() -> None:
    turns = turns_of(Waiting(1, 1, 7, exercise="unbuilt"), Waiting(2, 2, 7), Waiting(3, 3, 8), Waiting(4, 4, 8))

    def is_built(one: Waiting) -> bool:
        return one.exercise != "unbuilt"

    following = turns.next(is_built)
    assert following is not None
    assert following.grading_id == 3, "nor does the second of that line overtake the first"
    turns.done(8)
    built = turns.next()
    assert built is not None
    assert built.grading_id == 1


def test_who_is_served_and_since_which_arrival() -> None:
    turns = Turns(lambda: 0.0)
    before = turns.add(Waiting(1, 1, 7))
    assert turns.next() is not None
    after = turns.add(Waiting(2, 2, 8))
    ((serving, begun),) = turns.serving()
    assert serving == before
    assert before.arrival < begun < after.arrival
    again = turns.add(serving, first=True)
    assert again.arrival == before.arrival, "it arrived when it arrived"


class Clocked(Turns):
    """Turns at times that the test sets: `now` is moved by hand."""

    def __init__(self) -> None:
        self.now = 0.0
        super().__init__(lambda: self.now)

    def begin(self, *sent: Waiting) -> None:
        """Each is sent and begins, one after the other, before anything else that waits."""
        for one in sent:
            self.add(one)
            assert self.next(lambda waiting, id=one.grading_id: waiting.grading_id == id) is not None  # type: ignore[misc]

    def following(self) -> int:
        waiting = self.next()
        assert waiting is not None
        return waiting.grading_id

    def places(self, *sent: Waiting) -> list[int | None]:
        return [self.position(one.grading_id, one.user_id) for one in sent]


def sent(grading_id: int, user_id: int, neighbourhood: str = HERE) -> Waiting:
    return Waiting(grading_id, grading_id, user_id, neighbourhood=neighbourhood)


def test_after_workers_have_gone_what_is_busy_is_all_there_is_and_yields() -> None:
    turns = Clocked()
    turns.begin(*(sent(number, number) for number in range(1, 5)))  # four workers
    for gone in (3, 4):
        turns.done(gone)
    turns.add(sent(5, 5, THERE))
    turns.now = PATIENCE_SECONDS + 1
    assert not turns.should_yield(2), "two workers are free, as far as is known"
    turns.workers_are(2)
    assert turns.should_yield(2)
    turns.workers_are(3)
    assert not turns.should_yield(2), "one is free"


def test_what_yields_is_charged_to_its_neighbourhood_and_not_to_its_author() -> None:
    turns = Clocked()
    turns.begin(sent(1, 8))
    turns.now += 0.5
    turns.done(8)
    turns.begin(sent(2, 9, THERE))
    turns.now += 2.0
    turns.done(9)
    turns.begin(sent(3, 7))
    turns.now += 6.0
    turns.done(7, yielded=True)
    for one in (sent(4, 8), sent(5, 7), sent(6, 9, THERE)):
        turns.add(one)
    assert turns.following() == 6, "the other neighbourhood has held a worker for a shorter time"
    assert turns.following() == 5, "of the two here, the one who yielded has had less"


def test_what_runs_counts_for_the_seconds_that_it_has_run() -> None:
    turns = Clocked()
    turns.now = 5.0
    turns.begin(sent(1, 7, THERE))
    turns.now = 10.0
    turns.begin(sent(2, 8))
    turns.now = 11.0
    turns.add(sent(3, 9, THERE))
    turns.add(sent(4, 10))
    assert turns.following() == 4, "one second here, six there"


def test_all_that_runs_of_a_neighbourhood_counts() -> None:
    turns = Clocked()
    turns.begin(sent(1, 7, THERE))
    turns.now = 3.0
    turns.begin(sent(2, 8), sent(3, 9))
    turns.now = 5.0
    turns.begin(sent(4, 10, THERE))
    turns.now = 6.0
    turns.add(sent(5, 11, THERE))
    turns.add(sent(6, 12))
    assert turns.following() == 6, "three seconds twice here; six and one there"


def test_a_forecast_charges_each_person_with_what_runs() -> None:
    turns = Clocked()
    turns.begin(sent(1, 7))
    turns.now = 10.0
    later, first, second = sent(2, 7), sent(3, 8), sent(4, 8)
    for one in (later, first, second):
        turns.add(one)
    assert turns.places(first, second, later) == [1, 2, 3]


@pytest.mark.parametrize(
    ("user_id", "neighbourhood", "third_id"), [(8, HERE, 7), (9, THERE, 10)], ids=["person", "neighbourhood"]
)
def test_a_forecast_charges_each_turn_with_what_it_costs_at_least(
    user_id: int, neighbourhood: str, third_id: int
) -> None:
    """Somebody has had 0.5 s: more than nothing, and less than the turn that another is about to take."""
    turns = Clocked()
    turns.begin(sent(1, user_id, neighbourhood))
    turns.now = rules.EXPECTED_SECONDS - rules.TURN_SECONDS
    turns.done(user_id)
    first, third, second = sent(2, 7), sent(3, third_id), sent(4, user_id, neighbourhood)
    for one in (first, third, second):
        turns.add(one)
    assert turns.places(first, second, third) == [1, 2, 3]


def test_a_place_in_a_short_queue_is_never_old() -> None:
    turns = Clocked()
    turns.begin(sent(1, 7))
    turns.now = 10.0
    turns.done(7)
    mine, before = sent(2, 7), sent(3, 8)
    turns.add(mine)
    assert turns.places(mine) == [1]
    turns.add(before)
    assert turns.places(mine, before) == [2, 1], "at the same moment"
    turns.leave(8)
    assert turns.places(mine, before) == [1, None]


def test_how_many_are_present_is_known_by_person_and_by_neighbourhood() -> None:
    turns = turns_of(
        Waiting(1, 1, 7, neighbourhood=HERE),
        Waiting(2, 2, 7, neighbourhood=HERE),
        Waiting(3, 3, 8, neighbourhood=THERE),
    )
    assert turns.next() is not None
    assert (turns.present_of(7), turns.present_near(HERE), turns.present_near(THERE)) == (2, 2, 1)
    turns.done(7)
    assert (turns.present_of(7), turns.present_near(HERE), len(turns)) == (1, 1, 2)
    while (one := turns.next()) is not None:
        turns.done(one.user_id)
    assert not turns._present
    assert not turns._lines
    assert not turns._near


@settings(deadline=None, max_examples=100)
@given(
    st.lists(
        st.tuples(st.integers(1, 12), st.sampled_from((HERE, THERE, "elsewhere")), st.booleans()),
        min_size=1,
        max_size=60,
    )
)
def test_the_place_in_the_queue_is_the_number_of_turns_away(sent: list[tuple[int, str, bool]]) -> None:
    now = [0.0]
    turns = Turns(lambda: now[0])
    waiting = [
        Waiting(id, id, user, neighbourhood=place, is_newcomer=is_new, since=0.0)
        for id, (user, place, is_new) in enumerate(sent, 1)
    ]
    for one in waiting:
        turns.add(one)
    first = {one.grading_id: turns.position(one.grading_id, one.user_id) for one in waiting}
    assert sorted(place or 0 for place in first.values()) == list(range(1, len(sent) + 1))
    served = []
    while (following := turns.next()) is not None:
        assert turns.position(following.grading_id, following.user_id) is None
        served.append(following.grading_id)
        now[0] += rules.EXPECTED_SECONDS
        turns.done(following.user_id)
        if turns:
            upcoming = turns._chosen(rules.always)
            assert upcoming is not None
            assert turns.position(upcoming.grading_id, upcoming.user_id) == 1, "1 is who is next"
    misses = [abs((first[id] or 0) - served.index(id) - 1) for id in first]
    assert max(misses) <= max(5, len(sent) // 2), "never wildly wrong"


def test_a_night_of_five_thousand_is_forecast_and_served() -> None:
    """A place in a long queue is worked out once a second at most, for everyone who asks."""
    now = [0.0]
    turns = Turns(lambda: now[0])
    for id in range(1, 5001):
        turns.add(Waiting(id, id, id, neighbourhood=f"n{id % 2000}", since=0.0))
    made = Counter[str]()
    look_ahead = turns._look_ahead

    def counted() -> dict[int, int]:
        made["forecasts"] += 1
        return look_ahead()

    turns._look_ahead = counted  # type: ignore[method-assign]
    for step in range(200):
        one = turns.next()
        assert one is not None
        turns.done(one.user_id)
        now[0] += 0.01
        place = turns.position(4000 + step, 4000 + step)
        assert place is None or 1 <= place <= 5000
    assert 2 <= made["forecasts"] <= 4, "two seconds have passed"


def test_who_has_faded_is_forgotten() -> None:
    now = [0.0]
    turns = Turns(lambda: now[0])
    for id in range(1, 2001):
        turns.add(Waiting(id, id, id, neighbourhood=f"n{id}", since=now[0]))
        assert turns.next() is not None
        turns.done(id)
        now[0] += 30.0
    assert len(turns._people) < 400
    assert len(turns._places) < 400
    assert not turns._present


def test_a_server_that_had_nothing_to_do_for_a_year_goes_on() -> None:
    now = [0.0]
    turns = Turns(lambda: now[0])
    for id in (1, 2, 3):
        now[0] += 365 * 86_400
        turns.add(Waiting(id, id, 7, since=now[0]))
        assert turns.position(id, 7) == 1
        assert turns.next() is not None
        turns.done(7)
