"""The command that explains why a bot lost: `arena explain`."""

import json as jsons
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from fnmatch import filter as filter_names
from pathlib import Path
from typing import TYPE_CHECKING

from arena.cli.commands import WHY, Answer, command
from arena.cli.consent import allow_unconfined
from arena.cli.options import (
    ItsLimits,
    Results,
    Unconfined,
    argument,
    flag,
    leave_out_damaged,
    lower_limits,
    open_store,
    option,
)
from arena.cli.progress import Display
from arena.cli.terminal import near, out, quote, rewrite_commands, say, wrap_indented
from arena.errors import FAILED, UsageError
from arena.words import amount, duration, not_one_of, possessive, spell, visible

if TYPE_CHECKING:
    from arena.insight.positions import Recorded
    from arena.insight.report import Explained
    from arena.insight.rules import Rule
    from arena.model import Bot, Limits
    from arena.store.scan import StoredGame
    from arena.store.store import Store

GAME_S, BOT_S, RULE_S = 30.0, 60.0, 5.0


@command(WHY)
def explain_command(
    results: Results,
    what: str = argument(
        "GAME[:SEAT]|BOT",
        "Start of a game's id; with a seat or a bot, only that one. Or a bot: rules for it.",
    ),
    seconds: float | None = option(
        "N",
        f"Play on for N seconds (default: {GAME_S:g}; of a bot {BOT_S:g}, with --rule {RULE_S:g}).",
        least=1,
    ),
    game: str | None = option("GAME", "Of a bot: only this game, such as sixteen."),
    rule: list[str] | None = option(
        "RULE", "Of a bot: test 'CLASS -> CLASS when FIELD OP NUMBER'; may be repeated."
    ),
    without: list[str] | None = option(
        "GLOB", "Of a bot: leave out its games with these bots, such as slow ones."
    ),
    write: str | None = option(
        "COPY", "Of a bot: write a copy of it, of this name, that plays what holds best."
    ),
    hindsight: bool = flag("--hindsight", "Use the true cards, which the bot could not know."),
    as_test: bool = flag("--as-test", "Print tests of the better decisions."),
    seed: int | None = option("N", "Draw the same deals and dice each time.", least=0),
    unconfined: Unconfined = False,
    its_limits: ItsLimits = False,
) -> Answer:
    """Show which decisions lost a game; of a bot, find and test rules for it.

    Example: arena explain first 0106d9d8 --as-test  # a game of yours
    Example: arena explain first mine --rule "* -> take when pot > 9"
    Exit codes: 0; 1; 2; 4; 130
    """
    from arena import ids
    from arena.author.archive import find_game
    from arena.plan.plan import check_walls
    from arena.store.plans import load_plan

    began_s = time.monotonic()
    with open_store(results, counts=False) as store, Display() as steps:
        wanted, _, place = what.partition(":")
        known = sorted({bot.name for bot in store.bots()})
        is_bot = wanted in known
        if not is_bot and not store.find(wanted):
            expected = not_one_of(wanted, known, "or a game's id, as `arena games` lists them")
            raise UsageError(f"{results}: has no such game or bot: {expected}")
        if is_bot and place:
            raise UsageError(f"{what}: only a game has seats; name a game, or the bot alone")
        if is_bot and (hindsight or as_test):
            raise UsageError("--hindsight, --as-test: name a game; for a bot, remove them")
        if not is_bot and (rule or game or without or write):
            options = "--rule, --game, --without, --write"
            raise UsageError(f"{options}: name a bot of the tournament; for a game, remove them")
        if wrong := [glob for glob in without or () if not filter_names(known, glob)]:
            raise UsageError(*(f"--without: {not_one_of(glob, known)}" for glob in wrong))
        if is_bot:
            leave_out_damaged(store)
        gone = {name for glob in without or () for name in filter_names(known, glob)} - {wanted}
        plan = load_plan(store)
        if unconfined:  # also of bots that the last run lacked
            allow_unconfined(store.bots() if is_bot else find_game(store, wanted).line_up)
        else:
            check_walls(store.path)
        limits = lower_limits(plan.limits, its_limits, steps)
        key = ids.new_secret() if seed is None else ids.secret_from_seed(seed)
        if is_bot:
            return _explain_bot(store, wanted, game, rule or [], gone, write, seconds, key, limits,
                                unconfined, steps)  # fmt: skip
        from arena.insight.game import Budget, explain_game
        from arena.insight.positions import open_game, read_sources

        row = find_game(store, wanted)
        seats = _find_seats(row, place)
        say(*_changed(store, {row.line_up[row.fixture.seating[seat]] for seat in seats}))
        recorded = open_game(store, row)
        plays_on = not as_test or hindsight or seconds is not None or seed is not None
        earlier = None if plays_on else _read_earlier(store, row, seats)
        explained = earlier or explain_game(
            recorded, read_sources(store, row.line_up), seats, key, limits, hindsight,
            not unconfined, Budget(GAME_S if seconds is None else seconds), steps,
        )  # fmt: skip
        if not earlier and not hindsight and not store.public:
            say(*_keep(store, explained))
    from arena.insight.game import write_tests
    from arena.insight.report import describe_explained

    def show() -> None:
        if as_test and any(seat.mistakes for seat in explained.seats):
            out(*write_tests(explained, recorded).splitlines())
        else:
            for line in describe_explained(explained, recorded.rules, recorded.options):
                out(*wrap_indented(rewrite_commands(visible(line))))
            out(*map(rewrite_commands, _try_again(results, explained, recorded)))
        looked = amount(sum(len(seat.shares_by_decision) for seat in explained.seats), "decision")
        games, passed = amount(explained.games, "game"), duration(time.monotonic() - began_s)
        played = "as kept; --seconds N plays on" if earlier else f"{games} played on, {passed}"
        say(f"{looked} looked at, {played}")

    return Answer(explained, show)


