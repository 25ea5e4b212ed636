"""A table of real sessions over an in-memory network, seeded: delay, reordering, dead links.

Every choice (which frame arrives next, twice or not, who answers what) comes from one seed, so a
failing run can be had again. Sessions of the production code; the network and the people are ours.
"""

from collections import ChainMap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, cast

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2pjong.audit import Verdict, audit
from p2pjong.games import GAMES
from p2pjong.games.game import NOBODY, Action, Game, Seat
from p2pjong.session.conduct import Secrets
from p2pjong.session.effects import Ask, Blame, Effect, Finished, Send, Store, Withdraw
from p2pjong.session.faults import Fault, Refusal
from p2pjong.session.session import Session
from p2pjong.wire.codec import DecodeError, decode
from p2pjong.wire.messages import Draft, Evidence, Lane, SeatEntry, TableMessage, TableOptions
from tests.support.tiny import TinyGame

Chooser = Callable[[Ask, Random], Action]
SessionMaker = Callable[[Draft, Game, Secrets], Session]

TINY: dict[str, Game] = {game.name: game for game in (TinyGame(kinds) for kinds in (3, 4, 5))}
ALL_GAMES: Mapping[str, Game] = ChainMap(TINY, cast(Any, GAMES))


def choose_randomly(ask: Ask, rng: Random) -> Action:
    """Any legal action."""
    return rng.choice(ask.actions)


def choose_default(ask: Ask, rng: Random) -> Action:
    """What is played when time is up."""
    return ask.default


def signing_key(seat: Seat, table: int = 0) -> Ed25519PrivateKey:
    """The identity of a seat in tests."""
    return Ed25519PrivateKey.from_private_bytes(bytes([seat + 1, table]) * 16)


def make_draft(
    seats: int,
    game: str = "war-jhong",
    target: int = 0,
    table: int = 0,
    is_open_books: bool = False,
) -> Draft:
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
    options = TableOptions(
        target=target,
        rounds=0,
        clock_ms=0,
        window_ms=0,
        grace_ms=60_000,
        is_open_books=is_open_books,
    )
    return Draft(1, bytes([table]) * 16, "a table", game, options, entries)


def tiny_draft(seats: int, target: int = 1, table: int = 0) -> Draft:
    """A draft for the tiny game, of one hand unless told."""
    smallest = min(name for name, game in TINY.items() if game.seats_max >= seats)
    return make_draft(seats, smallest, target, table)


def make_secrets(draft: Draft, seat: Seat, seed: int = 0) -> Secrets:
    """Secrets that depend on the table, the seat and the seed alone."""
    key = signing_key(seat, draft.table[0])
    return Secrets(seat, key.sign, bytes([seat, *seed.to_bytes(3, "big")]) * 8)


def checked_session(draft: Draft, game: Game, secrets: Secrets) -> Session:
    """A session of the production code, with the invariants of its game checked."""
    return Session(draft, game, secrets, is_checked=True)


def make_session(draft: Draft, seat: Seat, seed: int = 0) -> Session:
    """One seat's honest session."""
    return checked_session(draft, ALL_GAMES[draft.game], make_secrets(draft, seat, seed))


@dataclass
class Peer:
    """A session, what it journaled, and what its shell was told."""

    session: Session
    journal: list[bytes] = field(default_factory=list)
    seen: list[Effect] = field(default_factory=list)
    chosen: list[Action] = field(default_factory=list)
    asked: Ask | None = None
    finished: Finished | None = None
    refusals: list[str] = field(default_factory=list)
    is_honest: bool = True
    is_dead: bool = False  # a hostile client that fell over its own misdeed

    def blames(self) -> list[tuple[Seat, str]]:
        """Whom its shell was told to have broken which rule."""
        return [(seen.seat, seen.rule) for seen in self.seen if isinstance(seen, Blame)]


@dataclass(frozen=True)
class Chaos:
    """How the network misbehaves: chances, of one delivery, that something odd happens."""

    twice: float = 0.0  # the frame stays on the wire and arrives again
    lost: float = 0.0  # the frame is lost
    cut: float = 0.0  # a link goes down, or a dead one comes up
    tick: float = 0.0  # a peer's clock ticks


