"""Misdeeds in what is around a payload: place, order, heads, signatures, stories, votes, floods."""

from msgspec.structs import replace as with_fields

from p2pjong.session.history import Signed
from p2pjong.session.lanes import EMPTY_HEAD, message_hash, sign_body, stamp_bytes
from p2pjong.wire.codec import decode, encode
from p2pjong.wire.messages import (
    Convict,
    Echo,
    Head,
    Lane,
    LaneBody,
    Leave,
    Payload,
    PutOut,
)
from tests.support import forgeries as forged
from tests.support.ballots import word_at
from tests.support.hostile import (
    HostileSession,
    Misdeed,
    Tell,
    Twist,
    and_then,
    flipped,
    next_seat,
    one_more,
    twisted,
    two_stories,
    with_frames,
    with_head,
    with_more_frames,
    with_signature,
)

FLOOD = 400  # more than may wait of one lane


def _myself(session: HostileSession) -> int:
    return session.seat


def _longer(head: Head) -> Head:
    return Head(head.length + 1, bytes(32))


def _renamed(head: Head) -> Head:
    return Head(head.length, flipped(head.hash))


def _none_seen(session: HostileSession, body: LaneBody) -> LaneBody:
    heads = [EMPTY_HEAD] * len(body.heads)
    heads[session.seat] = body.heads[session.seat]
    return with_fields(body, heads=tuple(heads))


def _one_head_more(session: HostileSession, body: LaneBody) -> LaneBody:
    return with_fields(body, heads=(*body.heads, EMPTY_HEAD))


def _as_next_seat(session: HostileSession, body: LaneBody) -> LaneBody:
    return with_fields(body, seat=next_seat(session))


def _same_again(session: HostileSession, body: LaneBody) -> LaneBody:
    return body


def _of_next_step(session: HostileSession, body: LaneBody) -> LaneBody:
    return with_fields(body, step=body.step + 1, payload=Echo(bytes(32)))


def _other_kind(session: HostileSession, step: object) -> Payload:
    return Echo(bytes(32))


def _next(number: int) -> int:
    return number + 1


# --- Frames -----------------------------------------------------------------------------------


def _longer_array(frame: bytes) -> bytes:
    """The same msgpack array with its length written in two bytes more."""
    assert frame[0] & 0xF0 == 0x90
    return b"\xdc\x00" + bytes([frame[0] & 0x0F]) + frame[1:]


def _written_otherwise(session: HostileSession, signed: Signed) -> list[bytes]:
    return [_longer_array(signed.frame)]


def _signed_otherwise(session: HostileSession, signed: Signed) -> list[bytes]:
    lane: Lane = decode(signed.frame, Lane)
    body = _longer_array(lane.body)
    stamp = with_fields(signed.stamp, hash=message_hash(body))
    content = stamp_bytes(signed.body.table, stamp)
    return [encode(Lane(body, session.secrets.sign(content)))]


