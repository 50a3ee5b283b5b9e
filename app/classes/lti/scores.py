"""Scores on their way to a platform's gradebook (Assignment and Grade Services): what each column there is to say, and
what it has been told. A sweep compares the two with our gradebook, so that whatever changes a score is noticed: a
verdict, an extension, a replaced score, another policy. Nobody has to tell it.

A row is claimed by one process before it is sent, by an update that only one of them makes, and is let go by the same
claim: what was sent late by a process that had lost its claim changes nothing here. A platform takes a score only if
its time is later than the last one's: each attempt has a later time than the one before, and it is stored before it is
sent. What cannot be sent is tried again, later each time; what the platform refuses is kept with its reason.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from secrets import token_hex
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import structlog
from sqlalchemy import (
    CheckConstraint,
    Double,
    ForeignKey,
    Index,
    String,
    UniqueConstraint,
    and_,
    func,
    or_,
    select,
    update,
)
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.classes.assignments import Assignment, assignments_of, title_of
from app.classes.classes import Class, Member
from app.classes.gradebook import gradebook_of
from app.classes.lti.accounts import accounts_of
from app.classes.lti.contexts import Context
from app.classes.lti.launches import LaunchClaims
from app.classes.lti.platforms import Platform
from app.classes.lti.services import LINE_ITEM_SCOPE, SCORE_SCOPE, Service, service_of
from app.classes.lti.wire import Refused, Wire, read_json
from app.db import Base, Database, Moment, now
from app.people.audit import note
from app.people.belongings import Belonging, register, take_over_new
from app.reading.catalog import Catalog
from app.web.errors import Invalid, NotFound
from app.web.outgoing import MAX_URL, Unreachable

log = structlog.get_logger("lectern.lti")

MAXIMUM = 100
COMPARE_EVERY = timedelta(seconds=60)
CLAIMED_FOR = timedelta(minutes=2)  # four calls of ten seconds each, and some
FIRST_AGAIN, LAST_AGAIN = timedelta(seconds=30), timedelta(hours=6)
MAX_TRIES = 40  # eight days
LOT = 50
LINE_ITEMS = "application/vnd.ims.lis.v2.lineitemcontainer+json"
LINE_ITEM = "application/vnd.ims.lis.v2.lineitem+json"
SCORE = "application/vnd.ims.lis.v1.score+json"
TRY_AGAIN = frozenset({401, 408, 409, 423, 425, 429})


class LineItem(Base):
    """An assignment whose scores go to a context's platform. `url`: its column there; empty until it is found or made.
    `fault`: why it could not be."""

    __tablename__ = "lti_line_item"
    __table_args__ = (
        UniqueConstraint("context_id", "kind", "slug"),
        CheckConstraint("kind IN ('exercise', 'quiz')", "kind"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    context_id: Mapped[int] = mapped_column(ForeignKey("lti_context.id", ondelete="CASCADE"))
    kind: Mapped[str] = mapped_column(String(16))
    slug: Mapped[str] = mapped_column(String(120))
    url: Mapped[str] = mapped_column(String(MAX_URL), default="", server_default="")
    fault: Mapped[str] = mapped_column(String(300), default="", server_default="")
    tries: Mapped[int] = mapped_column(default=0)
    next_at: Mapped[datetime] = mapped_column(Moment, default=now)
    claim: Mapped[str] = mapped_column(String(32), default="", server_default="")
    claimed_until: Mapped[datetime | None] = mapped_column(Moment)

    @property
    def key(self) -> tuple[str, str]:
        return self.kind, self.slug


class SentScore(Base):
    """`score`: what the platform is to show, in [0, 1]; None: nothing, where it showed something. `sent_score`: what it
    was told last, at `sent_at`. `timed_at`: the time that the newest attempt gave."""

    __tablename__ = "lti_score"
    __table_args__ = (
        CheckConstraint("state IN ('waiting', 'sent', 'failed')", "state"),
        Index("ix_lti_score_user_id", "user_id"),
        Index("ix_lti_score_state_next_at", "state", "next_at"),
    )

    line_item_id: Mapped[int] = mapped_column(ForeignKey("lti_line_item.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"), primary_key=True)
    score: Mapped[float | None] = mapped_column(Double)
    state: Mapped[str] = mapped_column(String(16), default="waiting")
    sent_score: Mapped[float | None] = mapped_column(Double)
    sent_at: Mapped[datetime | None] = mapped_column(Moment)
    timed_at: Mapped[datetime | None] = mapped_column(Moment)
    tries: Mapped[int] = mapped_column(default=0)
    next_at: Mapped[datetime] = mapped_column(Moment, default=now)
    claim: Mapped[str] = mapped_column(String(32), default="", server_default="")
    claimed_until: Mapped[datetime | None] = mapped_column(Moment)
    fault: Mapped[str] = mapped_column(String(300), default="", server_default="")


@dataclass(frozen=True)
class Column:
    """How the scores of an assignment are doing at a platform."""

    assignment: Assignment
    title: str
    item: LineItem | None
    sent: int
    waiting: int
    failed: int

    @property
    def key(self) -> str:
        return resource_id(self.assignment.kind, self.assignment.slug)


@dataclass(frozen=True)
class Failure:
    """A score that a platform does not take, or did not take yet."""

    title: str
    user: int
    why: str
    is_final: bool
    next_at: datetime


def resource_id(kind: str, slug: str) -> str:
    """What a platform keeps of us with a column, by which we find it again."""
    return f"{kind}/{slug}"


def read_resource_id(text: str) -> tuple[str, str]:
    kind, _, slug = text.partition("/")
    return kind, slug


# ---- which assignments are sent -------------------------------------------------------------------------------


def send_scores_of(db: Session, member: Member, context: Context, keys: Sequence[str]) -> int:
    """From now on the scores of these assignments are sent. Returns how many are new. Raises NotFound."""
    known = {row.key: row for row in items_of(db, context)}
    here = {row.key for row in assignments_of(db, member.class_)}
    added = 0
    for key in map(read_resource_id, keys):
        if key not in here:
            raise NotFound("There is no such assignment in this class.", "Reload the page.")
        if key not in known:
            db.add(LineItem(context_id=context.id, kind=key[0], slug=key[1]))
            added += 1
    db.flush()
    if added:
        note(db, member.user, member.class_.as_thing, "scores sent", {"context": context.id, "assignments": added})
    return added


def stop_sending(db: Session, member: Member, context: Context, key: str) -> None:
    """What was sent stays there. Raises NotFound."""
    item = next((one for one in items_of(db, context) if one.key == read_resource_id(key)), None)
    if item is None:
        raise NotFound("The scores of this assignment are not sent.", "Reload the page.")
    db.delete(item)
    note(db, member.user, member.class_.as_thing, "scores not sent", {"context": context.id, "slug": item.slug})
    db.flush()


def learn_line_item(db: Session, context: Context, kind: str, slug: str, claims: LaunchClaims) -> None:
    """A link to an assignment has a column of its own there: that is where its scores go."""
    if not claims.line_item or SCORE_SCOPE not in claims.grade_scopes:
        return
    row = db.scalar(select(LineItem).where(LineItem.context_id == context.id, *_named(kind, slug)))
    if row is None:
        row = LineItem(context_id=context.id, kind=kind, slug=slug)
        db.add(row)
    if not row.url:
        row.url, row.fault = claims.line_item, ""
    db.flush()


def try_again(db: Session, member: Member, context: Context) -> None:
    """All that failed or waits for its next turn is sent as soon as may be."""
    items = [one.id for one in items_of(db, context)]
    again = {"next_at": now(), "tries": 0}
    scores = update(SentScore).where(SentScore.line_item_id.in_(items), SentScore.state != "sent")
    db.execute(scores.values(state="waiting", **again))
    db.execute(update(LineItem).where(LineItem.id.in_(items)).values(**again))
    context.swept_at = None
    note(db, member.user, member.class_.as_thing, "scores sent again", {"context": context.id})
    db.flush()


def items_of(db: Session, context: Context) -> list[LineItem]:
    return list(db.scalars(select(LineItem).where(LineItem.context_id == context.id).order_by(LineItem.id)))


def columns_of(db: Session, catalog: Catalog, class_: Class, context: Context) -> list[Column]:
    items = {row.key: row for row in items_of(db, context)}
    ids = [item.id for item in items.values()]
    states = select(SentScore.line_item_id, SentScore.state, func.count()).where(SentScore.line_item_id.in_(ids))
    grouped = states.group_by(SentScore.line_item_id, SentScore.state)
    counts = {(id, state): count for id, state, count in db.execute(grouped)}
    columns = []
    for row in assignments_of(db, class_):
        item = items.get(row.key)
        sent, waiting, failed = (counts.get((item.id if item else 0, state), 0) for state in _STATES)
        columns.append(Column(row, title_of(catalog, class_, row.kind, row.slug), item, sent, waiting, failed))
    return columns


_STATES = ("sent", "waiting", "failed")


def failures_of(db: Session, catalog: Catalog, class_: Class, context: Context, most: int = 50) -> list[Failure]:
    items = {row.id: row for row in items_of(db, context)}
    faulty = select(SentScore).where(SentScore.line_item_id.in_(items), SentScore.fault != "")
    return [
        Failure(
            title_of(catalog, class_, items[row.line_item_id].kind, items[row.line_item_id].slug),
            row.user_id, row.fault, row.state == "failed", row.next_at,
        )
        for row in db.scalars(faulty.order_by(SentScore.line_item_id, SentScore.user_id).limit(most))
    ]  # fmt: skip


def _named(kind: str, slug: str) -> tuple[Any, ...]:
    return LineItem.kind == kind, LineItem.slug == slug


# ---- comparing ------------------------------------------------------------------------------------------------


def due_contexts(database: Database) -> list[int]:
    """Those that were not compared for a while, and whose scores are sent."""
    before = now() - COMPARE_EVERY
    with database.reading() as db:
        sends = select(LineItem.context_id).where(LineItem.context_id == Context.id).exists()
        old = or_(Context.swept_at.is_(None), Context.swept_at < before)
        return list(db.scalars(select(Context.id).where(sends, old).order_by(Context.swept_at, Context.id).limit(LOT)))


def compare(database: Database, catalog: Catalog, context_id: int) -> int:
    """What is to be sent of one context: how many scores have changed. Nothing where another process compares it."""
    at = now()
    with database.writing(durable=False) as db:
        free = or_(Context.swept_at.is_(None), Context.swept_at < at - COMPARE_EVERY)
        mine = update(Context).where(Context.id == context_id, free).values(swept_at=at)
        if db.scalar(mine.returning(Context.id).execution_options(synchronize_session=False)) is None:
            return 0
    with database.reading() as db:
        context = db.get(Context, context_id)
        if context is None:
            return 0
        class_, items = db.get_one(Class, context.class_id), {row.key: row for row in items_of(db, context)}
        rows = db.execute(
            select(SentScore.line_item_id, SentScore.user_id, SentScore.score).where(
                SentScore.line_item_id.in_([row.id for row in items.values()])
            )
        )
        sent = {(item, user): score for item, user, score in rows}
    book = gradebook_of(database, catalog, class_)
    with database.reading() as db:
        theirs = accounts_of(db, context.platform_id, [row.student.user for row in book.rows if row.student.user])
    changed: list[tuple[int, int, float | None]] = []
    for row in book.rows:
        user = row.student.user
        if user is None or user not in theirs:
            continue
        for column, cell in zip(book.columns, row.cells, strict=True):
            item = items.get(column.key)
            if item is None or cell.is_waiting or cell.is_excused:
                continue
            if cell.score != sent.get((item.id, user)):  # what was never there is no news; what is gone is
                changed.append((item.id, user, cell.score))
    if changed:
        _want(database, changed)
    return len(changed)


def _want(database: Database, changed: Sequence[tuple[int, int, float | None]]) -> None:
    with database.writing() as db:
        for item, user, score in changed:
            if db.get(LineItem, item) is None:
                continue
            row = db.get(SentScore, (item, user), with_for_update=True)
            if row is None:
                row = SentScore(line_item_id=item, user_id=user)
                db.add(row)
            row.score, row.state, row.tries, row.next_at, row.fault = score, "waiting", 0, now(), ""


# ---- sending --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Claimed:
    """A score that this process alone sends, for a while."""

    item: int
    user: int
    claim: str
    score: float | None
    timed_at: datetime
    tries: int


def send_waiting(database: Database, catalog: Catalog, wire: Wire, should_stop: Callable[[], bool]) -> int:
    """All whose turn it is. Returns how many were sent."""
    sent = 0
    for item in _items_to_find(database):
        if not should_stop():
            find_line_item(database, catalog, wire, item)
    away: set[int] = set()  # platforms that do not answer: the rest of their scores waits for the next round
    for item, user, platform in _waiting(database):
        if should_stop():
            break
        if platform not in away:
            outcome = send_score(database, wire, item, user)
            sent += outcome == "sent"
            if outcome == "away":
                away.add(platform)
    return sent


def _waiting(database: Database) -> list[tuple[int, int, int]]:
    at = now()
    with database.reading() as db:
        wanted = (
            select(SentScore.line_item_id, SentScore.user_id, Context.platform_id)
            .join(LineItem, LineItem.id == SentScore.line_item_id)
            .join(Context, Context.id == LineItem.context_id)
            .where(SentScore.state == "waiting", SentScore.next_at <= at, LineItem.url != "")
            .where(or_(SentScore.claimed_until.is_(None), SentScore.claimed_until < at))
        )
        return [(item, user, at_) for item, user, at_ in db.execute(wanted.order_by(SentScore.next_at).limit(LOT * 4))]


def _items_to_find(database: Database) -> list[int]:
    at = now()
    free = or_(LineItem.claimed_until.is_(None), LineItem.claimed_until < at)
    with database.reading() as db:
        missing = select(LineItem.id).where(LineItem.url == "", LineItem.next_at <= at, LineItem.tries < MAX_TRIES)
        return list(db.scalars(missing.where(free).order_by(LineItem.next_at).limit(LOT)))


def find_line_item(database: Database, catalog: Catalog, wire: Wire, id: int) -> None:
    """The assignment's column at the platform: the one that has our name for it, or a new one."""
    claim, at = token_hex(16), now()
    free = or_(LineItem.claimed_until.is_(None), LineItem.claimed_until < at)
    with database.writing() as db:
        mine = update(LineItem).where(LineItem.id == id, LineItem.url == "", LineItem.next_at <= at, free)
        mine = mine.values(claim=claim, claimed_until=at + CLAIMED_FOR, tries=LineItem.tries + 1)
        if db.scalar(mine.returning(LineItem.id).execution_options(synchronize_session=False)) is None:
            return
        item = db.get_one(LineItem, id, populate_existing=True)
        context = db.get_one(Context, item.context_id)
        class_, platform = db.get_one(Class, context.class_id), db.get_one(Platform, context.platform_id)
    url, fault, next_at = "", "", None
    try:
        if not context.line_items_url:
            raise Refused(403, "The platform does not let Lectern use its gradebook. Turn grades on for this tool.")
        title = title_of(catalog, class_, item.kind, item.slug)
        url = _found_or_made(service_of(database, wire, platform), context.line_items_url, item, title)
    except (Refused, Unreachable, Invalid) as why:
        fault = str(why)[:300]
        next_at = at + _pause(item.tries, why)
    with database.writing() as db:
        done = update(LineItem).where(LineItem.id == id, LineItem.claim == claim)
        values = {"url": url, "fault": fault, "claim": "", "claimed_until": None}
        db.execute(done.values(**values, **({"next_at": next_at} if next_at is not None else {})))


