"""What the gate found about one revision: a page, and the panel beside the editor, live while it works."""

import math
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Depends, Form, Header, Request
from fastapi.sse import EventSourceResponse, ServerSentEvent
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from app.people.identity import Caller
from app.people.users import User
from app.state import AppState, state_of
from app.teaching.authors import require_author
from app.teaching.checks import Check, check_key
from app.teaching.revisions import files_of, newest, require_content, revision_of
from app.teaching.subjects import Subject, subject_of
from app.web.arrays import Figure, figure_of_arrays, is_mapped
from app.web.credentials import address_of
from app.web.errors import NotFound, Unauthenticated
from app.web.rendering import is_partial, render, to_html
from graders.exercise.fault import Fault
from graders.proof.report import ProofReport, ShownValue, Survivor
from graders.proof.tolerance import percent

router = APIRouter()

CASES_OPENED = 24  # more are listed by their names, each with a page of its own
AMPLE = 5  # times what a right answer takes: what a limit should be at least


@dataclass(frozen=True)
class Mark:
    """A fault as the page shows it. `more`: further lines of its message, such as a change."""

    fault: Fault
    sentence: str
    more: str
    url: str | None


@dataclass(frozen=True)
class Alive:
    """A surviving mutant, and the fault that it is."""

    number: int
    survivor: Survivor
    mark: Mark | None


@dataclass(frozen=True)
class CheckPanel:
    """The check of one revision, or None where nobody has asked for it and it will not come by itself."""

    subject: Subject
    revision: str
    check: Check | None
    can_run: bool

    @property
    def is_finished(self) -> bool:
        return self.check is None or self.check.state == "finished"

    def public(self) -> object:
        check = self.check
        return None if check is None else (check.state, check.ok, check.steps)

    @property
    def url(self) -> str:
        return f"{self.subject.desk_url}/checks/{self.revision}"

    @property
    def tone(self) -> str:
        if self.check is None or self.check.state != "finished":
            return "waiting"
        return "good" if self.check.ok else "bad"

    @property
    def words(self) -> str:
        if self.check is None:
            return "Not checked"
        if self.check.state != "finished":
            return "Being checked" if self.check.state == "running" else "Waits to be checked"
        return "Ready to publish" if self.check.ok else "Not ready to publish"

    @property
    def counted(self) -> str:
        """`2 faults, 1 warning`."""
        faults = self.check.faults if self.check is not None else ()
        errors = sum(fault.severity == "error" for fault in faults)
        warnings = len(faults) - errors
        return f"{errors} fault{'s' * (errors != 1)}, {warnings} warning{'s' * (warnings != 1)}"

    @property
    def report(self) -> ProofReport | None:
        return self.check.report if self.check is not None else None

    @property
    def alive(self) -> tuple[Alive, ...]:
        survivors = self.report.survivors if self.report is not None else ()
        marks = {mark.more: mark for mark in self._all_marks() if mark.fault.code == "mutant-lives"}
        return tuple(Alive(n, one, marks.get(one.diff)) for n, one in enumerate(survivors, 1))

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The faults that stand in no part of the report: errors first."""
        marks_alive = {one.mark for one in self.alive}
        marks = [mark for mark in self._all_marks() if mark not in marks_alive]
        return tuple(sorted(marks, key=lambda mark: mark.fault.severity != "error"))

    def tolerance_used(self, share: float) -> str:
        return percent(share) if math.isfinite(share) else "beyond it"

    def are_mapped(self, values: Iterable[ShownValue]) -> bool:
        return any(is_mapped(value.arrays) for value in values)

    def _all_marks(self) -> Iterator[Mark]:
        for fault in self.check.faults if self.check is not None else ():
            sentence, _, more = fault.message.partition("\n")
            line = f"&line={fault.line}" if fault.line else ""
            is_file = PurePosixPath(fault.path).suffix  # a folder, such as mistakes, is no page of the desk
            url = f"{self.subject.desk_url}?file={quote(fault.path)}{line}" if is_file else None
            yield Mark(fault, sentence, more, url)


@router.get("/author/{kind}/{slug}/checks/{revision}")
def show(request: Request, kind: str, slug: str, revision: str) -> Response:
    """Asking for the newest revision's has it checked."""
    state, subject = state_of(request), subject_of(kind, slug)
    with state.db.reading() as db:
        require_author(db, Caller(request), subject)
        saved, published_id = revision_of(db, subject, revision), require_content(db, subject).published_id
        # An older one is asked for in so many words (`create`): it would take the newest one's turn.
        is_awaited = state.checks.of(db, kind, slug, revision) is None and newest(db, subject).content_hash == revision
        files = files_of(db, saved.id) if is_awaited else None
    if files is not None:
        state.checks.want(kind, slug, files)
    panel = _panel(state, subject, revision)
    template = "teaching/checks/_check.html" if is_partial(request) else "teaching/checks/show.html"
    return render(
        request, template, headers={"Cache-Control": "no-store"}, panel=panel, cases_opened=CASES_OPENED, ample=AMPLE,
        saved=saved, is_published=saved.id == published_id,
    )  # fmt: skip


