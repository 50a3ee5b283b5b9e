"""Whose turn it is: a fair order of waiting gradings. Pure: no HTTP, no SQL, no thread, and the clock is passed in.

What is shared out is *occupation*: the seconds for which a worker was held, halved every HALF_LIFE_SECONDS. Sleeping
for 15 s costs as much as computing for 15 s, and what runs counts as it runs.

A person's gradings are one line: they are judged in the order they were sent, one after the other, so that no verdict
overtakes the one before it and nobody holds two workers. People are grouped by neighbourhood (one address, one /64 of
IPv6). Of the lines whose first grading may begin, `next` takes, by these in turn:

1. whose neighbourhood holds the fewest workers now: somebody with none in hand comes before everybody with one;
2. people with a history before newcomers; a newcomer who has waited NEWCOMER_SECONDS counts as one with a history;
3. whose neighbourhood has occupied workers the least;
4. who has occupied them the least;
5. whose grading came first.

Nothing is kept free: a class behind one school address has every worker while nobody else waits, and among the class
turns are by person. What was taken so is given back: `should_yield`.

**The bound.** Let W be the workers, W >= 2; let an honest grading arrive from a neighbourhood that holds none, with its
author's line empty, while everything else that waits or runs is of one other neighbourhood A, however many people that
is, with a history or without. Let c be the longest time for which a grading tells nothing (no case finished) once its
first case is over, and f the time until its first case is over: with `wall_seconds` w at most c = w, and f = 2w, for
loading comes before the first call. It begins after at most max(f, PATIENCE_SECONDS + c): 10 s where w is 5.

    If a worker is free, it begins at once. Otherwise A holds all W >= 2. One that A took is the last that it took; call
    its grading y, and y is not A's oldest. Of each case of y `should_yield` is asked. At the first case that finishes
    when y is PATIENCE_SECONDS old or older, all its conditions hold: no worker is free, A holds another and older one,
    and the honest one waits, of a neighbourhood that holds none. So y ends there at the latest, or has ended by itself.
    y is never younger than at the honest one's arrival, when it was at least 0 s old; its first case is over at age f
    at the latest, and between two cases pass at most c, so that the case in question finishes before y is
    max(f, PATIENCE_SECONDS + c) old. The worker that it leaves goes to the honest one by rule 1: its neighbourhood
    holds none, and that of everything else that waits, A, still holds at least one.

k honest ones of k other neighbourhoods share what is freed, in turn. With one worker (W = 1) nothing yields, since what
runs is the oldest: the honest one is next, after what runs now, `total_seconds` at most.

That a grading yields costs what it has done. It never loses for ever: a neighbourhood's oldest never yields, and each
that runs becomes the oldest when those before it have ended, after `total_seconds` at most.
"""

import heapq
import time
from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, replace
from typing import Any

HALF_LIFE_SECONDS = 120.0
PATIENCE_SECONDS = 4.0  # what takes less than this is let finish: it would cost more to begin it again
NEWCOMER_SECONDS = 60.0
TURN_SECONDS = 0.05  # what each turn costs at least: a box dies with it
EXPECTED_SECONDS = 0.5  # of a grading that waits, to forecast the order
FORECAST_SECONDS = 1.0  # so old may a place in a long queue be
FORECAST_ALWAYS = 100  # a queue up to this length is always forecast again
FORGET_BELOW_SECONDS = 0.001
# mutants: choices. That a float holds two to this power, a year later too, is tested
REBASE_HALVES, LARGEST_HALVES = 40, 1000


@dataclass(frozen=True)
class Waiting:
    """A grading in the queue, whose it is and where from. `since` (on its clock) and `arrival`
    (later is higher) are given by `Turns.add`."""

    grading_id: int
    submission_id: int
    user_id: int
    submission: Any = None  # its row, at hand when it was just sent; after a restart it is read again
    exercise: str = ""
    kind: str = "submit"
    has_inputs: bool = False  # of one's own
    neighbourhood: str = ""
    is_newcomer: bool = False
    framework: str = ""
    trace: str = ""  # what names the span that it belongs to (app/web/tracing.py)
    since: float = 0.0
    arrival: int = 0


MayBegin = Callable[[Waiting], bool]


