"""arena.site.downloads: what lies beside the pages."""

import re

from arena.site.downloads import NOTES, brief_file, links, llms, tables
from arena.site.pages import Link, Site
from arena.tables import formats
from tests.places import EXPECTED
from tests.site.documents import kept

SITE = Site(
    "cup",
    "2026-11-22",
    "0.1.0",
    (Link("Standings", "index.html"), Link("sixteen", "game-sixteen.html")),
    {"ann": "bot-ann.html", "[x](http://evil)": "bot-x.html"},
    {"sixteen": "game-sixteen.html"},
    {},
    {},
)


def test_the_tables_are_those_that_results_have() -> None:
    texts = tables(kept())
    assert list(texts) == list(NOTES)
    for ending in ("md", "json"):
        assert texts[f"standings.{ending}"] == (EXPECTED / f"standings.{ending}").read_text()
    assert texts["standings.csv"] == formats.csv(kept())
    assert texts["standings.tex"] == formats.latex(kept())


def test_latex_says_what_it_needs() -> None:
    assert tables(kept())["standings.tex"].startswith("% needs \\usepackage{booktabs}")


def test_every_file_is_linked() -> None:
    files = [link.href for link in links(SITE)]
    assert files == [*NOTES, brief_file("sixteen")]


def test_llms_txt_leads_to_every_file_and_page_and_no_name_makes_a_link() -> None:
    text = llms(SITE, "2 bots, 3 games")
    assert text.startswith("# cup\n\n> ")
    found = re.findall(r"(?<!\\)\]\((.*?)\)", text)
    assert found == [*NOTES, "brief-sixteen.md", "index.html", "game-sixteen.html",
                     "bot-ann.html", "bot-x.html"]  # fmt: skip
