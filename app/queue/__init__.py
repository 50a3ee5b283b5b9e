"""Where gradings wait. Every queue satisfies graders.worker.Queue, and for every queue the rows are the truth."""
