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
