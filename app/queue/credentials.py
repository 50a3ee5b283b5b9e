"""Who may say what at the broker: the part of nats-server's configuration that is Lectern's.

attack: a worker, or somebody who broke into its machine, reads what others are sent or reply, answers for them, or
hands out work. defence: its name opens subjects that end in its own name, and no others; the broker holds it to that.
It may answer what it was sent, which is how it acknowledges; of JetStream it may read exercises and streams' names.
"""

import re
from collections.abc import Iterable, Mapping

WEB = "web"
NAME = re.compile(r"[a-z][a-z0-9_-]{0,19}")
SAYS = ("want", "beat", "hello", "cases", "reply", "progress")
HEARS = ("deliver", "recorded", "lost", "yield", "probe", "task", "prepare")


def broker_config(installation: str, passwords: Mapping[str, str]) -> str:
    """All of nats.conf. What the broker has acknowledged is on its disk (`sync_interval`): without that, a power cut
    takes the last two minutes along. Raises as `users` does."""
    return (
        "# Made by `./lectern cluster`, which changes it.\n"
        "listen: 0.0.0.0:4222\nhttp: 127.0.0.1:8222\nmax_payload: 8MB\n"
        "jetstream {\n  store_dir: /data\n  sync_interval: always\n}\n" + users(installation, passwords)
    )


def users(installation: str, passwords: Mapping[str, str]) -> str:
    """The block `authorization`, for the user `web` and workers by name. Raises ValueError for a name that would open
    more than its own."""
    for name in passwords:
        require_name(name)
    rules = {name: _everything(installation) if name == WEB else _own(installation, name) for name in passwords}
    entries = [_entry(name, password, rules[name]) for name, password in passwords.items()]
    return "authorization {\n  users: [\n" + "".join(entries) + "  ]\n}\n"


def require_name(name: str) -> None:
    """Raises ValueError."""
    if not NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no name for a worker: use lower case, digits, - and _, 20 at most")


def _entry(name: str, password: str, permissions: list[str]) -> str:
    lines = "".join(f"        {line}\n" for line in permissions)
    return f'    {{\n      user: {name}\n      password: "{password}"\n      permissions: {{\n{lines}      }}\n    }}\n'


def _everything(installation: str) -> list[str]:
    bucket = f"{installation}-exercises"
    publish = (f"{installation}.>", "$JS.API.>", "$JS.ACK.>", f"$O.{bucket}.>", "_INBOX.>")
    never = ("$JS.API.STREAM.DELETE.>", "$JS.API.STREAM.PURGE.>", "$JS.API.CONSUMER.DELETE.>")
    return [
        f"publish: {{ allow: {_quoted(publish)}, deny: {_quoted(never)} }}",
        f"subscribe: {_quoted((f'{installation}.>', f'_INBOX.{WEB}.>'))}",
    ]


def _own(installation: str, name: str) -> list[str]:
    bucket = f"OBJ_{installation}-exercises"
    reads = (
        "$JS.API.STREAM.NAMES",
        f"$JS.API.STREAM.INFO.{bucket}",
        f"$JS.API.STREAM.MSG.GET.{bucket}",
        f"$JS.API.DIRECT.GET.{bucket}.>",
        f"$JS.API.CONSUMER.CREATE.{bucket}",
        f"$JS.API.CONSUMER.CREATE.{bucket}.>",
        f"$JS.API.CONSUMER.DELETE.{bucket}.>",
        f"$JS.FC.{bucket}.>",
    )
    publish = (*(f"{installation}.{word}.{name}.*" for word in SAYS), f"{installation}.exercise", *reads)
    subscribe = (*(f"{installation}.{word}.{name}.*" for word in HEARS), f"_INBOX.{name}.>")
    return [
        f"publish: {_quoted(publish)}",
        f"subscribe: {_quoted(subscribe)}",
        'allow_responses: { max: 100000, expires: "2h" }',
    ]


def _quoted(subjects: Iterable[str]) -> str:
    return "[" + ", ".join(f'"{subject}"' for subject in subjects) + "]"
