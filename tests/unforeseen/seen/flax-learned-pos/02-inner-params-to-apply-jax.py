# cause: apply was given variables["params"], the inner dictionary; it needs the whole dictionary with the key "params", that is variables.
# names: \[?[\"'`]params[\"'`]\]|inner dict|whole (dict|`?variables)|(level|layer|key|entry) .{0,20}(missing|too deep|[\"'`]params)|unpack|collections?\b|\{.?[\"']?params|one level|(wrap|around).{0,30}params|(needs|expects|wants|takes|pass|give).{0,40}(whole|full|all|entire|complete|outer)
import flax.linen as nn
import jax
import jax.numpy as jnp


class LearnedPos(nn.Module):
    max_T: int
    d_model: int

    @nn.compact
    def __call__(self, T):
        table = self.param('pos_embed', nn.initializers.normal(stddev=0.02), (self.max_T, self.d_model))
        return table[0:T, :]


def learned_pos_embed_forward(seed, T, d_model):
    model = LearnedPos(32, d_model)
    params = model.init(jax.random.PRNGKey(seed), T)['params']
    out = model.apply(params, T)
    return jnp.ravel(out)
