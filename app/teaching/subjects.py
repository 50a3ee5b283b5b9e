"""What an author works on: one exercise or one course."""

import re
from dataclasses import dataclass
from typing import Literal

from app.content.reading import MAX_SLUG_CHARACTERS
from app.web.errors import Invalid, NotFound

Kind = Literal["exercise", "course"]
SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
MAX_NEW_SLUG = 100


@dataclass(frozen=True)
class Subject:
    kind: Kind
    slug: str

    @property
    def url(self) -> str:
        """Its page for students: `/exercises/softmax-rows`, `/courses/positions`."""
        return f"/{'exercises' if self.kind == 'exercise' else 'courses'}/{self.slug}"

    @property
    def desk_url(self) -> str:
        """Its page for authors."""
        return f"/author/{self.kind}/{self.slug}"

    def __str__(self) -> str:
        return f"{self.kind} {self.slug}"


def subject_of(kind: str, slug: str) -> Subject:
    """As an address names it. Raises NotFound for what no subject can be called."""
    match kind:
        case "exercise" | "course" if slug and slug.isprintable() and len(slug) <= MAX_SLUG_CHARACTERS:
            return Subject(kind, slug)
    raise NotFound("There is nothing of this name to author.", "See the list at /author.")


def require_new_slug(slug: str) -> str:
    """Raises Invalid for what no new exercise or course may be called."""
    if not SLUG.fullmatch(slug) or len(slug) > MAX_NEW_SLUG:
        hint = f"Use lower case, digits and hyphens, at most {MAX_NEW_SLUG} characters: softmax-over-rows."
        raise Invalid(f"{slug[:200]!r} is not a name for an exercise or a course.", hint)
    return slug
