"""Lanes: chains, causal pasts, duplicates, early messages, two stories, and what is refused."""

from itertools import permutations
from random import Random

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace as with_fields

from p2pjong.crypto.shuffle import proof_bytes
from p2pjong.session.faults import OtherTable, Refusal
from p2pjong.session.history import Signed
from p2pjong.session.lanes import (
    BODY_BYTES_MAX,
    EARLY_MAX,
    EMPTY_HEAD,
    Lanes,
    sign_body,
    signed_bytes,
)
from p2pjong.wire.codec import encode
from p2pjong.wire.messages import Act, Convict, Echo, Head, Lane, Shuffled
from tests.support.forgeries import signature_over_order
from tests.support.hostile import flipped
from tests.support.scribe import TABLE, ZERO, Scribe, head_of, keys_of, lane_of
from tests.support.sim import signing_key


@pytest.fixture
def lanes() -> Lanes:
    return Lanes(TABLE, keys_of(3))


def take_in(lanes: Lanes, *messages: Signed) -> list[Signed]:
    """Add all, and accept what can be."""
    for signed in messages:
        assert lanes.add(lane_of(signed)) is None
    return accept_all(lanes)


def accept_all(lanes: Lanes) -> list[Signed]:
    accepted = []
    while (ready := lanes.next_ready()) is not None:
        accepted.append(ready)
    return accepted


# --- Order ------------------------------------------------------------------------------------


def test_a_lane_in_order_is_accepted_in_order(lanes: Lanes) -> None:
    story = Scribe(1).lane(4)
    assert take_in(lanes, *story) == story
    assert lanes.lengths() == (0, 4, 0)
    assert lanes.head(1) == head_of(story[-1])
    assert lanes.heads() == (EMPTY_HEAD, head_of(story[-1]), EMPTY_HEAD)


def test_every_order_of_arrival_gives_the_same_lanes() -> None:
    first = Scribe(0)
    one = first.write()
    second = Scribe(1).see(one)
    two = second.write()
    three = first.see(two).write()
    four = Scribe(2).see(three).write()
    for order in permutations([one, two, three, four]):
        lanes = Lanes(TABLE, keys_of(3))
        accepted = [signed for message in order for signed in take_in(lanes, message)]
        assert accepted == [one, two, three, four], "each after its whole causal past"
        assert not lanes.early


def test_a_message_waits_for_what_it_names_as_seen(lanes: Lanes) -> None:
    seen = Scribe(0).write()
    waiting = Scribe(1).see(seen).write()
    assert take_in(lanes, waiting) == []
    assert take_in(lanes, seen) == [seen, waiting]


def test_a_message_with_a_gap_before_it_waits(lanes: Lanes) -> None:
    one, two, three = Scribe(2).lane(3)
    assert take_in(lanes, three, one) == [one]
    assert take_in(lanes, two) == [two, three]


def test_own_messages_are_appended(lanes: Lanes) -> None:
    signed = Scribe(0).write()
    lanes.accept_own(signed)
    assert lanes.find(0, 0, signed.hash) is signed
    assert lanes.find(0, 0, ZERO) is None
    assert lanes.find(0, 1, signed.hash) is None


# --- Duplicates -------------------------------------------------------------------------------


def test_a_duplicate_changes_nothing_and_costs_no_signature_check(
    lanes: Lanes, monkeypatch: pytest.MonkeyPatch
) -> None:
    accepted = Scribe(0).write()
    early = Scribe(1).lane(2)[1]
    take_in(lanes, accepted, early)

    def fail(key: bytes) -> Ed25519PublicKey:
        raise AssertionError("a signature was checked")

    monkeypatch.setattr(Ed25519PublicKey, "from_public_bytes", fail)
    for known in (accepted, early):
        assert take_in(lanes, known) == []
    assert lanes.lengths() == (1, 0, 0)
    assert list(lanes.early.values()) == [early]


def test_another_signature_makes_no_other_message(lanes: Lanes) -> None:
    signed = Scribe(0).write()
    take_in(lanes, signed)
    again = with_fields(lane_of(signed), signature=bytes(64))
    assert lanes.add(again) is None
    assert list(lanes.accepted[0]) == [signed]


# --- Two stories ------------------------------------------------------------------------------


def two_stories(seat: int = 0) -> tuple[Signed, Signed]:
    scribe = Scribe(seat)
    return scribe.draft(), scribe.draft(payload=Echo(flipped(ZERO)))


