# cause: count is a local variable in add, not self.count
# names: self|local
class RunningMean:
    def __init__(self):
        self.count = 0
        self.total = 0

    def add(self, number):
        count = self.count + 1
        self.total += number

    @property
    def mean(self):
        if not self.count:
            raise ValueError("no numbers")
        return self.total / self.count


def means(numbers):
    r = RunningMean()
    for n in numbers:
        r.add(n)
        yield r.mean
