"""Scripts that make a `LearnedPositions`, look at its parameters and call it.

The numbers a module starts with are random, so no case compares them. "how the table starts" compares the standard
deviation of at least 512 × 64 of them, rounded to three decimals: by chance it differs from 0.02 by 0.0005 less than
once in a million.
All other cases load a table of their own.
"""

import numpy as np

PARAMETERS = """
module = LearnedPositions(max_len, d_model)
{name: tuple(parameter.shape) for name, parameter in module.named_parameters() if parameter.requires_grad}
[str(parameter.dtype) for parameter in module.parameters()]
list(module.state_dict())
"""
START = """
import torch
first, second = LearnedPositions(rows, d_model), LearnedPositions(rows, d_model)
tuple(first.table.shape)
round(first.table.std().item(), 3)
round(abs(first.table.mean().item()), 2)
torch.equal(first.table, second.table)
"""
CALL = """
module = LearnedPositions(max_len=table.shape[0], d_model=table.shape[1])
_ = module.load_state_dict({"table": table})
module(x)
x
"""
TOO_LONG = """
module = LearnedPositions(max_len=table.shape[0], d_model=table.shape[1])
_ = module.load_state_dict({"table": table})
module(x[:, :-1])
module(x)
"""
TRAIN = """
module = LearnedPositions(max_len=table.shape[0], d_model=table.shape[1])
_ = module.load_state_dict({"table": table})
[name for name, parameter in module.named_parameters() if parameter.requires_grad]
_ = (module(x) * weights).sum().backward()
module.table.grad
"""
DOUBLE = """
module = LearnedPositions(max_len=table.shape[0], d_model=table.shape[1]).double()
_ = module.load_state_dict({"table": table})
module(x)
"""
LATER = """
module = LearnedPositions(max_len=table.shape[0], d_model=table.shape[1])
before = module(x)
_ = module.load_state_dict({"table": table})
module(x)
module(short)
"""

ABOUT_PARAMETERS = """The module must have one trainable parameter, `table`, float32, of shape `(max_len, d_model)`, and
nothing else in its `state_dict`: no buffer either."""
ABOUT_START = """The table must start with random numbers from a normal distribution with mean 0 and standard deviation
0.02, and two modules must not start alike."""
ABOUT_TRAINING = """The loss must reach `table`: each of the first `T` rows gets the gradients of all sequences, and the
rows after them get 0."""
ABOUT_LENGTH = """A sequence of more than `max_len` tokens must be refused with a `ValueError`; one of exactly `max_len`
tokens must not."""


def sample_cases(rng):
    yield "the parameters of a new module", script(PARAMETERS, max_len=5, d_model=4), {"message": ABOUT_PARAMETERS}
    x = np.array([[[10, 20], [30, 40]], [[50, 60], [70, 80]]], np.float32)
    yield "two sequences of two tokens", script(CALL, table=readable_table(4, 2), x=x)
    table, x = numbers(rng, 4, 3), numbers(rng, 2, 5, 3)
    yield "one token too many", script(TOO_LONG, table=table, x=x), {"message": ABOUT_LENGTH}
    yield "training reaches the table", train(rng, 5, 3, N=2, T=3), {"message": ABOUT_TRAINING}


def hidden_cases(rng):
    max_len, d_model = (int(size) for size in rng.integers(1, 99, 2))
    yield "other parameters", script(PARAMETERS, max_len=max_len, d_model=d_model), {"message": ABOUT_PARAMETERS}
    yield "how the table starts", start(rng, 64), {"message": ABOUT_START}
    yield "fewer tokens than rows", call(rng, 6, 4, N=3, T=2)
    yield "as many tokens as rows", call(rng, 4, 3, N=2, T=4), {"message": ABOUT_LENGTH}
    yield "a single token", call(rng, 5, 6, N=1, T=1)
    yield "more sequences than rows", call(rng, 3, 2, N=5, T=2)
    table, x = numbers(rng, 1, 2), numbers(rng, 3, 2, 2)
    yield "a table of one row and two tokens", script(TOO_LONG, table=table, x=x), {"message": ABOUT_LENGTH}
    table, x = numbers(rng, 6, 2), numbers(rng, 1, 7, 2)
    yield "six rows and seven tokens", script(TOO_LONG, table=table, x=x), {"message": ABOUT_LENGTH}
    yield "how another table starts", start(rng, 96), {"message": ABOUT_START}
    yield "large values", script(CALL, table=numbers(rng, 5, 4), x=1000 * numbers(rng, 2, 3, 4))
    yield "training with every row", train(rng, 3, 2, N=4, T=3), {"message": ABOUT_TRAINING}
    yield "training with one token", train(rng, 4, 5, N=2, T=1), {"message": ABOUT_TRAINING}
    table, x = rng.standard_normal((5, 3)), rng.standard_normal((2, 4, 3))
    yield "in double precision", script(DOUBLE, table=table, x=x)
    table, x, short = numbers(rng, 5, 3), numbers(rng, 2, 5, 3), numbers(rng, 2, 2, 3)
    yield "a table that changes between calls", script(LATER, table=table, x=x, short=short)


def call(rng, max_len, d_model, N, T):
    return script(CALL, table=numbers(rng, max_len, d_model), x=numbers(rng, N, T, d_model))


def start(rng, d_model):
    return script(START, rows=int(rng.integers(512, 1024)), d_model=d_model)


def train(rng, max_len, d_model, N, T):
    table, x, weights = numbers(rng, max_len, d_model), numbers(rng, N, T, d_model), numbers(rng, N, T, d_model)
    return script(TRAIN, table=table, x=x, weights=weights)


def readable_table(max_len, d_model):
    """Row r, column c holds r + (c + 1) / 10."""
    rows, columns = np.arange(max_len), np.arange(d_model)
    return (rows[:, None] + (columns + 1) / 10).astype(np.float32)


def numbers(rng, *shape):
    return rng.standard_normal(shape).astype(np.float32)
