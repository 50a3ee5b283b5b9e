"""A question's text, cut into the pieces that it is written in: settings, prose, options, and sections of their own.

Nothing is judged here, and nothing is lost: the lines of all pieces, one after the other, are the text. `form` makes
fields of them, and `writer` writes fields back, with every piece that did not change as its author wrote it. (`reader`
reads the same text for its meaning, and says what is wrong in it.)
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.content.parser import OPTION_LINE
from app.content.questions.kind import TASK_LIST, Kind
from app.content.questions.table import KINDS

NAMES = (
    *("type", "points", "pool", "given", "answer", "mistake", "partly", "right", "other", "shuffle"),
    *("tolerance", "rtol", "framework"),
)
REPEATED = ("mistake", "partly", "given")
SECTIONS = ("explain", "rubric", "gap")
PART = re.compile(r"\s*([0-9]{1,3}(?:\.[0-9]+)?\s?%)\s")


class NotAForm(Exception):
    """The text holds what no field could, so it is edited as text alone. `hint` is the remedy."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message, self.hint = message, hint


@dataclass(frozen=True)
class Setting:
    """`:name: value`, with what continues it; lines of an output are kept apart."""

    name: str
    value: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Item:
    """One option as it is written: its mark, "" where its list has none, and its text with its feedback."""

    mark: str
    text: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Section:
    """`:::{name} argument`, and what is in it."""

    name: str
    argument: str
    text: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Prose:
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        return without_empty_ends(self.lines)


Piece = Setting | Item | Section | Prose


@dataclass(frozen=True)
class Fenced:
    """A whole question: `::::{question} its-slug`, its body, and the line that closes it."""

    fence: str
    slug: str
    body: tuple[str, ...]
    closing: str

    @property
    def lines(self) -> tuple[str, ...]:
        return (f"{self.fence}{{question}} {self.slug}", *self.body, self.closing)


def fenced(text: str) -> Fenced:
    """Raises NotAForm where the text is not one question from its first line to its last."""
    lines = without_empty_ends(text.split("\n")).split("\n")
    opening = re.fullmatch(r"(:{3,}|`{3,}|~{3,})\{question\}\s*(.*?)\s*", lines[0])
    if opening is None:
        hint = "Begin with `::::{question} a-short-name`, at the left margin."
        raise NotAForm("The text does not begin with a question.", hint)
    fence = opening[1]
    ends = [number for number, line in enumerate(lines) if number and closes(line, fence)]
    if ends != [len(lines) - 1]:
        hint = f"End it with `{fence}`, and write a fence around what is in it that is shorter than that."
        raise NotAForm("The text is more than one question, or its fence is never closed.", hint)
    return Fenced(fence, opening[2], tuple(lines[1:-1]), lines[-1])


def closes(line: str, fence: str) -> bool:
    """Whether this line ends what `fence` opened."""
    return re.fullmatch(rf" {{0,3}}{re.escape(fence[0])}{{{len(fence)},}}[ \t]*", line) is not None


def pieces_of(body: Sequence[str]) -> tuple[Piece, ...]:
    """Of a question, or of a gap. Raises NotAForm."""
    lines = list(body)
    kind, settings = _settings(lines)
    begun = sum(len(setting.lines) for setting in settings)
    sections = dict(_sections(lines, begun))
    items = dict(_items(lines, begun, sections, kind))
    pieces: list[Piece] = [*settings]
    prose: list[str] = []
    number = begun
    while number < len(lines):
        found = sections.get(number) or items.get(number)
        if found is None:
            prose.append(lines[number])
            number += 1
            continue
        if prose:
            pieces.append(Prose(tuple(prose)))
        prose = []
        pieces.append(found)
        number += len(found.lines)
    return (*pieces, Prose(tuple(prose))) if prose else tuple(pieces)


