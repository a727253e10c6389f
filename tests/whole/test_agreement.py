"""What is shown twice agrees: the places of a league in every output, over leagues drawn at random.

Some bots are guests, out, broken, do not load or lack a pool; some pools end all level.
"""

import csv
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from random import Random
from typing import NamedTuple

import pytest

import games
from arena.model import NotRanked, NotRankedStatus, Outcome
from arena.site.bot_page import make_bot_page
from arena.site.index import make_index_page
from arena.site.pages import Site
from arena.site.sentence import summarize
from arena.site.stats import Stats, strength_of
from arena.tables import formats, terminal
from arena.tables.columns import Row
from arena.tables.document import Standings
from arena.tables.history import find_places, make_week
from arena.tables.overview import headline, list_tables
from arena.tables.page import html
from arena.tables.pool_table import PlayedPool
from tests.site.leagues import POOLS, league_of, outcomes
from tests.site.parts import Tables

NAMES = ("ann", "bob", "cid", "dee", "eve", "fay", "gus", "hal", "ivy")
Places = Mapping[str, int | None]
"""The places of a table's bots, by name."""


class Drawn(NamedTuple):
    """A league, and what was drawn of its bots."""

    site: Site
    doc: Standings
    stats: Stats
    not_ranked: Mapping[str, NotRankedStatus]  # guests, and bots that are out
    failing: Mapping[str, str]  # bots that forfeit all their games: by which fault
    lacking: Mapping[str, set[str]]  # by bot: titles of pools that it did not enter


def draw(rng: Random) -> Drawn:
    names = NAMES[: rng.randint(5, len(NAMES))]
    kinds: tuple[NotRankedStatus, NotRankedStatus] = ("guest", "unranked")
    not_ranked = {bot: rng.choice(kinds) for bot in names if rng.random() < 0.2}
    failing = {bot: rng.choice(("load", "error")) for bot in names if rng.random() < 0.2}
    faults = failing | {bot: "time" for bot in names if bot not in failing and rng.random() < 0.2}
    chance = {bot: 1.0 if bot in failing else 0.3 for bot in faults}
    unranked = tuple(
        NotRanked(bot, kind, "it plays twice" if kind == "unranked" else "")
        for bot, kind in sorted(not_ranked.items())
    )
    played = list[PlayedPool]()
    for pool in sorted(rng.sample(POOLS, rng.randint(1, len(POOLS)))):
        entered = [bot for bot in names if rng.random() < 0.9]
        entered = entered if len(entered) > pool.players else [*names]
        level = rng.random() < 0.15
        each = [
            _with_faults(game, faults, chance, level, rng)
            for game in outcomes(pool, entered, rng.choice((5, 40, 40, 0)) if played else 40, rng)
        ]
        played.append(
            PlayedPool(pool, tuple(entered), False, 0, [(one, at) for at, one in enumerate(each)],
                       not_ranked=unranked)
        )  # fmt: skip
    names = tuple(sorted({bot for each in played for bot in each.names}))
    site, doc, stats = league_of(played, names)
    tables = {
        pool.title: {row.bot for row in pool.table if row.games} for pool in doc.pools if pool.games
    }
    lacking = {bot: {title for title, there in tables.items() if bot not in there} for bot in names}
    return Drawn(site, doc, stats, not_ranked, failing, lacking)


def _with_faults(
    game: Outcome, faults: Mapping[str, str], chance: Mapping[str, float], level: bool, rng: Random
) -> Outcome:
    kinds = tuple(faults[bot] if rng.random() < chance.get(bot, 0) else "" for bot in game.bots)
    game = game._replace(faults=kinds)
    ones = (1,) * len(game.bots)
    return game._replace(ranks=ones, scores=ones) if level else game


def truth(doc: Standings) -> dict[str, Sequence[Row]]:
    """The rows of all tables of places, by title."""
    return {listing.title: listing.rows for listing in list_tables(doc)}


def places(rows: Sequence[Row]) -> Places:
    return {row.bot: row.place for row in rows}


def in_cells(lines: Sequence[Sequence[str]]) -> dict[str, int | None]:
    """The places of a shown table, whose lines have a place and a bot first."""
    return {
        line[1]: int(line[0]) if line[0].isdigit() else None
        for line in lines
        if len(line) > 1 and line[1] in NAMES and (line[0].isdigit() or line[0] in "-–")
    }


