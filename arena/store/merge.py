"""Merging: stores of one tournament, shards of it or copies, put together in one.

All is looked at before anything is written: whether the files are of one tournament, what of their
games is sound, and what is missing when they are together. What is taken over, and how,
`arena.store.taking` says.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from arena.errors import UsageError
from arena.model import StoredPlan
from arena.progress import SILENT, Progress
from arena.schedule.shards import Shard
from arena.store import opening
from arena.store.plans import choices_in, keep_plan, plan_in, was_planned
from arena.store.schema import FILE
from arena.store.secret import REVEALED, is_revealed, secret_in
from arena.store.shards import begin, further, shard_in, to_the_end
from arena.store.store import Store
from arena.store.survey import SHOWN, Judge, Survey
from arena.store.taking import take
from arena.words import amount

_ELSEWHERE = "merge into another folder"


class Part(NamedTuple):
    """A file that is to be merged."""

    store: Store
    plan: StoredPlan
    secret: bytes
    shard: Shard | None

    @property
    def place(self) -> str:
        """Its name in messages."""
        return str(self.store.path)


class Merged(NamedTuple):
    """What merging came to."""

    path: Path  # of the store
    new: int  # games
    games: int  # stored now
    missing: list[str]  # what the plan still lacks, in words; none if it is whole
    wrong: list[str]  # what was left out, in words
    differing: list[str]  # games that ended otherwise in two files, in words


def merge(
    out: Path,
    given: Sequence[Path],
    judge: Judge,
    partial: bool = False,
    say: Callable[[str], None] = print,
    steps: Progress = SILENT,
) -> Merged:
    """Put all games of some files into the store of the folder `out`, which is made if it is not
    there; return what that came to.

    Raises UsageError, and nothing is written, where a file is of another tournament, or the store
    is in use; and where games would be missing, or are wrong, unless it is to be `partial`.
    """
    with ExitStack() as opened:
        parts = [opened.enter_context(_opened(path)) for path in _once(out, given)]
        steps.begin("looking at what is there")
        reference = _agreed(out, parts)
        plan = reference
        for part in parts:
            plan = further(plan, part.plan)
        survey = Survey(plan)
        if opening.begun(out):
            with closing(Store.open(out, checked=True)) as store:
                survey.note(store)
        for part in parts:
            steps.begin(f"looking at games of {part.place}", part.store.count())
            survey.look(part.store, part.plan, part.secret, judge, steps)
        missing = survey.missing([part.shard for part in parts])
        if (missing or survey.said) and not partial:
            raise UsageError(
                *survey.said,
                *missing,
                f"{out}: nothing was merged; play or name what is missing, or take --partial: the "
                "rest can be merged, or played, later",
            )
        new, differing = _write(out, parts, plan, survey, say, steps)
        return Merged(out / FILE, new, _count(out), missing, survey.said, differing)


def _once(out: Path, given: Sequence[Path]) -> list[Path]:
    """Return the files, each once. Raises UsageError if what is merged into is among them."""
    files: dict[Path, Path] = {}
    for path in given:
        file = (path / FILE if path.is_dir() else path).resolve()
        if file == (out / FILE).resolve():
            raise UsageError(f"{path}: is what is merged into; name the other files alone")
        files.setdefault(file, path)
    return list(files.values())


@contextmanager
def _opened(path: Path) -> Iterator[Part]:
    """Give a file that can be merged. Raises UsageError where it cannot."""
    with closing(Store.open(path)) as store:
        if store.public:
            raise UsageError(
                f"{store.path}: is a published copy, without the secret; name the results folder "
                "that it was made of"
            )
        plan, secret = plan_in(store), secret_in(store)
        if secret is None:
            raise UsageError(
                f"{store.path}: the secret that deals come from is damaged; play it anew, or put a "
                "copy in its place"
            )
        yield Part(store, plan, secret, shard_in(store))


def _agreed(out: Path, parts: Sequence[Part]) -> StoredPlan:
    """Return the plan that all files have, and the store that they go to, if it is there. Raises
    UsageError naming each file that has another.
    """
    if not opening.begun(out):
        opening.check_place(out, _ELSEWHERE)
        _hold_one_tournament(parts[0].place, parts[0].plan, parts[0].secret, parts[1:])
        return parts[0].plan
    opening.check(out, _ELSEWHERE)
    with closing(Store.open(out)) as store:
        if store.public:
            raise UsageError(f"{store.path}: is a published copy; {_ELSEWHERE}")
        if (shard := shard_in(store)) is not None:
            raise UsageError(f"{store.path}: holds shard {shard} alone; {_ELSEWHERE}")
        if is_revealed(store):
            raise UsageError(
                f"{store.path}: its secret was revealed, so that deals can be known: no further "
                f"games come into it; {_ELSEWHERE}"
            )
        secret = secret_in(store)
        if not was_planned(store) and secret is None and not store.count():
            _hold_one_tournament(parts[0].place, parts[0].plan, parts[0].secret, parts[1:])
            return parts[0].plan
        plan = plan_in(store) if was_planned(store) else parts[0].plan
        _hold_one_tournament(str(store.path), plan, secret, parts)
        return plan


def _hold_one_tournament(
    place: str, plan: StoredPlan, secret: bytes | None, parts: Iterable[Part]
) -> None:
    """Raise UsageError naming each of the parts that is of another tournament than `place`."""
    foreign = []
    for part in parts:
        if plan.name != part.plan.name:
            why = f"it is of the tournament {part.plan.name}, not {plan.name}"
        elif part.secret != secret:
            why = "its deals come of another secret"
        elif (plan.confinement, plan.limits) != (part.plan.confinement, part.plan.limits):
            why = "its bots played under other limits"
        elif plan.bots != part.plan.bots:
            names = sorted({bot.name for bot in {*plan.bots} ^ {*part.plan.bots}})
            why = f"other bots play in it, or other versions: {', '.join(names)}"
        elif to_the_end(plan) != to_the_end(part.plan):
            why = "its pools are planned otherwise"
        else:
            continue
        foreign.append(f"{part.place}: {why}; it cannot go with {place}: leave it out")
    if foreign:
        raise UsageError(*foreign)


def _write(
    out: Path,
    parts: Sequence[Part],
    plan: StoredPlan,
    survey: Survey,
    say: Callable[[str], None],
    steps: Progress,
) -> tuple[int, list[str]]:
    """Take all that is to be taken; return how many games were new, and which ended otherwise."""
    new, differing = 0, list[str]()
    with closing(Store.create_or_open(out, say)) as store:
        if not was_planned(store):
            first = parts[0]
            begin(store, plan, first.secret, choices_in(first.store))
        elif (kept := plan_in(store)) != plan:
            _hold_one_tournament(str(store.path), kept, secret_in(store), parts)
            keep_plan(store, further(kept, plan))
        if any(is_revealed(part.store) for part in parts):
            store.set_meta(REVEALED, 1)
        for part in parts:
            steps.begin(f"taking games of {part.place}", part.store.count())
            taken = take(store, part.store, survey.wrong[part.store.path], steps)
            new += taken.new
            if taken.differing:
                ids = ", ".join(taken.differing[:SHOWN])
                differing.append(
                    f"{part.place}: {amount(len(taken.differing), 'game')} ended otherwise than in "
                    f"{store.path}, where they stay as they are: {ids}"
                )
    return new, differing


def _count(out: Path) -> int:
    with closing(Store.open(out, checked=True)) as store:
        return store.count()
