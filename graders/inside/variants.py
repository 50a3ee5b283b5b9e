"""Our code in the box: a submission's source with one place changed, many times over, each called on some inputs.

It runs after the last case, and what it answers is no verdict: it only chooses a sentence. Nothing that a changed
source leaves behind meets another request.
"""

import contextlib
import io
import sys
import time
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from graders.inside import wire
from graders.inside.values import FILENAME, Frozen, know_dtypes, plain

MAX_LINES = 20_000  # that one changed source may run for one input
SECONDS = 2.5  # of the clock, on a machine with much else to do: what is found until then is answered

Answer = tuple[str, Any]  # "value" or "steps" and what it holds, or "raised"; "odd" where that cannot cross
Call = Callable[[Mapping[str, Any], Mapping[str, Any]], Answer]  # of the entries, on one input


def run(
    sources: Sequence[str],
    inputs: Sequence[Mapping[str, Any]],
    entries: Sequence[str],
    milliseconds: int,
    call: Call,
    cap: int,
) -> Frozen:
    """For each source, its answers to the inputs; fewer sources where the processor time or `SECONDS` are spent.

    Raises OverCap where all answers together are larger than `cap` bytes.
    """
    began, begun = time.process_time(), time.monotonic()
    answers = []
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        for source in sources:
            answers.append(list(_answers(source, inputs, entries, call)))
            if (time.process_time() - began) * 1000 > milliseconds or time.monotonic() - begun > SECONDS:
                break
    return Frozen(wire.encode({"v": answers}, cap))


def _answers(source: str, inputs: Sequence[Mapping[str, Any]], entries: Sequence[str], call: Call) -> Iterator[Answer]:
    """A source that cannot be loaded has one answer, its exception."""
    try:
        module = types.ModuleType("submission")
        module.__file__ = FILENAME
        sys.modules["submission"] = module
        know_dtypes(source)
        exec(compile(source, FILENAME, "exec", dont_inherit=True), module.__dict__)
        functions = {name: module.__dict__[name] for name in entries}
    except BaseException as error:
        yield _raised(error)
        return
    for each in inputs:
        try:
            sys.settrace(_Lines())
            yield call(functions, each)
        except wire.WireError:
            yield "odd", None
        except BaseException as error:
            yield _raised(error)
        finally:
            sys.settrace(None)


class _TooMany(BaseException):
    """A changed source may loop for ever: it is given up after MAX_LINES."""


class _Lines:
    """A trace function that counts the submission's lines, and none of a library."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, frame: types.FrameType, event: str, arg: object) -> "_Lines | None":
        if frame.f_code.co_filename != FILENAME:
            return None
        self.count += 1
        if self.count > MAX_LINES:
            raise _TooMany
        return self


def _raised(error: BaseException) -> Answer:
    return "raised", [kind.__name__ for kind in type(error).__mro__]


def value(answer: Any) -> Answer:
    """Raises WireError for what cannot cross."""
    return "value", plain(answer)
