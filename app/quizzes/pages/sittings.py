"""A sitting of a quiz: one question a page, what is left to do, and the review.

All of it works by plain forms: each answer goes with the button that leads on from it. Where scripts run, answers are
saved as they are typed (js/sitting.js, through the API), and the same buttons wait for that.
"""

import json
from datetime import timedelta

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from app.content.questions.asking import right_answer
from app.db import read_id
from app.people import identity
from app.people.users import User
from app.quizzes.api.quizzes import (
    Sitting,
    SittingQuestion,
    attempts_left,
    find_sitting,
    find_step,
    hand_in,
    save,
)
from app.quizzes.pages.questions import given_in
from app.quizzes.sittings import Given, as_saved, begun_by
from app.reading.pages.lessons import Answered
from app.state import state_of
from app.web.day import offset_said
from app.web.errors import Conflict, NotFound
from app.web.rendering import render

router = APIRouter()

BASE_MAX = 20_000
Form = list[tuple[str, str]]


@router.get("/attempts/{id}")
def show_attempt(request: Request, id: str) -> Response:
    """An open sitting: what is answered, and the button that hands it in. A submitted one: the review."""
    return _show(request, find_sitting(request, id))


@router.post("/attempts/{id}/submission")
def create_submission(request: Request, id: str) -> Response:
    hand_in(request, id)
    return RedirectResponse(f"/attempts/{id}", 303)


@router.get("/attempts/{id}/questions/{place}")
def show_question(request: Request, id: str, place: str) -> Response:
    sitting = find_sitting(request, id)
    one = _question(sitting, place)
    if not sitting.attempt.is_open:
        return RedirectResponse(f"/attempts/{id}#question-{one.place}", 303)
    return _show_question(request, sitting, one)


@router.post("/attempts/{id}/questions/{place}")
async def update_question(request: Request, id: str, place: str) -> Response:
    """Save the answer, and go where the button says: `next`, `previous`, `overview`, `stay`, or a place."""
    form = [(name, str(value)) for name, value in (await request.form()).multi_items()]
    return await run_in_threadpool(_update, request, id, place, form)


def _update(request: Request, id: str, place: str, form: Form) -> Response:
    fields = dict(form)
    step = find_step(request, id, place, fields.get("go", "next"))
    given, flagged = as_saved(given_in(step.question, form)), "flagged" in fields
    if _is_untouched(fields.get("base", ""), given, flagged):  # such a page says nothing, however old it is
        return RedirectResponse(step.address, 303)
    try:
        saved, _ = save(
            request, id, step.slug, given, read_id(fields.get("revision", "")) or 0, flagged=flagged,
            seconds=_seconds(fields.get("seconds")),
        )  # fmt: skip
    except Conflict as problem:  # it is over: what counts is said, and that this does not
        return _show(request, find_sitting(request, id), problem)
    if saved.yours:
        return RedirectResponse(step.address, 303)
    theirs = find_sitting(request, id)
    return _show_question(request, theirs, _question(theirs, place), (given,))


def _question(sitting: Sitting, place: str) -> SittingQuestion:
    for one in sitting.questions:
        if str(one.place) == place:
            return one
    raise NotFound("There is no such question in this attempt.", "Go back to the overview.")


def _is_untouched(base: str, given: Given, flagged: bool) -> bool:
    try:
        return bool(json.loads(base[:BASE_MAX]) == [given, flagged])
    except (ValueError, RecursionError):
        return False


def _seconds(said: str | None) -> float | None:
    try:
        seconds = float(said or "")
    except ValueError:
        return None
    return seconds if 0 <= seconds < float("inf") else None


def _show_question(
    request: Request, sitting: Sitting, one: SittingQuestion, sent: tuple[Given] | None = None
) -> Response:
    """`sent`: over an answer that came from elsewhere meanwhile; both are shown, and neither is lost."""
    places = [each.place for each in sitting.questions]
    return render(
        request,
        "quizzes/quizzes/question.html",
        sitting=sitting,
        one=one,
        until=_until(request, sitting),
        has_math=_has_math(one),
        answered=Answered((sent[0] if sent else one.response.given) or "", unreadable=one.reading.problem),
        conflict=sent is not None,
        theirs=answer_words(one),
        base=json.dumps([one.response.given, one.response.flagged]),
        at=places.index(one.place) + 1,
        person=_person(request),
        here=sitting.lesson.url,
        status=409 if sent else 200,
    )


def _person(request: Request) -> str:
    viewer = getattr(request.state, "viewer", None)
    return viewer.email or "" if viewer else ""


def _show(request: Request, sitting: Sitting, problem: Conflict | None = None) -> Response:
    attempt, state = sitting.attempt, state_of(request)
    status = problem.status if problem else 200
    if attempt.is_open:
        return render(
            request,
            "quizzes/quizzes/overview.html",
            sitting=sitting,
            until=_until(request, sitting),
            here=sitting.lesson.url,
            status=status,
        )
    with state.db.reading() as db:
        viewer: User | None = identity.viewer(db, request)
        is_own = viewer is not None and viewer.id == attempt.user_id
        found = state.catalog.courses.get(attempt.course)
        lesson = found.lesson(attempt.lesson) if found else None  # as it is now: whether another sitting may begin
        count = begun_by(db, viewer, attempt.course, attempt.lesson) if is_own else 0
    can_again = is_own and lesson is not None and lesson.is_quiz and attempts_left(lesson, count) != 0
    return render(
        request,
        "quizzes/quizzes/review.html",
        sitting=sitting,
        has_math=any(map(_has_math, sitting.questions)),
        problem=problem,
        can_again=can_again,
        has_variants=any(one.asked.question.draws > 1 for one in sitting.questions),
        answers={one.place: answer_words(one) for one in sitting.questions},
        rights={one.place: right_answer(one.asked.question, one.response.variant) for one in sitting.questions},
        here=sitting.lesson.url,
        status=status,
    )


def _until(request: Request, sitting: Sitting) -> str:
    """The deadline by the reader's own clock, where their browser has said what it is set to."""
    offset, deadline = offset_said(request), sitting.attempt.deadline_at
    if deadline is None:
        return ""
    return f"{deadline:%H:%M} UTC" if offset is None else f"{deadline + timedelta(minutes=offset):%H:%M}"


def _has_math(one: SittingQuestion) -> bool:
    said = (one.asked.context, one.presented.prompt_html, *(option.html for option in one.presented.options))
    return any("<math" in html for html in (*said, one.explanation or ""))


def answer_words(one: SittingQuestion) -> Markup:
    """An answer where its fields are not: options by their text, what was typed as typed, nothing for none."""
    given = one.response.given
    options = {option.key: option.html for option in one.presented.options}
    if given is None:
        return Markup()
    if not options:
        return Markup("<code>{}</code>").format(given)
    keys = [given] if isinstance(given, str) else given
    return Markup("<br>").join(Markup(options[key]) for key in keys if key in options)  # noqa: S704 (rendered by us)
