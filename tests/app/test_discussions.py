"""Discussions: what people ask and answer, who is sent which code, what staff may do, and what is reported."""

import re
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from sqlalchemy import func, select

from app.content.posted import post_html
from app.discussions.mistakes import MistakeReport
from app.discussions.posts import Post, Topic
from app.people import accounts
from app.people.users import User
from tests.app.mailbox import open_mailbox
from tests.app.student import GATHER, LESSON, right_answer, send, send_accepted, single
from tests.conftest import Running, Serve

BROWSER = {"Sec-Fetch-Site": "same-origin"}
PAGE = f"/discussions/exercise/{GATHER}"
CODE = "Like this:\n\n```python\nreturn the_secret[positions]\n```"
SECRET = "the_secret"
HARMLESS = {"p", "a", "em", "strong", "pre", "code", "span", "table", "thead", "tbody", "tr", "th", "td", "div"}


def account(server: Running, name: str, role: str = "student") -> httpx.Client:
    email = f"{name}@example.org"
    accounts.add_user(server.state.db, email, role, None)
    return server.client(Authorization=f"Bearer {accounts.make_token(server.state.db, email)}", **BROWSER)


@pytest.fixture
def ada(server: Running) -> Iterator[httpx.Client]:
    with account(server, "ada") as client:
        yield client


@pytest.fixture
def bo(server: Running) -> Iterator[httpx.Client]:
    with account(server, "bo") as client:
        yield client


@pytest.fixture
def grace(server: Running) -> Iterator[httpx.Client]:
    with account(server, "grace", "instructor") as client:
        yield client


def post(client: httpx.Client, text: str, topic: int | str = "", name: str = "", page: str = PAGE, **more: str) -> int:
    """Returns the post's id. `name`: as who, the first time."""
    form = {"text": text, "topic": str(topic), "own_name": name, **more}
    answer = client.post(f"{page}/posts", data=form)
    assert answer.status_code == 303, answer.text
    return int(answer.headers["location"].rpartition("-")[2])


def shown(client: httpx.Client, page: str = PAGE) -> str:
    return client.get(page).raise_for_status().text


def topic_of(server: Running, post_id: int) -> int:
    with server.state.db.reading() as db:
        return db.get_one(Post, post_id).topic_id


def rows(server: Running, table: type[Post | Topic | MistakeReport]) -> int:
    with server.state.db.reading() as db:
        return db.scalar(select(func.count()).select_from(table)) or 0


# ------------------------------------------------------------------ asking and answering


def test_a_question_and_its_answer_are_read_by_everybody(
    server: Running, ada: httpx.Client, bo: httpx.Client, grace: httpx.Client
) -> None:
    asked = post(ada, "Why *float32*?", name="Ada")
    topic = topic_of(server, asked)
    post(bo, "I wonder too.", topic, "Bo")
    answer = post(grace, "So that it fits.", topic, "Grace")
    assert ada.post(f"/posts/{answer}/answer", data={"answer": "yes"}).status_code == 303
    with server.client() as nobody:
        text = shown(nobody)
        assert ">2<" not in shown(nobody, f"/exercises/{GATHER}")
        assert ">3<" in shown(nobody, f"/exercises/{GATHER}"), "the fold says how many posts there are"
        assert "So that it fits" not in shown(nobody, f"/exercises/{GATHER}"), "and has none of them"
    assert "Why <em>float32</em>?" in text
    assert text.index("Why <em>") < text.index("I wonder") < text.index("So that it fits")
    assert text.count('class="badge">Staff') == 1
    assert re.search(rf'id="post-{answer}".{{0,700}}</svg> answer<', text, re.DOTALL)
    assert "@example.org" not in text, "nobody's address is shown"
    assert "<form" not in text.split('id="main"')[1].split("</main>")[0], "nobody has nothing to press"


def test_a_part_of_a_page_is_the_discussion_alone(ada: httpx.Client) -> None:
    post(ada, "Why?", name="Ada")
    answer = ada.get(PAGE, headers={"Lectern-Partial": "1"})
    assert answer.text.lstrip().startswith('<div class="thread"')
    assert "<html" not in answer.text


