"""The cases of `records.json` at tables of Samurai Warfare and Not Your Ma's Jong."""

from typing import Any

from msgspec.structs import replace as with_fields

from p2pjong.store.record import RecordHeader
from p2pjong.wire.codec import encode
from p2pjong.wire.messages import Draft
from scripts.vector_edits import (
    Case,
    Change,
    Frames,
    Story,
    flipped,
    forgery,
    payload,
    record_case,
)
from scripts.vector_tables import CHEAT

SAMURAI, MAS_JONG = "record-samurai.bin", "record-mas-jong.bin"
VALID: Case = {"valid": True, "outcome": "finished"}
FOUL: Case = {"valid": False, "outcome": "fault"}


def other_cases(stories: dict[str, Frames], drafts: dict[str, Draft]) -> list[Case]:
    """All cases of the two games."""
    samurai = Story(stories[SAMURAI], SAMURAI)
    mas_jong = Story(stories[MAS_JONG], MAS_JONG)
    return [
        *_whole(),
        *(forgery(samurai, *one) for one in _samurai_forgeries(samurai)),
        *(forgery(mas_jong, *one) for one in _mas_jong_forgeries(mas_jong)),
        *_of_no_game(drafts),
    ]


def _whole() -> list[Case]:
    return [
        record_case("a turn of Samurai Warfare", file=SAMURAI, **VALID),
        record_case("a round of Not Your Ma's Jong", file=MAS_JONG, **VALID),
        record_case(
            "a pass with a card that could be played",
            file="record-samurai-false-pass.bin",
            rule="proof-proof",
            **FOUL,
        ),
        record_case(
            "another card switched than the one asked for",
            file="record-samurai-another-card.bin",
            rule="proof-proof",
            **FOUL,
        ),
        record_case(
            "an order that leaves out a caller",
            file="record-mas-jong-order.bin",
            rule="order",
            **FOUL,
        ),
        record_case(
            "cards shown that make no set with the discard",
            file="record-mas-jong-no-set.bin",
            rule="steal-without-set",
            **FOUL,
        ),
        record_case(
            "a silent seat voted absent in Samurai Warfare",
            file="record-samurai-voted-absent.bin",
            **VALID,
        ),
        record_case(
            "a silent seat voted absent in Not Your Ma's Jong",
            file="record-mas-jong-voted-absent.bin",
            **VALID,
        ),
    ]


Forgery = tuple[str, str, int, Change]


def _samurai_forgeries(story: Story) -> list[Forgery]:
    proof, switch = story.find("ProvenAmong"), story.find("Switched")
    return [
        ("commitment", "opens another toss", story.find("TossOpen"), payload(part=flipped)),
        ("proof-proof", "spoils the proof of a pass", proof, payload(proof=_last_flipped)),
        ("proof-encoding", "cuts the proof of a pass", proof, payload(proof=lambda p: p[:-32])),
        ("proof-proof", "exchanges the points of a card", switch, payload(cards=_exchanged)),
        ("proof-proof", "spoils the proof of a switch", switch, payload(proof=_last_flipped)),
        (
            "proof-encoding",
            "switches no point",
            switch,
            payload(cards=lambda c: bytes(32) + c[32:]),
        ),
    ]


def _mas_jong_forgeries(story: Story) -> list[Forgery]:
    order = story.find("Ordered", seat=CHEAT)
    return [
        ("order", "names a caller twice", order, payload(seats=lambda seats: seats[:1] * 2)),
        ("order", "names itself", order, payload(seats=lambda seats: (CHEAT, *seats[1:]))),
        ("order", "names one caller", order, payload(seats=lambda seats: seats[:1])),
        ("order", "names a caller more", order, payload(seats=lambda seats: (*seats, seats[0]))),
    ]


def _last_flipped(proof: bytes) -> bytes:
    """Still a scalar: its lowest bit is another."""
    return proof[:-32] + flipped(proof[-32:])


def _exchanged(cards: bytes) -> bytes:
    return cards[32:64] + cards[:32] + cards[64:]


def _of_no_game(drafts: dict[str, Draft]) -> list[Case]:
    """First frames that name options or seats which the game does not have."""

    def case(name: str, file: str, draft: Draft, **options: Any) -> Case:
        wrong = with_fields(draft, options=with_fields(draft.options, **options))
        head = encode(RecordHeader(1, wrong)).hex()
        return record_case(name, {"head": head}, file=file, error="mismatch")

    samurai, mas_jong = drafts[SAMURAI], drafts[MAS_JONG]
    two = with_fields(mas_jong, seats=mas_jong.seats[:2])
    return [
        case("Samurai Warfare with rounds", SAMURAI, samurai, rounds=3),
        case("Samurai Warfare to too many tokens", SAMURAI, samurai, target=1001),
        case("Not Your Ma's Jong to a target", MAS_JONG, mas_jong, target=5),
        case("Not Your Ma's Jong of two", MAS_JONG, two),
    ]
