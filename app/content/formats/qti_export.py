"""QTI 1.2 of a course's questions: a package with an assessment for each lesson, and its pictures."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from html import escape

from app.content.course import Course
from app.content.formats.carried import carried
from app.content.formats.elements import without_controls
from app.content.formats.kind import Exported, Lost, NoCounterpart, Refused
from app.content.formats.package import packed
from app.content.formats.portable import Portable, asking, decimal, lost_of, unasked
from app.content.questions.question import Question

NAME = "qti"
SUFFIX = ".zip"
MANIFEST, CARRIER = "imsmanifest.xml", "lectern-course.txt"
FULL = Fraction(100)
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


def exported(course: Course) -> Exported:
    files: dict[str, bytes] = {CARRIER: f"{carried(course)}\n".encode()}
    lost: list[Lost] = []
    left_out: list[Refused] = []
    count = 0
    for number, (lesson, questions) in enumerate(asking(course), 1):
        items: list[str] = []
        found: dict[str, list[str]] = {}
        for question in questions:
            portable = Portable(question)
            try:
                items.append(_item(portable, f"q{number}-{len(items) + 1}"))
            except NoCounterpart as error:
                left_out.append(Refused(question.slug, str(error)))
                continue
            count += 1
            found[question.slug] = portable.lost
            files.update(_pictures(portable, course.files))
        files[f"{number:02}-{lesson.slug}.xml"] = _assessment(lesson.title, number, items).encode()
        lost += lost_of(lesson, found)
        left_out += unasked(lesson)
    files[MANIFEST] = _manifest(course, [name for name in sorted(files) if name != CARRIER]).encode()
    return Exported(packed(files), count, tuple(lost), tuple(left_out))


def _pictures(portable: Portable, files: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    question = portable.question
    for text in (question.prompt, question.explanation or "", *(choice.text for choice in question.choices)):
        for path in portable.figures(text):
            if path in files:
                yield path, files[path]


def _manifest(course: Course, names: list[str]) -> str:
    kinds = {True: "imsqti_xmlv1p2", False: "webcontent"}
    resources = "".join(
        f'<resource identifier="r{n}" type="{kinds[name.endswith(".xml")]}" href="{escape(name)}">'
        f'<file href="{escape(name)}"/></resource>\n'
        for n, name in enumerate(names, 1)
    )
    return without_controls(
        f'{HEAD}<manifest identifier="lectern-{escape(course.slug)}" '
        'xmlns="http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1">\n'
        "<metadata><schema>IMS Content</schema><schemaversion>1.1.3</schemaversion></metadata>\n"
        f"<organizations/>\n<resources>\n{resources}</resources>\n</manifest>\n"
    )


def _assessment(title: str, number: int, items: list[str]) -> str:
    return without_controls(
        f'{HEAD}<questestinterop xmlns="http://www.imsglobal.org/xsd/ims_qtiasiv1p2">\n'
        f'<assessment ident="a{number}" title="{escape(title)}">\n<section ident="s{number}">\n'
        f"{''.join(items)}</section>\n</assessment>\n</questestinterop>\n"
    )


# ------------------------------------------------------------------ one item


@dataclass
class _Item:
    """What is asked, how it is judged, and what is told, while it is being written."""

    portable: Portable
    conditions: list[str] = field(default_factory=list)
    feedback: list[str] = field(default_factory=list)

    def say(self, ident: str, html: str) -> list[str]:
        """Feedback under this name; the names to show, none where it says nothing."""
        if not html:
            return []
        self.feedback.append(f'<itemfeedback ident="{ident}"><flow_mat>{_material(html)}</flow_mat></itemfeedback>')
        return [ident]

    def when(self, test: str, score: Fraction | None, shown: list[str], action: str = "Set", more: str = "Yes") -> None:
        set_ = f'<setvar action="{action}" varname="SCORE">{decimal(score)}</setvar>' if score is not None else ""
        refs = "".join(f'<displayfeedback feedbacktype="Response" linkrefid="{ident}"/>' for ident in shown)
        if set_ or refs:
            self.conditions.append(
                f'<respcondition continue="{more}"><conditionvar>{test}</conditionvar>{set_}{refs}</respcondition>'
            )


def _item(portable: Portable, ident: str) -> str:
    question = portable.question
    if (write := _TYPES.get(question.type)) is None:
        raise NoCounterpart(f"QTI has no questions of the type {question.type}.")
    item = _Item(portable)
    kind, presentation = write(item)
    right = item.say("correct_fb", portable.right) if question.type != "cloze" else []
    if right:
        item.when('<durgte respident="none">0</durgte>', None, right)
    if portable.other:
        item.when("<other/>", None, item.say("general_incorrect_fb", portable.other))
    if portable.explanation:
        item.when("<other/>", None, item.say("general_fb", portable.explanation))
    metadata = "".join(
        f"<qtimetadatafield><fieldlabel>{label}</fieldlabel><fieldentry>{entry}</fieldentry></qtimetadatafield>"
        for label, entry in (("question_type", kind), ("points_possible", decimal(question.points)))
    )
    return "\n".join([
        f'<item ident="{ident}" title="{escape(question.slug)}">',
        f"<itemmetadata><qtimetadata>{metadata}</qtimetadata></itemmetadata>",
        f"<presentation>{presentation}</presentation>",
        '<resprocessing><outcomes><decvar maxvalue="100" minvalue="0" varname="SCORE" vartype="Decimal"/></outcomes>',
        *item.conditions,
        "</resprocessing>",
        *item.feedback,
        "</item>\n",
    ])  # fmt: skip


def _material(html: str) -> str:
    return f'<material><mattext texttype="text/html">{escape(html, quote=False)}</mattext></material>'


def _equal(response: str, value: str) -> str:
    return f'<varequal respident="{response}">{escape(value, quote=False)}</varequal>'


def _menu(response: str, cardinality: str, labels: list[tuple[str, str]], shuffle: bool = True, head: str = "") -> str:
    options = "".join(f'<response_label ident="{key}">{_material(html)}</response_label>' for key, html in labels)
    turn = "Yes" if shuffle else "No"
    choice = f'<render_choice shuffle="{turn}">{options}</render_choice>'
    return f'<response_lid ident="{response}" rcardinality="{cardinality}">{head}{choice}</response_lid>'


def _blank(response: str, kind: str = "String", rows: int = 1) -> str:
    fib = f'<render_fib fibtype="{kind}" rows="{rows}"><response_label ident="{response}-text"/></render_fib>'
    return f'<response_str ident="{response}" rcardinality="Single">{fib}</response_str>'


Shown = tuple[str, str]  # Canvas's name of the type, and what is asked


def _choice(item: _Item) -> Shown:
    return "multiple_choice_question", _material(item.portable.prompt) + _one_of(item, "r1", FULL)


def _one_of(item: _Item, response: str, full: Fraction) -> str:
    """A menu; `full` is the score of its right option."""
    labels = []
    for number, (html, share, feedback) in enumerate(item.portable.options, 1):
        key = f"{response}-{number}"
        labels.append((key, html))
        item.when(_equal(response, key), share * full, item.say(f"{key}-fb", feedback), "Add")
    return _menu(response, "Single", labels, item.portable.question.shuffle)


def _choices(item: _Item) -> Shown:
    question, options = item.portable.question, item.portable.options
    labels = [(f"r1-{number}", html) for number, (html, _, _) in enumerate(options, 1)]
    is_plain = all(choice.credit is None for choice in question.choices)
    for (key, _), (_, share, feedback) in zip(labels, options, strict=True):
        shown = item.say(f"{key}-fb", feedback)
        item.when(_equal("r1", key), None if is_plain else share * FULL, shown, "Add")
    if is_plain:
        tests = [
            _equal("r1", key) if choice.right else f"<not>{_equal('r1', key)}</not>"
            for (key, _), choice in zip(labels, question.choices, strict=True)
        ]
        item.when(f"<and>{''.join(tests)}</and>", FULL, [])
    menu = _menu("r1", "Multiple", labels, question.shuffle)
    return "multiple_answers_question", _material(item.portable.prompt) + menu


def _typed(item: _Item) -> Shown:
    return "short_answer_question", _material(item.portable.prompt) + _text(item, "r1", FULL)


def _text(item: _Item, response: str, full: Fraction) -> str:
    """What is said of every right answer is said once, of the whole."""
    for number, (text, share, feedback) in enumerate(item.portable.typed, 1):
        shown = item.say(f"{response}-{number}-fb", "" if share == 1 else feedback)
        item.when(_equal(response, text), share * full, shown, "Add")
    return _blank(response)


def _number(item: _Item) -> Shown:
    return "numerical_question", _material(item.portable.prompt) + _decimal(item, "r1", FULL)


def _decimal(item: _Item, response: str, full: Fraction) -> str:
    for number, (value, near, share, feedback) in enumerate(item.portable.number, 1):
        shown = item.say(f"{response}-{number}-fb", "" if share == 1 else feedback)
        bounds = "".join(
            f'<{test} respident="{response}">{decimal(limit)}</{test}>'
            for test, limit in (("vargte", value - near), ("varlte", value + near))
        )
        equal = _equal(response, decimal(value))
        item.when(f"<or>{equal}<and>{bounds}</and></or>" if near else equal, share * full, shown, "Add")
    return _blank(response, "Decimal")


def _matching(item: _Item) -> Shown:
    pairs = item.portable.pairs
    keys = {answer: f"a{number}" for number, answer in enumerate(dict.fromkeys(answer for _, answer in pairs), 1)}
    labels = [(key, answer) for answer, key in keys.items()]
    asked = [(html, answer) for html, answer in pairs if html]
    menus = []
    for number, (html, answer) in enumerate(asked, 1):
        menus.append(_menu(f"r{number}", "Single", labels, head=_material(html)))
        item.when(_equal(f"r{number}", keys[answer]), FULL / len(asked), [], "Add")
    return "matching_question", _material(item.portable.prompt) + "".join(menus)


def _order(item: _Item) -> Shown:
    labels = [(f"r1-{number}", html) for number, html in enumerate(item.portable.lines, 1)]
    tests = "".join(_equal("r1", key) for key, _ in labels)
    item.when(f"<and>{tests}</and>", FULL, [])
    return "ordering_question", _material(item.portable.prompt) + _menu("r1", "Ordered", labels)


def _essay(item: _Item) -> Shown:
    if item.portable.rubric:
        item.portable.lose("its rubric")
    return "essay_question", _material(item.portable.prompt) + _blank("r1", rows=15)


def _cloze(item: _Item) -> Shown:
    """Responses in the midst of the text, as the standard has it; Canvas reads the text alone."""
    portable = item.portable
    if portable.right:
        portable.lose("what it says of a right answer")
    total = sum((gap.points for gap in portable.question.gaps), Fraction(0))
    if total != portable.question.points:
        portable.lose("the points of its gaps: each has its share of the whole")
    rest, parts = portable.line(portable.question.prompt.strip("\n")), []
    for number, gap in enumerate(portable.question.gaps, 1):
        before, _, rest = rest.partition(f"[[{gap.slug}]]")
        parts += [_material(before) if before else "", _gap(item, gap, f"r{number}", FULL * gap.points / total)]
    return "cloze", f"<flow>{''.join(parts)}{_material(rest) if rest else ''}</flow>"


def _gap(item: _Item, gap: Question, response: str, full: Fraction) -> str:
    inner = _Item(Portable(gap, lost=item.portable.lost), item.conditions, item.feedback)
    if inner.portable.right or inner.portable.other:
        inner.portable.lose("what it says of a right answer, or of any other, in a gap")
    if gap.type == "choice":
        return _one_of(inner, response, full)
    write: Callable[[_Item, str, Fraction], str] = _decimal if gap.type in ("number", "count") else _text
    return write(inner, response, full)


_TYPES: Mapping[str, Callable[[_Item], Shown]] = {
    "choice": _choice,
    "choices": _choices,
    "text": _typed,
    "shape": _typed,
    "predict": _typed,
    "number": _number,
    "count": _number,
    "matching": _matching,
    "order": _order,
    "essay": _essay,
    "cloze": _cloze,
}