def test_guests_and_nobody_cannot_write(server: Running, ada: httpx.Client) -> None:
    asked = post(ada, "Why?", name="Ada")
    with server.client(**BROWSER) as nobody, server.guest() as guest:
        for client, statuses in ((nobody, {401}), (guest, {403})):
            for path, form in (
                (f"{PAGE}/posts", {"text": "spam", "own_name": "Spammer"}),
                (f"{PAGE}/posts", {"text": "spam", "do": "preview"}),
                (f"/posts/{asked}", {"text": "spam"}),
                (f"/posts/{asked}/delete", {}),
                (f"/posts/{asked}/answer", {"answer": "yes"}),
                (f"/posts/{asked}/reports", {"reason": "spam"}),
                (f"/posts/{asked}/visibility", {"reason": "spam"}),
                ("/discussions/1/lock", {"locked": "yes"}),
                ("/me/name", {"own_name": "Spammer"}),
                ("/reports/1/resolution", {"note": "spam"}),
            ):
                answer = client.post(path, data=form, headers=BROWSER)
                assert answer.status_code in statuses, (path, answer.status_code)
    assert rows(server, Post) == 1


def test_another_site_cannot_post_in_somebodys_name(server: Running, ada: httpx.Client) -> None:
    with server.client() as client:
        token = ada.headers["Authorization"].removeprefix("Bearer ")
        crossed = {"Sec-Fetch-Site": "cross-site", "Cookie": f"lectern={token}"}
        answer = client.post(f"{PAGE}/posts", data={"text": "spam", "own_name": "A"}, headers=crossed)
    assert (answer.status_code, rows(server, Post)) == (403, 0)


def test_only_its_author_changes_or_deletes_a_post(
    server: Running, ada: httpx.Client, bo: httpx.Client, grace: httpx.Client
) -> None:
    asked = post(ada, "Why?", name="Ada")
    for other in (bo, grace):
        assert other.get(f"/posts/{asked}/edit").status_code == 403
        assert other.post(f"/posts/{asked}", data={"text": "changed"}).status_code == 403
        assert other.post(f"/posts/{asked}/delete").status_code == 403
    assert "Why?" in ada.get(f"/posts/{asked}/edit").text
    assert ada.post(f"/posts/{asked}", data={"text": "Why, indeed?"}).status_code == 303
    assert "Why, indeed?" in shown(bo)
    assert ", changed <time" in shown(bo)
    refused = ada.post(f"/posts/{asked}", data={"text": "x" * 5001})
    assert (refused.status_code, "x" * 5001 in refused.text) == (422, True), "what was typed is not lost"
    assert ada.post(f"/posts/{asked}/delete").status_code == 303
    assert "Nobody has asked anything yet" in shown(bo)
    assert (rows(server, Post), rows(server, Topic)) == (0, 0)


def test_a_deleted_question_with_replies_keeps_its_place(server: Running, ada: httpx.Client, bo: httpx.Client) -> None:
    first, second = post(ada, "First?", name="Ada"), post(ada, "Second?")
    post(bo, "A reply.", topic_of(server, first), "Bo")
    ada.post(f"/posts/{first}/delete")
    text = shown(bo)
    assert "First?" not in text
    assert text.index("Second?") < text.index("The question was deleted.") < text.index("A reply.")
    assert second


def test_what_is_empty_or_too_long_is_refused_and_not_lost(server: Running, ada: httpx.Client) -> None:
    asked = post(ada, "Why?", name="Ada")
    for text, why in (("", "empty"), (" \n ", "empty"), ("w" * 5001, "at most 5,000")):
        answer = ada.post(f"{PAGE}/posts", data={"text": text, "topic": str(topic_of(server, asked))})
        assert (answer.status_code, why in answer.text) == (422, True)
        assert text.strip() in answer.text
    gone = ada.post(f"{PAGE}/posts", data={"text": "My long reply", "topic": "999"})
    assert (gone.status_code, "My long reply" in gone.text) == (404, True)
    assert rows(server, Post) == 1


def test_a_preview_stores_nothing(server: Running, ada: httpx.Client) -> None:
    answer = ada.post(f"{PAGE}/posts", data={"text": "So **bold**", "do": "preview"})
    assert answer.status_code == 200
    assert "So <strong>bold</strong>" in answer.text
    assert "So **bold**" in answer.text, "and it still stands in the form"
    assert rows(server, Post) == 0


