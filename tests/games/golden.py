"""Golden playthroughs: one short game of each with what each seat sees at every step.

`python -m tests.games.golden`, from the top of the repository, chooses one of the shortest games
where a file is missing. `python -m tests.games.golden NAME --players 3 --options '{"chips": 3}'
--seed 4` chooses another game, and leaves open what is not given.

After a change of the rules' code that is meant to change views, `pytest tests/games --regen-all`
makes the views anew: deal and decisions stay as each file has them. Read the difference.
"""

import argparse
import json
from pathlib import Path
from random import Random
from typing import Any

import games
from tests.games.cases import Case
from tests.games.playing import steps

FOLDER = Path(__file__).parents[1] / "playthroughs"
SEEDS = range(20)  # to choose the shortest game from
DEALS = 1000  # seeds of which one has dealt the game of a file


def chosen(case: Case, seed: int | None = None) -> dict[str, Any]:
    """Return deal and decisions of a game at random, the shortest if no seed is given."""
    played = (_random_game(case, one) for one in (SEEDS if seed is None else [seed]))
    return min(played, key=lambda kept: len(kept["steps"]))


def _random_game(case: Case, seed: int) -> dict[str, Any]:
    state = case.state(Random(seed))
    decisions = [{"decision": one} for one in steps(state, case.seats, Random(seed))]
    head = {"game": case.name, "players": case.seats, "options": case.given}
    return {**head, "setup": state.setup(), "steps": [*decisions, {"over": True}]}


def kept_of(name: str) -> dict[str, Any]:
    """Return the game of a file."""
    kept: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return kept


def case_of(kept: dict[str, Any]) -> Case:
    """Return which case a file's game is."""
    return Case(kept["game"], kept["options"], kept["players"])


def is_dealt(kept: dict[str, Any]) -> bool:
    """Return whether the game's deal is one that a small seed gives, as it did."""
    case = case_of(kept)
    setups = (case.state(Random(seed)).setup() for seed in range(DEALS))
    ours = games.initial_setup(case.game, kept["setup"])
    return any(games.initial_setup(case.game, setup) == ours for setup in setups)


def playthrough(kept: dict[str, Any]) -> str:
    """Return the text of a game's file: JSON, a line for each step, with what is new in the views.

    Of what is kept it takes deal and decisions; all the rest is made by the rules. What is new and
    the same in all views is in "all", the rest in "views", by seat.
    """
    case = case_of(kept)
    setup = case.game.parse_setup(case.options, case.seats, kept["setup"])
    state, steps = case.game.State(case.options, case.seats, setup), list[dict[str, Any]]()
    seen = [dict[str, Any]()] * case.seats
    for decision in [*(step.get("decision") for step in kept["steps"][:-1]), None]:
        views = [state.view(seat)._asdict() for seat in range(case.seats)]
        step = {"turn": state.to_act, "legal": state.legal(), "decision": decision}
        steps.append((step if decision else {"over": True}) | _news(seen, views))
        if decision:
            state.apply(decision)
        seen = views
    head = {key: kept[key] for key in ("game", "players", "options")} | {"setup": state.setup()}
    end = {"actions": state.actions, "rounds": state.rounds, "result": state.result()}
    parts = [f' "{key}": {json.dumps(value)}' for key, value in (head | end).items()]
    lines = ",\n".join(f"  {json.dumps(step)}" for step in steps)
    parts.insert(len(head), f' "steps": [\n{lines}\n ]')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _news(seen: list[dict[str, Any]], views: list[dict[str, Any]]) -> dict[str, Any]:
    """Return what of the views is new, but for what never changes in a game."""
    news = [
        {key: value for key, value in view.items() if old.get(key, ...) != value}
        for old, view in zip(seen, views, strict=True)
    ]
    common = {
        key: value
        for key, value in news[0].items()
        if all(key in new and new[key] == value for new in news)
    }
    own = [{key: new[key] for key in new if key not in common} for new in news]
    for key in ("table", "players"):
        common.pop(key, None)
    return {"all": common, "views": own}


def main() -> None:
    """Write the files that are missing, or that of the game named."""
    parser = argparse.ArgumentParser(prog="python -m tests.games.golden")
    parser.add_argument("game", nargs="?", choices=games.names())
    parser.add_argument("--players", type=int)
    parser.add_argument("--options", type=json.loads, default={})
    parser.add_argument("--seed", type=int, choices=range(DEALS), metavar="SEED")
    asked = parser.parse_args()
    missing = [name for name in games.names() if not (FOLDER / f"{name}.json").exists()]
    for name in [asked.game] if asked.game else missing:
        game = games.load(name)
        few = game.seat_counts(games.parse_options(game.Options, asked.options))[0]
        case = Case(name, asked.options, asked.players or few)
        text = playthrough(chosen(case, asked.seed))
        (FOLDER / f"{name}.json").write_text(text, encoding="utf-8")
        print(f"{name}.json: {len(text)} characters")


if __name__ == "__main__":
    main()
