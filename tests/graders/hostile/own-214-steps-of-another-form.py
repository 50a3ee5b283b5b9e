# allowed: wrong_answer, runtime_error
# Forged steps that are no steps: of another kind, a negative line, nothing at all, nested in themselves.
# What has another form is no reply.
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
turn = 0
def forged(*_):
    global turn
    turn += 1
    return [[(-1, "value", 3)], [(1, "accepted", 3)], [], [[1, "value", 3]], [(True, "value", 3.0)], {"a": 1}][turn % 6]
script.run = forged
