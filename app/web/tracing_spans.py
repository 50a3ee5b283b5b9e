"""Spans by OpenTelemetry's own packages. Imported by tracing.py alone, and only where traces are on."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import SpanKind, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

NANOSECONDS = 1_000_000_000
EXPORT_SECONDS = 5
_travelling = TraceContextTextMapPropagator()


class Spans:
    def __init__(self, collector: str, service: str) -> None:
        self._provider = TracerProvider(resource=Resource.create({"service.name": service}))
        exporter = OTLPSpanExporter(endpoint=f"{collector.rstrip('/')}/v1/traces", timeout=EXPORT_SECONDS)
        self._provider.add_span_processor(BatchSpanProcessor(exporter, schedule_delay_millis=1000))
        self._tracer = self._provider.get_tracer("lectern")

    def close(self) -> None:
        self._provider.shutdown()

    def current(self) -> str:
        carrier: dict[str, str] = {}
        _travelling.inject(carrier)
        return carrier.get("traceparent", "")

    @contextmanager
    def span(self, name: str, parent: str, attributes: Mapping[str, Any]) -> Iterator[str]:
        with self._tracer.start_as_current_span(
            name, _context(parent), attributes=dict(attributes), record_exception=False
        ):
            yield self.current()

    def past(self, name: str, parent: str, began: float, seconds: float, attributes: Mapping[str, Any]) -> None:
        start = int(began * NANOSECONDS)
        span = self._tracer.start_span(name, _context(parent), attributes=dict(attributes), start_time=start)
        span.end(start + int(max(0.0, seconds) * NANOSECONDS))

    @contextmanager
    def request(self, method: str, path: str, route_of: Callable[[], str]) -> Iterator[Callable[[int], None]]:
        attributes = {"http.request.method": method, "url.path": path}
        # Always a trace of its own: what else runs on this thread is none of its business.
        with self._tracer.start_as_current_span(
            method, Context(), SpanKind.SERVER, attributes, record_exception=False
        ) as span:

            def answered(status: int) -> None:
                span.set_attribute("http.response.status_code", status)
                if status >= 500:
                    span.set_status(StatusCode.ERROR)

            yield answered
            if route := route_of():
                span.update_name(f"{method} {route}")
                span.set_attribute("http.route", route)


def _context(parent: str) -> Context | None:
    """attack: a worker replies with a `traceparent` that is none. defence: what cannot be read is no parent."""
    if not parent:
        return None
    return trace.set_span_in_context(
        trace.get_current_span(_travelling.extract({"traceparent": parent}, Context())), Context()
    )
