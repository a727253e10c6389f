"""Results of `arena explain` as Structs, and their sentences. Pure."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from math import ceil, sqrt
from statistics import NormalDist
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Struct

import games
from arena.records.replay import call_seats, describe_table
from arena.typed_json import Count, First, means
from arena.words import amount
from games import Game

SHOWN, SHOWN_EACH = 5, 3  # runs of marks of a seat; of each where there are several seats
BETA = 25 / 6  # TrueSkill's
OFTEN = 0.01  # share of games that a bot may forfeit in silence
Unit = Literal["beats", "score"]
Worlds = Literal["fair", "true cards", "cannot resample"]


class Mark(Struct, frozen=True, kw_only=True):
    """A decision that cost its seat, and the one that would have been better."""

    action_number: Annotated[Count, means("Number of actions before it.")]
    unrecorded_decisions: Annotated[
        Count, means("Decisions since then that records leave out (17's window).")
    ]
    decision: Annotated[str, means("What the seat decided.")]
    better: Annotated[str, means("The best other decision.")]
    loss: Annotated[float, means("What the better decision gains, in `unit`.")]
    loss_se: Annotated[float, means("Standard error of the loss; 0 where no chance is left.")]
    unit: Annotated[
        Unit,
        means("beats: share of opponents beaten; score: the margin, where the rank is settled."),
    ]
    decision_value: Annotated[float, means("What the seat's own decision is worth, in `unit`.")]
    worlds: Annotated[Count, means("Worlds that the loss was measured in.")]
    view: Annotated[dict[str, Any], means("The view's fields.")]


class Habit(Struct, frozen=True, kw_only=True):
    """A class of moves that the winner chose more often, of all choices of it in the game."""

    move_class: Annotated[str, means("As rules name it.")]
    winner: Annotated[tuple[Count, Count], means("How often the winner chose it, and could.")]
    seat: Annotated[tuple[Count, Count], means("The same of the seat.")]


class SeatExplained(Struct, frozen=True, kw_only=True):
    """A seat of a game that was explained."""

    seat: int
    bot: str
    share_beaten: Annotated[float, means("Share of opponents that it beat in this game.")]
    expected_share: Annotated[
        float, means("The same on other deals, of these bots in these seats.")
    ]
    expected_se: Annotated[float, means("Standard error of `expected_share`; 1 if unknown.")]
    deal_share: Annotated[float, means("The same on this deal, with other dice.")]
    deal_se: Annotated[float, means("Standard error of `deal_share`; 1 if unknown.")]
    lost_before_first_decision: Annotated[
        bool, means("Whether the game was lost before its first decision.")
    ]
    decisions: Annotated[
        Count, means("Decisions that it made; `shares_by_decision` has those looked at.")
    ]
    shares_by_decision: Annotated[
        list[tuple[int, int, float]],
        means(
            "For each decision looked at: `action_number`, `unrecorded_decisions`, and the share "
            "that it beats by it."
        ),
    ]
    mistakes: Annotated[
        list[Mark], means("The costliest first, by worlds that `loss` is not measured in.")
    ]
    games: Annotated[Count, means("Its part of the games that were played on.")] = 0
    detectable_loss: Annotated[
        float, means("Share of opponents that no decision cost unmarked.")
    ] = 1.0
    winner: Annotated[int | None, means("Seat of the winner; null where it won, or a partner.")] = (
        None
    )
    habits: Annotated[list[Habit], means("The clearest first.")] = []


class Explained(Struct, frozen=True, kw_only=True):
    """Reasons why seats lost a game, as `arena explain RESULTS GAME --json` prints it."""

    version: Annotated[Literal[2], means("Of this format.")] = 2
    game_id: Annotated[str, means("Its id.")]
    pool: Annotated[str, means("Title of its pool.")]
    bots: Annotated[list[str], means("By seat.")]
    ranks: Annotated[list[int], means("By seat; 1 is best.")]
    worlds: Annotated[
        Worlds,
        means(
            "fair: what the seat did not know was dealt again; true cards: --hindsight; cannot "
            "resample: the game has no `resample`, so the true cards."
        ),
    ]
    games: Annotated[Count, means("Games that were played on.")]
    faults: Annotated[dict[str, Count], means("How many of them a bot forfeited, by its name.")]
    not_reproduced: Annotated[
        list[str], means("Bots with a memory that answered differently when asked again.")
    ]
    seats: list[SeatExplained]


class Opponent(Struct, frozen=True, kw_only=True):
    """A rule's gain against an opponent."""

    bot: str
    gain: Annotated[
        float, means("Share of games in which the bot finishes ahead, with less without.")
    ]
    gain_se: Annotated[float, means("Its standard error.")]
    deals: Count


