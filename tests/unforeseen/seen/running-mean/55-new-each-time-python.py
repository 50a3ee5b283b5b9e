# cause: means makes a new RunningMean in each pass, so each mean is of one number
# names: loop|new|each pass|inside
class RunningMean:
    def __init__(self):
        self.count = 0
        self.total = 0

    def add(self, number):
        self.count += 1
        self.total += number

    @property
    def mean(self):
        if not self.count:
            raise ValueError("no numbers")
        return self.total / self.count


def means(numbers):
    for n in numbers:
        r = RunningMean()
        r.add(n)
        yield r.mean
