"""What is wrong with a question that could be read: tried out on every variant, before a student meets it.

Each variant that `given` can draw is answered as a student would: the right answer in several spellings, each option,
each known mistake. (Only that what code is said to print is printed is proved elsewhere: `check` runs it in a box.)
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from app.content.expression import UnreadableAnswer
from app.content.markdown import render
from app.content.questions.asking import GAP, answer_text, outcome_of, present
from app.content.questions.kind import Outcome, Try
from app.content.questions.question import Question, values_of, where
from app.content.questions.table import kind_of
from app.content.substitution import NAME, SUBSTITUTION, computed
from graders.exercise.fault import Fault

MAX_GIVEN = 500
KEPT = 512  # a lesson that was saved is read again, and most of its questions have not changed


def find_question_faults(question: Question) -> Iterator[Fault]:
    """The question's own faults; where it has none, those of its texts with the first variant's values in them."""
    for fault in _faults(question.moved(-question.line)):
        yield replace(fault, line=fault.line + question.line) if fault.line is not None else fault


@lru_cache(maxsize=KEPT)
def _faults(question: Question) -> tuple[Fault, ...]:
    return tuple(_find_faults(question))


def _find_faults(question: Question) -> Iterator[Fault]:
    if question.draws > MAX_GIVEN:
        message = f"The given values make {question.draws} variants."
        yield question.fault(question.line, message, f"Give fewer: at most {MAX_GIVEN}.")
        return
    parts = (question, *question.gaps)
    own = [*_name_faults(question), *(fault for part in parts for fault in kind_of(part).faults(part))]
    if not any(fault.severity == "error" for fault in own):
        own += [fault for part in reversed(parts) for fault in _trial_faults(part)]
    yield from own
    if not any(fault.severity == "error" for fault in own):
        yield from _text_faults(question)


def _name_faults(question: Question) -> Iterator[Fault]:
    if not question.prompt.strip():
        yield question.fault(question.line, "The question has no prompt.", "Write it below the `:name:` lines.")
    if len(set(question.given_names)) != len(question.given_names):
        yield question.fault(question.line, "A name is given twice.", "Give each name once.")
    shown = [(question.prompt, question.line + 1), *((pair.text, pair.line) for pair in question.pairs)]
    for part in (question, *question.gaps):
        shown += [(choice.text, choice.line) for choice in part.choices]
        if kind_of(part).WRITTEN.is_text:
            shown += [(part.answer, part.line), *((mistake.expression, mistake.line) for mistake in part.mistakes)]
    afterwards = [
        (question.explanation or "", question.explanation_line),
        *((remark.text, remark.line) for remark in question.remarks),
    ]
    for texts, is_afterwards in ((shown, False), (afterwards, True)):
        for text, first in texts:
            for match in SUBSTITUTION.finditer(text):
                line = first + text.count("\n", 0, match.start())
                if fault := _substitution(question, match[1].strip(), line, is_afterwards):
                    yield fault


def _substitution(question: Question, expression: str, line: int, is_afterwards: bool) -> Fault | None:
    """What is wrong with `{{expression}}`, in the first variant where something is."""
    written, names = f"`{{{{{expression}}}}}`", NAME.findall(expression)
    if "answer" in names and not is_afterwards:
        hint = "Use it in feedback and in `:::{explain}` only."
        return question.fault(line, f"{written} would be read before answering.", hint)
    for name in names:
        if name != "answer" and name not in question.given_names:
            message = f"{written} is not given." if name == expression else f"`{name}` in {written} is not given."
            return question.fault(line, message, "Add it to `:given:`, or correct its name.")
    if names == [expression]:
        return None
    for draw in range(question.draws):
        values = values_of(question, draw)
        try:
            if "answer" in names:
                values["answer"] = answer_text(question, values)
        except UnreadableAnswer:
            return None  # the answer's own fault is told elsewhere
        try:
            computed(expression, values)
        except UnreadableAnswer as error:
            message = f"{written} cannot be computed{where(values_of(question, draw))}. {error.message}"
            return question.fault(line, message, error.hint)
    return None


def _trial_faults(question: Question) -> Iterator[Fault]:
    """The right answer judged right however it is given, every other wrong, and each told its own text."""
    recognised: set[int] = set()
    clash: dict[int, str] = {}
    for draw in range(question.draws):
        values = values_of(question, draw)
        for trial in kind_of(question).tries(question, values):
            outcome = _tried(question, draw, trial)
            judged = f"judged {_verdict(outcome)}{where(values)}"
            if trial.mistake is None:
                if not _is_met(trial, outcome):
                    yield question.fault(question.line, f"{trial.name} is {judged}.", _remedy(question, outcome))
                    return
            elif isinstance(outcome, Outcome) and outcome.score == 1:
                hint = "Make the tolerance smaller, or choose other values in `:given:`."
                yield question.fault(trial.mistake.line, f"{trial.name} is {judged}.", hint)
                return
            elif isinstance(outcome, Outcome) and outcome.feedback == trial.mistake.text:
                recognised.add(trial.mistake.line)
            else:
                clash.setdefault(trial.mistake.line, judged)
    yield from _mistake_faults(question, recognised, clash)


def _is_met(trial: Try, outcome: Outcome | UnreadableAnswer) -> bool:
    if isinstance(outcome, UnreadableAnswer):
        return False
    has_feedback = not trial.feedback or trial.feedback in (outcome.feedback or "")
    return (outcome.score == 1) == trial.is_right and has_feedback


def _mistake_faults(question: Question, recognised: set[int], clash: dict[int, str]) -> Iterator[Fault]:
    """`recognised` and `clash` by a mistake's line: its own text was told; it was judged otherwise."""
    for mistake in question.mistakes:
        if mistake.line not in recognised:
            judged = f"it is {clash[mistake.line]}" if mistake.line in clash else "it is no answer of this type"
            message = f"No student ever sees the text of the mistake `{mistake.expression}`: {judged}."
            hint = "An earlier mistake has the same value, or no student can type this one."
            yield question.fault(mistake.line, message, hint)
        elif mistake.line in clash:
            message = f"The mistake `{mistake.expression}` gets the text of another: it is {clash[mistake.line]}."
            hint = "Choose values in `:given:` that tell the two apart."
            yield question.fault(mistake.line, message, hint, "warning")


