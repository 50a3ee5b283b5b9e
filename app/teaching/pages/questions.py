"""A question's own page, for authors: its variants, answers typed to see what comes of them, and its form and its text,
each the other's mirror."""

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from app.content.questions.form import Field, Form, MistakeRow, OptionRow, fields_of, form_of
from app.content.questions.pieces import NotAForm
from app.content.questions.question import UnknownVariant
from app.content.questions.table import kind_of
from app.content.questions.writer import Unwritable, rewritten
from app.db import ID_MAX
from app.people.identity import Caller
from app.quizzes.questions import ShownQuestion, changed
from app.state import state_of
from app.teaching.questions import (
    Found,
    Overview,
    Stored,
    Tried,
    form_from,
    overview_of,
    questions_in,
    read_text,
    save_text,
    stored_question,
    takes_lines,
    tried_in_place,
    try_lines,
    unanswered,
)
from app.teaching.subjects import subject_of
from app.web.errors import Conflict, Invalid, Problem
from app.web.rendering import is_partial, render

router = APIRouter(prefix="/author/course/{slug}/questions")

BLANK_ROWS = 2
Sent = list[tuple[str, str]]


@dataclass(frozen=True)
class Editor:
    """Both mirrors. `form` None: the text holds what no field could, and `problem` says what."""

    text: str
    form: Form | None
    base: str
    found: Found
    problem: Problem | None = None
    wrong_field: str = ""
    status: int = 200

    @property
    def rows(self) -> int:
        return self.text.count("\n") + 2


@dataclass(frozen=True)
class Trial:
    """A question in one of its variants, and what came of the answers that were typed."""

    shown: ShownQuestion
    variant: int
    typed: str = ""
    tried: tuple[Tried, ...] = ()
    problem: Problem | None = None
    status: int = 200


@router.get("")
def index(request: Request, slug: str) -> Response:
    with state_of(request).db.reading() as db:
        lessons = questions_in(db, Caller(request), slug)
    return render(request, "teaching/questions/index.html", lessons=lessons, subject=subject_of("course", slug))


@router.get("/{lesson}/{question}")
def show(
    request: Request,
    slug: str,
    lesson: str,
    question: str,
    first: Annotated[int, Query(ge=0, le=ID_MAX)] = 0,
    variant: Annotated[int, Query(ge=0, le=ID_MAX)] = 0,
    saved: str = "",
) -> Response:
    """`first`: the first set of given values to be shown; `variant`: the one to type answers for."""
    stored = _stored(request, slug, lesson, question)
    found = read_text(state_of(request).catalog, stored, stored.text)
    return _show(
        request, stored, found, _editor(stored.text, stored.revision, found), first, variant, saved=bool(saved)
    )


def _stored(request: Request, slug: str, lesson: str, question: str) -> Stored:
    with state_of(request).db.reading() as db:
        return stored_question(db, Caller(request), slug, lesson, question)


def _show(
    request: Request,
    stored: Stored,
    found: Found,
    editor: Editor,
    first: int = 0,
    variant: int = 0,
    *,
    trial: Trial | None = None,
    saved: bool = False,
) -> Response:
    overview: Overview | None = None
    if found.question is not None:
        overview = overview_of(found.question, first)
        trial = trial or Trial(unanswered(found.question, min(variant, found.question.variants - 1)), variant)
    return render(
        request,
        "teaching/questions/show.html",
        status=editor.status if editor.status != 200 else trial.status if trial else 200,
        stored=stored,
        at=_address(stored),
        found=found,
        overview=overview,
        editor=editor,
        trial=trial,
        takes_lines=found.question is not None and takes_lines(found.question),
        is_output=found.question is not None and kind_of(found.question).WRITTEN.is_output,
        saved=saved,
        **_FORM_PARTS,
    )


def _address(stored: Stored) -> str:
    return f"{stored.subject.desk_url}/questions/{stored.lesson}/{stored.slug}"


# ---- answers, typed to see ------------------------------------------------------------------------------------


@router.post("/{lesson}/{question}/tries")
async def create_try(request: Request, slug: str, lesson: str, question: str) -> Response:
    """The form has `variant`, and `answers`, a line each, or the fields of the question itself."""
    return await run_in_threadpool(_try, request, slug, lesson, question, await _sent(request))


