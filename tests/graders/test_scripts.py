"""Scripts, expected exceptions, checkers and a case's own rules: answers that are more than one array."""

import math
from typing import Any

import pytest

from graders.boxes.pool import Judge
from graders.exercise.built import cases_of
from graders.exercise.definition import BrokenExercise, Exercise
from graders.exercise.limits import Tolerance
from graders.exercise.own_input import own_case
from graders.reasons.script import steps_share
from graders.verdict import SubmissionResult, Verdict

from .conftest import judged, make_exercise

ACCOUNT_TOML = """
title = "Account"
entry = ["Account", "transfer"]
frameworks = ["python"]
raises = ["ValueError"]
[limits]
wall_seconds = 2
"""
ACCOUNT = """
class Account:
    def __init__(self, balance=0):
        self.balance = balance
    def deposit(self, amount):
        if amount <= 0:
            raise ValueError("a deposit is positive")
        self.balance += amount
    def history(self):
        yield from (1, 2)

def transfer(a, b, amount):
    a.balance -= amount
    b.deposit(amount)
"""
ACCOUNT_CASES = '''
def sample_cases(rng):
    yield "deposits add up", script("""
a = Account()
a.deposit(5)
a.balance
a.deposit(amount=7)
a.balance
""")
    yield "no negative deposit", script("a = Account(3)\\na.deposit(-1)\\na.balance")

def hidden_cases(rng):
    start, amount = int(rng.integers(10, 10**6)), int(rng.integers(1, 10))
    yield "a transfer", script(f"""
a, b = Account({start}), Account(balance=0)
transfer(a, b, {amount})
[a.balance, b.balance]
""")
    yield "objects, generators and text", script("Account(2)\\nlist(Account().history())\\nstr(Account(4).balance)")
'''


TWO_CONSTANTS = """
def sample_cases(rng):
    yield "two", script("[EAST, WEST]")

def hidden_cases(rng):
    yield from ()
"""


def account(**files: str) -> Exercise:
    texts = {"exercise_toml": ACCOUNT_TOML, "reference_py": ACCOUNT, "starter_py": "class Account:\n    pass\n"}
    return make_exercise("account", **{**texts, "cases_py": ACCOUNT_CASES, **files})


def test_a_class_is_judged_by_what_it_does(judge: Judge) -> None:
    result = judged(judge, account(), ACCOUNT)
    assert result.verdict == Verdict.accepted, result.summary
    cases = cases_of(judge, account())
    assert cases[0].expected_view.text.splitlines()[:4] == [
        ">>> a = Account()",
        ">>> a.deposit(5)",
        ">>> a.balance",
        "5",
    ]
    assert cases[1].expected_view.text.endswith(">>> a.deposit(-1)\nValueError: a deposit is positive")


@pytest.mark.parametrize(
    ("change", "verdict", "text"),
    [
        (("self.balance += amount", "self.balance = amount"), "wrong_answer", "`a.balance`: expected 12, yours is 7."),
        (("self.balance = balance", "self._balance = balance"), "runtime_error", "AttributeError"),
        (("amount <= 0", "False"), "wrong_answer", "`a.deposit(-1)`: expected ValueError to be raised, yours is None."),
        (("raise ValueError(", "raise KeyError("), "runtime_error", "KeyError"),
        (("self.balance += amount", "self.balance += amount\n        return self"), "wrong_answer",
         "`a.deposit(5)`: Expected a value, yours is an Account."),
        (("class Account:", "class Acount:"), "invalid_submission", "There is no Account."),
        (("self.balance += amount", "self.balance += str(amount)"), "runtime_error", "TypeError"),
    ],
)  # fmt: skip
def test_the_failing_statement_is_told(judge: Judge, change: tuple[str, str], verdict: str, text: str) -> None:
    result = judged(judge, account(), ACCOUNT.replace(*change))
    assert result.verdict == verdict
    assert text in shown(result)


def shown(result: SubmissionResult) -> str:
    texts = [result.summary]
    for case in result.cases:
        texts += [case.mismatch.text if case.mismatch else "", str(case.error), case.diagnosis or ""]
    return "\n".join(texts)


def test_an_exception_of_a_derived_class_is_the_expected_one_and_its_text_counts_where_the_exercise_says_so(
    judge: Judge,
) -> None:
    other = (
        ACCOUNT.replace('ValueError("a deposit is positive")', 'Refused("no")') + "\nclass Refused(ValueError): ...\n"
    )
    assert judged(judge, account(), other).verdict == Verdict.accepted
    strict = account(exercise_toml=ACCOUNT_TOML.replace("raises =", "messages = true\nraises ="))
    assert judged(judge, strict, ACCOUNT).verdict == Verdict.accepted
    result = judged(judge, strict, other)
    assert result.verdict == Verdict.wrong_answer
    assert "with the message 'a deposit is positive'; yours is 'no'" in shown(result)


