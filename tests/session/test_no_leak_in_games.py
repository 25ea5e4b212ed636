"""Two worlds through what only the real games have: claims, proven passes, switches, tosses, calls.

As in `test_no_leak.py`, of three seats two stand together against the hidden one. Each table is the
first of its kind at which the hidden seat, with cards that nobody sees, has a part in all that is
asked for. What it shows on the way (a meld, a card that it plays) is alike in both worlds.
"""

from collections.abc import Callable, Iterator
from itertools import groupby
from random import Random

import pytest

from p2pjong.games.game import Action, Event
from p2pjong.session.effects import Ask, Happened
from p2pjong.wire.messages import Ordered, Payload, ProvenAmong, Switched, TossOpen
from tests.support.scenario import short_draft
from tests.support.sim import Chooser
from tests.support.trials import choose_greedily
from tests.support.two_worlds import Script, World, check_worlds, fix_chance

SEEDS_MAX = 40
SEATS = 3
Wanted = Callable[[World], bool]


def call_anything(ask: Ask, rng: Random) -> Action:
    """Discards what a greedy bot would, and calls or not as it comes."""
    return rng.choice(ask.actions) if ask.is_answer else choose_greedily(ask, rng)


def play_much(ask: Ask, rng: Random) -> Action:
    """Plays what it can, and so is soon to pass; discards only where it must."""
    plays = [action for action in ask.actions if action.verb != "discard"]
    return rng.choice(plays or ask.actions)


def said(world: World, kind: type[Payload], seat: int | None = None) -> int:
    """How often a seat has said such a thing, or all together."""
    lanes = world.table.peers[0].session.lanes.accepted
    chosen = lanes if seat is None else [lanes[seat]]
    return sum(isinstance(one.body.payload, kind) for lane in chosen for one in lane)


def events(world: World) -> Iterator[Event]:
    return (seen.event for seen in world.table.peers[0].seen if isinstance(seen, Happened))


def rounds_of_claims(world: World) -> Iterator[tuple[set[int], int]]:
    """Who claimed a discard, and who melded it; after each discard that somebody has claimed."""
    told = [event for event in events(world) if event.verb in ("claimed", "melded", "discarded")]
    for is_discard, after in groupby(told, lambda event: event.verb == "discarded"):
        claims = list(after)
        melded = [event.seat for event in claims if event.verb == "melded"]
        if not is_discard and melded:
            yield {event.seat for event in claims if event.verb == "claimed"}, melded[0]


def is_served_and_refused(world: World) -> bool:
    """A claim of the hidden seat's was served, and one gave way to another's."""
    claims = list(rounds_of_claims(world))
    is_served = any(taker == world.hidden for _, taker in claims)
    return is_served and any(world.hidden in who and taker != world.hidden for who, taker in claims)


def has_proven_switched_and_tossed(world: World) -> bool:
    """The hidden seat has proven a pass and switched a card, and something was tossed for."""
    return all(said(world, kind, world.hidden) for kind in (ProvenAmong, Switched, TossOpen))


def has_called_and_judged(world: World) -> bool:
    """The hidden seat has called for a discard, and has said who called first for its own."""
    called = {event.seat for event in events(world) if event.verb == "called"}
    return world.hidden in called and said(world, Ordered, world.hidden) > 0


# From which seed on such a table is looked for, to save time; how long it is, and how it is played.
PLAYED = {
    "war-jhong": (14, 320, choose_greedily, is_served_and_refused),
    "samurai-warfare": (2, 300, play_much, has_proven_switched_and_tossed),
    "not-your-mas-jong": (13, 260, call_anything, has_called_and_judged),
}


def first_world(
    game: str, seed_min: int, steps_max: int, choose: Chooser, is_wanted: Wanted
) -> World:
    """The first table that has all of it, and cards of the hidden seat that nobody sees."""
    for seed in range(seed_min, seed_min + SEEDS_MAX):
        world = World(short_draft(game, SEATS), Script(seed), choose, steps_max).play()
        is_whole = not world.table.peers[0].session.play.results_closed()
        if is_whole and is_wanted(world) and any(world.unseen_pairs()):
            return world
    raise AssertionError("no such table")


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.parametrize("game", PLAYED)
def test_two_of_three_together_cannot_tell_two_worlds_of_a_real_game_apart(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fix_chance(monkeypatch)
    check_worlds(first_world(game, *PLAYED[game]), wanted=2)
