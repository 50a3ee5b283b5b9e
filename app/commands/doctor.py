"""`doctor`: whether the installation is well, and what this machine has of the sandbox."""

from typing import TYPE_CHECKING

import typer

from app.commands.installation import open_judge, read_settings
from app.commands.terminal import say

if TYPE_CHECKING:
    from app.operating.checkup import Finding


def doctor() -> None:
    """Look at database, broker, workers, disk and clocks, as the settings name them; and at the walls of the sandbox:
    which are up on this machine, which are down, why, and how to get them."""
    import logging

    import structlog

    from app.doctor import examine
    from app.operating.checkup import checkup
    from app.operating.retention import rules
    from app.private import exposed

    settings = read_settings()
    # what is bad is said by each finding, and not in a log besides
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    say("Installation:")
    is_well = checkup(settings, _tell)
    found = exposed(settings)
    judge = open_judge(("numpy",))  # which closes what is open, or says why it cannot
    private = f"{settings.data} is private: no other user can read it"
    code = examine(judge, f"{found}; it is closed now" if found else private, rules(settings))
    raise typer.Exit(code or (0 if is_well else 1))


def _tell(finding: "Finding") -> None:
    say(f"  {'ok  ' if finding.is_well else 'BAD '} {finding.name:<13} {finding.about}")
    if not finding.is_well:
        say(f"       {'':<13} remedy: {finding.remedy}")
