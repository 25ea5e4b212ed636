"""The code of a private table: how it is made, and what people type for it."""

import pytest

from p2pjong.session.table_code import (
    EXAMPLE,
    NUMBER_MAX,
    NUMBER_MIN,
    BadCode,
    check_form,
    make_code,
    normal_code,
)
from p2pjong.session.words import WORDS
from tests.support.vectors import by_name, load

CASES = by_name([case for case in load("codes.json")["cases"] if case["kind"] == "code"])


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_what_is_typed_becomes_this_code(case: dict[str, str]) -> None:
    if case["verdict"] == "accept":
        assert normal_code(case["typed"]) == case["code"]
    else:
        with pytest.raises(BadCode):
            normal_code(case["typed"])


def test_there_are_more_than_20_bits_of_codes() -> None:
    assert (NUMBER_MAX - NUMBER_MIN + 1) * len(WORDS) ** 2 > 2**25
    assert len(set(WORDS)) == len(WORDS) == 256
    for word in WORDS:
        assert normal_code(word) == word  # so that a code is spelled as it is made


@pytest.mark.parametrize(
    ("random", "code"),
    [
        (bytes(18), "100-acid-acid"),
        ((899).to_bytes(16) + b"\xff\x00", "999-zebra-acid"),
        ((900 + 317).to_bytes(16) + bytes([WORDS.index("amber"), WORDS.index("falcon")]), EXAMPLE),
    ],
)
def test_a_code_is_made_of_all_its_entropy(random: bytes, code: str) -> None:
    rest = bytearray(random)

    def entropy(size: int) -> bytes:
        taken = bytes(rest[:size])
        del rest[:size]
        return taken

    assert make_code(entropy) == code == normal_code(code)
    assert not rest
    check_form(code)


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("417-amber-falcom", "did you mean 'falcon'?"),
        ("417-amber-xqxqxq", "'xqxqxq' is not a word that codes use"),
        ("417-amber", EXAMPLE),
        ("417-amber-falcon-falcon", EXAMPLE),
        ("amber-falcon-417", EXAMPLE),
        ("17-amber-falcon", EXAMPLE),
        ("017-amber-falcon", EXAMPLE),
        ("4170-amber-falcon", EXAMPLE),
        ("\u0664\u0661\u0667-amber-falcon", EXAMPLE),
    ],
)
def test_a_typing_error_is_told_with_what_was_probably_meant(typed: str, told: str) -> None:
    with pytest.raises(BadCode) as caught:
        check_form(typed)
    assert told in str(caught.value)
