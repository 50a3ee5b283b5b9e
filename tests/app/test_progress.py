"""Progress: what counts, for which wording; days without guilt; where one goes on."""

from datetime import UTC, date, datetime, timedelta

import httpx
import pytest
from sqlalchemy import select, update

from app.db import now
from app.people.users import User
from app.practice.drafts import Draft
from app.practice.submissions import Submission
from app.progress.activity import activity_of, streak_of
from app.progress.pages.progress import zone
from app.quizzes.answers import Answer, Occasion
from app.quizzes.reviews import ReviewCard
from app.reading.lessons import LessonRead
from tests.app.student import LESSON, miss, right_answer, send, send_accepted, single
from tests.conftest import Running

BROWSER = {"Sec-Fetch-Site": "same-origin"}
GATHER = "learned-absolute-position-embedding"


def answer_right(server: Running, client: httpx.Client, count: int) -> list[str]:
    shown = single(client.get(LESSON).json())[:count]
    for one in shown:
        send(client, one, right_answer(server, one))
    return [str(one["id"]) for one in shown]


def only_user(server: Running) -> User:
    with server.state.db.reading() as db:
        return db.scalars(select(User)).one()


def test_nobody_has_an_empty_page_and_becomes_nobody(server: Running) -> None:
    with server.client() as client:
        assert "Nothing yet." in client.get("/progress").text
        assert "Start the course" in client.get("/").text
    with server.state.db.reading() as db:
        assert db.scalar(select(User.id)) is None


def test_a_question_that_was_edited_was_right_before(server: Running) -> None:
    with server.guest() as client:
        edited, old, kept = answer_right(server, client, 3)
        count = len(client.get(LESSON).json())
        with server.state.db.writing() as db:
            db.execute(update(Answer).where(Answer.question == edited).values(question_hash="0" * 64))
            db.execute(update(Answer).where(Answer.question == old).values(question_hash=None))
        page = client.get("/progress").text
        assert f"2 of {count} questions right, 1 right before it was changed" in " ".join(page.split())
        right = client.get("/api/v1/me/progress").json()["questions_right"]
        assert {one["question"]: one["as_it_is"] for one in right} == {edited: False, old: True, kept: True}
        assert set(right[0]) == {"question", "first_right_at", "as_it_is"}
        assert client.get("/courses/positions/learned-embeddings").text.count("You got this right before") == 2
        (again,) = [one for one in client.get(LESSON).json() if one["id"] == edited]
        send(client, again, right_answer(server, again))
        assert f"3 of {count} questions right" in " ".join(client.get("/progress").text.split())
        right = client.get("/api/v1/me/progress").json()["questions_right"]
        assert len(right) == 3
        assert all(one["as_it_is"] for one in right)


def test_partial_credit_is_shown_for_what_it_is(server: Running) -> None:
    with server.guest() as client:
        (missed,) = miss(server, client, 1)
        count = len(client.get(LESSON).json())
        with server.state.db.writing() as db:
            db.execute(update(Answer).values(score=0.5))
        assert f"0 of {count} questions right, 1 partly (50%)" in " ".join(client.get("/progress").text.split())
        send(client, missed, right_answer(server, missed))
        assert "partly" not in client.get("/progress").text


def test_days_off_end_nothing_until_there_are_three() -> None:
    today = date(2026, 11, 21)

    def streak(*ago: int) -> int:
        return streak_of([today - timedelta(days=one) for one in ago], today)

    assert streak() == 0
    assert streak(0) == 1
    assert streak(0, 1, 2) == 3
    assert streak(1, 2) == 2  # today is not over
    assert streak(3, 4) == 2  # two days off, and today
    assert streak(4, 5) == 0
    assert streak(0, 3, 6, 9) == 4  # two days off each
    assert streak(0, 3, 7, 8) == 2
    assert streak(-1, 0) == 1  # a clock that ran ahead


def test_days_are_counted_where_they_are_and_from_all_they_did(server: Running) -> None:
    with server.guest() as client:
        answer_right(server, client, 1)
        client.post("/courses/positions/why-order-matters/reads", headers=BROWSER)
        send_accepted(server, client)
    user = only_user(server)
    midnight = datetime.combine(now().date(), datetime.min.time(), UTC)
    with server.state.db.writing() as db:
        db.execute(update(Answer).values(created_at=midnight - timedelta(hours=1)))  # yesterday in UTC
        db.execute(update(LessonRead).values(read_at=midnight - timedelta(days=5)))
        db.execute(update(Submission).values(created_at=midnight - timedelta(days=40)))
    with server.state.db.reading() as db:
        utc = activity_of(db, user, 0)
        assert (utc.present, utc.last) == (2, (midnight - timedelta(days=1)).date())
        assert len(utc.last_days) == 14
    for offset in (120, -120):
        here = (now() + timedelta(minutes=offset)).date()
        with server.state.db.reading() as db:
            activity = activity_of(db, user, offset)
        assert activity.last_days[-1][0] == here
        answered = (midnight - timedelta(hours=1) + timedelta(minutes=offset)).date()
        read = (midnight - timedelta(days=5) + timedelta(minutes=offset)).date()
        assert [day for day, was_here in activity.last_days if was_here] == [read, answered]


