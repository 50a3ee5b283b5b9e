"""A change of the settings that decide how everybody is treated is told in the audit log, at the start after it."""

from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.people.audit import AuditEntry, Thing, note
from app.settings import Settings

SETTINGS = Thing("installation", "settings")
# Those that every process of an installation has alike. attack: a URL with a password in the log, where every admin
# reads it and each backup has it. defence: what is told is listed here, and none of these holds a secret.
TOLD = (
    "registration", "discussions", "sandbox", "rate_limits", "session_days", "guest_days", "guest_quota_mb", "quota_mb",
    "address_quota_mb", "source_max_kb", "max_wall_seconds", "max_cpu_seconds", "max_total_seconds", "max_memory_mb",
    "max_output_kb", "build_seconds", "draft_days", "source_days", "audit_days", "lti_private_hosts", "letters_off",
    "letter_days", "oidc_issuer", "webhook_networks",
)  # fmt: skip


def note_settings(db: Session, settings: Settings) -> None:
    """Only what differs from what was told last; the first start tells what differs from the defaults."""
    last = select(AuditEntry.detail).where(AuditEntry.kind == SETTINGS.kind, AuditEntry.slug == SETTINGS.slug)
    known: dict[str, Any] = {name: Settings.model_fields[name].default for name in TOLD}
    for detail in db.scalars(last.order_by(AuditEntry.id)):
        known |= {name: change["to"] for name, change in detail.items() if name in known}
    now = {name: getattr(settings, name) for name in TOLD}
    changed = {name: {"from": known[name], "to": now[name]} for name in TOLD if now[name] != known[name]}
    if changed:
        note(db, None, SETTINGS, "settings changed", changed)
