"""A person's due dates in their calendar: the page that makes and renews the link, and the feed itself."""

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from app.classes.calendars import PATH, feed_of, read_feed, remove_feed, renew_feed
from app.people import identity
from app.people.identity import Caller
from app.state import state_of
from app.web.credentials import address_of
from app.web.edge import own_origin
from app.web.rendering import render

router = APIRouter()


@router.get("/me/calendar")
def edit(request: Request) -> Response:
    with state_of(request).db.reading() as db:
        person = identity.viewer(db, request)
        feed = feed_of(db, person) if person is not None else None
    return render(request, "classes/calendars/edit.html", person=person, feed=feed, link="")


@router.post("/me/calendar")
def update(request: Request) -> Response:
    """The answer is the page with the link: nobody, nor we, can show it again."""
    state, caller = state_of(request), Caller(request)
    with state.db.writing() as db:
        person = caller.require_viewer(db, writes=True)
        state.limits.spend("class", person=person.id, address=caller.address)
        link = own_origin(request) + renew_feed(db, person)
        feed = feed_of(db, person)
    headers = {"Cache-Control": "no-store"}
    return render(request, "classes/calendars/edit.html", headers=headers, person=person, feed=feed, link=link)


@router.post("/me/calendar/deletion")
def delete(request: Request) -> Response:
    with state_of(request).db.writing() as db:
        remove_feed(db, Caller(request).require_viewer(db, writes=True))
    return RedirectResponse("/me/calendar", 303)


@router.get(f"{PATH}/{{token}}.ics")
def show(request: Request, token: str) -> Response:
    state = state_of(request)
    state.limits.spend("token", address=address_of(request))
    feed = read_feed(state.db, state.catalog, token, own_origin(request))
    headers = {"ETag": feed.etag, "Last-Modified": feed.last_modified, "Cache-Control": "private, no-cache"}
    asked = request.headers
    if feed.is_known(asked.get("if-none-match"), asked.get("if-modified-since")):
        return Response(status_code=304, headers=headers)
    headers["Content-Disposition"] = 'inline; filename="lectern.ics"'
    return Response(feed.body, media_type="text/calendar; charset=utf-8", headers=headers)
