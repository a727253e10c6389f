"""Arena: a tournament runner for programmatic bots.

The packages, from the words that all share to the command line that knows everything. Each one's
docstring says what it may import (tests/test_imports.py enforces that) and where to start reading.

    model.py    the vocabulary: bot, pool, entry, fixture, fault, outcome
    errors.py   exceptions and their exit codes
    ids.py      ids of games, the secret and its commitment, random numbers of deals and bots
    progress.py reports of progress, for whatever displays them
    faces.py    loads a package's exported names on demand
    values.py   published numbers: their kinds, how they are rounded and shown
    words.py    numbers, durations and suggestions in words; escapes hostile text
    typed_json.py JSON by types: reads it, writes it, makes its schema
    faults/     kinds of fault; why a bot failed, in words, and what to do
    sandbox/    all that runs inside a bot's process
    process/    a bot's process from outside: start, ask, measure, end
    session/    many games played in lock-step
    records/    recorded games: format, check, replay
    sequential/ the sequential test: looks while play goes on, and their verdicts
    schedule/   who plays whom, on which seats, in which order
    rating/     TrueSkill independent of the games' order, with its uncertainty
    system/     the machine: signals, locks, cores, files, versions
    league/     the league's folder: find, read, hash and copy bots
    plan/       configs (TOML, or the words of a match), checked
    store/      results/NAME/arena.sqlite
    tables/     ratings and counts as tables and files
    runner/     plays missing games, with this machine's workers or another executor
    cluster/    an executor for the hosts of a Dask cluster
    audit/      checks results: verify, rerun, leaks, collusion
    export/     results in the formats of other tools
    site/       the published pages, which work offline, with games to watch
    insight/    why a bot lost: games played on from its decisions, and rules tested
    author/     tools for authors: what is wrong with a bot, and where
    testing.py  for tests of a bot: make a view, ask the bot, play games in one process
    cli/        the command line: typer, messages, exit codes

To read it as one story, start with `runner.tournament`; for one decision, with `session.session`;
for the sandbox, with `sandbox.walls`.
"""

__version__ = "0.1.0"
