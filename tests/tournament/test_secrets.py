"""Everything random comes from the master secret, by formulas that anybody can compute again."""

from __future__ import annotations

import hashlib
import hmac

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.play import game_setup
from arena.schedule import Chunk, GameKey, Secret, master_of_seed, with_drawn
from arena.testing import practice_plan

MASTERS = st.binary(min_size=32, max_size=32)
PAIRINGS = st.lists(st.from_regex(r"[a-z0-9][a-z0-9-]{0,8}", fullmatch=True), min_size=2)
KEYS = st.builds(
    GameKey, match=st.integers(1, 10**6), replay=st.integers(0, 3), rotation=st.integers(0, 5)
)


def derived(master: bytes, text: str) -> bytes:
    return hmac.new(master, text.encode("ascii"), hashlib.sha256).digest()


@given(MASTERS, PAIRINGS.map(",".join), KEYS, st.integers(0, 5))
def test_every_value_is_the_hmac_of_its_text(
    master: bytes, pairing: str, key: GameKey, seat: int
) -> None:
    secret = Secret(master)
    game = f"{pairing}|{key.match}|{key.replay}|{key.rotation}"
    deck = f"deck|{pairing}|{key.match}|{key.replay}"
    assert secret.seed(pairing, key) == derived(master, deck)
    assert secret.salt(pairing, key) == derived(master, f"salt|{game}")[:16]
    assert secret.game_id(pairing, key) == derived(master, f"id|{game}")[:8].hex()
    number = int(derived(master, f"bot|{game}|{seat}").hex(), 16)
    assert secret.bot_seed(pairing, key, seat) == number % 2**31
    assert secret.commitment == hashlib.sha256(master).hexdigest()


def test_one_game_by_hand() -> None:
    secret, key = Secret(bytes(range(32))), GameKey(3, 0, 1)
    assert secret.seed("counter,greedy", key).hex() == SEED
    assert secret.game_id("counter,greedy", key) == GAME


# printf 'deck|counter,greedy|3|0' | openssl dgst -sha256 -mac HMAC -macopt hexkey:000102…1f
SEED = "fc6586d716f26bbfd8be8d330e0a45c9eebb09a1fcd810aebcbffe6f625cb80f"
# printf 'id|counter,greedy|3|0|1' likewise, its first 16 digits
GAME = "65f162181cd0afb7"


@given(st.integers(0, 10**30))
def test_the_master_of_a_seed_is_the_hash_of_its_decimal_digits(number: int) -> None:
    assert master_of_seed(number) == hashlib.sha256(b"%d" % number).digest()


def test_a_game_begins_with_what_the_secret_gives() -> None:
    plan = practice_plan("a", "b", "c", preset="kseri-3")
    key = GameKey(2, 1, 2)
    chunk = Chunk(("c", "a", "b"), 0, (key,), frozenset())
    setup = game_setup(plan, chunk, key, ["a", "b", "c"])
    secret = Secret(plan.master)
    assert setup.seed == secret.seed("c,a,b", key)
    assert setup.salt == secret.salt("c,a,b", key)
    assert setup.bot_seeds == [secret.bot_seed("c,a,b", key, seat) for seat in range(3)]
    assert not setup.reveal


def test_whoever_plays_a_chunk_needs_only_what_was_drawn_for_its_games() -> None:
    plan = practice_plan("a", "b", "c", preset="kseri-3")
    keys = tuple(GameKey(match, 0, rotation) for rotation in range(3) for match in (1, 2))
    chunk = Chunk(("c", "a", "b"), 0, keys, frozenset(keys))
    told = with_drawn(plan.master, chunk, 3)
    without = msgspec.structs.replace(plan, master=b"", commitment=Secret(plan.master).commitment)
    for key in keys:
        setup = game_setup(plan, chunk, key, ["a", "b", "c"])
        assert game_setup(without, told, key, ["a", "b", "c"]) == setup
    sent = msgspec.msgpack.encode([without, told])
    assert plan.master not in sent


def test_nothing_is_drawn_from_no_secret() -> None:
    plan = msgspec.structs.replace(practice_plan("a", "b"), master=b"")
    key = GameKey(1, 0, 0)
    with pytest.raises(AssertionError, match="neither"):
        game_setup(plan, Chunk(("a", "b"), 0, (key,)), key, ["a", "b"])
