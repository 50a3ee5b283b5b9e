"""`python -P -m benchmarks.class_pages`: what each page of a class takes with a million submissions in the database.
README.md says how to read it.

Ten classes of 300 students, 40 assignments each; every student has sent some eight submissions to each, answered every
question of the course, and opened hints. Every page and API route of a class that reads is asked for, as its
instructor, many times; a new one is found by itself. The time is the server's: from the request to its whole answer, in
its own process, without the network.
"""

import argparse
import re
import statistics
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
import psycopg

from app.content.questions.asking import is_graded_by_hand
from app.content.questions.question import Question
from app.db import now
from app.people.users import User, open_login
from app.settings import Settings
from tests.conftest import POSTGRES, Running, running, scratch_postgres

CLASSES, STUDENTS, ASSIGNMENTS, SUBMISSIONS = 10, 300, 40, 1_000_000
PEOPLE = CLASSES * STUDENTS
TARGET_MS = 50
INSTRUCTOR = PEOPLE + 1
COURSE, LESSON, QUESTION = "positions", "learned-embeddings", "positions.learned-embeddings.parameter-count"
EXERCISE = "learned-absolute-position-embedding"
QUIZ = "test-your-understanding"
# What stands for the names in a route.
NAMES = {
    "class_id": "1", "user": "7", "lesson": LESSON, "question": QUESTION, "kind": "exercise", "slug": EXERCISE,
}  # fmt: skip

# `g` counts from 1; the last submissions were sent within the last half hour. Tables in the order in which they refer.
PERSON, SLUG = f"1 + (g - 1) %% {PEOPLE}", f"(%(slugs)s::text[])[1 + (g - 1) / {PEOPLE} %% {ASSIGNMENTS}]"
AT = f"%(now)s::timestamptz - make_interval(secs => ({SUBMISSIONS} - g) * 4)"
STATEMENTS = (
    f"INSERT INTO user_account (id, role, email, created_at) SELECT g, 'student', 'student' || g || '@example.org', "
    f"%(now)s FROM generate_series(1, {PEOPLE}) g",
    f"INSERT INTO user_account (id, role, email, created_at) VALUES ({INSTRUCTOR}, 'instructor', 'i@example.org', "
    "%(now)s)",
    f"INSERT INTO class (id, course, title, timezone, joining, join_code, drop_lowest, created_at) "
    f"SELECT g, '{COURSE}', 'Class ' || g, 'UTC', 'code', 'code' || g, 0, %(now)s FROM generate_series(1, {CLASSES}) g",
    f"INSERT INTO enrolment (class_id, user_id, role, name, joined_at) SELECT 1 + (g - 1) / {STUDENTS}, g, 'student', "
    f"'Student ' || g, %(now)s FROM generate_series(1, {PEOPLE}) g",
    f"INSERT INTO enrolment (class_id, user_id, role, joined_at) SELECT g, {INSTRUCTOR}, 'instructor', %(now)s "
    f"FROM generate_series(1, {CLASSES}) g",
    f"INSERT INTO assignment (class_id, kind, slug, place, weight, late_per_day, grace_minutes, due_at) "
    f"SELECT c, 'exercise', (%(slugs)s::text[])[p], p, 1, 0, 0, %(now)s FROM generate_series(1, {CLASSES}) c, "
    f"generate_series(1, {ASSIGNMENTS}) p",
    f"INSERT INTO submission (id, user_id, snapshot_id, exercise, framework, kind, source, created_at) SELECT g, "
    f"{PERSON}, %(snapshot)s, {SLUG}, 'numpy', 'submit', 'x = 1', {AT} FROM generate_series(1, {SUBMISSIONS}) g",
    # each is right with one chance in six, by a number that looks drawn
    f"INSERT INTO grading (id, submission_id, attempt, state, verdict, score, mistake, cases, queued_at) SELECT g, g, "
    "1, 'finished', CASE WHEN hashint4(g) %% 6 = 0 THEN 'accepted' ELSE 'wrong_answer' END, "
    "CASE WHEN hashint4(g) %% 6 = 0 THEN 1 ELSE 0.4 END, NULL, "
    """'[{"name": "first", "sample": true}, {"name": "hidden 1", "sample": false, "verdict": "wrong_answer"}]', """
    f"%(now)s FROM generate_series(1, {SUBMISSIONS}) g",
    "INSERT INTO wrong_outcome (submission_id, exercise, fingerprint, mistake) SELECT s.id, s.exercise, "
    "md5((hashint4(s.id) %% 40)::text), CASE WHEN hashint4(s.id) %% 3 <> 0 THEN "
    "'mistake-' || abs(hashint4(s.id) %% 12) END "
    "FROM submission s JOIN grading g ON g.submission_id = s.id WHERE g.verdict = 'wrong_answer'",
    "INSERT INTO effort (user_id, exercise, changes, attempts, wrong, best_score, first_at, last_at, solved_at, "
    "until_solved) SELECT s.user_id, s.exercise, count(*), count(*), count(*) FILTER (WHERE g.score < 1), "
    "max(g.score), min(s.created_at), max(s.created_at), min(s.created_at) FILTER (WHERE g.score = 1), "
    "CASE WHEN max(g.score) = 1 THEN 1 + abs(hashint4(min(s.id)) %% 12) END "
    "FROM submission s JOIN grading g ON g.submission_id = s.id GROUP BY s.user_id, s.exercise",
    f"INSERT INTO hint_opened (user_id, exercise, number, opened_at) SELECT g, %(exercise)s, 1, "
    f"%(now)s::timestamptz - interval '20 days' FROM generate_series(1, {PEOPLE}, 3) g",
    f"INSERT INTO give_up (user_id, exercise, given_up_at) SELECT g, %(exercise)s, %(now)s FROM "
    f"generate_series(1, {PEOPLE}, 5) g",
    "INSERT INTO lesson_read (user_id, course, lesson, read_at) SELECT g, %(course)s, l, %(now)s FROM "
    f"generate_series(1, {PEOPLE}, 2) g, unnest(%(lessons)s::text[]) l",
    "INSERT INTO answer (user_id, question, question_hash, variant, attempt, occasion, given, correct, score, "
    "created_at) SELECT g, q, h, 0, n, 'lesson', to_json(CASE WHEN n > 1 OR hashtext(g || q) %% 3 <> 0 THEN 'right' "
    "ELSE (hashtext(g || q) %% 50)::text END), n > 1 OR hashtext(g || q) %% 3 <> 0, "
    "CASE WHEN n > 1 OR hashtext(g || q) %% 3 <> 0 THEN 1 ELSE 0 END, %(now)s::timestamptz - make_interval(mins => "
    f"{PEOPLE} - g - 60 + n) FROM generate_series(1, {PEOPLE}) g, unnest(%(questions)s::text[], %(hashes)s::text[]) "
    "AS asked (q, h), generate_series(1, 2) n",
)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.class_pages", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--times", type=int, default=40, help="how often each page is asked for")
    parser.add_argument("--only", default="", help="pages whose address has this in it")
    asked = parser.parse_args()
    with scratch_postgres() as url, TemporaryDirectory(prefix="lectern-bench-") as place:
        settings = Settings(workers=0, data=Path(place), database_url=url, rate_limits="off", guest_days=0)
        with running(settings) as server:
            begun = time.perf_counter()
            fill(server, url)
            print(f"{SUBMISSIONS:,} submissions in {CLASSES} classes of {STUDENTS}: "
                  f"{time.perf_counter() - begun:.0f} s at {POSTGRES}")  # fmt: skip
            with server.state.db.writing() as db:
                token = open_login(db, db.get_one(User, INSTRUCTOR), 1)
            report(server, token, asked.times, asked.only)


