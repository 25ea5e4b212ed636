"""Who begins: drawn by the charter, alike for all, and kept when the first hand falls (G1, G6)."""

from collections import Counter
from functools import partial
from hashlib import sha256, sha512
from typing import Any

import pytest
from msgspec.structs import replace as with_fields

from p2pjong.games.game import Seat, Shuffle
from p2pjong.session.charter import draw_lot
from p2pjong.session.effects import Happened, Words
from p2pjong.session.session import Session
from p2pjong.store.record import RecordHeader
from p2pjong.wire.codec import encode
from p2pjong.wire.messages import Draft, KeyCommit, Leave, Payload, Sign
from scripts.vector_edits import record_of
from scripts.vector_records import audited
from tests.support.hostile import hostile
from tests.support.lane_misdeeds import story_at
from tests.support.marks import first_quick
from tests.support.scenario import short_draft
from tests.support.second_verifier import verify
from tests.support.sim import Peer, SimTable, choose_default, make_draft, tiny_draft

# What the state of each game calls the seat that begins.
FIRST = {"war-jhong": "first", "samurai-warfare": "shogun", "not-your-mas-jong": "ma"}
SEATS = 4


def first_of(state: Any, game: str) -> Seat:
    seat: Seat = getattr(state, FIRST[game])
    return seat


def with_oldest(draft: Draft, oldest: tuple[Seat, ...]) -> Draft:
    """The draft, in which these seats say that they are the oldest."""
    entries = tuple(with_fields(one, is_oldest=at in oldest) for at, one in enumerate(draft.seats))
    return with_fields(draft, seats=entries)


def signed(game: str, seed: int, oldest: tuple[Seat, ...] = (), **makers: Any) -> SimTable:
    """A table as far as to the charter that all have signed."""
    draft = with_oldest(short_draft(game, SEATS), oldest)
    table = SimTable(SEATS, seed, draft=draft, **makers).start()
    assert table.run_until(lambda table: all(peer.session.charter for peer in table.honest()))
    return table


def lot_by_hand(charter: bytes, sides: int) -> int:
    """The lot of a charter as the pages have it, with nothing of the program."""

    def framed(*parts: bytes) -> bytes:
        counted = [len(part).to_bytes(4, "big") + part for part in parts]
        return sha512(len(parts).to_bytes(4, "big") + b"".join(counted)).digest()

    seed, number = framed(b"p2pjong/v1/toss", b"p2pjong/v1/lot", charter), 0
    while True:
        word = framed(b"p2pjong/v1/toss-word", seed, number.to_bytes(4, "big"))
        value = int.from_bytes(word[:8], "big")
        if value < 2**64 // sides * sides:
            return value % sides
        number += 1


# --- The lot ----------------------------------------------------------------------------------


@pytest.mark.parametrize("game", FIRST)
@pytest.mark.parametrize("seed", range(4))
def test_who_begins_is_the_lot_of_the_charter_and_everyone_is_told_before_any_card(
    game: str, seed: int
) -> None:
    table = signed(game, seed)
    (charter,) = {peer.session.charter for peer in table.peers}
    assert charter is not None
    lot = lot_by_hand(charter, SEATS)
    for peer in table.peers:
        play = peer.session.play
        assert first_of(play.state, game) == first_of(play.base, game) == lot
        assert isinstance(play.pending(), Shuffle), "nothing is tossed for"
        # What one sees: the words, who begins, and only then who is awaited for the deck.
        words = next(at for at, seen in enumerate(peer.seen) if isinstance(seen, Words))
        told, after = peer.seen[words + 1 : words + 3]
        assert isinstance(told, Happened)
        assert (told.event.verb, told.event.seat) == ("first_seat", lot)
        assert not isinstance(after, Happened)
        assert sum(isinstance(seen, Happened) for seen in peer.seen) == 1


@pytest.mark.parametrize("game", FIRST)
def test_after_the_charter_comes_the_first_deck(game: str) -> None:
    table = signed(game, 1)
    assert table.run_until(lambda table: min(map(len, lanes(table))) > 3)
    assert all(isinstance(lane[3].body.payload, KeyCommit) for lane in lanes(table))


def lanes(table: SimTable) -> list[Any]:
    return [peer.session.lanes.accepted[seat] for seat, peer in enumerate(table.peers)]


@pytest.mark.parametrize("game", ["samurai-warfare", "not-your-mas-jong"])
def test_where_just_one_seat_is_the_oldest_there_is_no_lot(game: str) -> None:
    for peer in signed(game, 1, oldest=(2,)).peers:
        assert first_of(peer.session.play.state, game) == 2
        assert not any(isinstance(seen, Happened) for seen in peer.seen)


