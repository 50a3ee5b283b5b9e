"""What a student waits while a class is judged again; whether the dry run said what applying did; and whether taking it
back left every byte as it was. Part of `python -m benchmarks.classroom --regrade N`.

One class, its submissions in parts of an equal size, an exercise each. A student of another class submits all the
time. Part by part the judge has nothing else to do for as long as it then has the part to judge again.
"""

import hashlib
import random
import re
import shutil
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
from sqlalchemy import insert, select

from app.classes.assignments import Assignment
from app.classes.classes import Class, Enrolment, new_code
from app.classes.made_up import Sent, made_up_people, shelf_of
from app.classes.made_up_rows import write_people, write_work
from app.classes.rights import ClassRole
from app.db import Base, Database, now
from app.people.users import Role, User, add_user, open_login
from app.reading.catalog import Catalog
from app.settings import Settings
from benchmarks.bench import serving
from benchmarks.classroom import COURSE, MODEL, ROOT, machine
from benchmarks.simulation import percentile

PARTS, STUDENTS = 4, 50
MARK = "# framework: numpy"
PAUSE = 0.5  # a student's, between a verdict and the next submission
LEAST_SECONDS = 15.0
BUSY = ("queued", "running")
# By the corrected reference, rows are no longer divided: what did just that was right all along.
CORRECTED = "mistakes/not-divided.py"


