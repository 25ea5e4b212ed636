"""Writes `protocol/vectors/handshake.json`, the cases of `protocol/handshake.md`.

python scripts/make_handshake_vectors.py
"""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from p2pjong.net.announcement import Announcement, instance_label, to_txt
from p2pjong.net.identity import Identity, fingerprint
from p2pjong.wire.codec import encode
from p2pjong.wire.framing import encode_frame
from p2pjong.wire.handshake import Hello, Role, proof_statement, transcript_hash
from p2pjong.wire.messages import Bye

FILE = Path(__file__).resolve().parents[1] / "protocol" / "vectors" / "handshake.json"
DIALLER, ACCEPTOR = Identity.from_seed(b"\x01" * 32), Identity.from_seed(b"\x02" * 32)
CERTIFICATE = b"any bytes stand for a certificate in DER"
DIALLER_HELLO = Hello(1, Role.DIALLER, DIALLER.key, b"\x03" * 16, b"\x04" * 32)
ACCEPTOR_HELLO = Hello(1, Role.ACCEPTOR, ACCEPTOR.key, b"\x05" * 16, b"\x06" * 32)
TABLE = Announcement(
    "Größe v1.2", bytes(range(16)), "war-jhong", 4, 2, False, ACCEPTOR.fingerprint, 4711
)

FIELD = 2**255 - 19
WEAK_KEYS = {
    "of order 1": (1).to_bytes(32, "little"),
    "of order 1, with a sign": (1 + 2**255).to_bytes(32, "little"),
    "of order 1, not reduced": (1 + FIELD).to_bytes(32, "little"),
    "of order 2": (FIELD - 1).to_bytes(32, "little"),
    "of order 4": bytes(32),
    "of order 4, the other": (2**255).to_bytes(32, "little"),
    "of order 4, not reduced": FIELD.to_bytes(32, "little"),
    **{
        f"of order 8, the {place}": bytes.fromhex(y) + bytes([last])
        for place, y, last in (
            ("first", "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc", 0x05),
            ("second", "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc", 0x85),
            ("third", "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03", 0x7A),
            ("fourth", "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03", 0xFA),
        )
    },
    "not reduced": (FIELD + 3).to_bytes(32, "little"),
}

Case = dict[str, Any]


def accept(kind: str, name: str, **fields: Any) -> Case:
    return {"kind": kind, "name": name, "verdict": "accept", **fields}


def refuse(kind: str, name: str, failure: str, **fields: Any) -> Case:
    return {"kind": kind, "name": name, "verdict": "refuse", "failure": failure, **fields}


def fingerprints() -> list[Case]:
    return [
        accept("fingerprint", name, key=key.hex(), fingerprint=fingerprint(key))
        for name, key in {"of zeros": bytes(32), "of the dialler": DIALLER.key}.items()
    ]


def frames() -> list[Case]:
    bodies = [encode(Bye()), b"\x91\xa1x", bytes(300)]
    stream = b"".join(map(encode_frame, bodies))

    def bad(name: str, stream: bytes, limit: int = 1 << 20) -> Case:
        return refuse("frames", name, "malformed", stream=stream.hex(), limit=limit)

    return [
        accept(
            *("frames", "three frames"),
            stream=stream.hex(),
            limit=1 << 20,
            bodies=[body.hex() for body in bodies],
        ),
        accept("frames", "a frame not yet whole", stream="00000002c0", limit=1 << 20, bodies=[]),
        bad("an empty frame", bytes(4)),
        bad("one byte over 1 MiB, refused at its header", b"\x00\x10\x00\x01"),
        bad("one byte over the limit before proof", b"\x00\x00\x02\x01", 512),
        bad("a length of four bytes of ones", b"\xff" * 4),
    ]


def hellos() -> list[Case]:
    good = encode(DIALLER_HELLO)

    def bad(name: str, failure: str, message: bytes) -> Case:
        return refuse("hello", name, failure, message=message.hex())

    return [
        accept(
            *("hello", "of a dialler"),
            message=good.hex(),
            version=1,
            role=0,
            key=DIALLER.key.hex(),
            instance=DIALLER_HELLO.instance.hex(),
            nonce=DIALLER_HELLO.nonce.hex(),
        ),
        bad("of version 2", "version", good.replace(b"hello\x01", b"hello\x02")),
        bad("of version 2 with other fields", "version", b"\x93\xaalink-hello\x02\xc0"),
        bad("of version 0", "malformed", good.replace(b"hello\x01", b"hello\x00")),
        bad("of version 1 in two bytes", "malformed", good.replace(b"hello\x01", b"hello\xcc\x01")),
        bad("of an unknown role", "malformed", good.replace(b"hello\x01\x00", b"hello\x01\x02")),
        bad("a byte short", "malformed", good[:-1]),
        bad("a byte too long", "malformed", good + b"\x00"),
        bad("a field short", "malformed", b"\x95" + good[1:-34]),
        bad("a field too many", "malformed", b"\x97" + good[1:] + b"\x00"),
        bad("with the key as text", "malformed", good.replace(b"\xc4\x20", b"\xd9\x20", 1)),
        *(
            bad(f"with a key {name}", "malformed", good.replace(DIALLER.key, key))
            for name, key in WEAK_KEYS.items()
        ),
        bad("as a map", "malformed", b"\x81\xaalink-hello\x01"),
        bad("another message", "malformed", encode(Bye())),
        bad("no msgpack", "malformed", b"GET / HTTP/1.1\r\n"),
    ]


