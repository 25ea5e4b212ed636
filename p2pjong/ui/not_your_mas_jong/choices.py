"""What a person may do in Not Your Ma's Jong: the question with its numbers and keys.

A call is one key, for there is little time. Nothing here tells whether a call would be right: to
call wrongly is part of the game (N5), unless `--no-mistakes` took the wrong calls out.
"""

from collections.abc import Callable, Mapping, Sequence

from p2pjong.games.game import Action
from p2pjong.games.not_your_mas_jong.faces import RANK
from p2pjong.games.not_your_mas_jong.hands import distance, ready_discards, waits
from p2pjong.games.not_your_mas_jong.sets import SET_SIZE
from p2pjong.games.not_your_mas_jong.view import NotYourMasJongView, right_answers, unseen
from p2pjong.session.effects import Ask
from p2pjong.ui.names import Names
from p2pjong.ui.not_your_mas_jong.cards import LOOK, card, cards, long_name
from p2pjong.ui.not_your_mas_jong.table import (
    board_lines,
    hand_faces,
    hand_line,
    hand_lines,
    melds_of,
)
from p2pjong.ui.question import Question
from p2pjong.ui.rack import ready_lines
from p2pjong.ui.text import bold, dim

Hits = Sequence[str]  # what happened to us since we chose last
Asker = Callable[[Ask, NotYourMasJongView, Names, Hits], Question[Action]]

GO_OUT_KEY = "g"
# Letters near each other, none of which shows the table, the events or help.
WIN_KEY = "w"
SET_KEY = "s"
PASS_KEY = "p"
WRONG_KEY = "x"
SHOW_WIN_KEY = "g"
TURN_HELP = (
    "A number discards the card above it; so does its code, like S2, or its name. g goes out, "
    "if offered."
)
CALL_HELP = (
    "w calls the card to go out, s to lock a set with two of yours; p passes, and so do you when "
    "time runs out. A call to win beats a call for a set; otherwise the first to call gets the "
    "card. A wrong call costs a turn."
)
SERVE_HELP = "Show what you called the card for; x means that it was a mistake, and costs a turn."


def question(ask: Ask, names: Names, hits: Hits = ()) -> Question[Action]:
    """The question that the session asks, for a person, with what happened to them."""
    view = ask.view
    assert isinstance(view, NotYourMasJongView)
    return ASKERS[view.phase](ask, view, names, hits)


def forced_lines(ask: Ask) -> list[str]:
    """Why a call was wrong, or why the round is won without asking (N5, N6)."""
    view = ask.view
    assert isinstance(view, NotYourMasJongView)
    verb = ask.actions[0].verb
    if verb == "go_out":
        return [bold("Your cards are three sets and a pair: you go out.")]
    if verb != "wrong":
        return []
    stolen = card(view.discards[-1].face)
    is_win = any(call.seat == view.seat and call.verb == "call_win" for call in view.calls)
    if is_win:
        return [f"With {stolen} your hand is not three sets and a pair."]
    return [f"No two of your cards make a set with {stolen}."]


# --- The own turn ---------------------------------------------------------------------------------


def _turn(ask: Ask, view: NotYourMasJongView, names: Names, hits: Hits) -> Question[Action]:
    by_slot = {action.slots: action for action in ask.actions if action.verb == "discard"}
    go_out = next((action for action in ask.actions if action.verb == "go_out"), None)
    keys: dict[str, Action] = {}
    also: dict[str, Action] = {}
    for number, (slot, face) in enumerate(view.hand, 1):
        keys[str(number)] = also[face.lower()] = by_slot[(slot,)]
        spoken = long_name(face).lower()
        also |= dict.fromkeys((spoken, " ".join(reversed(spoken.split()))), by_slot[(slot,)])
    if go_out:
        keys[GO_OUT_KEY] = go_out
    prompt = f"discard 1-{len(view.hand)}" + (f", {GO_OUT_KEY}: go out" if go_out else "")
    again = (*hits, *hand_lines(view), *turn_advice(view, can_go_out=go_out is not None))
    lines = (*board_lines(view, names), *again)
    return Question(prompt, keys, lines, also=also, help=TURN_HELP, again=again)


