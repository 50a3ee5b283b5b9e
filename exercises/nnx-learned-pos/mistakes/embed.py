# framework: jax
# verdict: runtime_error
"""Your parameter is inside another module, under the name `table/embedding`. Store the `nnx.Param` itself as
`self.table`; a slice then replaces the lookup."""

from flax import nnx


class LearnedPos(nnx.Module):
    def __init__(self, max_T, d_model, *, rngs):
        self.table = nnx.Embed(max_T, d_model, embedding_init=nnx.initializers.normal(stddev=0.02), rngs=rngs)

    def __call__(self, T):
        if T > self.table.embedding.shape[0]:
            raise ValueError(f"{T} positions, but the table has only {self.table.embedding.shape[0]} rows")
        return self.table.embedding[:T]                                           # (T, d_model)
