"""Traces through the real judge: what each line assigned, in each framework, and what a hostile program makes of it."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from graders.boxes.pool import Judge
from graders.exercise.definition import Exercise
from graders.exercise.signature import parse_type
from graders.grade import Began, CaseFinished, Finished, grade
from graders.reasons.trace import CUT, LOST, MAX_EVENTS, MAX_LOCALS, UNREADABLE, Change, Trace, TraceEvent, beside, read
from graders.verdict import Verdict

from .conftest import make_exercise, unhurried


@pytest.fixture(scope="module")
def hasty() -> Exercise:
    """With its two seconds, for what is about their end."""
    return make_exercise()


@pytest.fixture(scope="module")
def doubled() -> Exercise:
    return unhurried(make_exercise())  # these tests are about what a trace tells


def finished(judge: Judge, exercise: Exercise, source: str, **more: Any) -> Finished:
    *_, last = grade(exercise, source.encode(), more.pop("framework", None), judge, "trace", **more)
    assert isinstance(last, Finished)
    return last


def traced(judge: Judge, exercise: Exercise, source: str, **more: Any) -> Trace:
    found = finished(judge, exercise, source, **more).trace
    assert found is not None
    return found


def at(trace: Trace, line: int, kind: str | None = None) -> list[TraceEvent]:
    return [event for event in trace.events if event.line == line and kind in (None, event.kind)]


def only(trace: Trace, line: int) -> Change:
    (event,) = at(trace, line)
    (change,) = event.changes
    return change


def test_a_trace_judges_one_sample_case_and_tells_each_line(judge: Judge, doubled: Exercise) -> None:
    source = "import numpy as np\ndef doubled(x):\n    row = x[None, :]\n    y = 2 * row\n    return y[0]\n"
    began, case, last = grade(doubled, source.encode(), None, judge, "trace")
    assert isinstance(began, Began)
    assert [name.name for name in began.cases] == ["three"]
    assert isinstance(case, CaseFinished)
    assert case.result.verdict == Verdict.accepted
    assert isinstance(last, Finished)
    trace = last.trace
    assert trace is not None
    assert [(event.line, [change.name for change in event.changes]) for event in trace.events] == [
        (2, ["x"]), (3, ["row"]), (4, ["y"]), (5, []),
    ]  # fmt: skip
    x = trace.events[0].changes[0].value
    assert (x.kind, x.type, x.shape, x.dtype, x.low, x.high) == ("array", "ndarray", (3,), "float32", 1, 3)
    assert x.dims == ("N",)
    assert only(trace, 3).value.dims_text == "(1, N)"
    assert only(trace, 3).value.summary == "float32 (1, N) = (1, 3), [[1, 2, 3]]"
    returned = trace.events[-1].returned
    assert returned is not None
    assert returned.summary == "float32 (N,) = (3,), [2, 4, 6]"
    assert trace.dims == (("N", 3),)
    assert not trace.cut
    assert Trace.from_row(json.loads(json.dumps(trace.row()))) == trace


def test_a_submission_and_a_run_carry_no_trace(judge: Judge, doubled: Exercise) -> None:
    for kind in ("submit", "run"):
        *_, last = grade(doubled, b"def doubled(x):\n    return 2 * x\n", None, judge, kind)
        assert isinstance(last, Finished)
        assert last.result.verdict == Verdict.accepted
        assert last.trace is None


def test_a_case_is_chosen_by_its_name_and_a_hidden_one_never(judge: Judge) -> None:
    exercise = make_exercise(
        cases_py="""
import numpy as np
def sample_cases(rng):
    yield "three", {"x": np.ones(3, np.float32)}
    yield "seven", {"x": np.ones(7, np.float32)}
def hidden_cases(rng):
    yield "secretly four", {"x": np.ones(4, np.float32)}
