"""QTI 1.2: `questestinterop` with assessments, sections and items, as Canvas and others write it."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from html import escape

from app.content.formats.asked import (
    asked,
    choice_of,
    choices_of,
    cloze_of,
    matching_of,
    order_of,
    points_of,
    remark,
    typed_of,
)
from app.content.formats.bank import Bank, Category, Text
from app.content.formats.elements import Element, markup
from app.content.formats.embedded import FIRST, LAST, with_names
from app.content.formats.from_html import plain_line, words_of
from app.content.formats.kind import NoCounterpart
from app.content.formats.numerical import number_in, numerical_of
from app.content.formats.portable import decimal
from app.content.formats.qti_texts import Texts
from app.content.questions.question import Question
from graders.text import title_of

RESPONSES = ("response_lid", "response_str", "response_num")
GAPPED = ("multiple_dropdowns_question", "fill_in_multiple_blanks_question")  # Canvas names gaps `[like-this]`
CORRECT, INCORRECT, GENERAL = "correct_fb", "general_incorrect_fb", "general_fb"
BOUNDS = ("vargte", "varlte", "vargt", "varlt")
TYPED = ("text", "number", "count")


def put_into(bank: Bank, root: Element, path: str, files: Mapping[str, bytes]) -> None:
    category: Category | None = None
    for holder in [*root.within("assessment", "objectbank"), root]:
        items_ = list(holder.within("item"))
        if holder is root and category is not None:
            return
        if items_:
            stem = path.rpartition("/")[2].removesuffix(".xml")
            category = bank.category(words_of(holder.get("title")) or title_of(stem))
        for number, item in enumerate(items_, 1):
            assert category
            _put(bank, category, _Asked(item, number, Texts(bank, path, files)))


def _put(bank: Bank, category: Category, read: "_Asked") -> None:
    bank.put(category, read.name, read.block, read.texts.lost)


@dataclass(frozen=True)
class _Condition:
    """`is_met_by`: (response, value) of each answer it asks for; `excluded`: those it rules out."""

    is_met_by: tuple[tuple[str, str], ...]
    excluded: tuple[tuple[str, str], ...]
    bounds: tuple[tuple[str, str], ...]  # of a number: its least and its most
    score: Fraction | None
    adds: bool
    feedback: tuple[str, ...]


@dataclass
class _Asked:
    """One item that is being read."""

    item: Element
    number: int
    texts: Texts
    gaps: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.name = words_of(self.item.get("title"))[:120] or self.item.get("ident") or f"question {self.number}"
        self.metadata = {
            entry.own_text("fieldlabel"): entry.own_text("fieldentry") for entry in self.item.within("qtimetadatafield")
        }
        self.presentation = self.item.first("presentation") or Element("presentation")
        self.responses = list(self.presentation.within(*RESPONSES))
        self.conditions = [_condition(each) for each in self.item.within("respcondition")]
        self.most = self._most()

    def _most(self) -> Fraction:
        """The score that is full marks."""
        stated = [number_of(each.get("maxvalue")) for each in self.item.within("decvar")]
        scores = [condition.score for condition in self.conditions if condition.score]
        return next((value for value in stated if value), max(scores, default=Fraction(1)))

    def block(self) -> Question | Text:
        """Raises NoCounterpart."""
        if not self.responses:
            return Text(plain_line(self.name), self.prompt())
        question = self._question()
        points, odd = points_of(self.metadata.get("points_possible") or self.metadata.get("qmd_weighting") or "1")
        self.texts.lost += odd
        wrong = self.feedback(INCORRECT)
        if wrong and question.type not in TYPED:
            self.texts.lost.append("what it says of a wrong answer")
        return replace(
            question,
            slug=self.name,
            points=points,
            right=question.right or remark(self.feedback(CORRECT)),
            other=remark(wrong) if question.type in TYPED else None,
            explanation=self.texts.blocks(self._feedback_html(GENERAL)) or None,
        )

    def _question(self) -> Question:
        first, type_ = self.responses[0], self.metadata.get("question_type", "")
        if type_ in GAPPED:
            return self._named_gaps()
        if len(self.responses) > 1:
            is_matching = all(each.tag == "response_lid" and each.first("material") for each in self.responses)
            return self._matching() if is_matching else self._gapped()
        if first.tag == "response_lid":
            cardinality = first.get("rcardinality", "Single").lower()
            return self._order(first) if cardinality == "ordered" else self._picked(first, cardinality == "multiple")
        return self._typed(first, self.prompt())

    # ---------------------------------------------------------- its texts

    def prompt(self) -> str:
        """All text but that of the responses, each of which leaves a mark where it stands in a text with gaps."""
        return self.texts.blocks(self._html(self.presentation))

    def _html(self, element: Element) -> str:
        parts = []
        for child in element.children:
            if child.tag in RESPONSES:
                parts.append(f"{FIRST}{child.get('ident')}{LAST}" if child.get("ident") in self.gaps else "")
            elif child.tag == "material":
                parts.append(_material(child))
            else:
                parts.append(self._html(child))
        return "".join(parts)

    def _feedback_html(self, ident: str) -> str:
        found = next((each for each in self.item.all("itemfeedback") if each.get("ident") == ident), None)
        return "".join(map(_material, found.within("material"))) if found else ""

    def feedback(self, ident: str) -> str:
        return self.texts.line(self._feedback_html(ident))

    def _said_of(self, response: Element, value: str) -> str:
        """The feedback of an answer, that of every right or wrong answer aside."""
        key = (response.get("ident"), value)
        idents = [
            ident
            for condition in self.conditions
            if condition.is_met_by == (key,) and not condition.excluded
            for ident in condition.feedback
            if ident not in (CORRECT, INCORRECT, GENERAL)
        ]
        return " ".join(filter(None, map(self.feedback, dict.fromkeys(idents))))

    # ---------------------------------------------------------- its answers

    def _labels(self, response: Element) -> list[tuple[str, str]]:
        """(key, Markdown) of each option."""
        labels = [(label.get("ident"), label.within("material")) for label in response.within("response_label")]
        return [(key, self.texts.line("".join(map(_material, materials)))) for key, materials in labels]

    def _share(self, response: Element, value: str) -> Fraction:
        key = (response.get("ident"), value)
        scores = [c.score for c in self.conditions if c.score is not None and c.is_met_by == (key,) and not c.excluded]
        return simple(max(scores, default=Fraction(0), key=abs) / self.most)

    def _picked(self, response: Element, several: bool) -> Question:
        labels = self._labels(response)
        shares = {key: self._share(response, key) for key, _ in labels}
        if several and (whole := self._all_right(response)):
            wrong = len(labels) - len(whole)
            shares = {key: Fraction(1, len(whole)) if key in whole else Fraction(-1, wrong or 1) for key, _ in labels}
        options = [(text, shares[key], self._said_of(response, key)) for key, text in labels]
        question, lost = (choices_of if several else choice_of)(self.prompt(), options)
        self.texts.lost += lost
        render = response.first("render_choice")
        return replace(question, shuffle=not (render and render.get("shuffle").lower() == "no"))

    def _all_right(self, response: Element) -> list[str]:
        """The options of the one condition that asks for all that is right, and for nothing else."""
        for condition in self.conditions:
            is_whole = condition.excluded or len(condition.is_met_by) > 1
            if condition.score and condition.score == self.most and is_whole:
                return [value for ident, value in condition.is_met_by if ident == response.get("ident")]
        return []

    def _order(self, response: Element) -> Question:
        texts = dict(self._labels(response))
        keys = next((c.is_met_by for c in self.conditions if len(c.is_met_by) == len(texts)), ())
        if not keys:
            raise NoCounterpart("It does not say which order is right.")
        return order_of(self.prompt(), [texts[value] for _, value in keys if value in texts])

    def _matching(self) -> Question:
        pairs, used = [], set()
        for response in self.responses:
            texts = dict(self._labels(response))
            right = next((key for key in texts if self._share(response, key) > 0), None)
            if right is None:
                raise NoCounterpart("It does not say which answer belongs to each item.")
            item = self.texts.line("".join(map(_material, response.all("material"))))
            pairs.append((item, texts[right]))
            used.add(texts[right])
        spare = dict.fromkeys(text for response in self.responses for _, text in self._labels(response))
        return matching_of(self.prompt(), [*pairs, *(("", text) for text in spare if text not in used)])

    def _gapped(self) -> Question:
        self.gaps = [response.get("ident") for response in self.responses]
        prompt = self.prompt()
        found = []
        for number, response in enumerate(self.responses, 1):
            slug = f"gap-{number}"
            prompt = prompt.replace(f"{FIRST}{response.get('ident')}{LAST}", f"[[{slug}]]")
            gap = self._menu(response) if response.tag == "response_lid" else self._typed(response, "")
            points, odd = points_of(decimal(self._worth(response)))
            self.texts.lost += odd
            found.append(replace(gap, slug=slug, points=points))
        return cloze_of(prompt, found)

    def _worth(self, response: Element) -> Fraction:
        """What the best answer of a gap adds, as points of which the whole has as many as gaps where it is even."""
        points = number_of(self.metadata.get("points_possible", "")) or Fraction(len(self.responses))
        scores = [
            c.score for c in self.conditions if c.score and any(i == response.get("ident") for i, _ in c.is_met_by)
        ]
        bounded = [c.score for c in self.conditions if c.score and any(i == response.get("ident") for i, _ in c.bounds)]
        share = max([*scores, *bounded], default=Fraction(0)) / self.most
        return Fraction(round(share * points * 100), 100) or Fraction(1)

    def _menu(self, response: Element) -> Question:
        worth = max((self._share(response, key) for key, _ in self._labels(response)), default=Fraction(0))
        options = [
            (text, simple(self._share(response, key) / worth) if worth else Fraction(0), self._said_of(response, key))
            for key, text in self._labels(response)
        ]
        question, lost = choice_of("", options)
        self.texts.lost += lost
        return question

    def _named_gaps(self) -> Question:
        """Canvas: `[colour]` in the text, and a response whose material is `colour`."""
        prompt, found = self._html(self.presentation), []
        for number, response in enumerate(self.responses, 1):
            name = "".join("".join(each.texts()) for each in response.all("material")).strip()
            prompt = prompt.replace(f"[{escape(name, quote=False)}]", f"{FIRST}gap-{number}{LAST}", 1)
            if self.metadata.get("question_type") == GAPPED[0]:
                gap = self._menu(response)
            else:
                spellings = [(_plain(label), Fraction(1), "") for label in response.within("response_label")]
                gap = typed_of("text", "", spellings)
            found.append(replace(gap, slug=f"gap-{number}"))
        return cloze_of(with_names(self.texts.blocks(prompt)), found)

    def _typed(self, response: Element, prompt: str) -> Question:
        ident = response.get("ident")
        mine = [c for c in self.conditions if any(key == ident for key, _ in (*c.is_met_by, *c.bounds))]
        scored = [c for c in mine if c.score is not None]
        if not scored:
            return asked("essay", prompt)
        best = max((c.score or Fraction(0) for c in scored), default=Fraction(1)) or Fraction(1)
        kinds = {render.get("fibtype").lower() for render in response.within("render_fib")}
        is_number = response.tag == "response_num" or kinds & {"integer", "decimal"} or any(c.bounds for c in mine)
        if is_number:
            question, lost = numerical_of(prompt, self._numbers(response, scored, best))
            self.texts.lost += lost
            return question
        answers = [
            (value, simple((c.score or Fraction(0)) / best), self._said_of(response, value))
            for c in scored
            for _, value in c.is_met_by
        ]
        return typed_of("text", prompt, list(dict.fromkeys(answers)))

    def _numbers(
        self, response: Element, scored: list[_Condition], best: Fraction
    ) -> Iterator[tuple[str, str, Fraction, str]]:
        for condition in scored:
            exact = next((value for _, value in condition.is_met_by), None)
            limits = [number_in(value) for _, value in condition.bounds]
            known = [Fraction(limit) for limit in limits if limit is not None]
            share = simple((condition.score or Fraction(0)) / best)
            middle = exact or (decimal(sum(known, Fraction(0)) / len(known)) if len(known) > 1 else None)
            if middle is None:
                raise NoCounterpart("It accepts any number above or below another.")
            near = (max(known) - min(known)) / 2 if len(known) > 1 else Fraction(0)
            feedback = " ".join(
                self.feedback(ident) for ident in condition.feedback if ident not in (CORRECT, INCORRECT, GENERAL)
            )
            yield middle, decimal(near), share, feedback


def _condition(element: Element) -> _Condition:
    variables = element.first("conditionvar") or Element("conditionvar")
    set_ = element.first("setvar")
    return _Condition(
        tuple(_equals(variables)),
        tuple(pair for negated in variables.within("not") for pair in _equals(negated)),
        tuple(
            (each.get("respident"), each.own_text()) for each in variables.within("vargte", "varlte", "vargt", "varlt")
        ),
        number_of(set_.own_text()) if set_ else None,
        bool(set_ and set_.get("action").lower() == "add"),
        tuple(each.get("linkrefid") for each in element.all("displayfeedback")),
    )


def _equals(element: Element) -> Iterator[tuple[str, str]]:
    for child in element.children:
        if child.tag in ("varequal", "varsubset"):
            yield child.get("respident"), "".join(child.texts()).strip()
        elif child.tag != "not":
            yield from _equals(child)


def _material(element: Element) -> str:
    """Its texts as HTML, whatever they say they are, and its pictures."""
    parts = []
    for part in element.within("mattext", "matemtext", "matimage", "matbreak"):
        if part.tag == "matimage":
            parts.append(f'<img src="{escape(part.get("uri"))}" alt="{escape(part.get("label"))}">')
        elif part.tag == "matbreak":
            parts.append("<br>")
        elif part.get("texttype", "text/plain").lower() in ("text/html", "text/xhtml") or part.children:
            parts.append(markup(part) if part.children else "".join(part.texts()))
        else:
            parts.append(re.sub(r"\n", "<br>", escape("".join(part.texts()).strip(), quote=False)))
    return "".join(parts)


def _plain(label: Element) -> str:
    return words_of("".join(map(_material, label.within("material"))))


def number_of(text: str) -> Fraction:
    value = number_in(text) if text else None
    return Fraction(value) if value is not None else Fraction(0)


def simple(share: Fraction) -> Fraction:
    simple = share.limit_denominator(12)
    return simple if abs(simple - share) < Fraction(1, 10_000) else share.limit_denominator(10_000)
