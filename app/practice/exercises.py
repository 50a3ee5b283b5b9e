"""Exercises as they are looked for."""

from app.reading.catalog import Catalog
from graders.exercise.definition import Exercise


def chosen(
    catalog: Catalog,
    *,
    difficulty: str | None = None,
    framework: str | None = None,
    tag: str | None = None,
    q: str | None = None,
) -> list[Exercise]:
    """The exercises that match every filter given, easy ones first."""
    order = ("easy", "medium", "hard")
    matching = (
        exercise
        for exercise in catalog.exercises.values()
        if (not difficulty or exercise.difficulty == difficulty)
        and (not framework or framework in exercise.frameworks)
        and (not tag or tag in exercise.tags)
        and (not q or q.casefold() in exercise.title.casefold())
    )
    return sorted(matching, key=lambda exercise: (order.index(exercise.difficulty), exercise.title))