def test_old_questions_are_on_older_pages(server: Running, ada: httpx.Client) -> None:
    server.app.state.limits.enabled = False
    asked = [post(ada, f"Question number {number}.", name="Ada") for number in range(1, 23)]
    newest = shown(ada)
    assert "Question number 22." in newest
    assert "Question number 2." not in newest
    older = re.search(rf'href="({PAGE}\?before=\d+)"', newest)
    assert older
    assert "Question number 2." in shown(ada, older[1])
    assert "Question number 1." in shown(ada, f"{PAGE}?at={asked[0]}"), "a link to a post leads to where it is"
    reply = ada.post(f"{PAGE}/posts", data={"text": "", "topic": str(topic_of(server, asked[0]))})
    assert "Question number 1." in reply.text, "a form that is refused is shown in its place"


def test_too_many_at_once_wait(ada: httpx.Client) -> None:
    for number in range(10):
        post(ada, f"{number}", name="Ada")
    answer = ada.post(f"{PAGE}/posts", data={"text": "One more"})
    assert (answer.status_code, "Retry-After" in answer.headers, "One more" in answer.text) == (429, True, True)


def test_first_posts_at_the_same_moment_are_in_one_discussion(server: Running) -> None:
    clients = [account(server, f"person{number}") for number in range(4)]
    barrier = threading.Barrier(4)

    def ask(number: int) -> int:
        barrier.wait()
        return post(clients[number], f"Question {number}", name=f"Person {number}")

    with ThreadPoolExecutor(4) as people:
        list(people.map(ask, range(4)))
    assert all(f"Question {number}" in shown(clients[0]) for number in range(4))
    for client in clients:
        client.close()


# ------------------------------------------------------------------ names


@pytest.mark.parametrize(
    "name", ["", "  ", "ada@example.org", "x" * 41, "a\u202eb", "Staff", "Ｓｔａｆｆ", "The Instruct or", "…"]
)
def test_a_name_that_misleads_is_refused(server: Running, ada: httpx.Client, name: str) -> None:
    answer = ada.post(f"{PAGE}/posts", data={"text": "My question", "own_name": name})
    assert (answer.status_code, "My question" in answer.text) == (422, True)
    assert rows(server, Post) == 0


def test_two_people_cannot_have_one_name(ada: httpx.Client, bo: httpx.Client) -> None:
    post(ada, "Why?", name="Ada Lovelace")
    answer = bo.post(f"{PAGE}/posts", data={"text": "Because", "own_name": "ada  LOVELACE"})
    assert answer.status_code == 409
    assert "Somebody else is called" in answer.text
    assert ada.post("/me/name", data={"own_name": "Countess"}).status_code == 303
    assert "Countess" in shown(bo)
    post(bo, "Because", name="Ada Lovelace")


# ------------------------------------------------------------------ attacks by what is written


@pytest.mark.parametrize(
    "attack",
    [
        "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "[a](javascript:alert(1))",
        "[a](JaVaScRiPt&colon;alert(1))", "[a](data:text/html,<script>alert(1)</script>)",
        "![x](https://evil.example/x.png)",
        "![x](/me)", "<javascript:alert(1)>", "[a](vbscript:x)", '[a](https://x.example "onmouseover=alert(1)")',
        '```"><script>alert(1)</script>\nx\n```', "`<script>alert(1)</script>`", "[x]: javascript:alert(1)\n[x]",
        "<svg/onload=alert(1)>", "<!-- --><iframe src=//evil.example>", ":::{figure} x\n:::",
        "<style>*{display:none}</style>",
        "|<b onclick=alert(1)>|\n|-|\n|x|",
    ],
)  # fmt: skip
def test_no_markup_of_others_reaches_a_page(server: Running, ada: httpx.Client, attack: str) -> None:
    post(ada, attack, name="Ada <script>alert(2)</script>")
    with server.client() as nobody:
        page = shown(nobody)
    body = re.findall(r'<div class="post-body">(.*?)</div>\s*</article>', page, re.DOTALL)
    assert len(body) == 1
    tags = re.findall(r"<\s*/?\s*([a-zA-Z]+)([^>]*)>", body[0])
    assert {name.lower() for name, _ in tags} <= HARMLESS
    for _, attributes in tags:
        named = dict(re.findall(r'([a-z-]+)="([^"]*)"', attributes))
        assert not [name for name in named if name.startswith("on")]
        assert re.match(r"(https?:|mailto:|/|$)", named.get("href", "")), named
    assert "<script>alert" not in page + shown(ada)


