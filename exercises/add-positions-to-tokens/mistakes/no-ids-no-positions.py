# framework: numpy
"""Without ids you add nothing. `None` means that the ids are 0, 1, …, `T - 1`: add the first `T` rows."""


def add_positions(tokens, position_table, position_ids):
    N, T, d_model = tokens.shape
    if position_ids is None:
        return tokens * d_model**0.5
    return tokens * d_model**0.5 + position_table[position_ids]
