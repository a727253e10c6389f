"""What a session keeps of texts for a bot's author: as much as of the bot's prints.

The texts are the bot's, so their number and length are its own choice; the store must not grow by
what a bot likes to say.
"""


class Kept:
    """Decides which texts are kept: the first of each kind, and others up to `most_bytes`."""

    def __init__(self, most_bytes: int) -> None:
        self._left = most_bytes
        self._kinds: set[str] = set()

    def takes(self, kind: str) -> bool:
        """Return whether a text of this kind may still be kept; else it need not be made."""
        return self._left > 0 or kind not in self._kinds

    def text(self, kind: str, text: str) -> str:
        """Return the text if it is kept, else "". The first that does not fit is the last."""
        size = len(text.encode())
        if kind in self._kinds and size > self._left:
            self._left = 0
            return ""
        self._kinds.add(kind)
        self._left -= size
        return text
