"""`order`: lines to put in their right order, which earn what need not be moved.

The least number of lines that must be moved is what is not in the longest increasing subsequence (an edit distance by
moves, as PrairieLearn's `pl-order-blocks` counts edits). At worst, in reverse, all but one must be moved: that earns 0,
and each move that is saved an equal share.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from app.content.expression import UnreadableAnswer
from app.content.questions import picks
from app.content.questions.kind import Fields, ListStyle, Outcome, Reading, Try, Widget, Written
from app.content.questions.question import Question, Values
from graders.exercise.fault import Fault

NAME = "order"
WRITTEN = Written("options", options=ListStyle(re.compile(r"[0-9]{1,2}[.)]\s+(.*)"), is_ordered=True))
REMEDY = picks.REMEDY
placeholder = picks.placeholder
answer_text = picks.answer_text
shown_answer = picks.shown_answer


def _reply(question: Question, fields: Fields) -> list[str]:
    """Each line at the number it was given; where two have the same, or one has none, its place stays empty, so that a
    sitting keeps the numbers that are there, and the judge asks for the others."""
    ranks = [(name.removeprefix("rank-"), value.strip()) for name, value in fields if name.startswith("rank-")]
    if not any(rank for _, rank in ranks):
        return []
    numbers = [str(number) for number in range(1, len(question.choices) + 1)]
    at = {number: [key for key, rank in ranks if rank == number] for number in numbers}
    return [at[number][0] if len(at[number]) == 1 else "" for number in numbers]


WIDGET = Widget(
    "quizzes/questions/_order.html", "quizzes/questions/_order.review.html", "keys", _reply, script="js/order.js"
)


def read(question: Question, values: Values, answer: list[str]) -> Reading:
    places = {choice.key: place for place, choice in enumerate(question.choices)}
    if set(answer) - set(places) - {""}:  # a place that no line has yet
        raise UnreadableAnswer("That is not one of the lines.", "Load the question again, then order them.")
    if len(answer) != len(places) or set(answer) != set(places):
        raise UnreadableAnswer(
            "Some lines have no number, or share one.", f"Number the lines from 1 to {len(places)}, each once."
        )
    return Reading(tuple(places[key] for key in answer))


def judge(question: Question, values: Values, order: tuple[int, ...]) -> Outcome:
    score = order_credit(order)
    if score == 1:
        return Outcome(score)
    first = next(place for place, right in enumerate(order) if place != right)
    moves = moves_needed(order)
    begun = {0: "The first line is not the right one yet.", 1: "The first line is right; the second is not yet."}
    start = begun.get(first, f"The first {first} lines are right; line {first + 1} is not yet.")
    more = "Moving one line is enough." if moves == 1 else f"Moving {moves} lines is enough."
    return Outcome(score, f"{start} {more}" if score else start)


def moves_needed(order: Sequence[int]) -> int:
    """How many of these distinct places must be moved until they increase."""
    tails: list[int] = []  # tails[n]: the least last place of an increasing run of n + 1
    for place in order:
        at = bisect_left(tails, place)
        tails[at : at + 1] = [place]
    return len(order) - len(tails)


def order_credit(order: Sequence[int]) -> float:
    """`order`: the right place of each line, in the order given, a permutation of at least two."""
    return 1 - moves_needed(order) / (len(order) - 1)


def faults(question: Question) -> Iterator[Fault]:
    return picks.option_faults(
        question,
        _own_faults(question),
        "lines",
        "Write them as a numbered list, in the right order.",
        "The right order is the one that they are written in.",
    )


def _own_faults(question: Question) -> Iterator[Fault]:
    if not question.shuffle:
        yield question.fault(question.line, "Lines to be ordered are always shuffled.", "Remove `:shuffle:`.")


def tries(question: Question, values: Values) -> Iterator[Try]:
    right = picks.right_keys(question)
    yield Try(right, "`the right order`", is_right=True)
    yield Try(right[::-1], "`the reverse`")
