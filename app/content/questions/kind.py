"""What every type of question is. A type is a module of this package that meets the Protocol below; `table` lists it.

Its names are its own, and none has a default: a type that lacks one fails when `table` is imported.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol, runtime_checkable

from app.content.questions.question import Mistake, Question, Values
from graders.exercise.fault import Fault

# An answer as it is sent: what was typed, an option's key, several of either, or keys by keys.
Reply = str | list[str] | dict[str, str]
Fields = Sequence[tuple[str, str]]  # of a form, in their order


@dataclass(frozen=True)
class Reading:
    """An answer as it was understood: `value` for the judge, `read_as` for the student where the two may differ."""

    value: object
    read_as: str | None = None


@dataclass(frozen=True)
class Outcome:
    """`feedback` is Markdown. `parts`: the share that each part of a question with parts earned."""

    score: float
    feedback: str | None = None
    parts: tuple[float, ...] = ()


def with_remark(question: Question, outcome: Outcome) -> Outcome:
    """What the author says of every right answer comes before what its type says."""
    if outcome.score < 1 or question.right is None:
        return outcome
    return replace(outcome, feedback="\n\n".join(filter(None, [question.right.text, outcome.feedback])))


@dataclass(frozen=True)
class Try:
    """An answer as a student may give it, and what must come of it. `name` is how a fault calls it; `mistake`: it is
    that one, which must be told its text; `feedback` must be part of what is told."""

    answer: Reply
    name: str
    is_right: bool = False
    feedback: str | None = None
    mistake: Mistake | None = None


@dataclass(frozen=True)
class ListStyle:
    """How options are written in Markdown: what a pattern's last group holds. `is_ordered`: they stand in their right
    order, which is never the order shown; all are right, and none has feedback or a mark. An answer in the order shown
    earns nothing, since nobody need have thought of it. `is_paired`: each is an item
    and its answer, `item => answer`. `part_is_right`: an option
    that earns a part, `[40%]`, is one of those to pick."""

    item: re.Pattern[str]
    is_ordered: bool = False
    is_paired: bool = False
    part_is_right: bool = False


TASK_LIST = ListStyle(re.compile(r"[-*+]\s+\[([ xX]|[-−+]?[0-9]{1,3}(?:\.[0-9]+)?\s?%)\]\s+(.*)"))


@dataclass(frozen=True)
class Written:
    """How an author writes a question of this type.

    `right_in`: what holds the right answer, and so which fields its form has: the list of options, `:answer:`, the
    gaps, or, where a person grades, the rubric. `settings`: those of `:tolerance:`, `:rtol:`, `:framework:`,
    `:partly:` and `:other:` that it knows. `is_text`: `:answer:` and `:mistake:` are texts with `{{names}}` in them,
    not formulas. `is_output`: the answer is what code in the prompt prints; it may have lines, and `check` runs the
    code. `is_number`: its answer is one formula of a number. `gaps`: the types that its gaps may have.
    """

    right_in: Literal["options", "answer", "gaps", "rubric"]
    options: ListStyle = TASK_LIST
    settings: frozenset[str] = frozenset()
    is_text: bool = False
    is_output: bool = False
    is_number: bool = False
    gaps: frozenset[str] = frozenset()
    is_graded_by_hand: bool = False


@dataclass(frozen=True)
class Widget:
    """How it is asked on a page: with which part of a template, and what that part's fields say in a form.

    `fields` and `review` name templates: its inputs, and its answer in the review of a sitting. `takes` is what an
    answer is, in JSON as in a form. `script` is below static/, for a page that has the widget. `is_one_line`: a button
    may stand beside it. `holds_prompt`: its inputs stand within the prompt.
    """

    fields: str
    review: str
    takes: Literal["text", "keys", "pairs", "gaps"]
    reply: Callable[[Question, Fields], Reply]
    script: str = ""
    is_one_line: bool = False
    holds_prompt: bool = False
    most_characters: int = 2000  # of what is typed


@runtime_checkable
class Kind(Protocol):
    """A type of question. Reading comes first and needs no answer; judging gets the value that reading gave.

    Both, and `answer_text`, may raise UnreadableAnswer, with the remedy.
    """

    NAME: str
    WRITTEN: Written
    WIDGET: Widget
    REMEDY: str  # what its author does about a right answer that is not judged right

    def placeholder(self, question: Question) -> str:
        """What an empty field shows."""

    def read(self, question: Question, values: Values, answer: Any) -> Reading:
        """`answer` as its widget takes it, of bounded size. It depends on what the student can see, and on nothing
        else."""

    def judge(self, question: Question, values: Values, value: Any) -> Outcome: ...

    def answer_text(self, question: Question, values: Values) -> str:
        """The right answer, as `{{answer}}` shows it."""

    def shown_answer(self, question: Question, values: Values) -> str:
        """The right answer in a review, "" where its options show it."""

    def faults(self, question: Question) -> Iterator[Fault]:
        """What is wrong in what its author wrote, in any variant."""

    def tries(self, question: Question, values: Values) -> Iterator[Try]:
        """The right answer in each spelling that must be understood; then wrong ones."""
