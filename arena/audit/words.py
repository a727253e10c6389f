"""The results of verifying and auditing, in words for people."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from arena.audit import host_games, rerun
from arena.audit.audit import Audit
from arena.audit.deals import STORE
from arena.audit.rerun import Again
from arena.audit.verification import DAMAGED, RULES, SECRET, Verification
from arena.tables.layout import Table
from arena.tables.terminal import whole_texts
from arena.words import amount

MOST_LISTED = 20  # findings, games or leaks that are listed


def describe_verification(verification: Verification, again: Sequence[Again]) -> list[str]:
    """Describe a verification, and the games played again: all but the findings."""
    from arena.audit import refit  # numpy takes its time

    total = len(verification.findings)
    findings = amount(total, "finding")
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
    lines += _of_deals(verification)
    if verification.compared:
        lines.append(f"tables: {_of_tables(verification)}: {', '.join(verification.compared)}")
    if verification.refits:
        lines.append("ratings: made again by the trueskill package, in passes until they settle")
        lines += [f"  {refit.describe_refit(each)}" for each in verification.refits]
    if again:
        alike = sum(game.alike is True for game in again)
        lines.append(f"played again: {len(again):,} games, {alike:,} came out alike")
        lines += _not_compared(again)
    lines.append(f"{findings}, see above" if total else "all is as it should be")
    return lines


def _of_tables(verification: Verification) -> str:
    if verification.exact:
        return "made again and compared byte for byte"
    elsewhere = "written with other versions or on another kind of CPU"
    if not verification.rounding:
        return f"{elsewhere}; made again and compared, nothing differs"
    differing = amount(verification.rounding, "number")
    verb = "differs" if verification.rounding == 1 else "differ"
    return f"{elsewhere}; made again and compared, {differing} {verb} by rounding"


def _of_deals(verification: Verification) -> Iterator[str]:
    """The result of dealing again, and what that proves."""
    if verification.deals:
        source = verification.dealt_from
        yield f"deals: dealt again from the secret{'' if source == STORE else f' of {source}'}"
    else:
        if any(finding.kind == SECRET for finding in verification.findings):
            why = "its secret is not as it should be"
        elif verification.seed_given:
            why = "there is no secret in it: --seed N deals them from the seed of its config"
        else:
            why = (
                "there is no secret in it: --secret FILE takes what `arena reveal` publishes when "
                "all is played"
            )
        yield f"deals: not dealt again, for {why}"
    if verification.commitment:
        compare = "; compare it with what was published before the first game"
        yield f"commitment: {verification.commitment}{compare if verification.public else ''}"
    elif verification.public and not verification.seed_given:
        yield "commitment: none, so that nothing in it says when its secret was drawn"


def _of_hosts(residuals: list[host_games.Residual], width: int) -> Iterator[str]:
    if not residuals:
        return
    apart = [each.host for each in residuals if each.apart]
    yield ""
    yield "Hosts: CPU time of the same bots' decisions to that on all others, by each host's clock"
    rows = [
        (each.host, ", ".join(each.clocks), f"{each.sessions:,}",
         "-" if each.ratio is None else f"{each.ratio:.2f}")
        for each in residuals
    ]  # fmt: skip
    heads = ("host", "clock", "sessions of bots", "ratio")
    yield from whole_texts(Table("", (), heads, rows), width, (), ("host", "clock"))
    if apart:
        yield (
            f"{', '.join(apart)}: more than {host_games.APART:.2f} times apart; limits of CPU time "
            "meant another amount of work there"
        )


def _of_games_on_hosts(found: list[host_games.OnHost], width: int) -> Iterator[str]:
    if not found:
        return
    yield ""
    yield "Hosts: faults of time (late), and the bot whose results are the furthest from elsewhere"
    heads = ("host", "seats", "late", "expected", "furthest", "pool", "points")
    rows = [(each.host, *_late(each.faults), *_furthest(each.furthest)) for each in found]
    gives_way, texts = ("seats", "pool"), ("host", "furthest", "pool")
    yield from whole_texts(Table("", (), heads, rows), width, gives_way, texts)
    apart = [each for each in found if each.apart]
    if not any(each.faults or each.furthest for each in found):
        yield "Nothing to compare: no line-up was played on two hosts"
    elif not apart:
        yield "No host differs by more than luck from the others, in games of the same line-ups"
    for each in apart:
        late, gain = each.faults, each.furthest
        if late and late.apart:
            yield (
                f"{each.host}: {amount(late.faults, 'fault')} of time, where {late.expected:.1f} "
                "were to be expected; it was slower than its clock says, or had other work"
            )
        if gain and gain.apart:
            yield (
                f"{each.host}: {gain.bot} had {abs(gain.points):.1f} ± {2 * gain.points_se:.1f} "
                f"points of 100 {'more' if gain.points > 0 else 'less'} there in {gain.pool}; "
                "`arena verify --replay-bots` plays games again here"
            )


def _late(faults: host_games.Faults | None) -> tuple[str, str, str]:
    if faults is None:
        return "-", "-", "-"
    return f"{faults.seats:,}", f"{faults.faults:,}", f"{faults.expected:.1f}"


def _furthest(gain: host_games.Gain | None) -> tuple[str, str, str]:
    if gain is None:
        return "-", "-", "-"
    return gain.bot, gain.pool, f"{gain.points:+.1f} ± {2 * gain.points_se:.1f}"


def _not_compared(again: Iterable[Again]) -> Iterator[str]:
    """How many games cannot be compared, and which bots had a fault only in the replay. Not those
    that a reader's limits cut short: `cli.audit.say_cut` reports them.
    """
    unsaid = [game for game in again if game.alike is None and not game.bounded]
    if not unsaid:
        return
    only_here = Counter(game.bot for game in unsaid if game.fault)
    bots = [f"{bot} had it in {times:,} only here" for bot, times in sorted(only_here.items())]
    words = f"{amount(len(unsaid), 'game')} with a time or memory fault cannot be compared"
    yield "; ".join([words, *bots])


def describe_audit(audit: Audit, width: int) -> Iterator[str]:
    """Describe an audit, in lines and in tables of `width` characters."""
    yield "Bots that do not repeat themselves: sampled games, played again with the stored bots"
    if audit.repeats:
        heads = ("bot", "games", "differ")
        repeats = [(each.bot, f"{each.games:,}", f"{each.otherwise:,}") for each in audit.repeats]
        yield from whole_texts(Table("", (), heads, repeats), width, (), ("bot",))
        differing = [game for game in audit.again if game.alike is False]
        for game in differing[:MOST_LISTED]:
            yield f"game {game.game}: {rerun.describe_rerun(game)}"
        yield from _not_compared(audit.again)
    elif audit.public:
        yield "not done: of a published store no game is played again"
    else:
        yield "not done: no game of the tables is stored whole"
    views = audit.views
    yield ""
    yield (
        f"Views that leak: hidden cards dealt anew at {amount(views.positions, 'position')}, "
        f"{amount(views.compared, 'view')} compared, {len(views.leaks) or 'none'} changed"
    )
    if views.not_compared:
        yield f"{views.not_compared:,} more were not compared: their game has no `redealt`"
    yield from views.leaks[:MOST_LISTED]
    yield from _of_hosts(audit.residuals, width)
    yield from _of_games_on_hosts(audit.on_hosts, width)
    yield ""
    yield "Pairs that help each other: points in 100 gained at finishing ahead of third bots"
    if not audit.leans:
        yield "not done: it takes three sides at a table, and enough deals"
        return
    for pairs in audit.leans:
        named = [pair for pair in pairs if pair.beyond_chance]
        count = f"{len(named) or 'none'} of {amount(len(pairs), 'pair')}"
        yield f"{pairs[0].pool}: {count} beyond chance"
        rows = [
            (*(cell for bot, gain, error in zip(pair.bots, pair.gains, pair.gains_se, strict=True)
               for cell in (bot, f"{gain:+.1f} ± {2 * error:.1f}")),
             f"{pair.games:,}", f"{pair.p_holm:.3f}")
            for pair in named
        ]  # fmt: skip
        if rows:
            columns = ("bot", "gains", "and", "gains", "games", "p")
            gives_way, texts = ("games",), ("bot", "and")
            yield from whole_texts(Table("", (), columns, rows), width, gives_way, texts)
        yield f"  {_findable([pair.least_lean for pair in pairs])}"
    pools = amount(len(audit.leans), "pool")
    yield f"Chance is that of all pairs of {pools} together; a lean is both bots' gains added up"
    if any(pair.beyond_chance for pairs in audit.leans for pair in pairs):
        yield "Look at such a pair's games: its gain is no proof, for styles can suit each other"


def _findable(leasts: Sequence[float | None]) -> str:
    """Which leans a pool's games were enough to find, by the least of each pair."""
    found = [least for least in leasts if least is not None]
    if not found:
        return "no lean could have been found: it takes more bots, or more deals"
    ends = dict.fromkeys(f"{end:.0f}" for end in (min(found), max(found)))
    text = f"so many games show a lean of {' to '.join(ends)} points in four audits of five"
    without = len(leasts) - len(found)
    return text + (f"; of {amount(without, 'pair')} they show none" if without else "")
