"""Question banks of other systems: samples in their layouts become quizzes, and what has no counterpart is said."""

import io
import tracemalloc
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from app.content.course import course_from_files
from app.content.formats.elements import tree_of
from app.content.formats.from_html import blocks_of
from app.content.formats.kind import Item, NoCounterpart, Refused
from app.content.formats.package import unpacked
from app.content.formats.table import FORMATS, format_of
from app.content.questions.question import Question

from .banks import GIFT, MOODLE, PNG, QTI_1, QTI_2, SVG, zipped


def read(folder: Path, name: str, content: str | bytes) -> tuple[dict[str, Item], dict[str, str]]:
    """The items, and the refusals with their reasons, each by its name."""
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    found = format_of(path)
    assert found is not None
    items = list(found.items(path))
    refused = {item.name: item.why for item in items if isinstance(item, Refused)}
    return {item.name: item for item in items if isinstance(item, Item)}, refused


def questions_of(item: Item) -> Mapping[str, Question]:
    course = course_from_files(item.name, item.files)
    faults = [fault for lesson in course.lessons for fault in lesson.faults if fault.severity == "error"]
    assert not [*course.cover_faults, *faults]
    return {question.slug: question for question in course.questions}


def shown(question: Question) -> tuple[object, ...]:
    """Its type, and what is right and wrong of it, as an author reads it."""
    options = [(o.text, o.right, o.feedback, o.credit and float(o.credit)) for o in question.choices]
    mistakes = [(m.expression, float(m.credit), m.text) for m in question.mistakes]
    return question.type, " ".join(question.prompt.split()), question.answer, options, mistakes


def test_gift(tmp_path: Path) -> None:
    items, refused = read(tmp_path, "week 1.gift", GIFT)
    item = items["week-1"]
    assert list(item.files) == ["course.toml", "01-rows-and-more.md"]
    assert b'title: "Rows and more"' in item.files["01-rows-and-more.md"]
    found = questions_of(item)
    assert {slug: question.type for slug, question in found.items()} == {
        "axis": "choice", "trained": "choices", "positions-are-trained": "choice", "name": "text", "half": "number",
        "between": "number", "pairs": "matching", "a-table-has": "choice", "tell-us-why": "essay",
    }  # fmt: skip
    assert shown(found["axis"])[1:4] == (
        "Which axis = rows?",
        "",
        [
            ("Axis 0", True, "Yes: rows come first.", None),
            ("Axis 1", False, "Those are columns.", None),
            ("Both", False, "Half.", 0.5),
        ],
    )
    assert found["axis"].explanation == "Rows come first."
    assert shown(found["trained"])[3] == [
        ("Table", True, None, None), ("Head", True, None, None), ("Ids", False, "No.", None)
    ]  # fmt: skip
    assert shown(found["positions-are-trained"])[3] == [
        ("True", True, "Well seen.", None), ("False", False, "They are.", None)
    ]  # fmt: skip
    assert shown(found["name"])[2:] == ("learned", [], [("lerned", 0.8, "Mind the spelling.")])
    assert found["name"].other is not None
    assert (found["between"].answer, float(found["between"].atol)) == ("3", 1)
    assert "A table has \\_\\_\\_\\_\\_ and columns." in found["a-table-has"].prompt
    assert "Only words." in item.files["01-rows-and-more.md"].decode()
    assert "No option is wrong." in refused["Many"]
    assert "any text like `learn*`" in refused["Wild"]


