"""A folder is a trust level: imports run app → graders → graders.inside, and nowhere else."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TESTS = sorted(
    path.relative_to(ROOT)
    for path in (ROOT / "tests").rglob("*.py")
    if not {"hostile", "broken", "exercises", "unforeseen"} & set(path.relative_to(ROOT).parts)
)
BENCHMARKS = sorted(path.relative_to(ROOT) for path in (ROOT / "benchmarks").glob("*.py"))
IN_THE_BOX = {"numpy", "jax", "torch", "flax", "ml_dtypes", "safetensors", "matplotlib"}
IN_THE_JUDGE = {"numpy"}
FILES = sorted(path.relative_to(ROOT) for folder in ("app", "graders") for path in (ROOT / folder).rglob("*.py"))


def imports(path: Path) -> set[str]:
    """Every module that a file imports, at its top or later."""
    found = set()
    for node in ast.walk(ast.parse((ROOT / path).read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            assert node.module is not None
            found |= {f"{node.module}.{alias.name}" for alias in node.names} | {node.module}
    return found


def ours(names: set[str], package: str) -> set[str]:
    return {name for name in names if name == package or name.startswith(f"{package}.")}


# What each part of the judge may import of the others. Nothing imports `proof` but the web.
JUDGE = {
    "inside": {"frameworks"},
    "frameworks": set[str](),
    "text": set[str](),
    "parsing": set[str](),
    "cache": set[str](),
    "png": set[str](),
    "boxes": {"exercise", "frameworks", "inside", "text"},
    "reasons": {"boxes", "exercise", "frameworks", "text", "verdict"},
    "verdict": {"reasons", "text"},
    "exercise": {"boxes", "cache", "frameworks", "inside", "reasons", "text", "verdict"},
    "grade": {"boxes", "exercise", "frameworks", "reasons", "text", "verdict"},
    "cell": {"boxes", "exercise", "frameworks", "grade", "png", "reasons", "text", "verdict"},
    "worker": {"boxes", "exercise", "grade", "verdict"},
    "proof": {"boxes", "cache", "exercise", "frameworks", "grade", "inside", "reasons", "text", "verdict"},
}
# What is written is read with the words for an exercise; only `check` has it judged.
CONTENT = {
    *(f"exercise.{name}" for name in ("definition", "fault", "folder", "limits", "materials", "reader", "signature")),
    "exercise.toml", "frameworks", "text", "cache",
}  # fmt: skip


def modules() -> dict[str, Path]:
    return {".".join(path.with_suffix("").parts).removesuffix(".__init__"): path for path in FILES}


def module_of(name: str, known: dict[str, Path]) -> str | None:
    """The module of ours that an imported name is, or is in."""
    while name and name not in known:
        name = name.rpartition(".")[0]
    return name or None


def test_no_module_imports_itself_by_way_of_others() -> None:
    known = modules()
    arrows = {}
    for name, path in known.items():
        found = {module for imported in imports(path) if (module := module_of(imported, known))} - {name}
        arrows[name] = {module for module in found if known[module].name != "__init__.py"}
    left = dict(arrows)
    while leaves := [name for name, others in left.items() if not others & left.keys()]:
        for name in leaves:
            del left[name]
    assert not left, f"a cycle runs through {sorted(left)}"


@pytest.mark.parametrize("part", sorted(JUDGE))
def test_the_judges_parts_import_as_planned(part: str) -> None:
    paths = [path for path in FILES if path.parts[0] == "graders" and path.parts[1].removesuffix(".py") == part]
    assert paths
    for path in paths:
        others = {name.split(".")[1] for name in ours(imports(path), "graders") if "." in name} - {part}
        assert others <= JUDGE[part], path


def test_the_judge_has_no_other_parts() -> None:
    parts = {path.parts[1].removesuffix(".py") for path in FILES if path.parts[0] == "graders"}
    assert parts - {"__init__"} == JUDGE.keys()


def test_content_knows_the_words_for_an_exercise_and_no_judge() -> None:
    for path in FILES:
        if path.is_relative_to("app/content") and path.name != "check.py":
            names = {name.removeprefix("graders.") for name in ours(imports(path), "graders") if "." in name}
            odd = {
                name
                for name in names
                if not any(name == allowed or name.startswith(f"{allowed}.") for allowed in CONTENT)
            }
            assert odd <= {"exercise"}, path


@pytest.mark.parametrize("path", FILES, ids=str)
def test_imports_run_one_way(path: Path) -> None:
    names = imports(path)
    packages = {name.partition(".")[0] for name in names} - set(sys.stdlib_module_names)
    if path.is_relative_to("graders/inside"):
        assert not ours(names, "app")
        assert ours(names, "graders") == ours(names, "graders.inside") | ours(names, "graders.frameworks")
        assert packages <= IN_THE_BOX | {"graders"}, "the box: the standard library and array libraries only"
    elif path.is_relative_to("graders/frameworks"):
        assert ours(names, "graders") == ours(names, "graders.frameworks"), "read by the judge, and in the box"
        assert packages <= IN_THE_BOX | {"graders"}
    elif path.is_relative_to("graders"):
        assert not ours(names, "app")
        assert packages <= IN_THE_JUDGE | {"graders"}, "the judge: no HTTP, no SQL, no framework"
        assert not {name for name in names if name.partition(".")[0] in ("http", "sqlite3", "pickle", "urllib")}
        run = ours(names, "graders.inside") - {"graders.inside", "graders.inside.wire"}
        assert {name for name in run if not name.startswith("graders.inside.wire.")} <= set(), "only the wire is shared"
    else:
        assert not ours(names, "graders.inside"), "the web speaks to the judge, never into the box"
        assert not packages & {"jax", "torch", "flax", "matplotlib", "PIL"}, "the web loads no framework"


def test_a_students_editor_needs_the_standard_library_alone() -> None:
    """But in what they run themselves, which has what they write in."""
    for path in sorted((ROOT / "cli" / "lectern_cli").glob("*.py")):
        packages = {name.partition(".")[0] for name in imports(path)} - set(sys.stdlib_module_names)
        theirs = IN_THE_BOX | {"pytest"} if path.name == "test_samples.py" else set[str]()
        assert packages <= {"lectern_cli"} | theirs, path
    for path in FILES:
        assert not ours(imports(path), "lectern_cli"), path


def test_the_web_never_executes_what_others_wrote() -> None:
    for path in FILES:
        if path.is_relative_to("graders/inside"):
            continue
        for node in ast.walk(ast.parse((ROOT / path).read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in ("eval", "exec", "compile", "__import__"), f"{path}:{node.lineno}"


def test_nothing_is_pickled_anywhere() -> None:
    for path in FILES:
        assert not {"pickle", "marshal", "shelve", "dill", "cloudpickle"} & imports(path), path


def test_there_is_no_drawer_for_odds_and_ends() -> None:
    odd = {"utils.py", "helpers.py", "base.py", "common.py", "misc.py"}
    assert not [path for path in FILES if path.name in odd or {"services", "repositories"} & set(path.parts)]


@pytest.mark.parametrize("path", [*TESTS, *BENCHMARKS], ids=str)
def test_tests_share_by_modules_of_their_own(path: Path) -> None:
    """What two test modules need is in a `conftest.py`, or in a module named after it; not in one of the two."""
    for node in ast.walk(ast.parse((ROOT / path).read_text())):
        if isinstance(node, ast.Import | ast.ImportFrom):
            module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
            is_ours = isinstance(node, ast.Import) or node.level > 0 or module.partition(".")[0] == "tests"
            parts = [*module.split("."), *(part for alias in node.names for part in alias.name.split("."))]
            assert not is_ours or not [part for part in parts if part.startswith("test_")], f"{path}:{node.lineno}"


# What these folders test is the judge, from outside.
OF_THE_JUDGE = [path for path in TESTS if path.parts[1] in ("graders", "faults", "commands")]


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


@pytest.mark.parametrize("path", TESTS, ids=str)
def test_tests_import_nothing_private_of_the_judge(path: Path) -> None:
    for node in ast.walk(ast.parse((ROOT / path).read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "graders":
            assert not [alias.name for alias in node.names if is_private(alias.name)], f"{path}:{node.lineno}"
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            assert not re.fullmatch(r"graders(\.\w+)*\._[a-z]\w*(\.\w+)*", node.value), f"{path}:{node.lineno}"


@pytest.mark.parametrize("path", OF_THE_JUDGE, ids=str)
def test_tests_of_the_judge_look_at_it_from_outside(path: Path) -> None:
    """An attribute with an underscore is a test's own (`self._look`), or is not looked at, nor replaced by its name."""
    for node in ast.walk(ast.parse((ROOT / path).read_text())):
        if isinstance(node, ast.Attribute) and is_private(node.attr) and not ast.unparse(node).startswith("os._exit"):
            assert isinstance(node.value, ast.Name), f"{path}:{node.lineno}"
            assert node.value.id in ("self", "cls"), f"{path}:{node.lineno}"
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("setattr", "getattr")):
            names = [item.value for item in node.args if isinstance(item, ast.Constant) and isinstance(item.value, str)]
            assert not [name for name in names if is_private(name)], f"{path}:{node.lineno}"


