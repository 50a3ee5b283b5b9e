"""What a class sent to an exercise, as a zip that Dolos (dolos.ugent.be) reads: the files, and `info.csv` about them.

Dolos looks at the columns `filename`, `id`, `full_name`, `labels`, `created_at`, and `ignored`, which one file may
have: the code that everybody begins with. Names of people are left out unless they are asked for, since the file may go
to a server elsewhere. Of the exercise it holds what students can read themselves: starters and `provided/`.

attack: a name with a path in it, which is written outside the folder where the zip is unpacked. defence: each file is
called by its submission's number; what a student chose is in the table alone, and there no formula.
"""

import io
import zipfile
from collections.abc import Sequence
from datetime import datetime

from app.classes.roster import Listed
from app.classes.similarity import Sent
from app.people.belongings import plain
from app.web.csv_file import write_csv
from graders.exercise.definition import Exercise
from graders.exercise.materials import provided_in

COLUMNS = ("filename", "id", "full_name", "labels", "created_at", "ignored")
TEMPLATE = "template.py"
BEGINNING = (1980, 1, 1, 0, 0, 0)  # a zip knows no earlier time; when it was made says nothing


def dolos_zip(exercise: Exercise, sent: Sequence[tuple[Sent, Listed, bytes]], *, with_names: bool) -> bytes:
    """Of the submissions that `similarity.sources_of` found, the first first."""
    lines: list[Sequence[object]] = [COLUMNS]
    files: dict[str, bytes] = {}
    for number, (one, student, source) in enumerate(sent, 1):
        name = f"submission-{one.submission}.py"
        files[name] = source
        who = student.label if with_names else f"person {number}"
        lines.append((name, one.submission, who, student.section if with_names else "", _time(one.first_at), ""))
    files[TEMPLATE] = _template(exercise).encode()
    lines.append((TEMPLATE, 0, "", "template", "", "true"))
    files["info.csv"] = write_csv(lines).encode()
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, BEGINNING)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content)
    return held.getvalue()


def _template(exercise: Exercise) -> str:
    """In all variants of the exercise."""
    variants = (exercise, *exercise.others)
    starters = [variant.starter(framework) for variant in variants for framework in exercise.frameworks]
    provided = [text for variant in variants for text in provided_in(variant.files).values()]
    return "\n\n".join(dict.fromkeys([*starters, *provided]))


def _time(at: datetime) -> str:
    return plain(at) or ""