def test_moodle_xml(tmp_path: Path) -> None:
    items, refused = read(tmp_path, "bank.xml", MOODLE)
    found = questions_of(items["bank"])
    assert {slug: question.type for slug, question in found.items()} == {
        "rows": "choice", "trained": "choice", "name": "text", "half": "number", "pairs": "matching", "steps": "order",
        "gaps": "cloze", "words": "cloze", "why": "essay",
    }  # fmt: skip
    lesson = items["bank"].files["01-shapes-sizes.md"].decode()
    assert "On shapes." in lesson
    assert "## Note\n\nRead on." in lesson
    assert "<" not in lesson.replace("x_1 < 2", "")
    assert "![two rows](figures/my-rows.png) and $x_1 < 2$." in found["rows"].prompt
    assert items["bank"].files["figures/my-rows.png"] == PNG
    assert shown(found["rows"])[3] == [
        ("Axis 0", True, "Yes.", None), ("Axis 1", False, "Half.", 0.3333333), ("None", False, "No.", None)
    ]  # fmt: skip
    assert found["rows"].points == 2
    assert not found["rows"].shuffle
    assert found["rows"].right is None
    assert "Is \\*it\\* trained?" in found["trained"].prompt
    assert "What is **it**?" in found["name"].prompt
    assert shown(found["half"])[2:] == ("0.5", [], [("2", 0, "Turn it over.")])
    assert [pair.text for pair in found["pairs"].pairs] == ["`ids`", "loss"]
    assert [gap.type for gap in found["gaps"].gaps] == ["text", "count", "choice"]
    assert [float(part.points) for part in (found["gaps"], found["gaps"].gaps[1])] == [4, 2]
    assert [o.text for o in found["gaps"].gaps[2].choices] == ["descent", "hand\\}"]
    assert [[o.text for o in gap.choices if o.right] for gap in found["words"].gaps] == [["one"], ["two"]]
    assert found["why"].rubric is not None
    said = "\n".join(items["bank"].warnings)
    assert "Rows: has no counterpart here and was left out: a script; what a wrong option costs" in said
    assert "its hints" in said
    assert "Name: has no counterpart here and was left out: that capitals count." in said
    assert refused.keys() == {"Sum", "Unsound", "In C"}
    assert "`:given:`" in refused["Sum"]
    assert "No option is right." in refused["Unsound"]


def test_a_coderunner_question_is_an_exercise(tmp_path: Path) -> None:
    items, _ = read(tmp_path, "bank.xml", MOODLE)
    item = items["sum-of-squares"]
    assert item.kind == "exercise"
    assert item.files["cases.py"].decode() == (
        'def sample_cases(rng):\n    yield "test 1", script("total([1, 2])")\n\n\n'
        'def hidden_cases(rng):\n    yield "test 2", script("total([3])")\n'
    )
    assert 'frameworks = ["python"]' in item.files["exercise.toml"].decode()
    assert item.files["statement.md"].decode() == "Write `total`.\n"
    assert item.files["starter.py"].decode() == "def total(values):\n    pass\n"
    assert item.warnings == ("Test 3 feeds standard input, which no exercise reads; this test is left out.",)
    assert item.own_tests is not None
    right = [["5\n", None], ["9 \n\n", None], ["16", None]]
    assert item.own_tests.disagreements(right) == []
    assert item.own_tests.disagreements([["6\n", None], *right[1:]]) == [
        "Test 1 expects '5', but the sample answer prints '6\\n'"
    ]


def test_qti_1_2(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "imsmanifest.xml": "<manifest/>",
        "q/quiz.xml": QTI_1,
        "web_resources/rows.png": PNG,
    }
    items, refused = read(tmp_path, "week.zip", zipped(files))
    found = questions_of(items["week"])
    assert {slug: question.type for slug, question in found.items()} == {
        "rows": "choice", "blanks": "cloze", "two": "number"
    }  # fmt: skip
    assert "Which axis? ![rows](figures/rows.png)" in " ".join(found["rows"].prompt.split())
    assert shown(found["rows"])[3] == [
        ("Axis 0 \\< 1", True, None, None), ("**Axis 1**", False, "Those are columns.", None)
    ]  # fmt: skip
    assert found["rows"].points == 2
    assert [gap.answer for gap in found["blanks"].gaps] == ["table", "rows | lines"]
    assert (found["two"].answer, float(found["two"].atol)) == ("2", 0.1)
    assert refused == {"Upload": "It does not say which order is right."}


def test_qti_2_1(tmp_path: Path) -> None:
    items, refused = read(tmp_path, "week.zip", zipped(QTI_2))
    found = questions_of(items["week"])
    assert list(found) == ["steps", "trained", "gaps", "pairs", "half"]
    assert [choice.text for choice in found["steps"].choices] == ["First", "Then"]
    assert shown(found["trained"])[1:4] == (
        "Below: Which *two*?",
        "",
        [("Table", True, "Yes.", None), ("Head", True, None, None), ("Ids", False, None, None)],
    )
    assert found["trained"].points == 2
    assert found["trained"].explanation == "Two are."
    assert [gap.type for gap in found["gaps"].gaps] == ["text", "choice"]
    assert [(m.expression, float(m.credit)) for m in found["gaps"].gaps[0].mistakes] == [("list", 0.5)]
    assert len(found["pairs"].choices) == 3
    assert (found["half"].answer, float(found["half"].atol)) == ("0.5", 0.01)
    assert refused == {"Spot": "A hotspotinteraction has no counterpart."}