def test_a_link_that_leaves_the_site_earns_nothing() -> None:
    assert 'rel="nofollow ugc noopener noreferrer"' in post_html("[a](https://x.example)")


# ------------------------------------------------------------------ what is sent before an exercise is solved


def test_code_is_not_sent_before_the_exercise_is_solved(
    server: Running, ada: httpx.Client, bo: httpx.Client, grace: httpx.Client
) -> None:
    asked = post(ada, CODE, name="Ada")
    with server.client() as nobody:
        for client in (nobody, bo):
            for partial in ({}, {"Lectern-Partial": "1"}):
                answer = client.get(PAGE, headers=partial)
                assert SECRET not in answer.text
                assert "Code, hidden until you have solved this exercise." in answer.text
            assert client.get(f"/posts/{asked}/edit").status_code in (401, 403)
    assert SECRET in shown(ada), "its author sees it"
    assert SECRET in shown(grace), "staff see it"
    assert "once you have" not in shown(grace)
    send_accepted(server, bo)
    assert SECRET in shown(bo)
    assert "hidden until" not in shown(bo)


@pytest.mark.parametrize(
    "text",
    [
        "    return the_secret[positions]", "> ```\n> the_secret\n> ```", "- item\n\n      the_secret of the list",
        "```\nthe_secret", "~~~ the_secret\nthe_secret\n~~~", "1. x\n   ```the_secret\n   the_secret\n   ```",
        "`return the_secret[positions] if positions is not None else the_secret`", "``` python\nthe_secret\n```",
    ],
)  # fmt: skip
def test_however_code_is_written_it_is_withheld(text: str) -> None:
    assert SECRET not in post_html(text, code_after="solved this exercise")
    assert SECRET in post_html(text)


def test_a_spoiler_is_withheld_whole(server: Running, ada: httpx.Client, bo: httpx.Client) -> None:
    post(ada, "Index with the ids.", name="Ada", spoiler="yes")
    assert "Index with the ids" not in shown(bo)
    assert "A spoiler, hidden until you have solved this exercise." in shown(bo)
    assert "Index with the ids" in shown(ada)
    send_accepted(server, bo)
    assert "Index with the ids" in shown(bo)


def test_code_below_a_question_is_sent_once_it_is_answered(
    server: Running, ada: httpx.Client, bo: httpx.Client
) -> None:
    question = single(bo.get(LESSON).json())[0]
    page = f"/discussions/question/{question['id']}"
    post(ada, CODE, name="Ada", page=page)
    assert SECRET not in shown(bo, page)
    assert "hidden until you have answered this question" in shown(bo, page)
    assert f'data-discussion="{page}"' in shown(bo, "/courses/positions/learned-embeddings")
    send(bo, question, right_answer(server, question))
    assert SECRET in shown(bo, page)


def test_a_quizs_discussions_open_with_a_submitted_attempt(
    server: Running, ada: httpx.Client, grace: httpx.Client
) -> None:
    quiz = "/api/v1/quizzes/positions/test-your-understanding/sittings"
    slugs = list(server.state.catalog.lesson("positions", "test-your-understanding")[1].questions)
    page = f"/discussions/question/positions.test-your-understanding.{slugs[0]}"
    post(grace, "What helps here", name="Grace", page=page)
    assert ada.get(page).status_code == 403
    sitting = ada.post(quiz).raise_for_status().json()["id"]
    assert ada.get(page).status_code == 403
    assert ada.post(f"{page}/posts", data={"text": "x", "own_name": "Ada"}).status_code == 403
    assert ada.get("/posts/1").status_code in (403, 404)
    assert ada.post(f"/sittings/{sitting}/submission").status_code == 303
    review = shown(ada, f"/sittings/{sitting}")
    asked = set(re.findall(r'data-discussion="([^"]+)"', review))
    assert asked
    assert page not in asked or "What helps here" in shown(ada, page)
    for one in asked:
        assert ada.get(one).status_code == 200
    ada.post(quiz).raise_for_status()
    assert {ada.get(one).status_code for one in asked} == {403}, "closed while another attempt is open"


# ------------------------------------------------------------------ what staff do


