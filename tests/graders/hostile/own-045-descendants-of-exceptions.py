# allowed: runtime_error
# An exception whose str, name, traceback and class are all made by code that raises, recurses or waits for the collector.
# What cannot be told is not told.

class Meta(type):
    __name__ = property(lambda cls: 1 / 0)
    def __instancecheck__(cls, other): raise SystemExit
    def __subclasses__(cls): raise SystemExit
class Odd(Exception, metaclass=Meta):
    def __str__(self): raise Odd
    def __repr__(self): return str(self)
    def __del__(self): raise Odd
    @property
    def __traceback__(self): raise Odd
    @property
    def __dict__(self): raise Odd
def solve(x): raise Odd(x)
