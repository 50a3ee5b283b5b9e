"""A question as fields and as text, each the other's mirror: nothing is lost on the way, and nothing else moves."""

import re
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.content.lesson import BLOCKS
from app.content.markdown import render
from app.content.page import Directive
from app.content.questions.form import Form, MistakeRow, OptionRow, fields_of, form_of, tidy
from app.content.questions.pieces import NotAForm, fenced
from app.content.questions.place import places_in, replaced, text_at
from app.content.questions.question import Question
from app.content.questions.reader import read_question
from app.content.questions.table import KINDS
from app.content.questions.writer import Unwritable, rewritten, written
from app.settings import ROOT

FEW = settings(max_examples=60, deadline=None)

# ---- questions as authors write them: long lines that continue, odd marks, sections in odd places

words = st.sampled_from(["rows", "a `x -- y` b", "$a -- b$", "{{n}}", "T - 1", "two  spaces", "ü→", "1. one", "#"])
line = st.lists(words, min_size=1, max_size=4).map(" ".join)
maybe_more = st.lists(line, max_size=2).map(lambda more: "".join(f"\n  {one}" for one in more))


def setting(name: str, value: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(value, maybe_more).map(lambda found: f":{name}: {found[0]}{found[1]}")


SETTINGS = st.one_of(
    setting("right", line),
    setting("other", line),
    setting("mistake", line.map(lambda text: f"{text} -> no")),
    setting("partly", line.map(lambda text: f"50% {text} -> nearly")),
    st.sampled_from([":points: 2", ":given: n = 1 | 2", ":given: (a, b) = (1, 2) | (3, 4); c = 5", ":pool: easy"]),
    st.sampled_from([":unknown: x", ":tolerance: 0.1", ":shuffle: false", ":answer: n", ":answer:   n + 1 "]),
)
HEADS = st.lists(SETTINGS, max_size=6).map("\n".join)
OPTIONS: dict[str, list[str]] = {
    "choice": ["- [x] yes -- Right.", "* [ ] no", "- [X] also\n  on the next line -- of\n  two", "+ [50%] half -- h"],
    "order": ["1. first", "2) second\n   and more", "9. ninth"],
    "matching": ["- a => b -- c", "- => spare", "* `x => y` => $z => w$"],
}
OPTIONS["choices"] = [*OPTIONS["choice"], "- [-25%] costs"]
SECTIONS = [
    ":::{explain}\nBecause.\n\n- so\n:::",
    "::::{explain}\n:::{note}\nA note.\n:::\n::::",
    ":::{rubric}\n- 2 points\n:::",
    ":::{gap} one\n:type: count\n:answer: 3\n:mistake: 4 -> no\n:::",
    ":::{gap}   two\n:type: choice\n- [x] a\n- [ ] b -- c\n\n:::",
]
PROSE = st.sampled_from(
    ["What is `n`?", "\nWhat\nis it?\n", "```python\nprint(1)\n- [ ] code\n```", "", "[[one]], [[two]]"]
)


@st.composite
def questions(draw: st.DrawFn) -> str:
    type = draw(st.sampled_from([*KINDS, "nonsense"]))
    head = [f":type: {type}", *filter(None, [draw(HEADS)])]
    if type == "predict" and draw(st.booleans()):
        head.append(":answer:\n  (2, 3)\n\n   indented")
    listed = draw(st.lists(st.sampled_from(OPTIONS.get(type, OPTIONS["choice"])), max_size=4))
    sections = draw(st.lists(st.sampled_from(SECTIONS), max_size=3, unique_by=lambda text: text.split("}")[0]))
    gap = [text for text in sections if "{gap}" in text]
    blocks = ["\n".join(head), draw(PROSE), *gap, draw(PROSE), "\n".join(listed), *(set(sections) - set(gap))]
    fence = draw(st.sampled_from([":::::", "::::::", "`````"]))
    return f"{fence}{{question}} q\n" + "\n".join(blocks) + f"\n{fence}"


def form_or_none(text: str) -> Form | None:
    try:
        return form_of(text)
    except NotAForm:
        return None


def meaning(text: str) -> tuple[Any, ...]:
    """All that a reader makes of it but for the lines that it stands on."""
    whole = fenced(text)
    body = "".join(f"{one}\n" for one in whole.body)
    question, faults = read_question(Directive("question", whole.slug, body, 1), "c", "l", "a.md")
    return (*_told(question), sorted({fault.message for fault in faults}))


def _told(question: Question | None) -> Iterator[Any]:
    """A section or setting leaves empty lines where it stood: how many is layout."""
    if question is not None:
        prompt = re.sub(r"\n\s*\n", "\n\n", question.prompt).strip("\n")
        gaps = tuple(replace(gap, prompt=prompt) for gap in question.gaps)
        yield replace(question, prompt=prompt, gaps=gaps).content_hash
        yield from (question.points, question.pool, question.given, question.framework)
        yield from ([remark.text for remark in question.remarks], question.explanation and question.explanation.strip())


@given(questions())
@FEW
def test_text_to_form_to_text_is_the_same_text(text: str) -> None:
    form = form_or_none(text)
    if form is None:
        return
    assert tidy(form) == form, "what was read is sent back by a browser as it is"
    assert rewritten(text, form) == text
    again = written(form)
    assert form_of(again) == form
    assert written(form_of(again)) == again
    if ":unknown:" not in text and len(set(re.findall(r"^:(?!mistake|partly|given)(\w+):", text, re.M))) == len(
        re.findall(r"^:(?!mistake|partly|given)(\w+):", text, re.M)
    ):
        assert meaning(again) == meaning(text), "nothing but layout was lost"


texts = (
    st.text(max_size=60) | line | st.sampled_from(["a -- b", "x -> y", ":type: x", "- [ ] z", "::::", "a\n\nb", "=>"])
)
EDITS = st.one_of(
    *(st.tuples(st.just(name), texts) for name in ("slug", "prompt", "explain", "rubric")),
    st.tuples(st.just("given"), st.lists(texts, max_size=3).map(tuple)),
    st.tuples(st.just("mistakes"), st.lists(st.builds(MistakeRow, texts, texts), max_size=3).map(tuple)),
    st.tuples(st.just("options"), st.lists(st.builds(OptionRow, st.just("x"), texts, texts), max_size=3).map(tuple)),
    st.tuples(st.sampled_from(["answer", "right", "points", "type", "pool"]), texts),
)
AROUND = "---\ntitle: q\n---\n::::{question} before\n:type: essay\nA.\n::::\n", "\n```\n::::{question} q\n```\nLast."


@given(questions(), EDITS, st.sampled_from(["\n", "\r\n"]))
@FEW
def test_an_edited_field_changes_its_own_lines_and_nothing_else_in_the_lesson(
    text: str, edit: tuple[str, Any], end: str
) -> None:
    form = form_or_none(text)
    if form is None:
        return
    name, value = edit
    if name in {field.name for field in fields(Form)}:
        changed = tidy(replace(form, **{name: value}))
    else:
        changed = tidy(replace(form, settings=(*((n, v) for n, v in form.settings if n != name), (name, value))))
    before, after = (part.replace("\n", end) for part in AROUND)
    lesson = f"{before}{text.replace(chr(10), end)}{after}"
    try:
        new = rewritten(text, changed)
        whole = replaced(lesson, "q", new)
    except Unwritable:
        assert changed != form, "what its author wrote can be written"
        return
    assert form_of(new) == changed
    assert rewritten(new, changed) == new
    assert whole.startswith(before)
    assert whole.endswith(after)
    assert [place.slug for place in places_in(whole)] == ["before", changed.slug]
    assert text_at(whole, list(places_in(whole))[1]) == new
    if name in ("prompt", "explain", "right", "points", "pool") and form.type != "nonsense":
        kept = [one for one in text.split("\n")[1:-1] if one.startswith(("- [", ":mistake:", ":given:"))]
        lines = new.split("\n")
        assert [one for one in lines if one in kept] == kept or name == "prompt", "the other lines stay as they were"


@given(st.lists(questions() | st.sampled_from(["```\n::::{question} no\n```", "> quote", "- a\n- b", "~~~\n:::"])))
@FEW
def test_questions_stand_where_the_parser_finds_them(blocks: list[str]) -> None:
    lesson = "---\ntitle: x\n---\n" + "\n\n".join(blocks) + "\n"
    body = "\n" * 3 + lesson.partition("\n---\n")[2]
    parts = render(body, blocks=BLOCKS).parts
    found = [(part.line, part.body) for part in parts if isinstance(part, Directive) and part.name == "question"]
    places = list(places_in(lesson))
    lines = lesson.split("\n")
    closed = [
        (place.first + 1, "".join(f"{one}\n" for one in lines[place.first + 1 : place.end - 1])) for place in places
    ]
    assert closed == found[: len(closed)]
    assert len(found) - len(closed) <= ("~~~\n:::" in blocks), "only what is never closed is missing"


def every_question() -> Iterator[Any]:
    folders = [*sorted((ROOT / "lessons").rglob("*.md")), *sorted((ROOT / "scaffolds").rglob("*.md"))]
    for path in folders:
        lesson = path.read_text()
        for place in places_in(lesson):
            yield pytest.param(text_at(lesson, place), id=f"{path.name}-{place.slug}")


@pytest.mark.parametrize("text", list(every_question()))
def test_every_question_that_we_ship_has_a_form(text: str) -> None:
    form = form_of(text)
    assert rewritten(text, form) == text
    assert meaning(written(form)) == meaning(text)
    shown = {field.name for field in fields_of(form)}
    used = {
        field.name for field in fields(Form) if field.name not in ("slug", "settings") and getattr(form, field.name)
    }
    assert used <= shown, "each part that the text has is a field of its type"
    assert {name for name, _ in form.settings} <= shown
    assert all(fields_of(gap, is_gap=True) for gap in form.gaps)
