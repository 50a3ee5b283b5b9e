"""What was computed from many rows is kept in this process, and is valid as long as a stamp of these rows is the same.
The stamp is read each time, so that nobody is shown an old figure."""

from collections.abc import Callable, Hashable
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from sqlalchemy.engine import Engine
from sqlalchemy.orm import Session

from graders.cache import RecentCache

T = TypeVar("T")
KEPT = 256  # pages' worth, those asked for most recently
KEPT_BOOKS = 16  # whole gradebooks, each some megabytes

_Cache = RecentCache[Hashable, tuple[Hashable, Any]]
_pages: WeakKeyDictionary[Engine, _Cache] = WeakKeyDictionary()
_books: WeakKeyDictionary[Engine, _Cache] = WeakKeyDictionary()


def kept(db: Session, key: Hashable, stamp: Hashable, compute: Callable[[], T], *, is_book: bool = False) -> T:
    """What `compute` gives; that of an earlier call with this key, if its stamp was the same. `is_book`: it is as large
    as a gradebook, of which fewer are kept."""
    engine = db.get_bind().engine
    cache = (
        _books.setdefault(engine, RecentCache(KEPT_BOOKS)) if is_book else _pages.setdefault(engine, RecentCache(KEPT))
    )
    found = cache.get(key)
    if found is not None and found[0] == stamp:
        value: T = found[1]
        return value
    value = compute()
    cache.put(key, (stamp, value))
    return value
