"""The kinds of values that the standings' document is made of."""

from typing import Annotated

from msgspec import Meta

from arena.typed_json import means

Count = Annotated[int, Meta(ge=0)]
Number = Annotated[int, Meta(ge=1)]
Share = Annotated[float, Meta(ge=0, le=1)]
Interval = tuple[float, float]  # its two ends, the lower one first
OpenInterval = tuple[float | None, float | None]  # the same; None for an end that is open
Counts = tuple[tuple[Count, ...], ...]  # by row and column
Shares = tuple[tuple[Share | None, ...], ...]  # by row and column; None without a game
FaultCounts = Annotated[
    dict[str, Number], means("Games forfeited, by the kind of fault; only those seen.")
]
