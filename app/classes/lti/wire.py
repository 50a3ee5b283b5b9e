"""What we ask of platforms over HTTP: their keys, tokens of access, and what these open. Knows no row.

Keys and tokens are kept in memory: each process asks for its own.
"""

import base64
import json
import time
from collections.abc import Callable, Iterable
from threading import Lock
from typing import Any
from urllib.parse import urlencode

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import RSAKey

from app.web.outgoing import Answer, Outgoing, Unreachable

KEYS_SECONDS = 3600.0
KEYS_AGAIN_SECONDS = 10.0  # attack: a token with a new kid every time, so that we ask for keys every time
MAX_KEYS, LEAST_BITS = 50, 2048
TOKEN_SPARE_SECONDS = 60.0
ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
FORM = "application/x-www-form-urlencoded"


class Unverified(Exception):
    """A token that is not what it claims to be. Says why."""


class Refused(Exception):
    """An answer that says no. `status`: HTTP's."""

    def __init__(self, status: int, why: str, retry_after: float | None = None) -> None:
        super().__init__(why)
        self.status, self.retry_after = status, retry_after


class Wire:
    def __init__(self, outgoing: Outgoing, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.outgoing, self._clock = outgoing, clock
        self._keys: dict[str, tuple[float, dict[str, RSAKey]]] = {}
        self._tokens: dict[tuple[int, str, str], tuple[float, str]] = {}
        self._lock = Lock()

    # ---- tokens that platforms have signed -------------------------------------------------------------------

    def verified(self, jwks_url: str, token: str) -> dict[str, Any]:
        """Its claims. Raises Unverified, Unreachable.

        attack: `none` for an algorithm, or HMAC with the platform's public key for its secret; or a key that the token
        itself brings along, or names the address of. defence: one algorithm, and the keys of the registered address.
        """
        try:
            header = _header_of(token)
            if header.get("alg") != "RS256":
                raise Unverified("it is not signed with RS256")
            key = self._key(jwks_url, header.get("kid"))
            return jwt.decode(token, key, algorithms=["RS256"]).claims
        except (JoseError, ValueError, TypeError, RecursionError):
            raise Unverified("its signature is wrong") from None

    def _key(self, url: str, kid: object) -> RSAKey:
        if not isinstance(kid, str):
            raise Unverified("it does not say which key signed it")
        asked_at, keys = self._keys.get(url, (float("-inf"), {}))
        age = self._clock() - asked_at
        if age > KEYS_SECONDS or (kid not in keys and age > KEYS_AGAIN_SECONDS):
            keys = self._fetch_keys(url)
        if kid not in keys:
            raise Unverified("the platform does not publish the key that signed it")
        return keys[kid]

    def _fetch_keys(self, url: str) -> dict[str, RSAKey]:
        found = self.json("GET", url)
        listed = found.get("keys") if isinstance(found, dict) else None
        keys: dict[str, RSAKey] = {}
        for one in listed[:MAX_KEYS] if isinstance(listed, list) else ():
            if isinstance(one, dict) and one.get("kty") == "RSA" and isinstance(one.get("kid"), str):
                try:
                    public = {name: one[name] for name in ("kty", "n", "e", "kid")}
                    key = RSAKey.import_key(public)
                    if key.public_key.key_size >= LEAST_BITS:
                        keys[one["kid"]] = key
                except (JoseError, ValueError, TypeError, KeyError):
                    continue  # a key that we cannot read is none that we verify by
        with self._lock:
            self._keys[url] = (self._clock(), keys)
        return keys

    def forget_keys(self) -> None:
        with self._lock:
            self._keys.clear()

    # ---- what our tokens open --------------------------------------------------------------------------------

    def token(
        self,
        platform_id: int,
        token_url: str,
        scopes: Iterable[str],
        assertion: Callable[[], str],
        *,
        fresh: bool = False,
    ) -> str:
        """A token of access to a platform. `assertion`: signed by us. Raises Unreachable, Refused.

        attack: a second platform with the client id and the token address of the first, which is sent its token.
        defence: each has tokens of its own.
        """
        scope = " ".join(sorted(scopes))
        key = (platform_id, token_url, scope)
        until, token = self._tokens.get(key, (0.0, ""))
        if not fresh and self._clock() < until:
            return token
        fields = {
            "grant_type": "client_credentials",
            "client_assertion_type": ASSERTION,
            "client_assertion": assertion(),
            "scope": scope,
        }
        found = self.json("POST", token_url, body=urlencode(fields).encode(), kind=FORM)
        made = found.get("access_token") if isinstance(found, dict) else None
        if not isinstance(made, str) or not 0 < len(made) <= 8192 or not (made.isascii() and made.isprintable()):
            raise Unreachable("The platform answered without a token of access.")
        seconds = found.get("expires_in", 3600)
        seconds = float(seconds) if isinstance(seconds, int | float) else 3600.0
        with self._lock:
            self._tokens[key] = (self._clock() + max(0.0, seconds - TOKEN_SPARE_SECONDS), made)
        return made

    def json(self, method: str, url: str, *, body: bytes = b"", kind: str = "", **more: str) -> Any:
        """Raises Unreachable, Refused."""
        return read_json(self.ask(method, url, body=body, kind=kind, **more))

    def ask(
        self, method: str, url: str, *, body: bytes = b"", kind: str = "", token: str = "", accept: str = ""
    ) -> Answer:
        """Raises Unreachable; Refused for whatever is not 2xx."""
        headers = {"Accept": accept or "application/json"}
        if kind:
            headers["Content-Type"] = kind
        if token:
            headers["Authorization"] = f"Bearer {token}"
        answer = self.outgoing.ask(method, url, headers=headers, body=body)
        if not 200 <= answer.status < 300:
            raise Refused(answer.status, _why(answer), _retry_after(answer))
        return answer


def read_json(answer: Answer) -> Any:
    """Raises Unreachable."""
    try:
        return json.loads(answer.body)
    except (ValueError, RecursionError):
        raise Unreachable("The platform's answer is not JSON.") from None


def _header_of(token: str) -> dict[str, Any]:
    part = token.partition(".")[0]
    found = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    if not isinstance(found, dict):
        raise Unverified("it has no header")
    return found


def _why(answer: Answer) -> str:
    """In a line; what a platform says of itself is cut short, and shown as text."""
    body = answer.body[:300].decode(errors="replace")
    return f"The platform answered {answer.status}: {' '.join(body.split())[:200]}".rstrip(": ")


def _retry_after(answer: Answer) -> float | None:
    text = answer.headers.get("retry-after", "")
    return float(text) if text.isascii() and text.isdecimal() and len(text) <= 6 else None
