"""What a person may author, and how far each is: what the author's desk lists."""

import tomllib
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session, aliased

from app.people.users import User
from app.reading.catalog import Catalog
from app.teaching.authors import closed_to
from app.teaching.checks import Check, Checks
from app.teaching.redirects import asked_for
from app.teaching.revisions import Content, FileContent, Revision, RevisionFile
from app.teaching.subjects import Subject, subject_of
from app.teaching.unsaved import has_unsaved
from graders.text import title_of


@dataclass(frozen=True)
class Entry:
    """`new_name`: what it will be called once that is published. `faults`: those of the gate."""

    subject: Subject
    title: str
    newest: Revision
    is_published: bool
    is_draft_newer: bool
    in_conflict: bool
    has_unsaved: bool
    check: Check | None
    new_name: str | None

    @property
    def faults(self) -> int:
        return sum(fault.severity == "error" for fault in self.check.faults) if self.check else 0


def entries_for(db: Session, person: User, catalog: Catalog, checks: Checks) -> list[Entry]:
    """Courses and exercises by title. What is called something else by now is not among them."""
    newest, published = aliased(Revision), aliased(Revision)
    rows = db.execute(
        select(Content, newest, published.content_hash)
        .join(newest, newest.id == Content.newest_id)
        .outerjoin(published, published.id == Content.published_id)
    ).all()
    closed, unsaved, renamed = closed_to(db, person), has_unsaved(db, person), asked_for(db)
    titles = _titles(db, catalog, [(content, revision) for content, revision, _ in rows])
    found = []
    for content, revision, live_hash in rows:
        key = content.kind, content.slug
        redirect = renamed.get(key)
        if key in closed or (redirect is not None and redirect.since is not None):
            continue
        found.append(
            Entry(
                subject_of(*key), titles[key], revision, live_hash is not None,
                live_hash is not None and live_hash != revision.content_hash,
                content.conflict_id is not None, key in unsaved, checks.of(db, *key, revision.content_hash),
                redirect.new if redirect else None,
            )
        )  # fmt: skip
    return sorted(found, key=lambda entry: (entry.subject.kind, entry.title.casefold()))


def title_in(files: dict[str, bytes], subject: Subject) -> str:
    """As its cover says, or else made of its name."""
    return _title(files.get(f"{subject.kind}.toml", b"")) or title_of(subject.slug)


def _titles(db: Session, catalog: Catalog, rows: list[tuple[Content, Revision]]) -> dict[tuple[str, str], str]:
    served = {("exercise", slug): one.title for slug, one in list(catalog.exercises.items())} | {
        ("course", slug): one.title for slug, one in list(catalog.courses.items())
    }
    drafts = {revision.id: (content.kind, content.slug) for content, revision in rows}
    drafts = {id: key for id, key in drafts.items() if key not in served}
    covers = db.execute(
        select(RevisionFile.revision_id, FileContent.content)
        .join(FileContent, FileContent.content_hash == RevisionFile.content_hash)
        .where(RevisionFile.path.in_(["exercise.toml", "course.toml"]), RevisionFile.revision_id.in_(drafts))
    )
    named = {drafts[id]: _title(content) for id, content in covers}
    return {key: served.get(key) or named.get(key) or title_of(key[1]) for key in [(c.kind, c.slug) for c, _ in rows]}


def _title(cover: bytes) -> str:
    try:
        title = tomllib.loads(cover.decode()).get("title")
    except (ValueError, RecursionError):
        return ""
    return title.strip()[:300] if isinstance(title, str) else ""
