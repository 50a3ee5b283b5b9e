# cause: count is a property and is also assigned with self.count = ..., which a property without a setter refuses; keep the number under another name such as self._count.
# names: property.{0,60}(assign|setter|set\b|another name|cannot|no value)|another name|_count|(assign|given).{0,60}property
class RunningMean:
    def __init__(self):
        self.count = 0
        self.total = 0.0

    def add(self, number):
        self.total += number
        self.count += 1

    @property
    def count(self):
        return self.count

    @property
    def mean(self):
        if self.count == 0:
            raise ValueError("no numbers yet")
        return self.total / self.count


def means(numbers):
    running = RunningMean()
    for number in numbers:
        running.add(number)
        yield running.mean
