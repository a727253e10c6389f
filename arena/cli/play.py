"""The command `arena play`: one table by hand, dealt anew or taken up in a stored game."""

import os
import shutil
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import games
from arena.cli.choices import Unclear, choose, list_choices
from arena.cli.commands import WRITE, command
from arena.cli.consent import allow_unconfined
from arena.cli.options import (
    Unconfined,
    argument,
    flag,
    open_store,
    option,
    results_at,
)
from arena.cli.terminal import check_room, draw_table, near, out, page, paint, say
from arena.errors import ArenaError, UsageError
from arena.words import visible

if TYPE_CHECKING:
    from arena.plan.match import ByHand
    from arena.session.game import LiveGame, Script


@command(WRITE)
def play_command(
    game: str = argument("GAME", "Name of a game; with --from, start of a game's id."),
    bots: list[str] | None = argument(
        "BOT...", "Players by seat: names or paths of bots, or `human` for you.", default=None
    ),
    options: str = option("JSON", "Options of the rules, as a JSON object.", default="{}"),
    seed: int | None = option(
        "N", "Deal from this seed; the same seed gives the same deal.", least=0
    ),
    save: Path | None = option("FILE", "Add the game's record to this file."),
    results: Path | None = option("RESULTS", "Sit in a stored game.", "--from"),
    at: int | None = option("N", "With --from: begin at action N.", least=0),
    seat: int | None = option("SEAT", "With --from: the seat.", "--as", least=0),
    hindsight: bool = flag("--hindsight", "With --from: deal no card again."),
    unconfined: Unconfined = False,
) -> None:
    """Play against bots: in the first seat, or in the seat named `human`.

    Example: arena play no_thanks haggler adder
    Example: arena play --from first 0106d9d8 --at 12  # a game
    Exit codes: 0; 1; 2; 4; 130
    """
    from arena.plan.match import plan_by_hand

    script, remarks = None, list[str]()
    if results is not None:
        if bots or options != "{}":
            raise UsageError("--from: has the game's bots and options; name none")
        terms, script, remarks = _plan_from(
            results_at(results), game, at or 0, seat, seed, hindsight, not unconfined
        )
    elif (at, seat, hindsight) != (None, None, False):
        raise UsageError("--at, --as, --hindsight: need --from RESULTS, and a game's id")
    else:
        terms = plan_by_hand(game, bots or (), options, seed, not unconfined)
    if not sys.stdin.isatty():
        raise UsageError(
            "standard input is not a terminal, and playing yourself needs one; to play bots "
            "against each other, use `arena match A B`"
        )
    check_room()
    if save is not None:
        _check(save)
    if unconfined:
        allow_unconfined(bot for bot in terms.fixture.line_up if bot.name in terms.sources)
    seated = _Seated(terms)
    out(*seated.greeting(), *remarks[:1])
    ended = _play(terms, seated, script)
    seated.end(ended)
    out(*remarks[1:])
    if save is None:
        say("To keep a game for `arena replay`, start it with --save FILE.")
        return
    with save.open("a+b") as stream:
        stream.write(_record(terms, seated.game) + b"\n")
        stream.seek(0)
        line = sum(1 for _ in stream)
    how_far = "" if ended else " as far as it was played"
    say(f"Saved{how_far}; replay it with: arena replay {near(save)} --line {line}")


def _check(save: Path) -> None:
    """Raise UsageError where no record can be added to the file."""
    folder = save.absolute().parent
    there = save if save.exists() else folder
    if save.exists() and not save.is_file():
        raise UsageError(f"--save: {save}: not an ordinary file; choose another name")
    if not folder.is_dir():
        raise UsageError(f"--save: {save}: there is no such folder; make it, or choose another")
    if not os.access(there, os.W_OK):
        raise UsageError(f"--save: {there}: no permission to write to it; change its permissions")


