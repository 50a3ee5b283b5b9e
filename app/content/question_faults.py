"""What is wrong with a question that could be read: tried out on every variant, before a student meets it.

Each variant that `given` can draw is answered as a student would: the right answer in several spellings, each option,
each known mistake. (Only that what `predict` states is printed is proved elsewhere: `check` runs the code in a box.)
"""

from collections.abc import Iterator

from app.content.answer import (
    NAME,
    author_count,
    author_number,
    computed,
    numbers_in,
    read_output,
    shown_names,
    spellings,
    whole,
)
from app.content.expression import UnreadableAnswer, read_lengths
from app.content.markdown import SUBSTITUTION, render, substitute
from app.content.question import Outcome, Question, answer_text, outcome_of, predicted_code, values_of
from graders.exercise.fault import Fault, Severity

MAX_GIVEN = 500


def find_question_faults(question: Question) -> Iterator[Fault]:
    """The question's own faults; where it has none, those of its texts with the first variant's values in them."""
    if question.draws > MAX_GIVEN:
        message = f"The given values make {question.draws} variants."
        yield _fault(question, question.line, message, f"Give fewer: at most {MAX_GIVEN}.")
        return
    picks = question.type in ("choice", "choices", "order")
    own = [*_names(question), *(_options(question) if picks else _answers(question))]
    if not any(fault.severity == "error" for fault in own):
        own += _picked(question) if picks else _typed(question)
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
    shown = [(question.prompt, question.line + 1), *((choice.text, choice.line) for choice in question.choices)]
    if question.type in ("text", "predict"):
        shown += [(question.answer, question.line), *((one.expression, one.line) for one in question.mistakes)]
    told = [
        (question.explanation or "", question.explanation_line),
        *((choice.feedback or "", choice.line) for choice in question.choices),
        *((mistake.text, mistake.line) for mistake in question.mistakes),
    ]
    for texts, is_told in ((shown, False), (told, True)):
        for text, first in texts:
            for match in SUBSTITUTION.finditer(text):
                line = first + text.count("\n", 0, match.start())
                if fault := _substitution(question, match[1].strip(), line, is_told):
                    yield fault


def _substitution(question: Question, expression: str, line: int, is_told: bool) -> Fault | None:
    """What is wrong with `{{expression}}`, in the first variant where something is."""
    written, names = f"`{{{{{expression}}}}}`", NAME.findall(expression)
    if "answer" in names and not is_told:
        hint = "Use it in feedback and in `:::{explain}` only."
        return _fault(question, line, f"{written} stands where it is read before answering.", hint)
    for name in names:
        if name != "answer" and name not in dict(question.given):
            message = f"{written} is not given." if name == expression else f"`{name}` in {written} is not given."
            return _fault(question, line, message, "Add it to `:given:`, or correct its name.")
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
            message = f"{written} cannot be computed{_where(question, draw)}. {error.message}"
            return _fault(question, line, message, error.hint)
    return None


