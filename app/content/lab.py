"""A lab in a lesson: which, with which options, and its caption; and what can be wrong in its directive."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from app.content.labs import LABS
from app.content.labs.kind import LabKind, Option, Picture
from app.content.markdown import render
from app.content.page import Directive, Links
from app.content.parser import OPTION_LINE
from graders.exercise.fault import Fault


@dataclass(frozen=True)
class Control:
    """A slider: from `low` to `high`, standing at `place`. `values` are what its places mean, where they are not it."""

    option: Option[float]
    value: float

    @property
    def stepped(self) -> bool:
        return not isinstance(self.option.values, range)

    @property
    def low(self) -> float:
        return 0 if self.stepped else self.option.values[0]

    @property
    def high(self) -> float:
        return len(self.option.values) - 1 if self.stepped else self.option.values[-1]

    @property
    def step(self) -> int:
        return self.option.values.step if isinstance(self.option.values, range) else 1

    @property
    def place(self) -> float:
        return list(self.option.values).index(self.value) if self.stepped else self.value


@dataclass(frozen=True)
class Lab:
    """`key` is unique on its page."""

    kind: LabKind
    key: str
    options: Mapping[str, int]
    caption_html: str
    picture: Picture

    @property
    def name(self) -> str:
        return self.kind.name

    @property
    def controls(self) -> list[Control]:
        return [Control(option, self.options[option.name]) for option in self.kind.options if option.slides]

    @property
    def parameters(self) -> list[Control]:
        """Of its experiment, as they stand before anyone touches them."""
        experiment = self.kind.experiment
        return [Control(one, one.default) for one in experiment.parameters] if experiment else []

    @property
    def options_json(self) -> str:
        return json.dumps(dict(self.options))


def read_lab(directive: Directive, key: str, path: str, links: Links) -> tuple[Lab | None, list[Fault]]:
    """The lab that a directive asks for, or None where its mistakes leave nothing to show."""
    kind = LABS.get(directive.argument)
    if not kind:
        message = f"There is no lab `{directive.argument}`." if directive.argument else "The lab has no name."
        return None, [_fault(path, directive.line, message, f"Known: {', '.join(sorted(LABS))}.")]
    stated, body, lines = _split(directive.body)
    options = {option.name: option.default for option in kind.options}
    faults = list(_read_options(kind, stated, options, path, directive.line + 1))
    caption = render(body, links=links, path=path, first_line=directive.line + 1 + lines)
    faults.extend(caption.faults)
    if not body.strip():
        hint = "Below its options, say what it shows: this is its caption."
        faults.append(_fault(path, directive.line, f"The lab `{kind.name}` has no caption.", hint))
    return Lab(kind, key, options, caption.html, kind.draw(options)), faults


def _split(body: str) -> tuple[list[tuple[str, str]], str, int]:
    """The leading `:name: value` lines, what follows them, and how many there were."""
    lines = body.split("\n")
    stated = []
    while lines and (option := OPTION_LINE.match(lines[0])):
        stated.append((option[1], (option[2] or "").strip()))
        lines.pop(0)
    return stated, "\n".join(lines), len(stated)


def _read_options(
    kind: LabKind, stated: list[tuple[str, str]], options: dict[str, int], path: str, line: int
) -> Iterator[Fault]:
    """Puts what is stated rightly into `options`, and yields the rest as faults."""
    known = {option.name: option for option in kind.options}
    for number, (name, text) in enumerate(stated, line):
        if name not in known:
            takes = f"It takes {', '.join(known)}." if known else "It takes no options: remove the line."
            yield _fault(path, number, f"The lab `{kind.name}` has no option `{name}`.", takes)
        elif not re.fullmatch(r"[0-9]{1,9}", text) or int(text) not in known[name].values:
            hint = f"Write {known[name].choices}."
            yield _fault(path, number, f"The lab `{kind.name}` does not accept `:{name}: {text}`.", hint)
        else:
            options[name] = int(text)


def _fault(path: str, line: int, message: str, hint: str) -> Fault:
    return Fault("error", path, line, "lab", message, hint)
