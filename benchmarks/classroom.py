"""`python -m benchmarks.classroom`: what every page and API of a class takes the server. README.md says how to read it.

Classes of made-up people (app/classes/made_up.py) in a database of its own: of 300 students and 40 exercises each, in
which every class has sent 100,000 submissions. Each route of the application whose address names a class is asked as
an instructor and as a student; what is measured is the application alone, without a network.

With `--regrade N` it is `benchmarks/regraded.py` instead: what a student waits while a class is judged again.
"""

import argparse
import asyncio
import os
import random
import re
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
from fastapi import FastAPI
from sqlalchemy import insert, text

import app.tables  # noqa: F401 (every table is known)
from app.classes.assignments import Assignment
from app.classes.classes import Class, Enrolment, new_code
from app.classes.made_up import Sent, Shelf, Student, Window, attempts_of, made_up_people, shelf_of
from app.classes.made_up_rows import write_people, write_reading, write_sittings, write_work
from app.classes.rights import ClassRole
from app.db import Database, now
from app.main import create_app
from app.people.users import Role, User, add_user, open_login
from app.reading.catalog import Catalog
from app.settings import Settings
from app.web.server import settle

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
MODEL = "softmax-rows"  # what the tiny exercises are made from
EXERCISES, QUIZ, QUESTION, COURSE = 40, "test-your-understanding", "berts-positions", "positions"
STUDENTS, SUBMISSIONS = 300, 100_000  # of one class
P50_MS, P99_MS = 50.0, 250.0
TERM = timedelta(days=90)


@dataclass(frozen=True)
class Seeded:
    class_id: int
    instructor: str  # their token
    student: str
    student_id: int


@dataclass(frozen=True)
class Measured:
    path: str
    who: str
    first: float
    times: list[float]
    cpu: list[float]  # what this process computed: a busy machine lengthens the times, and hardly this

    @property
    def p50(self) -> float:
        return statistics.median(self.times)

    @property
    def p99(self) -> float:
        return sorted(self.times)[min(len(self.times) - 1, int(0.99 * len(self.times)))]

    @property
    def row(self) -> str:
        misses = [f"p50 > {P50_MS:g}"] if self.p50 > P50_MS else []
        misses += [f"p99 > {P99_MS:g}"] if self.p99 > P99_MS else []
        figures = f"{self.first:.0f} | {self.p50:.1f} | {self.p99:.1f} | {statistics.median(self.cpu):.1f}"
        return f"| `{self.path}` | {self.who} | {figures} | {', '.join(misses)} |"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.classroom", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--students", type=int, default=STUDENTS, help="of one class")
    parser.add_argument("--classes", type=int, default=1)
    parser.add_argument("--submissions", type=int, default=SUBMISSIONS, help="of one class")
    parser.add_argument("--times", type=int, default=100, help="requests of each route, after the first")
    parser.add_argument("--database", default="", help="URL of an empty database; default: SQLite")
    parser.add_argument("--regrade", type=int, default=0, help="judge so many submissions again, and nothing else")
    parser.add_argument("--record", action="store_true", help="append to benchmarks/results.md")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="lectern-bench-") as place:
        if asked.regrade:
            from benchmarks.regraded import run as run_regraded

            said = run_regraded(Path(place), asked.regrade)
        else:
            said = run(Path(place), asked)
    print(said)
    if asked.record:
        with (HERE / "results.md").open("a") as file:
            file.write(f"\n{said}\n")


def run(place: Path, asked: argparse.Namespace) -> str:
    write_exercises(place / "exercises", EXERCISES)
    settings = Settings(
        data=place / "data", database_url=asked.database, queue="local", workers=0, rate_limits="off", guest_days=0,
        exercises=(place / "exercises",), lessons=(ROOT / "lessons",), log_level="error",
    )  # fmt: skip
    began = time.monotonic()
    seeded = seed(settings, asked.classes, asked.students, asked.submissions)
    took = time.monotonic() - began
    measured = asyncio.run(measure(create_app(settings), seeded[0], asked.times))
    kind = "PostgreSQL" if asked.database else "SQLite"
    missed = [one for one in measured if one.p50 > P50_MS or one.p99 > P99_MS]
    return "\n".join(
        (
            f"## Pages of a class, {kind}, {asked.classes} × {asked.students} students, "
            f"{asked.classes * asked.submissions:,} submissions, {datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
            "",
            f"`.venv/bin/python -P -m benchmarks.classroom --students {asked.students} --classes {asked.classes} "
            f"--times {asked.times}{' --database …' if asked.database else ''}` · server time in ms; written in "
            f"{took:.0f} s; within p50 {P50_MS:g} ms and p99 {P99_MS:g} ms: {len(measured) - len(missed)} of "
            f"{len(measured)}; {machine()}",
            "",
            "| route | as | first | p50 | p99 | processor p50 | misses |",
            "|---|---|--:|--:|--:|--:|---|",
            *(one.row for one in measured),
        )
    )