def _plan_from(
    results: Path, id: str, at: int, seat: int | None, seed: int | None, hindsight: bool,
    confined: bool,
) -> tuple["ByHand", "Script", list[str]]:  # fmt: skip
    """Plan to play on in a stored game, from a seat's first decision after `at` actions. Also
    return what to say first and last. Raises ArenaError.
    """
    from arena import ids
    from arena.audit.rerun import bound_limits
    from arena.author.archive import find_game
    from arena.insight.positions import find_decisions, open_game, read_sources
    from arena.insight.worlds import start_at
    from arena.model import Bot, Fixture
    from arena.plan.match import HUMAN, ByHand, find_free_name
    from arena.plan.plan import check_walls
    from arena.store.plans import load_plan

    with open_store(results, counts=False) as store:
        row = find_game(store, id)
        recorded, limits = open_game(store, row), bound_limits(load_plan(store).limits)
        actors = [actor for actor, _ in recorded.course[at:]] or [0]
        who = actors[0] if seat is None else seat
        if who >= len(recorded.ranks):
            raise UsageError(f"--as: found {who}; the seats are 0 to {len(recorded.ranks) - 1}")
        ahead = [question for question in find_decisions(recorded, [who]) if question.at >= at]
        if not ahead:
            last = f"the last action is {len(recorded.course) - 1}"
            raise UsageError(f"--at: found {at}; seat {who} decides nothing from there on; {last}")
        seats = [row.line_up[place] for place in row.fixture.seating]
        bot, person = visible(seats[who].name), Bot(find_free_name(HUMAN, row.fixture.names), "")
        seats[who] = person
        sources = read_sources(store, {*seats} - {person})
        if confined:
            check_walls(store.path)
    first, line_up = ahead[0], tuple(sorted({*seats}))
    key = ids.new_secret() if seed is None else ids.secret_from_seed(seed)
    fixture = Fixture(key.hex()[: ids.ID_DIGITS], line_up, tuple(map(line_up.index, seats)), 0)
    named = {bot.name: source for bot, source in sources.items()}
    terms = ByHand(
        pool=recorded.pool,
        fixture=fixture,
        people=frozenset([who]),
        sources=named,
        secret=key,
        limits=limits,
        confined=confined,
    )
    as_recorded = hindsight or first.resample(Random(0)) is None
    decision = ", then ".join(question.actual for question in ahead if question.at == first.at)
    begins = f"Game {row.id[:8]}, action {first.at}: you sit in for {bot}. Hidden cards are "
    ended = f"There, {bot} decided {decision}; it ranked {recorded.ranks[who]} of {len(seats)}."
    begins += "as they were." if as_recorded else "dealt again."
    return terms, start_at(first, key, hindsight), [begins, ended]


def _play(terms: "ByHand", seated: "_Seated", script: "Script | None") -> bool:
    """Play a session of one game; return whether it ended, for a person may leave."""
    from arena.league.files import write_snapshots
    from arena.process.asker import find_unloadable
    from arena.process.launch import start_client
    from arena.session.session import Job, Session

    bots = [bot for bot in terms.fixture.line_up if bot.name in terms.sources]
    confined = terms.confined and bool(bots)  # people alone need no walls
    with write_snapshots(terms.sources, bots) as paths, closing(start_client(confined)) as client:
        unloaded = find_unloadable(paths, terms.limits, client)
        job = Job(terms.pool, terms.limits, False, [terms.fixture], terms.secret, unloaded)
        people = {terms.names[seat]: seated for seat in terms.people}
        session = Session(
            job, paths, client, lambda game: None, lambda: None, people=people, script=script
        )
        try:
            session.play()
        except _Left:
            return False
    return True


def _record(terms: "ByHand", game: "LiveGame") -> bytes:
    """A game's record, a line without its end; it has no result if the person left."""
    from arena.records.record import make_body, make_line

    state = game.state
    result = state.result() if state.to_act is None else None
    body = make_body(games.load(terms.pool.game), state, result)
    forfeits = [(fault.seat, fault.reason.kind, fault.action) for fault in game.faults]
    return make_line(terms.pool, terms.fixture, forfeits, body)


class _Left(Exception):
    """A person left the game."""


