import numpy as np

NEW = """
import jax
layer = LayerNorm()
variables = layer.init(jax.random.PRNGKey(0), x)
jax.tree_util.tree_map(lambda parameter: parameter.shape, variables)
variables["params"]["scale"]
variables["params"]["bias"]
layer.apply(variables, x)
"""
TRAINED = """
layer = LayerNorm()
layer.apply({"params": {"scale": scale, "bias": bias}}, x)
"""
OTHER = """
layer = LayerNorm(epsilon=epsilon)
layer.epsilon
layer.apply({"params": {"scale": scale, "bias": bias}}, x)
"""


def sample_cases(rng):
    yield "new", script(NEW, x=numbers(rng, 3, 4))
    yield "trained", script(TRAINED, x=numbers(rng, 3, 4), scale=numbers(rng, 4), bias=numbers(rng, 4))


def hidden_cases(rng):
    yield "new, three axes", script(NEW, x=numbers(rng, 2, 3, 4))
    yield "trained, three axes", script(TRAINED, x=numbers(rng, 2, 3, 4), scale=numbers(rng, 4), bias=numbers(rng, 4))
    yield "another epsilon", script(
        OTHER, x=numbers(rng, 3, 4), scale=numbers(rng, 4), bias=numbers(rng, 4), epsilon=float(rng.uniform(0.1, 1))
    )
    yield "trained, wider", script(TRAINED, x=numbers(rng, 2, 6), scale=numbers(rng, 6), bias=numbers(rng, 6))
    yield "small numbers", script(TRAINED, x=numbers(rng, 3, 4) / 1000, scale=numbers(rng, 4), bias=numbers(rng, 4))
    yield "far from zero", script(TRAINED, x=100 + numbers(rng, 3, 4), scale=numbers(rng, 4), bias=numbers(rng, 4))


def numbers(rng, *shape):
    return rng.standard_normal(shape).astype(np.float32)
