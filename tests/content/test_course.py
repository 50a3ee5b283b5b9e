"""Courses and lessons: folders read into values, in order, with their faults."""

import re
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from app.content.course import (
    MAX_FILE_BYTES,
    Course,
    course_from_files,
    find_course_faults,
    in_reading_order,
    read_course,
)
from app.content.exercise import ExerciseLinks, split_hints
from app.content.lesson import HtmlBlock
from app.content.markdown import render
from app.content.picture import size_of
from app.content.quiz import quiz_of
from graders.exercise.folder import FolderUnreadable, hash_files, read_files

COVER = b'title = "A course"\nblurb = "On something."\nauthors = ["One", "Two"]\n'


def course(**lessons: str) -> Course:
    files = {f"{name.replace('_', '-')[1:]}.md": text.encode() for name, text in lessons.items()}
    return course_from_files("demo", {"course.toml": COVER, **files, "figures/a.svg": b"<svg/>"}, "lessons/demo")


def lesson(body: str, head: str = "title: A lesson") -> str:
    return f"---\n{head}\n---\n{body}"


def said(found: Course, *exercises: str) -> list[tuple[str, int | None, str]]:
    faults = find_course_faults(found, exercises)
    return [(fault.path.removeprefix("lessons/demo/"), fault.line, fault.message) for fault in faults]


def test_lessons_stand_in_the_order_of_their_numbers_and_lose_them() -> None:
    found = course(
        _02_second=lesson("b"), _01_first=lesson("a", "title: First\nsummary: It begins."), _10_tenth=lesson("c")
    )
    assert [one.slug for one in found.lessons] == ["first", "second", "tenth"]
    assert found.lessons[0].title == "First"
    assert found.lessons[0].summary == "It begins."
    assert found.lessons[0].url == "/courses/demo/first"
    assert (found.title, found.blurb, found.authors) == ("A course", "On something.", ("One", "Two"))
    assert said(found) == []


QUESTION = "::::{question} one\n:type: shape\n:answer: (A,)\nThe shape of A?\n:::{explain}\nA.\n:::\n::::\n\n"


def test_a_quiz_says_how_it_is_taken() -> None:
    head = "title: Q\nkind: quiz\n"
    found = course(
        _01_a=lesson(QUESTION, f"{head}time_limit: 20\nattempts: 2\ncounts: last"), _02_b=lesson(QUESTION, head)
    )
    counted, practice = found.lessons
    assert (counted.time_limit, counted.attempts, counted.counts, counted.is_counted) == (20, 2, "last", True)
    assert (practice.time_limit, practice.attempts, practice.counts, practice.is_counted) == (None, None, "best", False)
    assert said(found) == []


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ("kind: quiz\ntime_limit: 0", "`time_limit: 0` is not a number of minutes."),
        ("kind: quiz\ntime_limit: 1.5", "`time_limit: 1.5` is not a number of minutes."),
        ("kind: quiz\nattempts: true", "`attempts: True` is not a number of sittings."),
        ("kind: quiz\ncounts: worst", "`counts: worst` is neither best nor last."),
        ("time_limit: 20", "`time_limit` is only for quizzes."),
        ("kind: lesson\ncounts: best", "`counts` is only for quizzes."),
    ],
)
def test_what_a_quiz_cannot_be_is_a_fault(head: str, message: str) -> None:
    found = course(_01_a=lesson(QUESTION, f"title: Q\n{head}"))
    assert said(found) == [("01-a.md", 1, message)]
    assert not found.lessons[0].is_counted


def test_a_quiz_without_a_question_and_with_what_it_cannot_show_is_told() -> None:
    found = course(_01_a=lesson("Words.\n\n:::{exercise} some\n:::\n", "title: Q\nkind: quiz"))
    assert [message for _, _, message in said(found, "some")] == [
        "The quiz has no questions.",
        "No exercise can be shown in a quiz.",
    ]