"""
    )
    source = "def doubled(x):\n    return 2 * x\n"
    assert traced(judge, exercise, source, case_name="seven").dims == (("N", 7),)
    assert traced(judge, exercise, source, inputs={"x": "[1, 2]"}).dims == (("N", 2),)
    for name in ("secretly four", "hidden 1", ""):
        refused = finished(judge, exercise, source, case_name=name)
        assert refused.result.verdict == Verdict.invalid_submission
        assert refused.trace is None
        assert "'three', 'seven'" in refused.result.summary
        assert "secretly four'," not in refused.result.summary


def test_loops_are_folded_to_the_first_three_and_the_last(judge: Judge, doubled: Exercise) -> None:
    source = "def doubled(x):\n    for i in range(500):\n        y = x + i\n    return 2 * x\n"
    trace = traced(judge, doubled, source)
    assert [(event.nth, event.times) for event in at(trace, 3)] == [(1, 500), (2, 500), (3, 500), (500, 500)]
    assert at(trace, 3)[-1].changes[0].value.high == 502
    assert [event.changes[0].value.text for event in at(trace, 2)] == ["0", "1", "2", "499"]
    assert not trace.cut


def test_what_is_changed_in_place_shows(judge: Judge, doubled: Exercise) -> None:
    source = """import numpy as np
def doubled(x):
    y = np.zeros(3, np.float32)
    y[1] = 7
    y += 1
    y += 0
    rows = []
    rows.append(y)
    big = np.zeros(10_000_000, np.int8)
    big[:] = 1
    return 2 * x
"""
    trace = traced(judge, doubled, source)
    for line, text in ((4, "[0, 7, 0]"), (5, "[1, 8, 1]")):
        change = only(trace, line)
        assert (change.name, change.in_place, change.value.text) == ("y", True, text)
    assert not at(trace, 6), "nothing changed"
    assert (only(trace, 8).name, only(trace, 8).in_place) == ("rows", True)
    assert only(trace, 8).value.text == "list of 1: float32[3]"
    assert (only(trace, 10).in_place, only(trace, 10).value.low) == (True, 1)


def test_nested_functions_comprehensions_methods_and_recursion(judge: Judge, doubled: Exercise) -> None:
    source = """class Layer:
    def __call__(self, v):
        return v * 2
def doubled(x):
    captured = x + 0
    def inner(i):
        u = captured[i]
        return u
    rows = [inner(i) for i in range(3)]
    def down(n):
        return n if n == 0 else down(n - 1)
    down(2)
    return Layer()(x)
"""
    trace = traced(judge, doubled, source)
    (call, *_) = at(trace, 6, "call")
    assert (call.function, call.depth) == ("inner", 2), "the comprehension is a call of its own"
    assert [change.name for change in call.changes] == ["i"], "what it captured is no argument of it"
    assert at(trace, 7)[0].changes[0].value.summary == "float32 (), 1"
    assert [event.depth for event in at(trace, 10, "call")] == [1, 2, 3]
    (method,) = at(trace, 2)
    assert (method.function, [change.name for change in method.changes]) == ("__call__", ["v"])
    inside = [event for event in at(trace, 9) if event.function == "<listcomp>"]
    assert [event.changes[0].name for event in inside if event.changes] == ["i"] * 3
    returned = inside[-1].returned
    assert returned is not None
    assert returned.text == "list of 3: float32[], float32[], float32[]"


def test_generators_tell_what_they_yield(judge: Judge, doubled: Exercise) -> None:
    source = """def doubled(x):
    def rows():
        for row in x:
            yield row * 2
    total = 0
    for v in rows():
        total = total + v
    left = rows()
    next(left)
    left.close()
    return 2 * x
"""
    trace = traced(judge, doubled, source)
    assert [event.yielded.text for event in at(trace, 4) if event.yielded] == ["2", "4", "6", "2"]
    assert all(event.depth == 1 for event in at(trace, 4))
    assert not any(event.raised for event in trace.events)
    assert at(trace, 8)[0].depth == 0


def test_an_exception_ends_the_trace_at_its_line(judge: Judge, doubled: Exercise) -> None:
    source = """import numpy as np
def doubled(x):
    try:
        1 / 0
    except ZeroDivisionError:
        y = x
    def deeper(v):
        try:
            return v + np.zeros(5)
        finally:
            late = 1
    return deeper(y)
"""
    last = finished(judge, doubled, source)
    assert last.result.verdict == Verdict.runtime_error
    assert last.trace is not None
    assert [(event.line, event.raised) for event in last.trace.events if event.raised] == [
        (11, "ValueError"), (12, "ValueError"),
    ]  # fmt: skip
    assert only(last.trace, 6).name == "y"


def test_what_ranges_and_words_say(judge: Judge, doubled: Exercise) -> None:
    source = """import numpy as np
