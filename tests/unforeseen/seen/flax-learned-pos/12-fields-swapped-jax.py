# cause: The two fields are given in the wrong order, so max_T becomes d_model and d_model becomes 32; the rows are 32 numbers long.
# names: ^(?!.*initiali[sz]er)(?=.*((fields?|arguments?|settings|max_T|d_model|numbers).{0,60}(wrong order|swap|exchang|mixed up|wrong way|in each other|changed places|the other way)|(swap|exchang|mix)\w* .{0,40}(max_T|d_model|fields?|arguments?|32)|by (name|keyword)|max_T=|(32|thirty-two) (numbers|features|columns|wide)|(rows?|features?).{0,30} (long|wide|length) .{0,15}(32|max_T)|wrong width|d_model, (32|max_T)))
import flax.linen as nn
import jax


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
    model = LearnedPos(d_model, 32)
    variables = model.init(jax.random.PRNGKey(seed), T)
    return model.apply(variables, T).reshape(-1)
