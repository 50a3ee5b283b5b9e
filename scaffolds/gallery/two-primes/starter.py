from provided.primes import read_primes


def two_primes(total):
    """Two primes that add up to total, as a list."""
    raise NotImplementedError("try each prime, and what it leaves")