def doubled(x):
    a = np.array([np.nan, np.inf, -1, 2] * 3)
    b = np.arange(12) > 8
    c = np.exp(1j * np.arange(12))
    d = np.empty((0, 4))
    e = np.array(["text"])
    f = {"w": x, "n": 3}
    g = (x, 1)
    h = "long " * 100
    i = 10 ** 400
    j = lambda: 1
    k = np.float32(0.5)
    l = np.full(100, np.nan)
    m = np.broadcast_to(np.float32(1), (1 << 20, 1 << 20))
    return 2 * x
"""
    trace = traced(judge, doubled, source)
    summaries = {event.changes[0].name: event.changes[0].value.summary for event in trace.events if event.changes}
    assert summaries["a"] == "float64 (12,), −1 … 2, 3 NaN, 3 infinite"
    assert summaries["b"] == "bool (12,), 3 of 12 True"
    assert summaries["c"] == "complex128 (12,), |z| all 1"
    assert summaries["d"] == "float64 (0, 4), empty"
    assert summaries["e"] == "str128 (1,)"
    assert summaries["f"] == "dict of 2: 'w': float32[3], 'n': 3"
    assert summaries["g"] == "tuple of 2: float32[3], 1"
    assert len(summaries["h"]) < 80
    assert summaries["i"] == "an integer of 1329 bits"
    assert summaries["j"] == "function"
    assert summaries["k"] == "float32 (), 0.5"
    assert summaries["l"] == "float64 (100,), 100 NaN"
    assert summaries["m"] == "float32 (1048576, 1048576)", "too large to look through"


def test_under_jit_and_vmap_a_line_shows_what_is_traced(judge: Judge, doubled: Exercise) -> None:
    source = """# framework: jax
import jax
import jax.numpy as jnp

@jax.jit
def doubled(x):
    key = jax.random.key(0)
    y = jax.vmap(lambda v: v * 2)(x)
    return y
"""
    trace = traced(judge, doubled, source)
    (call,) = at(trace, 6)
    value = call.changes[0].value
    assert (call.kind, value.kind, value.shape, value.dtype, value.low) == ("call", "traced", (3,), "float32", None)
    inside = [event for event in at(trace, 8) if event.function == "<lambda>"]
    assert inside[0].changes[0].value.shape == ()
    assert only(trace, 7).value.dtype == "key<fry>"


def test_jax_arrays_show_their_range(judge: Judge, doubled: Exercise) -> None:
    source = """# framework: jax
import jax.numpy as jnp
def doubled(x):
    y = x.at[0].set(7)
    z = jnp.arange(20, dtype=jnp.bfloat16)
    return 2 * x
"""
    trace = traced(judge, doubled, source)
    assert only(trace, 4).value.summary == "float32 (N,) = (3,), [7, 2, 3]"
    assert only(trace, 5).value.summary == "bfloat16 (20,), 0 … 19"


def test_a_flax_modules_call_is_traced(judge: Judge, flax: Exercise) -> None:
    source = (Path(__file__).parents[2] / "exercises" / "flax-learned-pos" / "reference.py").read_text()
    last = finished(judge, flax, source)
    assert last.result.verdict == Verdict.accepted
    assert last.trace is not None
    inside = [event for event in last.trace.events if event.function == "__call__"]
    assert any(change.name == "pos_embed" and change.value.dims_text for e in inside for change in e.changes)
    assert not any(change.name == "self" for event in inside for change in event.changes)
    assert any(event.returned and event.returned.dims == ("T", "d_model") for event in inside)
    assert last.trace.events[-1].returned is not None
    assert last.trace.events[-1].returned.dims == ("T*d_model",)


def test_torch_tensors_tell_whether_they_require_grad(judge: Judge, doubled: Exercise) -> None:
    source = """# framework: torch
import torch
def doubled(x):
    w = torch.full((3,), 2.0, requires_grad=True)
    y = x * w
    y.sum().backward()
    g = w.grad
    g.mul_(3)
    h = x.bfloat16()
    s = x.shape
    v = torch.vmap(lambda u: u + 1)(x)
    return y.detach()