def _try_again(results: Path, explained: "Explained", recorded: "Recorded") -> Iterator[str]:
    """Yield what plays on from each seat's costliest decision, or from its first one, and what
    tests whether it is better in other games, too.
    """
    course, game = recorded.course, recorded.rules.NAME
    for one in explained.seats:
        for mark in one.mistakes[:1]:
            rule = quote(f"{mark.decision} -> {mark.better}")
            test = f"arena explain {near(results)} {quote(one.bot)} --game {game} --rule {rule}"
            yield f"What cost this game may be right in others; this tests it: `{test}`"
        if places := [
            *(mark.action_number for mark in one.mistakes),
            *(at for at, *_ in one.shares_by_decision),
        ]:
            at, who = places[0], f" --as {one.seat}"
            who *= [actor for actor, _ in course[at : at + 1]] != [one.seat]
            again = f"`arena play --from {near(results)} {explained.game_id[:8]} --at {at}{who}`"
            yield f"Try it yourself, in {possessive(visible(one.bot))} seat: {again}"


def _find_games(store: "Store", bot: str, game: str | None) -> list[str]:
    """The games that the bot plays, or the one that is named; says if its file has changed. Raises
    UsageError.
    """
    from arena.store.plans import load_plan

    entries = load_plan(store).entries
    played = sorted({e.pool.game for e in entries if bot in {entrant.name for entrant in e.bots}})
    if not played:
        raise UsageError(f"{bot}: did not play in the last run; name a bot that did")
    if game is not None and game not in played:
        raise UsageError(f"--game: {not_one_of(game, played)}")
    say(*_changed(store, {entrant for e in entries for entrant in e.bots if entrant.name == bot}))
    return [game] if game else played


def _explain_bot(
    store: "Store", bot: str, game: str | None, rules: list[str], gone: set[str],
    copy: str | None, seconds: float | None, key: bytes, limits: "Limits", unconfined: bool,
    steps: Display,
) -> Answer:  # fmt: skip
    """Find rules that make a bot better at its games, each in turn, or how the given ones do."""
    from arena.insight.bot import Pace, explain_bot, read_words
    from arena.insight.positions import find_games
    from arena.insight.report import Advices, describe_advice
    from arena.insight.rules import parse_rule
    from arena.league.trust import trust
    from arena.system.folders import write_tree

    bots = None if copy is None else _find_place(store, copy)
    given = {
        name: read_words(store, find_games(store, bot, name, key, gone)) if rules else None
        for name in _find_games(store, bot, game)
    }
    parsed, wrong = {name: list["Rule"]() for name in given}, list[str]()
    for number, text in enumerate(rules, 1):
        errors, where = list[UsageError](), f"--rule {number}" if len(rules) > 1 else "--rule"
        for name, words in given.items():
            assert words is not None
            try:
                parsed[name].append(parse_rule(text, words, where))
            except UsageError as error:  # a rule is meant for the games that know its words
                errors.append(error)
        if len(errors) == len(given):
            wrong += min(errors, key=lambda error: len(error.args)).args
    if wrong:
        raise UsageError(*wrong)
    parsed = {name: of_game for name, of_game in parsed.items() if of_game or not rules}
    pace = Pace(seconds or (RULE_S if rules else BOT_S))
    advices = explain_bot(store, bot, parsed, key, limits, not unconfined, pace, steps, gone)
    document = Advices(advice=advices)
    played = near(store.path.parent)

    def show() -> None:
        for advice in advices:
            out(*map(rewrite_commands, describe_advice(advice, bool(rules), pace.seconds, played)))

    codes = {advice.game: advice.confirmed[0].code for advice in advices if advice.confirmed}
    if bots and copy and any(codes.values()):
        files = _add_rules(store, bot, copy, "".join(f"\n\n\n{code}" for code in codes.values()))
        match = f"arena match {copy} {bot} --field --game {' --game '.join(codes)}"
        note = f"{copy} plays what holds best: `{match}`"

        def keep() -> None:
            write_tree(bots, files)
            trust(str((bots / min(files).partition("/")[0]).resolve()))

        return Answer(document, show, 0, [note], keep)
    if not copy:
        return Answer(document, show)
    why = "its file does not show where a rule is put" if codes else "no rule holds"
    return Answer(document, show, FAILED, [f"{copy}: not written, as {why}"])


