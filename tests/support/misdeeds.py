"""The misdeeds that honest peers must stand up to, each with what they must make of it."""

from msgspec.structs import replace as with_fields

from p2pjong.session.lanes import EMPTY_HEAD
from p2pjong.wire.messages import Echo, Head, LaneBody, Leave, Payload
from tests.support import forgeries as forged
from tests.support.hostile import (
    Forge,
    HostileSession,
    Misdeed,
    Tell,
    Twist,
    acting,
    altered,
    flipped,
    next_seat,
    one_more,
    silent,
    twisted,
    two_stories,
    with_head,
    with_signature,
)

SHOW = "show its cards"  # reasons of steps
MIX = "mix its hand"
DECK = "shuffle the deck"
DRAW = "share keys"


def _silence(name: str, kind: str, reason: str = "", forge: Forge = silent) -> Misdeed:
    return Misdeed(name, kind, is_silent=True, forge=forge, reason=reason)


CHARTER = (
    Misdeed("opens another nonce", "NonceOpen", "commitment", altered(nonce=flipped)),
    Misdeed("opens by another opening", "NonceOpen", "commitment", altered(opening=flipped)),
    Misdeed("signs another charter", "Sign", "charter", altered(charter=flipped)),
    _silence("keeps its nonce back", "NonceOpen"),
)


def _two_parts(name: str, rule: str, commit: Forge, opening: Forge, nth: int = 0) -> Misdeed:
    return Misdeed(name, "KeyCommit", rule, commit, follow={"KeyOpen": opening}, nth=nth)


KEYS = (
    Misdeed("lies in its echo", "Echo", "echo", altered(chain=flipped)),
    Misdeed("opens another key", "KeyOpen", "commitment", altered(key=flipped)),
    Misdeed("opens another key proof", "KeyOpen", "commitment", altered(proof=flipped)),
    Misdeed("takes another's key off its own", "KeyOpen", "commitment", forged.rogue_key),
    _two_parts("has no key proof", "proof-proof", forged.key_without_proof, forged.kept),
    _two_parts("has no key", "proof-encoding", forged.identity_key, forged.kept),
    _two_parts("sends another's old key", "proof-proof", forged.key_of_before, forged.kept, 1),
    _two_parts(
        "copies another's key", "commitment", forged.copied_commitment, forged.copied_opening
    ),
    _silence("keeps its key back", "KeyOpen", forge=forged.key_kept_back),
)


def _last_flipped(proof: bytes) -> bytes:
    """Still a scalar below the order: its lowest bit is another."""
    return proof[:-32] + flipped(proof[-32:])


def _shuffles(reason: str, where: str) -> tuple[Misdeed, ...]:
    def at(name: str, rule: str, forge: Forge) -> Misdeed:
        return Misdeed(f"{name} {where}", "Shuffled", rule, forge, reason=reason)

    return (
        at("doubles a card in", "proof-proof", altered(cards=forged.duplicated)),
        at("doubles a card unseen in", "proof-proof", forged.masked_duplicate),
        at("drops a card from", "proof-encoding", altered(cards=forged.dropped)),
        at("swaps cards after the proof in", "proof-proof", altered(cards=forged.swapped)),
        at("puts a card of its own into", "proof-proof", forged.substituted),
        at("puts the identity into", "proof-encoding", altered(cards=forged.with_identity)),
        at("puts what is no point into", "proof-encoding", altered(cards=forged.with_bad_point)),
        at("spoils the proof of", "proof-proof", altered(proof=_last_flipped)),
        at("cuts the proof of", "proof-encoding", altered(proof=lambda proof: proof[:-32])),
        at("hardly proves", "proof-encoding", altered(proof=lambda proof: proof[:32])),
        at("leaves all in its place in", "", forged.unshuffled),
        _silence(f"does not shuffle {where}", "Shuffled", reason),
    )


def _old_deck(name: str, forge: Forge) -> Misdeed:
    return Misdeed(name, "Shuffled", "proof-proof", forge, reason=DECK, nth=1)


SHUFFLES = (
    *_shuffles(DECK, "the deck"),
    *_shuffles(MIX, "its hand"),
    _old_deck("sends its last shuffle again", forged.shuffle_of_before),
    _old_deck("sends another's shuffle", forged.shuffle_of_another),
)


def _shares(reason: str, what: str) -> tuple[Misdeed, ...]:
    def at(name: str, rule: str, forge: Forge) -> Misdeed:
        return Misdeed(f"{name} {what}", "Shares", rule, forge, reason=reason)

    def one_more_share(shares: bytes) -> bytes:
        return shares + shares[:32]

    return (
        at("uses another key for", "proof-proof", forged.shares_of_another_key),
        at("takes other slots for", "proof-proof", forged.shares_of_other_slots),
        at("spoils the proof of", "proof-proof", altered(proof=_last_flipped)),
        at("malleates the proof of", "proof-encoding", altered(proof=forged.response_over_order)),
        at("gives a share more for", "proof-encoding", altered(shares=one_more_share)),
        at("gives the identity for", "proof-encoding", altered(shares=forged.with_identity)),
        _silence(f"gives nothing for {what}", "Shares", reason),
    )


