"""A question as the fields of a form: what its author wrote in each, as text. Nothing in it is judged.

    form_of(text)      the fields of a question's Markdown
    tidy(form)         what a browser sent, as it can be written: no empty rows, no space around a line
    fields_of(form)    which fields its type has, and what each is for: from the type's own record (`kind.Written`)

`writer.rewritten(text, form)` is the way back.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from app.content.questions.kind import TASK_LIST, ListStyle, Written
from app.content.questions.pieces import (
    NAMES,
    PART,
    REPEATED,
    Item,
    NotAForm,
    Piece,
    Prose,
    Section,
    Setting,
    arrow_in,
    fenced,
    pieces_of,
    split_feedback,
    without_empty_ends,
)
from app.content.questions.table import KINDS
from graders.frameworks import FRAMEWORKS

SINGLE = tuple(name for name in NAMES if name not in REPEATED)


@dataclass(frozen=True)
class OptionRow:
    """`mark`: what stands in the box, "" where the list has none. `answer`: what belongs to an item of a matching."""

    mark: str = ""
    text: str = ""
    feedback: str = ""
    answer: str = ""


@dataclass(frozen=True)
class MistakeRow:
    """`share`: what the answer earns, `50%`; "" for a mistake, which earns nothing."""

    answer: str = ""
    feedback: str = ""
    share: str = ""


@dataclass(frozen=True)
class Form:
    """`settings`: those that stand there once, by name, each with a text; one that is not there has none."""

    slug: str = ""
    settings: tuple[tuple[str, str], ...] = ()
    given: tuple[str, ...] = ()
    mistakes: tuple[MistakeRow, ...] = ()
    prompt: str = ""
    options: tuple[OptionRow, ...] = ()
    gaps: tuple["Form", ...] = ()
    rubric: str = ""
    explain: str = ""

    def setting(self, name: str) -> str:
        return dict(self.settings).get(name, "")

    @property
    def type(self) -> str:
        return self.setting("type")

    @property
    def written(self) -> Written | None:
        """How its type is written; None where there is no such type."""
        kind = KINDS.get(self.type)
        return kind.WRITTEN if kind else None

    @property
    def style(self) -> ListStyle:
        return self.written.options if self.written else TASK_LIST


def form_of(text: str) -> Form:
    """Raises NotAForm for what is not one question, or holds what no field could."""
    whole = fenced(text)
    return form_of_pieces(whole.slug, pieces_of(whole.body))


def form_of_pieces(slug: str, pieces: Sequence[Piece]) -> Form:
    settings: dict[str, str] = {}
    for piece in pieces:
        if isinstance(piece, Setting) and piece.name in SINGLE:
            settings.setdefault(piece.name, piece.value.strip("\n"))
    form = Form(slug, tuple((name, settings[name]) for name in SINGLE if settings.get(name)))
    sections = [piece for piece in pieces if isinstance(piece, Section)]
    return replace(
        form,
        given=tuple(_named(pieces, "given")),
        mistakes=tuple(mistake_row(piece) for piece in pieces if is_mistake(piece)),
        prompt="\n\n".join(piece.text for piece in pieces if isinstance(piece, Prose) and piece.text),
        options=tuple(option_row(piece, form.style) for piece in pieces if isinstance(piece, Item)),
        gaps=tuple(gap_of(section) for section in sections if section.name == "gap"),
        rubric=_text_of(sections, "rubric"),
        explain=_text_of(sections, "explain"),
    )


def _named(pieces: Sequence[Piece], name: str) -> Iterator[str]:
    return (piece.value for piece in pieces if isinstance(piece, Setting) and piece.name == name)


def is_mistake(piece: Piece) -> bool:
    return isinstance(piece, Setting) and piece.name in ("mistake", "partly")


def mistake_row(piece: Piece) -> MistakeRow:
    assert isinstance(piece, Setting)
    answer, _, feedback = piece.value.partition("->")
    share = PART.match(answer) if piece.name == "partly" else None
    if piece.name == "partly" and share is None:
        hint = "Begin with a part of the points: `:partly: 50% the answer -> what to tell`."
        raise NotAForm(f"`:partly: {piece.value}` does not say what it earns.", hint)
    return MistakeRow(answer[share.end() if share else 0 :].strip(), feedback.strip(), share[1] if share else "")


def option_row(piece: Piece, style: ListStyle) -> OptionRow:
    assert isinstance(piece, Item)
    if style.is_ordered:
        return OptionRow(text=piece.text.strip())
    label, feedback = split_feedback(piece.text)
    arrow = arrow_in(label) if style.is_paired else None
    if arrow:
        return OptionRow("", label[: arrow.start()].strip(), feedback or "", label[arrow.end() :].strip())
    return OptionRow(piece.mark, label, feedback or "")


def gap_of(section: Section) -> Form:
    pieces = pieces_of(section.text.split("\n"))
    form = form_of_pieces(section.argument, pieces)
    if form.prompt or form.given or form.gaps or form.rubric or form.explain:
        hint = "Put these into the question around it."
        raise NotAForm(f"The gap `{section.argument}` has text, values or sections of its own.", hint)
    return form


def _text_of(sections: Sequence[Section], name: str) -> str:
    found = [section for section in sections if section.name == name]
    if len(found) > 1:
        raise NotAForm(f"There are {len(found)} sections {{{name}}}.", "Keep one of them.")
    return without_empty_ends(found[0].text.split("\n")) if found else ""


# ---- what a browser sent --------------------------------------------------------------------------------------


def tidy(form: Form) -> Form:
    """As the same text would be read again. Rows without any text are gone."""
    is_output = form.written is not None and form.written.is_output
    settings = {name: _line(text) for name, text in form.settings if name != "answer" or not is_output}
    if is_output:
        settings["answer"] = "\n".join(line.rstrip() for line in _lines(form.setting("answer"))).strip("\n")
    mistakes = (MistakeRow(_line(row.answer), _line(row.feedback), _line(row.share)) for row in form.mistakes)
    options = (_tidy_option(row, form.style) for row in form.options)
    gaps = (tidy(gap) for gap in form.gaps)
    return Form(
        _line(form.slug),
        tuple((name, settings[name]) for name in SINGLE if settings.get(name)),
        tuple(filter(None, map(_line, form.given))),
        tuple(row for row in mistakes if row.answer or row.feedback),
        without_empty_ends(_lines(form.prompt)),
        tuple(row for row in options if row.text or row.feedback or row.answer),
        tuple(gap for gap in gaps if gap.slug or gap.setting("answer") or gap.options),
        without_empty_ends(_lines(form.rubric)),
        without_empty_ends(_lines(form.explain)),
    )


def _tidy_option(row: OptionRow, style: ListStyle) -> OptionRow:
    """A mark where the list has boxes. What a list has no place for goes into the text, so that nothing is lost."""
    text, feedback, answer = _short_lines(row.text), _short_lines(row.feedback), _short_lines(row.answer)
    if answer and not style.is_paired:
        text, answer = f"{text} => {answer}", ""
    if style.is_ordered:
        return OptionRow(text=f"{text} -- {feedback}" if feedback else text)
    if style.is_paired:
        return OptionRow("", text, feedback, answer)
    return OptionRow(re.sub(r"(?<=\d)\s+(?=%)", " ", row.mark.strip().lower()) or " ", text, feedback)


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _line(text: str) -> str:
    return " ".join(line.strip() for line in _lines(text) if line.strip())


def _short_lines(text: str) -> str:
    return "\n".join(line.strip() for line in _lines(text) if line.strip())


# ---- which fields there are -----------------------------------------------------------------------------------

Shown = Literal["line", "lines", "code", "menu", "options", "mistakes", "gaps"]


@dataclass(frozen=True)
class Field:
    """`name`: of a setting, or of a part of the form. `menu`: what may be chosen."""

    name: str
    label: str
    hint: str = ""
    shown: Shown = "line"
    menu: tuple[str, ...] = ()


def fields_of(form: Form, *, is_gap: bool = False) -> tuple[Field, ...]:
    """In the order in which people fill them. A gap has no text and no values of its own."""
    written = form.written
    types = written_types(form) if not is_gap else sorted(KINDS["cloze"].WRITTEN.gaps)
    fields = [Field("type", "Type", "", "menu", tuple(types))]
    if written is None:
        return tuple(fields)
    if not is_gap:
        fields += [_PROMPT, _GIVEN]
    fields += _right_fields(form, written)
    fields += [_SETTINGS[name] for name in ("tolerance", "rtol", "framework") if name in written.settings]
    if written.right_in == "answer":
        fields.append(_MISTAKES)
    fields += [_SETTINGS["other"]] if "other" in written.settings else []
    fields += [] if written.is_graded_by_hand else [_SETTINGS["right"]]
    fields += [] if is_gap else [_EXPLAIN]
    fields.append(_SETTINGS["points"])
    return tuple(fields if is_gap else [*fields, _SETTINGS["pool"]])


def written_types(form: Form) -> list[str]:
    return [*KINDS, *([form.type] if form.type not in KINDS else [])]


def _right_fields(form: Form, written: Written) -> Iterator[Field]:
    match written.right_in:
        case "options":
            yield Field("options", "Options", _option_hint(written.options), "options")
            if not written.options.is_ordered:
                hint = "Options are shuffled, unless their order means something."
                yield Field("shuffle", "Keep the options in this order", hint, "menu", ("", "false"))
        case "gaps":
            hint = "Write `[[its-name]]` in the text, where the gap is. Each gap is a small question."
            yield Field("gaps", "Gaps", hint, "gaps")
        case "rubric":
            hint = "Graders see it, and students with their grade."
            yield Field("rubric", "What earns points", hint, "lines")
        case "answer":
            yield Field("answer", "Right answer", _answer_hint(written), "code" if written.is_output else "line")


def _option_hint(style: ListStyle) -> str:
    if style.is_ordered:
        return "In their right order, which is never the order that students see."
    if style.is_paired:
        return "An answer without an item is spare; two items may share one."
    part = "`40%` earns that much, `-25%` costs it." if style.part_is_right else "`50%` earns a part."
    return f"Mark what is right with `x`. {part}"


def _answer_hint(written: Written) -> str:
    if written.is_output:
        return "What the code prints, line by line. Given names in double braces, `{{n}}`."
    return (
        "Accepted spellings, with ` | ` between them." if written.is_text else "A formula, in given names if you like."
    )


_PROMPT = Field("prompt", "Question", "Markdown. Given names in double braces, `{{n}}`.", "lines")
_GIVEN = Field("given", "Values that vary", "A line each: `n = 2 | 4`, or `(N, T) = (2, 8) | (4, 16)`.", "code")
_MISTAKES = Field("mistakes", "Known mistakes", "Students who give this answer read your sentence.", "mistakes")
_EXPLAIN = Field("explain", "Explanation", "Shown after an answer. `{{answer}}` is the right one.", "lines")
_SETTINGS = {
    "tolerance": Field("tolerance", "Tolerance", "How far off an answer may be: `0.01`."),
    "rtol": Field("rtol", "Relative tolerance", "A share of the answer: `0.01` is one per cent."),
    "framework": Field("framework", "Framework of the code", "", "menu", ("", *FRAMEWORKS)),
    "other": Field("other", "Any other wrong answer", "Told after an answer that is neither right nor listed above."),
    "right": Field("right", "A right answer", "Told after every right answer."),
    "points": Field("points", "Points", "What it counts in a quiz; 1 unless you say."),
    "pool": Field("pool", "Pool", "The pool of the quiz that it is drawn from."),
}
