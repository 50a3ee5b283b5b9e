"""Our code in the box: loads the student's module and calls it once per case.

    attack: forge a verdict, read the expected value, answer a question that was not asked.
    defence: none is needed here. This process holds no expected value, no reference and no case but the current one.
             All it can send is an answer, and a forged answer is just an answer. A student who patches this process
             patches only their own.

Requests come one at a time on descriptor 3 (wire.py). Each gets one reply, with the request's number:

    {"op": "load", "n", "source", "entries", "parameters", "rules", "data", "provided", "framework", "wide",
     "data_bytes", "output_bytes"}                    rules: source_rules.py; data, provided: materials.py
    {"op": "call", "n", "args", "seed"}               "seed": of all random numbers, or None
    {"op": "calls", "n", "args", "seeds"}             calls of an instructor's function, a seed for each
    {"op": "trace", "n", "args", "seed", "seconds"}   a call, traced line by line (tracer.py)
    {"op": "script", "n", "script", "values", "seed"} statements that use the entry points (script.py)
    {"op": "warm", "n", "calls", "wide"}              before there is a submission (warm.py)
    {"op": "cases", "n", "generator", "draws"}        for cases.py: inputs of an exercise, also in a box
    {"op": "cell", "n", "parts", …}                   a lesson's cell, in a box of its own (cell.py)
    {"op": "variants", "n", "sources", "inputs", "entries", "milliseconds"}   the submission, changed (variants.py)

A reply holds "ok", "value", "problem" (invalid submission), "raised" (an exception), "too_large" or "odd" (a return
value that cannot cross). Beside a value there may be "changed": the arguments that the call wrote into. A trace's reply
also holds "trace", and "too_slow" where the tracer ended the call.
"""

import ast
import copy
import inspect
import linecache
import math
import os
import sys
import types
from collections.abc import Mapping
from typing import Any

from graders.frameworks import BY_NAME
from graders.inside import materials, randomness, script, source_rules, tracer, variants, walls, wire
from graders.inside.values import FILENAME, Frozen, cut, into, know_dtypes, plain, raised, unreadable

CHANNEL = 3
REQUEST_CAP = 256 << 20  # requests come from the trusted side
WATCHED_BYTES = 1 << 20  # an argument below this is compared before and after the call


def rehearse(framework: str) -> None:
    """Load and call a trivial function ahead of the submission: pages are copied, modules found, code paths warm.

    It costs a parked box 2 ms, and the student nothing.
    """
    import numpy

    state: dict[str, Any] = {"framework": framework, "output_bytes": 1 << 20}
    module = types.ModuleType("rehearsal")
    exec(compile("def same(x):\n    return x\n", FILENAME, "exec", dont_inherit=True), module.__dict__)
    _uncallable(module.same, [1])
    state["entry"] = module.same
    frame = wire.encode({"op": "call", "n": 0, "args": [numpy.zeros((2, 3), numpy.float32)], "seed": None})
    text, _blob = wire.lengths(frame[: wire.HEADER.size], REQUEST_CAP)
    start = wire.HEADER.size
    reply = _call(state, wire.decode(frame[start : start + text], frame[start + text :]))
    wire.encode({"n": 0, "ok": True})
    assert "value" in reply, reply


def serve() -> None:
    """Answer requests until the channel closes. Never returns."""
    state: dict[str, Any] = {}
    while True:
        request = _receive()
        try:
            reply = _OPERATIONS[request["op"]](state, request)
        except BaseException as error:
            reply = {"raised": raised(error)}
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except BaseException:  # replaced or closed by the student, who loses the prints
                pass
        send({"n": request["n"], **reply})


def _load(state: dict[str, Any], request: dict[str, Any]) -> dict[str, Any]:
    """Compile and run the module, and find its entry point."""
    state.update(framework=request["framework"], output_bytes=request["output_bytes"])
    walls.submission_limits(request["data_bytes"])
    BY_NAME[state["framework"]].load(request["wide"])
    source = request["source"]
    try:
        code = compile(source, FILENAME, "exec", dont_inherit=True)
        broken = source_rules.broken(ast.parse(source), request["rules"]) if request["rules"] else None
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as error:
        return {"problem": unreadable(error)}
    if broken is not None:
        return {"problem": broken}
    materials.put_in_place(request["data"], request["provided"])
    lines = source.splitlines(keepends=True)
    linecache.cache[FILENAME] = (len(source), None, lines, FILENAME)
    module = types.ModuleType("submission")
    module.__file__ = FILENAME
    sys.modules["submission"] = module  # dataclasses, and so Flax's modules, look their home up there
    state["entries"] = {}
    if request["entries"] is None:
        module.__dict__["script"] = Script
    know_dtypes(source)
    exec(code, module.__dict__)
    if request["entries"] is None:
        state["module"] = module
        return {"ok": True}
    for name in request["entries"]:
        entry = module.__dict__.get(name)
        if name not in module.__dict__ or (request["parameters"] and not callable(entry)):
            return {"problem": _missing(source, module, name)}
        state["entries"][name] = entry
    state["entry"] = entry
    if request["parameters"] and (problem := _uncallable(entry, request["parameters"])):
        return {"problem": problem}
    return {"ok": True}