def _found_or_made(service: Service, url: str, item: LineItem, title: str) -> str:
    """Raises Refused, Unreachable, Invalid."""
    wanted = resource_id(item.kind, item.slug)
    for page in service.pages((LINE_ITEM_SCOPE,), url, LINE_ITEMS):
        for one in page if isinstance(page, list) else ():
            if isinstance(one, dict) and one.get("resourceId") == wanted and isinstance(one.get("id"), str):
                return _own(service, one["id"])
    body = {"scoreMaximum": MAXIMUM, "label": title, "resourceId": wanted, "tag": "lectern"}
    made = read_json(
        service.ask((LINE_ITEM_SCOPE,), "POST", url, body=json.dumps(body).encode(), kind=LINE_ITEM, accept=LINE_ITEM)
    )
    if not isinstance(made, dict) or not isinstance(made.get("id"), str):
        raise Unreachable("The platform made a column and did not say where.")
    return _own(service, made["id"])


def _own(service: Service, url: str) -> str:
    service.wire.outgoing.require_url(url, "id")
    return url


def send_score(database: Database, wire: Wire, item: int, user: int) -> str:
    """ "sent"; "" where another process has it, or it is refused; "away" where the platform does not answer."""
    claimed = _claim(database, item, user)
    if claimed is None:
        return ""
    with database.reading() as db:
        row = db.get(LineItem, item)
        context = db.get(Context, row.context_id) if row is not None else None
        if row is None or context is None:
            return ""
        platform = db.get_one(Platform, context.platform_id)
        subject = accounts_of(db, platform.id, [user]).get(user)
    if subject is None:
        _done(database, claimed, state="failed", fault="This person's account there is not joined to theirs here.")
        return ""
    try:
        body = json.dumps(_body(claimed, subject)).encode()
        service_of(database, wire, platform).ask((SCORE_SCOPE,), "POST", scores_url(row.url), body=body, kind=SCORE)
    except (Refused, Unreachable) as why:
        final = isinstance(why, Refused) and 400 <= why.status < 500 and why.status not in TRY_AGAIN
        if final or claimed.tries >= MAX_TRIES:
            _done(database, claimed, state="failed", fault=str(why)[:300])
        else:
            _done(database, claimed, next_at=now() + _pause(claimed.tries, why), fault=str(why)[:300])
        log.info("score_not_sent", item=item, user=user, why=str(why)[:300], final=final)
        return "" if isinstance(why, Refused) and why.status < 500 else "away"
    _sent(database, claimed)
    return "sent"


