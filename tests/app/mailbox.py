"""A mail server on this machine that keeps what it is sent: the tests read letters as their receivers would."""

import base64
import re
import socketserver
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import cast


class Mailbox(socketserver.ThreadingTCPServer):
    """`letters`: as they came. `signed_in`: name and password of those who signed in. `refuses`: every receiver."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, *, refuses: bool = False, hangs: bool = False) -> None:
        super().__init__(("127.0.0.1", 0), _Conversation)
        self.refuses, self.hangs = refuses, hangs
        self.letters: list[EmailMessage] = []
        self.signed_in: list[tuple[str, str]] = []
        self.lines: list[str] = []
        self.ended = threading.Event()

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def wait_for(self, count: int, seconds: float = 10) -> list[EmailMessage]:
        deadline = time.monotonic() + seconds
        while len(self.letters) < count:
            assert time.monotonic() < deadline, f"{len(self.letters)} of {count} letters came"
            time.sleep(0.01)
        return self.letters


class _Conversation(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        box = cast(Mailbox, self.server)
        if box.hangs:
            box.ended.wait()
            return
        self._say("220 mailbox")
        while line := self.rfile.readline().decode().rstrip("\r\n"):
            box.lines.append(line)
            match line.partition(" ")[0].upper():
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
def open_mailbox(*, refuses: bool = False, hangs: bool = False) -> Iterator[Mailbox]:
    with Mailbox(refuses=refuses, hangs=hangs) as box:
        thread = threading.Thread(target=box.serve_forever, args=(0.01,), name="mailbox")
        thread.start()
        try:
            yield box
        finally:
            box.ended.set()
            box.shutdown()
            thread.join(10)


def link_in(letter: EmailMessage) -> str:
    """The path of the link."""
    found = re.search(r"https?://[^/\s]+(/password-resets/\S+)", letter.get_content())
    assert found is not None, letter.get_content()
    return found[1]
