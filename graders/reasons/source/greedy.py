"""A choice that is made once and never taken back, where another one is better."""

import ast
from collections.abc import Iterator

from graders.boxes.reply import Returned
from graders.reasons.source.evidence import Evidence
from graders.reasons.source.finding import Finding
from graders.reasons.source.program import Function, Program, names_of


def _greedy(program: Program, evidence: Evidence) -> Iterator[Finding]:
    """A loop that takes an item off what is left as long as it fits; each wrong answer is longer than need be, or none
    where there is one."""
    if not evidence.wrong or not all(_is_worse(case.outcome, case.case.expected) for case in evidence.wrong):
        return
    for function in program.reached:
        if _compares_choices(function):
            continue
        for loop in program.own(function):
            if isinstance(loop, ast.For) and _takes_off(loop):
                text = (
                    f"The loop of line {loop.lineno} takes an item as long as it fits, and never gives it back: "
                    "another choice may need fewer, or be the only one that works. Compare all choices."
                )
                hidden = (
                    "A loop in your source takes an item as long as it fits, and never gives it back: another choice "
                    "may need fewer, or be the only one that works."
                )
                yield Finding("greedy", loop.lineno, text, hidden)
                return


def _is_worse(outcome: object, expected: object) -> bool:
    if not isinstance(outcome, Returned) or not isinstance(expected, list) or not expected:
        return False
    return outcome.value is None or (isinstance(outcome.value, list) and len(outcome.value) > len(expected))


def _compares_choices(function: Function) -> bool:
    """Whether it keeps a table of what it found, or calls itself."""
    for node in ast.walk(function):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            return True
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == function.name:
            return True
    return False


def _takes_off(loop: ast.For) -> bool:
    """Whether the loop subtracts its item from a name that it compares with it, or divides the name by it."""
    items = names_of(loop.target)
    inner = [node for statement in loop.body for node in ast.walk(statement)]
    less = {
        node.target.id
        for node in inner
        if isinstance(node, ast.AugAssign)
        and isinstance(node.op, ast.Sub | ast.Mod)
        and isinstance(node.target, ast.Name)
        and names_of(node.value) & items
    }
    less |= {
        node.targets[0].id
        for node in inner
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and isinstance(node.value, ast.BinOp)
        and isinstance(node.value.op, ast.Sub | ast.Mod)
        and node.targets[0].id in names_of(node.value.left)
        and names_of(node.value.right) & items
    }
    tests = [node for node in inner if isinstance(node, ast.Compare | ast.BinOp)]
    return any(name in names_of(test) and names_of(test) & items for name in less for test in tests)


LOOKS = (_greedy,)
