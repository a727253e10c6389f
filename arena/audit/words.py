"""What verifying and auditing came to, in words for people."""

from collections.abc import Iterator, Sequence

from arena.audit import rerun
from arena.audit.audit import Audit
from arena.audit.rerun import Again
from arena.audit.verify import DAMAGED, RULES, Verification
from arena.escape import visible

MOST = 20  # findings, games or leaks that are listed


def of_verification(verification: Verification, again: Sequence[Again]) -> list[str]:
    """Return what became of verifying, and of playing games again: all but the findings."""
    from arena.audit import refit  # numpy takes its time

    total = len(verification.findings)
    findings = "1 finding" if total == 1 else f"{total:,} findings"
    if not verification.read:
        return [f"games: not read, since the file is not as arena makes it; {findings}, see above"]
    kinds = (DAMAGED, RULES)
    bad = {f.place for f in verification.findings if f.kind in kinds and f.place != "database"}
    lines = [f"games: {verification.games - len(bad):,} of {verification.games:,} are by the rules"]
    if verification.left_out:
        lines[0] += (
            f"; {verification.left_out:,} of them are in no table (old versions and the like)"
        )
    stored = verification.games - verification.left_out - len(bad)
    if stored != verification.planned:
        missing = f"{verification.planned - stored:,} of {verification.planned:,}"
        lines.append(f"the plan: {missing} games are not in the tables (not played yet, or nobody "
                     "in them loads)")  # fmt: skip
    if verification.deals:
        lines.append("deals: dealt again from the secret")
    else:
        lines.append("deals: not dealt again, there is no secret in it to do it by")
    if verification.compared:
        how = (
            "byte for byte"
            if verification.exact
            else ("to one unit in the last place, for they were written by other versions")
        )
        lines.append(f"tables: made again and compared {how}: {', '.join(verification.compared)}")
    if verification.refits:
        lines.append("ratings: made again by the trueskill package itself, passed over the games "
                     "until it settles")  # fmt: skip
        lines += [f"  {refit.in_words(each)}" for each in verification.refits]
    if again:
        alike, unsaid = (sum(game.alike is how for game in again) for how in (True, None))
        lines.append(f"played again: {len(again):,} games, {alike:,} came out alike")
        if unsaid:
            lines[-1] += f"; {unsaid:,} had a time or memory fault, so nothing can be said"
    lines.append(f"{findings}, see above" if total else "all is as it should be")
    return lines


def of_audit(audit: Audit) -> Iterator[str]:
    """Yield what an audit came to, in lines."""
    from tabulate import tabulate

    yield "Repeating itself: sampled games played again, with the stored bots"
    if audit.repeats:
        heads = ("bot", "games again", "decided otherwise")
        rows = [[visible(bot), *counts] for bot, *counts in audit.repeats]
        yield from tabulate(rows, heads, "simple").splitlines()
        differing = [game for game in audit.again if game.alike is False]
        for game in differing[:MOST]:
            yield f"game {game.game}: {rerun.in_words(game)}"
        unsaid = sum(game.alike is None for game in audit.again)
        if unsaid:
            yield f"{unsaid:,} games had a time or memory fault: nothing can be said of them"
    elif audit.public:
        yield "not done: a published file has no secret to play games again by"
    else:
        yield "not done: no game of the tables is stored whole"
    views = audit.views
    yield ""
    yield (
        f"Hidden cards: dealt anew at {views.positions:,} positions, {views.compared:,} views "
        f"compared, {'none' if not views.leaks else f'{len(views.leaks):,}'} changed"
    )
    if views.not_compared:
        yield f"({views.not_compared:,} more could not be: their game has no `redealt`)"
    yield from views.leaks[:MOST]
    yield ""
    yield "Who does better with whom: points in 100 of finishing ahead of third bots"
    if not audit.leans:
        yield "nothing to say: it takes three sides at a table, and enough deals"
        return
    for pool, own in audit.leans:
        named = [lean for lean in own if lean.beyond_chance]
        yield f"{pool.title}: of {len(own)} pairs {len(named) or 'none'} beyond chance"
        rows = [
            [*(cell for bot, gain, error in zip(lean.bots, lean.gains, lean.gains_se, strict=True)
               for cell in (visible(bot), f"{gain:+.1f} ± {2 * error:.1f}")),
             f"{lean.games:,}", f"{lean.p_holm:.3f}"]
            for lean in named
        ]  # fmt: skip
        if rows:
            columns = ("bot", "gains", "and", "gains", "games", "p")
            align = ("left", "right", "left", "right", "right", "right")
            table = tabulate(rows, columns, "simple", colalign=align, disable_numparse=True)
            yield from table.splitlines()
    if any(lean.beyond_chance for _, own in audit.leans for lean in own):
        yield "A pair that is named is a reason to look at its games, not a proof: styles can suit"
        yield "each other."
