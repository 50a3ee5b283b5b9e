"""A cell of a lesson: code that its readers run, and change.

    :::{code-cell} python
    :name: blind
    :framework: jax
    :continues:
    attention(x)[0]
    :::

Each cell runs by itself; one that says `:continues:` runs after the earlier cells of its lesson and framework, but
those that are meant to fail: as they stand in the reader's page, edited or not. `:raises: IndexError` says that
it ends in that error. `:run: false` is a listing, which nobody runs.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from app.content.page import Directive
from app.content.parser import OPTION_LINE
from app.content.renderer import is_wide
from graders.exercise.fault import Fault
from graders.frameworks import FRAMEWORKS

_KNOWN = ("name", "label", "framework", "continues", "raises", "run", "caption")
OPTIONS = _KNOWN  # as an editor proposes them
_LANGUAGES = ("", "python", "python3", "ipython3")


@dataclass(frozen=True)
class Cell:
    """`before` are the sources it continues, and `before_names` whose. `line` is its source's first."""

    name: str
    source: str
    framework: str
    before: tuple[str, ...] = ()
    before_names: tuple[str, ...] = ()
    raises: str | None = None
    caption: str = ""
    line: int = 1

    @property
    def is_wide(self) -> bool:
        return is_wide(self.source)


@dataclass(frozen=True)
class Listing:
    """Code that is read only."""

    source: str


def read_cell(directive: Directive, earlier: Sequence[Cell], path: str) -> tuple[Cell | Listing, list[Fault]]:
    """The cell in a directive, after the `earlier` ones of its lesson. A mistaken option is a fault, and ignored."""
    options, source, skipped = _options(directive.body)
    faults: list[Fault] = []

    def fault(message: str, hint: str) -> None:
        faults.append(Fault("error", path, directive.line, "code-cell", message, hint))

    for name in sorted(set(options) - set(_KNOWN)):
        fault(f"A code cell has no option `{name}`.", f"Known: {', '.join(_KNOWN)}.")
    if directive.argument not in _LANGUAGES:
        fault(
            f"A code cell is in Python, not in `{directive.argument}`.",
            "Use a plain fence with the name of the language.",
        )
    if not source.strip():
        fault("The code cell is empty.", "Write Python between its fences.")
    run = options.get("run", "true")
    if run not in ("true", "false", ""):
        fault(f"`:run: {run}` is neither true nor false.", "Leave it out, or write `:run: false`.")
    if run == "false":
        return Listing(source), faults
    framework = options.get("framework", "numpy")
    if framework not in FRAMEWORKS:
        fault(f"There is no framework `{framework}`.", f"Choose one of {', '.join(FRAMEWORKS)}.")
        framework = "numpy"
    name = options.get("name") or options.get("label") or f"cell-{len(earlier) + 1}"
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name):
        fault(f"`{name}` is not a valid cell name.", "Use lower-case letters, digits and dashes between them.")
        name = f"cell-{len(earlier) + 1}"
    if name in [one.name for one in earlier]:
        fault(f"Two cells are named `{name}`.", "Each name is part of an address: give each cell its own.")
        name = f"{name}-{len(earlier) + 1}"
    raises = options.get("raises")
    if raises is not None and not raises.isidentifier():
        fault("`:raises:` names no exception.", "Name the exception that the cell ends in: `:raises: IndexError`.")
    continued = [one for one in earlier if one.framework == framework and not one.raises]
    continued = continued if "continues" in options else []
    if "continues" in options and not continued:
        fault(
            "There is no earlier cell for this one to continue.",
            "Remove `:continue:`: no earlier cell of this framework ends without an error.",
        )
    return Cell(
        name=name,
        source=source,
        framework=framework,
        before=tuple(one.source for one in continued),
        before_names=tuple(one.name for one in continued),
        raises=raises or None,
        caption=options.get("caption", ""),
        line=directive.line + 1 + skipped,
    ), faults


def _options(body: str) -> tuple[dict[str, str], str, int]:
    """(options, the source, lines before it)."""
    lines = body.split("\n")
    options: dict[str, str] = {}
    count = 0
    while count < len(lines) and (option := OPTION_LINE.match(lines[count])):
        options[option[1]] = (option[2] or "").strip()
        count += 1
    while count < len(lines) and not lines[count].strip():
        count += 1
    return options, "\n".join(lines[count:]).rstrip(), count