def test_one_module_speaks_to_the_browsers_storage() -> None:
    """It may be refused or full at any moment, which is easily forgotten. A script before the first paint is alone."""
    scripts = ROOT / "app" / "static" / "js"
    found = {path.name for path in scripts.rglob("*.js") if re.search("(local|session)Storage", path.read_text())}
    assert found == {"storage.js", "panes-kept.js"}


# What the verbs of each room, and what every request passes, may import of the others. A room's verbs are the modules
# that lie in it directly; `pages` and `api` are their callers.
ROOMS = {
    "web": set[str](),
    "people": {"web"},
    "reading": {"people", "queue", "web"},
    "practice": {"people", "queue", "reading", "web"},
    "quizzes": {"people", "reading", "web"},
    "discussions": {"people", "practice", "quizzes", "reading", "web"},
    "progress": {"people", "practice", "quizzes", "reading", "web"},
    "queue": {"people", "practice", "reading", "web"},
    "operating": {"people", "practice", "queue", "reading", "teaching", "web"},
    "classes": {"people", "practice", "progress", "queue", "quizzes", "reading", "teaching", "web"},
    "teaching": {"discussions", "people", "practice", "progress", "queue", "quizzes", "reading", "web"},
}
CALLERS = {"pages", "api"}
# The rest of the web that lies in `app` itself: what is made once, and the lists of all rooms.
EVERYWHERE = {"db", "settings", "state", "content"}


