"""`arena collect`: the bots of a class's hand-ins."""

import csv
import io
import secrets
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from arena.cli.commands import LEAGUE, command
from arena.cli.options import argument, flag, option
from arena.cli.terminal import confirm, fit_table, near, out, say, width
from arena.errors import FAILED, UsageError
from arena.words import amount, spell

if TYPE_CHECKING:
    from arena.league.collect import Files, HandIn

AUTHORS = "authors.csv"


@command(LEAGUE)
def collect_command(
    given: Path = argument("HANDIN", "A zip, a folder, or a CSV file (pupil,bot)."),
    into: Path = option("DIR", "The folder of bots (default: bots).", default=Path("bots")),
    pseudonyms: bool = flag("--pseudonyms", "Call new bots player_01, player_02, ..."),
    yes: bool = flag("--yes", "Do not ask before bots are replaced."),
) -> None:
    """Take a class's bots from what Moodle, ILIAS, Canvas or GitHub Classroom gave you.

    Nothing of them is run. Who wrote which bot is kept in authors.csv beside DIR.

    Example: arena collect hand-ins.zip
    Example: arena collect hand-ins.zip --pseudonyms
    Exit codes: 0; 1 a pupil has no bot, a file belongs to no pupil, or declined; 2 wrong usage, or
    no terminal and no --yes; 130
    """
    import typer

    from arena.league.author import read_authors
    from arena.league.collect import name_bots, read_handins
    from arena.tables.terminal import wrap_texts

    if not into.is_dir():
        raise UsageError(f"--into: {into}: no such folder; it is a league's bots/")
    place = into.resolve().parent / AUTHORS
    authors = read_authors(place) if place.exists() else []
    known = dict(reversed(authors))  # a pupil's first bot is the one that comes from here
    pupils, left = read_handins(given)
    if pseudonyms:
        known |= _draw_pseudonyms([one.pupil for one in pupils if one.pupil not in known], known)
    named = name_bots(pupils, known, near(place))
    changed: dict[str, HandIn] = {}
    rows, replaced = list[tuple[str, ...]](), list[str]()
    for name, handin in sorted(named.items(), key=lambda item: item[1].pupil):
        what = "no bot: see below" if handin.notes else "no bot"
        if handin.bot:
            now = _read_bot(into, name)
            what = "unchanged" if now == handin.bot else "new"
            if now and now != handin.bot:
                what = f"replaced: {_count_changes(now, handin.bot)}"
                replaced.append(name)
            if now != handin.bot:
                changed[name] = handin
        rows.append((handin.pupil, name if handin.bot else "-", what))
    out(*fit_table(("pupil", "bot", "written"), rows, ()))
    notes = [f"{handin.pupil}: {'; '.join(handin.notes)}" for handin in pupils if handin.notes]
    out(*[""] * bool(notes), *wrap_texts(notes, width()))
    say(*left)
    handed_in = {handin.pupil for handin in pupils}
    stay = {name for pupil, name in authors if pupil not in handed_in and _read_bot(into, name)}
    missing = [handin.pupil for handin in pupils if not handin.bot]
    if replaced and not yes:
        listed = f"{amount(len(replaced), 'bot')} in {near(into)}/ replaced: {', '.join(replaced)}"
        confirm([listed], "Replace them?", "Nothing was written")
    for name, handin in changed.items():
        _write_bot(into, name, handin.bot)
    authors += [(handin.pupil, name) for name, handin in named.items()
                if handin.bot and (handin.pupil, name) not in authors]  # fmt: skip
    _write_authors(place, authors)
    say(
        "", f"{amount(len(changed), 'bot')} written to {near(into)}/; who wrote them: {near(place)}"
    )
    if missing:
        say(f"Without a bot: {', '.join(map(spell, missing))}")
    if stay:
        say(f"No hand-in this time, earlier bots stay: {', '.join(sorted(stay))}")
    if missing or left:
        raise typer.Exit(FAILED)


def _draw_pseudonyms(pupils: list[str], known: Mapping[str, str]) -> dict[str, str]:
    """Draw a number for each, so that their order tells nothing."""
    taken = {*known.values()}
    free = [
        name
        for n in range(1, len(pupils) + len(taken) + 1)
        if (name := f"player_{n:02}") not in taken
    ]
    free = free[: len(pupils)]
    secrets.SystemRandom().shuffle(free)
    return dict(zip(pupils, free, strict=True))


def _write_authors(place: Path, authors: Iterable[tuple[str, str]]) -> None:
    from arena.system.folders import write_atomically

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([("pupil", "bot"), *authors])
    with write_atomically(place.parent, place.name) as stream:
        Path(stream.name).chmod(0o600)
        stream.write(text.getvalue().encode())


def _read_bot(into: Path, name: str) -> "Files":
    """The files of the league's bot of that name; none if there is none."""
    from arena.league.bots import BotPath
    from arena.league.files import read_bot

    for path in (into / f"{name}.py", into / name):
        if path.exists():
            return dict(read_bot(BotPath(name, path)).files)
    return {}


def _count_changes(before: "Files", now: "Files") -> str:
    """Count the lines that a bot's new version adds and removes."""
    lines = [Counter(line for text in files.values() for line in text.splitlines())
             for files in (before, now)]  # fmt: skip
    added, removed = (lines[1] - lines[0]).total(), (lines[0] - lines[1]).total()
    return f"{amount(added, 'line')} added, {removed:,} removed"


def _write_bot(into: Path, name: str, files: "Files") -> None:
    """Write a bot over the one of its name, as a file, or as a folder if it has several."""
    import shutil

    from arena.league.bots import ENTRY_FILE
    from arena.system.folders import replace_folder, write_atomically

    file, folder = into / f"{name}.py", into / name
    if [*files] == [ENTRY_FILE]:
        with write_atomically(into, file.name) as stream:
            stream.write(files[ENTRY_FILE])
        if folder.is_dir():
            shutil.rmtree(folder)
        return
    with replace_folder(into, name, f".{name}.arena-collect-", check=lambda old: None) as new:
        for path, content in files.items():
            (new / path).parent.mkdir(parents=True, exist_ok=True)
            (new / path).write_bytes(content)
    file.unlink(missing_ok=True)
