# allowed: time_limit
# Half of a frame's head, then nothing: the reader is to wait for the rest.
# The reader has one deadline for the whole answer.

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
    os.write(3, struct.pack(">I", 10))
    time.sleep(3600)
