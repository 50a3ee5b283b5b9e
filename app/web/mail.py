"""Mail: one short letter at a time, by the SMTP server that the operator names. It is slow: call it in a thread."""

import smtplib
import ssl
from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import formatdate, make_msgid, parseaddr
from urllib.parse import unquote, urlsplit

from email_validator import validate_email

from app.settings import Settings, is_loopback

TIMEOUT_SECONDS = 20.0  # for each answer of the server
PORTS = {"smtp": 587, "smtps": 465}


@dataclass(frozen=True)
class Letter:
    """`to` is an address as it is stored (accounts.py). `headers`: besides those that every letter has."""

    to: str
    subject: str
    text: str
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class MailServer:
    """Where letters go, and in whose name. Neither a log nor a page shows `url`: it holds the password."""

    url: str
    sender: str

    def send(self, letter: Letter) -> None:
        """Raises OSError, which all of smtplib's errors are."""
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = self.sender, _ascii(letter.to), letter.subject
        message["Date"] = formatdate()
        message["Message-ID"] = make_msgid(domain=self._domain)
        message["Auto-Submitted"] = "auto-generated"  # no absence note answers it
        for name, value in letter.headers:
            message[name] = value
        message.set_content(letter.text)
        with self._connect() as smtp:
            smtp.send_message(message)

    @property
    def _domain(self) -> str:
        return parseaddr(self.sender)[1].rpartition("@")[2]

    def _connect(self) -> smtplib.SMTP:
        """attack: somebody on the way takes STARTTLS out of what the server offers, and reads the password and the
        letter. defence: without encryption nothing is sent, except to this machine."""
        parts = urlsplit(self.url)
        host, port = parts.hostname or "", parts.port or PORTS[parts.scheme]
        if parts.scheme == "smtps":
            context = ssl.create_default_context()
            smtp: smtplib.SMTP = smtplib.SMTP_SSL(host, port, self._domain, timeout=TIMEOUT_SECONDS, context=context)
        else:  # without a name to greet with, smtplib asks the network for this machine's, which may take long
            smtp = smtplib.SMTP(host, port, self._domain, timeout=TIMEOUT_SECONDS)
        try:
            if parts.scheme == "smtp" and not is_loopback(host):
                smtp.starttls(context=ssl.create_default_context())
            if parts.username is not None:
                smtp.login(unquote(parts.username), unquote(parts.password or ""))
        except BaseException:
            smtp.close()
            raise
        return smtp


def mail_server_of(settings: Settings) -> MailServer | None:
    """None where none is named."""
    url = settings.smtp.get_secret_value()
    return MailServer(url, settings.mail_from) if url else None


def reason_of(error: OSError) -> str:
    """For the log: what the server answered by number, or what the system says. Its words may quote an address."""
    if isinstance(error, smtplib.SMTPResponseException):
        return f"{type(error).__name__} {error.smtp_code}"
    return f"{type(error).__name__} {error.strerror or ''}".strip()


def _ascii(address: str) -> str:
    """An international domain as mail servers know it; an international name needs a server that takes one."""
    return validate_email(address, check_deliverability=False, test_environment=True).ascii_email or address
