"""The version, where an operator and a program look for it."""

import re

from app.operating.release import version
from app.people import accounts
from tests.conftest import Running


def test_the_api_says_it(server: Running) -> None:
    with server.client() as client:
        info = client.get("/api/v1/openapi.json").json()["info"]
    assert (info["title"], info["version"]) == ("Lectern", version())


def test_it_stands_at_the_foot_of_the_admins_page(server: Running) -> None:
    accounts.add_user(server.state.db, "root@example.org", "admin", None)
    token = accounts.make_token(server.state.db, "root@example.org")
    with server.client(Authorization=f"Bearer {token}") as admin:
        page = admin.get("/admin").text
    last = re.findall(r"<section.*?</section>", page, re.DOTALL)[-1]
    assert f"<dt>Lectern</dt><dd>{version()}</dd>" in last