def check_order_and_statuses(drawn: Drawn) -> None:
    """Places are numbered without gaps by rating, and each status has its reason."""
    doc = drawn.doc
    pools = {pool.title: pool.table for pool in doc.pools}
    for title, rows in [*truth(doc).items(), ("overall", doc.overall)]:
        ranked = [row for row in rows if row.status == "ranked"]
        assert [*rows[: len(ranked)]] == ranked
        assert [row.place for row in ranked] == [
            1 + sum(each.mu > row.mu for each in ranked) for row in ranked
        ]
        for row in rows:
            assert (row.place is None) == (row.status != "ranked")
            assert all(1 <= end <= len(ranked) for end in row.place_range or ())
            failed, none = row.games <= 2 * row.faults_total, not row.games and "unplayed"
            kind = "not loaded" if drawn.failing.get(row.bot) == "load" else "broken"
            lacks = title not in pools and row.missing_pools
            assert row.status == (
                drawn.not_ranked.get(row.bot)
                or none
                or (failed and kind)
                or (lacks and "partial")
                or "ranked"
            )
            if title == "overall":
                assert {*(row.missing_pools or ())} == drawn.lacking[row.bot]


def check_files_and_terminal(drawn: Drawn) -> None:
    """Files and the terminal have the same places."""
    doc = drawn.doc
    shown = truth(doc)
    begun = {title: places(rows) for title, rows in shown.items() if any(row.games for row in rows)}
    for text in (terminal.plain(doc, 200), terminal.plain(doc, 200, every=True)):
        found = {title: in_cells(block) for title, block in _blocks(text, shown)}
        assert {title: found[title] for title in begun} == begun
    first = in_cells([line.split() for line in terminal.first_screen(doc, 200).splitlines()])
    assert first == places(next(iter(shown.values())))
    for text, split, end in (
        (formats.markdown(doc), "|", "\n## "), (formats.latex(doc).replace("\\\\", ""), "&", "sub"),
    ):  # fmt: skip
        tables = text.split(end)[1:]
        tables = [table for table in tables if re.search(rf"\n[|]? *\\?# +[{split}]", table)]
        for table, rows in zip(tables, shown.values(), strict=True):
            cells = [
                [cell.strip() for cell in line.strip("| ").split(split)]
                for line in table.splitlines()
            ]
            assert in_cells(cells) == places(rows)


def _blocks(text: str, titles: Mapping[str, object]) -> Iterator[tuple[str, list[list[str]]]]:
    """The tables of a terminal's text with their titles: the lines to the next title, in words."""
    title, lines = "", list[list[str]]()
    for line in [*text.splitlines(), ""]:
        if line in titles or line == "Faults":
            if title in titles:
                yield title, lines
            title, lines = line, []
        else:
            lines.append(line.split())
    if title in titles:
        yield title, lines


def check_what_programs_read(drawn: Drawn) -> None:
    """CSV, JSON and weeks have the same places and counts."""
    doc = drawn.doc
    tables = {("overall", ""): doc.overall}
    tables |= {("game", each.game): each.table for each in doc.games}
    tables |= {("pool", f"{each.game} {each.players}"): each.table for each in doc.pools}
    found: dict[tuple[str, str], dict[str, tuple[str, str, str]]] = {}
    for line in csv.DictReader(StringIO(formats.csv(doc))):
        which = f"{line['game']} {line['players']}" if line["table"] == "pool" else line["game"]
        row = line["place"], line["status"], line["games"]
        found.setdefault((line["table"], which), {})[line["bot"]] = row
    assert found == {
        key: {row.bot: (str(row.place or ""), row.status, str(row.games)) for row in rows}
        for key, rows in tables.items()
    }
    short = json.loads(formats.short(doc))["pools"]
    assert [{row[0]: row[1] for row in pool["rows"]} for pool in short] == [
        places(pool.table) for pool in doc.pools
    ]
    week = make_week(doc, "")
    assert {each.title: {row.bot: row.place for row in each.rows} for each in week.tables} == {
        title: places(rows) for title, rows in truth(doc).items()
    }
    ranked = {bot: place for bot, place in places(next(iter(truth(doc).values()))).items() if place}
    assert find_places([week]) == [ranked]
    assert {order.bot: order.place for order in doc.majority_order} == {
        row.bot: row.place for row in doc.overall if row.place
    }


