"""The result of a game, as a bot's `end` gets it."""

from typing import Any


class Result(dict[str, Any]):
    """A record's `result`: `result.ranks` and `result["ranks"]` are the same.

    Lists are by seat, 0 first. Whatever else a game says in its result is an attribute too.
    """

    __slots__ = ()

    ranks: list[int]
    """1 is best; equal ranks are shared."""
    scores: list[int]
    """Points of No Thanks! (fewest win), sets of Sixteen, victories of 17."""
    penalties: list[int]
    """In 17 alone."""
    reason: str
    """The end's cause: "complete"; "forfeit" where one side was left; a game may have others."""

    @property
    def forfeits(self) -> list[int]:
        """The seats that forfeited, ascending; a record leaves out the key where there are none."""
        seats: list[int] = self.get("forfeits", [])
        return seats

    def __getattr__(self, name: str) -> Any:
        """Return the value of a key. Raises AttributeError if there is none of that name."""
        try:
            return self[name]
        except KeyError:
            text = f"'Result' object has no attribute {name!r}"
            raise AttributeError(text) from None
