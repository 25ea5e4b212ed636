"""What a line of cards is worth in the Victory Phase, explained card by card and bonus by bonus."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from p2pjong.games.game import Face
from p2pjong.games.samurai_warfare.answers import read_question
from p2pjong.games.samurai_warfare.battlefield import force, limit, shares
from p2pjong.games.samurai_warfare.cards import CARDS
from p2pjong.games.samurai_warfare.effects import Bonus
from p2pjong.ui.samurai_warfare.cards import card, many
from p2pjong.ui.text import aligned, bold, commas, dim, wrap

Faces = tuple[Face, ...]


def worth_now(in_play: Faces, fallen: Faces) -> list[str]:
    """Each card in play with its force, bonuses counted in: "Cannons 12"."""
    return [f"{card(face)} {worth}" for face, worth in shares(in_play, fallen)]


def worth_apart(in_play: Faces, fallen: Faces) -> list[str]:
    """Each card in play with its own force and each bonus: "Cannons 9+3"."""
    given = list(bonuses(in_play, fallen))
    return [f"{card(face)} {'+'.join(_parts(face, given))}" for face in in_play]


def _parts(face: Face, given: Sequence[tuple[Face, Bonus]]) -> list[str]:
    kind = CARDS[face]
    extra = [str(bonus.force) for _, bonus in given if bonus.trait in kind.traits]
    return [str(kind.force), *extra]


def bonuses(in_play: Faces, fallen: Faces) -> Iterable[tuple[Face, Bonus]]:
    """Each card that gives a bonus, a destroyed one too (S8)."""
    for face in (*in_play, *fallen):
        action = CARDS[face].action
        if isinstance(action, Bonus):
            yield face, action


def bonus_lines(in_play: Faces, fallen: Faces, indent: str) -> list[str]:
    """Where the bonuses come from that some card in play has; [] if there are none."""
    used = [
        f"{many(bonus.trait)} +{bonus.force} from {card(face)}{_lost(face, fallen)}"
        for face, bonus in bonuses(in_play, fallen)
        if any(bonus.trait in CARDS[other].traits for other in in_play)
    ]
    return wrap([dim("bonuses:"), *commas(used)], indent, hang="  ") if used else []


def _lost(face: Face, fallen: Faces) -> str:
    return " (destroyed)" if face in fallen else ""


def score_lines(asked: Mapping[str, Any]) -> list[str]:
    """What `p2pjong score` tells a person about a line of cards; raises BadQuestion."""
    in_play, fallen = read_question(asked)
    given = list(bonuses(in_play, fallen))
    rows = []
    for face, worth in shares(in_play, fallen):
        apart = [_reason(giver, bonus, fallen) for giver, bonus in given if _helps(bonus, face)]
        own = str(CARDS[face].force)
        rows.append((card(face), str(worth), dim(" ".join([own, *apart])) if apart else ""))
    lost = [(dim(CARDS[face].name), dim("-"), dim("destroyed")) for face in fallen]
    total = force(in_play, fallen)
    return [
        bold(f"force {total}"),
        *(f"  {line}" for line in aligned([*rows, *lost], right=(1,))),
        *_impossible_lines(in_play, fallen),
    ]


def _impossible_lines(in_play: Faces, fallen: Faces) -> list[str]:
    """Why no player could have such a line before them (S7); [] if one could."""
    held = Counter(CARDS[face].type for face in in_play)
    told = [
        f"{count} {kind.capitalize()} cards where {limit(kind, in_play, fallen)} can be in play"
        for kind, count in held.items()
        if count > limit(kind, in_play, fallen)
    ]
    if not told:
        return []
    return wrap(
        f"These cards could not have been played together: {', '.join(told)}.".split(" "), hang="  "
    )


def _helps(bonus: Bonus, face: Face) -> bool:
    return bonus.trait in CARDS[face].traits


def _reason(giver: Face, bonus: Bonus, fallen: Faces) -> str:
    lost = ", destroyed" if giver in fallen else ""
    return f"+{bonus.force} ({many(bonus.trait)}, from {CARDS[giver].name}{lost})"