class SimTable:
    """N peers and the frames between them. `run` delivers in a seeded order until all is quiet."""

    def __init__(
        self,
        seats: int,
        seed: int = 0,
        *,
        draft: Draft | None = None,
        choose: Chooser = choose_randomly,
        makers: dict[Seat, SessionMaker] | None = None,
        chaos: Chaos = Chaos(),
    ) -> None:
        self.draft = draft or tiny_draft(seats)
        self.game = ALL_GAMES[self.draft.game]
        self.rng = Random(seed)
        self.choose = choose
        self.chaos = chaos
        hostile = makers or {}
        self.peers = [
            Peer(
                hostile.get(seat, checked_session)(
                    self.draft, self.game, make_secrets(self.draft, seat, seed)
                ),
                is_honest=seat not in hostile,
            )
            for seat in range(seats)
        ]
        self.wires: dict[tuple[Seat, Seat], list[bytes]] = {}
        self.down: set[frozenset[Seat]] = set()  # links that are down now
        self.apart: set[frozenset[Seat]] = set()  # pairs that can never link
        self.delivered = 0

    # --- Links --------------------------------------------------------------------------------

    def start(self, *, apart: Iterable[tuple[Seat, Seat]] = ()) -> "SimTable":
        """All peers begin, and are linked with each other but for the pairs `apart`."""
        self.begin()
        self.link(apart=apart)
        return self

    def begin(self) -> None:
        """All peers begin."""
        for seat, peer in enumerate(self.peers):
            self.carry_out(seat, peer.session.begin())

    def link(self, *, apart: Iterable[tuple[Seat, Seat]] = ()) -> None:
        """Link all peers with each other, but for the pairs `apart`."""
        self.apart |= {frozenset(pair) for pair in apart}
        for one, other in self.pairs():
            self.bring_up(one, other)

    def pairs(self) -> list[tuple[Seat, Seat]]:
        """All pairs of seats that can be linked."""
        seats = range(len(self.peers))
        return [
            (one, other)
            for one in seats
            for other in seats
            if one < other and frozenset((one, other)) not in self.apart
        ]

    def bring_up(self, one: Seat, other: Seat) -> None:
        """The link between two peers is up, from now on and new."""
        self.down.discard(frozenset((one, other)))
        self.carry_out(one, self.peers[one].session.linked(other))
        self.carry_out(other, self.peers[other].session.linked(one))

    def cut(self, one: Seat, other: Seat) -> None:
        """The link between two peers is down, and what was on the wire is lost."""
        self.down.add(frozenset((one, other)))
        self.wires.pop((one, other), None)
        self.wires.pop((other, one), None)
        self.carry_out(one, self.peers[one].session.unlinked(other))
        self.carry_out(other, self.peers[other].session.unlinked(one))

    def heal(self) -> None:
        """The network behaves from now on, and every link that can be is up."""
        self.chaos = Chaos()
        for one, other in self.pairs():
            if frozenset((one, other)) in self.down:
                self.bring_up(one, other)

    # --- The shell of each peer ---------------------------------------------------------------

    def carry_out(self, seat: Seat, effects: Iterable[Effect]) -> None:
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
                    assert peer.finished is None, "a game ends once"
                    peer.finished = effect
            peer.seen.append(effect)

    def _send(self, seat: Seat, frame: bytes, to: Seat | None) -> None:
        others = [other for other in range(len(self.peers)) if other != seat]
        for other in others if to is None else [to]:
            if frozenset((seat, other)) not in self.down | self.apart:
                self.wires.setdefault((seat, other), []).append(frame)

    def at(self, seat: Seat, call: Callable[[Session], list[Effect]]) -> None:
        """Let one peer do something, and carry out what comes of it."""
        peer = self.peers[seat]
        if peer.is_dead:
            return
        try:
            effects = call(peer.session)
        except Refusal as refusal:
            peer.refusals.append(str(refusal))
            effects = peer.session.drain()
        except Exception:
            if peer.is_honest:
                raise
            peer.is_dead, effects = True, peer.session.drain()
        self.carry_out(seat, effects)

    # --- One thing after another --------------------------------------------------------------

    def step(self) -> bool:
        """One delivery or one choice, by the seeded order; False when nothing is left to do."""
        self._misbehave()
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

    def _misbehave(self) -> None:
        if self.rng.random() < self.chaos.cut and self.pairs():
            one, other = self.rng.choice(self.pairs())
            is_down = frozenset((one, other)) in self.down
            (self.bring_up if is_down else self.cut)(one, other)
        if self.rng.random() < self.chaos.tick:
            self.tick(self.rng.randrange(len(self.peers)))

    def deliver(self, sender: Seat, to: Seat) -> None:
        """Deliver one frame of a wire (any one of them: frames may overtake each other)."""
        frames = self.wires[sender, to]
        frame = frames.pop(self.rng.randrange(len(frames)))
        if self.rng.random() < self.chaos.twice:
            frames.append(frame)
        if self.rng.random() >= self.chaos.lost:
            self.hand_over(sender, to, frame)

    def hand_over(self, sender: Seat, to: Seat, frame: bytes) -> None:
        """Let one peer receive a frame."""
        self.delivered += 1
        try:
            message: TableMessage = decode(frame, TableMessage)
        except DecodeError as error:
            self.peers[to].refusals.append(str(error))  # a link would end here, and come anew
            return
        self.at(to, lambda session: session.receive(sender, message))

    def choose_for(self, seat: Seat) -> None:
        """Answer what a peer asks."""
        peer = self.peers[seat]
        ask, peer.asked = peer.asked, None
        assert ask is not None
        action = self.choose(ask, self.rng)
        peer.chosen.append(action)
        self.at(seat, lambda session: session.answer(ask.question, action))

    def tick(self, seat: Seat | None = None) -> None:
        """A second passes, for one peer or for all."""
        for one in range(len(self.peers)) if seat is None else [seat]:
            self.at(one, lambda session: session.tick())

    def run(self, deliveries_max: int = 50_000) -> "SimTable":
        """Until nothing is left to do. Fails if that never comes: peers must not chatter."""
        last = self.delivered + deliveries_max
        while self.step():
            assert self.delivered < last, "the peers never come to rest"
        return self

    def run_until(self, reached: Callable[["SimTable"], bool]) -> bool:
        """Until the condition holds (True) or nothing is left to do."""
        while not reached(self):
            if not self.step():
                return False
        return True

    def finish(self, ticks: int = 8) -> "SimTable":
        """Run; then heal the network and let seconds pass until all honest peers are done."""
        self.run()
        self.heal()
        for _ in range(ticks):
            if self.is_finished():
                break
            self.tick()
            self.run()
        return self

    # --- What came of it ----------------------------------------------------------------------

    def honest(self) -> list[Peer]:
        """The peers that run the production code."""
        return [peer for peer in self.peers if peer.is_honest]

    def is_finished(self) -> bool:
        """Whether every honest peer's game is over."""
        return all(peer.finished for peer in self.honest())

    def digests(self) -> set[bytes]:
        """The final digests of all honest peers that finished."""
        return {peer.finished.digest for peer in self.honest() if peer.finished}

    def outcomes(self) -> set[Any]:
        """How the game ended, as each honest peer sees it; None where it has not."""
        return {peer.finished and peer.finished.over for peer in self.honest()}

    def verdicts(self) -> set[tuple[Fault, ...]]:
        """The faults that each honest peer found, in order of rank: one element if they agree."""
        return {
            tuple(sorted(peer.session.course.faults, key=lambda fault: fault.rank))
            for peer in self.honest()
        }

    def faults(self) -> list[tuple[Seat, str]]:
        """Who broke which rule, as all honest peers agree."""
        (verdict,) = self.verdicts()
        return [(fault.seat, fault.rule) for fault in verdict]

    def audits(self) -> list[Verdict]:
        """What an auditor makes of each honest peer's journal."""
        return [audit_journal(self.draft, peer.journal) for peer in self.honest()]


def begun_by(first: Seat, seats: int, target: int = 1, seed: int = 0) -> Draft:
    """A draft for the tiny game that has this seat begin at a `SimTable` of honest peers."""
    for number in range(256):
        draft = tiny_draft(seats, target, number)
        table = SimTable(seats, seed, draft=draft).start()
        table.run_until(lambda table: table.peers[0].session.play.state.first != NOBODY)
        if table.peers[0].session.play.state.first == first:
            return draft
    raise AssertionError("no lot fell on that seat")


def audit_journal(draft: Draft, journal: Iterable[bytes]) -> Verdict:
    """Audit a journal as the record that would be written of it."""
    return audit(draft, [decode(frame, Lane | Evidence) for frame in journal], ALL_GAMES)