class RuleTested(Struct, frozen=True, kw_only=True):
    """A rule for a bot's decisions, tested in whole games on fresh deals."""

    rule: Annotated[str, means("As `--rule` takes it.")]
    deals: Count
    gain: Annotated[float, means("Share of opponents beaten, with the rule less without.")]
    interval: Annotated[tuple[float, float], means("95%, corrected for all rules measured (Holm).")]
    p_value: Annotated[float, means("Of the test, corrected likewise.")]
    share_without_rule: Annotated[float, means("Share of opponents beaten without the rule.")]
    gain_mu: Annotated[float, means("About what the gain is in mu.")]
    changed_share: Annotated[float, means("Share of the bot's decisions that the rule changed.")]
    changed_mean_progress: Annotated[
        float, means("How far into a game those are, on average: of its decisions 0 is the first.")
    ]
    no_replacement: Annotated[Count, means("Decisions that stayed, as no replacement was legal.")]
    by_opponent: Annotated[list[Opponent], means("The largest gain first.")]
    code: Annotated[str, means("Lines that play it, for the end of the bot's file.")] = ""


class Advice(Struct, frozen=True, kw_only=True):
    """Rules that make a bot better at a game."""

    bot: str
    game: str
    pools: Annotated[list[str], means("Titles of the pools whose games were used.")]
    decisions: Annotated[Count, means("Decisions that were played on with every alternative.")]
    games: Annotated[Count, means("Games that were played.")]
    rules_tested: Annotated[Count, means("Rules tested: those that hold, and those that failed.")]
    confirmed: Annotated[
        list[RuleTested],
        means(
            "Those whose `p_value` is below 0.05 and whose `interval` is above 0, the one that "
            "begins highest first. Unless they were given, all but `p_value` is measured on as "
            "many deals again: those of the test chose them."
        ),
    ]
    rejected: list[RuleTested]
    seconds_needed: Annotated[
        Count | None, means("Seconds that would do, where the time was too short for a verdict.")
    ] = None


class Advices(Struct, frozen=True, kw_only=True):
    """Rules that make a bot better, as `arena explain RESULTS BOT --json` prints them."""

    version: First = 1
    advice: Annotated[list[Advice], means("By game.")]


def mu_gained(before: float, gain: float) -> float:
    """About how many mu it takes to beat so many more opponents, of TrueSkill's curve."""
    ends = [min(max(share, 0.001), 0.999) for share in (before, before + gain)]
    low, high = map(NormalDist(sigma=sqrt(2) * BETA).inv_cdf, ends)
    return round(high - low, 2)


