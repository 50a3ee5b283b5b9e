"""What students did, for authors: the wrong outcomes and answers that have no sentence yet, and how they get one."""

import re
from textwrap import shorten
from typing import Annotated
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from app.content.course import Course
from app.content.exercise import split_hints
from app.content.highlight import numbered
from app.content.lesson import Lesson
from app.content.questions.question import Question
from app.people.identity import Caller
from app.state import AppState, state_of
from app.teaching import answers
from app.teaching.authors import require_author
from app.teaching.hints import hint_outcomes
from app.teaching.new_mistakes import MAX_NAME, MAX_SENTENCE, code_of, head_of, remarks_in, save_mistake
from app.teaching.outcomes import Cluster, Example, example_of, outcomes_of
from app.teaching.reports import Place, file_of, reports_of_exercise, reports_of_questions
from app.teaching.revisions import Revision, files_of
from app.teaching.subjects import Subject, subject_of
from app.web.errors import Conflict, Invalid, NotFound, Problem, RateLimited, TooLarge
from app.web.rendering import render
from graders.exercise.definition import Exercise

router = APIRouter()


@router.get("/author/{kind}/{slug}/outcomes")
def index(request: Request, kind: str, slug: str) -> Response:
    subject = subject_of(kind, slug)
    return _exercise(request, subject) if subject.kind == "exercise" else _course(request, subject)


@router.get("/author/exercise/{slug}/outcomes/{submission}/mistake")
def new_mistake(request: Request, slug: str, submission: str) -> Response:
    return _mistake_form(request, subject_of("exercise", slug), submission)


@router.post("/author/exercise/{slug}/outcomes/{submission}/mistake")
def create_mistake(
    request: Request,
    slug: str,
    submission: str,
    name: Annotated[str, Form()] = "",
    sentence: Annotated[str, Form()] = "",
    code: Annotated[str, Form()] = "",
) -> Response:
    """On to what the gate says of it; what cannot be kept is shown again as it was typed."""
    state, subject = state_of(request), subject_of("exercise", slug)
    try:
        with state.db.writing() as db:
            person = require_author(db, Caller(request), subject, writes=True)
            exercise = _published(state, subject)
            example, outcome = _require_example(example_of(db, slug, submission))
            revision = save_mistake(db, person, subject, exercise, example, outcome, name, sentence, code)
    except (Invalid, Conflict, RateLimited, TooLarge) as problem:
        return _mistake_form(request, subject, submission, (name, sentence, code), problem)
    return _to_check(state, subject, revision)


@router.get("/author/course/{slug}/outcomes/{lesson}/{question}")
def show_question(request: Request, slug: str, lesson: str, question: str, answer: str = "", gap: str = "") -> Response:
    """`answer`: the one that something is to be said to."""
    return _question(request, subject_of("course", slug), lesson, question, answer, gap)


@router.post("/author/course/{slug}/outcomes/{lesson}/{question}")
def create_remark(
    request: Request,
    slug: str,
    lesson: str,
    question: str,
    answer: Annotated[str, Form()] = "",
    gap: Annotated[str, Form()] = "",
    sentence: Annotated[str, Form()] = "",
) -> Response:
    """On to what the gate says of it; what cannot be kept is shown again as it was typed."""
    state, subject = state_of(request), subject_of("course", slug)
    try:
        with state.db.writing() as db:
            person = require_author(db, Caller(request), subject, writes=True)
            asked = _find(state, subject, lesson, question)[2]
            revision = answers.save_remark(db, person, subject, asked, gap, answer, sentence)
    except (Invalid, Conflict, RateLimited, TooLarge) as problem:
        return _question(request, subject, lesson, question, answer, gap, sentence, problem)
    return _to_check(state, subject, revision)


# ---- exercises ------------------------------------------------------------------------------------------------


def _exercise(request: Request, subject: Subject) -> Response:
    state = state_of(request)
    with state.db.reading() as db:
        require_author(db, Caller(request), subject)
        exercise = _published(state, subject)
        hints = split_hints(exercise.hints)
        found = outcomes_of(db, exercise, state.shelf)
        opened = hint_outcomes(db, exercise.slug, len(hints))
        reports = reports_of_exercise(db, exercise.slug, exercise.content_hash, exercise.files)
    return render(
        request,
        "teaching/outcomes/exercise.html",
        subject=subject,
        exercise=exercise,
        outcomes=found,
        hints=list(zip(opened, map(_beginning, hints), strict=True)),
        reports=reports,
        code=numbered,
        told=_told,
        place_url=lambda place: _place_url(subject, place),
    )


def _beginning(hint: str) -> str:
    """Its first words, without Markdown's marks."""
    return shorten(re.sub(r"[`*_$\\]", "", hint), 90, placeholder=" …")


def _told(cluster: Cluster) -> str:
    """What students with this outcome read, where the newest example says it: the diagnosis, or the bare difference."""
    example, wrong = cluster.example, cluster.example.wrong
    if example.diagnosis:
        return example.diagnosis
    if wrong is not None and wrong.error is not None:
        return wrong.error.plain or ": ".join(filter(None, [wrong.error.type, wrong.error.message]))
    return wrong.mismatch.text if wrong is not None and wrong.mismatch is not None else ""


