"""What questions whose answer is typed have in common: known mistakes, and what is wrong with `:answer:`."""

from collections.abc import Callable, Iterable, Iterator

from app.content.expression import FULL_WIDTH, MAX_CHARACTERS, Quotient, UnreadableAnswer
from app.content.questions.kind import Fields, Outcome, Try, Widget
from app.content.questions.question import Question, Values, values_of, where
from graders.exercise.fault import Fault

REMEDY = "Correct `:answer:`."


def _reply(question: Question, fields: Fields) -> str:
    return next((value for name, value in fields if name == "answer"), "")


LINE = Widget("quizzes/questions/_line.html", "quizzes/questions/_typed.review.html", "text", _reply, is_one_line=True)
READ_LINE = Widget(
    "quizzes/questions/_read_line.html", "quizzes/questions/_typed.review.html", "text", _reply, is_one_line=True
)
LINES = Widget("quizzes/questions/_lines.html", "quizzes/questions/_typed.review.html", "text", _reply)


def short(text: str) -> str:
    """In plain characters, without space around it. What is too long for a formula is too long for every rule here."""
    text = text.strip()
    if len(text) > MAX_CHARACTERS:
        raise UnreadableAnswer(f"That is {len(text)} characters long.", f"An answer here has at most {MAX_CHARACTERS}.")
    return text.translate(FULL_WIDTH).strip()


SETTINGS = frozenset({"partly", "other"})


def missed(
    question: Question, is_met: Callable[[str], bool], otherwise: Callable[[], str | None] | None = None
) -> Outcome:
    """Of an answer that is not right: that of the first known mistake which it equals, or else what the author says of
    any other answer, and what `otherwise` finds to say. (`nearly` has sentences for it.)"""
    for mistake in question.mistakes:
        if is_met(mistake.expression):
            return Outcome(float(mistake.credit), mistake.text)
    remarks = [question.other.text] if question.other else []
    found = otherwise() if otherwise else None
    return Outcome(0.0, "\n\n".join([*remarks, *filter(None, [found])]) or None)


def valued(number: Quotient) -> Quotient:
    """Raises UnreadableAnswer where a name is left in it."""
    if number.symbols:
        raise UnreadableAnswer(f"`{min(number.symbols)}` has no value.", "Add it to `:given:`.")
    return number


def tries(question: Question, right: Iterable[str], spellings: Callable[[str], Iterable[str]]) -> Iterator[Try]:
    """`right`: the right answer as students write it; `spellings`: how one can type a mistake, if there is a way."""
    for answer in right:
        yield Try(answer, f"The right answer, typed as `{answer}`,", is_right=True)
    for mistake in question.mistakes:
        for answer in spellings(mistake.expression):
            yield Try(answer, f"The mistake `{mistake.expression}`", mistake=mistake)


Value = Callable[[str, Values], object]


def answer_faults(
    question: Question, answer: Value, mistake: Value | None = None, own: Iterable[Fault] = ()
) -> Iterator[Fault]:
    """`answer` and `mistake` make of what is written something that can be compared, or raise UnreadableAnswer.
    `own`: the type's own faults, looked for where the answer can be computed."""
    if question.choices:
        message = f"A {question.type} question has no options."
        yield question.fault(question.choices[0].line, message, "Use `:type: choice`, or remove them.")
    if not question.answer:
        yield question.fault(question.line, "The question has no answer.", "Add `:answer:`.")
        return
    for draw in range(question.draws):
        found = list(_variant_faults(question, values_of(question, draw), answer, mistake or answer))
        yield from found
        if found:
            return  # one variant shows what is wrong; the others would repeat it
    yield from own


def _variant_faults(question: Question, values: Values, answer: Value, mistake: Value) -> Iterator[Fault]:
    try:
        right = answer(question.answer, values)
    except UnreadableAnswer as error:
        message = f"The answer cannot be computed{where(values)}: {error.message}"
        yield question.fault(question.line, message, error.hint)
        return
    for known in question.mistakes:
        try:
            is_right = mistake(known.expression, values) == right
        except UnreadableAnswer as error:
            message = f"The mistake `{known.expression}` cannot be computed{where(values)}: {error.message}"
            yield question.fault(known.line, message, error.hint)
            continue
        if is_right:
            message = f"The mistake `{known.expression}` equals the right answer{where(values)}."
            yield question.fault(known.line, message, "Choose other values in `:given:`, or remove the mistake.")
