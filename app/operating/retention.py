"""What is deleted in time: a rule for each kind of thing that grows, a daily run, and what it deleted in the audit log.

A rule of 0 days keeps things for good. Each rule works in lots, each in a transaction of its own; a run that is cut
off, or that two processes begin at once, leaves nothing half deleted, and the next one goes on.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog

from app.db import Database
from app.people.audit import delete_entries
from app.people.guests import let_go_of_guests
from app.people.outbox import forget_letters
from app.people.resets import forget_expired_resets
from app.people.users import forget_expired_logins
from app.people.verifications import forget_expired_verifications
from app.practice.drafts import delete_drafts
from app.practice.old_sources import erase_sources
from app.settings import Settings

log = structlog.get_logger("lectern.retention")

Delete = Callable[[Database, datetime, Callable[[], bool]], int]


@dataclass(frozen=True)
class Rule:
    """`days`: since when a thing has not been used, or was made; None: it says by itself when it is over; 0: never."""

    name: str
    what: str
    days: int | None
    delete: Delete

    @property
    def is_on(self) -> bool:
        return self.days is None or self.days > 0

    def __str__(self) -> str:
        if not self.is_on:
            return f"{self.what}: kept"
        return f"{self.what}: deleted {f'after {self.days} days' if self.days else 'when they expire'}"


def rules(settings: Settings) -> tuple[Rule, ...]:
    return (
        Rule("guests", "inactive guests", settings.guest_days, let_go_of_guests),
        Rule("sessions", "sessions and links in letters", None, _delete_ended),
        Rule("drafts", "drafts that nobody changes", settings.draft_days, delete_drafts),
        Rule("sources", "sources and output of old submissions", settings.source_days, erase_sources),
        Rule("letters", "letters", settings.letter_days, forget_letters),
        Rule("audit", "entries of the audit log", settings.audit_days, delete_entries),
    )


def run_retention(
    database: Database, of: tuple[Rule, ...], at: datetime, should_stop: Callable[[], bool] = lambda: False
) -> dict[str, int]:
    """How many were deleted by each rule, as of the moment `at`. A rule that fails stops no other one."""
    counts = {}
    for rule in of:
        if should_stop() or not rule.is_on:
            continue
        try:
            counts[rule.name] = rule.delete(database, at - timedelta(days=rule.days or 0), should_stop)
        except Exception as error:  # a database that is away for a while: the next run finds the same things
            log.error("retention_failed", rule=rule.name, exc_info=error)
            continue
        if counts[rule.name]:
            log.info("retention", rule=rule.name, count=counts[rule.name], days=rule.days)
    return counts


def _delete_ended(database: Database, before: datetime, should_stop: Callable[[], bool]) -> int:
    """They are few: those of a day."""
    with database.writing() as db:
        links = forget_expired_resets(db, before) + forget_expired_verifications(db, before)
        return forget_expired_logins(db, before) + links
