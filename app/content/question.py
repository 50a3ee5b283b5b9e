"""A question: read from its directive, shown in one of its variants, and judged.

    ::::{question} parameter-count
    :type: count
    :given: max_len = 128 | 256; d_model = 64 | 256
    :answer: max_len * d_model
    :mistake: max_len + d_model -> Each of the max_len rows holds d_model numbers: multiply.
    How many trainable numbers are in a table of {{max_len}} rows of {{d_model}}?
    :::{explain}
    ${{max_len}} \\times {{d_model}} = {{answer}}$.
    :::
    ::::

`:type:` is choice (task-list items, `- [x] text -- what whoever picks it is told`), shape or count. `:mistake:` may
repeat; an option line goes on in indented lines below it. `:shuffle: false` keeps a choice's options in order.

A variant is a number: which values of `given`, and for a choice in which order the options stand. `present` gives
what the student sees before answering and holds no answer, explanation or feedback; `judge_answer` gives the rest.
"""

import hashlib
import itertools
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial

from app.content.expression import Quotient, UnreadableAnswer, number, read_length, read_lengths
from app.content.fault import Fault, Severity
from app.content.markdown import OPTION_LINE, SUBSTITUTION, Directive, Links, render, render_inline, substitute

__all__ = [
    "Judged", "Option", "Presented", "Question", "UnknownVariant", "UnreadableAnswer",
    "draw", "judge_answer", "present", "read_question", "right_position",
]  # fmt: skip

TYPES = ("choice", "shape", "count")
ORDERINGS = 8
MAX_GIVEN = 500


class UnknownVariant(Exception):
    """The question has no such variant (any more)."""


@dataclass(frozen=True)
class Mistake:
    expression: str
    text: str
    line: int


@dataclass(frozen=True)
class Choice:
    """One option as written. The key is made from its text, so that it stays when the others change."""

    key: str
    text: str
    feedback: str | None
    right: bool
    line: int


@dataclass(frozen=True)
class Question:
    id: str
    slug: str
    type: str
    path: str
    line: int
    prompt: str
    given: tuple[tuple[str, tuple[str, ...]], ...] = ()
    answer: str = ""
    mistakes: tuple[Mistake, ...] = ()
    choices: tuple[Choice, ...] = ()
    explanation: str | None = None
    shuffle: bool = True
    links: Links | None = None

    @property
    def draws(self) -> int:
        """How many combinations of given values there are."""
        count = 1
        for _, values in self.given:
            count *= len(values)
        return count

    @property
    def variants(self) -> int:
        return self.draws * (ORDERINGS if self.choices and self.shuffle else 1)


@dataclass(frozen=True)
class Option:
    key: str
    html: str


@dataclass(frozen=True)
class Presented:
    id: str
    type: str
    variant: int
    prompt_html: str
    options: tuple[Option, ...]
    placeholder: str


@dataclass(frozen=True)
class Judged:
    correct: bool
    score: float
    read_as: str | None
    feedback_html: str | None
    explanation_html: str | None


def draw(question: Question, seed: str) -> int:
    """The variant for this seed (a student and an attempt), the same whenever it is asked."""
    return int.from_bytes(hashlib.sha256(f"{question.id}:{seed}".encode()).digest()[:8]) % question.variants


@lru_cache(maxsize=4096)
def present(question: Question, variant: int) -> Presented:
    """What may be seen before answering. Raises UnknownVariant."""
    values = _values(question, variant)
    options = tuple(
        Option(choice.key, render_inline(choice.text, links=question.links, given=values))
        for choice in _ordered(question, variant)
    )
    prompt = render(question.prompt, links=question.links, given=values).html
    return Presented(question.id, question.type, variant, prompt, options, _PLACEHOLDERS[question.type])


_PLACEHOLDERS = {"choice": "", "shape": "such as (A, B) or (4, 5)", "count": "such as 1024 or 32 * 32"}


def judge_answer(question: Question, variant: int, answer: object) -> Judged:
    """Raises UnknownVariant; raises UnreadableAnswer, which costs the student nothing, with the remedy."""
    values = _values(question, variant)
    if not isinstance(answer, str):
        raise UnreadableAnswer("The answer is not text.", "Send the option's key, or what was typed, as a string.")
    right, read_as, feedback = _JUDGES[question.type](question, values, answer)
    told = {**values, "answer": _answer_text(question, values)}
    return Judged(
        correct=right,
        score=1.0 if right else 0.0,
        read_as=read_as,
        feedback_html=render(feedback, links=question.links, given=told).html if feedback else None,
        explanation_html=(
            render(question.explanation, links=question.links, given=told).html if question.explanation else None
        ),
    )


