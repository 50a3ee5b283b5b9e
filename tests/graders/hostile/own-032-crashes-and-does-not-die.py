# allowed: time_limit, runtime_error
# It handles the signals that would end it, and then crashes for ever.
# SIGKILL has no handler.

import ctypes, signal
for number in range(1, 65):
    try: signal.signal(number, lambda *given: None)
    except (OSError, ValueError): pass
def solve(x):
    ctypes.string_at(0)
