"""A record as the viewer shows it: what lies on the table at each step, by the eyes that see it.

All of it comes from our rules, by `arena.records.walk`: the viewer knows none. A step is kept as
what changed, once for all the eyes that saw the same; `viewer/film.js` reads it. Pure.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import games
from arena.escape import visible
from arena.records.replay import LONGEST_PRINTED, MOST_PRINTED
from arena.records.walk import Walk
from arena.site.questions import asked
from arena.site.splices import splice
from games import Face, Game, Piece, State, Zone

FORMAT = 1
MOST_STEPS = 5_000
"""Of a longer game the rest is left out: 17 may be given 100,000 turns."""
GONE = -1
"""Taken out of a zone that is not there any more."""

Prints = Mapping[int, Sequence[tuple[str, str]]]
"""What bots printed, by the number of actions before it: (bot, line)."""

Laid = dict[int, tuple[int, ...]]
"""The numbers of the pieces in a zone, by the zone's number."""


def game_js(record: dict[str, Any], id: str, prints: Prints | None, tests: bool) -> str:
    """Return a game as a script that hands it to the viewer: `arenaGame("ID", {...});`.

    `prints` is what bots printed, None where that is for their authors alone. With `tests`, each
    question can be copied as a test: one at which a bot failed only where prints are shown too. The
    script is ASCII, and holds no `<`. Raises Divergence where the record does not hold.
    """
    film = film_of(record, id, prints, tests)
    lines = ",\n".join(f"{_json(key)}:{_json(value)}" for key, value in film.items())
    return f"arenaGame({_json(id)}, {{\n{lines}\n}});\n"


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


def film_of(record: dict[str, Any], id: str, prints: Prints | None, tests: bool) -> dict[str, Any]:
    """Return all that the viewer needs of a game, as `game_js` writes it."""
    actions = len(record["actions"])
    if actions > MOST_STEPS:
        record = {**record, "actions": record["actions"][:MOST_STEPS], "result": None}
    walks = [Walk(record), *(Walk(record, seat) for seat in range(record["players"]))]
    whole, reel = walks[0], _Reel(walks[0].rules)
    marks = [[mark.step, "fault", mark.seat, mark.kind] for mark in whole.marks()]
    turns, rounds = [], 0
    for step in range(whole.steps + 1):
        for walk in walks:
            walk.go(step)
        reel.take(walks)
        turns.append(whole.state.dump()["to_act"])
        marks += [[step, "table", None, words] for seat, words in whole.heard if seat is None]
        if len(whole.state.rounds) > rounds:
            rounds = len(whole.state.rounds)
            marks.append([step, "round", None, ""])
    return {
        "format": FORMAT,
        "id": id,
        "game": record["game"],
        "options": [f"{key} = {_json(value)}" for key, value in record.get("options", {}).items()],
        "bots": whole.names,
        "sides": [whole.rules.side(seat) for seat in range(whole.players)],
        "round": games.round_word(whole.rules),
        "actions": actions,
        "turns": turns,
        "marks": sorted(marks, key=lambda mark: (mark[0], mark[1] == "fault")),
        "result": _result(whole.state),
        **reel.told(),
        **_asked(record, tests, prints is not None),
        "prints": [*_printed(prints or {})],
    }


def _result(state: State) -> dict[str, Any] | None:
    """Return how the game ended; None where the record ends before."""
    return None if state.turn is not None else state.result()