def test_another_story_of_an_accepted_message_is_an_equivocation(lanes: Lanes) -> None:
    one, other = two_stories()
    take_in(lanes, one)
    equivocation = lanes.add(lane_of(other))
    assert equivocation is not None
    assert {equivocation.first, equivocation.second} == {one.stamp, other.stamp}
    assert list(lanes.accepted[0]) == [one]


def test_another_story_of_an_early_message_is_an_equivocation(lanes: Lanes) -> None:
    scribe = Scribe(0)
    scribe.write()
    one, other = scribe.draft(), scribe.draft(step=5)
    assert lanes.add(lane_of(one)) is None
    equivocation = lanes.add(lane_of(other))
    assert equivocation is not None
    assert {equivocation.first, equivocation.second} == {one.stamp, other.stamp}


def test_another_story_is_found_in_a_closed_lane_too(lanes: Lanes) -> None:
    one, other = two_stories()
    take_in(lanes, one)
    lanes.close(0)
    assert lanes.add(lane_of(other)) is not None


def test_who_names_another_story_is_asked_for_it_and_nobody_is_blamed(lanes: Lanes) -> None:
    one, other = two_stories()
    answer = Scribe(1).see(other).write()
    assert take_in(lanes, one, answer) == [one]
    (missing,) = lanes.disputed()
    assert (missing.seat, missing.number) == (0, 0)
    assert missing.hash == other.hash
    assert lanes.add(lane_of(other)) is not None, "now both stories are here"


def test_the_other_story_may_come_second_and_the_dispute_is_the_same(lanes: Lanes) -> None:
    one, other = two_stories()
    answer = Scribe(1).see(other).write()
    assert take_in(lanes, answer) == []
    assert lanes.disputed() == [], "nothing to compare yet"
    assert take_in(lanes, one) == [one]
    assert len(lanes.disputed()) == 1


def test_a_bogus_head_never_blocks_the_messages_of_others(lanes: Lanes) -> None:
    first = Scribe(0).write()
    liar = Scribe(1).see(first)
    liar.heads[0] = Head(1, flipped(first.hash))
    bogus = liar.write()
    honest = Scribe(2).see(first)
    others = honest.lane(3)
    assert take_in(lanes, first, bogus, *others) == [first, *others]
    (missing,) = lanes.disputed()
    assert (missing.seat, missing.hash) == (0, flipped(first.hash))


def test_a_head_of_what_was_never_said_only_waits(lanes: Lanes) -> None:
    liar = Scribe(1)
    liar.heads[0] = Head(9, ZERO)
    assert take_in(lanes, liar.write()) == []
    assert lanes.disputed() == []


def test_a_broken_chain_is_a_dispute_about_the_own_lane(lanes: Lanes) -> None:
    scribe = Scribe(0)
    one = scribe.write()
    scribe.heads[0] = Head(1, flipped(one.hash))
    assert take_in(lanes, one, scribe.draft()) == [one]
    (missing,) = lanes.disputed()
    assert (missing.seat, missing.number) == (0, 0)


# --- Evidence ---------------------------------------------------------------------------------


def test_two_stories_convict_wherever_they_are_shown(lanes: Lanes) -> None:
    one, other = two_stories()
    lanes.close(0)
    equivocation = lanes.compare(one.stamp, other.stamp)
    assert {equivocation.first.hash, equivocation.second.hash} == {one.hash, other.hash}


def test_no_other_two_messages_convict(lanes: Lanes) -> None:
    scribe = Scribe(0)
    one, two = scribe.lane(2)
    foreign = Scribe(1).write()
    for other in (one, two, foreign):
        with pytest.raises(Refusal, match="proves nothing"):
            lanes.compare(one.stamp, other.stamp)


def test_a_forged_story_convicts_nobody(lanes: Lanes) -> None:
    one, other = two_stories()
    forged = with_fields(other.stamp, signature=one.stamp.signature)
    with pytest.raises(Refusal, match="does not hold"):
        lanes.compare(one.stamp, forged)


@pytest.mark.parametrize("field", ["seat", "number", "epoch", "hash"])
def test_a_stamp_holds_for_its_own_place_only(lanes: Lanes, field: str) -> None:
    one, other = two_stories()
    value = flipped(other.hash) if field == "hash" else 1
    moved = with_fields(other.stamp, **{field: value})
    with pytest.raises(Refusal, match="does not hold"):
        lanes.compare(one.stamp, moved)


def test_stamps_of_a_seat_that_is_not_there_or_of_another_incarnation_convict_nobody(
    lanes: Lanes,
) -> None:
    one, other = two_stories()
    for change in ({"seat": 3}, {"incarnation": 1}):
        with pytest.raises(Refusal):
            lanes.compare(one.stamp, with_fields(other.stamp, **change))


