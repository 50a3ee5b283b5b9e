"""Moodle XML of a course's questions, a category for each lesson."""

import base64
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from html import escape

from app.content.course import Course
from app.content.formats.carried import carried
from app.content.formats.elements import without_controls
from app.content.formats.embedded import embedded
from app.content.formats.from_html import words_of
from app.content.formats.kind import Exported, Lost, NoCounterpart, Refused
from app.content.formats.portable import Answer, Portable, asking, decimal, lost_of, percentage, unasked

NAME = "moodle-xml"
SUFFIX = ".xml"
FILES = "@@PLUGINFILE@@/"
# The shares that Moodle's own forms offer: others are refused when they come in, unless one says otherwise there.
SHARES = (100, 90, 83.33333, 80, 75, 70, 66.66667, 60, 50, 40, 33.33333, 30, 25, 20, 16.66667, 14.28571, 12.5, 11.11111,
          10, 5, 0)  # fmt: skip


def exported(course: Course) -> Exported:
    parts: list[str] = []
    lost: list[Lost] = []
    left_out: list[Refused] = []
    count = 0
    for lesson, questions in asking(course):
        parts.append(_category(course.title, lesson.title))
        found: dict[str, list[str]] = {}
        for question in questions:
            portable = Portable(question, FILES)
            try:
                parts.append(_question(portable, course.files))
            except NoCounterpart as error:
                left_out.append(Refused(question.slug, str(error)))
                continue
            count += 1
            found[question.slug] = portable.lost
        lost += lost_of(lesson, found)
        left_out += unasked(lesson)
    head, end = '<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n', f"</quiz>\n<!-- {carried(course)} -->\n"
    content = without_controls("".join([head, *parts, end])).encode()
    return Exported(content, count, tuple(lost), tuple(left_out))


def _category(course: str, lesson: str) -> str:
    path = "/".join(["$course$", "top", *(title.replace("/", "//") for title in (course, lesson))])
    return f'<question type="category"><category><text>{escape(path)}</text></category></question>\n'


def _question(portable: Portable, files: Mapping[str, bytes]) -> str:
    question = portable.question
    if (written := _TYPES.get(question.type)) is None:
        raise NoCounterpart(f"Moodle XML has no questions of the type {question.type}.")
    type_, body = written(portable)
    prompt = _gapped(portable) if type_ == "cloze" else portable.prompt
    points = "" if type_ == "cloze" else f"<defaultgrade>{decimal(question.points)}</defaultgrade>"
    lines = [
        f'<question type="{type_}">',
        f"<name><text>{escape(question.slug)}</text></name>",
        _html("questiontext", prompt, _held(question.prompt, portable, files)),
        _html("generalfeedback", portable.explanation, _held(question.explanation or "", portable, files)),
        points,
        *body,
        "</question>",
    ]
    return "\n".join(filter(None, lines)) + "\n"


def _html(tag: str, html: str, inside: str = "", attributes: str = "") -> str:
    return f'<{tag} format="html"{attributes}><text>{escape(html, quote=False)}</text>{inside}</{tag}>'


def _held(text: str, portable: Portable, files: Mapping[str, bytes]) -> str:
    """The pictures of a text, beside it."""
    found = []
    for path in dict.fromkeys(portable.figures(text)):
        if path not in files:
            portable.lose(f"the picture {path}")
            continue
        name = escape(path.removeprefix("figures/"))
        found.append(f'<file name="{name}" path="/" encoding="base64">{base64.b64encode(files[path]).decode()}</file>')
    return "".join(found)


def _answer(portable: Portable, answer: Answer, inside: str = "", html: bool = True) -> str:
    text, share, comment = answer
    if round(abs(float(share)) * 100, 5) not in SHARES:
        portable.lose(f"the exact share {percentage(share)}%, unless Moodle is told to take the nearest one")
    kind = "html" if html else "moodle_auto_format"
    feedback = _html("feedback", comment)
    written = f"<text>{escape(text, quote=False)}</text>{inside}{feedback}"
    return f'<answer fraction="{percentage(share)}" format="{kind}">{written}</answer>'


