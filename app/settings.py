"""What an operator may set: a flag beats the environment beats the default.

No secret has a default, for there is none."""

import ipaddress
import os
import re
from dataclasses import dataclass, field, replace
from email.utils import parseaddr
from pathlib import Path
from typing import Annotated, Literal, Self
from urllib.parse import unquote, urlsplit

from pydantic import AliasChoices, Field, SecretStr, ValidationInfo, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from graders.boxes.pool import BUILD_SECONDS
from graders.exercise.limits import CEILINGS, Limits
from graders.grade import MAX_SOURCE_BYTES

ROOT = Path(os.environ.get("LECTERN_ROOT") or Path(__file__).resolve().parent.parent)
SECRETS = Path(os.environ.get("LECTERN_SECRETS") or "/run/secrets")  # where containers have them
CONNECTIONS = 50  # with the database
STATEMENT_SECONDS = 60.0
LETTERS = ("reset", "verification", "invitation", "due", "regraded", "account")  # kinds of them, to people
Folders = Annotated[tuple[Path, ...], NoDecode]  # in the environment as PATH is written: a colon between two


@dataclass(frozen=True)
class BrokerAddress:
    """`nats://user:password@host:4222,host2:4222/installation`, in its parts. Several hosts are one cluster. With
    `tls://` it is encrypted, or there is no connection."""

    servers: tuple[str, ...]
    user: str
    password: str = field(repr=False)
    installation: str

    @property
    def is_encrypted(self) -> bool:
        return all(server.startswith("tls://") for server in self.servers)

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


