"""The standings as a document: the types of all that standings.json holds.

Fields are the keys, in the order of the file; descriptions and ranges go into its JSON Schema.
`document_ranking` and `document_pool` have its larger parts; `arena.tables.standings` makes a
document, `arena.tables.formats` writes it, `arena schema standings` describes it. A key that is
renamed, or means something else, needs a new `VERSION`.
"""

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from arena.ids import COMMITMENT
from arena.tables.document_pool import PoolTable
from arena.tables.document_ranking import OF_FEW, Comparisons, Order, Row
from arena.tables.document_values import Count, FaultCounts, Number
from arena.typed_json import means

VERSION: Final = 4


class BotVersion(Struct, frozen=True, kw_only=True):
    """A bot that was entered."""

    name: str
    hash: Annotated[str, means("SHA-256 over its files' paths and bytes, hex.")]


class GameTable(Struct, frozen=True, kw_only=True):
    """A game's ranking: the means of its pools' ratings, for the bots that entered all of them."""

    game: str
    pools: Annotated[Number, means("How many pools the game has.")]
    table: tuple[Row, ...]
    comparisons: Annotated[Comparisons | None, OF_FEW]


class BotFaults(Struct, frozen=True, kw_only=True):
    """A bot's faults in all pools."""

    bot: str
    faults: FaultCounts
    total: Count


class Standings(Struct, frozen=True, kw_only=True):
    """The standings of a tournament: only what play determines, no time, date or machine.

    Numbers are rounded to three decimals where nothing else is said. Keys may be added to this
    version; what is there keeps its meaning.
    """

    version: Annotated[Literal[4], means("Of this format.")]
    name: Annotated[str, means("The tournament's.")]
    seed: Annotated[
        Literal["given", "secret"],
        means("Given: in the config, so that deals can be known before they are played."),
    ]
    commitment: Annotated[
        Annotated[str, Meta(pattern=f"^{COMMITMENT}$")] | None,
        means(
            "To the secret that all deals come from, which it does not tell: what `arena reveal` "
            "publishes at the end can be compared with it. Null where the seed is given, and of a "
            "copy that was published without."
        ),
    ]
    confinement: Annotated[str, means("What confined the bots.")]
    refits: Annotated[Count, means("0: intervals come from the fit; else from so many refits.")]
    bots: Annotated[tuple[BotVersion, ...], means("By name.")]
    identical: Annotated[
        tuple[tuple[str, ...], ...],
        means("Bots of the same content hash: names, in groups of two and more."),
    ]
    overall: Annotated[
        tuple[Row, ...],
        means("The means of the games' ratings, for the bots that entered all games."),
    ]
    orders: Annotated[tuple[Order, ...], means("The bots of `overall`, in its order.")]
    overall_comparisons: Annotated[
        Comparisons | None,
        means("Of the bots of `overall`, each two; null for none, or more than 100, bots."),
    ]
    games: Annotated[tuple[GameTable, ...], means("By name.")]
    pools: Annotated[tuple[PoolTable, ...], means("By game and shape.")]
    faults: Annotated[tuple[BotFaults, ...], means("By bot; those without a fault too.")]
