"""Files of the games to watch, beside the pages: what the viewer adds by a script tag."""

import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from arena.errors import ArenaError
from arena.progress import SILENT, Progress
from arena.records.judge import Divergence
from arena.site.pages import game_file
from arena.site.replay_encoder import encode_script
from arena.store.logs import printed_in
from arena.store.store import Store, map_over_store
from arena.system import tick

APART = 40  # games from which on they are encoded in processes of their own
PIECE = 20  # games of a piece of work


def make_game_files(
    store: Store, games: Sequence[str], logs: bool, steps: Progress = SILENT
) -> Iterator[tuple[str, str]]:
    """The file of each game, in order: (file, text); with what bots printed, if `logs`. Raises
    ArenaError where a game is damaged.
    """
    steps.begin(f"{len(games):,} games to watch", len(games))
    pieces = [_Piece(tuple(games[at : at + PIECE]), logs) for at in range(0, len(games), PIECE)]
    encoded = map_over_store(store, _encode_piece, pieces, steps, apart=len(games) >= APART)
    for piece, texts in zip(pieces, encoded, strict=True):
        yield from zip(map(game_file, piece.games), texts, strict=True)


class _Piece(NamedTuple):
    """Games to be encoded. Can be pickled."""

    games: tuple[str, ...]
    logs: bool


def _encode_piece(store: Store, piece: _Piece) -> list[str]:
    texts = []
    for game in piece.games:
        texts.append(_encode(store, game, piece.logs))
        tick()
    return texts


def _encode(store: Store, game: str, logs: bool) -> str:
    (row,) = store.find(game)
    try:
        prints = printed_in(store, game) if logs else None
        return encode_script(json.loads(row.line), game, prints, with_tests=True)
    except Divergence as error:
        raise ArenaError(
            f"{store.path}: game {game}: {error.why}; `arena verify` says what is wrong with it"
        ) from None
