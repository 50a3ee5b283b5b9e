"""With a million submissions in PostgreSQL no page and no API route that reads walks a large table.

The rows are real: PostgreSQL chooses its plans by what it knows of them. Each statement of a request is explained with
the values that it was sent with. A new route, and a new table, are missed below until somebody says what they are like.
"""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import psycopg
import pytest
from sqlalchemy import event, select
from sqlalchemy.engine import Connection

from app.classes import leases, variant_reports
from app.classes.classes import Class
from app.classes.variant_reports import VariantReport
from app.db import Base
from app.people.users import User as Person
from app.people.users import open_login
from app.settings import Settings
from tests.app.plans import LARGE, walked
from tests.conftest import Running, running, scratch_postgres

SUBMISSIONS, PEOPLE = 1_000_000, 20_000
STUDENTS = 300  # of each of ten classes
STUDENT, ADMIN = 77, PEOPLE + 1
MINE, OTHER, WRONG = 803604, 403604, 4  # submissions: two of the student's for one exercise, and a wrong one
QUIZ, LESSON, QUESTION = "test-your-understanding", "learned-embeddings", "positions.learned-embeddings."
SOFTMAX = "softmax-rows"
ASKED_OF_CLASS = "positions.learned-embeddings.parameter-count"

# What authors write, and what is made of it: it does not grow with those who learn.
OF_AUTHORS = {
    "case_sheet", "content", "content_author", "content_check", "file_content", "installation_secret", "named_outcome",
    "publication", "redirect", "revision", "revision_file", "search_entry", "search_vocabulary", "snapshot",
    "snapshot_file", "unsaved_text",
}  # fmt: skip

SLUGS = [SOFTMAX, "learned-absolute-position-embedding", "flax-learned-pos", *(f"exercise-{n}" for n in range(17))]
SLUG = f"('{{{','.join(SLUGS)}}}'::text[])[1 + (g / 20000) % 20]"
EXERCISE = f"(SELECT id FROM snapshot WHERE kind = 'exercise' AND slug = '{SOFTMAX}')"
COURSE = "(SELECT id FROM snapshot WHERE kind = 'course' AND slug = 'positions')"
WHOSE = f"1 + (g::bigint * 7919) % {PEOPLE}"
AT = "timestamp '2026-11-23' - make_interval(secs => (1000000 - g) * 30)"
SUBJECT = f"CASE g WHEN 3605 THEN 'exercise/{SOFTMAX}' ELSE 'exercise/s' || g END"
LESSONS = f"(ARRAY['{LESSON}', 'why-order-matters', 'a', 'b', 'c'])[1 + (g / {PEOPLE}) % 5]"
ANSWERED = "('{shape-of-the-table,parameter-count,what-training-moves}'::text[])[1 + (g - 1) % 3]"
ASKED = f"'positions.{LESSON}.q' || g / {PEOPLE}"
SAID = json.dumps(
    {
        **dict.fromkeys(("subject", "deployment", "name", "email", "context", "context_title", "line_item"), "x"),
        **dict.fromkeys(("line_items", "memberships", "page", "return_url", "data"), ""),
        "message": "LtiResourceLinkRequest", "target": "/lti/launch", "role": None, "grade_scopes": [],
        "takes_line_items": True, "takes_many": True,
    }
)  # fmt: skip

