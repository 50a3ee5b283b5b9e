"""A class in a learning management system: who comes in from there, as what, and what goes back. And who does not."""

import html
import re
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from sqlalchemy import func, select, update

from app.classes.classes import Enrolment
from app.classes.lti.accounts import LtiAccount
from app.classes.lti.contexts import Context
from app.classes.lti.keys import ToolKey
from app.classes.lti.logins import LtiLogin
from app.classes.lti.passback import Passback
from app.classes.lti.platforms import Platform as Registered
from app.classes.lti.scores import LineItem, SentScore
from app.classes.lti.services import MEMBERS_SCOPE, service_of
from app.classes.lti.wire import Refused
from app.classes.roster import ExpectedPerson
from app.db import Base, now
from app.people import accounts
from app.people.audit import AuditEntry
from app.people.outbox import OutgoingLetter
from app.people.password_change import give_password
from app.people.users import User
from app.settings import Settings
from app.web.errors import Invalid
from app.web.limits import RateLimits
from app.web.outgoing import AT_ONCE, Outgoing, Unreachable
from tests.app.classes import BROWSER, GATHER, SOFTMAX, ClassAtHand, account, id_of, judged, make_class
from tests.app.lti_platform import (
    AGS,
    ASSISTANT,
    CLAIM,
    COURSE,
    DEEP_LINKING,
    DEPLOYMENT,
    INSTRUCTOR,
    LEARNER,
    MEMBERSHIP,
    STRANGERS_KEY,
    Platform,
    running_platform,
)
from tests.conftest import BACKENDS, Running, running, scratch_postgres
from tests.waiting import LIMIT_SECONDS, LOOK_SECONDS, until_ended

PASSWORD = "a wide enough password"
FRAMED = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "iframe", "Origin": "https://school.example.org"}


@pytest.fixture(scope="module", params=BACKENDS)
def kept_server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """One whose operator lets it ask a platform on this machine. It sends scores when a test says so, not by itself."""
    chosen: dict[str, Any] = {"workers": 0, "data": tmp_path_factory.mktemp("lti"), "lti_private_hosts": "127.0.0.1"}
    if request.param == "sqlite":
        with running(Settings(**chosen)) as server:
            server.app.state.passback.close()
            yield server
        return
    with scratch_postgres() as url, running(Settings(**chosen, database_url=url)) as server:
        server.app.state.passback.close()
        yield server


@pytest.fixture
def server(kept_server: Running) -> Iterator[Running]:
    yield kept_server
    with kept_server.state.db.writing(durable=False) as db:
        for table in reversed(Base.metadata.sorted_tables):
            if table.name not in ("snapshot", "snapshot_file", "search_entry", "search_vocabulary"):
                db.execute(table.delete())
    kept_server.app.state.limits = RateLimits()
    kept_server.state.lti.forget_keys()


@pytest.fixture
def platform(server: Running) -> Iterator[Platform]:
    """Registered by an admin."""
    with running_platform() as platform:
        platform.tool = server.url
        admin = account(server, "root@example.org", "admin")
        assert admin.post("/lti/platforms", data=platform.described).status_code == 303
        yield platform


@pytest.fixture
def browser(server: Running) -> Iterator[Callable[[], httpx.Client]]:
    """Browsers, each with cookies of its own."""
    opened: list[httpx.Client] = []

    def new(email: str = "") -> httpx.Client:
        opened.append(server.client(**BROWSER))
        if email:
            assert opened[-1].post("/sessions", data={"email": email, "password": PASSWORD}).status_code == 303
        return opened[-1]

    yield new
    for client in opened:
        client.close()


Browser = Callable[..., httpx.Client]


def begin(server: Running, platform: Platform, target: str = "/lti/launch") -> tuple[str, str]:
    """The state and the nonce with which the platform's browser is sent back."""
    fields = {
        "iss": platform.url, "client_id": platform.client_id, "login_hint": "x",
        "target_link_uri": target if "://" in target else server.url + target, "lti_message_hint": "m",
    }  # fmt: skip
    with server.client(**FRAMED) as client:
        sent = client.post("/lti/login", data=fields)
    assert sent.status_code == 302, sent.text
    asked = {name: values[0] for name, values in parse_qs(urlsplit(sent.headers["location"]).query).items()}
    assert sent.headers["location"].startswith(f"{platform.url}/auth?")
    assert asked["redirect_uri"] == f"{server.url}/lti/launch"
    assert (asked["response_mode"], asked["prompt"], asked["lti_message_hint"]) == ("form_post", "none", "m")
    return asked["state"], asked["nonce"]


def send(server: Running, state: str, token: str) -> httpx.Response:
    """As the platform's page does, in its frame."""
    with server.client(**FRAMED) as client:
        return client.post("/lti/launch", data={"state": state, "id_token": token})


def launch(
    server: Running, platform: Platform, subject: str, roles: list[str], target: str = "/lti/launch", **more: Any
) -> httpx.Response:
    state, nonce = begin(server, platform, target)
    claims = platform.claims(nonce, subject, roles, **{f"{CLAIM}target_link_uri": server.url + target, **more})
    return send(server, state, platform.sign(claims))


def key_in(page: httpx.Response) -> str:
    assert page.status_code == 200, page.text
    found = re.search(r'name="token" value="([^"]+)"', page.text)
    assert found is not None
    return found[1]


def come(
    client: httpx.Client, server: Running, platform: Platform, subject: str, roles: list[str], choice: str = "new",
    **more: Any,
) -> httpx.Response:  # fmt: skip
    """All the way in."""
    token = key_in(launch(server, platform, subject, roles, **more))
    return client.post("/lti/sessions", data={"token": token, "choice": choice, "password": PASSWORD})


def teacher(server: Running) -> ClassAtHand:
    accounts.add_user(server.state.db, "ada@example.org", "instructor", PASSWORD)
    token = accounts.make_token(server.state.db, "ada@example.org")
    return make_class(server, server.client(Authorization=f"Bearer {token}", **BROWSER))


@pytest.fixture
def connected(server: Running, platform: Platform, browser: Browser) -> Iterator[ClassAtHand]:
    """Ada's class, to which she has connected the platform's course."""
    made = teacher(server)
    ada = browser("ada@example.org")
    asked = come(ada, server, platform, "ada", INSTRUCTOR, "this")
    done = ada.post(f"{asked.headers['location']}/connection", data={"class_id": str(made.id)})
    assert done.headers["location"] == f"/classes/{made.id}/lti?done=connected"
    yield made
    made.instructor.close()


