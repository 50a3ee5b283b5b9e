"""New names: students' work goes with them, and old addresses lead on."""

from pathlib import Path

from sqlalchemy import select

from app import tables
from app.classes.classes import Class
from app.classes.lti.scores import LineItem
from app.classes.renames import BY_KIND, OF_EXERCISES
from app.db import Base
from app.people import accounts
from app.people.users import user_by_email
from app.practice.drafts import Draft, save_draft
from app.reading.lessons import LessonRead, mark_read
from app.teaching import redirects
from app.teaching.authors import list_author
from app.teaching.redirects import BY_EXERCISE, BY_LESSON, BY_QUESTION, BY_SUBJECT, lead, rename, rename_lesson
from app.teaching.revisions import files_of, newest
from app.teaching.subjects import Subject
from tests.app.classes import GATHER, QUIZ, account, make_class
from tests.conftest import Running, Serve

# Named, but not by what students have done: what is served, and what authors and the search make of it.
OTHERS = {
    "snapshot", "search_entry", "content", "revision", "publication", "content_author", "audit_entry", "content_check",
    "redirect", "unsaved_text", "sitting_response", "frozen_gradebook", "oidc_identity", "outgoing_letter",
    "lti_account",
}  # fmt: skip


def test_every_table_under_a_name_is_known() -> None:
    assert tables
    names = {"exercise", "course", "lesson", "question", "subject", "slug"}
    named = {table.name for table in Base.metadata.sorted_tables if names & set(table.columns.keys())}
    moved = {one.__tablename__ for one in (*BY_EXERCISE, *BY_LESSON, *BY_QUESTION, *BY_SUBJECT)}
    of_classes = {one.__tablename__ for one in (*BY_KIND, *OF_EXERCISES, Class, LineItem)}
    assert named - OTHERS == moved | of_classes


def test_a_class_follows_the_names_of_what_it_has_assigned(server: Running) -> None:
    made = make_class(server, account(server, "ada@example.org", "instructor"))
    made.assign(GATHER, weight=2)
    made.assign(QUIZ, "quiz", weight=3)
    with server.state.db.writing() as db:
        redirects.move_exercise(db, GATHER, "gather")
        redirects.move_lesson(db, "positions", QUIZ, "check-yourself")
        redirects.move_course(db, "positions", "where-am-i")
    rows = made.instructor.get(f"{made.url}/assignments").json()
    assert sorted((one["kind"], one["slug"], one["weight"]) for one in rows) == [
        ("exercise", "gather", 2.0), ("quiz", "check-yourself", 3.0),
    ]  # fmt: skip
    assert made.instructor.get(made.url).json()["course"] == "where-am-i"


def test_work_and_addresses_follow_a_name_once_it_is_published(serve: Serve) -> None:
    server = serve()
    db_, catalog = server.state.db, server.state.catalog
    accounts.add_user(db_, "ada@example.org", "instructor", "a wide enough password")
    old = Subject("exercise", "softmax-rows")
    with db_.writing() as db:
        ada = user_by_email(db, "ada@example.org")
        assert ada is not None
        save_draft(db, ada, "softmax-rows", "numpy", b"mine", 0)
        save_draft(db, ada, "softmax-of-rows", "numpy", b"from before it was this one's", 0)
        save_draft(db, ada, "softmax-rows", "torch", b"mine too", 0)
        new = rename(db, ada, old, "softmax-of-rows")
        files = files_of(db, newest(db, new).id)
    with server.client() as anybody:
        # A draft under the new name changes nothing for students.
        assert anybody.get("/exercises/softmax-rows").status_code == 200
        assert anybody.get("/exercises/softmax-of-rows").status_code == 404
        catalog.publish("exercise", new.slug, files, "browser", is_proved=True)
        moved = anybody.get("/exercises/softmax-rows?framework=torch")
        assert (moved.status_code, moved.headers["location"]) == (308, "/exercises/softmax-of-rows?framework=torch")
        assert anybody.get(moved.headers["location"]).status_code == 200
        api = anybody.get("/api/v1/exercises/softmax-rows")
        assert (api.status_code, api.headers["location"]) == (308, "/api/v1/exercises/softmax-of-rows")
        assert anybody.get("/exercises/never-was").status_code == 404
    with db_.reading() as db:
        held = {(row.exercise, row.framework): row.source for row in db.scalars(select(Draft))}
    # What was under the new name before stays, and so does what it would have displaced.
    assert held == {
        ("softmax-of-rows", "numpy"): b"from before it was this one's", ("softmax-rows", "numpy"): b"mine",
        ("softmax-of-rows", "torch"): b"mine too",
    }  # fmt: skip
    _a_lessons_name_too(server)


