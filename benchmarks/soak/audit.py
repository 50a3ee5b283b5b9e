"""What became of all that was acknowledged: lost, doubled or wrong, and what is left of what was killed."""

import random
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import func, select

from app.db import Database
from app.practice.gradings import Grading
from app.practice.outcomes import WRONG, WrongOutcome
from app.practice.standings import BestTime
from app.practice.submissions import Submission
from app.teaching.publications import Publication
from app.teaching.revisions import Revision
from benchmarks.soak.content import REVISED
from benchmarks.soak.installation import Installation
from benchmarks.soak.load import Ledger, Saved, Sent, Visitor
from graders.boxes import cgroups
from graders.verdict import State

FINISH_SECONDS = 240.0  # after the last fault, for everything that waits to be judged
GROUPS_SECONDS = 20.0


@dataclass
class Findings:
    """Sentences, one for each thing that is not as it was promised."""

    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    checked: Counter[str] = field(default_factory=Counter)
    attempts: Counter[str] = field(default_factory=Counter)  # gradings by how often they were begun

    @property
    def is_clean(self) -> bool:
        return not (self.lost or self.doubled or self.wrong or self.left)

    def public(self) -> dict[str, Any]:
        return {name: dict(value) if isinstance(value, Counter) else value for name, value in vars(self).items()}


def audit(installation: Installation, ledger: Ledger) -> Findings:
    """While the installation runs, and after the last fault was undone."""
    found = Findings(doubled=list(ledger.doubled), wrong=list(ledger.wrong))
    database = Database(installation.database_url)
    try:
        _wait_until_judged(database, found)
        rows = _rows(database, ledger, found)
    finally:
        database.close()
    _verdicts(installation, ledger, rows, found)
    _standings(installation, ledger, rows, found)
    _answers(installation, ledger, found)
    _published(installation, ledger, found)
    return found


@dataclass
class Rows:
    """What the tables say, by submission."""

    ids_of: dict[str, list[int]]  # by key
    gradings: dict[int, list[Grading]]
    solved: set[tuple[int, str]]  # a user and an exercise, of best times
    user_of: dict[int, int]


def _wait_until_judged(database: Database, found: Findings) -> None:
    deadline = time.monotonic() + FINISH_SECONDS
    while True:
        with database.reading() as db:
            waiting = db.execute(
                select(Grading.id, Grading.state, Grading.attempt).where(Grading.state != State.finished)
            ).all()
        if not waiting:
            return
        if time.monotonic() > deadline:
            found.lost += [f"grading {id} is still {state} after {attempt} attempts" for id, state, attempt in waiting]
            return
        time.sleep(0.3)


def _rows(database: Database, ledger: Ledger, found: Findings) -> Rows:
    with database.reading() as db:
        submissions = list(db.scalars(select(Submission)))
        gradings = list(db.scalars(select(Grading)))
        outcomes = dict(
            db.execute(select(WrongOutcome.submission_id, func.count()).group_by(WrongOutcome.submission_id)).all()
        )
        best = list(db.scalars(select(BestTime)))
        times = Counter(
            db.scalars(select(Revision.content_hash).join(Publication, Publication.revision_id == Revision.id))
        )
    ids_of: defaultdict[str, list[int]] = defaultdict(list)
    for submission in submissions:
        ids_of[submission.idempotency_key or ""].append(submission.id)
    by_submission: defaultdict[int, list[Grading]] = defaultdict(list)
    for grading in gradings:
        by_submission[grading.submission_id].append(grading)
        found.attempts[str(grading.attempt)] += 1
    known = {sent.key for sent in ledger.sent}
    found.doubled += [f"key {key} is {len(ids)} submissions" for key, ids in ids_of.items() if len(ids) > 1]
    found.doubled += [f"submission {ids} has a key that nobody sent" for key, ids in ids_of.items() if key not in known]
    for submission in submissions:
        of_it = by_submission[submission.id]
        standing = [grading for grading in of_it if grading.replaced_by_id is None]
        if len(standing) != 1 or standing[0].id != max(grading.id for grading in of_it):
            found.doubled.append(f"submission {submission.id} has {len(standing)} gradings that count")
        if sum(grading.snapshot_id is None for grading in of_it) != 1:
            found.doubled.append(f"submission {submission.id} was judged {len(of_it)} times, not by a regrading")
        counts = submission.kind == "submit" and any(grading.verdict in WRONG for grading in standing)
        if counts != (submission.id in outcomes):
            found.wrong.append(
                f"submission {submission.id}: its wrong outcome is counted {outcomes.get(submission.id, 0)} times"
            )
    for content_hash in ledger.published[1:]:
        if not times[content_hash]:
            found.lost.append(f"the publication of {content_hash[:12]} was acknowledged and is not there")
    return Rows(
        dict(ids_of),
        dict(by_submission),
        {(one.user_id, one.exercise) for one in best},
        {submission.id: submission.user_id for submission in submissions},
    )


def _visitor(installation: Installation, ledger: Ledger, token: str) -> Visitor:
    return Visitor([web.url for web in installation.webs], ledger, random.Random(0), token)


