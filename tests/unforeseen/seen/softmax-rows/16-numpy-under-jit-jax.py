# cause: Inside a function compiled with jax.jit the array is a tracer, and NumPy's functions (np.exp, np.max) cannot work on it; use jnp.
# names: (use|write|need) `?(jnp|jax\.numpy)`?(\.exp| (functions|instead|rather|for|here|through))|\bnp\.(exp|max|sum)|numpy.{0,60}(jit|traced|tracer|compil)|(tracer|traced|jit|compil\w*).{0,80}(numpy|`?\bnp\b)|__array__|convert\w*.{0,30}numpy
import jax
import numpy as np


@jax.jit
def solve(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)
