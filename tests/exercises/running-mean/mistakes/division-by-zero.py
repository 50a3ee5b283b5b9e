# verdict: runtime_error
"""Before the first number you divide by 0. Raise a `ValueError` yourself."""

class RunningMean:
    def __init__(self):
        self.count = 0
        self.total = 0.0

    def add(self, number):
        self.count += 1
        self.total += number

    @property
    def mean(self):
        return self.total / self.count


def means(numbers):
    running = RunningMean()
    for number in numbers:
        running.add(number)
        yield running.mean
