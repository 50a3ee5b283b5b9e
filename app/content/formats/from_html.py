r"""HTML of other systems as our Markdown: no HTML survives, and no text of theirs is taken for markup of ours.

What Markdown can say is kept: paragraphs, emphasis, code, lists, quotes, links, pictures, tables, and mathematics
between `\(…\)`, `\[…\]`, `$$…$$`. What it cannot is left out, and said in `lost`.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape
from html.parser import HTMLParser

MAX_CHARACTERS = 256 << 10
MAX_DEPTH = 100  # of tags in one another; what stands deeper is text
Picture = Callable[[str], str | None]  # from its address to `figures/NAME`; None where it cannot be had


@dataclass
class Words:
    """Markdown, and what did not become any."""

    text: str
    lost: list[str] = field(default_factory=list)


def no_picture(source: str) -> str | None:
    return None


def blocks_of(html: str, picture: Picture = no_picture) -> Words:
    """HTML as paragraphs and other blocks."""
    return _read(html, picture, is_line=False)


def line_of(html: str, picture: Picture = no_picture) -> Words:
    """HTML as one line, as an option, an item or feedback is written; its paragraphs and lines are joined."""
    return _read(html, picture, is_line=True)


def plain_blocks(text: str) -> str:
    """Plain text as Markdown: an empty line parts paragraphs, and lines stay."""
    parts = re.split(r"\n\s*\n", escape(text.replace("\r\n", "\n").strip(), quote=False))
    return blocks_of("".join(f"<p>{part.replace(_NEWLINE, '<br>')}</p>" for part in parts)).text


_NEWLINE = "\n"


def plain_line(text: str) -> str:
    return line_of(escape(text, quote=False)).text


def words_of(html: str) -> str:
    """The text alone, in one line and not escaped: a name, a typed answer."""
    reader = _TextReader()
    reader.feed(_tame(html[:MAX_CHARACTERS]))
    reader.close()
    return " ".join("".join(reader.texts).split())


class _TextReader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def _read(html: str, picture: Picture, is_line: bool) -> Words:
    reader = _Reader(picture, is_line)
    reader.feed(_tame(html[:MAX_CHARACTERS].replace("\r\n", "\n")))
    reader.close()
    if len(html) > MAX_CHARACTERS:
        reader.lose(f"all after {MAX_CHARACTERS:,} characters")
    return Words(reader.markdown(), reader.lost)


def _tame(html: str) -> str:
    """attack: `<a <a <a …`, `<!--<!--…`: for each, the standard library's parser looks at all that follows. defence:
    comments and declarations go first, and a `<` that begins no whole tag is text."""
    first, *others = html.split("<!--")
    text = "".join([first, *(other.partition("-->")[2] for other in others)])
    return _NO_TAG.sub("&lt;", _DECLARATION.sub("", text))


_DECLARATION = re.compile(r"<[!?][^<>]{0,2000}>")
_NO_TAG = re.compile(r"""<(?!/?[A-Za-z](?:[^<>"']|"[^"]{0,4000}"|'[^']{0,4000}'){0,4000}>)""")


@dataclass
class _Part:
    text: str
    is_block: bool = False


@dataclass
class _Open:
    """An element that is being read, with what it holds so far."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    parts: list[_Part] = field(default_factory=list)
    is_loose: bool = False  # of a list: its items hold paragraphs


_VOID = frozenset(("br", "hr", "img", "input", "meta", "link", "wbr", "source", "track", "col", "embed"))
_BLOCKS = frozenset([
    "p", "div", "section", "article", "header", "footer", "main", "center", "address", "figure", "figcaption", "dl",
    "dt", "dd", "form", "fieldset", "details", "summary", "prompt", "itembody", "body", "html", "rubricblock",
])  # fmt: skip
_HEADINGS = frozenset(f"h{level}" for level in range(1, 7))
_STRONG, _EMPHASIS = frozenset(("strong", "b")), frozenset(("em", "i", "cite", "var"))
_CODE = frozenset(("code", "tt", "kbd", "samp"))
_LEFT_OUT = {
    "script": "a script", "style": "", "iframe": "a frame", "object": "an embedded object", "audio": "a recording",
    "video": "a film", "svg": "a drawing within the text", "math": "a formula in MathML", "canvas": "a drawing",
    "select": "a menu", "textarea": "a field", "template": "a template", "noscript": "", "head": "", "title": "",
}  # fmt: skip
_MATH = re.compile(r"\\\((.{1,2000}?)\\\)|\\\[(.{1,2000}?)\\\]|\$\$(.{1,2000}?)\$\$", re.DOTALL)


class _Reader(HTMLParser):
    def __init__(self, picture: Picture, is_line: bool) -> None:
        super().__init__()
        self.picture, self.is_line = picture, is_line
        self.open = [_Open("")]
        self.lost: list[str] = []
        self.waiting: list[str] = []
        self.alignments: list[str] = []  # of the cells of a table

    def lose(self, what: str) -> None:
        if what and what not in self.lost:
            self.lost.append(what)

    def markdown(self) -> str:
        self._flush()
        while len(self.open) > 1:
            self._close()
        return self._joined(self.open[0].parts).strip("\n")

    # ---------------------------------------------------------- what the parser finds

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._flush()
        attributes = {name: value or "" for name, value in attrs}
        if tag in _VOID:
            self._void(tag, attributes)
            return
        if tag in ("p", "li", "tr", "td", "th", "dt", "dd"):
            self._end_unclosed(tag)
        if len(self.open) < MAX_DEPTH:
            self.open.append(_Open(tag, attributes))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        self._flush()
        if not any(element.tag == tag for element in self.open[1:]):
            return
        while self.open[-1].tag != tag:
            self._close()
        self._close()

    def handle_data(self, data: str) -> None:
        """What follows another piece of text belongs to it: `\\(x < 2\\)` comes in three."""
        self.waiting.append(data)

    def _flush(self) -> None:
        data = "".join(self.waiting)
        self.waiting.clear()
        if not data:
            return
        if self._within(_CODE | {"pre", "annotation"}):
            self._put(data)
        elif self.open[-1].tag not in ("ul", "ol", "table", "tr", "tbody", "thead") or data.strip():
            self._put(_escaped(re.sub(r"[ \t\n\f\u00a0]+", " ", data)))

    def _within(self, tags: frozenset[str]) -> bool:
        return any(element.tag in tags for element in self.open)

    def _end_unclosed(self, tag: str) -> None:
        """`<li>one<li>two`: what nobody closes ends where the next of its kind begins."""
        ends = {"td": ("td", "th"), "th": ("td", "th"), "dt": ("dt", "dd"), "dd": ("dt", "dd")}.get(tag, (tag,))
        if self.open[-1].tag in ends:
            self._close()

    # ---------------------------------------------------------- what becomes of it

    def _put(self, text: str, is_block: bool = False) -> None:
        self.open[-1].parts.append(_Part(text, is_block))

    def _void(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "br":
            self._put("\n" if self._within(frozenset(("pre",))) else " " if self.is_line else "\\\n")
        elif tag == "img":
            self._image(attributes)
        elif tag == "hr" and not self.is_line:
            self._put("***", is_block=True)
        elif tag in ("embed", "input"):
            self.lose("an embedded object" if tag == "embed" else "a field")

    def _image(self, attributes: dict[str, str]) -> None:
        source, words = attributes.get("src", ""), " ".join(attributes.get("alt", "").split())
        if found := self.picture(source):
            self._put(f"![{_escaped(words) or 'A picture'}]({found})")
        else:
            self.lose(f"the picture {source[:80] or 'without an address'}")
            self._put(_escaped(f"[{words or 'a picture'}]"))

    def _close(self) -> None:
        element = self.open.pop()
        tag = element.tag
        if tag in _LEFT_OUT:
            self._left_out(element)
        elif tag == "annotation":
            self._put("\0" + "".join(part.text for part in element.parts))
        elif tag == "pre":
            self._preformatted(element)
        elif tag in _CODE:
            self._code(element)
        elif tag in ("ul", "ol"):
            self._list(element)
        elif tag == "li":
            text = self._joined(element.parts)
            self.open[-1].is_loose |= element.is_loose
            self._put(text if element.is_loose else re.sub(r"\n\n(?=- |1\. )", "\n", text), is_block=True)
        elif tag == "table":
            self._table(element)
        elif tag in ("td", "th"):
            self.alignments.append(_alignment(element.attributes))
            self._put(" ".join(self._joined(element.parts).replace("\\\n", " ").split()), is_block=True)
        elif tag == "tr":
            self._put("\0".join(part.text for part in element.parts if part.is_block), is_block=True)
        elif tag == "blockquote" and not self.is_line:
            self._put(
                "\n".join(f"> {line}".rstrip() for line in self._joined(element.parts).split("\n")), is_block=True
            )
        elif tag in _HEADINGS:
            self._put(_around("**", self._joined(element.parts)), is_block=True)
        elif tag in _BLOCKS or (any(part.is_block for part in element.parts) and not self.is_line):
            self.open[-1].is_loose |= tag == "p" and self.open[-1].tag == "li"
            self._put(self._joined(element.parts), is_block=True)
        else:
            self._inline(element)

    def _inline(self, element: _Open) -> None:
        text = "".join(part.text for part in element.parts)
        if element.tag in _STRONG:
            text = _around("**", text)
        elif element.tag in _EMPHASIS:
            text = _around("*", text)
        elif element.tag in ("sub", "sup") and text.strip():
            text = _raised(_bare(text)) if element.tag == "sup" else _lowered(_bare(text))
        elif element.tag == "a" and re.match(r"(https?|mailto):[^\s<>()]+$", element.attributes.get("href", "")):
            text = f"[{text.strip()}]({element.attributes['href']})" if text.strip() else ""
        elif element.tag == "a" and element.attributes.get("href") and not text.startswith("!["):
            self.lose(f"the link to {element.attributes['href'][:80]}")
        self._put(text)

    def _left_out(self, element: _Open) -> None:
        tex = "".join(part.text for part in element.parts).partition("\0")[2]
        if element.tag == "math" and tex:
            self._put(_formula(tex))
        else:
            self.lose(_LEFT_OUT[element.tag])

    def _code(self, element: _Open) -> None:
        text = "".join(part.text for part in element.parts)
        if around := next((outer for outer in self.open if outer.tag == "pre"), None):
            around.attributes.setdefault("class", element.attributes.get("class", ""))
            self._put(text)
        elif text.strip():
            self._put(_code_span(text))

    def _preformatted(self, element: _Open) -> None:
        text = "".join(part.text for part in element.parts).strip("\n")
        if self.is_line:
            self._put(_code_span(text) if text.strip() else "", is_block=True)
            return
        fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
        self._put(f"{fence}{_language(element.attributes.get('class', ''))}\n{text}\n{fence}", is_block=True)

    def _list(self, element: _Open) -> None:
        items = [part.text for part in element.parts if part.text.strip()]
        if self.is_line:
            self._put("; ".join(items), is_block=True)
            return
        marks = [f"{n}. " if element.tag == "ol" else "- " for n in range(1, len(items) + 1)]
        lines = [mark + _indented(item, len(mark)) for mark, item in zip(marks, items, strict=True)]
        self._put(("\n\n" if element.is_loose else "\n").join(lines), is_block=True)

    def _table(self, element: _Open) -> None:
        texts = [text for part in element.parts for text in part.text.split("\n\n")]
        rows = [text.split("\0") for text in texts if text]
        if self.is_line:
            self._put("; ".join(", ".join(row) for row in rows), is_block=True)
            return
        width = max(map(len, rows), default=0)
        cells = [[*row, *[""] * (width - len(row))] for row in rows]
        lines = [f"| {' | '.join(row)} |" for row in cells]
        marks = (self.alignments + ["---"] * width)[:width]
        self.alignments = []
        if width:
            self._put("\n".join([lines[0], f"|{'|'.join(marks)}|", *lines[1:]]), is_block=True)

    def _joined(self, parts: list[_Part]) -> str:
        blocks: list[str] = []
        line: list[str] = []
        for part in [*parts, _Part("", is_block=True)]:
            if not part.is_block:
                line.append(part.text)
                continue
            blocks += [_paragraph("".join(line)), part.text]
            line = []
        kept = [block for block in blocks if block.replace("\\\n", "").strip()]
        return " ".join(" ".join(kept).split()) if self.is_line else "\n\n".join(kept)


def _paragraph(text: str) -> str:
    """Without what would make it a list, a heading, a quote or a setting."""
    lines = re.sub(r" *\\\n *", "\\\n", re.sub(" {2,}", " ", text)).strip().split("\\\n")
    while lines and not lines[-1].strip():
        lines.pop()
    return "\\\n".join(map(_line_start_escaped, lines))


def _line_start_escaped(line: str) -> str:
    if number := re.match(r"([0-9]{1,9})([.):])", line):
        return f"{number[1]}\\{line[number.end(1) :]}"
    is_mark = re.match(r"[-+](?=\s|$)|[-=]{2,}\s*$|[#>:~•–]", line)
    return f"\\{line}" if is_mark and line[0].isascii() else f"&#{ord(line[0])};{line[1:]}" if is_mark else line


_SPECIAL = re.compile(
    r"\\(?=[!-/:-@\[-`{-~\n]|$)|[`*{}<$|]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|(?<=-)-|&(?=#?\w+;)|(?<==)>|(?<=-)>"
)
_BRACKET = re.compile(r"\[(?=[^\]]{0,1000}\](?:[(\[:{]|\s))|\[(?=[\^\[]|\s*[xX]?\s*\])|\](?=[(\[:])|(?<!\\)\[$")


def _escaped(text: str) -> str:
    """Text as Markdown that shows just this; formulas between their delimiters stay formulas."""
    pieces: list[str] = []
    last = 0
    for found in _MATH.finditer(text):
        tex = found[1] or found[2] or found[3]
        pieces += [_text_escaped(text[last : found.start()]), _formula(tex, display=found[1] is None)]
        last = found.end()
    return "".join([*pieces, _text_escaped(text[last:])])


def _text_escaped(text: str) -> str:
    escaped_ = _SPECIAL.sub(lambda found: f"\\{found[0]}", text)
    return _BRACKET.sub(lambda found: f"&#{ord(found[0])};", escaped_)


def _formula(tex: str, display: bool = False) -> str:
    """`{{a}}` in a formula would be the name of a given value."""
    tex = re.sub(r"\{(?=\{)", "{ ", " ".join(tex.split()))
    tex = re.sub(r"(?<!\\)\$", r"\\$", tex)
    return f"$${tex}$$" if display else f"${tex}$"


_SIGNS = "0123456789+-−=()"
_RAISED = str.maketrans(_SIGNS, "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾")
_LOWERED = str.maketrans(_SIGNS, "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")


def _raised(text: str) -> str:
    """As characters where there are some: a formula cannot begin right after a digit, as in 2²⁴ it would."""
    return text.translate(_RAISED) if set(text) <= set(_SIGNS) else f"$^{{\\text{{{text}}}}}$"


def _lowered(text: str) -> str:
    return text.translate(_LOWERED) if set(text) <= set(_SIGNS) else f"$_{{\\text{{{text}}}}}$"


def _around(mark: str, text: str) -> str:
    inner = text.strip()
    if not inner:
        return text
    before, _, after = text.partition(inner)
    return f"{before}{mark}{inner}{mark}{after}"


def _code_span(text: str) -> str:
    text = " ".join(text.split())
    mark = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{mark}{space}{text}{space}{mark}"


def _bare(text: str) -> str:
    return re.sub(r"[^\w+\-., ]", "", text).strip()


def _language(classes: str) -> str:
    found = re.search(r"(?:language|lang|brush)[-:] ?([a-z0-9+]{1,20})", classes.lower())
    return found[1] if found else ""


def _indented(text: str, by: int) -> str:
    return re.sub(r"\n(?!\n|$)", f"\n{' ' * by}", text)


def _alignment(attributes: dict[str, str]) -> str:
    found = re.search(r"(left|center|right)", f"{attributes.get('style', '')} {attributes.get('align', '')}")
    return {"left": ":---", "center": ":---:", "right": "---:"}[found[1]] if found else "---"
