"""A platform's services, asked in our name: a call of its own for each, with a token that we signed for."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin

import httpx

from app.classes.lti.keys import ToolKey, ensure_key, signed, signing_key
from app.classes.lti.platforms import Platform
from app.classes.lti.wire import Refused, Wire, read_json
from app.db import Database
from app.web.outgoing import Answer, Unreachable

_AGS = "https://purl.imsglobal.org/spec/lti-ags/scope/"
LINE_ITEM_SCOPE, SCORE_SCOPE = f"{_AGS}lineitem", f"{_AGS}score"
SCOPES = (LINE_ITEM_SCOPE, SCORE_SCOPE)
MEMBERS_SCOPE = "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly"
MAX_PAGES = 100


@dataclass(frozen=True)
class Service:
    """One platform, as it is asked. Holds no transaction: a call may take ten seconds."""

    wire: Wire
    platform: Platform
    key: ToolKey

    def ask(self, scopes: tuple[str, ...], method: str, url: str, **more: Any) -> Answer:
        """Raises Unreachable, Refused. A token that is not good any more is replaced, once."""
        try:
            return self.wire.ask(method, url, token=self._token(scopes), **more)
        except Refused as no:
            if no.status != 401:
                raise
        return self.wire.ask(method, url, token=self._token(scopes, fresh=True), **more)

    def _token(self, scopes: tuple[str, ...], *, fresh: bool = False) -> str:
        platform = self.platform
        claims = {
            "iss": platform.client_id, "sub": platform.client_id,
            "aud": platform.token_audience or platform.token_url,
        }  # fmt: skip
        assertion = lambda: signed(self.key, claims)  # noqa: E731
        return self.wire.token(platform.id, platform.token_url, scopes, assertion, fresh=fresh)

    def pages(self, scopes: tuple[str, ...], url: str, accept: str) -> Iterator[Any]:
        """All of a list, which says where it goes on. Raises Unreachable, Refused."""
        seen: set[str] = set()
        while url and url not in seen:
            if len(seen) >= MAX_PAGES:
                raise Unreachable(f"The list has more than {MAX_PAGES} pages.")
            seen.add(url)
            answer = self.ask(scopes, "GET", url, accept=accept)
            yield read_json(answer)
            # attack: a next page on another server, which would be sent our token. defence: the same host alone
            following = urljoin(url, _next(answer))
            url = following if _next(answer) and httpx.URL(following).host == httpx.URL(url).host else ""


def service_of(database: Database, wire: Wire, platform: Platform) -> Service:
    with database.reading() as db:
        key = signing_key(db, platform.key_name)
    if key is None:
        with database.writing() as db:
            key = ensure_key(db, platform.key_name)
    return Service(wire, platform, key)


def _next(answer: Answer) -> str:
    links = httpx.Response(200, headers={"link": answer.headers.get("link", "")}).links
    return str(links.get("next", {}).get("url", ""))