class _Reel:
    """The steps taken so far, and the zones, faces, pieces and words that they name by number."""

    def __init__(self, rules: Game) -> None:
        self._rules = rules
        self._zones: dict[tuple[Zone, int], int] = {}
        self._faces: dict[tuple[Face, bool], int] = {}
        self._pieces: dict[tuple[int, int | None], int] = {}
        self._known: dict[tuple[Piece, bool], int] = {}  # the same numbers, found without a face
        self._words: dict[str, int] = {}
        self._lying: dict[int, Laid] = {}  # by pair of eyes, as of the step before
        self._steps: list[list[list[int]]] = []
        self._heard: list[list[list[int | None]]] = []

    def take(self, walks: Sequence[Walk]) -> None:
        """Take a step: the same for all walks, the first of all hands, then by seat.

        What the eye number n sees has the bit 2**n; so has what it hears.
        """
        changes: dict[tuple[int, ...], int] = {}
        heard: dict[tuple[int, int | None, int], int] = {}  # place, seat, words: eyes
        for eye, walk in enumerate(walks):
            now = self._laid(walk.zones())
            for change in _changes(self._lying.get(eye, {}), now):
                changes[change] = changes.get(change, 0) | 1 << eye
            self._lying[eye] = now
            for place, (seat, words) in enumerate(walk.heard):
                key = (place, seat, self._words.setdefault(words, len(self._words)))
                heard[key] = heard.get(key, 0) | 1 << eye
        self._steps.append([[eyes, *change] for change, eyes in changes.items()])
        in_order = sorted(heard, key=lambda key: key[0])
        self._heard.append([[heard[key], *key[1:]] for key in in_order])

    def _laid(self, zones: Sequence[Zone]) -> Laid:
        laid: Laid = {}
        for zone in zones:
            name = zone._replace(pieces=())
            nth, number = 0, self._zones.setdefault((name, 0), len(self._zones))
            while number in laid:  # another one of the same name and seat
                nth += 1
                number = self._zones.setdefault((name, nth), len(self._zones))
            laid[number] = tuple([self._numbered(piece, zone.cards) for piece in zone.pieces])
        return laid

    def _numbered(self, piece: Piece, is_card: bool) -> int:
        known = self._known.get((piece, is_card))
        if known is None:
            text = piece.text
            face = games.face(self._rules, text) if is_card and text else Face(text, text)
            number = self._faces.setdefault((face, piece.back), len(self._faces))
            known = self._pieces.setdefault((number, piece.by), len(self._pieces))
            self._known[piece, is_card] = known
        return known

    def told(self) -> dict[str, Any]:
        """Return what was taken, by the keys of a film."""
        return {
            "zones": [[z.name, z.seat, z.cards, z.look, z.colour] for z, _ in self._zones],
            "faces": [
                [face.value, face.words, face.colour, face.sign, face.is_down, back]
                for face, back in self._faces
            ],
            "pieces": [[face, by] for face, by in self._pieces],
            "steps": self._steps,
            "words": [*self._words],
            "heard": self._heard,
        }


def _changes(before: Laid, now: Laid) -> Iterator[tuple[int, ...]]:
    """Yield (zone, at, removed, piece, ...) for each zone that changed."""
    for zone, pieces in now.items():
        was = before.get(zone)
        if was != pieces:
            at, removed, parts = splice(was or (), pieces)
            yield (zone, at, removed, *parts)
    for zone in before:
        if zone not in now:
            yield zone, 0, GONE


def _asked(record: dict[str, Any], tests: bool, of_faults: bool) -> dict[str, Any]:
    """Return the questions, and the words that they name by number."""
    decisions: dict[str, int] = {}
    fields: dict[str, int] = {}
    edits: dict[tuple[int, int, int, str], int] = {}
    told: list[list[Any]] = []
    for one in asked(record, tests, of_faults):
        legal = [decisions.setdefault(word, len(decisions)) for word in one.legal]
        answer = None if one.answer is None else decisions.setdefault(one.answer, len(decisions))
        told.append([one.step, one.seat, legal, answer])
        if one.changes is not None:
            changes = []
            for name, at, removed, text in one.changes:
                edit = (fields.setdefault(name, len(fields)), at, removed, text)
                changes.append(edits.setdefault(edit, len(edits)))
            told[-1].append(changes)
    words = {"decisions": [*decisions], "fields": [*fields], "edits": [*edits]}
    return {**words, "asked": told}


def _printed(prints: Prints) -> Iterator[list[int | str]]:
    """Yield [step, bot, line]: not more, nor longer, than helps."""
    for step in sorted(prints):
        lines = prints[step]
        for bot, words in lines[:MOST_PRINTED]:
            text = words if len(words) <= LONGEST_PRINTED else words[: LONGEST_PRINTED - 3] + "..."
            yield [step, visible(bot), visible(text)]
        if len(lines) > MOST_PRINTED:
            yield [step, "", f"... and {len(lines) - MOST_PRINTED:,} more lines"]
