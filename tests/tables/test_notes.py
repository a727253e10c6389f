"""What notes say: of orders that part, same files, bad fits, and tables measured from a bot."""

import json
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from arena.model import Anchor, Pool
from arena.tables import formats, notes, terminal
from arena.tables.columns import Closes, Row
from arena.tables.document import (
    AnchorPoint,
    Order,
    Residual,
    Standings,
    group_identical,
)
from arena.tables.page import html
from arena.tables.pool_table import rate_pool
from tests.documents import (
    DUEL,
    SKILL,
    THREE,
    example,
    fit,
    outcome,
    played_pools,
    pool_of,
    standings,
    width,
    with_pool,
)
from tests.leagues import SMALL, main, make

FOR_PEOPLE = (html, formats.latex, formats.markdown, partial(terminal.plain, every=True))
SAME = (("a", "c"), ("b", "d", "e"))


def with_orders(*places: tuple[int, int], **changes: Any) -> Standings:
    """The example, its bots a, b, c ... with a place by rating and one by majority."""
    orders = [
        Order(bot="abcdefghij"[at], place=place, majority_place=by_majority, majority_wins=0.0,
              mean_place=1.0)
        for at, (place, by_majority) in enumerate(places)
    ]  # fmt: skip
    return example(majority_order=tuple(orders), **changes)


@cache
def document(bot: str | None, rating: float = 25.0, but: tuple[Pool, ...] = ()) -> Standings:
    """The kept league, anchored in all pools but some."""
    return standings(
        *(
            each._replace(anchor=Anchor(each.pool, bot, rating))
            if bot and each.pool not in but
            else each
            for each in played_pools()
        ),
        names=SKILL,
    )


UPSET = (1, 1), (2, 5), (3, 2), (4, 3), (5, 4)
NOTES = {
    "The ratings did not converge, so they are rough.": lambda: with_pool(
        example(), 0, converged=False
    ),
    "a finished ahead of b in 90.0": lambda: with_pool(example(), 2, fit=fit(significant=True)),
    "A significant cycle: a beats b, b beats c, c beats a": lambda: with_pool(
        example(), 2, fit=fit(cycles=(("a", "b", "c"),), cycles_total=1)
    ),
    "b is 2nd by rating and 5th by majority of pools.": lambda: with_orders(*UPSET),
    "is the uncertainty of the difference to it": lambda: with_pool(
        example(), 0, anchor=AnchorPoint(bot="a", rating=1, shift=1, problem=None)
    ),
}
"""Made when they are tested: a new required key must not keep `--regen-all` from collecting."""


@pytest.mark.parametrize("write", FOR_PEOPLE)
@pytest.mark.parametrize("words", NOTES)
def test_every_format_for_people_says_it_once(
    words: str, write: Callable[[Standings], str]
) -> None:
    assert " ".join(write(NOTES[words]()).split()).count(words) == 1
    assert words not in " ".join(write(example()).split())


def test_bots_of_one_hash_are_found_whatever_their_order() -> None:
    bots = [("e", "2"), ("c", "1"), ("b", "2"), ("f", "3"), ("a", "1"), ("d", "2")]
    assert group_identical(bots) == group_identical(bots[::-1]) == SAME
    assert group_identical(bots[3:4]) == ()
    assert notes.describe_identical(SAME[1]).startswith("b, d and e have the same files: ")


def test_a_bot_is_named_if_a_majority_puts_it_three_places_elsewhere() -> None:
    for places in (
        [(1, 3), (2, 1), (3, 2)],  # two places are nothing to speak of
        [],
        # Four share the places 1 to 4: the last of them by rating is where it was.
        [(1, 1), (2, 1), (3, 1), (4, 1)],
    ):
        assert notes.describe_orders(with_orders(*places)) == []
    (said,) = notes.describe_orders(with_orders((1, 4), (2, 1), (3, 1), (4, 1), (5, 4)))
    assert said == "a is 1st by rating and 4th to 5th by majority of pools."
    (said,) = notes.describe_orders(with_orders(*((place, 11 - place) for place in range(1, 11))))
    assert said.endswith("; 5 more in the JSON's `orders`.")


def test_places_are_said_as_people_do() -> None:
    said = "1st 2nd 3rd 4th 11th 13th 21st 112th".split()
    assert [notes.ordinal(int(place[:-2])) for place in said] == said


def test_the_worst_pair_that_matters_is_named() -> None:
    sure = Residual(
        bot="c", other="d", games=9, observed_share=0.99, expected_share=0.98, standardised=9.0
    )
    both = (sure, *fit().residuals)
    (doubt,) = notes.describe_fit(fit(significant=True, p_value=0.0004, residuals=both))
    assert doubt.startswith("Ratings do not explain the results (p below 0.001): a finished ahead")
    assert "(p 0.020)" in notes.describe_fit(fit(significant=True))[0]
    assert notes.describe_fit(fit()) == []


