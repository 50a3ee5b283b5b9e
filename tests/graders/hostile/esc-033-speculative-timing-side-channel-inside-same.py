# allowed: elsewhere
# Speculative/timing side channel inside same address space.
# No verdict tells that a side channel was not used. What can be shown is that there is nothing to be read: esc-030,
# own-008 and own-009 search all of a box's memory.

