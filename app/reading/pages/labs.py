"""Runs of a lab's experiment, for the module of its figure: without scripts a lab stands still, and sends nothing."""

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, Response

from app.reading.api.labs import run
from app.web.errors import Problem

router = APIRouter()


@router.post("/courses/{course}/{lesson}/labs/{lab}/runs")
async def create_run(request: Request, course: str, lesson: str, lab: str) -> Response:
    form = {name: str(value) for name, value in (await request.form()).items()}
    try:
        answer = await run_in_threadpool(run, request, course, lesson, lab, form)
    except Problem as problem:
        return JSONResponse(problem.public(), problem.status, problem.headers)
    return JSONResponse(answer.model_dump())
