"""A recorded game as the viewer reads it: the table at each step, and every question. Pure.

All of it comes from the rules, by `arena.records`: the viewer knows none. A step holds
what changed since the step before, once for all viewpoints that saw the same; `viewer/replay.js`
puts the changes back together. A viewpoint is a number: 0 sees all hands, n + 1 what seat n sees.
"""

import json
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

import games
from arena.faults.kinds import KINDS
from arena.records.questions import Question, find_all_questions, next_arguments, view_arguments
from arena.records.replay import Walk, call_seats, cut_prints, describe_result, sentences
from games import Game, Phrase, Piece, State, Symbol, Zone

FORMAT = 2
MOST_STEPS = 5_000
"""The rest of a longer game is left out: 17 may be given 100,000 turns."""
ZONE_GONE = -1
"""Stands for the number of pieces removed where the whole zone is gone."""

Prints = Mapping[int, Sequence[tuple[str, str]]]
"""Prints of bots, by the number of actions before them: (bot, line)."""

Edit = tuple[str, int, int, str]
"""(field, at, removed, text): what changed in an argument of a question's test, as Python reads it,
since the seat's question before."""


class Cost(NamedTuple):
    """A decision that cost its seat."""

    at: int  # actions before it
    seat: int
    nth: int  # of the seat's decisions there; the first is 0
    better: str
    words: str  # which follow the seat's name and "'s"


class Review(NamedTuple):
    """Findings of `arena explain` in a game."""

    costs: Sequence[Cost] = ()
    chances: Sequence[tuple[int, int, int]] = ()  # actions before, seat, % of opponents it beats
    good: Sequence[str] = ()  # how many decisions were, a sentence a seat


_Key = TypeVar("_Key")
_Part = TypeVar("_Part")


def encode_script(record: dict[str, Any], id: str, *more: Any) -> str:
    """Encode a game as a script that hands it to the viewer: `arenaGame("ID", {...});`."""
    return f"arenaGame({_json(id)}, {encode_replay(record, id, *more)});\n"


def encode_replay(
    record: dict[str, Any],
    id: str,
    prints: Prints | None,
    bot_pages: Mapping[str, str] = {},
    review: Review = Review(),  # noqa: B008 (a frozen value)
    now: State | None = None,
) -> str:
    """Encode a game as JSON for the viewer.

    `prints` is what bots printed, None where that is for their authors alone: then the questions at
    which they failed cannot be copied as a test, as all others can. `bot_pages` are the files of
    bots' pages, by name. `now` is the state that a game in progress has come to: its record may say
    less, as it has no passes in a window of 17. The text is ASCII, and holds no `<`.
    Raises Divergence where the record does not hold.
    """
    actions = len(record["actions"])
    if actions > MOST_STEPS:
        record = {**record, "actions": record["actions"][:MOST_STEPS], "result": None}
    whole = Walk(record)
    steps = _StepEncoder(whole.rules, call_seats(whole.names))
    marks = [
        [mark.step, "fault", mark.seat,
         KINDS[mark.kind].description if mark.kind in KINDS else mark.kind]
        for mark in whole.marks()
    ]  # fmt: skip
    turns, rounds = [], 0
    for step, (lying, events) in enumerate(whole.watch()):
        turn = whole.state.dump()["to_act"]
        if now and step == whole.steps:
            views = [now.view(seat) for seat in range(whole.players)]
            lying, turn = games.all_zones(whole.rules, now, views), now.to_act
        steps.add(lying, events)
        turns.append(turn)
        marks += [[step, "table", None, words] for seat, words in whole.phrases if seat is None]
        if len(whole.state.rounds) > rounds:
            rounds = len(whole.state.rounds)
            marks.append([step, "round", None, ""])
    result = whole.state.result() if whole.state.to_act is None else None
    questions = _encode_questions(record, prints is not None)
    replay = {
        "format": FORMAT,
        "id": id,
        "game": record["game"],
        "title": games.title(record["game"]),
        "low_wins": whole.rules.LOW_WINS,
        "legend": [
            [*games.symbol(whole.rules, text), words]
            for text, words in games.legend(whole.rules).items()
        ],
        "options": [f"{key} = {_json(value)}" for key, value in record.get("options", {}).items()],
        "bots": whole.names,
        "pages": [bot_pages.get(name, "") for name in whole.names],
        "sides": [whole.rules.side(seat) for seat in range(whole.players)],
        "round": games.round_name(whole.rules),
        "actions": actions,
        "turns": turns,
        "marks": sorted(marks, key=lambda mark: (mark[0], mark[1] == "fault")),
        "result": result,
        "ended": describe_result(record["game"], result, whole.names) if result else "",
        **steps.encode(),
        **questions,
        "costs": [*_encode_costs(review.costs, questions["asked"])],
        "chances": review.chances,
        "good": review.good,
        "prints": [
            [step, *line]
            for step, lines in sorted((prints or {}).items())
            for line in cut_prints(lines)
        ],
    }
    lines = ",\n".join(f"{_json(key)}:{_json(value)}" for key, value in replay.items())
    return f"{{\n{lines}\n}}"


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


