"""The outbox: letters to people, written in the transaction of what they tell, and sent by one thread of each process.

A letter is claimed before it is sent: its next try moves ahead by a lease, in a transaction that skips what another
process has claimed. So several processes send each letter once. A process that dies between sending a letter and
marking it as sent leaves that one to be sent again, when the lease ends.

attack: read the database, or a backup, and open the link of a letter that waits. defence: a link with a token is made
when its letter is sent. What is stored is the token's hash.
attack: letters to an address that refuses them, for ever. defence: tries are few and ever further apart.
"""

import smtplib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Event, Thread
from typing import Any

import structlog
from sqlalchemy import ForeignKey, Index, LargeBinary, String, Text, delete, select, text, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.db import Base, Database, Moment, now
from app.people.belongings import Belonging, register, take_over_new
from app.people.users import User, hash_token, new_token
from app.web.mail import Letter, MailServer, reason_of

log = structlog.get_logger("lectern.people")

POLL_SECONDS = 1.0
END_SECONDS = 1.0  # for the letter that is under way
LEASE = timedelta(minutes=10)  # longer than a mail server may take: 20 s for each of its answers
BACKOFF = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 120, 360, 720, 1440))
MAX_ATTEMPTS = len(BACKOFF) + 1
LOT = 500  # deleted in one transaction
STOP = "/unsubscriptions"
_WAITING = "sent_at IS NULL AND given_up_at IS NULL"


