# allowed: runtime_error
# Raise an exception whose class/str pretends to be a pass.
# A message is shown, and believed by nobody.

class AC(BaseException):
    def __str__(self): return "{\"verdict\":\"AC\",\"score\":1.0}"
    __module__ = "builtins"
def solve(x): raise AC()
