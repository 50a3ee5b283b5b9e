"""The types of question: each is whole, and nobody outside its file asks which one it is."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from app.content.questions import choice, table
from app.content.questions.kind import Kind
from app.content.questions.table import KINDS
from app.settings import ROOT
from tests.sources import assert_kept, nodes

TYPES = ["choice", "choices", "shape", "count", "number", "text", "order", "predict", "matching", "cloze", "essay"]
PACKAGE = ROOT / "app" / "content" / "questions"
OWN = {PACKAGE / f"{name}.py" for name in (*TYPES, "table")}
# A foreign format says by its name what each type becomes there. A type that it does not list has no counterpart there.
FORMATS = {*(ROOT / "app" / "content" / "formats").rglob("*.py")}
SOURCES = sorted({*(ROOT / "app").rglob("*.py")} - OWN - FORMATS)


def test_the_table_has_each_type_under_the_name_of_its_file() -> None:
    assert list(KINDS) == TYPES
    assert all(isinstance(kind, ModuleType) for kind in KINDS.values())
    assert [Path(str(getattr(kind, "__file__", ""))) for kind in KINDS.values()] == [PACKAGE / f"{n}.py" for n in TYPES]


NAMES = sorted({*Kind.__annotations__, *(name for name in vars(Kind) if name.islower() and not name.startswith("_"))})


def test_a_type_has_eleven_names() -> None:
    assert len(NAMES) == 11, NAMES


@pytest.mark.parametrize("lacking", NAMES)
def test_a_type_that_lacks_a_name_does_not_come_into_the_table(lacking: str) -> None:
    newcomer = ModuleType("newcomer")
    vars(newcomer).update({name: getattr(choice, name) for name in NAMES if name != lacking}, NAME="newcomer")
    if lacking == "NAME":
        del newcomer.NAME
    with pytest.raises(TypeError, match="newcomer"):
        table.by_name(newcomer)


def test_no_type_takes_the_name_of_another() -> None:
    with pytest.raises(TypeError, match="another's NAME"):
        table.by_name(choice, choice)


@pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
def test_what_a_widget_names_is_there(kind: Kind) -> None:
    for template in (kind.WIDGET.fields, kind.WIDGET.review):
        assert (ROOT / "templates" / template).is_file()
    assert not kind.WIDGET.script or (ROOT / "app" / "static" / kind.WIDGET.script).is_file()


def asks_for_a_type(node: ast.AST) -> bool:
    """`question.type == "order"`, `kind in ("choice", "choices")`, `match question.type:`, `{…}[question.type]`."""
    if isinstance(node, ast.Subscript):
        has_type = any(isinstance(each, ast.Attribute) and each.attr == "type" for each in ast.walk(node.slice))
        return has_type and ast.unparse(node.slice).endswith(".type") and ast.unparse(node.value) != "KINDS"
    if isinstance(node, ast.Match):
        asked = [node.subject]
    elif isinstance(node, ast.Compare):
        asked = [node.left, *node.comparators]
    else:
        return False
    return any(map(is_type, asked)) and bool(KINDS.keys() & strings(node))


def is_type(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute | ast.Name) and name_of(node) in TYPE_NAMES


TYPE_NAMES = {"type", "NAME", "type_name", "kind"}


def name_of(node: ast.Attribute | ast.Name) -> str:
    if isinstance(node, ast.Name):
        return node.id
    return "" if ast.unparse(node.value) == "token" else node.attr  # Markdown's tokens have types too


def strings(node: ast.AST) -> set[str]:
    return {one.value for one in ast.walk(node) if isinstance(one, ast.Constant) and isinstance(one.value, str)}


@pytest.mark.parametrize(
    ("source", "asks"),
    [
        ('question.type == "order"', True),
        ('kind not in ("number", "count")', True),
        ('match one.presented.type:\n    case "text": pass', True),
        ("PLACEHOLDERS[question.type]", True),
        ("KINDS[question.type]", False),
        ('step == "shape"', False),
        ('token.type == "text"', False),
        ("question.type == other.type", False),
    ],
)
def test_the_search_below_finds_a_comparison(source: str, asks: bool) -> None:
    assert any(map(asks_for_a_type, ast.walk(ast.parse(source)))) == asks


def test_no_type_is_compared_outside_its_own_file() -> None:
    def asked(path: Path) -> Iterator[tuple[int, str]]:
        return ((getattr(node, "lineno", 0), ast.unparse(node)) for node in nodes(path) if asks_for_a_type(node))

    assert_kept(asked, [path.relative_to(ROOT) for path in SOURCES])


def test_no_page_and_no_script_asks_for_a_type_by_name() -> None:
    named = "|".join(TYPES)
    asked = re.compile(rf"\b[tT]ype\s*(?:={{2,3}}|!=|in|not in)\s*\(?[\"'](?:{named})[\"']|data-type=\"(?:{named})\"")
    assert asked.search('{% if question.type in ("choice", "choices") %}')
    assert asked.search('if (type === "order") {')
    static = ROOT / "app" / "static"
    places = [*(ROOT / "templates").rglob("*.html"), *(static / "js").glob("*.js"), *(static / "css").glob("*.css")]

    def named_in(path: Path) -> Iterator[tuple[int, str]]:
        lines = enumerate((ROOT / path).read_text().splitlines(), 1)
        return ((number, line.strip()) for number, line in lines if asked.search(line))

    assert_kept(named_in, [path.relative_to(ROOT) for path in sorted(places)])
