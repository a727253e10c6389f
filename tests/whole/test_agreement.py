"""What is shown twice agrees: the places of leagues drawn at random, in every output."""

import csv
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO
from random import Random
from typing import Any, NamedTuple

import pytest

import games
from arena.model import NotRanked, Outcome
from arena.site.bot_page import make_bot_page
from arena.site.index import make_index_page
from arena.site.pages import Site
from arena.site.sentence import summarize
from arena.site.stats import Stats
from arena.tables import formats, terminal
from arena.tables.columns import Row
from arena.tables.document import Standings
from arena.tables.overview import list_tables
from arena.tables.page import html
from arena.tables.pool_table import PlayedPool
from tests.site.leagues import POOLS, league_of, outcomes
from tests.site.parts import Tables

NAMES = ("ann", "bob", "cid", "dee", "eve", "fay", "gus", "hal", "ivy")


class Drawn(NamedTuple):
    site: Site
    doc: Standings
    stats: Stats
    not_ranked: Mapping[str, Any]  # guests, and bots that are out
    failing: Mapping[str, str]  # bots that forfeit all their games: by which fault


def draw(rng: Random) -> Drawn:
    bots = NAMES[: rng.randint(5, len(NAMES))]

    def some(*kinds: Any) -> dict[str, Any]:
        return {bot: rng.choice(kinds) for bot in bots if rng.random() < 0.2}

    not_ranked, failing = some("guest", "unranked"), some("load", "error")
    faults = some("time") | failing
    aside = tuple(NotRanked(bot, kind, "it plays twice" * (kind == "unranked"))
                  for bot, kind in sorted(not_ranked.items()))  # fmt: skip
    played = list[PlayedPool]()
    for pool in sorted(rng.sample(POOLS, rng.randint(1, len(POOLS)))):
        entered = [bot for bot in bots if rng.random() < 0.9]
        entered = entered if len(entered) > pool.players else [*bots]
        level: dict[str, Any] = dict.fromkeys(("ranks", "scores"), (1,) * pool.players)
        level = level if rng.random() < 0.15 else {}
        each = list[tuple[Outcome, int]]()
        decks = rng.choice((5, 40, 40, 0)) if played else 40
        for deck, game in enumerate(outcomes(pool, entered, decks, rng)):
            failed = (faults.get(bot, "") * (bot in failing or rng.random() < 0.3)
                      for bot in game.bots)  # fmt: skip
            each.append((game._replace(faults=tuple(failed), **level), deck))
        played.append(PlayedPool(pool, tuple(entered), False, 0, each, not_ranked=aside))
    names = sorted({bot for each in played for bot in each.names})
    return Drawn(*league_of(played, names), not_ranked, failing)


def truth(doc: Standings) -> dict[str, Sequence[Row]]:
    return {listing.title: listing.rows for listing in list_tables(doc)}


def places(rows: Sequence[Row]) -> dict[str, int | None]:
    return {row.bot: row.place for row in rows}


def in_cells(lines: Iterable[Sequence[str]]) -> dict[str, int | None]:
    """The places of a shown table, whose lines have a place and a bot first."""
    return {
        bot: int(place) if place.isdigit() else None
        for place, bot in (line[:2] for line in lines if len(line) > 1)
        if bot in NAMES and (place.isdigit() or place in "-–")
    }


def check_order_and_statuses(drawn: Drawn) -> None:
    doc = drawn.doc
    met = {pool.title: {row.bot for row in pool.table if row.games} for pool in doc.pools}
    for title, rows in [*truth(doc).items(), ("overall", doc.overall)]:
        ranked = [row for row in rows if row.status == "ranked"]
        assert [*rows[: len(ranked)]] == ranked
        for row in rows:
            place = 1 + sum(each.mu > row.mu for each in ranked)
            assert row.place == (place if row.status == "ranked" else None)
            assert all(1 <= end <= len(ranked) for end in row.place_range or ())
            kind = "not loaded" if drawn.failing.get(row.bot) == "load" else "broken"
            assert row.status == (
                drawn.not_ranked.get(row.bot)
                or (not row.games and "unplayed")
                or (row.games <= 2 * row.faults_total and kind)
                or (title not in met and row.missing_pools and "partial")
                or "ranked"
            )
            if title == "overall":
                assert {*(row.missing_pools or ())} == {
                    pool for pool, there in met.items() if there and row.bot not in there
                }