SHARES = (
    *_shares(DRAW, "a draw"),
    *_shares(SHOW, "what it shows"),
    Misdeed("swaps two shares", "Shares", "proof-proof", altered(shares=forged.points_swapped)),
    Misdeed(
        "sends old shares",
        "Shares",
        "proof-proof",
        forged.shares_of_before,
        when=forged.has_shared,
    ),
)

TOSSES = (
    Misdeed("opens another toss", "TossOpen", "commitment", altered(part=flipped)),
    Misdeed("opens its toss otherwise", "TossOpen", "commitment", altered(opening=flipped)),
    _silence("keeps its toss back", "TossOpen"),
)

ACTIONS = (
    Misdeed(
        "discards no own card", "Act", "illegal-action", acting("discard", forged.foreign_slot)
    ),
    Misdeed("discards two cards", "Act", "illegal-action", acting("discard", forged.own_slots)),
    Misdeed("does what is no action", "Act", "illegal-action", acting("cheat", forged.no_slots)),
    Misdeed("acts at a target", "Act", "illegal-action", altered(target=lambda target: 0)),
    Misdeed(
        "shows no pair",
        "Act",
        "shown-without-pair",
        acting("show", forged.no_slots),
        when=forged.could_show_wrongly,
    ),
    Misdeed(
        "claims without a pair",
        "ActCommit",
        "claim-without-pair",
        acting("claim", lambda session: tuple(forged.wrong_slots(session)[:1])),
        when=forged.could_claim_wrongly,
    ),
    Misdeed(
        "claims with no own card",
        "ActCommit",
        "illegal-action",
        acting("claim", forged.foreign_slot),
    ),
    Misdeed("opens another answer", "ActOpen", "commitment", altered(act=forged.other_act)),
    Misdeed(
        "acts out of turn", "Act", "out-of-turn", forged.some_discard, when=forged.is_foreign_turn
    ),
    _silence("does not act", "Act"),
    _silence("does not answer", "ActCommit"),
    _silence("does not show its answer", "ActOpen"),
    Misdeed("signs another result", "Settled", "result", altered(result=flipped)),
    _silence("does not sign the result", "Settled"),
)


# --- Lanes ------------------------------------------------------------------------------------


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


def _at_key(name: str, rule: str, twist: Twist | None = None, tell: Tell | None = None) -> Misdeed:
    return Misdeed(name, "KeyCommit", rule, twist=twist, tell=tell, is_silent=not rule)


BODIES = (
    _at_key("names another place", "wrong-place", twisted(place=flipped)),
    _at_key("names another epoch", "wrong-place", twisted(epoch=_next)),
    _at_key("names a later step", "out-of-turn", twisted(step=_next)),
    _at_key("lies in its digest", "digest", twisted(digest=flipped)),
    _at_key("has seen nothing", "out-of-turn", _none_seen),
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
)

KINDS = (
    *("NonceCommit", "NonceOpen", "Sign", "TossCommit", "TossOpen", "KeyCommit", "Echo", "KeyOpen"),
    *("Shuffled", "Shares", "Act", "ActCommit", "ActOpen", "Settled"),
)


def _as_leave(session: HostileSession, body: LaneBody) -> LaneBody:
    return with_fields(body, payload=Leave())


def _padded(last: int) -> Twist:
    def twist(session: HostileSession, body: LaneBody) -> LaneBody:
        proof = bytes(60 * 1024 - 1) + bytes([last])
        return with_fields(body, payload=with_fields(body.payload, proof=proof))

    return twist


def _two(name: str, kind: str, second: Twist, rule: str = "equivocation") -> Misdeed:
    return Misdeed(name, kind, rule, tell=two_stories(second))


STORIES = (
    *(_two(f"tells two stories at {kind}", kind, twisted(digest=flipped)) for kind in KINDS),
    _two("deals two decks", "Shuffled", forged.with_another_shuffle),
    Misdeed(
        "tells two long stories",
        "Shuffled",
        "equivocation",
        twist=_padded(1),
        tell=two_stories(_padded(2)),
    ),
    _two("leaves to one alone", "Echo", _as_leave),
    _two("tells one story in another incarnation", "Echo", twisted(incarnation=_next), ""),
)

MISDEEDS = [*CHARTER, *KEYS, *SHUFFLES, *SHARES, *TOSSES, *ACTIONS, *BODIES, *STORIES]