Written = tuple[str, list[str]]


def _options(portable: Portable) -> Written:
    question = portable.question
    single = "true" if question.type == "choice" else "false"
    shuffle = "true" if question.shuffle else "false"
    answers = [_answer(portable, answer) for answer in portable.options]
    remark = [_html("correctfeedback", portable.right)] if portable.right else []
    head = [f"<single>{single}</single>", f"<shuffleanswers>{shuffle}</shuffleanswers>"]
    return "multichoice", [*head, "<answernumbering>abc</answernumbering>", *remark, *answers]


def _typed(portable: Portable) -> Written:
    answers = [(_wild(text), share, comment) for text, share, comment in portable.typed]
    if portable.other:
        answers.append(("*", Fraction(0), portable.other))
    return "shortanswer", ["<usecase>0</usecase>", *(_answer(portable, answer, html=False) for answer in answers)]


def _wild(text: str) -> str:
    return text.replace("*", "\\*")


def _number(portable: Portable) -> Written:
    found = []
    for value, near, share, comment in portable.number:
        inside = f"<tolerance>{decimal(near)}</tolerance>"
        found.append(_answer(portable, (decimal(value), share, comment), inside, html=False))
    if portable.other:
        found.append(_answer(portable, ("*", Fraction(0), portable.other), html=False))
    return "numerical", found


def _matching(portable: Portable) -> Written:
    pairs = [
        _html("subquestion", item, f"<answer><text>{escape(words_of(answer), quote=False)}</text></answer>")
        for item, answer in portable.pairs
    ]
    if any("<" in answer for _, answer in portable.pairs):
        portable.lose("the markup of its answers, which Moodle shows as plain text")
    remark = [_html("correctfeedback", portable.right)] if portable.right else []
    return "matching", ["<shuffleanswers>true</shuffleanswers>", *remark, *pairs]


def _order(portable: Portable) -> Written:
    lines = [
        f'<answer fraction="{place}" format="html"><text>{escape(line, quote=False)}</text></answer>'
        for place, line in enumerate(portable.lines, 1)
    ]
    remark = [_html("correctfeedback", portable.right)] if portable.right else []
    return "ordering", ["<layouttype>VERTICAL</layouttype>", "<selecttype>ALL</selecttype>", *remark, *lines]


def _essay(portable: Portable) -> Written:
    return "essay", ["<responseformat>editor</responseformat>", _html("graderinfo", portable.rubric)]


def _cloze(portable: Portable) -> Written:
    if portable.right:
        portable.lose("what it says of a right answer")
    return "cloze", []


def _gapped(portable: Portable) -> str:
    """The prompt with Moodle's own marks in the place of its gaps."""
    html = portable.prompt
    for gap in portable.question.gaps:
        html = html.replace(f"[[{gap.slug}]]", escape(_gap(Portable(gap, FILES, portable.lost)), quote=False))
    return html


def _gap(gap: Portable) -> str:
    if gap.question.points.denominator != 1:
        gap.lose("the points of its gaps, which are whole in Moodle")
    return embedded(gap.question, list(_gap_answers(gap)))


def _gap_answers(gap: Portable) -> Iterator[Answer]:
    if gap.question.type == "choice":
        yield from gap.options
    elif gap.question.type in ("number", "count"):
        yield from ((f"{decimal(value)}:{decimal(near)}", share, comment) for value, near, share, comment in gap.number)
    else:
        yield from ((_wild(text), share, comment) for text, share, comment in gap.typed)
    if gap.other:
        yield "*", Fraction(0), gap.other


_TYPES: Mapping[str, Callable[[Portable], Written]] = {
    "choice": _options,
    "choices": _options,
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
