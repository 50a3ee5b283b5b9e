"""QTI 2.1: `assessmentItem` files, in the order of their `assessmentTest`; a text is XHTML with interactions in it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from posixpath import dirname, join, normpath

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
from app.content.formats.numerical import numerical_of
from app.content.formats.qti_1 import number_of, simple
from app.content.formats.qti_texts import Texts
from app.content.questions.question import Question

INLINE = ("textentryinteraction", "inlinechoiceinteraction")
FEEDBACK = ("feedbackinline", "feedbackblock")


def put_into(bank: Bank, roots: Mapping[str, Element], files: Mapping[str, bytes]) -> None:
    """The items of each test in its order; then those of no test."""
    left = {name: root for name, root in roots.items() if root.tag == "assessmentitem"}
    for name, root in roots.items():
        if root.tag == "assessmenttest":
            category = bank.category(words_of(root.get("title")) or "Questions")
            for reference in root.within("assessmentitemref"):
                path = normpath(join(dirname(name), reference.get("href")))
                if path in left:
                    _put(bank, category, _Asked(left.pop(path), path, files, bank))
    for name, root in left.items():
        _put(bank, bank.category("Questions"), _Asked(root, name, files, bank))


def _put(bank: Bank, category: Category, read: "_Asked") -> None:
    bank.put(category, read.name, read.block, read.texts.lost)


@dataclass(frozen=True)
class _Declared:
    """What is right of one response: `right` in its order, and what other answers earn."""

    cardinality: str
    base: str
    right: tuple[str, ...]
    shares: Mapping[str, Fraction]


@dataclass
class _Asked:
    """One item that is being read."""

    item: Element
    path: str
    files: Mapping[str, bytes]
    bank: Bank
    gaps: list[Question] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.name = words_of(self.item.get("title"))[:120] or self.item.get("identifier") or self.path
        self.texts = Texts(self.bank, self.path, self.files)
        self.declared = {each.get("identifier"): _declared(each) for each in self.item.all("responsedeclaration")}
        self.body = self.item.first("itembody") or Element("itembody")
        interactions = [each for each in _all(self.body) if each.tag.endswith("interaction")]
        self.inline = [each for each in interactions if each.tag in INLINE]
        self.blocks = [each for each in interactions if each.tag not in INLINE]

    def block(self) -> Question | Text:
        """Raises NoCounterpart."""
        if not (self.inline or self.blocks):
            return Text(plain_line(self.name), self.texts.blocks(markup(self.body)))
        question = self._question()
        points, odd = points_of(self._points())
        self.texts.lost += odd
        explanation = self.texts.blocks("".join(markup(each) for each in self.item.all("modalfeedback")))
        return replace(question, slug=self.name, points=points, explanation=explanation or None)

    def _points(self) -> str:
        for outcome in self.item.all("outcomedeclaration"):
            if outcome.get("identifier") == "MAXSCORE":
                return outcome.own_text("defaultvalue", "value") or "1"
        return "1"

    def _question(self) -> Question:
        if self.inline and not self.blocks:
            is_alone = len(self.inline) == 1 and self.inline[0].tag == "textentryinteraction"
            return self._typed(self.inline[0], self._prompt()) if is_alone else self._cloze()
        if len(self.blocks) > 1 or self.inline:
            raise NoCounterpart("It has several interactions; here a question has one: split it.")
        interaction = self.blocks[0]
        if (read := _INTERACTIONS.get(interaction.tag)) is None:
            raise NoCounterpart(f"A {interaction.tag} has no counterpart.")
        return read(self, interaction)

    # ---------------------------------------------------------- its texts

    def _prompt(self) -> str:
        """The text around the interaction, and the interaction's own prompt."""

        def replaced(element: Element) -> str | None:
            if not element.tag.endswith("interaction"):
                return "" if element.tag == "rubricblock" else None
            inner = element.first("prompt")
            return f"<p>{markup(inner)}</p>" if inner else ""

        return self.texts.blocks(markup(self.body, replaced))

    def text(self, choice: Element) -> str:
        return self.texts.line(markup(choice, lambda element: "" if element.tag in FEEDBACK else None))

    def feedback(self, choice: Element) -> str:
        return self.texts.line(" ".join(markup(each) for each in choice.within(*FEEDBACK)))

    def of(self, interaction: Element) -> _Declared:
        found = self.declared.get(interaction.get("responseidentifier"))
        if found is None or not (found.right or found.shares):
            raise NoCounterpart("It does not say what is right.")
        return found

    # ---------------------------------------------------------- its answers

    def options(self, interaction: Element, declared: _Declared) -> list[tuple[str, Fraction, str]]:
        choices = list(interaction.within("simplechoice", "inlinechoice"))
        right = set(declared.right) or {key for key, share in declared.shares.items() if share == 1}
        wrong = max(1, len(choices) - len(right))
        several = declared.cardinality == "multiple"
        found = []
        for choice in choices:
            key = choice.get("identifier")
            share = Fraction(1, len(right)) if key in right and several else Fraction(key in right)
            share = Fraction(-1, wrong) if several and key not in right else share
            found.append((self.text(choice), declared.shares.get(key, share), self.feedback(choice)))
        return found

    def _typed(self, interaction: Element, prompt: str) -> Question:
        declared = self.of(interaction)
        shares = {value: Fraction(1) for value in declared.right} | dict(declared.shares)
        if declared.base in ("float", "integer"):
            near = self._tolerance()
            question, lost = numerical_of(prompt, [(value, near, share, "") for value, share in shares.items()])
            self.texts.lost += lost
            return question
        return typed_of("text", prompt, [(value, share, "") for value, share in shares.items()])

    def _tolerance(self) -> str:
        for equal in self.item.within("equal"):
            if equal.get("tolerancemode") == "absolute":
                return equal.get("tolerance").split(" ")[0]
            if equal.get("tolerancemode") == "relative":
                raise NoCounterpart("Its tolerance is relative, in percent: write it with `:rtol:`.")
        return "0"

    def _cloze(self) -> Question:
        def replaced(element: Element) -> str | None:
            if element.tag not in INLINE:
                return None
            slug = f"gap-{len(self.gaps) + 1}"
            self.gaps.append(replace(self._gap(element), slug=slug))
            return f"{FIRST}{slug}{LAST}"

        prompt = self.texts.blocks(markup(self.body, replaced))
        return cloze_of(with_names(prompt), self.gaps)

    def _gap(self, element: Element) -> Question:
        if element.tag == "textentryinteraction":
            return self._typed(element, "")
        question, lost = choice_of("", self.options(element, self.of(element)))
        self.texts.lost += lost
        return question

    def choice(self, interaction: Element) -> Question:
        declared = self.of(interaction)
        several = declared.cardinality == "multiple"
        read = choices_of if several else choice_of
        question, lost = read(self._prompt(), self.options(interaction, declared))
        self.texts.lost += lost
        return replace(question, shuffle=interaction.get("shuffle") == "true")

    def order(self, interaction: Element) -> Question:
        texts = {choice.get("identifier"): self.text(choice) for choice in interaction.within("simplechoice")}
        return order_of(self._prompt(), [texts[key] for key in self.of(interaction).right if key in texts])

    def match(self, interaction: Element) -> Question:
        sets = interaction.all("simplematchset")
        if len(sets) != 2:
            raise NoCounterpart("It does not match two lists.")
        left, right = ({each.get("identifier"): self.text(each) for each in one.children} for one in sets)
        partners = [pair.split() for pair in self.of(interaction).right]
        known = [(a, b) for a, b in (pair for pair in partners if len(pair) == 2) if a in left and b in right]
        if len({item for item, _ in known}) != len(known) or len(known) != len(left):
            raise NoCounterpart("An item has several answers, or none; here it has one.")
        used = {answer for _, answer in known}
        spare = [("", text) for key, text in right.items() if key not in used]
        return matching_of(self._prompt(), [*((left[item], right[answer]) for item, answer in known), *spare])

    def essay(self, interaction: Element) -> Question:
        rubric = self.texts.blocks("".join(markup(each) for each in self.body.within("rubricblock")))
        return replace(asked("essay", self._prompt()), rubric=remark(rubric))


_INTERACTIONS: Mapping[str, Callable[[_Asked, Element], Question]] = {
    "choiceinteraction": _Asked.choice,
    "orderinteraction": _Asked.order,
    "matchinteraction": _Asked.match,
    "extendedtextinteraction": _Asked.essay,
}


def _all(element: Element) -> Iterator[Element]:
    for child in element.children:
        yield child
        yield from _all(child)


def _declared(element: Element) -> _Declared:
    correct, mapping = element.first("correctresponse"), element.first("mapping")
    right = tuple(value.own_text() for value in correct.all("value")) if correct else ()
    mapped = mapping.all("mapentry") if mapping else []
    entries = {entry.get("mapkey"): number_of(entry.get("mappedvalue")) for entry in mapped}
    several = element.get("cardinality") == "multiple"
    values = entries.values()
    most = sum(value for value in values if value > 0) if several else max(values, default=Fraction(1))
    shares = {key: simple(value / most) for key, value in entries.items()} if most else {}
    base = element.get("basetype").lower()
    return _Declared(element.get("cardinality"), base, right, {} if base == "directedpair" else shares)
