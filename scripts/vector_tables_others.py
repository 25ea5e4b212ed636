"""The tables of Samurai Warfare and Not Your Ma's Jong whose records are vectors.

Like those of `vector_tables.py`: production sessions, known keys and seeds, one order of delivery.
"""

from collections.abc import Callable, Mapping
from functools import partial
from random import Random

from p2pjong.games.game import Action, Seat
from p2pjong.session.effects import Ask
from scripts.vector_tables import CHEAT, InOrder
from tests.support.hostile import Misdeed, hostile
from tests.support.mas_jong_lies import LIES as MAS_JONG_LIES
from tests.support.samurai_lies import LIES as SAMURAI_LIES
from tests.support.scenario import short_draft
from tests.support.sim import Chooser, SessionMaker, SimTable, choose_randomly
from tests.support.trials import choose_greedily, draft_for

SAMURAI, MAS_JONG = "samurai-warfare", "not-your-mas-jong"
LIES: Mapping[str, Misdeed] = {lie.name: lie for lie in (*SAMURAI_LIES, *MAS_JONG_LIES)}
HASTE = 0.15  # how often a hasty caller calls for whatever is discarded


def choose_hastily(ask: Ask, rng: Random) -> Action:
    """As the greedy bot would, but for calls made in haste, some of them wrong."""
    calls = [action for action in ask.actions if action.verb == "call_set"]
    return calls[0] if calls and rng.random() < HASTE else choose_greedily(ask, rng)


def whole(game: str, seats: int, seed: int, choose: Chooser) -> InOrder:
    """An honest game of one turn or round."""
    table = InOrder(seats, seed, draft=short_draft(game, seats), choose=choose)
    table.start().run()
    return table


def lie(game: str, seats: int, seed: int, name: str) -> InOrder:
    """A table where one seat tells a lie of the hostile clients of the tests."""
    wanted = LIES[name]
    makers: dict[Seat, SessionMaker] = {CHEAT: hostile(wanted)}
    draft = draft_for(game, seats, wanted)
    table = InOrder(seats, seed, draft=draft, choose=choose_randomly, makers=makers)
    table.start().run()
    return table


def voted_absent(game: str, seats: int, seed: int, after: int) -> InOrder:
    """A seat falls silent in the midst of a hand and is voted absent by all others."""
    draft = short_draft(game, seats)
    table = InOrder(seats, seed, draft=draft, choose=choose_greedily)
    table.start().run_until(lambda table: table.delivered == after)
    others = [seat for seat in range(seats) if seat != CHEAT]
    for other in others:
        table.cut(CHEAT, other)
    table.run()
    for voter in others:
        table.at(voter, lambda session: session.propose_absent(CHEAT))
    table.run()
    return table


FALSE_PASS = "passes with a playable card"
ANOTHER_CARD = "switches another card than the one asked for"
CALLER_LEFT_OUT = "leaves a caller out"
NO_SET = "shows cards that are no set"

TABLES: dict[str, Callable[[], SimTable]] = {
    "record-samurai.bin": partial(whole, SAMURAI, 2, 22, choose_randomly),
    "record-samurai-false-pass.bin": partial(lie, SAMURAI, 2, 0, FALSE_PASS),
    "record-samurai-another-card.bin": partial(lie, SAMURAI, 2, 1, ANOTHER_CARD),
    "record-samurai-voted-absent.bin": partial(voted_absent, SAMURAI, 3, 2, 120),
    "record-mas-jong.bin": partial(whole, MAS_JONG, 3, 169, choose_hastily),
    "record-mas-jong-order.bin": partial(lie, MAS_JONG, 3, 0, CALLER_LEFT_OUT),
    "record-mas-jong-no-set.bin": partial(lie, MAS_JONG, 3, 5, NO_SET),
    "record-mas-jong-voted-absent.bin": partial(voted_absent, MAS_JONG, 4, 1, 300),
}