def test_a_single_file_of_qti_is_read_too(tmp_path: Path) -> None:
    assert list(questions_of(read(tmp_path, "half.xml", QTI_2["half.xml"])[0]["half"])) == ["half"]


def test_each_bank_is_of_one_format(tmp_path: Path) -> None:
    samples: Mapping[str, tuple[str, str | bytes]] = {
        "gift": ("a.txt", GIFT),
        "moodle-xml": ("a.xml", MOODLE),
        "qti": ("b.xml", QTI_1),
        "folders": ("a.zip", zipped({"x/course.toml": 'title = "x"'})),
    }
    for name, (file, content) in samples.items():
        path = tmp_path / file
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        assert [format_.NAME for format_ in FORMATS.values() if format_.recognises(path)] == [name]
    (tmp_path / "other.xml").write_text("<html/>")
    (tmp_path / "other.zip").write_bytes(b"PK no zip")
    (tmp_path / "other.txt").write_text("Just words, and {braces}.")
    for file in ("other.xml", "other.zip", "other.txt"):
        assert format_of(tmp_path / file) is None


def test_a_long_category_goes_on_in_another_lesson(tmp_path: Path) -> None:
    text = "\n\n".join(f"::Q::Number {n}?{{#{n}}}" for n in range(1, 61))
    item = read(tmp_path, "long.gift", text)[0]["long"]
    assert sorted(item.files) == ["01-questions.md", "02-questions-2.md", "course.toml"]
    assert len(course_from_files("long", item.files).questions) == 60


# ------------------------------------------------------------------ attacks

BOMB = '<!DOCTYPE q [<!ENTITY a "ha">' + "".join(
    f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9)
) + "]><quiz>&j;</quiz>"  # fmt: skip
HOSTILE_XML = {
    "an entity bomb": (BOMB, "declares an entity"),
    "a file of this machine": ('<!DOCTYPE q [<!ENTITY x SYSTEM "file:///etc/passwd">]><quiz>&x;</quiz>', "an entity"),
    "a parameter entity": ('<!DOCTYPE q [<!ENTITY % x SYSTEM "http://localhost/x"> %x;]><quiz/>', "an entity"),
    "depth": ("<quiz>" + "<a>" * 5000 + "</a>" * 5000 + "</quiz>", "deep"),
    "no end": ("<quiz><question>", "not XML"),
    "an unknown encoding": ('<?xml version="1.0" encoding="rot13"?><quiz/>', "not XML"),
}


@pytest.mark.parametrize("name", HOSTILE_XML)
def test_hostile_xml_is_refused(name: str, tmp_path: Path) -> None:
    content, why = HOSTILE_XML[name]
    with pytest.raises(NoCounterpart, match=why):
        tree_of(content.encode())
    _, refused = read(tmp_path, "bank.xml", content)
    assert why in refused["bank.xml"]


def test_what_a_dtd_would_declare_is_no_file_that_is_read() -> None:
    tree = tree_of(b'<!DOCTYPE q SYSTEM "file:///etc/passwd"><q>a&nbsp;b&unknown;</q>')
    assert tree.own_text() == "a\u00a0b&unknown;"


@pytest.mark.parametrize("name", ["../out.xml", "/etc/x.xml", "a/../../x.xml", "..\\x.xml", "C:\\x.xml", "a\nb.xml"])
def test_a_name_that_leaves_the_package_is_refused(name: str, tmp_path: Path) -> None:
    _, refused = read(tmp_path, "week.zip", zipped({"imsmanifest.xml": "<manifest/>", name: QTI_1}))
    assert "outside of its folder" in refused["week.zip"]


def test_a_package_that_unpacks_to_gigabytes_is_refused(tmp_path: Path) -> None:
    """It is read no further than its bound, whatever the archive says of its size."""
    content = zipped({"imsmanifest.xml": "<manifest/>", "big.xml": b" " * (200 << 20)})
    assert len(content) < 1 << 20
    tracemalloc.start()
    _, refused = read(tmp_path, "week.zip", content)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "too large" in refused["week.zip"]
    assert most < 100 << 20


def test_a_link_in_a_package_is_passed_over(tmp_path: Path) -> None:
    held = io.BytesIO(zipped({"imsmanifest.xml": "<manifest/>"}))
    with zipfile.ZipFile(held, "a") as archive:
        link = zipfile.ZipInfo("secret.png")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    (tmp_path / "week.zip").write_bytes(held.getvalue())
    assert list(unpacked(tmp_path / "week.zip")) == ["imsmanifest.xml"]


