"""Accepts every pair of primes with the right sum, in either order."""


def accept(inputs, output, expected):
    if len(output) != 2:
        return f"You return {len(output)} numbers; two are asked for."
    for number in output:
        if number < 2 or any(number % other == 0 for other in range(2, min(number, 2000))):
            return "One of your numbers is no prime."
    if sum(output) != inputs["total"]:
        return "Your primes do not add up to the total."
    return None
