"""A mail server on this machine that keeps what it is sent: the tests read letters as their receivers would."""

import base64
import re
import socketserver
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import cast

from tests.waiting import until, until_ended


class Mailbox(socketserver.ThreadingTCPServer):
    """`letters`: as they came. `signed_in`: name and password of those who signed in. `refuses`: every receiver.

    With a `certificate` and its key it speaks TLS: from the first byte, or once STARTTLS asks for it.
    """

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, certificate: tuple[Path, Path] | None, *, by_starttls: bool, refuses: bool, hangs: bool) -> None:
        super().__init__(("127.0.0.1", 0), _Conversation)
        self.tls: ssl.SSLContext | None = None
        if certificate is not None:
            self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.tls.load_cert_chain(*certificate)
        self.by_starttls = by_starttls
        self.refuses, self.hangs = refuses, hangs
        self.letters: list[EmailMessage] = []
        self.signed_in: list[tuple[str, str]] = []
        self.lines: list[str] = []
        self.ended = threading.Event()

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def wait_for(self, count: int) -> list[EmailMessage]:
        until(lambda: len(self.letters) >= count, lambda: f"{len(self.letters)} of {count} letters came")
        return self.letters


class _Conversation(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        box = cast(Mailbox, self.server)
        with suppress(OSError):  # the client does not believe the certificate
            if box.tls is not None and not box.by_starttls:
                self._encrypt(box.tls)
            self._converse(box)

    def finish(self) -> None:
        super().finish()
        if isinstance(self.connection, ssl.SSLSocket):
            self.connection.close()

    def _encrypt(self, tls: ssl.SSLContext) -> None:
        self.connection = tls.wrap_socket(self.connection, server_side=True)
        self.rfile, self.wfile = self.connection.makefile("rb"), self.connection.makefile("wb", 0)

    def _converse(self, box: Mailbox) -> None:
        if box.hangs:
            box.ended.wait()
            return
        self._say("220 mailbox")
        while line := self.rfile.readline().decode().rstrip("\r\n"):
            box.lines.append(line)
            match line.partition(" ")[0].upper():
                case "EHLO" if box.by_starttls and not isinstance(self.connection, ssl.SSLSocket):
                    self._say("250-mailbox\r\n250 STARTTLS")
                case "STARTTLS" if box.tls is not None:
                    self._say("220 go on")
                    self._encrypt(box.tls)
                case "EHLO":
                    self._say("250-mailbox\r\n250 AUTH PLAIN")
                case "AUTH":
                    _, name, password = base64.b64decode(line.split()[-1]).decode().split("\0")
                    box.signed_in.append((name, password))
                    self._say("235 welcome")
                case "RCPT" if box.refuses:
                    self._say("550 there is no " + line)
                case "DATA":
                    self._say("354 go on")
                    box.letters.append(self._read_letter())
                    self._say("250 kept")
                case "QUIT":
                    self._say("221 bye")
                    return
                case _:
                    self._say("250 yes")

    def _say(self, line: str) -> None:
        self.wfile.write(f"{line}\r\n".encode())

    def _read_letter(self) -> EmailMessage:
        lines = []
        while (line := self.rfile.readline()) not in (b".\r\n", b""):
            lines.append(line)
        return message_from_bytes(b"".join(lines), policy=policy.default)


@contextmanager
def open_mailbox(
    *,
    certificate: tuple[Path, Path] | None = None,
    by_starttls: bool = False,
    refuses: bool = False,
    hangs: bool = False,
) -> Iterator[Mailbox]:
    with Mailbox(certificate, by_starttls=by_starttls, refuses=refuses, hangs=hangs) as box:
        thread = threading.Thread(target=box.serve_forever, args=(0.01,), name="mailbox")
        thread.start()
        try:
            yield box
        finally:
            box.ended.set()
            box.shutdown()
            until_ended(thread)


def link_in(letter: EmailMessage, page: str = "password-resets") -> str:
    """The path of the link to one of these pages."""
    found = re.search(rf"https?://[^/\s]+(/{page}/\S+)", letter.get_content())
    assert found is not None, letter.get_content()
    return found[1]
