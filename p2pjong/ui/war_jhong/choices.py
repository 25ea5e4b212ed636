"""What a person may do in War Jhong: the question with its numbers and keys, and honest advice."""

from collections.abc import Iterator, Sequence

from p2pjong.games.game import Action, Face
from p2pjong.games.war_jhong.scoring import score
from p2pjong.games.war_jhong.view import WarJhongView
from p2pjong.games.war_jhong.waits import ready_discards, waits
from p2pjong.session.effects import Ask
from p2pjong.ui.names import Names
from p2pjong.ui.question import Question
from p2pjong.ui.text import bold, dim, plural, wrap
from p2pjong.ui.war_jhong.cards import awaited, card, cards, long_name
from p2pjong.ui.war_jhong.table import hand_faces, hand_lines, table_lines

READY_SHOWN = 4


def question(ask: Ask, names: Names) -> Question[Action]:
    """The question that the session asks, for a person."""
    view = ask.view
    assert isinstance(view, WarJhongView)
    return _claim_question(ask, view, names) if ask.is_answer else _turn_question(ask, view, names)


def _turn_question(ask: Ask, view: WarJhongView, names: Names) -> Question[Action]:
    by_slot = {action.slots: action for action in ask.actions if action.verb == "discard"}
    keys: dict[str, Action] = {}
    codes: dict[str, Action] = {}
    for number, (slot, face) in enumerate(view.hand, 1):
        if action := by_slot.get((slot,)):
            keys[str(number)] = action
            codes[face.lower()] = action
    go_out = next((action for action in ask.actions if action.verb == "go_out"), None)
    if go_out:
        # "g" is going out here; a General is then named by its number.
        codes["g"] = keys["g"] = codes["go out"] = go_out
    prompt = f"discard 1-{len(view.hand)}" + (", g: go out" if go_out else "")
    lines = (*table_lines(view, names), *turn_advice(view, can_go_out=go_out is not None))
    return Question(prompt, keys, lines, also=codes)


def turn_advice(view: WarJhongView, can_go_out: bool) -> list[str]:
    """Whether the hand goes out, and which discards leave it one card from that."""
    melds = _melds(view)
    hand = hand_faces(view)
    lines = []
    if can_go_out and (reading := score(hand, melds, view.generals[view.seat])):
        lines.append(bold(f" You can go out now, for {plural(reading.total, 'point')}: g"))
    ready = ready_discards(hand, melds)
    for face in list(ready)[:READY_SHOWN]:
        numbers = _numbers(view, face)
        cards_awaited = awaited(ready[face], view) or [dim("nothing that is still to be had")]
        head = f" {numbers} {card(face)}: one card from going out, awaiting"
        lines += wrap([head, *cards_awaited], gap="  ")
    if len(ready) > READY_SHOWN:
        lines.append(dim(f" ... and {len(ready) - READY_SHOWN} other discards like these"))
    return lines


def _numbers(view: WarJhongView, face: Face) -> str:
    return str(next(number for number, (_, held) in enumerate(view.hand, 1) if held == face))


def _claim_question(ask: Ask, view: WarJhongView, names: Names) -> Question[Action]:
    discard = view.discards[-1]
    keys, lines = {}, []
    for key, action, line in _claims(ask.actions, view, discard.face):
        keys[key] = action
        lines.append(f"  {bold(key)}  {line}")
    short = ", ".join(keys)
    head = f"{names.does(discard.seat, 'discard')} {card(discard.face)} - do you claim it?"
    claims = Question(
        f"claim {card_text(discard.face)}? {short}",
        keys,
        (*hand_lines(view), bold(head), *lines),
        is_instant=all(len(key) == 1 for key in keys),
        also={"pass": keys["p"], "": keys["p"]},
    )
    return claims


def _claims(
    actions: Sequence[Action], view: WarJhongView, face: Face
) -> Iterator[tuple[str, Action, str]]:
    held = dict(view.hand)
    melds = _melds(view)
    number = 0
    for action in actions:
        if action.verb == "claim_go_out":
            reading = score((*hand_faces(view), face), melds, view.generals[view.seat])
            worth = f" for {plural(reading.total, 'point')}" if reading else ""
            yield "g", action, f"go out{worth}"
        elif action.verb == "claim_formation":
            number += 1
            pair = [held[slot] for slot in action.slots]
            yield str(number), action, f"{card(face)} with {cards(pair)}, face up"
        else:
            yield "p", action, "pass"


def card_text(face: Face) -> str:
    """A card for the prompt line, which has no colours: "A4"."""
    return face


def status(view: WarJhongView) -> str:
    """A word on our own hand while others act: what it awaits, if it is one card from out."""
    faces = waits(hand_faces(view), _melds(view)) if len(view.hand) % 3 == 0 and view.hand else ()
    return " ".join(["awaiting", *faces]) if faces else ""


def _melds(view: WarJhongView) -> list[tuple[Face, ...]]:
    return [meld.faces for meld in view.melds[view.seat]]


__all__ = ["long_name", "question", "status", "turn_advice"]