class _Numbers(dict[_Key, int]):
    """Numbers from 0, given to keys in the order in which they are first looked up."""

    def __missing__(self, key: _Key) -> int:
        self[key] = number = len(self)
        return number


_Layout = dict[int, tuple[int, ...]]  # the numbers of the pieces in a zone, by the zone's number


class _StepEncoder:
    """The steps so far, and the zones, faces, pieces and words that they name by number."""

    def __init__(self, rules: Game, called: Sequence[str]) -> None:
        self._rules, self._called = rules, called
        self._zones: _Numbers[tuple[Zone, int]] = _Numbers()
        self._faces: _Numbers[tuple[Symbol, bool]] = _Numbers()
        self._pieces: _Numbers[tuple[int, int | None]] = _Numbers()
        self._known: dict[tuple[Piece, bool], int] = {}  # the same numbers, found without a face
        self._laid: dict[Zone, tuple[int, tuple[int, ...]]] = {}  # numbers of a zone and its pieces
        self._words: _Numbers[str] = _Numbers()
        self._layouts: dict[int, _Layout] = {}  # by viewpoint, as of the step before
        self._steps: list[list[list[int]]] = []
        self._heard: list[list[list[int | None]]] = []
        self._said: list[list[list[int]]] = []

    def add(
        self, lying: Sequence[Sequence[Zone]], told: Sequence[Sequence[Sequence[Phrase]]]
    ) -> None:
        """Add a step: what lies on the table, and what was heard, an event each, by viewpoint.

        What viewpoint n sees has the bit 2**n; so has what it hears.
        """
        changes: dict[tuple[int, ...], int] = {}
        heard: dict[tuple[int, int | None, int], int] = {}  # place, seat, words: viewpoints
        sentences_seen: dict[int, int] = {}  # words: viewpoints
        for viewpoint, (zones, events) in enumerate(zip(lying, told, strict=True)):
            bit, layout = 1 << viewpoint, self._layout(zones)
            for change in _changes(self._layouts.get(viewpoint, {}), layout):
                changes[change] = changes.get(change, 0) | bit
            self._layouts[viewpoint] = layout
            for place, (seat, words) in enumerate(chain.from_iterable(events)):
                key = (place, seat, self._words[words])
                heard[key] = heard.get(key, 0) | bit
            if events:
                words = " ".join([sentences(event, self._called) for event in events])
                sentence = self._words[words]
                sentences_seen[sentence] = sentences_seen.get(sentence, 0) | bit
        self._steps.append([[viewpoints, *change] for change, viewpoints in changes.items()])
        in_order = sorted(heard, key=lambda key: key[0])
        self._heard.append([[heard[key], *key[1:]] for key in in_order])
        self._said.append([[viewpoints, words] for words, viewpoints in sentences_seen.items()])

    def _layout(self, zones: Sequence[Zone]) -> _Layout:
        layout: _Layout = {}
        for zone in zones:
            laid = self._laid.get(zone)
            if laid is None:
                first = self._zones[zone._replace(pieces=()), 0]
                pieces = tuple([self._number(piece, zone.is_cards) for piece in zone.pieces])
                laid = self._laid[zone] = first, pieces
            number, nth = laid[0], 0
            while number in layout:  # another one of the same name and seat
                nth += 1
                number = self._zones[zone._replace(pieces=()), nth]
            layout[number] = laid[1]
        return layout

    def _number(self, piece: Piece, is_card: bool) -> int:
        known = self._known.get((piece, is_card))
        if known is None:
            text = piece.text
            face = games.symbol(self._rules, text) if is_card and text else Symbol(text, text)
            known = self._pieces[self._faces[face, piece.is_hidden], piece.played_by]
            self._known[piece, is_card] = known
        return known

    def encode(self) -> dict[str, Any]:
        """All steps, by the keys of a replay."""
        return {
            "zones": [[z.name, z.seat, z.is_cards, z.style, z.colour] for z, _ in self._zones],
            "faces": [
                [face.value, face.label, face.colour, face.caption, face.is_face_down, back]
                for face, back in self._faces
            ],
            "pieces": [[face, by] for face, by in self._pieces],
            "steps": self._steps,
            "words": [*self._words],
            "heard": self._heard,
            "said": self._said,
        }


