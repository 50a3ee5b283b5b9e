"""The installation at one look: workers, queue, content that is broken, disk, people and release."""

from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.operating.backlog import Backlog, backlog_of
from app.operating.disk import Disk
from app.operating.release import Release, release
from app.people.permission import STAFF
from app.people.users import User
from app.queue.contract import Crew
from app.reading.catalog import Held
from app.state import AppState


@dataclass(frozen=True)
class OwnJudge:
    """Of the web process that answers. `parked`: warm boxes by framework. `refusal`: why it cannot judge, if so."""

    threads: int
    parked: dict[str, int]
    is_ready: bool
    refusal: str


@dataclass(frozen=True)
class Installation:
    """`staff`: how many can sign in, by role. `is_brokered`: workers are told apart by name; otherwise there is only
    this process's own judge."""

    own: OwnJudge | None
    crews: list[Crew]
    is_brokered: bool
    backlog: Backlog
    broken: list[Held]
    staff: dict[str, int]
    disabled_staff: int
    disk: Disk
    release: Release


def installation(db: Session, state: AppState, person: User, disk: Disk) -> Installation:
    """For those whom `require_operator` let in."""
    staff, disabled = _staff(db)
    return Installation(
        own=_own_judge(state),
        crews=list(state.queue.crews()),
        is_brokered=state.settings.queue != "local",
        backlog=backlog_of(db, lambda slug, kind: _is_built(state, slug, kind), state.queue.nobody_for),
        # an admin is told of everything that is broken, also where only some may author it
        broken=state.catalog.held_for(person, lambda: ()),
        staff=staff,
        disabled_staff=disabled,
        disk=disk,
        release=release(state.db),
    )


def _own_judge(state: AppState) -> OwnJudge | None:
    judge = state.judge
    if judge is None:
        return None
    refusal = judge.why_not()
    parked = {framework: int(count) for framework, count in sorted(judge.parked().items())}
    return OwnJudge(state.settings.workers, parked, judge.ready(), refusal.message if refusal else "")


def _is_built(state: AppState, slug: str, kind: str) -> bool:
    exercise = state.catalog.exercises.get(slug)
    return state.preparer is None or exercise is None or state.preparer.is_settled(exercise, kind)


def _staff(db: Session) -> tuple[dict[str, int], int]:
    able = User.disabled_at.is_(None)
    counted = select(User.role, func.count().filter(able), func.count().filter(~able)).where(User.role.in_(STAFF))
    rows = db.execute(counted.group_by(User.role).order_by(User.role)).all()
    return {role: count for role, count, _ in rows}, sum(disabled for *_, disabled in rows)