# How many rows, and what is in their columns: `g` counts from 1. Tables in the order in which they refer.
FILLED: dict[str, tuple[int, dict[str, str]]] = {
    "user_account": (PEOPLE, {"id": "g", "role": "'guest'", "created_at": AT, "time_multiplier": "1",
                              "stored_bytes": "1000"}),
    "login": (PEOPLE, {"token_hash": "sha256(g::text::bytea)", "user_id": "g", "created_at": AT,
                       "expires_at": "timestamp '2999-01-01'"}),
    "password_reset": (PEOPLE, {"token_hash": "sha256(g::text::bytea)", "user_id": "g", "created_at": AT,
                                "expires_at": AT}),
    "submission": (SUBMISSIONS, {"id": "g", "user_id": WHOSE, "snapshot_id": EXERCISE, "exercise": SLUG,
                                 "framework": "'numpy'", "kind": "CASE WHEN g % 10 = 0 THEN 'run' ELSE 'submit' END",
                                 "source": "'x = 1'::bytea", "created_at": AT}),
    "grading": (SUBMISSIONS, {"id": "g", "submission_id": "g", "attempt": "1", "state": "'finished'",
                              "verdict": "CASE WHEN (g / 3) % 2 = 1 THEN 'accepted' ELSE 'wrong_answer' END",
                              "score": "(g / 3) % 2", "cases": "'[]'", "queued_at": AT, "started_at": AT,
                              "finished_at": AT}),
    "wrong_outcome": (SUBMISSIONS // 4, {"submission_id": "4 * g", "fingerprint": "md5((g % 1000)::text)",
                                         "exercise": SLUG.replace("(g ", "(4 * g ")}),
    "best_time": (8 * PEOPLE, {"user_id": f"1 + g % {PEOPLE}", "exercise": SLUG, "framework": "'numpy'",
                               "judging_hash": "md5((g / 20000)::text)", "wall_ms": "g % 100"}),
    "shared_solution": (PEOPLE, {"submission_id": "g", "user_id": WHOSE, "exercise": f"'{SOFTMAX}'", "tokens": "g % 90",
                                 "framework": "'numpy'", "judging_hash": "md5((g % 9)::text)", "digest": "md5(g::text)",
                                 "wall_ms": "g % 100", "shared_at": AT}),
    "draft": (2 * PEOPLE, {"user_id": f"1 + g % {PEOPLE}", "exercise": SLUG, "framework": "'numpy'",
                           "source": "'x'::bytea", "revision": "1", "saved_at": AT}),
    "hint_opened": (3 * PEOPLE, {"user_id": f"1 + g % {PEOPLE}", "exercise": SLUG, "number": "1", "opened_at": AT}),
    "give_up": (PEOPLE, {"user_id": f"1 + g % {PEOPLE}", "exercise": SLUG, "given_up_at": AT}),
    "lesson_read": (5 * PEOPLE - 1, {"user_id": f"1 + g % {PEOPLE}", "course": "'positions'", "lesson": LESSONS,
                                     "read_at": AT}),
    "note": (2 * PEOPLE, {"id": "g", "user_id": WHOSE, "course": "'positions'", "lesson": LESSONS, "section": "''",
                          "quote": "''", "before": "''", "after": "''", "colour": "'yellow'", "text": "'mine'",
                          "revision": "1", "created_at": AT, "changed_at": AT}),
    "review_card": (4 * PEOPLE, {"user_id": f"1 + g % {PEOPLE}", "question": ASKED, "question_hash": "'h'",
                                 "stability": "1", "difficulty": "1", "reviews": "1", "added_at": AT, "last_at": AT,
                                 "due_at": AT}),
    "sitting": (2 * PEOPLE - 1, {"id": "g", "user_id": f"1 + g % {PEOPLE}", "course": "'positions'",
                                 "snapshot_id": COURSE,
                                 "lesson": f"'{QUIZ}'", "number": f"1 + g / {PEOPLE}", "started_at": AT,
                                 "deadline_at": AT, "submitted_at": AT, "questions": "3", "points": "3", "score": "2",
                                 "waiting": "0"}),
    "sitting_response": (3 * PEOPLE, {"sitting_id": "1 + (g - 1) / 3", "place": "1 + (g - 1) % 3", "variant": "1",
                                      "slug": ANSWERED, "flagged": "false", "revision": "1"}),
    "answer": (20 * PEOPLE, {"id": "g", "user_id": WHOSE, "question": ASKED, "question_hash": "'h'", "variant": "1",
                             "attempt": "1", "occasion": "'lesson'", "given": "'1'", "correct": "g % 3 > 0",
                             "score": "1", "created_at": AT}),
    "discussion_name": (PEOPLE, {"user_id": "g", "name": "'n' || g", "folded": "'n' || g"}),
    "discussion_thread": (LARGE, {"id": "g", "subject": SUBJECT,
                                  "is_locked": "false"}),
    "discussion_topic": (2 * LARGE, {"id": "g", "thread_id": f"1 + g % {LARGE}"}),
    "discussion_post": (5 * LARGE, {"id": "g", "thread_id": f"1 + g % {LARGE}", "topic_id": f"1 + g % {LARGE}",
                                    "user_id": WHOSE, "asks": "true", "text": "'why'", "is_spoiler": "false",
                                    "is_answer": "false", "created_at": AT}),
    "post_report": (LARGE, {"id": "g", "post_id": "g", "user_id": WHOSE, "reason": "''", "created_at": AT,
                            "resolved_at": f"CASE WHEN g < {LARGE} - 9 THEN {AT} END"}),
    "mistake_report": (2 * LARGE, {"id": "g", "user_id": WHOSE, "subject": "'s' || g % 99", "title": "'t'",
                                   "text": "'x'", "content_hash": "'h'", "created_at": AT,
                                   "resolved_at": f"CASE WHEN g < 2 * {LARGE} - 9 THEN {AT} END"}),
    "allowance": (PEOPLE, {"key": "sha256(g::text::bytea)", "full_at": "0"}),
    "effort": (20 * PEOPLE, {"user_id": f"1 + g % {PEOPLE}", "exercise": SLUG, "changes": "1", "attempts": "3",
                             "wrong": "2", "best_score": "1", "first_at": AT, "last_at": AT, "solved_at": AT,
                             "until_solved": "3"}),
    "class": (10, {"id": "g", "course": "'positions'", "title": "'t'", "timezone": "'UTC'", "joining": "'code'",
                   "join_code": "'code' || g", "drop_lowest": "0", "created_at": AT}),
    "enrolment": (10 * STUDENTS + 1, {"class_id": f"1 + (g - 1) / {STUDENTS} % 10",
                                      "user_id": f"CASE g WHEN {10 * STUDENTS + 1} THEN {ADMIN} ELSE g END",
                                      "role": f"CASE g WHEN {10 * STUDENTS + 1} THEN 'instructor' ELSE 'student' END",
                                      "joined_at": AT}),
    "expected_person": (10 * STUDENTS, {"class_id": f"1 + (g - 1) / {STUDENTS}", "email": "g || '@example.org'",
                                        "role": "'student'", "expected_at": AT}),
    "assignment": (10 * 20, {"class_id": "1 + (g - 1) / 20", "kind": "'exercise'", "place": "g", "weight": "1",
                             "slug": f"('{{{','.join(SLUGS)}}}'::text[])[1 + g % 20]", "late_per_day": "0",
                             "grace_minutes": "0", "due_at": AT}),
    "extension": (10 * STUDENTS, {"class_id": f"1 + (g - 1) / {STUDENTS}", "user_id": "g", "kind": "'exercise'",
                                  "slug": f"'{SOFTMAX}'", "attempts": "2", "excused": "false", "given_at": AT}),
    "gradebook_cell": (10 * STUDENTS * 20, {"class_id": f"1 + (g - 1) / {20 * STUDENTS}", "user_id": "1 + (g - 1) / 20",
                                            "slug": f"('{{{','.join(SLUGS)}}}'::text[])[1 + g % 20]", "changes": "1",
                                            "terms": "'old'", "late_days": "0", "attempts": "1"}),
    "score_override": (10 * STUDENTS, {"class_id": f"1 + (g - 1) / {STUDENTS}", "user_id": "g", "kind": "'exercise'",
                                       "slug": f"'{SOFTMAX}'", "score": "0.5", "reason": "'r'", "at": AT}),
    "regrading": (100, {"id": "g", "class_id": "1 + g % 10", "kind": "'exercise'", "slug": f"'{SOFTMAX}'",
                        "state": "'applied'", "created_at": AT, "applied_at": AT, "keep": "'new'"}),
    "regrading_item": (2 * LARGE, {"regrading_id": f"1 + (g - 1) / {LARGE // 50}", "id": "g", "user_id": WHOSE,
                                   "submission_id": "g", "before_score": "0", "after_score": "1",
                                   "result": "'{}'"}),
    "variant_report": (100, {"id": "g", "class_id": "1 + g % 10", "snapshot_id": EXERCISE,
                             "slug": f"CASE WHEN g <= 10 THEN '{SOFTMAX}' ELSE 'e' || g END",
                             "state": "'finished'", "left_out": "0", "created_at": AT, "finished_at": AT}),
    "variant_report_item": (LARGE, {"report_id": f"1 + (g - 1) / {LARGE // 50}", "submission_id": "g",
                                    "user_id": WHOSE, "is_accepted": "false", "judged_in": "'by = 2'",
                                    "own": "'by = 3'", "fits": "'[]'"}),
    "line_comment": (10 * STUDENTS, {"id": "g", "submission_id": "g", "class_id": f"1 + (g - 1) / {STUDENTS}",
                                     "user_id": "g", "line": "1", "text": "'why'", "created_at": AT}),
    "rubric": (10, {"class_id": "g", "kind": "'exercise'", "slug": f"'{SOFTMAX}'", "hand_weight": "0.5",
                    "is_anonymous": "false", "changed_at": AT,
                    "rows": """'[{"key": "k", "title": "t", "points": 2, "text": ""}]'"""}),
    "hand_grade": (10 * STUDENTS, {"class_id": f"1 + (g - 1) / {STUDENTS}", "user_id": "g", "submission_id": "g",
                                   "slug": f"'{SOFTMAX}'", "points": """'{"k": 1}'""", "graded_at": AT}),
    "grading_claim": (10 * STUDENTS, {"item": f"'rubric:1:' || g || ':{SOFTMAX}'", "holder_id": "g", "until": AT,
                                      "class_id": f"1 + (g - 1) / {STUDENTS}"}),
    "frozen_gradebook": (10 * 20, {"id": "g", "class_id": "1 + (g - 1) / 20", "at": AT, "why": "'w'",
                                   "columns": """'[{"kind": "exercise", "slug": "softmax-rows", "title": "t"}]'"""}),
    "frozen_row": (10 * 20 * STUDENTS, {"frozen_id": f"1 + (g - 1) / {STUDENTS}", "name": "'n'", "section": "''",
                                        "user_id": f"1 + (g - 1) % {STUDENTS}", "cells": "'[null]'"}),
    "lti_key": (1, {"kid": "'k'", "private_key": "''", "made_at": AT, "replaced_at": AT}),
    "lti_platform": (10, {"id": "g", "name": "'n'", "issuer": "'i' || g", "client_id": "'c'", "auth_url": "'u'",
                          "token_url": "'u'", "jwks_url": "'u'", "deployments": "'[]'", "frames": "'[]'",
                          "trusts_email": "false", "is_open": "true", "registered_at": AT}),
    "lti_invitation": (10, {"token_hash": "sha256(g::text::bytea)", "made_by_id": "g", "expires_at": AT}),
    "lti_login": (PEOPLE, {"state_hash": "sha256(g::text::bytea)", "nonce_hash": "sha256(g::text::bytea)",
                           "platform_id": "1 + g % 10", "target": "'/'", "expires_at": AT}),
    "lti_launch": (PEOPLE, {"id": "g", "token_hash": "sha256(g::text::bytea)", "platform_id": "1 + g % 10",
                            "said": f"'{SAID}'", "holder_id": "g", "expires_at": "timestamp '2999-01-01'"}),
    "lti_account": (PEOPLE, {"platform_id": "1 + g % 10", "subject": "'s' || g", "user_id": "g", "linked_at": AT}),
    # Compared already: else this server computes 60,000 scores beside its pages.
    "lti_context": (10, {"id": "g", "platform_id": "g", "deployment": "'d'", "context": "'c'", "class_id": "g",
                         "connected_at": AT, "swept_at": "timestamp '2999-01-01'"}),
    "lti_line_item": (10 * 20, {"id": "g", "context_id": "1 + (g - 1) / 20", "kind": "'exercise'",
                                "slug": f"('{{{','.join(SLUGS)}}}'::text[])[1 + g % 20]", "tries": "0",
                                "next_at": "timestamp '2999-01-01'"}),
    "lti_score": (10 * STUDENTS * 20, {"line_item_id": f"1 + (g - 1) / {STUDENTS}", "score": "0.5", "tries": "0",
                                       "user_id": f"1 + (g - 1) % {STUDENTS}", "state": "'sent'", "next_at": AT,
                                       "fault": "CASE WHEN g % 100 = 0 THEN 'no' ELSE '' END"}),
    "outgoing_letter": (2 * LARGE, {"id": "g", "user_id": WHOSE, "kind": "'due'", "to": "'a@example.org'",
                                    "subject": "'s'", "text": "''", "dedupe": "'d' || g", "created_at": AT,
                                    "due_at": AT, "sent_at": AT, "stop_hash": "sha256(CASE g WHEN 5 THEN 'x' "
                                    "ELSE g::text END::bytea)"}),
    "letter_choice": (PEOPLE, {"user_id": "g", "kind": "'due'", "off_since": AT}),
    "verification": (PEOPLE, {"token_hash": "sha256(g::text::bytea)", "user_id": "g", "created_at": AT,
                              "expires_at": AT}),
    "calendar_feed": (PEOPLE, {"user_id": "g", "token_hash": f"sha256(CASE g WHEN {STUDENT} THEN 'x' ELSE g::text END"
                               "::bytea)", "made_at": AT, "changed_at": AT}),
    "oidc_sign_in": (PEOPLE, {"state_hash": "sha256(g::text::bytea)", "browser_hash": "sha256('')", "nonce": "'n'",
                              "verifier": "'v'", "back": "'/'", "expires_at": AT}),
    "oidc_identity": (PEOPLE, {"issuer": "'https://login.example.org'", "subject": "g::text", "user_id": "g",
                               "linked_at": AT}),
    "webhook": (20, {"id": "g", "class_id": "1 + g % 10", "url": "'https://example.org'", "secret": "'s'",
                     "events": "'grade.changed'", "created_at": AT}),
    "webhook_delivery": (2 * LARGE, {"id": "g", "webhook_id": "1 + g % 20", "key": "'k'", "event": "'grade.changed'",
                                     "body": "''", "created_at": AT, "due_at": AT, "delivered_at": AT}),
    "invitation": (10 * STUDENTS, {"token_hash": "sha256(g::text::bytea)",
                                   "class_id": f"1 + (g - 1) / {STUDENTS}", "email": "g || '@example.org'",
                                   "expires_at": AT}),
    "audit_entry": (2 * LARGE, {"id": "999 + g", "at": AT, "kind": "'exercise'", "slug": "'s' || g % 99",
                                "action": "'saved'", "detail": "'{}'", "via": "'web'"}),
}  # fmt: skip