def roles_in(server: Running, class_id: int) -> dict[str, str]:
    with server.state.db.reading() as db:
        places = select(Enrolment.name, Enrolment.role).where(Enrolment.class_id == class_id)
        return {row.name: row.role for row in db.execute(places)}


def only(server: Running, wanted: Any) -> Any:
    with server.state.db.reading() as db:
        return db.execute(wanted).scalar_one()


def context_id(server: Running) -> int:
    return int(only(server, select(Context.id)))


def user_of(server: Running, subject: str) -> int:
    return int(only(server, select(LtiAccount.user_id).where(LtiAccount.subject == subject)))


# ---- coming in ------------------------------------------------------------------------------------------------


def test_a_student_comes_in_from_a_connected_course(
    server: Running, platform: Platform, connected: ClassAtHand, browser: Browser
) -> None:
    eve = browser()
    page = launch(server, platform, "eve", LEARNER)
    policy = page.headers["content-security-policy"]
    assert f"frame-ancestors {platform.url} https://school.example.org;" in policy
    assert "x-frame-options" not in page.headers
    assert "set-cookie" not in page.headers  # in a frame it would not be kept
    token = key_in(page)
    asked = eve.post("/lti/sessions", data={"token": token})
    assert asked.status_code == 200
    assert "Continue" in asked.text
    done = eve.post("/lti/sessions", data={"token": token, "choice": "new"})
    assert (done.status_code, done.headers["location"]) == (303, f"/classes/{connected.id}")
    assert eve.get(f"/api/v1/classes/{connected.id}").json()["role"] == "student"
    assert roles_in(server, connected.id) == {"Ada": "instructor", "Eve": "student"}
    again = eve.post("/lti/sessions", data={"token": token, "choice": "new"})
    assert again.status_code == 404, "a key is good once"
    other = browser()
    assert come(other, server, platform, "eve", LEARNER, "").headers["location"] == f"/classes/{connected.id}"
    assert other.get("/api/v1/me/progress").status_code == 200
    with server.state.db.reading() as db:
        person = db.get_one(User, user_of(server, "eve"))
        assert (person.role, person.password_hash) == ("student", None)
        assert (person.email or "").endswith("@lms.invalid"), "the platform's word for an address does not count"


def test_roles_of_the_course_are_roles_in_the_class_and_nothing_more(
    server: Running, platform: Platform, connected: ClassAtHand, browser: Browser
) -> None:
    admin = ["http://purl.imsglobal.org/vocab/lis/v2/institution/person#Administrator"]
    for subject, roles in {"tom": ASSISTANT, "ina": INSTRUCTOR, "eve": LEARNER, "adm": [*admin, *LEARNER]}.items():
        come(browser(), server, platform, subject, roles)
    nobody = browser()
    assert come(nobody, server, platform, "obs", [f"{MEMBERSHIP}#Mentor"]).status_code == 303
    assert nobody.get(f"/api/v1/classes/{connected.id}").status_code == 404
    assert roles_in(server, connected.id) == {
        "Ada": "instructor", "Tom": "assistant", "Ina": "instructor", "Eve": "student", "Adm": "student",
    }  # fmt: skip
    with server.state.db.reading() as db:
        made = db.scalars(select(User.role).join(LtiAccount, LtiAccount.user_id == User.id).where(User.id.is_not(None)))
        assert sorted(made) == ["instructor", "student", "student", "student", "student", "student"]  # Ada's own


def test_somebody_who_is_in_the_class_stays_what_they_are(
    server: Running, platform: Platform, connected: ClassAtHand, browser: Browser
) -> None:
    eve = browser()
    come(eve, server, platform, "eve", LEARNER)
    come(eve, server, platform, "eve", INSTRUCTOR, "")
    assert roles_in(server, connected.id)["Eve"] == "student"


def test_the_place_kept_for_a_students_address_is_theirs(
    server: Running, platform: Platform, connected: ClassAtHand, browser: Browser
) -> None:
    lines = [
        {"email": "eve@campus.example.org", "name": "Eve Moss", "section": "B"},
        {"email": "tom@campus.example.org", "role": "assistant"},
    ]
    connected.instructor.put(f"{connected.url}/roster", json=lines).raise_for_status()
    come(browser(), server, platform, "eve", LEARNER)
    come(browser(), server, platform, "tom", LEARNER)
    assert roles_in(server, connected.id) == {"Ada": "instructor", "Eve Moss": "student", "Tom": "student"}
    with server.state.db.reading() as db:
        assert db.scalars(select(ExpectedPerson.email)).all() == ["tom@campus.example.org"]


def test_an_account_is_joined_by_its_owner_alone(
    server: Running, platform: Platform, connected: ClassAtHand, browser: Browser
) -> None:
    accounts.add_user(server.state.db, "eve@campus.example.org", "student", PASSWORD)
    stranger = browser()
    come(stranger, server, platform, "eve", LEARNER)  # says the same address, and is not signed in
    assert user_of(server, "eve") != id_of(server, "eve@campus.example.org")
    assert come(stranger, server, platform, "mal", LEARNER, "this").status_code in (200, 303, 409)
    owner = browser("eve@campus.example.org")
    token = key_in(launch(server, platform, "eve2", LEARNER))
    asked = owner.post("/lti/sessions", data={"token": token})
    assert "Connect to eve@campus.example.org" in asked.text
    assert "<b>Eve2</b> at Campus can open eve@campus.example.org" in asked.text, "whose account it is there"
    for wrong in ("", "a wrong password"):
        refused = owner.post("/lti/sessions", data={"token": token, "choice": "this", "password": wrong})
        assert (refused.status_code, "Connect to eve@campus.example.org" in refused.text) == (403, True)
    assert only(server, select(func.count()).select_from(LtiAccount).where(LtiAccount.subject == "eve2")) == 0
    owner.post("/lti/sessions", data={"token": token, "choice": "this", "password": PASSWORD})
    assert user_of(server, "eve2") == id_of(server, "eve@campus.example.org")
    with browser() as signed_out:
        token = key_in(launch(server, platform, "eve3", LEARNER))
        alone = signed_out.post("/lti/sessions", data={"token": token, "choice": "this", "password": PASSWORD})
        assert alone.status_code == 401
        assert "Continue" in alone.text
        assert only(server, select(func.count()).select_from(LtiAccount).where(LtiAccount.subject == "eve3")) == 0


