"""GIFT of a course's questions, a category for each lesson. It has no points, no pictures and no gaps."""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction

from app.content.course import Course
from app.content.formats.carried import carried
from app.content.formats.from_html import words_of
from app.content.formats.kind import Exported, Lost, NoCounterpart, Refused
from app.content.formats.portable import Answer, Portable, asking, decimal, lost_of, percentage, unasked

NAME = "gift"
SUFFIX = ".gift"


def exported(course: Course) -> Exported:
    parts: list[str] = []
    lost: list[Lost] = []
    left_out: list[Refused] = []
    count = 0
    for lesson, questions in asking(course):
        path = "/".join(title.replace("/", "//") for title in (course.title, lesson.title))
        parts.append(f"$CATEGORY: $course$/top/{' '.join(path.split())}")
        found: dict[str, list[str]] = {}
        for question in questions:
            portable = Portable(question)
            try:
                parts.append(_question(portable))
            except NoCounterpart as error:
                left_out.append(Refused(question.slug, str(error)))
                continue
            count += 1
            found[question.slug] = portable.lost
        lost += lost_of(lesson, found)
        left_out += unasked(lesson)
    content = "\n\n".join([*parts, f"// {carried(course)}"]) + "\n"
    return Exported(content.encode(), count, tuple(lost), tuple(left_out))


def _question(portable: Portable) -> str:
    question = portable.question
    if (written := _TYPES.get(question.type)) is None:
        raise NoCounterpart(f"GIFT has no questions of the type {question.type}.")
    if question.points != 1:
        portable.lose(f"its {decimal(question.points)} points: GIFT has none")
    for text in (question.prompt, question.explanation or ""):
        for path in portable.figures(text):
            portable.lose(f"the picture {path}: GIFT has none")
    answers = written(portable)
    if portable.explanation:
        answers.append(f"\t####[html]{_escaped(portable.explanation)}")
    inside = "\n".join(["{", *answers, "}"]) if answers else "{}"
    return f"::{_escaped(question.slug)}::[html]{_escaped(portable.prompt)}{inside}"


def _escaped(text: str) -> str:
    """In one line: an empty one would end the question."""
    return re.sub(r"([~=#{}:\\])", r"\\\1", text).replace("\n", "\\n")


def _weighed(share: Fraction) -> str:
    return f"%{percentage(share)}%"


def _said(html: str) -> str:
    return f"#{_escaped(html)}" if html else ""


def _options(portable: Portable) -> list[str]:
    question = portable.question
    if not question.shuffle:
        portable.lose("that its options stand in a fixed order")
    if question.right:
        portable.lose("what it says of a right answer")
    is_choice = question.type == "choice"
    return [_option(answer, is_choice) for answer in portable.options]


def _option(answer: Answer, is_choice: bool) -> str:
    text, share, feedback = answer
    sign = "=" if is_choice and share == 1 else f"~{_weighed(share)}" if share or not is_choice else "~"
    return f"\t{sign}{_escaped(text)}{_said(feedback)}"


def _typed(portable: Portable) -> list[str]:
    answers = [
        f"\t={'' if share == 1 else _weighed(share)}{_escaped(text.replace('*', _STAR))}{_said(feedback)}"
        for text, share, feedback in portable.typed
    ]
    return [*answers, *_other(portable)]


_STAR = "\\*"


def _other(portable: Portable) -> list[str]:
    return [f"\t=%0%*{_said(portable.other)}"] if portable.other else []


def _number(portable: Portable) -> list[str]:
    answers = [
        f"\t={'' if share == 1 else _weighed(share)}{decimal(value)}:{decimal(near)}{_said(feedback)}"
        for value, near, share, feedback in portable.number
    ]
    return ["\t#", *answers, *_other(portable)]


def _matching(portable: Portable) -> list[str]:
    if any("<" in answer for _, answer in portable.pairs):
        portable.lose("the markup of its answers, which Moodle shows as plain text")
    return [f"\t={_escaped(item)} -> {_escaped(words_of(answer))}" for item, answer in portable.pairs]


def _order(portable: Portable) -> list[str]:
    portable.lose("that its lines are put in order: each is matched with its number")
    return [f"\t={place} -> {_escaped(words_of(line))}" for place, line in enumerate(portable.lines, 1)]


def _essay(portable: Portable) -> list[str]:
    if portable.rubric:
        portable.lose("its rubric")
    return []


_TYPES: Mapping[str, Callable[[Portable], list[str]]] = {
    "choice": _options,
    "choices": _options,
    "text": _typed,
    "shape": _typed,
    "predict": _typed,
    "number": _number,
    "count": _number,
    "matching": _matching,
    "order": _order,
    "essay": _essay,
}
