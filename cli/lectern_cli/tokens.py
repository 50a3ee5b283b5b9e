"""The tokens of a student, one for each server, in their configuration folder.

attack: another user of the machine reads the file, or a folder from somebody else names their server as the one to
submit to. defence: only the student can read the file, from the moment it exists; a token is found by the exact address
that it came from, scheme and port included.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from lectern_cli.terminal import stop

_TOKEN = re.compile(r"[\x21-\x7e]{1,500}")


@dataclass(frozen=True)
class Kept:
    token: str
    who: str  # an e-mail address, or "guest"

    @property
    def is_guest(self) -> bool:
        return self.who == "guest"


def is_token(text: object) -> bool:
    """attack: a line break in it, which would begin a header of the server's own choice."""
    return isinstance(text, str) and bool(_TOKEN.fullmatch(text))


def place() -> Path:
    """`lectern/tokens.json` in the folder where this system keeps a user's settings."""
    default = os.environ.get("APPDATA") if os.name == "nt" else os.environ.get("XDG_CONFIG_HOME")
    return (Path(default) if default else Path.home() / ".config") / "lectern" / "tokens.json"


def all_kept() -> dict[str, Kept]:
    try:
        found = json.loads(place().read_text("utf-8"))
        return {str(address): Kept(str(one["token"]), str(one["who"])) for address, one in found.items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        stop(f"{place()} cannot be read: {error}.", "Delete it, then sign in again.")


def keep(address: str, token: str, who: str) -> None:
    _write({**all_kept(), address: Kept(token, who)})


def forget(address: str) -> None:
    _write({other: one for other, one in all_kept().items() if other != address})


def _write(kept: Mapping[str, Kept]) -> None:
    try:
        place().parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        replace_file(place(), json.dumps({address: asdict(one) for address, one in kept.items()}, indent=1))
    except OSError as error:
        stop(f"{place()} cannot be written: {error.strerror}.", "Make its folder yours, then try again.")


def replace_file(path: Path, content: str | bytes, mode: int = 0o600) -> None:
    """The file as a whole or not at all. A link that lies there is replaced, never followed."""
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # which makes it 0600
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        os.chmod(name, mode)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