@dataclass(frozen=True)
class Asked:
    path: str
    statement: str
    parameters: Any


@pytest.fixture(scope="module")
def grown(migrated_postgres: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Running, list[str]]]:
    """A server on a database with a million submissions, and the tokens of those who look: nobody, a
    student, and an admin."""
    with scratch_postgres(template=migrated_postgres) as url:
        settings = Settings(workers=0, data=tmp_path_factory.mktemp("grown"), database_url=url, rate_limits="off",
                            guest_days=0)  # fmt: skip
        with running(settings) as server:
            fill(url)
            with server.state.db.writing() as db:
                db.add(Person(id=ADMIN, role="admin", email="a@example.org"))
                db.flush()
                people = [db.get_one(Person, id) for id in (STUDENT, ADMIN)]
                tokens = [open_login(db, person, 1) for person in people]
            yield server, ["", *tokens]


def fill(url: str) -> None:
    """As quickly as a database is filled: without foreign keys, indexes after the rows, and nothing in the log, on
    which no plan depends."""
    with psycopg.connect(url, autocommit=True) as db:
        for table in reversed(FILLED):
            with suppress(psycopg.errors.InvalidTableDefinition):  # one that authors' tables refer to: it has few rows
                db.execute(f"ALTER TABLE {table} SET UNLOGGED")
        db.execute("SET session_replication_role = replica")
        db.execute("SET maintenance_work_mem = '256MB'")
        for table, (count, columns) in FILLED.items():
            names, values = ", ".join(f'"{name}"' for name in columns), ", ".join(columns.values())
            again = drop_indexes(db, table) if count > PEOPLE else []
            db.execute(f"INSERT INTO {table} ({names}) SELECT {values} FROM generate_series(1, {count}) g")
            for statement in again:
                db.execute(statement)
            if "id" in columns:
                db.execute(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table}")
        db.execute("VACUUM ANALYZE")


