from flax import nnx


class LearnedPos(nnx.Module):
    def __init__(self, max_T: int, d_model: int, *, rngs: nnx.Rngs):
        # 1. Draw (max_T, d_model) numbers: normal, standard
        #    deviation 0.02, with the next key of rngs.params.
        # 2. Store them as the parameter `table`.
        raise NotImplementedError("write steps 1 and 2")

    def __call__(self, T: int):
        """The first T rows of the table: (T, d_model)."""
        # 3. Raise a ValueError if T is larger than max_T.
        # 4. Return the rows.
        raise NotImplementedError("write steps 3 and 4")
