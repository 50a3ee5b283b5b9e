"""Reset links on their way: asked for by anybody, made for those who have an account, sent by mail or printed.

attack: ask for one address after another, and read from the answer, or from its time, who has an account.
defence: the request only puts the address into a line. A thread looks it up, and makes and sends the link.
"""

from queue import Full, Queue
from threading import Thread

import structlog

from app.db import Database
from app.people.audit import Via, note, person
from app.people.resets import open_reset
from app.people.users import user_by_email
from app.web.mail import Letter, MailServer, reason_of

log = structlog.get_logger("lectern.people")

WAITING_MAX = 500
END_SECONDS = 1.0  # for the letter that is under way
SUBJECT = "Choose a new password for Lectern"
TEXT = """\
Somebody, probably you, asked for a new password for your Lectern account {email}.

To choose one, open this link within an hour:

{link}

The link works once. If you did not ask for it, you can ignore this letter: your password has not changed.
"""


class ResetLinks:
    """`origin`: what links begin with. Without `mail` they are printed to the console, for the operator."""

    def __init__(self, database: Database, origin: str, mail: MailServer | None) -> None:
        self.is_mailed = mail is not None
        self._database, self._origin, self._mail = database, origin, mail
        self._waiting: Queue[str | None] = Queue(WAITING_MAX)
        self._thread = Thread(target=self._run, name="reset-links", daemon=True)

    def start(self) -> None:
        if not self.is_mailed:
            log.info("reset_links_are_printed_here", why="LECTERN_SMTP is not set, or LECTERN_LETTERS_OFF names reset")
        self._thread.start()

    def close(self, wait_seconds: float = END_SECONDS) -> None:
        """Answer those who wait, for `wait_seconds` at most. The others get no link, and may ask again."""
        self._put(None)
        self._thread.join(wait_seconds)

    def ask(self, email: str) -> None:
        """`email` as `accounts.read_email` returns it, whether or not anybody has it."""
        self._put(email)

    def _put(self, email: str | None) -> None:
        try:
            self._waiting.put_nowait(email)
        except Full:
            log.error("reset_link_not_sent", why=f"{WAITING_MAX} wait already")

    def _run(self) -> None:
        while (email := self._waiting.get()) is not None:
            try:
                self._make(email)
            except OSError as error:
                log.error("reset_link_not_sent", why=reason_of(error))
            except Exception as error:  # a database that is away: the next one finds it again
                log.error("reset_link_not_sent", exc_info=error)

    def _make(self, email: str) -> None:
        with self._database.writing() as db:
            user = user_by_email(db, email)
            token = None
            if user is not None and user.disabled_at is None:
                token = open_reset(db, user)
                note(db, None, person(user.id), "password reset asked for", via=Via.visitor)
        if token is not None:
            self._send(email, f"{self._origin}/password-resets/{token}")

    def _send(self, email: str, link: str) -> None:
        if self._mail is None:
            print(f"New password for {email}, within an hour: {link}", flush=True)  # noqa: T201 (for the operator)
        else:
            self._mail.send(Letter(email, SUBJECT, TEXT.format(email=email, link=link)))