def drop_indexes(db: psycopg.Connection[Any], table: str) -> list[str]:
    """All but the primary key's. Returns the statements that make them again."""
    unique = "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid::regclass::text = %s " \
             "AND contype = 'u'"  # fmt: skip
    again = []
    for name, definition in db.execute(unique, [table]).fetchall():
        db.execute(f"ALTER TABLE {table} DROP CONSTRAINT {name}")
        again.append(f"ALTER TABLE {table} ADD CONSTRAINT {name} {definition}")
    others = "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = %s AND indexname NOT LIKE 'pk_%%'"
    for name, definition in db.execute(others, [table]).fetchall():
        db.execute(f"DROP INDEX {name}")
        again.append(definition)
    return again


@contextmanager
def noted(server: Running, path: str, asked: list[Asked]) -> Iterator[None]:
    def note(connection: object, cursor: object, statement: str, parameters: Any, *more: object) -> None:
        if re.match(r"\s*(SELECT|WITH|UPDATE|DELETE)", statement):
            asked.append(Asked(path, statement, parameters))

    event.listen(server.state.db.engine, "before_cursor_execute", note)
    try:
        yield
    finally:
        event.remove(server.state.db.engine, "before_cursor_execute", note)


def routes(server: Running) -> Iterator[str]:
    """Every route that reads, from the application itself."""
    included: Any
    for included in server.app.routes:
        contexts = included.effective_route_contexts() if hasattr(included, "effective_route_contexts") else [included]
        yield from (route.path for route in contexts if "GET" in (route.methods or ()))