def test_a_hidden_post_is_seen_by_its_author_and_staff(
    server: Running, ada: httpx.Client, bo: httpx.Client, grace: httpx.Client
) -> None:
    asked = post(ada, "A rude question", name="Ada")
    assert bo.post(f"/posts/{asked}/visibility", data={"reason": "no"}).status_code == 403
    assert grace.post(f"/posts/{asked}/visibility", data={"reason": ""}).status_code == 422
    assert grace.post(f"/posts/{asked}/visibility", data={"reason": "Be kind."}).status_code == 303
    text = shown(bo)
    assert "A rude question" not in text
    assert "Be kind." not in text
    assert "This post is hidden." in text
    assert "A rude question" in shown(ada)
    assert "Be kind." in shown(ada)
    assert "A rude question" in shown(grace)
    assert bo.get(f"/posts/{asked}").status_code == 404
    assert ada.post(f"/posts/{asked}", data={"text": "Kind now"}).status_code == 403
    assert "number" not in re.search(r"Questions and answers(.*?)</summary>", shown(bo, f"/exercises/{GATHER}"))[1]  # type: ignore[index]
    grace.post(f"/posts/{asked}/visibility", data={"reason": "Fine", "visible": "yes"})
    assert "A rude question" in shown(bo)


def test_only_the_asker_and_staff_say_what_answers(
    server: Running, ada: httpx.Client, bo: httpx.Client, grace: httpx.Client
) -> None:
    asked = post(ada, "Why?", name="Ada")
    topic = topic_of(server, asked)
    first, second = post(bo, "So.", topic, "Bo"), post(grace, "Or so.", topic, "Grace")
    assert bo.post(f"/posts/{first}/answer", data={"answer": "yes"}).status_code == 403
    assert ada.post(f"/posts/{asked}/answer", data={"answer": "yes"}).status_code == 409
    ada.post(f"/posts/{first}/answer", data={"answer": "yes"})
    grace.post(f"/posts/{second}/answer", data={"answer": "yes"})
    with server.state.db.reading() as db:
        assert list(db.scalars(select(Post.id).where(Post.is_answer))) == [second], "one answers"


def test_a_closed_discussion_is_read_only_but_for_staff(
    server: Running, ada: httpx.Client, bo: httpx.Client, grace: httpx.Client
) -> None:
    asked = post(ada, "Why?", name="Ada")
    with server.state.db.reading() as db:
        lock = f"/discussions/{db.get_one(Post, asked).thread_id}/lock"
    assert bo.post(lock, data={"locked": "yes"}).status_code == 403
    assert grace.post(lock, data={"locked": "yes"}).status_code == 303
    answer = bo.post(f"{PAGE}/posts", data={"text": "Too late", "own_name": "Bo"})
    assert (answer.status_code, "Too late" in answer.text) == (403, True)
    assert ada.post(f"/posts/{asked}", data={"text": "Changed"}).status_code == 403
    assert "Staff have closed this discussion" in shown(bo)
    post(grace, "A last word.", topic_of(server, asked), "Grace")
    grace.post(lock, data={"locked": "no"})
    post(bo, "In time", name="Bo")


# ------------------------------------------------------------------ reports of posts


def test_three_reports_hide_a_post_until_staff_look(server: Running, ada: httpx.Client, grace: httpx.Client) -> None:
    asked = post(ada, "Buy this", name="Ada")
    assert ada.post(f"/posts/{asked}/reports", data={"reason": "mine"}).status_code == 409
    people = [account(server, f"person{number}") for number in range(4)]
    for client in people[:2]:
        for _ in range(2):  # one person counts once
            answer = client.post(f"/posts/{asked}/reports", data={"reason": "Spam, of person"})
        assert answer.status_code == 409
        assert "Buy this" in shown(people[3])
    assert people[2].post(f"/posts/{asked}/reports", data={"reason": "Spam"}).status_code == 303
    assert "Buy this" not in shown(people[3])
    assert "Three people reported it" in shown(ada)
    queue = shown(grace, "/reports")
    assert queue.count("Spam, of person") == 2
    assert "person0" not in queue, "staff judge the post, not who reported it"
    form = {"reason": "It is no advertisement.", "visible": "yes", "back": "/reports"}
    answer = grace.post(f"/posts/{asked}/visibility", data=form)
    assert answer.headers["location"] == "/reports"
    assert "No report is open" in shown(grace, "/reports")
    assert "Buy this" in shown(people[3])
    people[3].post(f"/posts/{asked}/reports", data={"reason": "Spam"})
    assert "Buy this" in shown(ada), "it takes three others now"
    for client in people:
        client.close()


