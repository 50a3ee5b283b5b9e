# cause: The sum is computed again for every entry in Python loops over single JAX numbers, which takes far too long for a row of 300.
# names: slow|too long|loops?\b.{0,60}(python|long|single|element|entry)|time limit|in time|vectori[sz]|(whole|entire) (array|row)s? at once|again and again|(re)?comput\w+.{0,30}(again|every|each)|quadratic|element by element|one (number|entry|element) at a time|dispatch
import jax.numpy as jnp


def solve(x):
    N, C = x.shape
    rows = []
    for n in range(N):
        m = x[n].max()
        row = []
        for c in range(C):
            total = 0.0
            for k in range(C):
                total = total + jnp.exp(x[n, k] - m)
            row.append(jnp.exp(x[n, c] - m) / total)
        rows.append(jnp.stack(row))
    return jnp.stack(rows)
