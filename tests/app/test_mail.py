"""Letters are sent encrypted, to a server that proves its name, or not at all."""

import ssl
import subprocess
from pathlib import Path

import pytest

from app.web.mail import Letter, MailServer

from .mailbox import open_mailbox

LETTER = Letter("ada@example.org", "Your new password", "A link.")
SENDER = "Lectern <lectern@example.org>"
# Reaches this machine, yet is no loopback address: what holds for a server elsewhere holds for it.
ELSEWHERE = "0.0.0.0"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate for `localhost` and ELSEWHERE, signed by itself, and its key."""
    folder = tmp_path_factory.mktemp("certificate")
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    names = f"subjectAltName=DNS:localhost,IP:{ELSEWHERE}"
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    files = ["-keyout", str(key), "-out", str(certificate), "-days", "2", "-subj", "/CN=localhost", "-addext", names]
    subprocess.run([*command, *files], check=True, capture_output=True)
    return certificate, key


def test_a_letter_goes_over_tls(certificate: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
    with open_mailbox(certificate=certificate) as box:
        MailServer(f"smtps://a%40b:secret@localhost:{box.port}", SENDER).send(LETTER)
    assert box.signed_in == [("a@b", "secret")]
    assert [letter["Subject"] for letter in box.letters] == [LETTER.subject]


def test_a_letter_goes_once_the_connection_is_encrypted(
    certificate: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
    with open_mailbox(certificate=certificate, by_starttls=True) as box:
        MailServer(f"smtp://a:secret@{ELSEWHERE}:{box.port}", SENDER).send(LETTER)
    assert len(box.letters) == 1
    commands = [line.partition(" ")[0].upper() for line in box.lines]
    assert commands.index("STARTTLS") < commands.index("AUTH")


@pytest.mark.parametrize("by_starttls", [False, True])
def test_a_server_that_proves_no_name_gets_nothing(certificate: tuple[Path, Path], by_starttls: bool) -> None:
    scheme, host = ("smtp", ELSEWHERE) if by_starttls else ("smtps", "localhost")
    with open_mailbox(certificate=certificate, by_starttls=by_starttls) as box:
        with pytest.raises(ssl.SSLCertVerificationError):
            MailServer(f"{scheme}://a:secret@{host}:{box.port}", SENDER).send(LETTER)
        assert (box.signed_in, box.letters) == ([], [])


def test_a_server_without_encryption_gets_nothing() -> None:
    with open_mailbox() as box:
        with pytest.raises(OSError, match="STARTTLS"):
            MailServer(f"smtp://a:secret@{ELSEWHERE}:{box.port}", SENDER).send(LETTER)
        assert (box.signed_in, box.letters) == ([], [])
