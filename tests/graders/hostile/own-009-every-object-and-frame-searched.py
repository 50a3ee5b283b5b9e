# allowed: wrong_answer
# limits: wall_seconds=30, cpu_seconds=30, total_seconds=120
# Every object, frame and traced allocation is searched for a case before its turn, a name or an answer.
# A case comes when it is its turn, without its name and without its answer.

import gc, inspect, re, sys, tracemalloc
import numpy as np
secret = re.compile("CANARY[-]7f3[a]|expected_[o]utput")
tracemalloc.start(25)
def texts(values):
    for value in values:
        if type(value) in (str, bytes): yield value if type(value) is str else value.decode("latin-1")
        elif type(value) in (list, tuple, set, frozenset): yield from (v for v in value if type(v) is str)
        elif type(value) is dict: yield from (v for pair in value.items() for v in pair if type(v) is str)
searched = False
def solve(x):
    global searched
    if searched: return x
    searched = True
    found = set(texts(gc.get_objects()))
    for frame in inspect.stack(): found |= set(texts([dict(frame.frame.f_locals)]))
    bad = [text for text in found if secret.search(text)]
    if bad: print("BREACH", bad)
    arrays = [value for each in gc.get_objects() if type(each) is dict for value in each.values()
              if type(value) is np.ndarray and value.shape == x.shape and value.dtype == x.dtype and value is not x]
    sums = [value for value in arrays if np.allclose(value.sum(-1), 1)]
    return sums[0] if sums else x
