# allowed: runtime_error, invalid_submission
# An entry point whose signature, name and code raise when they are looked at.
# Whatever is raised is caught, KeyboardInterrupt too.

class Entry:
    @property
    def __signature__(self): raise KeyboardInterrupt
    @property
    def __wrapped__(self): return self
    def __getattr__(self, name): raise SystemExit(0)
    def __call__(self, x): return x
solve = Entry()
