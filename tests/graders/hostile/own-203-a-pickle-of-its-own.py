# allowed: wrong_answer, runtime_error
# What a value becomes when it is copied or pickled runs code.
# Nothing is pickled or copied by protocol, in the box or outside.
# exercise: running-mean

import os
class Evil:
    __reduce__ = lambda self: (os.system, ("echo BREACH > /tmp/PWNED",))
    __reduce_ex__ = lambda self, protocol: self.__reduce__()
    __getstate__ = __deepcopy__ = __copy__ = lambda self, *_: print("copied")
class RunningMean:
    count = mean = Evil()
    def add(self, number): return Evil()
def means(numbers): yield Evil()
