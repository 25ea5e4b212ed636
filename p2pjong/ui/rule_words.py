"""Every rule that a seat can break, in plain words: what it did. Pure.

The rules of `protocol/play.md` ("Leaving and faults"); those that a game has of its own stand with
its words. What people are told of a fault is worded here, for screens and for `verify`.
"""

from collections.abc import Mapping

from p2pjong.games import ENTRIES
from p2pjong.session.purposes import Purpose
from p2pjong.ui.game_words import words_of

# A sentence without its full stop: `who` did it; `they` and `their` stand for `who` later on.
RULES: Mapping[str, str] = {
    "equivocation": "{who} told two different stories",
    "out-of-turn": "{who} acted out of turn",
    "wrong-place": "{who} answered for another hand than the one played",
    "digest": "{who} gave a wrong account of how the game stood",
    "wrong-kind": "{who} answered something that was not asked",
    "charter": "{who} signed terms that differ from what all had agreed on",
    "commitment": "{who} changed something after settling on it in secret",
    "echo": "{who} confirmed something different from what all had seen",
    "proof-encoding": "{who} gave a proof that does not hold",
    "proof-statement": "{who} gave a proof that does not hold",
    "proof-proof": "{who} gave a proof that does not hold",
    "joint-key": "{who} took part in keys that together would reveal the deck",
    "illegal-action": "{who} made a move that the rules do not allow",
    "result": "{who} signed a result that differs from everyone else's",
    "published-key": "{who} published a key that {they} had not played with",
    "order": "{who} gave an impossible list of who called first",
    "false-evidence": "{who} accused a player with evidence that does not hold",
    "word": "{who} wrongly called for a player's removal, or called twice",
    "heads": "{who} denied having heard what {they} had heard before",
}
# What a proof was for, by what its seat was awaited for.
PROOFS: Mapping[str, str] = {
    Purpose.OPEN_KEY: "{who} gave a false key for the deck; the proof does not hold",
    Purpose.SHUFFLE_DECK: "{who} shuffled the deck dishonestly; the proof does not hold",
    Purpose.SHUFFLE_HAND: "{who} mixed {their} hand dishonestly; the proof does not hold",
    Purpose.SHARE_DRAW: ("{who} gave false keys to drawn cards; the proof does not hold"),
    Purpose.SHARE_LOOK: ("{who} gave false keys to cards looked at; the proof does not hold"),
    Purpose.PASS_ON: ("{who} passed on cards of the deck dishonestly; the proof does not hold"),
    Purpose.HAND_OVER: "{who} handed over a card dishonestly; the proof does not hold",
    Purpose.SHOW_HAND: "{who} showed {their} hand dishonestly; the proof does not hold",
    Purpose.SHOW_CARDS: "{who} showed {their} cards dishonestly; the proof does not hold",
    Purpose.PROVE_PASS: (
        "{who} passed, and the proof that {they} could play nothing does not hold"
    ),
}
# What was settled on in secret, and then opened otherwise.
OPENINGS: Mapping[str, str] = {
    Purpose.OPEN_NONCE: "{who} changed {their} part of the lots after settling on it",
    Purpose.OPEN_KEY: "{who} changed {their} key for the deck after settling on it",
    Purpose.OPEN_TOSS: "{who} changed {their} part of a toss after settling on it",
    Purpose.SHOW_ANSWER: "{who} changed {their} answer after settling on it",
}
BY_REASON: Mapping[str, Mapping[str, str]] = {
    "commitment": OPENINGS,
    "proof-encoding": PROOFS,
    "proof-statement": PROOFS,
    "proof-proof": PROOFS,
}
UNKNOWN = "{who} broke a rule that this program has no words for"


def breach_text(rule: str, reason: str, who: str, is_ours: bool = False) -> str:
    """ "Ben told two different stories": the rule that `who` broke, as a sentence without its end.

    `reason` is what its seat was awaited for, if that is known. `is_ours`: the reader is the seat.
    """
    words = BY_REASON.get(rule, {}).get(reason) or RULES.get(rule) or _foul(rule)
    they, their = ("you", "your") if is_ours else ("they", "their")
    return words.format(who=who, they=they, their=their)


def _foul(rule: str) -> str:
    """A rule that one of the games has of its own."""
    fouls = (words_of(game).FOULS for game in ENTRIES)
    return next((known[rule] for known in fouls if rule in known), UNKNOWN)