def describe_advice(
    advice: Advice, given: bool, seconds: float, results: str = "RESULTS"
) -> Iterator[str]:
    """Yield what rules did in a run of so many seconds, in sentences; ± is half the corrected
    interval. Rules that failed are shown where none holds, or where they were `given`. `results`
    are the bot's, as one types them.
    """
    title, tested = games.title(advice.game), amount(advice.rules_tested, "rule")
    if not (given or advice.rules_tested or advice.seconds_needed):
        yield f"{advice.bot} in {title}: not searched to the end; `--game {advice.game}` does that."
        return
    hold = "1 holds" if len(advice.confirmed) == 1 else f"{len(advice.confirmed)} hold"
    pools = ", ".join(pool.removeprefix(f"{title} ") for pool in advice.pools)
    end = f"{hold}."
    if advice.seconds_needed:
        end = "too few deals for a verdict" + (". So far:" if advice.rules_tested else ".")
    yield f"{advice.bot} in {title} ({pools}): {tested} tested, {end}"
    shown = [*advice.confirmed, *advice.rejected]
    if not given:
        shown = advice.confirmed or advice.rejected[:SHOWN_EACH]
    for number, rule in enumerate(shown, 1):
        yield f"{number}. {rule.rule}"
        yield from (f"   {line}" for line in _describe_rule(rule, given))
    if advice.seconds_needed:
        enough = f"--game {advice.game} --seconds {advice.seconds_needed}"
        yield f"Give about `{enough}`, or leave slow bots out with `--without`."
    elif not advice.confirmed and not given:
        more = f"--game {advice.game} --seconds {ceil(2 * seconds)}"
        yield f"{amount(advice.decisions, 'decision')} sampled. To search on: `{more}`."
    code = advice.confirmed[0].code if advice.confirmed else ""
    if code:
        yield "Rule 1 in Python, for the end of the bot's file:"
        yield from ("", *code.splitlines(), "")
    elif advice.confirmed:
        yield f"No Python: {advice.bot}'s file does not show what to put a rule around."
    if advice.confirmed and not given:
        match = f"arena match {advice.bot} --played {results} --field --game {advice.game}"
        yield f"Try it: add the rule to {advice.bot}, then `{match}`."


def _describe_rule(rule: RuleTested, given: bool) -> Iterator[str]:
    low, high = rule.interval
    more = "fewer" if rule.gain < 0 else "more"
    gain = f"beats {100 * abs(rule.gain):.1f} ±{50 * (high - low):.1f} {more} opponents in 100"
    deals = f"{rule.deals:,} fresh deals"
    if rule.no_replacement and given:
        yield f"{amount(rule.no_replacement, 'decision')} stayed: no replacement was legal."
    if not rule.changed_share:
        yield f"It changed no decision in {deals}."
        return
    significant = "not significant" if low <= 0 <= high else f"about {rule.gain_mu:+.1f} mu"
    yield f"{gain}: {significant}, {deals}."
    changes = f"{rule.changed_share:.0%} of decisions"
    yield f"It changes {changes}, on average {rule.changed_mean_progress:.0%} into a game."
    if len(rule.by_opponent) > 1:
        best, worst = rule.by_opponent[0], rule.by_opponent[-1]
        ends = [
            f"{one.bot} {100 * one.gain:+z.0f} ±{200 * one.gain_se:.0f}" for one in (best, worst)
        ]
        but = "but worse" if worst.gain + 3 * worst.gain_se < 0 else "least"
        how, other = ("Gains most", but) if best.gain > 0 else ("Loses least", "most")
        yield f"{how} against {ends[0]}; {other} against {ends[1]}."


