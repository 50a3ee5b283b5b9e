# framework: jax
import jax.numpy as jnp


def pairwise_distances(a, b):
    differences = a[:, None, :] - b[None, :, :]         # (N, M, D)
    return jnp.sqrt(jnp.sum(differences**2, axis=-1))   # (N, M)
