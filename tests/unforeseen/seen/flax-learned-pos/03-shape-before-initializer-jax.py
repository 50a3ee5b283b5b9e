# cause: The arguments of self.param are in the wrong order: after the name comes the initializer, then the shape.
# names: initiali[sz]er.{0,50}(second|before the shape|comes? (first|before|next)|then (comes )?the shape)|(shape|tuple).{0,40}(where|place of|instead of|as) (the|an) initiali[sz]er|self\.param.{0,60}(order|swap)|(order|swap).{0,60}(self\.param|initiali[sz]er|shape)|(second|third) argument|tuple.{0,30}call|name, (an? )?initiali[sz]er, (and )?(the )?shape|arguments? .{0,20}(order|swapped|exchanged)
import flax.linen as nn
import jax


class LearnedPos(nn.Module):
    max_T: int
    d_model: int

    @nn.compact
    def __call__(self, T):
        pos_embed = self.param(
            "pos_embed",
            (self.max_T, self.d_model),
            nn.initializers.normal(stddev=0.02),
        )
        return pos_embed[:T]


def learned_pos_embed_forward(seed, T, d_model):
    model = LearnedPos(max_T=32, d_model=d_model)
    variables = model.init(jax.random.PRNGKey(seed), T)
    return model.apply(variables, T).reshape(-1)
