"""Reads a question from its directive. (`faults` then tries it out on every variant.)

    ::::{question} parameter-count
    :type: count
    :given: max_len = 128 | 256; d_model = 64 | 256
    :answer: max_len * d_model
    :mistake: max_len + d_model -> Each of the max_len rows holds d_model numbers: multiply.
    How many trainable numbers are in a table of {{max_len}} rows of {{d_model}}?
    :::{explain}
    ${{max_len}} \\times {{d_model}} = {{answer}}$.
    :::
    ::::

`{{max_len - 1}}` is arithmetic with given names.

`:type:` is a name in `table`; what else a type knows, its own file says: options (task-list items, `- [x] text -- the
feedback of this option`, or a numbered list in its right order), `:tolerance:` (absolute) and `:rtol:` (relative),
`:framework:` (as for a cell). `:mistake:` may repeat; an option line goes on in indented lines below it, and so does an
answer that is a program's output, by two spaces. `:shuffle: false` keeps options in order.
"""

import hashlib
import itertools
import re
from collections.abc import Iterator
from fractions import Fraction

from app.content.expression import UnreadableAnswer
from app.content.page import Directive, Links
from app.content.parser import OPTION_LINE
from app.content.questions.faults import find_question_faults
from app.content.questions.kind import TASK_LIST, Kind, ListStyle
from app.content.questions.number import read_number
from app.content.questions.question import Choice, Mistake, Question
from app.content.questions.table import KINDS
from graders.exercise.fault import Fault, Severity
from graders.frameworks import FRAMEWORKS


def read_question(
    directive: Directive, course: str, lesson: str, path: str, links: Links | None = None
) -> tuple[Question | None, tuple[Fault, ...]]:
    """The question, or None if it cannot be asked, and everything wrong with it."""
    reader = _QuestionReader(path, directive.line)
    question = reader.read(directive, course, lesson, links)
    if question:
        reader.faults.extend(find_question_faults(question))
    sound = not any(fault.severity == "error" for fault in reader.faults)
    return (question if sound else None), tuple(dict.fromkeys(reader.faults))


_NAMES = ("type", "given", "answer", "mistake", "shuffle", "tolerance", "rtol", "framework")