def test_stories_of_another_table_convict_nobody(lanes: Lanes) -> None:
    scribe = Scribe(0)
    one, other = scribe.draft(), scribe.draft(table=ZERO)
    elsewhere = scribe.draft(table=ZERO, step=3)
    for pair in ((one, other), (other, elsewhere)):
        with pytest.raises(Refusal, match="does not hold"):
            lanes.compare(pair[0].stamp, pair[1].stamp)


# --- Refused ----------------------------------------------------------------------------------


def test_a_message_of_another_table_is_dropped_even_with_a_number_of_this_one(
    lanes: Lanes,
) -> None:
    """A rematch has the same seats and keys: the last game's messages must convict nobody."""
    take_in(lanes, Scribe(0).write())
    with pytest.raises(OtherTable):
        lanes.add(lane_of(Scribe(0).draft(table=ZERO)))
    assert lanes.lengths() == (1, 0, 0)


def refused(lanes: Lanes, lane: Lane) -> str:
    before = lanes.lengths(), dict(lanes.early)
    with pytest.raises(Refusal) as refusal:
        lanes.add(lane)
    assert (lanes.lengths(), lanes.early) == before
    return str(refusal.value)


def test_a_forged_signature_is_refused(lanes: Lanes) -> None:
    lane = lane_of(Scribe(0).write())
    for place in (0, 31, 32, 63):
        signature = bytearray(lane.signature)
        signature[place] ^= 4
        assert "does not hold" in refused(lanes, with_fields(lane, signature=bytes(signature)))


def test_a_malleated_signature_is_refused(lanes: Lanes) -> None:
    lane = lane_of(Scribe(0).write())
    malleated = signature_over_order(lane.signature)
    assert "does not hold" in refused(lanes, with_fields(lane, signature=malleated))


def test_a_seat_cannot_sign_for_another(lanes: Lanes) -> None:
    body = Scribe(0).draft().body
    forged = sign_body(with_fields(body, seat=1), signing_key(0).sign)
    assert "seat 1 does not hold" in refused(lanes, lane_of(forged))


def test_every_byte_of_a_body_is_signed(lanes: Lanes) -> None:
    lane = lane_of(Scribe(0).write())
    for place in range(len(lane.body)):
        body = lane.body[:place] + bytes([lane.body[place] ^ 1]) + lane.body[place + 1 :]
        assert refused(lanes, with_fields(lane, body=body))


def test_another_kind_of_signed_bytes_is_no_lane_message(lanes: Lanes) -> None:
    signed = Scribe(0).draft()
    bare = signed_bytes(TABLE, signed.body, signed.hash).removeprefix(b"p2pjong/v1/lane\x00")
    lane = Lane(encode(signed.body), signing_key(0).sign(bare))
    assert "does not hold" in refused(lanes, lane)


@pytest.mark.parametrize("heads", [2, 4])
def test_another_number_of_heads_is_refused(lanes: Lanes, heads: int) -> None:
    signed = Scribe(0, heads).draft()
    assert "other seats" in refused(lanes, lane_of(signed))


def test_a_seat_that_is_not_at_the_table_is_refused(lanes: Lanes) -> None:
    body = with_fields(Scribe(0).draft().body, seat=5)
    signed = Scribe(0).draft()
    lane = Lane(encode(body), signed.frame[-64:])
    assert "other seats" in refused(lanes, lane)


def test_the_head_of_an_empty_lane_has_one_form(lanes: Lanes) -> None:
    scribe = Scribe(0)
    scribe.heads[1] = Head(0, flipped(ZERO))
    assert "empty lane" in refused(lanes, lane_of(scribe.draft()))


def test_another_incarnation_is_refused_so_that_no_two_stories_pass_for_one(lanes: Lanes) -> None:
    assert "incarnation" in refused(lanes, lane_of(Scribe(0).draft(incarnation=1)))


def test_a_body_that_is_no_message_is_refused(lanes: Lanes) -> None:
    assert "malformed" in refused(lanes, Lane(b"\x93\x01\x02\x03", bytes(64)))


def test_a_body_with_another_encoding_of_the_same_is_refused(lanes: Lanes) -> None:
    signed = Scribe(0).draft()
    packed = encode(signed.body)
    # The seat, a small number, written in two bytes.
    place = packed.index(TABLE + b"\xc4\x20" + TABLE) + 66
    assert packed[place] == 0
    other = packed[:place] + b"\xcc\x00" + packed[place + 1 :]
    assert "malformed" in refused(lanes, Lane(other, bytes(64)))