def test_a_quiz_begins_with_its_introduction_and_goes_on_in_sections() -> None:
    two = QUESTION.replace("} one", "} two")
    body = f"Before.\n\n## First $x$\n\nGiven this.\n\n{QUESTION}And this.\n\n{two}"
    body += f"## Second\n\n{two.replace('two', 'three')}"
    quiz = quiz_of(course(_01_a=lesson(body, "title: Q\nkind: quiz")).lessons[0])
    assert quiz.introduction == "<p>Before.</p>"
    assert [one.question.slug for one in quiz.questions] == ["one", "two", "three"]
    assert ["Given" in one.context for one in quiz.questions] == [True, True, False]
    assert ["And" in one.context for one in quiz.questions] == [False, True, False]
    assert "<math" in quiz.questions[1].section
    assert quiz.questions[2].section == "Second"


def test_blocks_come_in_reading_order() -> None:
    body = (
        "Before.\n\n:::::{question} one\n:type: shape\n:answer: (A,)\nThe shape of A?\n:::{explain}\nA.\n:::\n:::::\n\n"
        "Between.\n\n:::{exercise} some-exercise\n:::\n\nAfter.\n"
    )
    rendered = course(_01_a=lesson(body)).lessons[0].render()
    assert [block.kind for block in rendered.blocks] == ["html", "question", "html", "exercise", "html"]
    assert rendered.exercises == ("some-exercise",)
    assert rendered.questions["one"].id == "demo.a.one"


def test_links_between_lessons_exercises_and_figures_become_addresses() -> None:
    body = (
        "[a](02-next.md) [b](02-next.md#part) [c](../../exercises/some-exercise/) [d](exercise:some-exercise)"
        " [e](../other/03-there.md#x) ![f](figures/a.svg)"
    )
    found = course(_01_a=lesson(body), _02_next=lesson("## Part"))
    assert said(found, "some-exercise") == []
    (block,) = found.lessons[0].render().blocks
    assert block.kind == "html"
    for address in (
        '"/courses/demo/next"',
        '"/courses/demo/next#part"',
        '"/exercises/some-exercise"',
        '"/courses/other/there#x"',
        '"/courses/demo/figures/a.svg"',
    ):
        assert address in block.html
    assert found.figure("a.svg") == (b"<svg/>", "image/svg+xml")
    assert found.figure("../course.toml") is None


def test_a_picture_that_no_reader_would_see_is_a_fault() -> None:
    """Those in figures/ are served; one beside the lesson, deeper, of another kind or of another site is not."""
    places = ["b.svg", "figures/deep/c.svg", "figures/d.gif", "https://example.org/e.png", "/f.png"]
    pictures = [f"![a]({place})" for place in ("figures/a.svg", *places)]
    files = {"course.toml": COVER, "01-a.md": lesson("\n\n".join(pictures)).encode(), "figures/a.svg": b"<svg/>"}
    found = course_from_files("demo", {**files, **dict.fromkeys(places[:3], b"")}, "lessons/demo")
    faults = find_course_faults(found)
    assert [fault.message.split()[2] for fault in faults] == places
    assert [fault.line for fault in faults] == [6, 8, 10, 12, 14]
    assert all("figures/" in fault.hint for fault in faults)
    (block,) = found.lessons[0].render().blocks
    assert block.kind == "html"
    assert block.html.count("src=") == 1


def test_a_picture_keeps_its_place_free_while_it_loads() -> None:
    files = {"course.toml": COVER, "01-a.md": lesson("![a](figures/a.svg) ![b](figures/b.svg)").encode()}
    pictures = {"figures/a.svg": b'<svg viewBox="0 0 30 20"/>', "figures/b.svg": b"<svg/>"}
    (block,) = course_from_files("demo", {**files, **pictures}, "lessons/demo").lessons[0].render().blocks
    assert block.kind == "html"
    assert len(re.findall(r'a\.svg"[^>]* width="30"[^>]* height="20"', block.html)) == 1
    assert block.html.count("width=") == 1


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
@pytest.mark.parametrize("lossless", [False, True])
def test_a_picture_says_how_large_it_is(kind: str, lossless: bool) -> None:
    saved = BytesIO()
    Image.new("RGB", (300, 200)).save(saved, kind, lossless=lossless)
    assert size_of(saved.getvalue()) == (300, 200)
    for cut in range(64):
        assert size_of(saved.getvalue()[:cut]) in (None, (300, 200))


