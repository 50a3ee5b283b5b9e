"""Exercises as they are looked for."""

from app.people.permission import Wish, may
from app.people.users import User
from app.reading.catalog import Catalog
from app.web.errors import NotFound
from graders.exercise.definition import Exercise


def met(catalog: Catalog, person: User | None, slug: str, variant: str | None = None) -> Exercise:
    """The exercise as this person meets it: students in their own variant. `variant`: the one that staff look at,
    counted from 1. Raises NotFound.

    attack: a student reads every variant, and so learns whose file fits theirs. defence: the number is read for staff
    alone.
    """
    first = catalog.exercise(slug)
    if variant is not None and first.variants.count > 1 and may(person, Wish.choose_variant):
        return numbered(first, variant)
    return catalog.for_person(slug, person)


def numbered(first: Exercise, number: str) -> Exercise:
    """The variant that an address names, counted from 1. Raises NotFound."""
    count = first.variants.count
    if not (number.isascii() and number.isdecimal() and len(number) < 4 and 1 <= int(number) <= count):
        raise NotFound("There is no such variant of this exercise.", f"It has {count}: write a number from 1 on.")
    return first.in_variant(int(number) - 1)


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
