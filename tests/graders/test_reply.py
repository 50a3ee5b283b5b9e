"""What a box said: an envelope becomes one of a few types, or it is no reply."""

from typing import Any

import pytest

from graders.boxes.reply import (
    LINES,
    NAME_CHARACTERS,
    TEXT_CHARACTERS,
    TRACE_CHARACTERS,
    BoxAnswer,
    CallOutcome,
    Disallowed,
    Done,
    Misplaced,
    Missing,
    Odd,
    Raised,
    Ran,
    Reply,
    Returned,
    ReturnTooLarge,
    Stopped,
    TraceTooSlow,
    Uncallable,
    Unreadable,
    ended_by,
    is_out_of_memory,
    outcome_of,
    pack,
    raised_from,
    read_answer,
    read_envelope,
    unpack,
    variants_read,
    why_not_done,
)
from graders.inside.wire import WireError

ANSWERS: list[tuple[dict[str, Any], BoxAnswer]] = [
    ({"n": 1, "ok": True}, Done()),
    ({"value": True}, Returned("the value")),
    ({"value": True, "changed": ["0", "12", "x", "-1", "²", "٣", 3]}, Returned("the value", (0, 12))),
    ({"value": True, "arrays": ["jax", "cupy", "numpy"]}, Returned("the value", (), ("jax", "numpy"))),
    ({"raised": {}}, Raised("Exception")),
    ({"raised": {"type": ""}}, Raised("Exception")),
    (
        {"raised": {"type": "E", "message": "m", "line": 3, "traceback": "t", "memory": True}, "part": 2},
        Raised("E", "m", 3, "t", True, 2),
    ),
    ({"raised": {"type": "E", "bases": ["A", 7, "B"]}}, Raised("E", bases=("A", "B"))),
    ({"raised": {"type": "E", "traceback": ""}}, Raised("E")),
    ({"odd": "a set"}, Odd("a set")),
    ({"too_large": "yes"}, ReturnTooLarge()),
    ({"too_slow": True}, TraceTooSlow()),
    ({"problem": {"reason": "syntax", "message": "m", "line": 2}, "part": 1}, Unreadable("SyntaxError", "m", 2, 1)),
    ({"problem": {"reason": "syntax", "type": "TabError"}}, Unreadable("TabError", "", None)),
    ({"problem": {"reason": "missing", "defined": list("abcdefghij")}}, Missing(tuple("abcdefgh"))),
    ({"problem": {"reason": "missing"}}, Missing(())),
    ({"problem": {"reason": "missing", "message": "f", "defined": ["g"]}}, Missing(("g",), "f")),
    (
        {"problem": {"reason": "misplaced", "type": "class", "message": "A", "line": 4}},
        Misplaced("class", "A", 4),
    ),
    ({"problem": {"reason": "misplaced"}}, Misplaced("", "", None)),
    (
        {"problem": {"reason": "signature", "yours": "(a)", "message": "m", "line": 5}},
        Uncallable("(a)", "m", 5),
    ),
    ({"problem": {"reason": "rule", "message": "m", "line": 6}}, Disallowed("m", 6)),
    ({"problem": {"reason": "signature"}}, Uncallable("", "", None)),
]
FITTING = {
    "load": {Done, Raised, Unreadable, Disallowed, Missing, Misplaced, Uncallable},
    "call": {Returned, Raised, Odd, ReturnTooLarge},
    "script": {Ran, Raised, ReturnTooLarge},
    "trace": {Returned, Ran, Raised, Odd, ReturnTooLarge, TraceTooSlow},
    "warm": {Done, Raised},
    "cases": {Returned, Raised, Missing},
    "cell": {Returned, Raised, Odd, ReturnTooLarge, Unreadable},
}


@pytest.mark.parametrize("operation", sorted(FITTING))
@pytest.mark.parametrize(("envelope", "answer"), ANSWERS)
def test_each_question_has_the_answers_that_fit_it(operation: str, envelope: dict[str, Any], answer: BoxAnswer) -> None:
    fields = read_envelope(envelope)
    if type(answer) in FITTING[operation]:
        assert read_answer(operation, fields, "the value") == answer
    else:
        with pytest.raises(WireError, match="another kind of question"):
            read_answer(operation, fields, "the value")


STEPS = [(1, "value", [None]), (LINES - 1, "odd", "a set"), (3, "raised", {"type": "E", "message": "m", "line": 3})]