def turn_advice(view: NotYourMasJongView, can_go_out: bool) -> list[str]:
    """Whether the hand goes out, and which discards leave it one card from that."""
    lines = []
    if can_go_out:
        how = "three sets and a pair"
        lines.append(bold(f" You can go out now, with {how}: {GO_OUT_KEY}"))
    hand, melds = hand_faces(view), melds_of(view)
    short = distance(hand, melds)
    if short > 1:
        lines.append(dim(f" {short} cards short of three sets and a pair"))
    return [*lines, *ready_lines(ready_discards(hand, melds), view.hand, unseen(view), LOOK)]


def status(view: NotYourMasJongView) -> str:
    """What our hand awaits while others act, if it is one card from going out; else ""."""
    if not view.hand or len(view.hand) % SET_SIZE != 1:
        return ""
    faces = waits(hand_faces(view), melds_of(view))
    return " ".join(["you need", *faces]) if faces else ""


# --- Calls ----------------------------------------------------------------------------------------


def _call(ask: Ask, view: NotYourMasJongView, names: Names, hits: Hits) -> Question[Action]:
    discard = view.discards[-1]
    by_verb = {action.verb: action for action in ask.actions}
    keys = {key: by_verb[verb] for key, verb, _ in CALLS if verb in by_verb}
    shown = ", ".join(f"{key}: {text}" for key, verb, text in CALLS if verb in by_verb)
    again = (*hits, *hand_line(view), *(FIRST_CALL if _is_first(view) else ()))
    return Question(
        f"steal {discard.face}? {shown}",
        keys,
        again,
        again=again,
        is_instant=True,
        is_passing=True,
        also={"pass": keys[PASS_KEY]},
        help=CALL_HELP,
    )


def _is_first(view: NotYourMasJongView) -> bool:
    return view.hand_number == 1 and len(view.discards) == 1


# Told once a game, for those who play it for the first time.
FIRST_CALL = (
    dim("  Call to win if this card completes three sets and a pair, or call for a set"),
    dim("  if two of your cards make a set with it. A wrong call costs your next turn."),
)
CALLS = (
    (WIN_KEY, "call_win", "to win"),
    (SET_KEY, "call_set", "for a set"),
    (PASS_KEY, "pass", "pass"),
)


def right_actions(ask: Ask) -> tuple[Action, ...]:
    """The actions that are no mistake (N5): for `--no-mistakes`."""
    view = ask.view
    assert isinstance(view, NotYourMasJongView)
    if view.phase == "call":
        right = right_answers(view)
        return tuple(action for action in ask.actions if action.verb in right)
    shows = tuple(action for action in ask.actions if action.verb != "wrong")
    return shows or ask.actions


# --- Showing what was called for ------------------------------------------------------------------


def _serve(ask: Ask, view: NotYourMasJongView, names: Names, hits: Hits) -> Question[Action]:
    """The card is ours if we show what we called for; else we were wrong, and skip a turn (N5)."""
    discard = view.discards[-1]
    keys: dict[str, Action] = {}
    told = f"You get {card(discard.face)} if you show what you called it for:"
    lines = [*hits, *hand_line(view), bold(told)]
    for action in ask.actions:
        if action.verb == "show_win":
            keys[SHOW_WIN_KEY] = action
            lines.append(f"  {bold(SHOW_WIN_KEY)}  go out with it, and show your whole hand")
        elif action.verb == "show_set":
            number = str(len(keys) + 1)
            keys[number] = action
            lines.append(f"  {bold(number)}  lock the set {_set(action, view)}")
    wrong = next((action for action in ask.actions if action.verb == "wrong"), None)
    if wrong:
        keys[WRONG_KEY] = wrong
        cost = dim("it was a mistake: you get nothing and skip your next turn")
        lines.append(f"  {bold(WRONG_KEY)}  {cost}")
    prompt = f"show {', '.join(key for key in keys if key != WRONG_KEY)}"
    return Question(
        prompt + (f", {WRONG_KEY}: mistake" if wrong else ""),
        keys,
        tuple(lines),
        is_instant=True,
        help=SERVE_HELP,
        again=tuple(lines),
    )


def _set(action: Action, view: NotYourMasJongView) -> str:
    pair = [held for slot, held in view.hand if slot in action.slots]
    return cards(sorted((*pair, view.discards[-1].face), key=RANK.__getitem__))


ASKERS: Mapping[str, Asker] = {"turn": _turn, "call": _call, "serve": _serve}
