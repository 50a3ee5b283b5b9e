"""GIFT: questions as Moodle reads them from a text file, with an empty line between two."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

from app.content.formats import gift_export
from app.content.formats.asked import asked, choice_of, choices_of, matching_of, remark, true_or_false, typed_of
from app.content.formats.bank import Bank, Text, require_questions
from app.content.formats.carried import CHANGED, carried_course, carries
from app.content.formats.elements import LOOKED_AT, read_bytes
from app.content.formats.from_html import Words, blocks_of, line_of, plain_blocks, plain_line, words_of
from app.content.formats.kind import Item, NoCounterpart, Refused
from app.content.formats.moodle_xml import share_of
from app.content.formats.numerical import number_in, numerical_of
from app.content.formats.portable import decimal
from app.content.formats.to_html import html_of
from app.content.questions.question import Question
from graders.text import title_of

NAME = "gift"
LIKE_ONE = re.compile(
    r"^\$CATEGORY:|^::(?:\\.|[^:\\])+::|(?<!\\)\{\s*(?:[=~]|#\s*[=\d.-]|T(?:RUE)?\s*[}#]|F(?:ALSE)?\s*[}#]|\})",
    re.MULTILINE,
)
WHERE_IT_WAS = "\\_\\_\\_\\_\\_"  # in the place of a missing word
_HIDDEN = 0xE100  # for private use: an escaped sign stands there while the text is cut at those that are not


def recognises(path: Path) -> bool:
    if not path.is_file() or path.suffix.lower() not in (".gift", ".txt"):
        return False
    try:
        with path.open("rb") as file:
            text = file.read(LOOKED_AT).decode("utf-8-sig", errors="ignore")
    except OSError:
        return False
    return bool(LIKE_ONE.search(text))


def items(path: Path) -> Iterator[Item | Refused]:
    try:
        content = read_bytes(path)
        if carried := carried_course(content, gift_export.exported):
            yield carried
            return
        bank = _bank(_text_of(content), path.stem)
        bank.warnings += [CHANGED] if carries(content) else []
        yield from bank.items()
    except NoCounterpart as error:
        yield Refused(path.name, str(error))


def _text_of(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError:
        raise NoCounterpart("It is not UTF-8: save it as UTF-8.") from None


def _bank(text: str, stem: str) -> Bank:
    bank = Bank(title_of(stem), stem)
    title = "Questions"
    for number, part in enumerate(_parts(text), 1):
        if part.startswith("$CATEGORY:"):
            path = part.removeprefix("$CATEGORY:").strip().replace("//", "\0")
            title = path.rpartition("/")[2].replace("\0", "/").removeprefix("$course$").strip() or "Questions"
            continue
        _put(bank, title, _Asked(part, number))
    require_questions(bank)
    return bank


def _parts(text: str) -> Iterator[str]:
    """The questions and categories; a category need not be followed by an empty line."""
    lines: list[str] = []
    for line in [*text.split("\n"), ""]:
        is_category = line.lstrip().startswith("$CATEGORY:")
        if line.lstrip().startswith("//"):
            continue
        if (not line.strip() or is_category) and lines:
            yield "\n".join(lines)
            lines = []
        if is_category:
            yield line.strip()
        elif line.strip():
            lines.append(line)


def _put(bank: Bank, title: str, read: "_Asked") -> None:
    bank.put(bank.category(title), read.name, read.block, read.lost)


# ------------------------------------------------------------------ one question


@dataclass
class _Asked:
    """One question that is being read: its text, cut at the signs that are not escaped."""

    part: str
    number: int
    lost: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        text = _hidden(self.part).strip()
        named = re.match(r"::(.*?)::\s*", text, re.DOTALL)
        text = text[named.end() :] if named else text
        formatted = re.match(r"\[(html|markdown|plain|moodle)\]\s*", text)
        self.format = formatted[1] if formatted else "moodle"
        text = text[formatted.end() :] if formatted else text
        before, brace, rest = text.partition("{")
        inside, closed, after = rest.rpartition("}")
        self.before, self.after = before, after.strip()
        self.has_answer, self.is_closed = bool(brace), bool(closed) or not brace
        answer, _, explanation = inside.partition("####")
        self.answer = answer.strip()
        self.name = words_of(_shown(named[1])) if named else words_of(_shown(before))[:40] or f"question {self.number}"
        self.explanation = explanation.strip()

    def block(self) -> Question | Text:
        """Raises NoCounterpart."""
        if not self.is_closed:
            raise NoCounterpart("Its answers are opened by `{` and never closed.")
        if not self.has_answer:
            return Text(plain_line(self.name), self.blocks(self.before))
        prompt = self.blocks(self.before)
        if self.after:
            prompt = f"{prompt} {WHERE_IT_WAS} {self.blocks(self.after)}"
        explanation = self.blocks(self.explanation) or None
        return replace(self._question(prompt), slug=self.name, explanation=explanation)

    def _question(self, prompt: str) -> Question:
        text = self.answer
        if not text:
            return asked("essay", prompt)
        if text.startswith("#"):
            return self._numerical(prompt, text[1:].strip())
        if truth := re.fullmatch(r"(T|TRUE|F|FALSE)\s*(?:#(.*?))?(?:#(.*))?", text, re.DOTALL | re.IGNORECASE):
            is_true = truth[1].upper().startswith("T")
            wrong, right = self.line(truth[2] or ""), self.line(truth[3] or "")
            return true_or_false(prompt, is_true, right if is_true else wrong, wrong if is_true else right)
        if "~" in text:
            return self._picked(prompt, text)
        if "->" in text:
            return matching_of(prompt, self._pairs(text))
        return self._typed(prompt, text)

    def _picked(self, prompt: str, text: str) -> Question:
        options = [
            (self.line(option), share, self.line(feedback))
            for sign, option, share, feedback in _answers(re.findall(r"[=~][^=~]*", text))
            if sign or option
        ]
        question, lost = (choice_of if "=" in text else choices_of)(prompt, options)
        self.lost += lost
        return question

    def _typed(self, prompt: str, text: str) -> Question:
        answers = list(_answers(re.findall(r"=[^=]*", text) or [f"={text}"]))
        others = [self.line(feedback) for _, answer, _, feedback in answers if _shown(answer).strip() == "*"]
        kept = []
        for _, answer, share, feedback in answers:
            shown = _shown(answer).strip()
            if "*" in shown.replace("\\*", "") and shown != "*":
                raise NoCounterpart(f"It accepts any text like `{shown[:60]}`; here each spelling is written out.")
            if shown != "*":
                kept.append((shown.replace("\\*", "*"), share, self.line(feedback)))
        return replace(typed_of("text", prompt, kept), other=remark(" ".join(others)))

    def _numerical(self, prompt: str, text: str) -> Question:
        answers = [
            (*_range(_shown(answer).strip() or "*"), share, self.line(feedback))
            for _, answer, share, feedback in _answers(
                re.findall(r"[=~][^=~]*", text if text[:1] in "=~" else f"={text}")
            )
        ]
        question, lost = numerical_of(prompt, answers)
        self.lost += lost
        return question

    def _pairs(self, text: str) -> Iterator[tuple[str, str]]:
        for part in re.findall(r"=[^=]*", text):
            item, arrow, answer = part[1:].partition("->")
            if not arrow:
                raise NoCounterpart("An item has no `->` and no answer.")
            yield self.line(item.strip()), plain_line(_shown(answer).strip())

    # ---------------------------------------------------------- its texts

    def blocks(self, text: str) -> str:
        return self._words(text, is_line=False)

    def line(self, text: str) -> str:
        return self._words(text, is_line=True)

    def _words(self, text: str, is_line: bool) -> str:
        formatted = re.match(r"\s*\[(html|markdown|plain|moodle)\]", text)
        written = _shown(text[formatted.end() :] if formatted else text).strip()
        kind = formatted[1] if formatted else self.format
        if kind == "plain":
            return plain_line(written) if is_line else plain_blocks(written)
        html = html_of(written, {}) if kind == "markdown" else written
        if kind == "moodle":
            html = re.sub(r"\n", "<br>", re.sub(r"\n\s*\n", "<p>", html))
        words: Words = line_of(html) if is_line else blocks_of(html)
        self.lost += [what for what in words.lost if what not in self.lost]
        return words.text


def _answers(parts: list[str]) -> Iterator[tuple[str, str, Fraction, str]]:
    """(`=` or `~`, the answer, the share that it earns, its feedback), each but the sign still hidden."""
    for part in parts:
        sign, rest = part[0], part[1:].strip()
        weighed = re.match(r"%(-?[0-9.]+)%", rest)
        text, _, feedback = (rest[weighed.end() :] if weighed else rest).partition("#")
        share = share_of(weighed[1]) if weighed else Fraction(sign == "=")
        yield sign, text.strip(), share, feedback.strip()


def _range(text: str) -> tuple[str, str]:
    """`3:0.5` and `2.5..3.5`, as a number and its tolerance."""
    low, dots, high = text.partition("..")
    if not dots:
        number, _, tolerance = text.partition(":")
        return number, tolerance
    least, most = number_in(low), number_in(high)
    if least is None or most is None:
        raise NoCounterpart(f"{text[:40]!r} is no range of numbers.")
    middle = (Fraction(least) + Fraction(most)) / 2
    return decimal(middle), decimal(abs(Fraction(most) - Fraction(least)) / 2)


def _hidden(text: str) -> str:
    text = re.sub("[\ue100-\ue17f]", "", text)
    return re.sub(r"\\([~=#{}:\\n])", lambda found: chr(_HIDDEN + ord(found[1])), text)


def _shown(text: str) -> str:
    def plain(found: re.Match[str]) -> str:
        sign = chr(ord(found[0]) - _HIDDEN)
        return "\n" if sign == "n" else sign

    return re.sub("[\ue100-\ue17f]", plain, text)