def run(place: Path, submissions: int) -> str:
    slugs = [f"exercise-{number}" for number in range(1, 1 + PARTS)]
    for slug in (MODEL, *slugs):
        write_for_numpy(place / "exercises" / slug)
    (place / "lessons").mkdir()
    settings = Settings(
        data=place / "data", database_url="", queue="local", workers=0, exercises=(place / "exercises",),
        lessons=(place / "lessons",), log_level="error",
    )  # fmt: skip
    database = Database(settings.database)
    try:
        class_id, token, other, user_ids = seed(settings, database, slugs, submissions // PARTS)
        with serving(place, place / "exercises", LECTERN_LESSONS=str(place / "lessons")) as server:
            client = httpx.Client(
                base_url=f"{server.url}/api/v1", headers={"Authorization": f"Bearer {token}"}, timeout=120
            )
            student = httpx.Client(
                base_url=f"{server.url}/api/v1", headers={"Authorization": f"Bearer {other}"}, timeout=120
            )
            with client, student:
                return measured(database, client, student, class_id, slugs, user_ids)
    finally:
        database.close()


def write_for_numpy(folder: Path) -> None:
    """The model exercise in one framework, so that the judge is ready soon."""
    shutil.copytree(ROOT / "exercises" / MODEL, folder)
    for path in [*folder.glob("solutions/*.py"), *folder.glob("mistakes/*.py")]:
        if not path.read_text("utf-8").startswith(MARK):
            path.unlink()
    for path in folder.glob("starters/*.py"):
        if path.stem != "numpy":
            path.unlink()
    toml = (folder / "exercise.toml").read_text("utf-8")
    toml = re.sub(r"(?m)^frameworks *=.*$", 'frameworks = ["numpy"]', toml)
    (folder / "exercise.toml").write_text(toml, "utf-8")


def seed(settings: Settings, database: Database, slugs: list[str], each: int) -> tuple[int, str, str, list[int]]:
    """(the class, its instructor's token, the token of a student elsewhere, the class's students)"""
    database.migrate()
    catalog = Catalog(database, settings.cache_folder / "content")
    catalog.import_folders(settings.exercises, settings.lessons)
    with database.writing() as db:
        instructor = add_user(db, "instructor@example.org", Role.instructor, None)
        student = add_user(db, "student@example.org", Role.student, None)
        class_ = Class(course=COURSE, title="Positions", timezone="UTC", join_code=new_code())
        db.add(class_)
        db.flush()
        db.add(Enrolment(class_id=class_.id, user_id=instructor.id, role=ClassRole.instructor))
        for slug in slugs:
            fields = {"weight": 1.0, "late_per_day": 0.0, "grace_minutes": 0, "place": 0}
            db.execute(insert(Assignment), [{"class_id": class_.id, "kind": "exercise", "slug": slug, **fields}])
        tokens, class_id = [open_login(db, one, 1) for one in (instructor, student)], class_.id
    chance, begun = random.Random(1), now() - timedelta(days=2)
    sent = []
    for slug in slugs:
        shelf = shelf_of(catalog.exercises[slug])
        programs = [one for one in (*shelf.right, *shelf.wrong) if one.framework == "numpy"]
        for number in range(each):
            at = begun + timedelta(seconds=40 * number + chance.random())
            sent.append(Sent(number % STUDENTS, at, chance.choice(programs)))
    with database.changing() as rows:
        user_ids = write_people(rows, class_id, made_up_people(STUDENTS, "regraded"), begun)
        write_work(rows, user_ids, catalog.snapshot_ids, sent)
    return class_id, tokens[0], tokens[1], user_ids


def measured(
    database: Database, client: httpx.Client, student: httpx.Client, class_id: int, slugs: list[str],
    user_ids: list[int],
) -> str:  # fmt: skip
    source = (ROOT / "exercises" / MODEL / "solutions" / "numpy.py").read_text("utf-8")
    waits: dict[str, list[float]] = {"alone": [], "beside": []}
    judged = predicted = applied = undone = 0
    seconds, last = 0.0, LEAST_SECONDS
    for _ in range(5):
        submit(student, source)  # warm
    for slug in slugs:
        revision = corrected(client, slug)
        until = time.monotonic() + last
        submit_while(student, source, waits["alone"], lambda: time.monotonic() < until)  # noqa: B023
        began = time.monotonic()
        body = {"revision": revision, "class": class_id}
        id = client.post(f"/exercises/{slug}/regradings", json=body).raise_for_status().json()["id"]
        submit_while(student, source, waits["beside"], lambda: standing(client, id)["state"] in BUSY)  # noqa: B023
        last = time.monotonic() - began
        seconds += last
        found = standing(client, id)
        judged += found["done"]
        before = digest(database, user_ids)
        client.post(f"/regradings/{id}/application", json={"keep": "new"}).raise_for_status()
        said = {one["submission"]: one["after"] for one in (*found["gain"], *found["lose"])}
        scores = newest_scores(database, user_ids)
        predicted += len(said)
        applied += sum(scores[submission] == score for submission, score in said.items())
        client.delete(f"/regradings/{id}/application").raise_for_status()
        undone += digest(database, user_ids) == before
    rows = [
        f"| {name} | {len(times)} | {percentile(times, 0.5):.0f} | {percentile(times, 0.95):.0f} |"
        for name, times in (("nothing is regraded", waits["alone"]), ("a class is regraded", waits["beside"]))
    ]
    return "\n".join(
        (
            f"## Regrading, {datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
            "",
            f"`.venv/bin/python -P -m benchmarks.classroom --regrade {judged}` · {machine()}; "
            f"{judged:,} submissions judged again in {seconds:.0f} s, on and off in turn",
            "",
            "| a student's wait while | submissions | p50 ms | p95 ms |",
            "|---|--:|--:|--:|",
            *rows,
            "",
            f"- Scores that the dry runs said would change: {predicted}; that did, to what was said: {applied}.",
            f"- Regradings taken back to the last byte of submissions, gradings, wrong outcomes, efforts (but for the "
            f"counter that makes the gradebook look again) and quotas: {undone} of {len(slugs)}.",
        )
    )


def corrected(client: httpx.Client, slug: str) -> str:
    files = client.get(f"/exercises/{slug}/files").raise_for_status().json()
    text = (ROOT / "exercises" / MODEL / CORRECTED).read_text("utf-8")
    body = {"base": files["revision"], "files": {"reference.py": text}, "message": "corrected"}
    return str(client.post(f"/exercises/{slug}/revisions", json=body).raise_for_status().json()["revision"])


def standing(client: httpx.Client, id: int) -> dict[str, Any]:
    found: dict[str, Any] = client.get(f"/regradings/{id}").raise_for_status().json()
    return found


def submit(student: httpx.Client, source: str) -> float:
    """Milliseconds until the verdict."""
    began = time.perf_counter()
    body = {"source": source, "framework": "numpy"}
    sent = student.post(f"/exercises/{MODEL}/submissions", json=body, params={"wait": 30}).raise_for_status().json()
    if sent["verdict"] != "accepted":
        raise SystemExit(f"the student's answer is {sent['verdict']}")
    return (time.perf_counter() - began) * 1000


def submit_while(student: httpx.Client, source: str, waits: list[float], goes_on: Callable[[], bool]) -> None:
    while goes_on():
        waits.append(submit(student, source))
        time.sleep(PAUSE)


def newest_scores(database: Database, user_ids: list[int]) -> dict[int, float]:
    tables = Base.metadata.tables
    submission, grading = tables["submission"], tables["grading"]
    found = select(submission.c.id, grading.c.score).join(grading, grading.c.submission_id == submission.c.id)
    with database.reading() as db:
        rows = db.execute(found.where(submission.c.user_id.in_(user_ids)).order_by(grading.c.id))
        return {row.id: row.score for row in rows}


def digest(database: Database, user_ids: list[int]) -> str:
    """Of every row that an applied regrading writes, of these people."""
    tables = Base.metadata.tables
    submission = tables["submission"]
    theirs = select(submission.c.id).where(submission.c.user_id.in_(user_ids))
    users, effort = tables[User.__tablename__], tables["effort"]
    counted = [column for column in effort.columns if column.name != "changes"]
    asked = [
        select(submission).where(submission.c.user_id.in_(user_ids)).order_by(submission.c.id),
        select(users).where(users.c.id.in_(user_ids)).order_by(users.c.id),
        select(*counted).where(effort.c.user_id.in_(user_ids)).order_by(effort.c.user_id, effort.c.exercise),
    ]
    for name in ("grading", "wrong_outcome"):
        table = tables[name]
        of_them = select(table).where(table.c.submission_id.in_(theirs))
        asked.append(of_them.order_by(*table.primary_key.columns))
    found = hashlib.sha256()
    with database.snapshot() as db:
        for one in asked:
            for row in db.execute(one):
                found.update(repr(tuple(row)).encode())
    return found.hexdigest()
