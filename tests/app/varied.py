"""Students of the exercise of `tests/graders/varied.py`: one of each factor, and what they send."""

from pathlib import Path
from typing import Any

import httpx

from app.classes.classes import new_code
from tests.app.classes import account
from tests.conftest import Running
from tests.graders.varied import FACTORS, SCALED, scaled_files
from tests.waiting import until

PAGE = f"/api/v1/exercises/{SCALED}"


def write_scaled(exercises: Path, **changed: str) -> Path:
    for name, content in scaled_files(**changed).items():
        path = exercises / SCALED / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return exercises


def students(server: Running) -> dict[int, httpx.Client]:
    """A student of each factor."""
    found: dict[int, httpx.Client] = {}
    while len(found) < len(FACTORS):
        email = f"{new_code()}@example.org"
        client = account(server, email)
        found.setdefault(factor_of(client), client)
    return found


def factor_of(client: httpx.Client) -> int:
    statement = client.get(PAGE).raise_for_status().json()["statement"]
    return int(statement.removeprefix("Multiply each number by ").removesuffix(".\n"))


def sent(client: httpx.Client, source: str, **more: Any) -> dict[str, Any]:
    body = {"source": source, **more}
    row: dict[str, Any] = client.post(f"{PAGE}/submissions", json=body, params={"wait": 30}).raise_for_status().json()

    def is_finished() -> bool:
        if row["state"] != "finished":
            row.update(client.get(f"/api/v1/submissions/{row['id']}").raise_for_status().json())
        return bool(row["state"] == "finished")

    until(is_finished, lambda: row)
    return row
