"""What a look finds: a construct in the source that the outcome agrees with, in words."""

import ast
from dataclasses import dataclass

from graders.reasons.source.program import Program

# Which is shown where several fit: the first. Those before "unused_argument" are as good as proved by the outcome.
# "repaired" is none of them: `with_repair` makes it.
ORDER = (
    "never_called", "iterator_returned", "error_returned", "no_result", "mutator_assigned",
    "return_in_loop", "made_in_loop", "not_reset", "range_short", "kept_between_calls", "largest_from_zero",
    "sizes_written", "dropped", "compared_for_assigned", "own_layer", "noise", "place_for_value", "falsy",
    "inner_module",
    "endless_while", "grows_while_walked", "skipped_step", "still_branch", "many_calls", "nested_loops", "still_in",
    "only_while",
    "floor_division", "exclusive_or", "hidden_error", "greedy",
    "unused_argument", "overwritten_argument", "identity", "unread_name",
)  # fmt: skip
UNSTEADY = frozenset({"kept_between_calls", "own_layer", "noise"})  # what makes an answer change from call to call
# what an exception is only the end of: the advice that comes with its own words would be about something else
BEFORE_ERRORS = frozenset({"kept_between_calls"})
PROVED = frozenset({"repaired", "never_called", "iterator_returned", "error_returned", "mutator_assigned"})


@dataclass(frozen=True)
class Finding:
    """`text` names lines and quotes the source, for a sample case. `hidden` is a fixed sentence for a hidden one, "" to
    stay silent there. `refines`: the diagnoses from the numbers that it explains, and so replaces."""

    name: str
    line: int
    text: str
    hidden: str = ""
    refines: frozenset[str] = frozenset()
    is_confirmed: bool = False  # by a change in the same line that makes every case right

    @property
    def is_proved(self) -> bool:
        """Whether the outcome can have no other cause, so that it goes before an author's sentence for the case."""
        return self.name in PROVED or self.is_confirmed

    def explains(self, diagnosis: str) -> bool:
        """Whether it says what makes this diagnosis so."""
        return diagnosis in self.refines or (diagnosis == "changes_between_calls" and self.name in UNSTEADY)

    def sentence(self, sample: bool) -> str:
        return self.text if sample else self.hidden


def code(program: Program, node: ast.expr | ast.stmt, otherwise: str) -> str:
    """The student's own code in backticks, or `otherwise` where it is too long to quote."""
    quoted = program.quoted(node)
    return f"`{quoted}`" if quoted else otherwise