def proofs() -> list[Case]:
    def case(name: str, role: Role, signer: Identity, **changes: Any) -> Case:
        certificate = changes.get("certificate", CERTIFICATE)
        dialler = changes.get("dialler", DIALLER_HELLO)
        acceptor = changes.get("acceptor", ACCEPTOR_HELLO)
        signature = signer.sign(proof_statement(role, certificate, dialler, acceptor))
        verified_as = changes.get("verified_as", role)
        key = (DIALLER if verified_as is Role.DIALLER else ACCEPTOR).key
        fields = {
            "certificate": CERTIFICATE.hex(),
            "dialler": encode(DIALLER_HELLO).hex(),
            "acceptor": encode(ACCEPTOR_HELLO).hex(),
            "role": int(verified_as),
            "key": key.hex(),
            "signature": signature.hex(),
        }
        if changes or signer.key != key:
            return refuse("proof", name, "bad-proof", **fields)
        return accept("proof", name, **fields)

    dialling, accepting = Role.DIALLER, Role.ACCEPTOR
    return [
        case("of the dialler", dialling, DIALLER),
        case("of the acceptor", accepting, ACCEPTOR),
        case("over another certificate", dialling, DIALLER, certificate=CERTIFICATE + b"."),
        case(
            *("over another nonce of the dialler", dialling, DIALLER),
            dialler=Hello(1, dialling, DIALLER.key, b"\x03" * 16, b"\x07" * 32),
        ),
        case(
            *("over another nonce of the acceptor", dialling, DIALLER),
            acceptor=Hello(1, accepting, ACCEPTOR.key, b"\x05" * 16, b"\x07" * 32),
        ),
        case(
            *("over another instance of the acceptor", dialling, DIALLER),
            acceptor=Hello(1, accepting, ACCEPTOR.key, b"\x07" * 16, b"\x06" * 32),
        ),
        case("of the other role", accepting, DIALLER, verified_as=dialling),
        case("by the other key", dialling, ACCEPTOR),
    ]


def transcripts() -> list[Case]:
    transcript = transcript_hash(CERTIFICATE, DIALLER_HELLO, ACCEPTOR_HELLO)
    return [
        accept(
            *("transcript", "of the hellos above"),
            certificate=CERTIFICATE.hex(),
            dialler=encode(DIALLER_HELLO).hex(),
            acceptor=encode(ACCEPTOR_HELLO).hex(),
            transcript=transcript.hex(),
        )
    ]


def announcements() -> list[Case]:
    good = {key.decode(): value.hex() for key, value in to_txt(TABLE).items()}

    def bad(title: str, /, failure: str = "malformed", **changes: str) -> Case:
        changed = {key: value.encode().hex() for key, value in changes.items()}
        return refuse("announcement", title, failure, port=4711, txt=good | changed)

    return [
        accept(
            *("announcement", "of a table that gathers"),
            port=4711,
            txt=good,
            table_id=TABLE.table_id.hex(),
            table_name=TABLE.name,
            game=TABLE.game,
            seats=4,
            free=2,
            is_code_needed=False,
            host=TABLE.fingerprint,
            is_playing=False,
        ),
        bad("of version 2", "version", v="2"),
        bad("with a sign before a number", seats="+4"),
        bad("with a zero before a number", seats="04"),
        bad("with nine seats", seats="9"),
        bad("with more free seats than seats", free="5"),
        bad("with capitals in the table id", id="000102030405060708090A0B0C0D0E0F"),
        bad("with a short table id", id="00"),
        bad("with capitals in the game", game="War-Jhong"),
        bad("with a code that is neither yes nor no", code="2"),
        bad("with half a fingerprint", host=TABLE.fingerprint[:19]),
        bad("with a name too long", name="x" * 161),
        bad("with an empty name", name=""),
        refuse(
            *("announcement", "without a game", "malformed"),
            port=4711,
            txt={key: value for key, value in good.items() if key != "game"},
        ),
        refuse("announcement", "at port 0", "malformed", port=0, txt=good),
    ]


def labels() -> list[Case]:
    names = ["Friday", "Größe v1.2", "🀄" * 20, "x" * 32]
    return [
        accept(
            *("label", f"of {name[:12]!r}"),
            table_name=name,
            table_id=TABLE.table_id.hex(),
            host=TABLE.fingerprint,
            label=instance_label(replace(TABLE, name=name)),
        )
        for name in names
    ]


def text() -> str:
    """The file."""
    cases = [
        *(fingerprints() + frames() + hellos() + proofs()),
        *(transcripts() + announcements() + labels()),
    ]
    content = {"page": "protocol/handshake.md", "cases": cases}
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
