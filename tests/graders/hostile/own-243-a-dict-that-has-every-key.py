# allowed: wrong_answer, runtime_error
# A dict of its own class, whose keys, items and lookups disagree; and one with hundreds of keys.
# A dict is copied item by item in the box, and has just the declared keys.
# exercise: eigenvectors

import numpy as np
turn = 0
class Every(dict):
    __missing__ = __getitem__ = lambda self, key: np.zeros(1)
    keys = lambda self: {"values", "vectors"}
    __len__ = lambda self: 2
    __eq__ = lambda self, other: True
    __hash__ = lambda self: 0
    items = lambda self: [("values", np.zeros(1)), ("values", np.zeros(2)), (Every(), 1)]
def eigenvectors(a):
    global turn
    turn += 1
    return Every() if turn % 2 else {str(n): np.zeros(1) for n in range(300)}
