"""Room: discussions. What people ask and answer below an exercise or a question, and what they report.

A subject (subjects.py) is what it is about. Its thread holds topics, and a topic holds a post that asks and the posts
that reply to it (posts.py). What a reader is sent of them is decided in one place (threads.py). Reports of posts
(reports.py) and of mistakes in the content (mistakes.py) wait in one queue for staff (moderation.py).
"""
