import flax.linen as nn
import jax

MAX_T = 32  # rows in the table: the longest sequence


class LearnedPos(nn.Module):
    max_T: int
    d_model: int

    @nn.compact
    def __call__(self, T):
        # 1. Declare "pos_embed", shape (max_T, d_model):
        #    self.param(name, initializer, shape)
        # 2. Return its first T rows: (T, d_model).
        raise NotImplementedError("write steps 1 and 2")


def learned_pos_embed_forward(seed, T, d_model):
    """The first T rows of a new table, one after another.

    seed, T, d_model: Python ints, 1 <= T <= MAX_T
    returns: float32, shape (T*d_model,)
    """
    model = LearnedPos(max_T=MAX_T, d_model=d_model)
    # 3. Make the parameters with model.init, from
    #    jax.random.PRNGKey(seed).
    # 4. Run the module on them with model.apply: (T, d_model).
    # 5. Flatten row by row: (T*d_model,).
    raise NotImplementedError("write steps 3 to 5")
