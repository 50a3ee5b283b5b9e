"""What platforms' browsers are sent to: signing in, launches, and registrations.

The pages of `/lti/login`, `/lti/launch` and `/lti/register` may lie in a frame of the platform's own pages, and of
nobody else's. No session is looked at there, since no cookie comes in a frame; what comes next is a form of ours, with
a key in it that is good once, which opens a window of ours.
"""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from sqlalchemy.exc import IntegrityError
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, RedirectResponse, Response

from app.classes.assignments import assignments_of, url_of
from app.classes.classes import Class, create_class, member_of, require_writer
from app.classes.lti import contexts, deep_links, registrations
from app.classes.lti.accounts import Choice, MustChoose, enter
from app.classes.lti.contexts import connect, connectable, context_of, take_in
from app.classes.lti.keys import ensure_key, new_name, published, remove_keys, signing_key
from app.classes.lti.launches import (
    AGAIN,
    MAX_TOKEN,
    find_launch,
    keep_launch,
    read_launch,
    refused,
    require_launch,
)
from app.classes.lti.logins import LAUNCH_PATH, Asked, begin_login, finish_login, platform_of
from app.classes.lti.platforms import Platform, origin_of, take_deployment
from app.classes.lti.scores import learn_line_item
from app.classes.lti.wire import Refused, Unverified
from app.classes.rights import Right
from app.db import read_id
from app.people import identity
from app.people.identity import Caller
from app.people.permission import Wish, may
from app.people.sessions import prove_password
from app.people.users import User
from app.state import state_of
from app.web.credentials import address_of
from app.web.edge import allow, own_origin, take_from_elsewhere
from app.web.errors import Conflict, Forbidden, Invalid, NotFound, Problem, Unauthenticated
from app.web.outgoing import Unreachable
from app.web.rendering import render

router = APIRouter()
take_from_elsewhere("/lti/login", LAUNCH_PATH)


@router.get("/lti/jwks")
def keys(request: Request) -> Response:
    """Our public keys, by which the platforms that an admin registered verify what we sign."""
    with state_of(request).db.reading() as db:
        has_key = signing_key(db) is not None
    if not has_key:
        with state_of(request).db.writing() as db:
            ensure_key(db)
    return _published(request, "")


@router.get("/lti/jwks/{name}")
def keys_of_platform(request: Request, name: str) -> Response:
    """Those by which one platform alone verifies us, which registered itself. None are made for a name that is asked
    for: they are there from its registration on."""
    return _published(request, name)


def _published(request: Request, name: str) -> Response:
    with state_of(request).db.reading() as db:
        return JSONResponse(published(db, name[:32]), headers={"Cache-Control": "public, max-age=300"})


@router.get("/lti/login")
def login(
    request: Request,
    iss: str = "",
    login_hint: str = "",
    target_link_uri: str = "",
    lti_message_hint: str = "",
    client_id: str = "",
) -> Response:
    return _login(request, Asked(iss, login_hint, target_link_uri, lti_message_hint, client_id))


@router.post("/lti/login")
def login_by_form(
    request: Request,
    iss: Annotated[str, Form()] = "",
    login_hint: Annotated[str, Form()] = "",
    target_link_uri: Annotated[str, Form()] = "",
    lti_message_hint: Annotated[str, Form()] = "",
    client_id: Annotated[str, Form()] = "",
) -> Response:
    return _login(request, Asked(iss, login_hint, target_link_uri, lti_message_hint, client_id))


def _login(request: Request, asked: Asked) -> Response:
    state = state_of(request)
    state.limits.spend("lti", address=address_of(request))
    with state.db.reading() as db:
        platform = platform_of(db, asked)
    allow(request, framed_by=platform.origins)
    with state.db.writing(durable=False) as db:
        url = begin_login(db, asked, platform, own_origin(request))
    return RedirectResponse(url, 302, {"Cache-Control": "no-store"})


@router.get(LAUNCH_PATH)
def come_by_hand(request: Request) -> Response:
    """Somebody opens the address that platforms launch."""
    return RedirectResponse("/classes", 303)


