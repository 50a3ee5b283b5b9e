"""Tests of other systems become scripts; what students must not see stays out of them."""

import ast

import pytest

from app.content.formats.draft import MAX_CASES, Draft, ScriptCase, halved, slug_of
from app.content.formats.kind import NoCounterpart
from app.content.formats.source import Module, pieces_of, stub_of
from app.content.formats.table import FORMATS, by_name
from app.content.formats.tests import Script, Suite


def script(text: str, **options: object) -> Script | None:
    module = Module("the test", text.strip("\n"))
    imports = {name: node for name, node in {**KNOWN, **module.imports}.items() if name != "f"}
    suite = Suite(module, frozenset(("f", "g", "Box")), imports=imports, **options)  # type: ignore[arg-type]
    return suite.script(module.tree.body)


KNOWN = Module("", "import numpy as np\nimport math\n").imports

ASSERTIONS = [
    ("self.assertEqual(f(2), 4)", "f(2)"),
    ("self.assertEqual(4, f(2))", "f(2)"),
    ("assert f(2) == 4", "f(2)"),
    ("assert [1, 2] == f(2), 'wrong'", "f(2)"),
    ("expected = [1, 2]\nresult = f(2)\nself.assertEqual(result, expected)", "result = f(2)\nresult"),
    ("self.assertEqual(Box(1), Box(2))", "Box(1) == Box(2)"),
    ("self.assertNotEqual(f(1), 2)", "f(1) != 2"),
    ("self.assertIs(f(1), True)", "f(1)"),
    ("self.assertIsNone(f(1))", "f(1)"),
    ("self.assertIsNotNone(f(1))", "f(1) is not None"),
    ("self.assertTrue(f(1))", "bool(f(1))"),
    ("self.assertTrue(f(1) > 2)", "f(1) > 2"),
    ("self.assertFalse(f(1))", "not f(1)"),
    ("self.assertIn(3, f(1))", "3 in f(1)"),
    ("self.assertCountEqual(f(1), [1, 2])", "sorted(f(1), key=repr)"),
    ("self.assertAlmostEqual(f(1), 0.5, places=3)", "f(1)"),
    ("self.assertIsInstance(f(1), list)", "isinstance(f(1), list)"),
    ("self.assertRegex(f(1), 'a+')", "import re\nre.search('a+', f(1)) is not None"),
    ("assert_not_equal(f(1), 2)", "f(1) != 2"),
    ("assert np.allclose(f(1), np.ones(2))", "f(1)"),
    ("assert np.allclose(f(1), g(1))", "import numpy as np\nnp.allclose(f(1), g(1))"),
    ("np.testing.assert_allclose(f(1), [1.0])", "f(1)"),
    ("assert (f(1) == np.ones(2)).all()", "f(1)"),
    ("assert abs(f(1) - 0.5) < 1e-6", "f(1)"),
    ("assert f(1) == 1 and g(2) == 2", "f(1)\ng(2)"),
    ("assert not f(1)", "not f(1)"),
    ("b = Box()\nb.fill(3)\nself.assertEqual(b.size, 3)", "b = Box()\n_ = b.fill(3)\nb.size"),
    ("xs = [2, 1]\nf(xs)\nself.assertEqual(xs, [1, 2])", "xs = [2, 1]\n_ = f(xs)\nxs"),
    (
        "for n in range(3):\n    self.assertEqual(f(n), n)",
        "answers = []\nfor n in range(3):\n    answers.append(f(n))\nanswers",
    ),
    ("with self.subTest('one'):\n    self.assertEqual(f(1), 1)", "f(1)"),
]


@pytest.mark.parametrize(("test", "expected"), ASSERTIONS, ids=[test for test, _ in ASSERTIONS])
def test_a_script_keeps_what_an_assertion_looks_at(test: str, expected: str) -> None:
    found = script(test)
    assert found is not None
    assert found == Script(expected)


def test_an_assertion_about_nothing_of_the_students_is_no_script() -> None:
    assert script("assert 1 == 1\nx = 3") is None
    assert script("print('done')", prints=True) is None


@pytest.mark.parametrize("secret", ["[41, 42]", "42", "dict(a=42)", "sorted([42, 41])"])
def test_an_expected_value_does_not_enter_the_box(secret: str) -> None:
    """A script runs beside the student's code, which may read the frames that call it."""
    found = script(f"wanted = {secret}\nalso = wanted\nself.assertEqual(f(1), also)")
    assert found is not None
    assert "42" not in found.text


PRINTS = [
    ("print(f(1))", "f(1)"),
    ("x = f(1)\nprint('x is', x, g(2))", "x = f(1)\nx\ng(2)"),
    (
        "np.random.seed(0)\nprint(f(np.random.rand(2)))",
        "import numpy as np\nnp.random.seed(0)\nf(np.random.rand(2))",
    ),
    ("for n in (1, 2):\n    print(f(n))", "answers = []\nfor n in (1, 2):\n    answers.append(f(n))\nanswers"),
]


@pytest.mark.parametrize(("test", "expected"), PRINTS, ids=[test for test, _ in PRINTS])
def test_a_script_keeps_what_is_printed(test: str, expected: str) -> None:
    assert script(test, prints=True) == Script(expected)


def test_an_expression_that_stands_alone_counts_in_a_notebook() -> None:
    assert script("f(2) == 4", expressions=True) == Script("f(2)")
    assert script("y = f(2)\ny.shape", expressions=True) == Script("y = f(2)\ny.shape")
    assert script("f(2) == 4") is None