"""
    trace = traced(judge, doubled, source)
    assert only(trace, 4).value.summary == "float32 (N,) = (3,), [2, 2, 2], requires grad"
    assert (only(trace, 8).name, only(trace, 8).in_place, only(trace, 8).value.text) == ("g", True, "[3, 6, 9]")
    assert only(trace, 9).value.dtype == "bfloat16"
    assert only(trace, 10).value.text == "(3,)"
    inside = [event for event in at(trace, 11) if event.function == "<lambda>"]
    assert inside[0].changes[0].value.summary == "float32 ()"


# ------------------------------------------------------------------ too much


@pytest.mark.extra
def test_a_million_rounds_are_cut_and_still_judged(judge: Judge, hasty: Exercise) -> None:
    # of 5 s, 3 are traced: too few for a million rounds, and after them there is room for a machine that stands still
    hasty = replace(hasty, limits=replace(hasty.limits, wall_seconds=5.0, cpu_seconds=5.0, total_seconds=15.0))
    source = "def doubled(x):\n    n = 0\n    while n < 1_000_000:\n        n += 1\n    return 2 * x\n"
    last = finished(judge, hasty, source)
    assert last.result.verdict == Verdict.accepted
    assert last.trace is not None
    assert (last.trace.cut, last.trace.note) == (True, CUT["time"])
    assert at(last.trace, 4)[-1].times > 1000


def test_a_loop_without_end_is_seen(judge: Judge, hasty: Exercise, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graders.grade.REPORT_SECONDS", 10.0)
    last = finished(judge, hasty, "def doubled(x):\n    n = 0\n    while True:\n        n += 1\n    return x\n")
    assert last.result.verdict == Verdict.time_limit
    assert last.trace is not None
    assert at(last.trace, 4)[-1].times > 1000


def test_what_takes_a_moment_to_end_is_seen_too(judge: Judge, hasty: Exercise, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the report itself does on a busy machine."""
    monkeypatch.setattr("graders.grade.REPORT_SECONDS", 10.0)
    source = """import time
def doubled(x):
    try:
        while True:
            x = 2 * x
    finally:
        time.sleep(0.5)
"""
    last = finished(judge, hasty, source)
    assert last.result.verdict == Verdict.time_limit
    assert last.trace is not None
    assert at(last.trace, 5), last.trace.note


def test_who_will_not_be_ended_is_killed_and_told_so(judge: Judge, hasty: Exercise) -> None:
    source = """def doubled(x):
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
"""
    last = finished(judge, hasty, source)
    assert last.result.verdict == Verdict.time_limit
    assert last.trace is not None
    assert (last.trace.events, last.trace.note) == ((), LOST)


def test_at_most_a_thousand_events_are_kept(judge: Judge, doubled: Exercise) -> None:
    lines = "\n".join(f"    a = {n}" for n in range(3_000))
    last = finished(judge, doubled, f"def doubled(x):\n{lines}\n    return 2 * x\n")
    assert last.result.verdict == Verdict.accepted
    assert last.trace is not None
    assert last.trace.note in (CUT["events"], CUT["time"])
    assert len(last.trace.events) == MAX_EVENTS or last.trace.note == CUT["time"]


def test_a_function_with_too_many_variables_is_followed_until_there_are_too_many(
    judge: Judge, doubled: Exercise
) -> None:
    lines = "\n".join(f"    a{n} = {n}" for n in range(2 * MAX_LOCALS))
    last = finished(judge, doubled, f"def doubled(x):\n{lines}\n    return 2 * x\n")
    assert last.result.verdict == Verdict.accepted
    assert last.trace is not None
    assert last.trace.cut
    assert last.trace.note in (CUT["locals"], CUT["time"])
    assert len(last.trace.events) == MAX_LOCALS or last.trace.note == CUT["time"]


