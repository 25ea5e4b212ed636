"""What each field on the wire is, to whoever reads it: the ground on which leaks are measured.

Two worlds that look alike to all seats but one may differ in every field that is not PUBLIC, and in
no field that is.
"""

from typing import Any, TypeAlias

from p2pjong.wire import messages as m

PUBLIC = "public"  # what all may know: the course of the game, and who is who
CIPHERTEXT = "ciphertext"  # cards under somebody's key, and shares that take a key off
COMMITMENT = "commitment"  # says nothing before it is opened
PROOF = "proof"  # of zero knowledge; or a signature or MAC, over what the reader has
OPENING = "opening"  # what a commitment was made to: a nonce, a public key, a part of a toss
HASH = "hash"  # over signed messages that every reader has: it differs where one of them does

TAGS: dict[type[Any], dict[str, str]] = {
    m.SeatEntry: dict.fromkeys(("name", "key", "is_bot", "is_oldest"), PUBLIC),
    m.TableOptions: dict.fromkeys(
        ("target", "rounds", "clock_ms", "window_ms", "grace_ms", "is_open_books"), PUBLIC
    ),
    m.Draft: dict.fromkeys(("version", "table", "name", "game", "options", "seats"), PUBLIC),
    m.Charter: {"draft": PUBLIC, "nonces": OPENING},
    # Lanes.
    m.Lane: {"body": PUBLIC, "signature": PROOF},
    m.Stamp: {
        "seat": PUBLIC,
        "incarnation": PUBLIC,
        "number": PUBLIC,
        "epoch": PUBLIC,
        "hash": HASH,
        "signature": PROOF,
    },
    m.LaneBody: {
        "table": PUBLIC,
        "place": HASH,
        "seat": PUBLIC,
        "incarnation": PUBLIC,
        "heads": PUBLIC,
        "epoch": PUBLIC,
        "step": PUBLIC,
        "digest": PUBLIC,
        "payload": PUBLIC,
    },
    m.Head: {"length": PUBLIC, "hash": HASH},
    m.NonceCommit: {"commitment": COMMITMENT},
    m.NonceOpen: {"nonce": OPENING, "opening": OPENING},
    m.Sign: {"charter": HASH},
    m.Echo: {"chain": HASH},
    m.KeyCommit: {"commitment": COMMITMENT},
    m.KeyOpen: {"key": OPENING, "proof": PROOF, "opening": OPENING},
    m.Shuffled: {"cards": CIPHERTEXT, "proof": PROOF},
    m.Shares: {"shares": CIPHERTEXT, "proof": PROOF},
    m.Switched: {"cards": CIPHERTEXT, "proof": PROOF},
    m.ProvenAmong: {"proof": PROOF},
    m.TossCommit: {"commitment": COMMITMENT},
    m.TossOpen: {"part": OPENING, "opening": OPENING},
    m.Ordered: {"seats": PUBLIC},
    m.Act: {"verb": PUBLIC, "slots": PUBLIC, "target": PUBLIC},
    m.ActCommit: {"commitment": COMMITMENT},
    m.ActOpen: {"act": PUBLIC, "opening": OPENING},
    m.Settled: {"result": PUBLIC},
    m.KeyPublished: {"secret": OPENING},
    m.Convict: {"first": PUBLIC, "second": PUBLIC},
    m.PutOut: {"seat": PUBLIC, "votes": PUBLIC},
    m.Leave: {},
    # Gossip.
    m.Have: {"draft": PUBLIC, "lengths": PUBLIC, "linked": PUBLIC},
    m.Want: {"draft": PUBLIC, "seat": PUBLIC, "number": PUBLIC, "hash": HASH},
    m.Vote: dict.fromkeys(
        ("draft", "voter", "seat", "place", "step", "electorate", "signature"), PUBLIC
    ),
    m.Evidence: {"draft": PUBLIC, "first": PUBLIC, "second": PUBLIC},
    # The lobby, where nothing is hidden yet but the code.
    m.Join: dict.fromkeys(("version", "name", "is_bot", "is_oldest", "port", "addresses"), PUBLIC),
    m.LobbySeatState: dict.fromkeys(("name", "key", "is_bot", "is_ready"), PUBLIC),
    m.LobbyState: dict.fromkeys(
        ("table", "name", "game", "options", "seats_total", "seats"), PUBLIC
    ),
    m.Ready: {"is_ready": PUBLIC, "nonce": PUBLIC, "shown": PUBLIC},
    m.Refused: {"reason": PUBLIC, "text": PUBLIC},
    m.PeerAddress: {"host": PUBLIC, "port": PUBLIC},
    m.Begin: {"draft": PUBLIC, "addresses": PUBLIC, "nonces": PUBLIC},
    m.Bye: {},
    m.CodeStart: {"element": COMMITMENT},
    m.CodeAnswer: {"element": COMMITMENT},
    m.CodeProof: {"mac": PROOF},
    m.CodePassed: {"mac": PROOF},
}

Path: TypeAlias = tuple[str, ...]


def leaves(message: Any, path: Path = (), tag: str = PUBLIC) -> list[tuple[Path, str, Any]]:
    """Every value in a message, with the names that lead to it and what its reader takes it for.

    What stands in a field that is not public is none of it.
    """
    if type(message) in TAGS:
        kind = type(message)
        found = [((*path, kind.__name__), PUBLIC, kind.__name__)]
        for name, field_tag in TAGS[kind].items():
            inner = tag if tag != PUBLIC else field_tag
            found += leaves(getattr(message, name), (*path, kind.__name__, name), inner)
        return found
    if isinstance(message, tuple):
        items = [leaves(item, (*path, str(at)), tag) for at, item in enumerate(message)]
        return [(path, PUBLIC, len(message)), *(leaf for item in items for leaf in item)]
    return [(path, tag, message)]


def public_part(message: Any) -> list[tuple[Path, Any]]:
    """All that is public of a message; of the rest, its size."""
    return [(path, value if tag == PUBLIC else len(value)) for path, tag, value in leaves(message)]
