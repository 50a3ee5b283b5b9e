"""Signing in by a provider: from the button and back, and what is refused on the way."""

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from joserfc import jwt
from joserfc.jwk import RSAKey
from sqlalchemy import select, update

from app.db import now
from app.people import accounts, provider
from app.people.oidc import OidcIdentity, OidcSignIn
from app.people.provider import Provider
from app.people.users import User
from app.settings import Settings
from tests.app.classes import BROWSER, GATHER, id_of
from tests.app.issuer import CLIENT, SECRET, Claims, Issuer, issuing
from tests.conftest import Running

ORIGIN = "http://lectern.example.org"
KEY = RSAKey.generate_key(2048, {"kid": "one", "use": "sig"})
EVE, PASSWORD = "eve@example.org", "a wide enough password"


@pytest.fixture(scope="module")
def one_issuer() -> Iterator[Issuer]:
    with issuing() as found:
        yield found


@pytest.fixture
def issuer(one_issuer: Issuer) -> Issuer:
    """As it is before anybody spoils something: a key takes longer to make than most tests."""
    fresh = Issuer(keys=[KEY])
    one_issuer.claims, one_issuer.keys, one_issuer.spoil, one_issuer.encode = (
        fresh.claims,
        fresh.keys,
        fresh.spoil,
        None,
    )
    one_issuer.asked.clear()
    return one_issuer


@pytest.fixture
def signing_in(server: Running, issuer: Issuer, monkeypatch: pytest.MonkeyPatch) -> Running:
    monkeypatch.setattr(server.app.state, "provider", Provider(issuer.url, CLIENT, SECRET, f"{ORIGIN}/oidc/callback"))
    return server


def at_provider(client: httpx.Client, back: str = "/") -> str:
    """Where the provider leads the browser back to, once they have signed in there."""
    started = client.get("/oidc/start", params={"back": back})
    assert started.status_code == 303, started.text
    led_back = httpx.get(started.headers["location"]).headers["location"]
    assert led_back.startswith(f"{ORIGIN}/oidc/callback?")
    return str(led_back).removeprefix(ORIGIN)


def come(client: httpx.Client, back: str = "/") -> httpx.Response:
    return client.get(at_provider(client, back))


def user(server: Running, email: str = EVE) -> User:
    with server.state.db.reading() as db:
        return db.scalars(select(User).where(User.email == email)).one()


def count(server: Running, table: type[User | OidcIdentity | OidcSignIn]) -> int:
    with server.state.db.reading() as db:
        return len(db.scalars(select(table)).all())


# ------------------------------------------------------------------ who comes in


def test_a_new_person_comes_in_and_comes_again(signing_in: Running, issuer: Issuer) -> None:
    with signing_in.client(**BROWSER) as eve:
        assert "Sign in with your organisation" in eve.get("/sessions/new").text
        done = come(eve, "/classes?x=1")
        assert (done.status_code, done.headers["location"]) == (303, "/classes?x=1")
        assert EVE in eve.get("/me").text
    person = user(signing_in)
    assert (person.role, person.password_hash, person.verified_at is not None) == ("student", None, True)
    issuer.claims["email"] = "married@example.org"  # the subject is who they are
    issuer.claims["role"] = issuer.claims["groups"] = "admin"
    with signing_in.client(**BROWSER) as eve:
        come(eve)
        assert EVE in eve.get("/me").text
    assert (count(signing_in, User), user(signing_in).role, count(signing_in, OidcSignIn)) == (1, "student", 0)


def test_a_guest_keeps_their_work(signing_in: Running) -> None:
    with signing_in.client(**BROWSER) as eve:
        sent = eve.post(f"/api/v1/exercises/{GATHER}/submissions", json={"source": "x = 1"}).json()["id"]
        come(eve)
        assert eve.get(f"/api/v1/submissions/{sent}").status_code == 200
    assert count(signing_in, User) == 1
    with signing_in.client(**BROWSER) as again:
        sent = again.post(f"/api/v1/exercises/{GATHER}/submissions", json={"source": "x = 2"}).json()["id"]
        come(again)
        assert again.get(f"/api/v1/submissions/{sent}").status_code == 200
    assert count(signing_in, User) == 1


def test_an_account_is_linked_by_its_confirmed_address_and_told_so(signing_in: Running) -> None:
    accounts.add_user(signing_in.state.db, EVE, "instructor", PASSWORD)
    with signing_in.client(**BROWSER) as eve:
        done = come(eve, "/classes")
        assert done.headers["location"] == "/me?letter=linked"
        assert "now linked" in eve.get("/me?letter=linked").text
        assert come(eve, "/classes").headers["location"] == "/classes", "once"
    person = user(signing_in)
    assert (person.role, person.password_hash is not None) == ("instructor", True)


