"""A learning management system for tests: a small server on loopback, with keys, courses and a gradebook of its own.

It signs real tokens, answers at its addresses as LTI 1.3 Advantage says, and checks what it is sent: assertions by our
published keys, scopes, and that the time of each score is later than the last one's.
"""

import base64
import hmac
import json
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey

CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
DEEP_LINKING = "https://purl.imsglobal.org/spec/lti-dl/claim/"
AGS = "https://purl.imsglobal.org/spec/lti-ags/"
NRPS = "https://purl.imsglobal.org/spec/lti-nrps/"
MEMBERSHIP = "http://purl.imsglobal.org/vocab/lis/v2/membership"
INSTRUCTOR = [f"{MEMBERSHIP}#Instructor"]
ASSISTANT = [f"{MEMBERSHIP}#Instructor", f"{MEMBERSHIP}/Instructor#TeachingAssistant"]
LEARNER = [f"{MEMBERSHIP}#Learner"]
DEPLOYMENT, COURSE = "deployment-1", "course-7"
KEY = RSAKey.generate_key(2048, {"kid": "platform-key", "use": "sig", "alg": "RS256"})
STRANGERS_KEY = RSAKey.generate_key(2048, {"kid": "platform-key", "use": "sig", "alg": "RS256"})


@dataclass
class Platform:
    """`down`: it answers 503 to everything. `refuses`: the status that scores are answered with."""

    url: str = ""
    client_id: str = "client-42"
    tool: str = ""  # our origin
    down: bool = False
    refuses: int = 0
    asked: list[tuple[str, str]] = field(default_factory=list)
    tokens: dict[str, set[str]] = field(default_factory=dict)
    items: dict[str, dict[str, Any]] = field(default_factory=dict)
    scores: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    members: list[dict[str, Any]] = field(default_factory=list)
    registration_token: str = "once"
    registered: dict[str, Any] = field(default_factory=dict)
    configuration: dict[str, Any] = field(default_factory=dict)
    people: dict[str, list[str]] = field(default_factory=dict)  # the roles of those who are signed in there
    key: RSAKey = field(default_factory=lambda: KEY)
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def described(self) -> dict[str, str]:
        """As an admin enters it."""
        return {
            "name": "Campus", "issuer": self.url, "client_id": self.client_id, "auth_url": f"{self.url}/auth",
            "token_url": f"{self.url}/token", "jwks_url": f"{self.url}/jwks", "deployments": DEPLOYMENT,
        }  # fmt: skip

    def claims(self, nonce: str, subject: str, roles: list[str], **more: Any) -> dict[str, Any]:
        at = int(time.time())
        return {
            "iss": self.url, "aud": self.client_id, "sub": subject, "iat": at, "exp": at + 300, "nonce": nonce,
            f"{CLAIM}message_type": "LtiResourceLinkRequest", f"{CLAIM}version": "1.3.0",
            f"{CLAIM}deployment_id": DEPLOYMENT, f"{CLAIM}target_link_uri": f"{self.tool}/lti/launch",
            f"{CLAIM}resource_link": {"id": "link-1"}, f"{CLAIM}roles": roles,
            f"{CLAIM}context": {"id": COURSE, "title": "Deep Learning"},
            f"{CLAIM}launch_presentation": {"return_url": "https://school.example.org/courses/7"},
            f"{AGS}claim/endpoint": {
                "scope": [f"{AGS}scope/lineitem", f"{AGS}scope/score"], "lineitems": f"{self.url}/items",
            },
            f"{NRPS}claim/namesroleservice": {"context_memberships_url": f"{self.url}/members"},
            "name": subject.capitalize(), "email": f"{subject}@campus.example.org", **more,
        }  # fmt: skip

    def sign(self, claims: dict[str, Any], key: RSAKey | None = None) -> str:
        key = key or self.key
        return jwt.encode({"alg": "RS256", "kid": key.kid}, claims, key)

    def sign_as_hmac(self, claims: dict[str, Any]) -> str:
        """By the public key as the secret, which everybody has."""
        head = _coded({"alg": "HS256", "typ": "JWT", "kid": self.key.kid}) + "." + _coded(claims)
        digest = hmac.digest(self.key.as_pem(private=False), head.encode(), "sha256")
        return f"{head}.{base64.urlsafe_b64encode(digest).decode().rstrip('=')}"

    def sign_not(self, claims: dict[str, Any]) -> str:
        return f"{_coded({'alg': 'none', 'kid': self.key.kid})}.{_coded(claims)}."

    def read(self, token: str) -> dict[str, Any]:
        """What we signed, by the keys that we publish."""
        published = self.registered.get("jwks_uri") or f"{self.tool}/lti/jwks"
        keys = KeySet.import_key_set(httpx.get(published).json())
        return jwt.decode(token, keys, algorithms=["RS256"]).claims

    def given(self, subject: str) -> list[float | None]:
        return [score.get("scoreGiven") for _, score in self.scores if score["userId"] == subject]


