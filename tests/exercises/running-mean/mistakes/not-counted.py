"""`count` stays 0. Add 1 for each number."""

class RunningMean:
    def __init__(self):
        self.count = 0
        self.total = 0.0

    def add(self, number):
        self._n = getattr(self, '_n', 0) + 1
        self.total += number

    @property
    def mean(self):
        if not hasattr(self, '_n'):
            raise ValueError("no numbers yet")
        return self.total / self._n


def means(numbers):
    running = RunningMean()
    for number in numbers:
        running.add(number)
        yield running.mean
