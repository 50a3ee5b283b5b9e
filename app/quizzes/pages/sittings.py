"""A sitting of a quiz: one question a page, what is left to do, and the review.

All of it works by plain forms: each answer goes with the button that leads on from it. Where scripts run, answers are
saved as they are typed (js/sitting.js, through the API), and the same buttons wait for that.
"""

import json
from dataclasses import replace
from datetime import timedelta

from fastapi import APIRouter, Request
from markupsafe import Markup
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from app.content.questions.asking import right_answer
from app.content.questions.kind import Reply
from app.db import read_id
from app.discussions.threads import folds_in
from app.people import identity
from app.people.identity import Caller
from app.people.users import User
from app.progress.progress import progress_along
from app.progress.way import WayOn, after_lesson
from app.quizzes.answers import require_short
from app.quizzes.pages.questions import Form, reply_in
from app.quizzes.papers import Paper, PaperQuestion, Step, find_step, paper_of
from app.quizzes.quizzes import may_start
from app.quizzes.responses import as_saved
from app.quizzes.sittings import Sitting, hand_in, save_answer
from app.quizzes.terms import withheld_from
from app.reading.catalog import Catalog
from app.reading.embedded import exercises_in
from app.state import state_of
from app.web import credentials
from app.web.day import offset_in
from app.web.errors import Conflict
from app.web.rendering import render

router = APIRouter()

BASE_MAX = 20_000


@router.get("/sittings/{id}")
def show_sitting(request: Request, id: str) -> Response:
    """An open sitting: what is answered, and the button that hands it in. A submitted one: the review."""
    return _show(request, _paper(request, id))


@router.post("/sittings/{id}/submission")
def create_submission(request: Request, id: str) -> Response:
    hand_in(state_of(request), Caller(request), id)
    return RedirectResponse(f"/sittings/{id}", 303)


@router.get("/sittings/{id}/questions/{place}")
def show_question(request: Request, id: str, place: str) -> Response:
    paper = _paper(request, id)
    question = paper.question_at(place)
    if not paper.sitting.is_open:
        return RedirectResponse(f"/sittings/{id}#question-{question.place}", 303)
    return _show_question(request, paper, question)


@router.post("/sittings/{id}/questions/{place}")
async def update_question(request: Request, id: str, place: str) -> Response:
    """Save the answer, and go where the button says: `next`, `previous`, `overview`, `stay`, or a place."""
    form = [(name, str(value)) for name, value in (await request.form()).multi_items()]
    return await run_in_threadpool(_update, request, id, place, form)


def _update(request: Request, id: str, place: str, form: Form) -> Response:
    state, fields = state_of(request), dict(form)
    with state.db.reading() as db:
        viewer = identity.require_viewer(db, request)
        step = find_step(db, viewer, state.catalog, id, place, fields.get("go", "next"))
    reply, flagged = as_saved(reply_in(step.question, form)), "flagged" in fields
    if _is_untouched(fields.get("base", ""), reply, flagged):  # such a page says nothing, however old it is
        return RedirectResponse(_address(step), 303)
    require_short(reply)
    state.limits.spend("sitting", address=credentials.address_of(request))
    with state.db.writing() as db:
        user = identity.require_viewer(db, request, writes=True)
        save = save_answer(
            db, user, state, id, step.question.slug, reply, read_id(fields.get("revision", "")) or 0,
            flagged=flagged, seconds=_seconds(fields.get("seconds")),
        )  # fmt: skip
    if save.saved is None:  # what counts is said, and that this does not
        return _show(request, _paper(request, id), save.over())
    if save.saved.yours:
        return RedirectResponse(_address(step), 303)
    theirs = _paper(request, id)
    return _show_question(request, theirs, theirs.question_at(place), (reply,))


def _paper(request: Request, id: str) -> Paper:
    """Raises Unauthenticated, NotFound."""
    state = state_of(request)
    with state.db.reading() as db:
        viewer = identity.require_viewer(db, request)
    return paper_of(state.db, viewer, state.catalog, id)


def _address(step: Step) -> str:
    overview = f"/sittings/{step.sitting.id}"
    return overview if step.to is None else f"{overview}/questions/{step.to}"


def _is_untouched(base: str, reply: Reply | None, flagged: bool) -> bool:
    try:
        return bool(json.loads(base[:BASE_MAX]) == [reply, flagged])
    except (ValueError, RecursionError):
        return False


def _seconds(text: str | None) -> float | None:
    try:
        seconds = float(text or "")
    except ValueError:
        return None
    return seconds if 0 <= seconds < float("inf") else None


