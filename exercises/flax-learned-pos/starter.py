import flax.linen as nn
import jax

MAX_T = 32  # rows in the table: the longest sequence the module can place


class LearnedPos(nn.Module):
    max_T: int
    d_model: int

    @nn.compact
    def __call__(self, T):
        # 1. Declare the parameter "pos_embed", shape (max_T, d_model), with self.param(name, initializer, shape).
        # 2. Return its first T rows: (T, d_model).
        raise NotImplementedError("declare pos_embed with self.param, then return its first T rows")


def learned_pos_embed_forward(seed, T, d_model):
    """The first T rows of a freshly initialised position table, one row after another.

    seed, T, d_model: Python ints, 1 <= T <= MAX_T
    returns: float32, shape (T*d_model,)
    """
    model = LearnedPos(max_T=MAX_T, d_model=d_model)
    # 3. Make the parameters with model.init, from jax.random.PRNGKey(seed).
    # 4. Run the module on them with model.apply: (T, d_model).
    # 5. Flatten row by row: (T*d_model,).
    raise NotImplementedError("initialise the model, apply it, flatten what it returns")
