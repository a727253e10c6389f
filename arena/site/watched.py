"""The games to watch, each as a file beside the pages: what the viewer adds by a script tag."""

import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from arena.errors import ArenaError
from arena.progress import SILENT, Progress
from arena.records.judge import Divergence
from arena.site.frames import game_js
from arena.site.watch_page import file_of
from arena.store.logs import printed_in
from arena.store.store import Store
from arena.system.parallel import in_turn, tick

APART = 40  # games from which on they are made in processes of their own
PIECE = 20  # games of a piece of work


def files(
    store: Store, games: Sequence[str], logs: bool, steps: Progress = SILENT
) -> Iterator[tuple[str, str]]:
    """Yield (file, text) of each game, in their order; with what bots printed, if `logs`. Raises
    ArenaError where a game is damaged.
    """
    steps.begin(f"{len(games):,} games to watch", len(games))
    if len(games) < APART:
        for game in games:
            yield file_of(game), _text(store, game, logs)
            steps.done()
        return
    pieces = [
        _Piece(store.path, tuple(games[at : at + PIECE]), logs)
        for at in range(0, len(games), PIECE)
    ]
    for piece, texts in zip(pieces, in_turn(_made_apart, pieces, steps), strict=True):
        yield from zip(map(file_of, piece.games), texts, strict=True)


class _Piece(NamedTuple):
    """Games to be made. Can be pickled."""

    path: Path  # of the store
    games: tuple[str, ...]
    logs: bool


def _made_apart(piece: _Piece) -> list[str]:
    """Return the texts of some games, made in a process of its own."""
    texts = []
    with closing(Store.open(piece.path, checked=True)) as store:
        for game in piece.games:
            texts.append(_text(store, game, piece.logs))
            tick()
    return texts


def _text(store: Store, game: str, logs: bool) -> str:
    """Return a game's file."""
    ((_, line),) = store.find(game)
    try:
        return game_js(json.loads(line), game, printed_in(store, game) if logs else None, True)
    except Divergence as error:
        raise ArenaError(
            f"{store.path}: game {game}: {error.why}; `arena verify` says what is wrong with it"
        ) from None
