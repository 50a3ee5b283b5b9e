# cause: the mean is updated as (mean + number) / 2
# names: half|/ 2|two|count|divid
class RunningMean:
    def __init__(self):
        self.count = 0
        self.value = 0

    def add(self, number):
        self.count += 1
        self.value = (self.value + number) / 2

    @property
    def mean(self):
        if not self.count:
            raise ValueError
        return self.value


def means(numbers):
    r = RunningMean()
    for n in numbers:
        r.add(n)
        yield r.mean
