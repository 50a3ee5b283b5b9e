"""`matching`: each item on the left has one answer on the right, which earns an equal share.

Answers may belong to several items, and some may be spare: they belong to none. An item without an answer earns
nothing, and costs nothing.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise

from app.content.expression import UnreadableAnswer
from app.content.questions import picks
from app.content.questions.kind import Fields, ListStyle, Outcome, Reading, Try, Widget, Written
from app.content.questions.question import Pair, Question, Values, values_of, where
from app.content.substitution import substitute
from graders.exercise.fault import Fault

NAME = "matching"
WRITTEN = Written("options", options=ListStyle(re.compile(r"[-*+]\s+(.*(?<=\s)=>(?:\s.*|$))"), is_paired=True))
REMEDY = picks.REMEDY
OPTIONS_MAX = 26  # as many letters as there are to call them by
placeholder = picks.placeholder
shown_answer = picks.shown_answer


def _reply(question: Question, fields: Fields) -> dict[str, str]:
    picked = ((name.removeprefix("match-"), value) for name, value in fields if name.startswith("match-"))
    return {left: right for left, right in sorted(picked) if right}


WIDGET = Widget("quizzes/questions/_matching.html", "quizzes/questions/_matching.review.html", "pairs", _reply)


def read(question: Question, values: Values, answer: Mapping[str, str]) -> Reading:
    lefts = {pair.key for pair in question.pairs}
    if set(answer) - lefts or set(answer.values()) - {choice.key for choice in question.choices}:
        raise UnreadableAnswer("That is not one of the items.", "Load the question again, then match them.")
    if not answer:
        raise UnreadableAnswer("Nothing is matched.", "Pick an answer for each item.")
    count = len(lefts)
    return Reading(answer, None if len(answer) == count else f"{len(answer)} of {count} matched")


def judge(question: Question, values: Values, matched: Mapping[str, str]) -> Outcome:
    hits = tuple(matched.get(pair.key) == pair.partner for pair in question.pairs)
    lines = [
        f"- {_line(pair.text)}: {_line(pair.feedback)}"
        for pair, is_hit in zip(question.pairs, hits, strict=True)
        if pair.feedback and not is_hit and pair.key in matched
    ]
    if all(hits):
        return Outcome(1.0, parts=tuple(map(float, hits)))
    counted = f"{sum(hits) or 'None'} of the {len(hits)} {'is' if sum(hits) == 1 else 'are'} matched right."
    if _is_swapped(question, matched):
        counted += " Two of your answers are swapped."
    return Outcome(sum(hits) / len(hits), "\n\n".join([counted, "\n".join(lines)]).strip(), tuple(map(float, hits)))


def _is_swapped(question: Question, matched: Mapping[str, str]) -> bool:
    """Whether all is right but for two items, each of which has the other's answer."""
    missed = [pair for pair in question.pairs if matched.get(pair.key) != pair.partner]
    if len(missed) != 2 or len(question.pairs) < 3:
        return False
    first, second = missed
    return matched.get(first.key) == second.partner and matched.get(second.key) == first.partner


def _line(text: str) -> str:
    return " ".join(text.split())


def answer_text(question: Question, values: Values) -> str:
    rights = {choice.key: choice.text for choice in question.choices}
    return "; ".join(substitute(f"{pair.text}: {rights[pair.partner]}", values) for pair in question.pairs)


def faults(question: Question) -> Iterator[Fault]:
    yield from picks.unused_settings(question, "Write each pair as `- item => its answer`.")
    if len(question.pairs) < 2 or len(question.choices) < 2:
        message = "A question of type matching needs at least two items and two different answers."
        yield question.fault(question.line, message, "Write them as `- item => its answer`.")
    elif len(question.choices) > OPTIONS_MAX:
        message = f"There are {len(question.choices)} answers to match with."
        yield question.fault(question.choices[OPTIONS_MAX].line, message, f"Give at most {OPTIONS_MAX}.")
    for choice in question.choices:
        if not choice.text:
            yield question.fault(choice.line, "An item has no answer.", "Write `- item => its answer`.")
    yield from picks.alike(question, "answers")
    yield from _alike_items(question)


def _alike_items(question: Question) -> Iterator[Fault]:
    for draw in range(question.draws):
        values = values_of(question, draw)
        items = sorted((substitute(pair.text, values), pair.line) for pair in question.pairs)
        for (text, _), (other, line) in pairwise(items):
            if text == other:
                yield question.fault(line, f"Two items are the same{where(values)}.", "Change one of them.")
                return


def tries(question: Question, values: Values) -> Iterator[Try]:
    """All that is right; each item with every other answer, and without one."""
    right = {pair.key: pair.partner for pair in question.pairs}
    yield Try(right, "`every pair`", is_right=True)
    for pair in question.pairs:
        yield Try(_without(right, pair), f"`{pair.text}` without an answer")
        for choice in question.choices:
            if choice.key != pair.partner:
                feedback = _line(pair.feedback) if pair.feedback else None
                yield Try({**right, pair.key: choice.key}, f"`{pair.text}` with `{choice.text}`", feedback=feedback)


def _without(right: Mapping[str, str], pair: Pair) -> dict[str, str]:
    return {key: partner for key, partner in right.items() if key != pair.key}
