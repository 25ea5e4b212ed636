"""What seats are awaited for by the machines' part of the protocol; a game names its own purposes.

They are for scripts and screens: `ui.purposes` has their texts. Nothing is judged by them.
"""

from enum import StrEnum


class Purpose(StrEnum):
    """One for each step that a program of `protocol/play.md` can wait in."""

    COMMIT_NONCE = "commit-nonce"
    OPEN_NONCE = "open-nonce"
    SIGN_CHARTER = "sign-charter"
    COMMIT_KEY = "commit-key"
    OPEN_KEY = "open-key"
    CONFIRM = "confirm"
    SHUFFLE_DECK = "shuffle-deck"
    SHUFFLE_HAND = "shuffle-hand"
    SHARE_DRAW = "share-draw"
    SHARE_LOOK = "share-look"
    PASS_ON = "pass-on"
    HAND_OVER = "hand-over"
    SHOW_HAND = "show-hand"
    SHOW_CARDS = "show-cards"
    PROVE_PASS = "prove-pass"
    SAY_ORDER = "say-order"
    COMMIT_TOSS = "commit-toss"
    OPEN_TOSS = "open-toss"
    SHOW_ANSWER = "show-answer"
    SIGN_RESULT = "sign-result"
    OPEN_BOOKS = "open-books"
    BEGIN_ANEW = "begin-anew"
