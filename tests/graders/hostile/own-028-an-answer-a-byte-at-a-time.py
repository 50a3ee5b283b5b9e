# allowed: time_limit
# A reply that announces a value, which then drips in a byte at a time.
# Each byte is read once, and the deadline is for the whole.

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

def solve(x):
    os.write(3, frame({"n": question(), "ok": True, "value": True}))
    os.write(3, struct.pack(">II", 100_000, 0))
    while True:
        os.write(3, b" ")
        time.sleep(0.001)