class _Seated:
    """The person at the terminal, who may have several seats."""

    game: "LiveGame"

    def __init__(self, terms: "ByHand") -> None:
        self._terms, self._rules = terms, games.load(terms.pool.game)
        self._names = [visible(name) for name in terms.names]
        if len(terms.people) == 1:
            (seat,) = terms.people
            self._names[seat] = "you"
        self._last: int | None = None  # seat that was asked last
        self._told = 0  # faults that were reported

    def greeting(self) -> list[str]:
        """The table, and how to answer."""
        table = ", ".join(f"{seat} {name}" for seat, name in enumerate(self._names))
        return [
            f"{self._terms.pool.title}: {table}",
            "Answer by first letters or by number; ? shows the rules, q leaves the game.",
        ]

    def begin(self, game: "LiveGame") -> None:
        """Keep the game, to draw it from."""
        self.game = game

    def ask(self, game: "LiveGame") -> str:
        """Ask the person in the seat whose turn it is. Raises _Left."""
        self._tell_faults()
        seat = game.state.to_act
        assert seat is not None, "asked of a game that is over"
        view = game.state.view(seat)
        out("", *self._heard(view.since, seat))
        if len(self._terms.people) > 1 and self._last != seat:
            out(f"It is {self._names[seat]}'s turn.")
        self._last = seat
        self._draw(games.zones(self._rules, view), seat)
        ways: dict[tuple[str, ...], str] = {
            tuple(games.split_decision(self._rules, decision)): decision for decision in view.legal
        }
        chosen: tuple[str, ...] = ()
        while chosen not in ways:
            out(*list_choices(ways, chosen, shutil.get_terminal_size().columns - 1))
            try:
                answer = input(" ".join([f"{self._names[seat]}>", *chosen, ""])).strip()
            except EOFError:
                out("")
                raise _Left from None
            if answer == "q":
                raise _Left
            if answer == "?":
                self._show_rules()
            elif not answer:
                chosen = ()
            else:
                try:
                    chosen = choose(answer, ways, chosen)
                except Unclear as error:
                    out(str(error))
        return ways[chosen]

    def _show_rules(self) -> None:
        from arena.author.brief import read_rules

        try:
            page(read_rules(self._terms.pool.game))
        except ArenaError as error:
            out(*error.args)

    def end(self, ended: bool) -> None:
        """Show the table with all hands open, and the result."""
        from arena.records.replay import describe_result

        if not ended:
            out("You left the game.")
            return
        self._tell_faults()
        state, seat = self.game.state, min(self._terms.people)
        out("", *self._heard(state.view(seat).since, seat))
        self._draw(games.open_zones(self._rules, state, len(self._names)), None)
        result = describe_result(self._rules.NAME, state.result(), self._names)
        out("", *wrap(f"Game over: {result}", shutil.get_terminal_size().columns - 1))

    def _tell_faults(self) -> None:
        from arena.faults.reasons import in_full

        for fault in self.game.faults[self._told :]:
            name = self._names[fault.seat]
            lines = in_full(fault.reason, seat=fault.seat).splitlines()
            goes_on = "" if self.game.state.to_act is None else "; a stand-in plays on"
            out("", f"{name} (seat {fault.seat}) is out, {fault.reason.kind}{goes_on}:")
            out(*(f"    {line}" for line in lines[-6:]))
        self._told = len(self.game.faults)

    def _heard(self, since: Sequence[Any], seat: int) -> list[str]:
        """The events since a seat was last asked, without its answer."""
        from arena.records.replay import call_seats, sentences

        answered = bool(since) and since[0][0] == seat and len(since[0]) == 2
        names, state = call_seats(self._names), self.game.state
        options = state.view(seat).options
        texts = games.describe_events(self._rules, options, since[answered:], state.rounds, names)
        columns = shutil.get_terminal_size().columns - 1
        lines = [wrap(sentences(text, names), columns, subsequent_indent="  ") for text in texts]
        return [line for text_lines in lines for line in text_lines]

    def _draw(self, zones: Any, turn: int | None) -> None:
        paint("\n".join([*draw_table(zones, self._names, turn), ""]))