# What stands for the names in a route, and other addresses of a route where one does not reach all of it.
NAMES = {
    "slug": SOFTMAX, "course": "positions", "lesson": LESSON, "framework": "numpy", "id": str(MINE),
    "other": str(OTHER), "kind": "exercise", "kinds": "exercises", "number": "1", "name": "x.png", "place": "1",
    "revision": "0", "rest:path": "", "version": "1", "path:path": "base.css", "token": "x", "cell": "x",
    "question": "x", "submission": str(WRONG), "class_id": "1", "user": str(STUDENT), "code": "code1", "left": "197",
    "right": "245", "frozen": "1",
}  # fmt: skip
ALSO = {
    "/": ["/?all=1"],
    "/exercises/{slug}/submissions": [f"/exercises/{SOFTMAX}/submissions?before={MINE}&which=runs"],
    "/discussions/{kind}/{name}": [f"/discussions/exercise/{SOFTMAX}"],
    "/discussions/{kind}/{name}/mistakes/new": [f"/discussions/exercise/{SOFTMAX}/mistakes/new"],
    "/exercises/{slug}/differences": [f"/exercises/{SOFTMAX}/differences?pick={MINE}&pick={OTHER}"],
    "/api/v1/courses/{slug}/files": ["/api/v1/courses/positions/files"],
    "/api/v1/courses/{slug}/revisions": ["/api/v1/courses/positions/revisions"],
    "/admin/audit": ["/admin/audit?action=saved&kind=exercise&before=900", "/admin/audit?email=a@example.org"],
    "/admin/audit.csv": ["/admin/audit.csv?action=nothing"],
    "/search": ["/search?q=softmax"],
    "/api/v1/regradings/{id}": ["/api/v1/regradings/10"],
    "/regradings/{id}": ["/regradings/10"],
    "/classes/{class_id}/regradings": ["/classes/1/regradings?older=1"],
    "/api/v1/classes/{class_id}/assignments/{kind}/{slug}": [f"/api/v1/classes/1/assignments/exercise/{SOFTMAX}"],
    "/api/v1/classes/{class_id}/evidence/question/{question}": [
        f"/api/v1/classes/1/evidence/question/{ASKED_OF_CLASS}"
    ],
    "/classes/{class_id}/evidence/question/{question}": [f"/classes/1/evidence/question/{ASKED_OF_CLASS}"],
    "/api/v1/classes/{class_id}/rubrics/{kind}/{slug}": [f"/api/v1/classes/1/rubrics/exercise/{SOFTMAX}"],
    "/classes/{class_id}/rubrics/{kind}/{slug}": [f"/classes/1/rubrics/exercise/{SOFTMAX}"],
    "/api/v1/search": ["/api/v1/search?q=softmax"],
    "/courses/{course}/{lesson}": [f"/courses/positions/{QUIZ}"],
    "/api/v1/quizzes/{course}/{lesson}": [f"/api/v1/quizzes/positions/{QUIZ}"],
    "/sittings/{id}": ["/sittings/76"],
    "/sittings/{id}/questions/{place}": ["/sittings/76/questions/1"],
    "/api/v1/sittings/{id}": ["/api/v1/sittings/76"],
    "/me/notes/{id}": ["/me/notes/3604"],
    "/posts/{id}": ["/posts/3604"],
    "/posts/{id}/edit": ["/posts/3604/edit"],
    "/author/{kind}/{slug}/outcomes": ["/author/course/positions/outcomes"],
    "/author/{kind}/{slug}": ["/author/course/positions"],
    "/author/course/{slug}/questions": ["/author/course/positions/questions"],
    "/lti/launches/{id}": [f"/lti/launches/{STUDENT}"],
    "/lti/platforms/{id}": ["/lti/platforms/1"],
    "/preview/courses/{course}/{lesson}": [f"/preview/courses/positions/{LESSON}"],
}


