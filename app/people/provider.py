"""A provider of sign-in by OpenID Connect: what it says of itself, the exchange of a code, and whose token that is.

attack: a token for another site, of another sign-in, of the past, signed by somebody else or by nobody. defence: `iss`,
`aud`, `azp`, `exp`, `iat` and `nonce` must be as this sign-in wants them; the signature must be by a key that the
provider publishes, and by a method that needs a private one: neither `none` nor a shared secret is among them.
"""

import hmac
import json
import threading
import time
from base64 import urlsafe_b64decode
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeGuard
from urllib.parse import urlencode, urlsplit

import httpx
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import JWKRegistry, Key

from app.settings import Settings, is_loopback
from app.web.errors import Forbidden, Problem

METHODS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512")
TIMEOUT_SECONDS = 10.0
ANSWER_MAX = 1 << 20
KEPT_SECONDS = 3600.0  # what it says of itself, and its keys
KEYS_AGAIN_SECONDS = 30.0  # an unknown key: they are asked for again, but not by everybody who sends one
LEEWAY = 60  # seconds by which its clock may differ
TOKEN_MAX = 64 << 10


class ProviderAway(Problem):
    status, code = 503, "unavailable"


@dataclass(frozen=True)
class Claims:
    """Who signed in, as the provider says. `email`: None where it names none, or has not confirmed it."""

    issuer: str
    subject: str
    email: str | None


@dataclass
class _Kept:
    """What was fetched, and when."""

    about: dict[str, Any] = field(default_factory=dict)
    about_at: float = -KEPT_SECONDS
    keys: dict[str | None, Key] = field(default_factory=dict)
    keys_at: float = -KEPT_SECONDS


