"""Text from elsewhere made fit to be shown: one line, bounded, nothing that moves or hides text.

For showing only. What is agreed on (a charter, a digest) uses names as they were sent: the tables
of Unicode differ between versions of Python, and peers must not differ over a name.
"""

import unicodedata

NAME_CHARACTERS_MAX = 32
MARKS_IN_A_ROW_MAX = 3

# Letters and symbols by category that show as nothing, or as blank: two names would look alike.
_INVISIBLE = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
    + "".join(map(chr, range(0x180B, 0x1810)))
    + "".join(map(chr, range(0xFE00, 0xFE10)))
    + "".join(map(chr, range(0xE0100, 0xE01F0)))
)


def clean_name(text: str, fallback: str = "?") -> str:
    """A name of at most 32 characters to show for `text`; `fallback` if nothing is left of it."""
    return clean_text(text, NAME_CHARACTERS_MAX) or fallback


def clean_text(text: str, characters_max: int) -> str:
    """One line of visible text: NFC, single spaces, no control, format or bidi characters.

    Surrogates, private and unassigned code points, and piles of combining marks go too.
    """
    # Composing can be slow on long adversarial input: cut first, generously, then exactly.
    composed = unicodedata.normalize("NFC", text[: 8 * characters_max])
    words = _visible(composed).split()
    # Dropping a character can bring two together that compose.
    joined = unicodedata.normalize("NFC", " ".join(words))
    return joined[:characters_max].rstrip()


def _visible(text: str) -> str:
    kept: list[str] = []
    marks = 0
    for character in text:
        category = unicodedata.category(character)
        marks = marks + 1 if category.startswith("M") else 0
        if category.startswith("Z") or character in "\t\n\r":
            kept.append(" ")
        elif not (_is_hidden(character, category) or marks > MARKS_IN_A_ROW_MAX):
            kept.append(character)
    return "".join(kept)


def _is_hidden(character: str, category: str) -> bool:
    return category.startswith("C") or character in _INVISIBLE
