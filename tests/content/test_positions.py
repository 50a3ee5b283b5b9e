"""The course we ship: without a fault, and true. Its code is run, and prints what the lessons say it prints."""

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from app.content.course import find_course_faults, read_course
from app.content.exercise import page
from app.content.exercise_faults import find_exercise_faults
from app.content.lesson import Lesson
from app.content.questions.asking import judge_answer, present
from app.content.questions.table import KINDS
from app.content.quiz import quiz_of
from graders.exercise.reader import read_exercise

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
        "rotary-and-alibi",
        "test-your-understanding",
    ]


def test_the_quiz_is_eight_questions_of_practice_in_sections() -> None:
    lesson = COURSE.lessons[4]
    assert (lesson.kind, lesson.is_counted) == ("quiz", False)
    quiz = quiz_of(lesson)
    assert len(quiz.questions) == 8
    assert all(asked.section and not asked.context for asked in quiz.questions)
    assert "no time limit" in quiz.introduction
    types = Counter(asked.question.type for asked in quiz.questions)
    assert types["choice"] <= 4, "most of it is worked out or picked by parts"


@pytest.mark.parametrize("lesson", COURSE.lessons[:4], ids=lambda lesson: lesson.slug)
def test_a_lesson_asks_where_it_teaches(lesson: Lesson) -> None:
    assert len(lesson.questions) >= 4
    starts = re.finditer(r"^:::::\{question\}", lesson.body, re.MULTILINE)
    places = [start.start() / len(lesson.body) for start in starts]
    assert len(places) == len(lesson.questions)
    assert places[0] < 1 / 3, "the first question comes early"
    assert sum(place > 3 / 4 for place in places) <= len(places) / 2, "they are not piled up at the end"
    assert all(question.explanation for question in lesson.questions.values())


def test_the_course_asks_in_every_way_and_often_in_numbers_of_ones_own() -> None:
    inline = {question.type for lesson in COURSE.lessons[:4] for question in lesson.questions.values()}
    assert inline == set(KINDS) - {"essay"}, "an essay is for a quiz"
    in_variants = Counter(question.type for question in QUESTIONS if question.draws > 1)
    assert in_variants["shape"] >= 10
    assert in_variants["count"] >= 10
    typed = [one for one in QUESTIONS if one.type in ("shape", "count", "number", "text", "predict")]
    assert all(len(one.mistakes) >= 2 for one in typed), "the usual wrong answers are told why"
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
        if question.type != "choice":
            continue
        right = 0
        for option in shown.options:
            judged = judge_answer(question, variant, option.key)
            right += judged.correct
            assert judged.feedback_html
            assert judged.explanation_html
        assert right == 1


@pytest.mark.parametrize("lesson", COURSE.lessons[:4], ids=lambda lesson: lesson.slug)
def test_the_code_in_a_lesson_prints_what_the_lesson_shows(lesson) -> None:  # type: ignore[no-untyped-def]
    body = re.sub(r"^:::::\{question\}.*?^:::::$", "", lesson.body, flags=re.MULTILINE | re.DOTALL)
    fences = re.findall(r"^```(python|output)\n(.*?)^```$", body, re.MULTILINE | re.DOTALL)
    program = "".join(text for kind, text in fences if kind == "python")
    shown = "".join(text for kind, text in fences if kind == "output")
    assert shown
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120, env={"JAX_PLATFORMS": "cpu"}
    )
    assert ran.stdout == shown, ran.stderr