async def _sent(request: Request) -> Sent:
    return [(name, str(value).replace("\r\n", "\n")) for name, value in (await request.form()).multi_items()]


def _try(request: Request, slug: str, lesson: str, question: str, sent: Sent) -> Response:
    stored = _stored(request, slug, lesson, question)
    found = read_text(state_of(request).catalog, stored, stored.text)
    asked, number = found.question, dict(sent).get("variant", "")
    if asked is None or not number.isdecimal():
        raise changed()
    variant, typed = int(number), dict(sent).get("answers")
    try:
        if typed is None:
            shown, status = tried_in_place(asked, variant, sent)
            trial = Trial(shown, variant, status=status)
        else:
            trial = Trial(unanswered(asked, variant), variant, typed, tuple(try_lines(asked, variant, typed)))
    except UnknownVariant:
        raise changed() from None
    except Invalid as problem:
        trial = Trial(unanswered(asked, variant), variant, typed or "", (), problem, problem.status)
    if is_partial(request):
        context: dict[str, Any] = {
            "at": _address(stored),
            "trial": trial,
            "takes_lines": takes_lines(asked),
            "is_output": kind_of(asked).WRITTEN.is_output,
            "found": found,
        }
        return render(request, "teaching/questions/_try.html", status=trial.status, **context)
    return _show(request, stored, found, _editor(stored.text, stored.revision, found), trial=trial)


# ---- form and text --------------------------------------------------------------------------------------------


@router.post("/{lesson}/{question}/edits")
async def create_edit(request: Request, slug: str, lesson: str, question: str) -> Response:
    """`do`: `form` makes a text of the fields, `text` fields of the text; `save-form` and `save-text` keep them.

    `text` is what the text was when the fields were made of it: what no field changed stays as it is there.
    """
    return await run_in_threadpool(_edit, request, slug, lesson, question, dict(await _sent(request)))


def _edit(request: Request, slug: str, lesson: str, question: str, sent: dict[str, str]) -> Response:
    stored = _stored(request, slug, lesson, question)
    do, text = sent.get("do", ""), sent.get("text", stored.text).strip("\n")
    base = sent.get("base", stored.revision)
    form, wrong = None, ""
    problem: Problem | None = None
    try:
        form = form_of(text)
        if do.endswith("form"):
            form = form_from(sent, form)
            text = rewritten(text, form)
    except NotAForm as error:
        problem = Invalid(error.message, error.hint)
    except Unwritable as error:
        problem, wrong = Invalid(error.message, error.hint), error.field
    if do.startswith("save") and (problem is None or do == "save-text"):
        try:
            name = save_text(state_of(request), Caller(request), stored, base, text)
            return RedirectResponse(f"{stored.subject.desk_url}/questions/{lesson}/{name}?saved=1", 303)
        except (Conflict, Invalid) as error:
            problem = error
        except (NotAForm, Unwritable) as error:
            problem = Invalid(error.message, error.hint)
    found = read_text(state_of(request).catalog, stored, text)
    is_refused = problem is not None and (do != "text" or form is not None)
    status = problem.status if problem is not None and is_refused else 200
    editor = Editor(text, form, base, found, problem, wrong, status)
    if is_partial(request):
        context: dict[str, Any] = {"at": _address(stored), "editor": editor, **_FORM_PARTS}
        return render(request, "teaching/questions/_editor.html", status=status, **context)
    now = read_text(state_of(request).catalog, stored, stored.text)
    return _show(request, stored, now, editor)


def _editor(text: str, base: str, found: Found) -> Editor:
    try:
        return Editor(text, form_of(text), base, found)
    except NotAForm as error:
        return Editor(text, None, base, found, Invalid(error.message, error.hint))


def _fields(form: Form, is_gap: bool = False) -> tuple[Field, ...]:
    return fields_of(form, is_gap=is_gap)


_FORM_PARTS: dict[str, Any] = {
    "fields_of": _fields,
    "blank_options": [OptionRow()] * BLANK_ROWS,
    "blank_mistakes": [MistakeRow()] * BLANK_ROWS,
    "blank_gaps": [Form(settings=(("type", "count"),))],
}
