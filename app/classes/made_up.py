"""Made-up classes: people who do not exist and a term of their work, the same each time from the same seed.

For the demo (`demo.py`) and for benchmarks. Nothing here touches a database. A verdict is never made up: a program is
one of the exercise's own (its reference, a solution, a known mistake) and has the verdict that the exercise proves.
"""

import random
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice

from app.content.questions.kind import Reply
from app.content.questions.question import Question, values_of
from app.content.questions.table import kind_of
from graders.exercise.definition import Exercise, Source
from graders.verdict import Verdict

SECTIONS = ("A", "B", "C", "D")
MOST_ATTEMPTS = 12
_GIVEN = """
Aarav Abena Adaeze Aditi Ahmed Aiko Aisha Alejandra Amara Amélie Ana Anders Andrei Anya Arjun Astrid Ayumi Bao Beatriz
Bogdan Camila Carlos Chiara Chidi Chloé Daniel Deniz Diego Dilnoza Elena Elif Emeka Emma Esra Fatima Felix Freya
Gabriel Giulia Grace Hanna Haruto Hassan Hina Ibrahim Ines Ingrid Isabel Ivan Jakub Jamila Jasper João Jonas Jun Kaito
Karim Katarzyna Kofi Lars Laura Layla Leila Lin Linh Lucía Luka Magda Malik Marta Mateo Maya Mei Mia Miguel Milan Mina
Minh Nadia Naomi Nikhil Nina Noah Nour Oksana Olga Omar Oskar Pablo Paula Petra Pierre Priya Quang Rafael Rania Ravi
Rosa Ruth Saanvi Samir Sanne Sara Sean Selin Seo-yeon Sofia Stefan Sven Tariq Tatiana Thandiwe Theo Tomás Uma Valentina
Viktor Wanjiru Wei Xin Yara Yasmin Yuki Yusuf Zainab Zofia Zoltán
"""
_FAMILY = """
Abbasi Achieng Adebayo Agarwal Ahn Alvarez Andersson Aoki Araújo Asante Bakker Banerjee Becker Bekele Bianchi Bondarenko
Boateng Bui Campos Castro Chatterjee Chen Cohen Costa Dang Davies Demir Diallo Dubois Dvořák Eriksen Farah Fernández
Fischer Fofana Fujita Gallo García Gomes Grigoryan Gupta Haddad Hansen Hashimoto Herrera Hoang Horvat Ito Ivanova Jansen
Jovanović Kang Kaya Kim Kimani Klein Kovács Kowalski Kumar Larsen Laurent Lê Lindberg López Mahmoud Mancini Martin
Mbeki Mehta Mendoza Moreau Morales Mwangi Nakamura Nguyen Novák Nowak Nwosu Okafor Okonkwo Oliveira Osei Özdemir Park
Patel Pereira Petrov Pham Popescu Quispe Rahman Ramos Reyes Rossi Roy Russo Saito Salazar Santos Sato Schmidt Schneider
Seck Shah Sharma Silva Singh Sokolov Suzuki Tanaka Torres Tran Vargas Vasquez Visser Wang Weber Wójcik Wong Yamamoto
Yang Yılmaz Zhang Zielinski
"""


@dataclass(frozen=True)
class Student:
    """`ability` and `early`, from 0 to 1: how likely they are right, and how long before a deadline they finish."""

    name: str
    email: str
    section: str
    ability: float
    early: float


@dataclass(frozen=True)
class Program:
    """What somebody may have sent, with the verdict that is true of it."""

    exercise: str
    framework: str
    source: bytes
    verdict: Verdict
    mistake: str | None = None
    diagnosis: str | None = None

    @property
    def score(self) -> float:
        return float(self.verdict == Verdict.accepted)


@dataclass(frozen=True)
class Shelf:
    """The programs of one exercise: what is right, and what is wrong, the frequent ones first."""

    right: tuple[Program, ...]
    wrong: tuple[Program, ...]


@dataclass(frozen=True)
class Window:
    """When an assignment opens, is due and closes."""

    opens_at: datetime
    due_at: datetime
    closes_at: datetime


@dataclass(frozen=True)
class Sent:
    """`student`: their place in the list of students."""

    student: int
    at: datetime
    program: Program


@dataclass(frozen=True)
class BrokenKey:
    """A question whose key is wrong: those who know it give the option that begins with `truth`."""

    question: str
    truth: str


