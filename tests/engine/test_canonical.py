"""The canonical encoding: one for every value, and no two values with one."""

from dataclasses import dataclass, field, make_dataclass
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pjong.engine.canonical import STATE_LABEL, digest, encode
from p2pjong.games import GAMES
from p2pjong.games.game import Options


@dataclass(frozen=True)
class Pair:
    left: object
    right: object


@dataclass(frozen=True)
class Twin:
    left: object
    right: object


@dataclass(frozen=True)
class Annotated:
    left: object
    note: object = field(default=None, compare=False)


@dataclass
class Changeable:
    left: int = 0


def kind(value: object) -> object:
    """The value with the types written out, so that == tells 1 from True and Pair from Twin."""
    if isinstance(value, tuple):
        return ("tuple", tuple(kind(item) for item in value))
    if isinstance(value, Pair | Twin):
        return (type(value).__name__, kind(value.left), kind(value.right))
    return (type(value).__name__, value)


leaves = st.none() | st.booleans() | st.integers() | st.text(max_size=4)
values = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=4).map(tuple)
        | st.builds(Pair, inner, inner)
        | st.builds(Twin, inner, inner)
    ),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("value", "encoding"),
    [
        (None, b"n"),
        (True, b"t"),
        (False, b"f"),
        (0, b"i0e"),
        (-12, b"i-12e"),
        (2**70, b"i1180591620717411303424e"),
        ("", b"0:"),
        ("I4", b"2:I4"),
        ("\u00e4", b"2:\xc3\xa4"),
        ((), b"()"),
        ((1, True, "1"), b"(i1et1:1)"),
        (((), ((),)), b"(()(()))"),
        (Pair(-1, None), b"{4:Pairi-1en}"),
        (Pair((1,), Twin("a", ())), b"{4:Pair(i1e){4:Twin1:a()}}"),
    ],
)
def test_values_are_encoded_as_written_down(value: object, encoding: bytes) -> None:
    assert encode(value) == encoding


@given(values, values)
def test_equal_encodings_mean_equal_values(one: object, other: object) -> None:
    assert (encode(one) == encode(other)) == (kind(one) == kind(other))


@given(values, values)
def test_no_encoding_is_the_beginning_of_another(one: object, other: object) -> None:
    if kind(one) != kind(other):
        assert not encode(one).startswith(encode(other))


@pytest.mark.parametrize(
    "value",
    [1.0, b"", [1], {1: 2}, {1}, frozenset(), Changeable(), Pair, object(), (1, [2]), Pair(1, 2.0)],
)
def test_what_could_differ_between_peers_has_no_encoding(value: Any) -> None:
    with pytest.raises(TypeError, match="no canonical encoding"):
        encode(value)


def test_lone_surrogates_have_no_encoding() -> None:
    with pytest.raises(UnicodeEncodeError):
        encode("\ud800")


def test_a_digest_is_bound_to_its_label() -> None:
    assert digest((1, "x")) == sha256(STATE_LABEL + b"(i1e1:x)").digest()
    assert digest((1, "x")) != sha256(b"(i1e1:x)").digest()


def test_fields_count_in_their_order() -> None:
    swapped = make_dataclass("Pair", [("right", object), ("left", object)], frozen=True)
    assert encode(swapped(1, 2)) == encode(Pair(1, 2)) != encode(swapped(2, 1))


def test_a_field_that_does_not_count_in_comparisons_is_not_encoded() -> None:
    assert encode(Annotated(1, note=2.5)) == b"{9:Annotatedi1e}" == encode(Annotated(1))


@pytest.mark.parametrize("name", sorted(GAMES))
def test_every_game_begins_in_a_state_that_can_be_encoded(name: str) -> None:
    game = GAMES[name]
    digests = {digest(game.start(seats, Options())) for seats in range(game.seats_min, 4)}
    assert len(digests) == 4 - game.seats_min
