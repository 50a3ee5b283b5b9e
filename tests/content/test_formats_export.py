"""Import of an export changes nothing; what another system cannot hold is said; all else comes back from it alone."""

import io
import re
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.content.course import course_from_files, read_course
from app.content.formats.exports import EXPORTS, by_name
from app.content.formats.from_html import blocks_of, line_of, plain_line
from app.content.formats.kind import Exported, Item
from app.content.formats.package import packed
from app.content.formats.qti_export import CARRIER
from app.content.formats.table import FORMATS, format_of
from app.content.formats.to_html import html_of, line_html
from app.content.markdown import render
from app.content.questions.table import KINDS

from .exported import COVER, PICTURE, SAMPLES, back, course_of, substance

LESSONS = Path(__file__).resolve().parents[2] / "lessons"
# What a format has no way to hold of the samples: such a question is left out, or what is lost is said.
LESS = {
    "moodle-xml": {"shape", "predict"},
    "gift": {"shape", "predict", "order", "cloze"},
    "qti": {"shape", "predict"},
}
# Lines of the samples that a format has no way to hold: what is lost is said of the whole, and the rest comes back.
WITHOUT = {
    "gift": re.compile(r":(?:points|shuffle): .*\n|:right: Well seen.\n|:::\{rubric\}\n.*\n:::\n"),
    "qti": re.compile(r":::\{rubric\}\n.*\n:::\n"),
}


def alone(name: str, exported: Exported) -> Exported:
    """The export without the course that it carries: what another system makes of it."""
    if name == "qti":
        return repacked(exported, {CARRIER: None})
    text = re.sub(rb"(<!-- |// )lectern-course:.*", b"", exported.content)
    assert text != exported.content
    return Exported(text, exported.questions)


