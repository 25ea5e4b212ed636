"""The cases of `protocol/vectors/lanes.json`: what is hashed and signed at a table, piece by piece.

Inputs are written as messages and as bytes; outputs are those of the program.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace as with_fields

from p2pjong.engine import canonical
from p2pjong.games.game import Action
from p2pjong.games.war_jhong.state import Discard
from p2pjong.session.charter import charter_hash, draft_hash, draw_lot
from p2pjong.session.course import Place, extend_chain
from p2pjong.session.draft import shown_hash, table_id
from p2pjong.session.lanes import SIGNATURE_LABEL, message_hash, stamp_bytes
from p2pjong.session.words import WORDS, table_words
from p2pjong.wire.codec import encode
from p2pjong.wire.messages import (
    Charter,
    Draft,
    Echo,
    Head,
    Lane,
    LaneBody,
    LobbySeatState,
    LobbyState,
    Stamp,
)
from scripts.vector_packing import Raw, pack, to_json, unpack
from tests.support.sim import make_draft, signing_key

Case = dict[str, Any]

NONCES = tuple(bytes([number]) * 32 for number in range(8))
EMPTY = Head(0, bytes(32))


def lanes_file() -> Case:
    """The whole file."""
    return {
        "page": "protocol/play.md",
        "tables": _tables(),
        "lobbies": _lobbies(),
        "drafts": _drafts(),
        "charters": _charters(),
        "contexts": _contexts(),
        "chains": _chains(),
        "lanes": _lanes(),
        "canonical": _canonical(),
    }


def words_file() -> Case:
    """The list of table words."""
    return {"page": "protocol/play.md", "words": list(WORDS)}


def _message(message: Any) -> Case:
    packed = encode(message)
    return {"value": to_json(unpack(packed)), "bytes": packed.hex()}


def _draft_of(seats: int) -> Draft:
    draft = make_draft(seats, target=25, table=seats)
    entries = list(draft.seats)
    entries[-1] = with_fields(entries[-1], name="Zoë 字", is_bot=False, is_oldest=True)
    return with_fields(draft, seats=tuple(entries))


def _tables() -> list[Case]:
    cases = []
    for joiners in (1, 2, 7):
        lobby, nonces = bytes(range(16)), NONCES[1 : joiners + 1]
        hexes = [nonce.hex() for nonce in nonces]
        cases.append(
            {"lobby": lobby.hex(), "nonces": hexes, "table": table_id(lobby, nonces).hex()}
        )
    return cases


def _lobbies() -> list[Case]:
    """Tables as they are shown, and what a `ready` for them names: the same whoever is ready."""
    draft, cases = _draft_of(3), []
    for ready in ((), (1,), (0, 1, 2)):
        seats = tuple(
            LobbySeatState(entry.name, entry.key, entry.is_bot, seat in ready)
            for seat, entry in enumerate(draft.seats)
        )
        state = LobbyState(bytes(range(16)), draft.name, draft.game, draft.options, 4, seats)
        cases.append(_message(state) | {"shown": shown_hash(state).hex()})
    return cases


def _drafts() -> list[Case]:
    drafts = [make_draft(2), _draft_of(3), _draft_of(8)]
    return [_message(draft) | {"hash": draft_hash(draft).hex()} for draft in drafts]


def _charters() -> list[Case]:
    cases = []
    for seats in (2, 3, 8):
        charter = Charter(draft_hash(_draft_of(seats)), NONCES[:seats])
        named = charter_hash(charter)
        case = _message(charter) | {"hash": named.hex(), "words": list(table_words(named))}
        cases.append(case | {"lots": [[sides, draw_lot(named, sides)] for sides in (seats, 2**32)]})
    return cases


def _contexts() -> list[Case]:
    places = [
        Place(bytes(32), 0, 0, bytes(32), 0),
        Place(NONCES[1], 1, 127, NONCES[2], 7),
        Place(NONCES[3], 300, 70_000, NONCES[4], 1),
    ]
    return [_message(place) for place in places]


def _chains() -> list[Case]:
    cases, chain = [], bytes(32)
    for count in (1, 2, 8):
        hashes = [message_hash(nonce) for nonce in NONCES[:count]]
        after = extend_chain(chain, hashes)
        hexes = [hash_.hex() for hash_ in hashes]
        cases.append({"chain": chain.hex(), "hashes": hexes, "next": after.hex()})
        chain = after
    return cases


# --- Lane messages ------------------------------------------------------------------------------


def _body(draft: Draft) -> LaneBody:
    place = draft_hash(draft)
    heads = (Head(2, NONCES[1]), Head(3, NONCES[2]))
    return LaneBody(place, place, 1, 0, heads, 1, 9, NONCES[5], Echo(NONCES[6]))


def _signed(packed: bytes, signer: int = 1, label: bytes = SIGNATURE_LABEL, **place: int) -> bytes:
    """Signed by this seat, for the place of `_body` unless told."""
    return encode(Lane(packed, signing_key(signer).sign(_content(packed, label, **place))))


def _content(packed: bytes, label: bytes = SIGNATURE_LABEL, **place: int) -> bytes:
    stamp = with_fields(Stamp(1, 0, 3, 1, message_hash(packed), b""), **place)
    return label + stamp_bytes(draft_hash(make_draft(2)), stamp)[len(SIGNATURE_LABEL) :]


def _lanes() -> Case:
    draft = make_draft(2)
    body = _body(draft)
    packed = encode(body)
    accept = [
        {"name": "an echo", "seat": 1, "number": 3, "hash": message_hash(packed).hex()}
        | {"frame": _signed(packed).hex()},
        _first(body),
    ]
    return {"draft": encode(draft).hex(), "accept": accept, "refuse": _refused(body, packed)}


def _first(body: LaneBody) -> Case:
    packed = encode(with_fields(body, seat=0, heads=(EMPTY, EMPTY)))
    first = {"name": "the first of a lane", "seat": 0, "number": 0}
    return first | {
        "hash": message_hash(packed).hex(),
        "frame": _signed(packed, 0, SIGNATURE_LABEL, seat=0, number=0).hex(),
    }


def _refused(body: LaneBody, packed: bytes) -> list[Case]:
    def case(name: str, failure: str, frame: bytes) -> Case:
        return {"name": name, "failure": failure, "frame": frame.hex()}

    def altered(name: str, failure: str, **changes: Any) -> Case:
        return case(name, failure, _signed(encode(with_fields(body, **changes))))

    signature = signing_key(1).sign(_content(packed))
    flipped = bytes([signature[0] ^ 1]) + signature[1:]
    over_order = int.from_bytes(signature[32:], "little") + ORDER
    not_reduced = signature[:32] + over_order.to_bytes(32, "little")
    plain = unpack(packed)
    odd = pack([*plain[:6], Raw(b"\xcd\x00\x01"), *plain[7:]])
    return [
        case("a signature with a bit flipped", "refused", encode(Lane(packed, flipped))),
        case("a signature whose S is not reduced", "refused", encode(Lane(packed, not_reduced))),
        case("a signature of another seat", "refused", _signed(packed, 0)),
        case("a signature without the label", "refused", _signed(packed, label=b"")),
        case(
            "a signature with another label", "refused", _signed(packed, label=b"p2pjong/v1/sign\0")
        ),
        case("a signature for another number", "refused", _signed(packed, number=2)),
        case("a signature for another epoch", "refused", _signed(packed, epoch=0)),
        case(
            "a signature for another seat's lane",
            "refused",
            _signed(packed, 1, SIGNATURE_LABEL, seat=0),
        ),
        altered("another table", "other-table", table=NONCES[7]),
        altered("a seat that is not there", "refused", seat=2),
        altered("a head too many", "refused", heads=(*body.heads, EMPTY)),
        altered("an empty lane with a hash", "refused", heads=(Head(0, NONCES[1]), body.heads[1])),
        altered("another incarnation", "refused", incarnation=1),
        case("a body in another encoding", "malformed", _signed(odd)),
        case("a body with a byte after it", "malformed", _signed(packed + b"\0")),
        case("a body that is another message", "malformed", _signed(b"\x91\xa3bye")),
        case("a frame with a byte after it", "malformed", _signed(packed) + b"\0"),
    ]


ORDER = 2**252 + 27742317777372353535851937790883648493


# --- Canonical values ---------------------------------------------------------------------------


def _canonical() -> list[Case]:
    values: list[tuple[str, Any]] = [
        ("nothing", None),
        ("true", True),
        ("false", False),
        ("zero", 0),
        ("a negative number", -1),
        ("a large number", 10**20),
        ("an empty text", ""),
        ("a text", "war"),
        ("a text that looks like a number", "i5e"),
        ("a text beyond ASCII, by its bytes", "Zoë 字"),
        ("an empty list", ()),
        ("a list in a list", (1, ("a", ()), None)),
        ("a record", Action(1, "discard", (5, 70), -1)),
        ("a list of records", (Discard(9, "I7", 0), Discard(12, "G", 2, 1))),
    ]
    return [
        {"name": name, "value": _described(value), "encoding": canonical.encode(value).decode()}
        for name, value in values
    ]


def _described(value: Any) -> Any:
    """A value as JSON; a record is {"record": name, "fields": [..]}."""
    describe: dict[type, Callable[[Any], Any]] = {
        tuple: lambda items: [_described(item) for item in items],
        Action: lambda action: _record(action, ("seat", "verb", "slots", "target")),
        Discard: lambda discard: _record(discard, ("slot", "face", "seat", "taker")),
    }
    return describe.get(type(value), lambda plain: plain)(value)


def _record(value: Any, names: tuple[str, ...]) -> Case:
    fields = [_described(getattr(value, name)) for name in names]
    return {"record": type(value).__name__, "fields": fields}
