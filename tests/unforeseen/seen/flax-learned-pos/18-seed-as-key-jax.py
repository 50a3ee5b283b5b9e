# cause: model.init was given the bare integer seed; it needs a key, jax.random.PRNGKey(seed).
# names: (not|n't|needs?|must be|expect\w*|is no|wants?|make|takes?|no) an? (prng |random |valid |jax |`?prng)?key|(bare|plain|python|whole) (int\w*|number|seed)|(seed|int\w*|number).{0,25}(is|as) (not |no )(an? )?(prng |random )?key|(turn|make|wrap)\w* .{0,30}(seed|int\w*).{0,30}key|rngs? (should|must)|InvalidRng|seed.{0,30}instead of.{0,20}key|(init).{0,40}(needs|takes|expects|wants).{0,20}key
import flax.linen as nn
import jax
import jax.numpy as jnp


class LearnedPos(nn.Module):
    max_T: int
    d_model: int

    @nn.compact
    def __call__(self, T):
        pos_embed = self.param(
            "pos_embed", nn.initializers.normal(stddev=0.02), (self.max_T, self.d_model)
        )
        return pos_embed[:T]


def learned_pos_embed_forward(seed, T, d_model):
    model = LearnedPos(max_T=32, d_model=d_model)
    variables = model.init(seed, T)
    return model.apply(variables, T).reshape(-1)
