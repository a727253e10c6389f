"""Progress for tests."""

from arena.progress import Progress


class Unshown(Progress):
    """Progress that is shown to nobody; what people are told is kept."""

    def __init__(self) -> None:
        self.said = list[str]()

    def say(self, *lines: str) -> None:
        self.said += lines
