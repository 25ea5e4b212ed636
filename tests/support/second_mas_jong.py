"""The public state of Not Your Ma's Jong, a second time: written from
`protocol/not-your-mas-jong.md` alone. Imports nothing of the project.

A state is a dict in the order of the page's fields; records within it are tuples that begin with
their names, lists are lists. `waits` and `move` speak the language of the vectors.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

from tests.support.second_war_jhong import NO_ONE, Foul, State, action, after, present

SUITS = {"R": 6, "B": 6, "G": 6, "S": 4, "E": 3}
FACES = [f"{suit}{number}" for suit, last in SUITS.items() for number in range(1, last + 1)]
RANK = {face: rank for rank, face in enumerate(FACES)}
DECK = [face for face in FACES for _ in range(3)]
SEATS = range(3, 5)


def is_set(faces: Sequence[str]) -> bool:
    if len(set(faces)) == 1:
        return True
    suits = {face[0] for face in faces}
    low, *_ = numbers = sorted(int(face[1:]) for face in faces)
    return len(suits) == 1 and suits != {"E"} and numbers == [low, low + 1, low + 2]


def goes_out(hand: Sequence[str], melds: int) -> bool:
    if len(hand) != 11 - 3 * melds:
        return False
    held = Counter(hand)
    pairs = [face for face in held if held[face] >= 2]
    return any(_parts(held - Counter([face] * 2)) for face in pairs)


def _parts(held: Counter[str]) -> bool:
    """Whether the cards can be parted into sets: the lowest one is in one of two kinds."""
    if not held:
        return True
    low = min(held, key=RANK.__getitem__)
    run = [f"{low[0]}{int(low[1:]) + step}" for step in range(3)]
    kinds = [[low] * 3] + ([run] if low[0] != "E" and set(run) <= held.keys() else [])
    return any(not Counter(one) - held and _parts(held - Counter(one)) for one in kinds)


def pay(tokens: list[int], here: list[bool], winner: int, ma: int, by: str) -> list[int]:
    paid = list(tokens)
    for seat, is_here in enumerate(here):
        if is_here and seat != winner:
            owed = (
                (4 if by == "draw" else 2) if ma in (winner, seat) else (2 if by == "draw" else 1)
            )
            paid[seat] -= min(owed, tokens[seat])
            paid[winner] += min(owed, tokens[seat])
    return paid


# --- The state --------------------------------------------------------------------------------


def has_options(target: int, rounds: int) -> bool:
    return target == 0 and rounds <= 1000


def start(seats: int, target: int, rounds: int, oldest: Sequence[int]) -> State:
    ma = oldest[0] if len(oldest) == 1 else NO_ONE
    return {
        "seats": seats,
        "rounds": rounds or {3: 9, 4: 8}[seats],
        "present": [True] * seats,
        "tokens": [10] * seats,
        "rounds_ended": 0,
        "ma": ma,
        "next_slot": 0,
        "phase": "toss" if ma == NO_ONE else "shuffle",
        "turn": NO_ONE,
        "is_stolen": False,
        "deck_top": 0,
        "deck_end": 0,
        "hands": [[] for _ in range(seats)],
        "melds": [[] for _ in range(seats)],
        "discards": [],
        "drawn": -1,
        "skips": [0] * seats,
        "calls": [],
        "served": 0,
        "chosen": None,
        "shown": [],
        "result": None,
        "outcome": "",
    }


def served(state: State) -> tuple[str, int, str]:
    call: tuple[str, int, str] = state["calls"][state["served"]]
    return call


def deal_moves(state: State) -> list[list[int]]:
    moves, top = [], state["deck_top"]
    for seat in present(state):
        size = 11 if seat == state["ma"] else 10
        moves.append([seat, *range(top, top + size)])
        top += size
    return moves


def waits(state: State) -> list[Any]:
    """What the state waits for, as the vectors write it."""
    phase, turn, top, free = (state[name] for name in ("phase", "turn", "deck_top", "next_slot"))
    if phase == "toss":
        return ["toss", len(present(state))]
    if phase == "shuffle":
        return ["shuffle", "deck", [free, free + 74], True]
    if phase == "deal":
        return ["draw", deal_moves(state)]
    if phase == "draw":
        return ["draw", [[turn, top]]]
    if phase == "reveil":
        hand = state["hands"][turn]
        return ["reveil", turn, hand, [free, free + len(hand) - 1]]
    if phase in ("turn", "call", "serve"):
        seats = {"turn": [turn], "call": after(state, turn)}
        return ["decide", seats.get(phase) or [served(state)[1]], "open"]
    if phase in ("discard", "steal"):
        return ["open", state["chosen"][1], state["chosen"][3]]
    if phase == "win":
        return ["open", state["chosen"][1], state["hands"][state["chosen"][1]]]
    if phase == "order":
        return ["order", turn, [seat for _, seat, _ in state["calls"]]]
    if phase == "settle":
        return ["settle", *state["result"][1:]]
    return ["over"]


def is_legal(state: State, seat: int, verb: str, slots: list[int], target: int) -> bool:
    phase = state["phase"]
    if target != -1 or phase not in ("turn", "call", "serve") or seat not in waits(state)[1]:
        return False
    hand = state["hands"][seat]
    if phase == "turn" and verb == "discard":
        return len(slots) == 1 and slots[0] in hand
    if phase == "serve" and verb == "show_set":
        is_pair = len(slots) == 2 and slots[0] < slots[1] and set(slots) <= set(hand)
        return is_pair and served(state)[2] == "call_set"
    verbs: dict[str, tuple[str, ...]] = {
        "turn": ("go_out",),
        "call": ("call_set", "call_win", "pass"),
        "serve": ("wrong", *(("show_win",) if phase == "serve" and is_to_win(state) else ())),
    }
    return verb in verbs[phase] and not slots


def is_to_win(state: State) -> bool:
    return served(state)[2] == "call_win"


# --- What follows -----------------------------------------------------------------------------


def on_toss(state: State, number: int) -> None:
    state.update(ma=present(state)[number], phase="shuffle")


def on_shuffle(state: State, _: None) -> None:
    top = state["next_slot"]
    state.update(deck_top=top, deck_end=top + 75, next_slot=top + 75, phase="deal")


def on_deal(state: State, _: None) -> None:
    for seat, *slots in deal_moves(state):
        state["hands"][seat] = slots
        state["deck_top"] += len(slots)
    state.update(turn=state["ma"], phase="turn")


def on_draw(state: State, _: None) -> None:
    slot, turn = state["deck_top"], state["turn"]
    state["hands"][turn] = [*state["hands"][turn], slot]
    state.update(drawn=slot, deck_top=slot + 1, phase="reveil")


def on_reveil(state: State, _: None) -> None:
    free, turn = state["next_slot"], state["turn"]
    size = len(state["hands"][turn])
    state["hands"][turn] = list(range(free, free + size))
    state.update(next_slot=free + size, phase="turn")


def on_turn(state: State, actions: list[Any]) -> None:
    (chosen,) = actions
    state["chosen"] = action(*chosen)
    state["phase"] = "discard" if chosen[1] == "discard" else "win"


def on_discard(state: State, opened: list[list[Any]]) -> None:
    ((slot, face),) = opened
    turn = state["turn"]
    state["hands"][turn] = [other for other in state["hands"][turn] if other != slot]
    state["discards"] = [*state["discards"], ("Discard", slot, face, turn, NO_ONE)]
    state.update(drawn=-1, chosen=None, phase="call")


def on_call(state: State, actions: list[Any]) -> None:
    calls = [("Call", seat, verb) for seat, verb, _, _ in actions if verb != "pass"]
    state["calls"] = calls
    if not calls:
        pass_on(state)
    else:
        state["phase"] = "serve" if len(calls) == 1 else "order"


def on_order(state: State, seats: list[int]) -> None:
    calls = sorted(state["calls"], key=lambda call: (call[2] != "call_win", seats.index(call[1])))
    state.update(calls=calls, phase="serve")


def on_serve(state: State, actions: list[Any]) -> None:
    ((seat, verb, slots, _),) = actions
    if verb != "wrong":
        phase = "steal" if verb == "show_set" else "win"
        state.update(chosen=action(seat, verb, slots), phase=phase)
        return
    state["skips"][seat] += 1
    state["served"] += 1
    if state["served"] == len(state["calls"]):
        pass_on(state)


def pass_on(state: State) -> None:
    if state["deck_top"] == state["deck_end"]:
        nothing = [0] * state["seats"]
        result: tuple[Any, ...] = (
            "Result",
            "washed_out",
            NO_ONE,
            nothing,
            list(state["tokens"]),
            [],
        )
        state.update(result=result, phase="settle")
        return
    around = [*after(state, state["turn"]), state["turn"]]
    for seat in chain.from_iterable(around for _ in range(1000)):
        if not state["skips"][seat]:
            break
        state["skips"][seat] -= 1
    state.update(turn=seat, is_stolen=False, calls=[], served=0, phase="draw")


def take_discard(state: State, seat: int) -> tuple[int, str, int]:
    name, slot, face, giver, _ = state["discards"][-1]
    state["discards"] = [*state["discards"][:-1], (name, slot, face, giver, seat)]
    return slot, face, giver


def in_order(cards: list[list[Any]]) -> list[list[Any]]:
    return sorted(cards, key=lambda card: (RANK[card[1]], card[0]))


def on_steal(state: State, opened: list[list[Any]]) -> None:
    seat = state["chosen"][1]
    slot, face, giver = take_discard(state, seat)
    cards = in_order([*opened, [slot, face]])
    slots, faces = [card[0] for card in cards], [card[1] for card in cards]
    if not is_set(faces):
        raise Foul(seat, "steal-without-set")
    shown = [card[0] for card in opened]
    state["hands"][seat] = [other for other in state["hands"][seat] if other not in shown]
    state["melds"][seat] = [*state["melds"][seat], ("FaceUp", slots, faces, slot, giver)]
    state.update(turn=seat, is_stolen=True, calls=[], served=0, chosen=None, phase="turn")


def on_win(state: State, opened: list[list[Any]]) -> None:
    seat, verb = state["chosen"][1:3]
    if verb == "show_win":
        slot, face, _ = take_discard(state, seat)
        state["hands"][seat] = [*state["hands"][seat], slot]
        state.update(turn=seat, is_stolen=True)
        opened = [*opened, [slot, face]]
    if not goes_out([face for _, face in opened], len(state["melds"][seat])):
        raise Foul(seat, "hand-does-not-go-out")
    by = "steal" if state["is_stolen"] else "draw"
    tokens = pay(state["tokens"], state["present"], seat, state["ma"], by)
    gained = [new - old for new, old in zip(tokens, state["tokens"], strict=True)]
    result = ("Result", "won", seat, gained, tokens, [[by, 1]])
    state.update(shown=in_order(opened), result=result, phase="settle")


def on_settle(state: State, _: None) -> None:
    tokens, ended = state["result"][4], state["rounds_ended"] + 1
    state.update(tokens=tokens, rounds_ended=ended, chosen=None)
    if ended == state["rounds"] or any(tokens[seat] == 0 for seat in present(state)):
        state.update(phase="over", outcome="finished")
    else:
        deal_again(state, after(state, state["ma"])[0])


def deal_again(state: State, ma: int) -> None:
    new = start(state["seats"], 0, state["rounds"], [])
    kept = ("rounds", "present", "tokens", "rounds_ended", "next_slot", "outcome")
    new.update({name: state[name] for name in kept})
    state.update(new | {"ma": ma, "phase": "shuffle"})


def void(state: State, out: Sequence[int]) -> None:
    state["present"] = [here and s not in out for s, here in enumerate(state["present"])]
    ma = state["ma"]
    if sum(state["present"]) < 3:
        deal_again(state, ma)
        state.update(phase="over", outcome="abandoned")
    elif ma != NO_ONE:
        deal_again(state, ma if state["present"][ma] else after(state, ma)[0])


def winners(state: State) -> list[int]:
    if state["outcome"] != "finished":
        return []
    best = max(state["tokens"][seat] for seat in present(state))
    return [seat for seat in present(state) if state["tokens"][seat] == best]


FOLLOWS: dict[str, Callable[[State, Any], None]] = {
    "toss": on_toss,
    "shuffle": on_shuffle,
    "deal": on_deal,
    "draw": on_draw,
    "reveil": on_reveil,
    "turn": on_turn,
    "discard": on_discard,
    "call": on_call,
    "order": on_order,
    "serve": on_serve,
    "steal": on_steal,
    "win": on_win,
    "settle": on_settle,
}


def move(state: State, what: str, how: Any) -> None:
    """What came of what the state waited for, as the vectors write it."""
    if what == "void":
        void(state, how)
    else:
        FOLLOWS[state["phase"]](state, how)
