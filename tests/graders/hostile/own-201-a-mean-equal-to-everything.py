# allowed: wrong_answer, runtime_error
# A script's value is an object that is equal to everything, and to each number asked of it.
# Only plain values cross the wall, copied by type; what calls itself equal is an object like any other.
# exercise: running-mean

class Equal:
    __eq__ = __ge__ = __le__ = lambda self, other: True
    __hash__ = lambda self: 0
    __sub__ = __rsub__ = __abs__ = lambda *_: 0.0
    __float__ = lambda self: 3.0
    __index__ = __int__ = __len__ = lambda self: 2
    __iter__ = lambda self: iter(())
class RunningMean:
    count = mean = Equal()
    def add(self, number): pass
def means(numbers): return Equal()
