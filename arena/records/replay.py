"""A recorded game in words and step by step, as all see it or as one seat does. Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, NamedTuple

from msgspec import Struct

import games
from arena.errors import UsageError
from arena.records.record import apply_action, open_record, parse_entry
from arena.typed_json import First, means
from arena.words import every, visible
from games import FORFEIT, Event, Phrase, State, Zone

YOU = "you"
_AS_YOU = {"is": "are", "has": "have", "goes": "go", "passes": "pass", "does": "do"}


def read_meta(record: dict[str, Any]) -> dict[str, Any]:
    """The part of a record that the rules do not check: its values may be of any type."""
    meta = record.get("meta")
    return meta if isinstance(meta, dict) else {}


def name_seats(record: dict[str, Any]) -> list[str]:
    """The bots of a record by seat; "" for each if it does not say."""
    bots, seats = read_meta(record).get("bots"), record["players"]
    if not isinstance(bots, list) or len(bots) != seats:
        return [""] * seats
    return [visible(str(bot)) for bot in bots]


def describe_record(record: dict[str, Any]) -> str:
    """A record's game, options and bots, on one line."""
    names = name_seats(record)
    table = ", ".join(f"{seat} {name}".rstrip() for seat, name in enumerate(names))
    options = "".join(f", {key} = {value}" for key, value in record.get("options", {}).items())
    return visible(f"{games.title(record['game'])}, {len(names)} players{options}: {table}")


def call_seats(names: Sequence[str]) -> list[str]:
    """Names of the seats in sentences; with the number where a name leaves a doubt."""
    return [
        f"seat {seat}" if not name else f"{name} ({seat})" if names.count(name) > 1 else name
        for seat, name in enumerate(names)
    ]


def describe_result(game: str, result: Mapping[str, Any], names: Sequence[str]) -> str:
    """Describe the end of a game in a sentence; `names` by seat."""
    rules, names = games.load(game), call_seats(names)
    ranks, scores, out = result["ranks"], result["scores"], result.get("forfeits", [])
    groups: list[str] = []
    for rank in sorted({rank for seat, rank in enumerate(ranks) if seat not in out}):
        seats = [seat for seat, its in enumerate(ranks) if its == rank and seat not in out]
        who, score = every([names[seat] for seat in seats]), scores[seats[0]]
        if groups:
            groups.append(f"{'then ' * (len(groups) == 1)}{who} with {score}")
            continue
        rivals = len({rules.side(seat) for seat in seats}) > 1
        verb = "share the win" if rivals else "win" if " and " in who or who == YOU else "wins"
        groups.append(f"{who} {verb} with {score} {games.score_unit(rules, score)}")
    if out:
        groups.append(f"{every([names[seat] for seat in out])} forfeited")
    why = result["reason"].replace("_", " ")
    return ", ".join(groups) + ("" if why in ("complete", "forfeit") else f" ({why})") + "."


def sentences(phrases: Sequence[Phrase], names: Sequence[str]) -> str:
    """Write an action, and its effects, as a sentence; `names` by seat, as `call_seats`
    has them.
    """
    first, *rest = [_clause(phrase, names) for phrase in phrases]
    first = first if phrases[0].seat is not None else first[:1].upper() + first[1:]
    return f"{first}. {', '.join(rest)}." if rest else f"{first}."


def _clause(phrase: Phrase, names: Sequence[str]) -> str:
    if phrase.seat is None:
        return phrase.words
    name, (verb, *more) = names[phrase.seat], phrase.words.split(" ")
    if name == YOU:
        verb = _AS_YOU.get(verb, verb.removesuffix("s"))
    return " ".join([name, verb, *more])


def describe_zones(zones: Iterable[Zone]) -> str:
    return ", ".join(f"{visible(zone.name)} {describe_zone(zone)}" for zone in zones)


