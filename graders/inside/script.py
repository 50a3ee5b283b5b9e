"""A script: several statements that use what the student wrote, run one after the other.

The value of each expression statement is an answer, as the value returned by a function is. In scope are the names that
the exercise asks for, the builtins, and the values that belong to the case; a script imports all else by itself.

Students can read this file: it lies in the box.
"""

import ast
import builtins
from collections.abc import Callable, Mapping
from typing import Any

from graders.inside import tracer, wire
from graders.inside.values import cut, know_dtypes, plain, raised

NAME = "script.py"
Step = tuple[int, str, Any]  # the line; "value", "odd" or "raised"; and what belongs to it


def run(source: str, entries: Mapping[str, Any], values: Mapping[str, Any]) -> list[Step]:
    """The answers of the script, in order. The last is "raised" where a statement raised an exception."""
    namespace = {"__builtins__": builtins, "__name__": "script", **entries, **values}
    steps: list[Step] = []
    know_dtypes(source)
    for statement in ast.parse(source, NAME).body:
        try:
            _run_one(statement, namespace, steps)
        except tracer.OutOfTime:
            raise
        except BaseException as error:
            steps.append((statement.lineno, "raised", raised(error)))
            break
    return steps


def as_function(source: str, entries: Mapping[str, Any], values: Mapping[str, Any]) -> Callable[[], list[Step]]:
    return lambda: run(source, entries, values)


def _run_one(statement: ast.stmt, namespace: dict[str, Any], steps: list[Step]) -> None:
    if not isinstance(statement, ast.Expr):
        exec(compile(ast.Module([statement], []), NAME, "exec", dont_inherit=True), namespace)
        return
    value = eval(compile(ast.Expression(statement.value), NAME, "eval", dont_inherit=True), namespace)
    try:
        steps.append((statement.lineno, "value", plain(value)))  # a copy: what later statements change is not in it
    except wire.WireError as error:
        steps.append((statement.lineno, "odd", cut(str(error))))