@pytest.mark.parametrize(
    ("svg", "size"),
    [
        ('<svg width="30px" height="20.4">', (30, 20)),
        ("<?xml version='1.0'?>\n<svg xmlns='x' viewBox='-1 0 30,20'>", (30, 20)),
        ('<svg width="100%" height="2em">', None),
        ('<svg stroke-width="3" height="2">', None),
        ('<svg width="0" height="2">', None),
        ("no picture", None),
    ],
)
def test_a_drawing_says_how_large_it_is(svg: str, size: tuple[int, int] | None) -> None:
    assert size_of(svg.encode()) == size


def test_what_a_lesson_gets_wrong_is_said_with_its_line() -> None:
    body = (
        "[x](03-none.md)\n\n[y](02-b.md#none)\n\n:::{exercise} none\n:::\n\n$\\nope$\n\n"
        ":::{question} q\n:type: shape\n:::\n\n:::{exercise} Not A Name\n:::\n"
    )
    found = course(_01_a=lesson(body), _02_b=lesson("## Some"))
    places = [(path, line) for path, line, _ in said(found, "some")]
    for line in (4, 6, 8, 11, 13, 17):
        assert ("01-a.md", line) in places
    kinds = [block.kind for block in found.lessons[0].render().blocks]
    assert "question" not in kinds  # the broken one is not asked, and the page says that one is missing
    assert "A question is missing here" in str(found.lessons[0].render().blocks)


@pytest.mark.parametrize(
    ("head", "message", "is_shown"),
    [
        ("summary: none", "no title", True),
        ("title: A\nminutes: soon", "number of minutes", True),
        ("title: A\nkind: exam", "is not a kind of lesson", False),
        ("title: A\ncolour: red", "`colour` is not a known setting", True),
        ("title: [", "not YAML", False),
        ("- a\n- b", "no `name: value` lines", False),
    ],
)
def test_a_broken_head_is_a_fault_and_what_may_be_a_quiz_is_not_shown(head: str, message: str, is_shown: bool) -> None:
    found = course(_01_a=lesson("Text.", head))
    assert any(message in text for _, _, text in said(found))
    assert ("Text." in str(found.lessons[0].render().blocks)) == is_shown


def test_two_questions_or_lessons_of_one_name_are_a_fault() -> None:
    question = ":::{question} q\n:type: shape\n:answer: (A,)\nA?\n:::\n\n"
    assert any("Two questions" in text for _, _, text in said(course(_01_a=lesson(question * 2))))
    assert any("Two lessons" in text for _, _, text in said(course(_01_a=lesson("x"), _02_a=lesson("y"))))


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"01-a.md": lesson("x").encode()}, "no course.toml"),
        ({"course.toml": b"title = ", "01-a.md": lesson("x").encode()}, "not TOML"),
        ({"course.toml": b'blurb = "b"', "01-a.md": lesson("x").encode()}, "no title"),
        ({"course.toml": COVER + b"prerequisites = 3", "01-a.md": lesson("x").encode()}, "not a list"),
        ({"course.toml": COVER + b"renamed = ['b']", "01-a.md": lesson("x").encode()}, "not a table of names"),
        ({"course.toml": COVER + b"renamed = {b = 'c'}", "01-a.md": lesson("x").encode()}, "no lesson c"),
        (
            {"course.toml": COVER + b"renamed = {%s = 'a'}" % (b"x" * 121), "01-a.md": lesson("x").encode()},
            "no lesson's name",
        ),
        ({"course.toml": COVER + b"renamed = {'b/c' = 'a'}", "01-a.md": lesson("x").encode()}, "no lesson's name"),
        ({"course.toml": COVER + b"renamed = {a = 'a'}", "01-a.md": lesson("x").encode()}, "is still there"),
        ({"course.toml": COVER}, "no lessons"),
        ({"course.toml": COVER, "01-a.md": lesson("caf\xe9").encode("latin-1")}, "not UTF-8"),
    ],
)
def test_a_broken_cover_is_a_fault_and_no_crash(files: dict[str, bytes], message: str) -> None:
    found = course_from_files("demo", files)
    assert found.title
    assert any(message in text for _, _, text in said(found))


def choices(right: list[int], shuffle: bool) -> str:
    blocks = []
    for number, place in enumerate(right):
        options = "".join(f"- [{'x' if index == place else ' '}] {index} -- so\n" for index in range(4))
        fixed = "" if shuffle else ":shuffle: false\n"
        blocks.append(
            f"::::{{question}} q{number}\n:type: choice\n{fixed}Which?\n{options}:::{{explain}}\nx\n:::\n::::\n"
        )
    return lesson("\n".join(blocks))