@router.post(LAUNCH_PATH)
def launch(
    request: Request,
    state: Annotated[str, Form()] = "",
    id_token: Annotated[str, Form()] = "",
    error: Annotated[str, Form()] = "",
) -> Response:
    """The platform's token. Nothing is done with it yet but that what it says is kept."""
    app, origin = state_of(request), own_origin(request)
    app.limits.spend("lti", address=address_of(request))
    with app.db.writing() as db:
        begun = finish_login(db, state)
        platform = db.get(Platform, begun.platform_id) if begun is not None else None
    if begun is None or platform is None or not platform.is_open:
        raise Forbidden("This sign-in is unknown, used, or older than ten minutes.", AGAIN)
    allow(request, framed_by=platform.origins)
    if error or not id_token:
        raise Forbidden(f"{platform.name} did not sign you in{': ' + error[:80] if error else ''}.", AGAIN)
    try:
        if len(id_token) > MAX_TOKEN:
            raise Unverified("it is too large")
        claims = read_launch(app.lti.verified(platform.jwks_url, id_token), platform, begun, origin)
    except Unverified as why:
        raise refused(why, platform) from None
    except (Refused, Unreachable) as why:
        raise Problem(
            f"The keys of {platform.name} cannot be read: {why}", "Try again in a minute.", status=503
        ) from None
    with app.db.writing() as db:
        platform = db.get_one(Platform, platform.id)
        take_deployment(db, platform, claims.deployment)
        token = keep_launch(db, platform, claims)
        row = find_launch(db, token)
        class_ = deep_links.class_to_pick_from(db, row) if claims.is_deep_link else None
        offered = deep_links.offered(db, app.catalog, class_) if class_ is not None else []
    allow(request, framed_by=(*platform.origins, claims.page))
    if class_ is not None:
        return render(
            request, "classes/lti/pick.html", headers=_UNKEPT, token=token, class_=class_, offered=offered,
            claims=claims, platform=platform, problem=None,
        )  # fmt: skip
    is_framed = request.headers.get("sec-fetch-dest") != "document"
    return render(
        request, "classes/lti/launch.html", headers=_UNKEPT, token=token, claims=claims, platform=platform,
        is_framed=is_framed,
    )  # fmt: skip


_UNKEPT = {"Cache-Control": "no-store"}


@router.post("/lti/sessions")
async def sign_in(
    request: Request,
    token: Annotated[str, Form()] = "",
    choice: Annotated[str, Form()] = "",
    password: Annotated[str, Form()] = "",
) -> Response:
    """In a window of ours: who comes is signed in, and goes on to where they wanted to be. `password`: of the account
    that they have here, where they join it to the one that they come with."""
    app, caller = state_of(request), Caller(request)
    await app.limits.spend_soon("lti", address=caller.address)
    wanted = Choice(choice) if choice in set(Choice) else Choice.none
    proven, problem = None, None
    if wanted == Choice.this:
        try:
            proven = await prove_password(request, password, "Nothing was connected.")
        except (Forbidden, Unauthenticated, Conflict) as found:
            wanted, problem = Choice.none, found
    try:
        return await run_in_threadpool(_signed_in, request, caller, token, wanted, proven, problem)
    except IntegrityError:  # in two windows at once for the first time: the other one has made the account
        return await run_in_threadpool(_signed_in, request, caller, token, wanted, proven, problem)


def _signed_in(
    request: Request, caller: Caller, token: str, choice: Choice, proven: User | None, problem: Problem | None
) -> Response:
    app = state_of(request)
    with app.db.writing() as db:
        row = find_launch(db, token)
        platform, claims = db.get_one(Platform, row.platform_id), row.launch
        person = enter(db, caller, app.catalog, row, platform, choice, proven)
        if not isinstance(person, MustChoose):
            id, context = row.id, context_of(db, platform.id, claims)
            if context is None:
                return RedirectResponse(f"/lti/launches/{id}", 303)
            contexts.refresh(context, claims)
            take_in(db, context, person, claims)
            class_ = db.get_one(Class, context.class_id)
            for one in assignments_of(db, class_):
                if url_of(class_, one.kind, one.slug) == claims.target:
                    learn_line_item(db, context, one.kind, one.slug, claims)
            if claims.target == LAUNCH_PATH or claims.is_deep_link:
                return RedirectResponse(f"/lti/launches/{id}" if claims.is_deep_link else f"/classes/{class_.id}", 303)
            return RedirectResponse(claims.target, 303)
    return render(
        request, "classes/lti/account.html", status=problem.status if problem else 200,
        headers={**_UNKEPT, **(problem.headers if problem else {})}, token=token, claims=claims, platform=platform,
        email=person.email, has_password=person.has_password, problem=problem,
    )  # fmt: skip


@router.get("/lti/launches/{id}")
def show_launch(request: Request, id: str) -> Response:
    """Where a launch ends that has nowhere to go yet: its course is not connected."""
    return _launch_page(request, id, None)


@router.post("/lti/launches/{id}/connection")
def create_connection(
    request: Request,
    id: str,
    class_id: Annotated[str, Form()] = "",
    course: Annotated[str, Form()] = "",
    title: Annotated[str, Form()] = "",
    timezone: Annotated[str, Form()] = "UTC",
) -> Response:
    """`class_id`: one of theirs; or "new", of this course."""
    app, caller = state_of(request), Caller(request)
    try:
        with app.db.writing() as db:
            person = caller.require_viewer(db, writes=True)
            row = require_launch(db, person.id, read_id(id))
            if class_id == "new":
                app.limits.spend("class", person=person.id, address=caller.address)
                member = create_class(db, caller, app.catalog, course, title, timezone)
            else:
                member = require_writer(db, caller, class_id, Right.connect)
            context = connect(db, member, row)
            take_in(db, context, person, row.launch)
            where = f"/classes/{member.class_.id}/lti?done=connected"
    except (Conflict, Forbidden, Invalid) as problem:
        return _launch_page(request, id, problem)
    except IntegrityError:  # somebody else connects it at this very moment
        return _launch_page(request, id, Conflict("This course has just been connected.", "Reload the page."))
    return RedirectResponse(where, 303)