def _judge_choice(question: Question, values: Mapping[str, str], answer: str) -> tuple[bool, str | None, str | None]:
    for choice in question.choices:
        if choice.key == answer:
            return choice.right, None, choice.feedback
    raise UnreadableAnswer("No option is picked.", "Pick one of the options, then send the answer.")


def _judge_count(question: Question, values: Mapping[str, str], answer: str) -> tuple[bool, str | None, str | None]:
    given = _numbers(values)
    count, read_as = _read_count(answer)
    right = _whole(_author_count(question.answer, given))
    if count == right:
        return True, read_as, None
    for mistake in question.mistakes:
        if _author_count(mistake.expression, given).number == count:
            return False, read_as, mistake.text
    return False, read_as, None


def _judge_shape(question: Question, values: Mapping[str, str], answer: str) -> tuple[bool, str | None, str | None]:
    given = _numbers(values)
    shape = _read_shape(question, given, answer)
    right = read_lengths(question.answer, given)
    if shape == right:
        return True, _written_shape(shape), None
    for mistake in question.mistakes:
        if read_lengths(mistake.expression, given) == shape:
            return False, _written_shape(shape), mistake.text
    return False, _written_shape(shape), _first_difference(shape, right)


_JUDGES: dict[str, Callable[[Question, Mapping[str, str], str], tuple[bool, str | None, str | None]]] = {
    "choice": _judge_choice,
    "count": _judge_count,
    "shape": _judge_shape,
}


# ---- variants -------------------------------------------------------------------------------------------------


def _values(question: Question, variant: int) -> dict[str, str]:
    """The given values of this variant, as written."""
    if not 0 <= variant < question.variants:
        raise UnknownVariant(f"Question {question.id} has no variant {variant}.")
    index = variant % question.draws
    values: dict[str, str] = {}
    for name, choices in question.given:
        index, place = divmod(index, len(choices))
        values[name] = choices[place]
    return values


def _ordered(question: Question, variant: int) -> list[Choice]:
    if not question.shuffle:
        return list(question.choices)
    ordering = variant // question.draws

    def place(choice: Choice) -> bytes:
        return hashlib.sha256(f"{question.id}:{ordering}:{choice.key}".encode()).digest()

    return sorted(question.choices, key=place)


def right_position(question: Question) -> int | None:
    """Where the right option stands, from 0, if it always stands there."""
    if question.shuffle or not question.choices:
        return None
    return [choice.right for choice in question.choices].index(True)


def _numbers(values: Mapping[str, str]) -> dict[str, Quotient]:
    """Those of the given values that are numbers or formulas; others are words to put in."""
    read: dict[str, Quotient] = {}
    for name, value in values.items():
        try:
            read[name] = read_length(_ungrouped(value))
        except UnreadableAnswer:
            continue
    return read


def _answer_text(question: Question, values: Mapping[str, str]) -> str:
    given = _numbers(values)
    if question.type == "count":
        return str(_whole(_author_count(question.answer, given)))
    if question.type == "shape":
        return _written_shape(read_lengths(question.answer, given))
    return substitute(next(choice.text for choice in question.choices if choice.right), values)


# ---- counts ---------------------------------------------------------------------------------------------------

_GROUP_MARKS = ",_ '’\u00a0\u2009\u202f"
_GROUPED = re.compile(
    rf"(?<![\w.,])[0-9]{{1,3}}([{_GROUP_MARKS}])[0-9]{{3}}(?:\1[0-9]{{3}})*(?![\w]|[{_GROUP_MARKS}]?[0-9])"
)


def _ungrouped(text: str) -> str:
    """`393,216`, `393 216` and `393_216` without their marks; a number grouped in another way stays as it is."""
    return _GROUPED.sub(lambda match: match[0].replace(match[1], ""), text)