class Script:
    """What `script(…)` in cases.py makes: statements, and values that they find under these names."""

    def __init__(self, source: str, **values: Any) -> None:
        self.source, self.values = str(source), values

    def inputs(self) -> dict[str, Any]:
        return {wire.SCRIPT: self.source, **self.values}


def _missing(source: str, module: types.ModuleType, name: str) -> dict[str, Any]:
    if module.__dict__.get(name) is None and (problem := misplaced(source, name)):
        return problem
    defined = [name for name, value in module.__dict__.items() if isinstance(value, types.FunctionType)]
    shown = [cut(name, 80) for name in defined[:8]]
    return {"reason": "missing", "message": name, "defined": shown, "line": None}


def _uncallable(entry: Any, parameters: list[int]) -> dict[str, Any] | None:
    """Why it cannot be called with each of these numbers of arguments; None if it can."""
    if _takes(entry, parameters):
        return None
    try:
        signature = inspect.signature(entry)
    except (ValueError, TypeError):
        return None
    for count in parameters:
        try:
            signature.bind(*[None] * count)
        except TypeError as error:
            line = getattr(getattr(entry, "__code__", None), "co_firstlineno", None)
            message = cut(str(error))
            return {"reason": "signature", "yours": cut(str(signature)), "message": message, "line": line}
    return None


def _takes(entry: Any, counts: list[int]) -> bool:
    """Whether a plain function takes each of these numbers of arguments. `inspect`, which knows all other callables,
    runs a hundred times as much Python. False: unknown."""
    if type(entry) is not types.FunctionType or entry.__dict__ or entry.__kwdefaults__ is not None:
        return False
    code = entry.__code__
    if code.co_kwonlyargcount:
        return False
    fewest = code.co_argcount - len(entry.__defaults__ or ())
    most = math.inf if code.co_flags & inspect.CO_VARARGS else code.co_argcount
    return all(fewest <= count <= most for count in counts)


def misplaced(source: str, name: str) -> dict[str, Any] | None:
    """Where a function of that name is defined, if not at the top level: in what ("type"), and that one's name."""
    try:
        pending: list[tuple[ast.AST, str, str]] = [(ast.parse(source), "", "")]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    while pending:
        node, place, outer = pending.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if node.name == name and place:
                if place == "class" and node.args.args and node.args.args[0].arg == "self":
                    place = "method"
                return {"reason": "misplaced", "type": place, "message": cut(outer, 80), "line": node.lineno}
            place, outer = "function", node.name
        elif isinstance(node, ast.ClassDef):
            place, outer = "class", node.name
        elif isinstance(node, ast.stmt) and place in ("", "main", "branch"):
            is_main = isinstance(node, ast.If) and "__name__" in ast.unparse(node.test)
            place, outer = ("main", "") if is_main else ("branch", type(node).__name__.lower())
        pending += [(child, place, outer) for child in reversed(list(ast.iter_child_nodes(node)))]
    return None


def _call(state: dict[str, Any], request: dict[str, Any]) -> dict[str, Any]:
    before = [_bytes(argument) for argument in request["args"]]
    arguments = _arguments(state, request)
    reply = _answer(state, state["entry"](*arguments))
    # NumPy and torch got the arrays of the request themselves, and may have written into them
    after = [_bytes(argument) for argument in request["args"]]
    changed = [str(n) for n, (was, now) in enumerate(zip(before, after, strict=True)) if was != now]
    return {**reply, "changed": changed} if changed else reply


def _calls(state: dict[str, Any], request: dict[str, Any]) -> dict[str, Any]:
    """Call the entry point several times, for the values alone. Raises what one of the calls raises, and WireError for
    a value that cannot cross."""
    values = []
    for args, seed in zip(request["args"], request["seeds"], strict=True):
        values.append(plain(state["entry"](*_arguments(state, {"args": args, "seed": seed}))))
    return {"value": Frozen(wire.encode({"v": values}, state["output_bytes"]))}


def _arguments(state: dict[str, Any], request: dict[str, Any]) -> list[Any]:
    """The arguments of a call, as the framework's own; from here on random numbers are those of the seed, if any."""
    if request["seed"] is not None:
        randomness.seed(request["seed"])
    return [into(state["framework"], argument) for argument in request["args"]]


def _bytes(argument: Any) -> bytes | None:
    """The numbers of a small array, to see later whether they changed; None for a large one."""
    return argument.tobytes() if getattr(argument, "nbytes", WATCHED_BYTES) < WATCHED_BYTES else None


def _trace(state: dict[str, Any], request: dict[str, Any]) -> dict[str, Any]:
    arguments = [] if "script" in request else _arguments(state, request)
    traced = tracer.Tracer(FILENAME, request["seconds"])
    try:
        if "script" in request:
            reply = _steps(state, traced.call(_script_of(state, request), []))
        else:
            reply = _answer(state, traced.call(state["entry"], arguments))
    except tracer.OutOfTime:
        reply = {"too_slow": True}
    except BaseException as error:
        reply = {"raised": raised(error)}
    return {**reply, "trace": traced.report()}