def describe_explained(explained: Explained, rules: Game, options: Any) -> Iterator[str]:
    """Yield why seats lost a game, in sentences; ± is two standard errors."""
    names, view_type = call_seats(explained.bots), games.bind_options(rules.View, options)
    if explained.worlds == "cannot resample":
        yield f"{games.title(rules.NAME)} has no `resample`: hidden cards are those of the game."
    for seat in explained.seats:
        if seat is not explained.seats[0]:
            yield ""
        rank = f"ranked {explained.ranks[seat.seat]} of {len(explained.ranks)}"
        place = f" (seat {seat.seat})" if explained.bots.count(seat.bot) > 1 else ""
        yield f"{explained.pool}, game {explained.game_id[:8]}: {seat.bot}{place} {rank}."
        expected = f"{seat.expected_share:.0%} ±{200 * seat.expected_se:.0f}"
        on_deal = f"{seat.deal_share:.0%} ±{200 * seat.deal_se:.0f}"
        if max(seat.expected_se, seat.deal_se) < 1:
            yield f"It beats {expected} of these opponents on other deals, {on_deal} on this deal."
        if seat.lost_before_first_decision and seat.shares_by_decision:
            before = f"{seat.shares_by_decision[0][2]:.0%}"
            yield f"Lost from the start: it beat {before} of them before its first decision."
        runs, looked = find_runs(explained, seat), len(seat.shares_by_decision)
        if seat.winner is not None and (seat.lost_before_first_decision or not runs):
            told = [
                f"{one.move_class} in {one.winner[0]} of {one.winner[1]} choices, "
                f"{names[seat.seat]} in {one.seat[0]} of {one.seat[1]}"
                for one in seat.habits
            ] or ["no kind of move much more often"]
            yield f"The winner, {names[seat.winner]}, chose {'; '.join(told)}."
        if not runs:
            of_all = f"{looked} of " * (looked < seat.decisions) + amount(
                seat.decisions, "decision"
            )
            more = "; more --seconds look at more" * (looked < seat.decisions)
            yield f"No costly decision found ({of_all} looked at{more})."
            loss, played = ceil(100 * seat.detectable_loss), amount(seat.games, "game")
            shown = f"would have shown a loss of {loss} opponents in 100 or more."
            few = "are too few to show any loss: play more with --seconds."
            yield f"{played} {shown if loss < 100 else few}"
            continue
        if explained.worlds == "true cards":
            yield f"With the true cards, which {seat.bot} could not know, these cost most:"
        else:
            yield "Decisions that cost most, against these bots as they play:"
        for number, run in enumerate(runs, 1):
            yield f"{number}. {_describe(run, rules)}"
            view = msgspec.convert([*run[0].view.values()], view_type)
            yield f"   {describe_table(games.zones(rules, view), names, seat.seat)}"
        yield f"{describe_good(looked, len(seat.mistakes))}."
    for bot in explained.not_reproduced:
        yield f"{bot} has a memory and random decisions: what it remembers may not fit these games."
    for bot, count in explained.faults.items():
        if count > OFTEN * explained.games:
            often = f"{bot} forfeited {count:,} of {explained.games:,} games"
            yield f"{often}: `arena check {bot}` says why."


def describe_good(looked: int, marked: int) -> str:
    """Count the decisions that are not marked, of those looked at."""
    return f"{looked - marked} of {looked} decisions were as good as the best found"


def find_runs(explained: Explained, seat: SeatExplained) -> list[list[Mark]]:
    """Join marks of decisions in a row that are alike, the costliest first, also of a run; return
    those to be shown.
    """
    marks = {(mark.action_number, mark.unrecorded_decisions): mark for mark in seat.mistakes}
    in_order = (marks.get((at, passes)) for at, passes, _ in seat.shares_by_decision)
    alike = groupby(in_order, lambda mark: mark and (mark.decision, mark.better, mark.unit))
    runs = [sorted(filter(None, run), key=seat.mistakes.index) for change, run in alike if change]
    runs.sort(key=lambda run: seat.mistakes.index(run[0]))
    return runs[: SHOWN if len(explained.seats) == 1 else SHOWN_EACH]


def _describe(run: Sequence[Mark], rules: Game) -> str:
    mark, several = run[0], len(run) > 1
    where = f"action{'s' * several} {', '.join(map(str, sorted(one.action_number for one in run)))}"
    at = f" at {mark.action_number}" if several else ""
    if mark.unit == "score":
        gain, doubt = _round(mark.loss, 2), _round(2 * mark.loss_se, 1)
        more = f"gains {gain} ±{doubt} {games.score_unit(rules, 2)}{at} ("
    else:
        better = f"{mark.decision_value + mark.loss:.0%}, not {mark.decision_value:.0%}"
        more = f"beats {100 * mark.loss:.0f} ±{200 * mark.loss_se:.0f} more{at} ({better}; "
    worlds = amount(mark.worlds, "world")
    return f"{where}: {mark.decision}; {mark.better} {more}{worlds})."


def _round(number: float, digits: int) -> str:
    """Write a number of points: so many digits, or all before the point."""
    return f"{number:.{digits}g}" if number < 9.5 else f"{number:.0f}"
