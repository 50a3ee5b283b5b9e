"""What questions with options have in common: what is wrong with the options, and how a right answer is shown."""

from collections.abc import Iterable, Iterator
from fractions import Fraction

from app.content.questions.kind import Fields
from app.content.questions.question import Question, Values, values_of, where
from app.content.substitution import substitute
from graders.exercise.fault import Fault

REMEDY = "This is a fault of the judge's: please report it."


def placeholder(question: Question) -> str:
    return ""


def answer_text(question: Question, values: Values) -> str:
    return "; ".join(substitute(choice.text, values) for choice in question.choices if choice.right)


def shown_answer(question: Question, values: Values) -> str:
    return ""


def picked(question: Question, fields: Fields) -> list[str]:
    return [value for name, value in fields if name == "answer"]


def percent(part: Fraction | int) -> str:
    return f"{float(100 * part):.6g}%"


def right_keys(question: Question) -> list[str]:
    return [choice.key for choice in question.choices if choice.right]


def option_faults(question: Question, own: Iterable[Fault], thing: str, write: str, instead: str) -> Iterator[Fault]:
    """`own`: the type's own faults, where there are options enough. `thing`: what its options are called; `write` says
    how to write them, `instead` what stands for `:answer:`."""
    if len(question.choices) < 2:
        message = f"A question of type {question.type} needs at least two {thing}."
        yield question.fault(question.line, message, write)
    else:
        yield from own
    for choice in question.choices:
        if not choice.text.strip():
            yield question.fault(choice.line, "An option is empty.", "Write its text after the box.")
        elif not choice.right and not choice.feedback:
            message = "A wrong option has no feedback."
            yield question.fault(choice.line, message, "Add ` -- why it is wrong`.", "warning")
    yield from unused_settings(question, instead)
    yield from alike(question, thing)


def unused_settings(question: Question, instead: str) -> Iterator[Fault]:
    for name, used in (("answer", question.answer), ("mistake", question.mistakes)):
        if used:
            yield question.fault(question.line, f"A question of type {question.type} has no `:{name}:`.", instead)


def alike(question: Question, thing: str) -> Iterator[Fault]:
    for draw in range(question.draws):
        values = values_of(question, draw)
        texts = [substitute(choice.text, values) for choice in question.choices]
        if len(set(texts)) != len(texts):
            message = f"Two {thing} are the same{where(values)}."
            yield question.fault(question.line, message, "Change one of them.")
            return


def marked_faults(question: Question, own: Iterable[Fault]) -> Iterator[Fault]:
    """Of options in a task list. `own`: as for `option_faults`, where some option is right."""
    faults = own
    if not right_keys(question):
        faults = [question.fault(question.line, "No option is right.", "Mark the right one `- [x]`.")]
    return option_faults(
        question,
        faults,
        "options",
        "Write them as `- [ ] wrong -- why` and `- [x] right -- why`.",
        "Mark the right option `- [x]`, and write its feedback after ` -- `.",
    )
