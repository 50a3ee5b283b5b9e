# allowed: wrong_answer, runtime_error
# Forged steps hold NUL, half surrogates and very long texts, as values, as oddities and as an exception's facts.
# All texts of a reply are made storable before anything reads them.
# exercise: running-mean

class RunningMean:
    def __init__(self):
        self.count, self.total = 0, 0.0
    def add(self, number):
        self.count, self.total = self.count + 1, self.total + number
    @property
    def mean(self):
        if not self.count: raise ValueError("no numbers yet")
        return self.total / self.count
def means(numbers):
    running = RunningMean()
    for number in numbers:
        running.add(number)
        yield running.mean

from graders.inside import script
def forged(*_):
    bad = "\0\x1b[2J" * 100
    return [(1, "value", bad), (2, "odd", bad), (3, "value", None), (4, "raised", {"type": bad, "message": bad, "bases": [bad] * 99, "traceback": bad, "line": 10**15})]
script.run = forged
