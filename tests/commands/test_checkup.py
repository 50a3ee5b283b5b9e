"""`lectern doctor` on the installation: what is well is said, what is not has a remedy. Real databases and brokers."""

from pathlib import Path

import pytest

from app.db import Database
from app.operating.checkup import Finding, checkup
from app.settings import Settings
from benchmarks.processes import free_port
from tests.broker import Server as Broker
from tests.conftest import Serve
from tests.waiting import LIMIT_SECONDS, until


def looked_at(settings: Settings, listen_seconds: float = 0.1) -> dict[str, Finding]:
    found: list[Finding] = []
    is_well = checkup(settings, found.append, listen_seconds)
    assert is_well == all(finding.is_well for finding in found)
    return {finding.name: finding for finding in found}


def test_a_database_that_is_up_to_date_is_well(database_url: str, tmp_path: Path) -> None:
    found = looked_at(Settings(data=tmp_path / "var", database_url=database_url))
    assert {"disk", "database", "tables"} <= found.keys()
    assert all(finding.is_well for finding in found.values()), found
    if "postgresql" in database_url:
        assert {"connections", "clock"} <= found.keys()


def test_tables_that_are_missing_or_old_are_told_and_not_made(empty_database_url: str, tmp_path: Path) -> None:
    settings = Settings(data=tmp_path / "var", database_url=empty_database_url)
    assert "there are none" in looked_at(settings)["tables"].about
    database = Database(empty_database_url)
    with database.changing() as db:
        db.exec_driver_sql("CREATE TABLE alembic_version (version_num VARCHAR(32))")
        db.exec_driver_sql("INSERT INTO alembic_version VALUES ('1')")
    database.close()
    old = looked_at(settings)["tables"]
    assert "of another release" in old.about
    assert "serve" in old.remedy


def test_a_database_that_is_away_is_told_without_its_password(tmp_path: Path) -> None:
    url = f"postgresql://me:very-secret@127.0.0.1:{free_port()}/lectern"
    found = looked_at(Settings(data=tmp_path / "var", database_url=url))["database"]
    assert "DATABASE_URL" in found.remedy
    assert "very-secret" not in str(found)


def test_a_pool_that_the_database_cannot_serve_is_told(migrated_postgres_copy: str, tmp_path: Path) -> None:
    settings = Settings(data=tmp_path / "var", database_url=migrated_postgres_copy, database_connections=5000)
    assert "LECTERN_DATABASE_CONNECTIONS" in looked_at(settings)["connections"].remedy


def test_a_broker_that_is_away_is_told(tmp_path: Path) -> None:
    found = looked_at(Settings(data=tmp_path / "var", queue=f"nats://me:very-secret@127.0.0.1:{free_port()}/x"))
    assert "LECTERN_QUEUE" in found["broker"].remedy
    assert "very-secret" not in str(found)


def test_a_broker_that_nobody_has_set_up_and_no_worker_is_told(broker: Broker, tmp_path: Path) -> None:
    found = looked_at(Settings(data=tmp_path / "var", queue=broker.url("nobodys")))
    assert found["broker"].is_well
    assert "0 of 3" in found["streams"].about
    assert "./lectern worker" in found["worker"].remedy


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_broker_with_a_web_process_that_judges_is_well(broker: Broker, serve: Serve, tmp_path: Path) -> None:
    serve(queue=broker.url("checked"), workers=1, exercises=tmp_path / "none", lessons=tmp_path / "none")
    settings = Settings(data=tmp_path / "var2", queue=broker.url("checked"))
    until(lambda: looked_at(settings)["streams"].is_well)  # it sets the broker up beside serving
    found = looked_at(settings, LIMIT_SECONDS)  # no longer than until a worker is heard of
    assert found["worker"].is_well, found
    assert "1 threads" in found["worker"].about