# ---- people ---------------------------------------------------------------------------------------------------


def made_up_people(count: int, seed: str) -> list[Student]:
    """Each with a name and an address of their own. `example.org` belongs to nobody."""
    chance = random.Random(seed)  # noqa: S311 (of people who do not exist)
    given_names, family_names = _GIVEN.split(), _FAMILY.split()
    found: dict[str, Student] = {}
    while len(found) < count:
        first_name, family = chance.choice(given_names), chance.choice(family_names)
        address = f"{_plain(first_name)}.{_plain(family)}"
        if address in found:
            address = f"{address}{len(found)}"
        # Most are in the middle; some know it already, and some have a hard term.
        ability = min(0.97, max(0.05, chance.betavariate(3.2, 2.2)))
        early = min(0.95, max(0.02, chance.betavariate(1.6, 2.6) * 0.7 + ability * 0.3))
        section = SECTIONS[len(found) % len(SECTIONS)]
        found[address] = Student(f"{first_name} {family}", f"{address}@example.org", section, ability, early)
    return list(found.values())


def _plain(name: str) -> str:
    """In the letters that an address has."""
    letters = unicodedata.normalize("NFKD", name.lower().replace("ı", "i").replace("ł", "l").replace("đ", "d"))
    return "".join(letter for letter in letters if letter.isascii() and letter.isalnum())


# ---- programs -------------------------------------------------------------------------------------------------


def shelf_of(exercise: Exercise, keep_back: Sequence[str] = ()) -> Shelf:
    """`keep_back`: paths of solutions that nobody finds by themselves."""
    right = {source.text: source for source in (exercise.reference, *exercise.solutions)}
    accepted = [_program(exercise, source, Verdict.accepted) for source in right.values()]
    kept = {source.text.encode() for source in right.values() if source.path in keep_back}
    wrong = [
        _program(exercise, mistake.source, mistake.verdict, mistake.name, mistake.feedback)
        for mistake in exercise.mistakes
    ]
    # Which are frequent is the same each time, and has nothing to do with their names.
    random.Random(exercise.slug).shuffle(wrong)  # noqa: S311
    return Shelf(tuple(one for one in accepted if one.source not in kept), tuple(wrong))


def _program(
    exercise: Exercise, source: Source, verdict: Verdict, mistake: str | None = None, diagnosis: str | None = None
) -> Program:
    text = source.text
    if mistake is not None:  # what a student sends does not begin with why it is wrong
        text = without_docstring(text)
    return Program(exercise.slug, source.framework, text.encode(), verdict, mistake, diagnosis)


def without_docstring(text: str) -> str:
    """The file of a known mistake as a student would have written it."""
    head, quote, rest = text.partition('"""')
    if not quote or not all(line.startswith("#") for line in head.splitlines() if line.strip()):
        return text
    framework = [line for line in head.splitlines() if line.startswith("# framework:")]
    return "\n".join([*framework, rest.partition('"""')[2].lstrip("\n")])


def attempts_of(
    chance: random.Random, place: int, student: Student, shelf: Shelf, window: Window, until: datetime
) -> Iterator[Sent]:
    """One student's way through one exercise, as far as it had come by `until`: attempt after attempt, each right with
    a chance of its own, the last ones the closer to the deadline the later somebody works."""
    if chance.random() > 0.80 + 0.19 * student.ability:
        return
    ended = _ends(chance, student, window)
    programs = list(_programs(chance, student, shelf))
    gaps = [timedelta(minutes=min(1 + chance.expovariate(1 / 11), 240)) for _ in programs]
    at = max(window.opens_at + timedelta(minutes=chance.uniform(1, 600)), ended - sum(gaps, timedelta()))
    for program, gap in zip(programs, gaps, strict=True):
        at += gap
        if at > min(until, window.closes_at):
            return
        yield Sent(place, at, program)


def _ends(chance: random.Random, student: Student, window: Window) -> datetime:
    if chance.random() < 0.09 * (1.3 - student.ability):
        return window.due_at + timedelta(hours=0.2 + chance.expovariate(1 / 20))  # late
    hours = chance.expovariate(1 / (4 + 150 * student.early**1.5))
    room = (window.due_at - window.opens_at) / timedelta(hours=1)
    return window.due_at - timedelta(hours=min(hours, room * chance.uniform(0.6, 0.97)))


