"""The commands about single games: `arena games`, `records`, `judge` and `replay`."""

import json as jsons
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.cli.commands import SHARE, WHY, Answer, command
from arena.cli.options import Results, argument, flag, open_store, option, results_at
from arena.cli.progress import Display
from arena.cli.terminal import fit_table, near, out, say, wrap_indented
from arena.errors import FAILED, USAGE, ArenaError, UsageError
from arena.progress import count_items
from arena.system.folders import write_atomically
from arena.words import amount, not_one_of, possessive, printable_json

if TYPE_CHECKING:
    from arena.site.stats import Which
    from arena.store.scan import StoredGame
    from arena.store.store import Store

OFFERED = 10  # games listed if none was named
MOST_UNREADABLE = 5  # lines that are reported
MOST_BYTES = 8 << 20
"""Of a line. Records of arena's have up to 22 kB, and some 5 MB where 17 goes on for the 100,000
turns that its options allow; a line without an end would be read for ever, in one call that no
signal ends."""


@command(SHARE)
def records_command(
    results: Results,
    bot: str | None = option("BOT", "Only games of this bot."),
    game: str | None = option("GAME", "Only games of this game, such as sixteen."),
    output: Path | None = option("FILE", "File to write (default: standard output)."),
) -> None:
    """Print the records of the games in the tables, as JSON lines.

    Example: arena records first --output games.jsonl
    Example: arena records first --bot mine --game sixteen
    Exit codes: 0; 1; 2; 130
    """
    from arena.store.logs import Logs
    from arena.store.plans import read_lines

    with open_store(results) as store, Display() as steps:
        if bot is not None:
            Logs(store).check_bot(bot)
        if game is not None:
            check_game(store, game)
        if output is not None or not sys.stdout.isatty():  # else records are progress enough
            steps.begin("writing records", store.count())
        lines = count_items(read_lines(store, bot, game), steps)
        if output is None:
            for line in lines:
                sys.stdout.buffer.write(printable_json(line) + b"\n")
            sys.stdout.buffer.flush()
        else:
            steps.say(f"{_write(lines, output):,} records written to {output}")


def check_game(store: "Store", game: str) -> None:
    """Raise UsageError where the tournament has no pool of this game."""
    from arena.store.plans import load_plan

    played = sorted({entry.pool.game for entry in load_plan(store).entries})
    if game not in played:
        raise UsageError(f"--game: {not_one_of(game, played)}")


def _write(lines: Iterator[bytes], output: Path) -> int:
    """Write lines to a file, all or none; return how many. Raises UsageError."""
    if not output.name or (output.exists() and not output.is_file()):
        raise UsageError(f"{output}: not an ordinary file; choose another name")
    count = 0
    try:
        with write_atomically(output.parent, output.name) as stream:
            for count, line in enumerate(lines, 1):  # noqa: B007
                stream.write(line + b"\n")
    except OSError as error:
        raise UsageError(f"{output}: cannot be written ({error.strerror})") from None
    return count


