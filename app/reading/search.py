"""What can be found: a section of a lesson, an exercise, a question. Written when content is imported.

What an entry holds, and what it never does: `app.content.entries`.

Beside the entries stands `search_words`, made by the migration: in SQLite an FTS5 table, in PostgreSQL a tsvector
with a GIN index. Both hold words that we cut ourselves (`app.content.words`) and are asked with nothing but such
words in quotes: nobody who searches writes a database's query language.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, cast

import structlog
from sqlalchemy import ForeignKey, Index, String, Text, UniqueConstraint, delete, select, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.content.entries import Entry, EntryKind
from app.content.words import Asked, Piece, Word, composed, excerpt, marked, parts, read_asked, words
from app.db import Base

log = structlog.get_logger("lectern.content")

EDITION = 3  # of how entries are made: what an older edition wrote is made again at the next start
MAX_RESULTS = 20
MAX_ENTRY_WORDS = 10_000


class SearchEntry(Base):
    __tablename__ = "search_entry"
    __table_args__ = (
        UniqueConstraint("snapshot_id", "place", name="uq_search_entry_snapshot_id_place"),
        Index("ix_search_entry_edition", "edition"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    snapshot_id: Mapped[int] = mapped_column(ForeignKey("snapshot.id", ondelete="CASCADE"))
    place: Mapped[int]
    edition: Mapped[int]
    kind: Mapped[str] = mapped_column(String(16))
    course: Mapped[str] = mapped_column(Text)
    title: Mapped[str] = mapped_column(Text)
    heading: Mapped[str] = mapped_column(Text)
    text: Mapped[str] = mapped_column(Text)
    url: Mapped[str] = mapped_column(Text)


@dataclass(frozen=True)
class Result:
    kind: EntryKind
    course: str
    title: tuple[Piece, ...]
    heading: tuple[Piece, ...]
    excerpt: tuple[Piece, ...]
    url: str


@dataclass(frozen=True)
class Found:
    """Best first. `has_all`: each result has every word that was asked for."""

    results: tuple[Result, ...] = ()
    has_all: bool = True


def search(db: Session, asked_text: str, limit: int = MAX_RESULTS) -> Found:
    """Any text whatever may be asked. What has all of its words; if nothing has, what has some."""
    asked = read_asked(asked_text)
    if not asked:
        return Found()
    rows = _matching(db, asked, "and", limit)
    if rows or len(asked.phrases) == 1:
        return Found(tuple(_result(row, asked) for row in rows))
    return Found(tuple(_result(row, asked) for row in _matching(db, asked, "or", limit)), has_all=False)


_SQLITE = text(
    "SELECT rowid AS id FROM search_words WHERE search_words MATCH :asked"
    " ORDER BY bm25(search_words, 16.0, 8.0, 1.0, 0.5), rowid LIMIT :limit"
)
_POSTGRESQL = text(
    "SELECT entry_id AS id FROM search_words WHERE words @@ CAST(:asked AS tsquery)"
    " ORDER BY ts_rank('{0.03, 0.06, 0.5, 1.0}', words, CAST(:asked AS tsquery), 1) DESC, entry_id LIMIT :limit"
)


def _matching(db: Session, asked: Asked, join: Literal["and", "or"], limit: int) -> list[SearchEntry]:
    parameters = {"asked": _fts5(asked, join) if _is_sqlite(db) else _tsquery(asked, join), "limit": limit}
    ids = list(db.scalars(_SQLITE if _is_sqlite(db) else _POSTGRESQL, parameters))
    found = {row.id: row for row in db.scalars(select(SearchEntry).where(SearchEntry.id.in_(ids)))}
    return [found[id] for id in ids if id in found]


def _fts5(asked: Asked, join: str) -> str:
    """attack: `NEAR(`, `*`, a quote, which FTS5 would obey or fail on. defence: words of ours, which hold none."""
    return f" {join.upper()} ".join(f'"{" ".join(phrase)}"' for phrase in asked.phrases) + " *"


def _tsquery(asked: Asked, join: str) -> str:
    phrases = ["<->".join(f"'{word}'" for word in phrase) for phrase in asked.phrases]
    return f" {'&' if join == 'and' else '|'} ".join(f"({phrase})" for phrase in phrases).removesuffix(")") + ":*)"


def _result(row: SearchEntry, asked: Asked) -> Result:
    return Result(
        cast(EntryKind, row.kind),
        row.course,
        marked(row.title, asked),
        marked(row.heading, asked),
        excerpt(row.text, asked),
        row.url,
    )


def index_content(db: Session, current: Mapping[int, Iterable[Entry]]) -> None:
    """What can be found becomes exactly these, by the ids of their snapshots; in the transaction that imports them.

    A snapshot never changes, and so what was made of one is kept; most starts write nothing.
    """
    if not _is_sqlite(db):
        db.execute(text("SELECT pg_advisory_xact_lock(7265747275)"))  # servers that start at once take turns
    kept = set(db.scalars(select(SearchEntry.snapshot_id).where(SearchEntry.edition == EDITION).distinct()))
    _forget_all_but(db, kept & set(current))
    for id, entries in current.items():
        if id not in kept:
            _add_all(db, id, entries)


def _add_all(db: Session, snapshot_id: int, entries: Iterable[Entry]) -> None:
    """attack: a section that the database's index cannot hold. defence: the folder is served, and not found."""
    try:
        with db.begin_nested():
            _add(db, snapshot_id, entries)
    except DBAPIError as error:
        log.error("content_not_indexed", snapshot=snapshot_id, reason=str(error.orig))


