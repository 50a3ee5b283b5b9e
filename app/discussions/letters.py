"""Letters to staff about a mistake that was reported, where a mail server is set; sent in the background."""

from dataclasses import dataclass
from queue import Full, Queue
from threading import Thread

import structlog
from sqlalchemy import select

from app.db import Database
from app.people.permission import STAFF
from app.people.users import User
from app.web.mail import Letter, MailServer, reason_of

log = structlog.get_logger("lectern.discussions")

WAITING_MAX = 100
END_SECONDS = 1.0  # for the letter that is under way
SUBJECT = "A mistake was reported in Lectern"
TEXT = """\
Somebody reported a mistake in “{title}”:

{text}

All open reports: {link}
"""


@dataclass(frozen=True)
class MistakeLetter:
    title: str
    text: str


class MistakeLetters:
    """`origin`: what links begin with. Without a mail server, the queue on the site is all there is."""

    def __init__(self, database: Database, origin: str, mail: MailServer | None) -> None:
        self._database, self._origin, self._mail = database, origin, mail
        self._waiting: Queue[MistakeLetter | None] = Queue(WAITING_MAX)
        self._thread = Thread(target=self._run, name="mistake-letters", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """What still waits is not sent; the queue on the site has it."""
        self._put(None)
        self._thread.join(END_SECONDS)

    def send(self, letter: MistakeLetter) -> None:
        if self._mail is not None:
            self._put(letter)

    def _put(self, letter: MistakeLetter | None) -> None:
        try:
            self._waiting.put_nowait(letter)
        except Full:
            log.error("mistake_letter_not_sent", why=f"{WAITING_MAX} wait already")

    def _run(self) -> None:
        while (letter := self._waiting.get()) is not None:
            try:
                receivers = self._staff()
            except Exception as error:  # a database that is away: the next one finds it again
                log.error("mistake_letter_not_sent", exc_info=error)
                continue
            for email in receivers:
                self._send(email, letter)

    def _staff(self) -> list[str]:
        with self._database.reading() as db:
            able = User.role.in_(STAFF), User.email.is_not(None), User.disabled_at.is_(None)
            addresses = db.scalars(select(User.email).where(*able))
            return [email for email in addresses if email]

    def _send(self, email: str, letter: MistakeLetter) -> None:
        assert self._mail is not None
        text = TEXT.format(title=letter.title, text=letter.text, link=f"{self._origin}/reports")
        try:
            self._mail.send(Letter(email, SUBJECT, text))
        except OSError as error:
            log.error("mistake_letter_not_sent", why=reason_of(error))
        except Exception as error:
            log.error("mistake_letter_not_sent", exc_info=error)
