# allowed: wrong_answer
# Background thread keeps computing / rewrites shared buffer after return.
# The answer is frozen into bytes when it is returned.

import threading, time, numpy as np
def solve(x):
    out = np.zeros(np.shape(x))
    def late():
        time.sleep(0.05); out[...] = 0.25
    threading.Thread(target=late, daemon=True).start()
    return out
