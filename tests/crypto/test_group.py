"""The group against the vectors of RFC 9496, and the strictness of its decoders."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pjong.crypto import group
from p2pjong.crypto.group import BASE, IDENTITY, ORDER, Point
from p2pjong.crypto.invalid import InvalidEncoding, InvalidProof

RFC: dict[str, Any] = json.loads(
    (Path(__file__).parent.parent / "data" / "rfc9496_ristretto255.json").read_text()
)
MULTIPLES = [Point(bytes.fromhex(text)) for text in RFC["multiples_of_the_generator"]]
POINTS = st.integers(1, ORDER - 1).map(group.multiply_base)


@pytest.mark.parametrize("factor", range(1, 16))
def test_multiples_of_the_generator_are_those_of_the_rfc(factor: int) -> None:
    assert group.multiply_base(factor) == MULTIPLES[factor]
    assert group.multiply(factor, BASE) == MULTIPLES[factor]
    assert group.add(MULTIPLES[factor - 1], BASE) == MULTIPLES[factor]
    assert group.subtract(MULTIPLES[factor], BASE) == MULTIPLES[factor - 1]
    assert group.decode_point(MULTIPLES[factor]) == MULTIPLES[factor]


@pytest.mark.parametrize("encoding", RFC["invalid_encodings"])
def test_an_encoding_that_the_rfc_calls_invalid_is_refused(encoding: str) -> None:
    with pytest.raises(InvalidEncoding):
        group.decode_point(bytes.fromhex(encoding))


@pytest.mark.parametrize(("label", "expected"), RFC["hash_to_group_of_sha512"])
def test_hash_to_group_of_a_label_is_that_of_the_rfc(label: str, expected: str) -> None:
    assert group.map_to_group(hashlib.sha512(label.encode()).digest()).hex() == expected


@pytest.mark.parametrize(("uniform", "expected"), RFC["map_to_group"])
def test_map_to_group_reduces_its_input_as_the_rfc_does(uniform: str, expected: str) -> None:
    assert group.map_to_group(bytes.fromhex(uniform)).hex() == expected


def test_scalars_are_not_clamped() -> None:
    point = group.hash_to_group(b"test")
    assert group.multiply(1, point) == point
    assert group.multiply(2, point) == group.add(point, point)
    assert group.multiply(ORDER - 1, point) == group.subtract(IDENTITY, point)
    assert group.multiply(ORDER + 1, point) == point


def test_the_identity_is_refused_as_input_and_as_a_product() -> None:
    with pytest.raises(InvalidEncoding):
        group.decode_point(IDENTITY)
    for scalar in (0, ORDER):
        with pytest.raises(InvalidProof):
            group.multiply(scalar, BASE)
        with pytest.raises(InvalidProof):
            group.multiply_base(scalar)


def test_a_product_with_something_that_is_no_point_is_refused() -> None:
    with pytest.raises(InvalidProof):
        group.multiply(2, Point(bytes.fromhex(RFC["invalid_encodings"][0])))


@pytest.mark.parametrize("size", [0, 31, 33, 64])
def test_points_and_scalars_have_exactly_32_bytes(size: int) -> None:
    with pytest.raises(InvalidEncoding):
        group.decode_point(BASE[:1] * size)
    with pytest.raises(InvalidEncoding):
        group.decode_scalar(bytes(size))


@pytest.mark.parametrize("scalar", [ORDER, ORDER + 1, 2**253, 2**255 - 1, 2**256 - 1])
def test_a_scalar_not_below_the_order_is_refused(scalar: int) -> None:
    with pytest.raises(InvalidEncoding):
        group.decode_scalar(scalar.to_bytes(32, "little"))


@pytest.mark.parametrize("scalar", [0, 1, 2**252, ORDER - 1])
def test_scalars_below_the_order_are_encoded_little_endian(scalar: int) -> None:
    assert group.encode_scalar(scalar) == scalar.to_bytes(32, "little")
    assert group.decode_scalar(group.encode_scalar(scalar)) == scalar


def test_lists_are_decoded_only_at_their_exact_length() -> None:
    encoding = b"".join(MULTIPLES[1:4])
    assert group.decode_points(encoding, 3) == tuple(MULTIPLES[1:4])
    assert group.decode_scalars(group.encode_scalars([1, 2]), 2) == (1, 2)
    for count in (2, 4):
        with pytest.raises(InvalidEncoding):
            group.decode_points(encoding, count)
    with pytest.raises(InvalidEncoding):
        group.decode_scalars(bytes(33), 1)


def test_a_bad_point_anywhere_in_a_list_is_refused() -> None:
    for bad in (0, 1, 2):
        points = [*MULTIPLES[1:4]]
        points[bad] = IDENTITY
        with pytest.raises(InvalidEncoding):
            group.decode_points(b"".join(points), 3)


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(-(2**300), 2**300), st.sampled_from(MULTIPLES[1:5]))))
def test_combine_is_the_sum_of_the_products(terms: list[tuple[int, Point]]) -> None:
    logarithm = sum(scalar * MULTIPLES.index(point) for scalar, point in terms) % ORDER
    expected = group.multiply_base(logarithm) if logarithm else IDENTITY
    assert group.combine(terms) == expected


@settings(max_examples=20, deadline=None)
@given(POINTS, POINTS)
def test_subtraction_undoes_addition(first: Point, second: Point) -> None:
    assert group.subtract(group.add(first, second), second) == first


@settings(deadline=None)
@given(st.lists(st.binary(max_size=5), max_size=4), st.lists(st.binary(max_size=5), max_size=4))
def test_two_lists_are_framed_alike_only_if_they_are_equal(
    first: list[bytes], second: list[bytes]
) -> None:
    assert (group.frame(*first) == group.frame(*second)) == (first == second)


def test_generators_are_distinct_and_a_longer_list_continues_a_shorter_one() -> None:
    points = group.generators(256)
    assert len({*points, BASE}) == 257
    assert group.generators(3) == points[:3]


def test_faces_have_points_of_their_own_in_each_game() -> None:
    pairs = [("war-jhong", "R1"), ("war-jhong", "R2"), ("other", "R1"), ("war-jhongR", "1")]
    points = [group.face_point(game, face) for game, face in pairs]
    assert len({*points, *group.generators(256)}) == 256 + len(pairs)


def test_the_order_is_that_of_the_group() -> None:
    assert group.combine([(ORDER - 1, BASE), (1, BASE)]) == IDENTITY
    assert group.add(group.multiply_base(ORDER - 1), BASE) == IDENTITY
