"""The audit: what a record proves, what it does not, and that it never names an honest seat."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace as with_fields

from p2pjong.audit import Verdict, audit
from p2pjong.crypto.invalid import InvalidProof
from p2pjong.session.lanes import Lanes
from p2pjong.session.onlooker import Onlooker
from p2pjong.wire.codec import decode
from p2pjong.wire.messages import Draft, Lane, LaneBody
from tests.support.bad_drafts import bad_drafts
from tests.support.hostile import flipped, hostile
from tests.support.misdeeds import MISDEEDS
from tests.support.opposite_keys import in_league
from tests.support.sim import ALL_GAMES, SimTable, choose_default, make_draft, tiny_draft

MISDEED = {misdeed.name: misdeed for misdeed in MISDEEDS}


@pytest.fixture(scope="module")
def table() -> SimTable:
    """A whole game of three; look, do not touch."""
    return SimTable(3, seed=6, draft=tiny_draft(3, target=2)).start().finish()


def lanes_of(table: SimTable, seat: int = 0) -> list[Lane]:
    return [decode(frame, Lane) for frame in table.peers[seat].journal]


def check(table: SimTable, lanes: list[Lane], draft: Draft | None = None) -> Verdict:
    return audit(draft or table.draft, lanes, ALL_GAMES)


def body_of(lane: Lane) -> LaneBody:
    body: LaneBody = decode(lane.body, LaneBody)
    return body


# --- Whole records ----------------------------------------------------------------------------


def test_every_peers_record_proves_the_same_result(table: SimTable) -> None:
    (over,), (digest,) = table.outcomes(), table.digests()
    for seat in range(3):
        verdict = check(table, lanes_of(table, seat))
        assert verdict.is_valid
        assert verdict.problem == ""
        assert (verdict.outcome, verdict.scores, verdict.winners, verdict.hands) == (
            over.outcome,
            over.scores,
            over.winners,
            over.hands,
        )
        assert verdict.digest == digest
        assert verdict.messages == len(table.peers[seat].journal)
        assert (verdict.fault, verdict.left) == (None, ())


def test_of_a_long_record_little_is_kept(table: SimTable) -> None:
    """Every message is known by its stamp; of what it says only the last answers are kept."""
    onlooker = Onlooker(table.draft, table.game)
    onlooker.begin()
    for lane in lanes_of(table):
        onlooker.read(lane)
        assert all(len(one._kept) <= 3 for one in onlooker.lanes.accepted)
    assert sum(onlooker.lanes.lengths()) == len(lanes_of(table))


def test_the_order_in_the_file_proves_nothing_and_costs_nothing(table: SimTable) -> None:
    lanes = lanes_of(table)
    Random(1).shuffle(lanes)
    assert check(table, lanes) == check(table, lanes_of(table))


def test_messages_that_are_there_twice_count_once(table: SimTable) -> None:
    lanes = lanes_of(table)
    assert check(table, [*lanes, *lanes]) == check(table, lanes)


def test_a_game_that_was_left_is_valid_and_names_who_left() -> None:
    table = SimTable(3, seed=2, choose=choose_default).start()
    table.run_until(lambda table: any(peer.asked for peer in table.peers))
    table.at(1, lambda session: session.leave())
    table.finish()
    verdict = check(table, lanes_of(table))
    assert verdict.is_valid
    assert (verdict.outcome, verdict.left) == ("finished", (1,))


# --- Broken records ---------------------------------------------------------------------------


def test_a_record_that_breaks_off_is_valid_as_far_as_it_goes(table: SimTable) -> None:
    lanes = lanes_of(table)
    settled = table.peers[0].session.play.results
    for end in (0, 1, len(lanes) // 2, len(lanes) - 1):
        verdict = check(table, lanes[:end])
        assert verdict.is_valid
        assert (verdict.outcome, verdict.winners) == ("unfinished", ())
        assert verdict.messages == end
        assert verdict.scores in [(0, 0, 0), *(result.scores for result in settled)]


def test_a_record_that_lacks_a_message_says_so(table: SimTable) -> None:
    lanes = lanes_of(table)
    for gone in range(0, len(lanes) - 4, 7):
        verdict = check(table, lanes[:gone] + lanes[gone + 1 :])
        assert not verdict.is_valid
        assert "not in the record" in verdict.problem
        assert verdict.fault is None
        assert verdict.outcome == "unfinished"


def test_a_record_without_a_seats_lane_says_so(table: SimTable) -> None:
    lanes = [lane for lane in lanes_of(table) if body_of(lane).seat != 1]
    verdict = check(table, lanes)
    assert not verdict.is_valid
    assert verdict.fault is None


@pytest.mark.parametrize("place", [0, 5, 20, -1])
def test_a_changed_message_is_found_and_nobody_is_blamed(table: SimTable, place: int) -> None:
    lanes = lanes_of(table)
    spoilt = with_fields(
        lanes[place], body=lanes[place].body[:-1] + flipped(lanes[place].body[-1:])
    )
    lanes[place] = spoilt
    verdict = check(table, lanes)
    assert not verdict.is_valid
    assert f"message {place % len(lanes)} of the record" in verdict.problem
    assert verdict.fault is None


def test_messages_of_another_game_of_the_same_seats_prove_nothing(table: SimTable) -> None:
    other = with_fields(table.draft, table=bytes(15) + b"\x01")
    another = SimTable(3, seed=6, draft=other).start().finish()
    lanes = lanes_of(table)
    for mixed in (lanes_of(another), lanes[:10] + lanes_of(another)[10:]):
        verdict = check(table, mixed)
        assert not verdict.is_valid
        assert verdict.fault is None
        assert "another table" in verdict.problem


FORGED_DRAFTS = [
    {"name": "another name"},
    {"table": bytes(16)[:-1] + b"\x07"},
    {"game": "tiny-5"},
    {"options": tiny_draft(3, target=9).options},
    {"seats": tiny_draft(3).seats[::-1]},
    {"seats": tiny_draft(4).seats},
    {"version": 2},
]


@pytest.mark.parametrize("fields", FORGED_DRAFTS)
def test_a_draft_that_was_changed_afterwards_blames_nobody(
    table: SimTable, fields: dict[str, object]
) -> None:
    """Every message names the draft that it was signed under."""
    verdict = check(table, lanes_of(table), with_fields(table.draft, **fields))
    assert not verdict.is_valid
    assert verdict.fault is None
    assert verdict.outcome == "unfinished"


def test_a_game_nobody_here_knows_and_options_it_has_not_are_no_verdict(table: SimTable) -> None:
    with pytest.raises(KeyError):
        check(table, [], with_fields(table.draft, game="whist"))
    draft = make_draft(2)
    with pytest.raises(ValueError):
        check(table, [], with_fields(draft, options=with_fields(draft.options, rounds=3)))


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 2**32))
def test_no_selection_of_honest_messages_names_anyone(table: SimTable, seed: int) -> None:
    """A forger may leave out and reorder what honest seats said, of whoever's record."""
    rng = Random(seed)
    lanes = [lane for seat in range(3) for lane in lanes_of(table, seat)]
    kept = rng.sample(lanes, rng.randint(1, len(lanes)))
    verdict = check(table, kept)
    assert verdict.fault is None
    assert verdict.outcome in ("finished", "unfinished")