def test_long_names_and_texts_are_cut(judge: Judge, doubled: Exercise) -> None:
    name = "n" * 10_000
    lines = "\n".join(f"    {name}{n} = '{'t' * 100}'" for n in range(5))
    last = finished(judge, doubled, f"def doubled(x):\n{lines}\n    return 2 * x\n")
    assert last.result.verdict == Verdict.accepted
    assert last.trace is not None
    assert all(len(change.name) <= 81 for event in last.trace.events for change in event.changes)
    assert len(json.dumps(last.trace.public())) < 20_000


# ------------------------------------------------------------------ hostile


@pytest.mark.parametrize(
    "source",
    [
        """
import os, time
class Evil:
    def __repr__(self): os._exit(3)
    __str__ = __len__ = __array__ = __hash__ = __iter__ = __bool__ = __eq__ = __ne__ = __repr__
    def __getattribute__(self, name): os._exit(4)
    __class__ = property(lambda self: os._exit(5))
class Meta(type):
    def __getattribute__(self, name): time.sleep(60)
    def __hash__(self): time.sleep(60)
    def __eq__(self, other): time.sleep(60)
    def __instancecheck__(self, other): time.sleep(60)
class Under(metaclass=Meta): pass
def doubled(x):
    e = Evil()
    u = Under
    v = u()
    both = [e, v]
    table = {"k": e}
    s = slice(e, v)
    return 2 * x
""",
        """
import numpy as np
class Sub(np.ndarray):
    def __array_finalize__(self, other): raise SystemExit
    def min(self): raise SystemExit
    shape = property(lambda self: 1 / 0)
def doubled(x):
    try:
        s = x.view(Sub)
    except SystemExit:
        s = None
    n = type("n" * 5000, (), {})()
    return 2 * x
""",
        """
def doubled(x):
    class Space(dict):
        def items(self): raise SystemExit
        __getitem__ = __iter__ = items
    class Prepared(type):
        @classmethod
        def __prepare__(cls, *given): return Space()
    try:
        class Body(metaclass=Prepared):
            a = 1
    except BaseException:
        pass
    exec(compile("b = 2", "submission.py", "exec"), {}, Space())
    return 2 * x
""",
    ],
    ids=["classes", "subclass", "namespaces"],
)
def test_no_class_of_the_students_is_called(judge: Judge, doubled: Exercise, source: str) -> None:
    last = finished(judge, doubled, source)
    assert last.result.verdict == Verdict.accepted, last.result.summary
    assert last.trace is not None
    assert last.trace.events[-1].returned is not None, last.trace.note


def test_who_switches_tracing_off_is_told_where_it_ended(judge: Judge, doubled: Exercise) -> None:
    source = "import sys\ndef doubled(x):\n    y = x\n    sys.settrace(None)\n    z = y\n    return 2 * x\n"
    last = finished(judge, doubled, source)
    assert last.result.verdict == Verdict.accepted
    assert last.trace is not None
    assert last.trace.note == CUT["off"]
    assert {event.line for event in last.trace.events} == {2, 3}


@pytest.mark.parametrize(
    "forged",
    ["'x' * (1 << 19)", "'[' * 100_000", "'{\"events\": [1, {}, null]}'", "'null'", "'1' * 10_000", "'\\ud800'"],
)
def test_a_forged_report_is_an_empty_trace(judge: Judge, doubled: Exercise, forged: str) -> None:
    source = f"""def doubled(x):
    import graders.inside.tracer as tracer
    tracer.Tracer.report = lambda self: {forged}
    return 2 * x
"""
    last = finished(judge, doubled, source)
    assert last.result.verdict == Verdict.accepted
    assert last.trace is not None
    assert last.trace.events == ()