def describe_table(zones: Sequence[Zone], names: Sequence[str], first: int | None) -> str:
    """Describe the table, then the zones of each seat, the `first` one first, without numbers that
    are hidden; `names` by seat.
    """
    order = sorted(range(len(names)), key=lambda seat: seat != first)
    told = list[str]()
    for seat, head in [(None, ""), *((seat, f"{names[seat]}: ") for seat in order)]:
        mine = [zone for zone in zones if zone.seat == seat]
        mine = [zone for zone in mine if zone.is_cards or not zone.pieces[0].is_hidden]
        told += [head + describe_zones(mine)] if mine else []
    return "; ".join(told)


def describe_zone(zone: Zone) -> str:
    """A zone's pieces in words: backs are counted, not drawn."""
    seen = [visible(piece.text) for piece in zone.pieces if not piece.is_hidden or piece.text]
    seen = sorted(seen) if zone.style == "pile" else seen
    backs = len(zone.pieces) - len(seen)
    if not zone.is_cards and backs:
        return "hidden"
    if not zone.is_cards:
        return " ".join(seen) or "-"
    if zone.seat is None and seen and backs and zone.style != "pile":  # their order tells something
        return " ".join(
            "hidden" if piece.is_hidden else visible(piece.text) for piece in zone.pieces
        )
    return " ".join([*([f"{backs} hidden"] if backs else []), *seen]) or "none"


MOST_PRINTED, LONGEST_PRINTED = 20, 400  # lines by an action; characters


def replay_to(record: dict[str, Any], at: int | None) -> State:
    """Replay a record to the state after its first `at` actions (all if None).

    Raises Divergence if the record does not hold, UsageError if it has fewer actions.
    """
    state, actions = open_record(record), record["actions"]
    if at is not None and not 0 <= at <= len(actions):
        raise UsageError(f"--at: found {at}; the game has {len(actions)} actions")
    for index, entry in enumerate(actions[:at]):
        apply_action(state, index, *parse_entry(index, entry, record["players"]))
    return state


def replay_lines(
    record: dict[str, Any],
    seat: int | None = None,
    printed: Mapping[int, Sequence[tuple[str, str]]] = {},
    at: int | None = None,
    chances: Mapping[int, str] = {},
    marks: Mapping[int, Sequence[str]] = {},
) -> Iterator[str]:
    """Yield the game as lines: its name and bots, each action in words and the table after it, the
    result; as `seat` sees it, with None all hands. Given `at`, only the table after so many actions
    in full, and the actions before and after it.

    `printed` has lines by the action before which they were printed, as (bot, line); they stand
    below it and the table. By action too, `chances` stand before what was done, `marks` below.
    Raises as `Walk` does.
    """
    walk = Walk(record, seat)
    eyes = "" if seat is None else f"; seen by {f'{seat} {walk.names[seat]}'.rstrip()}"
    yield describe_record(record) + eyes
    for step in range(-1, walk.steps):  # first what lies there before any action
        if step >= 0:
            walk.advance()
            if at in (None, step, step + 1):
                chance = f"{chances.get(step, ''):>4}  " if chances else ""
                yield f"{step:>4}  {chance}{walk.last or 'Nothing that this seat can see.'}"
                yield from (f"      {mark}" for mark in marks.get(step, ()))
        if at is None:
            yield f"      {_table_of(walk)}".rstrip()
        elif at == step + 1:
            first = walk.state.to_act if seat is None else seat
            yield f"      {describe_table(walk.zones(), call_seats(walk.names), first)}"
        if at in (None, step):
            yield from format_prints(printed.get(step, ()))
        if step == at:
            return
    if walk.state.to_act is None:
        yield "Game over: " + describe_result(record["game"], walk.state.result(), walk.names)
    yield from format_prints(printed.get(walk.steps, ()))


class ReplayStep(Struct, frozen=True, kw_only=True):
    """An action of a game, and the table after it."""

    action_number: Annotated[int, means("Number of actions before it.")]
    seat: Annotated[int | None, means("Whose action; null where the viewer cannot see it.")]
    action: Annotated[str | None, means("As in the record; with --as, only of that seat.")]
    description: Annotated[str, means("The action in words; empty where the viewer cannot see it.")]
    table_text: Annotated[str, means("What lies on the table after it, by zones.")]
    printed: Annotated[list[tuple[str, str]], means("Bot and line, printed before the action.")]


