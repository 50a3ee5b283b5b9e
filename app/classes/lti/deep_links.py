"""Deep links: an instructor picks assignments of the class, and the platform makes links of them, with columns of its
gradebook. What we answer with is a token that we sign, which the browser brings to the platform."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from app.classes.assignments import Assignment, assignments_of, title_of, url_of
from app.classes.classes import Class, Enrolment
from app.classes.lti.accounts import LtiAccount
from app.classes.lti.contexts import context_of
from app.classes.lti.keys import ToolKey, signed
from app.classes.lti.launches import CLAIM, DEEP_LINKING, Launch, LaunchClaims
from app.classes.lti.platforms import Platform
from app.classes.lti.scores import MAXIMUM, resource_id
from app.classes.rights import Right, may_in_class
from app.people.belongings import plain
from app.people.users import new_token
from app.reading.catalog import Catalog
from app.web.errors import Invalid

MAX_LINKS = 200


@dataclass(frozen=True)
class Offered:
    """An assignment that can be picked."""

    kind: str
    slug: str
    title: str
    path: str
    due_at: str | None

    @property
    def key(self) -> str:
        return resource_id(self.kind, self.slug)


def class_to_pick_from(db: Session, launch: Launch) -> Class | None:
    """The class whose assignments somebody may link to who comes with this launch: the one that their course is
    connected to, where the account that is theirs here is an instructor of it. What they get is what the platform is
    told anyhow: titles, and addresses."""
    claims = launch.launch
    context = context_of(db, launch.platform_id, claims)
    account = db.get(LtiAccount, (launch.platform_id, claims.subject))
    if context is None or account is None or not claims.is_teaching:
        return None
    place = db.get(Enrolment, (context.class_id, account.user_id))
    if place is None or not may_in_class(place.role, Right.connect):
        return None
    return db.get_one(Class, context.class_id)


def offered(db: Session, catalog: Catalog, class_: Class) -> list[Offered]:
    return [_offered(catalog, class_, row) for row in assignments_of(db, class_)]


def _offered(catalog: Catalog, class_: Class, row: Assignment) -> Offered:
    title, path = title_of(catalog, class_, row.kind, row.slug), url_of(class_, row.kind, row.slug)
    return Offered(row.kind, row.slug, title, path, plain(row.due_at))


def picked(found: Sequence[Offered], keys: Sequence[str], claims: LaunchClaims) -> list[Offered]:
    """Raises Invalid."""
    chosen = [one for one in found if one.key in keys]
    if not chosen or len(chosen) > MAX_LINKS:
        raise Invalid("Pick at least one assignment.", "Tick those that you want in your course.")
    if len(chosen) > 1 and not claims.takes_many:
        raise Invalid("The platform takes one link at a time here.", "Pick one assignment.")
    return chosen


def answer(key: ToolKey, platform: Platform, claims: LaunchClaims, chosen: Sequence[Offered], origin: str) -> str:
    """The token that the browser brings to the platform."""
    content: dict[str, Any] = {
        "iss": platform.client_id,
        "aud": [platform.issuer],
        "nonce": new_token(),
        CLAIM + "deployment_id": claims.deployment,
        CLAIM + "message_type": "LtiDeepLinkingResponse",
        CLAIM + "version": "1.3.0",
        DEEP_LINKING + "content_items": [_link(one, claims, origin) for one in chosen],
    }
    if claims.data:
        content[DEEP_LINKING + "data"] = claims.data
    return signed(key, content)


def _link(one: Offered, claims: LaunchClaims, origin: str) -> dict[str, Any]:
    link: dict[str, Any] = {"type": "ltiResourceLink", "title": one.title, "url": origin + one.path}
    if claims.takes_line_items:
        link["lineItem"] = {"scoreMaximum": MAXIMUM, "label": one.title, "resourceId": one.key, "tag": "lectern"}
        if one.due_at is not None:
            link["submission"] = {"endDateTime": one.due_at}
    return link