def _claim(database: Database, item: int, user: int) -> Claimed | None:
    claim, at = token_hex(16), now()
    key = and_(SentScore.line_item_id == item, SentScore.user_id == user)
    free = or_(SentScore.claimed_until.is_(None), SentScore.claimed_until < at)
    with database.writing() as db:
        mine = update(SentScore).where(key, SentScore.state == "waiting", SentScore.next_at <= at, free)
        mine = mine.values(claim=claim, claimed_until=at + CLAIMED_FOR, tries=SentScore.tries + 1)
        columns = SentScore.score, SentScore.timed_at, SentScore.tries
        found = db.execute(mine.returning(*columns).execution_options(synchronize_session=False)).one_or_none()
        if found is None:
            return None
        # Later than the last one, whatever this machine's clock says: to the millisecond, which is what is sent.
        timed_at = at.replace(microsecond=at.microsecond // 1000 * 1000)
        if found.timed_at is not None and timed_at <= found.timed_at:
            timed_at = found.timed_at + timedelta(milliseconds=1)
        db.execute(update(SentScore).where(key).values(timed_at=timed_at))
    return Claimed(item, user, claim, found.score, timed_at, found.tries)


def _body(claimed: Claimed, subject: str) -> dict[str, Any]:
    stamp = claimed.timed_at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    body: dict[str, Any] = {"userId": subject, "timestamp": stamp}
    if claimed.score is None:  # what was there is taken back
        return {**body, "activityProgress": "Initialized", "gradingProgress": "NotReady"}
    score = {"scoreGiven": round(claimed.score * MAXIMUM, 4), "scoreMaximum": MAXIMUM}
    return {**body, **score, "activityProgress": "Completed", "gradingProgress": "FullyGraded"}


def _sent(database: Database, claimed: Claimed) -> None:
    """If the score has changed meanwhile, the new one waits."""
    with database.writing() as db:
        row = db.get(SentScore, (claimed.item, claimed.user), with_for_update=True)
        if row is None or row.claim != claimed.claim:
            return
        row.sent_score, row.sent_at, row.claim, row.claimed_until = claimed.score, claimed.timed_at, "", None
        row.fault = ""
        if row.score == claimed.score:
            row.state, row.tries = "sent", 0


def _done(database: Database, claimed: Claimed, **values: Any) -> None:
    key = and_(SentScore.line_item_id == claimed.item, SentScore.user_id == claimed.user)
    with database.writing() as db:
        mine = update(SentScore).where(key, SentScore.claim == claimed.claim)
        db.execute(mine.values(claim="", claimed_until=None, **values))


def _pause(tries: int, why: Exception) -> timedelta:
    """Twice as long each time; longer where the platform asks for it."""
    pause = min(FIRST_AGAIN * (1 << min(tries - 1, 12)), LAST_AGAIN)
    asked = why.retry_after if isinstance(why, Refused) else None
    return max(pause, min(timedelta(seconds=asked), LAST_AGAIN)) if asked else pause


def scores_url(line_item: str) -> str:
    """`…/scores`, before the query, which some platforms need."""
    parts = urlsplit(line_item)
    return urlunsplit(parts._replace(path=parts.path.rstrip("/") + "/scores"))


register(
    Belonging(
        381,
        "lms_scores",
        "Scores sent to a learning management system",
        "Which scores of yours a class has sent to the system that you come in from, and when.",
        SentScore,
        frozenset({"claim", "claimed_until"}),
        merge=take_over_new(SentScore),
    )
)
