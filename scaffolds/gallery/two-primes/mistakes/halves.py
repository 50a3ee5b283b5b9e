"""Half of the total is not always a prime. Try each prime, and what it leaves."""


def two_primes(total):
    return [total // 2, total // 2]
