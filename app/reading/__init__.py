"""Room: reading. The catalog of courses and exercises, the cells of lessons, and search."""
