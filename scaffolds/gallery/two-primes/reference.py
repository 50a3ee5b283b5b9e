from provided.primes import read_primes


def two_primes(total):
    primes = read_primes()
    return next([prime, total - prime] for prime in primes if total - prime in primes)
