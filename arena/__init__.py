"""Arena: a tournament runner for programmatic bots.

What is where, from the words that all share to the command line that knows everything. A wing's
docstring says what it may import (tests/test_imports.py holds it) and which file to read first.

    model.py    the words: bot, pool, entry, fixture, fault, outcome
    reasons.py  why a bot failed, in words
    errors.py   exceptions, and the exit codes they end in
    ids.py      games' ids, the secret with its commitment, deals' chance and bots' numbers
    progress.py how far long work has come, reported to what shows it
    faces.py    a wing's exported names, loaded when they are asked for
    words.py    numbers, times and guesses in words; hostile text made harmless
    typed_json.py JSON by types: read, written, described by a schema
    sandbox/    what runs on the bot's side of the wall, and nothing else
    process/    one bot's process, from outside: start, ask, measure, end
    session/    many games in lock-step
    records/    a game as it is written down: format, judge, replay
    schedule/   who plays whom, where, in what order
    rating/     TrueSkill without order, and how sure it is
    system/     what arena asks of the machine for itself: signals, locks, cores, files, versions
    league/     the league's folder: bots on disk, found, read, hashed, copied
    plan/       what is asked for (TOML, or a match's words), checked
    store/      results/NAME/arena.sqlite
    tables/     ratings and counts as tables, and as files
    runner/     what is missing is played, by this machine's workers or another executor
    cluster/    beyond one machine: the hosts of a Dask cluster, for the runner
    audit/      nothing taken on trust: verify, rerun, leaks, collusion
    export/     results in the formats of other tools
    site/       what is published: pages that work offline, with games to watch
    author/     the author's bench: what went wrong in a bot, and how to find out
    testing.py  what tests of a bot import: a view, and a question to the bot
    cli/        typer, words for people, exit codes

To read it as one story, begin with `runner.tournament`; for one decision, with `session.session`;
for what a bot can do, with `sandbox.walls`.
"""

__version__ = "0.1.0"
