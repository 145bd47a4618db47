"""The game as a PettingZoo environment of agents that move one after another (AEC)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, get_args

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from gymnasium.utils.seeding import np_random
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from arena.schedule import SEED_BYTES
from arena.train.local import LocalGame
from arena.train.position import Position
from arena.train.vector import ACTIONS, encode, mask, option_of, size_of
from protocol.records import DealRecord
from protocol.rules import RuleSet, make_rules

Episode = Literal["game", "deal"]
"""How long an episode lasts: a whole game, or one deal."""
Reward = Literal["points", "outcome"]
"""What is rewarded, see `KseriEnv`."""


class KseriEnv(AECEnv[str, Any, Any]):
    """Agents `seat_0`, `seat_1` …, in the order of play; partners are agents of their own.

    An observation is `{"observation": vector, "action_mask": mask}` as in `arena.train.vector`:
    what the seat's `turn` message tells, and nothing else. Rewards are the same for partners, and
    all sides' add up to 0. `points`: after every deal the own side's points less the mean of the
    others'. `outcome`: at the end of the episode 1 for every side that was beaten, -1 for every
    one that was better, divided by the number of other sides.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "kseri_v1",
        "render_modes": [],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        preset: str = "kseri",
        overrides: Mapping[str, Any] | None = None,
        *,
        episode: Episode = "game",
        reward: Reward = "points",
    ) -> None:
        """`preset` and `overrides` as for `make_rules`. Raises `protocol.rules.RuleSetError`.

        Raises ValueError for another kind of episode or reward.
        """
        for word, known in ((episode, get_args(Episode)), (reward, get_args(Reward))):
            if word not in known:
                raise ValueError(f"expected one of {', '.join(known)}, got {word!r}")
        super().__init__()
        more = {"deals": 1} if episode == "deal" else {}
        self.rules: RuleSet = make_rules(preset, {**(overrides or {}), **more})
        self.reward: Reward = reward
        self.possible_agents = [f"seat_{seat}" for seat in range(self.rules.seats)]
        self.agents: list[str] = []
        self.render_mode = None
        # A space draws at random for its owner: every agent has its own.
        self.observation_spaces = {agent: self._observations() for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(ACTIONS) for agent in self.possible_agents}
        self._random: np.random.Generator | None = None
        self._local: LocalGame | None = None

    def _observations(self) -> Dict:
        highest = np.iinfo(np.int32).max
        vector = Box(0, highest, (size_of(self.rules),), np.int32)
        return Dict({"observation": vector, "action_mask": Box(0, 1, (ACTIONS,), np.int8)})

    def observation_space(self, agent: str) -> Dict:
        """What the agent's observations are drawn from."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """What the agent's actions are drawn from."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode; `options["seed"]`: the 32 bytes of a game's record, for its cards."""
        if seed is not None or self._random is None:
            self._random, _ = np_random(seed)
        given = (options or {}).get("seed")
        game_seed = self._random.bytes(SEED_BYTES) if given is None else given
        self._local = LocalGame(self.rules, game_seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.local.game.deal.seat]

    @property
    def local(self) -> LocalGame:
        """The game of this episode. Raises `ValueError` before the first."""
        if self._local is None:
            raise ValueError("reset the environment before it is used")
        return self._local

    def deals(self) -> list[DealRecord]:
        """The log of the episode, as in a game's record."""
        return self.local.deals()

    def observe(self, agent: str) -> dict[str, Any]:
        """What the agent may know; the mask is empty for one that is not in turn."""
        position = Position(self.local.game, self.possible_agents.index(agent))
        return {"observation": encode(position), "action_mask": mask(position.legal)}

    def step(self, action: int | None) -> None:
        """Play for the agent in turn. Raises `ValueError` for an action that is not legal."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} must play")
        game = self.local.game
        deal = game.deal
        deal.play(*option_of(int(action), deal.legal()))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if deal.over:
            self._finish_deal()
        self.agent_selection = self.possible_agents[game.deal.seat]
        self._accumulate_rewards()

    def _finish_deal(self) -> None:
        self.local.finish_deal()
        game = self.local.game
        if self.reward == "points":
            sides = self.local.played[-1 if game.reason else -2].sides or []
            self._pay([side.total for side in sides])
        elif game.reason:
            self._pay_outcome(game.ranks())
        if game.reason:
            self.terminations = dict.fromkeys(self.agents, True)

    def _pay(self, points: list[int]) -> None:
        """Reward every agent with its side's points less the mean of the others'."""
        others = len(points) - 1
        total = sum(points)
        for seat, agent in enumerate(self.possible_agents):
            own = points[seat % len(points)]
            self.rewards[agent] = own - (total - own) / others

    def _pay_outcome(self, ranks: list[int]) -> None:
        for seat, agent in enumerate(self.possible_agents):
            own = ranks[seat % len(ranks)]
            beaten = sum((rank > own) - (rank < own) for rank in ranks)
            self.rewards[agent] = beaten / (len(ranks) - 1)

    def close(self) -> None:
        """Nothing is open."""


def env(*words: Any, **more: Any) -> AECEnv[str, Any, Any]:
    """The environment, with a check that it is used in order; takes what `KseriEnv` takes."""
    return OrderEnforcingWrapper(KseriEnv(*words, **more))
