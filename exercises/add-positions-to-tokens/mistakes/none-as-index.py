# framework: numpy
# verdict: runtime_error
"""`position_table[None]` is legal, but it is the whole table with a new axis. Ask `if position_ids is None` before
you index, and take `arange(T)` then."""


def add_positions(tokens, position_table, position_ids):
    N, T, d_model = tokens.shape
    return d_model**0.5 * tokens + position_table[position_ids]
