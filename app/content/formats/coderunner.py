"""CodeRunner's Python questions, of Moodle XML: the sample answer is the reference, tests become scripts.

A test is code that runs after the answer, and what that prints. A box says whether the sample answer does print it.
"""

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from app.content.formats.deep_ml import PROGRAM
from app.content.formats.draft import Draft, ScriptCase, named_apart, slug_of
from app.content.formats.elements import Element
from app.content.formats.kind import Item, NoCounterpart, OwnTests
from app.content.formats.notebook import framework_of
from app.content.formats.source import Module, is_python, stub_of
from app.content.formats.tests import Script, Suite, free_names

LANGUAGES = ("python2", "python3")
SHOWN = 160


@dataclass(frozen=True)
class _Test:
    number: int
    code: str
    expected: str
    is_sample: bool


def item(element: Element, name: str, prompt: str) -> Item:
    """Raises NoCounterpart."""
    return _Problem(element, name, prompt).item()


@dataclass(frozen=True)
class _Problem:
    element: Element
    name: str
    prompt: str

    def item(self) -> Item:
        type_ = self.element.own_text("coderunnertype")
        if not type_.startswith(LANGUAGES):
            raise NoCounterpart(f"It asks for {type_ or 'an unnamed language'}; exercises here are in Python.")
        if not self.solution.text.strip():
            raise NoCounterpart("It has no sample answer, which would be the reference.")
        scripts, lost = self._scripts()
        if not scripts:
            raise NoCounterpart(f"None of its tests can be a script: {'; '.join(lost) or 'there are none'}.")
        if not (slug := slug_of(self.name)):
            raise NoCounterpart("It has no name to make an address of.")
        names = named_apart([(f"test {test.number}", script.text) for test, script in scripts])
        cases = [ScriptCase(n, text, test.is_sample) for (n, text), (test, _) in zip(names, scripts, strict=True)]
        draft = Draft(
            title=self.name,
            entry=self.entries,
            statement=self.prompt or self.name,
            starter=self._starter(),
            reference=self.solution.text,
            cases=sorted(cases, key=lambda case: not case.sample),
            framework=framework_of(self.solution.text),
        )
        warnings = [f"{text}; this test is left out." for text in lost]
        return Item(slug, draft.files(), warnings=tuple(warnings), own_tests=self._own_tests())

    @cached_property
    def solution(self) -> Module:
        return Module("the sample answer", _text(self.element, "answer"))

    @cached_property
    def tests(self) -> Sequence[_Test]:
        cases = self.element.first("testcases")
        return [_test(number, case) for number, case in enumerate(cases.all("testcase") if cases else (), 1)]

    @cached_property
    def entries(self) -> list[str]:
        """What the tests use of the sample answer, in its order."""
        sources = [test.code for test in self.tests if is_python(test.code)]
        used = {name for source in sources for name in free_names(ast.parse(source).body)}
        found = [name for name in self.solution.definitions if name in used]
        if not found:
            raise NoCounterpart("Its tests call nothing that its sample answer defines: it asks for a whole program.")
        return found

    def _scripts(self) -> tuple[list[tuple[_Test, Script]], list[str]]:
        """The tests with their scripts, and why others have none."""
        found, lost = [], []
        for test, case in zip(self.tests, self._cases(), strict=True):
            if not is_python(test.code):
                lost.append(f"Test {test.number} does not compile")
            elif _text(case, "stdin", "text").strip():
                lost.append(f"Test {test.number} feeds standard input, which no exercise reads")
            elif script := self._script(test.code):
                found.append((test, script))
            else:
                lost.append(f"Test {test.number} prints nothing that the student's code returns")
        return found, lost

    def _cases(self) -> list[Element]:
        cases = self.element.first("testcases")
        return cases.all("testcase") if cases else []

    def _script(self, code: str) -> Script | None:
        module = Module("the test", code)
        suite = Suite(module, frozenset(self.entries), imports=dict(self.solution.imports), prints=True)
        return suite.script(module.tree.body)

    def _starter(self) -> str:
        text = _text(self.element, "answerpreload")
        text = text if is_python(text) else ""
        defined = Module("the preload", text).definitions
        missing = [name for name in self.entries if name not in defined]
        return "\n\n\n".join(filter(None, [text.strip("\n"), stub_of(self.solution, missing)])) + "\n"

    def _own_tests(self) -> OwnTests:
        inputs = {"solution": self.solution.text, "tests": [test.code for test in self.tests]}
        expected = [test.expected for test in self.tests]
        framework = framework_of(self.solution.text)
        return OwnTests(len(expected), PROGRAM, inputs, framework, lambda result: _disagreements(result, expected))


def _test(number: int, case: Element) -> _Test:
    expected = _text(case, "expected", "text")
    return _Test(number, _text(case, "testcode", "text"), expected, case.get("useasexample") == "1")


def _text(element: Element, *path: str) -> str:
    """As it stands there: space at the beginning of a line is Python."""
    found = element.first(*path)
    return "".join(found.texts()).replace("\r\n", "\n").strip("\n") if found else ""


def _disagreements(result: Any, expected: Sequence[str]) -> list[str]:
    if not isinstance(result, list) or len(result) != len(expected):
        return ["Its tests did not run to their end"]
    found = []
    for number, ((printed, error), text) in enumerate(zip(result, expected, strict=True), 1):
        if error:
            found.append(f"Test {number} ends in {error}")
        elif _lines(printed) != _lines(text):
            found.append(f"Test {number} expects {text[:SHOWN]!r}, but the sample answer prints {printed[:SHOWN]!r}")
    return found


def _lines(text: str) -> list[str]:
    """As CodeRunner compares them: space at the ends of lines, and empty lines at the end, do not count."""
    return [line.rstrip() for line in text.rstrip().split("\n")]
