"""Pools: a sitting asks some of a group of questions, those that its student has had least."""

from pathlib import Path

import pytest

from app.content.course import read_course
from tests.conftest import Serve
from tests.sittings import begin, save, submit

HEAD = "---\ntitle: A quiz\nkind: quiz\nattempts: 9\npools:\n  sums: 2\n---\n"
ALWAYS = "::::{question} always\n:type: count\n:answer: 1\nWhat is one?\n::::\n"
QUIZ = "/api/v1/quizzes/pooled/quiz"


def in_pool(name: str, more: str = "") -> str:
    return f"::::{{question}} {name}\n:type: count\n:pool: sums\n{more}:answer: 2\nWhat is {name}?\n::::\n"


QUESTIONS = in_pool("a") + in_pool("b") + ALWAYS + in_pool("c") + in_pool("d")


def write_course(folder: Path, text: str) -> Path:
    course = folder / "pooled"
    course.mkdir(parents=True)
    (course / "course.toml").write_text('title = "Pooled"\nblurb = "Of the tests."\n')
    (course / "01-quiz.md").write_text(text)
    return folder


def test_each_sitting_draws_what_its_student_has_had_least(serve: Serve, tmp_path: Path) -> None:
    server = serve(lessons=write_course(tmp_path / "lessons", HEAD + QUESTIONS))
    drawn = []
    for _ in range(6):
        with server.guest() as student:
            sittings = []
            for _ in range(2):
                sitting = begin(student, QUIZ)
                sittings.append([one["slug"] for one in sitting["questions"]])
                save(student, sitting, next(slug for slug in sittings[-1] if slug != "always"), "2")
                done = submit(student, sitting)
                assert (done["points"], done["score"]) == (3, 1)
            assert student.get(QUIZ).json()["questions"] == 3
            page = student.get("/courses/pooled/quiz").text
            assert "3, one per page, in any order; each attempt draws them from 5" in page
        first, second = sittings
        assert len(first) == len(second) == 3
        assert set(first) & set(second) == {"always"}, "others the second time"
        drawn.append(tuple(first))
    assert len(set(drawn)) > 1, "not the same for everyone"


def test_questions_of_a_pool_keep_their_places(serve: Serve, tmp_path: Path) -> None:
    server = serve(lessons=write_course(tmp_path / "lessons", HEAD + QUESTIONS))
    places = ["a", "b", "always", "c", "d"]
    for _ in range(4):
        with server.guest() as student:
            asked = [one["slug"] for one in begin(student, QUIZ)["questions"]]
            assert asked == sorted(asked, key=places.index)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (HEAD + QUESTIONS, None, None),
        (HEAD.replace("sums: 2", "sums: 4") + QUESTIONS, 1, "4 questions are asked, and it has 4"),
        (HEAD.replace("sums: 2", "sums: 2\n  none: 1") + QUESTIONS, 1, "Of the pool `none` 1 questions are asked"),
        (HEAD.replace("sums: 2", "sums: 0") + QUESTIONS, 1, "`sums: 0` does not say how many"),
        (HEAD.replace("pools:\n  sums: 2", "pools: 2") + QUESTIONS, 1, "`pools: 2` does not say how many"),
        (HEAD.replace("pools:\n  sums: 2\n", "") + QUESTIONS, 6, "The quiz has no pool `sums`."),
        ("---\ntitle: A lesson\n---\n" + QUESTIONS, 4, "Only a quiz has pools."),
        (HEAD + QUESTIONS + in_pool("e", ":points: 2\n"), 8, "count differently"),
        (HEAD + QUESTIONS.replace(":pool: sums", ":pool: Sums!", 1), 10, "`Sums!` is not a name for a pool."),
    ],
)
def test_what_is_wrong_with_a_pool_is_told_with_its_line(
    tmp_path: Path, text: str, line: int | None, message: str | None
) -> None:
    course = read_course(write_course(tmp_path, text) / "pooled")
    found = [fault for fault in course.lessons[0].faults if "no explanation" not in fault.message]
    if message is None:
        assert found == []
    else:
        assert any(message in fault.message and fault.line == line for fault in found), found
