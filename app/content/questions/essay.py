"""`essay`: a text that a person grades. Only a quiz asks it, and its sitting waits for the grade."""

from collections.abc import Iterator

from app.content.expression import UnreadableAnswer
from app.content.questions import picks, typed
from app.content.questions.kind import Outcome, Reading, Try, Widget, Written
from app.content.questions.question import Question, Values
from graders.exercise.fault import Fault

MAX_CHARACTERS = 20_000
NAME = "essay"
WRITTEN = Written("rubric", is_graded_by_hand=True)
REMEDY = typed.REMEDY
placeholder = picks.placeholder
shown_answer = picks.shown_answer
WIDGET = Widget(
    "quizzes/questions/_essay.html",
    "quizzes/questions/_essay.review.html",
    "text",
    typed.LINES.reply,
    most_characters=MAX_CHARACTERS,
)


def read(question: Question, values: Values, answer: str) -> Reading:
    words = len(answer.split())
    if not words:
        raise UnreadableAnswer("There is no answer yet.", "Write one.")
    return Reading(answer, "1 word" if words == 1 else f"{words:,} words")


def judge(question: Question, values: Values, text: str) -> Outcome:
    raise UnreadableAnswer("A person grades this answer.", "Write it in an attempt at the quiz, and submit that.")


def answer_text(question: Question, values: Values) -> str:
    return ""


def faults(question: Question) -> Iterator[Fault]:
    yield from picks.unused_settings(question, "Say in `:::{rubric}` what a good answer has.")
    if question.choices:
        yield question.fault(question.choices[0].line, "An essay has no options.", "Remove them.")
    if question.right:
        yield question.fault(question.right.line, "An essay has no `:right:`.", "Write `:::{explain}` instead.")
    if question.rubric is None:
        hint = "Add `:::{rubric}`: what earns points. Graders see it, and students with their grade."
        yield question.fault(question.line, "The essay has no rubric.", hint, "warning")


def tries(question: Question, values: Values) -> Iterator[Try]:
    """None: nothing that is written is right by itself."""
    return iter(())
