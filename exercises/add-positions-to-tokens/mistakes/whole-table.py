# framework: numpy
# verdict: runtime_error
"""Without ids you add the whole table, whose `max_len` rows do not fit `T` tokens. Take its first `T` rows:
`position_table[:T]`."""


def add_positions(tokens, position_table, position_ids):
    N, T, d_model = tokens.shape
    rows = position_table if position_ids is None else position_table[position_ids]
    return d_model**0.5 * tokens + rows
