"""Results of a tournament: its tables (`arena standings`), its site (`arena publish`), and
how far it is while it is played (`arena watch`).
"""

import os
import re
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from arena.cli.commands import LEAGUE, command
from arena.cli.consent import TRIAL
from arena.cli.options import FORMATS, Results, flag, open_store, option
from arena.cli.progress import Display, Tally
from arena.cli.terminal import in_ascii, near, out, say, width
from arena.errors import INTERRUPTED, ArenaError, UsageError
from arena.progress import SILENT, Progress
from arena.system.abilities import WINDOWS
from arena.system.signals import shield_children
from arena.words import MORE, amount, not_one_of, progress, spell

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from arena.site.build import Built, Live, Play
    from arena.site.pages import Site
    from arena.store.store import Store
    from arena.tables.document import Standings

SITE = "site"
"""The folder of a site, in its results folder."""

EVERY_S, NICE = 60, 10  # of sites that are made during play, from what it leaves of the machine
LOOK_S, LINE_EVERY_S = 1.0, 10.0  # between looks at a tournament; lines that tell of it
LEADERS = 3  # named in a line
PREPARES = "running; preparing games or tables"  # all that it plans is stored


@command(LEAGUE)
def standings_command(
    results: Results,
    game: str | None = option("GAME", "Show this game only."),
    form: str = option(
        "FORMAT", f"Format: {', '.join(FORMATS)} (default: plain).", "--format", default="plain"
    ),
    json: bool = flag("--json", "Same as --format json."),
    short: bool = flag("--short", "With --json: places and ratings alone, in short lines."),
    every: bool = flag("--all", "Show all columns, and the CPU times."),
) -> None:
    """Print a tournament's tables again, in any format.

    Example: arena standings first --all
    Example: arena standings first --format github
    Exit codes: 0; 1; 2; 130
    """
    if form not in FORMATS:
        raise UsageError(f"--format: {not_one_of(form, FORMATS)}")
    if json and form not in (FORMATS[0], "json"):
        raise UsageError(f"--json: cannot be combined with --format {form}; remove one of them")
    if every and (json or form != FORMATS[0]):
        raise UsageError("--all: cannot be combined with --json or --format; remove one")
    if short and form != "json" and not json:
        raise UsageError("--short: needs --json; add it")
    chosen = "short" if short else "json" if json else "all" if every else form
    from arena.store.history import read_weeks
    from arena.tables.results import format_tables, make_document

    with open_store(results) as store, Display() as steps:
        document = make_document(store, game, steps)
        weeks, damaged = ([], []) if game else read_weeks(store)
        steps.say_unread(*damaged)
        used = _cpu_times(store, document) if chosen == "all" else ""
    text = format_tables(document, chosen, width(), in_ascii(), [past.week for past in weeks])
    out(*f"{text}{used}".splitlines())


def _cpu_times(store: "Store", document: "Standings") -> str:
    """The CPU times of a tournament's bots; "" where none is known."""
    from arena.store.plans import load_plan
    from arena.store.usage import read_timings
    from arena.tables.terminal import cpu_times

    late = {entry.bot: entry.faults.get("time", 0) for entry in document.faults}
    used = cpu_times(read_timings(store), load_plan(store).limits, late)
    return f"\n{used}\n" if used else ""


@command(LEAGUE)
def publish_command(
    results: Results,
    to: Path | None = option("DIR", "Folder of the site (default: RESULTS/site)."),
    games: int | None = option(
        "N", "Games to watch, per line-up of bots (default: a mix).", least=1, most=999_999
    ),
    with_logs: bool = flag("--with-logs", "Also publish what bots printed and why they failed."),
    url: str = option("URL", "Address of the site, to give shared links a picture.", default=""),
    play: bool = flag("--play", "Also make a page to play against the bots; needs --pyodide."),
    pyodide: Path | None = option("FILE", "Pyodide, as npm packs it, or its unpacked folder."),
    serve: bool = flag("--serve", "Then serve the site to this machine, until Ctrl-C."),
    unconfined: bool = flag("--unconfined", "Publish games of bots that ran outside the sandbox."),
) -> None:
    """Make a website of the results, with games to watch.

    Example: arena publish first
    Example: arena publish first --to public --games 2
    Exit codes: 0; 1; 2; 130
    """
    if play != (pyodide is not None):
        from arena.playground.page import GET_IT

        raise UsageError(f"--play: needs Pyodide; {GET_IT}" if play else "--pyodide: needs --play")
    if url and not re.fullmatch(r"https?://[^\s/?#]+(/[^\s?#]*)?", url):
        raise UsageError(
            f"--url: found {spell(url)}; expected one such as https://example.org/cup/"
        )
    at = url and f"{url.rstrip('/')}/"
    place, built = publish(
        results, to, games, with_logs, url=at, trials=unconfined, pyodide=pyodide
    )
    out(str(place / "index.html"))
    say(str(built))
    if serve:
        _serve(place)


