# allowed: runtime_error
# A thread that answers once more after the call has returned.
# One answer a question: a second ends the submission, whether it comes with the first or before the next question.

import json, os, struct, sys, time
def frame(tree, blob=b""):
    text = json.dumps({"d": tree}).encode()
    return struct.pack(">II", len(text), len(blob)) + text + blob
def question():
    frame_ = sys._getframe()
    while frame_ is not None:
        if "request" in frame_.f_locals: return frame_.f_locals["request"]["n"]
        frame_ = frame_.f_back
    return 2

import threading
def solve(x):
    n = question()
    def late():
        while True:
            os.write(3, frame({"n": n, "ok": True}))
            time.sleep(0.001)
    threading.Thread(target=late, daemon=True).start()
    time.sleep(0.01)
    return x