def test_right_answers_that_mostly_stand_in_one_place_are_found_where_they_do_not_move() -> None:
    assert [
        "option 2" in text for _, _, text in said(course(_01_a=choices([1, 1, 1, 0, 1, 1, 1, 1], shuffle=False)))
    ] == [True]
    assert said(course(_01_a=choices([1, 1, 1, 0, 1, 1, 1, 1], shuffle=True))) == []
    assert said(course(_01_a=choices([0, 1, 2, 3, 1, 0, 3, 2], shuffle=False))) == []


def test_a_quiz_is_looked_at_alone() -> None:
    quiz = choices([1, 1, 1, 1], shuffle=False).replace("title: A lesson", "title: A quiz\nkind: quiz")
    found = said(course(_01_a=choices([0, 2, 3, 0, 2, 3], shuffle=False), _02_b=quiz))
    assert [(path, "of 4 right" in text.lower(), "option 2" in text) for path, _, text in found] == [
        ("02-b.md", True, True)
    ]


def test_a_lesson_is_rendered_once() -> None:
    found = course(_01_a=lesson("## H\n\n" + "Some $x^2$.\n\n" * 300)).lessons[0]
    first = found.render()
    assert found.render() is first


def test_editing_one_lesson_leaves_the_others_as_they_were_rendered() -> None:
    before = course(_01_a=lesson("One."), _02_b=lesson("Two."))
    after = course(_01_a=lesson("One."), _02_b=lesson("Two, edited."))
    assert after.lessons[0].render() is before.lessons[0].render()
    assert after.lessons[1].render() is not before.lessons[1].render()
    assert after.lessons[1].render().blocks == (HtmlBlock("<p>Two, edited.</p>\n"),)
    renamed = course(_01_a=lesson("One."), _03_c=lesson("[b](02-b.md)"))  # links, too, belong to a rendering
    assert renamed.lessons[0].render() is not before.lessons[0].render()


def test_a_folder_and_its_files_make_the_same_course(tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    (folder / "figures").mkdir(parents=True)
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "x.pyc").write_bytes(b"x")
    (folder / ".hidden").write_text("x")
    (folder / "link.md").symlink_to("/etc/hostname")
    (folder / "course.toml").write_bytes(COVER)
    (folder / "01-a.md").write_text(lesson("x"))
    (folder / "figures" / "a.svg").write_text("<svg/>")
    files = read_files(folder, MAX_FILE_BYTES).contents
    assert list(files) == ["01-a.md", "course.toml", "figures/a.svg"]
    assert read_course(folder).content_hash == hash_files(files)
    assert hash_files({"a": b"bc"}) != hash_files({"ab": b"c"})
    with pytest.raises(FolderUnreadable):
        read_files(tmp_path / "none", MAX_FILE_BYTES)


def test_hints_are_numbered_items_or_headings() -> None:
    numbered = "1. First\n   more\n\n   ```python\n   x = 1\n1. not a hint\n   ```\n\n2. Second\n"
    assert split_hints(numbered) == ("First\nmore\n\n```python\nx = 1\n1. not a hint\n```", "Second")
    assert split_hints("## 1 Look\n\nAt it.\n\n## Hint 2: Then\nDo it.\n") == (
        "**Look**\n\nAt it.",
        "**Then**\n\nDo it.",
    )
    assert split_hints("Just one.") == ("Just one.",)
    assert split_hints("  \n") == ()


def test_links_in_an_exercise_lead_to_its_siblings_and_to_lessons() -> None:
    text = (
        "[a](../other-one/) [b](exercise:third) [c](../../lessons/positions/03-learned-embeddings.md#in-flax) [d](x.md)"
        " ![e](figures/e.svg) ![f](./figures/f.png)"
    )
    rendered = render(text, links=ExerciseLinks("this-one", frozenset({("figures/e.svg", (30, 20))})))
    assert '"/exercises/other-one"' in rendered.html
    assert '"/exercises/third"' in rendered.html
    assert '"/courses/positions/learned-embeddings#in-flax"' in rendered.html
    assert 'src="/exercises/this-one/figures/e.svg" alt="e" width="30" height="20"' in rendered.html
    assert [fault.code for fault in rendered.faults] == ["link", "link"]


