"""HTML, a module a noun: thin callers of the verbs beside the tables."""
