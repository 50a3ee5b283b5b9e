# allowed: invalid_submission, runtime_error, wrong_answer
# -*- coding: utf-7 -*-
# Encoding cookie tricks.
# Source is UTF-8 everywhere; the cookie, here on line two, is a comment.
+AGkAbQBwAG8AcgB0ACAAbwBz-
