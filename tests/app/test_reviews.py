"""What was missed comes back: when, in which order, and as what is still there."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select, update

from app.content.questions.asking import Judged
from app.people import accounts
from app.people.users import User, add_guest
from app.quizzes import reviews
from app.quizzes.answers import Answer, Occasion, add_answer, carry_over
from app.quizzes.reviews import ReviewCard, interleaved
from app.web.day import until
from tests.app.student import LESSON, miss, right_answer, send, single, wrong_answer
from tests.conftest import Running

BROWSER = {"Sec-Fetch-Site": "same-origin"}


@contextmanager
def card(server: Running, question: str) -> Iterator[ReviewCard]:
    with server.state.db.reading() as db:
        yield db.scalars(select(ReviewCard).where(ReviewCard.question == question)).one()


def days_pass(server: Running, days: int) -> None:
    """All cards' times, so many days back."""
    with server.state.db.writing() as db:
        for one in db.scalars(select(ReviewCard)):
            for name in ("added_at", "last_at", "due_at"):
                setattr(one, name, getattr(one, name) - timedelta(days=days))


def test_what_was_missed_is_due_tomorrow_and_what_was_right_is_not(server: Running) -> None:
    with server.guest() as client:
        missed, right = single(client.get(LESSON).json())[:2]
        send(client, missed, wrong_answer(server, missed))
        send(client, missed, right_answer(server, missed))  # at once: it was missed all the same
        send(client, right, right_answer(server, right))
        assert client.get("/api/v1/me/reviews").json() == []
        with card(server, missed["id"]) as kept:
            assert kept.due_at.date() == (datetime.now(UTC) + timedelta(days=1)).date()
            assert (kept.due_at.hour, kept.due_at.minute, kept.reviews) == (0, 0, 0)
        days_pass(server, 1)
        due = client.get("/api/v1/me/reviews").json()
        assert [one["id"] for one in due] == [missed["id"]]
        assert set(due[0]) == {*missed, "due_at"}


def test_right_answers_bring_it_back_less_and_less_often_and_a_wrong_one_sooner(server: Running) -> None:
    with server.guest() as client:
        (missed,) = miss(server, client, 1)
        waits = []
        for _ in range(4):
            with card(server, missed["id"]) as kept:
                days_pass(server, (kept.due_at.date() - kept.last_at.date()).days)
            (due,) = client.get("/api/v1/me/reviews").json()
            send(client, due, right_answer(server, due))
            assert client.get("/api/v1/me/reviews").json() == []
            with card(server, missed["id"]) as kept:
                waits.append((kept.due_at.date() - kept.last_at.date()).days)
        assert waits == sorted(waits)
        assert waits[0] >= 1
        assert waits[-1] > waits[0]
        days_pass(server, waits[-1])
        (due,) = client.get("/api/v1/me/reviews").json()
        send(client, due, wrong_answer(server, due))
        with card(server, missed["id"]) as kept:
            assert (kept.due_at.date() - kept.last_at.date()).days < waits[-1]
            assert kept.reviews == 5


def test_partly_right_is_harder_than_right_and_easier_than_wrong(server: Running) -> None:
    question = server.state.catalog.courses["positions"].questions[0]
    stability = {}
    for score in (0.0, 0.25, 0.5):
        with server.state.db.writing() as db:
            user = add_guest(db)
            add_answer(db, user.id, question, 0, "x", Judged(False, score, None, None, None))
            made = db.get_one(ReviewCard, (user.id, question.id))
            made.due_at -= timedelta(days=3)
            made.last_at -= timedelta(days=3)
            add_answer(db, user.id, question, 0, "x", Judged(score > 0, 1.0, None, None, None))
            stability[score] = made.stability
            assert made.reviews == 1
    assert stability[0.0] == stability[0.25] < stability[0.5]


def test_before_it_is_due_and_unreadable_nothing_changes(server: Running) -> None:
    with server.guest() as client:
        (missed,) = miss(server, client, 1)
        with card(server, missed["id"]) as before:
            pass
        send(client, missed, right_answer(server, missed))
        days_pass(server, 1)
        (due,) = client.get("/api/v1/me/reviews").json()
        answer = client.post(
            f"/api/v1/questions/{due['id']}/answers",
            json={"variant": due["variant"], "answer": "?" if not due["options"] else "none"},
        )
        assert answer.status_code == 422
        with card(server, missed["id"]) as after:
            assert (after.stability, after.difficulty, after.reviews) == (before.stability, before.difficulty, 0)


