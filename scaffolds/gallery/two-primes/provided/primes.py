def read_primes():
    """The primes below 2000, in order."""
    with open("data/primes.txt") as file:
        return [int(line) for line in file]
