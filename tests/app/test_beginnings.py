"""What new content begins as: it can be read, and nothing is wrong with it."""

import pytest

from app.content.reading import Reader
from app.teaching.beginnings import NameTaken, duplicate, is_slug, new_course, new_exercise, new_lesson


def test_an_exercise_a_course_a_lesson_and_a_quiz_begin_without_a_fault() -> None:
    course = new_course("attention", "softmax-rows")
    for name, template in (("2d-pooling", "lesson"), ("what-you-know", "quiz")):
        path, content = new_lesson(course, name, template)  # type: ignore[arg-type]
        course[path] = content
    with Reader() as reader:
        read = reader.course_of("attention", course)
        exercise = reader.exercise_of("softmax-rows", new_exercise("softmax-rows"))
    assert read.proof.faults == exercise.proof.faults == ()
    assert [(lesson.slug, lesson.kind) for lesson in read.course.lessons] == [
        ("first-lesson", "lesson"), ("2d-pooling", "lesson"), ("what-you-know", "quiz"),
    ]  # fmt: skip
    assert read.course.lessons[0].render().exercises == ("softmax-rows",)
    assert exercise.exercise.entry == "softmax_rows"
    assert exercise.exercise.title == "Softmax rows"


def test_a_lesson_takes_the_next_number_and_no_name_that_is_taken() -> None:
    names = {"course.toml", "01-first.md", "07-last.md", "figures/09-x.md"}
    assert new_lesson(names, "more")[0] == "08-more.md"
    with pytest.raises(NameTaken):
        new_lesson(names, "last")


def test_a_copy_says_that_it_is_one() -> None:
    files = {"exercise.toml": b'title = "Softmax \\"rows\\""\nentry = "f"\n', "data/x.bin": b"\xff\x00"}
    copied = duplicate(files)
    assert copied["exercise.toml"] == b'title = "Softmax \\"rows\\" (copy)"\nentry = "f"\n'
    assert copied["data/x.bin"] == files["data/x.bin"]


@pytest.mark.parametrize("name", ["", "A", "a_b", "a--b", "-a", "a/b", "..", "a" * 101])
def test_no_name_leaves_its_folder_or_its_address(name: str) -> None:
    assert not is_slug(name)
