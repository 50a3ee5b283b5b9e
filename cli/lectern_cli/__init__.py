"""Lectern in a student's own editor. Standard library only: neither the judge nor a framework is needed.

A server is a stranger: what it sends is data. It is written under names of our own, never run by us, and shown without
control characters. A token goes to the server that it came from and to no other.
"""
