"""A challenge depends on everything absorbed before it, on its names and on its order."""

import hashlib

from p2pjong.crypto.group import ORDER, frame, multiply_base
from p2pjong.crypto.transcript import Transcript


def test_a_challenge_is_the_hash_that_the_protocol_page_writes_down() -> None:
    transcript = Transcript("label", b"context")
    transcript.absorb("name", b"content")
    framed = frame(b"label", b"context") + frame(b"name", b"content")
    framed += frame(b"draw", (2).to_bytes(4, "big"))
    seed = hashlib.sha512(framed).digest()
    blocks = [frame(b"p2pjong/v1/challenge", seed, i.to_bytes(4, "big")) for i in range(2)]
    expected = [int.from_bytes(hashlib.sha512(block).digest(), "little") for block in blocks]
    assert transcript.challenges("draw", 2) == tuple(value % ORDER for value in expected)


def test_every_change_of_what_was_absorbed_changes_the_challenge() -> None:
    def drawn(label: str, context: bytes, *pairs: tuple[str, bytes]) -> int:
        transcript = Transcript(label, context)
        for name, content in pairs:
            transcript.absorb(name, content)
        return transcript.challenge("c")

    variants = [
        drawn("l", b"x", ("a", b"1"), ("b", b"2")),
        drawn("m", b"x", ("a", b"1"), ("b", b"2")),
        drawn("l", b"y", ("a", b"1"), ("b", b"2")),
        drawn("l", b"x", ("b", b"1"), ("a", b"2")),
        drawn("l", b"x", ("b", b"2"), ("a", b"1")),
        drawn("l", b"x", ("a", b"12"), ("b", b"")),
        drawn("l", b"x", ("a", b"1")),
        drawn("l", b"x", ("a", b"1"), ("b", b"2"), ("", b"")),
    ]
    assert len(set(variants)) == len(variants)


def test_a_challenge_binds_the_later_ones() -> None:
    first, second = Transcript("l", b""), Transcript("l", b"")
    first.challenge("a")
    assert first.challenge("b") != second.challenge("b")
    assert first.challenges("c", 2)[:1] != second.challenges("c", 1)


def test_lists_are_absorbed_as_their_encodings() -> None:
    first, second = Transcript("l", b""), Transcript("l", b"")
    first.absorb_points("points", [multiply_base(1), multiply_base(2)])
    first.absorb_scalars("scalars", [1, ORDER + 2])
    second.absorb("points", multiply_base(1) + multiply_base(2))
    second.absorb("scalars", (1).to_bytes(32, "little") + (2).to_bytes(32, "little"))
    assert first.seal() == second.seal()
