# allowed: wrong_answer
# NaN and infinity, with which every comparison of a careless checker is false.
# A checker says what it accepts in numbers that are finite, and `check` tries these.
# exercise: eigenvectors

import numpy as np
turn = 0
def eigenvectors(a):
    global turn
    turn += 1
    odd = [np.nan, np.inf, -np.inf, 1e300, -0.0, 5e-324][turn % 6]
    return {"values": np.full(len(a), odd), "vectors": np.full(a.shape, odd)}
