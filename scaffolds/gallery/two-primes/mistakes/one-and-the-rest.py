"""1 is no prime. The smallest is 2."""


def two_primes(total):
    return [1, total - 1]
