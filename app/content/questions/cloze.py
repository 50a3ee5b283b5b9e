"""`cloze`: several gaps in one text, each a small question of its own type, which earns its share of the points.

A gap stands in the prompt as `[[name]]`, and is written below it as a `{gap}`. It has the same `given` values as the
whole. Answers come in the order in which the gaps stand in the text; one that is empty earns nothing.
"""

from collections.abc import Iterator, Mapping, Sequence

from app.content.expression import UnreadableAnswer
from app.content.questions import choice, count, number, picks, shape, text
from app.content.questions.kind import Fields, Kind, Outcome, Reading, Try, Widget, Written, with_remark
from app.content.questions.question import Question, Values
from graders.exercise.fault import Fault

GAPS: Mapping[str, Kind] = {kind.NAME: kind for kind in (choice, text, number, count, shape)}
NAME = "cloze"
WRITTEN = Written("gaps", gaps=frozenset(GAPS))
REMEDY = "Correct the `{gap}`."
placeholder = picks.placeholder
shown_answer = picks.shown_answer


def _reply(question: Question, fields: Fields) -> list[str]:
    typed = dict(fields)
    answers = [typed.get(f"gap-{place}", "") for place in range(1, len(question.gaps) + 1)]
    return answers if any(answer.strip() for answer in answers) else []


WIDGET = Widget(
    "quizzes/questions/_cloze.html", "quizzes/questions/_cloze.review.html", "gaps", _reply, holds_prompt=True
)


def read(question: Question, values: Values, answer: Sequence[str]) -> Reading:
    if not any(typed.strip() for typed in answer):
        raise UnreadableAnswer("There is no answer yet.", "Fill the gaps, then send them.")
    if len(answer) != len(question.gaps):
        message = f"There are {len(answer)} answers for {len(question.gaps)} gaps."
        raise UnreadableAnswer(message, "Send one for each gap, in their order; an empty text is none.")
    read = [
        _read_gap(place, gap, values, typed) if typed.strip() else None
        for place, (gap, typed) in enumerate(zip(question.gaps, answer, strict=True), 1)
    ]
    understood = [f"[{place}] {gap.read_as}" for place, gap in enumerate(read, 1) if gap and gap.read_as]
    empty = [f"[{place}] empty" for place, gap in enumerate(read, 1) if gap is None]
    return Reading(tuple(read), " ".join(understood + empty) or None)


def _read_gap(place: int, gap: Question, values: Values, typed: str) -> Reading:
    try:
        return GAPS[gap.type].read(gap, values, typed)
    except UnreadableAnswer as error:
        raise UnreadableAnswer(f"Gap {place}: {error.message}", error.hint) from None


def judge(question: Question, values: Values, read: Sequence[Reading | None]) -> Outcome:
    outcomes = [
        with_remark(gap, GAPS[gap.type].judge(gap, values, reading.value)) if reading else Outcome(0.0)
        for gap, reading in zip(question.gaps, read, strict=True)
    ]
    parts = tuple(outcome.score for outcome in outcomes)
    lines = [f"- Gap {place}: {_indented(each.feedback)}" for place, each in enumerate(outcomes, 1) if each.feedback]
    hits = sum(part == 1 for part in parts)
    if hits == len(parts):
        return Outcome(1.0, "\n".join(lines) or None, parts)
    counted = f"{hits or 'None'} of the {len(parts)} gaps {'is' if hits == 1 else 'are'} right."
    points = [float(gap.points) for gap in question.gaps]
    score = sum(part * worth for part, worth in zip(parts, points, strict=True)) / sum(points)
    return Outcome(score, "\n\n".join([counted, "\n".join(lines)]).strip(), parts)


def _indented(text: str) -> str:
    return text.replace("\n", "\n  ")


def answer_text(question: Question, values: Values) -> str:
    return "; ".join(GAPS[gap.type].answer_text(gap, values) for gap in question.gaps)


def faults(question: Question) -> Iterator[Fault]:
    """Each gap's own faults come from its own type."""
    yield from picks.unused_settings(question, "Write it in a `:::{gap} name`, which holds one answer.")
    if not question.gaps:
        message = "A question of type cloze needs a gap."
        yield question.fault(question.line, message, "Write `[[name]]` in its text, and `:::{gap} name` below it.")
    for gap in question.gaps:
        times = question.prompt.count(f"[[{gap.slug}]]")
        if times != 1:
            message = f"The gap `{gap.slug}` stands in the text {times or 'not'} {'times' if times else 'at all'}."
            yield question.fault(gap.line, message, f"Write `[[{gap.slug}]]` once, where the gap is.")


def tries(question: Question, values: Values) -> Iterator[Try]:
    """Everything right; then one gap left empty. What else is typed into a gap is tried gap by gap."""
    right = [_right(gap, values) for gap in question.gaps]
    yield Try(right, "`every gap`", is_right=True)
    for place in range(len(right) if len(right) > 1 else 0):
        yield Try([*right[:place], "", *right[place + 1 :]], f"`gap {place + 1} empty`")


def _right(gap: Question, values: Values) -> str:
    answer = next(trial.answer for trial in GAPS[gap.type].tries(gap, values) if trial.is_right)
    assert isinstance(answer, str)
    return answer
