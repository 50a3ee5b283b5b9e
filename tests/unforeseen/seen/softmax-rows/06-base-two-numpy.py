# cause: The exponentials are powers of 2 instead of powers of e.
# names: base (of )?(2|two|`?e\b)|power\w* (of|to)( the)?( base)? `?(2|two|e)\b|exp2|\b2(\.0)? ?\*\* ?|wrong base|(another|other|different) base|\bln ?\(?2|log\(2\)|too (flat|even|close)|temperature
import numpy as np


def solve(x):
    z = x - np.max(x, axis=-1)[:, np.newaxis]
    p = 2.0 ** z
    return p / p.sum(axis=-1)[:, np.newaxis]
