"""Where the broker is, and which installation there is ours: LECTERN_QUEUE in its parts."""

from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit


@dataclass(frozen=True)
class BrokerAddress:
    """`nats://user:password@host:4222,host2:4222/installation`, in its parts. Several hosts are one cluster."""

    servers: tuple[str, ...]
    user: str
    password: str = field(repr=False)
    installation: str

    @classmethod
    def read(cls, url: str) -> "BrokerAddress":
        """Raises ValueError naming what is wrong; never with the password in it."""
        parts = urlsplit(url)
        installation = parts.path.strip("/") or "lectern"
        if parts.scheme not in ("nats", "tls") or not parts.hostname:
            raise ValueError("the queue must be local, or a URL such as nats://broker.example.org:4222/lectern")
        if not installation.replace("-", "").replace("_", "").isalnum() or not installation.isascii():
            raise ValueError("the path of the queue's URL names the installation: use letters, digits, - and _")
        hosts = parts.netloc.rpartition("@")[2].split(",")
        servers = tuple(f"{parts.scheme}://{host}" for host in hosts if host)
        return cls(servers, unquote(parts.username or ""), unquote(parts.password or ""), installation)