def _options(question: Question) -> Iterator[Fault]:
    right = sum(choice.right for choice in question.choices)
    line, kind = question.line, question.type
    if len(question.choices) < 2:
        thing, hint = "options", "Write them as `- [ ] wrong -- why` and `- [x] right -- why`."
        if kind == "order":
            thing, hint = "lines", "Write them as a numbered list, in the right order."
        yield _fault(question, line, f"A question of type {kind} needs at least two {thing}.", hint)
    elif kind == "order":
        if not question.shuffle:
            yield _fault(question, line, "Lines to be ordered are always shuffled.", "Take `:shuffle:` out.")
    elif right == 0:
        yield _fault(question, line, "No option is right.", "Mark the right one `- [x]`.")
    elif right > 1 and kind == "choice":
        message = f"{right} options are marked right; a choice has one."
        yield _fault(question, line, message, "Mark one `- [x]` and the others `- [ ]`, or write `:type: choices`.")
    elif right == len(question.choices):
        hint = "Add one that is wrong, or nothing tells who knows from who picks all."
        yield _fault(question, line, "No option is wrong.", hint)
    for choice in question.choices:
        if not choice.text.strip():
            yield _fault(question, choice.line, "An option is empty.", "Write its text after the box.")
        elif not choice.right and not choice.feedback:
            message = "A wrong option says nothing to whoever picks it."
            yield _fault(question, choice.line, message, "Add ` -- why it is wrong`.", "warning")
    for name, used in (("answer", question.answer), ("mistake", question.mistakes)):
        if used:
            hint = "The right option is marked `- [x]`; what is told stands after ` -- `."
            if kind == "order":
                hint = "The right order is the one that they are written in."
            yield _fault(question, question.line, f"A question of type {kind} has no `:{name}:`.", hint)
    for draw in range(question.draws):
        texts = [substitute(choice.text, values_of(question, draw)) for choice in question.choices]
        if len(set(texts)) != len(texts):
            message = f"Two {'lines' if kind == 'order' else 'options'} are the same{_where(question, draw)}."
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
        used = {
            name
            for draw in range(question.draws)
            for length in read_lengths(question.answer, numbers_in(values_of(question, draw)))
            for name in length.symbols - shown_names(substitute(question.prompt, values_of(question, draw)))
        }
        for name in sorted(used):
            message = f"The answer uses `{name}`, which the prompt does not show."
            yield _fault(question, question.line, message, "Name it in the prompt, or students cannot write it.")
    if question.type == "predict" and not predicted_code(question, values_of(question, 0)):
        hint = "Put the code between ```python and ``` in the prompt."
        yield _fault(question, question.line, "There is no code whose output could be predicted.", hint)


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
    if question.type == "predict":
        return read_output(substitute(text, values).replace("\\n", "\n"))
    given = numbers_in(values)
    if question.type == "shape":
        shape = read_lengths(text, given)
        for length in shape:
            if (value := length.number) is not None and (value.denominator != 1 or value < 0):
                raise UnreadableAnswer(f"{value} is not a length.", "Each axis has a whole length, zero or more.")
        return shape
    number = author_number(text, given) if question.type == "number" else author_count(text, given)
    if number.symbols:
        raise UnreadableAnswer(f"`{min(number.symbols)}` has no value.", "Add it to `:given:`.")
    return number


def _picked(question: Question) -> Iterator[Fault]:
    """The right options judged right, every other pick wrong, with what it is told."""
    right = [choice.key for choice in question.choices if choice.right]
    for draw in range(question.draws):
        answers: dict[str, tuple[object, bool, str | None]] = {}
        if question.type == "choice":
            answers = {c.text: (c.key, c.right, c.feedback) for c in question.choices}
        elif question.type == "choices":
            answers = {c.text: (sorted({*right} ^ {c.key}), False, None) for c in question.choices if right != [c.key]}
            answers["all that are right"] = (right, True, None)
            answers["all options"] = ([c.key for c in question.choices], False, None)
        else:
            answers = {"the right order": (right, True, None), "the reverse": (right[::-1], False, None)}
        for name, (answer, is_right, told) in answers.items():
            outcome = outcome_of(question, draw, answer)
            if (outcome.score == 1) != is_right or (told and told not in (outcome.feedback or "")):
                message = f"`{name}` is judged {_verdict(outcome)}{_where(question, draw)}."
                yield _fault(question, question.line, message, "This is a fault of the judge's: please report it.")
                return


def _typed(question: Question) -> Iterator[Fault]:
    """The right answer judged right however it is written, each mistake wrong and told its own text."""
    told: set[int] = set()
    clash: dict[int, str] = {}
    for draw in range(question.draws):
        for answer in _spelled(question, draw):
            outcome = _tried(question, draw, answer)
            if not isinstance(outcome, Outcome) or outcome.score != 1:
                message = (
                    f"The right answer, typed as `{answer}`, is judged {_verdict(outcome)}{_where(question, draw)}."
                )
                yield _fault(question, question.line, message, _remedy(question, outcome))
                return
        for mistake in question.mistakes:
            for answer in _spellings_of_mistake(question, mistake.expression, draw):
                outcome = _tried(question, draw, answer)
                if isinstance(outcome, Outcome) and outcome.score == 1:
                    message = f"The mistake `{mistake.expression}` is judged right{_where(question, draw)}."
                    hint = "Make the tolerance smaller, or choose other values in `:given:`."
                    yield _fault(question, mistake.line, message, hint)
                    return
                if isinstance(outcome, Outcome) and outcome.feedback == mistake.text:
                    told.add(mistake.line)
                else:
                    clash.setdefault(mistake.line, f"{_verdict(outcome)}{_where(question, draw)}")
    for mistake in question.mistakes:
        if mistake.line not in told:
            judged = f"it is judged {clash[mistake.line]}" if mistake.line in clash else "it is no answer of this type"
            message = f"Nobody is ever told of the mistake `{mistake.expression}`: {judged}."
            hint = "An earlier mistake has the same value, or no student can type this one."
            yield _fault(question, mistake.line, message, hint)
        elif mistake.line in clash:
            message = f"The mistake `{mistake.expression}` is told another's text: it is judged {clash[mistake.line]}."
            hint = "Choose values in `:given:` that tell the two apart."
            yield _fault(question, mistake.line, message, hint, "warning")


