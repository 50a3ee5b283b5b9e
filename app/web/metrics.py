"""What an operator watches, in Prometheus' words: verdicts, where their time goes, the queue, the boxes, the answers.

`GET /metrics` shows them to staff: a scraper signs in with a bearer token (`./lectern users token EMAIL`).
"""

import re
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from graders.frameworks import FRAMEWORKS
from graders.verdict import SubmissionResult, Verdict
from graders.worker import Job

BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30)
HTTP_BUCKETS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 3, 10)  # few: there are some of each for every route
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
KINDS = ("submit", "run", "trace")  # of gradings
# stage of a grading, as its row tells it → which of its numbers
STAGES = ("queued", "cases", "box", "load", "compare", "diagnose", "recorded")

CPUCLOCK_PERTHREAD_SCHED = 6  # of linux/posix-timers.h

# One more line for each series, with when it began: nobody asks for it
disable_created_metrics()  # type: ignore[no-untyped-call]


class Metrics:
    """One registry a server; `watch` names functions that are asked when somebody looks."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._graded = Counter(
            "lectern_gradings", "Gradings finished.", ("framework", "kind", "verdict"), registry=self.registry
        )
        self._stages = Histogram(
            "lectern_grading_stage_seconds",
            "Wall-clock time of one stage of a grading; `call` counts every case.",
            ("framework", "stage"),
            buckets=BUCKETS,
            registry=self.registry,
        )
        self._stages_of: dict[str, dict[str, Histogram]] = {}  # by framework
        self._http = Histogram(
            "lectern_http_seconds",
            "Wall-clock time until an answer begins, by its route: a stream of events counts until its first byte.",
            ("route", "method", "status"),
            buckets=HTTP_BUCKETS,
            registry=self.registry,
        )
        # `increase` in a query does not see a series that begins at 1: of what is rare, every first one would be lost
        for framework in FRAMEWORKS:
            for kind in KINDS:
                self._graded.labels(framework, kind, str(Verdict.internal_error))
        ProcessCollector(registry=self.registry)

    def watch(self, name: str, about: str, read: Callable[[], Mapping[str, float]], label: str) -> None:
        """A gauge of one label, whose values `read` returns."""
        self.registry.register(_Watched(name, about, read, label))

    def watch_one(self, name: str, about: str, read: Callable[[], float]) -> None:
        """A gauge without a label."""
        Gauge(name, about, registry=self.registry).set_function(read)

    def graded(self, job: Job, result: SubmissionResult, timed: Mapping[str, Any]) -> None:
        """Count one verdict. `timed`: milliseconds by stage, as stored with the grading."""
        self._graded.labels(job.framework, job.kind, str(result.verdict)).inc()
        series = self._stages_of.get(job.framework)
        if series is None:  # finding them by their labels, fifteen times for each verdict, takes longer than counting
            series = {stage: self._stages.labels(job.framework, stage) for stage in (*STAGES, "call")}
            self._stages_of[job.framework] = series
        for stage in STAGES:
            series[stage].observe(timed[stage] / 1000)
        for call_ms in timed["calls"]:
            series["call"].observe(call_ms / 1000)

    def given_up(self, framework: str, kind: str) -> None:
        """Count a grading that ends as our failure though no worker gave a verdict: no stage of it was timed."""
        self._graded.labels(framework, kind, str(Verdict.internal_error)).inc()

    def answered(self, route: str, method: str, status: int, seconds: float) -> None:
        """attack: methods that nobody knows, each with a series of its own. defence: those we have, and one for all
        others. `route`: a template, of which there are as many as we wrote."""
        self._http.labels(route, method if method in METHODS else "other", f"{status // 100}xx").observe(seconds)

    def text(self) -> bytes:
        return generate_latest(self.registry)


class _ThreadTimes:
    """What this process's threads have used, by name. One that has ended counts with what it had when last asked: the
    kernel tells of those alone that still run, and the sum may not fall. The numbers at the end of a pool's threads
    are left out: each pool has new ones, and there would be more and more series."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: dict[threading.Thread, float] = {}
        self._ended: dict[str, float] = defaultdict(float)

    def seconds(self) -> dict[str, float]:
        with self._lock:
            before, self._running = self._running, {}
            for thread in threading.enumerate():
                if thread.native_id is not None:
                    try:
                        # pthread_getcpuclockid(3) is given the thread itself, which may have ended: the kernel just
                        # says so
                        used = time.clock_gettime((~thread.native_id << 3) | CPUCLOCK_PERTHREAD_SCHED)
                    except OSError:
                        continue
                    self._running[thread] = used
            for thread, used in before.items():
                if thread not in self._running:
                    self._ended[_without_number(thread.name)] += used
            totals = defaultdict(float, self._ended)
            for thread, used in self._running.items():
                totals[_without_number(thread.name)] += used
            return dict(totals)


def _without_number(name: str) -> str:
    return re.sub(r"[-_ ]?\d.*$", "", name) or name


_thread_times = _ThreadTimes()


def thread_seconds() -> dict[str, float]:
    """Processor time of this process's threads, by name: those of one name together, and those that have ended."""
    return _thread_times.seconds()


class _Watched(Collector):
    def __init__(self, name: str, about: str, read: Callable[[], Mapping[str, float]], label: str) -> None:
        self._name, self._about, self._read, self._label = name, about, read, label

    def collect(self) -> Iterator[GaugeMetricFamily]:
        gauge = GaugeMetricFamily(self._name, self._about, labels=[self._label])
        for value, number in self._read().items():
            gauge.add_metric([value], number)
        yield gauge

    def describe(self) -> Iterator[GaugeMetricFamily]:
        yield GaugeMetricFamily(self._name, self._about, labels=[self._label])
