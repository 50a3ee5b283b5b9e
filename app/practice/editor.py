"""What the editor sends while someone types: drafts, kept or compared, never judged."""

from app.people.identity import Caller
from app.practice.drafts import Saved, save_draft
from app.state import AppState
from app.web.errors import Invalid, TooLarge
from graders.exercise.definition import Exercise


def keep(state: AppState, caller: Caller, slug: str, framework: str, text: str, revision: int) -> Saved:
    """Save a draft, if nobody saved since `revision`.

    Raises NotFound, Invalid, TooLarge, RateLimited, Unauthenticated.
    """
    require_offered(state.catalog.exercise(slug), framework)
    # JSON can say half a surrogate pair, and NUL: kept as said, in a column of bytes.
    source = text.encode("utf-8", "surrogatepass")
    if len(source) > state.settings.source_max_kb << 10:
        raise TooLarge(
            f"Your source is larger than {state.settings.source_max_kb} KiB.", "Remove data from it and save again."
        )
    state.limits.spend("draft", address=caller.address)
    with state.db.writing() as db:
        user = caller.require_user(db)
        state.limits.spend("draft", person=user.id)
        return save_draft(db, user, slug, framework, source, revision)


def require_offered(exercise: Exercise, framework: str) -> None:
    """Raises Invalid. What passes is one of three words, which any database may be asked for."""
    if framework not in exercise.frameworks:
        raise Invalid("framework: this exercise is not offered in it.", f"Use one of {', '.join(exercise.frameworks)}.")
