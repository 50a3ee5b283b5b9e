"""What can be found: a section of a lesson, an exercise, a question. Written when content is imported.

What an entry holds, and what it never does: `app.content.entries`.

Beside the entries stands `search_words`, made by the migration: in SQLite an FTS5 table, in PostgreSQL a tsvector
with a GIN index. Both hold words that we cut ourselves (`app.content.words`) and are asked with nothing but such
words in quotes: nobody who searches writes a database's query language. What is asked: `app.reading.search_terms`.
When nothing is found, the words are compared with those that could be (`app.reading.spelling`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import cast

import structlog
from sqlalchemy import ForeignKey, Index, String, Text, UniqueConstraint, delete, select, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.content.entries import Entry, EntryKind
from app.content.words import Asked, Piece, composed, excerpt, marked, read_asked, words
from app.db import Base
from app.reading.search_terms import (
    Phrase,
    Sign,
    Wanted,
    fts5,
    name_terms,
    piece_terms,
    stem_terms,
    tsquery,
    wanted,
    wanted_names,
)
from app.reading.snapshots import Snapshot
from app.reading.spelling import SearchVocabulary, corrected_text, nearest_words, vocabulary_of

log = structlog.get_logger("lectern.content")

EDITION = 4  # of how entries are made: what an older edition wrote is made again at the next start
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
    """Best first. `has_all`: each result has every word that was asked for, or what means the same.

    `corrected`: these are the results for this text, because nothing has every word of what was typed; empty
    otherwise. `nearest`: words that are found, where nothing was.
    """

    results: tuple[Result, ...] = ()
    has_all: bool = True
    corrected: str = ""
    nearest: tuple[str, ...] = ()


def search(db: Session, asked_text: str, limit: int = MAX_RESULTS, *, as_typed: bool = False) -> Found:
    """Any text whatever may be asked. What has all of its words; if nothing has, what has all of them without typing
    errors (but not if it is looked for `as_typed`); if nothing has, what has some."""
    asked = read_asked(asked_text)
    if not asked:
        return Found()
    if rows := _matching(db, asked, limit):
        return Found(_results(rows, asked))
    if not as_typed and (corrected := corrected_text(db, asked_text)):
        meant = read_asked(corrected)
        if rows := _matching(db, meant, limit):
            return Found(_results(rows, meant), corrected=corrected)
    rows = _matching(db, asked, limit, every=False) if len(asked.phrases) > 1 else []
    return Found(_results(rows, asked), has_all=not rows, nearest=() if rows else nearest_words(db, asked_text))


# First what has this name, then what has this heading, then what has it as a part of its name, and of its heading.
_RANKS = """CASE
    WHEN {id} IN (SELECT {id} FROM search_words WHERE {is_name}) THEN 0
    WHEN {id} IN (SELECT {id} FROM search_words WHERE {is_heading}) THEN 1
    WHEN {id} IN (SELECT {id} FROM search_words WHERE {in_name}) THEN 2
    WHEN {id} IN (SELECT {id} FROM search_words WHERE {in_heading}) THEN 3
    ELSE 4 END"""
_ASKED = ("is_name", "is_heading", "in_name", "in_heading")
_SQLITE = text(
    "SELECT rowid AS id FROM search_words WHERE search_words MATCH :asked ORDER BY"  # noqa: S608 (constants only)
    f" {_RANKS.format(id='rowid', **{name: f'search_words MATCH :{name}' for name in _ASKED})},"
    " bm25(search_words, 16.0, 8.0, 1.0, 0.5, 4.0), rowid LIMIT :limit"
)
_POSTGRESQL = text(
    "SELECT entry_id AS id FROM search_words WHERE words @@ CAST(:asked AS tsquery) ORDER BY"  # noqa: S608 (likewise)
    f" {_RANKS.format(id='entry_id', **{name: f'words @@ CAST(:{name} AS tsquery)' for name in _ASKED})},"
    " ts_rank('{0.03, 0.06, 0.5, 1.0}', words, CAST(:asked AS tsquery), 1) DESC, entry_id LIMIT :limit"
)


def _matching(db: Session, asked: Asked, limit: int, *, every: bool = True) -> list[SearchEntry]:
    """Best first: what has every phrase, or else one of them at least."""
    is_sqlite = _is_sqlite(db)
    asked_for = {
        "asked": wanted(asked, every=every),
        "is_name": wanted_names(asked, Sign.name, is_part=False),
        "is_heading": wanted_names(asked, Sign.heading, is_part=False),
        "in_name": wanted_names(asked, Sign.name, Sign.in_name, is_part=True),
        "in_heading": wanted_names(asked, Sign.heading, Sign.in_heading, is_part=True),
    }
    write = fts5 if is_sqlite else tsquery
    parameters = {name: write(_or_nothing(expression)) for name, expression in asked_for.items()}
    with nullcontext() if is_sqlite else _by_index(db):
        ids = list(db.scalars(_SQLITE if is_sqlite else _POSTGRESQL, {**parameters, "limit": limit}))
    # what the judge has not admitted is in the index, and no result
    served = select(SearchEntry).join(Snapshot).where(SearchEntry.id.in_(ids), Snapshot.is_current)
    found = {row.id: row for row in db.scalars(served)} if ids else {}
    return [found[id] for id in ids if id in found]


@contextmanager
def _by_index(db: Session) -> Iterator[None]:
    """PostgreSQL takes reading the whole table for cheap: it does not count that long rows lie elsewhere."""
    db.execute(text("SET LOCAL enable_seqscan = off"))
    yield
    db.execute(text("SET LOCAL enable_seqscan = on"))


def _or_nothing(expression: Wanted) -> Wanted:
    """Neither database reads an empty expression: instead, a term that is in no index."""
    return expression if isinstance(expression, Phrase) or expression.wanted else Phrase((f"{Sign.name}",))


def _results(rows: Iterable[SearchEntry], asked: Asked) -> tuple[Result, ...]:
    return tuple(_result(row, asked) for row in rows)


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
    kept = set(db.scalars(select(SearchEntry.snapshot_id).where(SearchEntry.edition == EDITION).distinct()))
    _forget_all_but(db, kept & set(current))
    for id, entries in current.items():
        if id not in kept:
            _add_all(db, id, list(entries))


def index_one(db: Session, id: int, entries: Sequence[Entry]) -> None:
    """One more snapshot, in the transaction that stores it; what is no longer served goes at the next start."""
    is_known = select(SearchEntry.id).where(SearchEntry.snapshot_id == id, SearchEntry.edition == EDITION).limit(1)
    if db.scalar(is_known) is None:
        _add_all(db, id, entries)


def _add_all(db: Session, snapshot_id: int, entries: Sequence[Entry]) -> None:
    """attack: a section that the database's index cannot hold. defence: the folder is served, and not found."""
    try:
        with db.begin_nested():
            _add(db, snapshot_id, entries)
            db.add(vocabulary_of(snapshot_id, entries))
    except DBAPIError as error:
        log.error("content_not_indexed", snapshot=snapshot_id, reason=str(error.orig))


