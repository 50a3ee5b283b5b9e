# allowed: wrong_answer, time_limit, runtime_error, memory_limit
# GPU-less accelerator probing / import storm.
# Imports run within the limits; nothing imported can reach anything.

import importlib, pkgutil
def solve(x):
    for m in pkgutil.iter_modules():
        try: importlib.import_module(m.name)
        except BaseException: pass
    return x
