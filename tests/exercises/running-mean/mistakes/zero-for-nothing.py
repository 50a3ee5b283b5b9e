"""The mean of no numbers is a `ValueError`, not 0."""

class RunningMean:
    def __init__(self):
        self.count = 0
        self.total = 0.0

    def add(self, number):
        self.count += 1
        self.total += number

    @property
    def mean(self):
        if not self.count:
            return 0.0
        return self.total / self.count


def means(numbers):
    running = RunningMean()
    for number in numbers:
        running.add(number)
        yield running.mean
