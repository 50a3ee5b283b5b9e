"""Which release runs here, on what."""

import platform
import tomllib
from dataclasses import dataclass
from functools import cache

from sqlalchemy import text

from app.db import Database
from app.settings import ROOT


@dataclass(frozen=True)
class Release:
    """`migration`: the newest change of the tables that this database has."""

    version: str
    python: str
    database: str
    migration: str


@cache
def version() -> str:
    """As pyproject.toml says."""
    try:
        return str(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"])
    except (OSError, KeyError, ValueError):
        return "unknown"


def release(database: Database) -> Release:
    asked = "SELECT sqlite_version()" if database.is_sqlite else "SHOW server_version"
    with database.engine.connect() as connection:
        number = str(connection.execute(text(asked)).scalar_one()).split()[0]
        migration = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    name = "SQLite" if database.is_sqlite else "PostgreSQL"
    return Release(version(), platform.python_version(), f"{name} {number}", str(migration or "none"))
