"""Words of the field that mean the same, or nearly so, to somebody who searches.

Each line is a group: a search for a term of it also finds the others, after what they typed. Keep it small. Add a
term where people use two names for one thing, and not where one thing is only near another: an encoder is no
embedding. Write singular words in lower case. Endings do not matter (`app.content.stems`), so `learned` and `learning`
need no line.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from app.content.stems import stem

Term = tuple[str, ...]  # the stems of its words, in order

GROUPS = (
    # models and their parts
    "weight, parameter, param",
    "attention, attn",
    "embedding, emb",
    "position embedding, position encoding, positional encoding",
    "rope, rotary embedding, rotary position embedding, rotary encoding",
    "alibi, attention with linear bias",
    "multi head attention, multihead attention, mha",
    "causal mask, look ahead mask",
    "layernorm, layer norm, layer normalization",
    "batchnorm, batch norm, batch normalization",
    "rmsnorm, rms norm, root mean square normalization",
    "feedforward network, feed forward network, ffn",
    "multilayer perceptron, multi layer perceptron, mlp",
    "residual connection, skip connection",
    "convolutional neural network, convnet, cnn",
    "recurrent neural network, rnn",
    "language model, llm",
    "vocabulary, vocab",
    "sequence, seq",
    # functions
    "softmax, normalized exponential",
    "sigmoid, logistic function",
    "relu, rectified linear unit",
    "silu, swish",
    "matmul, matrix multiplication, matrix product",
    "dot product, inner product, scalar product",
    "einsum, einstein summation",
    "concatenate, concat",
    "flatten, ravel",
    "one hot, onehot",
    "standard deviation, std",
    "variance, var",
    "mean, average, avg",
    # training
    "gradient, grad",
    "backpropagation, backprop",
    "automatic differentiation, autodiff, autograd",
    "learning rate, lr",
    "stochastic gradient descent, sgd",
    "learnable, trainable",
    "initialization, init",
    # arrays
    "tensor, array, ndarray",
    "axis, dimension, dim",
    "index, idx",
    "data type, dtype",
)
MAX_TERM_WORDS = 5


def same_meaning(term: Sequence[str]) -> tuple[Term, ...]:
    """The other terms of the groups that hold this one, as stems; none for most. `term`: folded words."""
    return _table().get(_key(map(stem, term)), ())


def terms_in(words: Sequence[str]) -> Iterator[tuple[int, int, tuple[Term, ...]]]:
    """(start, end, the other terms) of each term among folded words: from the left, the longest, none twice."""
    start = 0
    while start < len(words):
        ends = range(min(start + MAX_TERM_WORDS, len(words)), start, -1)
        end, others = next(((end, found) for end in ends if (found := same_meaning(words[start:end]))), (start + 1, ()))
        if others:
            yield start, end, others
        start = end


@cache
def _table() -> dict[Term, tuple[Term, ...]]:
    table: dict[Term, tuple[Term, ...]] = {}
    for group in GROUPS:
        terms = list(dict.fromkeys(tuple(map(stem, term.split())) for term in group.split(", ")))
        for term in terms:
            others = (*table.get(_key(term), ()), *(other for other in terms if other != term))
            table[_key(term)] = tuple(dict.fromkeys(others))
    return table


def _key(term: Iterable[str]) -> Term:
    """Without the little words that are not asked for."""
    return tuple(word for word in term if word != "with")