@pytest.mark.parametrize("operation", sorted(FITTING))
def test_the_steps_of_a_script_are_an_answer_where_a_script_is_asked_for(operation: str) -> None:
    fields = read_envelope({"value": True, "steps": True})
    if Ran in FITTING[operation]:
        assert read_answer(operation, fields, [list(step) for step in STEPS]) == Ran(tuple(STEPS))
        assert read_answer(operation, fields, []) == Ran(())
    else:
        with pytest.raises(WireError, match="another kind of question"):
            read_answer(operation, fields, STEPS)


@pytest.mark.parametrize(
    ("steps", "why"),
    [
        (tuple(STEPS), "steps that are no list"),
        ("text", "steps that are no list"),
        ([(1, "value")], "a step of another form"),
        ([(1, "value", 2, 3)], "a step of another form"),
        ([7], "a step of another form"),
        ([(0, "value", 2)], "a step of another form"),
        ([(LINES, "value", 2)], "a step of another form"),
        ([("1", "value", 2)], "a step of another form"),
        ([(1, "returned", 2)], "a step of another form"),
        ([STEPS[0], (2, "odd", b"a set")], "a step of another form"),
        ([STEPS[0], (2, "raised", "ValueError")], "a step of another form"),
        ([(2, "raised", {"type": 7})], "a field of another type"),
        ([(2, "raised", {"verdict": "accepted"})], "a field that no reply has"),
    ],
)
def test_steps_of_another_form_are_no_reply(steps: Any, why: str) -> None:
    with pytest.raises(WireError, match=why):
        read_answer("script", read_envelope({"value": True, "steps": True}), steps)


def test_what_a_step_says_is_as_long_as_anybody_reads_and_can_be_stored() -> None:
    steps = [(1, "odd", f"\0{'x' * TEXT_CHARACTERS}"), (2, "value", "\0")]
    answer = read_answer("script", read_envelope({"value": True, "steps": True}), steps)
    assert answer == Ran(((1, "odd", f"\ufffd{'x' * (TEXT_CHARACTERS - 1)}"), (2, "value", "\0")))


def test_a_script_ends_in_the_exception_of_its_last_step() -> None:
    assert Ran(tuple(STEPS)).error() == Raised("E", "m", 3)
    assert Ran(tuple(STEPS[:2])).error() is None
    assert Ran(()).error() is None
    assert is_out_of_memory(Ran(((1, "raised", {"type": "MemoryError", "memory": True}),)))
    assert not is_out_of_memory(Ran(tuple(STEPS)))
    assert raised_from({}) == Raised("Exception")
    with pytest.raises(WireError, match="an exception without facts"):
        raised_from(None)


def test_an_exception_is_of_its_class_and_of_those_that_it_is_derived_from() -> None:
    error = Raised("KeyError", bases=("LookupError", "Exception"))
    assert [error.is_a(name) for name in ("KeyError", "LookupError", "Exception", "ValueError", "")] == [
        True, True, True, False, False
    ]  # fmt: skip


@pytest.mark.parametrize(
    "envelope",
    [
        {},
        {"ok": False},
        {"value": False},
        {"value": False, "steps": True},
        {"steps": True},
        {"too_slow": False},
        {"n": 3},
        {"problem": {}},
        {"problem": {"reason": "x"}},
    ],
)
def test_what_answers_nothing_is_no_reply(envelope: dict[str, Any]) -> None:
    for operation in FITTING:
        with pytest.raises(WireError, match=r"answers nothing|a problem without a reason"):
            read_answer(operation, read_envelope(envelope), None)


@pytest.mark.parametrize(
    ("envelope", "why"),
    [
        ({"verdict": True}, "a field that no reply has"),
        ({"verdict": None}, "a field that no reply has"),
        ({"raised": {"kind": "x"}}, "a field that no reply has"),
        ({"ok": 1}, "a field of another type"),
        ({"n": True}, "a field of another type"),
        ({"odd": b"bytes"}, "a field of another type"),
        ({"raised": "text"}, "a field of another type"),
        ({"raised": {"line": "3"}}, "a field of another type"),
        ({"changed": "12"}, "a field of another type"),
    ],
)
def test_a_field_of_another_name_or_type_is_no_reply(envelope: dict[str, Any], why: str) -> None:
    with pytest.raises(WireError, match=why):
        read_envelope(envelope)


def test_what_is_read_is_as_long_as_anybody_reads_and_can_be_stored() -> None:
    long = "x" * (TRACE_CHARACTERS + 1)
    read = read_envelope({"odd": long, "trace": long, "changed": [long, 7, "\0"], "raised": {"message": "a\0b"}})
    assert (len(read["odd"]), len(read["trace"])) == (TEXT_CHARACTERS, TRACE_CHARACTERS)
    assert read["changed"] == ["x" * NAME_CHARACTERS, "\ufffd"]
    assert read["raised"] == {"message": "a\ufffdb"}


