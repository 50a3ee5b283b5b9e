"""Evidence of a class: the figures are those that NumPy computes from the rows, and flags are raised where they should
be."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest

from app.classes.classes import Enrolment
from app.classes.evidence_exercises import quartiles
from app.classes.evidence_questions import correlation
from app.content.questions.question import Question, values_of
from app.db import now
from app.people.users import User
from app.practice.efforts import keep_effort
from app.practice.gradings import Grading
from app.practice.hints import HintOpened
from app.practice.outcomes import WrongOutcome
from app.practice.solutions import GiveUp
from app.practice.submissions import Submission
from app.quizzes.answers import Answer
from app.quizzes.sittings import Sitting
from app.reading.lessons import LessonRead
from tests.app.classes import COURSE, GATHER, QUIZ, SOFTMAX, ClassAtHand, account, id_of, judged, make_class
from tests.conftest import Running

STUDENTS = 40
LESSON = "why-order-matters"
START = datetime(2026, 9, 1, 8, tzinfo=UTC)
NEGATIVE, BROKEN = "steps-of-attention", "scores-under-a-mask"
MISTAKES = ("ids-ignored", "one-based", None)
# Two fingerprints that are equal in their first half are one outcome.
PRINTS = ("a" * 16 + "b" * 16, "a" * 16 + "c" * 16, "d" * 16 + "e" * 16)


@dataclass
class Sent:
    user: int
    at: datetime
    accepted: bool
    mistake: str | None
    fingerprint: str | None
    case: int
    id: int = 0


@dataclass
class Seeded:
    """A class and the raw rows that its students left."""

    at_hand: ClassAtHand
    students: list[int]
    sent: list[Sent] = field(default_factory=list)
    firsts: dict[str, dict[int, float]] = field(default_factory=dict)  # by question: first scores
    gave_up: set[int] = field(default_factory=set)
    read: set[int] = field(default_factory=set)

    def get(self, path: str) -> Any:
        return self.at_hand.instructor.get(f"{self.at_hand.url}/evidence{path}").raise_for_status().json()

    def page(self, path: str) -> str:
        return self.at_hand.instructor.get(f"/classes/{self.at_hand.id}/evidence{path}").raise_for_status().text


@pytest.fixture
def seeded(server: Running) -> Seeded:
    made = make_class(server, account(server, "ada@example.org", "instructor"))
    made.assign(GATHER)
    people = [User(role="student", email=f"s{number:02}@example.org") for number in range(STUDENTS)]
    outsider = User(role="student", email="outside@example.org")
    draw = random.Random(20261125)
    with server.state.db.writing() as db:
        db.add_all([*people, outsider])
        db.flush()
        found = Seeded(made, [one.id for one in people])
        names = {one.id: f"Student {number:02}" for number, one in enumerate(people)}
        db.add_all(Enrolment(class_id=made.id, user_id=id, role="student", name=name) for id, name in names.items())
        seed_exercise(server, db, found, draw, outsider.id)
        seed_questions(server, db, found, draw, outsider.id)
    return found


def seed_exercise(server: Running, db: Any, found: Seeded, draw: random.Random, outsider: int) -> None:
    theirs: list[Sent] = []
    for user in [*found.students[:34], outsider]:
        at = START + timedelta(minutes=draw.randrange(5000))
        for _ in range(draw.choice((1, 1, 2, 3, 5, 8, 13))):
            accepted = draw.random() < 0.3
            mistake = None if accepted else draw.choice(MISTAKES)
            print_ = draw.choice(PRINTS) if not accepted and mistake is None else None
            one = Sent(user, at, accepted, mistake, print_, draw.randrange(3))
            at += timedelta(seconds=draw.randrange(20, 4000))
            theirs.append(one)
    record(server, db, theirs)
    found.sent = [one for one in theirs if one.user != outsider]
    found.gave_up = set(found.students[28:37])
    db.add_all(GiveUp(user_id=user, exercise=GATHER, given_up_at=START) for user in [*found.gave_up, outsider])
    for user in found.students[:12]:
        db.add(HintOpened(user_id=user, exercise=GATHER, number=1, opened_at=START + timedelta(days=1)))


def record(server: Running, db: Any, sent: Sequence[Sent], exercise: str = GATHER) -> None:
    """All at once: one by one it takes longer than what the tests ask."""
    snapshot_id = server.state.catalog.snapshot_ids[exercise]
    rows = [
        Submission(
            user_id=one.user, snapshot_id=snapshot_id, exercise=exercise, framework="numpy", kind="submit",
            source=b"x = 1", created_at=one.at,
        )
        for one in sent
    ]  # fmt: skip
    db.add_all(rows)
    db.flush()
    for one, row in zip(sent, rows, strict=True):
        one.id = row.id
        cases: list[dict[str, Any]] = [{"name": f"case {place}", "sample": True} for place in range(3)]
        for case in cases[one.case :] if not one.accepted else []:
            case["verdict"] = "wrong_answer"
        db.add(
            Grading(
                submission_id=one.id, attempt=1, state="finished", verdict=verdict_of(one), score=float(one.accepted),
                mistake=one.mistake, diagnosis=f"about {one.fingerprint}", cases=cases, queued_at=one.at,
            )
        )  # fmt: skip
        if not one.accepted:
            outcome = {"fingerprint": one.fingerprint, "mistake": one.mistake}
            db.add(WrongOutcome(submission_id=one.id, exercise=exercise, **outcome))
    db.flush()
    for one in sent:
        keep_effort(db, one.id, verdict_of(one), float(one.accepted))


def verdict_of(sent: Sent) -> str:
    return "accepted" if sent.accepted else "wrong_answer"


def seed_questions(server: Running, db: Any, found: Seeded, draw: random.Random, outsider: int) -> None:
    lesson = server.state.catalog.courses[COURSE].lesson(LESSON)
    assert lesson is not None
    for number, user in enumerate([*found.students, outsider]):
        ability = draw.gauss(0, 1)
        for place, question in enumerate(lesson.questions.values()):
            if number % 4 == 3 and place > number // 4:
                break  # every fourth reader stops somewhere
            turn = -3 * ability if question.slug == NEGATIVE else 3 * ability + 1.5
            right = draw.random() < 1 / (1 + 2.718281828**-turn)
            variant = draw.randrange(question.variants)
            given = "right"
            if question.slug == BROKEN and ability > -0.2:
                right, given = False, str(int(values_of(question, variant)["T"]) ** 2)
            elif not right:
                given = wrong_answer(question, variant, draw)
            score = 1.0 if right else 0.0
            if user != outsider:
                found.firsts.setdefault(question.id, {})[user] = score
            at = START + timedelta(minutes=10 * number + place)
            add_answer(db, question, user, variant, given, score, at)
            add_answer(db, question, user, variant, "right", 1.0, at + timedelta(days=1))
            add_answer(db, question, user, variant, "right", 1.0, at - timedelta(days=1), content_hash="another")
        if number % 3 == 0 and user != outsider:
            found.read.add(user)
            db.add(LessonRead(user_id=user, course=COURSE, lesson=LESSON, read_at=START))


def wrong_answer(question: Question, variant: int, draw: random.Random) -> Any:
    if question.type == "order":
        keys = [choice.key for choice in question.choices]
        return draw.sample(keys, len(keys))
    if question.choices:
        wrong = [choice.key for choice in question.choices if not choice.right]
        return draw.choice(wrong) if question.type == "choice" else [draw.choice(wrong)]
    if question.type == "shape":
        return f"({draw.randrange(10_000, 99_999)},)"
    return str(draw.randrange(10_000, 99_999))


def add_answer(
    db: Any, question: Question, user: int, variant: int, given: Any, score: float, at: datetime,
    content_hash: str | None = None,
) -> None:  # fmt: skip
    db.add(
        Answer(
            user_id=user, question=question.id, question_hash=content_hash or question.content_hash, variant=variant,
            attempt=1, occasion="lesson", given=given, read_as=str(given), correct=score == 1, score=score,
            created_at=at,
        )
    )  # fmt: skip


def by_user(sent: Sequence[Sent]) -> dict[int, list[Sent]]:
    found: dict[int, list[Sent]] = {}
    for one in sent:
        found.setdefault(one.user, []).append(one)
    return found


def test_figures_of_an_exercise_are_those_of_the_rows(seeded: Seeded) -> None:
    found = seeded.get(f"/exercise/{GATHER}")
    theirs = by_user(seeded.sent)
    until = {
        user: next(place for place, one in enumerate(rows, 1) if one.accepted)
        for user, rows in theirs.items()
        if any(one.accepted for one in rows)
    }
    solved = set(until)
    standing = found["standing"]
    assert standing["students"] == STUDENTS
    assert standing["tried"] == len(theirs)
    assert standing["solved"] == len(solved)
    assert standing["gave_up"] == len(seeded.gave_up - solved)
    assert standing["came_back"] == len(seeded.gave_up & solved)
    assert standing["trying"] == len(set(theirs) - solved - seeded.gave_up)
    assert standing["not_begun"] == len(set(seeded.students) - set(theirs) - seeded.gave_up)
    assert found["wrong"] == sum(not one.accepted for one in seeded.sent)
    assert found["attempts"] == np.bincount(np.minimum(list(until.values()), 10), minlength=11)[1:].tolist()
    minutes = [(theirs[user][place - 1].at - theirs[user][0].at).total_seconds() / 60 for user, place in until.items()]
    lower, median, upper = np.quantile(minutes, [0.25, 0.5, 0.75])
    figures = found["minutes"]
    assert figures["count"] == len(minutes)
    np.testing.assert_allclose([figures["lower"], figures["median"], figures["upper"]], [lower, median, upper])
    assert sorted(found["unsolved"]) == sorted(set(theirs) - solved)

    def kind(one: Sent) -> str:
        return one.mistake or (one.fingerprint or "")[:16]

    hits = {}
    for name in {kind(one) for one in seeded.sent if not one.accepted}:
        rows = [one for one in seeded.sent if not one.accepted and kind(one) == name]
        who = {one.user for one in rows}
        hits[frozenset(who), len(rows)] = (len(who), len(who & solved), name)
    assert len(found["mistakes"]) == len(hits) == 4
    for hit in found["mistakes"]:
        people, solvers, name = hits[frozenset(hit["who"]), hit["submissions"]]
        assert (hit["people"], hit["solved"], hit["mistake"]) == (people, solvers, name if len(name) < 16 else None)
    assert [hit["people"] for hit in found["mistakes"]] == sorted(hit["people"] for hit in found["mistakes"])[::-1]

    newest = [rows[-1] for user, rows in theirs.items() if user not in solved]
    assert found["failing"] == len(newest)
    cases = {f"case {place}": sum(place >= one.case for one in newest) for place in range(3)}
    assert {hit["name"]: hit["people"] for hit in found["cases"]} == {name: n for name, n in cases.items() if n}

    opened = START + timedelta(days=1)
    after = [[one for one in theirs[user] if one.at >= opened] for user in seeded.students[:12] if user in theirs]
    hint = found["hints"][0]
    assert hint["opened"] == 12
    assert hint["went_on"] == sum(bool(rows) for rows in after)
    assert hint["accepted"] == sum(rows[0].accepted for rows in after if rows)
    text = seeded.page(f"/exercise/{GATHER}")
    assert f"{len(solved)} of {STUDENTS} students solved it" in text
    assert text.count('<svg class="plot"') == 3
    assert text.count("<title ") == text.count("<desc ") == 3


def rest_scores(firsts: dict[str, dict[int, float]], id: str) -> tuple[Any, Any, list[int]]:
    """(scores, rest scores, whose) with NumPy, from a table of people and questions with holes."""
    people = sorted({user for theirs in firsts.values() for user in theirs})
    table = np.array([[firsts[one].get(user, np.nan) for one in firsts] for user in people])
    place = list(firsts).index(id)
    rest = np.delete(table, place, axis=1)
    kept = ~np.isnan(table[:, place]) & ~np.isnan(rest).all(axis=1)
    return table[kept, place], np.nanmean(rest[kept], axis=1), [people[row] for row in np.flatnonzero(kept)]


def test_difficulty_and_discrimination_are_numpys_and_flags_are_where_they_should_be(seeded: Seeded) -> None:
    found = seeded.get(f"/lesson/{LESSON}")
    figures = {one["question"]: one for one in found["questions"]}
    assert list(figures) == list(seeded.firsts)
    for id, theirs in seeded.firsts.items():
        one, scores = figures[id], np.array(list(theirs.values()))
        assert (one["people"], one["right"]) == (len(scores), int(scores.sum()))
        np.testing.assert_allclose(one["difficulty"], scores.mean())
        item, rest, _ = rest_scores(seeded.firsts, id)
        np.testing.assert_allclose(one["discrimination"], np.corrcoef(item, rest)[0, 1])
        right, wrong = rest[item == 1], rest[item == 0]
        point_biserial = (right.mean() - wrong.mean()) / rest.std() * np.sqrt(len(right) * len(wrong)) / len(rest)
        np.testing.assert_allclose(one["discrimination"], point_biserial)
    flags = {id.rpartition(".")[2]: one["flags"] for id, one in figures.items() if one["flags"]}
    assert flags.keys() == {NEGATIVE, BROKEN}
    assert any("do worse here" in flag for flag in flags[NEGATIVE])
    assert any("which the key calls wrong" in flag and "`T * T`" in flag for flag in flags[BROKEN])
    assert {one["question"].rpartition(".")[2] for one in seeded.get("")["flagged"]} == {NEGATIVE, BROKEN}
    assert "which the key calls wrong" in seeded.page("")


def test_a_questions_first_answers_are_counted_by_people(seeded: Seeded) -> None:
    id = f"{COURSE}.{LESSON}.{BROKEN}"
    found = seeded.get(f"/question/{id}")
    theirs = seeded.firsts[id]
    item, rest, people = rest_scores(seeded.firsts, id)
    least = np.sort(rest)[::-1][(len(rest) - 1) // 2]
    best = {user for user, score in zip(people, rest, strict=True) if score >= least}
    assert sum(hit["people"] for hit in found["answers"]) == len(theirs)
    for hit in found["answers"]:
        assert hit["people"] == len(hit["who"])
        assert hit["best"] == len(best & set(hit["who"]))
        assert hit["is_right"] == all(theirs[user] for user in hit["who"])
    top = next(hit for hit in found["answers"] if hit["formula"] == "T * T")
    assert f"{top['best']} of the {len(best)} who do best" in " ".join(found["figures"]["flags"])
    assert found["later_right"] == sum(score < 1 for score in theirs.values())
    thirds = [band["people"] for band in found["bands"]]
    assert sum(thirds) == len(rest)
    assert max(thirds) - min(thirds) <= 1
    assert sum(band["right"] for band in found["bands"]) == item.sum()
    text = seeded.page(f"/question/{id}")
    assert "Student 00" in text
    assert "check the key" in text


def test_a_lesson_shows_where_readers_stop(seeded: Seeded) -> None:
    found = seeded.get(f"/lesson/{LESSON}")
    ids = list(seeded.firsts)
    answered = {user: [place for place, id in enumerate(ids) if user in seeded.firsts[id]] for user in seeded.students}
    furthest = {user: max(places) for user, places in answered.items()}
    furthest |= dict.fromkeys(seeded.read, len(ids))
    assert [step["people"] for step in found["steps"]] == [*(len(seeded.firsts[id]) for id in ids), len(seeded.read)]
    reached = [sum(place >= number for place in furthest.values()) for number in range(len(ids) + 1)]
    assert [step["reached"] for step in found["steps"]] == reached
    assert (found["begun"], found["read"], found["students"]) == (STUDENTS, len(seeded.read), STUDENTS)
    assert "Most stop after step" in seeded.page(f"/lesson/{LESSON}")


def test_a_students_timeline_has_everything_once_page_by_page(server: Running, seeded: Seeded) -> None:
    user = seeded.students[0]
    outside = Sent(user, START, accepted=False, mistake=None, fingerprint=None, case=0)
    crowd = [Sent(user, START + timedelta(days=9), False, "one-based", None, 0) for _ in range(30)]
    crowd += [Sent(user, START + timedelta(days=8, minutes=n), False, None, None, 0) for n in range(60)]
    with server.state.db.writing() as db:
        record(server, db, [outside], SOFTMAX)  # neither in the course nor assigned here
        record(server, db, crowd)
        db.add(GiveUp(user_id=user, exercise=GATHER, given_up_at=START + timedelta(days=7)))
        db.add(
            Sitting(
                user_id=user, course=COURSE, lesson=QUIZ, snapshot_id=server.state.catalog.course_snapshot_ids[COURSE],
                number=1, started_at=START + timedelta(days=6), submitted_at=START + timedelta(days=6, hours=1),
                questions=4, points=4, score=3,
            )
        )  # fmt: skip
    pages = list(timeline(seeded, user))
    events = [event for page in pages for event in page["events"]]
    assert len(pages) > 2
    assert [event["at"] for event in events] == sorted((event["at"] for event in events), reverse=True)
    sent = [event["id"] for event in events if event["what"] == "submission"]
    assert sorted(sent) == sorted(one.id for one in [*seeded.sent, *crowd] if one.user == user)
    answered = sum(user in theirs for theirs in seeded.firsts.values())
    kinds = [event["what"] for event in events]
    assert kinds.count("answer") == 3 * answered
    assert [kinds.count(what) for what in ("lesson_read", "hint", "give_up", "quiz_begun", "quiz_submitted")] == [1] * 5
    assert next(event["score"] for event in events if event["what"] == "quiz_submitted") == 0.75
    text = seeded.page(f"/student/{user}")
    assert "mistake <code>one-based</code>" in text
    assert "before=" in text


def timeline(seeded: Seeded, user: int) -> Iterator[dict[str, Any]]:
    page = seeded.get(f"/student/{user}")
    yield page
    while page["before"] is not None:
        page = seeded.get(f"/student/{user}?before={page['before']}")
        yield page


def test_who_is_stuck_is_seen_until_they_solve_it(server: Running) -> None:
    ada = account(server, "ada@example.org", "instructor")
    eve, bob = account(server, "eve@example.org"), account(server, "bob@example.org")
    made = make_class(server, ada)
    made.assign(GATHER)
    for client in (eve, bob):
        made.join(client)
    for number in range(6):
        judged(server, eve, 0.5, mistake="ids-ignored", source=f"# {number}")
    for number in range(5):
        judged(server, bob, 0.5, source=f"# {number}")
    judged(server, bob, 0.5, at=now() - timedelta(minutes=31), source="# long ago")
    url = f"{made.url}/evidence/stuck"
    (found,) = ada.get(url).raise_for_status().json()
    assert found["person"] == {"user": id_of(server, "eve@example.org"), "name": "eve@example.org"}
    assert (found["failed"], found["mistake"], found["exercise"]) == (6, "ids-ignored", GATHER)
    assert found["sentence"] == "six failed submissions in half an hour, same mistake"
    page = ada.get(f"/classes/{made.id}/evidence/stuck")
    assert "Six failed submissions in half an hour, same mistake: <code>ids-ignored</code>" in page.text
    part = ada.get(f"/classes/{made.id}/evidence/stuck", headers={"Lectern-Partial": "1"}).text
    assert part.strip().startswith('<div class="stuck"')
    assert "<html" not in part
    assert f"/submissions/{found['submission']}" in part
    judged(server, eve, 1.0)
    assert ada.get(url).json() == []
    assert "Nobody is stuck now." in ada.get(f"/classes/{made.id}/evidence").text


def test_evidence_is_for_the_staff_of_this_class_alone(server: Running, seeded: Seeded) -> None:
    made = seeded.at_hand
    eve, bob, eva = (account(server, f"{name}@example.org") for name in ("eve", "bob", "eva"))
    other = make_class(server, account(server, "grace@example.org", "instructor"))
    admin = account(server, "root@example.org", "admin")
    made.join(eve)
    made.join(bob)
    other.join(eva)
    member = id_of(server, "bob@example.org")
    made.instructor.patch(f"{made.url}/roster/{member}", json={"role": "assistant"}).raise_for_status()
    question = f"{COURSE}.{LESSON}.{BROKEN}"
    paths = ["", "/stuck", f"/exercise/{GATHER}", f"/question/{question}", f"/lesson/{LESSON}"]
    paths += [f"/student/{id_of(server, 'eve@example.org')}"]
    for path in paths:
        for url in (f"{made.url}/evidence{path}", f"/classes/{made.id}/evidence{path}"):
            asked = (bob, made.instructor, eve, eva, other.instructor, admin)
            assert [client.get(url).status_code for client in asked] == [200, 200, 403, 404, 404, 404], url
            with server.client() as nobody:
                assert nobody.get(url, headers={"Accept": "application/json"}).status_code in (401, 403, 404), url
    outside = id_of(server, "eva@example.org")
    gone = [f"/student/{outside}", f"/exercise/{SOFTMAX}", "/question/other.lesson.q", "/lesson/nowhere"]
    gone += [f"/student/{id_of(server, 'bob@example.org')}"]  # on the staff
    for path in gone:
        assert made.instructor.get(f"{made.url}/evidence{path}").status_code == 404, path
    assert made.instructor.get(f"/classes/{made.id}/evidence/student/{seeded.students[0]}?before=x").status_code == 422


def test_a_class_without_anybody_has_pages_all_the_same(server: Running) -> None:
    ada = account(server, "ada@example.org", "instructor")
    made = make_class(server, ada)
    question = f"{COURSE}.{LESSON}.{BROKEN}"
    for path in ("", "/stuck", f"/exercise/{GATHER}", f"/question/{question}", f"/lesson/{LESSON}"):
        assert ada.get(f"/classes/{made.id}/evidence{path}").status_code == 200
        assert ada.get(f"{made.url}/evidence{path}").status_code == 200


def test_quartiles_and_correlation_of_few_numbers() -> None:
    assert quartiles([]) is None
    one = quartiles([7.0])
    assert one is not None
    assert (one.lower, one.median, one.upper) == (7, 7, 7)
    assert correlation([(1, 0.5)]) is None
    assert correlation([(1, 0.5), (1, 0.7), (1, 0.1)]) is None
    assert correlation([(1, 1.0), (0, 0.0), (1, 1.0)]) == pytest.approx(1)
