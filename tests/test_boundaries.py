"""A folder is a trust level: imports run app → graders → graders.inside, and nowhere else."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.sources import ROOT, assert_kept, imports, nodes, python_files

TESTS = [
    path for path in python_files("tests") if not {"hostile", "broken", "exercises", "unforeseen"} & set(path.parts)
]
BENCHMARKS = sorted(path.relative_to(ROOT) for path in (ROOT / "benchmarks").glob("*.py"))
EDITOR = sorted(path.relative_to(ROOT) for path in (ROOT / "cli" / "lectern_cli").glob("*.py"))
IN_THE_BOX = {"numpy", "jax", "torch", "flax", "ml_dtypes", "safetensors", "matplotlib"}
IN_THE_JUDGE = {"numpy"}
FILES = python_files("app", "graders")


def is_in(name: str, *modules: str) -> bool:
    """Say whether a name is one of these modules, or in one."""
    return any(name == module or name.startswith(f"{module}.") for module in modules)


def ours(names: Iterable[str], package: str) -> set[str]:
    return {name for name in names if is_in(name, package)}


def is_foreign(package: str, known: set[str]) -> bool:
    return package not in known and package not in sys.stdlib_module_names


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


def test_no_import_is_relative() -> None:
    def relative(path: Path) -> Iterator[tuple[int, str]]:
        for node in nodes(path):
            if isinstance(node, ast.ImportFrom) and node.level:
                yield node.lineno, ast.unparse(node)

    assert_kept(relative, [*FILES, *EDITOR])


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


def part_of(path: Path) -> str:
    """The part of the judge that a file is in, or is."""
    return path.parts[1].removesuffix(".py") if path.parts[0] == "graders" else ""


def test_the_judges_parts_import_as_planned() -> None:
    def unplanned(path: Path) -> Iterator[tuple[int, str]]:
        part = part_of(path)
        for name, line in imports(path).items():
            other = name.split(".")[1] if is_in(name, "graders") and "." in name else part
            if other != part and other not in JUDGE[part]:
                yield line, f"{part} imports {name}"

    paths = [path for path in FILES if part_of(path) in JUDGE]
    assert {part_of(path) for path in paths} == JUDGE.keys()
    assert_kept(unplanned, paths)


def test_the_judge_has_no_other_parts() -> None:
    assert {part_of(path) for path in FILES} - {"", "__init__"} == JUDGE.keys()


def test_content_knows_the_words_for_an_exercise_and_no_judge() -> None:
    allowed = [f"graders.{name}" for name in CONTENT]

    def judged(path: Path) -> Iterator[tuple[int, str]]:
        for name, line in imports(path).items():
            if is_in(name, "graders") and not is_in(name, *allowed) and name not in ("graders", "graders.exercise"):
                yield line, f"imports {name}"

    assert_kept(judged, [path for path in FILES if path.is_relative_to("app/content") and path.name != "check.py"])


def why_refused(path: Path, name: str) -> str:
    """Say why a file may not import a module; nothing where it may."""
    package = name.partition(".")[0]
    if path.is_relative_to("graders/inside"):
        is_allowed = is_in(name, "graders.inside", "graders.frameworks") or not is_foreign(package, IN_THE_BOX)
        return "" if is_allowed else "the box: the standard library and array libraries only"
    if path.is_relative_to("graders/frameworks"):
        is_allowed = is_in(name, "graders.frameworks") or not is_foreign(package, IN_THE_BOX)
        return "" if is_allowed else "read by the judge, and in the box"
    if path.is_relative_to("graders"):
        if package in ("http", "sqlite3", "pickle", "urllib") or is_foreign(package, IN_THE_JUDGE | {"graders"}):
            return "the judge: no HTTP, no SQL, no framework"
        is_run = is_in(name, "graders.inside") and name != "graders.inside" and not is_in(name, "graders.inside.wire")
        return "only the wire is shared" if is_run else ""
    if is_in(name, "graders.inside"):
        return "the web speaks to the judge, never into the box"
    return "the web loads no framework" if package in {"jax", "torch", "flax", "matplotlib", "PIL"} else ""


def test_imports_run_one_way() -> None:
    def refused(path: Path) -> Iterator[tuple[int, str]]:
        for name, line in imports(path).items():
            if why := why_refused(path, name):
                yield line, f"imports {name}; {why}"

    assert_kept(refused, FILES)


def test_a_students_editor_needs_the_standard_library_alone() -> None:
    """But in what they run themselves, which has what they write in."""

    def foreign(path: Path) -> Iterator[tuple[int, str]]:
        theirs = IN_THE_BOX | {"pytest"} if path.name == "test_samples.py" else set[str]()
        for name, line in imports(path).items():
            if is_foreign(name.partition(".")[0], {"lectern_cli"} | theirs):
                yield line, f"imports {name}"

    def theirs(path: Path) -> Iterator[tuple[int, str]]:
        return ((line, f"imports {name}") for name, line in imports(path).items() if is_in(name, "lectern_cli"))

    assert_kept(foreign, EDITOR)
    assert_kept(theirs, FILES)


def test_the_web_never_executes_what_others_wrote() -> None:
    def executed(path: Path) -> Iterator[tuple[int, str]]:
        for node in nodes(path):
            match node:
                case ast.Call(func=ast.Name(id="eval" | "exec" | "compile" | "__import__")):
                    yield node.lineno, ast.unparse(node)

    assert_kept(executed, [path for path in FILES if not path.is_relative_to("graders/inside")])


def test_nothing_is_pickled_anywhere() -> None:
    def pickled(path: Path) -> Iterator[tuple[int, str]]:
        for name in {"pickle", "marshal", "shelve", "dill", "cloudpickle"} & imports(path).keys():
            yield imports(path)[name], f"imports {name}"

    assert_kept(pickled, FILES)


def test_there_is_no_drawer_for_odds_and_ends() -> None:
    odd = {"utils.py", "helpers.py", "base.py", "common.py", "misc.py"}
    assert not [path for path in FILES if path.name in odd or {"services", "repositories"} & set(path.parts)]


def test_tests_share_by_modules_of_their_own() -> None:
    """What two test modules need is in a `conftest.py`, or in a module named after it; not in one of the two."""

    def shared(path: Path) -> Iterator[tuple[int, str]]:
        for node in nodes(path):
            if isinstance(node, ast.Import | ast.ImportFrom):
                module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
                is_ours = isinstance(node, ast.Import) or node.level > 0 or module.partition(".")[0] == "tests"
                parts = [*module.split("."), *(part for alias in node.names for part in alias.name.split("."))]
                if is_ours and any(part.startswith("test_") for part in parts):
                    yield node.lineno, ast.unparse(node)

    assert_kept(shared, [*TESTS, *BENCHMARKS])


# What these folders test is the judge, from outside.
OF_THE_JUDGE = [path for path in TESTS if path.parts[1] in ("graders", "faults", "commands")]


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def test_tests_import_nothing_private_of_the_judge() -> None:
    named = re.compile(r"graders(\.\w+)*\._[a-z]\w*(\.\w+)*")

    def private(path: Path) -> Iterator[tuple[int, str]]:
        for node in nodes(path):
            if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "graders":
                if any(is_private(alias.name) for alias in node.names):
                    yield node.lineno, ast.unparse(node)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and named.fullmatch(node.value):
                yield node.lineno, repr(node.value)

    assert_kept(private, TESTS)


def test_tests_of_the_judge_look_at_it_from_outside() -> None:
    """An attribute with an underscore is a test's own (`self._look`), or is not looked at, nor replaced by its name."""

    def looked_at(path: Path) -> Iterator[tuple[int, str]]:
        for node in nodes(path):
            if isinstance(node, ast.Attribute) and is_private(node.attr):
                is_own = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
                if not is_own and not ast.unparse(node).startswith("os._exit"):
                    yield node.lineno, ast.unparse(node)
            elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("setattr", "getattr")):
                values = [item.value for item in node.args if isinstance(item, ast.Constant)]
                if any(isinstance(value, str) and is_private(value) for value in values):
                    yield node.lineno, ast.unparse(node)

    assert_kept(looked_at, OF_THE_JUDGE)


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


