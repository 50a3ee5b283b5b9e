# cause: A new nn.Embedding brings its own random table; the given embedding_table is not used.
# names: nn\.embedding|(new|own|another|fresh|other|second) (random )?(layer|table|weights|embedding|parameters)(?!s? have)|random|(use|look at|pass) (the|your) (given |own )?`?(embedding_)?table.{0,20}(given|instead|rather)|(given |`?embedding_)table`? (you are given )?(is |was )?(not used|never used|ignored|unused|changes nothing)|(does|do)(n't| not) (depend on|use|look at) (the |your |given )*`?(embedding_)?table|ignor\w+ (the |your |given )*`?(embedding_)?table|from_pretrained
import torch
import torch.nn as nn


class PositionEmbedding(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.pe = nn.Embedding(max_len, d_model)

    def forward(self, positions):
        return self.pe(positions)


def learned_absolute_position_embedding(positions: torch.Tensor, embedding_table: torch.Tensor) -> torch.Tensor:
    max_len, d_model = embedding_table.shape
    model = PositionEmbedding(max_len, d_model)
    return model(positions.long())
