"""Golden playthroughs: one short game of each with every seat's view at every step.

`python -m tests.games.golden`, from the top of the repository, makes them anew; do so after a
change of the rules' code that is meant to change them, and read the difference.
"""

import json
from pathlib import Path
from random import Random

import games
from tests.games.cases import Case
from tests.games.playing import steps

FOLDER = Path(__file__).parents[1] / "playthroughs"

SHORT: dict[str, tuple[Case, int]] = {
    "diciassette": (Case("diciassette", {}, 3), 249),
    "no_thanks": (Case("no_thanks", {"chips": 3}, 3), 4),
    "sixteen": (Case("sixteen", {"bonus": True}, 2), 9),
}
"""The case and the seed of each game, chosen to be short with many rules in it. Another game plays
with its defaults and seed 1."""


def playthrough(name: str) -> str:
    """Return the text of the game's file: JSON, a line for the setup and for each view."""
    game = games.load(name)
    usual = Case(name, {}, game.seat_counts(game.Options())[0])
    case, seed = SHORT.get(name, (usual, 1))
    state, lines = case.state(Random(seed)), []
    for decision in steps(state, case.seats, Random(seed)):
        lines += [
            "  {",
            f'   "turn": {state.turn}, "legal": {json.dumps(state.legal())},',
            f'   "decision": {json.dumps(decision)},',
            *_views(case, state),
            "  },",
        ]
    head = {"game": name, "players": case.seats, "options": case.given, "setup": state.setup()}
    return "\n".join(
        [
            "{",
            *(f" {json.dumps(key)}: {json.dumps(value)}," for key, value in head.items()),
            ' "steps": [',
            *lines,
            '  {"over": true,',
            *_views(case, state),
            "  }",
            " ],",
            f' "actions": {json.dumps(state.actions)},',
            f' "rounds": {json.dumps(state.rounds)},',
            f' "result": {json.dumps(state.result())}',
            "}\n",
        ]
    )


def _views(case: Case, state: games.State) -> list[str]:
    """Return the lines of all views: objects without what never changes in a game."""
    shown = []
    for seat in range(case.seats):
        view = state.view(seat)._asdict()
        del view["table"], view["players"]
        shown.append(f"    {json.dumps(view)}")
    return ['   "views": [', ",\n".join(shown), "   ]"]


def main() -> None:
    """Write every game's file."""
    for name in games.names():
        text = playthrough(name)
        (FOLDER / f"{name}.json").write_text(text, encoding="utf-8")
        print(f"{name}.json: {len(text)} characters")


if __name__ == "__main__":
    main()