def test_a_package_with_too_many_files_or_one_twice_is_refused(tmp_path: Path) -> None:
    many = {f"{n}.txt": "" for n in range(5001)}
    assert "more than 5,000" in read(tmp_path, "a.zip", zipped({"imsmanifest.xml": "", **many}))[1]["a.zip"]
    held = io.BytesIO(zipped({"imsmanifest.xml": "a"}))
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(held, "a") as archive:
        archive.writestr("imsmanifest.xml", "b")
    assert "twice" in read(tmp_path, "b.zip", held.getvalue())[1]["b.zip"]


def test_a_file_of_200_mb_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bank.xml"
    with path.open("wb") as file:
        file.write(b"<quiz>")
        file.truncate(200 << 20)
    (refused,) = FORMATS["moodle-xml"].items(path)
    assert isinstance(refused, Refused)
    assert "larger than 64 MB" in refused.why


def test_a_picture_is_what_its_first_bytes_say(tmp_path: Path) -> None:
    question = (
        "<questestinterop><item ident='i' title='Q'><presentation><material><mattext texttype='text/html'>{}</mattext>"
    )
    question += "</material><response_str ident='r'/></presentation></item></questestinterop>"
    pictures = ["a.png", "../a.png", "b.svg", "page.png", "file:///etc/passwd", "http://a.b/c.png"]
    html = "Why? " + "".join(f"&lt;img src='{name}' alt='x'&gt;" for name in pictures)
    files: dict[str, str | bytes] = {
        "imsmanifest.xml": "<manifest/>", "q.xml": question.format(html), "a.png": PNG, "b.svg": SVG,
        "page.png": b"<html><script>alert(1)</script></html>",
    }  # fmt: skip
    item = read(tmp_path, "week.zip", zipped(files))[0]["week"]
    assert {name for name in item.files if name.startswith("figures/")} == {"figures/a.png", "figures/b.svg"}
    said = "\n".join(item.warnings)
    for name in ("../a.png", "page.png", "file:///etc/passwd", "http://a.b/c.png"):
        assert f"the picture {name}" in said


def test_tags_that_never_end_are_text_and_comments_are_gone() -> None:
    """For each of them the parser would look at all that follows: a page of them would take hours."""
    html = "a<!-- <b> -->b <a " + "<a " * 30_000 + "<!--" * 30_000 + "<?x <![CDATA[" + '<i title="x > y">c</i> 1 < 2'
    text = blocks_of(html).text
    assert text.startswith("ab \\<a \\<a")
    assert text.count("\\<a") == 30_001
    assert blocks_of('<i title="x > y">c</i> 1 < 2 <!-- open').text == "*c* 1 \\< 2"


def test_an_export_of_a_stranger_writes_nowhere_else(tmp_path: Path) -> None:
    """What it carries counts only with the names that a course has, and if it is what the file shows."""
    for path in ("../x.md", "01-a/../../x.md", "/etc/x", ".bashrc", "figures/../x.png"):
        text = f'::Q::One?{{#1}}\n\n// lectern-course: {{"course": "c", "files": {{"{path}": "x"}}}}\n'
        items, _ = read(tmp_path, "a.gift", text)
        assert sorted(items["a"].files) == ["01-questions.md", "course.toml"]
        assert any("changed since" in warning for warning in items["a"].warnings)


def test_raised_and_lowered_digits_stay_readable_after_a_digit() -> None:
    """A formula cannot begin right after a digit: `2$^{24}$` was a fault in what we had written ourselves."""
    assert blocks_of("<p>2<sup>24</sup>, 10<sup>-3</sup> and H<sub>2</sub>O</p>").text == "2²⁴, 10⁻³ and H₂O"
    assert blocks_of("<p>the n<sup>th</sup></p>").text == "the n$^{\\text{th}}$"


def test_the_course_that_was_made_by_import_alone_is_what_import_makes(tmp_path: Path) -> None:
    """`./lectern import docs/imported/rounding-and-overflow.xml --into lessons`, as docs/importing.md says."""
    root = Path(__file__).resolve().parents[2]
    name = "rounding-and-overflow.xml"
    items, refused = read(tmp_path, name, (root / "docs" / "imported" / name).read_text())
    assert refused == {}
    (item,) = items.values()
    folder = root / "lessons" / "rounding-and-overflow"
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == dict(item.files)