# --- Faults -----------------------------------------------------------------------------------

PROVEN = [
    "opens another nonce",
    "lies in its echo",
    "has no key proof",
    "doubles a card unseen in the deck",
    "puts a card of its own into its hand",
    "takes other slots for a draw",
    "spoils the proof of what it shows",
    "discards no own card",
    "claims without a pair",
    "opens another answer",
    "signs another result",
    "acts before it can have seen",
    "deals two decks",
]


@pytest.mark.slow
@pytest.mark.parametrize("name", PROVEN)
def test_a_record_proves_who_broke_which_rule_at_which_message(name: str) -> None:
    misdeed = MISDEED[name]
    makers = {1: hostile(misdeed)}
    table = SimTable(3, seed=1, makers=makers, choose=choose_default).start().finish()
    (expected,) = table.verdicts()
    for peer in table.honest():
        verdict = check(table, [decode(frame, Lane) for frame in peer.journal])
        assert not verdict.is_valid
        fault = verdict.fault
        assert fault is not None
        assert (fault.epoch, fault.number) == (expected[0].epoch, expected[0].number)
        assert (fault.seat, fault.rule) == (1, misdeed.rule)
        assert f"seat 1 (seat 1) broke “{misdeed.rule}”" in verdict.problem
        (over,) = table.outcomes()
        assert (verdict.outcome, verdict.scores) == (over.outcome, over.scores)


# --- Seats that nobody signs with -------------------------------------------------------------


@pytest.mark.parametrize("problem", bad_drafts(tiny_draft(3)))
def test_a_record_of_seats_that_nobody_signs_with_is_not_valid(
    table: SimTable, problem: str
) -> None:
    draft = bad_drafts(table.draft)[problem]
    verdict = check(table, lanes_of(table), draft)
    assert (verdict.is_valid, verdict.problem, verdict.fault) == (False, problem, None)
    assert (verdict.outcome, verdict.messages, verdict.scores) == ("unfinished", 0, (0, 0, 0))


# --- What all seats together can do -----------------------------------------------------------


def test_keys_that_add_up_to_nothing_are_the_fault_of_all_who_made_them() -> None:
    """No honest seat is in such a sum; it is no matter of the version that wrote the record."""
    table = SimTable(2, seed=3, makers={0: in_league, 1: in_league}).start().finish()
    for peer in table.peers:
        faults = sorted(peer.session.course.faults, key=lambda fault: fault.rank)
        assert [(fault.seat, fault.rule) for fault in faults] == [
            (0, "joint-key"),
            (1, "joint-key"),
        ]
    verdict = check(table, lanes_of(table))
    assert (verdict.is_valid, verdict.outcome) == (False, "fault")
    assert verdict.fault is not None
    assert (verdict.fault.seat, verdict.fault.rule) == (0, "joint-key")


def test_a_sum_that_cannot_be_is_a_word_on_the_record_and_not_on_the_version(
    table: SimTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the seats of a record have contrived, the auditor has a verdict on it."""

    def fails(lanes: Lanes, message: object) -> None:
        raise InvalidProof("a multiplication gave the identity")

    monkeypatch.setattr(Lanes, "add", fails)
    verdict = check(table, lanes_of(table))
    assert not verdict.is_valid
    assert verdict.problem == "message 0 of the record: a multiplication gave the identity"


@pytest.mark.parametrize("problem", bad_drafts(tiny_draft(3)))
def test_options_that_the_game_has_not_come_before_seats_with_which_nobody_signs(
    problem: str,
) -> None:
    """No verdict at all, as of any record that this version cannot read."""
    draft = bad_drafts(make_draft(3))[problem]
    unknown = with_fields(draft, options=with_fields(draft.options, rounds=3))
    with pytest.raises(ValueError):
        audit(unknown, [], ALL_GAMES)