class OutgoingLetter(Base):
    """`path`: what its link leads to; None: its kind makes the link when it is sent, from `about`. `dedupe`: no other
    letter has the same. `due_at`: when it is tried next. `text` is emptied once it is sent. `stop_hash`: of the token
    with which its receiver switches letters of this kind off."""

    __tablename__ = "outgoing_letter"
    __table_args__ = (
        Index("ix_outgoing_letter_due_at", "due_at", sqlite_where=text(_WAITING), postgresql_where=text(_WAITING)),
        Index("ix_outgoing_letter_user_id", "user_id"),
        Index("ix_outgoing_letter_created_at", "created_at"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int | None] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"))
    kind: Mapped[str] = mapped_column(String(16))
    to: Mapped[str] = mapped_column(String(254))
    subject: Mapped[str] = mapped_column(String(300))
    text: Mapped[str] = mapped_column(Text)
    path: Mapped[str | None] = mapped_column(String(500))
    about: Mapped[str] = mapped_column(String(40), default="", server_default="")
    dedupe: Mapped[str] = mapped_column(String(300), unique=True)
    created_at: Mapped[datetime] = mapped_column(Moment, default=now)
    due_at: Mapped[datetime] = mapped_column(Moment, default=now)
    attempts: Mapped[int] = mapped_column(default=0, server_default="0")
    sent_at: Mapped[datetime | None] = mapped_column(Moment)
    given_up_at: Mapped[datetime | None] = mapped_column(Moment)
    last_error: Mapped[str] = mapped_column(String(120), default="", server_default="")
    stop_hash: Mapped[bytes | None] = mapped_column(LargeBinary(32), unique=True)


class LetterChoice(Base):
    """A kind of letters that a person has switched off."""

    __tablename__ = "letter_choice"

    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"), primary_key=True)
    kind: Mapped[str] = mapped_column(String(16), primary_key=True)
    off_since: Mapped[datetime] = mapped_column(Moment, default=now)


# (db, letter): the path of its link, made now; None where the letter is of no use any more.
MakeLink = Callable[[Session, OutgoingLetter], str | None]


@dataclass(frozen=True)
class Kind:
    """A kind of letters. `title`: as /me names it, to anyone who may switch it off; None: nobody needs to."""

    name: str
    title: str | None = None
    make_link: MakeLink | None = None


_kinds: dict[str, Kind] = {}


def register_kind(kind: Kind) -> None:
    """Raises ValueError for a name that is taken."""
    if kind.name in _kinds:
        raise ValueError(f"{kind.name}: this kind of letters is taken")
    _kinds[kind.name] = kind


def optional_kinds() -> list[Kind]:
    """Those that a person can switch off."""
    return [kind for kind in _kinds.values() if kind.title is not None]


def post(
    db: Session,
    kind: str,
    to: str,
    subject: str,
    body: str,
    *,
    dedupe: str,
    user_id: int | None = None,
    path: str | None = None,
    about: str = "",
) -> bool:
    """Puts a letter into the outbox. False, and nothing is done, where one with this `dedupe` was there already."""
    fields = {"kind": kind, "to": to, "subject": subject[:300], "text": body, "dedupe": dedupe, "user_id": user_id}
    return post_all(db, [{**fields, "path": path, "about": about}]) > 0


def post_all(db: Session, letters: Sequence[dict[str, Any]]) -> int:
    """As `post`, many at once. Returns how many are new."""
    if not letters:
        return 0
    rows = [{"created_at": now(), "due_at": now(), "attempts": 0, "last_error": "", **fields} for fields in letters]
    insert = _insert(db)(OutgoingLetter.__table__).on_conflict_do_nothing(index_elements=["dedupe"])
    return db.connection().execute(insert, rows, execution_options={"preserve_rowcount": True}).rowcount


def _insert(db: Session) -> Any:
    return sqlite.insert if db.get_bind().dialect.name == "sqlite" else postgresql.insert


# ---- what a person wants to get ---------------------------------------------------------------------------------


def choices_of(db: Session, user_id: int) -> dict[str, bool]:
    """By kind: whether this person gets it."""
    off = set(db.scalars(select(LetterChoice.kind).where(LetterChoice.user_id == user_id)))
    return {kind.name: kind.name not in off for kind in optional_kinds()}


def choose(db: Session, user_id: int, wanted: Iterable[str]) -> None:
    """From now on this person gets these kinds, and none of the others that can be switched off."""
    kept = set(wanted)
    for name, is_on in choices_of(db, user_id).items():
        if is_on and name not in kept:
            db.add(LetterChoice(user_id=user_id, kind=name))
        elif name in kept and not is_on:
            db.delete(db.get_one(LetterChoice, (user_id, name)))
    db.flush()


def kind_to_stop(db: Session, token: str) -> Kind | None:
    """The kind of letters that this link switches off; None for a link that is unknown, or too old."""
    found = select(OutgoingLetter.kind).where(OutgoingLetter.stop_hash == hash_token(token))
    return _kinds.get(db.scalar(found) or "")


def stop(db: Session, token: str) -> Kind | None:
    """As `kind_to_stop`, and it is switched off."""
    letter = db.scalar(select(OutgoingLetter).where(OutgoingLetter.stop_hash == hash_token(token)))
    if letter is None or letter.user_id is None:
        return None
    if db.get(LetterChoice, (letter.user_id, letter.kind)) is None:
        db.add(LetterChoice(user_id=letter.user_id, kind=letter.kind))
        db.flush()
    return _kinds.get(letter.kind)


# ---- sending ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Claimed:
    """A letter that this process sends. `attempt` fences off a process that was taken for dead."""

    id: int
    attempt: int
    letter: Letter


class Outbox:
    """`origin`: what links begin with. `off`: kinds that the operator does not send. Without a mail server letters are
    printed to the console, for anyone who develops."""

    def __init__(self, database: Database, origin: str, mail: MailServer | None, off: Iterable[str] = ()) -> None:
        self.is_mailed = mail is not None
        self._database, self._origin, self._mail, self._off = database, origin, mail, frozenset(off)
        self._end = Event()
        self._thread = Thread(target=self._run, name="outbox", daemon=True)

    def sends(self, kind: str) -> bool:
        """Whether a letter of this kind leaves here by mail."""
        return self.is_mailed and kind not in self._off

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """What still waits is sent after the next start."""
        self._end.set()
        self._thread.join(END_SECONDS)

    def _run(self) -> None:
        while not self._end.wait(POLL_SECONDS):
            try:
                self.send_due(self._end.is_set)
            except Exception as error:  # a database that is away: the next round finds the same letters
                log.error("outbox_failed", exc_info=error)

    def send_due(self, should_stop: Callable[[], bool] = lambda: False) -> int:
        """Tries what is due, until a mail server cannot be reached. Returns how many were sent."""
        count = 0
        while not should_stop() and self._is_any_due():
            claimed = self._claim()
            if claimed is None:
                continue
            try:
                self._send(claimed.letter)
            except OSError as error:
                self._failed(claimed, reason_of(error), is_final=_is_final(error))
                if not isinstance(error, smtplib.SMTPResponseException | smtplib.SMTPRecipientsRefused):
                    break  # nobody answers: the other letters need not find out, each in its turn
            except ValueError as error:  # an address, or a header, that no letter can have
                self._failed(claimed, type(error).__name__, is_final=True)
            else:
                self._mark(claimed, sent_at=now(), text="", last_error="")
                count += 1
        return count

    def _is_any_due(self) -> bool:
        with self._database.reading() as db:
            return db.scalar(select(OutgoingLetter.id).where(*_due()).limit(1)) is not None

    def _claim(self) -> _Claimed | None:
        """None where another process was quicker, or where the letter is not to be sent any more."""
        with self._database.writing() as db:
            first = select(OutgoingLetter).where(*_due()).order_by(OutgoingLetter.due_at, OutgoingLetter.id)
            row = db.scalar(first.limit(1).with_for_update(skip_locked=True))
            if row is None:
                return None
            why = self._why_not(db, row)
            letter = None if why else self._composed(db, row)
            if letter is None:
                row.given_up_at, row.last_error, row.text = now(), why or "of no use any more", ""
                return None
            row.attempts += 1
            row.due_at = now() + LEASE
            return _Claimed(row.id, row.attempts, letter)

    def _why_not(self, db: Session, row: OutgoingLetter) -> str:
        if row.attempts >= MAX_ATTEMPTS:
            return row.last_error or f"given up after {row.attempts} attempts"
        if row.kind in self._off:
            return "switched off by the operator"
        if row.user_id is not None:
            user = db.get(User, row.user_id)
            if user is None or user.disabled_at is not None:
                return "the account is disabled"
            if db.get(LetterChoice, (row.user_id, row.kind)) is not None:
                return "switched off by its receiver"
        return ""

    def _composed(self, db: Session, row: OutgoingLetter) -> Letter | None:
        kind = _kinds[row.kind]
        path = row.path if row.path is not None or kind.make_link is None else kind.make_link(db, row)
        if path is None:
            return None
        body = f"{row.text.rstrip()}\n\n{self._origin}{path}\n"
        if kind.title is None or row.user_id is None:
            return Letter(row.to, row.subject, body)
        token = new_token()
        row.stop_hash = hash_token(token)
        body += f"\n--\nYou get letters like this because of your account. To get no more of them:\n" \
                f"{self._origin}{STOP}/{token}\nAll your choices: {self._origin}/me/letters\n"  # fmt: skip
        one_click = f"<{self._origin}/api/v1{STOP}/{token}>"
        headers = (("List-Unsubscribe", one_click), ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"))
        return Letter(row.to, row.subject, body, headers)

    def _send(self, letter: Letter) -> None:
        if self._mail is None:
            print(f"Letter to {letter.to}: {letter.subject}\n\n{letter.text}", flush=True)  # noqa: T201 (for the operator)
        else:
            self._mail.send(letter)

    def _failed(self, claimed: _Claimed, why: str, *, is_final: bool) -> None:
        log.error("letter_not_sent", letter=claimed.id, attempt=claimed.attempt, why=why)
        if is_final or claimed.attempt >= MAX_ATTEMPTS:
            self._mark(claimed, given_up_at=now(), last_error=why[:120], text="")
        else:
            self._mark(claimed, due_at=now() + BACKOFF[claimed.attempt - 1], last_error=why[:120])

    def _mark(self, claimed: _Claimed, **values: Any) -> None:
        mine = update(OutgoingLetter).where(OutgoingLetter.id == claimed.id, OutgoingLetter.attempts == claimed.attempt)
        with self._database.writing() as db:
            db.execute(mine.values(**values).execution_options(synchronize_session=False))


def _due() -> tuple[Any, ...]:
    waiting = OutgoingLetter.sent_at.is_(None), OutgoingLetter.given_up_at.is_(None)
    return *waiting, OutgoingLetter.due_at <= now()


def _is_final(error: OSError) -> bool:
    """Whether the same letter would be refused again."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return all(500 <= code < 600 for code, _ in error.recipients.values())
    return isinstance(error, smtplib.SMTPDataError) and 500 <= error.smtp_code < 600


def forget_letters(database: Database, before: datetime, should_stop: Callable[[], bool] = lambda: False) -> int:
    """Letters that were written before then, whatever became of them. Returns how many."""
    count = 0
    while not should_stop():
        with database.writing() as db:
            old = select(OutgoingLetter.id).where(OutgoingLetter.created_at <= before).limit(LOT)
            ids = list(db.scalars(old))
            db.execute(delete(OutgoingLetter).where(OutgoingLetter.id.in_(ids)))
        count += len(ids)
        if len(ids) < LOT:
            break
    return count


register(
    Belonging(
        370,
        "letters",
        "Letters",
        "Which letters we sent you by mail, and when. Their text is deleted once they are sent.",
        OutgoingLetter,
        frozenset({"stop_hash", "dedupe", "about", "path"}),
    )
)
register(
    Belonging(
        371,
        "letters_switched_off",
        "Letters you switched off",
        "Which letters you do not want.",
        LetterChoice,
        merge=take_over_new(LetterChoice),
    )
)