def _find_place(store: "Store", name: str) -> Path:
    """The folder for a new bot of that name, in the results' league. Raises UsageError."""
    from arena.league.bots import BOTS, NAME, NAME_RULE, find_league

    bots = find_league(store.path.absolute().parent) / BOTS
    is_new = not any((bots / place).exists() for place in (name, f"{name}.py"))
    if not is_new or not NAME.fullmatch(name):
        why = NAME_RULE if is_new else "exists already; choose another name"
        raise UsageError(f"--write: {spell(name)}: {why}")
    return bots


def _add_rules(store: "Store", bot: str, copy: str, code: str) -> dict[str, bytes]:
    """Read the version of the bot that played, with this at the end of its file, as the copy's
    files.
    """
    from arena.insight.positions import read_sources
    from arena.league.bots import ENTRY_FILE
    from arena.store.plans import load_plan

    played = [entrant for entrant in load_plan(store).bots if entrant.name == bot]
    (source,) = read_sources(store, played).values()
    files = dict(source.files)
    files[ENTRY_FILE] = files[ENTRY_FILE].rstrip() + code.encode()
    is_file = [*files] == [ENTRY_FILE]
    paths = {path: f"{copy}.py" if is_file else f"{copy}/{path}" for path in files}
    return {paths[path]: content for path, content in files.items()}


def _find_seats(row: "StoredGame", place: str) -> list[int]:
    """The seats to explain: those named, by number or bot, or all that did not win."""
    bots = row.fixture.names
    if not place:
        ranks = jsons.loads(row.ranks)
        return [seat for seat, rank in enumerate(ranks) if rank > 1] or [*range(len(ranks))]
    named = [seat for seat, bot in enumerate(bots) if place in (bot, str(seat))]
    if not named:
        expected = not_one_of(place, [*dict.fromkeys(bots), *map(str, range(len(bots)))])
        raise UsageError(f"GAME:SEAT: {expected}")
    return named


def _changed(store: "Store", bots: Iterable["Bot"]) -> Iterator[str]:
    """Say which of the bots to explain have another file in the league now."""
    from arena.author.replayer import find_current_bot

    for bot in sorted(bots):
        try:
            now = find_current_bot(store.path.parent, bot.name)
        except UsageError:
            continue
        if now.bot != bot:
            changed = f"{now.path.name} has changed since it played"
            yield f"{changed}; the version that played is explained"


def _keep(store: "Store", explained: "Explained") -> Iterator[str]:
    """Keep what was found, for `arena publish`; yields what stays instead, and why not."""
    from arena.site.explained import keep_explained

    try:
        for one in keep_explained(store.path.parent, explained):
            earlier = f"the earlier run of {one.bot}, {amount(one.games, 'game')}"
            yield f"kept: {earlier}, saw more; --as-test prints it"
    except OSError as error:
        why = f"{error.filename}: cannot be written ({error.strerror})"
        yield f"{why}; `arena publish` does not mark these decisions"


def _read_earlier(store: "Store", row: "StoredGame", seats: list[int]) -> "Explained | None":
    """Read what an earlier run kept of these seats of a game; None if one is missing."""
    from msgspec.structs import replace

    from arena.site.explained import read_explained

    with suppress(OSError, ValueError, KeyError):
        explained = read_explained(store.path.parent, row.id)
        by_seat = {one.seat: one for one in explained.seats}
        if (explained.bots, explained.ranks) == (row.fixture.names, jsons.loads(row.ranks)):
            return replace(explained, pool=row.pool.title, seats=[by_seat[seat] for seat in seats])
    return None
