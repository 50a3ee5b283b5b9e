"""`choice`: one option of several is right; another may earn a part, `[50%]`."""

from collections.abc import Iterator

from app.content.expression import UnreadableAnswer
from app.content.questions import picks
from app.content.questions.kind import Fields, Outcome, Reading, Try, Widget, Written
from app.content.questions.question import Question, Values
from graders.exercise.fault import Fault

NAME = "choice"
WRITTEN = Written("options")
REMEDY = picks.REMEDY
placeholder = picks.placeholder
answer_text = picks.answer_text
shown_answer = picks.shown_answer


def _reply(question: Question, fields: Fields) -> str:
    return next(iter(picks.picked(question, fields)), "")


WIDGET = Widget("quizzes/questions/_choice.html", "quizzes/questions/_options.review.html", "text", _reply)


def read(question: Question, values: Values, answer: str) -> Reading:
    if any(choice.key == answer for choice in question.choices):
        return Reading(answer)
    raise UnreadableAnswer("No option is picked.", "Pick one of the options, then send the answer.")


def judge(question: Question, values: Values, picked: str) -> Outcome:
    choice = next(choice for choice in question.choices if choice.key == picked)
    return Outcome(1.0 if choice.right else float(choice.credit or 0), choice.feedback)


def faults(question: Question) -> Iterator[Fault]:
    return picks.marked_faults(question, _own_faults(question))


def _own_faults(question: Question) -> Iterator[Fault]:
    right = len(picks.right_keys(question))
    if right > 1:
        message = f"{right} options are marked right; a choice has one."
        hint = "Mark one `- [x]` and the others `- [ ]`, or write `:type: choices`."
        yield question.fault(question.line, message, hint)
    for choice in question.choices:
        if choice.credit is not None and not 0 < choice.credit < 1:
            message = f"An option of a choice cannot earn {picks.percent(choice.credit)}."
            yield question.fault(choice.line, message, "Write `[x]`, `[ ]`, or a part from `[1%]` to `[99%]`.")


def tries(question: Question, values: Values) -> Iterator[Try]:
    for choice in question.choices:
        yield Try(choice.key, f"`{choice.text}`", choice.right, choice.feedback)
