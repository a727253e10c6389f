"""arena.site.game_files: the games to watch, as files."""

from contextlib import closing
from pathlib import Path

import pytest

from arena.site import game_files
from arena.site.game_files import make_game_files
from arena.site.pages import game_file
from arena.store.store import Store

pytestmark = pytest.mark.whole


def test_each_game_is_a_file_and_the_same_from_processes_of_their_own(
    played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(Store.open(played / "results" / "cup")) as store:
        games = [row.id for row in store.games(in_order_of_id=True)][:6]
        here = list(make_game_files(store, games, logs=False))
        assert [file for file, _ in here] == [game_file(game) for game in games]
        assert all(
            f'arenaGame("{game}"' in text for game, (_, text) in zip(games, here, strict=True)
        )
        monkeypatch.setattr(game_files, "APART", 2)
        monkeypatch.setattr(game_files, "PIECE", 2)
        assert list(make_game_files(store, games, logs=False)) == here
