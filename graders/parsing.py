"""`ast.parse` for several threads at once, on the releases of Python where that fails.

Before 3.11.8 and 3.12.2 CPython counts how deep it is in a tree in one place for all threads (gh-106905). While a tree
is made the garbage collector may run, and what it runs may let another thread go on; if that makes a tree too, both
fail: `SystemError: AST constructor recursion depth mismatch`. A server reads sources in many threads. An exercise that
met it as the server started was left out, and a submission that met it was judged again.
"""

import ast
import functools
import sys
import threading
from typing import Any

IS_AFFECTED = (3, 11) <= sys.version_info < (3, 11, 8) or (3, 12) <= sys.version_info < (3, 12, 2)
_turn = threading.RLock()  # a finalizer that parses runs in the thread that holds it


def take_turns() -> None:
    """From now on one thread parses at a time, also where a library does. Once for each process; no harm in more."""
    if IS_AFFECTED and not hasattr(ast.parse, "__wrapped__"):
        ast.parse = _in_turn(ast.parse)


def _in_turn(parse: Any) -> Any:
    @functools.wraps(parse)
    def in_turn(*arguments: Any, **options: Any) -> Any:
        with _turn:
            return parse(*arguments, **options)

    return in_turn
