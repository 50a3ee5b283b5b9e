"""What is told of a grading while a worker judges it: its log lines name the submission, and its span has parts."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import structlog

from app.web import tracing
from graders.grade import Began, CaseFinished, Event, Finished
from graders.worker import Job

log = structlog.get_logger("lectern.worker")


@contextmanager
def watched(job: Job) -> Iterator[Callable[[Event], None]]:
    """Around one job, in the worker's thread. Gives what is called with each event, before it is recorded."""
    names = {"submission": job.submission_id, "grading": job.grading_id, "attempt": job.attempt}
    about = {"exercise": job.exercise.slug, "framework": job.framework, "kind": job.kind}
    with structlog.contextvars.bound_contextvars(**names), tracing.span("judge", job.trace, **names, **about) as span:
        log.debug("grading_began", **about)
        watching = _Watching(span)
        yield watching.saw


class _Watching:
    def __init__(self, span: str) -> None:
        self._span, self._began = span, time.time()
        self._case_began = self._began
        self._names: list[str] = []

    def saw(self, event: Event) -> None:
        match event:
            case Began(cases=cases):
                self._case_began, self._names = time.time(), [case.name for case in cases]
            case CaseFinished(index=index, result=result):
                now = time.time()
                tracing.past(
                    "case", self._span, self._case_began, now - self._case_began, case=index + 1, sample=result.sample,
                    verdict=str(result.verdict),
                )  # fmt: skip
                self._case_began = now
            case Finished():
                self._finish(event)

    def _finish(self, finished: Finished) -> None:
        stages, verdict = finished.stages, str(finished.result.verdict)
        log.debug("grading_judged", verdict=verdict, box_ms=round(stages.box, 1), calls=len(stages.calls))
        at = self._began  # the judge does these in turn, before the first case
        for name, took_ms in (("cases and expected outputs", stages.cases), ("box", stages.box), ("load", stages.load)):
            tracing.past(name, self._span, at, took_ms / 1000)
            at += took_ms / 1000
        if stages.diagnose:
            tracing.past("diagnose", self._span, time.time() - stages.diagnose / 1000, stages.diagnose / 1000)
