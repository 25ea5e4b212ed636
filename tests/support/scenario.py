"""One seeded table of the simulator: game, seats, network, leavers and a cheat, all from the seed.

`play` runs it and checks what must hold. Safety: honest peers never disagree and never blame an
honest seat. Liveness: once the network behaves, the game ends or waits for the cheat alone.
"""

from dataclasses import dataclass
from random import Random

from msgspec.structs import replace as with_fields

from p2pjong.games.game import Seat
from p2pjong.session.effects import VotedOut
from p2pjong.wire.messages import Draft
from tests.support.hostile import Misdeed, hostile
from tests.support.misdeeds import AT_OPEN_BOOKS, GENERAL, MISDEEDS, is_at_open_books
from tests.support.sim import Chaos, Peer, SimTable, audit_journal, make_draft, tiny_draft

QUIET = Chaos()
ROUGH = Chaos(twice=0.2, lost=0.05, cut=0.01, tick=0.05)


@dataclass(frozen=True)
class Scenario:
    """What one seed comes to."""

    seed: int
    game: str
    seats: int
    target: int
    chaos: Chaos
    apart: tuple[tuple[Seat, Seat], ...]
    leaver: Seat | None
    leaves_after: int  # deliveries
    cheat: Seat | None
    misdeed: Misdeed | None
    is_open_books: bool = False
    is_impatient: bool = False  # people vote each other absent while messages are under way

    def __str__(self) -> str:
        parts = [f"seed {self.seed}: {self.game}, {self.seats} seats, to {self.target}"]
        if self.chaos != QUIET:
            parts.append("rough network")
        if self.apart:
            parts.append(f"no links between {self.apart}")
        if self.leaver is not None:
            parts.append(f"seat {self.leaver} leaves after {self.leaves_after} deliveries")
        if self.misdeed:
            parts.append(f"seat {self.cheat} {self.misdeed.name}")
        if self.is_open_books:
            parts.append("open books")
        if self.is_impatient:
            parts.append("all impatient")
        return ", ".join(parts)


def draw(seed: int, game: str = "tiny") -> Scenario:
    """The scenario of a seed."""
    rng = Random(seed)
    seats = rng.choice([2, 2, 3, 3, 3, 4, 5, 8] if game == "tiny" else [3, 3, 4])
    misdeeds = [*MISDEEDS, *AT_OPEN_BOOKS] if game == "tiny" else [*GENERAL, *AT_OPEN_BOOKS]
    cheats = rng.random() < 0.5
    misdeed = rng.choice(misdeeds) if cheats else None
    leaves = rng.random() < 0.3
    return Scenario(
        seed=seed,
        game=game,
        seats=seats,
        target=rng.randint(1, 2) if game == "tiny" else 1,
        chaos=rng.choice([QUIET, ROUGH]),
        apart=draw_apart(rng, seats),
        leaver=rng.randrange(seats) if leaves else None,
        leaves_after=rng.randrange(400),
        cheat=rng.randrange(seats) if cheats else None,
        misdeed=misdeed,
        is_open_books=is_at_open_books(misdeed) if misdeed else rng.random() < 0.2,
    )


def draw_apart(rng: Random, seats: int) -> tuple[tuple[Seat, Seat], ...]:
    """Some pairs that can never link; a random tree of links always stays."""
    order = rng.sample(range(seats), seats)
    tree = {frozenset((order[n], order[rng.randrange(n)])) for n in range(1, seats)}
    pairs = [(one, other) for one in range(seats) for other in range(one + 1, seats)]
    share = rng.choice([0.0, 0.0, 0.3, 1.0])
    return tuple(pair for pair in pairs if frozenset(pair) not in tree and rng.random() < share)


def play(scenario: Scenario) -> SimTable:
    """Run it; raises AssertionError when something does not hold that must."""
    is_tiny = scenario.game == "tiny"
    seats, target = scenario.seats, scenario.target
    makers = {}
    if scenario.misdeed is not None and scenario.cheat is not None:
        makers[scenario.cheat] = hostile(scenario.misdeed)
    draft = tiny_draft(seats, target) if is_tiny else short_draft(scenario.game, seats)
    table = SimTable(
        seats,
        scenario.seed,
        draft=with_open_books(draft) if scenario.is_open_books else draft,
        makers=makers,
        chaos=scenario.chaos,
    )
    table.start(apart=scenario.apart)
    if scenario.leaver is not None:
        table.run_until(lambda table: table.delivered >= scenario.leaves_after)
        table.at(scenario.leaver, lambda session: session.leave())
    if scenario.is_impatient:
        vote_wildly(table)
    table.finish(ticks=40)
    check_safety(table, scenario)
    if not scenario.is_impatient:  # who has voted in vain waits until others vote, too
        check_liveness(table, scenario)
    return table


