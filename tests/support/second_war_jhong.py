"""The public state of War Jhong for the second verifier: written from `protocol/war-jhong.md` and
`protocol/state.md` alone. Imports nothing of the project.

A state is a dict in the order of the page's fields; records within it are tuples that begin with
their names, lists are lists.
"""

import hashlib
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from tests.support.second_points import best_combos, stands_for

State: TypeAlias = dict[str, Any]

COMMON = [f"{suit}{number}" for suit in "IAC" for number in range(1, 10)]
FACES = [*COMMON, "J", "F", "G", "T"]
DECK = [*(face for face in COMMON for _ in range(3)), *"J" * 16, *"F" * 9, *"G" * 8, *"T" * 6]
RANK = {face: rank for rank, face in enumerate(FACES)}
NO_ONE = -1
SEATS = range(2, 9)


class Foul(Exception):
    """The opened cards contradict what the seat had claimed."""

    def __init__(self, seat: int, rule: str) -> None:
        super().__init__(rule)
        self.seat, self.rule = seat, rule


# --- The canonical encoding ---------------------------------------------------------------------


def canonical(value: Any) -> bytes:
    """The encoding of `protocol/state.md`; a record is a tuple whose first item is its name."""
    if value is None:
        return b"n"
    if isinstance(value, bool):
        return b"t" if value else b"f"
    if isinstance(value, int):
        return b"i%de" % value
    if isinstance(value, str):
        octets = value.encode()
        return b"%d:" % len(octets) + octets
    if isinstance(value, list):
        return b"(" + b"".join(map(canonical, value)) + b")"
    assert isinstance(value, tuple)
    return b"{" + b"".join(map(canonical, value)) + b"}"


def digest(state: State) -> bytes:
    encoding = canonical(("State", *state.values()))
    return hashlib.sha256(b"p2pjong/v1/state\x0a" + encoding).digest()


# --- The course of a game -----------------------------------------------------------------------


def has_options(target: int, rounds: int) -> bool:
    return rounds == 0


def start(seats: int, target: int, rounds: int, oldest: Sequence[int]) -> State:
    return {
        "seats": seats,
        "target": target or 100,
        "present": [True] * seats,
        "scores": [0] * seats,
        "hands_ended": 0,
        "first": NO_ONE,
        "next_slot": 0,
        "phase": "toss",
        "turn": NO_ONE,
        "deck_top": 0,
        "deck_end": 0,
        "hands": [[] for _ in range(seats)],
        "melds": [[] for _ in range(seats)],
        "discards": [],
        "drawn": -1,
        "chosen": None,
        "mixing": [],
        "shown": [],
        "result": None,
        "outcome": "",
    }


def present(state: State) -> list[int]:
    return [seat for seat in range(state["seats"]) if state["present"][seat]]


def after(state: State, seat: int) -> list[int]:
    """The seats after a seat: the others, wrapping round."""
    around = [(seat + step) % state["seats"] for step in range(1, state["seats"])]
    return [other for other in around if state["present"][other]]


def action(seat: int, verb: str, slots: Sequence[int], target: int = NO_ONE) -> tuple[Any, ...]:
    return ("Action", seat, verb, list(slots), target)


def is_legal(state: State, seat: int, verb: str, slots: list[int], target: int) -> bool:
    """Whether nobody can rule the action out without seeing the hand."""
    hand = state["hands"][seat]
    if target != -1:
        return False
    if state["phase"] == "turn" and seat == state["turn"]:
        if verb == "discard":
            return len(slots) == 1 and slots[0] in hand
        return verb == "go_out" and not slots
    if state["phase"] == "answer" and seat in after(state, state["turn"]):
        if verb == "claim_formation":
            return len(slots) == 2 and slots[0] < slots[1] and all(s in hand for s in slots)
        return verb in ("pass", "claim_go_out") and not slots
    return False


def on_toss(state: State, number: int) -> None:
    state.update(first=present(state)[number], phase="shuffle")


def on_shuffle(state: State) -> None:
    top = state["next_slot"]
    state.update(deck_top=top, deck_end=top + 120, next_slot=top + 120, phase="deal")


