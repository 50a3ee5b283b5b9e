"""Which exercises someone has tried: that they sent anything for it, be it a run."""

from collections.abc import Iterable

from sqlalchemy import exists, select
from sqlalchemy.orm import Session

from app.people.users import User
from app.practice.submissions import Submission


def tried_of(db: Session, user: User | None, exercises: Iterable[str]) -> frozenset[str]:
    """Of these slugs, a page's few, those that this person has tried.

    One statement, with one look into an index for each: it takes no longer for someone who sent a hundred thousand.
    """
    slugs = tuple(dict.fromkeys(exercises))
    if user is None or not slugs:
        return frozenset()
    looks = [exists().where(Submission.user_id == user.id, Submission.exercise == slug) for slug in slugs]
    return frozenset(slug for slug, is_tried in zip(slugs, db.execute(select(*looks)).one(), strict=True) if is_tried)