# What needs a judge, a mail, an essay or an author at work, or is a file: none of it reads what grows.
NOT_REACHED = {
    "/api/v1/courses/{slug}/revisions/{revision}", "/api/v1/exercises/{slug}/revisions/{revision}",
    "/api/v1/exercises/{slug}/samples", "/author/course/{slug}/outcomes/{lesson}/{question}",
    "/author/course/{slug}/questions/{lesson}/{question}", "/author/gallery/exercises/{slug}",
    "/author/gallery/exercises/{slug}/figures/{name}", "/author/gallery/figures/{name}",
    "/author/gallery/questions/{id}", "/author/gallery/{lesson}", "/author/{kind}/{slug}/checks/{revision}",
    "/author/{kind}/{slug}/checks/{revision}/cases/{number}", "/author/{kind}/{slug}/checks/{revision}/events",
    "/author/{kind}/{slug}/checks/{revision}/mutants/{number}", "/author/{kind}/{slug}/differences",
    "/author/{kind}/{slug}/figures/{name}", "/classes/{class_id}/essays/{id}/{place}",
    "/courses/{course}/figures/{name}", "/courses/{course}/{lesson}/cells/{cell}/figures/{number}",
    "/essays/{id}/{place}", "/exercises/{slug}/figures/{name}", "/exercises/{slug}/samples/{number}/{name}",
    "/invitations/current", "/live/events", "/lti/login", "/lti/register/{token}", "/oidc/callback", "/oidc/start",
    "/password-resets/current", "/preview/{kinds}/{slug}/figures/{name}", "/questions/{id}", "/readyz",
    "/regradings/{id}/submissions/{submission}", "/static/{version}/{path:path}",
    "/submissions/{id}/cases/{number}/arrays", "/submissions/{id}/cases/{number}/inputs", "/verifications/current",
}  # fmt: skip