def deal_moves(state: State) -> list[tuple[int, int]]:
    order = [seat for seat in present(state) for _ in range(12)]
    return [(state["deck_top"] + place, seat) for place, seat in enumerate(order)]


def on_deal(state: State) -> None:
    moves = deal_moves(state)
    state["hands"] = [[slot for slot, to in moves if to == s] for s in range(state["seats"])]
    state["deck_top"] += len(moves)
    begin_turn(state, state["first"])


def begin_turn(state: State, seat: int) -> None:
    if state["deck_top"] == state["deck_end"]:
        nothing = [0] * state["seats"]
        wash: tuple[Any, ...] = ("Result", "washed_out", NO_ONE, nothing, list(state["scores"]), [])
        state.update(result=wash, phase="settle")
    else:
        state.update(turn=seat, chosen=None, phase="draw")


def on_draw(state: State) -> None:
    slot = state["deck_top"]
    state["hands"][state["turn"]] = [*state["hands"][state["turn"]], slot]
    state.update(drawn=slot, deck_top=slot + 1, phase="reveil")


def mixer(state: State) -> int:
    """Who re-veils its hand now."""
    seat: int = state["mixing"][0] if state["phase"] == "mix" else state["turn"]
    return seat


def fresh_slots(state: State) -> list[int]:
    size = len(state["hands"][mixer(state)])
    return list(range(state["next_slot"], state["next_slot"] + size))


def on_reveil(state: State) -> None:
    fresh, seat = fresh_slots(state), mixer(state)
    state["hands"][seat] = fresh
    if state["phase"] == "mix":
        state["mixing"] = state["mixing"][1:]
        phase = "mix" if state["mixing"] else "claim"
    else:
        phase = "turn"
    state.update(next_slot=state["next_slot"] + len(fresh), phase=phase)


def on_turn(state: State, chosen: tuple[Any, ...]) -> None:
    state.update(chosen=chosen, phase="discard" if chosen[2] == "discard" else "win")


def on_discard(state: State, opened: list[list[Any]]) -> None:
    [(slot, face)] = opened
    turn = state["turn"]
    state["hands"][turn] = [other for other in state["hands"][turn] if other != slot]
    state["discards"] = [*state["discards"], ("Discard", slot, face, turn, NO_ONE)]
    state.update(drawn=-1, chosen=None, phase="answer")
    if face == "G":
        begin_turn(state, after(state, turn)[0])


def on_answers(state: State, answers: list[tuple[Any, ...]]) -> None:
    claims = [answer for answer in answers if answer[2] != "pass"]
    if not claims:
        begin_turn(state, after(state, state["turn"])[0])
    elif claims[0][2] == "claim_go_out":
        state.update(chosen=claims[0], phase="win")
    else:
        mixing = [claim[1] for claim in claims[1:] if claim[2] == "claim_formation"]
        phase = "mix" if mixing else "claim"
        state.update(chosen=claims[0], mixing=mixing, phase=phase)


def take_discard(state: State, seat: int) -> tuple[int, str, int]:
    name, slot, face, giver, _ = state["discards"][-1]
    state["discards"] = [*state["discards"][:-1], (name, slot, face, giver, seat)]
    return slot, face, giver


def in_order(cards: list[list[Any]]) -> list[list[Any]]:
    return sorted(cards, key=lambda card: (RANK[card[1]], card[0]))


def on_claim(state: State, opened: list[list[Any]]) -> None:
    seat = state["chosen"][1]
    slot, face, giver = take_discard(state, seat)
    cards = in_order([*opened, [slot, face]])
    slots, faces = [card[0] for card in cards], [card[1] for card in cards]
    if not stands_for(faces):
        raise Foul(seat, "claim-without-formation")
    used = [card[0] for card in opened]
    state["hands"][seat] = [other for other in state["hands"][seat] if other not in used]
    state["melds"][seat] = [*state["melds"][seat], ("FaceUp", slots, faces, slot, giver)]
    state.update(turn=seat, chosen=None, phase="turn")
    if len(state["melds"][seat]) == 4:
        on_turn(state, action(seat, "go_out", []))


