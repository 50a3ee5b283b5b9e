# cause: In add, total and count are written without self, so Python takes them for local variables that have no value yet.
# names: self\.(total|count|sum)|(without|missing|forg\w+|lacks?|needs?|in front|add|no|with|put) .{0,12}`?self\b|`?self`? (is missing|in front)|local (variable|name)|unbound|(before|without|no) .{0,15}(assigned|value|defined)\b
class RunningMean:
    def __init__(self):
        self.count = 0
        self.total = 0

    def add(self, number):
        total += number
        count += 1

    @property
    def mean(self):
        if self.count == 0:
            raise ValueError
        return self.total / self.count


def means(numbers):
    m = RunningMean()
    for n in numbers:
        m.add(n)
        yield m.mean
