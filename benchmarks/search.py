"""`python -P -m benchmarks.search`: what a search takes where there is much to find. README.md says how to read it.

Fifty courses of twenty lessons are indexed, eight sections each, with words of our own documents in random order and
names such as `pool_mask_shift`. Then each question is asked many times.
"""

import argparse
import random
import re
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from app.content.entries import Entry
from app.db import Database
from app.reading.search import index_content, search
from app.reading.snapshots import Snapshot
from app.settings import ROOT

COURSES, LESSONS, SECTIONS, WORDS = 50, 20, 8, 160
QUESTIONS = {
    "a common word": "position",
    "two words": "attention gradient",
    "words that touch": "jnp.take",
    "a name": "pool_mask_shift",
    "an unfinished word": "embeddi",
    "an ending": "positional",
    "words of one thing": "rotary position embedding",
    "a typing error": "embeddnig",
    "two typing errors": "atention graident",
    "nothing like it": "zyxwvutsrq",
    "ten thousand letters": "x" * 10_000,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.search", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--database", help="an empty PostgreSQL database; SQLite in a new file without it")
    parser.add_argument("--times", type=int, default=30, help="how often each question is asked")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="lectern-bench-") as place:
        database = Database(asked.database or f"sqlite+pysqlite:///{Path(place) / 'lectern.sqlite3'}")
        database.migrate()
        fill(database)
        for name, question in QUESTIONS.items():
            report(database, name, question, asked.times)
        database.close()


def fill(database: Database) -> None:
    chance = random.Random(7)
    vocabulary = written_words()
    courses = [list(entries_of(chance, vocabulary, number)) for number in range(COURSES)]
    begun = time.perf_counter()
    with database.writing() as db:
        rows = [
            Snapshot(kind="course", slug=f"course-{number}", content_hash=f"{number:064}", is_current=True)
            for number in range(COURSES)
        ]
        db.add_all(rows)
        db.flush()
        index_content(db, {row.id: entries for row, entries in zip(rows, courses, strict=True)})
    print(f"{sum(map(len, courses))} entries indexed in {time.perf_counter() - begun:.1f} s")


def written_words() -> list[str]:
    """Words as our documents have them, each as often as it stands there, and names made of them."""
    paths = sorted([*ROOT.glob("docs/*.md"), *ROOT.glob("lessons/*/*.md")])
    plain = [word for path in paths for word in re.findall(r"[A-Za-z]{2,}", path.read_text())]
    chance = random.Random(8)
    return plain + ["_".join(chance.sample(plain, 3)).lower() for _ in range(6_000)] + ["jnp.take"] * 40


def entries_of(chance: random.Random, vocabulary: list[str], course: int) -> Iterator[Entry]:
    for lesson in range(LESSONS):
        title = " ".join(chance.sample(vocabulary, 3))
        url = f"/courses/course-{course}/lesson-{lesson}"
        for section in range(SECTIONS):
            heading = " ".join(chance.sample(vocabulary, 3)) if section else ""
            text = " ".join(chance.choices(vocabulary, k=WORDS))
            if course == lesson == section == 1:
                text += " pool_mask_shift"
            yield Entry("lesson", f"Course {course}", title, heading, text, f"{url}#{section}", f"Course {course}")


def report(database: Database, name: str, question: str, times: int) -> None:
    taken = []
    for _ in range(times + 1):
        begun = time.perf_counter()
        with database.reading() as db:
            found = search(db, question)
        taken.append((time.perf_counter() - begun) * 1000)
    print(
        f"{name:22} p50 {statistics.median(taken[1:]):6.1f} ms   first {taken[0]:6.1f} ms   "
        f"{len(found.results)} results{'' if found.has_all else ', with some of the words'}"
    )


if __name__ == "__main__":
    main()
