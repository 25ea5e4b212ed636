"""The code of a private table: how it is made, and how what people type becomes it again.

Implements "The code" of `protocol/code.md`.
"""

import re
import unicodedata
from collections.abc import Callable
from difflib import get_close_matches

from p2pjong.session.words import WORDS

NUMBER_MIN, NUMBER_MAX = 100, 999
CODE_WORDS = 2  # of 8 bits each; with the number 900 * 256**2 codes, more than 2**25
CODE_CHARS_MAX = 64
EXAMPLE = "417-amber-falcon"


class BadCode(ValueError):
    """What was typed is no code; the text says why and what one looks like."""


def make_code(entropy: Callable[[int], bytes]) -> str:
    """A fresh code, all equally likely (16 bytes reduced by 900 are off by less than 2**-118)."""
    number = NUMBER_MIN + int.from_bytes(entropy(16)) % (NUMBER_MAX - NUMBER_MIN + 1)
    return "-".join([str(number), *(WORDS[byte] for byte in entropy(CODE_WORDS))])


def normal_code(text: str) -> str:
    """The code as both ends use it, whatever case and spacing it was typed with.

    Raises BadCode if nothing is left or too much. Whether it looks like one of ours is not asked:
    only its host knows what the code of a table is.
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    code = "-".join(part for part in re.split(r"[\W_]+", folded) if part)
    if not 1 <= len(code) <= CODE_CHARS_MAX:
        raise BadCode(f"a code looks like {EXAMPLE}")
    return code


def check_form(code: str) -> None:
    """Raises BadCode on what `make_code` never makes; names the word that was probably meant."""
    number, *words = code.split("-")
    is_number = number.isascii() and number.isdigit() and len(number) == len(str(NUMBER_MAX))
    if len(words) != CODE_WORDS or not is_number or int(number) < NUMBER_MIN:
        raise BadCode(f"a code is a number and two words, like {EXAMPLE}")
    for word in words:
        if word not in WORDS:
            close = get_close_matches(word, WORDS, n=1)
            meant = f": did you mean {close[0]!r}?" if close else ""
            raise BadCode(f"{word!r} is not a word that codes use{meant}")
