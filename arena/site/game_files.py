"""Files of the games to watch, beside the pages: what the viewer adds by a script tag."""

import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from arena.errors import ArenaError
from arena.progress import SILENT, Progress
from arena.records.judge import Divergence
from arena.site.pages import game_file
from arena.site.replay_encoder import encode_script
from arena.store.logs import printed_in
from arena.store.store import Store
from arena.system import map_in_processes, tick

APART = 40  # games from which on they are encoded in processes of their own
PIECE = 20  # games of a piece of work


def make_game_files(
    store: Store, games: Sequence[str], logs: bool, steps: Progress = SILENT
) -> Iterator[tuple[str, str]]:
    """The file of each game, in order: (file, text); with what bots printed, if `logs`. Raises
    ArenaError where a game is damaged.
    """
    steps.begin(f"{len(games):,} games to watch", len(games))
    if len(games) < APART:
        for game in games:
            yield game_file(game), _encode(store, game, logs)
            steps.done()
        return
    pieces = [
        _Piece(store.path, tuple(games[at : at + PIECE]), logs)
        for at in range(0, len(games), PIECE)
    ]
    for piece, texts in zip(pieces, map_in_processes(_encode_piece, pieces, steps), strict=True):
        yield from zip(map(game_file, piece.games), texts, strict=True)


class _Piece(NamedTuple):
    """Games to be encoded. Can be pickled."""

    path: Path  # of the store
    games: tuple[str, ...]
    logs: bool


def _encode_piece(piece: _Piece) -> list[str]:
    """Return the texts of some games, in a process of its own."""
    texts = []
    with closing(Store.open(piece.path, checked=True)) as store:
        for game in piece.games:
            texts.append(_encode(store, game, piece.logs))
            tick()
    return texts


def _encode(store: Store, game: str, logs: bool) -> str:
    ((_, line),) = store.find(game)
    try:
        prints = printed_in(store, game) if logs else None
        return encode_script(json.loads(line), game, prints, with_tests=True)
    except Divergence as error:
        raise ArenaError(
            f"{store.path}: game {game}: {error.why}; `arena verify` says what is wrong with it"
        ) from None