def repacked(exported: Exported, changes: dict[str, bytes | None]) -> Exported:
    with zipfile.ZipFile(io.BytesIO(exported.content)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    assert changes.keys() <= files.keys()
    kept = {name: content for name, old in files.items() if (content := changes.get(name, old)) is not None}
    return Exported(packed(kept), exported.questions)


def changed(name: str, exported: Exported, old: bytes, new: bytes) -> Exported:
    if name != "qti":
        return Exported(exported.content.replace(old, new, 1), exported.questions)
    with zipfile.ZipFile(io.BytesIO(exported.content)) as archive:
        return repacked(exported, {"01-a-quiz.xml": archive.read("01-a-quiz.xml").replace(old, new)})


def test_every_type_has_a_sample_and_every_export_an_import() -> None:
    assert SAMPLES.keys() == KINDS.keys()
    assert EXPORTS.keys() <= FORMATS.keys()
    assert EXPORTS.keys() == LESS.keys()
    with pytest.raises(TypeError):
        by_name(*EXPORTS.values(), next(iter(EXPORTS.values())))


@pytest.mark.extra
@pytest.mark.parametrize("name", EXPORTS)
@pytest.mark.parametrize("course", sorted(path.name for path in LESSONS.iterdir() if path.is_dir()))
def test_import_of_an_export_changes_nothing_of_the_shipped_courses(name: str, course: str, tmp_path: Path) -> None:
    read = read_course(LESSONS / course)
    exported = EXPORTS[name].exported(read)
    assert exported.questions + len(exported.left_out) == len(read.questions)
    path = tmp_path / f"any-name{EXPORTS[name].SUFFIX}"
    path.write_bytes(exported.content)
    assert format_of(path) is FORMATS[name]
    (item,) = FORMATS[name].items(path)
    assert isinstance(item, Item)
    assert (item.name, item.files) == (course, read.files)


@pytest.mark.parametrize("name", EXPORTS)
@pytest.mark.parametrize("type_", SAMPLES)
def test_what_is_not_said_to_be_lost_comes_back_from_the_format_alone(name: str, type_: str, tmp_path: Path) -> None:
    sample = SAMPLES[type_]
    if name in WITHOUT and (plain := WITHOUT[name].sub("", sample)) != sample:
        assert EXPORTS[name].exported(course_of(sample)).lost or type_ in LESS[name]
        sample = plain
    course = course_of(sample)
    exported = EXPORTS[name].exported(course)
    said = [lost.what for lost in exported.lost] + [refused.why for refused in exported.left_out]
    assert bool(said) == (type_ in LESS[name]), said
    if not said:
        questions, item = back(FORMATS[name], alone(name, exported), EXPORTS[name].SUFFIX, tmp_path)
        assert [substance(question) for question in questions] == [substance(question) for question in course.questions]
        assert item.warnings == ()


@pytest.mark.parametrize("name", EXPORTS)
def test_an_export_that_was_changed_is_read_as_it_stands_there(name: str, tmp_path: Path) -> None:
    exported = EXPORTS[name].exported(course_of(SAMPLES["text"].replace(":answer: l", ":given: n = 1 | 2\n:answer: l")
                                                .replace("called?", "called {{n}}?")))  # fmt: skip
    assert any("variants" in lost.what for lost in exported.lost)
    other = changed(name, exported, b"What are such", b"What, then, are such")
    (question,), item = back(FORMATS[name], other, EXPORTS[name].SUFFIX, tmp_path)
    assert "What, then, are such positions called 1?" in question.prompt
    assert any("changed since" in warning for warning in item.warnings)


@pytest.mark.parametrize("name", ["moodle-xml", "qti"])
def test_pictures_come_back(name: str, tmp_path: Path) -> None:
    body = SAMPLES["number"].replace("What is", "![A box](figures/a-box.svg)\n\nWhat is")
    course = course_of(body, figures={"figures/a-box.svg": PICTURE})
    exported = EXPORTS[name].exported(course)
    assert not exported.lost
    questions, item = back(FORMATS[name], alone(name, exported), EXPORTS[name].SUFFIX, tmp_path)
    assert item.files["figures/a-box.svg"] == PICTURE
    assert substance(questions[0]) == substance(course.questions[0])


# ------------------------------------------------------------------ any text

PIECES = [
    "a", "B", "1", " ", " ", "\n", "*", "_", "`", "#", "-", "--", ">", "=>", "->", "<b>", "&", "&amp;", "[", "]", "(",
    ")", "[x]", "]:", "{", "}", "{{n}}", "~", "=", "|", "\\", "\\(", "$", "!", ".", "1. ", ":", ":answer: x", "+", "é",
    "·", "%", "http://a.b", "@", '"', "'", "\u00a0", "^", ":::", "/",
]  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_no_text_is_taken_for_markup(text: str) -> None:
    """Text of another system stays text: what Markdown makes of it shows the same characters, and nothing else."""
    if r"\(" in text or "$$" in text or not text.strip():  # they begin formulas
        return
    faults = render(plain_line(text), given={}).faults
    assert {fault.code for fault in faults} <= {"formula"}  # `a_{` looks like one that lost its delimiters
    shown = re.sub(r"<[^>]*>", "", html_of(plain_line(text), {}))
    assert " ".join(shown.split()) == " ".join(html_escaped(text).split())


def html_escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


INLINE = st.sampled_from(
    ["*a*", "**b**", "`c|d`", "$x_1$", "word", "d_model", "[l](https://a.b/c)", "1.5", "\\#", "a\\*b"]
)
LINE = st.lists(INLINE, min_size=1, max_size=5).map(" ".join)
BLOCK = st.one_of(
    LINE,
    LINE.map(lambda line: f"- {line}\n- b\n  - c"),
    LINE.map(lambda line: f"1. {line}\n2. b"),
    LINE.map(lambda line: f"> {line}\n>\n> end"),
    st.just("```python\nprint('<a>')\n\nx = '`'\n```"),
    st.just("$$\\sum_i x_i < 2$$"),
    st.just("| a | b |\n|:---|---:|\n| 1 | `x` |"),
)


@settings(max_examples=100, deadline=None)
@given(st.lists(BLOCK, min_size=1, max_size=4).map("\n\n".join))
def test_markdown_comes_back_from_its_html(text: str) -> None:
    assert render(blocks_of(html_of(text, {})).text).html == render(text).html


@settings(max_examples=100, deadline=None)
@given(LINE)
def test_a_line_comes_back_from_its_html(text: str) -> None:
    assert render(line_of(line_html(text, {})).text).html == render(text).html


def test_an_export_says_what_is_not_shown(tmp_path: Path) -> None:
    lesson = (
        "---\ntitle: Both\nkind: quiz\npools:\n  few: 1\n---\n\nFirst some words.\n\n"
        "::::{question} one\n:type: choice\n:pool: few\n:given: n = 2 | 3\nSee [this](02-next.md): {{n}}?\n"
        "- [x] a -- Yes.\n- [ ] b -- No.\n::::\n\n"
        "::::{question} two\n:type: choice\n:pool: few\nTwo?\n- [x] a -- Yes.\n- [ ] b -- No.\n::::\n"
    )
    after = "---\ntitle: Next\n---\n\nWords.\n"
    course = course_from_files(
        "positions", {"course.toml": COVER, "01-both.md": lesson.encode(), "02-next.md": after.encode()}
    )
    for name, export in EXPORTS.items():
        said = {(lost.name, lost.what) for lost in export.exported(course).lost}
        assert {
            ("both", "the text of the lesson around its questions"),
            ("one", "1 of its 2 variants: it is exported for n = 2"),
            ("one", "its pool `few`"),
            ("one", "the link to 02-next.md, of which the text is kept"),
            ("two", "its pool `few`"),
        } <= said, name
