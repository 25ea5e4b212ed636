"""The tables whose records are vectors: played by production sessions, with known keys and seeds,
over a network that delivers in one fixed order.
"""

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

from msgspec.structs import replace

from p2pjong.games.game import Action, Game, Known, Seat
from p2pjong.games.war_jhong import WarJhong
from p2pjong.session.conduct import Secrets
from p2pjong.session.course import Step
from p2pjong.session.effects import Ask
from p2pjong.session.lanes import stamp_bytes
from p2pjong.session.session import Session
from p2pjong.wire.codec import encode
from p2pjong.wire.messages import Draft, Evidence, Settled
from tests.support.hostile import hostile
from tests.support.misdeeds import BOOKS, MISDEEDS
from tests.support.opposite_keys import in_league
from tests.support.sim import SessionMaker, SimTable, make_draft, signing_key

CHEAT: Seat = 1


class InOrder(SimTable):
    """A network that delivers in one fixed order, so that a record is the same every time."""

    def step(self) -> bool:
        """The next delivery or choice; False when nothing is left to do."""
        for wire in sorted(self.wires):
            if self.wires[wire]:
                self.hand_over(*wire, self.wires[wire].pop(0))
                return True
        for seat, peer in enumerate(self.peers):
            if peer.asked is not None:
                self.choose_for(seat)
                return True
        return False


EAGERNESS = {"go_out": 0, "claim_go_out": 0, "claim_formation": 1, "discard": 2, "pass": 3}


def choose_eagerly(ask: Ask, rng: Random) -> Action:
    """Go out or claim whenever it can be, so that records are short."""
    best = min(EAGERNESS[action.verb] for action in ask.actions)
    return rng.choice([action for action in ask.actions if EAGERNESS[action.verb] == best])


def choose_falsely(wanted: str, ask: Ask, rng: Random) -> Action:
    """Seat 1 does what is wanted as soon as it has the form of an action; else all stay quiet."""
    wrong = [action for action in ask.actions if action.verb == wanted]
    if wrong and wrong[0].seat == CHEAT:
        return wrong[0]
    quiet = [action for action in ask.actions if action.verb in ("discard", "pass")]
    return rng.choice(quiet)


class Credulous(WarJhong):
    """Offers a seat whatever nobody else can rule out, so that its session lets it cheat."""

    def legal(self, state: Any, seat: Seat, known: Known) -> tuple[Action, ...]:
        return super().legal(state, seat, {})


def credulous(draft: Draft, game: Game, secrets: Secrets) -> Session:
    return Session(draft, Credulous(), secrets)


def open_books() -> SimTable:
    """Two seats with open books."""
    draft = make_draft(2, target=1, is_open_books=True)
    return InOrder(2, 4, draft=draft, choose=choose_eagerly).start().run()


def books_left_shut() -> SimTable:
    """Two seats with open books, one of which leaves when they are to be opened."""
    draft = make_draft(2, target=1, is_open_books=True)
    table = InOrder(2, 4, draft=draft, choose=choose_eagerly).start()
    table.run_until(lambda table: table.peers[CHEAT].session.play.opening is not None)
    table.at(0, lambda session: session.leave())
    table.run()
    return table


def two_seats() -> InOrder:
    table = InOrder(2, 6, draft=make_draft(2, target=1), choose=choose_eagerly)
    table.start().run()
    return table


def one_leaves() -> InOrder:
    """Three seats; one leaves in the midst of a hand, having just answered a discard."""
    table = InOrder(3, 9, draft=make_draft(3, target=1), choose=choose_eagerly)
    table.start().run_until(lambda table: len(table.peers[CHEAT].chosen) == 2)
    table.at(CHEAT, lambda session: session.leave())
    table.run()
    return table


def foul(wanted: str, seed: int) -> InOrder:
    """Two seats, one of which claims what its cards do not bear out."""
    makers: dict[Seat, SessionMaker] = {CHEAT: credulous}
    choose = partial(choose_falsely, wanted)
    table = InOrder(2, seed, draft=make_draft(2, target=1), choose=choose, makers=makers)
    table.start().run()
    return table


