"""The formats: Markdown's whole text is kept, others have its cells; hostile strings do no harm."""

import csv
import json
import re
from collections.abc import Callable
from functools import cache
from html import unescape
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from typing import Any

import msgspec
import pytest
from markdown_it import MarkdownIt
from msgspec.structs import replace

from arena.errors import UsageError
from arena.faults.kinds import KINDS
from arena.tables import formats, layout, terminal
from arena.tables.columns import COLUMNS, NOT_RANKED
from arena.tables.document import Standings
from arena.tables.overview import list_tables
from arena.tables.page import html
from arena.words import escape_csv, escape_latex, escape_markdown, visible
from tests.documents import OUT, example, hostile, with_not_ranked, with_pool, with_status
from tests.places import EXPECTED, ROOT, with_rows

FORMATS: dict[str, Callable[[Standings], str]] = {
    "standings.csv": formats.csv,
    "standings.html": html,
    "standings.json": formats.json,
    "standings.md": formats.markdown,
    "standings.tex": formats.latex,
    "standings.txt": terminal.plain,
}
HOSTILE = [
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", '" onmouseover="alert(1)', "a|b",
    "a\\|b", "*b*", "_i_", "a_b", "__x__", "~~s~~", "`c`", "[x](javascript:alert(1))", "![x](y)",
    "http://evil.example", "www.evil.example", "&lt;", "&#124;", "$x$", "=1+1", "+1", "-1", "@x",
    " =1", "\t=1", "\x1b[31mred", "\x9b31m", "a\nb", "a\r\n\r\nb", "\u202eabc", "\u200b", "\ud800",
    "\0", "%", "#", "a--b", "\\input{x}", "\\\\", "{}", "^~", "{{ 7*7 }}", "{% raw %}", "'--",
    "1e5", "0x10", "nan", "", "é中",
]  # fmt: skip


@cache
def commonmark() -> MarkdownIt:
    return MarkdownIt("commonmark").enable(["table", "strikethrough"])


