"""Saves, folders, publications, restores and restarts in any order: no text is lost, nothing unproved is served."""

import os
import random
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from sqlalchemy import select

from app.db import Database
from app.reading.catalog import Catalog
from app.reading.snapshots import Snapshot
from app.teaching import revisions
from app.teaching.checks import Checks
from app.teaching.folders import FolderTruth, Keep, conflict_of, settle
from app.teaching.publications import catch_up, record, require_proof, serve
from app.teaching.revisions import files_of, newest, revision_of
from app.teaching.subjects import Subject
from app.web.errors import Problem
from graders.boxes.pool import Judge
from graders.exercise.fault import Fault
from graders.exercise.folder import hash_files
from graders.exercise.limits import CEILINGS
from graders.exercise.reader import exercise_from_files
from graders.proof.admitted import Admitted
from graders.proof.gate import admission_faults
from tests.app.thresholds import sound_thresholds, thresholds
from tests.conftest import require_boxes

SUBJECT = Subject("exercise", "thresholds")
Files = Mapping[str, bytes]
INTERLEAVINGS = int(os.environ.get("LECTERN_TEST_INTERLEAVINGS", "200"))
STEPS = 9
WITH_BROKEN = 6  # of them; what cannot be read starts a process each time it is tried


def stated(files: Files, statement: str) -> Files:
    return {**files, "statement.md": statement.encode()}


SOUND = [stated(sound_thresholds(), f"Keep what is large, version {n}.\n") for n in range(2)]
WEAK = stated(thresholds(), "Its cases miss a mutant.\n")
BROKEN = stated({**sound_thresholds(), "exercise.toml": b"title = "}, "It cannot be read.\n")
PROVED = {hash_files(files) for files in SOUND}


@dataclass(frozen=True)
class Proofs:
    """What the real gate and the real admission said of each state, once."""

    database: Path
    cache: Path
    judge: Judge
    faults: Mapping[str, list[Fault]]


@pytest.fixture(scope="module")
def proofs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proofs]:
    folder = tmp_path_factory.mktemp("proofs")
    database = Database(f"sqlite+pysqlite:///{folder / 'lectern.sqlite3'}")
    database.migrate()
    with Judge(folder / "cache", ["numpy"], parked={"numpy": 2}) as judge:
        require_boxes(judge)
        checks = checks_of(database, judge, folder)
        checks.start()
        for files in (*SOUND, WEAK):
            checks.want(SUBJECT.kind, SUBJECT.slug, files)
            check = checks.wait(SUBJECT.kind, SUBJECT.slug, hash_files(files), 600)
            assert (check.state, check.ok) == ("finished", files is not WEAK)
        checks.close()
        faults = {}
        for files in (*SOUND, WEAK):
            exercise = exercise_from_files(SUBJECT.slug, files)
            faults[exercise.content_hash] = admission_faults(exercise, judge, Path())
        assert [not found for found in faults.values()] == [True, True, False]
        database.close()
        yield Proofs(folder / "lectern.sqlite3", folder, judge, faults)


def checks_of(database: Database, judge: Judge, folder: Path) -> Checks:
    return Checks(database, judge, folder / "content", CEILINGS, set, Admitted(folder / "admitted"))


