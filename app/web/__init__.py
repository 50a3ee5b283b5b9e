"""What every request passes: the server, the edge, limits, errors, and how pages are rendered."""