def _script(state: dict[str, Any], request: dict[str, Any]) -> dict[str, Any]:
    return _steps(state, _script_of(state, request)())


def _script_of(state: dict[str, Any], request: dict[str, Any]) -> Any:
    if request["seed"] is not None:
        randomness.seed(request["seed"])
    values = {name: into(state["framework"], value) for name, value in request["values"].items()}
    return script.as_function(request["script"], state["entries"], values)


def _steps(state: dict[str, Any], steps: list[script.Step]) -> dict[str, Any]:
    try:
        return {"steps": True, "value": Frozen(wire.encode({"v": steps}, state["output_bytes"]))}
    except wire.OverCap as error:
        return {"too_large": str(error)}


def _answer(state: dict[str, Any], value: Any) -> dict[str, Any]:
    try:
        # encoded at once, so that a thread of the student's cannot change it afterwards
        found: set[str] = set()
        frozen = Frozen(wire.encode({"v": plain(value, found=found)}, state["output_bytes"]))
        return {"value": frozen, "arrays": sorted(found)} if found else {"value": frozen}
    except wire.OverCap as error:
        return {"too_large": str(error)}
    except wire.WireError as error:
        return {"odd": cut(str(error))}


def _cases(state: dict[str, Any], request: dict[str, Any]) -> dict[str, Any]:
    """Run a generator of cases.py once for each of "draws", a seed and places: each time a list of (name, inputs), only
    of these places unless they are None."""
    import numpy

    generator = getattr(state["module"], request["generator"], None)
    if generator is None:
        return {"problem": {"reason": "missing", "defined": [], "line": None}}
    drawn = []
    for seed, only in request["draws"]:
        cases: list[tuple[Any, ...]] = []
        for place, (name, inputs, *options) in enumerate(generator(numpy.random.default_rng(seed))):
            if only is None or place in only:
                values = inputs.inputs() if isinstance(inputs, Script) else dict(inputs)
                of_case = [plain(dict(option)) for option in options]
                cases.append((str(name), {key: plain(value) for key, value in values.items()}, *of_case))
        drawn.append(cases)
    return {"value": Frozen(wire.encode({"v": drawn}, REQUEST_CAP))}


def _warm(state: dict[str, Any], request: dict[str, Any]) -> dict[str, Any]:
    """Make library calls before there is a submission, so that JAX has compiled them."""
    from graders.inside import warm

    warm.make(request["calls"], request["wide"])
    return {"ok": True}


def _cell(state: dict[str, Any], request: dict[str, Any]) -> dict[str, Any]:
    from graders.inside import cell

    return cell.run(state, request)


def _variants(state: dict[str, Any], request: dict[str, Any]) -> dict[str, Any]:
    def call(entries: Mapping[str, Any], each: Mapping[str, Any]) -> variants.Answer:
        own = copy.deepcopy(dict(each))  # the next source must not find what this one has written into its arrays
        if "script" in own:
            return "steps", _script_of({**state, "entries": entries}, own)()
        return variants.value(entries[names[-1]](*_arguments(state, own)))

    sources, inputs, names = request["sources"], request["inputs"], request["entries"]
    try:
        return {"value": variants.run(sources, inputs, names, request["milliseconds"], call, state["output_bytes"])}
    except wire.OverCap as error:
        return {"too_large": str(error)}


_OPERATIONS = {
    "load": _load,
    "call": _call,
    "calls": _calls,
    "script": _script,
    "trace": _trace,
    "cases": _cases,
    "warm": _warm,
    "cell": _cell,
    "variants": _variants,
}


def _receive() -> dict[str, Any]:
    frame = _read()  # nearly always the whole, and never more: the next request comes after the reply to this one
    while len(frame) < wire.HEADER.size:
        frame += _read()
    text, blob = wire.lengths(frame[: wire.HEADER.size], REQUEST_CAP)
    start = wire.HEADER.size
    missing = start + text + blob - len(frame)
    if missing > 0:
        parts = [frame]
        while missing > 0:
            parts.append(_read(min(missing, 1 << 20)))
            missing -= len(parts[-1])
        frame = b"".join(parts)
    return wire.decode(frame[start : start + text], frame[start + text :])


def _read(most: int = 1 << 16) -> bytes:
    """`most`: above 128 KiB the C library asks the kernel for the room, and gives it back, each time."""
    part = os.read(CHANNEL, most)
    if not part:
        os._exit(0)  # the trusted side has closed the channel
    return part


def send(reply: dict[str, Any]) -> None:
    """Write one reply. A value follows it as a separate frame."""
    value = reply.pop("value", None)
    if value is not None:
        reply["value"] = True
    frame = wire.encode(reply, 1 << 20)
    if value is not None:
        frame += value.frame
    view = memoryview(frame)
    while view:
        view = view[os.write(CHANNEL, view) :]
