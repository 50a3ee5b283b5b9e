"""Room: quizzes. Answers to questions, sittings of quizzes, and what comes back for review."""
