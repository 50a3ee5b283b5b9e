"""The audit log, for admins."""

from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.responses import Response, StreamingResponse

from app.db import read_id
from app.operating.audit_log import ACTIONS, KINDS, PAGE, as_csv, read_wanted
from app.operating.operators import require_operator
from app.people.audit import search
from app.people.identity import Caller
from app.state import state_of
from app.web.rendering import render

router = APIRouter()


@router.get("/admin/audit")
def index(request: Request, kind: str = "", action: str = "", email: str = "", before: str = "") -> Response:
    wanted = read_wanted(kind, action, email)
    with state_of(request).db.reading() as db:
        require_operator(db, Caller(request))
        found = search(db, wanted, read_id(before), PAGE + 1)
    query = urlencode({"kind": wanted.kind, "action": wanted.action, "email": email.strip()[:254]})
    return render(
        request,
        "operating/audit/index.html",
        found=found[:PAGE],
        older=found[PAGE - 1].entry.id if len(found) > PAGE else None,
        is_first=read_id(before) is None,
        query=query,
        wanted=wanted,
        email=email.strip(),
        kinds=KINDS,
        actions=ACTIONS,
    )


@router.get("/admin/audit.csv")
def export(request: Request, kind: str = "", action: str = "", email: str = "") -> Response:
    state = state_of(request)
    with state.db.reading() as db:
        require_operator(db, Caller(request))
    lines = as_csv(state.db, read_wanted(kind, action, email))
    headers = {"Content-Disposition": 'attachment; filename="lectern-audit.csv"'}
    return StreamingResponse(lines, media_type="text/csv; charset=utf-8", headers=headers)
