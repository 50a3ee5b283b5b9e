"""Accepts every orthonormal set of eigenvectors, in the right order."""

import numpy as np

CLOSE = 1e-9


def accept(inputs, output, expected):
    a, values, vectors = inputs["a"], output["values"], output["vectors"]
    if not (np.isfinite(values).all() and np.isfinite(vectors).all()):
        return "Some of your numbers are infinite or NaN."
    size = CLOSE * max(1.0, float(np.abs(expected["values"]).max(initial=0.0)))
    if np.abs(vectors).max(initial=0.0) > 2:
        return "No entry of a column of length 1 is larger than 1: divide each column by its length."
    if np.abs(np.sort(values) - np.sort(expected["values"])).max(initial=0.0) > size:
        return "These are not the eigenvalues of `a`."
    if np.diff(np.abs(values)).max(initial=0.0) > size:
        return "The eigenvalue with the largest absolute value comes first."
    if np.abs((vectors**2).sum(axis=0) - 1).max(initial=0.0) > CLOSE:
        return "A column has another length than 1."
    if np.abs(vectors.T @ vectors - np.eye(len(a))).max(initial=0.0) > CLOSE:
        return "Two columns are not perpendicular to each other."
    if np.abs(a @ vectors - vectors * values).max(initial=0.0) > size:
        return "A column times `a` is not its eigenvalue times the column: do they stand in the same order, in columns?"
    return None