@command(WHY)
def games_command(
    results: Results,
    bot: str | None = option("BOT", "Only games of this bot."),
    opponent: str | None = option("BOT", "Of --bot: only games against this one."),
    game: str | None = option("GAME", "Only games of this game, such as sixteen."),
    lost: bool = flag("--lost", "Games that --bot lost, those with the best chances first."),
    upset: bool = flag("--upset", "Upsets, the least likely first."),
    fault: bool = flag("--fault", "Games with a forfeit, of --bot if given."),
    most: int | None = option("N", "At most N games (default: 10; all with --json).", least=1),
    json: bool = flag("--json", "Print all of them, or --most, as JSON."),
) -> Answer:
    """List games to replay; without options, three that are worth it.

    Example: arena games first --bot mine --lost
    Example: arena games first --bot mine --opponent haggler
    Exit codes: 0; 1; 2; 130
    """
    from arena.cli.documents import GameFound, GamesFound
    from arena.site.build import find_first_games
    from arena.site.stats import list_games
    from arena.store.logs import Logs
    from arena.tables.results import make_document

    asked = [name for name, given in (("lost", lost), ("upset", upset), ("fault", fault)) if given]
    if len(asked) > 1:
        raise UsageError(f"--{asked[0]}: cannot be combined with --{asked[1]}; remove one of them")
    if bot is None and (lost or opponent):
        raise UsageError(f"{'--lost' if lost else '--opponent'}: found no --bot; add --bot BOT")
    if bot is not None and opponent == bot:
        raise UsageError(f"--opponent: {bot} is --bot; name another")
    chosen = bool(asked or bot or game or most or json)
    with open_store(results) as store, Display() as steps:
        for named in filter(None, (bot, opponent)):
            Logs(store).check_bot(named)
        if game is not None:
            check_game(store, game)
        document = make_document(store, steps=steps) if upset or lost or not chosen else None
        which: Which = "lost" if lost else "upset" if upset else "fault" if fault else "all"
        if document and not chosen:
            rows, total = find_first_games(store, document, steps), store.count()
        else:
            rows = list_games(store, which, bot, document, game)
            rows = [row for row in rows if opponent in (None, *row.game.bots)]
            total = len(rows)
    listed = rows[: most or (len(rows) if json else OFFERED)]
    games = [
        GameFound(
            game_id=row.game.id, pool=row.pool, bots=row.game.bots, ranks=row.game.ranks,
            scores=row.game.scores, ending=row.why, expected_share=row.expected,
        )
        for row in listed
    ]  # fmt: skip

    def show() -> None:
        rows = [
            (row.game.id[:8], row.pool, _placed(row.game.bots, row.game.ranks),
             "" if row.expected is None else f"{row.expected:.0%}", row.why)
            for row in listed
        ]  # fmt: skip
        if rows:
            ended = "how it ended" if asked or not chosen else ""
            heads = ("game", "pool", "first to last", "chance" if lost else "", ended)
            out(*fit_table(heads, rows, (), ("first to last", "how it ended")))
        more = "--most shows more" if chosen else "--bot, --game, --upset and --fault list others"
        say(amount(total, "game") + f", {len(rows)} shown; {more}" * (total > len(rows)))
        if lost and rows:
            say(f"chance: share of the others that {bot} should beat by the ratings. Games of even")
            say("chances or better come first, and of them the worst lost.")
            first = f"arena explain {near(results)} {rows[0][0]}:{bot}"
            say(f"`{first}` says why the first one was lost.")
        pools = [pool for pool in document.pools if game in (None, pool.game)] if document else []
        forfeits = sum(row.faults_total for pool in pools for row in pool.table if row.bot == bot)
        if lost and forfeits:
            say(f"Not those that {bot} forfeited: `arena faults {near(results)} {bot}` lists them.")

    return Answer(GamesFound(games=games), show)


@command(SHARE)
def judge_command(
    file: str = argument("FILE", "File of records, or - for standard input."),
    json: bool = flag("--json", "Print the result as JSON, one line per record."),
) -> Answer:
    """Check records against the rules; report the first error in each.

    Example: arena judge games.jsonl
    Exit codes: 0 all records follow the rules; 1 a record breaks the rules; 2 wrong usage, or a
    line is not a record; 130
    """
    from arena.cli.documents import Judged
    from arena.records.record import Divergence, judge_record
    from arena.typed_json import encode

    name = "standard input" if file == "-" else file
    total = agreed = unreadable = 0
    with Display() as steps:
        steps.begin("judging records")
        for number, record, problem in count_items(_read(file), steps):
            if record is None:
                unreadable += 1
                if unreadable <= MOST_UNREADABLE:
                    steps.say(f"{name}:{number}: {problem}")
                continue
            total += 1
            try:
                state = judge_record(record)
                agreed += 1
                if json:
                    steps.out(encode(Judged(line=number, valid=True, state=state.dump())))
            except Divergence as error:
                judged = Judged(line=number, valid=False, action_number=error.at, reason=error.why)
                steps.out(encode(judged) if json else f"{name}:{number}: {error}")
        if unreadable > MOST_UNREADABLE:
            steps.say(f"{name}: ... and {unreadable - MOST_UNREADABLE:,} more such lines")
        (steps.say if json else steps.out)(f"records: {agreed:,} of {total:,} follow the rules")
    return Answer(code=USAGE if unreadable else FAILED if agreed < total else 0)