def _tried(question: Question, draw: int, trial: Try) -> Outcome | UnreadableAnswer:
    try:
        return outcome_of(question, draw, trial.answer)
    except UnreadableAnswer as error:
        return error


def _verdict(outcome: Outcome | UnreadableAnswer) -> str:
    if isinstance(outcome, UnreadableAnswer):
        return f"unreadable ({outcome.message})"
    return "right" if outcome.score == 1 else "partly right" if outcome.score else "wrong"


def _remedy(question: Question, outcome: Outcome | UnreadableAnswer) -> str:
    return outcome.hint if isinstance(outcome, UnreadableAnswer) else kind_of(question).REMEDY


def _text_faults(question: Question) -> Iterator[Fault]:
    values = values_of(question, 0)
    known = {**values, "answer": answer_text(question, values)}
    texts = [
        (question.prompt, question.line + 1),
        (question.explanation or "", question.explanation_line),
        *((pair.text, pair.line) for pair in question.pairs),
        *((choice.text, choice.line) for part in (question, *question.gaps) for choice in part.choices),
        *((remark.text, remark.line) for remark in question.remarks),
    ]
    for place, gap in enumerate(question.gaps, 1):
        if f'data-gap="{place}"' not in "".join(GAP.findall(present(question, 0).prompt_html)):
            message = f"The gap `{gap.slug}` stands where none can be: in a formula, a link or a listing."
            yield question.fault(gap.line, message, "Put it into plain text.")
            return
    for text, line in texts:
        yield from render(text, links=question.links, given=known, path=question.path, first_line=line).faults