def _a_lessons_name_too(server: Running) -> None:
    db_, catalog, course = server.state.db, server.state.catalog, Subject("course", "positions")
    with db_.writing() as db:
        ada = user_by_email(db, "ada@example.org")
        assert ada is not None
        mark_read(db, ada, "positions", "rotary-and-alibi")
        rename_lesson(db, ada, course, "rotary-and-alibi", "rotation")
        files = files_of(db, newest(db, course).id)
    catalog.publish("course", "positions", {**files, "09-x.md": b"---\ntitle: X\n---\nX\n"}, "browser", is_proved=True)
    with server.client() as anybody:
        assert anybody.get("/courses/positions/rotary-and-alibi").status_code == 200, "not renamed in what is published"
        files["04-rotation.md"] = files.pop("04-rotary-and-alibi.md")
        lessons = {path: text.replace(b"04-rotary-and-alibi.md", b"04-rotation.md") for path, text in files.items()}
        catalog.publish("course", "positions", lessons, "browser", is_proved=True)
        moved = anybody.get("/courses/positions/rotary-and-alibi")
        assert (moved.status_code, moved.headers["location"]) == (308, "/courses/positions/rotation")
    with db_.reading() as db:
        assert [row.lesson for row in db.scalars(select(LessonRead))] == ["rotation"]


def test_a_lesson_of_a_folder_is_renamed_by_its_course_file(serve: Serve, tmp_path: Path) -> None:
    """At the next start, or as the folder is read again: what readers did goes along, and the old address leads on."""
    folder = tmp_path / "lessons" / "short"
    folder.mkdir(parents=True)
    cover = 'title = "Short"\nblurb = "A course."\n'
    (folder / "course.toml").write_text(cover)
    (folder / "01-first.md").write_text("---\ntitle: First\n---\nOne.\n")
    first = serve(lessons=(folder.parent,), exercises=())
    accounts.add_user(first.state.db, "ada@example.org", "instructor", "a wide enough password")
    with first.state.db.writing() as db:
        ada = user_by_email(db, "ada@example.org")
        assert ada is not None
        mark_read(db, ada, "short", "first")
    (folder / "01-first.md").rename(folder / "01-second.md")
    (folder / "course.toml").write_text(cover + 'renamed = { "first" = "second" }\n')
    second = serve(lessons=(folder.parent,), exercises=())
    with second.client() as anybody:
        moved = anybody.get("/courses/short/first")
        assert (moved.status_code, moved.headers["location"]) == (308, "/courses/short/second")
    (folder / "01-second.md").rename(folder / "01-third.md")
    (folder / "course.toml").write_text(cover + 'renamed = { "first" = "third", "second" = "third" }\n')
    second.state.catalog.refresh("course", folder)
    with second.client() as anybody:
        assert anybody.get("/courses/short/first").headers["location"] == "/courses/short/third"
        assert anybody.get("/courses/short/second").headers["location"] == "/courses/short/third"
    with second.state.db.reading() as db:
        assert [row.lesson for row in db.scalars(select(LessonRead))] == ["third"]
        assert len(db.scalars(select(redirects.Redirect)).all()) == 2