LIARS = {
    "equal to everything": "def __eq__(self, other): return True\n    def __hash__(self): return 0",
    "another class": "__class__ = int",
    "an array": "def __array__(self, *_, **__): raise SystemExit",
    "a number": "def __index__(self): return 5\n    def __int__(self): return 5\n    def __float__(self): return 5.0",
    "a pickle": "def __reduce__(self): return (print, ())",
    "a text": "def __str__(self): return '5'\n    def __repr__(self): return '5'",
}


def test_a_name_that_students_define_may_be_a_constant_also_one_that_is_still_none(judge: Judge) -> None:
    exercise = account(
        exercise_toml='title = "C"\nentry = ["EAST", "WEST"]\nframeworks = ["python"]\n',
        reference_py="EAST, WEST = range(2)\n",
        starter_py="EAST = None\nWEST = None\n",
        cases_py=TWO_CONSTANTS,
    )
    assert judged(judge, exercise, "EAST, WEST = 0, 1\n").verdict == Verdict.accepted
    assert judged(judge, exercise, "EAST = None\nWEST = None\n").verdict == Verdict.wrong_answer
    assert judged(judge, exercise, "EAST = 0\n").verdict == Verdict.invalid_submission


@pytest.mark.parametrize("lie", LIARS.values(), ids=LIARS)
def test_an_object_that_lies_is_no_answer(judge: Judge, lie: str) -> None:
    source = f"class Liar:\n    {lie}\n" + ACCOUNT.replace("self.balance = balance", "self.balance = Liar()").replace(
        "self.balance += amount", "pass"
    )
    result = judged(judge, account(), source)
    assert result.verdict in (Verdict.wrong_answer, Verdict.runtime_error), result


def test_a_property_that_answers_differently_the_second_time_and_a_generator_without_end(judge: Judge) -> None:
    fickle = (
        ACCOUNT
        + """
class Account(Account):
    asked = 0
    @property
    def balance(self):
        Account.asked += 1
        return self._b if Account.asked < 3 else self._b + 1
    @balance.setter
    def balance(self, value):
        self._b = value
"""
    )
    assert judged(judge, account(), fickle).verdict == Verdict.wrong_answer
    endless = ACCOUNT.replace("yield from (1, 2)", "while True: yield 1")
    assert judged(judge, account(), endless).verdict in (Verdict.time_limit, Verdict.memory_limit)


def test_a_script_of_ones_own_is_not_run_beside_the_reference(judge: Judge) -> None:
    with pytest.raises(ValueError, match="cases are scripts"):
        own_case(judge, account(), {"script()": "import inspect; inspect.getsource(Account)"})


@pytest.mark.parametrize(
    ("files", "text"),
    [
        ({"cases_py": ACCOUNT_CASES.replace("a = Account(3)", "a = Account(3")}, "script that Python cannot read"),
        ({"cases_py": 'def sample_cases(rng):\n    yield "x", {"a": 1}\ndef hidden_cases(rng):\n    yield from ()'},
         "is no script"),
        ({"exercise_toml": ACCOUNT_TOML.replace('raises = ["ValueError"]', "")}, "raises ValueError"),
        ({"reference_py": ACCOUNT.replace("class Account", "class Other")}, "does not define Account"),
        ({"exercise_toml": ACCOUNT_TOML + '[signature]\nreturns = "int"\n'}, "is for one function"),
    ],
)  # fmt: skip
def test_a_broken_exercise_of_scripts_is_told(judge: Judge, files: dict[str, str], text: str) -> None:
    with pytest.raises(BrokenExercise, match=text):
        cases_of(judge, account(**files))


# ------------------------------------------------------------------ one function

ROOTS_TOML = """
title = "Root"
entry = "root"
frameworks = ["python"]
credit = "cases"
raises = ["ValueError", "ZeroDivisionError"]
[signature]
x = "float"
digits = "int = 3"
returns = "{root: float, exact: bool} | None"
[tolerance.outputs]
root = {rtol = 1e-2}
"""
ROOT = """
def root(x, digits=3):
    if x < 0:
        raise ValueError("negative")
    if x == 0:
        return None
    return {"root": x ** 0.5, "exact": round(x ** 0.5, digits) ** 2 == x}
"""
ROOT_CASES = """
def sample_cases(rng):
    yield "four", {"x": 4.0}, {"weight": 3, "message": "Four has a whole root."}
    yield "two, more digits", {"x": 2.0, "digits": 9}, {"rtol": 1e-9}

def hidden_cases(rng):
    yield "nothing", {"x": 0.0}
    yield "negative", {"x": -1.0 - float(rng.random())}, {"message": "Think of negative numbers."}
    yield "drawn", {"x": float(rng.random()) + 1}
"""


