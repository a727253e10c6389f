"""The published site: a folder of pages, made from the results, that works offline.

Begin with `build`: it makes all pages and what lies beside them; `publish_dir` puts them in place
whole. `stats` scans the store once, pool by pool in constant memory: what games say of each bot
(`stats_pool`), how sure that is (`shares`), how scores are spread (`histograms`), and which games
are worth watching (`games_to_watch`, with their `stories`). Pages are functions of the standings
and these statistics: `index`, `game_page`, `bot_page`, and `pagination`, the lists of games to
watch; `pages` fills in their templates. `replay_encoder` encodes a game for the viewer, `explained`
has what `arena explain` found of it.

Imports faults, tables, store, records, schedule, rating, sequential, games, system and
insight's report.
"""

from typing import TYPE_CHECKING

from arena.faces import face

if TYPE_CHECKING:
    from arena.site.build import Built, Live, build_site, find_first_games, make_game_document
    from arena.site.explained import find_review, keep_explained, read_explained
    from arena.site.games_to_watch import lead_in_words
    from arena.site.publish_dir import check_target
    from arena.site.sentence import describe_failures
    from arena.site.stats import Which, find_bot_games, list_games

__getattr__ = face(__name__)
