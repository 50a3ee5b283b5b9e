"""What a plan of PostgreSQL reads from end to end."""

from collections.abc import Iterator
from typing import Any

LARGE = 10_000  # rows, from which on a walk over a table is one too many


def walked(node: dict[str, Any], large: set[str], is_limited: bool = False) -> Iterator[str]:
    """The large tables that a plan reads from end to end: by themselves, or an index of theirs without a condition."""
    is_limited = is_limited or node["Node Type"] == "Limit"
    table, kind = node.get("Relation Name"), node["Node Type"]
    if table in large:
        is_whole = "Index Cond" not in node and node["Plan Rows"] >= LARGE and not is_limited
        if kind == "Seq Scan" or (kind.startswith("Index") and is_whole):
            yield f"{kind} on {table}"
    for inner in node.get("Plans", ()):
        yield from walked(inner, large, is_limited)