def _programs(chance: random.Random, student: Student, shelf: Shelf) -> Iterator[Program]:
    """Until one is accepted, or they leave it."""
    framework = chance.choices(("numpy", "torch", "jax"), (60, 26, 14))[0]
    right = [one for one in shelf.right if one.framework == framework] or list(shelf.right)
    wrong = [one for one in shelf.wrong if one.framework == framework] or list(shelf.wrong)
    weights = [1 / (1 + rank) for rank in range(len(wrong))]
    before: Program | None = None
    for _ in range(MOST_ATTEMPTS):
        if not wrong or chance.random() < 0.10 + 0.42 * student.ability:
            yield chance.choice(right)
            return
        if before is None or chance.random() > 0.4:  # the same mistake comes back in another form
            before = chance.choices(wrong, weights)[0]
        yield before
        if chance.random() < 0.05 * (1.2 - student.ability):
            return


# ---- answers --------------------------------------------------------------------------------------------------


def reply_to(
    chance: random.Random, student: Student, question: Question, variant: int, broken: BrokenKey | None = None
) -> Reply | None:
    """What this student answers: right by their ability, or one of the answers that the question expects as wrong."""
    knows = chance.random() < 0.25 + 0.72 * student.ability
    if broken is not None and question.slug == broken.question:
        truth = next((one.key for one in question.choices if one.text.startswith(broken.truth)), None)
        others = [one.key for one in question.choices if one.key != truth]
        return truth if truth is not None and knows else chance.choice(others)
    if not knows and chance.random() < 0.06:
        return None
    right, wrong = _tries(question, variant)
    return chance.choice(right if knows or not wrong else wrong)


_TRIES: dict[tuple[str, int], tuple[list[Reply], list[Reply]]] = {}


def _tries(question: Question, variant: int) -> tuple[list[Reply], list[Reply]]:
    """Answers that are right in this variant, and answers that are not."""
    key = (question.content_hash, variant)
    if key not in _TRIES:
        tries = list(islice(kind_of(question).tries(question, values_of(question, variant)), 24))
        right, wrong = ([one.answer for one in tries if one.is_right is right] for right in (True, False))
        _TRIES[key] = right[:1], wrong
    return _TRIES[key]


# ---- copies ---------------------------------------------------------------------------------------------------

# Right, and nobody else would write it so: shorter, there is too little of one's own to tell a copy by.
COPIED = """import numpy as np


def learned_absolute_position_embedding(positions, embedding_table):
    N, T = positions.shape
    d_model = embedding_table.shape[1]
    out = np.zeros((N, T, d_model), dtype=embedding_table.dtype)
    seen = {}
    for n in range(N):
        for t in range(T):
            index = int(round(float(positions[n, t])))
            if index not in seen:
                seen[index] = [0, embedding_table[index]]
            seen[index][0] += 1
            row = seen[index][1]
            for k in range(d_model):
                out[n, t, k] = row[k]
    counted = sum(pair[0] for pair in seen.values())
    if counted != N * T:
        raise ValueError("some positions were left out")
    return out
"""
# Names for names, of one program. Who copies renames, and moves what can be moved.
RENAMED: Sequence[Mapping[str, str]] = (
    {},
    {"out": "result", "N": "B", "n": "b", "seen": "known"},
    {"out": "res", "n": "i", "t": "j", "T": "L", "counted": "total"},
    {"out": "vectors", "N": "batch", "T": "length", "n": "line", "t": "col", "index": "where"},
    {"out": "y", "N": "rows", "T": "cols", "n": "r", "t": "c", "seen": "cache", "row": "vector"},
)


def copies_of(exercise: str) -> list[Program]:
    """Five programs that are one, under other names and in another order. Each still has to be judged."""
    found = []
    for number, names in enumerate(RENAMED):
        text = COPIED
        if number % 2:
            text = text.replace("N, T = positions.shape", "T = positions.shape[1]\n    N = positions.shape[0]")
        for old, new in names.items():
            text = _renamed(text, old, new)
        found.append(Program(exercise, "numpy", text.encode(), Verdict.accepted))
    return found


def _renamed(text: str, old: str, new: str) -> str:
    return re.sub(rf"(?<![\w.]){re.escape(old)}(?!\w)", new, text)
