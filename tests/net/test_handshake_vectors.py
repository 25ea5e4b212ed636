"""The cases of `protocol/vectors/handshake.json`: accepted and refused as they say."""

import json
import runpy
from pathlib import Path
from typing import Any

import pytest

from p2pjong.net.announcement import (
    Announcement,
    BadAnnouncement,
    OtherVersion,
    from_txt,
    instance_label,
)
from p2pjong.net.identity import fingerprint
from p2pjong.net.link_errors import LinkError
from p2pjong.net.link_handshake import Handshake
from p2pjong.wire.codec import DecodeError
from p2pjong.wire.framing import FrameDecoder
from p2pjong.wire.handshake import Proof, Role, VersionMismatch, decode_hello, transcript_hash

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "protocol" / "vectors" / "handshake.json"
CASES: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))["cases"]


def cases(kind: str, verdict: str) -> pytest.MarkDecorator:
    chosen = [case for case in CASES if (case["kind"], case["verdict"]) == (kind, verdict)]
    assert chosen, f"no case of {kind} that says {verdict}"
    return pytest.mark.parametrize("case", chosen, ids=[case["name"] for case in chosen])


def test_the_file_is_what_the_script_writes() -> None:
    script = runpy.run_path(str(ROOT / "scripts" / "make_handshake_vectors.py"))
    assert FILE.read_text(encoding="utf-8") == script["text"](), "run make_handshake_vectors.py"


@cases("fingerprint", "accept")
def test_a_key_has_this_fingerprint(case: dict[str, Any]) -> None:
    assert fingerprint(bytes.fromhex(case["key"])) == case["fingerprint"]


def cut(case: dict[str, Any]) -> list[str]:
    decoder = FrameDecoder(case["limit"])
    decoder.feed(bytes.fromhex(case["stream"]))
    bodies = []
    while (body := decoder.next_frame()) is not None:
        bodies.append(body.hex())
    return bodies


@cases("frames", "accept")
def test_a_stream_is_cut_into_these_frames(case: dict[str, Any]) -> None:
    assert cut(case) == case["bodies"]


@cases("frames", "refuse")
def test_a_stream_is_refused(case: dict[str, Any]) -> None:
    with pytest.raises(DecodeError):
        cut(case)


@cases("hello", "accept")
def test_a_hello_has_these_fields(case: dict[str, Any]) -> None:
    hello = decode_hello(bytes.fromhex(case["message"]))
    assert (hello.version, hello.role) == (case["version"], case["role"])
    for field in ("key", "instance", "nonce"):
        assert getattr(hello, field).hex() == case[field]


@cases("hello", "refuse")
def test_a_hello_is_refused_with_this_code(case: dict[str, Any]) -> None:
    with pytest.raises(DecodeError) as caught:
        decode_hello(bytes.fromhex(case["message"]))
    assert isinstance(caught.value, VersionMismatch) == (case["failure"] == "version")


def verify(case: dict[str, Any]) -> None:
    certificate, dialler, acceptor, signature = (
        bytes.fromhex(case[field]) for field in ("certificate", "dialler", "acceptor", "signature")
    )
    handshake = Handshake(certificate, decode_hello(dialler), decode_hello(acceptor))
    role = Role(case["role"])
    assert (handshake.acceptor if role else handshake.dialler).key.hex() == case["key"]
    handshake.verify(role, Proof(signature))


@cases("proof", "accept")
def test_a_proof_holds(case: dict[str, Any]) -> None:
    verify(case)


@cases("proof", "refuse")
def test_a_proof_does_not_hold(case: dict[str, Any]) -> None:
    with pytest.raises(LinkError) as caught:
        verify(case)
    assert caught.value.close == case["failure"]


@cases("transcript", "accept")
def test_a_link_has_this_transcript(case: dict[str, Any]) -> None:
    certificate, dialler, acceptor = (
        bytes.fromhex(case[field]) for field in ("certificate", "dialler", "acceptor")
    )
    transcript = transcript_hash(certificate, decode_hello(dialler), decode_hello(acceptor))
    assert transcript.hex() == case["transcript"]


def read(case: dict[str, Any]) -> Announcement:
    txt: dict[bytes, bytes | None] = {
        key.encode(): bytes.fromhex(value) for key, value in case["txt"].items()
    }
    return from_txt(txt, case["port"])


@cases("announcement", "accept")
def test_a_record_announces_this_table(case: dict[str, Any]) -> None:
    assert read(case) == Announcement(
        name=case["table_name"],
        table_id=bytes.fromhex(case["table_id"]),
        game=case["game"],
        seats=case["seats"],
        free_seats=case["free"],
        code_needed=case["is_code_needed"],
        fingerprint=case["host"],
        port=case["port"],
        is_playing=case["is_playing"],
    )


@cases("announcement", "refuse")
def test_a_record_announces_nothing(case: dict[str, Any]) -> None:
    with pytest.raises(BadAnnouncement) as caught:
        read(case)
    assert isinstance(caught.value, OtherVersion) == (case["failure"] == "version")


@cases("label", "accept")
def test_a_table_has_this_label(case: dict[str, Any]) -> None:
    table = Announcement(
        *(case["table_name"], bytes.fromhex(case["table_id"]), "war-jhong", 4, 2, False),
        *(case["host"], 4711),
    )
    assert instance_label(table) == case["label"]