def misdeed(name: str, seats: int, seed: int) -> InOrder:
    """A table where one seat commits a misdeed of the hostile clients of the tests."""
    (wanted,) = (misdeed for misdeed in [*MISDEEDS, *BOOKS] if misdeed.name == name)
    makers: dict[Seat, SessionMaker] = {CHEAT: hostile(wanted)}
    draft = make_draft(seats, target=1, is_open_books=wanted in BOOKS)
    table = InOrder(seats, seed, draft=draft, choose=choose_eagerly, makers=makers)
    table.start().run()
    return table


def voted_absent(seed: int) -> InOrder:
    """Three seats, one of which falls silent and is voted absent by the two others."""
    table = InOrder(3, seed, draft=make_draft(3, target=1), choose=choose_eagerly)
    table.start().run_until(lambda table: table.delivered == 60)
    for other in (0, 2):
        table.cut(CHEAT, other)
    table.run()
    for voter in (0, 2):
        table.at(voter, lambda session: session.propose_absent(CHEAT))
    table.run()
    return table


def is_behind(draft: Draft, game: Game, secrets: Secrets) -> Session:
    """A seat that signs no result before a hand was turned back."""

    class Behind(Session):
        def _do_duty(self, step: Step) -> bool:
            is_now = step.kind is Settled and not self.turning.done
            return not is_now and super()._do_duty(step)

    return Behind(draft, game, secrets)


def turned_back(behind: Seat, seed: int) -> InOrder:
    """Three seats; two stories of one come to light when all but one have signed the result.

    When the hand has begun anew, if it has, one more leaves, so that the record is short.
    """
    makers: dict[Seat, SessionMaker] = {behind: is_behind}
    draft = make_draft(3, target=1)
    table = InOrder(3, seed, draft=draft, choose=choose_eagerly, makers=makers)
    table.start().run()
    last = table.peers[0].session.lanes.accepted[CHEAT][-1]
    key, table_hash = signing_key(CHEAT), table.peers[0].session.gossip.draft
    bare = replace(last.stamp, hash=bytes(32))
    other = replace(bare, signature=key.sign(stamp_bytes(table_hash, bare)))
    first, second = sorted((last.stamp, other), key=lambda stamp: stamp.hash)
    frame = encode(Evidence(table_hash, first, second))
    for seat in (0, 2):
        table.hand_over(CHEAT, seat, frame)
        table.cut(CHEAT, seat)
    table.run_until(lambda table: bool(table.peers[0].session.turning.done))
    table.at(0, lambda session: session.leave())
    table.run()
    return table


def no_joint_key() -> InOrder:
    """Two seats in league, whose keys add up to nothing."""
    makers: dict[Seat, SessionMaker] = {0: in_league, 1: in_league}
    table = InOrder(2, 4, draft=make_draft(2, target=1), choose=choose_eagerly, makers=makers)
    table.start().run()
    return table


TABLES: dict[str, Callable[[], SimTable]] = {
    "record-two-seats.bin": two_seats,
    "record-one-leaves.bin": one_leaves,
    "record-false-claim.bin": partial(foul, "claim_formation", 1),
    "record-false-win.bin": partial(foul, "go_out", 1),
    "record-no-key.bin": partial(misdeed, "has no key proof", 2, 7),
    "record-two-stories.bin": partial(misdeed, "tells two stories at KeyCommit", 3, 10),
    "record-standing-result.bin": partial(turned_back, CHEAT, 25),
    "record-fallen-result.bin": partial(turned_back, 2, 25),
    "record-voted-absent.bin": partial(voted_absent, 31),
    "record-no-joint-key.bin": no_joint_key,
    "record-open-books.bin": open_books,
    "record-books-left-shut.bin": books_left_shut,
    "record-published-key.bin": partial(misdeed, "publishes another key", 2, 4),
}


def frames_of(table: SimTable) -> list[bytes]:
    """The record of seat 0."""
    return list(table.peers[0].journal)
