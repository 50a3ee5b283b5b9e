"""The policy of dates: second by second, across a change to summer time, with grace, closing and extensions."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.classes.lateness import Attempt, Terms, best_of

BERLIN = "Europe/Berlin"
SECOND = timedelta(seconds=1)
ZONES = (BERLIN, "UTC", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Africa/Casablanca")


def at(text: str, zone: str = BERLIN) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


@pytest.mark.parametrize(
    ("seconds", "grace", "late", "worth"),
    [(-1, 0, 0, 1.0), (0, 0, 0, 1.0), (1, 0, 1, 0.9), (1, 10, 0, 1.0), (600, 10, 0, 1.0), (601, 10, 1, 0.9),
     (86_400, 0, 1, 0.9), (86_401, 0, 2, 0.8), (20 * 86_400, 0, 20, 0.0)],
)  # fmt: skip
def test_a_deadline_second_by_second(seconds: int, grace: int, late: int, worth: float) -> None:
    due = at("2027-01-15 18:00")
    terms = Terms(due_at=due, per_day=0.1, grace_minutes=grace, timezone=BERLIN)
    sent = due + seconds * SECOND
    assert (terms.days_late(sent), terms.worth(1.0, sent)) == (late, worth)


@pytest.mark.parametrize(
    ("due", "hours"),
    [("2027-03-27 18:00", 23), ("2027-10-30 18:00", 25), ("2027-06-01 18:00", 24)],
)
def test_a_day_late_ends_at_the_same_wall_time_also_where_the_clocks_change(due: str, hours: int) -> None:
    terms = Terms(due_at=at(due), per_day=0.1, timezone=BERLIN)
    end = at(due) + timedelta(hours=hours)
    assert end.astimezone(ZoneInfo(BERLIN)).hour == 18
    assert (terms.days_late(end), terms.days_late(end + SECOND)) == (1, 2)


def test_an_extension_moves_due_and_closing_and_takes_nothing_away() -> None:
    due, closes = at("2027-03-27 18:00"), at("2027-03-29 18:00")
    terms = Terms(due_at=due, closes_at=closes, attempts=3, per_day=0.5, timezone=BERLIN)
    longer = terms.extended(at("2027-03-28 18:00"), 1, excused=False)
    assert (longer.due_at, longer.closes_at, longer.attempts) == (at("2027-03-28 18:00"), at("2027-03-30 18:00"), 3)
    assert terms.extended(at("2027-03-01 18:00"), None, excused=False).due_at == due
    assert terms.extended(None, 5, excused=True) == Terms(
        due_at=due, closes_at=closes, attempts=5, per_day=0.5, timezone=BERLIN, excused=True
    )


def test_of_equals_the_earliest_counts_and_only_what_came_while_it_was_open() -> None:
    due = at("2027-01-15 18:00")
    terms = Terms(opens_at=due - 10 * SECOND, due_at=due, closes_at=due + 10 * SECOND, per_day=0.5, timezone=BERLIN)
    early, first, second, late, after = (
        Attempt(number, due + seconds * SECOND, 1.0) for number, seconds in enumerate((-11, -10, 0, 10, 11), 1)
    )
    found = best_of(terms, [after, late, second, first, early])
    assert found is not None
    assert (found.id, found.score, found.late_days, found.attempts) == (2, 1.0, 0, 3)
    assert best_of(terms, [early, after]) is None
    assert best_of(terms, []) is None


moments = st.datetimes(datetime(2026, 1, 1), datetime(2029, 1, 1), timezones=st.just(UTC))


@given(
    moments, st.sampled_from(ZONES), st.integers(-100, 3_000_000), st.integers(0, 1440), st.floats(0, 1),
    st.integers(0, 4 * 86_400),
)  # fmt: skip
def test_lateness_never_shrinks_with_time_and_days_end_at_the_due_wall_time(
    due: datetime, zone: str, seconds: int, grace: int, per_day: float, more: int
) -> None:
    due = due.replace(microsecond=0)
    terms = Terms(due_at=due, per_day=per_day, grace_minutes=grace, timezone=zone)
    sent = due + seconds * SECOND
    days, later = terms.days_late(sent), terms.days_late(sent + more * SECOND)
    assert later >= days >= 0
    assert 0 <= terms.worth(1.0, sent + more * SECOND) <= terms.worth(1.0, sent) <= 1
    assert (days == 0) == (sent <= due + timedelta(minutes=grace))
    if days:
        # the definition: the smallest number of days after which, at the due wall time, it had not come yet
        local = due.astimezone(ZoneInfo(zone))

        def ends(count: int) -> datetime:
            wall = local.replace(tzinfo=None) + timedelta(days=count)
            return wall.replace(tzinfo=local.tzinfo, fold=0).astimezone(UTC)

        assert sent <= ends(days)
        assert days == 1 or sent > ends(days - 1)


@given(st.lists(st.tuples(st.integers(-90_000, 400_000), st.floats(0, 1)), max_size=8), st.integers(1, 5))
def test_nothing_beats_the_attempt_that_counts(sent: list[tuple[int, float]], most: int) -> None:
    due = at("2027-03-27 18:00")
    terms = Terms(due_at=due, closes_at=due + timedelta(days=3), per_day=0.25, attempts=most, timezone=BERLIN)
    attempts = [Attempt(number, due + seconds * SECOND, score) for number, (seconds, score) in enumerate(sent)]
    found = best_of(terms, attempts)
    in_time = sorted((one for one in attempts if terms.is_open_at(one.at)), key=lambda one: (one.at, one.id))
    assert (found is None) == (not in_time)
    if found is not None:
        assert found.attempts == len(in_time)
        assert all(terms.worth(one.score, one.at) <= found.score for one in in_time[:most])
        assert found.id in {one.id for one in in_time[:most]}