def on_win(state: State, opened: list[list[Any]]) -> None:
    seat, verb = state["chosen"][1:3]
    state["turn"] = seat
    claimed = None
    if verb == "claim_go_out":
        slot, claimed, _ = take_discard(state, seat)
        state["hands"][seat] = [*state["hands"][seat], slot]
        opened = [*opened, [slot, claimed]]
    hand = [face for _, face in opened]
    melds = [meld[2] for meld in state["melds"][seat]]
    generals = sum(card[2] == "G" and card[3] == seat for card in state["discards"])
    combos = best_combos(hand, melds, claimed, generals)
    if combos is None:
        raise Foul(seat, "hand-does-not-go-out")
    total = sum(points for _, points in combos)
    points = [total if other == seat else 0 for other in range(state["seats"])]
    scores = [old + new for old, new in zip(state["scores"], points, strict=True)]
    details = [[name, value] for name, value in combos]
    result = ("Result", "won", seat, points, scores, details)
    state.update(shown=in_order(opened), result=result, phase="settle")


def on_settle(state: State) -> None:
    _, _, winner, _, scores, _ = state["result"]
    state.update(scores=scores, hands_ended=state["hands_ended"] + 1, chosen=None)
    if max(scores) >= state["target"]:
        state.update(phase="over", outcome="finished")
    else:
        deal_again(state, state["first"] if winner == NO_ONE else winner)


def deal_again(state: State, first: int) -> None:
    new = start(state["seats"], state["target"], 0, [])
    kept = ("target", "present", "scores", "hands_ended", "next_slot", "outcome")
    new.update({name: state[name] for name in kept})
    new.update(first=first, phase="shuffle")
    state.update(new)


def void(state: State, out: Sequence[int]) -> None:
    state["present"] = [here and s not in out for s, here in enumerate(state["present"])]
    first = state["first"]
    if sum(state["present"]) < 2:
        deal_again(state, first)
        state.update(phase="over", outcome="abandoned")
    elif first != NO_ONE:
        deal_again(state, first if state["present"][first] else after(state, first)[0])


def winners(state: State) -> list[int]:
    if state["outcome"] != "finished":
        return []
    best = max(state["scores"][seat] for seat in present(state))
    return [seat for seat in present(state) if state["scores"][seat] == best]


# --- In the language of the vectors -------------------------------------------------------------


def waits(state: State) -> list[Any]:
    """What the state waits for."""
    phase, turn, free = state["phase"], state["turn"], state["next_slot"]
    if phase == "toss":
        return ["toss", len(present(state))]
    if phase == "shuffle":
        return ["shuffle", "deck", [free, free + 119], True]
    if phase == "deal":
        moves = deal_moves(state)
        return ["draw", [[s, *(slot for slot, to in moves if to == s)] for s in present(state)]]
    if phase == "draw":
        return ["draw", [[turn, state["deck_top"]]]]
    if phase in ("reveil", "mix"):
        fresh = fresh_slots(state)
        return ["reveil", mixer(state), state["hands"][mixer(state)], [fresh[0], fresh[-1]]]
    if phase in ("turn", "answer"):
        is_turn = phase == "turn"
        return [
            "decide",
            [turn] if is_turn else after(state, turn),
            "open" if is_turn else "secret",
        ]
    if phase in ("discard", "claim"):
        return ["open", state["chosen"][1], state["chosen"][3]]
    if phase == "win":
        return ["open", state["chosen"][1], state["hands"][state["chosen"][1]]]
    return ["settle", *state["result"][1:]] if phase == "settle" else ["over"]


FOLLOWS: dict[str, Callable[[State, Any], None]] = {
    "toss": on_toss,
    "shuffle": lambda state, _: on_shuffle(state),
    "deal": lambda state, _: on_deal(state),
    "draw": lambda state, _: on_draw(state),
    "reveil": lambda state, _: on_reveil(state),
    "mix": lambda state, _: on_reveil(state),
    "turn": lambda state, acts: on_turn(state, action(*acts[0])),
    "discard": on_discard,
    "answer": lambda state, acts: on_answers(state, [action(*act) for act in acts]),
    "claim": on_claim,
    "win": on_win,
    "settle": lambda state, _: on_settle(state),
}


def move(state: State, what: str, how: Any) -> None:
    """What came of what the state waited for."""
    if what == "void":
        void(state, how)
    else:
        FOLLOWS[state["phase"]](state, how)