def _serve(place: Path) -> None:
    """Serve a folder to this machine until it is interrupted."""
    from functools import partial
    from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

    class Handler(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(place))) as server:
        say(f"Serving http://127.0.0.1:{server.server_port}/ until Ctrl-C")
        server.serve_forever()


def publish(
    results: Path, to: Path | None = None, games: int | None = None, with_logs: bool = False,
    live: "Live | None" = None, url: str = "", trials: bool = True, pyodide: Path | None = None,
) -> "tuple[Path, Built]":  # fmt: skip
    """Make the site, with `pyodide` a page to play on; return its folder, and what was written.
    Raises UsageError where bots ran outside the sandbox, unless such `trials` are published.
    """
    from arena.author.brief import read_rules, write_brief
    from arena.model import WALLS
    from arena.site.build import build_site
    from arena.store.plans import load_plan

    shows = nullcontext(SILENT) if live else Display()
    with open_store(results, checked=live is not None) as store, shows as steps:
        place, how = to or site_of(store.path.parent), (games, with_logs, steps, live, url)
        if not trials and load_plan(store).confinement != WALLS:
            raise UsageError(f"{store.path.parent}: {TRIAL}")
        brief = lambda game: write_brief([game])  # noqa: E731
        play = _play_on(store, pyodide, steps) if pyodide else None
        return place, build_site(store, place, brief, read_rules, *how, play)