def vote_wildly(table: SimTable) -> None:
    """Everyone would vote whoever is awaited absent, again and again, for no good reason."""
    seats = range(len(table.peers))
    for _ in range(4):
        for seat in seats:
            for absent in table.rng.sample(seats, len(seats)):
                if absent != seat and table.rng.random() < 0.7:
                    table.at(seat, lambda session: session.propose_absent(absent))  # noqa: B023
        for _ in range(table.rng.randrange(60)):
            table.step()


def with_open_books(draft: Draft) -> Draft:
    """The same table with open books."""
    return with_fields(draft, options=with_fields(draft.options, is_open_books=True))


def short_draft(game: str, seats: int) -> Draft:
    """A game of about one hand or round."""
    if game != "not-your-mas-jong":
        return make_draft(seats, game, target=1)
    draft = make_draft(seats, game)
    return with_fields(draft, options=with_fields(draft.options, rounds=1))


def check_safety(table: SimTable, scenario: Scenario) -> None:
    """No honest peer is blamed, and those that finished agree, with what an auditor finds."""
    stayed = [table.peers[seat] for seat in _stayed(table, scenario)]
    for peer in table.honest():
        blamed = {fault.seat for fault in peer.session.course.faults}
        assert blamed <= {scenario.cheat}, "an honest seat is blamed"
    ends = {(peer.finished.over, peer.finished.digest) for peer in stayed if peer.finished}
    assert len(ends) <= 1, "honest peers ended differently"
    # With too few left the game ends at once for who hears a bad story first.
    ends_at_once = scenario.seats - 1 < table.game.seats_min
    if not (scenario.misdeed and (may_end_first(scenario.misdeed) or ends_at_once)):
        assert len({_verdict(peer) for peer in stayed}) <= 1, "verdicts differ"
    for peer in stayed:
        verdict = audit_journal(table.draft, peer.journal)
        faults = peer.session.course.faults
        assert verdict.is_valid == (not faults), verdict.problem
        assert verdict.fault is None or verdict.fault.seat == scenario.cheat


def _stayed(table: SimTable, scenario: Scenario) -> list[Seat]:
    """The honest seats that are in it to the end: who left, or was voted out, only looks on."""
    out = {
        effect.seat for peer in table.peers for effect in peer.seen if isinstance(effect, VotedOut)
    }
    return [
        seat
        for seat, peer in enumerate(table.peers)
        if peer.is_honest and seat != scenario.leaver and seat not in out
    ]


def _verdict(peer: Peer) -> tuple[tuple[Seat, int, str], ...]:
    faults = peer.session.course.faults
    return tuple(sorted((fault.seat, fault.number, fault.rule) for fault in faults))


def may_end_first(misdeed: Misdeed) -> bool:
    """Whether one of two stories can end the game for those who heard it, before the other comes:
    a fault before play, or the last signature of all."""
    ends = ("NonceCommit", "NonceOpen", "Sign", "Settled", "KeyPublished")
    return misdeed.rule == "equivocation" and misdeed.kind in ends


def check_liveness(table: SimTable, scenario: Scenario) -> None:
    """The game has ended, or all honest peers wait for the cheat."""
    stayed = [table.peers[seat] for seat in _stayed(table, scenario)]
    if all(peer.finished for peer in stayed):
        return
    assert scenario.misdeed is not None, "an honest table got stuck"
    if may_end_first(scenario.misdeed) or scenario.seats - 1 < table.game.seats_min:
        return  # who heard a bad signature has no table; the others can only vote it absent
    if scenario.apart and any(peer.is_dead for peer in table.peers):
        return  # the only way between two honest seats may have led through the cheat
    for peer in stayed:
        assert peer.finished or set(peer.session.course.missing()) <= {scenario.cheat}
