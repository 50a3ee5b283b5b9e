"""Which programs of a class share more than chance explains. No verdict: what people make of it is theirs.

An exercise of a few lines makes everybody alike, and so does an idea from the lecture. So a pair is reported only for
code that is rare:

- What is in the exercise's own files never counts (`base`).
- Neither does what more than `common_above` of the class have.
- What is left weighs the more, the fewer have it (copies of one program count as one), in bits: how unlikely it is that
  one more person would write it, if the rest of the class tells. In a class of n there are n (n - 1) / 2 pairs, and the
  unlikeliest is bound to look odd: a pair is reported only for `MARGIN_BITS` more.
- A program with fewer than `OWN` tokens beside the exercise's own is too short to compare: of a formula that has to be
  written, there are only so many ways to write it.

Pairs come from an inverted index, so that programs that share nothing rare are never put beside each other.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import log2

from app.classes.winnowing import WINDOW, K, Program

OWN = 72  # tokens, about eight lines; of fewer, even a copy would not show in a class of 40
SHARE = 0.4  # of what is rare in the shorter one
DENSITY = 2 / (WINDOW + 1)  # of fingerprints: so many tokens are kept
SPAN = 2 * K  # tokens, that count once: two statements or so
MARGIN_BITS = 8.0  # beyond what chance gives the oddest pair: one class in 256
LONGEST = 24  # tokens in a row
COMMON_LEAST, COMMON_SHARE, COMMON_MOST = 4, 1 / 3, 40
SAME = 0.7  # of all that either has: two programs count as one where it is asked how many have something
PAIRS_BUDGET = 1_000_000
PAIRS_LISTED = 500
MOST_LIKELY = 5000  # pairs that are looked into
TOKENS_BUDGET = 50_000  # of two programs, which have 6,000 each at most


@dataclass(frozen=True)
class Run:
    """The same tokens in a row on both sides. Lines count from 1, both ends included."""

    tokens: int
    left_first: int
    left_last: int
    right_first: int
    right_last: int


@dataclass(frozen=True)
class Pair:
    """Two programs, by their keys. `share`: of what is rare in the shorter one, by bits. `tokens`: in all `runs`."""

    left: int
    right: int
    share: float
    tokens: int
    runs: tuple[Run, ...]

    @property
    def longest(self) -> int:
        return max((run.tokens for run in self.runs), default=0)


@dataclass(frozen=True)
class Resemblance:
    """`clusters`: the keys of programs that pairs lead between, the largest first. `own`: of each program, how many
    tokens are its author's. `is_cut`: the budget was spent before the more frequent fingerprints were looked at."""

    pairs: tuple[Pair, ...]
    clusters: tuple[tuple[int, ...], ...]
    own: Mapping[int, int]
    common_above: int
    is_cut: bool

    @property
    def too_short(self) -> frozenset[int]:
        return frozenset(key for key, own in self.own.items() if own < OWN)


def common_above(programs: int) -> int:
    """What more programs than these have is nobody's own."""
    return max(COMMON_LEAST, min(int(programs * COMMON_SHARE), COMMON_MOST))


def resemblance_of(programs: Mapping[int, Program], base: Collection[int]) -> Resemblance:
    """Of programs by any key; `base`: the grams that are the exercise's own."""
    own = {key: program.own_tokens(base) for key, program in programs.items()}
    compared = {key for key in programs if own[key] >= OWN}
    most = common_above(len(programs))
    having = {gram: keys for gram, keys in _having(programs, base).items() if len(keys) <= 2 * most}
    writer, unreached = _writers(having, {key: place for place, key in enumerate(programs)})
    writers = {gram: len({writer.get(key, key) for key in keys}) for gram, keys in having.items()}
    rare = {gram: keys for gram, keys in having.items() if writers[gram] <= most}
    totals: dict[int, float] = defaultdict(float)
    shared: dict[tuple[int, int], float] = defaultdict(float)
    for gram, keys in rare.items():
        bits = bits_of(writers[gram], len(programs))
        for key in keys:
            totals[key] += bits
        if gram not in unreached:
            for pair in combinations([key for key in keys if key in compared], 2):
                shared[pair] += bits
    least = bits_needed(len(compared))
    likely = []
    for (left, right), bits in shared.items():
        share = min(1.0, bits / min(totals[left], totals[right]))
        if bits >= least and share >= SHARE:
            likely.append((share, left, right))
    pairs, clusters = _paired(programs, rare, sorted(likely, key=lambda one: (-one[0], one[1], one[2])))
    return Resemblance(pairs, clusters, own, most, bool(unreached) or len(likely) > MOST_LIKELY)


def _paired(
    programs: Mapping[int, Program], rare: Collection[int], likely: Sequence[tuple[float, int, int]]
) -> tuple[tuple[Pair, ...], tuple[tuple[int, ...], ...]]:
    """Those of the likely ones, the likeliest first, that have a long run; and the clusters that they make. Once there
    are PAIRS_LISTED, only those that make a cluster larger."""
    pairs: list[Pair] = []
    clusters = _Clusters()
    for share, left, right in likely[:MOST_LIKELY]:
        if len(pairs) >= PAIRS_LISTED and clusters.are_joined(left, right):
            continue
        found = runs(programs[left], programs[right], rare)
        pair = Pair(left, right, share, sum(run.tokens for run in found), found)
        if pair.longest >= LONGEST:
            pairs.append(pair)
            clusters.join(left, right)
    return tuple(pairs), clusters.members()