def _verdicts(installation: Installation, ledger: Ledger, rows: Rows, found: Findings) -> None:
    """As its author is shown it, and as the row has it."""
    visitor = _visitor(installation, ledger, "")
    for sent in ledger.sent:
        if sent.id is None:
            found.checked["never acknowledged"] += 1
            continue
        found.checked["acknowledged"] += 1
        visitor.token = sent.token
        answer = visitor.ask("GET", f"/submissions/{sent.id}")
        if answer.status_code != 200 or rows.ids_of.get(sent.key) != [sent.id]:
            found.lost.append(f"{_name(sent)} is not there: {answer.status_code}, rows {rows.ids_of.get(sent.key)}")
            continue
        shown = answer.json()
        if shown["state"] != "finished":
            continue  # told above
        grading = max(rows.gradings[sent.id], key=lambda grading: grading.id)
        by = shown["exercise_hash"]
        is_regraded = sent.slug == REVISED and sent.kind == "submit" and by in ledger.regraded_by
        if by != sent.exercise_hash and not is_regraded:
            found.wrong.append(f"{_name(sent)} names another revision than it was taken in with")
        found.checked["judged again"] += grading.snapshot_id is not None
        verdicts = {(by, shown["verdict"]), (by, grading.verdict), *sent.seen}
        if len(verdicts) > len({revision for revision, _ in verdicts}):
            found.doubled.append(f"{_name(sent)} had several verdicts: {sorted(map(str, verdicts))}")
        if shown["verdict"] != (deserved := ledger.deserved(sent, by)):
            why = f"attempt {grading.attempt}, {shown['summary']}"
            found.wrong.append(f"{_name(sent)} deserves {deserved} and has {shown['verdict']} ({why})")
    visitor.close()


def _name(sent: Sent) -> str:
    return f"{sent.kind} {sent.id} ({sent.program}, {sent.slug})"


def _standings(installation: Installation, ledger: Ledger, rows: Rows, found: Findings) -> None:
    """Those who deserve to have solved an exercise have, and nobody else; and so for best times."""
    solved: defaultdict[str, set[str]] = defaultdict(set)
    at_first: defaultdict[str, set[str]] = defaultdict(set)  # before anything was judged again: best times are of then
    users: dict[str, int] = {}
    for sent in ledger.sent:
        if sent.id is not None and sent.id in rows.user_of:
            users[sent.token] = rows.user_of[sent.id]
            newest = max(rows.gradings[sent.id], key=lambda grading: grading.id)
            if sent.kind == "submit" and newest.verdict == "accepted":
                solved[sent.token].add(sent.slug)
            if sent.kind == "submit" and ledger.deserved(sent) == "accepted":
                at_first[sent.token].add(sent.slug)
    visitor = _visitor(installation, ledger, "")
    for token, user in users.items():
        visitor.token = token
        shown = visitor.ask("GET", "/me/progress").raise_for_status().json()
        has = {one["exercise"] for one in shown["exercises_solved"]}
        best = {exercise for user_id, exercise in rows.solved if user_id == user}
        found.checked["standings"] += 1
        if has != solved[token] or best != at_first[token]:
            found.wrong.append(f"user {user} solved {solved[token]}, shown {has}, best times of {best}")
    visitor.close()


def _answers(installation: Installation, ledger: Ledger, found: Findings) -> None:
    by_sitting: defaultdict[tuple[str, int], list[Saved]] = defaultdict(list)
    for saved in ledger.saved:
        by_sitting[saved.token, saved.sitting].append(saved)
    submitted = set(ledger.submitted_sittings)
    visitor = _visitor(installation, ledger, "")
    for (token, sitting), answers in by_sitting.items():
        visitor.token = token
        answer = visitor.ask("GET", f"/sittings/{sitting}")
        if answer.status_code != 200:
            found.lost.append(f"sitting {sitting} is not there: {answer.status_code}")
            continue
        shown = answer.json()
        found.checked["sittings"] += 1
        if (token, sitting) in submitted and shown["state"] != "submitted":
            found.lost.append(f"sitting {sitting} was handed in and is {shown['state']}")
        has = {question["slug"]: question["answer"] for question in shown["questions"]}
        for saved in answers:
            found.checked["last answers"] += 1
            if has[saved.question] not in {saved.answer, saved.attempted or saved.answer}:
                found.lost.append(
                    f"sitting {sitting}, {saved.question}: {saved.answer!r} was saved, {has[saved.question]!r} is there"
                )
    visitor.close()


def _published(installation: Installation, ledger: Ledger, found: Findings) -> None:
    """Every web process serves what was published last."""
    may = {ledger.published[-1], ledger.attempted_publication or ledger.published[-1]}
    for web in installation.webs:
        visitor = Visitor([web.url], ledger, random.Random(0))
        deadline = time.monotonic() + 30
        while True:
            served = visitor.ask("GET", f"/exercises/{REVISED}").raise_for_status().json()["content_hash"]
            if served in may or time.monotonic() > deadline:
                break
            time.sleep(0.5)
        found.checked["publications served"] += 1
        if served not in may:
            found.lost.append(f"{web.name} serves {served[:12]}, and {[each[:12] for each in may]} was published last")
        visitor.close()


def left_over(installation: Installation) -> list[str]:
    """After everything has ended: temporary files, mounts and control groups of its own."""
    left = [f"temporary file {path}" for path in sorted((installation.folder / "tmp").iterdir())]
    mounts = Path("/proc/mounts").read_text().splitlines()
    left += [f"mount {line.split()[1]}" for line in mounts if str(installation.folder) in line]
    pids = {pid for part in installation.parts for pid in part.pids}
    deadline = time.monotonic() + GROUPS_SECONDS
    while (groups := _groups_of(pids)) and time.monotonic() < deadline:
        time.sleep(0.5)
    return left + [f"control group {group}" for group in groups]


def _groups_of(pids: set[int]) -> list[Path]:
    try:
        _, places = cgroups.find()
    except (cgroups.NoGroups, OSError):
        return []
    found = {folder for place in places.values() for folder in place.glob("lectern-*-*")}
    return sorted(folder for folder in found if int(folder.name.split("-")[1]) in pids)
