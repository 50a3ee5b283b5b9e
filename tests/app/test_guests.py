"""Guests who turn out to have an account: whose work it is then, and what stays where both did the same."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from app.db import Base, Database, now
from app.discussions.mistakes import MistakeReport
from app.people.guests import keep_work, let_go_of_guests
from app.people.users import Role, User, add_guest, add_user, open_login
from app.practice.drafts import Draft
from app.practice.hints import HintOpened
from app.practice.solutions import GiveUp
from app.practice.standings import BestTime
from app.quizzes.reviews import ReviewCard
from app.reading.catalog import Catalog
from app.reading.lessons import LessonRead

EARLY, LATE = (datetime(2026, 3, day, tzinfo=UTC) for day in (1, 2))


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    database = Database(database_url)
    yield database
    database.close()


class Two:
    """A guest, and the account that they turn out to have."""

    def __init__(self, database: Database) -> None:
        self.database = database
        with database.writing() as db:
            self.account, self.guest = add_user(db, "ada@example.org", Role.student, None).id, add_guest(db).id
            self.other = add_guest(db).id

    def have(self, *rows: Base) -> None:
        with self.database.writing() as db:
            db.add_all(rows)

    def sign_in(self) -> None:
        with self.database.writing() as db:
            keep_work(db, Catalog(self.database), db.get_one(User, self.guest), db.get_one(User, self.account))

    def rows(self, table: type[Base], *columns: str) -> set[tuple[object, ...]]:
        with self.database.reading() as db:
            return {tuple(getattr(row, name) for name in columns) for row in db.scalars(select(table))}


@pytest.fixture
def two(database: Database) -> Two:
    return Two(database)


def card(user_id: int, due_at: datetime, question: str = "a.b.c") -> ReviewCard:
    return ReviewCard(
        user_id=user_id, question=question, question_hash="hash", stability=1.5, difficulty=5.0, reviews=3,
        added_at=EARLY, last_at=EARLY, due_at=due_at,
    )  # fmt: skip


def best(user_id: int, wall_ms: float, judging_hash: str = "cases") -> BestTime:
    return BestTime(user_id=user_id, exercise="x", framework="numpy", judging_hash=judging_hash, wall_ms=wall_ms)


def draft(user_id: int, source: bytes, saved_at: datetime) -> Draft:
    return Draft(user_id=user_id, exercise="x", framework="numpy", source=source, saved_at=saved_at)


def test_what_only_the_guest_did_is_the_accounts(two: Two) -> None:
    two.have(
        LessonRead(user_id=two.guest, course="c", lesson="l", read_at=EARLY),
        draft(two.guest, b"typed", EARLY),
        HintOpened(user_id=two.guest, exercise="x", number=1, opened_at=EARLY),
        card(two.guest, LATE),
        GiveUp(user_id=two.guest, exercise="x", given_up_at=EARLY),
        best(two.guest, 3.0),
    )
    two.sign_in()
    own = two.account
    assert two.rows(LessonRead, "user_id", "lesson", "read_at") == {(own, "l", EARLY)}
    assert two.rows(Draft, "user_id", "source", "revision", "saved_at") == {(own, b"typed", 1, EARLY)}
    assert two.rows(HintOpened, "user_id", "number", "opened_at") == {(own, 1, EARLY)}
    assert two.rows(ReviewCard, "user_id", "question", "reviews", "due_at") == {(own, "a.b.c", 3, LATE)}
    assert two.rows(GiveUp, "user_id", "exercise", "given_up_at") == {(own, "x", EARLY)}
    assert two.rows(BestTime, "user_id", "judging_hash", "wall_ms") == {(own, "cases", 3.0)}
    assert {id for (id,) in two.rows(User, "id")} == {own, two.other}, "the guest is no more"


def test_where_both_did_the_same_the_accounts_stays(two: Two) -> None:
    for user, at in ((two.account, EARLY), (two.guest, LATE)):
        two.have(
            LessonRead(user_id=user, course="c", lesson="l", read_at=at),
            HintOpened(user_id=user, exercise="x", number=1, opened_at=at),
            GiveUp(user_id=user, exercise="x", given_up_at=at),
        )
    two.sign_in()
    assert two.rows(LessonRead, "user_id", "read_at") == {(two.account, EARLY)}
    assert two.rows(HintOpened, "user_id", "opened_at") == {(two.account, EARLY)}
    assert two.rows(GiveUp, "user_id", "given_up_at") == {(two.account, EARLY)}


def test_what_others_did_is_neither_theirs_nor_in_the_way(two: Two) -> None:
    two.have(
        LessonRead(user_id=two.other, course="c", lesson="l", read_at=EARLY),
        GiveUp(user_id=two.other, exercise="x", given_up_at=EARLY),
        card(two.other, EARLY),
        best(two.other, 1.0),
    )
    two.sign_in()
    for table in (LessonRead, GiveUp, ReviewCard, BestTime):
        assert two.rows(table, "user_id") == {(two.other,)}


@pytest.mark.parametrize(
    ("own_at", "guests_at", "kept", "aside", "revision"),
    [(EARLY, LATE, b"guest", b"own", 2), (LATE, EARLY, b"own", b"guest", 1)],
)
def test_of_two_drafts_the_newer_is_kept_and_the_other_set_aside(
    two: Two, own_at: datetime, guests_at: datetime, kept: bytes, aside: bytes, revision: int
) -> None:
    two.have(draft(two.account, b"own", own_at), draft(two.guest, b"guest", guests_at))
    two.sign_in()
    row = (two.account, kept, aside, revision, LATE)
    assert two.rows(Draft, "user_id", "source", "aside", "revision", "saved_at") == {row}


@pytest.mark.parametrize(("own_due", "guests_due"), [(EARLY, LATE), (LATE, EARLY)])
def test_a_question_that_both_review_is_due_when_the_first_of_them_is(
    two: Two, own_due: datetime, guests_due: datetime
) -> None:
    two.have(card(two.account, own_due), card(two.guest, guests_due))
    two.sign_in()
    assert two.rows(ReviewCard, "user_id", "due_at") == {(two.account, EARLY)}


@pytest.mark.parametrize(
    ("guests", "kept"),
    [((1.0, "cases"), (1.0, "cases")), ((9.0, "cases"), (5.0, "cases")), ((1.0, "older cases"), (5.0, "cases"))],
    ids=["faster", "slower", "on other cases"],
)
def test_of_two_best_times_on_the_same_cases_the_shorter_is_kept(
    two: Two, guests: tuple[float, str], kept: tuple[float, str]
) -> None:
    two.have(best(two.account, 5.0), best(two.guest, *guests))
    two.sign_in()
    assert two.rows(BestTime, "user_id", "wall_ms", "judging_hash") == {(two.account, *kept)}


def test_what_both_have_stored_counts_together(two: Two) -> None:
    with two.database.writing() as db:
        for user, stored in ((two.account, 1000), (two.guest, 200), (two.other, 30)):
            db.get_one(User, user).stored_bytes = stored
    two.sign_in()
    assert two.rows(User, "id", "stored_bytes") == {(two.account, 1200), (two.other, 30)}


# ------------------------------------------------------------------ guests who have left

SINCE = now() - timedelta(days=30)


@pytest.mark.parametrize("days_ago", [29, 31])
@pytest.mark.parametrize("work", ["lesson", "hint", "gave up", "reviewed", "signed in", "mistake", "came"])
def test_each_kind_of_work_keeps_a_guest_for_so_many_days(database: Database, work: str, days_ago: int) -> None:
    at, long_ago = now() - timedelta(days=days_ago), now() - timedelta(days=90)
    with database.writing() as db:
        guest = add_guest(db)
        guest.created_at = at if work == "came" else long_ago
        _work(db, guest, work, at)
    assert let_go_of_guests(database, SINCE) == (days_ago == 31)
    with database.reading() as db:
        assert len(db.scalars(select(User)).all()) == (days_ago == 29)


def _work(db: Session, guest: User, work: str, at: datetime) -> None:
    match work:
        case "lesson":
            db.add(LessonRead(user_id=guest.id, course="c", lesson="l", read_at=at))
        case "hint":
            db.add(HintOpened(user_id=guest.id, exercise="x", number=1, opened_at=at))
        case "gave up":
            db.add(GiveUp(user_id=guest.id, exercise="x", given_up_at=at))
        case "reviewed":
            reviewed = card(guest.id, LATE)
            reviewed.last_at = at
            db.add(reviewed)
        case "mistake":
            report = {"subject": "exercise/x", "title": "X", "text": "Wrong", "content_hash": "hash"}
            db.add(MistakeReport(user_id=guest.id, created_at=at, **report))
        case "signed in":
            open_login(db, guest, 1)
            db.flush()
            table = Base.metadata.tables["login"]
            db.execute(update(table).values(created_at=at))


def test_a_server_that_ends_leaves_the_other_lots_for_its_next_start(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.people.guests.LOT", 2)
    with database.writing() as db:
        for _ in range(5):
            add_guest(db).created_at = now() - timedelta(days=90)
    asked = iter([False, True])
    assert let_go_of_guests(database, SINCE, lambda: next(asked)) == 2
    with database.reading() as db:
        assert len(db.scalars(select(User)).all()) == 3