def always(waiting: Waiting) -> bool:
    return True


class Occupation:
    """Seconds by key, all of them halved every HALF_LIFE_SECONDS.

    Kept as weights that grow with the time of writing instead of shrinking with the time of reading: nothing is to be
    done as time passes, and asking costs a look into a dict.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._began = clock()
        self._weights: dict[Hashable, float] = {}

    def add(self, key: Hashable, seconds: float) -> None:
        scale = self.scale()
        if scale > 2.0**REBASE_HALVES:
            self._rebase(scale)
            scale = 1.0
        self._weights[key] = self._weights.get(key, 0.0) + seconds * scale

    def seconds(self) -> Callable[[Hashable], float]:
        """Reads any number of keys as they are at this moment."""
        weights, scale = self._weights, self.scale()
        return lambda key: weights.get(key, 0.0) / scale

    def scale(self) -> float:
        halves = (self._clock() - self._began) / HALF_LIFE_SECONDS
        return float(2.0 ** min(halves, LARGEST_HALVES))  # a server may have nothing to do for days

    def __len__(self) -> int:
        return len(self._weights)

    def _rebase(self, scale: float) -> None:
        """attack: a new guest for each submission, all remembered. defence: who has faded is forgotten."""
        least = FORGET_BELOW_SECONDS * scale
        self._weights = {key: weight / scale for key, weight in self._weights.items() if weight >= least}
        self._began = self._clock()


@dataclass(frozen=True)
class _Served:
    """A grading that a worker holds: since when, and since which number of arrival."""

    waiting: Waiting
    began: float
    number: int


class Turns:
    """Not safe for threads: a caller with several holds a lock around each call."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lines: dict[int, deque[Waiting]] = {}
        self._near: dict[str, dict[int, None]] = {}  # whose line begins with a grading of this neighbourhood
        self._served: dict[int, _Served] = {}
        self._present: Counter[str] = Counter()  # waiting or served, by neighbourhood
        self._people, self._places = Occupation(clock), Occupation(clock)
        self._waiting = 0
        self._number = 0
        self._workers = 0  # as many as were ever busy at once: with fewer busy, one is free
        self._forecast: _Forecast | None = None

    def add(self, waiting: Waiting, *, first: bool = False) -> Waiting:
        """After what the same person sent before it, which may be told of later. `first`: it had its turn and waits
        again, before all that this person has sent."""
        if not waiting.arrival:
            waiting = replace(waiting, since=waiting.since or self._clock(), arrival=self._tick())
        line = self._lines.setdefault(waiting.user_id, deque())
        self._leave(line)
        if first:
            line.appendleft(waiting)
        else:
            place = len(line)
            while place and line[place - 1].grading_id > waiting.grading_id:
                place -= 1
            line.insert(place, waiting)
        self._enter(line)
        self._present[waiting.neighbourhood] += 1
        self._waiting += 1
        self._changed()
        return waiting

    def next(self, may_begin: MayBegin = always) -> Waiting | None:
        """Takes a turn, until `done`. A line whose first grading may not begin is passed over and keeps its place."""
        waiting = self._chosen(may_begin)
        if waiting is None:
            return None
        line = self._lines[waiting.user_id]
        self._leave(line)
        line.popleft()
        if line:
            self._enter(line)
        else:
            del self._lines[waiting.user_id]
        self._waiting -= 1
        self._served[waiting.user_id] = _Served(waiting, self._clock(), self._tick())
        self._workers = max(self._workers, len(self._served))
        self._charge(waiting, TURN_SECONDS, TURN_SECONDS)
        if self._forecast is not None:
            self._forecast.begun += 1
        self._changed()
        return waiting

    def workers_are(self, count: int) -> None:
        """So many can be busy at once now: workers have come or gone. Without it, as many as ever were."""
        self._workers = count

    def leave(self, user_id: int) -> None:
        """Nothing of this person's waits any more."""
        line = self._lines.pop(user_id, deque())
        self._leave(line)
        for waiting in line:
            self._gone(waiting.neighbourhood)
        self._waiting -= len(line)
        self._changed()

    def done(self, user_id: int, *, yielded: bool = False) -> None:
        """What was served to this student is judged, or waits again. What has `yielded` is not charged to its author,
        who did not ask for it, but to the neighbourhood, which held the worker."""
        served = self._served.pop(user_id, None)
        if served is None:
            return
        held_seconds = self._clock() - served.began
        self._charge(served.waiting, 0.0 if yielded else held_seconds, held_seconds)
        self._gone(served.waiting.neighbourhood)
        self._changed()

    def should_yield(self, user_id: int, may_begin: MayBegin = always) -> bool:
        """Whether what is served to this person should end and wait again, for others have no worker at all: it is not
        its neighbourhood's oldest, has run for PATIENCE_SECONDS, and no worker is free."""
        served = self._served.get(user_id)
        if served is None or len(self._served) < self._workers:
            return False
        if self._clock() - served.began < PATIENCE_SECONDS:
            return False
        place = served.waiting.neighbourhood
        beside = [other.number for other in self._served.values() if other.waiting.neighbourhood == place]
        if min(beside) == served.number:
            return False
        holding = {other.waiting.neighbourhood for other in self._served.values()}
        return any(
            user_id not in self._served and may_begin(self._lines[user_id][0])
            for place, people in self._near.items()
            if place not in holding
            for user_id in people
        )

    def serving(self) -> Iterator[tuple[Waiting, int]]:
        """What is being judged, each with the number at which it began: it began before all of a higher `arrival`."""
        return iter([(served.waiting, served.number) for served in self._served.values()])

    def present_of(self, user_id: int) -> int:
        """How many of this person wait or are judged."""
        return len(self._lines.get(user_id, ())) + (user_id in self._served)

    def present_near(self, neighbourhood: str) -> int:
        return self._present[neighbourhood]

    def __len__(self) -> int:
        return self._waiting

    def position(self, grading_id: int, user_id: int) -> int | None:
        """1 for who is next; None for what does not wait here. An estimate, in a long queue up to FORECAST_SECONDS old:
        every grading is taken to last as long as every other, and nobody new to come."""
        if all(waiting.grading_id != grading_id for waiting in self._lines.get(user_id, ())):
            return None
        if self._waiting == 1:
            return 1
        forecast = self._forecast
        if forecast is None or (forecast.is_stale and not self._is_fresh_enough(forecast)):
            forecast = self._forecast = _Forecast(self._look_ahead(), self._clock())
        last = self._waiting + forecast.begun  # where it is if it is unknown: it came since
        return max(1, forecast.positions.get(grading_id, last) - forecast.begun)

    # ---- order ----

    def _chosen(self, may_begin: MayBegin) -> Waiting | None:
        now = self._clock()
        in_hand, running = self._in_hand(now)
        of_place, of_person = self._places.seconds(), self._people.seconds()
        best: tuple[int, bool, int, int, int] | None = None
        chosen = None
        for place, people in self._near.items():
            workers = in_hand[place]
            if best is not None and workers > best[0]:
                # mutants: only saves time, since nobody here can be chosen
                continue
            occupied = _in_turns(of_place(place) + running.get(place, 0.0))
            for user_id in people:
                if user_id in self._served:
                    continue
                waiting = self._lines[user_id][0]
                order = (workers, _is_new(waiting, now), occupied, _in_turns(of_person(user_id)), waiting.arrival)
                if (best is None or order < best) and may_begin(waiting):
                    best, chosen = order, waiting
        return chosen

    def _in_hand(self, now: float) -> tuple[Counter[str], dict[str, float]]:
        """By neighbourhood: how many workers it holds, and the seconds for which they have run so far."""
        in_hand: Counter[str] = Counter()
        running: dict[str, float] = {}
        for served in self._served.values():
            place = served.waiting.neighbourhood
            in_hand[place] += 1
            running[place] = running.get(place, 0.0) + now - served.began
        return in_hand, running

    def _look_ahead(self) -> dict[int, int]:
        """The places of all that wait, were each to take EXPECTED_SECONDS. The first is what `next` takes."""
        now = self._clock()
        _, running = self._in_hand(now)
        of_place, of_person = self._places.seconds(), self._people.seconds()
        places = {place: of_place(place) + running.get(place, 0.0) for place in self._present}
        people = {user_id: of_person(user_id) for user_id in self._lines}
        for user_id, served in self._served.items():
            if user_id in people:
                people[user_id] += now - served.began
        ahead = _Ahead(places, people, now)
        first = self._chosen(always)
        if first is not None:
            ahead.take(first)
        for user_id, line in self._lines.items():
            ahead.enter(deque(line if first is None or first.user_id != user_id else list(line)[1:]))
        while (waiting := ahead.next()) is not None:
            ahead.take(waiting)
        return ahead.positions

    # ---- bookkeeping ----

    def _enter(self, line: deque[Waiting]) -> None:
        self._near.setdefault(line[0].neighbourhood, {})[line[0].user_id] = None

    def _leave(self, line: deque[Waiting]) -> None:
        if not line:
            return
        people = self._near[line[0].neighbourhood]
        people.pop(line[0].user_id, None)
        if not people:
            del self._near[line[0].neighbourhood]

    def _gone(self, neighbourhood: str) -> None:
        self._present[neighbourhood] -= 1
        if not self._present[neighbourhood]:
            del self._present[neighbourhood]

    def _charge(self, waiting: Waiting, person_seconds: float, place_seconds: float) -> None:
        self._people.add(waiting.user_id, person_seconds)
        self._places.add(waiting.neighbourhood, place_seconds)

    def _tick(self) -> int:
        # mutants: numbers are compared, never counted: any that grow do
        self._number += 1
        return self._number

    def _changed(self) -> None:
        if self._forecast is not None:
            self._forecast.is_stale = True

    def _is_fresh_enough(self, forecast: "_Forecast") -> bool:
        return self._waiting > FORECAST_ALWAYS and self._clock() - forecast.at < FORECAST_SECONDS