def test_names_that_lead_in_a_circle_end(serve: Serve) -> None:
    server = serve()
    with server.state.db.writing() as db:
        for old, new in (("a", "b"), ("b", "c")):
            lead(db, None, "exercise", old, new)
        for row in db.scalars(select(redirects.Redirect)):
            row.since = row.asked_at
    with server.client() as anybody:
        assert anybody.get("/exercises/a").headers["location"] == "/exercises/c"
        with server.state.db.writing() as db:
            lead(db, None, "exercise", "c", "a")  # a is a name again, and leads nowhere
            for row in db.scalars(select(redirects.Redirect)):
                row.since = row.asked_at
        assert anybody.get("/exercises/c").headers["location"] == "/exercises/a"
        assert anybody.get("/exercises/a").status_code == 404


def test_a_name_is_taken_over_only_by_who_may_author_both(serve: Serve) -> None:
    """The attack: ask for a new name while all staff may, and publish that draft once they may not."""
    server = serve()
    for name in ("ada", "eve"):
        accounts.add_user(server.state.db, f"{name}@example.org", "instructor", None)
    old = Subject("exercise", "softmax-rows")
    token = accounts.make_token(server.state.db, "eve@example.org")
    with server.client(Authorization=f"Bearer {token}") as eve:
        assert eve.post(f"{old.desk_url}/names", data={"name": "mine-now"}).status_code == 303
        assert eve.post(f"{old.desk_url}/copies", data={"name": "open-copy"}).status_code == 303
        with server.state.db.writing() as db:
            ada = user_by_email(db, "ada@example.org")
            assert ada is not None
            list_author(db, ada, old, "ada@example.org")
        files = eve.get("/api/v1/exercises/mine-now/files").json()
        publication = {"revision": files["revision"]}
        refused = eve.post("/api/v1/exercises/mine-now/publications", json=publication)
        assert refused.status_code == 404, refused.text
    ada_token = accounts.make_token(server.state.db, "ada@example.org")
    with (
        server.client(Authorization=f"Bearer {ada_token}") as ada_,
        server.client(Authorization=f"Bearer {token}") as eve,
    ):
        assert ada_.post(f"{old.desk_url}/copies", data={"name": "closed-copy"}).status_code == 303
        assert eve.get("/api/v1/exercises/closed-copy/files").status_code == 404, "a copy is as closed as what it is of"
        with server.state.db.reading() as db:
            held = files_of(db, newest(db, Subject("exercise", "mine-now")).id)
        server.state.catalog.publish("exercise", "mine-now", held, "browser", is_proved=True)
        assert ada_.get("/api/v1/exercises/mine-now/files").status_code == 200
        assert eve.get("/api/v1/exercises/mine-now/files").status_code == 404, "as closed as it was by its old name"


def test_a_course_and_its_lessons_are_renamed_at_once(serve: Serve) -> None:
    """What is done in a lesson is found under both new names, and an older name of a lesson is no obstacle."""
    server = serve()
    accounts.add_user(server.state.db, "ada@example.org", "instructor", None)
    course = Subject("course", "positions")
    with server.state.db.writing() as db:
        ada = user_by_email(db, "ada@example.org")
        assert ada is not None
        mark_read(db, ada, "positions", "rotary-and-alibi")
        lead(db, ada, "lesson", "positions/old-one", "positions/rotary-and-alibi")
        renamed = rename(db, ada, course, "places")
        rename_lesson(db, ada, renamed, "rotary-and-alibi", "rotation")
        rename_lesson(db, ada, renamed, "old-one", "rotation")
        files = files_of(db, newest(db, renamed).id)
    files["04-rotation.md"] = files.pop("04-rotary-and-alibi.md")
    lessons = {path: text.replace(b"04-rotary-and-alibi.md", b"04-rotation.md") for path, text in files.items()}
    server.state.catalog.publish("course", "places", lessons, "browser", is_proved=True)
    with server.state.db.reading() as db:
        assert [(row.course, row.lesson) for row in db.scalars(select(LessonRead))] == [("places", "rotation")]
    with server.client() as anybody:
        for old in ("rotary-and-alibi", "old-one"):
            assert anybody.get(f"/courses/positions/{old}").headers["location"] == "/courses/places/rotation"
