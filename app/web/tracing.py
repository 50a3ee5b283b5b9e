"""Traces for OpenTelemetry, off unless `LECTERN_TRACES` names a collector: only then are its packages imported.

A trace is one request. Its submission goes on where the request has ended, in other threads and processes, so what
names a span travels as text, W3C's `traceparent`, in the job's message; "" where nothing is traced. Spans carry ids,
names of exercises and times; never a source, an address or a name of anybody's. A client's own `traceparent` is not
read: nobody outside says what is traced here.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from typing import Any

API = "/api/v1"
_spans: Any = None  # of this process, once `start` was called
_NOTHING: AbstractContextManager[str] = nullcontext("")


def start(collector: str, service: str) -> Callable[[], None]:
    """From now on spans go to `collector`, such as http://collector:4318, some seconds after they end; nobody waits for
    it, and what it does not take is dropped. Returns what sends the last ones and ends that."""
    global _spans
    if not collector:
        return lambda: None
    from app.web.tracing_spans import Spans

    _spans = spans = Spans(collector, service)

    def end() -> None:
        global _spans
        if _spans is spans:
            _spans = None
        spans.close()

    return end


def is_on() -> bool:
    return _spans is not None


def span(name: str, parent: str = "", **attributes: Any) -> AbstractContextManager[str]:
    """While the block runs. `parent`: a span of another thread or process; "": the one around this one, if any. Gives
    the span's own name, as it travels."""
    return _spans.span(name, parent, attributes) if _spans is not None else _NOTHING


def past(name: str, parent: str, began: float, seconds: float, **attributes: Any) -> None:
    """A span that is over. `began`: seconds since 1970."""
    if _spans is not None and parent:
        _spans.past(name, parent, began, seconds, attributes)


def current() -> str:
    """The name of the span around this code, as it travels; "" for none."""
    return str(_spans.current()) if _spans is not None else ""


def route_of(scope: Mapping[str, Any]) -> str:
    """The template of the request's route, such as `/submissions/{id}`; "" where it has none, or none yet."""
    route: str = getattr(scope.get("route"), "path", "")
    return f"{API}{route}" if route and scope["path"].startswith(f"{API}/") else route  # a route knows no prefix


@contextmanager
def request_span(method: str, path: str, scope: Mapping[str, Any]) -> Iterator[Callable[[int], None]]:
    """Around a request; called with the answer's status. Named by its route, which is known only afterwards."""
    if _spans is None:
        yield lambda status: None
        return
    with _spans.request(method, path, partial(route_of, scope)) as answered:
        yield answered