def addresses(route: str) -> list[str]:
    return [re.sub(r"\{([a-z_:]+)\}", lambda found: NAMES[found[1]], route), *ALSO.get(route, [])]


def test_every_large_table_is_filled_here() -> None:
    assert {table.name for table in Base.metadata.sorted_tables} == FILLED.keys() | OF_AUTHORS


def test_no_report_of_variants_walks_a_large_table(grown: tuple[Running, list[str]]) -> None:
    server, _ = grown
    db, catalog = server.state.db, server.state.catalog
    asked: list[Asked] = []
    exercise = catalog.exercise(SOFTMAX)
    with db.reading() as session:
        class_ = session.get_one(Class, 1)
        report = session.scalars(select(VariantReport).where(VariantReport.class_id == 1).limit(1)).one()
    with noted(server, "report of variants", asked):
        assert variant_reports.shown_report(db, catalog, class_, SOFTMAX) is not None
        variant_reports.due_of(db, catalog, report, exercise, 20)
        with db.writing() as session:
            assert variant_reports.sent_to(session, SOFTMAX, range(1, STUDENTS + 1))
            assert leases.claim(session, VariantReport, "web") is None
            leases.renew(session, VariantReport, report.id, "web")
            leases.end(session, VariantReport, report.id, "web", "finished")
    with db.engine.connect() as connection:
        large = {"submission", "grading", "user_account", "variant_report_item"}
        walks = [(one.statement, found) for one in asked if (found := walks_of(connection, one, large))]
    assert not walks