class Replay(Struct, frozen=True, kw_only=True):
    """A whole game, as `arena replay --json` prints it: as all see it, or as one seat does."""

    version: First = 1
    game_id: Annotated[str, means("Of the game; empty where its record has none.")]
    game: str
    options: Annotated[dict[str, Any], means("Those of the rules that are not the default.")]
    bots: Annotated[list[str], means("By seat; empty where the record does not say.")]
    seat: Annotated[int | None, means("Whose view it is; null for all hands open.")]
    table_text: Annotated[str, means("What lies on the table before the first action.")]
    steps: list[ReplayStep]
    result: Annotated[dict[str, Any] | None, means("Scores and ranks by seat; null if unfinished.")]
    state: Annotated[
        dict[str, Any],
        means("After the last action: the keys of the record format, or the seat's view."),
    ]


def make_replay(
    record: dict[str, Any],
    seat: int | None = None,
    printed: Mapping[int, Sequence[tuple[str, str]]] = {},
) -> Replay:
    """The game step by step; `printed` as for `replay_lines`. Raises as `Walk` does."""
    walk, steps = Walk(record, seat), list[ReplayStep]()
    id = str(read_meta(record).get("id", ""))
    table = _table_of(walk)
    for step in range(walk.steps):
        walk.advance()
        actor, action, _ = parse_entry(step, record["actions"][step], walk.players)
        seen = seat in (None, actor)
        lines = [(visible(bot), visible(text)) for bot, text in printed.get(step, ())]
        steps.append(
            ReplayStep(
                action_number=step, seat=actor if seen or walk.last else None,
                action=action if seen else None,
                description=walk.last, table_text=_table_of(walk), printed=lines,
            )
        )  # fmt: skip
    return Replay(
        game_id=id, game=record["game"], options=record.get("options", {}), bots=walk.names,
        seat=seat,
        table_text=table, steps=steps,
        result=walk.state.result() if walk.state.to_act is None else None,
        state=walk.state.dump() if seat is None else dict(walk.state.view(seat)._asdict()),
    )  # fmt: skip


def _table_of(walk: "Walk") -> str:
    if walk.seat is None:
        return games.summarize(walk.rules, walk.state.dump())
    return describe_zones(walk.zones())