def test_who_took_the_address_before_loses_their_way_in(signing_in: Running) -> None:
    with signing_in.client(**BROWSER) as mallory, signing_in.client(**BROWSER) as eve:
        mallory.post("/users", data={"email": EVE, "password": PASSWORD})
        with signing_in.state.db.writing() as db:
            db.execute(update(User).values(verified_at=None))
        come(eve)
        assert EVE in eve.get("/me").text
        assert EVE not in mallory.get("/me").text
        assert mallory.post("/api/v1/sessions", json={"email": EVE, "password": PASSWORD}).status_code == 401


def test_an_address_that_is_not_confirmed_is_nobodys(signing_in: Running, issuer: Issuer) -> None:
    accounts.add_user(signing_in.state.db, EVE, "student", PASSWORD)
    for told in (False, None, "yes", 1):
        issuer.claims["email_verified"] = told
        with signing_in.client(**BROWSER) as mallory:
            assert come(mallory).status_code == 403
            assert EVE not in mallory.get("/me").text
    assert count(signing_in, OidcIdentity) == 0


def test_an_address_that_was_given_to_somebody_else_is_not_linked_again(signing_in: Running, issuer: Issuer) -> None:
    with signing_in.client(**BROWSER) as eve:
        come(eve)
    issuer.claims["sub"] = "somebody-else"
    with signing_in.client(**BROWSER) as other:
        assert come(other).status_code == 409