def check_files_and_terminal(drawn: Drawn) -> None:
    doc = drawn.doc
    shown = truth(doc)
    begun = {title: places(rows) for title, rows in shown.items() if any(row.games for row in rows)}
    heads = "|".join(map(re.escape, [*shown, "Faults"]))
    for text in (terminal.plain(doc, 200), terminal.plain(doc, 200, every=True)):
        _, *blocks = re.split(rf"^({heads})$", text, flags=re.MULTILINE)
        found = {
            title: in_cells([line.split() for line in block.splitlines()])
            for title, block in zip(blocks[::2], blocks[1::2], strict=True)
        }
        assert {title: found[title] for title in begun} == begun
    first = in_cells([line.split() for line in terminal.first_screen(doc, 200).splitlines()])
    assert first == places(next(iter(shown.values())))
    tables = formats.markdown(doc).split("\n## ")[1:]
    tables = [table for table in tables if re.search(r"\n[|] *\\?# +[|]", table)]
    for table, rows in zip(tables, shown.values(), strict=True):
        lines = (line.strip("| ").split("|") for line in table.splitlines())
        assert in_cells([[cell.strip() for cell in line] for line in lines]) == places(rows)


def check_what_programs_read(drawn: Drawn) -> None:
    doc = drawn.doc
    tables = {("overall", "", ""): doc.overall}
    tables |= {("game", each.game, ""): each.table for each in doc.games}
    tables |= {("pool", each.game, str(each.players)): each.table for each in doc.pools}
    found = {
        (line["table"], line["game"], line["players"], line["bot"]): (
            line["place"], line["status"], line["games"],
        )
        for line in csv.DictReader(StringIO(formats.csv(doc)))
    }  # fmt: skip
    assert found == {
        (*key, row.bot): (str(row.place or ""), row.status, str(row.games))
        for key, rows in tables.items()
        for row in rows
    }
    short = json.loads(formats.short(doc))["pools"]
    assert [{row[0]: row[1] for row in pool["rows"]} for pool in short] \
        == [places(pool.table) for pool in doc.pools]  # fmt: skip


def check_pages(drawn: Drawn) -> None:
    site, doc, stats = drawn.site, drawn.doc, drawn.stats
    shown = [places(rows) for rows in truth(doc).values()]
    for page in (html(doc), make_index_page(site, doc, (), [])):
        tables = [table for table in Tables(page).all if table[0][:1] == ["#"]]
        assert [in_cells(table) for table in tables] == shown
    named = {"Overall": doc.overall, **{pool.title: pool.table for pool in doc.pools}}
    named |= {f"{games.title(each.game)}, all pools": each.table for each in doc.games}
    for bot in site.bots:
        page = make_bot_page(site, doc, stats, bot)
        (lines,) = (each for each in Tables(page).all if each[0][:2] == ["table", "place"])
        for title, place, *_ in lines[1:]:
            of = sum(each.ranked for each in named[title])
            own = places(named[title])[bot]
            assert place == (f"{own} of {of}" if own else "–"), (title, bot)


def check_sentences(drawn: Drawn) -> None:
    doc = drawn.doc
    ordinals = {f"{at}{end}": at for at in range(1, 10) for end in ("st", "nd", "rd", "th")}
    tables = {pool.title: pool.table for pool in doc.pools} | {None: doc.overall}
    tables |= {games.title(game.game): game.table for game in doc.games}
    for bot in drawn.site.bots:
        said = summarize(doc, bot, [])
        head = re.match(r"(?:tied )?(\w+) of (\d+)(?: \(.*?\))?(?: in ([^:]+?))?(?:: |[.]?$)", said)
        if head:
            table = tables[head[3]]
            ranked = sum(each.ranked for each in table)
            assert (ordinals[head[1]], int(head[2])) == (places(table)[bot], ranked), said
        for place, title in re.findall(r"(\w+) in ([A-Z17].*?)[,.;]", f"{said}."):
            if place in ordinals:
                assert places(tables[title])[bot] == ordinals[place], said
        if bot in drawn.not_ranked:
            assert not re.search(r"\d(st|nd|rd|th)\b", said), said
    for watched in drawn.stats.watched:
        words, own = watched.why[0], places(tables[watched.pool])
        for bot, place in re.findall(rf"({'|'.join(NAMES)}), (\d+)(?:st|nd|rd|th)", words):
            assert own[bot] == int(place), words
        for bot, kind in re.findall(rf"({'|'.join(NAMES)}) \((guest|not ranked)\)", words):
            assert own[bot] is None
            assert (drawn.not_ranked.get(bot) == "guest") == (kind == "guest"), words


@pytest.mark.parametrize("number", range(8))
def test_all_outputs_of_a_league_agree_on_its_places(number: int, seed: int) -> None:
    drawn = draw(Random(f"{seed} {number}"))
    check_order_and_statuses(drawn)
    check_files_and_terminal(drawn)
    check_what_programs_read(drawn)
    check_pages(drawn)
    check_sentences(drawn)