def root(**files: str) -> Exercise:
    return make_exercise(
        "root",
        **{"exercise_toml": ROOTS_TOML, "reference_py": ROOT, "starter_py": "def root(x, digits=3):\n    pass\n",
           "cases_py": ROOT_CASES, **files},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("change", "verdicts"),
    [
        (("", ""), "aaaaa"),
        (('x ** 0.5, "exact"', '1.001 * x ** 0.5, "exact"'), "awaaa"),  # within the output's own tolerance
        (('raise ValueError("negative")', "return None"), "aaawa"),
        (('raise ValueError("negative")', 'raise TypeError("negative")'), "aaara"),
        (("return None", "return 0"), "aawaa"),
        (('"exact": round', '"exact": not round'), "wwaaw"),
    ],
)
def test_alternatives_exceptions_defaults_and_tolerances(judge: Judge, change: tuple[str, str], verdicts: str) -> None:
    result = judged(judge, root(), ROOT.replace(*change))
    fixed = result.cases[:5]
    assert "".join(str(case.verdict)[0] for case in fixed) == verdicts, shown(result)


def test_the_author_s_sentence_and_the_weight_of_a_case(judge: Judge) -> None:
    result = judged(judge, root(), ROOT.replace('raise ValueError("negative")', "return None"))
    assert any(case.diagnosis == "Think of negative numbers." for case in result.cases)
    result = judged(judge, root(), ROOT.replace('"exact": round', '"exact": x != 4.0 and round'))
    weights = 3 + 1 + 1 + 1 + 1 + 2  # two fresh ones
    assert result.score == pytest.approx((weights - 3) / weights)
    assert (result.cases[0].diagnosis or "").startswith("Four has a whole root. Where it comes from: The comparison")


def test_a_default_that_the_signature_promises_must_be_there(judge: Judge) -> None:
    result = judged(judge, root(), ROOT.replace("digits=3", "digits"))
    assert result.verdict == Verdict.invalid_submission
    assert "missing a required argument: 'digits'" in result.summary


@pytest.mark.parametrize(
    ("cases", "text"),
    [
        (ROOT_CASES.replace('"weight"', '"wieght"'), "unknown option 'wieght'"),
        (ROOT_CASES.replace('"weight": 3', '"weight": -3'), "option weight of -3"),
        (ROOT_CASES.replace("4.0", '"4"'), "x is declared float but is a str"),
    ],
)
def test_a_case_s_broken_rules_are_told(judge: Judge, cases: str, text: str) -> None:
    with pytest.raises(BrokenExercise, match=text):
        cases_of(judge, root(cases_py=cases))


# ------------------------------------------------------------------ a checker

SPLIT_TOML = """
title = "Split"
entry = "split"
frameworks = ["python"]
[signature]
total = "int"
returns = "list[int]"
"""
SPLIT_CHECKER = """
def accept(inputs, output, expected):
    if sum(output) != inputs["total"]:
        return f"Your numbers add up to {sum(output)}, not to {inputs['total']}."
    if len(output) != len(expected):
        return "Split it into as many numbers as the example does."
"""
SPLIT_CASES = """
def sample_cases(rng):
    yield "seven", {"total": 7}

def hidden_cases(rng):
    yield "drawn", {"total": int(rng.integers(5, 500))}
"""


def split(checker: str = SPLIT_CHECKER) -> Exercise:
    return make_exercise(
        "split", exercise_toml=SPLIT_TOML, checker_py=checker, cases_py=SPLIT_CASES,
        reference_py="def split(total):\n    return [1, total - 1]\n", starter_py="def split(total):\n    pass\n",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "verdict", "text"),
    [
        ("[total - 2, 2]", "accepted", ""),
        ("(total, 0)", "accepted", ""),
        ("[total]", "wrong_answer", "Split it into as many numbers as the example does."),
        ("[total, total]", "wrong_answer", "Your numbers add up to 14, not to 7."),
        ("[total - 0.5, 0.5]", "wrong_answer", "declared int but is a float"),
        ("None", "wrong_answer", "declared list[int] but is None"),
    ],
)
def test_a_checker_accepts_what_equality_would_not(judge: Judge, answer: str, verdict: str, text: str) -> None:
    result = judged(judge, split(), f"def split(total):\n    return {answer}\n")
    assert result.verdict == verdict
    assert text in shown(result)
    hidden = [case for case in result.cases if not case.sample]
    assert all(not case.mismatch or not case.mismatch.text for case in hidden)


