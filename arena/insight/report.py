"""What `arena explain` found, as it is printed: results as Structs, and their sentences. Pure."""

from typing import Annotated, Any, Literal

from msgspec import Struct

from arena.typed_json import Count, means

Worlds = Literal["fair", "true cards", "cannot redeal"]


class Mark(Struct, frozen=True, kw_only=True):
    """A decision that cost its seat, and the one that would have been better."""

    at: Annotated[Count, means("Number of actions before it.")]
    passes: Annotated[Count, means("Decisions since then that records leave out (17's window).")]
    phase: str
    decision: Annotated[str, means("What the seat decided.")]
    better: Annotated[str, means("The best other decision.")]
    loss: Annotated[float, means("What the better decision gains, in `unit`.")]
    error: Annotated[float, means("Standard error of the loss; 0 where no chance is left.")]
    unit: Annotated[
        Literal["beats", "score"],
        means("beats: share of opponents beaten; score: the margin, where the rank is settled."),
    ]
    before: Annotated[float, means("What the seat's own decision is worth, in `unit`.")]
    worlds: Annotated[Count, means("Worlds that the loss was measured in.")]
    view: Annotated[dict[str, Any], means("The view's fields.")]


class SeatExplained(Struct, frozen=True, kw_only=True):
    """A seat of a game that was explained."""

    seat: int
    bot: str
    share: Annotated[float, means("Share of opponents that it beat in this game.")]
    expected: Annotated[float, means("The same on other deals, of these bots in these seats.")]
    expected_error: Annotated[float, means("Standard error of `expected`.")]
    on_deal: Annotated[float, means("The same on this deal, with other dice.")]
    on_deal_error: Annotated[float, means("Standard error of `on_deal`.")]
    from_start: Annotated[bool, means("Whether the game was lost before its first decision.")]
    decisions: Annotated[Count, means("Decisions looked at.")]
    line: Annotated[
        list[tuple[int, float]],
        means("For each of them: actions before it, and the share that it beats by its own play."),
    ]
    marks: Annotated[list[Mark], means("The costliest first.")]


class Explained(Struct, frozen=True, kw_only=True):
    """Why seats lost a game, as `arena explain RESULTS GAME --json` prints it."""

    version: Literal[1] = 1
    game: Annotated[str, means("Its id.")]
    pool: Annotated[str, means("Title of its pool.")]
    bots: Annotated[list[str], means("By seat.")]
    ranks: Annotated[list[int], means("By seat; 1 is best.")]
    worlds: Annotated[
        Worlds,
        means(
            "fair: what the seat did not know was dealt again; true cards: --hindsight; cannot "
            "redeal: the game has no `redealt`, so the true cards."
        ),
    ]
    games: Annotated[Count, means("Games that were played on.")]
    seats: list[SeatExplained]