@router.post("/author/{kind}/{slug}/checks")
def create(request: Request, kind: str, slug: str, revision: Annotated[str, Form(max_length=64)]) -> Response:
    """Check a revision once more, or an older one."""
    state, subject = state_of(request), subject_of(kind, slug)
    with state.db.reading() as db:
        person = require_author(db, Caller(request), subject)
        files = files_of(db, revision_of(db, subject, revision).id)
    # attack: every revision there is, checked again and again: each waits with its files in memory, and none of them
    # makes room for another. defence: so many of one person.
    state.limits.spend("check", person=person.id, address=address_of(request))
    state.checks.want_again(kind, slug, files)
    return RedirectResponse(f"{subject.desk_url}/checks/{revision}", 303)


def _panel(state: AppState, subject: Subject, revision: str) -> CheckPanel:
    with state.db.reading() as db:
        check = state.checks.of(db, subject.kind, subject.slug, revision, in_full=True)
    return CheckPanel(subject, revision, check, state.checks.can_run)


async def followed(request: Request, kind: str, slug: str, revision: str) -> AsyncIterator[Callable[[], CheckPanel]]:
    """Reads the panel, now and later, for as long as a stream lasts: so many at once, for those who may author this.

    Raises Unauthenticated, NotFound, RateLimited before it begins; NotFound later.
    """
    state, caller, subject = state_of(request), Caller(request), subject_of(kind, slug)
    person = await run_in_threadpool(_require_revision, state, caller, subject, revision)

    def read() -> CheckPanel:
        try:
            _require_revision(state, caller, subject, revision)
        except Unauthenticated:
            raise NotFound("You have signed out.", None) from None
        return _panel(state, subject, revision)

    with state.limits.holding("stream", person=person.id, address=caller.address):
        yield read


def _require_revision(state: AppState, caller: Caller, subject: Subject, revision: str) -> User:
    with state.db.reading() as db:
        person = require_author(db, caller, subject)
        revision_of(db, subject, revision)
        return person


@router.get("/author/{kind}/{slug}/checks/{revision}/events", response_class=EventSourceResponse)
async def events(
    request: Request,
    kind: str,
    slug: str,
    revision: str,
    read: Annotated[Callable[[], CheckPanel], Depends(followed)],
    last_event_id: Annotated[str | None, Header()] = None,
) -> AsyncIterator[ServerSentEvent]:
    """The panel, rendered again each time the gate has come further; the last one is finished."""
    found = state_of(request).events.follow(check_key(kind, slug, revision), read, last_event_id)
    async for mark, panel in found:
        html = to_html(
            request, "teaching/checks/_check.html", panel=panel, cases_opened=CASES_OPENED, ample=AMPLE, here=panel.url
        )
        yield ServerSentEvent(raw_data=html, id=mark)


@router.get("/author/{kind}/{slug}/checks/{revision}/cases/{number}")
def show_case(request: Request, kind: str, slug: str, revision: str, number: int) -> Response:
    """The values of one case as heat maps, `number` counted from 1: for the panel, or a page of its own."""
    panel = _authored(request, subject_of(kind, slug), revision)
    cases = panel.report.cases if panel.report is not None else ()
    if not 0 < number <= len(cases):
        raise NotFound("There is no such case.", f"See {panel.url}.")
    case = cases[number - 1]
    return _figure(request, panel, f"The case {case.name}", (*case.inputs, case.expected))


@router.get("/author/{kind}/{slug}/checks/{revision}/mutants/{number}")
def show_mutant(request: Request, kind: str, slug: str, revision: str, number: int) -> Response:
    """The input that tells a surviving mutant, and both answers, as heat maps."""
    panel = _authored(request, subject_of(kind, slug), revision)
    survivors = panel.report.survivors if panel.report is not None else ()
    telling = survivors[number - 1].telling if 0 < number <= len(survivors) else None
    if telling is None:
        raise NotFound("There is no such mutant.", f"See {panel.url}.")
    answers = [replace(telling.expected, name="the reference")]
    answers += [replace(telling.actual, name="the mutant")] if telling.actual is not None else []
    title = f"What tells the mutant of line {survivors[number - 1].line}"
    return _figure(request, panel, title, (*telling.inputs, *answers))


def _authored(request: Request, subject: Subject, revision: str) -> CheckPanel:
    state = state_of(request)
    _require_revision(state, Caller(request), subject, revision)
    return _panel(state, subject, revision)


def _figure(request: Request, panel: CheckPanel, title: str, values: tuple[ShownValue, ...]) -> Response:
    figure = _figure_of(values)
    if is_partial(request):
        return render(request, "practice/submissions/_arrays.html", figure=figure)
    return render(request, "teaching/checks/case.html", panel=panel, title=title, figure=figure, values=values)


def _figure_of(values: tuple[ShownValue, ...]) -> Figure:
    views = {value.name: value.view for value in values}
    return figure_of_arrays(views, {value.name: value.arrays for value in values}, whole=False)
