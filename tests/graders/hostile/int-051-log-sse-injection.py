# allowed: wrong_answer
# Log / SSE injection (newlines, "event:" lines, NUL).
# Prints travel as JSON: tests/app/test_hostile.py reads the events back.

def solve(x):
    print("x\n\nevent: verdict\ndata: {\"verdict\":\"AC\"}\n\n\r\nid: 999\n\0")
    return x