class Provider:
    """One provider, as the operator has set it up. Its calls wait for the network: they are made in threads, and with
    no transaction open. `wall_clock`: in seconds since 1970, as tokens have it."""

    def __init__(
        self,
        issuer: str,
        client_id: str,
        secret: str,
        redirect_uri: str,
        *,
        clock: Callable[[], float] = time.monotonic,
        wall_clock: Callable[[], float] = time.time,
    ) -> None:
        self.issuer, self.client_id, self.redirect_uri = issuer, client_id, redirect_uri
        self._secret, self._clock, self._wall_clock = secret, clock, wall_clock
        self._kept = _Kept()
        self._lock = threading.Lock()

    def address(self, state: str, nonce: str, challenge: str) -> str:
        """Where the browser goes to sign in. Raises ProviderAway."""
        asked = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": self.redirect_uri,
            "scope": "openid email",
            "state": state,
            "nonce": nonce,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
        }
        address = self._endpoint("authorization_endpoint")
        return f"{address}{'&' if urlsplit(address).query else '?'}{urlencode(asked)}"

    def claims_for(self, code: str, verifier: str, nonce: str) -> Claims:
        """Raises ProviderAway, and Forbidden for a code or a token that is not what this sign-in asked for."""
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self.redirect_uri,
            "code_verifier": verifier,
        }
        methods = self._about().get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
        auth = None
        if "client_secret_basic" in methods:
            auth = httpx.BasicAuth(_form_encoded(self.client_id), _form_encoded(self._secret))
        else:
            form |= {"client_id": self.client_id, "client_secret": self._secret}
        answer = self._ask("POST", self._endpoint("token_endpoint"), data=form, auth=auth)
        token = answer.get("id_token")
        if not isinstance(token, str) or len(token) > TOKEN_MAX:
            raise _refused("it sent no identity")
        return self.read(token, nonce)

    def read(self, token: str, nonce: str) -> Claims:
        """Raises ProviderAway, and Forbidden for a token that is not for this sign-in."""
        header = _header_of(token)
        if header.get("alg") not in METHODS:
            raise _refused("its signature is of no kind that is taken")
        kid = header.get("kid")
        key = self._key(kid if isinstance(kid, str) else None)
        try:
            claims = jwt.decode(token, key, algorithms=list(METHODS)).claims
        except (JoseError, ValueError) as error:
            raise _refused("its signature is not valid") from error
        self._require(claims, nonce)
        email = claims.get("email")
        claimed = claims.get("email_verified")
        is_confirmed = claimed is True or claimed == "true"  # some write it as text
        known = email if isinstance(email, str) and is_confirmed else None
        return Claims(self.issuer, claims["sub"], known)

    def _require(self, claims: dict[str, Any], nonce: str) -> None:
        audience = claims.get("aud")
        audiences = audience if isinstance(audience, list) else [audience]
        if claims.get("iss") != self.issuer:
            raise _refused("it is by another provider")
        if self.client_id not in audiences:
            raise _refused("it is for another site")
        if (len(audiences) > 1 or "azp" in claims) and claims.get("azp") != self.client_id:
            raise _refused("it is for another site")
        now, until, since = self._wall_clock(), claims.get("exp"), claims.get("iat")
        if not _is_number(until) or now > until + LEEWAY:
            raise _refused("it has expired")
        if not _is_number(since) or since > now + LEEWAY:
            raise _refused("it is of the future")
        claimed = claims.get("nonce")
        if not isinstance(claimed, str) or not hmac.compare_digest(claimed.encode(), nonce.encode()):
            raise _refused("it is of another sign-in")
        subject = claims.get("sub")
        if not isinstance(subject, str) or not 0 < len(subject) <= 255:
            raise _refused("it names nobody")

    def _key(self, kid: str | None) -> Key:
        """Keys change: one that is unknown is looked for once more."""
        with self._lock:
            kept, now = self._kept, self._clock()
            is_old = now - kept.keys_at >= KEPT_SECONDS
            if is_old or (self._found(kid) is None and now - kept.keys_at >= KEYS_AGAIN_SECONDS):
                kept.keys = _keys(self._ask("GET", self._endpoint("jwks_uri")))
                kept.keys_at = now
            key = self._found(kid)
        if key is None:
            raise _refused("its key is unknown")
        return key

    def _found(self, kid: str | None) -> Key | None:
        if kid is None and len(self._kept.keys) == 1:
            return next(iter(self._kept.keys.values()))
        return self._kept.keys.get(kid)

    def _about(self) -> dict[str, Any]:
        if self._clock() - self._kept.about_at >= KEPT_SECONDS:
            about = self._ask("GET", f"{self.issuer.rstrip('/')}/.well-known/openid-configuration")
            if about.get("issuer") != self.issuer:
                raise _away("it gives itself another name than LECTERN_OIDC_ISSUER")
            self._kept.about, self._kept.about_at = about, self._clock()
        return self._kept.about

    def _endpoint(self, name: str) -> str:
        address = self._about().get(name)
        parts = urlsplit(address) if isinstance(address, str) else None
        is_safe = parts is not None and (parts.scheme == "https" or is_loopback(parts.hostname or ""))
        if parts is None or not isinstance(address, str) or not is_safe or not parts.hostname:
            raise _away(f"it names no {name}")
        return address

    def _ask(self, method: str, url: str, **more: Any) -> dict[str, Any]:
        """attack: an answer without end. defence: it is read in parts, and no further than to a limit."""
        try:
            with (
                httpx.Client(timeout=TIMEOUT_SECONDS, follow_redirects=False, trust_env=False) as client,
                client.stream(method, url, headers={"Accept": "application/json"}, **more) as answer,
            ):
                body = b""
                for part in answer.iter_bytes():
                    body += part
                    if len(body) > ANSWER_MAX:
                        raise _away("its answer is too long")
            found = json.loads(body)
        except (httpx.HTTPError, httpx.InvalidURL, ValueError, RecursionError) as error:
            raise _away(type(error).__name__) from error
        if method == "POST" and 400 <= answer.status_code < 500:
            raise _refused("it refused the code")
        if answer.status_code != 200 or not isinstance(found, dict):
            raise _away(f"it answered {answer.status_code}")
        return found


def provider_of(settings: Settings) -> Provider | None:
    """None where none is set up."""
    if not settings.oidc_issuer:
        return None
    secret = settings.oidc_client_secret.get_secret_value()
    return Provider(settings.oidc_issuer, settings.oidc_client_id, secret, f"{settings.origin}/oidc/callback")


def _keys(found: dict[str, Any]) -> dict[str | None, Key]:
    """Those that sign; what cannot be read is for others."""
    keys: dict[str | None, Key] = {}
    listed = found.get("keys")
    for one in listed if isinstance(listed, list) else []:
        if not isinstance(one, dict) or one.get("use", "sig") != "sig" or one.get("kty") not in ("RSA", "EC"):
            continue
        try:
            keys[one.get("kid")] = JWKRegistry.import_key(one)
        except (JoseError, ValueError, TypeError, KeyError):
            continue
    return keys


def _header_of(token: str) -> dict[str, Any]:
    part = token.partition(".")[0]
    try:
        found = json.loads(urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise _refused("it cannot be read")
    return found


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _form_encoded(text: str) -> str:
    """As a name and a password are written for this purpose (RFC 6749, 2.3.1)."""
    return urlencode({"": text})[1:]


def _refused(why: str) -> Forbidden:
    return Forbidden(f"What your provider sent cannot be used: {why}.", "Start the sign-in again.")


def _away(why: str) -> ProviderAway:
    return ProviderAway(f"Your provider cannot be asked at present: {why}.", "Try again in a minute.")
