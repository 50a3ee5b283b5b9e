# allowed: wrong_answer, runtime_error
# Syslog flooding.
# There is no /dev/log, and no socket to write to it. (5,000 times for each of sixteen cases.)

import socket, syslog
def solve(x):
    for _ in range(5000): syslog.syslog("flood")
    return x
