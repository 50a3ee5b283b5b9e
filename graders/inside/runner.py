"""Our code in the box: loads the student's module and calls it once per case.

    attack: forge a verdict, read the expected value, answer a question that was not asked.
    defence: none is needed here. This process holds no expected value, no reference and no case but the one at hand;
             all it can send is an answer, and an answer of its own making is just an answer. Whatever the student
             patches in this process, they patch for themselves.

Requests come one at a time on descriptor 3 (wire.py) and get one reply each, with the request's number:

    {"op": "load", "n", "source", "entry", "parameters", "framework", "wide", "data_bytes", "output_bytes"}
    {"op": "call", "n", "args"}
    {"op": "trace", "n", "args", "seconds"}           a call, told line by line (tracer.py)
    {"op": "warm", "n", "calls", "wide"}              before there is a submission (warm.py)
    {"op": "cases", "n", "generator", "seed", "only"} for cases.py: inputs of an exercise, in a box as well
    {"op": "cell", "n", "parts", …}                   a lesson's cell, in a box of its own (cell.py)

A reply holds "ok", "value", "problem" (invalid submission), "raised" (an exception) or "odd" (a return value that
cannot cross); beside a value "changed", the arguments that the call wrote into;
a trace's also "trace", and "too_slow" where it ended the call itself.
"""

import ast
import gc
import inspect
import linecache
import os
import sys
import types
from typing import Any

from graders.inside import tracer, walls, wire

CHANNEL = 3
REQUEST_CAP = 256 << 20  # requests come from the trusted side
FILENAME = "submission.py"
MAX_MESSAGE = 2_000
MAX_FRAMES = 12
WATCHED_BYTES = 1 << 20  # of an argument that is looked at again after the call


def rehearse(framework: str) -> None:
    """Load and call something of no consequence, so that what every submission goes through has been gone through:
    pages copied, modules found, code paths warm. It costs the box that waits 2 ms, and the student nothing.
    """
    import numpy

    state: dict[str, Any] = {"framework": framework, "output_bytes": 1 << 20}
    module = types.ModuleType("rehearsal")
    exec(compile("def same(x):\n    return x\n", FILENAME, "exec", dont_inherit=True), module.__dict__)
    inspect.signature(module.same).bind(None)
    state["entry"] = module.same
    frame = wire.encode({"op": "call", "n": 0, "args": [numpy.zeros((2, 3), numpy.float32)]})
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
            except BaseException:  # replaced or closed by the student: their prints, their loss
                pass
        send({"n": request["n"], **reply})