RAISES = "with self.assertRaises(ValueError) as err:\n    f(-1)"
LOOKS = f'{RAISES}\nself.assertEqual(type(err.exception), ValueError)\nself.assertEqual(err.exception.args[0], "no")'


def test_an_exception_ends_a_script_and_is_its_answer() -> None:
    assert script(RAISES) == Script("f(-1)", ("ValueError",))
    assert script(LOOKS, messages=True) == Script("f(-1)", ("ValueError",))
    assert script("self.assertRaises(ValueError, f, -1)") == Script("f(-1)", ("ValueError",))
    alone = "try:\n    f(-1)\nexcept ValueError:\n    pass\nelse:\n    raise AssertionError('no error')"
    assert script(alone) == Script("f(-1)", ("ValueError",))


def caught(value: str, start: str = "False", error: str = "ValueError") -> str:
    lines = [
        "try:",
        "    f(-1)",
        f"    raised = {start}",
        f"except {error} as error:",
        f"    raised = {value}",
        "raised",
    ]
    return "\n".join(lines)


def test_a_script_catches_what_it_may_not_end_with() -> None:
    """More follows; any exception would do; or other tests look at other things of the exception than this one."""
    assert script(f"{RAISES}\nself.assertEqual(f(1), 1)") == Script(f"{caught('True')}\nf(1)")
    assert script(RAISES.replace("ValueError", "Exception")) == Script(caught("True", error="Exception"))
    assert script(RAISES, messages=True) == Script(caught("True"))
    assert script(LOOKS) == Script(caught("error.args[0]", "None"))
    pattern = "with self.assertRaisesRegex(ValueError, 'n.'):\n    f(-1)"
    assert script(pattern) == Script(f"import re\n{caught('''re.search('n.', str(error)) is not None''', 'None')}")


def test_statements_stay_as_they_were_written() -> None:
    written = "rows = [\n    [1, 2],  # the first\n    [3, 4],\n]\nf(rows)"
    assert script(f"{written.removesuffix('f(rows)')}self.assertEqual(f(rows), 10)") == Script(written)


# ------------------------------------------------------------------ what a folder is made of


def cases_of(*scripts: str) -> dict[str, list[tuple[str, str]]]:
    """What the written cases.py yields, read as Python reads it."""
    draft = Draft("T", ["f"], "s", "def f(): pass", "def f(): pass", halved([("n", text) for text in scripts]))
    tree = ast.parse(draft.files()["cases.py"])
    found: dict[str, list[tuple[str, str]]] = {}
    for function in tree.body:
        assert isinstance(function, ast.FunctionDef)
        pairs = [node.value for node in ast.walk(function) if isinstance(node, ast.Yield)]
        tuples = [pair for pair in pairs if isinstance(pair, ast.Tuple)]
        found[function.name] = [
            (ast.literal_eval(name), ast.literal_eval(call.args[0]))
            for name, call in (pair.elts for pair in tuples)
            if isinstance(call, ast.Call)
        ]
    return found


@pytest.mark.parametrize(
    "text",
    [
        "f(1)",
        "a = 1\nf(a)",
        'f("""x""")\nf(1)',
        "f('\\\\d')\nf('\\n')",
        "f('é\U0001f600')",
        "x = 1\nf('\\\\')",
        'g(1)\nf("a")\n"',
    ],
)
def test_a_script_reads_back_as_it_was(text: str) -> None:
    assert cases_of(text)["sample_cases"] == [("n", text)]


def test_half_of_the_tests_are_samples() -> None:
    assert [len(cases) for cases in cases_of("a", "b", "c").values()] == [2, 1]
    assert [name for name, _ in cases_of("a", "b", "c")["sample_cases"]] == ["n", "n (2)"]
    many = halved([(str(n), f"f({n})") for n in range(250)])
    assert len(many) == MAX_CASES
    assert many[-1] == ScriptCase("247", "f(247)", sample=False)


def test_a_name_becomes_an_address() -> None:
    assert slug_of("Matrix–Vector Dot_Product (hard)") == "matrix-vector-dot-product-hard"
    assert slug_of("Captain Rédbeard's map") == "captain-redbeards-map"
    assert slug_of("漢字") == ""
    assert len(slug_of("long " * 100)) <= 80


def test_a_stub_has_no_bodies() -> None:
    module = Module(
        "m", "N = 3\n@d\ndef f(a, b=2):\n    return a\nclass C(B):\n    x = 1\n    def m(self):\n        return 1\n"
    )
    assert stub_of(module, ["f", "C", "N"]) == (
        "def f(a, b=2):\n    pass\n\nclass C(B):\n\n    def m(self):\n        pass\n\nN = None"
    )


def test_what_compiles_of_a_starter_is_kept() -> None:
    assert pieces_of("import math\n\ndef f(x):\n\n\nx = 1\ndef g():\n    pass\n") == [
        "import math", "x = 1", "def g():\n    pass",
    ]  # fmt: skip


def test_source_that_cannot_be_parsed_is_refused_with_its_line() -> None:
    with pytest.raises(NoCounterpart, match=r"a\.py does not compile: .*, line 2"):
        assert Module("a.py", "x = 1\ny = = 2").tree


def test_a_format_lacks_nothing_and_has_a_name_of_its_own() -> None:
    one = next(iter(FORMATS.values()))
    with pytest.raises(TypeError, match="another's NAME"):
        by_name(one, one)
    with pytest.raises(TypeError, match="lacks a name"):
        by_name(ast)  # type: ignore[arg-type]
