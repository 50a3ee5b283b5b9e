"""The API against its own description: whatever schemathesis sends, no answer is a failure of ours, and none is one
that the description does not name. Its draws are the same each time."""

import re
import zlib
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from fastapi.routing import iter_route_contexts
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from app.people import accounts
from app.settings import Settings
from tests.conftest import Running, running
from tests.waiting import LIMIT_SECONDS

EXAMPLES = 6  # of each call


def no_failure_of_ours(context: object, response: Any, case: object) -> None:
    """503 and 507 are said on purpose, and described."""
    assert response.status_code != 500, response.text


CHECKS = [no_failure_of_ours, status_code_conformance, content_type_conformance, response_schema_conformance]
THERE = {"slug": "softmax-rows", "course": "positions", "lesson": "test-your-understanding", "framework": "numpy",
         "id": "1", "place": "1"}  # fmt: skip
# A stream, which does not end; and the end of the account that asks.
LEFT_OUT = {("DELETE", "/api/v1/me")}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    data = tmp_path_factory.mktemp("openapi")
    with running(Settings(workers=0, data=data, rate_limits="off")) as server:
        accounts.add_user(server.state.db, "root@example.org", "admin", None)
        yield server


def test_every_answer_is_one_that_is_described(site: Running) -> None:
    schema = schemathesis.openapi.from_dict(site.app.openapi())
    faults: dict[str, str] = {}
    asked = 0
    for found in schema.get_all_operations():
        operation: Any = found.ok()
        name = (operation.method.upper(), operation.path)
        if name in LEFT_OUT or operation.path.endswith("/events"):
            continue
        try:
            ask(site, operation)
        except (Exception, FailureGroup) as fault:  # noqa: BLE001 (told below, all of them)
            faults[" ".join(name)] = f"{type(fault).__name__}: {fault}"[:1500]
        asked += 1
    assert asked > 40
    assert not faults, "\n\n".join(f"{name}\n{fault}" for name, fault in faults.items())


def ask(site: Running, operation: Any) -> None:
    @seed(20261124)
    @settings(
        max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck),
        phases=[Phase.explicit, Phase.generate],
    )  # fmt: skip
    @given(case=operation.as_strategy())
    def answered(case: Any) -> None:
        """Half of the addresses are of things that are there."""
        named = dict(case.path_parameters or {})
        if zlib.crc32(str(named).encode()) % 2:
            case.path_parameters = {name: THERE.get(name, value) for name, value in named.items()}
        token = accounts.make_token(site.state.db, "root@example.org")  # a call may end sessions
        case.headers = {**dict(case.headers or {}), "Authorization": f"Bearer {token}"}
        case.call_and_validate(base_url=site.url, checks=CHECKS, timeout=LIMIT_SECONDS)

    answered()


def test_the_description_is_whole(site: Running) -> None:
    """An id for each call, and every reference found."""
    described = site.app.openapi()
    assert described["openapi"].startswith("3.1")
    ids = [call["operationId"] for methods in described["paths"].values() for call in methods.values()]
    assert len(ids) == len(set(ids))
    referred = set(re.findall(r"#/components/schemas/([\w.-]+)", str(described)))
    assert referred <= described["components"]["schemas"].keys()


def test_a_failure_is_described_as_json_and_without_a_validator_for_each_route(site: Running) -> None:
    """Those are built anew by each server at its first request, which waited for them."""
    contexts = [context for context in iter_route_contexts(site.app.routes) if hasattr(context, "response_fields")]
    assert sum(len(context.response_fields) for context in contexts) < len(contexts)
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorOut"}}}
    calls = [call for methods in site.app.openapi()["paths"].values() for call in methods.values()]
    assert len(calls) > 50
    for call in calls:
        assert call["responses"]["404"]["content"] == error, call["operationId"]