def _tried(question: Question, draw: int, answer: str) -> Outcome | UnreadableAnswer:
    try:
        return outcome_of(question, draw, answer)
    except UnreadableAnswer as error:
        return error


def _verdict(outcome: Outcome | UnreadableAnswer) -> str:
    if isinstance(outcome, UnreadableAnswer):
        return f"unreadable ({outcome.message})"
    return "right" if outcome.score == 1 else "partly right" if outcome.score else "wrong"


def _remedy(question: Question, outcome: Outcome | UnreadableAnswer) -> str:
    if isinstance(outcome, UnreadableAnswer):
        return outcome.hint
    if question.type == "number":
        return "Nobody can write all its digits: give a `:tolerance:` or `:rtol:`."
    return "Correct `:answer:`."


def _spelled(question: Question, draw: int) -> Iterator[str]:
    """The right answer of this variant as students write it."""
    values = values_of(question, draw)
    match question.type:
        case "text":
            yield from map(str.strip, substitute(question.answer, values).split("|"))
        case "predict":
            output = substitute(question.answer, values)
            yield from (output, output.replace("\n", "  \r\n") + "\r\n\r\n")
        case "shape":
            lengths = answer_text(question, values).strip("(),").split(", ")
            yield from (f"({', '.join(lengths)})" if len(lengths) > 1 else f"({lengths[0]},)".replace("(,)", "()"),)
            yield from (f"[{', '.join(lengths)}]", f"torch.Size([{', '.join(lengths)}])", f"({','.join(lengths)})")
        case "count":
            count = int(answer_text(question, values))
            yield from (str(count), f"{count:,}", f"{count:,}".replace(",", " "), f"{count:,}".replace(",", "\u202f"))
        case _:
            yield answer_text(question, values).replace("\\%", "%")


def _spellings_of_mistake(question: Question, expression: str, draw: int) -> Iterator[str]:
    """The mistake in this variant, typed so that a student could have; nothing where it has no such form."""
    values = values_of(question, draw)
    given = numbers_in(values)
    match question.type:
        case "text":
            yield from map(str.strip, substitute(expression, values).split("|"))
        case "predict":
            yield substitute(expression, values).replace("\\n", "\n")
        case "shape":
            lengths = read_lengths(expression, given)
            yield f"({', '.join(map(str, lengths))}{',' if len(lengths) == 1 else ''})"
        case "count":
            value = author_count(expression, given).number
            if value is not None and value.denominator == 1 and value >= 0:
                yield str(value)
        case _:
            value = author_number(expression, given).number
            if value is not None:
                yield f"{value}" if not question.answer.rstrip().endswith("%") else f"{100 * value}%"


def _texts(question: Question) -> Iterator[Fault]:
    values = values_of(question, 0)
    told = {**values, "answer": answer_text(question, values)}
    texts = [
        (question.prompt, question.line + 1),
        (question.explanation or "", question.explanation_line),
        *((choice.text, choice.line) for choice in question.choices),
        *((choice.feedback or "", choice.line) for choice in question.choices),
        *((mistake.text, mistake.line) for mistake in question.mistakes),
    ]
    for text, line in texts:
        yield from render(text, links=question.links, given=told, path=question.path, first_line=line).faults


def _where(question: Question, draw: int) -> str:
    values = values_of(question, draw)
    return " for " + ", ".join(f"{name} = {value}" for name, value in values.items()) if values else ""


def _fault(question: Question, line: int, message: str, hint: str, severity: Severity = "error") -> Fault:
    return Fault(severity, question.path, line, "question", message, hint)
