"""Where a program was when its time was up: the lines of its own calls, asked of its box just before the box is killed.

The box answers a signal with text on its channel (inside/where.py). It is asked several times, since the lines of one
moment say little about a loop, and those of several moments say which lines it goes through.

attack: answer with other lines; answer never, late, or without end; use the time for memory that nobody watches.
defence: what comes is searched for numbers of lines, and only those that the source has are kept: a box can lie about
         its own line, to its own student. It has ROUNDS rounds, and more of them, up to MOST_ROUNDS, only while it is
         the machine that keeps it from answering. Its memory is watched before each round. Then it is killed, and its
         verdict, which stood before it was asked, is the same.

attack: carry a hidden input out by the line that is told.
defence: the caller asks only about loading and sample cases, before any hidden input has entered the box.
"""

import re
import signal
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass

from graders.inside import wire

ROUND_SECONDS = 0.010
ROUNDS = 5
MOST_ROUNDS = 50
MAX_BYTES = 1 << 20  # of all that it writes meanwhile: a hundred calls take ten kilobytes

_HEAD = b"Stack (most recent call first):\n"
_END = re.compile(rb'^(?:  File "[^"\n]*zygote\.py", line \d+ in <module>|  \.\.\.)$', re.MULTILINE)
_OWN = re.compile(rb'^  File "' + re.escape(wire.SUBMISSION.encode()) + rb'", line (\d{1,7}) in ', re.MULTILINE)
_COMPILES = re.compile(rb'^  File "[^"\n]*/jax/_src/compiler\.py", line \d+ in ', re.MULTILINE)
_ANSWERS = re.compile(rb'^  File "[^"\n]*/runner\.py", line \d+ in _answer$', re.MULTILINE)


@dataclass(frozen=True)
class Where:
    """What a box told. `stacks`: for each moment, the lines of the student's own calls, the innermost first.

    `compiles`: JAX was compiling for the innermost at each moment. `has_returned`: the entry point had returned, and
    what it returned was not there yet, which JAX computes in the background.
    """

    stacks: tuple[tuple[int, ...], ...] = ()
    compiles: bool = False
    has_returned: bool = False


NOWHERE = Where()


def ask(
    pidfd: int,
    channel: socket.socket,
    lines: int,
    may_go_on: Callable[[], bool],
    is_held_up: Callable[[], bool],
) -> Where:
    """Ask the process of `pidfd`, whose source has that many `lines`. `channel` does not block.

    `may_go_on`: whether it keeps its limits of memory. `is_held_up`: whether the machine has kept it from answering.
    """
    text = bytearray()
    for turn in range(MOST_ROUNDS):
        is_extra = turn >= ROUNDS and (_END.search(text) is not None or not is_held_up())
        if is_extra or len(text) >= MAX_BYTES or not may_go_on():
            break
        if turn < ROUNDS:
            try:
                signal.pidfd_send_signal(pidfd, wire.WHERE_SIGNAL)
            except ProcessLookupError:
                break
        time.sleep(ROUND_SECONDS)
        if not _drain(channel, text):
            break
    return read(bytes(text), lines)


def _drain(channel: socket.socket, text: bytearray) -> bool:
    """Add what is there to `text`. False at the end."""
    while len(text) < MAX_BYTES:
        try:
            part = channel.recv(1 << 16)
        except BlockingIOError:
            return True
        except OSError:
            return False
        if not part:
            return False
        text += part
    return True


def read(text: bytes, lines: int) -> Where:
    """What these bytes tell, of answers that are whole."""
    moments = [moment[: end.end()] for moment in text.split(_HEAD)[1:] if (end := _END.search(moment))]
    if not moments:
        return NOWHERE
    stacks = [tuple(line for n in _OWN.findall(moment) if 0 < (line := int(n)) <= lines) for moment in moments]
    in_own = [(stack, _library_part(moment)) for stack, moment in zip(stacks, moments, strict=True) if stack]
    return Where(
        tuple(stack for stack, _ in in_own),
        compiles=bool(in_own) and all(_COMPILES.search(above) for _, above in in_own),
        has_returned=not in_own and all(_ANSWERS.search(moment) for moment in moments),
    )


def _library_part(moment: bytes) -> bytes:
    """The calls that the student's innermost one has made."""
    first = _OWN.search(moment)
    return moment[: first.start()] if first else moment
