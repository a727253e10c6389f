"""The published site: a folder of pages that works offline, made of the results.

Begin with `build`: it makes all pages and files, staged beside their place and
swapped in whole (`publish_dir`). `stats` scans the store once, pool by pool in constant memory:
games in columns (`stats_games`), what they say of each bot (`stats_pool`) and how sure that is
(`stats_shares`), and which are worth watching (`games_to_watch`). Pages are functions of the
standings and these statistics: `index`, `game_page`, `bot_page` with its `opponents`, and
`pagination`, the lists of games to watch; `pages` fills in their templates. Beside them lie
`game_files`, encoded for the viewer by `replay_encoder`, and `downloads`, for programs and papers.

Imports tables, store, records, schedule, rating, games and system.
"""

from typing import TYPE_CHECKING

from arena.faces import face

if TYPE_CHECKING:
    from arena.site.build import Built, SiteOptions, build_site
    from arena.site.games_to_watch import parse_selection
    from arena.site.publish_dir import check_target

__getattr__ = face(__name__)