class Settings(BaseSettings):
    """Each field is the environment variable LECTERN_<FIELD>, but DATABASE_URL, which everybody calls that."""

    model_config = SettingsConfigDict(
        env_prefix="LECTERN_",
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        populate_by_name=True,
        hide_input_in_errors=True,  # a URL may hold a password
        secrets_dir=SECRETS
        if SECRETS.is_dir()
        else None,  # a file for each, as database_url; the environment beats them
    )

    data: Path = ROOT / "var"
    cache: Path | None = None  # None: in the data folder
    database_url: str = Field(default="", validation_alias=AliasChoices("database_url", "DATABASE_URL"))
    database_connections: int = Field(default=CONNECTIONS, ge=2)  # of one process, at once
    statement_seconds: float = Field(default=STATEMENT_SECONDS, ge=0)  # in PostgreSQL; 0: no end
    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=0, le=65535)
    exercises: Folders = (ROOT / "exercises",)
    lessons: Folders = (ROOT / "lessons",)
    queue: str = "local"  # or nats://user:password@host:4222/installation: with a password, so never shown
    sandbox: Literal["on", "off"] = "on"
    origin: str = ""
    hosts: str = ""  # names that it answers to, besides those of `origin` and of the address it listens on
    workers: int = Field(default=2, ge=0, le=256)
    rate_limits: Literal["on", "off"] = "on"
    trusted_proxies: str = ""
    registration: Literal["open", "invitation"] = "open"
    discussions: Literal["on", "off"] = "on"
    lti_private_hosts: str = ""  # learning management systems that may be inside a private network, by name
    edit: Literal["on", "off"] = "off"  # what is saved in the folders shows at once: for an author's own machine
    log_level: Literal["debug", "info", "warning", "error"] = "info"  # debug: each step of each submission
    log_format: Literal["text", "json"] = "text"
    traces: str = ""  # an OpenTelemetry collector, as http://collector:4318; empty: nothing is traced
    smtp: SecretStr = SecretStr("")  # a URL with the name and the password; empty: no mail is sent
    mail_from: str = ""
    oidc_issuer: str = ""  # a provider of sign-in, as https://login.example.org; empty: none
    oidc_client_id: str = ""
    oidc_client_secret: SecretStr = SecretStr("")
    oidc_label: str = "Sign in with your organisation"
    webhook_networks: str = ""  # that webhooks may reach though they are not public, as 10.0.0.0/8,::1/128
    letters_off: str = ""  # kinds of letters that are not sent, as due,regraded

    # What an exercise's [limits] may ask for at most, and how long its reference may take for all cases together.
    max_wall_seconds: float = Field(default=CEILINGS.wall_seconds, gt=0, le=3600)
    max_cpu_seconds: float = Field(default=CEILINGS.cpu_seconds, gt=0, le=3600)
    max_total_seconds: float = Field(default=CEILINGS.total_seconds, gt=0, le=3600)
    max_memory_mb: int = Field(default=CEILINGS.memory_mb, ge=16)
    max_output_kb: int = Field(default=CEILINGS.output_kb, ge=1, le=256 << 10)
    build_seconds: float = Field(default=BUILD_SECONDS, gt=0, le=3600)

    session_days: int = Field(default=90, ge=1)
    source_max_kb: int = Field(default=64, ge=1, le=MAX_SOURCE_BYTES >> 10)  # the judge reads no more
    guest_quota_mb: int = Field(default=32, ge=1)
    quota_mb: int = Field(default=256, ge=1)
    address_quota_mb: int = Field(default=1024, ge=1)  # at once, and then each day
    guest_days: int = Field(default=30, ge=0)  # 0: guests are never let go
    draft_days: int = Field(default=0, ge=0)  # since a draft was saved; 0: drafts are kept
    source_days: int = Field(default=0, ge=0)  # of submissions, with what they printed; 0: they are kept
    audit_days: int = Field(default=0, ge=0)  # of entries of the audit log; 0: they are kept
    letter_days: int = Field(default=90, ge=31)  # since a letter was written; its link to stop them works as long
    body_max_kb: int = Field(default=1024, ge=64)

    @field_validator("database_url")
    @classmethod
    def _psycopg(cls, url: str) -> str:
        for scheme in ("postgres://", "postgresql://"):
            if url.startswith(scheme):
                return "postgresql+psycopg://" + url.removeprefix(scheme)
        return url

    @field_validator("queue")
    @classmethod
    def _queue(cls, queue: str) -> str:
        if queue != "local":
            try:
                BrokerAddress.read(queue)
            except ValueError as error:
                raise ValueError(f"LECTERN_QUEUE: {error}") from None
        return queue

    @field_validator("origin")
    @classmethod
    def _origin(cls, origin: str) -> str:
        if not origin:
            return origin
        parts = urlsplit(origin)
        if parts.scheme not in ("http", "https") or not parts.netloc or parts.path.strip("/") or parts.query:
            raise ValueError("LECTERN_ORIGIN must be a scheme and a host, such as https://lectern.example.org")
        return f"{parts.scheme}://{parts.netloc}".lower()

    @field_validator("traces")
    @classmethod
    def _traces(cls, traces: str) -> str:
        parts = urlsplit(traces)
        if traces and (parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc):
            raise ValueError("LECTERN_TRACES must be the URL of a collector, such as http://collector:4318")
        return traces

    @field_validator("hosts", "lti_private_hosts")
    @classmethod
    def _hosts(cls, hosts: str, info: ValidationInfo) -> str:
        for host in _listed(hosts):
            if not re.fullmatch(r"\[[0-9A-Fa-f:.]+\]|[0-9A-Za-z_.-]+", host):
                raise ValueError(
                    f"LECTERN_{(info.field_name or '').upper()} must be a list of host names such as "
                    f"lectern.example.org,10.0.0.5: {host!r} is not one"
                )
        return hosts

    @field_validator("smtp")
    @classmethod
    def _smtp(cls, smtp: SecretStr) -> SecretStr:
        if smtp.get_secret_value() and not _is_mail_server(smtp.get_secret_value()):
            raise ValueError(
                "LECTERN_SMTP must be a URL such as smtp://user:password@mail.example.org:587, or smtps://…; "
                "write special characters of the password as %40"
            )
        return smtp

    @field_validator("oidc_issuer")
    @classmethod
    def _issuer(cls, issuer: str) -> str:
        parts = urlsplit(issuer)
        is_safe = parts.scheme == "https" or (parts.scheme == "http" and is_loopback(parts.hostname or ""))
        if issuer and (not is_safe or not parts.hostname or parts.query or parts.fragment or "@" in parts.netloc):
            raise ValueError("LECTERN_OIDC_ISSUER must be the provider's own name, such as https://login.example.org")
        return issuer

    @field_validator("webhook_networks")
    @classmethod
    def _networks(cls, networks: str) -> str:
        for network in _listed(networks):
            try:
                ipaddress.ip_network(network)
            except ValueError:
                raise ValueError(f"LECTERN_WEBHOOK_NETWORKS: {network!r} is no network such as 10.0.0.0/8") from None
        return networks

    @field_validator("letters_off")
    @classmethod
    def _letters_off(cls, kinds: str) -> str:
        if odd := [kind for kind in _listed(kinds) if kind not in LETTERS]:
            raise ValueError(f"LECTERN_LETTERS_OFF: {odd[0]!r} is no kind of letters; use some of {','.join(LETTERS)}")
        return kinds

    @field_validator("mail_from")
    @classmethod
    def _mail_from(cls, sender: str) -> str:
        if sender and not (sender.isprintable() and re.fullmatch(r"[^@\s]+@[^@\s]+", parseaddr(sender)[1])):
            raise ValueError("LECTERN_MAIL_FROM must be an address such as Lectern <lectern@example.org>")
        return sender

    @field_validator("exercises", "lessons", mode="before")
    @classmethod
    def _folders(cls, folders: object) -> object:
        if isinstance(folders, str):
            return tuple(part for part in folders.split(os.pathsep) if part)
        return (folders,) if isinstance(folders, Path) else folders

    @field_validator("exercises", "lessons")
    @classmethod
    def _absolute_folders(cls, folders: tuple[Path, ...]) -> tuple[Path, ...]:
        """Each once: the same folder named twice is no fault."""
        return tuple(dict.fromkeys(folder.expanduser().absolute() for folder in folders))

    @field_validator("data", "cache")
    @classmethod
    def _absolute(cls, path: Path | None) -> Path | None:
        return path and path.expanduser().absolute()

    @model_validator(mode="after")
    def _loopback_only(self) -> Self:
        names = [self.host, *filter(None, [urlsplit(self.origin).hostname]), *self.host_names]
        public = next((name for name in names if not is_loopback(name)), None)
        if self.edit == "on" and public is not None:
            raise ValueError(
                "LECTERN_EDIT=on shows what you save before it is proved, to everybody who reaches this server: "
                f"it is refused while that is reached as {public}. Edit on 127.0.0.1, and publish from there."
            )
        if not is_loopback(self.host):
            if self.rate_limits == "off":
                raise ValueError(
                    "LECTERN_RATE_LIMITS=off is for benchmarks and tests on this machine: "
                    f"it is refused while LECTERN_HOST is {self.host}. Remove one of the two settings."
                )
            if self.sandbox == "off":
                raise ValueError(
                    "LECTERN_SANDBOX=off runs students' code without a sandbox: "
                    f"it is refused while LECTERN_HOST is {self.host}. Remove one of the two settings."
                )
        return self

    @model_validator(mode="after")
    def _mail_is_complete(self) -> Self:
        """attack: ask for somebody's link under a host name of one's own, to which the mail then leads them. defence:
        links in mail lead to the configured origin, and nowhere else."""
        if self.smtp.get_secret_value() and not (self.mail_from and self.origin):
            raise ValueError(
                "LECTERN_SMTP needs LECTERN_MAIL_FROM, which mail is sent from, and LECTERN_ORIGIN, which its links "
                "lead to. Set both."
            )
        return self

    @model_validator(mode="after")
    def _sign_in_is_complete(self) -> Self:
        secret = self.oidc_client_secret.get_secret_value()
        if self.oidc_issuer and not (self.oidc_client_id and secret and self.origin):
            raise ValueError(
                "LECTERN_OIDC_ISSUER needs LECTERN_OIDC_CLIENT_ID and LECTERN_OIDC_CLIENT_SECRET, which the provider "
                "gives you, and LECTERN_ORIGIN, to which it leads people back. Set all three."
            )
        return self

    @property
    def database(self) -> str:
        """The URL of the database: the one given, else SQLite in the data folder."""
        return self.database_url or f"sqlite+pysqlite:///{self.data / 'lectern.sqlite3'}"

    @property
    def cache_folder(self) -> Path:
        """What can be computed again: it may be shared by servers of one machine and user, and lost at any time."""
        return self.cache or self.data / "cache"

    @property
    def ceilings(self) -> Limits:
        """The most that an exercise's `[limits]` may ask for."""
        return Limits(
            wall_seconds=self.max_wall_seconds,
            cpu_seconds=self.max_cpu_seconds,
            total_seconds=self.max_total_seconds,
            memory_mb=self.max_memory_mb,
            output_kb=self.max_output_kb,
        )

    @property
    def ceilings_of_worker(self) -> Limits:
        """The same for a process that only judges. What an exercise may ask for is decided where it is published: what
        is not set here is not bounded here once more, by another number. Memory is, for it is this machine's, and work
        that needs more goes elsewhere."""
        names = ("wall_seconds", "cpu_seconds", "total_seconds", "output_kb")
        unset = [name for name in names if f"max_{name}" not in self.model_fields_set]
        return replace(self.ceilings, **dict.fromkeys(unset, 1 << 30))

    @property
    def host_names(self) -> tuple[str, ...]:
        return _listed(self.hosts)

    @property
    def private_lti_hosts(self) -> tuple[str, ...]:
        return _listed(self.lti_private_hosts)

    @property
    def reachable_networks(self) -> tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]:
        return tuple(ipaddress.ip_network(network) for network in _listed(self.webhook_networks))

    @property
    def kinds_off(self) -> tuple[str, ...]:
        """Kinds of letters that this Lectern does not send."""
        return _listed(self.letters_off)

    @property
    def is_https(self) -> bool:
        return self.origin.startswith("https://")


def _is_mail_server(url: str) -> bool:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return False
    return parts.scheme in ("smtp", "smtps") and bool(parts.hostname) and port != 0 and not parts.path.strip("/")


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"
