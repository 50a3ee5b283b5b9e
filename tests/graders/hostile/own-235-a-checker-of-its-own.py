# allowed: wrong_answer, runtime_error
# It looks for the checker and the expected answer, and defines an `accept` in every module there is.
# The checker runs in another box, which holds nothing of the student's.
# exercise: fewest-coins

import builtins, gc, sys
for module in [*sys.modules.values(), builtins]:
    try: module.accept = lambda *_: None
    except Exception: pass
def fewest_coins(amount, coins):
    for thing in gc.get_objects():
        if isinstance(thing, dict) and {"expected", "output"} & set(map(str, thing)): print("seen", len(thing))
    for name in ("checker", "reference", "cases"):
        try: print("BREACH", __import__(name))
        except ImportError: pass
    return [accept] if amount % 2 else ["None"]