def test_a_disabled_account_and_a_closed_lectern_stay_closed(
    signing_in: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = signing_in.state.settings.model_copy(update={"registration": "invitation"})
    monkeypatch.setattr(signing_in.app.state, "settings", closed)
    with signing_in.client(**BROWSER) as eve:
        assert come(eve).status_code == 403
        accounts.add_user(signing_in.state.db, EVE, "student", None)
        assert come(eve).status_code == 303
        with signing_in.state.db.writing() as db:
            db.execute(update(User).where(User.id == id_of(signing_in, EVE)).values(disabled_at=now()))
        assert come(eve).status_code == 403


# ------------------------------------------------------------------ what is refused


def aud_of_another(claims: Claims) -> None:
    claims["aud"] = "another"


def for_two(claims: Claims) -> None:
    claims["aud"] = [CLIENT, "another"]


def azp_of_another(claims: Claims) -> None:
    claims["azp"] = "another"


def by_another(claims: Claims) -> None:
    claims["iss"] = "https://login.example.org"


def expired(claims: Claims) -> None:
    claims["exp"] = int(time.time()) - 120


def endless(claims: Claims) -> None:
    del claims["exp"]


def of_the_future(claims: Claims) -> None:
    claims["iat"] = int(time.time()) + 3600


def of_another_sign_in(claims: Claims) -> None:
    claims["nonce"] = "x" * 43


def without_nonce(claims: Claims) -> None:
    del claims["nonce"]


def of_nobody(claims: Claims) -> None:
    claims["sub"] = ""


WRONG = (
    aud_of_another, for_two, azp_of_another, by_another, expired, endless, of_the_future, of_another_sign_in,
    without_nonce, of_nobody,
)  # fmt: skip


def test_a_token_that_is_not_for_this_sign_in_is_refused(signing_in: Running, issuer: Issuer) -> None:
    for spoil in WRONG:
        issuer.spoil = spoil
        with signing_in.client(**BROWSER) as eve:
            refused = come(eve)
            assert (refused.status_code, "not signed in" in refused.text) == (403, True), spoil.__name__
            assert EVE not in eve.get("/me").text
    assert count(signing_in, User) == 0


def part(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def test_a_token_that_the_provider_did_not_sign_is_refused(signing_in: Running, issuer: Issuer) -> None:
    own = RSAKey.generate_key(2048, {"kid": "one"})
    key = issuer.keys[0]
    assert isinstance(key, RSAKey)
    public = key.as_pem(private=False)

    def hmac_with_the_public_key(claims: Claims) -> str:
        signed = f"{part({'alg': 'HS256', 'kid': 'one'})}.{part(claims)}"
        digest = hmac.new(public, signed.encode(), hashlib.sha256).digest()
        return f"{signed}.{base64.urlsafe_b64encode(digest).rstrip(b'=').decode()}"

    def changed(claims: Claims) -> str:
        head, _, signed = issuer.sign(claims).split(".")
        return f"{head}.{part({**claims, 'sub': 'ada-1'})}.{signed}"

    ways: list[Callable[[Claims], str]] = [
        lambda claims: f"{part({'alg': 'none'})}.{part(claims)}.",
        lambda claims: f"{part({'alg': 'None', 'kid': 'one'})}.{part(claims)}.",
        lambda claims: jwt.encode({"alg": "RS256", "kid": "one"}, claims, own),
        lambda claims: jwt.encode({"alg": "RS256", "kid": "unknown"}, claims, own),
        hmac_with_the_public_key,
        changed,
        lambda claims: "",
        lambda claims: "a.b.c",
    ]
    for way in ways:
        issuer.encode = way
        with signing_in.client(**BROWSER) as mallory:
            assert come(mallory).status_code == 403
    assert count(signing_in, User) == 0


def test_a_state_works_once_in_its_own_browser_and_for_a_while(signing_in: Running) -> None:
    with signing_in.client(**BROWSER) as eve, signing_in.client(**BROWSER) as victim:
        address = at_provider(eve)
        assert victim.get(address).status_code == 403, "another browser"
        at_provider(victim)
        assert victim.get(address).status_code == 403, "another browser, with a cookie of its own"
        assert eve.get(address).status_code == 303
        again = eve.get(address)
        assert (again.status_code, "Start it again" in again.text) == (403, True)
        late = at_provider(eve)
        with signing_in.state.db.writing() as db:
            db.execute(update(OidcSignIn).values(expires_at=now() - timedelta(seconds=1)))
        assert eve.get(late).status_code == 403
        state = parse_qs(urlsplit(at_provider(eve)).query)["state"][0]
        assert eve.get("/oidc/callback", params={"state": state, "error": "access_denied"}).status_code == 403
        assert eve.get("/oidc/callback").status_code == 403
        mixed = at_provider(eve).partition("&iss=")[0] + "&iss=https://login.example.org"
        assert eve.get(mixed).status_code == 403
        assert eve.get("/oidc/start", params={"back": "//evil.example.org"}).status_code == 303
        assert come(eve, "https://evil.example.org/").headers["location"] == "/"


def test_a_code_is_bound_to_the_browser_that_began(signing_in: Running, issuer: Issuer) -> None:
    """PKCE: a code that somebody read on the way is of no use in a sign-in of their own."""
    with signing_in.client(**BROWSER) as eve, signing_in.client(**BROWSER) as mallory:
        code = parse_qs(urlsplit(at_provider(eve)).query)["code"][0]
        state = parse_qs(urlsplit(at_provider(mallory)).query)["state"][0]
        stolen = mallory.get("/oidc/callback", params={"state": state, "code": code})
        assert (stolen.status_code, "refused the code" in stolen.text) == (403, True)


def test_keys_may_change(signing_in: Running, issuer: Issuer, monkeypatch: pytest.MonkeyPatch) -> None:
    with signing_in.client(**BROWSER) as eve:
        assert come(eve).status_code == 303
        issuer.rotate()
        assert come(eve).status_code == 403, "not asked for again at once"
        monkeypatch.setattr(provider, "KEYS_AGAIN_SECONDS", 0.0)
        assert come(eve).status_code == 303
        assert issuer.asked.count("/keys") == 2
        assert issuer.asked.count("/.well-known/openid-configuration") == 1


def test_a_provider_that_is_away_or_has_another_name_is_no_failure_of_ours(
    server: Running, issuer: Issuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for url in ("http://127.0.0.1:9", f"{issuer.url}/"):
        monkeypatch.setattr(server.app.state, "provider", Provider(url, CLIENT, SECRET, f"{ORIGIN}/oidc/callback"))
        with server.client(**BROWSER) as eve:
            away = eve.get("/oidc/start")
            assert (away.status_code, "cannot be asked at present" in away.text) == (503, True)


def test_without_a_provider_there_is_no_button(server: Running) -> None:
    with server.client(**BROWSER) as eve:
        assert "/oidc/start" not in eve.get("/sessions/new").text
        assert eve.get("/oidc/start").status_code == 404


def test_settings_are_whole_and_encrypted() -> None:
    whole: dict[str, Any] = {"oidc_client_id": "a", "oidc_client_secret": "b", "origin": "https://lectern.example.org"}
    Settings(oidc_issuer="https://login.example.org/realms/one", **whole)
    for name in whole:
        with pytest.raises(ValueError, match="LECTERN_OIDC"):
            Settings(oidc_issuer="https://login.example.org", **{**whole, name: ""})
    for issuer in ("http://login.example.org", "https://login.example.org?x", "login.example.org"):
        with pytest.raises(ValueError, match="LECTERN_OIDC_ISSUER"):
            Settings(oidc_issuer=issuer, **whole)
