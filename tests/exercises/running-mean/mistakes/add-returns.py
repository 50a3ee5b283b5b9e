"""`add` returns something. It takes a number, and says nothing."""

class RunningMean:
    def __init__(self):
        self.count = 0
        self.total = 0.0

    def add(self, number):
        self.count += 1
        self.total += number
        return self.total

    @property
    def mean(self):
        if not self.count:
            raise ValueError("no numbers yet")
        return self.total / self.count


def means(numbers):
    running = RunningMean()
    for number in numbers:
        running.add(number)
        yield running.mean
