"""A class's connections with learning management systems: its courses there, their people, and scores on their way."""

from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from app.classes.classes import require_member, require_writer
from app.classes.lti.contexts import contexts_of, disconnect, platform_of, require_context
from app.classes.lti.members import fetch_members, take_members
from app.classes.lti.registrations import invite
from app.classes.lti.scores import columns_of, failures_of, send_scores_of, stop_sending, try_again
from app.classes.lti.services import service_of
from app.classes.lti.wire import Refused
from app.classes.rights import Right
from app.classes.roster import roster_of
from app.db import read_id
from app.people.identity import Caller
from app.state import state_of
from app.web.edge import own_origin
from app.web.errors import Conflict, Invalid, NotFound, Problem
from app.web.outgoing import Unreachable
from app.web.rendering import render

router = APIRouter()

DONE = {
    "connected": "The course is connected. Its people come into this class when they open Lectern from there.",
    "disconnected": "The course is disconnected. Its people stay in the class.",
    "sends": "Scores are on their way. The first ones arrive within a minute.",
    "stopped": "Scores of this assignment are not sent any more. What was sent stays there.",
    "again": "Everything that waits is sent again within a minute.",
}


@router.get("/classes/{class_id}/lti")
def index(request: Request, class_id: str, done: str = "", people: str = "") -> Response:
    """`people`: how many were enrolled, expected, there already, and left for later; as numbers with dots between."""
    notice = DONE.get(done, "")
    counts = [read_id(count) for count in people.split(".")] if done == "people" else []
    if len(counts) == 4 and None not in counts:
        notice = "{} enrolled, {} expected under their address, {} in the class already.".format(*counts)
        if counts[3]:
            notice += f" {counts[3]} more will be in the class once they open it from their course."
    return _page(request, class_id, notice, None, "")


def _page(request: Request, class_id: str, notice: str, problem: Problem | None, invitation: str) -> Response:
    state = state_of(request)
    with state.db.reading() as db:
        member = require_member(db, Caller(request), class_id, Right.connect)
        connected = [
            {
                "context": one,
                "platform": platform_of(db, one),
                "columns": columns_of(db, state.catalog, member.class_, one),
                "failures": failures_of(db, state.catalog, member.class_, one),
            }
            for one in contexts_of(db, member.class_)
        ]
        people = {one.user: one.label for one in roster_of(db, member.class_)} if connected else {}
    return render(
        request,
        "classes/lti/index.html",
        status=problem.status if problem else 200,
        headers={"Cache-Control": "no-store", **(problem.headers if problem else {})},
        member=member,
        tab="lti",
        connected=connected,
        people=people,
        notice=notice,
        problem=problem,
        invitation=invitation,
        origin=own_origin(request),
    )


@router.post("/classes/{class_id}/lti/invitations")
def create_invitation(request: Request, class_id: str) -> Response:
    """An address at which a platform registers us. It is shown once."""
    try:
        with state_of(request).db.writing() as db:
            member = require_writer(db, Caller(request), class_id, Right.register_platform)
            token = invite(db, member.user, f"class {member.class_.id}")
    except Conflict as problem:
        return _page(request, class_id, "", problem, "")
    return _page(request, class_id, "", None, f"{own_origin(request)}/lti/register/{token}")


@router.post("/classes/{class_id}/lti/{id}/members")
def fetch_people(request: Request, class_id: str, id: str) -> Response:
    state, caller = state_of(request), Caller(request)
    with state.db.writing() as db:
        member = require_writer(db, caller, class_id, Right.change_people)
        context = require_context(db, member.class_, read_id(id))
        platform = platform_of(db, context)
    state.limits.spend("lti_service", person=member.user.id, address=caller.address)
    try:
        if not context.memberships_url:
            raise Conflict(
                f"{platform.name} does not tell Lectern who is in this course.",
                "Turn on names and roles for this tool there, then open it once more from the course.",
            )
        listed = fetch_members(service_of(state.db, state.lti, platform), context)
    except (Refused, Unreachable) as why:
        return _page(request, class_id, "", Conflict(f"The people could not be fetched. {why}", "Try again."), "")
    except Conflict as problem:
        return _page(request, class_id, "", problem, "")
    with state.db.writing() as db:
        member = require_member(db, caller, class_id, Right.change_people, writes=True)
        taken = take_members(db, member, require_context(db, member.class_, context.id), listed)
    people = f"{taken.enrolled}.{taken.expected}.{taken.already}.{taken.later}"
    return _back(class_id, "people", people=people)


@router.post("/classes/{class_id}/lti/{id}/scores")
def create_scores(
    request: Request, class_id: str, id: str, assignment: Annotated[list[str] | None, Form()] = None
) -> Response:
    """`assignment`: each as `exercise/slug`."""
    if not assignment:
        return _page(request, class_id, "", Invalid("No assignment is ticked.", "Tick those whose scores to send."), "")
    with state_of(request).db.writing() as db:
        member = require_writer(db, Caller(request), class_id, Right.connect)
        send_scores_of(db, member, require_context(db, member.class_, read_id(id)), assignment)
    return _back(class_id, "sends")


@router.post("/classes/{class_id}/lti/{id}/scores/delete")
def delete_scores(request: Request, class_id: str, id: str, assignment: Annotated[str, Form()] = "") -> Response:
    with state_of(request).db.writing() as db:
        member = require_writer(db, Caller(request), class_id, Right.connect)
        stop_sending(db, member, require_context(db, member.class_, read_id(id)), assignment)
    return _back(class_id, "stopped")


@router.post("/classes/{class_id}/lti/{id}/retries")
def create_retry(request: Request, class_id: str, id: str) -> Response:
    with state_of(request).db.writing() as db:
        member = require_writer(db, Caller(request), class_id, Right.connect)
        try_again(db, member, require_context(db, member.class_, read_id(id)))
    return _back(class_id, "again")


@router.post("/classes/{class_id}/lti/{id}/delete")
def delete(request: Request, class_id: str, id: str) -> Response:
    try:
        with state_of(request).db.writing() as db:
            member = require_writer(db, Caller(request), class_id, Right.connect)
            disconnect(db, member, require_context(db, member.class_, read_id(id)))
    except NotFound as problem:
        return _page(request, class_id, "", problem, "")
    return _back(class_id, "disconnected")


def _back(class_id: str, done: str, **more: str) -> Response:
    return RedirectResponse(f"/classes/{read_id(class_id)}/lti?{urlencode({'done': done, **more})}", 303)
