# framework: jax
"""These are the numbers of a `flax.nnx` module, whose `Rngs` derive their keys in a different way. Use
`flax.linen`: an `nn.Module` that declares the table with `self.param`, then `init` and `apply`."""

from flax import nnx


class LearnedPos(nnx.Module):
    def __init__(self, max_T, d_model, rngs):
        init = nnx.initializers.normal(stddev=0.02)
        self.pos_embed = nnx.Param(init(rngs.params(), (max_T, d_model)))

    def __call__(self, T):
        return self.pos_embed[:T]


def learned_pos_embed_forward(seed, T, d_model):
    model = LearnedPos(32, d_model, rngs=nnx.Rngs(seed))
    return model(T).reshape(-1)
