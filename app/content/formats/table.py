"""The foreign formats by name: to add one is to write its file, and its line here."""

from collections.abc import Mapping
from pathlib import Path

from app.content.formats import deep_ml, exercism, folders, gift, moodle_xml, nbgrader, otter, qti
from app.content.formats.kind import Format


def by_name(*formats: Format) -> Mapping[str, Format]:
    """Raises TypeError for a format that is not whole."""
    found: dict[str, Format] = {}
    for format_ in formats:
        if not isinstance(format_, Format) or format_.NAME in found:
            raise TypeError(f"{format_} lacks a name of the Protocol, or has another's NAME")
        found[format_.NAME] = format_
    return found


FORMATS = by_name(
    deep_ml,
    exercism,
    nbgrader,
    otter,
    moodle_xml,
    gift,
    qti,
    folders,
)


def format_of(path: Path) -> Format | None:
    """The first format that recognises the path."""
    return next((format_ for format_ in FORMATS.values() if format_.recognises(path)), None)
