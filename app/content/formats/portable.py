"""A question as other systems can have it: in its first variant, its texts as HTML, its answers as plain texts.

What no other system has is in `lost`, in words; what an export cannot hold beside that, its own file says.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Context, Decimal
from fractions import Fraction
from functools import cached_property

from app.content.course import Course
from app.content.expression import UnreadableAnswer, read_real, ungrouped
from app.content.formats.kind import Lost, NoCounterpart, Refused
from app.content.formats.to_html import figures_in, html_of, line_html, not_shown
from app.content.lesson import Lesson
from app.content.questions.asking import answer_text
from app.content.questions.choices import weights
from app.content.questions.question import Question, values_of, where
from app.content.questions.table import kind_of
from app.content.substitution import numbers_in

Answer = tuple[str, Fraction, str]  # an option's HTML or a typed text, the share that it earns, its feedback as HTML
DIGITS = 15


@dataclass
class Portable:
    """`folder`: what stands before a figure's name. `question` may be a gap of another."""

    question: Question
    folder: str = "figures/"
    lost: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        question = self.question
        self.values = values_of(question, 0)
        if question.draws > 1:
            self.lose(f"{question.draws - 1} of its {question.draws} variants: it is exported{where(self.values)}")
        if question.pool:
            self.lose(f"its pool `{question.pool}`")
        texts = [question.prompt, question.explanation or "", *(remark.text for remark in question.remarks)]
        for text in texts:
            for what in not_shown(text):
                self.lose(what)

    def lose(self, what: str) -> None:
        if what not in self.lost:
            self.lost.append(what)

    # -------------------------------------------------------------- its texts

    @cached_property
    def _known(self) -> dict[str, str]:
        """What feedback may show: the given values and the answer."""
        return {**self.values, "answer": answer_text(self.question, self.values)}

    @property
    def prompt(self) -> str:
        return html_of(self.question.prompt, self.values, self._picture)

    @property
    def explanation(self) -> str:
        return html_of(self.question.explanation or "", self._known, self._picture)

    @property
    def rubric(self) -> str:
        return html_of(self.question.rubric.text, self._known, self._picture) if self.question.rubric else ""

    @property
    def right(self) -> str:
        """What is told after a right answer."""
        return self.feedback(self.question.right.text if self.question.right else None)

    @property
    def other(self) -> str:
        return self.feedback(self.question.other.text if self.question.other else None)

    def line(self, text: str) -> str:
        return line_html(text, self.values, self._picture)

    def feedback(self, text: str | None) -> str:
        return line_html(text, self._known, self._picture) if text else ""

    def figures(self, text: str) -> list[str]:
        return figures_in(text)

    def _picture(self, source: str) -> str:
        return self.folder + source.removeprefix("./").removeprefix("figures/")

    # -------------------------------------------------------------- its answers

    @property
    def options(self) -> list[Answer]:
        """Of `choice` and `choices`: each option with the share that it earns or costs."""
        question = self.question
        weighed = weights(question) if question.type == "choices" else {}
        return [
            (
                self.line(each.text),
                weighed.get(each.key, each.credit or Fraction(each.right)),
                self.feedback(each.feedback),
            )
            for each in question.choices
        ]

    @property
    def lines(self) -> list[str]:
        return [self.line(choice.text) for choice in self.question.choices]

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Items with their answers; then spare answers, each with "" for its item."""
        answers = {choice.key: self.line(choice.text) for choice in self.question.choices}
        if any(pair.feedback for pair in self.question.pairs):
            self.lose("the feedback of its items")
        spare = [("", answers[choice.key]) for choice in self.question.choices if not choice.right]
        return [(self.line(pair.text), answers[pair.partner]) for pair in self.question.pairs] + spare

    @property
    def typed(self) -> list[Answer]:
        """Of `text`, `shape` and `predict`: each spelling that is known. Raises NoCounterpart."""
        question, right, found = self.question, self.right, []
        for trial in kind_of(question).tries(question, self.values):
            share, feedback = Fraction(1), right
            if trial.mistake:
                share, feedback = trial.mistake.credit, self.feedback(trial.mistake.text)
            found.append((str(trial.answer).strip(), share, feedback))
        answers = list(dict.fromkeys(found))
        if any("\n" in text for text, share, _ in answers if share == 1):
            raise NoCounterpart("Its answer has several lines, and a short answer has one.")
        if question.type != "text":
            self.lose(f"that its answer is read as a {question.type}: it is a text, in {_count(answers)} spellings")
        return [answer for answer in answers if "\n" not in answer[0]]

    @property
    def number(self) -> list[tuple[Fraction, Fraction, Fraction, str]]:
        """Of `number` and `count`: each value, its tolerance, the share that it earns, its feedback."""
        question = self.question
        value = self._computed(question.answer)
        near = question.atol + question.rtol * abs(value)
        self._lose_of_number(value, near)
        found = [(value, near, Fraction(1), self.right)]
        for known in question.mistakes:
            try:
                found.append((self._computed(known.expression), near, known.credit, self.feedback(known.text)))
            except UnreadableAnswer:
                self.lose(f"the mistake `{known.expression}`")
        return found

    def _lose_of_number(self, value: Fraction, near: Fraction) -> None:
        question = self.question
        if question.rtol:
            self.lose("that its tolerance is relative: it is that of this answer")
        if question.answer.rstrip().endswith("%"):
            self.lose("that it asks for a percentage")
        is_whole = not near and value >= 0 and value.denominator == 1
        if (question.type == "count") != is_whole:
            self.lose(f"that its answer is read as a {question.type}")

    def _computed(self, expression: str) -> Fraction:
        plain = expression.strip()
        value = read_real(ungrouped(plain.removesuffix("%")), numbers_in(self.values)).number
        if value is None:
            raise UnreadableAnswer("It has a name without a value.", "Give it one.")
        return value / 100 if plain.endswith("%") else value


def _count(answers: Sequence[Answer]) -> int:
    return sum(share == 1 for _, share, _ in answers)


def decimal(value: Fraction) -> str:
    """A number in digits, without an exponent, to the last of 15."""
    exact = Context(prec=DIGITS).divide(Decimal(value.numerator), Decimal(value.denominator))
    text = f"{exact:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def percentage(share: Fraction) -> str:
    """With the five places that Moodle writes."""
    text = f"{float(share * 100):.5f}"
    return text.rstrip("0").rstrip(".")


def asking(course: Course) -> Iterator[tuple[Lesson, list[Question]]]:
    """The lessons that ask questions."""
    for lesson in course.lessons:
        if questions := list(lesson.questions.values()):
            yield lesson, questions


def lost_of(lesson: Lesson, lost: dict[str, list[str]]) -> list[Lost]:
    """What an export does not show: of the lesson, then of each of its questions by name."""
    around = [Lost(lesson.slug, "the text of the lesson around its questions")] if has_text(lesson) else []
    return around + [Lost(name, what) for name, whats in lost.items() for what in whats]


def has_text(lesson: Lesson) -> bool:
    return any(block.kind != "question" for block in lesson.render().blocks)


def unasked(lesson: Lesson) -> list[Refused]:
    """The questions of a lesson that cannot be asked, and so not exported."""
    faults = [fault for fault in lesson.faults if fault.severity == "error"]
    return [Refused(lesson.slug, f"{fault.message} {fault.hint}") for fault in faults]