def test_reports_never_hide_what_staff_wrote(server: Running, grace: httpx.Client) -> None:
    asked = post(grace, "The exam is on Monday.", name="Grace")
    for number in range(3):
        with account(server, f"person{number}") as client:
            assert client.post(f"/posts/{asked}/reports", data={"reason": "no"}).status_code == 303
    assert "The exam is on Monday." in shown(grace)
    with server.client() as nobody:
        assert "The exam is on Monday." in shown(nobody)


def test_the_queue_is_the_staffs(ada: httpx.Client, server: Running) -> None:
    assert ada.get("/reports").status_code == 403
    with server.client() as nobody:
        assert nobody.get("/reports").status_code == 401


def test_a_way_back_leads_nowhere_else(ada: httpx.Client, grace: httpx.Client) -> None:
    asked = post(ada, "Why?", name="Ada")
    form = {"reason": "x", "visible": "yes", "back": "//evil.example/"}
    assert grace.post(f"/posts/{asked}/visibility", data=form).headers["location"] == "/"


# ------------------------------------------------------------------ mistakes in exercises and questions


def test_a_guest_reports_a_mistake_and_sees_what_became_of_it(server: Running, grace: httpx.Client) -> None:
    with server.client(**BROWSER) as guest:
        sent = guest.post(f"/api/v1/exercises/{GATHER}/submissions", json={"source": "x = 1"}).json()["id"]
        assert f'<option value="{sent}"' in shown(guest, f"{PAGE}/mistakes/new")
        form = {"text": "The sample is <b>wrong</b>", "framework": "torch", "submission": str(sent)}
        assert guest.post(f"{PAGE}/mistakes", data=form).headers["location"] == "/me/reports?sent=1"
        assert ">open<" in shown(guest, "/me/reports")
        with server.state.db.reading() as db:
            report = db.scalars(select(MistakeReport)).one()
        assert report.content_hash == server.state.catalog.exercises[GATHER].content_hash
        assert (report.framework, report.submission_id) == ("torch", sent)
        queue = shown(grace, "/reports")
        assert "The sample is &lt;b&gt;wrong&lt;/b&gt;" in queue
        assert f'href="/submissions/{sent}"' in queue
        assert "has changed since" not in queue
        resolve = f"/reports/{report.id}/resolution"
        assert guest.post(resolve, data={"note": "mine"}).status_code == 403
        assert grace.post(resolve, data={"note": " "}).status_code == 422
        assert grace.post(resolve, data={"note": "Corrected, thank you."}).status_code == 303
        assert "Corrected, thank you." in shown(guest, "/me/reports")
        assert "No report is open" in shown(grace, "/reports")


def test_anothers_submission_shows_nobodys_mistake(server: Running, ada: httpx.Client, bo: httpx.Client) -> None:
    sent = send_accepted(server, ada)
    answer = bo.post(f"{PAGE}/mistakes", data={"text": "Look at this", "submission": str(sent)})
    assert (answer.status_code, "Look at this" in answer.text, rows(server, MistakeReport)) == (422, True, 0)


def test_reports_of_mistakes_are_bounded(server: Running) -> None:
    with server.client(**BROWSER) as guest:
        assert guest.post(f"{PAGE}/mistakes", data={"text": ""}).status_code == 422
        assert guest.post(f"{PAGE}/mistakes", data={"text": "x" * 2001}).status_code == 422
        assert guest.post("/discussions/exercise/none/mistakes", data={"text": "x"}).status_code == 404
        statuses = [guest.post(f"{PAGE}/mistakes", data={"text": "Wrong"}).status_code for _ in range(6)]
        assert statuses == [303] * 5 + [429]
    assert rows(server, MistakeReport) == 5


def test_a_mistake_in_a_question_is_reported(ada: httpx.Client, grace: httpx.Client) -> None:
    question = ada.get(LESSON).json()[0]["id"]
    ada.post(f"/discussions/question/{question}/mistakes", data={"text": "The answer is 7"})
    queue = shown(grace, "/reports")
    assert "A question in" in queue
    assert "The answer is 7" in queue


