"""Games to watch in the viewer, and the way to them."""

import json
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

from arena.model import Outcome
from arena.site.pages import Link, Site, game_file, viewer_address
from arena.site.pagination import ListPage, viewer_page
from arena.site.replay_encoder import Cost, Review, encode_script
from arena.site.stories import WatchedGame, Why
from tests.browser.windows import Window
from tests.games.cases import Case, cases
from tests.games.playing import play, record_of

SITE = Site("cup", "2026-11-22", "0.1.0", (Link("Standings", "index.html"),), {}, {}, {}, {})
CASES = {f"{case.name}{case.seats}": case for case in cases() if not case.given}
FILE = "watch.html"
SEED = 11
FAILS_AT = 6


def record_in(case: Case) -> dict[str, Any]:
    tries = (Random(SEED + number) for number in range(100))
    played = (play(case.state(rng), case.seats, rng) for rng in tries)
    state = next(state for state in played if len(state.actions) >= 30)
    record = record_of(case, state.setup(), state.actions[:60])
    record["meta"]["bots"] = [
        f"a-name-of-thirty-two-characters{seat}" for seat in range(case.seats)
    ]
    if len(state.actions) <= 60:
        record["result"] = state.result()
    return dict(json.loads(json.dumps(record)))


COST = Cost(FAILS_AT, 0, 0, "take", "pass cost 23 ±4 in 100: take was better")
REVIEW = Review([COST], [(0, 0, 40), (3, 0, 60), (FAILS_AT, 0, 20)], ["bot0: 2 of 3 were good"])


def costly() -> dict[str, Any]:
    """Return a game of No Thanks! in which seat 0 better had taken at its third question."""
    record = faulty()
    record["actions"][FAILS_AT] = [0, "pass"]
    del record["actions"][FAILS_AT + 1], record["meta"]["faults"][:]
    return record


def faulty() -> dict[str, Any]:
    """Return a game in which seat 0 of No Thanks! forfeits at its third question."""
    setup = {"deck": list(range(3, 27)), "removed": list(range(27, 36)), "first": 0}
    actions: list[list[Any]] = [[seat % 3, "pass"] for seat in range(FAILS_AT)]
    actions += [[0, "forfeit"], [0, "pass"], [1, "take"], [1, "pass"]]
    record = record_of(CASES["no_thanks3"], setup, actions)
    record["meta"]["faults"] = [[0, "error", FAILS_AT]]
    return record


def greedy(case: Case, actions: int) -> dict[str, Any]:
    """Return a game of always the last legal decision of No Thanks!, and the first of others: one
    hand with all cards, and a row of 17 without a call.
    """
    state, choice = case.state(Random(SEED)), -1 if case.name == "no_thanks" else 0
    while len(state.actions) < actions and state.to_act is not None:
        state.apply(state.legal()[choice])
    return record_of(case, state.setup(), state.actions)


def watch_records() -> dict[str, dict[str, Any]]:
    large = {"hand": greedy(CASES["no_thanks3"], 24), "row": greedy(CASES["diciassette2"], 40)}
    marked = {"faulty": faulty(), "costly": costly()}
    return {**{id: record_in(case) for id, case in CASES.items()}, **marked, **large}


def write_watch(records: Mapping[str, dict[str, Any]], folder: Path) -> Path:
    (folder / "games").mkdir()
    prints = {FAILS_AT: [("bot0", "<img src=x onerror=alert(1)>"), ("bot1", "</script>")]}
    for id, record in records.items():
        review = REVIEW if id == "costly" else Review()
        text = encode_script(
            record, id, prints if id == "faulty" else None, {"bot0": "bot-bot0.html"}, review
        )
        (folder / game_file(id)).write_text(text)
    why = (Why("line-up", "for tests"),)
    listed = tuple(
        WatchedGame(f"{record['game']} <b>", 0, Outcome(id, (), (), (), ()), why)
        for id, record in records.items()
    )
    (folder / FILE).write_text(viewer_page(SITE, [ListPage(1, listed)], 1))
    return folder / FILE


def there(window: Window, id: str, step: int | None = None, seat: int | None = None) -> Window:
    at = viewer_address(FILE, id, step, seat).removeprefix(FILE)
    window.ask("at => { location.hash = at; }", at)
    window.page.wait_for_function("id => player.replay && player.replay.id === id", arg=id)
    if step is not None:
        window.page.wait_for_function("step => player.step === step", arg=step)
    return window
