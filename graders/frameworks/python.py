"""Python by itself: numbers, strings, lists and dicts, with no array and no library.

Its boxes are NumPy's, since NumPy brings every value across the wall: it costs no process of its own.
"""

from graders.frameworks.kind import Framework

FRAMEWORK = Framework(
    name="python",
    title="Python",
    boxes="numpy",
    imports=(),
    releases=(),
    parked=(0, 0),
    has_arrays=False,
    short="math",
    integers="int(x)",
    make="[…]",
)
