# framework: numpy
# verdict: runtime_error
"""`rows[ids]` reads rows at the ids, which is a lookup. Here the ids say where each row is added: begin with zeros,
and use `np.add.at(out, ids, rows)`."""


def scatter_add_rows(rows, ids, K):
    return rows[ids]
