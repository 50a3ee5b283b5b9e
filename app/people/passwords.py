"""Passwords: which may be one, and their hashes. `Hashing` (hashing.py) says in which thread."""

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from app.people.common_passwords import is_common, is_name
from app.web.errors import Invalid

PASSWORD_MIN_LENGTH = 10
PASSWORD_MAX_LENGTH = 1000

_CHOOSE = "Choose a few words that do not belong together. Signs or digits at the end of a common one do not help."
_hasher = PasswordHasher()
# Verified for an address that nobody has, so that the answer takes as long as for one that somebody has. Of random
# bytes that were thrown away, and written here because making one at each start would delay it.
_nobody = "$argon2id$v=19$m=65536,t=3,p=4$we7lPGWNpjUIlAGdqtx+pQ$tQ8QgdNL9kzfFtnCMfqrXXUnf4isxdUol1l6VRGmhsE"


def require_password(password: str, email: str | None = None) -> None:
    """Raises Invalid for one that cannot be anybody's, and for one that is easily guessed for this address.

    attack: the most common passwords, tried on every account a few times an hour. defence: nobody can choose one.
    """
    if len(password) < PASSWORD_MIN_LENGTH:
        raise Invalid(
            f"password: this has {len(password)} characters; use at least {PASSWORD_MIN_LENGTH}.",
            "A few words that you can remember work well.",
        )
    if len(password) > PASSWORD_MAX_LENGTH:
        raise Invalid(f"password: use at most {PASSWORD_MAX_LENGTH} characters.", "Use a shorter one.")
    if is_name(password, email):
        raise Invalid("password: this is too close to your e-mail address or to the name of this site.", _CHOOSE)
    if is_common(password):
        raise Invalid("password: this is one of the passwords that people try first.", _CHOOSE)


def hash_password(password: str, email: str | None = None) -> str:
    """Takes a core for a while: a server calls it where `Hashing` runs it. Raises Invalid."""
    require_password(password, email)
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
