"""A provider of sign-in on this machine: it speaks OpenID Connect over HTTP and signs real tokens, also wrong ones."""

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote_plus, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import ECKey, Key, RSAKey

from tests.waiting import until_ended

CLIENT, SECRET = "lectern at work", "s3cret+/&"
Claims = dict[str, Any]


@dataclass
class Issuer:
    """`claims`: of the person. `spoil`: what is done to a token's claims before it is signed. `encode`: makes the
    token; None: it is signed as it should be."""

    url: str = ""
    claims: Claims = field(default_factory=lambda: {"sub": "eve-1", "email": "eve@example.org", "email_verified": True})
    keys: list[Key] = field(default_factory=lambda: [RSAKey.generate_key(2048, {"kid": "one", "use": "sig"})])
    spoil: Callable[[Claims], None] = lambda claims: None
    encode: Callable[[Claims], str] | None = None
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def rotate(self) -> None:
        self.keys = [ECKey.generate_key("P-256", {"kid": "two", "use": "sig"})]

    def about(self) -> dict[str, Any]:
        names = {"authorization_endpoint": "authorize", "token_endpoint": "token", "jwks_uri": "keys"}
        return {"issuer": self.url, **{name: f"{self.url}/{path}" for name, path in names.items()}}

    def authorize(self, asked: dict[str, str]) -> str:
        """Where it leads the browser back to."""
        code = secrets.token_urlsafe(8)
        self.codes[code] = asked
        back = urlencode({"code": code, "state": asked["state"], "iss": self.url})
        return f"{asked['redirect_uri']}?{back}"

    def token(self, form: dict[str, str], authorization: str) -> tuple[int, dict[str, Any]]:
        client = base64.b64decode(authorization.removeprefix("Basic ")).decode().split(":")
        asked = self.codes.pop(form.get("code", ""), None)
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        if asked is None or [unquote_plus(part) for part in client] != [CLIENT, SECRET]:
            return 401, {"error": "invalid_client"}
        if challenge != asked["code_challenge"] or form["redirect_uri"] != asked["redirect_uri"]:
            return 400, {"error": "invalid_grant"}
        now = int(time.time())
        claims = {"iss": self.url, "aud": asked["client_id"], "iat": now, "exp": now + 300, "nonce": asked["nonce"]}
        claims |= self.claims
        self.spoil(claims)
        return 200, {"token_type": "Bearer", "access_token": "a", "id_token": (self.encode or self.sign)(claims)}

    def sign(self, claims: Claims) -> str:
        key = self.keys[0]
        method = "RS256" if isinstance(key, RSAKey) else "ES256"
        return jwt.encode({"alg": method, "kid": key.kid}, claims, key)


@contextmanager
def issuing() -> Iterator[Issuer]:
    issuer = Issuer()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            issuer.asked.append(parts.path)
            if parts.path == "/authorize":
                query = {name: values[0] for name, values in parse_qs(parts.query).items()}
                self.send_response(302)
                self.send_header("Location", issuer.authorize(query))
                self.send_header("Content-Length", "0")
                self.end_headers()
            elif parts.path == "/keys":
                self._say(200, {"keys": [key.as_dict(private=False) for key in issuer.keys]})
            else:
                self._say(200, issuer.about())

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"])).decode()
            form = {name: values[0] for name, values in parse_qs(body).items()}
            self._say(*issuer.token(form, self.headers.get("authorization", "")))

        def _say(self, status: int, answer: dict[str, Any]) -> None:
            body = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        issuer.url = f"http://127.0.0.1:{server.server_address[1]}"
        try:
            yield issuer
        finally:
            server.shutdown()
            until_ended(thread)
