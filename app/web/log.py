"""The log: one line an event, on stderr, since stdout holds only what a person asked for.

Each line about a submission says `submission=…`: through the web, the queue, the worker and what the judge says of its
boxes, in whichever process. In the web it says `request=…` too, which the answer has as `X-Request-Id`. The judge logs
by Python's `logging` and knows no submission: its lines come through here, with the names of the thread they are from.
"""

import logging
import sys
from typing import Any, Literal, TextIO

import structlog
from structlog.typing import Processor

Level = Literal["debug", "info", "warning", "error"]
Format = Literal["text", "json"]


def configure(level: Level = "info", form: Format = "text") -> None:
    """Once a process; if structlog was configured before us, that stays. `debug` tells each step of each submission."""
    if structlog.is_configured():
        return
    number = logging.getLevelNamesMapping()[level.upper()]
    common: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    rendered = _rendered(form)
    structlog.configure(
        processors=[*common, *rendered],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=_Stderr(),
    )
    handler = logging.StreamHandler()
    remove_meta = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    named: list[Processor] = [*common, structlog.stdlib.add_logger_name]
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(foreign_pre_chain=named, processors=[remove_meta, *rendered])
    )
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    logging.getLogger("lectern").setLevel(max(number, logging.DEBUG) if level == "debug" else logging.WARNING)


def write_line(line: str, where: TextIO) -> None:
    """A line and its end in one write, so that what another thread or process writes to the same file stands before it
    or after it."""
    where.write(f"{line}\n")
    where.flush()


def _rendered(form: Format) -> list[Processor]:
    if form == "json":
        return [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(default=str)]
    # A traceback without its locals: those hold tokens, passwords and what students wrote.
    return [structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)]


class _Stderr:
    """Looks stderr up when a line is written: it may have been redirected since. As `write_line` does it."""

    def __call__(self, *names: Any) -> structlog.WriteLogger:
        return structlog.WriteLogger(sys.stderr)
