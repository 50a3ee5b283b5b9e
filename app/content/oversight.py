"""What the author of a question overlooked, as its lines show it before any type has read them, and as it was read.

`lost_lines`: lines that were meant as options, settings or the explanation, and would be read as a part of the prompt:
students would see them, feedback and all, before they answer. `oversights`: an answer that stands in its own prompt; a
given value that nobody sees.
"""

import itertools
import re
from collections.abc import Iterator

from app.content.page import Directive
from app.content.parser import OPTION_LINE
from app.content.questions.question import Question
from app.content.questions.table import KINDS, kind_of
from app.content.substitution import NAME, SUBSTITUTION
from graders.exercise.fault import Fault, Severity

_LIKE_AN_OPTION = re.compile(r"\s*(?:[-*+•–]|\d{1,2}[.)])?\s*\[\s*[xX]?\s*\](?!\()")
_LIKE_A_LINE = re.compile(r"\s*(?:\(?\d{1,2}[.):]|[-*+•]\s)\s*\S")
_WITH_FEEDBACK = re.compile(r"\s*[-*+•–]\s*\S.*\s--\s")
_LIKE_A_SETTING = re.compile(
    r"\s*:(?:type|given|answer|mistake|shuffle|tolerance|rtol|framework|points|partly|right|other|pool):"
)
_LIKE_AN_EXPLANATION = re.compile(r"\s*:+\s*\{?\s*(?:explain|explanation|solution)\b")
_SECTION = re.compile(r"(:{3,})\{(?:explain|rubric|gap)\}.*")  # which its own reader reads
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_PICKED = ("choice", "choices")
LEAST_DIGITS = 3  # of a number whose presence in its prompt is no accident


def lost_lines(directive: Directive, path: str) -> list[Fault]:
    """One fault for each line of a question that students would read though it is not meant for them."""
    lines = directive.body.split("\n")
    kind = KINDS.get(_type_of(lines))
    if kind is None:
        return []
    style = kind.WRITTEN.options
    faults = []
    for number, line in _prompt_lines(lines):
        if style.item.match(line):
            continue
        if _LIKE_A_SETTING.match(line):
            message, hint = "This setting stands below the prompt.", "Move it up, directly below `:type:`."
        elif _LIKE_AN_EXPLANATION.match(line):
            message, hint = "This does not open the explanation.", "Write `:::{explain}` at the left margin."
        elif style.is_ordered and _LIKE_A_LINE.match(line):
            message, hint = "This is no line of the list to be put in order.", "Write `1. text` at the left margin."
        elif not style.is_ordered and _LIKE_AN_OPTION.match(line):
            message, hint = "This is no option.", "Write `- [ ] text` or `- [x] text` at the left margin."
        elif kind.NAME in _PICKED and _WITH_FEEDBACK.match(line):
            message, hint = "This has feedback but is no option.", "Write `- [ ] text -- feedback`, with its box."
        else:
            continue
        message = f"{message} Students would read it in the prompt."
        faults.append(Fault("error", path, directive.line + 1 + number, "question", message, hint))
    return faults


def _type_of(lines: list[str]) -> str:
    head = itertools.takewhile(OPTION_LINE.match, (line for line in lines if not line.startswith("  ")))
    found = (OPTION_LINE.match(line) for line in head)
    return next((match[2] or "" for match in found if match and match[1] == "type"), "").strip()


def _prompt_lines(lines: list[str]) -> Iterator[tuple[int, str]]:
    """What is neither a setting at the head, nor code, nor in a section of its own; each with its number from 0."""
    fence, section, is_head = "", "", True
    for number, line in enumerate(lines):
        is_head = is_head and bool(OPTION_LINE.match(line) or line.startswith("  ") or (number and not line.strip()))
        if is_head:
            continue
        if section:
            section = "" if re.fullmatch(rf"{section}:*\s*", line) else section
        elif mark := _FENCE.match(line):
            fence = "" if fence and mark[1].startswith(fence) else fence or mark[1]
        elif opening := _SECTION.fullmatch(line):
            section = opening[1]
        elif not fence:
            yield number, line


def oversights(question: Question) -> Iterator[Fault]:
    yield from _unseen_values(question)
    yield from _answer_in_prompt(question)


def _unseen_values(question: Question) -> Iterator[Fault]:
    """A value of `:given:` that the student does not see."""
    shown = "\n".join([question.prompt, *(choice.text for choice in question.choices)])
    seen = _inserted(shown)
    asked = question.answer + " ".join(mistake.expression for mistake in question.mistakes)
    texts = [question.explanation or "", *(choice.feedback or "" for choice in question.choices)]
    for name in (name for given in question.given for name in given.names):
        if name in seen:
            continue
        if re.search(rf"\b{re.escape(name)}\b", asked):
            message = f"The answer depends on the given `{name}`, but the prompt does not show its value."
            yield _of(question, message, f"Write `{{{{{name}}}}}` in the prompt.", "error")
        elif name not in _inserted("\n".join(texts)):
            message = f"The given `{name}` is not used: it only makes variants that look the same."
            yield _of(question, message, f"Write `{{{{{name}}}}}` in the prompt, or remove it.", "warning")


def _inserted(text: str) -> set[str]:
    return {name for match in SUBSTITUTION.finditer(text) for name in NAME.findall(match[1])}


def _answer_in_prompt(question: Question) -> Iterator[Fault]:
    """An answer that is typed as a text, or a long number, and can be read off."""
    written = kind_of(question).WRITTEN
    if question.given or not question.answer:
        return
    prompt = re.sub(r"^ *(`{3,}|~{3,}).*?^ *\1", "", question.prompt, flags=re.DOTALL | re.MULTILINE)
    if written.is_output:
        answers = [question.answer.strip()]
    elif written.is_text:
        answers = [spelling.strip() for spelling in question.answer.split("|")]
    else:
        answers = [question.answer] if len(re.findall(r"\d", question.answer)) >= LEAST_DIGITS else []
    for answer in filter(None, answers):
        if re.search(rf"(?<!\w){re.escape(answer)}(?!\w)", prompt, re.IGNORECASE):
            message = f"The answer `{answer}` stands in the prompt."
            yield _of(question, message, "Ask for it in other words.", "warning")
            return


def _of(question: Question, message: str, hint: str, severity: Severity) -> Fault:
    return question.fault(question.line, message, hint, severity)