def _settings(lines: Sequence[str]) -> tuple[Kind | None, list[Setting]]:
    """The leading settings, and the type that they name."""
    found: list[Setting] = []
    kind: Kind | None = None
    for number, line in enumerate(lines):
        last = found[-1] if found else None
        is_output = bool(last and last.name == "answer" and kind and kind.WRITTEN.is_output)
        if option := OPTION_LINE.match(line):
            found.append(Setting(option[1], (option[2] or "").strip(), (line,)))
            if option[1] == "type" and kind is None:
                kind = KINDS.get(found[-1].value)
        elif last and line.startswith("  ") and line.strip():
            more = f"\n{line[2:].rstrip()}" if is_output else f" {line.strip()}"
            found[-1] = Setting(last.name, last.value + more, (*last.lines, line))
        elif last and is_output and not line and "".join(lines[number + 1 : number + 2]).startswith("  "):
            found[-1] = Setting(last.name, f"{last.value}\n", (*last.lines, line))
        else:
            break
    return kind, found


def _sections(lines: Sequence[str], begun: int) -> Iterator[tuple[int, Section]]:
    """By their first lines. What is in a section is its own."""
    number = begun
    while number < len(lines):
        opening = re.fullmatch(rf"(:{{3,}})\{{({'|'.join(SECTIONS)})\}}\s*(.*?)\s*", lines[number])
        if opening is None:
            number += 1
            continue
        closing = re.compile(rf":{{{len(opening[1])},}}\s*")
        end = next((other for other in range(number + 1, len(lines)) if closing.fullmatch(lines[other])), None)
        if end is None:
            raise NotAForm(f"The {{{opening[2]}}} is never closed.", f"End it with `{opening[1]}`.")
        within = lines[number + 1 : end]
        if any(re.fullmatch(rf":{{3,}}\{{({'|'.join(SECTIONS)})\}}.*", line) for line in within):
            raise NotAForm(f"A section stands within the {{{opening[2]}}}.", "Put one below the other.")
        yield number, Section(opening[2], opening[3], "\n".join(within), tuple(lines[number : end + 1]))
        number = end + 1


def _items(
    lines: Sequence[str], begun: int, sections: dict[int, Section], kind: Kind | None
) -> Iterator[tuple[int, Item]]:
    """By their first lines, in the list's style of this type; empty lines between an item and what continues it are
    its own."""
    style = kind.WRITTEN.options if kind else TASK_LIST
    within = {line for first, section in sections.items() for line in range(first, first + len(section.lines))}
    first, item, fence = -1, Item("", "", ()), ""
    for number in range(begun, len(lines)):
        line = lines[number]
        if number in within:
            continue
        if mark := re.match(r"\s*(`{3,}|~{3,})", line):
            fence = "" if fence and line.strip().startswith(fence) else fence or mark[1]
        if fence:
            continue
        if found := style.item.match(line):
            if first >= 0:
                yield first, item
            text = found[found.re.groups]
            first, item = number, Item(found[1].lower() if found.re.groups > 1 else "", text, (line,))
        elif first >= 0 and line.startswith("  ") and line.strip():
            if any(other in within or lines[other].strip() for other in range(first + len(item.lines), number)):
                raise NotAForm("An option goes on below other text.", "Put what continues an option directly below it.")
            more = tuple(lines[first + len(item.lines) : number + 1])
            item = Item(item.mark, f"{item.text.rstrip()}\n{line.strip()}", (*item.lines, *more))
    if first >= 0:
        yield first, item


def without_empty_ends(lines: Sequence[str]) -> str:
    """The lines without the empty ones around them."""
    full = [number for number, line in enumerate(lines) if line.strip()]
    return "\n".join(lines[full[0] : full[-1] + 1]) if full else ""


# ---- within one line ------------------------------------------------------------------------------------------


def split_feedback(text: str) -> tuple[str, str | None]:
    """`text -- feedback`, at the first ` -- ` outside code and mathematics."""
    found = re.search(r"\s--\s", _masked(text))
    if not found:
        return text.strip(), None
    return text[: found.start()].strip(), text[found.end() :].strip() or None


def arrow_in(label: str) -> re.Match[str] | None:
    """The `=>` between an item and its answer; its places are those in `label`."""
    return re.search(r"(?:^|\s)=>(?:\s|$)", _masked(label))


def _masked(text: str) -> str:
    """With code and mathematics as a row of letters, so that what is found in it is text."""
    return re.sub(r"`[^`]*`|\$[^$]*\$", lambda match: "x" * len(match[0]), text)