def _forget_all_but(db: Session, kept: set[int]) -> None:
    gone = select(SearchEntry.id).where(SearchEntry.snapshot_id.not_in(kept) | (SearchEntry.edition != EDITION))
    ids = list(db.scalars(gone))
    for id in ids if _is_sqlite(db) else ():  # PostgreSQL's words go with their entries
        db.execute(text("DELETE FROM search_words WHERE rowid = :id"), {"id": id})
    db.execute(delete(SearchEntry).where(SearchEntry.id.in_(ids)))


def _add(db: Session, snapshot_id: int, entries: Iterable[Entry]) -> None:
    for place, entry in enumerate(entries):
        row = SearchEntry(
            snapshot_id=snapshot_id, place=place, edition=EDITION, kind=entry.kind, course=composed(entry.course),
            title=composed(entry.title), heading=composed(entry.heading), text=composed(entry.text),
            url=composed(entry.url),
        )  # fmt: skip
        db.add(row)
        db.flush()
        # A section is not found by its lesson's title before the lesson itself: there the title only counts a little.
        is_section = bool(entry.heading) or entry.kind == "question"
        title, around = ("", f"{row.title} {entry.around}") if is_section else (row.title, entry.around)
        _add_words(db, row, title, composed(around))


def _add_words(db: Session, row: SearchEntry, title: str, around: str) -> None:
    fields = [list(words(field))[:MAX_ENTRY_WORDS] for field in (title, row.heading, row.text, around)]
    for name in (title, row.heading, row.text, around):
        fields[3] += [Word(part, 0, 0) for one in name.split() for part in _parts_in(one)]
    if _is_sqlite(db):
        columns = dict(zip(("title", "heading", "words", "around"), map(_spaced, fields), strict=True))
        db.execute(_ADD_SQLITE, {"id": row.id, **columns})
    else:
        db.execute(_ADD_POSTGRESQL, {"id": row.id, "words": _tsvector(fields)})


def _parts_in(chunk: str) -> list[str]:
    return [part for word in words(chunk) for part in parts(chunk[word.start : word.end])]


_ADD_SQLITE = text(
    "INSERT INTO search_words (rowid, title, heading, words, around) VALUES (:id, :title, :heading, :words, :around)"
)
_ADD_POSTGRESQL = text("INSERT INTO search_words (entry_id, words) VALUES (:id, CAST(:words AS tsvector))")
MAX_POSITION = 16_383  # PostgreSQL's


def _spaced(field: Iterable[Word]) -> str:
    return " ".join(word.text for word in field)


def _tsvector(fields: Iterable[list[Word]]) -> str:
    """`'d_model':1A 'take':5C`: a gap between fields, so that no phrase reaches from one into the next."""
    written = []
    position = 0
    for weight, field in zip("ABCD", fields, strict=True):
        position += 2
        for word in field:
            position += 1
            written.append(f"'{word.text}':{min(position, MAX_POSITION)}{weight}")
    return " ".join(written)


def _is_sqlite(db: Session) -> bool:
    return db.get_bind().dialect.name == "sqlite"


def is_beside_the_models(name: str | None) -> bool:
    """Whether a table is one of the full-text index's own, which each database has in its own way."""
    return name is not None and name.startswith("search_words")
