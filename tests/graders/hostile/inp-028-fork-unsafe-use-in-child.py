# allowed: accepted
# framework: jax
# limits: wall_seconds=20, cpu_seconds=20, total_seconds=40, memory_mb=2048
# Fork-unsafe use in child: torch + jax in the same submission.
# A control: the zygote imported and ran nothing, so that both frameworks start here. (Torch is imported by it, which
# takes seconds.)

import torch, jax, jax.numpy as jnp, numpy as np
def solve(x):
    a = torch.randn(300, 300) @ torch.randn(300, 300)
    b = jax.jit(lambda v: v @ v)(jnp.ones((300, 300)))
    x = np.asarray(x, float); e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)
