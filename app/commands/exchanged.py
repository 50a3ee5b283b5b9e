"""What `export` and `import` say about each exercise and course."""

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.commands.terminal import ACCEPTED, REJECTED, counted, say
from graders.text import headline

if TYPE_CHECKING:
    from app.teaching.exchange import Exchanged


def show_exchanged(verb: str, exchanged: "Sequence[Exchanged]", as_json: bool) -> int:
    """Returns the exit status: 1 where something was refused."""
    refused = [each for each in exchanged if each.outcome == "refused"]
    if as_json:
        say(json.dumps({verb: [each.as_json() for each in exchanged]}, ensure_ascii=False))
    else:
        for each in exchanged:
            if each.outcome == "refused":
                say(f"{each.path}: refused: {each.why}", sys.stderr)
            elif each.outcome == "written":
                say(f"{each.path}: {verb}")
        written = sum(each.outcome == "written" for each in exchanged)
        total = f"{counted(written, 'folder')} {verb}, {len(exchanged) - written - len(refused)} unchanged"
        say(headline(f"{total}, {len(refused)} refused."))
    return REJECTED if refused else ACCEPTED
