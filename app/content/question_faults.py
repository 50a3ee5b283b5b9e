"""What is wrong with a question that could be read: tried out on every variant, before a student meets it."""

from collections.abc import Iterator

from app.content.answer import author_count, numbers_in, shown_names, spellings, whole
from app.content.expression import UnreadableAnswer, read_lengths
from app.content.fault import Fault, Severity
from app.content.markdown import SUBSTITUTION, render, substitute
from app.content.question import Question, answer_text, values_of

MAX_GIVEN = 500


def find_question_faults(question: Question) -> Iterator[Fault]:
    """The question's own faults; where it has none, those of its texts with the first variant's values in them."""
    if question.draws > MAX_GIVEN:
        message = f"The given values make {question.draws} variants."
        yield _fault(question, question.line, message, f"Give fewer: at most {MAX_GIVEN}.")
        return
    own = [*_names(question), *(_choices(question) if question.type == "choice" else _answers(question))]
    yield from own
    if not any(fault.severity == "error" for fault in own):
        yield from _texts(question)


def _names(question: Question) -> Iterator[Fault]:
    if not question.prompt.strip():
        yield _fault(
            question, question.line, "The question asks nothing.", "Write the prompt below the `:name:` lines."
        )
    given = [name for name, _ in question.given]
    if len(set(given)) != len(given):
        yield _fault(question, question.line, "A name is given twice.", "Give each name once.")
    shown = [(question.prompt, question.line), *((choice.text, choice.line) for choice in question.choices)]
    told = [
        (question.explanation or "", question.line),
        *((choice.feedback or "", choice.line) for choice in question.choices),
        *((mistake.text, mistake.line) for mistake in question.mistakes),
    ]
    for text, line in shown:
        if "answer" in SUBSTITUTION.findall(text):
            hint = "Use it in feedback and in `:::{explain}` only."
            yield _fault(question, line, "`{{answer}}` stands where it is read before answering.", hint)
    for text, line in shown + told:
        for name in SUBSTITUTION.findall(text):
            if name not in given and name != "answer":
                hint = "Add it to `:given:`, or correct its name."
                yield _fault(question, line, f"`{{{{{name}}}}}` is not given.", hint)


def _choices(question: Question) -> Iterator[Fault]:
    right = sum(choice.right for choice in question.choices)
    if len(question.choices) < 2:
        hint = "Write them as `- [ ] wrong -- why` and `- [x] right -- why`."
        yield _fault(question, question.line, "A choice needs at least two options.", hint)
    elif right == 0:
        yield _fault(question, question.line, "No option is right.", "Mark the right one `- [x]`.")
    elif right > 1:
        message = f"{right} options are marked right; a choice has one."
        yield _fault(question, question.line, message, "Mark one `- [x]` and the others `- [ ]`.")
    for choice in question.choices:
        if not choice.text.strip():
            yield _fault(question, choice.line, "An option is empty.", "Write its text after the box.")
        elif not choice.right and not choice.feedback:
            message = "A wrong option says nothing to whoever picks it."
            yield _fault(question, choice.line, message, "Add ` -- why it is wrong`.", "warning")
    for name, used in (("answer", question.answer), ("mistake", question.mistakes)):
        if used:
            hint = "The right option is marked `- [x]`; what is told stands after ` -- `."
            yield _fault(question, question.line, f"A choice has no `:{name}:`.", hint)
    for draw in range(question.draws):
        texts = [substitute(choice.text, values_of(question, draw)) for choice in question.choices]
        if len(set(texts)) != len(texts):
            message = f"Two options are the same{_where(question, draw)}."
            yield _fault(question, question.line, message, "Change one of them.")
            return


def _answers(question: Question) -> Iterator[Fault]:
    if question.choices:
        message = f"A {question.type} question has no options."
        yield _fault(question, question.choices[0].line, message, "Use `:type: choice`, or remove them.")
    if not question.answer:
        yield _fault(question, question.line, "The question has no answer.", "Add `:answer:`.")
        return
    for draw in range(question.draws):
        found = list(_variant(question, draw))
        yield from found
        if found:
            return  # one variant shows what is wrong; the others would repeat it
    if question.type == "shape":
        answer = read_lengths(question.answer, numbers_in(values_of(question, 0)))
        used = {name for length in answer for name in length.symbols}
        for name in sorted(used - shown_names(question.prompt)):
            message = f"The answer uses `{name}`, which the prompt does not show."
            yield _fault(question, question.line, message, "Name it in the prompt, or students cannot write it.")


def _variant(question: Question, draw: int) -> Iterator[Fault]:
    where = _where(question, draw)
    try:
        answer = _value(question, question.answer, draw)
        if question.type == "count":
            whole(author_count(question.answer, numbers_in(values_of(question, draw))))
    except UnreadableAnswer as error:
        message = f"The answer cannot be computed{where}: {error.message}"
        yield _fault(question, question.line, message, error.hint)
        return
    for mistake in question.mistakes:
        try:
            is_right = _value(question, mistake.expression, draw) == answer
        except UnreadableAnswer as error:
            message = f"The mistake `{mistake.expression}` cannot be computed{where}: {error.message}"
            yield _fault(question, mistake.line, message, error.hint)
            continue
        if is_right:
            message = f"The mistake `{mistake.expression}` equals the right answer{where}."
            yield _fault(question, mistake.line, message, "Choose other values in `:given:`, or remove the mistake.")


def _value(question: Question, text: str, draw: int) -> object:
    """The answer or mistake written as `text`, in this variant, as something that can be compared."""
    values = values_of(question, draw)
    if question.type == "text":
        return spellings(substitute(text, values))
    given = numbers_in(values)
    if question.type == "shape":
        shape = read_lengths(text, given)
        for length in shape:
            if (value := length.number) is not None and (value.denominator != 1 or value < 0):
                raise UnreadableAnswer(f"{value} is not a length.", "Each axis has a whole length, zero or more.")
        return shape
    number = author_count(text, given)
    if number.symbols:
        raise UnreadableAnswer(f"`{min(number.symbols)}` has no value.", "Add it to `:given:`.")
    return number


def _texts(question: Question) -> Iterator[Fault]:
    values = values_of(question, 0)
    told = {**values, "answer": answer_text(question, values)}
    texts = [
        (question.prompt, question.line + 1),
        (question.explanation or "", question.explanation_line),
        *((f"{choice.text}\n\n{choice.feedback or ''}", choice.line) for choice in question.choices),
        *((mistake.text, mistake.line) for mistake in question.mistakes),
    ]
    for text, line in texts:
        yield from render(text, links=question.links, given=told, path=question.path, first_line=line).faults


def _where(question: Question, draw: int) -> str:
    values = values_of(question, draw)
    return " for " + ", ".join(f"{name} = {value}" for name, value in values.items()) if values else ""


def _fault(question: Question, line: int, message: str, hint: str, severity: Severity = "error") -> Fault:
    return Fault(severity, question.path, line, "question", message, hint)
