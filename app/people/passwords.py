"""Passwords: which may be one, and their hashes. `Hashing` (hashing.py) says in which thread."""

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from app.web.errors import Invalid

PASSWORD_MIN_LENGTH = 10
PASSWORD_MAX_LENGTH = 1000

_hasher = PasswordHasher()
# Verified for an address that nobody has, so that the answer takes as long as for one that somebody has. Of random
# bytes that were thrown away, and written here because making one at each start would delay it.
_nobody = "$argon2id$v=19$m=65536,t=3,p=4$we7lPGWNpjUIlAGdqtx+pQ$tQ8QgdNL9kzfFtnCMfqrXXUnf4isxdUol1l6VRGmhsE"


def require_password(password: str) -> None:
    """Raises Invalid for one that cannot be anybody's."""
    if len(password) < PASSWORD_MIN_LENGTH:
        raise Invalid(
            f"password: this has {len(password)} characters; use at least {PASSWORD_MIN_LENGTH}.",
            "A few words that you can remember work well.",
        )
    if len(password) > PASSWORD_MAX_LENGTH:
        raise Invalid(f"password: use at most {PASSWORD_MAX_LENGTH} characters.", "Use a shorter one.")


def hash_password(password: str) -> str:
    """Takes a core for a while: a server calls it where `Hashing` runs it. Raises Invalid."""
    require_password(password)
    return hash_again(password)


def needs_hash_again(hashed: str) -> bool:
    """Whether it was hashed with a cost that is no longer ours."""
    return _hasher.check_needs_rehash(hashed)


def hash_again(password: str) -> str:
    """Of a password that is known to be somebody's, whatever the rules are by now."""
    return _hasher.hash(_bytes(password))


def verify(hashed: str | None, password: str) -> bool:
    """Takes as long for None, which is nobody's and matches nothing."""
    try:
        return _hasher.verify(hashed or _nobody, _bytes(password[:PASSWORD_MAX_LENGTH])) and hashed is not None
    except (VerificationError, InvalidHashError):
        return False


def _bytes(password: str) -> bytes:
    return password.encode("utf-8", "surrogatepass")
