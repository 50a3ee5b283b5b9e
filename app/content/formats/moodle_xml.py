"""Moodle XML: the questions of a bank, category by category. CodeRunner's Python questions become exercises."""

import base64
import binascii
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from urllib.parse import unquote

from app.content.formats import coderunner, moodle_xml_export
from app.content.formats.asked import (
    asked,
    choice_of,
    choices_of,
    cloze_of,
    matching_of,
    option,
    order_of,
    points_of,
    remark,
    true_or_false,
    typed_of,
)
from app.content.formats.bank import Bank, Category, Text, require_questions
from app.content.formats.carried import CHANGED, carried_course, carries
from app.content.formats.elements import LOOKED_AT, Element, read_bytes, root_tag, tree_of
from app.content.formats.embedded import FIRST, LAST, with_names, without_gaps
from app.content.formats.from_html import Words, blocks_of, line_of, plain_blocks, plain_line, words_of
from app.content.formats.kind import Item, NoCounterpart, Refused
from app.content.formats.numerical import numerical_of
from app.content.formats.to_html import html_of
from app.content.questions.question import Question, Remark
from graders.text import title_of

NAME = "moodle-xml"
FILES = "@@PLUGINFILE@@/"


def recognises(path: Path) -> bool:
    return path.is_file() and path.suffix.lower() == ".xml" and _looks_like_one(path)