def _play_on(store: "Store", pyodide: Path, steps: Progress) -> "Play":
    """The maker of a site's page to play on. Raises UsageError for another Pyodide."""
    from arena.playground.page import find_players, make_files, read_pyodide

    python = read_pyodide(pyodide)

    def play(site: "Site", doc: "Standings", games: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        players, remarks = find_players(store, doc)
        steps.say(*remarks)
        return make_files(site, doc, store, players, python, games)

    return play


@contextmanager
def publishing(results: Path, every_s: int = EVERY_S) -> Iterator[None]:
    """Have another process publish the site again and again while results are played. If the block
    ends well, the last site is left to its caller; else that process makes it, also after a kill.
    """
    from multiprocessing import Pipe, get_context, resource_tracker

    if not WINDOWS:
        resource_tracker.ensure_running()  # or the start of the process would, and unblock signals
    theirs, ours = Pipe(duplex=False)
    keeper = get_context("spawn").Process(target=_keep_site, args=(results, theirs, every_s))
    with shield_children(signal.SIGTERM):
        keeper.start()
    theirs.close()
    try:
        yield
        keeper.kill()
    except typer.Exit as end:
        if end.exit_code == INTERRUPTED:  # also within the first minute
            ours.send(None)
        raise
    finally:
        ours.close()
        keeper.join()


def _keep_site(results: Path, ends: "Connection", every_s: int) -> None:
    """Publish a live site every so many seconds until the pipe's other end is closed, then the last
    one, if there was one before or the other end asks for it.
    """
    from arena.site.build import Live
    from arena.system.machine import read_clock

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Windows sends Ctrl-C to children too
    if not WINDOWS:
        os.nice(NICE)
    first = None
    while (plays := not ends.poll(every_s)) or first is not None or _is_asked(ends):
        live = Live(read_clock(), every_s, first or ()) if plays else None
        try:
            first = publish(results, live=live)[1].first
        except (ArenaError, OSError) as error:  # nothing is stored yet, or the disk is full
            if not plays:
                say(f"The site could not be brought up to date: {error}")
        if not plays:
            return


def _is_asked(ends: "Connection") -> bool:
    with suppress(EOFError):
        ends.recv()
        return True
    return False


def site_of(results: Path) -> Path:
    """The default folder of a site.

    Raises UsageError where it is a link: results may be a stranger's, and a link may lead to a site
    of the user's own.
    """
    place = results / SITE
    if place.is_symlink():
        raise UsageError(
            f"{place}: is a link; remove it, or name the folder that it points to: "
            f"arena publish {near(results)} --to DIR"
        )
    return place


@command(LEAGUE)
def watch_command(results: Results) -> None:
    """Follow a tournament while it runs, from another terminal.

    Example: arena watch first
    Exit codes: 0 the tournament finished or stopped; 1; 2; 130 ended with Ctrl-C
    """
    from arena.faults.reasons import in_short
    from arena.store.logs import Logs
    from arena.system.signals import Stopped

    watched = _Watched(results)
    try:
        plays = watched.look()  # first, so that errors are printed before anything is drawn
        if not plays:  # a run that has just been started takes its lock within a second
            time.sleep(LOOK_S)
            plays = watched.look()
        if plays:
            say("Press Ctrl-C to leave; the tournament continues.")
        if plays and sys.stdout.isatty() and os.environ.get("TERM") != "dumb":
            watched.show()
        else:
            due_s = 0.0
            while plays:
                if due_s <= time.monotonic():
                    out(watched.line(plays))
                    due_s = time.monotonic() + LINE_EVERY_S
                time.sleep(LOOK_S)
                plays = watched.look()
    except Stopped:
        say("The tournament continues.")
        raise typer.Exit(INTERRUPTED) from None
    out(watched.line(plays=False))
    with open_store(results) as store:
        logs = Logs(store)
        for bot, why in logs.loads().items():
            out(f"{bot} does not load: {in_short(why, logs.file_of(bot))}")
    if left := watched.follower.missing:
        more = MORE if watched.follower.more else ""
        say(
            f"Not running. {amount(left, 'game')} left{more}; resume with the same "
            "`arena tournament` command."
        )
    else:
        say(f"Finished. Tables: arena standings {near(watched.folder)}")


class _Watched:
    """A tournament that is followed: how far it has come, and who leads so far."""

    def __init__(self, results: Path) -> None:
        from arena.store.plans import Follower

        self.folder = results if results.is_dir() else results.parent
        self.follower, self._tally = Follower(results), Tally()

    def look(self) -> bool:
        """Read what is new; return whether it is being played.

        Raises UsageError where nothing was or is played.
        """
        from arena.system.locks import is_held

        plays = is_held(self.folder)  # first: if not, no game is stored later
        now_s, follower = time.monotonic(), self.follower
        try:
            gained = follower.look()
        except UsageError:
            if not plays:
                raise
            return True  # whoever plays has not stored anything yet
        if follower.restarted:
            self._tally = Tally()
            self._tally.before = follower.stored
            self._tally.begin(follower.missing, now_s)
        else:
            self._tally.add(sum(game.games for game in gained), now_s)
            self._tally.total = self._tally.done + follower.missing
        self._tally.results(gained)
        self._tally.more = follower.more
        return plays

    def line(self, plays: bool) -> str:
        """The progress in a line."""
        follower, tally = self.follower, self._tally
        if not follower.name:
            return "running; no games stored yet"
        stored, missing = follower.stored, follower.missing
        if plays and not missing:
            return f"{follower.name}: {amount(stored, 'game')} stored; {PREPARES}"
        more = follower.more and missing > 0
        text = f"{follower.name}: {progress(stored, stored + missing, more)}"
        if plays and tally.done:
            text += f", {tally.pace(time.monotonic())}"
        leaders = ", ".join(f"{bot} {above:+.0%}" for bot, above, _ in tally.top()[:LEADERS])
        return f"{text}; wins above chance: {leaders}" if leaders else text

    def show(self) -> None:
        """Draw it until it is no longer played."""
        from rich.console import Console
        from rich.live import Live

        picture, plays = self._tally.picture(), True
        with Live(picture, console=Console(), auto_refresh=False, transient=True) as view:
            while plays:
                time.sleep(LOOK_S)
                plays = self.look()
                waits = "" if self.follower.missing else PREPARES
                view.update(self._tally.picture(waits), refresh=True)
