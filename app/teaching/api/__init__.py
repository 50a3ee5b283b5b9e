"""JSON, a module a noun."""