SIGNATURE = make_exercise().signature
EVENT: dict[str, Any] = {"kind": "line", "line": 1, "function": "f", "depth": 0, "nth": 1, "times": 1, "changes": []}
VALUE: dict[str, Any] = {"name": "x", "kind": "array", "type": "ndarray", "shape": [2], "dtype": "int8"}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("line", 0), ("line", 1.5), ("line", True), ("line", 1 << 70), ("function", ["f"]), ("function", ""),
        ("changes", {}), ("changes", None),
    ],
)  # fmt: skip
def test_an_event_of_another_shape_is_left_out(field: str, value: Any) -> None:
    report = json.dumps({"events": [{**EVENT, field: value}, EVENT], "cut": None})
    assert len(read(report, SIGNATURE, {"N": 3}).events) == 1


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("shape", [2, -1], None), ("shape", ["2"], None), ("shape", [1 << 64], None), ("shape", [1] * 65, None),
        ("dtype", "<b>", None), ("dtype", "int8\u202e", None), ("low", float("nan"), None), ("high", "9", None),
        ("low", 1 << 80, None), ("text", "a\x00b\nc\u202ed\ud800", "a\ufffdb\ufffdc\ufffdd\ufffd"), ("true", -1, None),
    ],
)  # fmt: skip
def test_a_field_of_another_type_is_left_out(field: str, value: Any, expected: Any) -> None:
    event = {**EVENT, "changes": [{**VALUE, "low": 1, "high": 2, field: value}]}
    (found,) = read(json.dumps({"events": [event], "cut": "<b>"}), SIGNATURE, {"N": 3}).events
    assert getattr(found.changes[0].value, field) == expected
    json.dumps(found.public(), allow_nan=False)


def test_a_report_of_ten_thousand_events_is_cut() -> None:
    report = json.dumps({"events": [{**EVENT, "changes": [VALUE] * 40}] * 10_000, "cut": "events"})
    trace = read(report, SIGNATURE, {"N": 3})
    assert len(trace.events) == MAX_EVENTS
    assert len(trace.events[0].changes) == 32
    assert trace.note == CUT["events"]
    assert read("[]", SIGNATURE, {}).note == UNREADABLE


def test_an_axis_is_named_only_where_one_dimension_has_its_size() -> None:
    exercise = make_exercise(
        exercise_toml="""
title = "x"
entry = "doubled"
frameworks = ["numpy"]
[signature]
x = "float32[N, T, d_model]"
seed = "int"
returns = "float32[N, T*d_model]"
"""
    )
    assert str(parse_type(exercise.signature.returns)) == "float32[N, T*d_model]"

    def dims(shape: list[int], sizes: dict[str, int]) -> Any:
        event = {**EVENT, "changes": [{**VALUE, "shape": shape}]}
        (found,) = read(json.dumps({"events": [event]}), exercise.signature, sizes).events
        return found.changes[0].value.dims

    assert dims([2, 4, 6, 24, 7], {"N": 2, "T": 4, "d_model": 6}) == ("N", "T", "d_model", "T*d_model", None)
    assert dims([2, 4], {"N": 4, "T": 4, "d_model": 6}) == (None, None)
    assert dims([1, 3], {"N": 1, "T": 3, "d_model": 6}) == (None, "T"), "one is what keepdims leaves"
    assert dims([7], {"N": 2, "T": 3, "d_model": 6, "seed": 7}) == (None,), "a scalar is no dimension"


def test_the_entrys_own_arguments_and_answer_have_their_declared_dimensions() -> None:
    call = {**EVENT, "kind": "call", "changes": [{**VALUE, "shape": [1]}]}
    answer = {**EVENT, "kind": "return", "returned": {**VALUE, "shape": [1]}}
    inner = {**answer, "depth": 1}
    trace = read(json.dumps({"events": [call, answer, inner, {**call, "changes": []}]}), SIGNATURE, {"N": 1})
    assert trace.events[0].changes[0].value.dims == ("N",)
    assert [event.returned and event.returned.dims for event in trace.events[1:3]] == [("N",), (None,)]
    other = {**call, "changes": [{**VALUE, "shape": [2]}]}
    (left,) = read(json.dumps({"events": [other]}), SIGNATURE, {"N": 1}).events
    assert left.changes[0].value.dims == (None,), "not the size that was given"


def test_beside_the_source_stands_what_each_line_did(judge: Judge, doubled: Exercise) -> None:
    source = "def doubled(x):\r\n    for i in range(9):\r\n        y = x + i\r\n    return x / 0 @ x.T[:2]\r\n"
    lines = beside(traced(judge, doubled, source), source)
    assert lines[0] == "   1  def doubled(x):             │ x: float32 (N,) = (3,), [1, 2, 3]"
    assert lines[1:3] == [
        "   2      for i in range(9):      │ ×9 i = 0",
        "                                  │    last: i = 8",
    ]
    assert lines[-1].endswith("│ raises ValueError")