def _mistake_form(
    request: Request,
    subject: Subject,
    submission: str,
    typed: tuple[str, str, str] | None = None,
    problem: Problem | None = None,
) -> Response:
    state = state_of(request)
    with state.db.reading() as db:
        require_author(db, Caller(request), subject)
        exercise = _published(state, subject)
        example, _ = _require_example(example_of(db, subject.slug, submission))
    name, sentence, code = typed or ("", "", code_of(example))
    return render(
        request,
        "teaching/outcomes/new_mistake.html",
        status=problem.status if problem else 200,
        subject=subject,
        exercise=exercise,
        example=example,
        head=head_of(exercise, example),
        name=name,
        sentence=sentence,
        code=code,
        remarks=remarks_in(code),
        problem=problem,
        most_name=MAX_NAME,
        most_sentence=MAX_SENTENCE,
    )


def _require_example(found: tuple[Example, str] | None) -> tuple[Example, str]:
    if found is None:
        raise NotFound("There is no such wrong submission to this exercise.", "Its author may have deleted it.")
    return found


def _published(state: AppState, subject: Subject) -> Exercise:
    """What students got. Raises NotFound."""
    exercise = state.catalog.exercises.get(subject.slug)
    if exercise is None:
        raise NotFound("Nothing is published under this name, so no student did anything.", "Publish it first.")
    return exercise


# ---- questions ------------------------------------------------------------------------------------------------


def _course(request: Request, subject: Subject) -> Response:
    state = state_of(request)
    with state.db.reading() as db:
        require_author(db, Caller(request), subject)
        course = _published_course(state, subject)
        counts = answers.counts_of(db, course)
        reports = reports_of_questions(db, ((question, course.files) for question in course.questions))
    return render(
        request,
        "teaching/outcomes/course.html",
        subject=subject,
        course=course,
        counts=counts,
        reports=reports,
        question_url=lambda lesson, question: _question_url(subject, lesson, question),
        place_url=lambda place: _place_url(subject, place),
    )


def _question(
    request: Request,
    subject: Subject,
    lesson_slug: str,
    question_slug: str,
    answer: str = "",
    gap: str = "",
    sentence: str = "",
    problem: Problem | None = None,
) -> Response:
    state = state_of(request)
    with state.db.reading() as db:
        require_author(db, Caller(request), subject)
        course, lesson, question = _find(state, subject, lesson_slug, question_slug)
        found = answers.outcomes_of(db, question)
        reports = reports_of_questions(db, [(question, course.files)]).get(question.id, [])
    return render(
        request,
        "teaching/outcomes/question.html",
        status=problem.status if problem else 200,
        subject=subject,
        course=course,
        lesson=lesson,
        question=question,
        outcomes=found,
        reports=reports,
        answer=answer,
        gap=gap,
        sentence=sentence,
        problem=problem,
        most_answer=answers.MAX_ANSWER,
        most_sentence=answers.MAX_SENTENCE,
        own_url=_question_url(subject, lesson, question),
        say_url=lambda group: _say_url(subject, lesson, question, group),
        place_url=lambda place: _place_url(subject, place),
        place=Place(file_of(question), question.line),
    )


def _find(state: AppState, subject: Subject, lesson_slug: str, question_slug: str) -> tuple[Course, Lesson, Question]:
    """Raises NotFound."""
    course = _published_course(state, subject)
    lesson = course.lesson(lesson_slug)
    question = lesson.questions.get(question_slug) if lesson is not None else None
    if lesson is None or question is None:
        raise NotFound("There is no such question in what is published.", f"See {subject.desk_url}/outcomes.")
    return course, lesson, question


def _published_course(state: AppState, subject: Subject) -> Course:
    course = state.catalog.courses.get(subject.slug)
    if course is None:
        raise NotFound("Nothing is published under this name, so no student did anything.", "Publish it first.")
    return course


# ---- addresses ------------------------------------------------------------------------------------------------


def _question_url(subject: Subject, lesson: Lesson, question: Question) -> str:
    return f"{subject.desk_url}/outcomes/{lesson.slug}/{question.slug}"


def _say_url(subject: Subject, lesson: Lesson, question: Question, group: answers.AnswerGroup) -> str:
    wanted = {"answer": group.expression, "gap": group.gap}
    query = urlencode({name: value for name, value in wanted.items() if value})
    return f"{_question_url(subject, lesson, question)}?{query}#say"


def _place_url(subject: Subject, place: Place) -> str:
    """The desk, at that line."""
    line = f"&line={place.line}" if place.line else ""
    return f"{subject.desk_url}?file={quote(place.path, safe='')}{line}"


def _to_check(state: AppState, subject: Subject, revision: Revision) -> Response:
    """The gate begins at once, and its page says how far it is."""
    with state.db.reading() as db:
        files = files_of(db, revision.id)
    state.checks.want(subject.kind, subject.slug, files)
    return RedirectResponse(f"{subject.desk_url}/checks/{revision.content_hash}", 303)
