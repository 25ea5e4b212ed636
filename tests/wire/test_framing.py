"""Frames survive any way a stream cuts them; what is over the limit is refused at its header."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pjong.wire.codec import FRAME_BYTES_MAX, DecodeError
from p2pjong.wire.framing import HEADER_BYTES, FrameDecoder, encode_frame


def take_all(decoder: FrameDecoder) -> list[bytes]:
    frames = []
    while (frame := decoder.next_frame()) is not None:
        frames.append(frame)
    return frames


@given(st.lists(st.binary(min_size=1, max_size=80)), st.lists(st.integers(1, 50)))
def test_any_cutting_of_the_stream_gives_the_same_frames(
    bodies: list[bytes], cuts: list[int]
) -> None:
    stream = b"".join(map(encode_frame, bodies))
    decoder = FrameDecoder()
    frames: list[bytes] = []
    for cut in cuts:
        decoder.feed(stream[:cut])
        stream = stream[cut:]
        frames += take_all(decoder)
    decoder.feed(stream)
    frames += take_all(decoder)
    assert frames == bodies
    assert decoder.buffered_bytes == 0


def test_a_length_is_four_bytes_big_endian() -> None:
    assert encode_frame(b"ab") == b"\x00\x00\x00\x02ab"
    assert encode_frame(bytes(FRAME_BYTES_MAX))[:HEADER_BYTES] == b"\x00\x10\x00\x00"


def test_a_frame_of_the_limit_passes() -> None:
    decoder = FrameDecoder(16)
    decoder.feed(encode_frame(bytes(16)))
    assert take_all(decoder) == [bytes(16)]


@pytest.mark.parametrize("length", [17, FRAME_BYTES_MAX, 0xFFFFFFFF, 0])
def test_a_header_beyond_the_limit_or_empty_is_refused_before_its_body(length: int) -> None:
    decoder = FrameDecoder(16)
    decoder.feed(length.to_bytes(HEADER_BYTES, "big"))
    with pytest.raises(DecodeError):
        decoder.next_frame()
    assert decoder.buffered_bytes == 0


def test_frames_before_a_bad_header_still_come() -> None:
    decoder = FrameDecoder(16)
    decoder.feed(encode_frame(b"good") + b"\xff\xff\xff\xff")
    assert decoder.next_frame() == b"good"
    with pytest.raises(DecodeError):
        decoder.next_frame()


def test_after_a_bad_header_nothing_is_taken_in_or_given_out() -> None:
    decoder = FrameDecoder(16)
    decoder.feed(b"\xff\xff\xff\xff")
    with pytest.raises(DecodeError):
        decoder.next_frame()
    with pytest.raises(DecodeError):
        decoder.feed(encode_frame(b"good"))
    with pytest.raises(DecodeError):
        decoder.next_frame()


def test_the_limit_may_be_lifted_between_frames() -> None:
    decoder = FrameDecoder(4)
    decoder.feed(encode_frame(b"four") + encode_frame(bytes(100)))
    assert decoder.next_frame() == b"four"
    decoder.frame_bytes_max = 100
    assert decoder.next_frame() == bytes(100)
