"""Inputs for `count_parameters(config)`.

The sizes of a case differ from each other, so that a mix-up of two shows, and are drawn where the case is hidden. The two
public models are samples: their totals are known.
"""


def sample_cases(rng):
    yield "the sizes of BERT base", case(30522, 512, 768, "learned", segments=2, layer_norm=True)
    yield "the sizes of GPT-2 small", case(50257, 1024, 768, "learned")
    yield "sinusoidal, with an output of its own", case(1000, 64, 32, "sinusoidal", tied=False)
    yield "a kind that does not exist", case(100, 16, 8, "lerned")


def hidden_cases(rng):
    yield "everything", drawn(rng, "learned", segments=3, layer_norm=True, tied=False)
    yield "learned only", drawn(rng, "learned")
    yield "sinusoidal", drawn(rng, "sinusoidal", segments=2, layer_norm=True)
    yield "rotary", drawn(rng, "rotary", tied=False)
    yield "alibi", drawn(rng, "alibi", layer_norm=True)
    yield "rotary with segments", drawn(rng, "rotary", segments=4)
    yield "tied, without a layer norm", drawn(rng, "learned", segments=2)
    yield "not tied, without a layer norm", drawn(rng, "learned", segments=1, tied=False)
    yield "the smallest sizes", case(1, 1, 1, "learned", segments=1, layer_norm=True, tied=False)
    yield "a kind that may not exist", drawn(rng, any_of(rng, "relative", "learned", "none", "rotary"), layer_norm=True)
    yield "a kind that may be in capitals", drawn(rng, any_of(rng, "Learned", "learned", "ALIBI", "alibi"))
    yield "billions", case(int(rng.integers(200_000, 300_000)), 131_072, 16_384, "learned", tied=False)
    yield "another kind that does not exist", case(500, 40, 24, "relative", layer_norm=True)
    yield "a known kind in capitals", case(900, 50, 36, "Learned")


def case(vocab_size, max_len, d_model, positions, segments=0, layer_norm=False, tied=True):
    return {
        "config": {
            "vocab_size": vocab_size,
            "max_len": max_len,
            "d_model": d_model,
            "positions": positions,
            "segments": segments,
            "layer_norm": layer_norm,
            "tied": tied,
        }
    }


def drawn(rng, positions, **rest):
    vocab_size, max_len, d_model = rng.integers(1000, 9000), rng.integers(100, 900), rng.integers(10, 90)
    return case(int(vocab_size), int(max_len), int(d_model), positions, **rest)


def any_of(rng, *kinds):
    return kinds[int(rng.integers(len(kinds)))]
