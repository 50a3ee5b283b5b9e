"""`doctor`: what this machine has of the sandbox."""

import typer

from app.commands.installation import open_judge, read_settings


def doctor() -> None:
    """List the walls of the sandbox: which are up on this machine, which are down, why, and how to get them."""
    from app.doctor import examine
    from app.private import exposed

    settings = read_settings()
    found = exposed(settings)
    judge = open_judge(("numpy",))  # which closes what is open, or says why it cannot
    private = f"{settings.data} is private: no other user can read it"
    raise typer.Exit(examine(judge, f"{found}; it is closed now" if found else private))
