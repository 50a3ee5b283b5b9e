"""The course we ship: without a fault, and true. Its code is run, and prints what the lessons say it prints."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from app.content.course import find_course_faults, read_course
from app.content.exercise import find_exercise_faults, page
from app.content.question import judge_answer, present
from graders.exercise import read_exercise

ROOT = Path(__file__).resolve().parents[2]
COURSE = read_course(ROOT / "lessons" / "positions")
EXERCISES = sorted(path for path in (ROOT / "exercises").iterdir() if path.is_dir())
QUESTIONS = [question for lesson in COURSE.lessons for question in lesson.questions.values()]


def test_the_course_has_no_faults() -> None:
    assert find_course_faults(COURSE, [path.name for path in EXERCISES]) == []
    assert [lesson.slug for lesson in COURSE.lessons] == [
        "why-order-matters",
        "sinusoidal-encodings",
        "learned-embeddings",
        "test-your-understanding",
    ]


def test_the_quiz_has_its_eight_questions_and_lesson_three_its_shape_and_count() -> None:
    quiz = COURSE.lessons[3]
    assert quiz.kind == "quiz"
    assert len(quiz.questions) == 8
    for lesson in COURSE.lessons[2:]:
        types = {question.type: question for question in lesson.questions.values()}
        assert {"shape", "count"} <= set(types)
        assert types["count"].variants > 1
    assert COURSE.lessons[2].render().exercises == ("learned-absolute-position-embedding", "flax-learned-pos")


@pytest.mark.parametrize("path", EXERCISES, ids=lambda path: path.name)
def test_an_exercises_words_have_no_faults(path: Path) -> None:
    exercise = read_exercise(path)
    assert find_exercise_faults(exercise, str(path)) == []
    shown = page(exercise)
    assert shown.statement_html
    assert len(shown.hints_html) >= 3


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.id)
def test_every_variant_of_every_question_is_shown_and_can_be_answered(question) -> None:  # type: ignore[no-untyped-def]
    for variant in range(question.variants):
        shown = present(question, variant)
        assert "{{" not in shown.prompt_html
        right = 0
        for option in shown.options:
            judged = judge_answer(question, variant, option.key)
            right += judged.correct
            assert judged.feedback_html
            assert judged.explanation_html
        assert right == (1 if shown.options else 0)


@pytest.mark.parametrize("lesson", COURSE.lessons[:3], ids=lambda lesson: lesson.slug)
def test_the_code_in_a_lesson_prints_what_the_lesson_shows(lesson) -> None:  # type: ignore[no-untyped-def]
    fences = re.findall(r"^```(python|output)\n(.*?)^```$", lesson.body, re.MULTILINE | re.DOTALL)
    program = "".join(text for kind, text in fences if kind == "python")
    shown = "".join(text for kind, text in fences if kind == "output")
    assert shown
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120, env={"JAX_PLATFORMS": "cpu"}
    )
    assert ran.stdout == shown, ran.stderr