def _show_question(
    request: Request, paper: Paper, question: PaperQuestion, sent: tuple[Reply | None] | None = None
) -> Response:
    """`sent`: over an answer that came from elsewhere meanwhile; both are shown, and neither is lost."""
    places = [each.place for each in paper.questions]
    return render(
        request,
        "quizzes/sittings/question.html",
        paper=paper,
        shown=question,
        until=_until(request, paper),
        has_math=_has_math(question),
        answered=replace(question.answered, reply=sent[0] or "") if sent else question.answered,
        conflict=sent is not None,
        theirs=answer_words(question),
        base=json.dumps([question.response.given, question.response.flagged]),
        at=places.index(question.place) + 1,
        person=_person(request),
        here=paper.lesson.url,
        status=409 if sent else 200,
    )


def _person(request: Request) -> str:
    viewer = getattr(request.state, "viewer", None)
    return viewer.email or "" if viewer else ""


def _show(request: Request, paper: Paper, problem: Conflict | None = None) -> Response:
    status = problem.status if problem else 200
    state, sitting = state_of(request), paper.sitting
    if sitting.is_open:
        with state.db.reading() as db:
            later = withheld_from(db, sitting.user_id, sitting.course, sitting.lesson)
        return render(
            request,
            "quizzes/sittings/overview.html",
            paper=paper,
            until=_until(request, paper),
            later=later,
            here=paper.lesson.url,
            status=status,
        )
    with state.db.reading() as db:
        viewer = identity.viewer(db, request)
        can_again = may_start(db, viewer, state.catalog, sitting)
        way = _way_on(db, viewer, state.catalog, sitting)
        discussions = {} if paper.withheld else folds_in(db, state, sitting.course, sitting.lesson)
    return render(
        request,
        "quizzes/sittings/review.html",
        paper=paper,
        has_math=any(map(_has_math, paper.questions)),
        problem=problem,
        can_again=can_again,
        way=way,
        discussions=discussions,
        has_variants=any(each.asked.question.draws > 1 for each in paper.questions),
        answers={each.place: answer_words(each) for each in paper.questions},
        rights={
            each.place: right_answer(each.asked.question, each.response.variant)
            for each in paper.questions
            if each.is_told
        },
        here=paper.lesson.url,
        status=status,
    )


def _way_on(db: Session, viewer: User | None, catalog: Catalog, sitting: Sitting) -> WayOn | None:
    """For the person whose own sitting it is; None where the quiz is gone."""
    course = catalog.courses.get(sitting.course)
    quiz = course.lesson(sitting.lesson) if course else None
    if viewer is None or viewer.id != sitting.user_id or course is None or quiz is None:
        return None
    return after_lesson(course, quiz, catalog, progress_along(db, viewer, exercises_in(course)))


def _until(request: Request, paper: Paper) -> str:
    """The deadline by the reader's own clock, where their browser has said what it is set to."""
    offset, deadline = offset_in(request), paper.sitting.deadline_at
    if deadline is None:
        return ""
    return f"{deadline:%H:%M} UTC" if offset is None else f"{deadline + timedelta(minutes=offset):%H:%M}"


def _has_math(question: PaperQuestion) -> bool:
    options = (option.html for option in question.presented.options)
    items = (part.html for part in question.presented.parts)
    shown = (question.asked.context, question.presented.prompt_html, *options, *items, question.explanation or "")
    return any("<math" in html for html in shown)


def answer_words(question: PaperQuestion) -> Markup:
    """An answer where its fields are not: options by their text, what was typed as typed, nothing for none."""
    reply = question.response.given
    options = {option.key: option.html for option in question.presented.options}
    if reply is None:
        return Markup()
    if isinstance(reply, dict):
        items = {part.key: part.html for part in question.presented.parts}
        shown = (f"{items[left]}: {options[key]}" for left, key in reply.items() if left in items and key in options)
        return Markup("<br>").join(map(Markup, shown))
    if question.presented.parts:
        options = {option.key: option.html for part in question.presented.parts for option in part.options}
        gaps = [Markup(options[key]) if key in options else Markup("<code>{}</code>").format(key) for key in reply]  # noqa: S704
        return Markup(", ").join(gaps)
    if not options:
        return Markup("<code>{}</code>").format(reply)
    keys = [reply] if isinstance(reply, str) else reply
    return Markup("<br>").join(Markup(options[key]) for key in keys if key in options)  # noqa: S704 (rendered by us)