class Page(HTMLParser):
    """The tags of a page, their attributes' names, and the text between them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, tuple[str, ...]]] = []
        self.text: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, tuple(name for name, _ in attrs)))

    def handle_data(self, data: str) -> None:
        self.text.append(data)


@cache
def written(name: str, text: str = "x") -> str:
    """The text in a format where every string is this one."""
    return FORMATS[name](hostile(text))


@cache
def page_of(name: str, text: str) -> Page:
    """The page that such a text is shown as."""
    shown = written(name, text)
    return Page(commonmark().render(shown) if name == "standings.md" else shown)


def write_rows(value: Any, indent: str = "\n") -> str:
    """JSON with a line for each row of a table."""
    whole = json.dumps(value)
    if len(whole) < 700:
        return whole
    named = isinstance(value, dict)
    parts = [f"{json.dumps(key)}: " for key in value] if named else [""] * len(value)
    of = value.values() if named else value
    lines = [part + write_rows(each, f"{indent} ") for part, each in zip(parts, of, strict=True)]
    return f"{whole[0]}{indent} " + f",{indent} ".join(lines) + indent + whole[-1]


def test_all_texts_of_the_example_and_the_list_of_columns_are_the_kept_ones(
    check_kept: Callable[[str, Path], None],
) -> None:
    doc = example()
    check_kept(write_rows(json.loads(formats.json(doc))) + "\n", EXPECTED / "standings.json")
    check_kept(formats.markdown(doc), EXPECTED / "standings.md")
    for width, game in ((60, "sixteen"), (80, "no_thanks")):
        end = terminal.first_screen(with_status(doc, "drifter", "broken"), width)
        text = f"{end}\n\n{terminal.plain(formats.select(doc, game), width)}"
        check_kept(text, EXPECTED / f"standings-{width}.txt")
        assert max(map(len, text.splitlines())) <= width
    page = ROOT / "results" / "README.md"
    rows = [
        f"| `{column.title}` | {', '.join(f'`{title}`' for title in column.csv_titles)} "
        f"| {column.meaning} |"
        for column in COLUMNS
    ]
    check_kept(with_rows(page, "| column | in CSV | meaning |", rows), page)


CSV = {
    "bot": "bot", "place": "place", "place_from": "place_range", "place_to": "place_range",
    "mu": "mu", "mu_from": "interval", "mu_to": "interval", "beats": "beats",
    "better_than_next": "better_than_next", "best_probability": "best_probability",
    "sigma": "sigma", "conservative_mu": "conservative_mu", "wins": "wins", "score": "score",
    "games": "games", "decks": "decks", "faults_total": "faults_total", "status": "status",
}  # fmt: skip
"""The keys that columns of CSV are from; those of two have the first, then the second."""


def test_csv_has_the_document_s_numbers_in_these_columns() -> None:
    text, doc = formats.csv(example()), json.loads(formats.json(example()))
    head = text.partition("\n")[0].split(",")
    assert [title for title in head if title in CSV] == [*CSV]
    tables = [doc["overall"], *(part["table"] for part in doc["games"] + doc["pools"])]
    rows = [row for table in tables for row in table]
    for line, row in zip(csv.DictReader(StringIO(text)), rows, strict=True):
        for title, key in CSV.items():
            value = row[key]
            if isinstance(value, list):
                value = value[1 if title in ("place_to", "mu_to") else 0]
            number = type(value)
            assert (number(line[title]) if line[title] else None) == value, (line["bot"], title)
        assert {kind: int(line[kind]) for kind in KINDS if line[kind] != "0"} == row["faults"]


def test_latex_has_the_cells_that_markdown_has() -> None:
    text = formats.latex(example())
    assert text.startswith("% needs \\usepackage{booktabs} in the preamble\n\\section*{example}\n")
    bodies = re.findall(r"\\toprule\n(.*?)\\midrule\n(.*?)\\bottomrule", text, re.DOTALL)
    for table, (head, body) in zip(layout.tables(example()), bodies, strict=True):
        lines = [line.removesuffix(r" \\").split(" & ") for line in (head + body).splitlines()]
        told = [[cell.strip().replace(r"\%", "%") for cell in line] for line in lines]
        assert told == [
            [cell.replace("#", r"\#") for cell in row] for row in (table.head, *table.rows)
        ]


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("seed", ["given", "secret"])
def test_every_format_says_name_seed_commitment_and_confinement(name: str, seed: str) -> None:
    commitment = "v1:" + 32 * "0f" if seed == "secret" else None
    doc = example(seed=seed, tournament="the-cup", confinement="none", commitment=commitment)
    text = FORMATS[name](doc)
    assert all(word in text for word in ("the-cup", "none", commitment or ""))
    assert commitment or "commitment to" not in text
    if name in ("standings.html", "standings.md", "standings.tex", "standings.txt"):
        assert ("deals: not secret (the config gives the seed)" in text) == (seed == "given")
        assert "sandbox: none" in text


@pytest.mark.parametrize("text", [text for text in HOSTILE if not text.isprintable()])
@pytest.mark.parametrize("name", FORMATS)
def test_nothing_that_does_not_print_comes_through(name: str, text: str) -> None:
    lines = written(name, text).split("\n")
    assert all(line.isprintable() for line in lines)
    if name != "standings.txt":  # whose lines wrap
        assert len(lines) == len(written(name).split("\n"))


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("name", ["standings.html", "standings.md"])
def test_pages_show_any_text_as_text(name: str, text: str) -> None:
    shown = page_of(name, text)
    assert shown.tags == page_of(name, "x").tags
    assert (visible(text) + "0").strip() in map(str.strip, shown.text)


@pytest.mark.parametrize("text", ["http://evil.example", "www.evil.example"])
def test_markdown_makes_no_link_of_a_bare_address(text: str) -> None:
    assert text not in escape_markdown(text)


RUN = (*"=+-@＝＋－＠", "\t", "\r", "\n")
"""What OWASP says that a spreadsheet runs, or drops before what it runs."""


@pytest.mark.parametrize("text", HOSTILE)
def test_csv_keeps_its_columns_and_has_an_apostrophe_before_what_would_run(text: str) -> None:
    head, *rows = csv.reader(StringIO(formats.csv(hostile(text))))
    assert {len(row) for row in rows} == {len(head)}
    words = [cell for row in rows for cell in row[:10]] + head
    assert not [word for word in words if word.lstrip().startswith(RUN)]
    runs = f"{text}0".lstrip(" ").startswith(RUN)
    assert rows[0][9] == "'" * runs + f"{visible(text)}0"


@pytest.mark.parametrize("first", RUN)
def test_each_character_of_owasp_gets_its_apostrophe(first: str) -> None:
    assert escape_csv(f"{first}2-3") == f"'{visible(first)}2-3"


@pytest.mark.parametrize("text", HOSTILE)
def test_latex_has_no_command_of_anybody_elses(text: str) -> None:
    line = formats.latex(hostile(text)).partition("\\midrule\n")[2].partition("\n")[0]
    for shown in (escape_latex(text), re.split(r"(?<!\\)&", line)[1].strip()):
        known = r"\\text(backslash|asciitilde|asciicircum|less|greater|bar)|\\ensuremath\{[<>]\}"
        left = re.sub(r"\\[{}$&#_%^]", "", re.sub(known, "", shown)).replace("{}", "")
        assert not set(left) & {*"\\$&#_%{}^~"}
        assert "--" not in shown


@pytest.mark.parametrize("width", [60, 80, 132])
@pytest.mark.parametrize("name", ["x", "a-long-name-of-thirty-one-chars", "w" * 200])
def test_the_terminals_lines_fit(width: int, name: str) -> None:
    lines = terminal.plain(hostile(name), width).split("\n")
    assert max(map(len, lines)) <= width
    assert " clearly first." in " ".join(terminal.plain(hostile(name), width).split())


def test_a_tournament_of_one_pool_shows_one_table_with_scores() -> None:
    doc = formats.select(example(), "sixteen")
    alone = replace(doc, pools=doc.pools[:1], games=(replace(doc.games[0], pool_count=1),))
    assert terminal.plain(alone).count("abacus") == 2  # once in the sentence
    assert " score " in terminal.plain(alone, 132, every=True)


def all_columns(doc: Standings) -> str:
    return terminal.plain(doc, every=True)


def one_sided() -> Standings:
    """The example, with a leader that won all of a pool and a last bot that lost all of it."""
    doc = example()
    cut = [
        (replace(first, interval=(28.0, None)), *rest, replace(last, interval=(None, 20.0)))
        for first, *rest, last in (doc.overall, doc.pools[0].table)
    ]
    return with_pool(replace(doc, overall=cut[0]), 0, table=cut[1])


@pytest.mark.parametrize("write", [html, formats.latex, formats.markdown, all_columns])
def test_a_bot_that_won_or_lost_all_has_one_end_and_words_that_say_so(
    write: Callable[[Standings], str],
) -> None:
    doc = one_sided()
    first, last = doc.pools[0].table[0].bot, doc.pools[0].table[-1].bot
    shown = " ".join(unescaped(write(doc)).split())
    assert f"{first} won every game, so the rating has no known upper end." in shown
    assert f"{last} lost every game, so the rating has no known lower end." in shown
    assert f"{doc.overall[0].bot} won every game of a pool, so the rating has no known" in shown
    assert shown.count(">28.00") == shown.count("<20.00") == 2
    assert "its known end (> or <) where a bot won or lost every game" in shown
    assert "also blurs the mean of the pool; set an" in shown


def unescaped(text: str) -> str:
    """The text with `<` and `>` in place of what LaTeX, HTML and Markdown write for them."""
    for sign, name in (("<", "less"), (">", "greater")):
        text = text.replace(f"\\ensuremath{{{sign}}}", sign).replace(f"\\text{name}{{}}", sign)
    return unescape(text)


def test_an_open_end_is_an_empty_cell() -> None:
    doc = one_sided()
    lines = [*csv.DictReader(StringIO(formats.csv(doc)))]
    own = [line for line in lines if line["table"] == "overall"]
    assert (own[0]["mu_from"], own[0]["mu_to"]) == ("28.000", "")
    assert (own[-1]["mu_from"], own[-1]["mu_to"]) == ("", "20.000")
    assert json.loads(formats.json(doc))["overall"][0]["interval"] == [28.0, None]


def test_json_is_the_document_in_ascii() -> None:
    for text in HOSTILE:
        doc = hostile(text)
        assert msgspec.convert(json.loads(formats.json(doc)), Standings) == doc
        assert formats.json(doc).isascii()


def test_one_game_alone_has_its_own_bots_and_faults_and_no_overall_table() -> None:
    doc = formats.select(example(), "sixteen")
    assert [pool.title for pool in doc.pools] == ["Sixteen 2p", 'Sixteen 2v2 {"bonus":true}']
    assert doc.overall == ()
    assert "late-comer" not in terminal.plain(doc)
    # The five faults of the drifter: four in No Thanks!, one in Sixteen; see the kept document.
    assert [entry.total for entry in doc.faults if entry.bot == "drifter"] == [1]
    assert all(write(doc) for write in FORMATS.values())
    assert formats.select(example(), None) == example()


def test_a_game_that_was_not_played_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(UsageError, match=r"no game 'sixten'.*did you mean sixteen"):
        formats.select(example(), "sixten")


def test_a_tournament_without_games_has_a_report() -> None:
    empty = example(overall=[], majority_order=[], games=[], pools=[], faults=[], bots=[])
    assert all(write(empty) for write in FORMATS.values())


def test_files_show_bots_that_are_not_ranked_below_a_line_and_say_why() -> None:
    doc = with_not_ranked(*OUT)
    said = (
        "Not ranked: late-comer (no game in: Sixteen 2p, ",
        "Out: copycat, because plays twice (until 2026-12-01).",
    )
    for show in (terminal.plain, formats.markdown, formats.latex, html, terminal.first_screen):
        shown = " ".join(unescape(show(doc).replace("\\", "")).split())
        guest = f"Not ranked ({NOT_RANKED['guest']})" + ": abacus." * (show is not html)
        assert all(words in shown for words in (*said, guest)), show
    rankings = (each for each in layout.tables(doc) if each.head[0] == "#")
    for table, listing in zip(rankings, list_tables(doc), strict=True):
        below = ["copycat", "abacus", *(["late-comer"] if listing.id == "overall" else [])]
        assert [row[:2] for row in table.rows][-len(below) :] == [("-", bot) for bot in below]
        assert table.unranked == len(below)
        assert {part.places[bot] for part in listing.parts for bot in below[:2]} <= {"-"}
    assert html(doc).count("<tr class=soft>") == 2 * len(list_tables(doc)) + 1
    for row in csv.DictReader(StringIO(formats.csv(doc))):
        lacks = row["table"] == "overall" and row["bot"] == "late-comer"
        assert row["missing_pools"] == 'Sixteen 2p; Sixteen 2v2 {"bonus":true}' * lacks


@pytest.mark.parametrize("text", [*HOSTILE, "w" * 31])
def test_in_short_a_bot_has_a_line_of_at_most_100_characters_for_each_pool(text: str) -> None:
    doc = hostile(text)
    doc = with_pool(doc, 0, table=[replace(row, games=99_999) for row in doc.pools[0].table])
    written = formats.short(doc)
    pools = json.loads(written)["pools"]
    assert [pool["pool"] for pool in pools] == [pool.title for pool in doc.pools]
    assert [row[0] for pool in pools for row in pool["rows"]] == [
        row.bot for pool in doc.pools for row in pool.table
    ]
    assert written.isascii()
    assert written.count("\n") == 1 + len(pools) + sum(len(pool["rows"]) for pool in pools)
    assert max(len(line) for line in written.splitlines() if line.startswith("[")) <= 100
