"""QTI 1.2 and 2.1: a file of questions, or a package (a zip, or a folder) of such files and their pictures."""

import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from app.content.formats import qti_1, qti_2, qti_export
from app.content.formats.bank import Bank, require_questions
from app.content.formats.carried import CHANGED, carried_in
from app.content.formats.elements import LOOKED_AT, Element, read_bytes, root_tag, tree_of
from app.content.formats.kind import Exported, Item, NoCounterpart, Refused
from app.content.formats.package import packed, unpacked
from app.content.formats.qti_export import CARRIER, MANIFEST
from graders.text import title_of

NAME = "qti"
OF_VERSION_1, OF_VERSION_2 = "questestinterop", ("assessmentitem", "assessmenttest")


def recognises(path: Path) -> bool:
    try:
        if path.is_dir():
            return (path / MANIFEST).is_file() and not (path / MANIFEST).is_symlink()
        if path.suffix.lower() == ".zip":
            with zipfile.ZipFile(path) as archive:
                return MANIFEST in archive.namelist()
        if path.suffix.lower() != ".xml":
            return False
        with path.open("rb") as file:
            return root_tag(file.read(LOOKED_AT)) in (OF_VERSION_1, *OF_VERSION_2)
    except (OSError, zipfile.BadZipFile, ValueError, NotImplementedError):
        return False


def items(path: Path) -> Iterator[Item | Refused]:
    try:
        is_package = path.is_dir() or path.suffix.lower() == ".zip"
        files = unpacked(path) if is_package else {path.name: read_bytes(path)}
        if carried := carried_in(files.get(CARRIER, b""), qti_export.exported, lambda again: _is_same(again, files)):
            yield carried
            return
        bank = _bank(files, path.resolve().stem)
        bank.warnings += [CHANGED] if CARRIER in files else []
        yield from bank.items()
    except NoCounterpart as error:
        yield Refused(path.name, str(error))


def _is_same(again: Exported, files: Mapping[str, bytes]) -> bool:
    """No matter which tool packed it: the files count."""
    return again.content == packed(files)


def _bank(files: Mapping[str, bytes], stem: str) -> Bank:
    bank = Bank(title_of(stem), stem)
    roots: dict[str, Element] = {}
    for name in sorted(files):
        if name.lower().endswith(".xml") and root_tag(files[name]) in (OF_VERSION_1, *OF_VERSION_2):
            try:
                roots[name] = tree_of(files[name])
            except NoCounterpart as error:
                bank.refuse(name, str(error))
    for name, root in roots.items():
        if root.tag == OF_VERSION_1:
            qti_1.put_into(bank, root, name, files)
    qti_2.put_into(bank, {name: root for name, root in roots.items() if root.tag in OF_VERSION_2}, files)
    require_questions(bank)
    return bank
