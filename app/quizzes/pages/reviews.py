"""The daily review: questions once missed, one at a time, until today's are answered."""

from dataclasses import dataclass, replace
from datetime import datetime

from fastapi import APIRouter, Request
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from app.content.questions.question import Question
from app.db import now
from app.people import identity
from app.people.users import User
from app.quizzes.answers import Occasion
from app.quizzes.pages.questions import answer_form
from app.quizzes.practice import practised_next
from app.quizzes.questions import ShownQuestion, ask, open_question, question_for, reviewed_by
from app.quizzes.reviews import Today, card_of, today_of
from app.reading.catalog import Catalog
from app.state import state_of
from app.web.day import day_of, until
from app.web.rendering import is_partial, render

router = APIRouter()


@dataclass(frozen=True)
class Item:
    """A question of today's set, and once it is answered, in words when it comes back."""

    shown: ShownQuestion
    lesson_title: str
    lesson_url: str
    back: str | None = None


@router.get("/review")
def show(request: Request, more: bool = False) -> Response:
    state = state_of(request)
    with state.db.reading() as db:
        viewer = identity.viewer(db, request)
        today = today_of(db, viewer, reviewed_by(db, viewer, state.catalog), more=more)
        due = question_for(db, viewer, state.catalog, today.cards[0].question) if today.cards else None
        item = _item(db, viewer, state.catalog, due) if due else None
        can_practise = item is None and practised_next(db, viewer, state.catalog) is not None
    return _page(request, viewer, today, item, can_practise=can_practise)


@router.get("/review/practice")
def show_practice(request: Request) -> Response:
    """One question after another, of those that they have met; no set, and no end."""
    state = state_of(request)
    with state.db.reading() as db:
        viewer = identity.viewer(db, request)
        question = practised_next(db, viewer, state.catalog)
        item = _item(db, viewer, state.catalog, question) if question else None
    return render(request, "quizzes/reviews/practice.html", item=item)


@router.post("/review/practice/{id}/answers")
async def create_practice_answer(request: Request, id: str) -> Response:
    form = await request.form()
    return await run_in_threadpool(_practise, request, id, [(name, str(value)) for name, value in form.multi_items()])


def _practise(request: Request, id: str, form: list[tuple[str, str]]) -> Response:
    """Only what anyone may answer at any time. Raises NotFound, Forbidden."""
    state = state_of(request)
    with state.db.reading() as db:
        question = open_question(db, identity.viewer(db, request), state.catalog, id)
    shown, status = answer_form(request, question, form, Occasion.lesson)
    with state.db.reading() as db:
        item = replace(_item(db, identity.viewer(db, request), state.catalog, question), shown=shown)
    template = "quizzes/reviews/_practised.html" if is_partial(request) else "quizzes/reviews/practice.html"
    return render(request, template, status=status, item=item)


@router.post("/review/questions/{id}/answers")
async def create_answer(request: Request, id: str) -> Response:
    form = await request.form()
    return await run_in_threadpool(_answer, request, id, [(name, str(value)) for name, value in form.multi_items()])


def _answer(request: Request, id: str, form: list[tuple[str, str]]) -> Response:
    """A question that is not due is answered as in its lesson: it is asked twice, or from a page left open."""
    state = state_of(request)
    with state.db.reading() as db:
        viewer = identity.viewer(db, request)
        question = question_for(db, viewer, state.catalog, id)
        card = card_of(db, viewer, id)
        was_due = card is not None and card.due_at <= now()
    shown, status = answer_form(request, question, form, Occasion.review if was_due else Occasion.lesson)
    with state.db.reading() as db:
        viewer = identity.viewer(db, request)
        today = today_of(db, viewer, reviewed_by(db, viewer, state.catalog))
        item = replace(_item(db, viewer, state.catalog, question), shown=shown)
        card = card_of(db, viewer, id)
        if was_due and status == 200 and viewer and card:
            item = replace(item, back=_back(card.due_at, viewer))
    if is_partial(request):
        template = "quizzes/reviews/_answered.html" if item.back else "quizzes/reviews/_question.html"
        return render(request, template, status=status, item=item, today=today)
    return _page(request, viewer, today, item, status)


def _page(
    request: Request,
    viewer: User | None,
    today: Today,
    item: Item | None,
    status: int = 200,
    *,
    can_practise: bool = False,
) -> Response:
    return render(
        request,
        "quizzes/reviews/show.html",
        status=status,
        item=item,
        today=today,
        can_practise=can_practise,
        next_in=_back(today.next_at, viewer) if today.next_at and viewer else None,
    )


def _item(db: Session, viewer: User | None, catalog: Catalog, question: Question) -> Item:
    course, slug, _ = question.id.split(".")
    lesson = catalog.lesson(course, slug)[1]
    # they are not told that they got it right once: it is asked again
    shown = ask(db, viewer, [question], lambda _: False)[question.id]
    return Item(shown, lesson.title, lesson.url)


def _back(at: datetime, user: User) -> str:
    """In words, from the person's today."""
    return until((day_of(at, user.offset_minutes) - day_of(now(), user.offset_minutes)).days)
