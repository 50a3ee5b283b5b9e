"""`./lectern bench soak`: load on an installation while parts of it are killed, then an audit of all it promised.

content.py is what is taught, installation.py what runs, load.py who uses it and what they deserve, faults.py what goes
wrong, audit.py whether anything was lost, doubled or wrong. docs/operating.md says how to run it.
"""