def machine() -> str:
    return f"{os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f}"


# ---- content --------------------------------------------------------------------------------------------------


def write_exercises(folder: Path, count: int) -> None:
    """The shipped ones, and as many tiny ones as there are to be more."""
    shipped = [path.parent for path in sorted((ROOT / "exercises").glob("*/exercise.toml"))]
    for path in shipped:
        shutil.copytree(path, folder / path.name)
    for number in range(len(shipped) + 1, count + 1):
        own = folder / f"exercise-{number:02}"
        shutil.copytree(ROOT / "exercises" / MODEL, own)
        toml = (own / "exercise.toml").read_text("utf-8")
        (own / "exercise.toml").write_text(re.sub("(?m)^title *=.*$", f'title = "Exercise {number}"', toml), "utf-8")


# ---- rows -----------------------------------------------------------------------------------------------------


def seed(settings: Settings, classes: int, students: int, submissions: int) -> list[Seeded]:
    database = Database(settings.database, statement_seconds=3600.0)
    database.migrate()
    catalog = Catalog(database, settings.cache_folder / "content")
    catalog.import_folders(settings.exercises, settings.lessons)
    shelves = {slug: shelf_of(exercise) for slug, exercise in sorted(catalog.exercises.items())}
    try:
        found = [seed_class(database, catalog, shelves, n, students, submissions) for n in range(1, classes + 1)]
        with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as db:
            db.execute(text("ANALYZE"))
    finally:
        database.close()
    return found


def seed_class(
    database: Database, catalog: Catalog, shelves: dict[str, Shelf], number: int, students: int, submissions: int
) -> Seeded:
    chance, until = random.Random(number), now()
    begun = until - TERM
    people = [replace(one, email=f"{number}.{one.email}") for one in made_up_people(students, f"class {number}")]
    windows = windows_of(list(shelves), begun, until)
    with database.writing() as db:
        instructor = add_user(db, f"instructor{number}@example.org", Role.instructor, None)
        class_ = Class(course=COURSE, title=f"Positions {number}", timezone="Europe/Zurich", join_code=new_code())
        db.add(class_)
        db.flush()
        db.add(Enrolment(class_id=class_.id, user_id=instructor.id, role=ClassRole.instructor))
        token, class_id = open_login(db, instructor, 1), class_.id
        for place, (slug, window) in enumerate(windows.items()):
            fields: dict[str, Any] = {
                "opens_at": window.opens_at,
                "due_at": window.due_at,
                "closes_at": window.closes_at,
            }
            kind = "quiz" if slug == QUIZ else "exercise"
            fields |= {"kind": kind, "slug": slug, "place": place, "late_per_day": 0.1}
            db.execute(insert(Assignment), [{"class_id": class_id, "grace_minutes": 15, "weight": 1.0, **fields}])
    with database.changing(durable=False) as rows:
        user_ids = write_people(rows, class_id, people, begun)
    sent = work_of(chance, people, shelves, windows, submissions, until)
    quiz = next(lesson for lesson in catalog.courses[COURSE].lessons if lesson.slug == QUIZ)
    snapshot_id = catalog.course_snapshot_ids[COURSE]
    with database.changing(durable=False) as rows:
        write_work(rows, user_ids, catalog.snapshot_ids, sent)
        write_sittings(rows, chance, people, user_ids, quiz, snapshot_id, windows[QUIZ], until)
        write_reading(rows, chance, people, user_ids, catalog.courses[COURSE].lessons, begun, until)
    with database.writing() as db:
        student = open_login(db, db.get_one(User, user_ids[0]), 1)
    return Seeded(class_id, token, student, user_ids[0])


def windows_of(slugs: Sequence[str], begun: datetime, until: datetime) -> dict[str, Window]:
    """One after the other over the term, each two weeks long; the quiz in its middle."""
    step = (until - begun - timedelta(days=12)) / len(slugs)
    opens = {slug: begun + place * step for place, slug in enumerate(slugs)}
    opens[QUIZ] = begun + TERM / 2
    days = timedelta(days=1)
    return {slug: Window(at, at + 14 * days, at + 21 * days) for slug, at in opens.items()}


