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
feedback of this option`, a numbered list in its right order, or `- item => answer`), `:tolerance:` (absolute) and
`:rtol:` (relative), `:framework:` (as for a cell), a `{gap}` as a question within. `:points:` is what it counts in a
quiz, `:pool:` the pool of the quiz that it is in; `:right:` and `:other:` are told after a right answer, and after one
that nobody expected. `:partly: 50% answer -> text` is a mistake that earns a part. `:mistake:` and `:partly:` may
repeat; an option line goes on in indented lines below it, and so does an answer that is a program's output, by two
spaces. `:shuffle: false` keeps options in order.
"""

import hashlib
import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from app.content.expression import UnreadableAnswer
from app.content.page import Directive, Links
from app.content.parser import OPTION_LINE
from app.content.questions.faults import find_question_faults
from app.content.questions.kind import TASK_LIST, Kind, ListStyle
from app.content.questions.number import read_number
from app.content.questions.pieces import NAMES, PART, REPEATED, arrow_in, split_feedback
from app.content.questions.question import Choice, Given, Mistake, Pair, Question, Remark
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


SLUG = r"[a-z0-9]+(-[a-z0-9]+)*"
POINTS_MAX = 1000


class _QuestionReader:
    """`is_gap`: of a gap in another question, which has that one's text and explanation."""

    def __init__(self, path: str, line: int, *, is_gap: bool = False) -> None:
        self.path = path
        self.line = line
        self.is_gap = is_gap
        self.faults: list[Fault] = []

    def fault(self, line: int, message: str, hint: str, severity: Severity = "error", code: str = "question") -> None:
        self.faults.append(Fault(severity, self.path, line, code, message, hint))

    def read(self, directive: Directive, course: str, lesson: str, links: Links | None) -> Question | None:
        slug = directive.argument
        if not re.fullmatch(SLUG, slug):
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
        rubric = self._rubric(lines, kind)
        gaps = self._gaps(lines, course, lesson, slug, kind)
        pairs, choices = self._options(lines, f"{course}.{lesson}.{slug}", style)
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
        for name in ("partly", "other"):
            for value, line in settings.pop(name, []) if name not in kind.WRITTEN.settings else []:
                self._misplaced(name, value, line, "it there, or remove it")
        prompt = "\n".join(lines)
        given = tuple(itertools.chain.from_iterable(self._given(*entry) for entry in settings.get("given", [])))
        return Question(
            id=f"{course}.{lesson}.{slug}",
            slug=slug,
            type=kind.NAME,
            path=self.path,
            line=self.line,
            prompt=prompt,
            given=given,
            answer=settings.get("answer", [("", 0)])[0][0].strip("\n"),
            mistakes=tuple(self._mistakes(settings)),
            choices=choices,
            pairs=pairs,
            gaps=tuple(replace(gap, prompt=prompt, given=given) for gap in _in_order(gaps, prompt)),
            rubric=rubric,
            explanation=explanation,
            explanation_line=explanation_line,
            shuffle=shuffle != "false",
            atol=self._tolerance(settings.get("tolerance"), "tolerance", kind),
            rtol=self._tolerance(settings.get("rtol"), "rtol", kind),
            framework=framework,
            points=self._points(settings.get("points")),
            pool=self._pool(settings.get("pool")),
            right=self._remark(settings.get("right"), "right"),
            other=self._remark(settings.get("other"), "other"),
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
                if current not in NAMES:
                    self.fault(
                        number_,
                        f"A question has no `:{current}:`.",
                        f"Known: {', '.join(f':{name}:' for name in NAMES)}.",
                    )
                elif current in settings and current not in REPEATED:
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

    def _points(self, entries: list[tuple[str, int]] | None) -> Fraction:
        text, line = entries[0] if entries else ("1", self.line)
        points = Fraction(text) if re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,2})?", text) else Fraction(0)
        if 0 < points <= POINTS_MAX:
            return points
        hint = f"Write a number above 0 and up to {POINTS_MAX}, such as `:points: 2` or `:points: 0.5`."
        self.fault(line, f"`:points: {text}` is not a number of points.", hint)
        return Fraction(1)

    def _pool(self, entries: list[tuple[str, int]] | None) -> str:
        if entries and not re.fullmatch(SLUG, entries[0][0]):
            name, line = entries[0]
            self.fault(line, f"`{name}` is not a name for a pool.", "Use small letters, digits and dashes.")
        return entries[0][0] if entries else ""

    def _remark(self, entries: list[tuple[str, int]] | None, name: str) -> Remark | None:
        if not entries:
            return None
        text, line = entries[0]
        if not text:
            self.fault(line, f"`:{name}:` says nothing.", "Write what the student is told, or remove the line.")
            return None
        return Remark(text, line)

    def _explanation(self, lines: list[str]) -> tuple[str | None, int]:
        for _, text, line in self._nested(lines, "explain"):
            return text, line + 1
        if not self.is_gap:
            message = "The question has no explanation."
            self.fault(self.line, message, "Add `:::{explain}`: why the right answer is right.", "warning")
        return None, self.line

    def _nested(self, lines: list[str], name: str) -> Iterator[tuple[str, str, int]]:
        """(what stands beside its name, its text, its first line) of each such directive, which is blanked."""
        for start, line in enumerate(lines):
            opening = re.fullmatch(rf"(:{{3,}})\{{{name}\}}\s*(.*?)\s*", line)
            if not opening:
                continue
            closing = re.compile(rf":{{{len(opening[1])},}}\s*")
            end = next((i for i in range(start + 1, len(lines)) if closing.fullmatch(lines[i])), None)
            if end is None:
                self.fault(
                    self.line + 1 + start,
                    f"The {{{name}}} is never closed.",
                    f"End it with `{opening[1]}`; the question's own fence is longer.",
                )
                end = len(lines) - 1
            text = "\n".join(lines[start + 1 : end])
            lines[start : end + 1] = [""] * (end + 1 - start)
            yield opening[2], text, self.line + 1 + start

    def _rubric(self, lines: list[str], kind: Kind | None) -> Remark | None:
        for _, text, line in self._nested(lines, "rubric"):
            if kind is None or kind.WRITTEN.is_graded_by_hand:
                return Remark(text, line + 1)
            self.fault(line, "Only an essay has a rubric.", "Write `:::{explain}`, or `:type: essay`.")
        return None

    def _gaps(self, lines: list[str], course: str, lesson: str, slug: str, kind: Kind | None) -> list[Question]:
        gaps: dict[str, Question] = {}
        named: set[str] = set()
        for name, body, line in self._nested(lines, "gap"):
            if kind is None or not kind.WRITTEN.gaps:
                self.fault(line, "This question has no gaps.", "Write `:type: cloze`, or remove the {gap}.")
                continue
            named.add(name)
            reader = _QuestionReader(self.path, line, is_gap=True)
            gap = reader.read(Directive("gap", name, body, line), course, f"{lesson}.{slug}", None)
            self.faults += reader.faults
            if gap and gap.type not in kind.WRITTEN.gaps:
                types = ", ".join(sorted(kind.WRITTEN.gaps))
                self.fault(line, f"A gap cannot be of the type `{gap.type}`.", f"Use one of {types}.")
            elif gap and (gap.given or gap.prompt.strip()):
                hint = "Give values, and write text, in the question around it."
                self.fault(line, f"The gap `{name}` has a text or values of its own.", hint)
            elif gap and name in gaps:
                self.fault(line, f"Two gaps are named `{name}`.", "Give each its own name.")
            elif gap:
                gaps[name] = gap
        if kind and kind.WRITTEN.gaps:
            self._lost_gaps(lines, named)
        return list(gaps.values())

    def _lost_gaps(self, lines: list[str], named: set[str]) -> None:
        for index, line in enumerate(lines):
            for found in re.finditer(r"\[\[([a-z0-9-]+)\]\]", line):
                if found[1] not in named:
                    message = f"There is no gap `{found[1]}`."
                    self.fault(self.line + 1 + index, message, f"Write it below: `:::{{gap}} {found[1]}`.")

    def _options(self, lines: list[str], id: str, style: ListStyle) -> tuple[tuple[Pair, ...], tuple[Choice, ...]]:
        """The items of a list in this style, which are blanked, and of items with answers what belongs to what."""
        written = self._items(lines, style)
        if style.is_paired:
            return _paired_items(written, id)
        return (), tuple(_choice(box, text, first, id, style) for box, text, first in written)

    def _items(self, lines: list[str], style: ListStyle) -> list[tuple[str, str, int]]:
        """(its mark, its text, its line) of each item."""
        written: list[tuple[str, str, int]] = []
        fence = ""
        for index, line in enumerate(lines):
            if mark := re.match(r"\s*(`{3,}|~{3,})", line):
                fence = "" if fence and line.strip().startswith(fence) else fence or mark[1]
            if fence:
                continue
            if item := style.item.match(line):
                box = item[1] if item.re.groups > 1 else "x"
                written.append((box, item[item.re.groups], self.line + 1 + index))
            elif written and line.startswith("  ") and line.strip():
                box, text, first = written[-1]
                written[-1] = (box, f"{text.rstrip()}\n{line.strip()}", first)
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
        return written

    def _given(self, text: str, line: int) -> Iterator[Given]:
        """`n = 2 | 4; (N, T) = (2, 8) | (4, 16)`: values of one name, and of several that belong together."""
        for part in filter(None, map(str.strip, text.split(";"))):
            left, sign, right = part.partition("=")
            names = _paired(left)
            draws = tuple(map(_paired if len(names) > 1 else _alone, filter(None, map(str.strip, right.split("|")))))
            if not sign or not all(map(_NAME.fullmatch, names)) or not draws:
                hint = "Write `:given: name = value | value; other = value`."
                self.fault(line, f"`{part}` does not give a name its values.", hint)
            elif "answer" in names:
                self.fault(line, "`answer` always means the right answer.", "Use another name.")
            elif odd := next((draw for draw in draws if len(draw) != len(names) or not all(draw)), None):
                message = f"`({', '.join(odd)})` does not give each of {', '.join(names)} a value."
                self.fault(line, message, "Write `:given: (N, T) = (2, 8) | (4, 16)`.")
            else:
                yield Given(names, draws)

    def _mistakes(self, settings: Mapping[str, list[tuple[str, int]]]) -> Iterator[Mistake]:
        """In the order in which they are written: of two that an answer equals, the first one is told."""
        found = [(line, name, text) for name in ("mistake", "partly") for text, line in settings.get(name, [])]
        for line, name, text in sorted(found):
            expression, arrow, feedback = text.partition("->")
            share = PART.match(expression) if name == "partly" else None
            credit = _share(share[1]) if share else None
            expression = expression[share.end() :] if share else expression
            if not arrow or not expression.strip() or not feedback.strip():
                part = "50% " if name == "partly" else ""
                hint = f"Write `:{name}: {part}the wrong answer -> what to tell the student`."
                self.fault(line, f"`:{name}: {text}` has no text for the student.", hint)
            elif name == "partly" and (credit is None or not 0 < credit < 1):
                hint = "Begin with a part of the points from 1% to 99%: `:partly: 50% the answer -> what to tell`."
                self.fault(line, f"`:partly: {text}` does not say what it earns.", hint)
            else:
                yield Mistake(expression.strip(), feedback.strip(), line, credit or Fraction(0))