def test_its_owner_is_told_and_can_end_it(
    server: Running, platform: Platform, connected: ClassAtHand, browser: Browser
) -> None:
    """attack: have the owner join an account of one's own to theirs, once, and come in from then on."""
    accounts.add_user(server.state.db, "eve@example.org", "student", PASSWORD)
    eve = browser("eve@example.org")
    come(eve, server, platform, "mal", LEARNER, "this")
    letter = only(server, select(OutgoingLetter).where(OutgoingLetter.to == "eve@example.org"))
    assert (letter.kind, letter.path) == ("account", "/me/systems")
    assert letter.subject == "Mal at Campus was connected to your account"
    page = eve.get("/me/systems").text
    assert "Campus" in page
    assert "as mal" in page
    assert "/me/systems" in eve.get("/me").text
    field = {"platform": str(only(server, select(Registered.id))), "subject": "mal"}
    other = browser("ada@example.org")
    assert other.post("/me/systems/deletion", data=field).status_code == 404
    assert eve.post("/me/systems/deletion", data=field).headers["location"] == "/me/systems?done=disconnected"
    mallory = browser()
    come(mallory, server, platform, "mal", LEARNER)
    assert user_of(server, "mal") != id_of(server, "eve@example.org")
    last = mallory.post("/me/systems/deletion", data=field)
    assert (last.status_code, "your only way in" in last.text) == (409, True)


def test_a_new_password_ends_every_other_way_in(
    server: Running, platform: Platform, connected: ClassAtHand, browser: Browser
) -> None:
    accounts.add_user(server.state.db, "eve@example.org", "student", PASSWORD)
    eve = browser("eve@example.org")
    come(eve, server, platform, "mal", LEARNER, "this")
    feed = re.search(r"/calendar/[^.]+\.ics", eve.post("/me/calendar").text)
    assert feed is not None
    assert eve.get(feed[0]).status_code == 200
    give_password(server.state.db, "eve@example.org", "another wide password")
    assert eve.get(feed[0]).status_code == 404
    come(browser(), server, platform, "mal", LEARNER)
    assert user_of(server, "mal") != id_of(server, "eve@example.org")


def test_an_address_counts_only_where_an_admin_says_so_and_never_for_staff(
    server: Running, platform: Platform, connected: ClassAtHand, browser: Browser
) -> None:
    accounts.add_user(server.state.db, "eve@campus.example.org", "student", PASSWORD)
    accounts.add_user(server.state.db, "boss@campus.example.org", "instructor", PASSWORD)
    admin, id = account(server, "root2@example.org", "admin"), only(server, select(Registered.id))
    changed = admin.post(f"/lti/platforms/{id}", data={**platform.described, "trusts_email": "on"})
    assert changed.status_code == 303
    come(browser(), server, platform, "eve", LEARNER, "")
    assert user_of(server, "eve") == id_of(server, "eve@campus.example.org")
    come(browser(), server, platform, "new", LEARNER, "")
    assert user_of(server, "new") == id_of(server, "new@campus.example.org")
    come(browser(), server, platform, "boss", INSTRUCTOR, "new")
    assert user_of(server, "boss") != id_of(server, "boss@campus.example.org")


def test_a_launch_signs_in_no_admin(server: Running, platform: Platform, browser: Browser) -> None:
    accounts.add_user(server.state.db, "chief@example.org", "admin", PASSWORD)
    chief = browser("chief@example.org")
    assert come(chief, server, platform, "chief", INSTRUCTOR, "this").status_code == 303
    thief = browser()
    assert come(thief, server, platform, "chief", INSTRUCTOR, "").status_code == 403
    assert thief.get("/lti/platforms").status_code == 401
    assert come(chief, server, platform, "chief", INSTRUCTOR, "").status_code == 303


def test_a_guests_work_comes_along(
    server: Running, platform: Platform, connected: ClassAtHand, browser: Browser
) -> None:
    eve = browser()
    draft = {"source": "mine", "revision": 0}
    eve.put(f"/api/v1/exercises/{GATHER}/drafts/numpy", json=draft).raise_for_status()
    come(eve, server, platform, "eve", LEARNER)
    other = browser()
    come(other, server, platform, "eve", LEARNER, "")
    assert other.get("/me/export").json()["drafts"][0]["source"] == "mine"
    assert other.get("/me/export").json()["lms_accounts"][0]["subject"] == "eve"


def test_a_student_of_a_course_that_is_not_connected_gets_nowhere(
    server: Running, platform: Platform, browser: Browser
) -> None:
    made = teacher(server)
    eve = browser()
    where = come(eve, server, platform, "eve", INSTRUCTOR).headers["location"]  # a role that they claim
    assert "no class here" in eve.get(where).text
    for class_id in (str(made.id), "new"):
        body = {"class_id": class_id, "course": "positions", "title": "Mine", "timezone": "UTC"}
        assert eve.post(f"{where}/connection", data=body).status_code in (403, 404)
    assert eve.get(f"/api/v1/classes/{made.id}").status_code == 404
    assert roles_in(server, made.id) == {"": "instructor"}
    bob = browser()
    where = come(bob, server, platform, "bob", LEARNER).headers["location"]
    assert "has not connected" in bob.get(where).text
    assert bob.get(where).status_code == 200
    assert eve.get(where).status_code == 404, "another's launch"
    made.instructor.close()


def test_an_instructor_here_who_is_a_student_there_connects_nothing(
    server: Running, platform: Platform, browser: Browser
) -> None:
    made = teacher(server)
    ada = browser("ada@example.org")
    where = come(ada, server, platform, "ada", LEARNER, "this").headers["location"]
    assert ada.post(f"{where}/connection", data={"class_id": str(made.id)}).status_code == 403
    assert only(server, select(func.count()).select_from(Context)) == 0
    made.instructor.close()


def test_a_course_is_connected_to_a_new_class_and_to_one_only(
    server: Running, platform: Platform, browser: Browser
) -> None:
    made = teacher(server)
    ada = browser("ada@example.org")
    where = come(ada, server, platform, "ada", INSTRUCTOR, "this").headers["location"]
    page = ada.get(where).text
    assert "Spring" in page
    assert 'value="Deep Learning"' in page
    body = {"class_id": "new", "course": "positions", "title": "Deep Learning", "timezone": "Europe/Berlin"}
    assert ada.post(f"{where}/connection", data={**body, "timezone": "Nowhere"}).status_code == 422
    done = ada.post(f"{where}/connection", data=body)
    assert done.status_code == 303
    assert ada.get(done.headers["location"]).status_code == 200
    assert ada.post(f"{where}/connection", data={"class_id": str(made.id)}).status_code == 409
    assert "is connected" in ada.get(where).text
    made.instructor.close()