def test_no_page_walks_a_large_table(grown: tuple[Running, list[str]]) -> None:
    server, tokens = grown
    asked: list[Asked] = []
    failed, unreached = [], set(routes(server))
    for token in tokens:
        with server.client(**({"Authorization": f"Bearer {token}"} if token else {})) as client:
            for route in routes(server):
                for path in addresses(route):
                    with noted(server, path, asked):
                        answer = client.get(path)
                    if answer.status_code < 400:
                        unreached.discard(route)
                    failed += [path] if answer.status_code == 500 else []
    assert not failed
    assert {"submission", "grading", "answer"} <= {name for one in asked for name in FILLED if name in one.statement}
    walks = {}
    with server.state.db.engine.connect() as db:
        large = set(db.exec_driver_sql(f"SELECT relname FROM pg_class WHERE reltuples >= {LARGE}").scalars())
        assert {"submission", "grading", "user_account", "answer"} <= large
        each = list({ask.statement: ask for ask in asked}.values())
        for one in each:
            if found := walks_of(db, one, large):
                walks[one.statement] = (one.path, found)
        db.exec_driver_sql("DROP INDEX ix_grading_submission_id")
        assert [one for one in each if walks_of(db, one, large)], "without an index there are walks, and they are seen"
        db.rollback()
    assert not walks
    assert sorted(unreached - NOT_REACHED) == []


def walks_of(db: Connection, one: Asked, large: set[str]) -> list[str]:
    (plan,) = db.exec_driver_sql(f"EXPLAIN (FORMAT JSON) {one.statement}", one.parameters).scalar_one()
    return list(walked(plan["Plan"], large))
