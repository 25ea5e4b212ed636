"""What seats are awaited for, in words: "waiting for Ben to shuffle the deck". Pure."""

from collections.abc import Mapping

from p2pjong.games import ENTRIES
from p2pjong.session.purposes import Purpose
from p2pjong.ui.game_words import words_of

TEXTS: Mapping[str, str] = {
    Purpose.COMMIT_NONCE: "to commit to a nonce",
    Purpose.OPEN_NONCE: "to open its nonce",
    Purpose.SIGN_CHARTER: "to sign the charter",
    Purpose.COMMIT_KEY: "to commit to a key",
    Purpose.OPEN_KEY: "to open its key",
    Purpose.CONFIRM: "to confirm",
    Purpose.SHUFFLE_DECK: "to shuffle the deck",
    Purpose.SHUFFLE_HAND: "to mix its hand",
    Purpose.SHARE_DRAW: "to share keys for the draw",
    Purpose.SHARE_LOOK: "to share keys for the look",
    Purpose.PASS_ON: "to pass on cards of the deck",
    Purpose.HAND_OVER: "to hand over a card",
    Purpose.SHOW_HAND: "to show its hand",
    Purpose.SHOW_CARDS: "to show its cards",
    Purpose.PROVE_PASS: "to prove that it can play nothing",
    Purpose.SAY_ORDER: "to say who was first",
    Purpose.COMMIT_TOSS: "to toss",
    Purpose.OPEN_TOSS: "to open its toss",
    Purpose.SHOW_ANSWER: "to show its answer",
    Purpose.SIGN_RESULT: "to sign the result",
    Purpose.OPEN_BOOKS: "to open its books",
    Purpose.BEGIN_ANEW: "to begin anew",
}


def purpose_text(reason: str, game: str) -> str:
    """What a seat is awaited for in this game ("": none is on), as the end of a sentence."""
    if reason in TEXTS or not reason:
        return TEXTS.get(reason, "")
    return words_of(game).purpose(reason) if game in ENTRIES else ""
