"""The result of verifying a results folder: `arena verify --json` prints it. Pure."""

from typing import Annotated

from msgspec import Struct

from arena.typed_json import means

DAMAGED, RULES, BOT, TABLE, REPLAY = "damaged", "rules", "bot", "table", "replay"
RATING, SECRET = "rating", "secret"
"""Kinds of findings: not what was written; no game by the rules and the secret; a bot's source;
a published file; a game that came out otherwise when it was played again; ratings that the
`trueskill` package does not give; a secret that the tournament was not committed to."""


class Finding(Struct, frozen=True):
    """Something that is not as it should be."""

    kind: Annotated[
        str, means("`damaged`, `rules`, `bot`, `table`, `replay`, `rating` or `secret`.")
    ]
    place: Annotated[
        str, means("`database`, `game` and its id, a bot's name, a file or a pool's title.")
    ]
    what: str


class Refit(Struct, frozen=True):
    """How far a pool's ratings are from those that the package gives to the same games."""

    pool: Annotated[str, means("Its title.")]
    games: Annotated[int, means("Rated by both.")]
    whole: Annotated[bool, means("Whether these are all games of the pool that count.")]
    passes: Annotated[int, means("Of the package over them.")]
    difference: Annotated[
        float | None, means("The largest, of mu; null without games, or where it gave up.")
    ]
    bot: Annotated[str | None, means("Whose that is.")]
    swapped: Annotated[
        list[tuple[str, str]],
        means("Bots next to each other in our order, and the other way round in the package's."),
    ]
    gave_up: Annotated[str | None, means("Why the package came to no ratings; null if it did.")]
    wrong: Annotated[bool, means("Whether the difference is more than rounding explains.")]


class Verification(Struct, frozen=True):
    """What became of verifying."""

    games: Annotated[int, means("Stored games that were looked at.")]
    left_out: Annotated[
        int, means("Of these, not in the tables: of old versions, other limits and the like.")
    ]
    planned: Annotated[int, means("Games of the plan, in tables or not.")]
    deals: Annotated[
        bool, means("Whether they were dealt again: a copy has no secret until it is revealed.")
    ]
    dealt_from: Annotated[str, means("Where their secret is from; empty where they were not.")]
    seed_given: Annotated[
        bool, means("They come of the config's seed: there is no secret, and no commitment.")
    ]
    commitment: str | None
    public: Annotated[bool, means("A published store.")]
    compared: Annotated[list[str], means("Published files.")]
    exact: Annotated[
        bool, means("Byte for byte; else made on another machine, so that rounding is allowed.")
    ]
    rounding: Annotated[int, means("Numbers in them that differ by no more than that.")]
    refits: Annotated[list[Refit], means("By pool; none where the games cannot be rated.")]
    findings: list[Finding]
    read: Annotated[
        bool, means("False: it is not as arena makes it, so that its games mean nothing.")
    ] = True
    played_again: Annotated[int, means("Games played again with the stored bots.")] = 0
