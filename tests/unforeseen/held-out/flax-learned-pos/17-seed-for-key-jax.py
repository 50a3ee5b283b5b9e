# cause: model.init is given the seed as it is, a plain int, but wants a key made from it: jax.random.PRNGKey(seed).
# names: (seed|int(eger)?|number)\b.{0,60}\bnot (a |the )?(\w+ )?key|(int(eger)?|plain number|seed) (itself|as it is|directly|instead of|where|rather)|(needs?|wants?|expects?|takes?|requires?) (a|an) (\w+ ){0,2}key\b|not a (valid )?(prng|random|rng|jax|key)|turn .{0,20}(seed|it) into a.{0,10}key|key,? (not|and not|rather than|instead of) .{0,25}(seed|int|number)|key (made )?from (it|the seed)\b
import flax.linen as nn
import jax

MAX_T = 32


class LearnedPos(nn.Module):
    max_T: int
    d_model: int

    @nn.compact
    def __call__(self, T):
        pos_embed = self.param(
            "pos_embed",
            nn.initializers.normal(stddev=0.02),
            (self.max_T, self.d_model),
        )
        return pos_embed[:T]


def learned_pos_embed_forward(seed, T, d_model):
    model = LearnedPos(max_T=MAX_T, d_model=d_model)
    variables = model.init(seed, T)
    rows = model.apply(variables, T)
    return rows.reshape(-1)
