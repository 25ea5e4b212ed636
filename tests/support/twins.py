"""Twins: one seat, played by two whole clients that share its key and its seed.

Until they are parted both hear and say the same. From then on each talks to some of the others
alone, and what it hears makes it say other things than its twin: two stories, as rich as a client
can tell them, at whatever moment (Bano et al., "Twins: BFT Systems Made Robust", 2020).
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from p2pjong.games.game import Seat
from p2pjong.session.effects import Ask, Effect, Finished, Send, Withdraw
from p2pjong.session.faults import Refusal
from p2pjong.session.session import Session
from p2pjong.wire.codec import decode
from p2pjong.wire.messages import Evidence, Lane, LaneBody, TableMessage
from tests.support.sim import SimTable, checked_session, make_secrets


class Twin:
    """The second client of a seat, and whom it talks to once they are parted."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.asked: Ask | None = None
        self.friends: set[Seat] | None = None  # None: they are not parted yet
        self.is_dead = False


class TwinTable(SimTable):
    """A table at which some seats are played by twins, who are no honest peers."""

    def __init__(self, seats: int, seed: int, twins: Iterable[Seat], **more: Any) -> None:
        super().__init__(seats, seed, **more)
        self.twins = {
            seat: Twin(checked_session(self.draft, self.game, make_secrets(self.draft, seat, seed)))
            for seat in twins
        }
        for seat in self.twins:
            self.peers[seat].is_honest = False

    def part(self, seat: Seat, friends: set[Seat]) -> None:
        """From now on the second twin talks to these seats, and the first one to all others."""
        self.twins[seat].friends = friends

    def vote(self, seat: Seat, absent: Seat) -> None:
        """Let the second twin vote somebody absent, whoever else would."""

        def vote(session: Session) -> list[Effect]:
            if session.charter is not None and not session.is_over:
                session._cast(absent)
            return session.drain()

        self.at_twin(seat, vote)

    def _is_second(self, seat: Seat, other: Seat) -> bool:
        """Whether it is the second twin of this seat that talks to the other seat."""
        twin = self.twins.get(seat)
        return twin is not None and twin.friends is not None and other in twin.friends

    # --- Both do and hear the same, or each its own ---------------------------------------------

    def begin(self) -> None:
        super().begin()
        for twin in self.twins.values():
            twin.session.begin()

    def hand_over(self, sender: Seat, to: Seat, frame: bytes) -> None:
        twin = self.twins.get(to)
        if twin is None:
            super().hand_over(sender, to, frame)
            return
        if twin.friends is not None and _is_about(frame, to):
            return  # neither wants to hear of the other
        if not self._is_second(to, sender):
            super().hand_over(sender, to, frame)
        if twin.friends is None or self._is_second(to, sender):
            message: TableMessage = decode(frame, TableMessage)
            self.at_twin(to, lambda session: session.receive(sender, message))

    def at(self, seat: Seat, call: Callable[[Session], list[Effect]]) -> None:
        try:
            super().at(seat, call)
        except AssertionError:
            if seat not in self.twins:
                raise

    def at_twin(self, seat: Seat, call: Callable[[Session], list[Effect]]) -> None:
        """Let the second twin do something."""
        twin = self.twins[seat]
        if twin.is_dead:
            return
        try:
            effects = call(twin.session)
        except Refusal:
            effects = twin.session.drain()
        except Exception:
            twin.is_dead, effects = True, twin.session.drain()
        for effect in effects:
            match effect:
                case Send(frame, to) if twin.friends is not None:
                    for friend in twin.friends if to is None else twin.friends & {to}:
                        if frozenset((seat, friend)) not in self.down | self.apart:
                            self.wires.setdefault((seat, friend), []).append(frame)
                case Ask():
                    twin.asked = effect
                case Withdraw() | Finished():
                    twin.asked = None

    def _send(self, seat: Seat, frame: bytes, to: Seat | None) -> None:
        if seat not in self.twins:
            super()._send(seat, frame, to)
            return
        others = [other for other in range(len(self.peers)) if other != seat]
        for other in others if to is None else [to]:
            if not self._is_second(seat, other):
                super()._send(seat, frame, other)

    def step(self) -> bool:
        asked = [seat for seat, twin in self.twins.items() if twin.asked and twin.friends]
        if asked and self.rng.random() < 0.3:
            self._choose_for_twin(self.rng.choice(asked))
            return True
        return super().step() or (bool(asked) and self._choose_for_twin(asked[0]))

    def choose_for(self, seat: Seat) -> None:
        twin = self.twins.get(seat)
        if twin is not None and twin.friends is None:
            ask, peer = self.peers[seat].asked, self.peers[seat]
            assert ask is not None
            peer.asked, twin.asked = None, None
            action = self.choose(ask, self.rng)
            self.at(seat, lambda session: session.answer(ask.question, action))
            self.at_twin(seat, lambda session: session.answer(ask.question, action))
            return
        super().choose_for(seat)

    def _choose_for_twin(self, seat: Seat) -> bool:
        twin = self.twins[seat]
        ask, twin.asked = twin.asked, None
        assert ask is not None
        action = self.choose(ask, self.rng)
        self.at_twin(seat, lambda session: session.answer(ask.question, action))
        return True

    def tick(self, seat: Seat | None = None) -> None:
        super().tick(seat)
        for one in self.twins if seat is None else self.twins.keys() & {seat}:
            self.at_twin(one, lambda session: session.tick())

    def bring_up(self, one: Seat, other: Seat) -> None:
        super().bring_up(one, other)
        for seat, friend in ((one, other), (other, one)):
            if seat in self.twins:
                self.at_twin(seat, partial(Session.linked, seat=friend))


def _is_about(frame: bytes, seat: Seat) -> bool:
    """Whether the frame is of this seat's own lane, or holds up its two stories."""
    message: TableMessage = decode(frame, TableMessage)
    if isinstance(message, Evidence):
        return message.first.seat == seat
    if isinstance(message, Lane):
        body: LaneBody = decode(message.body, LaneBody)
        return body.seat == seat
    return False