def test_staff_get_a_letter_where_mail_is_set(serve: Serve) -> None:
    with open_mailbox() as mailbox:
        server = serve(
            smtp=f"smtp://127.0.0.1:{mailbox.port}", mail_from="Lectern <l@example.org>", origin="http://l.example.org"
        )
        with account(server, "grace", "instructor"), account(server, "ada") as ada:
            ada.post(f"{PAGE}/mistakes", data={"text": "Wrong\r\nBcc: everybody@example.org"})
            (letter,) = mailbox.wait_for(count=1)
            assert letter["To"] == "grace@example.org"
            assert letter["Bcc"] is None
            assert "http://l.example.org/reports" in letter.get_content()
            assert "Wrong" in letter.get_content()


# ------------------------------------------------------------------ where there are none


def test_an_installation_without_discussions(serve: Serve) -> None:
    server = serve(discussions="off")
    with account(server, "ada") as ada, account(server, "grace", "instructor") as grace:
        assert ada.get(PAGE).status_code == 404
        assert ada.post(f"{PAGE}/posts", data={"text": "x", "own_name": "Ada"}).status_code == 404
        desk = shown(ada, f"/exercises/{GATHER}")
        assert "data-discussion" not in desk
        assert "Report a mistake in this exercise" in desk, "that stays"
        assert ada.post(f"{PAGE}/mistakes", data={"text": "Wrong"}).status_code == 303
        assert "Wrong" in shown(grace, "/reports")


def test_a_course_and_an_exercise_without_discussions(serve: Serve, tmp_path: Path) -> None:
    question = "::::{question} q\n:type: choice\nWhich?\n\n- [x] a\n- [ ] b\n::::\n"
    lesson = f"---\ntitle: One\n---\n:::{{exercise}} SLUG\n:::\n\n{question}"
    root = Path(__file__).resolve().parents[2]
    for slug, key in (("quiet", "discussions = false\n"), ("loud", "")):
        course = tmp_path / "lessons" / slug
        course.mkdir(parents=True)
        (course / "course.toml").write_text(f'title = "{slug}"\nblurb = "b"\n{key}')
        (course / "01-one.md").write_text(lesson.replace("SLUG", "softmax-rows" if key else GATHER))
    server = serve(lessons=(tmp_path / "lessons",), exercises=(root / "exercises",))
    with account(server, "ada") as ada:
        statuses = {
            name: ada.get(f"/discussions/{name}").status_code
            for name in ("question/quiet.one.q", "question/loud.one.q", "exercise/softmax-rows", f"exercise/{GATHER}",
                         "exercise/flax-learned-pos")
        }  # fmt: skip
    assert statuses == {
        "question/quiet.one.q": 404,
        "question/loud.one.q": 200,
        "exercise/softmax-rows": 404,
        f"exercise/{GATHER}": 200,
        "exercise/flax-learned-pos": 200,
    }


@pytest.mark.parametrize(
    "path", ["exercise/none", "question/a", "question/a.b.c", "lesson/x", "question/positions..", "exercise/%00"]
)
def test_there_is_no_discussion_of_what_is_not_there(server: Running, path: str) -> None:
    with server.client() as nobody:
        assert nobody.get(f"/discussions/{path}").status_code == 404


# ------------------------------------------------------------------ whose it is


def test_what_somebody_wrote_goes_with_their_account(server: Running, ada: httpx.Client, bo: httpx.Client) -> None:
    asked = post(ada, "Why? By me.", name="Ada")
    post(bo, "Because.", topic_of(server, asked), "Bo")
    exported = ada.get("/me/export").json()
    assert exported["posts"][0]["text"] == "Why? By me."
    assert exported["posts"][0]["subject"] == f"exercise/{GATHER}"
    assert exported["discussion_name"] == [{"name": "Ada"}]
    assert "Because." not in ada.get("/me/export").text
    assert ada.post("/me/deletion", data={"confirmation": "delete me"}).status_code == 200
    text = shown(bo)
    assert "Why? By me." not in text
    assert "Because." in text


def test_posts_count_towards_ones_storage(server: Running, ada: httpx.Client) -> None:
    def stored() -> int:
        with server.state.db.reading() as db:
            return db.scalars(select(User.stored_bytes)).one()

    asked = post(ada, "x" * 100, name="Ada")
    assert stored() == 100
    ada.post(f"/posts/{asked}", data={"text": "x" * 40})
    assert stored() == 40
    ada.post(f"/posts/{asked}/delete")
    assert stored() == 0
