# cause: In the log-sum-exp form the logarithm of the sum is missing: the sum itself is subtracted in the exponent.
# names: (log(arithm)?\b.{0,60}(missing|forgot|left out|omitted|lacks?|take|of the sum|before))|(missing|forgot\w*|without|left out|omit\w*|lacks?|take|need\w*).{0,20}(the |a |its |`?(j?np\.)?)log\b|log-?sum-?exp|logsumexp|subtract\w*.{0,30}\bsum\b|sum.{0,30}subtract
import jax.numpy as jnp


def solve(x):
    m = jnp.max(x, axis=-1, keepdims=True)
    lse = m + jnp.sum(jnp.exp(x - m), axis=-1, keepdims=True)     # (N, 1)
    return jnp.exp(x - lse)
