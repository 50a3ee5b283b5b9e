"""The formats that questions can be exported to, by name: to add one is to write its file, and its line here."""

from collections.abc import Mapping

from app.content.formats import gift_export, moodle_xml_export, qti_export
from app.content.formats.kind import Export


def by_name(*exports: Export) -> Mapping[str, Export]:
    """Raises TypeError for an export that is not whole."""
    found: dict[str, Export] = {}
    for export in exports:
        if not isinstance(export, Export) or export.NAME in found:
            raise TypeError(f"{export} lacks a name of the Protocol, or has another's NAME")
        found[export.NAME] = export
    return found


EXPORTS = by_name(
    moodle_xml_export,
    gift_export,
    qti_export,
)
