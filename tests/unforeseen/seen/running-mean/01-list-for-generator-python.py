# cause: means builds a list and returns it; a generator yields the means one after another, so next() works on it.
# names: ^(?!.*you yield)(?=.*(\byield|generator|(return|is|build|got|gives?|make)\w* (a|the|one) (whole )?list|list.{0,40}(not|instead|iterator|generator)|iterator|`?next\())
class RunningMean:
    def __init__(self):
        self.count = 0
        self.sum = 0

    def add(self, number):
        self.count += 1
        self.sum += number

    @property
    def mean(self):
        if self.count == 0:
            raise ValueError("no numbers")
        return self.sum / self.count


def means(numbers):
    result = []
    rm = RunningMean()
    for x in numbers:
        rm.add(x)
        result.append(rm.mean)
    return result