def _noise(session: HostileSession, signed: Signed) -> list[bytes]:
    nested = b"\x91" * 1000 + b"\xc0"
    cut, keys_twice = signed.frame[: len(signed.frame) // 2], b"\x82\xa1a\x01\xa1a\x02"
    return [b"", nested, cut, keys_twice, b"\xff" * 64, encode(Lane(b"", bytes(64)))]


def _all_again(session: HostileSession, signed: Signed) -> list[bytes]:
    return [one.frame for one in session.lanes.accepted[session.seat]]


def _again_and_again(session: HostileSession, signed: Signed) -> list[bytes]:
    return [signed.frame] * FLOOD


def _resting_on_nothing(session: HostileSession, signed: Signed) -> list[bytes]:
    """Far ahead in its own lane: each would wait for messages that nobody will ever write."""
    frames = []
    for ahead in range(FLOOD):
        heads = list(signed.body.heads)
        heads[session.seat] = Head(signed.number + 100 + ahead, bytes(32))
        body = with_fields(signed.body, heads=tuple(heads))
        frames.append(sign_body(body, session.secrets.sign).frame)
    return frames


# --- Words that turn a hand back ----------------------------------------------------------------


def _false_evidence(session: HostileSession, body: LaneBody) -> LaneBody:
    """One message of another seat, held up as if it were two."""
    stamp = session.lanes.accepted[next_seat(session)][0].stamp
    return with_fields(body, payload=Convict(stamp, stamp))


def _puts_itself_out(session: HostileSession, body: LaneBody) -> LaneBody:
    votes = word_at(session, _others(session), next_seat(session)).votes
    return with_fields(body, payload=PutOut(session.seat, votes))


def _others(session: HostileSession) -> list[int]:
    """Who would have to vote the next seat absent."""
    seats = range(len(session.draft.seats))
    return [seat for seat in seats if seat != next_seat(session)]


def _puts_out_alone(session: HostileSession, body: LaneBody) -> LaneBody:
    """With its own vote, and with those of others that they have not cast."""
    absent = next_seat(session)
    own = word_at(session, [session.seat], absent).votes
    votes = tuple(with_fields(own[0], voter=seat) for seat in _others(session))
    return with_fields(body, payload=PutOut(absent, votes))


def _puts_out_by_less(session: HostileSession, body: LaneBody) -> LaneBody:
    return with_fields(body, payload=word_at(session, [session.seat], next_seat(session)))


def _at_key(name: str, rule: str, twist: Twist | None = None, tell: Tell | None = None) -> Misdeed:
    return Misdeed(name, "KeyCommit", rule, twist=twist, tell=tell, is_silent=not rule)


def _harmless(name: str, tell: Tell) -> Misdeed:
    return Misdeed(name, "KeyCommit", tell=tell)


BODIES = (
    _at_key("names another place", "wrong-place", twisted(place=flipped)),
    _at_key("names another epoch", "wrong-place", twisted(epoch=_next)),
    _at_key("names a later step", "out-of-turn", twisted(step=_next)),
    _at_key("lies in its digest", "digest", twisted(digest=flipped)),
    _at_key("has seen nothing", "heads", _none_seen),
    _at_key("acts twice", "out-of-turn", tell=one_more(_same_again)),
    _at_key("acts before it can have seen", "out-of-turn", tell=one_more(_of_next_step)),
    Misdeed("says something else", "KeyCommit", "wrong-kind", _other_kind),
    _at_key("names another table", "", twisted(table=flipped)),
    _at_key("speaks for another seat", "", _as_next_seat),
    _at_key("names a seat too many", "", _one_head_more),
    _at_key("names what was never said", "", with_head(next_seat, _longer)),
    _at_key("names what was said otherwise", "", with_head(next_seat, _renamed)),
    _at_key("breaks its own chain", "", with_head(_myself, _renamed)),
    _at_key("leaves a number out", "", with_head(_myself, _longer)),
    _at_key("claims another incarnation", "", twisted(incarnation=_next)),
    _at_key("forges a signature", "", tell=with_signature(flipped)),
    _at_key("malleates a signature", "", tell=with_signature(forged.signature_over_order)),
    _at_key("writes its message otherwise", "", tell=with_frames(_written_otherwise)),
    _at_key("signs a body written otherwise", "", tell=with_frames(_signed_otherwise)),
    _harmless("sends noise beside its message", with_more_frames(_noise)),
    _harmless("sends all its messages again", with_more_frames(_all_again)),
    _harmless("floods with one message", with_more_frames(_again_and_again)),
    _harmless("floods with messages that rest on nothing", with_more_frames(_resting_on_nothing)),
)

WORDS = (
    _at_key("puts itself out", "word", tell=and_then(_puts_itself_out)),
    _at_key("puts a seat out alone", "false-evidence", tell=and_then(_puts_out_by_less)),
    _at_key("forges votes of others", "false-evidence", tell=and_then(_puts_out_alone)),
    _at_key("holds up one message as two", "false-evidence", tell=and_then(_false_evidence)),
)

KINDS_OF_ALL = (
    *("NonceCommit", "NonceOpen", "Sign", "KeyCommit", "Echo", "KeyOpen"),
    *("Shuffled", "Shares", "Act", "Settled"),
)
KINDS_OF_TOSSES = ("TossCommit", "TossOpen")
KINDS_OF_ANSWERS = ("ActCommit", "ActOpen")


def _as_leave(session: HostileSession, body: LaneBody) -> LaneBody:
    return with_fields(body, payload=Leave())


def _padded(last: int) -> Twist:
    def twist(session: HostileSession, body: LaneBody) -> LaneBody:
        proof = bytes(40 * 1024 - 1) + bytes([last])
        return with_fields(body, payload=with_fields(body.payload, proof=proof))

    return twist


def two(name: str, kind: str, second: Twist, rule: str = "equivocation") -> Misdeed:
    """Two messages with one number, at a message of that kind."""
    return Misdeed(name, kind, rule, tell=two_stories(second))


def story_at(kind: str) -> Misdeed:
    """Two stories at a message of that kind."""
    return two(f"tells two stories at {kind}", kind, twisted(digest=flipped))


STORIES = (
    *(story_at(kind) for kind in KINDS_OF_ALL),
    two("deals two decks", "Shuffled", forged.with_another_shuffle),
    Misdeed(
        "tells two long stories",
        "Shuffled",
        "equivocation",
        twist=_padded(1),
        tell=two_stories(_padded(2)),
    ),
    two("leaves to one alone", "Echo", _as_leave),
    Misdeed(
        "tells two stories in place of evidence",
        "KeyOpen",
        "equivocation",
        twist=_false_evidence,
        tell=two_stories(twisted(digest=flipped)),
    ),
    two("tells one story in another incarnation", "Echo", twisted(incarnation=_next), ""),
)

STORIES_AT_TOSSES = tuple(story_at(kind) for kind in KINDS_OF_TOSSES)
STORIES_AT_ANSWERS = tuple(story_at(kind) for kind in KINDS_OF_ANSWERS)
