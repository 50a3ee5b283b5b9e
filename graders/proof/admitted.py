"""Which states of exercises passed: a file for each, by all that the judge's answer depends on."""

import hashlib
from pathlib import Path

from graders.cache import CacheFolder
from graders.exercise.built import versions
from graders.exercise.definition import Exercise


class Admitted:
    """The record that an exercise passed the judging part of the gate, or all of it. Without a folder it keeps nothing.

    The key holds every file of the exercise, the judge's version and the frameworks' releases: another release may
    judge otherwise.
    """

    def __init__(self, folder: Path | None) -> None:
        self._passed = CacheFolder(folder, ".passed")

    def holds(self, exercise: Exercise) -> bool:
        return self._passed.read(_key(exercise)) is not None

    def note(self, exercise: Exercise) -> None:
        self._passed.write(_key(exercise), b"")


def _key(exercise: Exercise) -> str:
    parts = (exercise.slug, exercise.content_hash, exercise.judging_hash, versions())
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
