"""Students and an author, and what each thing they sent deserves.

They retry as a browser does: with the same idempotency key, the same revision, at the next web process. What was
acknowledged is written down in a `Ledger`; the audit compares it with what the installation has.
"""

import json
import random
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import httpx

from benchmarks.soak.content import (
    CELL,
    CELLS,
    COURSE,
    FACTORS,
    QUESTIONS,
    QUIZ,
    REVISED,
    STEADY,
    reference,
    statement,
)

ANSWER_SECONDS = 20.0  # a request without an answer for so long is sent again
PATIENCE_SECONDS = 180.0  # then a student gives up
VERDICT_SECONDS = 240.0
ACTS_EACH = 12  # of one guest; then another comes
PAUSE_SECONDS = 1.2  # between two acts, on average
AUTHOR_PAUSE_SECONDS = 8.0
TEACHER_PAUSE_SECONDS = 10.0
RETRY_SECONDS = (0.3, 1.0)
PASSING = (429, 502, 503, 504, 507)  # what may be while parts are killed; a 500 never is

# What a program does → its body. `{slug}`, `{factor}`: the exercise and what it multiplies by.
PROGRAMS = {
    "right": "def {slug}(x):\n    return {factor} * x\n",
    "slow": "import time\n\n\ndef {slug}(x):\n    time.sleep(0.15)\n    return {factor} * x\n",
    "wrong": "def {slug}(x):\n    return {factor} * x + 1\n",
    "crashing": "def {slug}(x):\n    return x / None\n",
    "exiting": "import os\n\n\ndef {slug}(x):\n    os._exit(3)\n",
    "endless": "def {slug}(x):\n    while True:\n        pass\n",
    "unreadable": "def {slug}(x)\n    return x\n",
}
DESERVES = {
    "right": "accepted",
    "slow": "accepted",
    "wrong": "wrong_answer",
    "crashing": "runtime_error",
    "exiting": "runtime_error",
    "endless": "time_limit",
    "unreadable": "invalid_submission",
}
OFTEN = {"right": 6, "slow": 6, "wrong": 4, "crashing": 2, "exiting": 2, "endless": 1, "unreadable": 1}


@dataclass
class Sent:
    """A submission or a run. `id` and `exercise_hash` once it was acknowledged, `seen`: verdicts that were shown."""

    key: str
    token: str
    slug: str
    kind: str
    program: str
    factor: int
    id: int | None = None
    exercise_hash: str = ""
    seen: set[tuple[str, str]] = field(default_factory=set)  # verdicts, each with the revision that it was made by


@dataclass
class Saved:
    """An answer in a quiz: the last that was acknowledged, and one that may have come in since."""

    token: str
    sitting: int
    question: str
    answer: str | None = None
    revision: int = 0
    attempted: str | None = None


class Ledger:
    """What was sent and acknowledged. Any number of threads write to it."""

    def __init__(self) -> None:
        self.sent: list[Sent] = []
        self.saved: list[Saved] = []
        self.submitted_sittings: list[tuple[str, int]] = []
        self.factor_of: dict[str, int] = {}  # of `scaled`, by content hash
        self.published: list[str] = []  # hashes, in their order
        self.attempted_publication: str | None = None
        self.join_code = ""  # of the class that every student is in
        self.regraded_by: set[str] = set()  # revisions that a regrading has been applied by, or may have been
        self.counts: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()  # answers that were asked for again, by status
        self.wrong: list[str] = []
        self.doubled: list[str] = []
        self._lock = threading.Lock()

    def count(self, what: str) -> None:
        with self._lock:
            self.counts[what] += 1

    def count_refusal(self, what: str) -> None:
        with self._lock:
            self.refused[what] += 1

    def deserved(self, sent: Sent, exercise_hash: str = "") -> str | None:
        """By this revision, or by the one that it was sent to. None where that is not known."""
        factor = self.factor_of.get(exercise_hash or sent.exercise_hash) if sent.slug == REVISED else FACTORS[0]
        if sent.program in ("right", "slow") and factor != sent.factor:
            return "wrong_answer" if factor is not None else None
        return DESERVES[sent.program]


class GaveUp(Exception):
    """No answer for a long time."""