def check_pages(drawn: Drawn) -> None:
    """Pages have the same places, and of how many."""
    site, doc, stats = drawn.site, drawn.doc, drawn.stats
    shown = [places(rows) for rows in truth(doc).values()]
    for page in (html(doc), make_index_page(site, doc, (), [])):
        tables = [table for table in Tables(page).all if table[0][:1] == ["#"]]
        assert [in_cells(table) for table in tables] == shown
    titles = {("Overall", row.bot): (doc.overall, row) for row in doc.overall}
    named = [(f"{games.title(each.game)}, all pools", each.table) for each in doc.games]
    for title, table in [*named, *((pool.title, pool.table) for pool in doc.pools)]:
        titles |= {(title, row.bot): (table, row) for row in table}
    for bot in site.bots:
        page = make_bot_page(site, doc, stats, bot)
        (lines,) = (each for each in Tables(page).all if each[0][:2] == ["table", "place"])
        for title, place, *_ in lines[1:]:
            rows, row = titles[title, bot]
            of = sum(each.ranked for each in rows)
            assert place == (f"{row.place} of {of}" if row.place else "–"), (title, bot)
        own = sum(row.games for pool in doc.pools for row in pool.table if row.bot == bot)
        assert f"{own:,} games" in page


def check_sentences(drawn: Drawn) -> None:
    """Sentences and stories name the same places."""
    doc = drawn.doc
    ordinals = {f"{at}{end}": at for at in range(1, 10) for end in ("st", "nd", "rd", "th")}
    for bot in drawn.site.bots:
        said = summarize(doc, bot, [])
        head = re.match(r"(?:tied )?(\w+) of (\d+)(?: \(.*?\))?(?: in ([^:]+?))?(?:: |[.]?$)", said)
        tables = {pool.title: pool.table for pool in doc.pools} | {None: doc.overall}
        tables |= {games.title(game.game): game.table for game in doc.games}
        if head:
            table = tables[head[3]]
            (row,) = (row for row in table if row.bot == bot)
            ranked = sum(each.ranked for each in table)
            assert (ordinals[head[1]], int(head[2])) == (row.place, ranked), said
        for place, title in re.findall(r"(\w+) in ([A-Z17].*?)[,.;]", f"{said}."):
            if place in ordinals:
                assert places(tables[title])[bot] == ordinals[place], said
        if bot in drawn.not_ranked:
            assert not re.search(r"\d(st|nd|rd|th)\b", said), said
    first = next(iter(truth(doc).values()))
    ends = [int(end) for end in re.findall(r"(?:to|and) (\d+)", headline(doc))]
    assert max(ends, default=0) <= sum(row.ranked for row in first)
    for pool in doc.pools:
        strength = strength_of(pool)
        assert dict(zip(sorted(places(pool.table)), strength.places, strict=True)) == (
            places(pool.table)
        )
        for watched in drawn.stats.watched:
            if watched.pool == pool.title and watched.kind in ("upset", "close", "comeback"):
                _check_story(watched.why[0], places(pool.table), drawn.not_ranked)


def _check_story(words: str, places: Places, not_ranked: Mapping[str, str]) -> None:
    """A story's bots have their place, a guest is called one."""
    for bot, place in re.findall(rf"({'|'.join(NAMES)}), (\d+)(?:st|nd|rd|th)", words):
        assert places[bot] == int(place), words
    for bot, kind in re.findall(rf"({'|'.join(NAMES)}) \((guest|not ranked)\)", words):
        assert places[bot] is None
        assert (not_ranked.get(bot) == "guest") == (kind == "guest"), words


@pytest.mark.parametrize("number", range(8))
def test_all_outputs_of_a_league_agree_on_its_places(number: int, seed: int) -> None:
    drawn = draw(Random(f"{seed} {number}"))
    check_order_and_statuses(drawn)
    check_files_and_terminal(drawn)
    check_what_programs_read(drawn)
    check_pages(drawn)
    check_sentences(drawn)
