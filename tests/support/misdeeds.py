"""The misdeeds that honest peers must stand up to, each with what they must make of it.

`GENERAL` can be tried in every game, `TOSSES` where there are tosses, `ANSWERS` where answers are
secret, `ACTIONS` in the tiny one.
"""

from tests.support import forgeries as forged
from tests.support import misplaced
from tests.support.hostile import Forge, Misdeed, acting, altered, flipped, silent, twisted
from tests.support.lane_misdeeds import (
    BODIES,
    STORIES,
    STORIES_AT_ANSWERS,
    STORIES_AT_TOSSES,
    WORDS,
    story_at,
)

SHOW = "show-cards"  # reasons of steps
MIX = "shuffle-hand"
DECK = "shuffle-deck"
DRAW = "share-"


def _silence(name: str, kind: str, reason: str = "", forge: Forge = silent) -> Misdeed:
    return Misdeed(name, kind, is_silent=True, forge=forge, reason=reason)


CHARTER = (
    Misdeed("opens another nonce", "NonceOpen", "commitment", altered(nonce=flipped)),
    Misdeed("opens by another opening", "NonceOpen", "commitment", altered(opening=flipped)),
    Misdeed(
        "copies another's nonce",
        "NonceCommit",
        "commitment",
        misplaced.copied,
        follow={"NonceOpen": misplaced.copied_next},
    ),
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
    *(
        _two_parts(f"proves its key for {name}", "proof-proof", misplaced.key_for(at), forged.kept)
        for name, at in misplaced.PLACES.items()
    ),
    _silence("keeps its key back", "KeyOpen", forge=forged.key_kept_back),
)


def _nothing(name: str, kind: str, reason: str, content: str) -> Misdeed:
    """Vectors without an element, over which any proof would hold: no message at all."""
    empty = altered(**{content: lambda _: b"", "proof": lambda _: b""})
    return Misdeed(name, kind, is_silent=True, forge=empty, reason=reason)


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
        at("spoils the proof of", "proof-proof", altered(proof=forged.last_flipped)),
        at("cuts the proof of", "proof-encoding", altered(proof=lambda proof: proof[:-32])),
        at("hardly proves", "proof-encoding", altered(proof=lambda proof: proof[:32])),
        *(
            at(f"proves for {name} the shuffle of", "proof-proof", misplaced.shuffle_for(place))
            for name, place in misplaced.PLACES.items()
        ),
        _nothing(f"sends no cards and no proof for {where}", "Shuffled", reason, "cards"),
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
        at("spoils the proof of", "proof-proof", altered(proof=forged.last_flipped)),
        at("malleates the proof of", "proof-encoding", altered(proof=forged.response_over_order)),
        at("gives a share more for", "proof-encoding", altered(shares=one_more_share)),
        *(
            at(f"proves for {name} its shares of", "proof-proof", misplaced.shares_for(place))
            for name, place in misplaced.PLACES.items()
        ),
        _nothing(f"sends no shares and no proof for {what}", "Shares", reason, "shares"),
        at("gives the identity for", "proof-encoding", altered(shares=forged.with_identity)),
        _silence(f"gives nothing for {what}", "Shares", reason),
    )


SHARES = (
    *_shares(DRAW, "a draw"),
    *_shares(SHOW, "what it shows"),
    Misdeed(
        "passes its card off as another",
        "Shares",
        "proof-proof",
        misplaced.card_passed_off,
        reason=SHOW,
    ),
    Misdeed("swaps two shares", "Shares", "proof-proof", altered(shares=forged.points_swapped)),
    Misdeed(
        "sends old shares",
        "Shares",
        "proof-proof",
        forged.shares_of_before,
        when=forged.has_shared,
    ),
)

# Where something is tossed for in play: in the tiny game, and random cards of Samurai Warfare.
TOSSES = (
    Misdeed("opens another toss", "TossOpen", "commitment", altered(part=flipped)),
    Misdeed("opens its toss otherwise", "TossOpen", "commitment", altered(opening=flipped)),
    Misdeed(
        "copies another's toss",
        "TossCommit",
        "commitment",
        misplaced.copied,
        follow={"TossOpen": misplaced.copied_next},
    ),
    _silence("keeps its toss back", "TossOpen"),
    *STORIES_AT_TOSSES,
)

# --- What seats choose --------------------------------------------------------------------------

CHOICES = (
    Misdeed("does what is no action", "Act", "illegal-action", acting("cheat", forged.no_slots)),
    Misdeed(
        "acts out of turn", "Act", "out-of-turn", forged.some_discard, when=forged.is_foreign_turn
    ),
    _silence("does not act", "Act"),
    Misdeed("comes to another result", "Settled", "digest", twist=twisted(digest=flipped)),
    Misdeed("signs another result", "Settled", "result", altered(result=flipped)),
    _silence("does not sign the result", "Settled"),
)

# At tables with open books alone: `is_at_open_books`.
BOOKS = (
    Misdeed("publishes another key", "KeyPublished", "published-key", altered(secret=flipped)),
    Misdeed(
        "publishes its key off by the group's order",
        "KeyPublished",
        "published-key",
        altered(secret=forged.response_over_order),
    ),
    Misdeed(
        "publishes no key",
        "KeyPublished",
        "published-key",
        altered(secret=lambda secret: bytes(32)),
    ),
    Misdeed(
        "publishes by another digest",
        "KeyPublished",
        "digest",
        twist=twisted(digest=flipped),
    ),
    _silence("keeps its published key back", "KeyPublished"),
)
STORIES_OF_BOOKS = (story_at("KeyPublished"),)

# Where a discard is answered in secret: committed to by all, then opened.
ANSWERS = (
    Misdeed("opens another answer", "ActOpen", "commitment", altered(act=forged.other_act)),
    Misdeed(
        "copies another's answer",
        "ActCommit",
        "commitment",
        misplaced.copied,
        follow={"ActOpen": misplaced.copied_next},
        when=forged.is_not_alone_to_answer,
        seats_min=3,
    ),
    _silence("does not answer", "ActCommit"),
    _silence("does not show its answer", "ActOpen"),
    *STORIES_AT_ANSWERS,
)

# Of the tiny game alone; the real games have theirs, see `lies.py`.
ACTIONS = (
    Misdeed(
        "discards no own card", "Act", "illegal-action", acting("discard", forged.foreign_slot)
    ),
    Misdeed("discards two cards", "Act", "illegal-action", acting("discard", forged.own_slots)),
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
)

GENERAL = [*CHARTER, *KEYS, *SHUFFLES, *SHARES, *CHOICES, *BODIES, *WORDS, *STORIES]
MISDEEDS = [*GENERAL, *TOSSES, *ANSWERS, *ACTIONS]
AT_OPEN_BOOKS = [*BOOKS, *STORIES_OF_BOOKS]


def is_at_open_books(misdeed: Misdeed) -> bool:
    """Whether it can be committed only where the draft says that books are opened."""
    return misdeed in AT_OPEN_BOOKS