class Visitor:
    """A browser: it asks one web process, and the next where that does not answer."""

    def __init__(self, urls: Sequence[str], ledger: Ledger, chance: random.Random, token: str = "") -> None:
        self.ledger, self.chance, self.token = ledger, chance, token
        self._urls = chance.sample(list(urls), len(urls))
        self._http = httpx.Client(timeout=ANSWER_SECONDS, verify=False)

    def close(self) -> None:
        self._http.close()

    def ask(self, method: str, path: str, *, key: str = "", seconds: float = ANSWER_SECONDS, **more: Any) -> Any:
        """The first answer that is none of trouble that passes. Raises GaveUp."""
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        if key:
            headers["Idempotency-Key"] = key
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            url = f"{self._urls[0]}/api/v1{path}"
            try:
                answer = self._http.request(method, url, headers=headers, timeout=seconds, **more)
            except httpx.TransportError as error:
                self.ledger.count_refusal(type(error).__name__)
            else:
                if answer.status_code not in PASSING:
                    return answer
                self.ledger.count_refusal(f"{answer.status_code} {_code_of(answer)}".strip())
            self._urls.append(self._urls.pop(0))
            time.sleep(self.chance.uniform(*RETRY_SECONDS))
        raise GaveUp(f"{method} {path}")


def _code_of(answer: httpx.Response) -> str:
    try:
        return str(answer.json()["error"]["code"])
    except (ValueError, KeyError, TypeError):
        return ""


class Student(Visitor):
    """A guest who does one thing after the other."""

    def begin(self) -> None:
        self.token = self.ask("POST", "/sessions", json={}).json()["token"]
        self.ask("POST", "/enrolments", json={"join_code": self.ledger.join_code}).raise_for_status()

    def act(self) -> None:
        acts: dict[Callable[[], None], int] = {
            self.submit: 9, self.click_twice: 2, self.run: 2, self.sit: 2, self.try_cell: 2,
        }  # fmt: skip
        self.chance.choices(list(acts), list(acts.values()))[0]()

    def submit(self) -> None:
        sent, body = self._program("submit")
        self._send(sent, body, self.chance.choice((0, 0, 5)))
        self._look(sent)

    def click_twice(self) -> None:
        """Two requests at the same moment, with one key, to whichever web process is first."""
        sent, body = self._program("submit")
        other = Student(self._urls[::-1], self.ledger, random.Random(self.chance.random()), self.token)
        twin = Sent(sent.key, sent.token, sent.slug, sent.kind, sent.program, sent.factor)
        with ThreadPoolExecutor(2) as pool:
            both = [pool.submit(self._send, sent, body, 0), pool.submit(other._send, twin, body, 0)]
            for one in both:
                one.result()
        other.close()
        if sent.id != twin.id:
            self.ledger.doubled.append(f"key {sent.key} is two submissions: {sent.id} and {twin.id}")
        sent.seen |= twin.seen
        self._look(sent)

    def run(self) -> None:
        sent, body = self._program("run")
        self._send(sent, body | {"input": {"x": "[1.0, 2.0, 4.0]"}}, 5)
        self._look(sent)

    def sit(self) -> None:
        """A sitting: answers saved over one another, and half of them handed in."""
        sitting = self.ask("POST", f"/quizzes/{COURSE}/{QUIZ}/sittings")
        if sitting.status_code == 409:  # no attempt is left
            return
        id = sitting.raise_for_status().json()["id"]
        known = {question["slug"]: question["revision"] for question in sitting.json()["questions"]}
        answers = {slug: Saved(self.token, id, slug, revision=known[slug]) for slug in QUESTIONS}
        open_ones = {(one.sitting, one.question): one for one in self.ledger.saved if one.token == self.token}
        for slug in QUESTIONS:
            answers[slug] = open_ones.get((id, slug), answers[slug])
            if (id, slug) not in open_ones:
                self.ledger.saved.append(answers[slug])
        for _ in range(self.chance.randint(3, 8)):
            self._save(answers[self.chance.choice(QUESTIONS)])
            time.sleep(self.chance.uniform(0, 0.3))
        if self.chance.random() < 0.5:
            done = self.ask("POST", f"/sittings/{id}/submission").raise_for_status().json()
            if done["state"] == "submitted":
                self.ledger.submitted_sittings.append((self.token, id))

    def _save(self, saved: Saved) -> None:
        number = self.chance.randrange(10_000)
        saved.attempted = f"({number},)" if saved.question == "shape" else str(number)
        body = {"answer": saved.attempted, "revision": saved.revision}
        answer = self.ask("PUT", f"/sittings/{saved.sitting}/answers/{saved.question}", json=body)
        if answer.status_code != 200:
            self.ledger.wrong.append(f"an answer was refused: {answer.status_code} {answer.text[:300]}")
            return
        saved.answer, saved.revision, saved.attempted = saved.attempted, answer.json()["revision"], None
        self.ledger.count("answers saved")

    def try_cell(self) -> None:
        number = self.chance.randrange(1000)
        source = f"print({number} * 7)"
        answer = self.ask("POST", f"/courses/{COURSE}/{CELLS}/cells/{CELL}/runs", json={"source": source})
        shown = answer.raise_for_status().json()
        self.ledger.count("cells run")
        if shown["stdout"] != f"{number * 7}\n" or shown["error"] is not None:
            self.ledger.wrong.append(f"a cell: {source} showed {shown['stdout']!r}, {shown['error']}")

    def _program(self, kind: str) -> tuple[Sent, dict[str, Any]]:
        slug = self.chance.choice((STEADY, REVISED)) if kind == "submit" else STEADY
        program = self.chance.choices(list(OFTEN), list(OFTEN.values()))[0]
        factor = self.chance.choice(FACTORS) if slug == REVISED else FACTORS[0]
        sent = Sent(uuid.uuid4().hex, self.token, slug, kind, program, factor)
        self.ledger.sent.append(sent)
        return sent, {"source": PROGRAMS[program].format(slug=slug, factor=factor), "kind": kind}

    def _send(self, sent: Sent, body: dict[str, Any], wait: int) -> None:
        path = f"/exercises/{sent.slug}/submissions"
        answer = self.ask("POST", path, key=sent.key, params={"wait": wait}, json=body).raise_for_status().json()
        sent.id, sent.exercise_hash = answer["id"], answer["exercise_hash"]
        self.ledger.count("runs" if sent.kind == "run" else "submissions")
        _note(sent, answer)

    def _look(self, sent: Sent) -> None:
        """Some wait for the verdict, by asking again or by the stream; some go on."""
        how = self.chance.random()
        if how < 0.35:
            return
        deadline = time.monotonic() + VERDICT_SECONDS
        while not sent.seen and time.monotonic() < deadline:
            if how > 0.8:
                self._follow(sent)
            else:
                _note(sent, self.ask("GET", f"/submissions/{sent.id}").raise_for_status().json())
            time.sleep(self.chance.uniform(*RETRY_SECONDS))

    def _follow(self, sent: Sent) -> None:
        """The stream ends with the verdict, or with the process that sends it."""
        headers = {"Authorization": f"Bearer {self.token}"}
        url = f"{self._urls[0]}/api/v1/submissions/{sent.id}/events"
        try:
            with self._http.stream("GET", url, headers=headers) as stream:
                for line in stream.iter_lines():
                    if stream.status_code == 200 and line.startswith("data:"):
                        _note(sent, json.loads(line[5:]))
        except httpx.TransportError as error:
            self.ledger.count_refusal(f"stream {type(error).__name__}")
            self._urls.append(self._urls.pop(0))