class _Ahead:
    """The turns to come. People wait in a heap for each neighbourhood, newcomers and others apart; `_order` is a heap
    of those heaps, in which an entry counts as long as its group was not offered again."""

    def __init__(self, places: dict[str, float], people: dict[int, float], now: float) -> None:
        self.positions: dict[int, int] = {}
        self._places, self._people, self._now = places, people, now
        self._groups: dict[tuple[bool, str], list[tuple[int, int, deque[Waiting]]]] = {}
        self._offers: Counter[tuple[bool, str]] = Counter()
        self._order: list[tuple[bool, int, int, int, int, str]] = []
        self._left: deque[Waiting] = deque()  # of the line whose turn it was

    def enter(self, line: deque[Waiting]) -> None:
        if line:
            key = (_is_new(line[0], self._now), line[0].neighbourhood)
            group = self._groups.setdefault(key, [])
            heapq.heappush(group, (_in_turns(self._people[line[0].user_id]), line[0].arrival, line))
            self._offer(key)

    def next(self) -> Waiting | None:
        while self._order:
            is_new, _, _, _, offer, place = heapq.heappop(self._order)
            if offer == self._offers[is_new, place]:
                _, _, line = heapq.heappop(self._groups[is_new, place])
                self._left = line
                return line.popleft()
        return None

    def take(self, waiting: Waiting) -> None:
        self.positions[waiting.grading_id] = len(self.positions) + 1
        place = waiting.neighbourhood
        self._places[place] += EXPECTED_SECONDS + TURN_SECONDS
        self._people[waiting.user_id] += EXPECTED_SECONDS + TURN_SECONDS
        self.enter(self._left)
        self._left = deque()
        for key in ((False, place), (True, place)):
            self._offer(key)

    def _offer(self, key: tuple[bool, str]) -> None:
        if group := self._groups.get(key):
            self._offers[key] += 1
            occupied, arrival, _ = group[0]
            place = _in_turns(self._places[key[1]])
            heapq.heappush(self._order, (key[0], place, occupied, arrival, self._offers[key], key[1]))


@dataclass
class _Forecast:
    """Positions by grading, as they were `at` a time; `begun`: how many turns were taken since."""

    positions: dict[int, int]
    at: float
    begun: int = 0
    is_stale: bool = False


def _is_new(waiting: Waiting, now: float) -> bool:
    return waiting.is_newcomer and now - waiting.since < NEWCOMER_SECONDS


def _in_turns(seconds: float) -> int:
    """Less than a turn is no difference: then whose grading came first is."""
    return round(seconds / TURN_SECONDS)