def _looks_like_one(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return root_tag(file.read(LOOKED_AT)) == "quiz"
    except OSError:
        return False


def items(path: Path) -> Iterator[Item | Refused]:
    try:
        content = read_bytes(path)
        root = tree_of(content)
        if carried := carried_course(content, moodle_xml_export.exported):
            yield carried
            return
        bank = _bank(root, path.stem)
        bank.warnings += [CHANGED] if carries(content) else []
        yield from bank.items()
    except NoCounterpart as error:
        yield Refused(path.name, str(error))


def _bank(root: Element, stem: str) -> Bank:
    bank = Bank(title_of(stem), stem)
    category: Category | None = None
    for number, element in enumerate(root.all("question"), 1):
        if element.get("type") == "category":
            category = _category(bank, element)
            continue
        category = category or bank.category("Questions")
        _Asked(bank, element, number).put_into(category)
    require_questions(bank)
    return bank


def _category(bank: Bank, element: Element) -> Category:
    """`$course$/top/Default for Maths/Algebra` is `Algebra`."""
    path = words_of(element.own_text("category", "text")).replace("//", "\0")
    title = path.rpartition("/")[2].replace("\0", "/").removeprefix("$course$").strip() or "Questions"
    category = bank.category(title)
    intro = element.own_text("info", "text")
    category.intro = category.intro or blocks_of(intro).text
    return category


@dataclass
class _Asked:
    """One question that is being read."""

    bank: Bank
    element: Element
    number: int

    def __post_init__(self) -> None:
        self.type = self.element.get("type")
        self.name = words_of(self.element.own_text("name", "text"))[:120] or f"question {self.number}"
        self.lost: list[str] = []

    def put_into(self, category: Category) -> None:
        try:
            if self.type == "description":
                category.blocks.append(Text(plain_line(self.name), self.blocks(self.element.first("questiontext"))))
            elif self.type.startswith("coderunner"):
                self.bank.exercises.append(coderunner.item(self.element, self.name, self.prompt()))
            else:
                category.blocks.append(self._question())
        except NoCounterpart as error:
            self.bank.refuse(self.name, str(error))
            return
        self.bank.lose(self.name, self.lost)

    def _question(self) -> Question:
        if (read := _TYPES.get(self.type)) is None:
            raise NoCounterpart(_WITHOUT.get(self.type, f"Questions of the type {self.type!r} have no counterpart."))
        question = read(self)
        points, odd = points_of(self.element.own_text("defaultgrade"))
        self.lost += odd
        if self.type not in ("truefalse", "ordering"):
            shuffles = self.element.own_text("shuffleanswers") not in ("0", "false")
            question = replace(question, shuffle=shuffles or question.type not in ("choice", "choices"))
        if self.element.all("hint") and any(hint.own_text("text") for hint in self.element.all("hint")):
            self.lost.append("its hints")
        return replace(
            question,
            slug=self.name,
            points=points if self.type not in ("cloze", "multianswer") else _summed(question, points),
            explanation=self.blocks(self.element.first("generalfeedback")) or None,
            right=question.right or self._for_right(),
        )

    def _for_right(self) -> Remark | None:
        element = self.element.first("correctfeedback")
        for name in ("partiallycorrectfeedback", "incorrectfeedback"):
            if (text := self.element.own_text(name, "text")) and not _is_usual(text):
                self.lost.append(f"what it says of {'a partly right' if name[0] == 'p' else 'a wrong'} answer")
        return remark("" if _is_usual(self.element.own_text("correctfeedback", "text")) else self.line(element))

    # ---------------------------------------------------------- its texts

    def prompt(self) -> str:
        return self.blocks(self.element.first("questiontext"))

    def blocks(self, element: Element | None, change: Callable[[str], str] = str) -> str:
        if element is None:
            return ""
        return self._kept(element, change, blocks_of, plain_blocks)

    def line(self, element: Element | None) -> str:
        return self._kept(element, str, line_of, plain_line) if element is not None else ""

    def _kept(
        self, element: Element, change: Callable[[str], str], read: Callable[..., Words], plain: Callable[[str], str]
    ) -> str:
        """In the format that the element says: HTML, plain text, or Markdown."""
        text = change(element.own_text("text"))
        if element.get("format") == "plain_text":
            return plain(text)
        text = html_of(text, {}) if element.get("format") == "markdown" else text
        pictures = {file.get("name"): file for file in element.all("file")}
        words = read(text, lambda source: self._picture(source, pictures))
        self.lost += [what for what in words.lost if what not in self.lost]
        return words.text

    def _picture(self, source: str, files: Mapping[str, Element]) -> str | None:
        """`@@PLUGINFILE@@/a.png`, which stands beside the text; or `data:image/png;base64,…`."""
        inline = re.match(r"data:image/[a-z+]+;base64,(.*)", source, re.DOTALL)
        name = unquote(source.removeprefix(FILES)).rpartition("/")[2].partition("?")[0]
        held = inline[1] if inline else files[name].own_text() if source.startswith(FILES) and name in files else ""
        try:
            content = base64.b64decode(held)
        except (binascii.Error, ValueError):
            return None
        return self.bank.figure("picture" if inline else name, content) if content else None

    # ---------------------------------------------------------- its answers

    def answers(self) -> Iterator[tuple[Element, Fraction, str]]:
        """Each answer, the share that it earns, and its feedback."""
        for answer in self.element.all("answer"):
            yield answer, share_of(answer.get("fraction", "0")), self.line(answer.first("feedback"))

    def options(self) -> list[tuple[str, Fraction, str]]:
        return [(self.line(answer), share, feedback) for answer, share, feedback in self.answers()]

    def typed(self) -> list[tuple[str, Fraction, str]]:
        return [(answer.own_text("text"), share, feedback) for answer, share, feedback in self.answers()]


def share_of(percentage: str) -> Fraction:
    """Of `33.33333` a third: five places are all that are written."""
    try:
        exact = Fraction(percentage.strip() or "0") / 100
    except (ValueError, ZeroDivisionError):
        raise NoCounterpart(f"{percentage[:20]!r} is not a share of the points.") from None
    simple = exact.limit_denominator(12)
    return simple if abs(simple - exact) < Fraction(1, 1_000_000) else exact.limit_denominator(100_000)


def _is_usual(text: str) -> bool:
    """Whether it is what Moodle says where its author says nothing."""
    usual = ("Your answer is correct.", "Your answer is partially correct.", "Your answer is incorrect.")
    return words_of(text) in ("", *usual)


def _summed(question: Question, points: Fraction) -> Fraction:
    """What a cloze counts: Moodle writes the sum of its gaps, or nothing."""
    return sum((gap.points for gap in question.gaps), Fraction(0)) if points == 1 else points


def _multichoice(asked_: _Asked) -> Question:
    is_single = asked_.element.own_text("single") not in ("false", "0")
    question, lost = (choice_of if is_single else choices_of)(asked_.prompt(), asked_.options())
    asked_.lost += lost
    return question


def _truefalse(asked_: _Asked) -> Question:
    answers = {answer.own_text("text").lower(): (share, text) for answer, share, text in asked_.answers()}
    if answers.keys() != {"true", "false"}:
        raise NoCounterpart("Its answers are not true and false.")
    return true_or_false(asked_.prompt(), answers["true"][0] == 1, answers["true"][1], answers["false"][1])


def _shortanswer(asked_: _Asked) -> Question:
    if asked_.element.own_text("usecase") == "1":
        asked_.lost.append("that capitals count")
    typed = asked_.typed()
    others = [feedback for text, _, feedback in typed if text == "*"]
    kept = [(text.replace("\\*", "*"), share, feedback) for text, share, feedback in typed if text != "*"]
    for text, share, _ in typed:
        if text != "*" and re.search(r"(?<!\\)\*", text):
            if share == 1:
                raise NoCounterpart(f"It accepts any text like `{text[:60]}`; here each spelling is written out.")
            asked_.lost.append(f"the answer `{text[:60]}`, which stands for many")
            kept.remove((text.replace("\\*", "*"), share, next(feedback for t, _, feedback in typed if t == text)))
    return replace(typed_of("text", asked_.prompt(), kept), other=remark(" ".join(others)))


def _numerical(asked_: _Asked) -> Question:
    if asked_.element.first("units"):
        asked_.lost.append("its units")
    answers = [
        (a.own_text("text"), a.own_text("tolerance"), share, feedback) for a, share, feedback in asked_.answers()
    ]
    question, lost = numerical_of(asked_.prompt(), answers)
    asked_.lost += lost
    return question


def _matching(asked_: _Asked) -> Question:
    pairs = [
        (asked_.line(pair), plain_line(pair.own_text("answer", "text"))) for pair in asked_.element.all("subquestion")
    ]
    return matching_of(asked_.prompt(), pairs)


def _ordering(asked_: _Asked) -> Question:
    return order_of(asked_.prompt(), [asked_.line(answer) for answer in asked_.element.all("answer")])


def _cloze(asked_: _Asked) -> Question:
    gaps: list[Question] = []

    def without(html: str) -> str:
        text, found, lost = without_gaps(html)
        gaps.extend(found)
        asked_.lost += lost
        return text

    prompt = asked_.blocks(asked_.element.first("questiontext"), without)
    return cloze_of(with_names(prompt), gaps)


def _select(asked_: _Asked) -> Question:
    """`[[2]]` in the text is the second of the words; those of its group are its menu."""
    words = asked_.element.all("dragbox", "selectoption")
    gaps: list[Question] = []

    def put_in(found: re.Match[str]) -> str:
        right = int(found[1]) - 1
        if not 0 <= right < len(words):
            raise NoCounterpart(f"There is no word for the gap [[{found[1]}]].")
        group = [n for n, word in enumerate(words) if word.own_text("group") == words[right].own_text("group")]
        texts = dict.fromkeys(asked_.line(words[n]) for n in group)
        options = tuple(option(text, text == asked_.line(words[right])) for text in texts)
        gaps.append(replace(asked("choice", ""), slug=f"gap-{len(gaps) + 1}", choices=options))
        return f"{FIRST}gap-{len(gaps)}{LAST}"

    prompt = asked_.blocks(
        asked_.element.first("questiontext"), lambda html: re.sub(r"\[\[([0-9]{1,3})\]\]", put_in, html)
    )
    return cloze_of(with_names(prompt), gaps)


def _essay(asked_: _Asked) -> Question:
    if asked_.element.own_text("responsetemplate", "text"):
        asked_.lost.append("the text that its answer begins with")
    rubric = asked_.blocks(asked_.element.first("graderinfo"))
    return replace(asked("essay", asked_.prompt()), rubric=remark(rubric))


_TYPES: Mapping[str, Callable[[_Asked], Question]] = {
    "multichoice": _multichoice,
    "essay": _essay,
    "truefalse": _truefalse,
    "shortanswer": _shortanswer,
    "numerical": _numerical,
    "matching": _matching,
    "match": _matching,
    "ordering": _ordering,
    "cloze": _cloze,
    "multianswer": _cloze,
    "gapselect": _select,
    "ddwtos": _select,
}
_WITHOUT = {
    "calculated": "Its numbers come from Moodle's formulas and data sets: write it with `:given:`.",
    "calculatedsimple": "Its numbers come from Moodle's formulas and data sets: write it with `:given:`.",
    "calculatedmulti": "Its numbers come from Moodle's formulas and data sets: write it with `:given:`.",
    "random": "It stands for a question that Moodle draws: use `:pool:`.",
    "ddimageortext": "Words dragged onto a picture have no counterpart.",
    "ddmarker": "Markers dragged onto a picture have no counterpart.",
}
