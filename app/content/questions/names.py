"""The names that a question shows, which a student may write in an answer.

attack: a name that only the answer has is tried out, letter by letter, for nothing. defence: names, and the values that
stand for them, come from the text that is shown, and from nothing else.
"""

import re
from collections.abc import Set as AbstractSet

from app.content.expression import Quotient
from app.content.questions.question import Question, Values
from app.content.substitution import SUBSTITUTION, numbers_in, substitute


def shown_names(prompt: str) -> set[str]:
    plain = re.sub(
        r"\\(?:text|mathrm|mathit|operatorname)|\\_|[{}\\]", lambda match: "_" if match[0] == "\\_" else "", prompt
    )
    return set(re.findall(r"[A-Za-z_][A-Za-z0-9_]*", plain))


def shown_numbers(question: Question, values: Values) -> dict[str, Quotient]:
    """The given names that the prompt shows with their values: `d_model = {{d_model}}`."""
    inserted = {found[1].strip() for found in SUBSTITUTION.finditer(question.prompt)}
    visible = inserted & shown_names(substitute(question.prompt, values))
    numbers = numbers_in({name: value for name, value in values.items() if name in visible})
    return {name: value for name, value in numbers.items() if value.number is not None}


def with_products(text: str, names: AbstractSet[str]) -> str:
    """`2*d_model` for `2d_model`, where `d_model` is one of the names."""

    def product(match: re.Match[str]) -> str:
        return f"{match[1]}*{match[2]}" if match[2] in names else match[0]

    return _COEFFICIENT.sub(product, text)


_COEFFICIENT = re.compile(r"(?<![\w.])([0-9]+(?:\.[0-9]+)?)([A-Za-z_][A-Za-z0-9_]*)")
