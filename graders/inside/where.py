"""How a box tells the line that its program is in, when the server asks for it just before it kills the box.

The server sends SIGNAL. `faulthandler`'s handler, which is C, writes the main thread's calls to the channel there and
then: it needs no lock of Python's, so it answers in the middle of a sleep, of a long call of a library, or of a loop
that catches every exception. A box that is never asked pays nothing.

    attack: have the server wait for the answer, or answer with something else.
    defence: none is needed here. The server waits for a moment only, reads numbers of lines and nothing else, and asks
             only where the box has never met a hidden input (boxes/where.py).
"""

import faulthandler

# The last real-time signal: no library uses it, no timer sends it, and it alone has this bit, by which the filter keeps
# programs from handling it (walls.py).
SIGNAL = 64


def answer_on(channel: int) -> None:
    """Answer each SIGNAL with the main thread's calls, as text, on this descriptor."""
    faulthandler.register(SIGNAL, file=channel, all_threads=False, chain=False)
