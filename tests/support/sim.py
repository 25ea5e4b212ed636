"""A table of real sessions over an in-memory network, seeded: delay, reordering, dead links."""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2pjong.games import GAMES
from p2pjong.games.game import Action, Seat
from p2pjong.session.effects import Ask, Effect, Finished, Send, Store, Withdraw
from p2pjong.session.faults import Refusal
from p2pjong.session.session import Secrets, Session
from p2pjong.wire.codec import decode
from p2pjong.wire.messages import Draft, SeatEntry, TableMessage, TableOptions

Chooser = Callable[[Ask, Random], Action]


def choose_randomly(ask: Ask, rng: Random) -> Action:
    """Any legal action."""
    return rng.choice(ask.actions)


def signing_key(seat: Seat, table: int = 0) -> Ed25519PrivateKey:
    """The identity of a seat in tests."""
    return Ed25519PrivateKey.from_private_bytes(bytes([seat + 1, table]) * 16)


def make_draft(seats: int, game: str = "war-jhong", target: int = 0, table: int = 0) -> Draft:
    """A draft with the test identities."""
    entries = tuple(
        SeatEntry(
            name=f"seat {seat}",
            key=signing_key(seat, table).public_key().public_bytes_raw(),
            is_bot=True,
            is_oldest=False,
        )
        for seat in range(seats)
    )
    options = TableOptions(target=target, rounds=0, clock_ms=0, window_ms=0, grace_ms=0)
    return Draft(1, bytes([table]) * 16, "a table", game, options, entries)


def make_session(draft: Draft, seat: Seat, seed: int = 0, **rest: Any) -> Session:
    """One seat's session, with secrets that depend on the seed alone."""
    key = signing_key(seat, draft.table[0])
    secrets = Secrets(seat, key.sign, bytes([seat, seed % 256]) * 16)
    return Session(draft, GAMES[draft.game], secrets, **{"is_checked": True, **rest})


@dataclass
class Peer:
    """A session, what it journaled, and what its shell was told."""

    session: Session
    journal: list[bytes] = field(default_factory=list)
    seen: list[Effect] = field(default_factory=list)
    asked: Ask | None = None
    finished: Finished | None = None
    refusals: list[str] = field(default_factory=list)


class SimTable:
    """N peers and the frames between them. `run` delivers in a seeded order until all is quiet."""

    def __init__(
        self,
        seats: int,
        seed: int = 0,
        draft: Draft | None = None,
        choose: Chooser = choose_randomly,
        **rest: Any,
    ) -> None:
        self.draft = draft or make_draft(seats)
        self.rng = Random(seed)
        self.choose = choose
        self.peers = [Peer(make_session(self.draft, seat, seed, **rest)) for seat in range(seats)]
        self.wires: dict[tuple[Seat, Seat], list[bytes]] = {}
        self.dead: set[frozenset[Seat]] = set()
        self.delivered = 0

    def link(self, *, apart: tuple[tuple[Seat, Seat], ...] = ()) -> None:
        """Link all peers with each other, but for the pairs `apart`."""
        self.dead |= {frozenset(pair) for pair in apart}
        for one in range(len(self.peers)):
            for other in range(len(self.peers)):
                if one != other and frozenset((one, other)) not in self.dead:
                    self.carry_out(one, self.peers[one].session.linked(other))

    def begin(self) -> None:
        """All peers begin."""
        for seat, peer in enumerate(self.peers):
            self.carry_out(seat, peer.session.begin())

    def carry_out(self, seat: Seat, effects: list[Effect]) -> None:
        """Be the shell of one peer."""
        peer = self.peers[seat]
        for effect in effects:
            match effect:
                case Send(frame, to):
                    self._send(seat, frame, to)
                case Store(frame=frame):
                    peer.journal.append(frame)
                case Ask():
                    peer.asked = effect
                case Withdraw(question):
                    if peer.asked is not None and peer.asked.question == question:
                        peer.asked = None
                case Finished():
                    peer.finished = effect
            peer.seen.append(effect)

    def _send(self, seat: Seat, frame: bytes, to: Seat | None) -> None:
        others = [other for other in range(len(self.peers)) if other != seat]
        for other in others if to is None else [to]:
            if frozenset((seat, other)) not in self.dead:
                self.wires.setdefault((seat, other), []).append(frame)

    def step(self) -> bool:
        """One delivery or one choice, by the seeded order; False when nothing is left to do."""
        moves: list[Any] = sorted(wire for wire, frames in self.wires.items() if frames)
        moves += [seat for seat, peer in enumerate(self.peers) if peer.asked is not None]
        if not moves:
            return False
        move = self.rng.choice(moves)
        if isinstance(move, tuple):
            self.deliver(*move)
        else:
            self.choose_for(move)
        return True

    def deliver(self, sender: Seat, to: Seat) -> None:
        """Deliver one frame of a wire (any one of them: frames may overtake each other)."""
        frames = self.wires[sender, to]
        frame = frames.pop(self.rng.randrange(len(frames)))
        self.hand_over(sender, to, frame)

    def hand_over(self, sender: Seat, to: Seat, frame: bytes) -> None:
        """Let one peer receive a frame."""
        self.delivered += 1
        try:
            effects = self.peers[to].session.receive(sender, decode(frame, TableMessage))
        except Refusal as refusal:
            self.peers[to].refusals.append(str(refusal))
            effects = self.peers[to].session.drain()
        self.carry_out(to, effects)

    def choose_for(self, seat: Seat) -> None:
        """Answer what a peer asks."""
        ask = self.peers[seat].asked
        assert ask is not None
        self.peers[seat].asked = None
        action = self.choose(ask, self.rng)
        self.carry_out(seat, self.peers[seat].session.answer(ask.question, action))

    def run(self, deliveries_max: int = 1_000_000) -> None:
        """Until nothing is left to do, or until so many deliveries."""
        while self.delivered < deliveries_max and self.step():
            pass

    def digests(self) -> set[bytes]:
        """The final digests of all peers that finished."""
        return {peer.finished.digest for peer in self.peers if peer.finished}
