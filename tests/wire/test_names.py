"""Text from elsewhere is shown on one line, bounded, and moves or hides nothing."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pjong.wire.names import NAME_CHARACTERS_MAX, clean_name, clean_text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ada", "Ada"),
        ("  two   words ", "two words"),
        ("line\nfeed\ttab\r", "line feed tab"),
        ("bell\x07 and \x1b[31mred\x1b[0m", "bell and [31mred[0m"),
        ("\u202eevil\u202c \u2066x\u2069", "evil x"),
        ("zero\u200bwidth\u2060\ufeff", "zerowidth"),
        ("no\u00a0break\u3000wide\u2028line", "no break wide line"),
        ("e\u0301", "\u00e9"),
        ("a\u200b\u0301", "\u00e1"),
        ("\u3164\u115f\u2800", "?"),
        ("", "?"),
        ("\ud800lone", "lone"),
        ("tag\U000e0041", "tag"),
        ("private\ue000", "private"),
        ("🀄 Ωμέγα 日本", "🀄 Ωμέγα 日本"),
        ("z" + "\u0332" * 20, "z" + "\u0332" * 3),
        ("x" * 40, "x" * 32),
        ("x" * 31 + " y", "x" * 31),
    ],
)
def test_a_name_is_shown_so(text: str, shown: str) -> None:
    assert clean_name(text) == shown


def test_a_fallback_may_be_given() -> None:
    assert clean_name("\u200b", fallback="someone") == "someone"


@given(st.text(max_size=300))
def test_what_is_shown_is_bounded_clean_and_stays_as_it_is(text: str) -> None:
    shown = clean_name(text)
    assert 1 <= len(shown) <= NAME_CHARACTERS_MAX
    assert all(
        unicodedata.category(character)[0] not in "CZ" or character == " " for character in shown
    )
    assert unicodedata.is_normalized("NFC", shown)
    assert shown == shown.strip()
    assert clean_name(shown) == shown


def test_longer_text_has_its_own_bound() -> None:
    assert clean_text("y" * 500, 200) == "y" * 200
    assert clean_text("\x00", 200) == ""
