"""Figures of the lessons that can be recomputed without a lesson: `docs/facts.md` lists them with their sources. Each
is looked for in `docs/facts.md`, too, so that a figure that changes there has to change here."""

import math
from collections.abc import Callable
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

FACTS = (Path(__file__).resolve().parents[2] / "docs" / "facts.md").read_text()
D128 = 2 * math.pi * 10000.0 ** (np.arange(0, 128, 2) / 128)  # wavelengths of a head of 128
D512 = 2 * math.pi * 10000.0 ** (2 * np.arange(256) / 512)


def bfloat16(number: float) -> float:
    return float(ml_dtypes.bfloat16(number))


def weights(*scores: float) -> list[float]:
    powers = np.exp(np.array(scores) - max(scores))
    return [float(one) for one in powers / powers.sum()]


def slopes(heads: int) -> list[float]:
    """Press and others 2022, section 3, and `get_slopes` of the authors' repository."""
    power = 2 ** int(math.log2(heads))
    first = [2 ** (-8 * h / power) for h in range(1, power + 1)]
    return first + [2 ** (-8 * h / (2 * power)) for h in range(1, 2 * (heads - power), 2)]


def bucket(distance: int, buckets: int = 16, furthest: int = 128) -> int:
    """Of T5's encoder, one direction: Raffel and others 2020, section 2.1; mesh's `_relative_position_bucket`."""
    exact = buckets // 2
    if distance < exact:
        return distance
    return min(buckets - 1, exact + int(math.log(distance / exact) / math.log(furthest / exact) * (buckets - exact)))


@pytest.mark.parametrize(
    ("shown", "computed"),
    [
        ("393,216", lambda: f"{512 * 768:,}"),  # BERT base
        ("786,432", lambda: f"{1024 * 768:,}"),  # the smallest GPT-2
        ("25,165,824", lambda: f"{2048 * 12288:,}"),  # GPT-3
        ("151,296", lambda: f"{197 * 768:,}"),  # ViT-Base
        ("196, 197; 576, 577", lambda: f"{14**2}, {(224 // 16) ** 2 + 1}; {24**2}, {(384 // 16) ** 2 + 1}"),
        ("10,752", lambda: f"{(14 + 14) * 384:,}"),
        ("| 169 |", lambda: f"| {(2 * 7 - 1) ** 2} |"),  # Swin
        ("524,288", lambda: f"{2 * 32 * 4096 * 2:,}"),  # LLaMA 7B's cache, a token
        ("1 GiB for 2,048", lambda: f"{524288 * 2048 / 2**30:.0f} GiB for {2048:,}"),
        ("6.28, 62.8, 628, 6,283, 60,611", lambda: ", ".join(_round(D512[i]) for i in (0, 64, 128, 192, 255))),
        ("123 of 256", lambda: f"{(D512 <= 512).sum()} of 256"),
        ("41 of 64; 23 without", lambda: f"{(D128 <= 2048).sum()} of 64; {(D128 > 2048).sum()} without"),
        ("6.28 (i = 0), 54,410 (i = 63)", lambda: f"{D128[0]:.2f} (i = 0), {D128[63]:,.0f} (i = 63)"),
        ("13.6 and 53 degrees", lambda: f"{360 * 2048 / D128[63]:.1f} and {360 * 8000 / D128[63]:.0f} degrees"),
        ("62,832", lambda: f"{2 * math.pi * 10000:,.0f}"),
        ("0.55, 19.6", lambda: f"{0.02 * 768**0.5:.2f}, {(768 / 2) ** 0.5:.1f}"),
        ("0.0000, 0.0000, 0.0025, 0.9975", lambda: ", ".join(f"{one:.4f}" for one in weights(0, 6, 12, 18))),
        ("0.1015 0.1674 0.2760 0.4551", lambda: " ".join(f"{one:.4f}" for one in weights(-1.5, -1, -0.5, 0))),
        ("0.2271 0.2417 0.2573 0.2739", lambda: " ".join(f"{w:.4f}" for w in weights(-3 / 16, -2 / 16, -1 / 16, 0))),
        ("0.7071 0.3536 0.1768 0.0884", lambda: " ".join(f"{one:.4f}" for one in slopes(12)[8:])),
        ("64 + 48 slopes", lambda: f"64 + {len(slopes(112)) - 64} slopes"),  # BLOOM
        ("| 0.390625 |", lambda: f"| {100 * slopes(8)[-1]} |"),
        ("257 → 256, 259 → 260", lambda: f"257 → {bfloat16(257):.0f}, 259 → {bfloat16(259):.0f}"),
        ("| 641 |", lambda: f"| {len({bfloat16(n) for n in range(2048)})} |"),
        ("2049 → 2048", lambda: f"2049 → {int(np.float16(2049))}"),
        ("40890", lambda: f"{10000 * 4 ** (128 / 126):.0f}"),
        ("1.296 for s = 4", lambda: f"{(0.1 * math.log(4) + 1) ** 2:.3f} for s = 4"),
        ("0.9093, −0.4161, 0.0200, 0.9998", lambda: _row(2, 4)),
        ("| 10, 26 |", lambda: f"| {bucket(20)}, {16 + bucket(20)} |"),
        ("| 91 |", lambda: f"| {next(n for n in range(500) if bucket(n) == 15)} |"),
        ("| 384 numbers |", lambda: f"| {32 * 12} numbers |"),
        ("| 17% |", lambda: f"| {(832 / 768) ** 2 - 1:.0%} |"),
        ("24 of 96 columns", lambda: f"{6144 // 64 // 4} of {6144 // 64} columns"),  # GPT-NeoX-20B
    ],
)  # fmt: skip
def test_a_figure_is_what_it_comes_to(shown: str, computed: Callable[[], str]) -> None:
    assert computed() == shown
    assert shown in FACTS


def _round(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def _row(position: int, width: int) -> str:
    """Vaswani and others 2017, section 3.5."""
    turns = [position / 10000 ** (column // 2 * 2 / width) for column in range(width)]
    row = [math.cos(turn) if column % 2 else math.sin(turn) for column, turn in enumerate(turns)]
    return ", ".join(f"{one:.4f}" for one in row).replace("-", "−")