@command(WHY)
def replay_command(
    source: Path = argument("SOURCE", "Results folder, or file of records."),
    game: str | None = argument(
        "GAME", "Start of the game's id, for a results folder.", default=None
    ),
    bot: str | None = option("BOT", "Show this bot's worst game, forfeits aside."),
    line: int | None = option("N", "Number of the record, for a file (default: 1).", least=1),
    at: int | None = option("N", "Show the table before action N.", least=0),
    seat: int | None = option("SEAT", "Show only what this seat could know.", "--as", least=0),
    json: bool = flag("--json", "Print the game, or the state at --at, as JSON."),
    as_test: bool = flag(
        "--as-test", "Print a test of the decision at --at, or of all that --as decided."
    ),
    html: Path | None = option("FILE", "Write the game as a page that needs no other file."),
) -> Answer:
    """Show a game step by step, and what bots printed.

    Example: arena replay first --bot mine
    Example: arena replay first 0106d9d8 --at 12  # a game
    Exit codes: 0; 1 the record breaks the rules, or the command failed; 2; 130
    """
    from arena.cli.documents import Position
    from arena.records.record import Divergence, OtherVersion
    from arena.records.replay import find_view, make_replay, replay_lines, replay_to

    source = source if str(source) == "-" else results_at(source)
    if source.is_dir():
        if line is not None:
            raise UsageError(f"--line: {source} is a folder; name one of its games by its id")
        if bot is not None:
            game = _worst(source, game, bot)
        record, printed, failed = _stored(source, game)
    elif bot is not None:
        raise UsageError(f"--bot: {source} is a file; choose a record with --line N")
    else:
        record, printed, failed = _line(source, game, line or 1), {}, {}
    if html is not None and (json or as_test or (at, seat) != (None, None) or not source.is_dir()):
        raise UsageError("--html: needs a results folder, and no --at, --as, --json or --as-test")
    if as_test and at is not None:
        from arena.records.questions import TEST_HEAD, write_test

        out(*(TEST_HEAD + write_test(record, at, game or "", seat, failed)).splitlines())
        return Answer()
    document: Any = None
    try:
        if html is not None:
            from arena.site.build import make_game_document

            with open_store(source, counts=False) as store:
                page = make_game_document(store, record["meta"]["id"])
            _write(iter([page.encode()]), html)
            out(str(html))
        elif as_test:
            out(*_write_game_test(source, record, seat, bot).splitlines())
        elif at is not None and json:
            if seat is None:
                document = Position(state=replay_to(record, at).dump())
            else:
                document = Position(view=find_view(record, at, seat))
        elif json:
            document = make_replay(record, seat, printed if seat is None else {})
        else:
            replay_to(record, at or 0)  # which looks whether there is one
            review = _review(source, record, seat) if source.is_dir() else ()
            for text in replay_lines(record, seat, printed if seat is None else {}, at, *review):
                out(*[text] if at is None else wrap_indented(text))
            if source.is_dir() and record["meta"].get("faults"):
                say(f"Why bots forfeited: arena faults {near(source)}")
    except RecursionError:
        raise ArenaError(f"{source}: the record is nested too deeply") from None
    except OtherVersion as error:
        raise UsageError(f"{source}: {error.why}; use the version of Arena that wrote it") from None
    except Divergence as error:
        raise ArenaError(f"{source}: {error}") from None
    return Answer(document)


def _review(
    results: Path, record: dict[str, Any], seat: int | None
) -> tuple[dict[int, str], dict[int, list[str]]]:
    """The findings of `arena explain` that a seat may know: by action the chance of who acts, and
    marks. Raises Divergence.
    """
    from arena.records.replay import call_seats, name_seats
    from arena.site.explained import find_review

    review, _ = find_review(results, record, record["meta"]["id"])
    names, marks = call_seats(name_seats(record)), dict[int, list[str]]()
    for cost in review.costs:
        if seat in (None, cost.seat):
            marks.setdefault(cost.at, []).append(f"{possessive(names[cost.seat])} {cost.words}")
    chances_here = [chance for chance in review.chances if seat in (None, chance[1])]
    actor = {at: record["actions"][at][0] for at, *_ in chances_here if at < len(record["actions"])}
    chances = {at: f"{percent}%" for at, who, percent in chances_here if actor.get(at) == who}
    if chances:
        say("%: opponents that the seat beats from there on (arena explain, not verified)")
        say(*(f"{text}." for text in review.good))
    return chances, marks


