# cause: mean is a property and is also assigned with self.mean = ..., which a property without a setter refuses; keep the number under another name such as self._mean.
# names: setter|(assign|set)\w*.{0,50}propert|propert\w*.{0,60}(assign|setter|set\b|written|same name|attribute)|same name|(other|another|different|own) name|_mean\b|both.{0,30}(property|attribute)
class RunningMean:
    def __init__(self):
        self.count = 0
        self.total = 0
        self.mean = None

    def add(self, number):
        self.count += 1
        self.total += number
        self.mean = self.total / self.count

    @property
    def mean(self):
        if self.count == 0:
            raise ValueError("no numbers yet")
        return self.mean


def means(numbers):
    r = RunningMean()
    for n in numbers:
        r.add(n)
        yield r.mean
