"""`shape`: `(N, T, d_model)`, of numbers, the names that the prompt shows, and arithmetic with both."""

import re
from collections.abc import Iterator

from app.content.expression import Quotient, UnreadableAnswer, read_lengths
from app.content.questions import typed
from app.content.questions.kind import Outcome, Reading, Try, Written
from app.content.questions.names import shown_names, with_products
from app.content.questions.nearly import near_shape
from app.content.questions.question import Question, Values, values_of
from app.content.substitution import numbers_in, substitute
from graders.exercise.fault import Fault

NAME = "shape"
WRITTEN = Written("answer", settings=typed.SETTINGS)
WIDGET = typed.READ_LINE
REMEDY = typed.REMEDY
Shape = tuple[Quotient, ...]


def placeholder(question: Question) -> str:
    return "such as (A, B) or (4, 5)"


def read(question: Question, values: Values, answer: str) -> Reading:
    # `names` says why only what is shown is known; `faults` refuses an answer that needs another name.
    shown = {name: value for name, value in values.items() if name in shown_names(question.prompt)}
    known = shown_names(substitute(question.prompt, values)) | set(shown)
    shape = _read_shape(answer, shown, frozenset(known))
    return Reading(shape, _written(shape))


def _read_shape(text: str, values: Values, known: frozenset[str]) -> Shape:
    """What the student typed; `known` are the names that the question shows."""
    text = typed.short(text).strip("`$.").strip()
    text = _SHAPE_IS.sub("", text)
    if dtyped := _DTYPED.fullmatch(text):
        text = dtyped[1]
    if braced := re.fullmatch(r"\{([^{}]*)\}", text):
        text = f"({braced[1]})"
    if "," not in text:  # nobody says `by` for a product where a shape is asked for
        text = _BY.sub(", ", text)
    text = with_products(text, known)
    if row := _ROW_OF_NUMBERS.fullmatch(text):
        text = ", ".join(re.findall(r"[0-9]+", row[0]))
    if not re.search(r"[,(\[]", text) and _AXES_WITHOUT_COMMAS.search(text):
        raise UnreadableAnswer(
            "It is not clear whether that is one length or several.",
            "Put commas between the axes: (A, B, C).",
        )
    shape = _lengths(text, values, "Each axis has a whole length, zero or more: write it out.")
    for name in sorted({name for length in shape for name in length.symbols} - known):
        raise UnreadableAnswer(f"The question has no `{name}`.", _other_name(name, known))
    return shape


def _lengths(text: str, values: Values, hint: str = "Each axis has a whole length, zero or more.") -> Shape:
    shape = read_lengths(text, numbers_in(values))
    for length in shape:
        value = length.number
        if value is not None and (value.denominator != 1 or value < 0):
            raise UnreadableAnswer(f"{value} is not a length.", hint)
    return shape


def _other_name(name: str, known: frozenset[str]) -> str:
    alike = [other for other in sorted(known) if other.lower() == name.lower()]
    if alike:
        return f"Check the capitals: `{alike[0]}` is there."
    longer = [other for other in sorted(known) if "_" in other and _bare(other).startswith(_bare(name))]
    shown = f": `{longer[0]}` is one." if len(longer) == 1 else ", or numbers."
    return f"Use the question's own names{shown}"


def _bare(name: str) -> str:
    return name.replace("_", "").lower()


# `shape (2, 3)`, `x.shape == (2, 3)`, `Shape: [2, 3]`
_SHAPE_IS = re.compile(r"^(?:[A-Za-z_]\w*\.)?shape(?:\s*(?:is|==?|:)\s*|\s+(?=[\[({]))", re.IGNORECASE)
_BY = re.compile(r"(?<=[\w)\]])\s+by\s+(?=[\w(\[])|(?<=[0-9])by(?=[0-9])")
# `float32[2, 3]`, `f32[2,3]`, as JAX writes them and as exercises declare them
_DTYPED = re.compile(r"(?:bool|pred|(?:b?f|float|bfloat|i|s|u|int|uint|c|complex)[0-9]{1,3})\s*(\[.*\])")
# `8x10x64`, `8 x 10`, `8 10 64`, `[8 10 64]`; with names, `N x T`, it may be a product
_ROW_OF_NUMBERS = re.compile(
    r"(?!0[xX])[0-9]+(?: ?[xX] ?[0-9]+)+|[0-9]+(?: +[0-9]+)+|\((?: *[0-9]+ )+ *[0-9]+ *\)|\[(?: *[0-9]+ )+ *[0-9]+ *\]"
)
# `512×768`, `N x T`, `N T d_model`
_AXES_WITHOUT_COMMAS = re.compile(r"[×·]|[\w\s]\s[xX]\s[\w\s]|[0-9][xX][0-9]|^\w+(?:\s+\w+)+$")


def _written(shape: Shape) -> str:
    return f"({shape[0]},)" if len(shape) == 1 else f"({', '.join(map(str, shape))})"


def judge(question: Question, values: Values, shape: Shape) -> Outcome:
    numbers = numbers_in(values)
    right = read_lengths(question.answer, numbers)
    if shape == right:
        return Outcome(1.0)
    return typed.missed(
        question,
        lambda expression: read_lengths(expression, numbers) == shape,
        lambda: near_shape(shape, right, batch=_is_batched(question)),
    )


def _is_batched(question: Question) -> bool:
    """Whether the prompt speaks of a batch, and the first axis of the answer alone has the name of one."""
    axes = list(map(str, read_lengths(question.answer)))
    is_named = bool(axes) and axes[0] in ("N", "B", "batch", "batch_size", "n_batch") and axes.count(axes[0]) == 1
    return is_named and re.search(r"\bbatch", question.prompt, re.IGNORECASE) is not None


def answer_text(question: Question, values: Values) -> str:
    return _written(read_lengths(question.answer, numbers_in(values)))


shown_answer = answer_text


def faults(question: Question) -> Iterator[Fault]:
    return typed.answer_faults(question, _lengths, own=_hidden_names(question))


def _hidden_names(question: Question) -> Iterator[Fault]:
    used: set[str] = set()
    for draw in range(question.draws):
        values = values_of(question, draw)
        shown = shown_names(substitute(question.prompt, values))
        for length in read_lengths(question.answer, numbers_in(values)):
            used |= length.symbols - shown
    for name in sorted(used):
        message = f"The answer uses `{name}`, which the prompt does not show."
        yield question.fault(question.line, message, "Name it in the prompt, or students cannot write it.")


def tries(question: Question, values: Values) -> Iterator[Try]:
    lengths = answer_text(question, values).strip("(),").split(", ")
    inner = ", ".join(lengths)
    right = (
        f"({inner})" if len(lengths) > 1 else f"({inner},)".replace("(,)", "()"),
        f"[{inner}]",
        f"torch.Size([{inner}])",
        f"({','.join(lengths)})",
    )
    return typed.tries(question, right, lambda mistake: [_written(read_lengths(mistake, numbers_in(values)))])