def _note(sent: Sent, shown: dict[str, Any]) -> None:
    if shown["state"] == "finished":
        sent.seen.add((shown["exercise_hash"], shown["verdict"]))


class Author(Visitor):
    """Publishes one revision after the other of one exercise."""

    def begin(self) -> None:
        answer = self.ask("GET", f"/exercises/{REVISED}/files").raise_for_status().json()
        self._base, self._edition = answer["revision"], 0
        self.ledger.factor_of[self._base] = FACTORS[0]
        self.ledger.published.append(self._base)

    def act(self) -> None:
        self._edition += 1
        factor = FACTORS[self._edition % len(FACTORS)]
        files = {
            "reference.py": reference(REVISED, factor),
            "statement.md": statement(factor, self._edition),
        }
        body = {"base": self._base, "files": files, "message": f"Edition {self._edition}"}
        saved = self.ask("POST", f"/exercises/{REVISED}/revisions", json=body)
        if saved.status_code == 409:  # the answer to an earlier try was lost: what is newest now is this one
            newest = saved.json()["newest"]
            if any(newest["files"][name] != text for name, text in files.items()):
                self.ledger.wrong.append("another revision came in between, and nobody sent one")
                return
            self._base = newest["revision"]
        else:
            self._base = saved.raise_for_status().json()["revision"]
        self.ledger.factor_of[self._base] = factor
        self.ledger.attempted_publication = self._base
        path = f"/exercises/{REVISED}/publications"
        while True:
            answer = self.ask("POST", path, params={"wait": 15}, seconds=40.0, json={"revision": self._base})
            if answer.status_code != 409 or "gate has not finished" not in answer.text:
                break
        if answer.status_code != 201:
            self.ledger.wrong.append(f"a sound revision was not published: {answer.status_code} {answer.text[:500]}")
            return
        self.ledger.published.append(self._base)
        self.ledger.attempted_publication = None
        self.ledger.count("publications")


