"""A form, written as the text that it came from: every piece that did not change stays as its author wrote it.

What was written is read again before anybody keeps it. A field whose text would be read as something else, an option
with ` -- ` in it or a line of the prompt that looks like a setting, is refused, and named.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields
from typing import TypeVar

from app.content.questions.form import (
    SINGLE,
    Form,
    MistakeRow,
    OptionRow,
    form_of_pieces,
    gap_of,
    is_mistake,
    mistake_row,
    option_row,
)
from app.content.questions.kind import ListStyle
from app.content.questions.pieces import (
    Fenced,
    Item,
    NotAForm,
    Piece,
    Prose,
    Section,
    Setting,
    fenced,
    pieces_of,
)

WIDTH = 120
Lines = tuple[str, ...]
Row = TypeVar("Row")


class Unwritable(Exception):
    """What stands in this field cannot be written. `hint` is the remedy."""

    def __init__(self, field: str, message: str, hint: str) -> None:
        super().__init__(message)
        self.field, self.message, self.hint = field, message, hint


def rewritten(text: str, form: Form) -> str:
    """The question in `text` with these fields, which are tidy. Raises NotAForm for the text, Unwritable."""
    whole = fenced(text)
    pieces = pieces_of(whole.body)
    if form_of_pieces(whole.slug, pieces) == form:
        return text
    body = tuple(_body(form, pieces))
    return _text(form, whole, body)


def written(form: Form) -> str:
    """A question of its own. Raises Unwritable."""
    return _text(form, Fenced("::::", form.slug, (), "::::"), tuple(_body(form, ())))


def _text(form: Form, old: Fenced, body: Lines) -> str:
    fence = _longer(old.fence, body)
    closing = old.closing if fence == old.fence else fence
    new = "\n".join(Fenced(fence, form.slug, body, closing).lines)
    _require_same(form, new)
    return new


def _longer(fence: str, body: Iterable[str]) -> str:
    """A fence that no line of the body closes."""
    runs = [len(found[1]) for line in body if (found := re.match(rf" {{0,3}}({re.escape(fence[0])}{{3,}})", line))]
    return fence[0] * max([len(fence), *(run + 1 for run in runs)])


def _require_same(form: Form, text: str) -> None:
    try:
        whole = fenced(text)
        again = form_of_pieces(whole.slug, pieces_of(whole.body))
    except NotAForm as error:
        raise Unwritable("", error.message, error.hint) from None
    for field in (field.name for field in fields(Form)):
        if getattr(again, field) != getattr(form, field):
            name = field if field != "settings" else _differing(form, again)
            message = f"What stands in `{name}` would be read as something else."
            raise Unwritable(name, message, "Write it in other words, or edit the question as text.")


def _differing(form: Form, again: Form) -> str:
    return next((name for name in SINGLE if form.setting(name) != again.setting(name)), "settings")


# ---- piece by piece -------------------------------------------------------------------------------------------

# In the order in which a new one is written.
_HEAD = ("type", "points", "pool", "framework", "given", "answer", "tolerance", "rtol", "shuffle", "mistakes")
_ORDER = (*_HEAD, "right", "other", "prompt", "options", "gaps", "rubric", "explain")


def _body(form: Form, pieces: Sequence[Piece]) -> Iterator[str]:
    old = form_of_pieces("", pieces)
    parts: list[tuple[str, Lines]] = [(_group(piece), piece.lines) for piece in pieces]
    for name in _ORDER:
        if _value(form, name) != _value(old, name) or (name == "options" and form.style != old.style):
            _put(parts, name, _written_group(form, old, name, pieces))
    for _, lines in parts:
        yield from lines


def _group(piece: Piece) -> str:
    match piece:
        case Setting(name="mistake" | "partly"):
            return "mistakes"
        case Setting(name=name):
            return name
        case Item():
            return "options"
        case Section(name="gap"):
            return "gaps"
        case Section(name=name):
            return name
        case Prose():
            return "prompt" if piece.text else ""


def _value(form: Form, name: str) -> object:
    return form.setting(name) if name in SINGLE else getattr(form, name)


def _put(parts: list[tuple[str, Lines]], name: str, lines: Lines) -> None:
    """`lines` in place of all parts of this name; where there is none, where a new one belongs."""
    places = [place for place, (group, _) in enumerate(parts) if group == name]
    if places:
        parts[places[0]] = (name, lines)
        for place in reversed(places[1:]):
            del parts[place]
        return
    before = set(_ORDER[: _ORDER.index(name)])
    if name in ("prompt", *_HEAD, "right", "other"):
        before &= {*_HEAD, "right", "other"}
    after = [place for place, (group, _) in enumerate(parts) if group in before]
    parts.insert(after[-1] + 1 if after else 0, (name, lines))


def _written_group(form: Form, old: Form, name: str, pieces: Sequence[Piece]) -> Lines:
    match name:
        case "prompt":
            return _prose(form.prompt, pieces)
        case "given":
            return _kept(form.given, old.given, _lines_of(pieces, "given"), lambda text: _setting("given", text))
        case "mistakes":
            known = [piece for piece in pieces if is_mistake(piece)]
            return _kept(form.mistakes, map(mistake_row, known), [piece.lines for piece in known], _mistake)
        case "options":
            items = [piece for piece in pieces if isinstance(piece, Item)] if form.style == old.style else []
            rows = [option_row(item, old.style) for item in items]
            return _options(form.options, rows, [item.lines for item in items], form.style)
        case "gaps":
            return _gaps(form.gaps, [piece for piece in pieces if isinstance(piece, Section) and piece.name == "gap"])
        case "rubric" | "explain":
            text = form.rubric if name == "rubric" else form.explain
            own = next((piece for piece in pieces if isinstance(piece, Section) and piece.name == name), None)
            return _section(name, "", text.split("\n"), own) if text else ()
    text = form.setting(name)
    is_output = name == "answer" and form.written is not None and form.written.is_output
    if not text:
        return ()
    return _output(text) if is_output else _setting(name, text)


def _kept(rows: Iterable[Row], old: Iterable[Row], lines: Sequence[Lines], write: Callable[[Row], Lines]) -> Lines:
    """Each row as it was written before, where there was the same."""
    known = list(zip(old, lines, strict=True))
    out: list[str] = []
    for row in rows:
        same = next((place for place, (before, _) in enumerate(known) if before == row), None)
        out += write(row) if same is None else known.pop(same)[1]
    return tuple(out)


def _lines_of(pieces: Sequence[Piece], name: str) -> list[Lines]:
    return [piece.lines for piece in pieces if isinstance(piece, Setting) and piece.name == name]


def _setting(name: str, text: str) -> Lines:
    """On as many lines as it needs; it is joined again by single spaces."""
    lines = [f":{name}:"]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}"
        if len(longer) > WIDTH and word and lines[-1].strip() != f":{name}:" and not lines[-1].endswith(" "):
            lines.append(f"  {word}")
        else:
            lines[-1] = longer
    return tuple(lines)


def _output(text: str) -> Lines:
    if "\n" not in text and text == text.strip():
        return (f":answer: {text}",)
    return (":answer:", *(f"  {line}" if line else "" for line in text.split("\n")))


def _mistake(row: MistakeRow) -> Lines:
    return _setting("partly" if row.share else "mistake", f"{row.share} {row.answer} -> {row.feedback}".strip())


def _options(rows: Sequence[OptionRow], old: Sequence[OptionRow], lines: Sequence[Lines], style: ListStyle) -> Lines:
    if not style.is_ordered:
        return _kept(rows, old, lines, lambda row: _option(row, style))
    known = list(zip(old, lines, strict=True))
    out: list[str] = []
    for number, row in enumerate(rows, 1):
        same = next((kept for before, kept in known if before == row), None)
        first, *more = same or _indented(row.text, f"{number}. ")
        out += [re.sub(r"^[0-9]{1,2}(?=[.)])", str(number), first), *more]
    return tuple(out)


def _option(row: OptionRow, style: ListStyle) -> Lines:
    feedback = f" -- {row.feedback}" if row.feedback else ""
    if style.is_paired:
        return _indented(f"{row.text} => {row.answer}".strip() + feedback, "- ")
    return _indented(f"{row.text}{feedback}", f"- [{row.mark}] ")


def _indented(text: str, before: str) -> Lines:
    first, *more = text.split("\n")
    return (f"{before}{first}", *(f"  {line}" for line in more))


def _gaps(gaps: Sequence[Form], sections: Sequence[Section]) -> Lines:
    old = {section.argument: section for section in sections}
    out: list[str] = []
    for gap in gaps:
        own = old.get(gap.slug)
        if own and gap_of(own) == gap:
            out += own.lines
        else:
            body = tuple(_body(gap, pieces_of(own.text.split("\n")) if own else ()))
            out += _section("gap", gap.slug, body, own)
    return tuple(out)


def _section(name: str, argument: str, body: Iterable[str], old: Section | None) -> Lines:
    body = tuple(body)
    fence = _longer(re.match(":+", old.lines[0])[0] if old else ":::", body)  # type: ignore[index]
    opening = f"{fence}{{{name}}} {argument}".rstrip()
    return (opening, *body, fence)


def _prose(text: str, pieces: Sequence[Piece]) -> Lines:
    """With the empty lines that stood around it."""
    if not text:
        return ()
    own = next((piece.lines for piece in pieces if isinstance(piece, Prose) and piece.text), ())
    full = [number for number, line in enumerate(own) if line.strip()]
    before, after = (own[: full[0]], own[full[-1] + 1 :]) if full else ((), ())
    return (*before, *text.split("\n"), *after)