def _read_count(text: str) -> tuple[int, str]:
    """What the student typed as a whole number, and how it was understood."""
    plain = text.strip().rstrip(".")
    if re.fullmatch(r"[(\[][0-9\s]+(,[0-9\s]*)+[)\]]", plain):
        raise UnreadableAnswer("That is a shape; a count is one number.", "Multiply the lengths: 512 * 768.")
    if re.search(r"[a-z]{4,}", plain) and (amount := re.match(r"([0-9][0-9,_ '’]*[0-9]|[0-9])\s+[a-z]+$", plain)):
        plain = amount[1]  # "393216 parameters"
    plain = re.sub(r"(?<=[0-9])(?<!\b0)\s*[xX]\s*(?=[1-9])", " * ", _ungrouped(plain))
    if re.search(r"[0-9],[0-9]", plain):
        raise UnreadableAnswer(
            f"`{text.strip()}` has a comma where none groups thousands.",
            "Write 393,216 or 393216; a count has no decimals.",
        )
    if shorthand := re.fullmatch(r"([0-9.]+)\s*([kKmMbB])", plain):
        raise UnreadableAnswer(
            f"`{shorthand[0]}` is rounded or short for a number.",
            "Write the number in full, or as a product: 512 * 768.",
        )
    value = read_length(plain)
    if value.symbols:
        name = min(value.symbols)
        raise UnreadableAnswer(f"`{name}` is a name; a count is a number.", "Put the numbers in: 512 * 768.")
    count = value.number
    assert count is not None
    if count.denominator != 1 or count < 0:
        raise UnreadableAnswer(
            f"That comes to {float(count):g}; a count is a whole number, zero or more.",
            "Check the signs, and write thousands with a comma or without a mark.",
        )
    is_plain = re.fullmatch(r"[0-9]+", plain) is not None
    formula = re.sub(r"\s*\*\s*(?!\*)(?<!\*\*)", " × ", plain) if "**" not in plain else plain
    return int(count), f"{int(count):,}" if is_plain else f"{formula} = {int(count):,}"


def _author_count(expression: str, given: Mapping[str, Quotient]) -> Quotient:
    return read_length(_ungrouped(expression), given)


def _whole(value: Quotient) -> int:
    count = value.number
    if count is None:
        raise UnreadableAnswer(f"`{min(value.symbols)}` has no value.", "Add it to `:given:`.")
    if count.denominator != 1 or count < 0:
        raise UnreadableAnswer(f"The answer comes to {count}.", "A count is a whole number, zero or more.")
    return int(count)


# ---- shapes ---------------------------------------------------------------------------------------------------


def _read_shape(question: Question, given: Mapping[str, Quotient], text: str) -> tuple[Quotient, ...]:
    if re.search(r"[×·]|(?<=[\w\s])\s[xX]\s(?=[\w\s])", text) and not re.search(r"[,(\[]", text):
        raise UnreadableAnswer(
            "It is not clear whether that is one length or several.",
            "Put commas between the axes: (N, T, d_model).",
        )
    shape = read_lengths(text, given)
    for length in shape:
        value = length.number
        if value is not None and (value.denominator != 1 or value < 0):
            raise UnreadableAnswer(
                f"{value} is not a length.", "Each axis has a whole length, zero or more: write it out."
            )
    known = _symbols_of(question, given)
    for name in sorted({name for length in shape for name in length.symbols} - known):
        alike = [other for other in sorted(known) if other.lower() == name.lower()]
        remedy = f"Capitals count: `{alike[0]}` is there." if alike else "Use the question's own names, or numbers."
        raise UnreadableAnswer(f"The question has no `{name}`.", remedy)
    return shape


def _symbols_of(question: Question, given: Mapping[str, Quotient]) -> frozenset[str]:
    """Every name that the prompt shows; the answer's are among them (that is checked)."""
    answer = {name for length in read_lengths(question.answer, given) for name in length.symbols}
    return frozenset(answer | _shown_names(question.prompt))


def _shown_names(prompt: str) -> set[str]:
    plain = re.sub(
        r"\\(?:text|mathrm|mathit|operatorname)|\\_|[{}\\]", lambda match: "_" if match[0] == "\\_" else "", prompt
    )
    return set(re.findall(r"[A-Za-z_][A-Za-z0-9_]*", plain))


def _written_shape(shape: tuple[Quotient, ...]) -> str:
    return f"({shape[0]},)" if len(shape) == 1 else f"({', '.join(map(str, shape))})"


def _first_difference(shape: tuple[Quotient, ...], right: tuple[Quotient, ...]) -> str:
    if len(shape) != len(right):
        return f"Your shape has {_axes(len(shape))}; the right one has {len(right)}."
    left = list(right)
    for length in shape:
        if length in left:
            left.remove(length)
    if not left:
        return "Those are the right lengths in another order."
    axis = next(index for index, (mine, theirs) in enumerate(zip(shape, right, strict=True)) if mine != theirs)
    return f"Axis {axis}, counted from 0, is not `{shape[axis]}`."