def arrows_of(path: Path, known: dict[str, Path]) -> Iterator[tuple[int, str, str, str]]:
    """Yield the line, name, room and caller of each module of the web that a file imports from elsewhere in it."""
    own = room_of(".".join(path.with_suffix("").parts))
    for name, line in imports(path).items():
        module = module_of(name, known) if is_in(name, "app") else None
        if module is not None and module != "app" and room_of(module) != own:
            yield line, module, *room_of(module)


def in_rooms(*callers: str) -> list[Path]:
    """List the modules of all rooms that these callers, or the verbs (""), are made of."""
    inner = {path: room_of(name) for name, path in modules().items() if is_in(name, "app") and name.count(".") > 1}
    return [path for path, (room, caller) in inner.items() if room in ROOMS and caller in callers]


def test_a_rooms_verbs_know_no_page_and_no_other_room_but_as_planned() -> None:
    known = modules()

    def unplanned(path: Path) -> Iterator[tuple[int, str]]:
        for line, module, room, caller in arrows_of(path, known):
            if caller:
                yield line, f"a verb imports a page or an API: {module}"
            elif room not in ROOMS[path.parts[1]] | EVERYWHERE:
                yield line, f"{path.parts[1]} imports {module}"

    paths = [path for path in in_rooms("") if path != Path("app/web/server.py")]  # it starts the whole web
    assert {path.parts[1] for path in paths} == ROOMS.keys()
    assert_kept(unplanned, paths)


def test_pages_and_api_call_verbs_and_never_one_another() -> None:
    known = modules()

    def unplanned(path: Path) -> Iterator[tuple[int, str]]:
        for line, module, room, caller in arrows_of(path, known):
            if caller or room not in ROOMS.keys() | EVERYWHERE:
                yield line, f"imports {module}"

    paths = in_rooms(*CALLERS)
    assert paths
    assert_kept(unplanned, paths)


def test_nothing_but_the_command_line_knows_a_command() -> None:
    def commands(path: Path) -> Iterator[tuple[int, str]]:
        return ((line, f"imports {name}") for name, line in imports(path).items() if is_in(name, "app.commands"))

    command_line = ("app/commands", "app/__main__.py")
    assert_kept(commands, [path for path in FILES if not any(map(path.is_relative_to, command_line))])


def test_no_verb_is_asked_with_a_request() -> None:
    """But where the sender is found out: who it is, and how a session begins."""
    asked = set()
    for path in FILES:
        parts = path.parts
        is_verb = parts[0] == "app" and len(parts) == 3 and parts[1] in ROOMS.keys() - {"web"}
        if is_verb and {"starlette.requests", "fastapi.Request"} & imports(path).keys():
            asked.add(str(path))
    assert asked <= {"app/people/identity.py", "app/people/sessions.py", "app/practice/intake.py"}


def test_the_command_line_brings_no_content_and_no_web_before_a_command_needs_them() -> None:
    """Each second of `./lectern users` is one in which somebody waits."""
    asked = "import sys, app.__main__; print(*({'numpy', 'fastapi', 'sqlalchemy', 'markdown_it'} & {*sys.modules}))"
    done = subprocess.run([sys.executable, "-P", "-c", asked], capture_output=True, text=True, cwd=ROOT, check=True)
    assert not done.stdout.strip()