def _forget_all_but(db: Session, kept: set[int]) -> None:
    gone = select(SearchEntry.id).where(SearchEntry.snapshot_id.not_in(kept) | (SearchEntry.edition != EDITION))
    ids = list(db.scalars(gone))
    for id in ids if _is_sqlite(db) else ():  # PostgreSQL's words go with their entries
        db.execute(text("DELETE FROM search_words WHERE rowid = :id"), {"id": id})
    db.execute(delete(SearchEntry).where(SearchEntry.id.in_(ids)))
    db.execute(delete(SearchVocabulary).where(SearchVocabulary.snapshot_id.not_in(kept)))


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
        names = name_terms(composed(entry.names).splitlines(), Sign.name, Sign.in_name)
        names += name_terms([row.heading], Sign.heading, Sign.in_heading)
        _add_words(db, row, (title, row.heading, row.text, composed(around)), names)


@dataclass(frozen=True)
class Field:
    """A field's words, the stem of each, and what else it is found by."""

    words: list[str]
    stems: list[str]
    more: list[str]


def _add_words(db: Session, row: SearchEntry, texts: tuple[str, str, str, str], names: list[str]) -> None:
    """`texts`: the title, the heading, the text and what is around it."""
    fields = [
        Field([word.text for word in words(text)][:MAX_ENTRY_WORDS], stem_terms(text)[:MAX_ENTRY_WORDS], [])
        for text in texts
    ]
    fields[3].more.extend(term for text in texts for term in piece_terms(text))
    if _is_sqlite(db):
        columns = dict(zip(("title", "heading", "words", "around"), map(_spaced, fields), strict=True))
        db.execute(_ADD_SQLITE, {"id": row.id, **columns, "names": " ".join(names)})
    else:
        db.execute(_ADD_POSTGRESQL, {"id": row.id, "words": _tsvector(fields, names)})


_ADD_SQLITE = text(
    "INSERT INTO search_words (rowid, title, heading, words, around, names)"
    " VALUES (:id, :title, :heading, :words, :around, :names)"
)
_ADD_POSTGRESQL = text("INSERT INTO search_words (entry_id, words) VALUES (:id, CAST(:words AS tsvector))")
MAX_POSITION = 16_383  # PostgreSQL's


def _spaced(field: Field) -> str:
    return " ".join((*field.words, *field.stems, *field.more))


def _tsvector(fields: Iterable[Field], names: Iterable[str]) -> str:
    """`'d_model':1A '=d_model':1A 'take':5C`: a word and its stem share a place. A gap between fields, so that no
    phrase reaches from one into the next."""
    written = []
    position = 0
    for weight, field in zip("ABCD", fields, strict=True):
        position += 2
        for word, stem in zip(field.words, field.stems, strict=True):
            position += 1
            written += [f"'{term}':{min(position, MAX_POSITION)}{weight}" for term in (word, stem)]
        for term in field.more:
            position += 1
            written.append(f"'{term}':{min(position, MAX_POSITION)}{weight}")
    written += [f"'{name}':{min(position + 1, MAX_POSITION)}B" for name in names]
    return " ".join(written)


def _is_sqlite(db: Session) -> bool:
    return db.get_bind().dialect.name == "sqlite"


def is_beside_the_models(name: str | None) -> bool:
    """Whether a table is one of the full-text index's own, which each database has in its own way."""
    return name is not None and name.startswith("search_words")