def work_of(
    chance: random.Random,
    people: Sequence[Student],
    shelves: dict[str, Shelf],
    windows: dict[str, Window],
    count: int,
    until: datetime,
) -> list[Sent]:
    """A term as the demo has one, and on top of it what those sent who try very often, so that it is `count`."""
    sent = [
        one
        for place, student in enumerate(people)
        for slug, shelf in shelves.items()
        for one in attempts_of(chance, place, student, shelf, windows[slug], until)
    ][:count]
    more = []
    for one in chance.choices(sent, k=count - len(sent)):
        wrong = chance.choice(shelves[one.program.exercise].wrong)
        more.append(Sent(one.student, one.at - timedelta(minutes=chance.expovariate(1 / 60)), wrong))
    return sent + more


# ---- routes ---------------------------------------------------------------------------------------------------


def routes(app: FastAPI) -> Iterator[str]:
    """Every address of the application that is read and names a class, or a regrading of one."""
    included: Any
    for included in app.routes:
        contexts = included.effective_route_contexts() if hasattr(included, "effective_route_contexts") else [included]
        for route in contexts:
            is_read = "GET" in (getattr(route, "methods", None) or ())
            if is_read and ("{class_id}" in route.path or "/regradings/" in route.path):
                yield route.path


def address_of(route: str, seeded: Seeded, ids: dict[str, str]) -> str:
    """`{…}` that is not known here stays, and the route is left out."""
    names = {
        "class_id": str(seeded.class_id), "user": str(seeded.student_id), "kind": "exercise", "slug": MODEL,
        "lesson": "learned-embeddings", "question": f"{COURSE}.{QUIZ}.{QUESTION}", **ids,
    }  # fmt: skip
    if "/quizzes/" in route:
        names["slug"] = QUIZ
    return re.sub(r"\{(\w+)\}", lambda found: names.get(found[1], found[0]), route)


async def measure(app: FastAPI, seeded: Seeded, times: int) -> list[Measured]:
    found = []
    transport = httpx.ASGITransport(app=app)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", timeout=300) as client,
    ):
        settle()  # as `serve` does
        ids = {"id": await ruling(client, seeded), "frozen": await frozen(client, seeded)}
        ids |= dict(zip(("left", "right"), await two_alike(app, seeded), strict=False))
        for route in sorted(set(routes(app))):
            path = address_of(route, seeded, ids)
            if "{" in path:
                print(f"not reached: {route}", file=sys.stderr)
                continue
            for who, token in (("instructor", seeded.instructor), ("student", seeded.student)):
                client.headers["Authorization"] = f"Bearer {token}"
                each = [await asked(client, path) for _ in range(times + 1)]
                took, cpu, status = (list(one) for one in zip(*each, strict=True))
                if status[-1] < 400:  # a student is told that they may not: that is no page of theirs
                    found.append(Measured(route, who, took[0], took[1:], cpu[1:]))
                elif who == "instructor":
                    print(f"{status[-1]}: {route}", file=sys.stderr)
    return found


async def asked(client: httpx.AsyncClient, path: str) -> tuple[float, float, int]:
    """Milliseconds by the clock and of the processor, and the status."""
    began, cpu = time.perf_counter(), time.process_time()
    answer = await client.get(path)
    return (time.perf_counter() - began) * 1000, (time.process_time() - cpu) * 1000, answer.status_code


async def ruling(client: httpx.AsyncClient, seeded: Seeded) -> str:
    """A finished dry run, so that the pages of regradings have something to show."""
    body = {"question": QUESTION, "action": "void"}
    path = f"/api/v1/classes/{seeded.class_id}/quizzes/{QUIZ}/regradings"
    headers = {"Authorization": f"Bearer {seeded.instructor}"}
    return str((await client.post(path, json=body, headers=headers)).raise_for_status().json()["id"])


async def frozen(client: httpx.AsyncClient, seeded: Seeded) -> str:
    """The number of a copy of the whole gradebook."""
    headers = {"Authorization": f"Bearer {seeded.instructor}"}
    path = f"/api/v1/classes/{seeded.class_id}/frozen"
    return str((await client.post(path, json={"why": "measured"}, headers=headers)).raise_for_status().json()["id"])


async def two_alike(app: FastAPI, seeded: Seeded) -> list[str]:
    """Two accepted submissions of the class to one exercise, by different students."""
    rows = text(
        "SELECT min(s.id) FROM submission s JOIN grading g ON g.submission_id = s.id"
        " JOIN enrolment e ON e.user_id = s.user_id AND e.class_id = :class"
        " WHERE s.exercise = :slug AND g.verdict = 'accepted' GROUP BY s.user_id ORDER BY s.user_id LIMIT 2"
    )
    with app.state.db.reading() as db:
        return [str(id) for id in db.scalars(rows, {"class": seeded.class_id, "slug": MODEL})]


if __name__ == "__main__":
    main()