# ---- attacks on a launch --------------------------------------------------------------------------------------


def forged(platform: Platform, claims: dict[str, Any], how: str) -> str:
    match how:
        case "stranger's key":
            return platform.sign(claims, STRANGERS_KEY)
        case "no signature":
            return platform.sign_not(claims)
        case "hmac with the public key":
            return platform.sign_as_hmac(claims)
        case "nonsense":
            return "a.b.c"
    changes: dict[str, dict[str, Any]] = {
        "another tool": {"aud": "client-43"},
        "two tools and no party": {"aud": ["client-42", "client-43"]},
        "another party": {"aud": ["client-42", "client-43"], "azp": "client-43"},
        "expired": {"exp": claims["iat"] - 120},
        "old": {"iat": claims["iat"] - 86_400},
        "future": {"iat": claims["iat"] + 3600},
        "without an end": {"exp": None},
        "another issuer": {"iss": "https://other.example.org"},
        "another nonce": {"nonce": "x"},
        "no nonce": {"nonce": None},
        "another deployment": {f"{CLAIM}deployment_id": "deployment-2"},
        "no deployment": {f"{CLAIM}deployment_id": None},
        "another message": {f"{CLAIM}message_type": "LtiSubmissionReviewRequest"},
        "another version": {f"{CLAIM}version": "1.1"},
        "another target": {f"{CLAIM}target_link_uri": "https://evil.example.org/"},
        "a target beside ours": {f"{CLAIM}target_link_uri": f"{platform.tool}.evil.example.org/"},
        "another target of ours": {f"{CLAIM}target_link_uri": f"{platform.tool}/me"},
        "nobody": {"sub": None},
    }
    return platform.sign({**claims, **changes[how]})


@pytest.mark.parametrize(
    "how",
    [
        "stranger's key", "no signature", "hmac with the public key", "nonsense", "another tool",
        "two tools and no party", "another party", "expired", "old", "future", "without an end", "another issuer",
        "another nonce", "no nonce", "another deployment", "no deployment", "another message", "another version",
        "another target", "a target beside ours", "another target of ours", "nobody",
    ],
)  # fmt: skip
def test_a_forged_launch_is_refused_and_the_next_true_one_is_not(server: Running, platform: Platform, how: str) -> None:
    state, nonce = begin(server, platform)
    refused = send(server, state, forged(platform, platform.claims(nonce, "eve", LEARNER), how))
    assert refused.status_code in (403, 422), how
    assert 'name="token"' not in refused.text
    assert launch(server, platform, "eve", LEARNER).status_code == 200


def test_a_launch_is_taken_once(server: Running, platform: Platform) -> None:
    state, nonce = begin(server, platform)
    token = platform.sign(platform.claims(nonce, "eve", LEARNER))
    assert send(server, state, token).status_code == 200
    assert send(server, state, token).status_code == 403, "the state was used"
    other, _ = begin(server, platform)
    assert send(server, other, token).status_code == 403, "the nonce is another sign-in's"
    assert send(server, "unknown", token).status_code == 403
    late, nonce = begin(server, platform)
    with server.state.db.writing() as db:
        db.execute(update(LtiLogin).values(expires_at=now() - timedelta(seconds=1)))
    assert send(server, late, platform.sign(platform.claims(nonce, "eve", LEARNER))).status_code == 403


def test_a_platform_speaks_for_itself_alone(server: Running, platform: Platform) -> None:
    """Two that are registered, and one signs a token for the other's sign-in."""
    with running_platform() as other:
        other.tool, other.client_id, other.key = server.url, "client-77", STRANGERS_KEY
        account(server, "root2@example.org", "admin").post("/lti/platforms", data=other.described)
        state, nonce = begin(server, platform)
        theirs = other.sign({**platform.claims(nonce, "eve", LEARNER)})
        assert send(server, state, theirs).status_code == 403
        state, nonce = begin(server, platform)
        assert send(server, state, other.sign(other.claims(nonce, "eve", LEARNER))).status_code == 403
        assert launch(server, other, "eve", LEARNER).status_code == 200


def test_signing_in_leads_to_our_pages_alone(server: Running, platform: Platform) -> None:
    fields = {"iss": platform.url, "client_id": platform.client_id, "login_hint": "x"}
    with server.client(**FRAMED) as client:
        for target in ("https://evil.example.org/", f"{server.url}.evil.example.org/", f"{server.url}//evil", ""):
            assert client.get("/lti/login", params={**fields, "target_link_uri": target}).status_code == 422, target
        fields["target_link_uri"] = f"{server.url}/lti/launch"
        assert client.get("/lti/login", params=fields).status_code == 302
        for odd in ({"iss": "https://evil.example.org"}, {"client_id": "client-1"}):
            assert client.get("/lti/login", params={**fields, **odd}).status_code == 404


def test_other_pages_are_framed_by_nobody_and_take_no_forms_from_elsewhere(server: Running, platform: Platform) -> None:
    with server.client(**FRAMED) as client:
        assert client.post("/lti/sessions", data={"token": "x"}).status_code == 403
        assert client.post("/lti/deep-links", data={"token": "x"}).status_code == 403
        page = client.get("/exercises")
    assert "frame-ancestors 'none'" in page.headers["content-security-policy"]
    assert page.headers["x-frame-options"] == "DENY"


