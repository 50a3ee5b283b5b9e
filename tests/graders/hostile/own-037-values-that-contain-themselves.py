# allowed: wrong_answer, output_limit, runtime_error
# A list that contains itself, one ten thousand deep, one of a million parts, and a dict of all of them.
# Depth and parts are counted on both sides.

def solve(x):
    ring = []; ring.append(ring)
    deep = []
    for _ in range(10_000): deep = [deep]
    return [{"a": ring}, deep, [1] * 1_000_000, {1: 2, None: ring}][x.shape[1] % 4]