def test_what_is_not_said_is_left_out() -> None:
    assert read_envelope({"ok": True, "odd": None, "raised": {"line": None, "type": "E"}}) == {
        "ok": True,
        "raised": {"type": "E"},
    }


def test_a_line_is_one_that_a_source_may_have() -> None:
    lines = {line: read_envelope({"raised": {"line": line}})["raised"] for line in (-1, 0, 1, LINES - 1, LINES)}
    assert lines == {-1: {}, 0: {}, 1: {"line": 1}, LINES - 1: {"line": LINES - 1}, LINES: {}}
    assert read_envelope({"n": 0}) == {"n": 0}, "of others every number counts"


OUTCOMES: list[tuple[CallOutcome, str | None, str | None]] = [
    (Returned(7, (1,)), None, None),
    (Ran(((1, "value", 7), (2, "raised", {"type": "E"}))), None, None),
    (Raised("ValueError", "of x"), None, "raises ValueError: of x"),
    (Odd("a set"), None, "returns a set"),
    (ReturnTooLarge(), "output_limit", "returns more than it may"),
    (TraceTooSlow(), "time_limit", "takes too long"),
    (Unreadable("SyntaxError", "bad", 1), "invalid_submission", "cannot be read by Python: bad"),
    (Missing(("f",)), "invalid_submission", "lacks the function"),
    (Misplaced("class", "A", 1), "invalid_submission", "has the function inside the class A"),
    (Disallowed("no loop", 1), "invalid_submission", "breaks [source] of exercise.toml: no loop"),
    (Uncallable("(a)", "takes one", 1), "invalid_submission", "takes one"),
    (Stopped("memory_limit", "Too big."), "memory_limit", "Too big."),
]


@pytest.mark.parametrize(("outcome", "verdict", "words"), OUTCOMES)
def test_what_an_outcome_is_by_itself_and_in_words(
    outcome: CallOutcome, verdict: str | None, words: str | None
) -> None:
    assert ended_by(outcome) == verdict
    assert why_not_done(outcome) == words
    assert unpack(pack(outcome)) == outcome
    assert outcome_of(Reply(outcome, 1.0)) is outcome
    assert not is_out_of_memory(outcome)


def test_what_is_no_outcome() -> None:
    assert why_not_done(Done()) is None
    with pytest.raises(AssertionError):
        outcome_of(Reply(Done(), 1.0))
    assert is_out_of_memory(Raised("MemoryError", memory=True))
    for packed in (["Done", {}], ["Raised", {"colour": 1}], "Returned"):
        with pytest.raises((ValueError, KeyError, TypeError)):
            unpack(packed)


@pytest.mark.parametrize(
    ("step", "read"),
    [
        ((1, "value", [2]), (1, "value", [2])),
        ((1, "odd", "a\0set" * 9_000), (1, "odd", ("a\N{REPLACEMENT CHARACTER}set" * 9_000)[:TEXT_CHARACTERS])),
        ((2, "raised", {}), (2, "raised", {"type": "Exception", "message": ""})),
        ((2, "raised", {"type": "E", "message": "\0", "line": 10**9}),
         (2, "raised", {"type": "E", "message": "\N{REPLACEMENT CHARACTER}"})),
    ],
)  # fmt: skip
def test_a_step_is_read_field_by_field(step: Any, read: Any) -> None:
    assert read_answer("script", {"value": True, "steps": True}, [step]) == Ran((read,))


@pytest.mark.parametrize(
    "steps",
    [{}, [(0, "value", 2)], [(LINES, "value", 2)], [(1, "right", 2)], [(1, "odd", 2)],
     [(1, "raised", "E")], [(1, "raised", {"type": 3})], [(1, "raised", {"forged": "E"})], [(1, "value")]],
)  # fmt: skip
def test_a_step_of_another_form_is_no_reply(steps: Any) -> None:
    with pytest.raises(WireError):
        read_answer("script", {"value": True, "steps": True}, steps)


def test_of_variants_one_that_is_no_outcome_leaves_none() -> None:
    assert variants_read([[("value", 1), ("odd", None)]]) == [[Returned(1), Odd("")]]
    for odd in (("value",), ("odd", "text"), ("raised", []), ("raised", [1]), ("unheard of", None), None):
        assert variants_read([[("value", 1), odd]]) == [], odd