_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def _alone(text: str) -> tuple[str, ...]:
    return (text,)


def _paired(text: str) -> tuple[str, ...]:
    """`(N, T)` in two; what has no brackets around it is one."""
    text = text.strip()
    if not (text.startswith("(") and text.endswith(")")):
        return (text,)
    return tuple(map(str.strip, text[1:-1].split(",")))


def _in_order(gaps: list[Question], prompt: str) -> list[Question]:
    return sorted(gaps, key=lambda gap: prompt.find(f"[[{gap.slug}]]"))


def _choice(box: str, text: str, line: int, id: str, style: ListStyle) -> Choice:
    label, feedback = (text.strip(), None) if style.is_ordered else split_feedback(text)
    credit = _share(box)
    right = box in "xX" if credit is None else credit == 1 or (style.part_is_right and credit > 0)
    is_whole = credit == 1 and not style.part_is_right  # `[100%]` of a choice is `[x]`
    return Choice(_key(id, label), label, feedback, right, line, None if is_whole else credit)


def _key(id: str, label: str) -> str:
    return hashlib.sha256(f"{id}:{label}".encode()).hexdigest()[:10]


def _paired_items(written: list[tuple[str, str, int]], id: str) -> tuple[tuple[Pair, ...], tuple[Choice, ...]]:
    """`item => answer`; an answer without an item is spare. The same answer twice is one option for two items."""
    pairs: list[Pair] = []
    choices: dict[str, Choice] = {}
    for _, text, line in written:
        label, feedback = split_feedback(text)
        arrow = arrow_in(label)
        item, answer = (label[: arrow.start()].strip(), label[arrow.end() :].strip()) if arrow else (label, "")
        key = _key(id, answer)
        choices[key] = Choice(key, answer, None, bool(item) or (key in choices and choices[key].right), line)
        if item:
            pairs.append(Pair(_key(f"{id}:item", item), item, key, feedback, line))
    return tuple(pairs), tuple(choices.values())


def _share(mark: str) -> Fraction | None:
    """Of `50%` a half; None of a mark that is no percentage."""
    return Fraction(mark.rstrip("%").strip().replace("−", "-")) / 100 if mark.endswith("%") else None
