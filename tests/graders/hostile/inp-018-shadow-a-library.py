# allowed: wrong_answer, runtime_error
# Shadow a library (submission named numpy.py / torch.py, or upload of extra modules).
# A submission is one source. This one writes its own numpy.py and imports it, for itself.

import os, sys
for name in ("numpy", "random", "torch", "sitecustomize", "graders"):
    with open(os.path.join(os.getcwd(), name + ".py"), "w") as file:
        file.write("def solve(x): return x\nexp = array = allclose = asarray = lambda *given, **named: True\n")
sys.path.insert(0, os.getcwd())
for name in [name for name in sys.modules if name.split(".")[0] in ("numpy", "graders", "random")]: del sys.modules[name]
import numpy, graders
def solve(x):
    return numpy.asarray(x)