def test_the_page_tells_days_calmly(server: Running) -> None:
    with server.client(**BROWSER) as client:
        client.post("/courses/positions/why-order-matters/reads")
        page = client.get("/progress").text
        assert "You were here on 1 of the last 14 days." in page
        assert "in a stretch" not in page
        assert "Time zone: UTC, because" in page
        client.cookies.set("lectern_offset", "-210")
        assert "Time zone: UTC−3:30." in client.get("/progress").text
        user = only_user(server)
        with server.state.db.writing() as db:
            db.execute(update(LessonRead).values(read_at=now() - timedelta(days=30)))
        page = client.get("/progress").text
        assert "You were last here on" in page
        assert "Everything is where you left it." in page
        with server.state.db.writing() as db:
            for ago in (0, 1, 3, 6):
                db.add(LessonRead(user_id=user.id, course="gone", lesson=str(ago), read_at=now() - timedelta(days=ago)))
        page = client.get("/progress").text
        assert "You were here on 4 of the last 14 days." in page
        assert "A streak of 4 days" in page
        assert "!" not in page[page.index("<main") : page.index("</main>")].replace("<!", "")


def test_one_goes_on_with_what_one_did_last(server: Running) -> None:
    with server.client(**BROWSER) as client:
        user = None

        def offered() -> str:
            page = client.get("/progress").text
            home = client.get("/").text
            link = page[page.index("button primary") :]
            url = link[link.index('href="') + 6 :].split('"')[0]
            assert f'href="{url}">Continue' in home
            return " ".join(link[link.index('class="meta">') + 13 :].split("</span>")[0].split())

        client.post("/courses/positions/why-order-matters/reads")
        assert "the next lesson in" in offered()
        user = only_user(server)
        question = next(iter(server.state.catalog.courses["positions"].lessons[2].questions.values()))
        with server.state.db.writing() as db:
            db.add(
                Answer(
                    user_id=user.id, question=question.id, variant=0, attempt=1, occasion=Occasion.review,
                    given="1", correct=False, score=0.0,
                )
            )  # fmt: skip
        assert "the next lesson in" in offered()  # a review is not a lesson
        with server.state.db.writing() as db:
            db.execute(update(Answer).values(occasion=Occasion.lesson))
        assert "you were answering its questions" in offered()
        client.put(
            "/api/v1/exercises/softmax-rows/drafts/numpy", json={"source": "x", "revision": 0}
        ).raise_for_status()
        assert "you have a draft" in offered()
        body = {"source": "x = 1"}
        client.post(f"/api/v1/exercises/{GATHER}/submissions", json=body).raise_for_status()
        assert offered().endswith("an exercise, not solved yet")
        with server.state.db.writing() as db:
            db.execute(update(Draft).values(saved_at=now() + timedelta(seconds=5)))
        assert "you have a draft" in offered()


def test_what_is_solved_and_what_is_gone_is_not_gone_on_with(server: Running) -> None:
    with server.guest() as client:
        send_accepted(server, client)
        page = client.get("/progress").text
        assert "solved" in page
        assert "Continue" not in page
        user = only_user(server)
        with server.state.db.writing() as db:
            db.add(LessonRead(user_id=user.id, course="gone", lesson="gone"))
            db.add(Draft(user_id=user.id, exercise="gone", framework="numpy", source=b""))
            db.add(
                Answer(
                    user_id=user.id, question="gone.gone.gone", variant=0, attempt=1, occasion=Occasion.lesson,
                    given="1", correct=True, score=1.0,
                )
            )  # fmt: skip
        assert "Continue" not in client.get("/progress").text
        assert client.get("/").status_code == 200


def test_the_review_is_offered_quietly(server: Running) -> None:
    with server.guest() as client:
        miss(server, client, 2)
        assert "The next question comes back tomorrow." in client.get("/progress").text
        with server.state.db.writing() as db:
            for one in db.scalars(select(ReviewCard)):
                one.due_at -= timedelta(days=2)
        page = client.get("/progress").text
        assert '<a href="/review">2 questions to review today</a>' in page


@pytest.mark.parametrize(
    ("minutes", "said"), [(0, "UTC"), (60, "UTC+1"), (-210, "UTC−3:30"), (345, "UTC+5:45"), (-600, "UTC−10")]
)
def test_zones_in_words(minutes: int, said: str) -> None:
    assert zone(minutes) == said
