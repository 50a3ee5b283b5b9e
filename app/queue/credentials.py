"""Who may say what at the broker: the part of nats-server's configuration that is Lectern's.

attack: a worker, or whoever broke into its machine, reads what others are sent or reply, answers for them, or hands out
work. defence: its name opens subjects that end in its own name, and no others; the broker holds it to that. It may
answer what it was sent, which is how it acknowledges; of JetStream it may read exercises, and the streams' names.
"""

import re
from collections.abc import Iterable

WEB = "web"
NAME = re.compile(r"[a-z][a-z0-9_-]{0,19}")
SAYS = ("want", "beat", "hello", "cases", "reply", "progress")
HEARS = ("deliver", "recorded", "lost", "yield", "probe")


def users(installation: str, workers: Iterable[str]) -> str:
    """The block `authorization` for one web user and these workers. Passwords are the variables of nats-server's own
    environment: LECTERN_BROKER_WEB, LECTERN_BROKER_<WORKER>. Raises ValueError for a name that cannot be one."""
    names = list(workers)
    for name in names:
        if not NAME.fullmatch(name) or name == WEB:
            raise ValueError(f"{name!r} is no name for a worker: use lower case, digits, - and _, 20 at most")
    entries = [_entry(WEB, _everything(installation)), *(_entry(name, _own(installation, name)) for name in names)]
    return "authorization {\n  users: [\n" + "".join(entries) + "  ]\n}\n"


def password_variable(name: str) -> str:
    return "LECTERN_BROKER_" + name.upper().replace("-", "_")


def _entry(name: str, permissions: list[str]) -> str:
    lines = "".join(f"        {line}\n" for line in permissions)
    return (
        f"    {{\n      user: {name}\n      password: ${password_variable(name)}\n"
        f"      permissions: {{\n{lines}      }}\n    }}\n"
    )


def _everything(installation: str) -> list[str]:
    bucket = f"{installation}-exercises"
    publish = (f"{installation}.>", "$JS.API.>", "$JS.ACK.>", f"$O.{bucket}.>", "_INBOX.>")
    return [f"publish: {_quoted(publish)}", f"subscribe: {_quoted((f'{installation}.>', f'_INBOX.{WEB}.>'))}"]


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
