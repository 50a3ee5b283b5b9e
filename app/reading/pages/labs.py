"""Runs of a lab's experiment, for the module of its figure: without scripts a lab stands still, and sends nothing."""

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, Response

from app.people.identity import Caller
from app.reading.labs import run
from app.state import state_of
from app.web.errors import Problem

router = APIRouter()


@router.post("/courses/{course}/{lesson}/labs/{lab}/runs")
async def create_run(request: Request, course: str, lesson: str, lab: str) -> Response:
    form = {name: str(value) for name, value in (await request.form()).items()}
    try:
        done = await run_in_threadpool(run, state_of(request), Caller(request), course, lesson, lab, form)
    except Problem as problem:
        return JSONResponse(problem.public(), problem.status, problem.headers)
    return JSONResponse({"parameters": done.parameters, "frames": done.frames})
