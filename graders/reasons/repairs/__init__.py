"""One change to the submission that makes it right: what is looked for, tried in the box, and said."""
