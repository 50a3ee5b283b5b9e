# cause: A second parameter, scale, is declared before pos_embed and takes the first key, so pos_embed draws other numbers; pos_embed must be the only parameter.
# names: (second|another|other|extra|additional|more than one|two|further|first|own) parameters?|only parameter|\bscale\b.{0,60}(before|first|param|key)|declared? (before|first|earlier)|before `?pos_embed|parameters? (before|in front)|(order|number) (in which|of).{0,30}(param|declar|key)|count\w* of (the )?(keys|parameters)
import flax.linen as nn
import jax

MAX_T = 32


class LearnedPos(nn.Module):
    max_T: int
    d_model: int

    @nn.compact
    def __call__(self, T):
        scale = self.param("scale", nn.initializers.ones, (1,))
        pos_embed = self.param(
            "pos_embed",
            nn.initializers.normal(stddev=0.02),
            (self.max_T, self.d_model),
        )
        return scale * pos_embed[:T]


def learned_pos_embed_forward(seed, T, d_model):
    model = LearnedPos(max_T=MAX_T, d_model=d_model)
    variables = model.init(jax.random.PRNGKey(seed), T)
    return model.apply(variables, T).reshape(-1)