class Teacher(Visitor):
    """Has a class, in which all students are, and judges again what they sent, by whichever revision."""

    def begin(self) -> None:
        body = {"course": COURSE, "title": "Soak", "timezone": "UTC"}
        made = self.ask("POST", "/classes", json=body).raise_for_status().json()
        self._class, self.ledger.join_code = made["id"], made["join_code"]
        place = f"/classes/{self._class}/assignments/exercise/{REVISED}"
        self.ask("PUT", place, json={}).raise_for_status()

    def act(self) -> None:
        revision = self.chance.choice(self.ledger.published)
        body = {"revision": revision, "class": self._class}
        begun = self.ask("POST", f"/exercises/{REVISED}/regradings", json=body)
        if begun.status_code == 409:  # the answer to an earlier try was lost on the way
            begun = self.ask("GET", f"/classes/{self._class}/regradings").raise_for_status()
            id = begun.json()[0]["id"]
        else:
            id = begun.raise_for_status().json()["id"]
        place = f"/regradings/{id}"
        done, deadline = -1, 0.0
        while (found := self.ask("GET", place).raise_for_status().json())["state"] in ("queued", "running"):
            if found["done"] > done:
                done, deadline = found["done"], time.monotonic() + VERDICT_SECONDS
            if time.monotonic() > deadline:
                self.ledger.wrong.append(f"regrading {id} judged {found['done']} of {found['total']}, and no more")
                return
            time.sleep(0.5)
        self.ledger.count("regradings")
        if found["failed"]:
            self.ledger.wrong.append(f"regrading {id} could not judge {found['failed']} of {found['total']}")
        self.ledger.regraded_by.add(str(found["revision"]))
        application = f"{place}/application"
        self.ask("POST", application, json={"keep": "new"}).raise_for_status()
        self.ledger.count("regradings applied")
        if self.chance.random() < 0.5:
            self.ask("DELETE", application)  # 409: the answer to an earlier try was lost on the way
            self.ledger.count("regradings taken back")


class Load:
    """So many students at once, and an author, until `end`."""

    def __init__(self, urls: Sequence[str], staff_token: str, students: int, seed: int) -> None:
        self.ledger = Ledger()
        self._urls, self._ended = list(urls), threading.Event()
        chance = random.Random(seed)
        self._author = Author(urls, self.ledger, random.Random(chance.random()), staff_token)
        self._teacher = Teacher(urls, self.ledger, random.Random(chance.random()), staff_token)
        seeds = [chance.random() for _ in range(students)]
        self._threads = [threading.Thread(target=self._study, args=(one,), daemon=True) for one in seeds]
        self._threads.append(threading.Thread(target=self._write, daemon=True))
        self._threads.append(threading.Thread(target=self._teach, daemon=True))

    def start(self) -> None:
        self._author.begin()
        self._teacher.begin()
        for thread in self._threads:
            thread.start()

    def end(self, seconds: float) -> int:
        """What was begun is finished, as far as it goes; returns how many are still at it after so many seconds."""
        self._ended.set()
        deadline = time.monotonic() + seconds
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        return sum(thread.is_alive() for thread in self._threads)

    def _study(self, seed: float) -> None:
        chance = random.Random(seed)
        while not self._ended.is_set():
            student = Student(self._urls, self.ledger, chance)
            self._act(student, student.begin)
            for _ in range(ACTS_EACH):
                if self._ended.wait(chance.expovariate(1 / PAUSE_SECONDS)) or not student.token:
                    break
                self._act(student, student.act)
            student.close()

    def _write(self) -> None:
        while not self._ended.wait(AUTHOR_PAUSE_SECONDS):
            self._act(self._author, self._author.act)

    def _teach(self) -> None:
        while not self._ended.wait(TEACHER_PAUSE_SECONDS):
            self._act(self._teacher, self._teacher.act)

    def _act(self, visitor: Visitor, act: Callable[[], None]) -> None:
        try:
            act()
        except GaveUp:
            visitor.ledger.count("gave up")
        except Exception as error:  # noqa: BLE001 (an answer that nobody expects is a finding, and the others go on)
            visitor.ledger.wrong.append(f"{type(error).__name__}: {str(error)[:500]}")
