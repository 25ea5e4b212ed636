"""Names that are one for the eye, and names that are not."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pjong.wire.lookalikes import begins_like, look_alike

ADAS = {
    "a Cyrillic capital": "\u0410da",
    "a Cyrillic letter": "Ad\u0430",
    "all of other scripts": "\u0410\u0501\u03b1",
    "a Greek capital": "\u0391da",
    "a Greek letter": "Ad\u03b1",
    "a Cherokee word": "\u13aa\u13a0\u13aa",
    "another Latin letter": "Ad\u0251",
    "a dot behind": "Ada.",
    "a dot of another script": "Ada\u3002",
    "a dot in the middle": "Ada\u00b7",
    "an accent behind": "Ada\u00b4",
    "a mark below": "A\u0323da",
    "an accent": "Ad\u00e1",
    "a stroke": "A\u0111a",
    "wide letters": "\uff21\uff44\uff41",
    "letters of mathematics": "\U0001d400\U0001d41d\U0001d41a",
    "a letter in a circle": "\u24b6da",
    "something invisible": "A\u200bda",
    "the other direction": "\u202eAda",
    "capitals": "ADA",
    "blanks": " A da ",
}


@pytest.mark.parametrize("kind", ADAS)
def test_what_people_would_take_for_ada_is_like_ada(kind: str) -> None:
    assert look_alike(ADAS[kind], "Ada") and look_alike("Ada", ADAS[kind])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Bob", "B0b"),
        ("Al", "A1"),
        ("\u0392\u0395N", "ben"),
        ("\u0432\u0435n", "Ben"),
        ("Ian", "lan"),
        ("\u0406an", "IAN"),
        ("S\u00f8ren", "Soren"),
        ("STRASSE", "stra\u00dfe"),
        ("\u0421\u043e\u0440\u0430", "Copa"),
    ],
)
def test_letters_and_digits_of_one_shape_are_alike(one: str, other: str) -> None:
    assert look_alike(one, other)


# In several scripts; many of them differ by one letter that is not at all like the other.
NAMES = """
    Ada Ida Eda Ava Eva Ben Bea Den Len Leo Lea Lena Nina Mina Mia Nia Ian Lan Jan Jon Jens
    Kim Tim Tom Tam Marnie Mamie Maria Mario Oleg Olga Anna Anne Arne Ann Hans Hannes Zoe
    Zo\u00eb2 Bot1 Bot2 Bot11 Bot12
    \u0410\u043d\u043d\u0430 \u0418\u043d\u043d\u0430 \u041d\u0438\u043d\u0430
    \u0412\u0435\u0440\u0430 \u041b\u0435\u0432 \u041b\u0435\u043d\u0430
    \u039c\u03b1\u03c1\u03af\u03b1 \u039d\u03af\u03ba\u03bf\u03c2
    \u738b \u7389 \u674e \u306f \u3070 \u0915\u093f \u0915\u0941 \ud55c \ud558
    \u05d0\u05d1\u05d9 \u05d0\u05e8\u05d9
""".split()


def test_names_that_are_clearly_different_are_not_alike() -> None:
    alike = [pair for pair in itertools.combinations(NAMES, 2) if look_alike(*pair)]
    assert alike == []


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ada", "Ada (2)"), ("Ada", "Ada's table"), ("\U0001f642", "\U0001f600"), ("...", "!!!")],
)
def test_more_than_a_sign_at_the_end_makes_another_name(one: str, other: str) -> None:
    assert not look_alike(one, other)


@pytest.mark.parametrize("words", ["ada", "Ada", "\u0410da", "ada's", "Ada's table"])
def test_a_name_begins_with_whole_words(words: str) -> None:
    assert begins_like("Ada's table", words)
    assert begins_like("\u0410da's table", words)


@pytest.mark.parametrize("words", ["a", "ad", "adas tab", "table", "Ida", ""])
def test_a_name_does_not_begin_with_parts_of_words_or_with_others(words: str) -> None:
    assert not begins_like("Ada's table", words)


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_text_can_be_compared_and_is_like_itself(one: str, other: str) -> None:
    assert look_alike(one, one)
    assert look_alike(one, other) == look_alike(other, one)
    begins_like(one, other)
