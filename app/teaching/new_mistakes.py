"""A known mistake, begun from what a student sent: its author adds a sentence and a name, and looks at the comments.

The student's name is nowhere in it. Comments are shown apart, since a student may have written something about
themselves.
"""

import ast
import io
import re
import textwrap
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy.orm import Session

from app.people.users import User
from app.teaching.files import require_path
from app.teaching.outcomes import Example, name_outcome
from app.teaching.revisions import Revision, files_of, newest, save
from app.teaching.subjects import SLUG, Subject
from app.web.errors import Conflict, Invalid
from graders.exercise.definition import Exercise
from graders.text import storable
from graders.verdict import Verdict

MAX_NAME = 80
MAX_SENTENCE = 2000
WIDTH = 118


@dataclass(frozen=True)
class Remark:
    """A comment, or a text at the top of a file, a class or a function."""

    line: int
    text: str


def head_of(exercise: Exercise, example: Example) -> str:
    """The marks above the docstring: a framework that is not the first, a verdict that is not wrong_answer."""
    framework = f"# framework: {example.framework}\n" if example.framework != exercise.frameworks[0] else ""
    verdict = f"# verdict: {example.verdict}\n" if example.verdict != Verdict.wrong_answer else ""
    return framework + verdict


def code_of(example: Example) -> str:
    """What the student sent, without marks of its own."""
    lines = storable(example.source.removeprefix("\ufeff")).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(line for line in lines if not _MARK.match(line)).strip("\n") + "\n"


_MARK = re.compile(r"#\s*(framework|verdict):")


def remarks_in(code: str) -> list[Remark]:
    """Everything that speaks to a person, by line. What cannot be read has none that we know of."""
    try:
        comments = [
            Remark(token.start[0], token.string)
            for token in tokenize.generate_tokens(io.StringIO(code).readline)
            if token.type == tokenize.COMMENT
        ]
        texts = list(_docstrings(ast.parse(code)))
    except (SyntaxError, tokenize.TokenError, ValueError, RecursionError, MemoryError):
        return []
    return sorted([*comments, *texts], key=lambda remark: remark.line)


def _docstrings(tree: ast.Module) -> Iterator[Remark]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            text = ast.get_docstring(node)
            if text:
                yield Remark(node.body[0].lineno, f'"""{text}"""')


def mistake_file(head: str, sentence: str, code: str) -> str:
    return f"{head}{_docstring(sentence)}\n\n{code.strip(chr(10))}\n"


def _docstring(sentence: str) -> str:
    """As Python reads it back: with its backslashes and quotes."""
    words = " ".join(sentence.split()).replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    words = words[:-1] + '\\"' if words.endswith('"') and not words.endswith('\\"') else words
    lines = textwrap.wrap(f'"""{words}"""', WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines)


def save_mistake(
    db: Session,
    person: User,
    subject: Subject,
    exercise: Exercise,
    example: Example,
    outcome: str,
    name: str,
    sentence: str,
    code: str,
) -> Revision:
    """A new revision with the mistake in it. The caller has asked whether the person may.

    It adds a file to the newest revision, whichever that is, and so undoes nobody's work.
    Raises Invalid, Conflict, NotFound, TooLarge.
    """
    name = _require_name(name.strip())
    sentence = _require_sentence(sentence)
    code = storable(code.replace("\r\n", "\n").replace("\r", "\n"))
    _require_readable(code)
    path = require_path(f"mistakes/{name}.py")
    latest = newest(db, subject)
    if path in files_of(db, latest.id):
        raise Conflict(f"There is a mistake `{name}` already.", "Choose another name.")
    text = mistake_file(head_of(exercise, example), sentence, code)
    message = f"Add {path}, from a wrong outcome of students"
    revision = save(db, person, subject, latest.content_hash, {path: text.encode()}, message)
    name_outcome(db, subject.slug, outcome, name)
    return revision


def _require_name(name: str) -> str:
    if not SLUG.fullmatch(name) or len(name) > MAX_NAME:
        hint = f"Use lower case, digits and hyphens, at most {MAX_NAME} characters: one-row-late."
        raise Invalid("name: this cannot name a mistake.", hint)
    return name


def _require_sentence(sentence: str) -> str:
    sentence = storable(" ".join(sentence.split()))
    if not sentence:
        hint = "For example: You took row T alone. Take the first T rows with `table[:T]`."
        raise Invalid("sentence: write what a student who makes this mistake should read.", hint)
    if len(sentence) > MAX_SENTENCE:
        raise Invalid(f"sentence: this has {len(sentence):,} characters.", f"At most {MAX_SENTENCE:,} are allowed.")
    return sentence


def _require_readable(code: str) -> None:
    try:
        ast.parse(code)
    except SyntaxError as error:
        at = f"line {error.lineno}: " if error.lineno else ""
        raise Invalid(f"code: {at}{error.msg}.", "Python must be able to read the mistake's code.") from None
    except (ValueError, RecursionError, MemoryError):
        raise Invalid("code: Python cannot read this.", "Shorten it to what makes the mistake.") from None