class _QuestionReader:
    def __init__(self, path: str, line: int) -> None:
        self.path = path
        self.line = line
        self.faults: list[Fault] = []

    def fault(self, line: int, message: str, hint: str, severity: Severity = "error", code: str = "question") -> None:
        self.faults.append(Fault(severity, self.path, line, code, message, hint))

    def read(self, directive: Directive, course: str, lesson: str, links: Links | None) -> Question | None:
        slug = directive.argument
        if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", slug):
            self.fault(
                self.line,
                f"`{slug}` is not a name for a question.",
                "Write `{question} a-short-name`: small letters, digits, dashes.",
            )
            return None
        lines = directive.body.split("\n")
        settings = self._settings(lines)
        explanation, explanation_line = self._explanation(lines)
        type_name, type_line = settings["type"][0] if "type" in settings else ("", self.line)
        kind = KINDS.get(type_name)
        style = kind.WRITTEN.options if kind else TASK_LIST
        choices = self._choices(lines, f"{course}.{lesson}.{slug}", style)
        if kind is None:
            self.fault(
                type_line,
                f"There is no question type `{type_name}`." if type_name else "The question has no type.",
                f"Write `:type:` and one of {', '.join(KINDS)}.",
            )
            return None
        shuffle, shuffle_line = settings.get("shuffle", [("true", 0)])[0]
        if shuffle not in ("true", "false"):
            self.fault(
                shuffle_line,
                f"`:shuffle: {shuffle}` is neither true nor false.",
                "Write `:shuffle: false`, or leave the line out.",
            )
        framework, framework_line = settings.get("framework", [("numpy", 0)])[0]
        if framework not in FRAMEWORKS or (framework_line and "framework" not in kind.WRITTEN.settings):
            self._misplaced("framework", framework, framework_line, f"one of {', '.join(FRAMEWORKS)}")
        return Question(
            id=f"{course}.{lesson}.{slug}",
            slug=slug,
            type=kind.NAME,
            path=self.path,
            line=self.line,
            prompt="\n".join(lines),
            given=tuple(itertools.chain.from_iterable(self._given(*entry) for entry in settings.get("given", []))),
            answer=settings.get("answer", [("", 0)])[0][0].strip("\n"),
            mistakes=tuple(self._mistakes(settings.get("mistake", []))),
            choices=tuple(choices),
            explanation=explanation,
            explanation_line=explanation_line,
            shuffle=shuffle != "false",
            atol=self._tolerance(settings.get("tolerance"), "tolerance", kind),
            rtol=self._tolerance(settings.get("rtol"), "rtol", kind),
            framework=framework,
            links=links,
        )

    def _settings(self, lines: list[str]) -> dict[str, list[tuple[str, int]]]:
        """The leading `:name: value` lines, which are blanked: the prompt's lines keep their numbers."""
        settings: dict[str, list[tuple[str, int]]] = {}
        current: str | None = None
        is_output = False
        for index, line in enumerate(lines):
            number_ = self.line + 1 + index
            if option := OPTION_LINE.match(line):
                current = option[1]
                kind = KINDS.get(settings.get("type", [("", 0)])[0][0])
                is_output = current == "answer" and kind is not None and kind.WRITTEN.is_output
                if current not in _NAMES:
                    self.fault(
                        number_,
                        f"A question has no `:{current}:`.",
                        f"Known: {', '.join(f':{name}:' for name in _NAMES)}.",
                    )
                elif current in settings and current not in ("mistake", "given"):
                    self.fault(number_, f"`:{current}:` appears twice.", "Keep one of them.")
                settings.setdefault(current, []).append(((option[2] or "").strip(), number_))
            elif current and line.startswith("  ") and line.strip():
                value, first = settings[current][-1]
                more = f"\n{line[2:].rstrip()}" if is_output else f" {line.strip()}"
                settings[current][-1] = (value + more, first)
            elif current and is_output and not line and "".join(lines[index + 1 : index + 2]).startswith("  "):
                settings[current][-1] = (settings[current][-1][0] + "\n", settings[current][-1][1])
            else:
                break
            lines[index] = ""
        return settings

    def _misplaced(self, name: str, value: str, line: int, write: str) -> None:
        types = " or ".join(f"`{kind.NAME}`" for kind in KINDS.values() if name in kind.WRITTEN.settings)
        hint = f"It belongs to the type {types}: write {write}."
        self.fault(line, f"`:{name}: {value}` has no meaning here.", hint)

    def _tolerance(self, entries: list[tuple[str, int]] | None, name: str, kind: Kind) -> Fraction:
        if not entries:
            return Fraction(0)
        text, line = entries[0]
        try:
            value, _ = read_number(text)
        except UnreadableAnswer:
            value = Fraction(-1)
        if value < 0 or name not in kind.WRITTEN.settings:
            self._misplaced(name, text, line, "0.01 or 1e-3")
        return max(value, Fraction(0))

    def _explanation(self, lines: list[str]) -> tuple[str | None, int]:
        for start, line in enumerate(lines):
            if opening := re.fullmatch(r"(:{3,})\{explain\}\s*", line):
                closing = re.compile(rf":{{{len(opening[1])},}}\s*")
                end = next((i for i in range(start + 1, len(lines)) if closing.fullmatch(lines[i])), None)
                if end is None:
                    self.fault(
                        self.line + 1 + start,
                        "The {explain} is never closed.",
                        f"End it with `{opening[1]}`; the question's own fence is longer.",
                    )
                    end = len(lines) - 1
                text = "\n".join(lines[start + 1 : end])
                lines[start : end + 1] = [""] * (end + 1 - start)
                return text, self.line + 2 + start
        self.fault(
            self.line,
            "The question has no explanation.",
            "Add `:::{explain}`: why the right answer is right.",
            "warning",
        )
        return None, self.line

    def _choices(self, lines: list[str], question_id: str, style: ListStyle) -> list[Choice]:
        """The items of a list in this style, which are blanked."""
        written: list[tuple[bool, str, int]] = []
        fence = ""
        for index, line in enumerate(lines):
            if mark := re.match(r"\s*(`{3,}|~{3,})", line):
                fence = "" if fence and line.strip().startswith(fence) else fence or mark[1]
            if fence:
                continue
            if item := style.item.match(line):
                right = style.is_ordered or item[1] != " "
                written.append((right, item[item.re.groups].strip(), self.line + 1 + index))
            elif written and line.startswith("  ") and line.strip():
                right, text, first = written[-1]
                written[-1] = (right, f"{text}\n{line.strip()}", first)
            elif written and line.strip():
                self.fault(
                    self.line + 1 + index,
                    "There is text after the options.",
                    "Put it before them, or into `:::{explain}`; indent what continues an option.",
                )
                continue
            else:
                continue
            lines[index] = ""
        choices = []
        for right, text, first in written:
            label, feedback = (text, None) if style.is_ordered else _split_feedback(text)
            key = hashlib.sha256(f"{question_id}:{label}".encode()).hexdigest()[:10]
            choices.append(Choice(key, label, feedback, right, first))
        return choices

    def _given(self, text: str, line: int) -> Iterator[tuple[str, tuple[str, ...]]]:
        for part in filter(None, map(str.strip, text.split(";"))):
            name, sign, values = part.partition("=")
            choices = tuple(filter(None, map(str.strip, values.split("|"))))
            if not sign or not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name.strip()) or not choices:
                hint = "Write `:given: name = value | value; other = value`."
                self.fault(line, f"`{part}` does not give a name its values.", hint)
            elif name.strip() == "answer":
                self.fault(line, "`answer` always means the right answer.", "Use another name.")
            else:
                yield name.strip(), choices

    def _mistakes(self, entries: list[tuple[str, int]]) -> Iterator[Mistake]:
        for text, line in entries:
            expression, arrow, feedback = text.partition("->")
            if not arrow or not expression.strip() or not feedback.strip():
                self.fault(
                    line,
                    f"`:mistake: {text}` has no text for the student.",
                    "Write `:mistake: the wrong answer -> what to tell the student`.",
                )
            else:
                yield Mistake(expression.strip(), feedback.strip(), line)


def _split_feedback(text: str) -> tuple[str, str | None]:
    """`text -- feedback`, at the first ` -- ` outside code and mathematics."""
    masked = re.sub(r"`[^`]*`|\$[^$]*\$", lambda match: "x" * len(match[0]), text)
    found = re.search(r"\s--\s", masked)
    if not found:
        return text.strip(), None
    return text[: found.start()].strip(), text[found.end() :].strip() or None