def test_a_picture_that_moves_by_itself_is_marked() -> None:
    """A page offers to hold it."""
    moving = b"<svg width='30' height='20'><style>@keyframes a{}</style></svg>"
    text = lesson("![a](./figures/a.svg) ![b](figures/b.svg)").encode()
    figures = {"figures/a.svg": moving, "figures/b.svg": b"<svg width='30' height='20'/>"}
    found = course_from_files("demo", {"course.toml": COVER, "01-a.md": text, **figures})
    (block,) = found.lessons[0].render().blocks
    assert isinstance(block, HtmlBlock)
    assert [("moves" in picture) for picture in re.findall("<img[^>]*>", block.html)] == [True, False]
    links = ExerciseLinks("one", frozenset({("figures/a.svg", (30, 20))}), frozenset({"figures/a.svg"}))
    assert 'class="moves"' in render("![a](figures/a.svg)", links=links).html


PICTURED = COVER + b'picture = "figures/a.svg"\n'


@pytest.mark.parametrize(
    ("cover", "wanted"),
    [
        (PICTURED, "The picture has no alternative text."),
        (COVER + b'picture = "figures/b.svg"\npicture_alt = "A"\n', "There is no picture figures/b.svg."),
        (COVER + b'picture = "../a.svg"\npicture_alt = "A"\n', "There is no picture ../a.svg."),
        (COVER + b'picture = "course.toml"\npicture_alt = "A"\n', "There is no picture course.toml."),
        (COVER + b"picture = 3\n", "`picture` is not a string."),
    ],
)
def test_a_cover_names_a_picture_that_is_there_and_says_what_it_shows(cover: bytes, wanted: str) -> None:
    files = {"course.toml": cover, "01-a.md": lesson("x").encode(), "figures/a.svg": b"<svg/>"}
    found = course_from_files("demo", files, "lessons/demo")
    ((path, line, message),) = said(found)
    assert (path, line, message) == ("course.toml", 4, wanted)


def test_a_picture_has_an_address() -> None:
    files = {"course.toml": PICTURED + b'picture_alt = "A clock"\n', "01-a.md": lesson("x").encode()}
    found = course_from_files("demo", {**files, "figures/a.svg": b"<svg/>"}, "lessons/demo")
    assert said(found) == []
    assert (found.picture_url, found.picture_alt) == ("/courses/demo/figures/a.svg", "A clock")
    assert course_from_files("demo", files, "lessons/demo").picture_url == ""


def after(slug: str, *before: str) -> Course:
    listed = ", ".join(f'"course:{one}"' for one in before)
    cover = COVER + f'prerequisites = ["Patience", {listed}]\n'.encode()
    return course_from_files(slug, {"course.toml": cover, "01-a.md": lesson("x").encode()}, f"lessons/{slug}")


def test_a_course_comes_after_those_that_it_names_as_prerequisites() -> None:
    courses = [after("c", "b", "elsewhere"), after("a"), after("b", "d"), after("d")]
    assert [one.slug for one in in_reading_order(courses)] == ["d", "b", "c", "a"]
    assert [one.slug for one in in_reading_order([after("x", "y"), after("y", "x")])] == ["y", "x"]
    assert [one.slug for one in in_reading_order([after("x", "x")])] == ["x"]
    found = courses[0]
    assert (found.comes_after, found.words_on_prerequisites) == (("b", "elsewhere"), ("Patience",))
    (fault,) = find_course_faults(found, [], ["a", "b", "c", "d"])
    assert (fault.severity, fault.message) == ("warning", "There is no course elsewhere, which `prerequisites` names.")


def test_a_link_to_an_exercise_that_is_not_there_is_a_fault() -> None:
    found = course(
        _01_a=lesson("See [one](exercise:there), [two](exercise:lost) and\n[three](../../exercises/gone/) once more.\n")
    )
    assert said(found, "there") == [
        ("01-a.md", 4, "There is no exercise lost."), ("01-a.md", 5, "There is no exercise gone."),
    ]  # fmt: skip
    assert find_course_faults(found) == [], "where nobody knows which exercises there are"
