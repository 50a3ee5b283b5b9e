"""All running means share one total: it belongs to the class. Set it in `__init__`, on `self`."""

class RunningMean:
    count = 0
    total = 0.0

    def add(self, number):
        RunningMean.count += 1
        RunningMean.total += number

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
