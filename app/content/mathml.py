"""TeX to MathML by Temml (vendored beside this file), in one V8 context that this process keeps.

The attack: Temml is a large program that turns an instructor's text into markup we insert after the sanitiser
has run. The defence: it runs without `trust`, with bounded macro expansion, memory and time; and every tag and
attribute of what it returns must be on the short lists below, or the formula is refused. `style` attributes never
pass (the pages' CSP forbids them): the few that matter become the classes `tml-flush`, `tml-gap` and `tml-box`.
"""

import atexit
import json
import re
import threading
from functools import lru_cache
from pathlib import Path

from py_mini_racer import JSEvalException, JSOOMException, JSTimeoutException, MiniRacer, init_mini_racer

MAX_TEX_CHARACTERS = 4000
TIMEOUT_SECONDS = 2.0
MEMORY_LIMIT_BYTES = 256 * 1024 * 1024


class MathError(Exception):
    """The formula cannot be typeset. `offset` is where in the TeX, if Temml knows."""

    def __init__(self, message: str, offset: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset


@lru_cache(maxsize=8192)
def to_mathml(tex: str, display: bool) -> str:
    """`<math>…</math>`, safe to insert into a page. Raises MathError."""
    if len(tex) > MAX_TEX_CHARACTERS:
        raise MathError(f"A formula of {len(tex)} characters is too long (at most {MAX_TEX_CHARACTERS}).")
    answer = json.loads(_typesetter.ask(tex, display))
    if "mathml" in answer:
        return _confined(answer["mathml"])
    raise MathError(_plain(answer["message"]), answer["position"])


class _Typesetter:
    """Temml in V8, started at the first formula; one question at a time, and a fresh context after a bad one."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._context: MiniRacer | None = None
        self._is_closed = False

    def close(self) -> None:
        """At the end of the process, before the interpreter takes itself apart: V8 met then crashes or hangs it,
        and a thread that renders would go on meeting it."""
        with self._turn:
            self._is_closed = True
            if self._context is not None:
                self._context.close()
                self._context = None

    def ask(self, tex: str, display: bool) -> str:
        call = f"typeset({json.dumps(tex)}, {json.dumps(display)})"
        with self._turn:
            if self._is_closed:
                raise MathError("The process is ending: no more formulas are typeset.")
            context = self._context or _new_context()
            self._context = None  # put back only after a good answer: a wedged context is not asked again
            try:
                answer = context.eval(call, timeout_sec=TIMEOUT_SECONDS)
            except (JSTimeoutException, JSOOMException) as error:
                context.close()
                raise MathError("The formula takes too long to typeset.") from error
            except JSEvalException as error:
                context.close()
                raise MathError("The formula cannot be typeset.") from error
            self._context = context
        assert isinstance(answer, str)
        return answer


_typesetter = _Typesetter()
# V8 guards its own memory by a key that only the thread which started it has, and threads begun by that one. Started
# in a thread of ours, it would crash the main thread when that takes the process apart.
init_mini_racer(ignore_duplicate_init=True)
atexit.register(_typesetter.close)

_TYPESET = """
function typeset(tex, display) {
  try {
    return JSON.stringify({mathml: temml.renderToString(tex,
      {displayMode: display, throwOnError: true, trust: false, maxExpand: 500, maxSize: [20, 20]})});
  } catch (error) {
    const position = typeof error.position === "number" ? error.position : null;
    return JSON.stringify({message: String(error.message), position});
  }
}
"""


def _new_context() -> MiniRacer:
    context = MiniRacer()
    context.set_hard_memory_limit(MEMORY_LIMIT_BYTES)
    context.eval((Path(__file__).parent / "temml.min.js").read_text(encoding="utf-8"))
    context.eval(_TYPESET)
    return context


def _plain(message: str) -> str:
    """Temml's message without the combining underlines it marks the place with."""
    first = message.replace("\u0332", "").strip().split("\n")[0]
    return re.sub(r"\s+at position \d+:\s*$", "", first).rstrip(" :") + "."


_TAGS = frozenset(
    "math mi mn mo ms mtext mspace mrow mfrac msqrt mroot mstyle merror mpadded mphantom msub msup msubsup"  # noqa: SIM905
    " munder mover munderover mmultiscripts mprescripts mtable mtr mtd menclose none span".split()
)
_ATTRIBUTES = frozenset(
    "accent accentunder class columnalign columnspan depth dir display displaystyle fence form height"  # noqa: SIM905
    " largeop linebreak linethickness lquote lspace mathbackground mathcolor mathvariant maxsize minsize"
    " movablelimits notation rowspan rquote rspace scriptlevel separator stretchy symmetric voffset width".split()
)
_TAG = re.compile(r"""<(/?)([a-z]+)((?:\s+[a-z-]+=(?:"[^"<>]*"|'[^'<>]*'))*)\s*(/?)>""")
_ATTRIBUTE = re.compile(r"""\s+([a-z-]+)=(?:"([^"<>]*)"|'([^'<>]*)')""")


def _confined(mathml: str) -> str:
    def check(match: re.Match[str]) -> str:
        closing, tag, attributes, empty = match.groups()
        if tag not in _TAGS:
            raise MathError(f"The formula would make a <{tag}> element, which formulas may not.")
        if closing:
            return f"</{tag}>"
        kept: dict[str, str] = {}
        for name, double, single in _ATTRIBUTE.findall(attributes):
            value = double or single
            if name == "style":
                _unstyle(value, kept)
            elif name == "class":
                kept["class"] = f"{kept.get('class', '')} {value}".strip()
            elif name in _ATTRIBUTES:
                kept[name] = value
            else:
                raise MathError(f"The formula would set the attribute {name}, which formulas may not.")
        return f"<{tag}{''.join(f' {name}={chr(34)}{value}{chr(34)}' for name, value in kept.items())}{empty}>"

    if "<" in _TAG.sub("", mathml):
        raise MathError("The formula would make markup that is not MathML.")
    return _TAG.sub(check, mathml)


def _unstyle(style: str, kept: dict[str, str]) -> None:
    """A class or a presentational attribute for the styles that matter; the others are dropped."""
    declarations = dict(part.split(":", 1) for part in style.split(";") if ":" in part)
    classes = [kept["class"]] if "class" in kept else []
    if "border" in declarations:
        classes.append("tml-box")
    if declarations.get("padding-left") in ("0em", "0pt") and declarations.get("padding-right") in ("0em", "0pt"):
        classes.append("tml-flush")
    if declarations.get("padding-left") == "1em":
        classes.append("tml-gap")
    if classes:
        kept["class"] = " ".join(classes)
    if re.fullmatch(r"#[0-9a-f]{6}", declarations.get("color", "")):
        kept["mathcolor"] = declarations["color"]
