"""You add {{factor}}: multiply by it."""


def multiplied(x):
    return x + {{factor}}