@dataclass
class Site:
    """A server's content, with one exercise in a folder and in the browser, and what was entrusted to it."""

    root: Path
    database: Database
    proofs: Proofs
    random: random.Random
    states: Sequence[Files]
    entrusted: set[str] = field(default_factory=set)

    def start(self) -> None:
        self.catalog = Catalog(self.database, self.proofs.cache / "content", truth=FolderTruth(self.database))
        self.catalog.import_folders([self.root / "exercises"], [], is_judged=True)
        catch_up(self.database, self.catalog)
        self.checks = checks_of(self.database, self.proofs.judge, self.proofs.cache)
        self.note_folder()

    @property
    def folder(self) -> Path:
        return self.root / "exercises" / SUBJECT.slug

    def note_folder(self) -> None:
        if self.folder.exists():
            there = {str(path.relative_to(self.folder)): path.read_bytes() for path in self.folder.rglob("*.*")}
            self.entrusted.add(hash_files(there))

    # ---- what may happen

    def save(self) -> None:
        files = self.random.choice(self.states)
        with self.database.reading() as db:
            known = revisions.content_of(db, SUBJECT)
            base = newest(db, SUBJECT).content_hash if known is not None else None
        stale = self.random.random() < 0.3 and base is not None
        named = self.random.choice(sorted(self.entrusted)) if stale else base
        with suppress(Problem), self.database.writing() as db:
            removed = dict.fromkeys(files_of(db, newest(db, SUBJECT).id)) if base else {}
            saved = revisions.save(db, None, SUBJECT, named, {**removed, **files}, "")
            self.entrusted.add(saved.content_hash)
            assert saved.content_hash == hash_files(files)
            assert named == base or saved.content_hash == base, "saved over a revision that its author never saw"

    def change_folder(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        for name, content in self.random.choice(self.states).items():
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_bytes(content)
        self.catalog.refresh(SUBJECT.kind, self.folder)
        self.note_folder()

    def remove_folder(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        self.catalog.refresh(SUBJECT.kind, self.folder)

    def publish(self) -> None:
        if not self.entrusted:
            return
        state = self.random.choice(sorted(self.entrusted))
        with suppress(Problem):
            with self.database.reading() as db:
                files = files_of(db, revision_of(db, SUBJECT, state).id)
            check = require_proof(self.catalog, self.checks, SUBJECT, state, files, 0)
            with self.database.writing() as db:
                record(db, None, SUBJECT, state, check)
            if self.random.random() < 0.2:
                self.start()  # killed before the catalog was told
            else:
                serve(self.catalog, SUBJECT, files)
            served = self.catalog.exercises.get(SUBJECT.slug)
            assert served is not None
            assert served.content_hash == state

    def restore(self) -> None:
        if self.entrusted:
            with suppress(Problem), self.database.writing() as db:
                base = newest(db, SUBJECT).content_hash
                revisions.restore(db, None, SUBJECT, base, self.random.choice(sorted(self.entrusted)))

    def settle(self) -> None:
        with self.database.reading() as db:
            conflict = conflict_of(db, SUBJECT)
        if conflict is not None:
            with self.database.writing() as db:
                base = newest(db, SUBJECT).content_hash
                settle(db, None, SUBJECT, self.random.choice([*Keep]), conflict.content_hash, base)

    def admit(self) -> None:
        for exercise in self.catalog.awaited():
            if not self.catalog.is_proved(exercise):
                self.catalog.judged(exercise, self.proofs.faults[exercise.content_hash])

    # ---- what must hold

    def require_sound(self) -> None:
        served = self.catalog.exercises.get(SUBJECT.slug)
        assert served is None or served.content_hash in PROVED, "this process serves what nobody proved"
        with self.database.reading() as db:
            current = db.scalars(select(Snapshot.content_hash).where(Snapshot.is_current)).all()
            assert set(current) <= PROVED, "another process would serve what nobody proved"
            for state in self.entrusted:
                assert hash_files(files_of(db, revision_of(db, SUBJECT, state).id)) == state, "a text is lost"


@pytest.mark.extra
def test_no_text_is_lost_and_nothing_unproved_is_served(proofs: Proofs, tmp_path: Path) -> None:
    for seed in range(INTERLEAVINGS):
        chance, root = random.Random(seed), tmp_path / str(seed)
        root.mkdir()
        shutil.copy(proofs.database, root / "lectern.sqlite3")
        database = Database(f"sqlite+pysqlite:///{root / 'lectern.sqlite3'}")
        site = Site(root, database, proofs, chance, [*SOUND, WEAK, BROKEN] if seed < WITH_BROKEN else [*SOUND, WEAK])
        site.start()
        steps = [site.save, site.save, site.change_folder, site.publish, site.publish, site.restore, site.settle]
        history = []
        for _ in range(STEPS):
            step = chance.choice([*steps, site.remove_folder, site.start, site.admit, site.admit])
            history.append(step.__name__)
            try:
                step()
                site.require_sound()
            except AssertionError as failed:
                raise AssertionError(f"seed {seed}: {history}: {failed}") from failed
        database.close()
        shutil.rmtree(root)