@pytest.mark.parametrize("seats", range(2, 9))
def test_over_many_charters_every_seat_begins_equally_often(seats: int) -> None:
    count = 400 * seats
    charters = [sha256(b"%d" % number).digest() for number in range(count)]
    lots = [draw_lot(charter, seats) for charter in charters]
    assert lots == [lot_by_hand(charter, seats) for charter in charters]
    begun = Counter(lots)
    # Six standard deviations at most from 400.
    assert set(begun) == set(range(seats))
    assert all(abs(times - 400) < 6 * 20 for times in begun.values())


@pytest.mark.parametrize("seat", range(3))
def test_every_seat_has_a_part_in_the_lot(seat: int) -> None:
    """With other nonces of any one seat, whatever the others', each may begin."""
    lots = set()
    for seed in range(20):
        table = SimTable(3, 1, draft=make_draft(3))
        other = SimTable(3, 100 + seed, draft=table.draft)
        table.peers[seat].session = other.peers[seat].session
        table.start()
        table.run_until(lambda table: all(peer.session.charter for peer in table.peers))
        lots.add(first_of(table.peers[0].session.play.state, "war-jhong"))
    assert lots == {0, 1, 2}


# --- Who does not sign ------------------------------------------------------------------------


class Quitter(Session):
    """Leaves when it should sign the charter, whose lot it knows by then."""

    def _say(self, payload: Payload) -> None:
        self._has_left = isinstance(payload, Sign)
        super()._say(Leave() if self._has_left else payload)


@pytest.mark.parametrize("game", FIRST)
@pytest.mark.parametrize("ahead", range(SEATS))
def test_who_breaks_off_when_it_knows_the_lot_changes_nothing_but_that_it_is_out(
    game: str, ahead: int
) -> None:
    """Nobody gets a second throw so; if the lot fell on it, the next seat begins (G6)."""
    lot = first_of(signed(game, ahead).peers[0].session.play.state, game)
    out = (lot + ahead) % SEATS
    table = signed(game, ahead, makers={out: Quitter})
    table.run_until(lambda table: all(out not in present(peer) for peer in table.honest()))
    check_begins(table, game, out, next_to(lot, {out}))


def present(peer: Peer) -> tuple[Seat, ...]:
    return peer.session.play.present()


def next_to(first: Seat, out: set[Seat], seats: int = SEATS) -> Seat:
    """This seat, or the next that is not out."""
    around = [(first + step) % seats for step in range(seats)]
    return next(seat for seat in around if seat not in out)


def check_begins(table: SimTable, game: str, out: Seat, first: Seat) -> None:
    """For all honest peers, and whoever reads a record of theirs, this seat begins the hand."""
    assert {seat for seat, _ in table.faults()} <= {out}
    for seat, peer in enumerate(table.peers):
        if seat == out:
            continue
        play = peer.session.play
        assert play.state.present == tuple(one != out for one in range(SEATS))
        assert first_of(play.state, game) == first
        record = record_of(encode(RecordHeader(1, table.draft)), peer.journal)
        verdict = audited(record)
        assert verdict["digest"] == play.public_digest().hex()
        assert verify(record) == verdict


# --- A first hand that falls ------------------------------------------------------------------


def is_among_keys(table: SimTable) -> bool:
    """Whether keys are being committed to, and no card is there yet."""
    return any(len(lane) > 3 for lane in lanes(table))


def is_in_play(table: SimTable) -> bool:
    """Whether cards are dealt, and somebody is asked."""
    return any(peer.asked for peer in table.peers)


def leaves(table: SimTable, out: Seat) -> None:
    table.at(out, lambda session: session.leave())


def is_voted_absent(table: SimTable, out: Seat) -> None:
    fall_silent(table, out, others_than(out))


def fall_silent(table: SimTable, out: Seat, others: list[Seat]) -> None:
    """The others go on until they wait for it, and vote it absent."""
    for other in others:
        table.cut(other, out)
    table.run()
    table.tick()  # what some have heard of it the rest hear from them
    table.run()
    for voter in others:
        table.at(voter, lambda session: session.propose_absent(out))


def have_begun_without(out: Seat, others: list[Seat], table: SimTable) -> bool:
    """Whether the others have begun the hand anew."""
    peers = [table.peers[seat] for seat in others]
    return all(out not in present(one) and not one.session.turning.is_open for one in peers)