def bits_of(having: int, programs: int) -> float:
    """How much it tells that two share a fingerprint which so many have. Those of a run overlap, and one choice makes
    the next likelier: SPAN tokens count once. The 8 stand for what a small class does not tell."""
    return log2((programs + 8) / max(1, having - 1)) / (SPAN * DENSITY)


def bits_needed(programs: int) -> float:
    """By two of so many that are compared."""
    return log2(max(1, programs * (programs - 1) // 2)) + MARGIN_BITS


def _having(programs: Mapping[int, Program], base: Collection[int]) -> dict[int, list[int]]:
    """By fingerprint, whose programs have it."""
    having: dict[int, list[int]] = defaultdict(list)
    for key, program in programs.items():
        for gram in set(program.fingerprints):
            if gram not in base:
                having[gram].append(key)
    return having


def _writers(having: Mapping[int, Sequence[int]], place: Mapping[int, int]) -> tuple[dict[int, int], frozenset[int]]:
    """Who stands for whom: of programs that are all but the same, the first, so that ten copies do not make each other
    common. And the fingerprints that the budget did not reach."""
    sizes: Counter[int] = Counter(key for keys in having.values() for key in keys)
    overlaps: Counter[tuple[int, int]] = Counter()
    budget, unreached = PAIRS_BUDGET, set()
    for gram, keys in sorted(having.items(), key=lambda item: len(item[1])):
        budget -= len(keys) * (len(keys) - 1) // 2
        if budget < 0:
            unreached.add(gram)
        else:
            overlaps.update(combinations(keys, 2))
    same = [
        (place[left], place[right], left, right)
        for (left, right), count in overlaps.items()
        if count >= SAME * (sizes[left] + sizes[right] - count)
    ]
    writer: dict[int, int] = {}
    for _, _, left, right in sorted(same):
        if left not in writer:
            writer.setdefault(right, left)
    return writer, frozenset(unreached)


def runs(left: Program, right: Program, rare: Collection[int]) -> tuple[Run, ...]:
    """The longest runs of tokens that both have, in the order of the left one; no token is in two. Only such with
    something rare in them.

    attack: one line, a thousand times over, in two files: each place of the one matches each of the other. defence: so
    many tokens are looked at, and what was found until then is shown.
    """
    where: dict[int, list[int]] = defaultdict(list)
    for place in right.prints:
        where[right.grams[place]].append(place)
    candidates: set[tuple[int, int, int]] = set()  # how many tokens, and where they begin
    reached: dict[int, int] = {}  # by how far the two are shifted: until where this is known
    budget = TOKENS_BUDGET
    starts = [place for place in left.prints if left.grams[place] in rare]
    for i, j in ((one, other) for one in starts for other in where.get(left.grams[one], ())):
        budget -= 1
        if i >= reached.get(i - j, 0):
            before, after = _extended(left.tokens, right.tokens, i, j)
            reached[i - j] = i + after
            candidates.add((before + after, i - before, j - before))
            budget -= before + after
        if budget < 0:
            break
    return tuple(_tiles(left, right, candidates))


def _extended(a: Sequence[int], b: Sequence[int], i: int, j: int) -> tuple[int, int]:
    """How many tokens before these two places are the same, and how many from there on."""
    before = after = 0
    while before < min(i, j) and a[i - before - 1] == b[j - before - 1]:
        before += 1
    while after < min(len(a) - i, len(b) - j) and a[i + after] == b[j + after]:
        after += 1
    return before, after


def _tiles(left: Program, right: Program, candidates: Collection[tuple[int, int, int]]) -> Iterator[Run]:
    """The longest first; of those that overlap with a longer one, what is left of them if it is long enough."""
    free_left, free_right = bytearray(b"\1" * len(left)), bytearray(b"\1" * len(right))
    taken = []
    for size, i, j in sorted(candidates, key=lambda one: (-one[0], one[1], one[2])):
        begin = 0
        for at in range(size + 1):
            if at < size and free_left[i + at] and free_right[j + at]:
                continue
            if at - begin >= K:
                taken.append((i + begin, j + begin, at - begin))
                free_left[i + begin : i + at] = free_right[j + begin : j + at] = bytes(at - begin)
            begin = at + 1
    for i, j, size in sorted(taken):
        end_i, end_j = i + size - 1, j + size - 1
        yield Run(size, left.lines[i], left.lines[end_i], right.lines[j], right.lines[end_j])


class _Clusters:
    """What is connected: union and find."""

    def __init__(self) -> None:
        self._parent: dict[int, int] = {}

    def join(self, one: int, other: int) -> None:
        self._parent[self._root(other)] = self._root(one)

    def are_joined(self, one: int, other: int) -> bool:
        return self._root(one) == self._root(other)

    def members(self) -> tuple[tuple[int, ...], ...]:
        """Of each cluster of two or more, the largest first."""
        found: dict[int, list[int]] = defaultdict(list)
        for key in self._parent:
            found[self._root(key)].append(key)
        clusters = (tuple(sorted(keys)) for keys in found.values() if len(keys) > 1)
        return tuple(sorted(clusters, key=lambda keys: (-len(keys), keys)))

    def _root(self, key: int) -> int:
        while self._parent.setdefault(key, key) != key:
            self._parent[key] = self._parent[self._parent[key]]
            key = self._parent[key]
        return key
