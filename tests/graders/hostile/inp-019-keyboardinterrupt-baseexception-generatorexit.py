# allowed: runtime_error
# KeyboardInterrupt / BaseException / GeneratorExit.
# Whatever is raised is caught.

def solve(x): raise KeyboardInterrupt
