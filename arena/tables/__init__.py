"""Ratings and counts as tables, and as files.

`document` has the types of standings.json, `columns` a ranking's columns in every format and on the
site, `notes` what is said beside tables, `overview` which tables there are and what they come to.
`results` makes the document of a store's games, by `pool_table` and `standings`, and writes the
files of a results folder. `layout` is its tables as plain text; `formats`, `terminal` and `page`
write them. `match` is how a match stands, `history` what a league remembers.

Imports faults, store, rating, sequential, schedule and system; all but `results` are pure.
Begin with `document`.
"""

from typing import TYPE_CHECKING

from arena.faces import face

if TYPE_CHECKING:
    from arena.tables.cache import remember
    from arena.tables.columns import Row
    from arena.tables.document import PoolTable, Seat, Standings, group_identical
    from arena.tables.history import (
        History,
        collect_history,
        compare_with_week,
        describe_moves,
        describe_since,
        find_gone,
        find_places,
        list_places,
        make_week,
        select_bot,
        trace_places,
    )
    from arena.tables.match import Match, MatchStanding, match_standings
    from arena.tables.notes import (
        describe_anchors,
        describe_closing,
        describe_identical,
        describe_not_loaded,
        list_facts,
        ordinal,
        say_why_out,
        wins_by_seat,
    )
    from arena.tables.overview import list_game, list_pool, list_tables
    from arena.tables.page import (
        MOST_IN_HEATMAP,
        Heatmap,
        Ranking,
        Scale,
        explain_headings,
        list_contents,
        make_heatmaps,
        page_environment,
        ranking_of,
        ranking_of_bot,
        scale_of,
        show_in_room,
    )
    from arena.tables.pool_table import PlayedPool
    from arena.tables.results import (
        HISTORY,
        PROVENANCE,
        RATE_APART,
        Provenance,
        compute_standings,
        cpu_features,
        find_authors,
        format_tables,
        load_makers,
        look_at_pool,
        make_document,
        make_files,
        make_history,
        publish_tables,
        read_provenance,
        write_provenance,
    )
    from arena.tables.standings import NOTHING, rank
    from arena.tables.terminal import cpu_times, fit_whole_texts, warn_of_time, wrap_texts

__getattr__ = face(__name__)
