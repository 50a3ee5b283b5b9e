# allowed: runtime_error, wrong_answer
# Pickle that executes on load in the trusted process.
# Nothing is unpickled, anywhere.

class P:
    def __reduce__(self):
        return (eval, ("open('/tmp/PWNED','w').write('x')",))
def solve(x): return P()
