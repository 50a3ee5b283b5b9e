"""`predict`: what does this code print? `check` runs the code, and proves that it prints what the answer says."""

import re
from collections.abc import Iterator

from app.content.expression import UnreadableAnswer
from app.content.questions import typed
from app.content.questions.kind import Outcome, Reading, Try, Written
from app.content.questions.printed import is_same_print, near_line, set_closely
from app.content.questions.question import Question, Values, values_of
from app.content.substitution import substitute
from graders.exercise.fault import Fault

NAME = "predict"
WRITTEN = Written("answer", settings=typed.SETTINGS | {"framework"}, is_text=True, is_output=True)
WIDGET = typed.LINES
REMEDY = typed.REMEDY


def placeholder(question: Question) -> str:
    return "what it prints"


def read(question: Question, values: Values, answer: str) -> Reading:
    if not answer.strip():
        raise UnreadableAnswer("There is no answer yet.", "Type what the code prints, line by line.")
    return Reading(read_output(answer))


def read_output(text: str) -> str:
    """What a program prints, as it is compared: without space at the ends of lines and empty lines around it. Inside
    brackets space and line ends count only where they part two words: `(2,3)` is `(2, 3)`, and `[[1 2]` above `[3 4]]`
    is `[[1 2] [3 4]]`."""
    lines: list[str] = []
    depth = 0
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        if depth and lines:
            lines[-1] += f" {line.strip()}"
        else:
            lines.append(line.rstrip())
        depth = max(0, depth + sum(line.count(sign) for sign in "([{") - sum(line.count(sign) for sign in ")]}"))
    return "\n".join(map(set_closely, lines)).strip("\n")


def judge(question: Question, values: Values, output: str) -> Outcome:
    right = read_output(substitute(question.answer, values))
    if output == right:
        return Outcome(1.0)

    def is_met(mistake: str) -> bool:
        return read_output(_typed(mistake, values)) == output

    if is_same_print(output, right) and not any(is_met(mistake.expression) for mistake in question.mistakes):
        return Outcome(1.0)
    return typed.missed(question, is_met, lambda: _first_line_off(output.split("\n"), right.split("\n")))


def _typed(mistake: str, values: Values) -> str:
    """With its lines, which an author writes as `\\n`."""
    return substitute(mistake, values).replace("\\n", "\n")


def _first_line_off(output: list[str], right: list[str]) -> str | None:
    if len(output) != len(right):
        prints = "1 line" if len(right) == 1 else f"{len(right)} lines"
        return f"It prints {prints}; you typed {len(output)}."
    place = next(n for n, (mine, theirs) in enumerate(zip(output, right, strict=True), 1) if mine != theirs)
    first = f"Line {place} is the first that is not what it prints." if len(right) > 1 else None
    near = near_line(output[place - 1], right[place - 1])
    return " ".join(filter(None, [first, near])) or None


def predicted_code(question: Question, values: Values) -> str | None:
    """The Python whose output is asked for: all of the prompt's fences in Python, one after the other."""
    found = _PYTHON_FENCE.findall(substitute(question.prompt, values))
    return "\n".join(source for _, source in found) or None


_PYTHON_FENCE = re.compile(r"^(`{3,}|~{3,})python\s*\n(.*?)^\1\s*$", re.DOTALL | re.MULTILINE)


def answer_text(question: Question, values: Values) -> str:
    return substitute(question.answer, values)


shown_answer = answer_text


def faults(question: Question) -> Iterator[Fault]:
    def output(written: str, values: Values) -> str:
        return read_output(_typed(written, values))

    return typed.answer_faults(question, output, own=_missing_code(question))


def _missing_code(question: Question) -> Iterator[Fault]:
    if not predicted_code(question, values_of(question, 0)):
        hint = "Put the code between ```python and ``` in the prompt."
        yield question.fault(question.line, "There is no code whose output could be predicted.", hint)


def tries(question: Question, values: Values) -> Iterator[Try]:
    output = answer_text(question, values)
    right = (output, output.replace("\n", "  \r\n") + "\r\n\r\n")
    return typed.tries(question, right, lambda mistake: [_typed(mistake, values)])
