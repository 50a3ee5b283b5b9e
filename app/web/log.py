"""The log: one line an event, on stderr, since stdout holds only what a person asked for."""

import logging
import sys

import structlog


def configure() -> None:
    """Once a process; if structlog was configured before us, that stays."""
    if structlog.is_configured():
        return
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            # A traceback without its locals: those hold tokens, passwords and what students wrote.
            structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback),
        ],
        logger_factory=_Stderr(),
    )
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s [%(levelname)s] %(name)s: %(message)s")


class _Stderr:
    """Looks stderr up when a line is written: it may have been redirected since."""

    def __call__(self, *names: object) -> structlog.PrintLogger:
        return structlog.PrintLogger(sys.stderr)
