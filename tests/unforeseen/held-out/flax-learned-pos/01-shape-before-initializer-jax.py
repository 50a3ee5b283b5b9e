# cause: The arguments of self.param are in the wrong order: after the name comes the initializer, then the shape.
# names: order.{0,30}argument|argument.{0,60}(order|swapped|exchanged|wrong way|turned)|(initiali[sz]er).{0,40}(second|before the shape|then the shape|comes? (first|second))|shape.{0,30}(third|comes? (last|third|after))|(tuple|shape)\b.{0,40}(called|callable|as (an |the )?initiali|where .{0,20}initiali)|swap\w*.{0,40}(shape|initiali)|(shape|initiali)\w*.{0,40}swap|self\.param\(name, init
import flax.linen as nn
import jax

MAX_T = 32


class LearnedPos(nn.Module):
    max_T: int
    d_model: int

    @nn.compact
    def __call__(self, T):
        pos_embed = self.param("pos_embed", (self.max_T, self.d_model), nn.initializers.normal(stddev=0.02))
        return pos_embed[:T]


def learned_pos_embed_forward(seed, T, d_model):
    model = LearnedPos(max_T=MAX_T, d_model=d_model)
    variables = model.init(jax.random.PRNGKey(seed), T)
    return model.apply(variables, T).reshape(-1)
