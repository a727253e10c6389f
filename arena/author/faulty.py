"""The bots of a results folder that forfeited games, and why: what an author looks for first."""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from arena.author.causes import Cause, causes
from arena.hints import amount
from arena.store import logs
from arena.store.store import Store

TEXTS = 10_000  # of a bot's faults that are read: each kind's first are among them


class Faulty(NamedTuple):
    """A bot that forfeited games."""

    bot: str
    file: str  # as its author calls it: `thrifty.py`, or `thrifty/bot.py`
    faults: int
    causes: list[Cause]  # that with most faults first


def faulty(
    store: Store, bots: Collection[str] | None = None, beside: Collection[str] = frozenset()
) -> Iterator[Faulty]:
    """Yield the bots that forfeited games, most first; only these `bots`, if given.

    `beside` names what lies in the league's folder, for the remedies.
    """
    files = {bot.name: store.source_of(bot) for bot in store.bots()}
    for name, total in logs.fault_counts(store).items():
        if bots is not None and name not in bots:
            continue
        single = [path for path, _ in files.get(name) or ()] in ([], ["bot.py"])
        file = f"{name}.py" if single else f"{name}/bot.py"
        kept, _ = logs.faults_of_bot(store, name, TEXTS)
        yield Faulty(name, file, total, causes(kept, file, beside))


def place(cause: Cause, file: str) -> str:
    """Return where a cause is in the bot's file, in brackets: ` (thrifty.py line 8)`; or ""."""
    return f" ({file} {cause.where})" if cause.where else ""


def in_short(each: Faulty) -> list[str]:
    """Return a bot's first reason in a line, and what to do in another where it is known."""
    first = each.causes[0]
    lines = [
        f"{each.bot}: {amount(each.faults, 'game')} forfeit; {first.kind}: {first.what}"
        f"{place(first, each.file)}"
    ]
    told = first.remedy and first.remedy not in first.what
    return [*lines, f"    {first.remedy}"] if told else lines
