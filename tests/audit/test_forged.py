"""Each rule by itself: a record whose last message breaks it, and one in which it is kept."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace as with_fields

from p2pjong.audit import Verdict, audit
from p2pjong.games.game import Action
from p2pjong.session.charter import draft_hash
from p2pjong.session.effects import Ask
from p2pjong.wire.messages import (
    Act,
    ActOpen,
    Convict,
    Draft,
    Echo,
    Evidence,
    Head,
    KeyOpen,
    KeyPublished,
    Lane,
    LaneBody,
    Leave,
    NonceOpen,
    Ordered,
    Payload,
    ProvenAmong,
    PutOut,
    Settled,
    Shares,
    Shuffled,
    Sign,
    Stamp,
    Switched,
    TossOpen,
)
from tests.support.ballots import word_of
from tests.support.forging import (
    Change,
    around,
    body_of,
    find,
    forged,
    lanes_of,
    next_of,
    payload,
    sign,
    stamp_of,
)
from tests.support.hostile import flipped
from tests.support.scenario import short_draft
from tests.support.sim import (
    ALL_GAMES,
    Chooser,
    SimTable,
    choose_default,
    choose_randomly,
    make_draft,
    tiny_draft,
)

OPEN = make_draft(3, "tiny-3", 2, is_open_books=True)


@pytest.fixture(scope="module")
def lanes() -> list[Lane]:
    """A whole game of three with open books; look, do not touch."""
    table = SimTable(3, seed=6, draft=OPEN, choose=choose_default).start().finish()
    assert table.is_finished()
    return lanes_of(table)


def swapped(cards: bytes) -> bytes:
    return cards[64:128] + cards[:64] + cards[128:]


def spoilt(proof: bytes) -> bytes:
    return proof[:-32] + flipped(proof[-32:])


def shortened(content: bytes) -> bytes:
    return content[:-32]


def lengthened(content: bytes) -> bytes:
    return content + content[:32]


def swapped_points(cards: bytes) -> bytes:
    return cards[32:64] + cards[:32] + cards[64:]


def another(body: LaneBody) -> LaneBody:
    """Another payload than the one that is awaited."""
    return with_fields(body, payload=Echo(bytes(32)))


def unseen(body: LaneBody) -> LaneBody:
    """It has seen nothing of the lane of the seat after it."""
    heads = list(body.heads)
    heads[(body.seat + 1) % 3] = Head(0, bytes(32))
    return with_fields(body, heads=tuple(heads))


def up(number: int) -> int:
    return number + 1


# The rule, at which message (the payload, and which of them), and what is forged in it.
CASES: list[tuple[str, type[Any], int, Change]] = [
    ("commitment", NonceOpen, 1, payload(nonce=flipped)),
    ("commitment", NonceOpen, 1, payload(opening=flipped)),
    ("charter", Sign, 1, payload(charter=flipped)),
    ("commitment", TossOpen, 1, payload(part=flipped)),
    ("echo", Echo, 1, payload(chain=flipped)),
    ("commitment", KeyOpen, 1, payload(opening=flipped)),
    ("commitment", KeyOpen, 1, payload(proof=flipped)),
    ("proof-proof", Shuffled, 1, payload(cards=swapped)),
    ("proof-proof", Shuffled, 1, payload(proof=spoilt)),
    ("proof-encoding", Shuffled, 1, payload(cards=lambda cards: cards[64:])),
    ("proof-encoding", Shuffled, 1, payload(proof=lambda proof: proof[32:])),
    ("proof-proof", Shuffled, 3, payload(cards=swapped)),
    ("proof-proof", Shares, 1, payload(shares=lambda shares: shares[32:] + shares[:32])),
    ("proof-encoding", Shares, 1, payload(shares=lambda shares: shares[32:])),
    ("proof-proof", Shares, 1, payload(proof=spoilt)),
    ("illegal-action", Act, 1, payload(slots=lambda slots: (999,))),
    ("illegal-action", Act, 1, payload(target=lambda target: 0)),
    ("illegal-action", Act, 1, payload(verb=lambda verb: "pass")),
    ("commitment", ActOpen, 1, payload(act=lambda act: Act("claim", (0,), -1))),
    ("result", Settled, 1, payload(result=flipped)),
    ("published-key", KeyPublished, 1, payload(secret=flipped)),
    ("published-key", KeyPublished, 1, payload(secret=lambda secret: bytes(32))),
    ("published-key", KeyPublished, 1, payload(secret=lambda secret: b"\xff" * 32)),
    ("wrong-kind", Shuffled, 1, another),
    ("digest", Shuffled, 1, around(digest=flipped)),
    ("wrong-place", Shuffled, 1, around(place=flipped)),
    ("wrong-place", Shuffled, 1, around(epoch=up)),
    ("out-of-turn", Shuffled, 1, around(step=up)),
    ("heads", Shuffled, 1, unseen),
]


def case_name(case: tuple[str, type[Any], int, Change]) -> str:
    rule, kind, nth, _ = case
    return f"{rule}-{kind.__name__}-{nth}"


@pytest.mark.parametrize("case", CASES, ids=case_name)
def test_a_message_that_breaks_a_rule_is_a_fault_of_its_author(
    lanes: list[Lane], case: tuple[str, type[Any], int, Change]
) -> None:
    rule, kind, nth, change = case
    at = find(lanes, kind, nth)
    body = body_of(lanes[at])
    verdict = forged(OPEN, lanes, at, change)
    assert not verdict.is_valid and verdict.fault is not None
    number = body.heads[body.seat].length
    assert (verdict.fault.seat, verdict.fault.number, verdict.fault.rule) == (
        body.seat,
        number,
        rule,
    )
    assert verdict.outcome in ("unfinished", "fault")


KINDS = {case[1].__name__: case[1] for case in CASES}


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_the_same_message_as_it_was_signed_is_none(lanes: list[Lane], kind: type[Any]) -> None:
    verdict = forged(OPEN, lanes, find(lanes, kind, 1), lambda body: body)
    assert verdict.is_valid and verdict.fault is None


# --- What War Jhong does not know -----------------------------------------------------------------


def choose_calls(ask: Ask, rng: Random) -> Action:
    """Everybody calls for everything."""
    return rng.choice([action for action in ask.actions if action.verb != "pass"] or ask.actions)


def played_until(game: str, seats: int, kind: str, choose: Chooser) -> tuple[Draft, list[Lane]]:
    """A game, the first of some in which it comes, as far as to a message with such a payload."""

    def is_said(table: SimTable) -> bool:
        lanes = table.peers[0].session.lanes.accepted
        return any(type(one.body.payload).__name__ == kind for lane in lanes for one in lane[-2:])

    draft = short_draft(game, seats)
    tables = (SimTable(seats, seed, draft=draft, choose=choose).start() for seed in range(20))
    table = next(table for table in tables if table.run_until(is_said))
    return draft, lanes_of(table)


SAMURAI = ("samurai-warfare", 2, choose_randomly)
MAS_JONG = ("not-your-mas-jong", 3, choose_calls)
OTHER_GAMES: list[tuple[tuple[str, int, Chooser], type[Any], str, Change]] = [
    (SAMURAI, Switched, "proof-proof", payload(proof=spoilt)),
    (SAMURAI, Switched, "proof-proof", payload(cards=swapped_points)),
    (SAMURAI, Switched, "proof-encoding", payload(cards=lengthened)),
    (SAMURAI, TossOpen, "commitment", payload(part=flipped)),
    (SAMURAI, TossOpen, "commitment", payload(opening=flipped)),
    (SAMURAI, ProvenAmong, "proof-proof", payload(proof=spoilt)),
    (SAMURAI, ProvenAmong, "proof-encoding", payload(proof=shortened)),
    (MAS_JONG, Ordered, "order", payload(seats=lambda seats: seats[:1])),
    (MAS_JONG, Ordered, "order", payload(seats=lambda seats: (*seats, seats[0]))),
]


def other_name(case: tuple[Any, type[Any], str, Change]) -> str:
    return f"{case[1].__name__}-{case[2]}"


@pytest.mark.slow
@pytest.mark.parametrize("case", OTHER_GAMES, ids=other_name)
def test_proofs_that_other_games_ask_for(
    case: tuple[tuple[str, int, Chooser], type[Any], str, Change],
) -> None:
    (game, seats, choose), kind, rule, change = case
    draft, lanes = played_until(game, seats, kind.__name__, choose)
    at = find(lanes, kind)
    assert forged(draft, lanes, at, lambda body: body).is_valid
    verdict = forged(draft, lanes, at, change)
    assert verdict.fault is not None
    assert (verdict.fault.seat, verdict.fault.rule) == (body_of(lanes[at]).seat, rule)


# --- What nobody can be blamed for ----------------------------------------------------------------


def refused(lanes: list[Lane], lane: Lane) -> str:
    verdict = audit(OPEN, [*lanes, lane], ALL_GAMES)
    assert not verdict.is_valid
    assert verdict.fault is None
    assert verdict.problem.startswith(f"message {len(lanes)} of the record: ")
    return verdict.problem


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (around(table=flipped), "another table"),
        (around(incarnation=up), "incarnation"),
        (around(heads=lambda heads: heads[:2]), "other seats"),
        (around(heads=lambda heads: (*heads, heads[0])), "other seats"),
        (around(heads=lambda heads: (Head(0, bytes(31) + b"\1"), *heads[1:])), "empty lane"),
    ],
)
def test_what_is_no_message_of_this_table_is_refused(
    lanes: list[Lane], change: Change, problem: str
) -> None:
    at = find(lanes, Shuffled, 1)
    assert problem in refused(lanes[:at], sign(change(body_of(lanes[at]))))


def test_a_signature_that_does_not_hold_is_refused(lanes: list[Lane]) -> None:
    at = find(lanes, Shuffled, 1)
    spoilt = with_fields(lanes[at], signature=flipped(lanes[at].signature))
    assert "does not hold" in refused(lanes[:at], spoilt)
    other = sign(around(seat=lambda seat: (seat + 1) % 3)(body_of(lanes[at])))
    by_another = with_fields(lanes[at], signature=other.signature)
    assert "does not hold" in refused(lanes[:at], by_another)


def test_a_message_over_its_limit_is_refused(lanes: list[Lane]) -> None:
    at = find(lanes, Shuffled, 1)
    long = payload(cards=lambda cards: cards[:64] * 256, proof=lambda proof: bytes(65_536))
    assert "limit" in refused(lanes[:at], sign(long(body_of(lanes[at]))))


def test_what_follows_a_fault_or_a_leave_is_refused(lanes: list[Lane]) -> None:
    at = find(lanes, Act)
    seat = body_of(lanes[at]).seat
    gone = next_of(lanes[:at], seat, Leave())
    more = next_of([*lanes[:at], gone], seat, Leave())
    assert "closed" in refused([*lanes[:at], gone], more)


def test_what_is_too_far_ahead_of_its_lane_is_refused(lanes: list[Lane]) -> None:
    body = body_of(lanes[0])

    def at(number: int) -> Lane:
        heads = list(body.heads)
        heads[body.seat] = Head(number, bytes([7]) * 32)
        return sign(with_fields(body, heads=tuple(heads)))

    assert "not in the record" in audit(OPEN, [at(255)], ALL_GAMES).problem
    assert "too far ahead" in refused([], at(256))


def test_a_message_that_rests_on_another_past_waits(lanes: list[Lane]) -> None:
    at = find(lanes, Shuffled, 1)
    body = body_of(lanes[at])
    heads = list(body.heads)
    other = (body.seat + 1) % 3
    heads[other] = Head(heads[other].length, flipped(heads[other].hash))
    verdict = audit(OPEN, [*lanes[:at], sign(with_fields(body, heads=tuple(heads)))], ALL_GAMES)
    assert not verdict.is_valid and verdict.fault is None
    assert "not in the record" in verdict.problem
    assert verdict.messages == at


def test_an_answer_that_has_not_seen_what_it_answers_is_out_of_turn(lanes: list[Lane]) -> None:
    """It names less than closed the steps before, and no less than its author had named."""
    at = find(lanes, KeyOpen, 1)
    body = body_of(lanes[at])
    before = [body_of(one) for one in lanes[:at] if body_of(one).seat == body.seat][-1]
    heads = list(before.heads)
    heads[body.seat] = body.heads[body.seat]
    verdict = forged(OPEN, lanes, at, around(heads=lambda _: tuple(heads)))
    assert verdict.fault is not None and verdict.fault.rule == "out-of-turn"


def test_a_second_answer_is_out_of_turn(lanes: list[Lane]) -> None:
    at = find(lanes, Sign, 1)
    seat = body_of(lanes[at]).seat
    again = next_of(lanes[: at + 1], seat, body_of(lanes[at]).payload)
    verdict = audit(OPEN, [*lanes[: at + 1], again], ALL_GAMES)
    assert verdict.fault is not None
    assert (verdict.fault.seat, verdict.fault.rule) == (seat, "out-of-turn")


# --- Words, votes and stories -------------------------------------------------------------------


def word(lanes: list[Lane], *payloads: Payload, seat: int = 1) -> Verdict:
    """The verdict when this seat says this in the middle of the game."""
    said = lanes[: find(lanes, Act)]
    for one in payloads:
        said = [*said, next_of(said, seat, one)]
    return audit(OPEN, said, ALL_GAMES)


def two_stories(lanes: list[Lane], seat: int = 2) -> tuple[Stamp, Stamp]:
    at = [at for at, lane in enumerate(lanes) if body_of(lane).seat == seat][5]
    return stamp_of(lanes[at]), stamp_of(sign(around(digest=flipped)(body_of(lanes[at]))))


def test_a_word_that_is_none_is_a_fault(lanes: list[Lane]) -> None:
    one, other = two_stories(lanes)
    elsewhere = stamp_of(lanes[7])
    for bad in [
        Convict(one, one),
        Convict(one, elsewhere),
        Convict(one, with_fields(other, signature=flipped(other.signature))),
        Convict(one, with_fields(other, number=other.number + 1)),
        Convict(with_fields(one, incarnation=1), other),
        Convict(with_fields(one, seat=5), with_fields(other, seat=5)),
    ]:
        verdict = word(lanes, bad)
        assert verdict.fault is not None and verdict.fault.rule == "false-evidence"
    votes = put_out(lanes, 2, (0, 1)).votes
    for out in (PutOut(1, votes), PutOut(3, votes)):
        verdict = word(lanes, out)
        assert verdict.fault is not None and verdict.fault.rule == "word"


def test_two_stories_of_one_lane_convict_their_author(lanes: list[Lane]) -> None:
    one, other = two_stories(lanes)
    verdict = word(lanes, Convict(one, other))
    assert verdict.fault is not None
    assert (verdict.fault.seat, verdict.fault.rule) == (2, "equivocation")
    assert verdict.fault.number == one.number
    assert verdict.stop is not None and verdict.stop.reason == "begin-anew"
    assert verdict.stop.awaited == (0,)


def test_a_second_story_in_the_file_convicts_its_author(lanes: list[Lane]) -> None:
    at = find(lanes, Shuffled, 1)
    other = sign(around(digest=flipped)(body_of(lanes[at])))
    for said in ([*lanes[: at + 1], other], [*lanes[:at], other, lanes[at]]):
        verdict = audit(OPEN, said, ALL_GAMES)
        assert verdict.fault is not None
        assert (verdict.fault.seat, verdict.fault.rule) == (1, "equivocation")


def test_a_second_story_of_a_message_long_forgotten_is_found(lanes: list[Lane]) -> None:
    """And the same message once more is still known for the same."""
    at = find(lanes, Shuffled, 1)
    other = sign(around(digest=flipped)(body_of(lanes[at])))
    said = lanes[: find(lanes, Act)]
    assert audit(OPEN, [*said, lanes[at]], ALL_GAMES).is_valid
    verdict = audit(OPEN, [*said, other], ALL_GAMES)
    assert verdict.fault is not None
    assert (verdict.fault.seat, verdict.fault.rule) == (1, "equivocation")


def test_evidence_at_the_end_convicts_the_seat_of_its_stamps(lanes: list[Lane]) -> None:
    table = draft_hash(OPEN)
    one, other = two_stories(lanes)
    # It ends the table only where no charter is signed yet.
    for said, outcome in ((lanes[:1], "fault"), (lanes[:30], "unfinished")):
        verdict = audit(OPEN, [*said, Evidence(table, one, other)], ALL_GAMES)
        assert verdict.outcome == outcome
        assert verdict.fault is not None
        assert (verdict.fault.seat, verdict.fault.rule) == (2, "equivocation")
    for bad in (Evidence(table, one, one), Evidence(bytes(32), one, other)):
        for said in (lanes[:30], lanes):
            verdict = audit(OPEN, [*said, bad], ALL_GAMES)
            assert not verdict.is_valid and verdict.fault is None
    whole = audit(OPEN, lanes, ALL_GAMES)
    after = audit(OPEN, [*lanes, Evidence(table, one, other)], ALL_GAMES)
    assert (after.outcome, after.winners) == ("finished", whole.winners)
    assert after.fault is not None and after.fault.seat == 2
    cleared = replace(after, is_valid=True, fault=None, problem="")
    assert cleared == whole, "what all have signed is not undone by what comes later"


def put_out(lanes: list[Lane], out: int, voters: tuple[int, ...], **fields: Any) -> PutOut:
    """A word with votes in the step in which those lanes end."""
    body = body_of(lanes[find(lanes, Act)])
    return word_of(OPEN, voters, out, body.place, **{"step": body.step, **fields})


def test_a_second_word_against_one_seat_is_a_fault(lanes: list[Lane]) -> None:
    first = put_out(lanes, 2, (0, 1))
    for again in (first, Convict(*two_stories(lanes))):
        verdict = word(lanes, first, again)
        assert verdict.fault is not None
        assert (verdict.fault.seat, verdict.fault.rule) == (1, "word")


def test_a_word_with_votes_that_are_none_is_a_fault(lanes: list[Lane]) -> None:
    assert word(lanes, put_out(lanes, 2, (0, 1))).is_valid
    for bad in (
        put_out(lanes, 2, (1,)),
        put_out(lanes, 2, (0, 1), table=bytes(32)),
        PutOut(2, put_out(lanes, 0, (1, 2)).votes),
        with_fields(put_out(lanes, 2, (0, 1)), votes=put_out(lanes, 2, (0, 0)).votes),
    ):
        verdict = word(lanes, bad)
        assert verdict.fault is not None and verdict.fault.rule == "false-evidence"


@pytest.mark.slow
@pytest.mark.parametrize("seats", [3, 4])
def test_half_of_a_table_votes_nobody_out(seats: int) -> None:
    draft = tiny_draft(seats, target=2)
    lanes = lanes_of(SimTable(seats, seed=6, draft=draft).start().finish())
    said = lanes[: find(lanes, Act)]
    place = body_of(lanes[find(lanes, Act)]).place
    for count in range(1, seats):
        voters = tuple(range(1, 1 + count))
        verdict = audit(
            draft, [*said, next_of(said, 1, word_of(draft, voters, 0, place))], ALL_GAMES
        )
        assert verdict.is_valid == (2 * count > seats)
        assert verdict.voted_out == ((0,) if 2 * count > seats else ())
        assert [ballot.voters for ballot in verdict.ballots] == [voters][: len(verdict.voted_out)]