def test_an_edited_question_begins_anew_and_a_removed_one_is_passed_over(server: Running) -> None:
    with server.guest() as client:
        edited, removed = miss(server, client, 2)
        with server.state.db.writing() as db:
            db.execute(
                update(ReviewCard)
                .where(ReviewCard.question == edited["id"])
                .values(question_hash="0" * 64, stability=90.0)
            )
            db.execute(
                update(ReviewCard).where(ReviewCard.question == removed["id"]).values(question="positions.gone.gone")
            )
        send(client, edited, right_answer(server, edited))
        with card(server, edited["id"]) as kept:
            assert kept.question_hash == server.state.catalog.question(edited["id"]).content_hash
            assert kept.stability == pytest.approx(2.3065)  # FSRS's for a first answer that is right
        days_pass(server, 30)
        assert [one["id"] for one in client.get("/api/v1/me/reviews").json()] == [edited["id"]]
        assert client.get("/review").status_code == 200


def test_a_question_missed_since_it_was_edited_comes_back(server: Running) -> None:
    with server.guest() as client:
        question = single(client.get(LESSON).json())[0]
        send(client, question, right_answer(server, question))
        with server.state.db.writing() as db:
            db.execute(update(Answer).values(question_hash="0" * 64))
        question = single(client.get(LESSON).json())[0]
        send(client, question, wrong_answer(server, question))
        with card(server, question["id"]) as kept:
            assert kept.reviews == 0


def test_what_was_answered_before_hashes_left_out_empty_lines_is_of_the_same_question(server: Running) -> None:
    with server.guest() as client:
        (missed,) = miss(server, client, 1)
    question = server.state.catalog.question(missed["id"])
    assert question.former_hash != question.content_hash
    with server.state.db.writing() as db:
        for table in (Answer, ReviewCard):
            db.execute(update(table).values(question_hash=question.former_hash))
    carry_over(server.state.db, server.state.catalog.all_questions())
    with server.state.db.reading() as db:
        assert {*db.scalars(select(Answer.question_hash)), *db.scalars(select(ReviewCard.question_hash))} == {
            question.content_hash
        }


def test_today_begins_when_it_does_where_they_are(server: Running) -> None:
    with server.client(**BROWSER, Cookie="lectern_offset=660") as client:
        (missed,) = miss(server, client, 1)
        with card(server, missed["id"]) as kept:
            assert kept.due_at.hour == 13  # midnight at UTC+11
            here = datetime.now(UTC) + timedelta(hours=11)
            assert (kept.due_at + timedelta(hours=11)).date() == (here + timedelta(days=1)).date()
    for nonsense in ("9999", "1e3", "٣", "-"):
        with server.client(**BROWSER) as client:
            client.post(
                "/courses/positions/why-order-matters/reads", headers={b"Cookie": f"lectern_offset={nonsense}".encode()}
            )
    with server.state.db.reading() as db:
        assert sorted(db.scalars(select(User.utc_offset_minutes)), key=str) == [660, None, None, None, None]


