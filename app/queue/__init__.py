"""Where gradings wait: contract.py says what the web asks of a queue, and graders.worker.Queue what workers do. For
every queue the rows are the truth."""
