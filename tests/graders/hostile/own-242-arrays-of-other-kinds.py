# allowed: wrong_answer, runtime_error
# Of another dtype, rank or order of bytes, without elements, of objects, masked, on a file, or sharing every element.
# dtype and shape are the declared ones, or the checker is not asked.
# exercise: eigenvectors

import numpy as np
turn = 0
def eigenvectors(a):
    global turn
    turn += 1
    n = len(a)
    one = [np.eye(n, dtype=complex), np.eye(n, dtype=object), np.eye(n)[None], np.eye(n, dtype=">f8") * 2, np.ma.masked_all((n, n)),
           np.lib.stride_tricks.as_strided(np.zeros(1), (n, n), (0, 0)), np.matrix(np.eye(n)) * 3, np.zeros((0, n)), np.datetime64("now")][turn % 9]
    return {"values": np.zeros(n), "vectors": one}