def _launch_page(request: Request, id: str, problem: Problem | None) -> Response:
    app = state_of(request)
    with app.db.reading() as db:
        person = identity.require_viewer(db, request)
        row = require_launch(db, person.id, read_id(id))
        platform, claims = db.get_one(Platform, row.platform_id), row.launch
        context = context_of(db, platform.id, claims)
        theirs = connectable(db, person) if claims.is_teaching else []
        member = None
        if context is not None:
            member = member_of(db, person, context.class_id)
    return render(
        request,
        "classes/lti/connect.html",
        status=problem.status if problem else 200,
        headers=problem.headers if problem else None,
        problem=problem,
        launch_id=row.id,
        claims=claims,
        platform=platform,
        member=member,
        theirs=theirs,
        may_make=may(person, Wish.teach_class),
        courses={slug: course.title for slug, course in sorted(app.catalog.courses.items())},
    )


@router.post("/lti/deep-links")
def create_links(
    request: Request, token: Annotated[str, Form()] = "", pick: Annotated[list[str] | None, Form()] = None
) -> Response:
    """What was picked, signed, for the browser to bring to the platform. In the platform's frame: the key says who."""
    app, origin = state_of(request), own_origin(request)
    app.limits.spend("lti", address=address_of(request))
    problem, chosen = None, []
    with app.db.writing() as db:
        row = find_launch(db, token)
        platform, claims = db.get_one(Platform, row.platform_id), row.launch
        class_ = deep_links.class_to_pick_from(db, row) if claims.is_deep_link else None
        if class_ is None:
            raise NotFound("There is nothing to pick from here.", AGAIN)
        offered, key = deep_links.offered(db, app.catalog, class_), ensure_key(db, platform.key_name)
        try:
            chosen = deep_links.picked(offered, pick or [], claims)
            db.delete(row)
        except Invalid as found:
            problem = found
    frames = (*platform.origins, claims.page)
    if problem is not None:
        allow(request, framed_by=frames)
        return render(
            request, "classes/lti/pick.html", status=problem.status, headers=_UNKEPT, token=token, class_=class_,
            offered=offered, claims=claims, platform=platform, problem=problem,
        )  # fmt: skip
    allow(request, framed_by=frames, sends_to=[origin_of(claims.return_url) or ""])
    signed = deep_links.answer(key, platform, claims, chosen, origin)
    return render(
        request, "classes/lti/picked.html", headers=_UNKEPT, jwt=signed, claims=claims, platform=platform, chosen=chosen
    )


@router.get("/lti/register/{token}")
def new_registration(
    request: Request, token: str, openid_configuration: str = "", registration_token: str = ""
) -> Response:
    """The platform's own window, in which it registers us. It asks before anything is done."""
    app = state_of(request)
    app.limits.spend("lti", address=address_of(request))
    with app.db.reading() as db:
        registrations.require_invitation(db, token)
    if openid_configuration:
        app.lti.outgoing.require_url(openid_configuration, "openid_configuration")
        allow(request, framed_by=[registrations.page_origin(openid_configuration)])
    return render(
        request, "classes/lti/register.html", headers=_UNKEPT, token=token, openid_configuration=openid_configuration,
        registration_token=registration_token, host=registrations.page_origin(openid_configuration), done=None,
    )  # fmt: skip


@router.post("/lti/register/{token}")
def create_registration(
    request: Request,
    token: str,
    openid_configuration: Annotated[str, Form()] = "",
    registration_token: Annotated[str, Form()] = "",
) -> Response:
    app, origin = state_of(request), own_origin(request)
    app.limits.spend("lti_service", address=address_of(request))
    key_name = new_name()
    with app.db.writing() as db:
        made_by = registrations.claim_invitation(db, token)
        ensure_key(db, key_name)
    try:
        app.lti.outgoing.require_url(openid_configuration, "openid_configuration")
        allow(request, framed_by=[registrations.page_origin(openid_configuration)])
        found = registrations.fetch_configuration(app.lti, openid_configuration)
        described = registrations.register_there(app.lti, found, registration_token, origin, key_name)
        with app.db.writing() as db:
            platform = registrations.register_here(db, made_by, described, app.lti, key_name)
    except Problem:
        with app.db.writing() as db:
            registrations.give_back(db, token)
            remove_keys(db, key_name)
        raise
    return render(
        request, "classes/lti/register.html", headers=_UNKEPT, token=token, openid_configuration=openid_configuration,
        registration_token="", host=platform.host, done=platform,
    )  # fmt: skip
