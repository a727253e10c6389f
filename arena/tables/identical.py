"""Bots with the same files, byte for byte: entered twice by mistake, or to see what luck does."""

from collections.abc import Iterable

Names = tuple[str, ...]


def identical(bots: Iterable[tuple[str, str]]) -> tuple[Names, ...]:
    """Return the names of bots, given with their content hash, that have it in common with others.

    In groups of two and more; names within a group and groups by their first name in order.
    """
    by_hash: dict[str, list[str]] = {}
    for name, hash in sorted(bots):
        by_hash.setdefault(hash, []).append(name)
    return tuple(tuple(names) for names in by_hash.values() if len(names) > 1)


def in_words(names: Names) -> str:
    """Return what a reader should know of a group: `ann and bob have the same files: ...`."""
    told = f"{', '.join(names[:-1])} and {names[-1]}"
    return f"{told} have the same files: whatever they differ by is luck"