def _axes(count: int) -> str:
    return "1 axis" if count == 1 else f"{count} axes"


# ---- reading --------------------------------------------------------------------------------------------------


def read_question(
    directive: Directive, course: str, lesson: str, path: str, links: Links | None = None
) -> tuple[Question | None, tuple[Fault, ...]]:
    """The question, or None if it cannot be asked, and everything wrong with it."""
    reader = _Reader(path, directive.line)
    question = reader.read(directive, course, lesson, links)
    if question:
        reader.try_out(question)
    sound = not any(fault.severity == "error" for fault in reader.faults)
    return (question if sound else None), tuple(dict.fromkeys(reader.faults))


_OPTION_ITEM = re.compile(r"[-*+]\s+\[([ xX])\]\s+(.*)")
_NAMES = ("type", "given", "answer", "mistake", "shuffle")


class _Reader:
    def __init__(self, path: str, line: int) -> None:
        self.path = path
        self.line = line
        self.faults: list[Fault] = []

    def fault(self, line: int, message: str, hint: str, severity: Severity = "error", code: str = "question") -> None:
        self.faults.append(Fault(severity, self.path, line, code, message, hint))

    def read(self, directive: Directive, course: str, lesson: str, links: Links | None) -> Question | None:
        slug = directive.argument
        if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", slug):
            self.fault(
                self.line,
                f"`{slug}` is not a name for a question.",
                "Write `{question} a-short-name`: small letters, digits, dashes.",
            )
            return None
        lines = directive.body.split("\n")
        settings = self._settings(lines)
        explanation, explanation_line = self._explanation(lines)
        choices = self._choices(lines, f"{course}.{lesson}.{slug}")
        kind, kind_line = settings["type"][0] if "type" in settings else ("", self.line)
        if kind not in TYPES:
            self.fault(
                kind_line,
                f"There is no question type `{kind}`." if kind else "The question has no type.",
                f"Write `:type:` and one of {', '.join(TYPES)}.",
            )
            return None
        shuffle, shuffle_line = settings.get("shuffle", [("true", 0)])[0]
        if shuffle not in ("true", "false"):
            self.fault(
                shuffle_line,
                f"`:shuffle: {shuffle}` is neither true nor false.",
                "Write `:shuffle: false`, or leave the line out.",
            )
        question = Question(
            id=f"{course}.{lesson}.{slug}",
            slug=slug,
            type=kind,
            path=self.path,
            line=self.line,
            prompt="\n".join(lines),
            given=tuple(itertools.chain.from_iterable(self._given(*entry) for entry in settings.get("given", []))),
            answer=settings.get("answer", [("", 0)])[0][0],
            mistakes=tuple(self._mistakes(settings.get("mistake", []))),
            choices=tuple(choices),
            explanation=explanation,
            shuffle=shuffle != "false",
            links=links,
        )
        self._render(question.explanation or "", explanation_line, question)
        return question

    def _settings(self, lines: list[str]) -> dict[str, list[tuple[str, int]]]:
        """The leading `:name: value` lines, which are blanked: the prompt's lines keep their numbers."""
        settings: dict[str, list[tuple[str, int]]] = {}
        current: str | None = None
        for index, line in enumerate(lines):
            number_ = self.line + 1 + index
            if option := OPTION_LINE.match(line):
                current = option[1]
                if current not in _NAMES:
                    self.fault(
                        number_,
                        f"A question has no `:{current}:`.",
                        f"Known: {', '.join(f':{name}:' for name in _NAMES)}.",
                    )
                elif current in settings and current not in ("mistake", "given"):
                    self.fault(number_, f"`:{current}:` stands twice.", "Keep one of them.")
                settings.setdefault(current, []).append(((option[2] or "").strip(), number_))
            elif current and line.startswith("  ") and line.strip():
                value, first = settings[current][-1]
                settings[current][-1] = (f"{value} {line.strip()}", first)
            else:
                break
            lines[index] = ""
        return settings

    def _explanation(self, lines: list[str]) -> tuple[str | None, int]:
        for start, line in enumerate(lines):
            if opening := re.fullmatch(r"(:{3,})\{explain\}\s*", line):
                closing = re.compile(rf":{{{len(opening[1])},}}\s*")
                end = next((i for i in range(start + 1, len(lines)) if closing.fullmatch(lines[i])), None)
                if end is None:
                    self.fault(
                        self.line + 1 + start,
                        "The {explain} is never closed.",
                        f"End it with `{opening[1]}`; the question's own fence is longer.",
                    )
                    end = len(lines) - 1
                text = "\n".join(lines[start + 1 : end])
                lines[start : end + 1] = [""] * (end + 1 - start)
                return text, self.line + 2 + start
        self.fault(
            self.line,
            "The question explains nothing.",
            "Add `:::{explain}`: why the right answer is right.",
            "warning",
        )
        return None, self.line

    def _choices(self, lines: list[str], question_id: str) -> list[Choice]:
        """The task-list items, which are blanked."""
        written: list[tuple[bool, str, int]] = []
        fence = ""
        for index, line in enumerate(lines):
            if mark := re.match(r"\s*(`{3,}|~{3,})", line):
                fence = "" if fence and line.strip().startswith(fence) else fence or mark[1]
            if fence:
                continue
            if item := _OPTION_ITEM.match(line):
                written.append((item[1] != " ", item[2].strip(), self.line + 1 + index))
            elif written and line.startswith("  ") and line.strip():
                right, text, first = written[-1]
                written[-1] = (right, f"{text}\n{line.strip()}", first)
            elif written and line.strip():
                self.fault(
                    self.line + 1 + index,
                    "Text stands after the options.",
                    "Put it before them, or into `:::{explain}`; indent what continues an option.",
                )
                continue
            else:
                continue
            lines[index] = ""
        choices = []
        for right, text, first in written:
            label, feedback = _split_feedback(text)
            key = hashlib.sha256(f"{question_id}:{label}".encode()).hexdigest()[:10]
            choices.append(Choice(key, label, feedback, right, first))
        return choices

    def _given(self, text: str, line: int) -> Iterator[tuple[str, tuple[str, ...]]]:
        for part in filter(None, map(str.strip, text.split(";"))):
            name, sign, values = part.partition("=")
            choices = tuple(filter(None, map(str.strip, values.split("|"))))
            if not sign or not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name.strip()) or not choices:
                self.fault(line, f"`{part}` gives nothing.", "Write `:given: name = value | value; other = value`.")
            elif name.strip() == "answer":
                self.fault(line, "`answer` is taken: it stands for the right answer.", "Use another name.")
            else:
                yield name.strip(), choices

    def _mistakes(self, entries: list[tuple[str, int]]) -> Iterator[Mistake]:
        for text, line in entries:
            expression, arrow, told = text.partition("->")
            if not arrow or not expression.strip() or not told.strip():
                self.fault(
                    line,
                    f"`:mistake: {text}` lacks its text.",
                    "Write `:mistake: the wrong answer -> what to tell whoever gives it`.",
                )
            else:
                yield Mistake(expression.strip(), told.strip(), line)

    # -- trying the question out, on every variant

    def try_out(self, question: Question) -> None:
        if not question.prompt.strip():
            self.fault(self.line, "The question asks nothing.", "Write the prompt below the `:name:` lines.")
        if question.draws > MAX_GIVEN:
            self.fault(
                self.line, f"The given values make {question.draws} variants.", f"Give fewer: at most {MAX_GIVEN}."
            )
            return
        names = [name for name, _ in question.given]
        if len(set(names)) != len(names):
            self.fault(self.line, "A name is given twice.", "Give each name once.")
        self._check_names(question)
        self._check_choices(question) if question.type == "choice" else self._check_answers(question)
        first_variant = self.faults and any(fault.severity == "error" for fault in self.faults)
        if not first_variant:
            self._render(question.prompt, self.line + 1, question)
            for choice in question.choices:
                self._render(f"{choice.text}\n\n{choice.feedback or ''}", choice.line, question)
            for mistake in question.mistakes:
                self._render(mistake.text, mistake.line, question)

    def _render(self, text: str, line: int, question: Question) -> None:
        try:
            values = _values(question, 0)
            told = {**values, "answer": _answer_text(question, values)}
        except (UnreadableAnswer, UnknownVariant, StopIteration):
            return  # said elsewhere
        self.faults.extend(render(text, links=question.links, given=told, path=self.path, first_line=line).faults)

    def _check_names(self, question: Question) -> None:
        given = {name for name, _ in question.given}
        shown = [(question.prompt, self.line), *((choice.text, choice.line) for choice in question.choices)]
        told = [
            (question.explanation or "", self.line),
            *((choice.feedback or "", choice.line) for choice in question.choices),
            *((mistake.text, mistake.line) for mistake in question.mistakes),
        ]
        for text, line in shown:
            if "answer" in SUBSTITUTION.findall(text):
                self.fault(
                    line,
                    "`{{answer}}` stands where it is read before answering.",
                    "Use it in feedback and in `:::{explain}` only.",
                )
        for text, line in shown + told:
            for name in SUBSTITUTION.findall(text):
                if name not in given and name != "answer":
                    self.fault(line, f"`{{{{{name}}}}}` is not given.", "Add it to `:given:`, or correct its name.")

    def _check_choices(self, question: Question) -> None:
        right = sum(choice.right for choice in question.choices)
        if len(question.choices) < 2:
            self.fault(
                self.line,
                "A choice needs at least two options.",
                "Write them as `- [ ] wrong -- why` and `- [x] right -- why`.",
            )
        elif right == 0:
            self.fault(self.line, "No option is right.", "Mark the right one `- [x]`.")
        elif right > 1:
            self.fault(
                self.line,
                f"{right} options are marked right; a choice has one.",
                "Mark one `- [x]` and the others `- [ ]`.",
            )
        for choice in question.choices:
            if not choice.right and not choice.feedback:
                self.fault(
                    choice.line,
                    "A wrong option says nothing to whoever picks it.",
                    "Add ` -- why it is wrong`.",
                    "warning",
                )
            if not choice.text.strip():
                self.fault(choice.line, "An option is empty.", "Write its text after the box.")
        for name, used in (("answer", bool(question.answer)), ("mistake", bool(question.mistakes))):
            if used:
                self.fault(
                    self.line,
                    f"A choice has no `:{name}:`.",
                    "The right option is marked `- [x]`; what is told stands after ` -- `.",
                )
        for draw_ in range(question.draws):
            texts = [substitute(choice.text, _values(question, draw_)) for choice in question.choices]
            if len(set(texts)) != len(texts):
                self.fault(self.line, f"Two options are the same{_where(question, draw_)}.", "Change one of them.")
                break

    def _check_answers(self, question: Question) -> None:
        if question.choices:
            self.fault(
                question.choices[0].line,
                f"A {question.type} question has no options.",
                "Use `:type: choice`, or remove them.",
            )
        if not question.answer:
            self.fault(self.line, "The question has no answer.", "Add `:answer:`.")
            return
        read = partial(_author_answer, question)
        for draw_ in range(question.draws):
            given = _numbers(_values(question, draw_))
            try:
                answer = read(question.answer, given)
            except UnreadableAnswer as error:
                self.fault(
                    self.line,
                    f"The answer cannot be computed{_where(question, draw_)}: {error.message}",
                    error.hint,
                )
                return
            for mistake in question.mistakes:
                try:
                    if read(mistake.expression, given) == answer:
                        self.fault(
                            mistake.line,
                            f"The mistake `{mistake.expression}` equals the right answer{_where(question, draw_)}.",
                            "Choose other values in `:given:`, or remove the mistake.",
                        )
                        return
                except UnreadableAnswer as error:
                    self.fault(
                        mistake.line,
                        f"The mistake `{mistake.expression}` cannot be computed{_where(question, draw_)}.",
                        f"{error.message} {error.hint}",
                    )
                    return
        if question.type == "shape":
            unshown = {
                name for length in read_lengths(question.answer, given) for name in length.symbols
            } - _shown_names(question.prompt)
            for name in sorted(unshown):
                self.fault(
                    self.line,
                    f"The answer uses `{name}`, which the prompt does not show.",
                    "Name it in the prompt, or students cannot write it.",
                )


def _author_answer(question: Question, text: str, given: Mapping[str, Quotient]) -> tuple[Quotient, ...]:
    if question.type == "count":
        value = _author_count(text, given)
        return (number(_whole(value)),) if text == question.answer else (value,)
    shape = read_lengths(text, given)
    for length in shape:
        if (value_ := length.number) is not None and (value_.denominator != 1 or value_ < 0):
            raise UnreadableAnswer(f"{value_} is not a length.", "Each axis has a whole length, zero or more.")
    return shape


def _where(question: Question, draw_: int) -> str:
    values = _values(question, draw_)
    return " for " + ", ".join(f"{name} = {value}" for name, value in values.items()) if values else ""


def _split_feedback(text: str) -> tuple[str, str | None]:
    """`text -- feedback`, at the first ` -- ` outside code and mathematics."""
    masked = re.sub(r"`[^`]*`|\$[^$]*\$", lambda match: "x" * len(match[0]), text)
    found = re.search(r"\s--\s", masked)
    if not found:
        return text.strip(), None
    return text[: found.start()].strip(), text[found.end() :].strip() or None