def fill(server: Running, url: str) -> None:
    course = server.state.catalog.courses[COURSE]
    questions: list[Question] = [one for one in course.questions if not is_graded_by_hand(one)]
    values: dict[str, Any] = {
        "now": now() - timedelta(seconds=1),
        "slugs": [EXERCISE, *(f"exercise-{number}" for number in range(1, ASSIGNMENTS))],
        "snapshot": server.state.catalog.snapshot_ids[EXERCISE],
        "exercise": EXERCISE,
        "course": COURSE,
        "lessons": [lesson.slug for lesson in course.lessons],
        "questions": [one.id for one in questions],
        "hashes": [one.content_hash for one in questions],
    }
    with psycopg.connect(url, autocommit=True) as db:
        db.execute("SET session_replication_role = replica")
        for statement in STATEMENTS:
            db.execute(statement, {name: value for name, value in values.items() if f"%({name})" in statement})
        for table in ("user_account", "class", "submission", "grading"):
            db.execute(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table}")
        db.execute("VACUUM ANALYZE")


def report(server: Running, token: str, times: int, only: str) -> None:
    print(f"\n| {'page':<58} | p50 ms | p99 ms |  KB |\n|{'-' * 60}|-------:|-------:|----:|")
    with server.client(Authorization=f"Bearer {token}") as client:
        for path in sorted(set(paths(server))):
            if only not in path:
                continue
            taken = [asked(server, client, path) for _ in range(times + 3)][3:]  # what a page keeps is there after some
            size, status = taken[-1][1], taken[-1][2]
            spent = sorted(ms for ms, *_ in taken)
            p50, p99 = statistics.median(spent), spent[min(len(spent) - 1, int(0.99 * len(spent)))]
            mark = "" if status == 200 else f" ({status})"
            late = " over" if p50 > TARGET_MS else ""
            print(f"| {path + mark:<58} | {p50:>6.1f} | {p99:>6.1f} | {size / 1000:>3.0f} |{late}", flush=True)


def asked(server: Running, client: httpx.Client, path: str) -> tuple[float, int, int]:
    """(milliseconds, bytes, status)"""
    begun = time.perf_counter()
    answer = client.get(path)
    return 1000 * (time.perf_counter() - begun), len(answer.content), answer.status_code


def paths(server: Running) -> Iterator[str]:
    """Every address of a class that reads, from the application itself."""
    included: Any
    for included in server.app.routes:
        contexts = included.effective_route_contexts() if hasattr(included, "effective_route_contexts") else [included]
        for route in contexts:
            names = re.findall(r"\{([a-z_:]+)\}", route.path)
            if "GET" in (route.methods or ()) and "{class_id}" in route.path and set(names) <= NAMES.keys():
                yield re.sub(r"\{([a-z_:]+)\}", lambda found: NAMES[found[1]], route.path)


if __name__ == "__main__":
    main()
