"""Room: practice. Submissions and how they were judged, drafts, hints, solutions, and times compared."""
