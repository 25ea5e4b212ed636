"""Table words: the same for the same charter, and as many as promised."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from p2pjong.session.words import WORDS, WORDS_SHOWN, table_words


def test_every_byte_has_a_word_of_its_own() -> None:
    assert len(WORDS) == 256
    assert len(set(WORDS)) == 256
    assert all(word.isascii() and word.islower() and 2 < len(word) < 10 for word in WORDS)


def test_no_word_is_the_beginning_of_another_so_that_reading_aloud_is_clear() -> None:
    ordered = sorted(WORDS)
    pairs = itertools.pairwise(ordered)
    assert [pair for pair in pairs if pair[1].startswith(pair[0])] == []


@given(st.binary(min_size=32, max_size=32))
def test_the_words_of_a_charter_are_always_the_same_four(charter: bytes) -> None:
    words = table_words(charter)
    assert words == table_words(charter)
    assert len(words) == WORDS_SHOWN == 4
    assert set(words) <= set(WORDS)


def test_other_charters_have_other_words() -> None:
    words = {table_words(bytes([first, 0]) * 16) for first in range(256)}
    assert len(words) == 256