@pytest.mark.parametrize("rating", [25.0, -1.2345])
def test_an_anchor_moves_ratings_alike_and_no_place_range_or_probability(rating: float) -> None:
    plain, moved = document(None), document("copycat", rating)

    def without_scale(doc: Standings) -> list[Row]:
        parts: list[Any] = [*doc.games, *doc.pools]
        tables = [doc.overall, *(part.table for part in parts)]
        same: dict[str, Any] = {"mu": 0, "interval": None, "conservative_mu": 0}
        return [replace(row, **same) for table in tables for row in table]

    assert without_scale(moved) == without_scale(plain)
    for before, after in zip(plain.pools, moved.pools, strict=True):
        assert after.anchor
        shifts = {round(b.mu - a.mu, 3) for a, b in zip(before.table, after.table, strict=True)}
        assert shifts == {after.anchor.shift}
        told = [replace(pool, anchor=None, table=()) for pool in (before, after)]
        assert told[0] == told[1]
    for row in (*moved.overall, *moved.pools[0].table):
        low, high = row.interval or (None, None)
        assert low is not None
        assert high is not None
        at = round(rating, 3)
        assert (low, row.mu, high) == (at,) * 3 if row.bot == "copycat" else low < row.mu < high


def test_bots_of_equal_rating_still_share_a_place() -> None:
    """Measured from a rating with digits beyond the third, they must not be rounded apart."""
    games = [outcome(*each, number) for number, each in enumerate([
        ("ab", (1, 2)), ("ab", (2, 1)), ("ac", (1, 2)), ("ac", (2, 1)), ("bc", (1, 2)),
        ("bc", (2, 1)),
    ] * 8)]  # fmt: skip
    own = pool_of(DUEL, *games, names="abc")
    for rating in (25.0, 0.0005, 1 / 3):
        anchored = own._replace(anchor=Anchor(DUEL, "a", rating))
        assert [row.place for row in rate_pool(anchored).part.table] == [1, 1, 1]


def test_the_tables_say_what_they_are_measured_from() -> None:
    doc, partly = document("copycat"), document("copycat", but=(THREE,))
    reach = "± is the uncertainty of the difference to it"
    assert notes.list_facts(doc)[-1] == f"anchor: copycat at 25; {reach}"
    assert "Anchor: copycat at 25." in notes.note_pool(doc, doc.pools[0]).plain
    assert notes.list_facts(partly)[-1] == (
        f"anchor: copycat at 25, in 3 of 4 pools; there {reach}; "
        "do not compare the means of several pools with another league's"
    )


def test_the_tables_say_when_it_closes_and_as_of_what_run_its_bots_are() -> None:
    for before, said in {
        True: "closes: 2026-12-01 18:00:00+01:00; bots as of the last run before it",
        False: "closed: 2026-12-01 18:00:00+01:00; no run was before it, so bots as of the first "
        "run after it",
    }.items():
        facts = notes.list_facts(example(entries_close=Closes("2026-12-01T18:00:00+01:00", before)))
        assert {*facts} - {*notes.list_facts(example())} == {said}


def test_a_bot_that_lost_every_game_anchors_nothing_and_the_table_says_why() -> None:
    games = [outcome("ab", (1, 2), number) for number in range(9)]
    plain = pool_of(DUEL, *games, names="ab")
    doc = standings(plain._replace(anchor=Anchor(DUEL, "b", 0.0)), names="ab")
    (other,) = doc.pools
    assert other.table == rate_pool(plain).part.table
    assert other.anchor
    assert other.anchor.shift == 0
    said = "Not anchored, its mean is 25: b never finished ahead of another bot, nor tied."
    assert said in notes.note_pool(doc, other).plain
    assert notes.list_facts(doc)[-1] == (
        "anchor: none could be used (see each pool's note); a pool's mean is 25"
    )


@pytest.mark.whole
def test_an_anchor_set_later_plays_nothing_and_is_verified(league: Path) -> None:
    """From the league as it was played: its config gets an anchor, and then loses it again."""
    config, results = league / "tournaments" / "cup.toml", league / "results" / "cup"
    before = (results / "standings.json").read_bytes()
    make(league, 'anchor = { bot = "cid", rating = 0 }\n' + SMALL)
    assert b"Nothing new to play" in main("tournament", config).stderr
    pools = json.loads((results / "standings.json").read_bytes())["pools"]
    tables = [pool["table"] for pool in pools if not pool["anchor"]["problem"]]
    assert {row["mu"] for table in tables for row in table if row["bot"] == "cid"} == {0.0}
    assert main("verify", results).returncode == 0
    make(league, SMALL)
    assert main("tournament", config, "-q").returncode == 0
    assert (results / "standings.json").read_bytes() == before


def test_groups_of_bots_that_never_met_are_named_and_have_no_order() -> None:
    """Though `a` beats `b` in the way that `c` beats `d`, and `e` beats none."""
    won, lost = [("ab", (1, 2)), ("cd", (1, 2)), ("de", (1, 2))], [("ba", (1, 2)), ("ed", (1, 2))]
    games = [outcome(*game, number) for number, game in enumerate([*won * 30, *lost * 10])]
    table = standings(pool_of(DUEL, *games, names="abcde"), names="abcde").pools[0]
    assert notes.describe_groups(table) == [
        "These groups never met, not even through others, so their order is not known: "
        "a, b | c, d, e."
    ]
    rows = {row.bot: row for row in table.table}
    assert (rows["a"].place_range, rows["b"].place_range) == ((1, 4), (2, 5))  # as `a` is above `b`
    met = standings(pool_of(DUEL, *games, outcome("bc", (1, 2)), names="abcde"), names="abcde")
    assert notes.describe_groups(met.pools[0]) == []
    assert width(rows["a"]) > 1.5 * width(next(r for r in met.pools[0].table if r.bot == "a"))