def room_of(name: str) -> tuple[str, str]:
    """(room, caller) of a module of the web: ("practice", "pages"), ("practice", ""), ("db", "")."""
    parts = name.split(".")[1:]
    return parts[0], parts[1] if len(parts) > 1 and parts[1] in CALLERS else ""


def arrows_of(room: str, caller: str) -> dict[Path, set[tuple[str, str]]]:
    known = modules()
    found: dict[Path, set[tuple[str, str]]] = {}
    for name, path in known.items():
        if name.startswith(f"app.{room}.") and room_of(name) == (room, caller):
            imported = {module for other in ours(imports(path), "app") if (module := module_of(other, known))}
            found[path] = {room_of(module) for module in imported - {"app"}} - {(room, caller)}
    return found


@pytest.mark.parametrize("room", sorted(ROOMS))
def test_a_rooms_verbs_know_no_page_and_no_other_room_but_as_planned(room: str) -> None:
    found = arrows_of(room, "")
    assert found
    for path, others in found.items():
        if path == Path("app/web/server.py"):
            continue  # it starts the whole web
        assert not {other for other, caller in others if caller}, f"{path}: a verb imports a page or an API"
        assert {other for other, _ in others} <= ROOMS[room] | EVERYWHERE, path


@pytest.mark.parametrize("room", sorted(ROOMS))
@pytest.mark.parametrize("caller", sorted(CALLERS))
def test_pages_and_api_call_verbs_and_never_one_another(room: str, caller: str) -> None:
    for path, others in arrows_of(room, caller).items():
        assert not {other for other in others if other[1]}, f"{path}: another module of pages or of an API"
        assert {other for other, _ in others} <= ROOMS.keys() | EVERYWHERE, path


def test_nothing_but_the_command_line_knows_a_command() -> None:
    for path in FILES:
        if not path.is_relative_to("app/commands") and path != Path("app/__main__.py"):
            assert not ours(imports(path), "app.commands"), path


def test_no_verb_is_asked_with_a_request() -> None:
    """But where the sender is found out: who it is, and how a session begins."""
    asked = set()
    for path in FILES:
        parts = path.parts
        is_verb = parts[0] == "app" and len(parts) == 3 and parts[1] in ROOMS.keys() - {"web"}
        if is_verb and {"starlette.requests", "fastapi.Request"} & imports(path):
            asked.add(str(path))
    assert asked <= {"app/people/identity.py", "app/people/sessions.py", "app/practice/intake.py"}


def test_the_command_line_brings_no_content_and_no_web_before_a_command_needs_them() -> None:
    """Each second of `./lectern users` is one in which somebody waits."""
    asked = "import sys, app.__main__; print(*({'numpy', 'fastapi', 'sqlalchemy', 'markdown_it'} & {*sys.modules}))"
    done = subprocess.run([sys.executable, "-P", "-c", asked], capture_output=True, text=True, cwd=ROOT, check=True)
    assert not done.stdout.strip()