def test_so_many_a_day_the_oldest_first_and_more_for_who_wants_more(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert reviews.DAILY_SET == 12
    monkeypatch.setattr(reviews, "DAILY_SET", 3)
    ids = [
        question.id
        for lesson in server.state.catalog.courses["positions"].lessons
        for question in lesson.questions.values()
        if question.type not in ("choices", "order")
    ][:5]
    with server.client(**BROWSER) as client:
        missed = miss(server, client, 1)
        with server.state.db.writing() as db:
            (first,) = db.scalars(select(ReviewCard))
            assert first.question == missed[0]["id"]
            start = first.due_at - timedelta(days=60)
            for number, id in enumerate(ids):
                if id != first.question:
                    db.add(
                        ReviewCard(
                            user_id=first.user_id, question=id,
                            question_hash=server.state.catalog.question(id).content_hash,
                            stability=1.0, difficulty=5.0, reviews=0,
                            added_at=start, last_at=start, due_at=start + timedelta(days=number),
                        )
                    )  # fmt: skip
            first.due_at = first.last_at = first.added_at = start - timedelta(days=1)
        due = client.get("/api/v1/me/reviews").json()
        assert len(due) == 3
        assert due[0]["id"] == first.question
        while due := client.get("/api/v1/me/reviews").json():
            send(client, due[0], right_answer(server, due[0]))
        page = client.get("/review").text
        left = len(set(ids) | {first.question}) - 3
        assert "That is all for today." in page
        assert f"{left} more" in page
        assert "/answers" not in page
        assert "/answers" in client.get("/review?more=1").text


def test_lessons_take_turns() -> None:
    cards = [ReviewCard(question=f"c.{one}") for one in ("a.1", "a.2", "a.3", "b.1", "b.2")]
    assert [one.question[2:] for one in interleaved(cards)] == ["a.1", "b.1", "a.2", "b.2", "a.3"]
    assert [one.question[2:] for one in interleaved(cards, "c.a")] == ["b.1", "a.1", "b.2", "a.2", "a.3"]
    assert interleaved([]) == []


def test_the_page_asks_one_question_and_says_when_it_comes_back(server: Running) -> None:
    with server.client(**BROWSER) as client:
        assert "Nothing to review." in client.get("/review").text
        with server.state.db.reading() as db:
            assert db.scalar(select(User.id)) is None  # looking makes nobody
        missed = miss(server, client, 2)
        assert "The next question comes back tomorrow." in client.get("/review").text
        days_pass(server, 1)
        page = client.get("/review").text
        assert "1 of 2 today" in page
        assert "That is all" not in page
        due = client.get("/api/v1/me/reviews").json()
        explanation = server.state.catalog.question(due[0]["id"]).explanation
        assert f'action="/review/questions/{due[0]["id"]}/answers' in page
        assert 'action="/questions/' not in page
        path = f"/review/questions/{due[0]['id']}/answers"
        unread = client.post(path, data={"variant": due[0]["variant"], "answer": ""})
        assert unread.status_code == 422
        assert "Comes back" not in unread.text
        form = {"variant": due[0]["variant"], "answer": right_answer(server, due[0])}
        answered = client.post(path, data=form).text
        assert "1 of 2 today" in answered
        assert "Comes back <b>" in answered
        assert explanation is None or "Explanation" in answered
        assert "1 left today" in answered
        part = client.post(path, data=form, headers={"Lectern-Partial": "1"})  # a second click: not due any more
        assert "Comes back" not in part.text
        form = {"variant": due[1]["variant"], "answer": wrong_answer(server, due[1])}
        part = client.post(f"/review/questions/{due[1]['id']}/answers", data=form, headers={"Lectern-Partial": "1"})
        assert part.text.lstrip().startswith('<div class="reviewed">')
        assert "Comes back <b>tomorrow</b>" in part.text
        assert '<details class="explanation" open>' in part.text or "Explanation" not in part.text
        assert '<details class="explanation">' not in part.text
        assert "Finish" in part.text
        assert "That is all for today." in client.get("/review").text
        assert "2 questions reviewed" in client.get("/review").text
    with server.state.db.reading() as db:
        occasions = [
            (one.question, one.occasion) for one in db.scalars(select(Answer).order_by(Answer.id)) if one.attempt > 1
        ]
    assert occasions == [
        (due[0]["id"], Occasion.review), (due[0]["id"], Occasion.lesson), (due[1]["id"], Occasion.review)
    ]  # fmt: skip
    assert {one["id"] for one in missed} == {due[0]["id"], due[1]["id"]}


@pytest.mark.parametrize("path", ["/api/v1/me/reviews"])
def test_nobody_has_none(server: Running, path: str) -> None:
    with server.client() as client:
        assert client.get(path).status_code == 401


def test_nobody_sees_anothers(server: Running) -> None:
    with server.guest() as client, server.guest() as other:
        miss(server, client, 1)
        days_pass(server, 1)
        assert len(client.get("/api/v1/me/reviews").json()) == 1
        assert other.get("/api/v1/me/reviews").json() == []


def test_signing_in_brings_the_guests_cards_along_and_keeps_the_earlier_day(server: Running) -> None:
    accounts.add_user(server.state.db, "ada@example.org", "student", "a wide enough password")
    token = accounts.make_token(server.state.db, "ada@example.org")
    with server.client(Authorization=f"Bearer {token}") as ada, server.guest() as guest:
        (both,) = miss(server, ada, 1)
        days_pass(server, 5)
        assert {one["id"] for one in miss(server, guest, 2)} > {both["id"]}
        body = {"email": "ada@example.org", "password": "a wide enough password"}
        guest.post("/api/v1/sessions", json=body).raise_for_status()
        assert [one["id"] for one in ada.get("/api/v1/me/reviews").json()] == [both["id"]]
        days_pass(server, 1)
        assert len(ada.get("/api/v1/me/reviews").json()) == 2


def test_days_in_words() -> None:
    said = [until(days) for days in (0, 1, 2, 13, 14, 60, 90, 365)]
    assert said == [
        "today", "tomorrow", "in 2 days", "in 13 days", "in about 2 weeks", "in about 9 weeks", "in about 3 months",
        "in about 12 months",
    ]  # fmt: skip
