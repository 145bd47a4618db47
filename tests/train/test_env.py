"""The PettingZoo environment: its own tests pass, and its games are the arena's."""

from __future__ import annotations

import warnings
from typing import Any

import msgspec
import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="needs the extra `train`")

from pettingzoo.test import api_test, seed_test

from arena.train import Position, action_of, play_game
from arena.train.env import KseriEnv, env
from protocol.rules import RuleSetError, make_rules
from tests.referee.table import SEED, Table, setup_of
from tests.train.policies import by_message, by_position
from tests.train.test_local import untimed

PRESETS = ("kseri", "kseri-3", "pisti", "kseri-partners", "faro-4", "pisti-2")


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("episode", ["deal", "game"])
def test_pettingzoo_s_own_test_of_the_interface(preset: str, episode: Any) -> None:
    with warnings.catch_warnings():
        # PettingZoo's own games with masks are known to it by name: their observations are
        # dictionaries, and nothing is legal once the game is over.
        for known in ("is not a NumPy array", "space for each agent", "numpy array is all zeros"):
            warnings.filterwarnings("ignore", f"(Observation|Action mask) {known}")
        api_test(
            env(preset, {"target": 30}, episode=episode), num_cycles=150, verbose_progress=False
        )


@pytest.mark.parametrize("preset", PRESETS)
def test_pettingzoo_s_own_test_of_seeds(preset: str) -> None:
    seed_test(lambda: env(preset, episode="deal"), num_cycles=60)


def played(made: KseriEnv, options: Any = None) -> list[dict[str, float]]:
    """Play an episode by the common policy; all rewards that were paid, agent by agent."""
    made.reset(seed=1, options=options)
    paid = []
    for agent in made.agent_iter():
        observation, _, over, _, _ = made.last()
        if over:
            made.step(None)
            continue
        position = Position(made.local.game, made.possible_agents.index(agent))
        action = action_of(by_position(position))
        assert observation["action_mask"][action] == 1
        made.step(action)
        paid.append(dict(made.rewards))
    assert made.agents == []
    return paid


@pytest.mark.parametrize("preset", PRESETS)
def test_the_same_seed_and_policy_give_the_record_of_the_arena(preset: str) -> None:
    overrides = {"target": 40}
    made = KseriEnv(preset, overrides)
    played(made, options={"seed": SEED})
    table = Table(setup_of(make_rules(preset, overrides), seed=SEED))
    while table.referee.to_ask is not None:
        turn = table.ask()
        table.hear({"type": "play", **by_message(msgspec.to_builtins(turn))})
    assert untimed(made.deals()) == untimed(table.referee.deals())
    assert made.local.game.scores == table.referee.game.scores
    assert made.local.game.ranks() == table.referee.game.ranks()


@pytest.mark.parametrize("preset", PRESETS)
def test_rewards_are_points_of_each_deal_and_add_up_to_nothing(preset: str) -> None:
    made = KseriEnv(preset, {"deals": 3})
    paid = [rewards for rewards in played(made) if any(rewards.values())]
    assert 1 <= len(paid) <= 3
    scores, sides = made.local.game.scores, made.rules.sides
    for seat, agent in enumerate(made.possible_agents):
        own = scores[seat % sides]
        wanted = own - (sum(scores) - own) / (sides - 1)
        assert sum(rewards[agent] for rewards in paid) == pytest.approx(wanted)
    for rewards in paid:
        assert sum(rewards.values()) == pytest.approx(0)


@pytest.mark.parametrize("preset", PRESETS)
def test_rewards_are_the_outcome_at_the_end(preset: str) -> None:
    made = KseriEnv(preset, {"target": 30}, reward="outcome")
    paid = played(made)
    assert not any(any(rewards.values()) for rewards in paid[:-1])
    last, ranks = paid[-1], made.local.game.ranks()
    assert sum(last.values()) == pytest.approx(0)
    for seat, agent in enumerate(made.possible_agents):
        rank = ranks[seat % len(ranks)]
        assert (last[agent] == 1) == (rank == 1)
        assert -1 <= last[agent] <= 1


def test_an_episode_of_one_deal_is_the_first_deal_of_the_game() -> None:
    made = KseriEnv("kseri", episode="deal")
    played(made, options={"seed": SEED})
    (deal,) = made.deals()
    whole = play_game(make_rules("kseri"), SEED, [by_position] * 2)
    assert untimed([deal]) == untimed(whole.deals())[:1]


def test_episodes_differ_unless_they_are_seeded() -> None:
    made = KseriEnv("kseri")
    hands = []
    for seed in (4, None, 4, None):
        made.reset(seed=seed)
        hands.append(tuple(made.local.game.deal.hands[0]))
    assert hands[:2] == hands[2:]
    assert hands[0] != hands[1]


def test_the_observation_of_a_seat_does_not_tell_what_is_hidden_from_it() -> None:
    """The stock and the other hand in another order: not a number is different."""
    made = KseriEnv("kseri")
    made.reset(options={"seed": SEED})
    agent = made.agent_selection
    before = made.observe(agent)
    deal = made.local.game.deal
    other = 1 - deal.seat
    hidden = deal.hands[other] + deal.stock
    deal.hands[other], deal.stock = hidden[::-1][:4], hidden[::-1][4:]
    after = made.observe(agent)
    assert all(np.array_equal(before[key], after[key]) for key in before)


def test_wrong_use_is_refused() -> None:
    made = KseriEnv("kseri")
    with pytest.raises(ValueError, match="reset the environment"):
        made.observe("seat_0")
    made.reset(seed=1)
    allowed = made.observe(made.agent_selection)["action_mask"]
    with pytest.raises(ValueError, match="is not legal here"):
        made.step(int(np.flatnonzero(allowed == 0)[0]))
    with pytest.raises(ValueError, match="must play"):
        made.step(None)
    with pytest.raises(RuleSetError):
        KseriEnv("nosuch")
