"""What the web asks of a queue. What workers ask is graders.worker.Queue; a queue may be both, or two programs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from app.practice.submissions import Shown
from app.queue.turns import Waiting
from graders.exercise.preparer import Preparer


@dataclass(frozen=True)
class Crew:
    """A worker over a broker, as its last beat told. `frameworks` empty: all. `held`: gradings that it has been handed
    and not finished. `parked`: warm boxes that wait."""

    name: str
    frameworks: tuple[str, ...]
    threads: int
    held: tuple[int, ...]
    parked: int
    beat_seconds_ago: float


class WebQueue(Protocol):
    """Where submissions are put, and what is asked of them while they wait. The rows are the truth: what is in here is
    in them, and may be read back from them at any time."""

    def start(self) -> None:
        """Takes up what waits in the rows, oldest first, and what nobody runs any more."""

    def close(self) -> None:
        """Ends every claim that waits. What runs is left to the next start, or to another process."""

    def put(self, waiting: Waiting) -> None:
        """Queues a grading. Called after the commit that wrote its row."""

    def present(self, user_id: int, neighbourhood: str) -> tuple[int, int]:
        """How many gradings of this person wait or run, and how many of this neighbourhood."""

    def placed(self, shown: Shown) -> Shown:
        """The submission with its place in the queue, if it waits: 1 for what is next."""

    def finished(self, submission_id: int) -> Shown | None:
        """A submission whose verdict this process has written a moment ago. None: its rows must be read. Never blocks:
        it is called on the event loop."""

    def counts(self) -> dict[str, float]:
        """How many gradings are `waiting`, and how many `running`."""

    def longest_wait_seconds(self) -> float:
        """How long the oldest waiting grading has waited."""

    def workers(self) -> dict[str, float]:
        """Who judges elsewhere: how many threads each has, by name. None of this process."""

    def crews(self) -> Sequence[Crew]:
        """The workers over a broker that were heard of in the last seconds, by name; also those of web processes."""

    def nobody_for(self, framework: str, exercise: str) -> str:
        """Why no connected worker can judge this exercise in this framework; "" where one can."""

    def can_judge(self) -> bool:
        """Whether anybody is there to judge: this process where it has a judge, or a worker somewhere."""

    def is_cut_off(self) -> bool:
        """Whether a broker has turned this process away, as where it no longer takes the password."""

    def build_by(self, preparer: Preparer) -> None:
        """From now on a grading waits until `preparer` has settled its exercise, and holds no worker meanwhile."""

    def look_again(self) -> None:
        """What may begin has changed: an exercise has been built."""
