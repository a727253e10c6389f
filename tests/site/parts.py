"""What a page consists of, for tests."""

from html.parser import HTMLParser


class Parts(HTMLParser):
    """Which tags, ids, links and attributes there are, and the text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.attributes: set[str] = set()
        self.tags: set[str] = set()
        self.words: list[str] = []
        self._within = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self._within = tag
        if tag in ("td", "th", "dt", "dd", "p", "title"):
            self.words.append(" ")
        for name, value in attrs:
            self.attributes.add(name)
            if name == "id":
                self.ids.append(value or "")
            if name == "href" and tag != "link":
                self.links.append(value or "")

    def handle_data(self, data: str) -> None:
        if self._within not in ("style", "script"):
            self.words.append(data)

    def handle_endtag(self, tag: str) -> None:
        self._within = ""

    @property
    def text(self) -> str:
        """All text, with single spaces."""
        return " ".join("".join(self.words).split())


class Tables(HTMLParser):
    """The tables of a page, the line of headings first: of each cell its first text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.all: list[list[list[str]]] = []
        self._open = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self.all.append([])
        elif tag == "tr":
            self.all[-1].append([])
        elif tag in ("td", "th"):
            self.all[-1][-1].append("")
            self._open = True

    def handle_data(self, data: str) -> None:
        if self._open and data.strip():
            self.all[-1][-1][-1] = data.strip()
            self._open = False

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th", "tr", "table"):
            self._open = False