def test_a_checker_never_meets_the_students_code_or_objects(judge: Judge) -> None:
    lie = """
import sys
def split(total):
    sys.modules["submission"].accept = lambda *_: None
    class List(list):
        __iter__ = lambda self: iter([total])
    return List([total, total])
"""
    assert judged(judge, split(), lie).verdict == Verdict.wrong_answer


@pytest.mark.parametrize(
    ("checker", "text"),
    [
        ("def accept(inputs, output, expected):\n    return 3\n", "returns neither None nor a sentence"),
        ("def accept(inputs, output, expected):\n    return 1 / 0\n", "ZeroDivisionError"),
        ("def accept(inputs):\n    return None\n", "takes 1 positional argument|too many positional arguments"),
    ],
)
def test_a_broken_checker_is_our_failure_and_names_its_fault(judge: Judge, checker: str, text: str) -> None:
    result: Any = judged(judge, split(checker), "def split(total):\n    return [total, 0]\n")
    assert result.verdict == Verdict.internal_error


def test_a_step_that_raises_where_a_value_is_expected_uses_all_of_the_tolerance() -> None:
    """It counted as right there, so that `--reveal` said so of a wrong answer."""
    value, error = (1, "value", 2.0), (1, "raised", {"type": "ValueError", "message": "no", "bases": []})
    tolerance = Tolerance()
    assert steps_share([value], [value], tolerance, False) == 0
    assert steps_share([value], [error], tolerance, False) == math.inf
    assert steps_share([error], [value], tolerance, False) == math.inf
    assert steps_share([error], [error], tolerance, False) == 0


ASKED = make_exercise(
    "asked-for",
    exercise_toml="""title = "Roots"
entry = "root"
frameworks = ["python"]
raises = ["ValueError"]
[signature]
x = "int"
returns = "int"
""",
    starter_py="def root(x):\n    return None\n",
    reference_py="def root(x):\n    if x < 0:\n        raise ValueError('below 0')\n    return 2 * x\n",
    cases_py="""def sample_cases(rng):
    yield "three", {"x": 3}
    yield "below", {"x": -1}

def hidden_cases(rng):
    yield "drawn", {"x": int(rng.integers(5, 99))}
""",
    mistakes__one_more_py='"""You add one."""\n\n'
    "def root(x):\n    if x < 0:\n        raise ValueError('negative')\n    return x + 1\n",
)


@pytest.mark.parametrize("words", ["no roots there", ""])
def test_a_mistake_is_recognised_whatever_the_exception_that_is_asked_for_says(judge: Judge, words: str) -> None:
    """Five of ten wrong answers to `clip-or-raise-past-max-len` went unnamed for the words of their ValueError."""
    source = f"def root(x):\n    if x < 0:\n        raise ValueError({words!r})\n    return x + 1\n"
    result = judged(judge, ASKED, source)
    assert (result.verdict, result.mistake) == (Verdict.wrong_answer, "one_more")


def test_a_mistake_is_recognised_on_whichever_line_jax_says_that_it_stands(judge: Judge) -> None:
    toml = 'title = "Sign"\nentry = "f"\nframeworks = ["jax"]\n[signature]\nx = "float32[N]"\nreturns = "float32[N]"\n'
    wrong = "import jax\n\n\n@jax.jit\ndef f(x):\n    if x[0] > 0:\n        return x\n    return -x\n"
    exercise = make_exercise(
        "traced",
        exercise_toml=toml,
        starter_py="def f(x):\n    return None\n",
        reference_py="import jax.numpy as jnp\n\n\ndef f(x):\n    return jnp.where(x[0] > 0, x, -x)\n",
        cases_py="""import numpy as np

def sample_cases(rng):
    yield "three", {"x": np.array([1, 2, 3], np.float32)}

def hidden_cases(rng):
    yield "drawn", {"x": rng.standard_normal(3).astype(np.float32)}
""",
        mistakes__compiled_py=f'# verdict: runtime_error\n"""No `if` on traced values."""\n\n{wrong}',
    )
    result = judged(judge, exercise, f"\n\n\n{wrong}")
    assert (result.verdict, result.mistake) == (Verdict.runtime_error, "compiled")