def _write_game_test(
    source: Path, record: dict[str, Any], seat: int | None, bot: str | None
) -> str:
    """Write the test of a seat's whole game: of the seat given, else of the bot's, else of the one
    that forfeited. Raises UsageError, Divergence.
    """
    from arena.author.archive import find_game, read_archive
    from arena.author.game_tests import GameTest, read_game_test, write_game_tests
    from arena.records.record import judge_record
    from arena.records.replay import Walk, name_seats

    judge_record(record)
    names = name_seats(record)
    faults = {mark.seat: mark.kind for mark in Walk(record).marks()}
    seats = [who for who, name in enumerate(names) if name == bot] or [*faults]
    seats = seats if seat is None else [seat]
    if len(seats) != 1 or seats[0] >= len(names):
        listed = ", ".join(f"{who} {name}".rstrip() for who, name in enumerate(names))
        given = "no --as" if seat is None else f"--as {seat}"
        raise UsageError(f"--as-test: found {given}; add --as SEAT, one of {listed}")
    test = GameTest(record, seats[0], faults.get(seats[0], ""))
    if source.is_dir():
        with open_store(source, checked=True) as store:
            row = find_game(store, record["meta"]["id"])
            test = read_game_test(store, read_archive(store), row, test.seat, test.why)
    return write_game_tests([test])


def _read(file: str) -> Iterator[tuple[int, dict[str, Any] | None, str]]:
    """Read a file's records, as (line number, record or None, what is wrong with the line).

    Blank lines are skipped. After a line of more than `MOST_BYTES` nothing more is read.
    """
    try:
        stream = sys.stdin.buffer if file == "-" else open(file, "rb")  # noqa: SIM115
    except OSError as error:
        raise UsageError(f"{file}: cannot be read ({error.strerror})") from None
    with stream:
        read = partial(stream.readline, MOST_BYTES + 1)
        for number, line in enumerate(iter(read, b""), 1):
            if len(line) > MOST_BYTES and not line.endswith(b"\n"):
                most = f"{MOST_BYTES >> 20} MiB"
                problem = f"longer than {most}, the maximum for a record; the rest is not read"
                yield number, None, problem
                return
            if not line.strip():
                continue
            try:
                record = jsons.loads(line)
            except (ValueError, RecursionError) as error:
                yield number, None, f"not JSON ({error})"
                continue
            if isinstance(record, dict):
                yield number, record, ""
            else:
                yield number, None, "not a JSON object"


def _line(file: Path, game: str | None, wanted: int) -> dict[str, Any]:
    if game is not None:
        raise UsageError(f"{file}: is a file; choose a record with --line N")
    for count, (number, record, problem) in enumerate(_read(str(file)), 1):
        if count == wanted:
            if record is None:
                raise UsageError(f"{file}:{number}: {problem}")
            return record
    raise UsageError(f"{file}: has no record {wanted}")


def _worst(folder: Path, game: str | None, bot: str) -> str:
    """The id of the game that a bot lost by most; says which it is. Raises UsageError."""
    from arena.site.games_to_watch import lead_in_words
    from arena.site.stats import find_bot_games
    from arena.store.logs import Logs

    if game is not None:
        raise UsageError("--bot: cannot be combined with GAME; remove one of them")
    with open_store(folder) as store:
        Logs(store).check_bot(bot)
        worst = find_bot_games(store, bot).worst
    if worst is None:
        raise UsageError(f"{bot}: lost only games that it forfeited; `arena faults` lists them")
    loss = f"{worst.game.id[:8]}, {worst.pool.title}, {lead_in_words(worst)}"
    say(f"{possessive(bot)} worst game: {loss}")
    return worst.game.id


def _stored(
    folder: Path, game: str | None
) -> tuple[dict[str, Any], dict[int, list[tuple[str, str]]], dict[int, str]]:
    """A game of a results folder: its record, what bots printed, and the phases that seats failed
    in, by seat.
    """
    from arena.author.archive import find_game, find_games
    from arena.store.logs import find_failed_phases, find_prints
    from arena.store.scan import read_record

    with open_store(folder, counts=False) as store:
        if game is None:
            some = [_in_a_line(row) for row in islice(find_games(store), OFFERED)]
            how = "name a game by the first digits of its id, or add --bot BOT:"
            raise UsageError(f"{folder}: {how}", *some)
        stored_game = find_game(store, game)
        record = read_record(store.path, stored_game)
        return record, find_prints(store, stored_game.id), find_failed_phases(store, stored_game.id)


def _in_a_line(row: "StoredGame") -> str:
    """A game to choose: `    0106d9d8  No Thanks! 3p: bob, then ann and cid`."""
    bots = row.fixture.names
    return f"    {row.id[:8]}  {row.pool.title}: {_placed(bots, jsons.loads(row.ranks))}"


def _placed(bots: Sequence[str], ranks: Sequence[int]) -> str:
    by_rank: dict[int, list[str]] = {}
    for bot, rank in zip(bots, ranks, strict=True):
        by_rank.setdefault(rank, []).append(bot)
    return ", then ".join(" and ".join(names) for _, names in sorted(by_rank.items()))
