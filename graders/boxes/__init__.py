"""The boxes that student code runs in, seen from outside: kept warm, asked, measured and ended."""