def _load(state: dict[str, Any], request: dict[str, Any]) -> dict[str, Any]:
    """Compile, run and keep the module; find its entry point."""
    state.update(framework=request["framework"], output_bytes=request["output_bytes"])
    walls.submission_limits(request["data_bytes"])
    if state["framework"] == "jax":
        # or a float64 that the exercise declares would arrive as float32, and none could be returned
        sys.modules["jax"].config.update("jax_enable_x64", request["wide"])
    source = request["source"]
    try:
        code = compile(source, FILENAME, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as error:
        return {"problem": unreadable(error)}
    lines = source.splitlines(keepends=True)
    linecache.cache[FILENAME] = (len(source), None, lines, FILENAME)
    module = types.ModuleType("submission")
    module.__file__ = FILENAME
    sys.modules["submission"] = module  # dataclasses, and so Flax's modules, look their home up there
    state["entry"] = None
    exec(code, module.__dict__)
    if request["entry"] is None:
        state["module"] = module
        return {"ok": True}
    entry = module.__dict__.get(request["entry"])
    if not callable(entry):
        if entry is None and (found := misplaced(source, request["entry"])):
            return {"problem": found}
        defined = [name for name, value in module.__dict__.items() if isinstance(value, types.FunctionType)]
        return {"problem": {"kind": "missing", "defined": [cut(name, 80) for name in defined[:8]], "line": None}}
    try:
        signature = inspect.signature(entry)
    except (ValueError, TypeError):
        signature = None
    if signature is not None:
        try:
            signature.bind(*[None] * request["parameters"])
        except TypeError as error:
            line = getattr(getattr(entry, "__code__", None), "co_firstlineno", None)
            message = cut(str(error))
            return {"problem": {"kind": "signature", "yours": cut(str(signature)), "message": message, "line": line}}
    state["entry"] = entry
    return {"ok": True}


def unreadable(error: Exception) -> dict[str, Any]:
    """What keeps a source from being compiled."""
    line = error.lineno if isinstance(error, SyntaxError) else None
    message = error.msg if isinstance(error, SyntaxError) else str(error)
    return {"kind": "syntax", "type": type(error).__name__, "message": cut(str(message)), "line": line}


def misplaced(source: str, name: str) -> dict[str, Any] | None:
    """Where a function of that name is defined, if it is not at the top level: in what ("type"), called what."""
    try:
        left: list[tuple[ast.AST, str, str]] = [(ast.parse(source), "", "")]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    while left:
        node, place, called = left.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if node.name == name and place:
                if place == "class" and node.args.args and node.args.args[0].arg == "self":
                    place = "method"
                return {"kind": "misplaced", "type": place, "message": cut(called, 80), "line": node.lineno}
            place, called = "function", node.name
        elif isinstance(node, ast.ClassDef):
            place, called = "class", node.name
        elif isinstance(node, ast.stmt) and place in ("", "main", "branch"):
            is_main = isinstance(node, ast.If) and "__name__" in ast.unparse(node.test)
            place, called = ("main", "") if is_main else ("branch", type(node).__name__.lower())
        left += [(child, place, called) for child in reversed(list(ast.iter_child_nodes(node)))]
    return None


def _call(state: dict[str, Any], request: dict[str, Any]) -> dict[str, Any]:
    before = [_bytes(argument) for argument in request["args"]]
    arguments = [_into(state["framework"], argument) for argument in request["args"]]
    reply = _answer(state, state["entry"](*arguments))
    # NumPy and torch were given the very arrays of the request, and may have written into them
    after = [_bytes(argument) for argument in request["args"]]
    changed = [str(n) for n, (one, other) in enumerate(zip(before, after, strict=True)) if one != other]
    return {**reply, "changed": changed} if changed else reply


def _bytes(argument: Any) -> bytes | None:
    """A small array's numbers, to see later whether they have changed; a large one is not watched."""
    return argument.tobytes() if getattr(argument, "nbytes", WATCHED_BYTES) < WATCHED_BYTES else None


def _trace(state: dict[str, Any], request: dict[str, Any]) -> dict[str, Any]:
    arguments = [_into(state["framework"], argument) for argument in request["args"]]
    traced = tracer.Tracer(FILENAME, request["seconds"])
    try:
        reply = _answer(state, traced.call(state["entry"], arguments))
    except tracer.OutOfTime:
        reply = {"too_slow": True}
    except BaseException as error:
        reply = {"raised": raised(error)}
    return {**reply, "trace": traced.report()}


def _answer(state: dict[str, Any], value: Any) -> dict[str, Any]:
    try:
        # encoded here, not only converted: what a thread of the student's changes afterwards does not count
        return {"value": Frozen(wire.encode({"v": plain(value)}, state["output_bytes"]))}
    except wire.TooLarge as error:
        return {"too_large": str(error)}
    except wire.WireError as error:
        return {"odd": cut(str(error))}


def _cases(state: dict[str, Any], request: dict[str, Any]) -> dict[str, Any]:
    """Run a generator of cases.py: a list of (name, inputs), of the places in "only" where it names some."""
    import numpy

    generator = getattr(state["module"], request["generator"], None)
    if generator is None:
        return {"problem": {"kind": "missing", "defined": [], "line": None}}
    only, cases = request["only"], []
    for place, (name, inputs) in enumerate(generator(numpy.random.default_rng(request["seed"]))):
        if only is None or place in only:
            cases.append((str(name), {key: plain(value) for key, value in dict(inputs).items()}))
    return {"value": Frozen(wire.encode({"v": cases}, REQUEST_CAP))}


def _warm(state: dict[str, Any], request: dict[str, Any]) -> dict[str, Any]:
    """Make library calls before there is a submission, so that JAX has compiled them."""
    from graders.inside import warm

    warm.make(request["calls"], request["wide"])
    return {"ok": True}


def _cell(state: dict[str, Any], request: dict[str, Any]) -> dict[str, Any]:
    from graders.inside import cell

    return cell.run(state, request)


_OPERATIONS = {"load": _load, "call": _call, "trace": _trace, "cases": _cases, "warm": _warm, "cell": _cell}


class Frozen:
    """A value already in wire form, to be carried as bytes within the reply."""

    def __init__(self, frame: bytes) -> None:
        self.frame = frame


def _receive() -> dict[str, Any]:
    header = _read(wire.HEADER.size)
    text, blob = wire.lengths(header, REQUEST_CAP)
    return wire.decode(_read(text), _read(blob))


def _read(count: int) -> bytes:
    parts = []
    while count:
        part = os.read(CHANNEL, min(count, 1 << 20))
        if not part:
            os._exit(0)  # the trusted side is done with us
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def send(reply: dict[str, Any]) -> None:
    """Write one reply; a value follows it as a frame of its own."""
    value = reply.pop("value", None)
    if value is not None:
        reply["value"] = True
    frame = wire.encode(reply, 1 << 20)
    if value is not None:
        frame += value.frame
    view = memoryview(frame)
    while view:
        view = view[os.write(CHANNEL, view) :]


def _into(framework: str, value: Any) -> Any:
    """Arrays as the framework's own; everything else as it is."""
    kind = type(value)
    if kind is list or kind is tuple:
        return kind(_into(framework, item) for item in value)
    if kind is dict:
        return {key: _into(framework, item) for key, item in value.items()}
    if not hasattr(value, "dtype"):
        return value
    if framework == "jax":
        import jax.numpy

        return jax.numpy.asarray(value)
    if framework == "torch":
        import torch

        if value.dtype.name == "bfloat16":
            return torch.from_numpy(value.view("int16")).view(torch.bfloat16)
        return torch.from_numpy(value)
    return value


def plain(value: Any, depth: int = 0) -> Any:
    """A student's value as plain Python and plain NumPy. Raises WireError, in words, for what cannot cross."""
    import numpy

    if depth > wire.MAX_DEPTH:
        raise wire.WireError(f"a value nested deeper than {wire.MAX_DEPTH}")
    if value is None or type(value) in (bool, int, float, str, complex):
        return value
    if isinstance(value, numpy.ma.MaskedArray):
        raise wire.WireError("a masked array")
    if isinstance(value, (numpy.ndarray, numpy.generic)):
        return numpy.array(value, order="C", copy=True, subok=False)
    torch, jax = sys.modules.get("torch"), sys.modules.get("jax")
    if torch is not None and isinstance(value, torch.Tensor):
        return _from_torch(torch, value)
    if jax is not None and isinstance(value, jax.Array):
        if isinstance(value, jax.core.Tracer):
            raise wire.WireError("a JAX tracer, which leaked out of jit, vmap or grad")
        return numpy.array(value, order="C", copy=True)
    if type(value) in (list, tuple):
        return type(value)(plain(item, depth + 1) for item in value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return tuple(plain(item, depth + 1) for item in value)
    if isinstance(value, dict):
        return {key: plain(item, depth + 1) for key, item in value.items()}
    kind = type(value).__name__
    if inspect.isgenerator(value) or inspect.iscoroutine(value) or inspect.isasyncgen(value):
        raise wire.WireError(f"a {kind}: the function yields or awaits instead of returning")
    raise wire.WireError(f"{'an' if kind[:1].lower() in 'aeiou' else 'a'} {cut(kind, 80)}")


def _from_torch(torch: Any, tensor: Any) -> Any:
    import ml_dtypes

    if tensor.layout != torch.strided:
        raise wire.WireError(f"a torch tensor of layout {str(tensor.layout).removeprefix('torch.')}")
    if tensor.is_quantized or tensor.device.type != "cpu":
        raise wire.WireError(
            "a quantised torch tensor" if tensor.is_quantized else f"a torch tensor on {tensor.device}"
        )
    plain = tensor.detach().resolve_conj().resolve_neg().contiguous()
    if plain.dtype == torch.bfloat16:
        return plain.view(torch.int16).numpy().view(ml_dtypes.bfloat16).copy()
    return plain.numpy().copy()


def format_warning(
    message: Warning | str, category: type[Warning], filename: str, lineno: int, line: str | None = None
) -> str:
    """As Python prints it, with the line where that is the student's own: a path of the server's tells them nothing."""
    where = f"line {lineno}: " if filename == FILENAME else ""
    return f"{where}{category.__name__}: {message}\n"


def raised(error: BaseException, filename: str = FILENAME) -> dict[str, Any]:
    """What the student's code raised: type, message, their own frames, and whether memory ran out."""
    frames: list[tuple[int, str]] = []
    trace = error.__traceback__
    while trace is not None and len(frames) < 1000:
        code = trace.tb_frame.f_code
        if code.co_filename == filename:
            frames.append((trace.tb_lineno, code.co_name))
        trace = trace.tb_next
    error.__traceback__ = None
    gc.collect()  # room to say it, after a MemoryError
    try:
        message = str(error)
        message = message if type(message) is str else ""
    except BaseException:
        message = "(the exception's own text could not be made)"
    kind = cut(str(type(error).__name__), 100)
    text = []
    if len(frames) > MAX_FRAMES:
        text.append(f"… {len(frames) - MAX_FRAMES} more calls …")
    for line, name in frames[-MAX_FRAMES:]:
        where = "" if name == "<module>" else f", in {cut(name, 80)}"
        text.append(f"line {line}{where}")
        if quoted := linecache.getline(filename, line).strip():
            text.append(f"    {cut(quoted, 200)}")
    return {
        "type": kind,
        "message": cut(message),
        "line": frames[-1][0] if frames else None,
        "traceback": "\n".join(text),
        "memory": isinstance(error, MemoryError) or _framework_out_of_memory(kind, message),
    }


def _framework_out_of_memory(kind: str, message: str) -> bool:
    return (kind == "RuntimeError" and "can't allocate memory" in message) or (
        kind in ("XlaRuntimeError", "JaxRuntimeError") and "RESOURCE_EXHAUSTED" in message
    )


def cut(text: str, limit: int = MAX_MESSAGE) -> str:
    return text if len(text) <= limit else text[:limit] + " …"