def format_prints(printed: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yield the lines that bots printed at one place of a game, cut to a readable length."""
    for bot, text in cut_prints(printed):
        yield f"      {bot} printed: {text}" if bot else f"      {text} (arena logs)"


def cut_prints(printed: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield the first of some lines, none longer than helps: (bot, text), visible. The last one has
    no bot, if it says how many more there are.
    """
    for bot, words in printed[:MOST_PRINTED]:
        text = words if len(words) <= LONGEST_PRINTED else words[: LONGEST_PRINTED - 3] + "..."
        yield visible(bot), visible(text)
    if len(printed) > MOST_PRINTED:
        yield "", f"... and {len(printed) - MOST_PRINTED:,} more lines"


class Mark(NamedTuple):
    """A seat's forfeit."""

    step: int  # actions before it
    seat: int
    kind: str  # of the fault; "" where the record does not say


class Walk:
    """A position in a record: after its first `step` actions, seen by `seat`; None sees all hands.

    It begins at step 0. Raises Divergence if the record does not hold, UsageError if there is no
    such seat.
    """

    def __init__(self, record: dict[str, Any], seat: int | None = None) -> None:
        self._record = record
        self.state = open_record(record)
        self.players: int = record["players"]
        if seat is not None and not 0 <= seat < self.players:
            raise UsageError(f"--as: found {seat}; the seats are 0 to {self.players - 1}")
        self.seat, self.step = seat, 0
        self.steps = len(record["actions"])
        self.rules = games.load(record["game"])
        self.names = name_seats(record)
        self._called = call_seats(self.names)
        self._phrases: list[list[Phrase]] = []  # of the action before, an event each

    @property
    def phrases(self) -> list[Phrase]:
        """Phrases about the action before: what was done, then what came of it."""
        return [phrase for event in self._phrases for phrase in event]

    @property
    def last(self) -> str:
        """The same in sentences."""
        return " ".join(sentences(event, self._called) for event in self._phrases)

    def advance(self) -> None:
        """Go on to the next step, which there is. Raises Divergence."""
        entry = self._record["actions"][self.step]
        eyes = parse_entry(self.step, entry, self.players)[0] if self.seat is None else self.seat
        before = self.state.view(eyes)
        action = self._apply()
        view = self.state.view(eyes)
        self._phrases = self._tell(_new_events(before, view), view, self.state.rounds)
        if self.seat is None:
            self._phrases += self._tell_all(*action)

    def zones(self) -> tuple[Zone, ...]:
        """The zones of the table, as far as the viewer sees them."""
        if self.seat is None:
            return games.open_zones(self.rules, self.state, self.players)
        over = self.state.to_act is None
        return games.zones(self.rules, self.state.view(self.seat), over)

    def marks(self) -> list[Mark]:
        """The forfeits, in order. Raises Divergence at a malformed action."""
        actions = self._record["actions"]
        return [
            Mark(step, entry[0], self._kind(step, entry[0]))
            for step, entry in enumerate(actions)
            if parse_entry(step, entry, self.players)[1] == FORFEIT
        ]

    def _kind(self, step: int, seat: int) -> str:
        faults = read_meta(self._record).get("faults")
        for fault in faults if isinstance(faults, list) else ():
            if isinstance(fault, list) and len(fault) == 3 and fault[::2] == [seat, step]:
                return visible(str(fault[1]))
        return ""

    def watch(self) -> Iterator[tuple[list[tuple[Zone, ...]], list[list[list[Phrase]]]]]:
        """Go on to the last step; yield at each, this one first, what lies on the table, and what
        was heard of the action before, an event each: with all hands open, then by seat.
        """
        seats, told = range(self.players), [self._phrases] + [list[list[Phrase]]()] * self.players
        views = [self.state.view(seat) for seat in seats]
        yield games.all_zones(self.rules, self.state, views), told
        while self.step < self.steps:
            before, action = views, self._apply()
            views, rounds = [self.state.view(seat) for seat in seats], self.state.rounds
            heard: list[tuple[Sequence[Event], list[list[Phrase]]]] = []  # most seats hear the same
            for old, view in zip(before, views, strict=True):
                new = _new_events(old, view)
                same = next((phrases for events, phrases in heard if events == new), None)
                heard.append((new, self._tell(new, view, rounds) if same is None else same))
            self._phrases = heard[action[0]][1] + [*self._tell_all(*action)]
            yield (
                games.all_zones(self.rules, self.state, views),
                [self._phrases, *(phrases for _, phrases in heard)],
            )

    def _apply(self) -> tuple[int, str, tuple[int, ...]]:
        entry = parse_entry(self.step, self._record["actions"][self.step], self.players)
        apply_action(self.state, self.step, *entry)
        self.step += 1
        return entry

    def _tell(
        self, events: Sequence[Event], view: Any, rounds: Sequence[Mapping[str, Any]]
    ) -> list[list[Phrase]]:
        return games.describe_events(self.rules, view.options, events, rounds, self._called)

    def _tell_all(self, actor: int, action: str, also: Iterable[int]) -> Iterator[list[Phrase]]:
        """Yield phrases about an action for viewers who see all hands."""
        if action == FORFEIT and self.state.to_act is not None:
            yield [Phrase(actor, "has a stand-in from now on: Arena plays for it")]
        for other in also:
            yield [Phrase(other, "wanted to call too")]


def _new_events(before: Any, after: Any) -> Sequence[Event]:
    """The events of a seat's view that the view before it did not have."""
    old: Sequence[Event] = before.since
    new: Sequence[Event] = after.since
    if len(new) > len(old) and new[: len(old)] == old:
        return new[len(old) :]
    return new  # the seat answered in between, and all of it is new


def find_view(record: dict[str, Any], at: int | None, seat: int) -> dict[str, Any]:
    """The view of a seat after the first `at` actions (all if None), by field.

    Raises as `replay_to` and `Walk` do.
    """
    Walk(record, seat)  # which looks whether there is one
    return dict(replay_to(record, at).view(seat)._asdict())