def _coded(part: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=")


class _Refused(Exception):
    def __init__(self, status: int, why: str = "") -> None:
        super().__init__(why)
        self.status = status


class _Handler(BaseHTTPRequestHandler):
    platform: Platform
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._answer("GET")

    def do_POST(self) -> None:
        self._answer("POST")

    def log_message(self, *_: Any) -> None:
        return

    def _answer(self, method: str) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        path = urlsplit(self.path).path
        platform, headers = self.platform, dict[str, str]()
        try:
            with platform.lock:
                platform.asked.append((method, path))
                if platform.down:
                    raise _Refused(503, "down for maintenance")
                found = self._found(method, path, body, headers)
            status = 201 if method == "POST" and path != "/token" else 200
        except _Refused as no:
            status, found = no.status, {"error": str(no)}
        data = found if isinstance(found, bytes) else json.dumps(found).encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _found(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> Any:
        platform = self.platform
        match method, path:
            case "GET", "/course":
                headers["Content-Type"] = "text/html"
                return self._course()
            case "GET", "/auth":
                headers["Content-Type"] = "text/html"
                return self._signed_in()
            case "GET", "/jwks":
                return {"keys": [platform.key.as_dict(private=False)]}
            case "GET", "/configuration":
                return platform.configuration or {
                    "issuer": platform.url, "authorization_endpoint": f"{platform.url}/auth",
                    "token_endpoint": f"{platform.url}/token", "jwks_uri": f"{platform.url}/jwks",
                    "registration_endpoint": f"{platform.url}/register",
                    "https://purl.imsglobal.org/spec/lti-platform-configuration": {"product_family_code": "campus"},
                }  # fmt: skip
            case "POST", "/register":
                if self.headers.get("authorization") != f"Bearer {platform.registration_token}":
                    raise _Refused(401, "no registration token")
                platform.registration_token = secrets.token_hex(8)
                platform.registered = json.loads(body)
                tool = {"deployment_id": DEPLOYMENT}
                return {
                    "client_id": platform.client_id, "https://purl.imsglobal.org/spec/lti-tool-configuration": tool,
                }  # fmt: skip
            case "POST", "/token":
                return self._token(body)
            case "GET", "/members":
                return self._members(headers)
            case "GET", "/items":
                self._require(f"{AGS}scope/lineitem")
                return [{"id": url, **item} for url, item in platform.items.items()]
            case "POST", "/items":
                self._require(f"{AGS}scope/lineitem")
                url = f"{platform.url}/items/{len(platform.items) + 1}?type=lti"
                platform.items[url] = json.loads(body)
                return {"id": url, **platform.items[url]}
            case "GET", "/moved":
                headers["Location"] = f"{platform.url}/jwks"
                raise _Refused(302)
            case "GET", "/large":
                return b" " * (3 << 20)
            case "POST", _ if path.endswith("/scores"):
                return self._score(path, json.loads(body))
        raise _Refused(404, "nothing here")

    def _course(self) -> bytes:
        """A page with a link for each of its people, which opens us in a frame of the page."""
        platform = self.platform
        links = "".join(
            f'<p><a target="tool" href="{platform.tool}/lti/login?iss={platform.url}&client_id={platform.client_id}'
            f'&login_hint={subject}&target_link_uri={platform.tool}/lti/launch">{subject}</a></p>'
            for subject in platform.people
        )
        return f'<!doctype html><title>Course</title>{links}<iframe name="tool" width=600 height=500></iframe>'.encode()

    def _signed_in(self) -> bytes:
        """Sends the browser back with a token, as OpenID's form_post does."""
        asked = {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}
        subject = asked["login_hint"]
        token = self.platform.sign(self.platform.claims(asked["nonce"], subject, self.platform.people[subject]))
        return (
            f'<!doctype html><form method="post" action="{asked["redirect_uri"]}">'
            f'<input name="state" value="{asked["state"]}"><input name="id_token" value="{token}"></form>'
            "<script>document.forms[0].submit()</script>"
        ).encode()

    def _token(self, body: bytes) -> dict[str, Any]:
        platform = self.platform
        fields = {name: values[0] for name, values in parse_qs(body.decode()).items()}
        claims = platform.read(fields["client_assertion"])
        assert fields["grant_type"] == "client_credentials"
        assert claims["iss"] == claims["sub"] == platform.client_id
        assert claims["aud"] == f"{platform.url}/token"
        assert claims["exp"] > time.time()
        assert claims["jti"]
        token = secrets.token_hex(8)
        platform.tokens[token] = set(fields["scope"].split())
        return {"access_token": token, "token_type": "Bearer", "expires_in": 3600, "scope": fields["scope"]}

    def _require(self, scope: str) -> None:
        token = (self.headers.get("authorization") or "").removeprefix("Bearer ")
        if token not in self.platform.tokens:
            raise _Refused(401, "no such token")
        if scope not in self.platform.tokens[token]:
            raise _Refused(403, "not this scope")

    def _members(self, headers: dict[str, str]) -> dict[str, Any]:
        self._require(f"{NRPS}scope/contextmembership.readonly")
        page = int(parse_qs(urlsplit(self.path).query).get("page", ["0"])[0])
        members = self.platform.members[2 * page : 2 * page + 2]
        if len(self.platform.members) > 2 * page + 2:
            headers["Link"] = f'<{self.platform.url}/members?page={page + 1}>; rel="next"'
        return {"id": "x", "context": {"id": COURSE}, "members": members}

    def _score(self, path: str, score: dict[str, Any]) -> dict[str, Any]:
        self._require(f"{AGS}scope/score")
        if self.platform.refuses:
            raise _Refused(self.platform.refuses, "we do not want it")
        mine = [one["timestamp"] for at, one in self.platform.scores if (at, one["userId"]) == (path, score["userId"])]
        if mine and score["timestamp"] <= mine[-1]:
            raise _Refused(409, "there is a newer one")
        self.platform.scores.append((path, score))
        return {}


@contextmanager
def running_platform() -> Iterator[Platform]:
    platform = Platform()
    handler = type("Handler", (_Handler,), {"platform": platform})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    platform.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, name="test-platform")
    thread.start()
    try:
        yield platform
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
