"""Open books: every card of a hand that has ended is shown, and nothing of any other hand."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from msgspec.structs import replace as with_fields

from p2pjong.audit import Verdict
from p2pjong.crypto.group import Scalar, multiply_base
from p2pjong.games.game import Over, Seat
from p2pjong.session.charter import draft_hash
from p2pjong.session.effects import Books
from p2pjong.session.lanes import sign_body
from p2pjong.wire.codec import decode
from p2pjong.wire.messages import (
    Draft,
    KeyOpen,
    KeyPublished,
    Lane,
    LaneBody,
    Settled,
)
from tests.support.hostile import Misdeed, hostile
from tests.support.marks import first_quick
from tests.support.misdeeds import BOOKS
from tests.support.scenario import short_draft
from tests.support.sim import Peer, SimTable, make_draft, make_secrets, tiny_draft
from tests.support.trials import choose_greedily

CHEAT = 1
SILENCE = next(misdeed for misdeed in BOOKS if misdeed.is_silent)
FAULTS = [misdeed for misdeed in BOOKS if misdeed.rule]
REAL = [
    ("war-jhong", 3),
    pytest.param("samurai-warfare", 3, marks=pytest.mark.slow),
    pytest.param("not-your-mas-jong", 3, marks=pytest.mark.slow),
]


def opened(draft: Draft) -> Draft:
    """The same table with open books."""
    return with_fields(draft, options=with_fields(draft.options, is_open_books=True))


def open_table(seats: int, hands: int, seed: int = 5, **named: Any) -> SimTable:
    """A table of the tiny game with open books."""
    return SimTable(seats, seed, draft=opened(tiny_draft(seats, target=hands)), **named).start()


def told(peer: Peer) -> list[Books]:
    return [effect for effect in peer.seen if isinstance(effect, Books)]


def found_by(verdict: Verdict) -> list[Books]:
    """The books that an auditor has read, as a peer tells of them."""
    return [Books(one.hand, one.hands, one.deck, one.unopened) for one in verdict.books]


def payloads(frames: Iterable[bytes], kind: type[Any]) -> list[tuple[LaneBody, Any]]:
    bodies = [decode(decode(frame, Lane).body, LaneBody) for frame in frames]
    return [(body, body.payload) for body in bodies if isinstance(body.payload, kind)]


def is_publishing(hand: int = 1) -> Callable[[SimTable], bool]:
    """Whether some peer has opened the step in which keys are published after that result."""

    def reached(table: SimTable) -> bool:
        return any(
            (step := peer.session.course.current) is not None
            and step.kind is KeyPublished
            and peer.session.play.results_closed() == hand
            for peer in table.peers
        )

    return reached


def check_alike(table: SimTable) -> Verdict:
    """All honest peers ended alike; so does an auditor of each journal."""
    (digest,) = table.digests()
    assert table.is_finished()
    assert len(table.outcomes()) == 1
    verdicts = table.audits()
    assert {verdict.digest for verdict in verdicts} == {digest}
    assert {verdict.scores for verdict in verdicts} == {
        peer.finished.over.scores for peer in table.honest() if peer.finished
    }
    return verdicts[0]


# --- What is shown ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def played() -> SimTable:
    return open_table(3, hands=3).finish()


def test_everybody_is_told_the_same_of_each_hand(played: SimTable) -> None:
    books = told(played.peers[0])
    assert [one.hand for one in books] == [1, 2, 3]
    assert all(told(peer) == books for peer in played.peers)
    assert not any(one.unopened for one in books)
    assert [found_by(verdict) for verdict in played.audits()] == [books] * 3
    assert all(dict(verdict.proven)["published"] == 9 for verdict in played.audits())


def test_with_what_was_opened_before_the_books_hold_the_whole_deck(played: SimTable) -> None:
    for number, books in enumerate(told(played.peers[0]), start=1):
        shown = [face for _, hand in books.hands for face in hand] + list(books.deck)
        assert shown and "" not in shown and "?" not in shown
        assert not Counter(shown) - Counter(played.game.deck), number


def test_the_books_agree_with_what_each_seat_knew_of_its_own_hand() -> None:
    table = open_table(3, hands=1)
    assert table.run_until(is_publishing())
    held = {}
    for seat, peer in enumerate(table.peers):
        opening = peer.session.play.opening
        cards = peer.session.dealer._cards
        own = [slot for slot, card in cards.items() if card.holder == seat]
        known = peer.session.dealer.known(seat)
        held[seat] = sorted(known[slot] for slot in own)
        assert opening is None or opening.hand == 1
    table.finish()
    for seat, faces in told(table.peers[0])[0].hands:
        assert sorted(faces) == held[seat]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), REAL)
def test_every_game_can_be_played_with_open_books(game: str, seats: int) -> None:
    draft = opened(short_draft(game, seats))
    table = SimTable(seats, 3, draft=draft, choose=choose_greedily).start().finish()
    verdict = check_alike(table)
    assert verdict.is_valid
    for books in verdict.books:
        assert not books.unopened
        assert "" not in books.deck
        assert all("" not in faces for _, faces in books.hands)
    assert told(table.peers[0]) == found_by(verdict)
    assert verdict.books
    assert any(faces for books in verdict.books for _, faces in books.hands)


def test_books_are_shut_unless_the_draft_says_otherwise() -> None:
    table = SimTable(3, 5, draft=tiny_draft(3, target=2)).start().finish()
    for peer in table.peers:
        assert not told(peer)
        assert not payloads(peer.journal, KeyPublished)
    assert all(verdict.books == () for verdict in table.audits())


def test_a_void_hand_is_not_opened() -> None:
    table = open_table(3, hands=1)
    assert table.run_until(lambda table: any(peer.asked for peer in table.peers))
    table.at(CHEAT, lambda session: session.leave())
    table.finish()
    verdict = check_alike(table)
    (books,) = verdict.books
    assert [seat for seat, _ in books.hands] == [0, 2]
    epochs = {body.epoch for body, _ in payloads(table.peers[0].journal, KeyPublished)}
    assert epochs == {2}


# --- What is not given away -----------------------------------------------------------------------


def test_published_keys_open_no_other_epoch_and_are_no_seed(played: SimTable) -> None:
    published = payloads(played.peers[0].journal, KeyPublished)
    publics = payloads(played.peers[0].journal, KeyOpen)
    keys: dict[tuple[int, Seat], Scalar] = {
        (body.epoch, body.seat): int.from_bytes(payload.secret, "little")
        for body, payload in published
    }
    assert len(set(keys.values())) == len(keys) == 9
    for body, payload in publics:
        for (epoch, seat), secret in keys.items():
            is_own = (epoch, seat) == (body.epoch, body.seat)
            assert (multiply_base(secret) == payload.key) == is_own
    seeds = [make_secrets(played.draft, seat, 5).seed for seat in range(3)]
    frames = [frame for peer in played.peers for frame in peer.journal]
    assert not any(seed in frame for seed in seeds for frame in frames)


def test_no_key_is_published_before_all_have_signed_the_result(played: SimTable) -> None:
    for peer in played.peers:
        signed = 0
        for frame in peer.journal:
            payload = decode(decode(frame, Lane).body, LaneBody).payload
            signed += isinstance(payload, Settled)
            if isinstance(payload, KeyPublished):
                assert signed % 3 == 0 and signed


def test_the_seed_has_walked_on_when_the_next_hand_begins(played: SimTable) -> None:
    for seat, peer in enumerate(played.peers):
        assert peer.session._seed.value != make_secrets(played.draft, seat, 5).seed
        assert peer.session.dealer._own is None


# --- Who does not publish ----------------------------------------------------------------------


@pytest.mark.parametrize("misdeed", FAULTS, ids=lambda misdeed: misdeed.name)
@pytest.mark.parametrize("hands", first_quick([3, 1]))
def test_a_wrong_key_is_a_fault_that_undoes_no_score(misdeed: Misdeed, hands: int) -> None:
    table = open_table(3, hands=hands, makers={CHEAT: hostile(misdeed)}).finish()
    assert table.faults() == [(CHEAT, misdeed.rule)]
    verdict = check_alike(table)
    assert verdict.fault is not None
    assert (verdict.fault.seat, verdict.fault.rule) == (CHEAT, misdeed.rule)
    assert verdict.outcome == "finished"
    first = verdict.books[0]
    assert first.unopened == (CHEAT,)
    honest = {seat: faces for seat, faces in first.hands if seat != CHEAT}
    assert all("" not in faces for faces in honest.values())
    assert set(first.deck) <= {""}
    assert verdict.results[0].is_closed
    later = [seat for books in verdict.books[1:] for seat, _ in books.hands]
    assert CHEAT not in later


@pytest.mark.parametrize("hands", [1, 3])
def test_who_leaves_at_that_step_keeps_the_score_of_the_hand(hands: int) -> None:
    table = open_table(3, hands=hands)
    assert table.run_until(is_publishing())
    scores = next(
        peer.session.standing().scores
        for peer in table.peers
        if peer.session.play.results_closed() == 1
    )
    leaver = next(
        seat for seat, peer in enumerate(table.peers) if peer.session.play.results_closed() == 0
    )
    table.at(leaver, lambda session: session.leave())
    table.finish()
    verdict = check_alike(table)
    assert verdict.is_valid and verdict.left == (leaver,)
    assert verdict.results[0].scores == scores
    assert verdict.books[0].unopened == (leaver,)
    assert verdict.outcome == "finished"


@pytest.mark.parametrize("hands", [1, 3])
def test_a_silent_seat_is_voted_absent_and_the_result_stands(hands: int) -> None:
    table = open_table(3, hands=hands, makers={CHEAT: hostile(SILENCE)})
    table.run()
    assert not table.is_finished()
    for voter in (0, 2):
        table.at(voter, lambda session: session.propose_absent(CHEAT))
    table.finish()
    verdict = check_alike(table)
    assert verdict.is_valid and verdict.voted_out == (CHEAT,)
    assert verdict.outcome == "finished"
    assert verdict.results[0].is_closed
    assert CHEAT in verdict.books[0].unopened
    assert table.faults() == []


@pytest.mark.slow
@pytest.mark.parametrize("hands", [1, 3])
@pytest.mark.parametrize("seed", first_quick(range(3)))
def test_a_fault_and_a_vote_at_that_step_come_to_the_same_for_all(hands: int, seed: int) -> None:
    """The base is that of the result and its books: the fault stands, the silent seat is out."""
    wrong = FAULTS[0]
    makers = {1: hostile(SILENCE), 3: hostile(wrong)}
    table = open_table(5, hands=hands, seed=seed, makers=makers)
    table.run()
    for voter in (0, 2, 4):
        table.at(voter, lambda session: session.propose_absent(1))
    table.finish()
    verdict = check_alike(table)
    assert verdict.results[0].is_closed
    assert table.faults() == [(3, "published-key")]
    ((fault,),) = table.verdicts()
    assert {audit.fault and audit.fault.rank for audit in table.audits()} == {fault.rank}
    assert set(verdict.books[0].unopened) == {1, 3}


@pytest.mark.slow
@pytest.mark.parametrize("seed", first_quick(range(4)))
def test_two_stories_at_that_step_come_to_the_same_for_all(seed: int) -> None:
    table = open_table(4, hands=2, seed=seed)
    assert table.run_until(lambda table: bool(own(table.peers[CHEAT])))
    peer = table.peers[CHEAT]
    (body, _), *_ = own(peer)
    other = with_fields(body, payload=KeyPublished(bytes([7]) + bytes(31)))
    signed = sign_body(other, make_secrets(table.draft, CHEAT, seed).sign)
    peer.is_honest = False
    table.wires.pop((CHEAT, 0), None)
    table.wires.setdefault((CHEAT, 0), []).append(signed.frame)
    table.finish(ticks=12)
    verdict = check_alike(table)
    assert verdict.fault is not None
    assert (verdict.fault.seat, verdict.fault.rule) == (CHEAT, "equivocation")
    assert verdict.results[0].is_closed
    assert verdict.outcome == "finished"


def own(peer: Peer) -> list[tuple[LaneBody, Any]]:
    return [one for one in payloads(peer.journal, KeyPublished) if one[0].seat == CHEAT]


def test_with_two_seats_a_silent_one_cannot_undo_the_last_result() -> None:
    table = open_table(2, hands=1, makers={CHEAT: hostile(SILENCE)})
    table.run()
    honest = table.peers[0].session
    assert isinstance(honest.play.pending(), Over) and not honest.is_over
    standing = honest.standing()
    assert standing.outcome == "finished"
    table.at(0, lambda session: session.leave())
    table.at(0, lambda session: session.abandon())
    assert table.peers[0].finished is not None
    assert table.peers[0].finished.over == standing
    assert [books.unopened for books in told(table.peers[0])] == [(CHEAT,)]


def test_a_record_that_breaks_off_at_that_step_says_who_has_not_opened_the_books() -> None:
    table = open_table(3, hands=1, makers={CHEAT: hostile(SILENCE)})
    table.run()
    verdict = table.audits()[0]
    assert verdict.is_valid and verdict.outcome == "unfinished"
    assert verdict.stop is not None and verdict.stop.awaited == (CHEAT,)
    assert [books.unopened for books in verdict.books] == [(CHEAT,)]


# --- What all have agreed to ------------------------------------------------------------------


def test_the_draft_binds_all_to_open_books_or_to_shut_ones() -> None:
    assert draft_hash(make_draft(2, is_open_books=True)) != draft_hash(make_draft(2))