def test_the_largest_honest_messages_are_within_the_limit(lanes: Lanes) -> None:
    cards = 256
    shuffle = Scribe(0).write(payload=Shuffled(bytes(64 * cards), bytes(proof_bytes(cards))))
    largest_act = Scribe(1).write(payload=Act("x" * 32, tuple(range(16)), 7))
    assert take_in(lanes, shuffle, largest_act) == [shuffle, largest_act]


def test_what_is_over_the_limit_is_refused(lanes: Lanes) -> None:
    shuffle = Scribe(0).write(payload=Shuffled(bytes(64 * 256), bytes(64 * 1024)))
    assert len(encode(shuffle.body)) > BODY_BYTES_MAX
    assert "over its limit" in refused(lanes, lane_of(shuffle))


def test_evidence_is_short_however_long_the_stories_are(lanes: Lanes) -> None:
    """Whatever one seat can tell two stories about, another can hold up."""
    scribe = Scribe(0)
    size = BODY_BYTES_MAX - 64 * 256 - 1024
    stories = [scribe.draft(payload=Shuffled(bytes(64 * 256), bytes([n]) * size)) for n in (1, 2)]
    assert all(len(encode(story.body)) > BODY_BYTES_MAX - 1024 for story in stories)
    word = Scribe(1).write(payload=Convict(stories[0].stamp, stories[1].stamp))
    assert len(word.frame) < 1024
    assert take_in(lanes, word) == [word]


def test_what_is_too_far_ahead_to_wait_is_dropped_and_no_misdeed(lanes: Lanes) -> None:
    scribe = Scribe(0)
    story = scribe.lane(EARLY_MAX + 1)
    for signed in story[1:-1]:
        assert lanes.add(lane_of(signed)) is None
    assert lanes.add(lane_of(story[-1])) is None
    assert len(lanes.early) == EARLY_MAX - 1, "what waits is bounded"
    assert len(take_in(lanes, story[0])) == EARLY_MAX
    assert take_in(lanes, story[-1]) == [story[-1]], "no message is lost by having come too early"


def test_a_closed_lane_takes_no_more(lanes: Lanes) -> None:
    one, two, three = Scribe(0).lane(3)
    take_in(lanes, one, three)
    lanes.close(0)
    assert "has left" in refused(lanes, lane_of(two))
    assert not lanes.early
    assert lanes.add(lane_of(one)) is None, "what was accepted is a duplicate as ever"


# --- Any history ------------------------------------------------------------------------------


@settings(deadline=None, max_examples=50)
@given(st.lists(st.integers(0, 2), min_size=1, max_size=12), st.randoms(use_true_random=False))
def test_any_honest_history_is_accepted_whole_in_any_order(authors: list[int], rng: Random) -> None:
    """Each message names a random, honest past; then all arrive shuffled."""
    scribes = [Scribe(seat) for seat in range(3)]
    history: list[Signed] = []
    for author in authors:
        last = [signed for signed in history if rng.random() < 0.7]
        for signed in last:
            scribe = scribes[author]
            if signed.number >= scribe.heads[signed.body.seat].length:
                scribe.see(signed)
        history.append(scribes[author].write())
    shuffled = list(history)
    rng.shuffle(shuffled)
    lanes = Lanes(TABLE, keys_of(3))
    accepted = [one for signed in shuffled for one in take_in(lanes, signed)]
    assert sorted(one.hash for one in accepted) == sorted(one.hash for one in history)
    for place, signed in enumerate(accepted):
        past = accepted[:place]
        for seat, head in enumerate(signed.body.heads):
            assert head.length <= sum(one.body.seat == seat for one in past)


# --- Idle lanes ---------------------------------------------------------------------------------


def test_of_an_idle_lane_no_more_is_accepted_than_others_rest_on(lanes: Lanes) -> None:
    story = Scribe(2).lane(5)
    lanes.idle[2] = 2
    assert take_in(lanes, *story) == story[:2]
    other = Scribe(1).see(*story[:4]).write()
    assert take_in(lanes, other) == [*story[2:4], other]
    assert lanes.lengths() == (0, 1, 4)


def test_two_idle_lanes_do_not_let_each_other_in(lanes: Lanes) -> None:
    story = Scribe(2).lane(3)
    lanes.idle[1] = lanes.idle[2] = 1
    other = Scribe(1)
    take_in(lanes, story[0], other.write())
    assert take_in(lanes, *story[1:], other.see(*story).write()) == []
