"""`python -m tests.benchmarks.pettingzoo_no_thanks PLAYERS BOT GAMES`: No Thanks! in PettingZoo.

An environment as its documentation has them, with one flat int8 observation and a mask of what
is legal, played by its `agent_iter` loop, in one process, nothing kept. Bots are the same functions
as elsewhere: `Shown` reads the observation for them, and only what they ask for. All events since
an agent's last turn are in its `infos`, as a list that all share and a place in it, so that bots
decide as in the arena and games are as long. (Measured: an observation kept up to date makes it 1.5
times as fast, the wrappers that the documentation puts around an environment five times as slow.)
Prints one JSON object, as `tests.benchmarks.bare` does.
"""

import json
import sys
from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from tests.benchmarks.bare import measure
from tests.benchmarks.bare_no_thanks import CARDS, CHIPS, PASS, PLAYED, TAKE

WORDS = (PASS, TAKE)  # the actions 0 and 1
HEAD = 6  # seat, players, card, pot, own chips, cards left; then 33 places a seat
FIRST, WIDTH = CARDS[0], len(CARDS)


class NoThanks(AECEnv):  # type: ignore[misc]  # skipped: it need not be installed
    """The game as an environment; a forced take is played at once, as in the arena."""

    metadata = {"name": "no_thanks_v0", "is_parallelizable": False}
    render_mode = None

    def __init__(self, players: int) -> None:
        super().__init__()
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        size = HEAD + WIDTH * players
        shown = spaces.Dict({
            "observation": spaces.Box(-1, 127, (size,), np.int8),
            "action_mask": spaces.Box(0, 1, (2,), np.int8),
        })  # fmt: skip
        self.observation_spaces = dict.fromkeys(self.possible_agents, shown)
        self.action_spaces = dict.fromkeys(self.possible_agents, spaces.Discrete(2))
        self._rng = Random()

    def deals_from(self, rng: Random) -> None:
        self._rng = rng

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        draw, players = self._rng.random, len(self.possible_agents)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._log: list[tuple[Any, ...]] = []
        self.infos: dict[str, dict[str, Any]] = {
            agent: {"log": self._log, "heard": 0} for agent in self.agents
        }
        self._deck = sorted(CARDS, key=lambda _: draw())[:PLAYED]
        self._card = self._deck.pop()  # 0 once all are taken
        self._chips = [CHIPS] * players
        self._taken: list[list[int]] = [[] for _ in range(players)]
        self._seat = int(draw() * players)
        self._pot = 0
        self.agent_selection = self.agents[self._seat]

    def observe(self, agent: str) -> dict[str, Any]:
        seat, players, chips = self._seat_of[agent], len(self._chips), self._chips
        shown = np.zeros(HEAD + WIDTH * players, np.int8)
        shown[:HEAD] = seat, players, self._card, self._pot, chips[seat], len(self._deck)
        for other, cards in enumerate(self._taken):
            for card in cards:
                shown[HEAD + WIDTH * other + card - FIRST] = 1
        return {"observation": shown, "action_mask": np.array([chips[seat] > 0, True], np.int8)}

    def step(self, action: int | None) -> None:
        """Carry out an agent's action, and what is forced after it."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0
        self.infos[self.agent_selection]["heard"] = len(self._log)
        if action == 0:
            self._log.append((self._seat, PASS))
            self._chips[self._seat] -= 1
            self._pot += 1
            self._seat = (self._seat + 1) % len(self._chips)
        else:
            self._take()
        while self._card and not self._chips[self._seat]:
            self._take()
        self.agent_selection = self.agents[self._seat]
        if not self._card:
            for agent, score in zip(self.agents, self.scores(), strict=True):
                self.rewards[agent] = -score
            self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()

    def scores(self) -> list[int]:
        return [
            sum([card for card in cards if card - 1 not in cards]) - chips
            for cards, chips in zip(self._taken, self._chips, strict=True)
        ]

    def _take(self) -> None:
        self._log.append((self._seat, TAKE, self._card, self._pot))
        self._taken[self._seat].append(self._card)
        self._chips[self._seat] += self._pot
        self._pot = 0
        self._card = self._deck.pop() if self._deck else 0


class Shown:
    """An observation, and what is told beside it, under the names of the arena's views."""

    __slots__ = ("_flat", "_info", "_mask")
    game, phase, table, all_chips = "no_thanks", "play", 0, None

    def __init__(self, observation: dict[str, Any], info: dict[str, Any]) -> None:
        self._flat, self._mask = observation["observation"], observation["action_mask"]
        self._info = info

    seat = property(lambda self: int(self._flat[0]))
    players = property(lambda self: int(self._flat[1]))
    card = property(lambda self: int(self._flat[2]))
    pot = property(lambda self: int(self._flat[3]))
    chips = property(lambda self: int(self._flat[4]))
    cards_left = property(lambda self: int(self._flat[5]))

    @property
    def taken(self) -> list[list[int]]:
        """The cards by seat, ascending."""
        rows = self._flat[HEAD:].reshape(-1, WIDTH)
        return [(np.flatnonzero(row) + FIRST).tolist() for row in rows]

    @property
    def since(self) -> list[tuple[Any, ...]]:
        events: list[tuple[Any, ...]] = self._info["log"][self._info["heard"] :]
        return events

    @property
    def legal(self) -> tuple[str, ...]:
        return WORDS if self._mask[0] else WORDS[1:]


def play(env: NoThanks, bots: Sequence[Callable[[Any], str]]) -> None:
    """Play a game by the loop of PettingZoo's documentation."""
    env.reset()
    for agent in env.agent_iter():
        observation, _, termination, truncation, info = env.last()
        if termination or truncation:
            action = None
        else:
            bot = bots[env.possible_agents.index(agent)]
            action = WORDS.index(bot(Shown(observation, info)))
        env.step(action)


if __name__ == "__main__":
    seats, player, count = sys.argv[1:]
    print(json.dumps(measure(partial(play, NoThanks(int(seats))), player, int(seats), int(count))))