def test_a_new_key_of_the_platform_is_fetched_and_the_old_one_is_kept_in_mind(
    server: Running, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.classes.lti.wire.KEYS_AGAIN_SECONDS", -1.0)
    for _ in range(2):
        assert launch(server, platform, "eve", LEARNER).status_code == 200
    assert platform.asked.count(("GET", "/jwks")) == 1
    platform.key = type(STRANGERS_KEY).generate_key(2048, {"kid": "next", "use": "sig", "alg": "RS256"})
    assert launch(server, platform, "eve", LEARNER).status_code == 200
    assert platform.asked.count(("GET", "/jwks")) == 2


def test_a_platform_that_is_down_is_told_so(server: Running, platform: Platform) -> None:
    platform.down = True
    assert launch(server, platform, "eve", LEARNER).status_code == 503
    platform.down = False
    assert launch(server, platform, "eve", LEARNER).status_code == 200


# ---- registering ----------------------------------------------------------------------------------------------


def invitation(client: httpx.Client, path: str) -> str:
    page = client.post(path)
    assert page.status_code == 200
    found = re.search(r'value="(http[^"]+/lti/register/[^"]+)"', page.text)
    assert found is not None
    return urlsplit(found[1]).path


def test_a_platform_registers_us_by_an_invitation_once(server: Running, browser: Browser) -> None:
    made = teacher(server)
    url = invitation(made.instructor, f"/classes/{made.id}/lti/invitations")
    with running_platform() as platform, server.client() as client:
        platform.tool = server.url
        asked = {"openid_configuration": f"{platform.url}/configuration", "registration_token": "once"}
        page = client.get(url, params=asked)
        assert page.status_code == 200
        assert platform.url in page.text
        assert f"frame-ancestors {platform.url};" in page.headers["content-security-policy"]
        assert not platform.asked, "nothing is asked before somebody says so"
        wrong = client.post(url, data={**asked, "registration_token": "no"}, headers=BROWSER)
        assert wrong.status_code == 422
        done = client.post(url, data=asked, headers=BROWSER)
        assert done.status_code == 200, done.text
        assert "is registered" in done.text
        told = platform.registered
        assert told["initiate_login_uri"] == f"{server.url}/lti/login"
        assert told["token_endpoint_auth_method"] == "private_key_jwt"
        assert client.post(url, data=asked, headers=BROWSER).status_code == 404
        assert client.get(url, params=asked).status_code == 404
        with server.state.db.reading() as db:
            row = db.scalars(select(Registered)).one()
            assert (row.issuer, row.client_id, row.deployments) == (platform.url, platform.client_id, [DEPLOYMENT])
            assert row.trusts_email is False
        assert launch(server, platform, "eve", LEARNER).status_code == 200
    made.instructor.close()


def test_what_we_sign_for_one_platform_opens_nothing_at_another(
    server: Running, platform: Platform, connected: ClassAtHand
) -> None:
    """attack: register a platform of one's own that names the token address and the client id of the university's: its
    token is sent to us there, and we send it on; or what we sign is sent there by somebody else."""
    url = invitation(connected.instructor, f"/classes/{connected.id}/lti/invitations")
    with server.state.db.reading() as db:
        true_one = db.scalars(select(Registered)).one()
    wire = server.state.lti
    assert service_of(server.state.db, wire, true_one)._token((MEMBERS_SCOPE,))
    with running_platform() as own, server.client(**BROWSER) as client:
        own.tool, own.client_id = server.url, platform.client_id
        own.configuration = {
            "issuer": own.url, "authorization_endpoint": f"{own.url}/auth", "token_endpoint": f"{platform.url}/token",
            "jwks_uri": f"{own.url}/jwks", "registration_endpoint": f"{own.url}/register",
            "authorization_server": f"{platform.url}/token",
        }  # fmt: skip
        asked = {"openid_configuration": f"{own.url}/configuration", "registration_token": "once"}
        assert client.post(url, data=asked).status_code == 200
        with server.state.db.reading() as db:
            false_one = db.scalars(select(Registered).where(Registered.issuer == own.url)).one()
        given = len(platform.tokens)
        with pytest.raises((Refused, Unreachable)):
            service_of(server.state.db, wire, false_one)._token((MEMBERS_SCOPE,))
        assert len(platform.tokens) == given
        with server.state.db.reading() as db:
            keys = {row.name: row.kid for row in db.scalars(select(ToolKey))}
        published = [key["kid"] for key in client.get("/lti/jwks").json()["keys"]]
        assert published == [keys[""]]
        mine = client.get(urlsplit(own.registered["jwks_uri"]).path).json()["keys"]
        assert [key["kid"] for key in mine] == [keys[false_one.key_name]]
        assert client.get("/lti/jwks/guessed").json() == {"keys": []}
        admin = account(server, "root2@example.org", "admin")
        assert own.registered["jwks_uri"] in admin.get(f"/lti/platforms/{false_one.id}").text
        assert admin.post(f"/lti/platforms/{false_one.id}/delete").status_code == 303
        assert client.get(urlsplit(own.registered["jwks_uri"]).path).json() == {"keys": []}


def test_nobody_else_invites_a_platform(server: Running) -> None:
    made = teacher(server)
    eve, bob = account(server, "eve@example.org"), account(server, "bob@example.org", "instructor")
    made.join(eve)
    assert eve.post(f"/classes/{made.id}/lti/invitations").status_code == 403
    assert bob.post(f"/classes/{made.id}/lti/invitations").status_code == 404
    assert bob.post("/lti/platforms/invitations").status_code == 403
    assert bob.get("/lti/platforms").status_code == 403
    assert bob.post("/lti/keys").status_code == 403
    with server.client() as client:
        assert client.get("/lti/register/guessed").status_code == 404
        assert client.post("/lti/register/guessed", headers=BROWSER).status_code == 404
    made.instructor.close()


def test_a_configuration_in_another_servers_name_is_refused(server: Running) -> None:
    admin = account(server, "root@example.org", "admin")
    url = invitation(admin, "/lti/platforms/invitations")
    with running_platform() as platform, server.client(**BROWSER) as client:
        platform.tool = server.url
        asked = {"openid_configuration": f"{platform.url}/configuration", "registration_token": "once"}
        theirs = {"authorization_endpoint": f"{platform.url}/auth", "token_endpoint": f"{platform.url}/token"}
        for odd in (
            {"issuer": "https://canvas.instructure.com"},
            {"issuer": platform.url, **theirs, "jwks_uri": "http://169.254.169.254/latest"},
            {"issuer": platform.url, **theirs, "jwks_uri": f"{platform.url}/jwks", "registration_endpoint": "file:///"},
        ):
            platform.configuration = odd
            assert client.post(url, data=asked).status_code == 422
        assert ("POST", "/register") not in platform.asked
        for address in (f"{platform.url}/moved", f"{platform.url}/large", f"{platform.url}/missing"):
            assert client.post(url, data={**asked, "openid_configuration": address}).status_code == 422
        assert ("GET", "/jwks") not in platform.asked, "a redirect is not followed"


INSIDE = [
    "http://example.org/", "https://127.0.0.1/", "https://localhost/", "https://10.1.2.3/", "https://192.168.1.1/",
    "https://169.254.169.254/latest/meta-data", "https://[::1]/", "https://[fd00::1]/", "https://[::ffff:10.0.0.1]/",
    "https://[64:ff9b::a00:1]/", "https://[2002:a00:1::]/", "https://0.0.0.0/", "https://100.64.0.1/", "file:///etc/passwd",
    "ftp://example.org/", "https://user@example.org/", "https:///x", "https://example.org:99999/", "gopher://x/", "",
    "https://exa mple.org/", "https://224.0.0.1/", "https://[fec0::1]/", "https://[64:ff9b:1::a00:1]/",
    "https://[::127.0.0.1]/", "https://192.0.0.8/", "https://192.88.99.1/",
]  # fmt: skip


@pytest.mark.parametrize("url", INSIDE)
def test_an_address_inside_is_not_asked(url: str) -> None:
    outgoing = Outgoing()
    with pytest.raises(Invalid):
        outgoing.require_url(url, "url")
    with pytest.raises(Unreachable):
        outgoing.ask("GET", url)


def test_a_name_that_leads_inside_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a name resolves to is looked at when it is asked: this one is public by its look."""
    with running_platform() as platform:
        port = urlsplit(platform.url).port
        inside = [(2, 1, 6, "", ("127.0.0.1", port))]
        monkeypatch.setattr("app.web.outgoing.socket.getaddrinfo", lambda *_, **__: inside)
        with pytest.raises(Unreachable, match="private network"):
            Outgoing().ask("GET", f"https://lms.example.org:{port}/jwks")
        assert not platform.asked
    with pytest.raises(Unreachable):
        Outgoing(["127.0.0.1"]).ask("GET", f"{platform.url}/jwks")  # it is gone


class Dripping:
    """A server that answers with one byte of a head after another, until it is told to `end`."""

    def __init__(self, listener: socket.socket) -> None:
        self.url = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        self.held = threading.Semaphore(0)  # released with each connection
        self._is_over, self._listener = threading.Event(), listener
        threading.Thread(target=self._accept, daemon=True).start()

    def end(self) -> None:
        self._is_over.set()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                threading.Thread(target=self._drip, args=(connection,), daemon=True).start()
                self.held.release()

    def _drip(self, connection: socket.socket) -> None:
        with connection, suppress(OSError):
            connection.sendall(b"HTTP/1.1 200 OK\r\nX-Slow: ")
            while not self._is_over.wait(LOOK_SECONDS):
                connection.sendall(b"x")


@pytest.fixture
def dripping() -> Iterator[Dripping]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = Dripping(listener)
        yield server
        server.end()
        listener.shutdown(socket.SHUT_RDWR)


def test_a_head_that_never_ends_is_not_waited_for(dripping: Dripping, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.web.outgoing.SECONDS", 0.5)
    with pytest.raises(Unreachable, match="no answer in time"):
        Outgoing(["127.0.0.1"]).ask("GET", dripping.url)


def test_few_of_our_threads_wait_for_others_at_once(dripping: Dripping, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.web.outgoing.SECONDS", 600.0)
    monkeypatch.setattr("app.web.outgoing.WAIT_SECONDS", 0.05)
    outgoing = Outgoing(["127.0.0.1"])

    def ask() -> None:
        with pytest.raises(Unreachable):
            outgoing.ask("GET", dripping.url)

    threads = [threading.Thread(target=ask) for _ in range(AT_ONCE)]
    for thread in threads:
        thread.start()
        assert dripping.held.acquire(timeout=LIMIT_SECONDS)
    with pytest.raises(Unreachable, match="too many"):
        outgoing.ask("GET", dripping.url)
    dripping.end()
    until_ended(*threads)
    with pytest.raises(Unreachable, match="cannot be reached"):
        outgoing.ask("GET", dripping.url)  # there is a place again


def test_platforms_are_kept_by_admins_and_named_once(server: Running, platform: Platform) -> None:
    admin, id = account(server, "root2@example.org", "admin"), only(server, select(Registered.id))
    assert admin.post("/lti/platforms", data=platform.described).status_code == 409
    assert admin.post("/lti/platforms", data={**platform.described, "jwks_url": "https://10.0.0.1/"}).status_code == 422
    odd = {**platform.described, "frames": "https://*.example.org"}
    assert admin.post(f"/lti/platforms/{id}", data=odd).status_code == 422
    assert admin.get(f"/lti/platforms/{id}").status_code == 200
    assert "Campus" in admin.get("/lti/platforms").text
    assert admin.post(f"/lti/platforms/{id}/delete").status_code == 303
    assert admin.get(f"/lti/platforms/{id}").status_code == 404
    with server.state.db.reading() as db:
        told = db.scalars(select(AuditEntry.action).where(AuditEntry.kind == "platform").order_by(AuditEntry.id)).all()
    assert told == ["platform registered", "platform removed"]


def test_our_keys_are_public_halves_and_can_be_replaced(server: Running, platform: Platform) -> None:
    admin = account(server, "root2@example.org", "admin")
    with server.client() as client:
        (first,) = client.get("/lti/jwks").json()["keys"]
        assert first.keys() == {"kty", "n", "e", "kid", "use", "alg"}
        assert admin.post("/lti/keys").status_code == 303
        kids = [key["kid"] for key in client.get("/lti/jwks").json()["keys"]]
        assert len(kids) == 2
        assert first["kid"] == kids[1]
        with server.state.db.writing() as db:
            db.execute(update(ToolKey).where(ToolKey.kid == first["kid"]).values(replaced_at=now() - timedelta(days=2)))
        assert [key["kid"] for key in client.get("/lti/jwks").json()["keys"]] == [kids[0]]


# ---- deep links and people ------------------------------------------------------------------------------------


def deep_link(server: Running, platform: Platform, subject: str, roles: list[str], **settings: Any) -> httpx.Response:
    asked = {
        "deep_link_return_url": f"{platform.url}/return", "accept_types": ["ltiResourceLink"], "data": "d-1",
        **settings,
    }  # fmt: skip
    more: dict[str, Any] = {
        f"{CLAIM}message_type": "LtiDeepLinkingRequest", f"{DEEP_LINKING}deep_linking_settings": asked,
    }  # fmt: skip
    return launch(server, platform, subject, roles, **more)


def test_an_instructor_adds_assignments_to_the_course(
    server: Running, platform: Platform, connected: ClassAtHand, browser: Browser
) -> None:
    connected.assign(GATHER, due_at="2030-01-01T12:00:00Z")
    connected.assign(SOFTMAX)
    page = deep_link(server, platform, "ada", INSTRUCTOR)
    token = key_in(page)
    assert f'value="exercise/{SOFTMAX}"' in page.text
    with server.client(**BROWSER) as frame:  # without a cookie
        assert frame.post("/lti/deep-links", data={"token": token}).status_code == 422
        picked = [f"exercise/{GATHER}", "exercise/not-assigned"]
        done = frame.post("/lti/deep-links", data={"token": token, "pick": picked})
        assert f"form-action 'self' {platform.url}" in done.headers["content-security-policy"]
        assert f'action="{platform.url}/return"' in done.text
        assert frame.post("/lti/deep-links", data={"token": token, "pick": picked}).status_code == 404
    found = re.search(r'name="JWT" value="([^"]+)"', done.text)
    assert found is not None
    claims = platform.read(html.unescape(found[1]))
    assert (claims["iss"], claims["aud"]) == (platform.client_id, [platform.url])
    assert claims[f"{DEEP_LINKING}data"] == "d-1"
    assert claims[f"{CLAIM}deployment_id"] == DEPLOYMENT
    (item,) = claims[f"{DEEP_LINKING}content_items"]
    assert item["url"] == f"{server.url}/exercises/{GATHER}"
    assert item["lineItem"] == {
        "scoreMaximum": 100, "label": item["title"], "resourceId": f"exercise/{GATHER}", "tag": "lectern",
    }  # fmt: skip


def test_nobody_else_picks_assignments(
    server: Running, platform: Platform, connected: ClassAtHand, browser: Browser
) -> None:
    come(browser(), server, platform, "eve", LEARNER)
    connected.assign(GATHER)
    for subject, roles in (("eve", LEARNER), ("eve", INSTRUCTOR), ("new", INSTRUCTOR), ("ada", LEARNER)):
        page = deep_link(server, platform, subject, roles)
        assert GATHER not in page.text
        with server.client(**BROWSER) as frame:
            sent = {"token": key_in(page), "pick": f"exercise/{GATHER}"}
            assert frame.post("/lti/deep-links", data=sent).status_code == 404


def test_the_people_of_a_course_are_fetched_page_by_page(
    server: Running, platform: Platform, connected: ClassAtHand, browser: Browser
) -> None:
    come(browser(), server, platform, "eve", LEARNER)
    connected.instructor.delete(f"{connected.url}/roster/{user_of(server, 'eve')}").raise_for_status()
    accounts.add_user(server.state.db, "known@campus.example.org", "student", None)
    platform.members = [
        {"user_id": "ada", "roles": INSTRUCTOR, "name": "Ada"},
        {"user_id": "eve", "roles": LEARNER, "name": "Eve", "email": "eve@campus.example.org"},
        {"user_id": "bob", "roles": ["Learner"], "name": "Bob Moss", "email": "BOB@campus.example.org"},
        {"user_id": "dan", "roles": LEARNER},
        {"user_id": "tom", "roles": ASSISTANT, "email": "tom@campus.example.org"},
        {"user_id": "old", "roles": LEARNER, "email": "old@campus.example.org", "status": "Inactive"},
        {"user_id": "kim", "roles": LEARNER, "name": "Kim", "email": "known@campus.example.org"},
    ]
    url = f"/classes/{connected.id}/lti/{context_id(server)}/members"
    done = connected.instructor.post(url)
    assert done.status_code == 303, done.text
    assert platform.asked.count(("GET", "/members")) == 4
    assert (
        "2 enrolled, 1 expected under their address, 1 in the class already. 2 more"
        in connected.instructor.get(done.headers["location"]).text
    )
    assert roles_in(server, connected.id) == {"Ada": "instructor", "Eve": "student", "Kim": "student"}
    with server.state.db.reading() as db:
        expected = list(map(tuple, db.execute(select(ExpectedPerson.email, ExpectedPerson.name, ExpectedPerson.role))))
    assert expected == [("bob@campus.example.org", "Bob Moss", "student")]
    come(browser(), server, platform, "bob", LEARNER)
    assert roles_in(server, connected.id)["Bob Moss"] == "student"
    platform.down = True
    assert connected.instructor.post(url).status_code == 409


# ---- scores ---------------------------------------------------------------------------------------------------


def compared_at_once(server: Running) -> None:
    """As if a minute had passed, and every pause were over."""
    with server.state.db.writing() as db:
        db.execute(update(Context).values(swept_at=None))
        db.execute(update(SentScore).values(next_at=now() - timedelta(seconds=1)))
        db.execute(update(LineItem).values(next_at=now() - timedelta(seconds=1)))


def one_round(server: Running) -> None:
    compared_at_once(server)
    Passback(server.state.db, server.state.catalog, server.state.lti).once()


@pytest.fixture
def graded(
    server: Running, platform: Platform, connected: ClassAtHand, browser: Browser
) -> tuple[ClassAtHand, httpx.Client]:
    """A class whose scores are sent, and Eve, who is in it."""
    connected.assign(GATHER)
    eve = browser()
    come(eve, server, platform, "eve", LEARNER)
    url = f"/classes/{connected.id}/lti/{context_id(server)}/scores"
    assert connected.instructor.post(url, data={"assignment": f"exercise/{GATHER}"}).status_code == 303
    return connected, eve


def test_scores_go_to_the_platforms_gradebook_when_they_change(
    server: Running, platform: Platform, graded: tuple[ClassAtHand, httpx.Client]
) -> None:
    class_, eve = graded
    one_round(server)
    (item,) = platform.items.values()
    assert (item["resourceId"], item["scoreMaximum"]) == (f"exercise/{GATHER}", 100)
    assert platform.scores == [], "there is nothing to tell yet"
    judged(server, eve, 0.5)
    one_round(server)
    (path, score), *none = platform.scores
    assert none == []
    assert path == "/items/1/scores"
    assert (score["userId"], score["scoreGiven"], score["scoreMaximum"]) == ("eve", 50, 100)
    assert (score["activityProgress"], score["gradingProgress"]) == ("Completed", "FullyGraded")
    one_round(server)
    assert len(platform.scores) == 1, "it is told once"
    judged(server, eve, 1.0)
    one_round(server)
    user = user_of(server, "eve")
    body = {"score": 0.8, "reason": "By hand"}
    class_.instructor.put(f"{class_.url}/scores/{user}/exercise/{GATHER}", json=body).raise_for_status()
    one_round(server)
    assert platform.given("eve") == [50, 100, 80]
    stamps = [score["timestamp"] for _, score in platform.scores]
    assert stamps == sorted(set(stamps))
    page = class_.instructor.get(f"/classes/{class_.id}/lti")
    assert page.status_code == 200
    assert "1 sent" in page.text


def test_scores_arrive_after_the_platform_was_down(
    server: Running, platform: Platform, graded: tuple[ClassAtHand, httpx.Client]
) -> None:
    class_, eve = graded
    judged(server, eve, 0.5)
    platform.down = True
    one_round(server)
    one_round(server)
    assert platform.scores == []
    assert only(server, select(LineItem.fault)).startswith("The platform answered 503")
    platform.down = False
    one_round(server)
    assert platform.given("eve") == [50]
    platform.down = True
    judged(server, eve, 0.75)
    one_round(server)
    assert "tries again" in class_.instructor.get(f"/classes/{class_.id}/lti").text
    assert only(server, select(SentScore.tries)) == 1
    judged(server, eve, 1.0)
    platform.down = False
    one_round(server)
    assert platform.given("eve") == [50, 100], "the newest, once"
    assert only(server, select(SentScore.fault)) == ""


def test_what_the_platform_refuses_is_kept_with_its_reason(
    server: Running, platform: Platform, graded: tuple[ClassAtHand, httpx.Client]
) -> None:
    class_, eve = graded
    judged(server, eve, 0.5)
    platform.refuses = 422
    one_round(server)
    one_round(server)
    assert only(server, select(SentScore.state)) == "failed"
    assert only(server, select(SentScore.tries)) == 1, "it is not asked again and again"
    page = class_.instructor.get(f"/classes/{class_.id}/lti").text
    assert "we do not want it" in page
    assert "does not take it" in page
    platform.refuses = 0
    url = f"/classes/{class_.id}/lti/{context_id(server)}/retries"
    assert class_.instructor.post(url).status_code == 303
    one_round(server)
    assert platform.given("eve") == [50]


def test_a_platform_that_is_busy_is_asked_again(
    server: Running, platform: Platform, graded: tuple[ClassAtHand, httpx.Client]
) -> None:
    _, eve = graded
    judged(server, eve, 0.5)
    for status in (429, 500, 409):
        platform.refuses = status
        one_round(server)
        assert only(server, select(SentScore.state)) == "waiting", status
    assert only(server, select(SentScore.next_at)) > now(), "later, not at once"
    platform.refuses = 0
    platform.tokens.clear()  # what opened it opens it no more
    one_round(server)
    assert platform.given("eve") == [50]


def test_several_processes_send_a_score_once(
    server: Running, platform: Platform, graded: tuple[ClassAtHand, httpx.Client]
) -> None:
    _, eve = graded
    judged(server, eve, 0.5)
    one = [Passback(server.state.db, server.state.catalog, server.state.lti) for _ in range(4)]
    compared_at_once(server)
    for _ in range(2):  # the column, and then the score
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda passback: passback.once(), one))
    assert platform.given("eve") == [50]
    assert len(platform.items) == 1


def test_time_goes_forward_for_the_platform_whatever_our_clock_does(
    server: Running, platform: Platform, graded: tuple[ClassAtHand, httpx.Client]
) -> None:
    _, eve = graded
    judged(server, eve, 0.5)
    one_round(server)
    ahead = datetime.now(UTC).replace(microsecond=0) + timedelta(hours=1)
    with server.state.db.writing() as db:
        db.execute(update(SentScore).values(timed_at=ahead))
    judged(server, eve, 1.0)
    one_round(server)
    stamp = platform.scores[-1][1]["timestamp"]
    assert stamp == (ahead + timedelta(milliseconds=1)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def test_a_link_brings_the_column_of_its_own(
    server: Running, platform: Platform, connected: ClassAtHand, browser: Browser
) -> None:
    connected.assign(GATHER)
    item = f"{platform.url}/items/77?type=lti"
    endpoint = {"scope": [f"{AGS}scope/score"], "lineitem": item, "lineitems": f"{platform.url}/items"}
    claim: dict[str, Any] = {f"{AGS}claim/endpoint": endpoint}
    eve = browser()
    done = come(eve, server, platform, "eve", LEARNER, target=f"/exercises/{GATHER}", **claim)
    assert done.headers["location"] == f"/exercises/{GATHER}"
    assert only(server, select(LineItem.url)) == item
    judged(server, eve, 1.0)
    one_round(server)
    assert [path for path, _ in platform.scores] == ["/items/77/scores"]


def test_a_column_that_is_there_is_found_and_a_score_that_is_gone_is_taken_back(
    server: Running, platform: Platform, graded: tuple[ClassAtHand, httpx.Client]
) -> None:
    class_, _ = graded
    url = f"{platform.url}/items/5"
    platform.items[url] = {"label": "There before", "resourceId": f"exercise/{GATHER}", "scoreMaximum": 100}
    path = f"{class_.url}/scores/{user_of(server, 'eve')}/exercise/{GATHER}"
    class_.instructor.put(path, json={"score": 1.0, "reason": "By hand"}).raise_for_status()
    one_round(server)
    assert platform.items.keys() == {url}
    assert platform.given("eve") == [100]
    class_.instructor.delete(path).raise_for_status()
    one_round(server)
    assert platform.given("eve") == [100, None]
    assert platform.scores[-1][1]["gradingProgress"] == "NotReady"


def test_what_is_disconnected_is_sent_no_more(
    server: Running, platform: Platform, graded: tuple[ClassAtHand, httpx.Client], browser: Browser
) -> None:
    class_, eve = graded
    judged(server, eve, 0.5)
    one_round(server)
    base = f"/classes/{class_.id}/lti/{context_id(server)}"
    assert class_.instructor.post(f"{base}/scores/delete", data={"assignment": f"exercise/{GATHER}"}).status_code == 303
    judged(server, eve, 1.0)
    one_round(server)
    assert platform.given("eve") == [50]
    assert class_.instructor.post(f"{base}/delete").status_code == 303
    assert "Eve" in roles_in(server, class_.id)
    assert come(browser(), server, platform, "bob", LEARNER).headers["location"].startswith("/lti/launches/")
    assert roles_in(server, class_.id) == {"Ada": "instructor", "Eve": "student"}


def test_the_page_of_connections_is_for_instructors_of_the_class(
    server: Running, platform: Platform, connected: ClassAtHand, browser: Browser
) -> None:
    eve, tom, bob = browser(), browser(), account(server, "bob@example.org", "instructor")
    come(eve, server, platform, "eve", LEARNER)
    come(tom, server, platform, "tom", ASSISTANT)
    base = f"/classes/{connected.id}/lti"
    for client, status in ((eve, 403), (tom, 403), (bob, 404)):
        assert client.get(base).status_code == status
        for path in ("members", "scores", "scores/delete", "retries", "delete"):
            sent = client.post(f"{base}/{context_id(server)}/{path}", data={"assignment": f"exercise/{GATHER}"})
            assert sent.status_code == status, path
    made = make_class(server, bob, title="Bob's")
    assert bob.post(f"/classes/{made.id}/lti/{context_id(server)}/retries").status_code == 404, "another class's"
    assert COURSE not in connected.instructor.get(base).text