def others_than(out: Seat) -> list[Seat]:
    return [seat for seat in range(SEATS) if seat != out]


MOMENTS = [is_among_keys, pytest.param(is_in_play, marks=pytest.mark.slow)]
WAYS = [leaves, is_voted_absent]
AHEAD = first_quick(range(SEATS), 2)  # how far from the first seat the one is that goes


@pytest.mark.parametrize("game", FIRST)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("ahead", AHEAD)
def test_a_first_hand_that_falls_by_a_leave_or_a_vote_is_begun_by_the_same_seat_or_the_next(
    game: str, way: Any, moment: Any, ahead: int
) -> None:
    table = signed(game, 10 + ahead, choose=choose_default)
    lot = first_of(table.peers[0].session.play.state, game)
    out = (lot + ahead) % SEATS
    assert table.run_until(moment)
    way(table, out)
    assert table.run_until(partial(have_begun_without, out, others_than(out)))
    check_begins(table, game, out, next_to(lot, {out}))


@pytest.mark.parametrize("game", FIRST)
@pytest.mark.parametrize(
    "kind", ["KeyCommit", *(pytest.param(kind, marks=pytest.mark.slow) for kind in ("Sign", "Act"))]
)
@pytest.mark.parametrize("ahead", AHEAD)
def test_a_first_hand_that_falls_by_two_stories_is_begun_by_the_same_seat_or_the_next(
    game: str, kind: str, ahead: int
) -> None:
    lot = first_of(signed(game, 20 + ahead).peers[0].session.play.state, game)
    # In play only who acts can tell two stories of that; by default the first one does.
    out = (lot + (0 if kind == "Act" else ahead)) % SEATS
    makers = {out: hostile(story_at(kind))}
    table = signed(game, 20 + ahead, makers=makers, choose=choose_default)
    assert table.run_until(partial(have_begun_without, out, others_than(out)))
    assert table.run_until(lambda table: len(table.verdicts()) == 1 and bool(table.faults()))
    check_begins(table, game, out, next_to(lot, {out}))


# One oldest seat begins; of several, and in War Jhong, none has a better claim than the others, and
# the lot is drawn among all. The seat that goes is the first one, or the next.
OLDEST = [
    pytest.param(game, oldest, id=f"{game}-{len(oldest)}")
    for game in FIRST
    for oldest in ((2,), (0, 3))
]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "oldest"), OLDEST)
@pytest.mark.parametrize("ahead", range(2))
def test_a_first_hand_that_falls_is_begun_by_the_oldest_again_or_the_next_seat(
    game: str, oldest: tuple[Seat, ...], ahead: int
) -> None:
    table = signed(game, seed_for(game, oldest), oldest, choose=choose_default)
    charter = table.peers[0].session.charter
    assert charter is not None
    is_drawn = game == "war-jhong" or len(oldest) > 1
    first = lot_by_hand(charter, SEATS) if is_drawn else oldest[0]
    assert first_of(table.peers[0].session.play.state, game) == first
    out = (first + ahead) % SEATS
    assert table.run_until(is_among_keys)
    leaves(table, out)
    assert table.run_until(partial(have_begun_without, out, others_than(out)))
    check_begins(table, game, out, next_to(first, {out}))


def seed_for(game: str, oldest: tuple[Seat, ...]) -> int:
    """A table whose lot falls on none of the oldest, so that who begins tells which it was."""
    for seed in range(20):
        charter = signed(game, seed, oldest).peers[0].session.charter
        assert charter is not None
        if lot_by_hand(charter, SEATS) not in oldest:
            return seed
    raise AssertionError("no such table")


def test_who_begins_does_not_depend_on_the_order_in_which_seats_go() -> None:
    """Two are voted out of the first hand, one after the other, or the other way round."""
    begun = set()
    for order in ((0, 1), (1, 0)):
        table = SimTable(5, 3, draft=tiny_draft(5)).start()
        table.run_until(lambda table: all(peer.session.charter for peer in table.peers))
        lot = table.peers[0].session.play.state.first
        gone = [(lot + ahead) % 5 for ahead in order]
        for at, out in enumerate(gone):
            rest = [seat for seat in range(5) if seat not in gone[: at + 1]]
            fall_silent(table, out, rest)
            assert table.run_until(partial(have_begun_without, out, rest))
        (first,) = {table.peers[seat].session.play.state.first for seat in rest}
        assert first == next_to(lot, set(gone), 5)
        begun.add(first)
    assert len(begun) == 1
