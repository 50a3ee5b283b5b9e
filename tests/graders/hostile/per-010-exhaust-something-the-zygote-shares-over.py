# allowed: elsewhere
# Exhaust something the zygote shares (pid space, net ns backlog, keyrings, tmpfs leak) over 10 000 runs.
# No submission: tests/graders/test_hostile.py judges two hundred in a row, counting before and after.

