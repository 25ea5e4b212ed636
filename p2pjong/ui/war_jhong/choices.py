"""What a person may do in War Jhong: the question with its numbers and keys, and honest advice."""

from collections.abc import Sequence

from p2pjong.games.game import Action, Face
from p2pjong.games.war_jhong.faces import GENERAL, RANK, TACTICS
from p2pjong.games.war_jhong.scoring import distance, ready_discards, score, waits
from p2pjong.games.war_jhong.view import WarJhongView, unseen
from p2pjong.session.effects import Ask
from p2pjong.ui.names import Names
from p2pjong.ui.question import Question
from p2pjong.ui.rack import ready_lines
from p2pjong.ui.text import bold, plural, wrap
from p2pjong.ui.war_jhong.cards import LOOK, card, cards
from p2pjong.ui.war_jhong.table import board_lines, hand_faces, hand_line, hand_lines

LINES_OF_CLAIMS = 6  # more than these stand side by side
GO_OUT_KEY = "g"
PASS_KEY = "p"
TURN_HELP = (
    "A number discards the card above it; so does its code, like C6, J or F. g goes out when "
    "that is offered; otherwise a capital G discards a General. t shows the table, so discard "
    "Tactics by their number. If your time runs out, the card you just drew is discarded, or else "
    "the last one."
)
CLAIM_HELP = (
    "A number lays down that Formation with the discard in it, and then you discard; g goes out "
    "with it; p passes, and so do you when time runs out. If several claim, the player whose turn "
    "comes first gets the card."
)


def question(ask: Ask, names: Names, hits: Sequence[str] = ()) -> Question[Action]:
    """The question that the session asks, for a person, with what was done to them."""
    view = ask.view
    assert isinstance(view, WarJhongView)
    if ask.is_answer:
        return _claim_question(ask, view, names, hits)
    return _turn_question(ask, view, names, hits)


def forced_lines(ask: Ask) -> list[str]:
    """Who can claim nothing is not bothered."""
    return []


def _turn_question(
    ask: Ask, view: WarJhongView, names: Names, hits: Sequence[str]
) -> Question[Action]:
    by_slot = {action.slots: action for action in ask.actions if action.verb == "discard"}
    go_out = next((action for action in ask.actions if action.verb == "go_out"), None)
    keys: dict[str, Action] = {}
    codes: dict[str, Action] = {}
    exact: dict[str, Action] = {}
    hints: dict[str, str] = {}
    for number, (slot, face) in enumerate(view.hand, 1):
        keys[str(number)] = by_slot[(slot,)]
        # T also shows the table, and g is meant to go out: no card is lost by a wrong guess.
        if face == GENERAL and not go_out:
            exact[face] = by_slot[(slot,)]
            hints[GO_OUT_KEY] = f"you cannot go out now; {number} or G discards the General"
        elif face not in (GENERAL, TACTICS):
            codes[face.lower()] = by_slot[(slot,)]
    if go_out:
        keys[GO_OUT_KEY] = go_out
    else:
        hints.setdefault(GO_OUT_KEY, "you cannot go out now")
    prompt = f"discard 1-{len(view.hand)}" + (f", {GO_OUT_KEY}: go out" if go_out else "")
    again = (*hits, *hand_lines(view), *turn_advice(view, can_go_out=go_out is not None))
    return Question(
        prompt,
        keys,
        (*board_lines(view, names), *again),
        also=codes,
        help=TURN_HELP,
        hints=hints,
        exact=exact,
        again=again,
    )


def turn_advice(view: WarJhongView, can_go_out: bool) -> list[str]:
    """Whether the hand goes out, and which discards leave it one card from that."""
    hand, melds = hand_faces(view), _melds(view)
    lines = []
    if can_go_out and (reading := score(hand, melds, view.generals[view.seat])):
        worth = plural(reading.total, "point")
        lines.append(bold(f" You can go out now, for {worth}: {GO_OUT_KEY}"))
    ready = ready_discards(hand, melds)
    return [*lines, *ready_lines(ready, view.hand, unseen(view), LOOK)]


def _claim_question(
    ask: Ask, view: WarJhongView, names: Names, hits: Sequence[str]
) -> Question[Action]:
    discard = view.discards[-1]
    keys, lines = _claims(ask.actions, view, discard.face)
    numbers = [key for key in keys if key.isdigit()]
    shown = [f"{numbers[0]}-{numbers[-1]}" if len(numbers) > 2 else ", ".join(numbers)]
    shown += [key for key in keys if not key.isdigit()]
    head = f"{names.does(discard.seat, 'discard')} {card(discard.face)}. Do you claim it?"
    again = (*hits, *hand_line(view), bold(head), *lines)
    return Question(
        f"claim {discard.face}? {', '.join(filter(None, shown))}",
        keys,
        again,
        again=again,
        is_instant=True,
        also={"pass": keys[PASS_KEY]},
        help=CLAIM_HELP,
    )


def _claims(
    actions: Sequence[Action], view: WarJhongView, face: Face
) -> tuple[dict[str, Action], list[str]]:
    keys: dict[str, Action] = {}
    items: list[str] = []
    for action in actions:
        if action.verb == "claim_go_out":
            reading = score((*hand_faces(view), face), _melds(view), view.generals[view.seat])
            worth = f", for {plural(reading.total, 'point')}" if reading else ""
            keys[GO_OUT_KEY] = action
            items.append(f"{bold(GO_OUT_KEY)}  go out{worth}")
    for number, action in enumerate(_best_first(actions, view, face), 1):
        keys[str(number)] = action
        items.append(f"{bold(str(number))}  Formation {_pair(action, view, face)}")
    keys[PASS_KEY] = next(action for action in actions if action.verb == "pass")
    items.append(f"{bold(PASS_KEY)}  pass")
    if len(items) <= LINES_OF_CLAIMS:
        return keys, [f"  {item}" for item in items]
    return keys, wrap([item.replace("Formation ", "") for item in items], indent="  ", gap="    ")


def _best_first(actions: Sequence[Action], view: WarJhongView, face: Face) -> list[Action]:
    """The claims for a Formation, those first that leave the hand nearest to going out."""
    claims = [action for action in actions if action.verb == "claim_formation"]
    return sorted(claims, key=lambda action: _nearness(action, view, face))


def _nearness(action: Action, view: WarJhongView, face: Face) -> tuple[int, list[int]]:
    rest = [held for slot, held in view.hand if slot not in action.slots]
    pair = _pair_faces(action, view)
    return distance(rest, [*_melds(view), (*pair, face)]), [RANK[held] for held in pair]


def _pair_faces(action: Action, view: WarJhongView) -> tuple[Face, ...]:
    return tuple(held for slot, held in view.hand if slot in action.slots)


def _pair(action: Action, view: WarJhongView, face: Face) -> str:
    return cards(sorted((*_pair_faces(action, view), face), key=lambda held: RANK[held]))


def status(view: WarJhongView) -> str:
    """What our hand awaits while others act, if it is one card from going out; else ""."""
    if not view.hand or len(view.hand) % 3:
        return ""
    faces = waits(hand_faces(view), _melds(view))
    return " ".join(["you need", *faces]) if faces else ""


def _melds(view: WarJhongView) -> list[tuple[Face, ...]]:
    return [meld.faces for meld in view.melds[view.seat]]
