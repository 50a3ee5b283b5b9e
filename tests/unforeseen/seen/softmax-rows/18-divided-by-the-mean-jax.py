# cause: The exponentials are divided by their mean instead of their sum, so each row sums to the number of columns and not to 1.
# names: (divid\w*|by|take|took).{0,30}\b(mean|average)\b|(mean|average).{0,40}(instead|not|sum)|sums? to `?(c\b|the (number|length|width))|(too (large|big)).{0,60}(column|length|width|`?c\b|number of|times|factor)|(`?c`?|number of (columns|scores)) times|too large by
import jax.numpy as jnp

def solve(x):
    x = x - jnp.max(x, axis=1, keepdims=True)
    num = jnp.exp(x)
    den = jnp.mean(num, axis=1, keepdims=True)
    return num / den
