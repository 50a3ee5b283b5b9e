"""`schema`: what an editor needs to complete and check a TOML file."""

from typing import Annotated

import typer

from app.commands.terminal import say, stop


def schema(kind: Annotated[str, typer.Argument(metavar="exercise|course")]) -> None:
    """Print the JSON Schema of exercise.toml or course.toml."""
    from app.content.schema import KINDS, schema_text

    if kind not in KINDS:
        raise stop(False, "not_found", f"There is no schema {kind!r}.", f"The schemas are {', '.join(KINDS)}.")
    say(schema_text(kind).rstrip("\n"))
