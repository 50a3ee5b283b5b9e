"""The wire: what goes in comes out, and what lies is refused before anything is allocated."""

import json
import struct
from collections.abc import Mapping

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from graders.inside import wire

CAP = 1 << 20


def through(message: Mapping[str, object]) -> dict[str, object]:
    frame = wire.encode(dict(message))
    text, blob = wire.lengths(frame[:8], CAP)
    return wire.decode(frame[8 : 8 + text], frame[8 + text : 8 + text + blob])


plain = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats(allow_nan=False) | some.text(),
    lambda inner: some.lists(inner, max_size=4) | some.dictionaries(some.text(), inner, max_size=4),
    max_leaves=20,
)


@given(plain)
def test_plain_values_come_back_equal(value: object) -> None:
    assert through({"v": value})["v"] == value


@given(plain)
def test_the_text_is_what_json_writes(value: object) -> None:
    """By it two inputs are told apart."""
    frame = wire.encode({"v": value})
    text = frame[8 : 8 + wire.lengths(frame[:8], CAP)[0]].decode()
    assert text == json.dumps(json.loads(text), separators=(",", ":"))


@pytest.mark.parametrize("name", wire.DTYPES)
def test_arrays_of_every_dtype_come_back_with_every_bit(name: str) -> None:
    array = np.arange(12).reshape(3, 4).astype(wire.dtype_of(name))
    for given_ in (array, array.T, array[::2, ::-1], array[:0], np.array(array[1, 2])):
        back = through({"v": given_})["v"]
        assert isinstance(back, np.ndarray)
        assert back.dtype == given_.dtype
        assert back.shape == given_.shape
        assert back.tobytes() == np.ascontiguousarray(given_).tobytes()
        assert back.flags.c_contiguous


def test_kinds_are_kept_apart() -> None:
    message = {
        "v": (
            1,
            1.0,
            True,
            [1],
            (1,),
            {"a": (2,)},
            {1: 2, (3, "a"): 4},
            {5},
            10**40,
            -0.0,
            float("inf"),
            1j,
            "\ud800\0",
        )
    }
    back = through(message)["v"]
    assert repr(back) == repr(message["v"])


def test_what_is_not_on_the_list_is_refused() -> None:
    for value in (
        object(),
        b"bytes",
        frozenset({1}),
        {object()},
        np.array([object()]),
        np.array(["text"]),
        np.datetime64("now"),
    ):
        with pytest.raises(wire.WireError):
            wire.encode({"v": value})


def test_caps_hold() -> None:
    with pytest.raises(wire.OverCap):
        wire.encode({"v": np.zeros(1000)}, 4096)
    with pytest.raises(wire.OverCap):
        wire.encode({"v": [0] * 30_000})
    with pytest.raises(wire.OverCap):
        wire.encode({"v": 1 << 10_000})
    for keyed in (set(range(3_000)), dict.fromkeys(range(3_000))):
        with pytest.raises(wire.OverCap):
            wire.encode({"v": keyed})
    with pytest.raises(wire.OverCap):  # keys that a hostile box chose
        wire.decode(json.dumps({"d": {"v": {"s": list(range(3_000))}}}).encode(), b"")
    malformed: list[object] = [
        {"s": [{"l": []}]}, {"m": [{"l": [{"l": []}, 1]}]}, {"m": [{"l": [1]}]}, {"s": 3}, {"m": {}},
    ]  # fmt: skip
    for unhashable in malformed:
        with pytest.raises(wire.WireError):
            wire.decode(json.dumps({"d": {"v": unhashable}}).encode(), b"")
    with pytest.raises(wire.WireError):
        wire.encode({"v": np.zeros((1,) * 9)})
    with pytest.raises(wire.WireError):
        wire.encode({"v": np.zeros((0, 1 << 61), np.float16)})
    nested: list[object] = []
    for _ in range(40):
        nested = [nested]
    with pytest.raises(wire.WireError):
        wire.encode({"v": nested})


def test_a_header_that_claims_gigabytes_is_refused_before_they_are_allocated() -> None:
    with pytest.raises(wire.OverCap):
        wire.lengths(struct.pack(">II", 0xFFFFFFFF, 0xFFFFFFFF), CAP)


def blob(dtype: str, shape: list[int], data: bytes) -> bytes:
    header = json.dumps({"0": {"dtype": dtype, "shape": shape, "data_offsets": [0, len(data)]}}).encode()
    return struct.pack("<Q", len(header)) + header + data


@pytest.mark.parametrize(
    "lie",
    [
        blob("F32", [1 << 40], b"\0" * 4),
        blob("F32", [(1 << 32) + 1, 1 << 32], b"\0" * 4),
        blob("F32", [-1], b"\0" * 4),
        blob("F32", [1] * 60, b"\0" * 4),
        blob("BF16", [0, 1 << 61], b""),  # which is no shape once it is float32
        blob("F8_E4M3", [4], b"\0" * 4),
        blob("O", [1], b"\0" * 8),
        struct.pack("<Q", 1 << 60) + b"{}",
        b"\x80\x04\x95",
        b"",
    ],
)
def test_blobs_that_lie_are_refused(lie: bytes) -> None:
    with pytest.raises(wire.WireError):
        wire.decode(b'{"d":{"v":{"a":"0"}}}', lie)


@pytest.mark.parametrize(
    "envelope",
    [b"", b"[", b"[1]", b"1e999", b"NaN", b'{"x":1}', b'{"a":[]}', b'{"t":5}', b'{"i":"0x' + b"f" * 9000 + b'"}',
     b'{"d":{"v":{"a":"0","z":"object"}}}', b"[" * 100_000, b"\xff", b'{"d":5}', b'{"l":[],"t":[]}', b"9" * 5000],
)  # fmt: skip
def test_envelopes_that_lie_are_refused(envelope: bytes) -> None:
    with pytest.raises(wire.WireError):
        wire.decode(envelope, b"")


@given(some.binary(max_size=200), some.binary(max_size=200))
def test_no_bytes_bring_anything_but_a_wire_error(text: bytes, rest: bytes) -> None:
    try:
        wire.decode(text, rest)
    except wire.WireError:
        pass


def test_bfloat16_is_a_float_like_any_other() -> None:
    back = through({"v": np.array([1.5, 2], ml_dtypes.bfloat16)})["v"]
    assert isinstance(back, np.ndarray)
    assert back.dtype.name == "bfloat16"
