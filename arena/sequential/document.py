"""The sequential test in documents: how a pool's test stands, and how its bots compare."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from arena.model import Goal
from arena.sequential.verdicts import VerdictWord
from arena.typed_json import Count, Number, means
from arena.values import OpenInterval, Share


class Pair(Struct, frozen=True, kw_only=True):
    """The comparison of two bots in the sequential test of a pool that is to be settled."""

    bot: str
    other: str
    verdict: Annotated[
        VerdictWord,
        means(
            "How `bot` compares to `other`; equal: within the `equivalence_margin`; not worse: no "
            "more than that behind, which is enough for the best; open: not known."
        ),
    ]
    difference: Annotated[float, means("mu of `bot` less mu of `other`.")]
    interval: Annotated[
        OpenInterval | None,
        means(
            "Both ends of the interval that holds the difference at all looks at once; null "
            "while there are too few decks. An end is null where a bot won or lost all games."
        ),
    ]
    error_probability: Annotated[
        Share,
        means(
            "The smallest error probability for which a planned test would have told the two "
            "apart here, to six decimals."
        ),
    ]
    effect_size: Annotated[
        float | None,
        means(
            "The effect size: the difference in standard deviations of one deck, from the rating's "
            "error: difference / (error x root of decks), of the bot with fewer. Where a deck is "
            "one pair of games, 246 times it is fishtest's nElo. Null with too few decks, or where "
            "nothing varies."
        ),
    ]
    progress_different: Annotated[
        Share,
        means(
            "Progress towards being told apart; 1 means reached: the square of the difference over "
            "what it would have to exceed here. It grows as games do."
        ),
    ]
    progress_equal: Annotated[
        Share,
        means(
            "Progress towards being equal; 1 means reached: the same of the distance from the "
            "nearer end of the margin; 0 outside."
        ),
    ]
    decisive_decks: Annotated[
        Count | UnsetType,
        means(
            "In a match: the decks on which the two did not end level. The test rests on these; "
            "there is no verdict on fewer than 20."
        ),
    ] = UNSET
    better_probability: Annotated[
        Share | UnsetType | None,
        means("In a match: how likely `bot` is better; null on fewer than two such decks."),
    ] = UNSET
    further_games_needed: Annotated[
        Count | UnsetType | None,
        means(
            "In a match: the further games that would settle it if the difference stays as it is; "
            "null: settled, more than 19 times the games so far, or not known."
        ),
    ] = UNSET
    identical_decisions: Annotated[
        bool | UnsetType, means("Only in a match, if no decision of the two differed: true.")
    ] = UNSET


class PoolTest(Struct, frozen=True, kw_only=True):
    """The sequential test of a pool that is played until its goal is reached."""

    confidence: Annotated[
        float, Meta(gt=0, lt=1), means("How sure all verdicts together are to be.")
    ]
    equivalence_margin: Annotated[
        float, Meta(gt=0), means("Smaller differences of mu count as none.")
    ]
    goal: Annotated[
        Goal,
        means(
            "What is to be decided: which bot is the best, the order of the first so many, or of "
            "all."
        ),
    ] = "all"
    within_places: Annotated[
        Count,
        means("With `all`: it is enough to know each place to within so many; 0: all neighbours."),
    ] = 0
    max_deals: Annotated[Number, means("Of each line-up and seating, the most that are played.")]
    planned_looks: Annotated[
        Number, means("Looks at the table that were planned: so many if none settles it.")
    ]
    version: Annotated[
        Number,
        means(
            "Of the test. 1: looks at equal distances, O'Brien and Fleming's limits; 2: looks at "
            "growing distances, limits by Hwang, Shih and DeCani's error spending."
        ),
    ]
    look: Annotated[Number, means("The look that the pool has come to, from 1.")]
    goal_reached: Annotated[bool, means("Whether the goal is reached.")]
    undecided_bots: Annotated[
        tuple[str, ...], means("The bots in open pairs that the goal needs, the best first.")
    ] = ()
    further_games_needed: Annotated[
        Count | None,
        means(
            "About how many further games reach the goal if differences stay as they are; null: "
            "more than 19 times the games so far, or not known."
        ),
    ] = None
    pairs: Annotated[
        tuple[Pair, ...],
        means(
            "Neighbours in the table; with another goal, the best or the first bots with every "
            "other; in a match, the two bots."
        ),
    ]