def _changes(before: _Layout, after: _Layout) -> Iterator[tuple[int, ...]]:
    """(zone, at, removed, piece, ...) for each zone that changed."""
    for zone, pieces in after.items():
        old = before.get(zone)
        if old is not pieces and old != pieces:
            at, removed, added = diff_sequences(old or (), pieces)
            yield (zone, at, removed, *added)
    for zone in before:
        if zone not in after:
            yield zone, 0, ZONE_GONE


@lru_cache(1 << 12)  # most viewpoints see the same change
def diff_sequences(
    before: Sequence[_Part], after: Sequence[_Part]
) -> tuple[int, int, Sequence[_Part]]:
    """The shortest single replacement that turns `before` into `after`: its place, how many parts
    are removed there, and which are added. Texts are sequences of characters.
    """
    shorter, size = min(len(before), len(after)), len(before)
    start = _most(shorter, lambda many: before[:many] == after[:many])
    end = _most(shorter - start, lambda many: before[size - many :] == after[len(after) - many :])
    return start, size - start - end, after[start : len(after) - end]


def _most(limit: int, holds: Callable[[int], bool]) -> int:
    """The largest number up to the limit for which it holds: it does for all that are smaller."""
    return bisect_left(range(1, limit + 1), True, key=lambda many: not holds(many))


def _encode_questions(record: dict[str, Any], with_faults: bool) -> dict[str, Any]:
    """The questions by step, and the words that they name by number.

    In each step the question that its action answered comes last; before it, by seat, come those
    that others let pass. Only `with_faults` can a question at which a seat failed be copied as a
    test.
    """
    actors = [actor for actor, *_ in record["actions"]]
    by_seat: list[list[Question]] = [[] for _ in range(record["players"])]
    for seat, question in find_all_questions(record, [0] * record["players"]):
        by_seat[seat].append(question)
    by_step: list[tuple[tuple[int, bool], int, Question, list[Edit] | None]] = []
    for seat, asked in enumerate(by_seat):
        last = {question.at: number for number, question in enumerate(asked)}
        for number, edits in enumerate(_edit_tests(record, asked, with_faults)):
            step = asked[number].at
            answered = actors[step : step + 1] == [seat] and last[step] == number
            by_step.append(((step, answered), seat, asked[number], edits))
    decisions: _Numbers[str] = _Numbers()
    fields: _Numbers[str] = _Numbers()
    numbers: _Numbers[tuple[int, int, int, str]] = _Numbers()
    encoded = []
    for (step, _), seat, question, edits in sorted(by_step, key=itemgetter(0)):
        legal = [decisions[word] for word in question.legal]
        answer = None if question.answer is None else decisions[question.answer]
        encoded.append([step, seat, legal, answer])
        if edits is not None:
            of_fields = ((fields[field], at, removed, text) for field, at, removed, text in edits)
            encoded[-1].append([numbers[edit] for edit in of_fields])
    words = {"decisions": [*decisions], "fields": [*fields], "edits": [*numbers]}
    return {**words, "asked": encoded}


def _encode_costs(costs: Sequence[Cost], asked: Sequence[Sequence[Any]]) -> Iterator[list[Any]]:
    """Yield [question, better decision, words]; none that is beyond the steps that are shown."""
    places: dict[tuple[int, int], list[int]] = {}
    for number, (step, seat, *_) in enumerate(asked):
        places.setdefault((step, seat), []).append(number)
    for cost in costs:
        if numbers := places.get((cost.at, cost.seat), [])[cost.nth :]:
            yield [numbers[0], cost.better, cost.words]


def _edit_tests(
    record: dict[str, Any], asked: Sequence[Question], with_faults: bool
) -> Iterator[list[Edit] | None]:
    """Yield for each of a seat's questions the edits that make its test of the test before; None
    where it has none.
    """
    game = games.load(record["game"])
    options = games.parse_options(game.Options, record.get("options", {}))
    make_view = games.bind_options(game.View, options)._make
    last, before = None, dict[str, str]()
    for question in asked:
        if question.answer is None and not with_faults:
            yield None
            continue
        view = make_view(question.fields)
        after = next_arguments(view, last, before) if last else view_arguments(view)
        edits = []
        for field in {**before, **after}:
            old, new = before.get(field, ""), after.get(field, "")
            if old != new:
                at, removed, added = diff_sequences(old, new)
                edits.append((field, at, removed, "".join(added)))
        last, before = view, after
        yield edits
