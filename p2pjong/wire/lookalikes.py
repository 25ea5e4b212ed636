"""Names that people would take for one another: by the confusable characters of Unicode (UTS 39).

For warnings and choices alone: what is agreed on uses names as they were sent.
"""

import unicodedata
from functools import cache, lru_cache

from p2pjong.wire.names import clean_name

NAMES_KEPT = 4096
# Marks that stand above, below or across any letter, and do not make another one of it for the
# eye. Vowels of scripts that write them as marks are none of these.
_DIACRITICS = (
    (0x0300, 0x036F),
    (0x1AB0, 0x1AFF),
    (0x1DC0, 0x1DFF),
    (0x20D0, 0x20FF),
    (0xFE20, 0xFE2F),
)


def look_alike(one: str, other: str) -> bool:
    """Whether people would take these two names for one."""
    return bool(likenesses(one) & likenesses(other))


def begins_like(name: str, words: str) -> bool:
    """Whether the name begins with these words, or with what people would take for them."""
    name, wanted = clean_name(name), likenesses(words)
    ends = [end for end in range(1, len(name) + 1) if not name[end : end + 1].isalnum()]
    return any(likenesses(name[:end]) & wanted for end in ends)


@lru_cache(NAMES_KEPT)
def likenesses(name: str) -> frozenset[tuple[str, str]]:
    """What the name looks like: names that share one of these are taken for one another.

    As it is written, "Ian" and "lan" are alike; however it is written, "ada" and "ADA".
    """
    text = _bare(unicodedata.normalize("NFKC", clean_name(name)))
    as_written = "".join(map(_prototype, text))
    in_any_case = "".join(map(_lower_prototype, text))
    return frozenset({("written", _bare(as_written)), ("any case", _bare(in_any_case))})


def _lower_prototype(character: str) -> str:
    """As small letters: a capital is not to be taken for a small letter of another name."""
    if character.isascii() and character.isalpha():
        return character.casefold()
    prototype = _prototype(character)
    capital = _prototype(character.upper())
    if character.isupper() and prototype == "l":
        return "i"  # one that looks like a capital I, as UTS 39 has both under l
    return (prototype if prototype.isascii() or not capital.isascii() else capital).casefold()


@cache
def _prototype(character: str) -> str:
    """The one character that stands for all that look like this one."""
    # Of a megabyte of JSON, read once and only where names are compared.
    from confusable_homoglyphs.confusables import confusables_data

    def alike(text: str) -> set[str]:
        return {other["c"] for other in confusables_data.get(text, ())}

    others = alike(character)
    if len(others) != 1:
        return character  # it is the one that stands for others, or like none
    (other,) = others
    prototype = other if len(alike(other)) > 1 else min(character, other)
    # On a screen of equal columns nobody takes two letters for one.
    bare = _without_marks(prototype)
    return bare if len(bare) == 1 else character


def _bare(text: str) -> str:
    """Without marks, blanks and punctuation: "Ada." and "A\u0323da" are Ada for the eye."""
    plain = _without_marks(text)
    return "".join(one for one in plain if not _is_ornament(unicodedata.category(one))) or plain


def _is_ornament(category: str) -> bool:
    return category[0] in "PZC" or category == "Sk"


def _without_marks(text: str) -> str:
    decomposed = unicodedata.normalize("NFD", text)
    return "".join(one for one in decomposed if not _is_diacritic(ord(one)))


def _is_diacritic(point: int) -> bool:
    return any(first <= point <= last for first, last in _DIACRITICS)
