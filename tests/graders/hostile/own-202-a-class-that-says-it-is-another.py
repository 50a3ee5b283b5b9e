# allowed: wrong_answer, runtime_error
# `__class__` says float to isinstance, then list, then int.
# A type is asked of type() or the conversion fails; no conversion is by the object's own methods.
# exercise: running-mean

class Other:
    asked = 0
    @property
    def __class__(self):
        Other.asked += 1
        return (float, list, int, dict, str, tuple, set)[Other.asked % 7]
    items = lambda self: [(self, self)]
    __iter__ = lambda self: iter([1.0])
    __len__ = lambda self: 1
    __str__ = lambda self: "3.0"
    _fields = ("a",)
class RunningMean:
    count = mean = Other()
    def add(self, number): pass
def means(numbers): return [Other()]
