"""The tiny game of the tests, a second time: written from the words at the head of `tiny.py`.

Its state has the fields of that game's, for they make its digest. Imports nothing of the project.
"""

from collections.abc import Sequence
from typing import Any

from tests.support.second_war_jhong import NO_ONE, Foul, State, action, after, present

COPIES, HAND, TURNS_MAX = 4, 2, 3


class Tiny:
    """The rules with so many kinds of cards, as the program of a table asks for them."""

    def __init__(self, kinds: int) -> None:
        self.FACES = list("ABCDE"[:kinds])
        self.DECK = self.FACES * COPIES
        self.SEATS = range(2, (len(self.DECK) - TURNS_MAX) // HAND + 1)

    def has_options(self, target: int, rounds: int) -> bool:
        return rounds == 0

    def start(self, seats: int, target: int, rounds: int, oldest: Sequence[int]) -> State:
        state = {
            "seats": seats,
            "target": target or 2,
            "present": [True] * seats,
            "scores": [0] * seats,
            "hands_ended": 0,
            "first": NO_ONE,
            "die": 0,
            "next_slot": 0,
        }
        return {**state, **nothing_dealt(seats), "phase": "lot", "outcome": ""}

    def waits(self, state: State) -> list[Any]:
        phase, turn, free = state["phase"], state["turn"], state["next_slot"]
        match phase:
            case "lot":
                return ["toss", len(present(state))]
            case "toss":
                return ["toss", 6]
            case "shuffle":
                return ["shuffle", "deck", [free, free + len(self.DECK) - 1], True]
            case "deal":
                return ["draw", deal(state)]
            case "draw":
                return ["draw", [[turn, state["deck"][0]]]]
            case "reveil":
                hand = state["hands"][turn]
                return ["reveil", turn, hand, [free, free + len(hand) - 1]]
            case "turn":
                return ["decide", [turn], "open"]
            case "answer":
                return ["decide", around(state, turn), "secret"]
            case "open":
                _, seat, _, slots, _ = state["chosen"]
                return ["open", seat, slots or state["hands"][seat]]
            case "settle":
                return ["settle"]
            case _:
                return ["over"]

    def is_legal(self, state: State, seat: int, verb: str, slots: list[int], target: int) -> bool:
        if target != NO_ONE:
            return False
        if verb in ("show", "pass"):
            return not slots and state["phase"] == {"show": "turn", "pass": "answer"}[verb]
        is_time = state["phase"] == {"discard": "turn", "claim": "answer"}.get(verb)
        return is_time and len(slots) == 1 and slots[0] in state["hands"][seat]

    def winners(self, state: State) -> list[int]:
        best = max(state["scores"][seat] for seat in present(state))
        return [seat for seat in present(state) if state["scores"][seat] == best]

    def move(self, state: State, what: str, how: Any) -> None:
        if what == "void":
            void(state, how)
            return
        turn, hands = state["turn"], state["hands"]
        match state["phase"]:
            case "lot":
                state.update(first=present(state)[how], phase="toss")
            case "toss":
                state.update(die=how + 1, phase="shuffle")
            case "shuffle":
                free = state["next_slot"]
                end = free + len(self.DECK)
                state.update(deck=list(range(free, end)), next_slot=end, phase="deal")
            case "deal":
                for seat, *slots in deal(state):
                    hands[seat] = slots
                state["deck"] = state["deck"][HAND * len(present(state)) :]
                begin_turn(state, state["first"])
            case "draw":
                hands[turn] = [*hands[turn], state["deck"][0]]
                state.update(deck=state["deck"][1:], phase="reveil")
            case "reveil":
                end = state["next_slot"] + len(hands[turn])
                hands[turn] = list(range(state["next_slot"], end))
                state.update(next_slot=end, phase="turn")
            case "turn":
                state.update(chosen=action(*how[0]), phase="open")
            case "answer":
                claims = [one for one in how if one[1] == "claim"]
                if claims:
                    state.update(chosen=action(*claims[0]), phase="open")
                else:
                    begin_turn(state, around(state, turn)[0])
            case "open":
                opened(state, how)
            case "settle":
                settled(state)


def nothing_dealt(seats: int) -> State:
    return {
        "phase": "shuffle",
        "turn": NO_ONE,
        "turns": 0,
        "deck": [],
        "hands": [[] for _ in range(seats)],
        "table": [],
        "chosen": None,
        "result": None,
    }


def around(state: State, seat: int) -> list[int]:
    """The others in the order of turns, which an odd die lets go to the right."""
    right = after(state, seat)
    return right if state["die"] % 2 else right[::-1]


def deal(state: State) -> list[list[int]]:
    deck, seats = state["deck"], present(state)
    return [[seat, *deck[HAND * at : HAND * at + HAND]] for at, seat in enumerate(seats)]


def begin_turn(state: State, seat: int) -> None:
    if state["turns"] == TURNS_MAX:
        end(state, NO_ONE)
    else:
        state.update(turn=seat, turns=state["turns"] + 1, chosen=None, phase="draw")


def opened(state: State, cards: list[list[Any]]) -> None:
    _, seat, verb, _, _ = state["chosen"]
    faces = [face for _, face in cards]
    if verb == "claim" and faces != [state["table"][-1][1]]:
        raise Foul(seat, "claim-without-pair")
    if verb == "show" and len(set(faces)) == len(faces):
        raise Foul(seat, "shown-without-pair")
    slots = [slot for slot, _ in cards]
    state["hands"][seat] = [slot for slot in state["hands"][seat] if slot not in slots]
    state["table"] = [*state["table"], *([slot, face] for slot, face in cards)]
    state["chosen"] = None
    if verb == "discard":
        state["phase"] = "answer"
    else:
        end(state, seat)


def end(state: State, winner: int) -> None:
    points = [int(seat == winner) for seat in range(state["seats"])]
    scores = [had + more for had, more in zip(state["scores"], points, strict=True)]
    kind = "washed_out" if winner == NO_ONE else "won"
    state.update(phase="settle", result=("Result", kind, winner, points, scores, []))


def settled(state: State) -> None:
    state["scores"] = state["result"][4]
    state["hands_ended"] += 1
    if state["hands_ended"] == state["target"]:
        state.update(phase="over", outcome="finished")
    else:
        state.update(nothing_dealt(state["seats"]))


def void(state: State, out: list[int]) -> None:
    for seat in out:
        state["present"][seat] = False
    state.update(nothing_dealt(state["seats"]))
    here = present(state)
    if len(here) < 2:
        state.update(phase="over", outcome="abandoned")
    elif state["first"] == NO_ONE:
        state["phase"] = "lot"
    else:
        if state["first"] not in here:
            state["first"] = after(state, state["first"])[0]
        if not state["die"]:
            state["phase"] = "toss"
