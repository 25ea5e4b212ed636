"""The public state of Samurai Warfare, a second time: written from `protocol/samurai-warfare.md`
alone, whose table of cards it reads. Imports nothing of the project.

A state is a dict in the order of the page's fields; records within it are tuples that begin with
their names, lists are lists. `waits` and `move` speak the language of the vectors.
"""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tests.support.second_war_jhong import Foul, State, present, winners

PAGE = Path(__file__).resolve().parent.parent.parent / "protocol" / "samurai-warfare.md"
ROW = re.compile(
    r"^\| `([a-z-]+)` \| (\d) \| `(\w+)` \| (\d+) \| (.*?) ?\| (.*?) ?\|$", re.MULTILINE
)

Step = tuple[Any, ...]
Aim = tuple[int, int]  # the slot of a card in play, or -1; a seat, or -1
NONE: Aim = (-1, -1)


class Card:
    """One row of the page's table of cards."""

    def __init__(self, row: tuple[str, ...]) -> None:
        self.face, copies, self.type, force, traits, action = row
        self.copies, self.force = int(copies), int(force)
        self.traits = re.findall(r"`(\w+)`", traits)
        self.action = action.strip("` ")


CARDS = {row[0]: Card(row) for row in ROW.findall(PAGE.read_text(encoding="utf-8"))}
FACES = list(CARDS)
RANK = {face: rank for rank, face in enumerate(FACES)}
SEATS = range(2, 7)
DECK = [face for face, card in CARDS.items() for _ in range(card.copies)]
TACTICS_OF = {
    "shogun": ["take of next 5"],
    "terrain": ["steal"],
    "samurai": ["draw 3", "discard own 2"],
    "ashigaru": ["draw 2"],
    "strategy": ["draw 1", "look"],
    "special": ["lose at random"],
}


def has_options(target: int, rounds: int) -> bool:
    return rounds == 0 and target <= 1000


def start(seats: int, target: int, rounds: int, oldest: Sequence[int]) -> State:
    shogun = oldest[0] if len(oldest) == 1 else -1
    return {
        "seats": seats,
        "target": target or 5,
        "present": [True] * seats,
        "scores": [0] * seats,
        "turns_settled": 0,
        "turn_number": 1,
        "shogun": shogun,
        "next_slot": 0,
        "phase": "setup",
        "turn": -1,
        "passes": 0,
        "queue": [("ShuffleAll",) if shogun >= 0 else ("TossFirst",)],
        "deck": [],
        "peeked": [],
        "hands": [[] for _ in range(seats)],
        "has_traces": [False] * seats,
        "proven": [[] for _ in range(seats)],
        "in_play": [[] for _ in range(seats)],
        "fallen": [[] for _ in range(seats)],
        "playing": None,
        "discards": [],
        "result": None,
        "outcome": "",
    }


def order(state: State, first: int) -> list[int]:
    seats = present(state)
    return [s for s in seats if s >= first] + [s for s in seats if s < first]


def next_seat(state: State) -> int:
    return order(state, state["shogun"] if state["turn"] == -1 else state["turn"] + 1)[0]


# --- What may be played -----------------------------------------------------------------------


def is_a(face: str, kind: str) -> bool:
    return kind in (CARDS[face].type, *CARDS[face].traits)


def fits(face: str, destroy: str) -> bool:
    kind, _, but = destroy.removeprefix("destroy ").partition(" but no ")
    return is_a(face, kind) and but not in CARDS[face].traits


def limit(kind: str, played: list[str]) -> int:
    return 1 + sum(CARDS[face].action == f"extra {kind}" for face in played)


def open_types_of(in_play: list[str], fallen: list[str]) -> list[str]:
    held = [CARDS[face].type for face in in_play]
    return [kind for kind in TACTICS_OF if held.count(kind) < limit(kind, in_play + fallen)]


def total(in_play: list[str], fallen: list[str]) -> int:
    bonuses = [CARDS[face].action.removeprefix("bonus ") for face in in_play + fallen]
    worth = sum(CARDS[face].force for face in in_play)
    return worth + 3 * sum(bonuses.count(trait) for f in in_play for trait in CARDS[f].traits)


def line(state: State, seat: int) -> tuple[list[str], list[str]]:
    return [card[2] for card in state["in_play"][seat]], state["fallen"][seat]


def open_types(state: State, seat: int) -> list[str]:
    return open_types_of(*line(state, seat)) if state["phase"] == "battle" else list(TACTICS_OF)


def barred_faces(state: State, seat: int) -> list[str]:
    allowed = open_types(state, seat)
    cards = [*state["discards"], *(card for cards in state["in_play"] for card in cards)]
    cards += [state["playing"]] if state["playing"] else []
    seen = [card[2] for card in cards]
    return [
        face
        for face, card in CARDS.items()
        if card.type not in allowed and seen.count(face) < card.copies
    ]


def effects(state: State, face: str) -> list[str]:
    if state["phase"] == "battle":
        return [CARDS[face].action] if CARDS[face].action else []
    return TACTICS_OF[CARDS[face].type]


def aims(state: State, seat: int, listed: list[str]) -> list[Aim]:
    others = [other for other in present(state) if other != seat]
    for effect in listed:
        found: list[Aim] = []
        if effect in ("steal", "look") or effect.startswith("lose"):
            found = [(-1, other) for other in others if state["hands"][other]]
        elif effect.startswith("destroy"):
            found = [
                (card[1], other)
                for other in others
                for card in state["in_play"][other]
                if fits(card[2], effect)
            ]
        if found:
            return found
    return [NONE]


def is_legal(state: State, seat: int, verb: str, slots: list[int], target: int) -> bool:
    name, *fields = state["queue"][0]
    if not name.startswith("Choose") or fields[0] != seat or reveiled_first(state) >= 0:
        return False
    hand = state["hands"][seat]
    if name == "ChooseTaken":
        return verb == "take" and target == -1 and len(slots) == 1 and slots[0] in fields[1]
    if verb == "pass":
        may = not fields[1] if name == "ChooseDiscards" else can_pass(state, seat)
        return may and not slots and target == -1
    if name == "ChooseDiscards":
        least, most = fields[1:3]
        is_hand = set(slots) <= set(hand) and slots == sorted(set(slots))
        is_right = verb == "discard" and target == -1 and is_hand
        return is_right and max(least, 1) <= len(slots) <= most
    if verb != "play" or not slots or slots[0] not in hand or len(slots) > 2:
        return False
    aim = (slots[1] if len(slots) == 2 else -1, target)
    allowed = [face for face, card in CARDS.items() if card.type in open_types(state, seat)]
    return any(aim in aims(state, seat, effects(state, face)) for face in allowed)


def can_pass(state: State, seat: int) -> bool:
    return state["phase"] != "battle" or bool(barred_faces(state, seat))


# --- What is waited for -----------------------------------------------------------------------


def reveiled_first(state: State) -> int:
    """The seat whose hand is re-veiled before the step under way, or -1."""
    name, *fields = state["queue"][0]
    of = {"ChooseDiscards": 0, "ChoosePlay": 0, "Look": 1, "Pick": 0}
    if name not in of:
        return -1
    seat: int = fields[of[name]]
    return seat if state["has_traces"][seat] and len(state["hands"][seat]) > 1 else -1


def fresh(state: State, count: int) -> list[int]:
    return [state["next_slot"], state["next_slot"] + count - 1]


def drawn(state: State, wants: list[list[int]]) -> list[list[int]]:
    """Who draws what now: [seat, slot, ..]."""
    deck, moves = list(state["deck"]), []
    for seat, count in wants:
        slots, deck = deck[:count], deck[count:]
        moves += [[seat, *slots]] if slots else []
    return moves


def waits(state: State) -> list[Any]:
    """What the state waits for, as the vectors write it."""
    if not state["queue"]:
        return ["over"]
    if (seat := reveiled_first(state)) >= 0:
        hand = state["hands"][seat]
        return ["reveil", seat, hand, fresh(state, len(hand))]
    name, *fields = state["queue"][0]
    if name in ("Fill", "LookAhead") and not state["deck"]:
        faces = sorted((card[2] for card in state["discards"]), key=RANK.__getitem__)
        return ["shuffle", faces, fresh(state, len(faces)), False]
    if name == "SettleTurn":
        return ["settle", *state["result"][1:]]
    if name.startswith("Choose"):
        return ["decide", [fields[0]], "open"]
    return WAITS[name](state, *fields)


WAITS: dict[str, Callable[..., list[Any]]] = {
    "TossFirst": lambda state: ["toss", len(present(state))],
    "ShuffleAll": lambda state: ["shuffle", "deck", fresh(state, len(DECK)), True],
    "Fill": lambda state, wants: ["draw", drawn(state, wants)],
    "LookAhead": lambda state, seat, cards: ["peek", seat, state["deck"][:cards]],
    "TakeCard": lambda state, seat, slot: ["draw", [[seat, slot]]],
    "Drop": lambda state, seat, slots, why: ["open", seat, slots],
    "Reveal": lambda state, seat, slot, destroyed, target: ["open", seat, [slot]],
    "Prove": lambda state, seat: ["prove", seat, state["hands"][seat], barred_faces(state, seat)],
    "Look": lambda state, seat, target: ["show", target, seat, state["hands"][target]],
    "Pick": lambda state, target, thief: ["toss", len(state["hands"][target])],
    "HandOver": lambda state, thief, target, slot: ["give", target, thief, slot],
}


# --- What follows -----------------------------------------------------------------------------


def become(state: State, *steps: Step) -> None:
    state["queue"] = [*steps, *state["queue"][1:]]


def come_into(state: State, seat: int, slots: list[int]) -> None:
    hand = state["hands"][seat]
    is_unseen = not hand and not set(slots) & set(state["peeked"])
    state["has_traces"][seat] = not is_unseen
    state["proven"][seat] = []
    state["hands"][seat] = sorted([*hand, *slots])
    state["peeked"] = [slot for slot in state["peeked"] if slot not in slots]


def leave_hand(state: State, seat: int, slots: list[int]) -> None:
    state["hands"][seat] = [slot for slot in state["hands"][seat] if slot not in slots]


def new_slots(state: State, count: int) -> list[int]:
    first, last = fresh(state, count)
    state["next_slot"] = last + 1
    return list(range(first, last + 1))


def on_fill(state: State, how: Any, wants: list[list[int]]) -> None:
    got = {seat: slots for seat, *slots in drawn(state, wants)}
    for seat, slots in got.items():
        state["deck"] = [slot for slot in state["deck"] if slot not in slots]
        come_into(state, seat, slots)
    rest = [[seat, count - len(got.get(seat, []))] for seat, count in wants]
    rest = [want for want in rest if want[1]]
    become(state, *([("Fill", rest)] if rest else []))


def on_look_ahead(state: State, how: Any, seat: int, cards: int) -> None:
    slots = state["deck"][:cards]
    state["peeked"] = sorted({*state["peeked"], *slots})
    become(state, ("ChooseTaken", seat, slots))


def on_take(state: State, how: Any, seat: int, slot: int) -> None:
    state["deck"] = [other for other in state["deck"] if other != slot]
    come_into(state, seat, [slot])
    become(state)


def on_discards(state: State, how: Any, seat: int, least: int, most: int, refills: bool) -> None:
    ((_, verb, slots, _),) = how
    if verb == "pass":
        become(state)
        return
    why = "effect" if least else state["phase"]
    fill = [("Fill", [[seat, len(slots)]])] if refills else []
    become(state, ("Drop", seat, slots, why), *fill)


def on_drop(state: State, how: Any, seat: int, slots: list[int], why: str) -> None:
    leave_hand(state, seat, slots)
    state["discards"] = [*state["discards"], *(("FaceUp", slot, face) for slot, face in how)]
    become(state)


def on_play(state: State, how: Any, seat: int) -> None:
    ((_, verb, slots, target),) = how
    if verb == "play":
        destroyed = slots[1] if len(slots) > 1 else -1
        become(state, ("Reveal", seat, slots[0], destroyed, target))
    else:
        become(state, *([("Prove", seat)] if state["phase"] == "battle" else []))


def on_reveal(state: State, how: Any, seat: int, slot: int, destroyed: int, target: int) -> None:
    ((_, face),) = how
    listed = effects(state, face)
    if CARDS[face].type not in open_types(state, seat):
        raise Foul(seat, "card-not-playable")
    if (destroyed, target) not in aims(state, seat, listed):
        raise Foul(seat, "wrong-target")
    steps = [step for effect in listed for step in steps_of(effect, seat, target)]
    leave_hand(state, seat, [slot])
    if state["phase"] == "battle":
        state["in_play"][seat] = [*state["in_play"][seat], ("FaceUp", slot, face)]
        state["passes"] = 0
        if destroyed >= 0:
            destroy(state, destroyed, target)
    else:
        state["playing"] = ("FaceUp", slot, face)
    become(state, *steps)


def destroy(state: State, slot: int, owner: int) -> None:
    (card,) = [card for card in state["in_play"][owner] if card[1] == slot]
    state["in_play"][owner] = [other for other in state["in_play"][owner] if other != card]
    state["fallen"][owner] = [*state["fallen"][owner], card[2]]
    state["discards"] = [*state["discards"], card]


def steps_of(effect: str, seat: int, target: int) -> list[Step]:
    *words, last = effect.split()
    count = int(last) if last.isdecimal() else 0
    if effect.startswith("draw"):
        return [("Fill", [[seat, count]])]
    if effect.startswith("discard own"):
        return [("ChooseDiscards", seat, count, count, False)]
    if effect.startswith("take of next"):
        return [("LookAhead", seat, count)]
    if target < 0 or words[:1] in (["bonus"], ["extra"], ["destroy"]):
        return []
    if effect == "lose at random":
        return [("Pick", target, -1)]
    if effect.startswith("lose"):
        return [("ChooseDiscards", target, count, count, False)]
    return {"steal": [("Pick", target, seat)], "look": [("Look", seat, target)]}.get(effect, [])


def on_prove(state: State, how: Any, seat: int) -> None:
    allowed = open_types(state, seat)
    state["proven"][seat] = [kind for kind in TACTICS_OF if kind not in allowed]
    state["passes"] += 1
    become(state)


def on_look(state: State, how: Any, seat: int, target: int) -> None:
    state["has_traces"][target] = True
    become(state)


def on_pick(state: State, number: int, target: int, thief: int) -> None:
    slot = state["hands"][target][number]
    dropped = ("Drop", target, [slot], "random")
    become(state, dropped if thief == -1 else ("HandOver", thief, target, slot))


def on_hand_over(state: State, how: Any, thief: int, target: int, slot: int) -> None:
    leave_hand(state, target, [slot])
    come_into(state, thief, [slot])
    become(state)


def on_settle(state: State, how: Any) -> None:
    state["scores"] = state["result"][4]
    state["turns_settled"] += 1
    if max(state["scores"]) >= state["target"]:
        state.update(phase="over", outcome="finished", turn=-1, queue=[])
        return
    for seat in order(state, state["shogun"]):
        state["discards"] = [*state["discards"], *state["in_play"][seat]]
    state["in_play"], state["fallen"] = ([[] for _ in range(state["seats"])] for _ in range(2))
    become(state)
    enter(state, "shogun")


def on_toss_first(state: State, number: int) -> None:
    state["shogun"] = present(state)[number]
    become(state, ("ShuffleAll",))


def on_shuffle_all(state: State, how: Any) -> None:
    state["deck"] = new_slots(state, len(DECK))
    become(state)


def on_taken(state: State, how: Any, seat: int, slots: list[int]) -> None:
    become(state, ("TakeCard", seat, how[0][2][0]))


FOLLOWS: dict[str, Callable[..., None]] = {
    "TossFirst": on_toss_first,
    "ShuffleAll": on_shuffle_all,
    "Fill": on_fill,
    "LookAhead": on_look_ahead,
    "ChooseTaken": on_taken,
    "TakeCard": on_take,
    "ChooseDiscards": on_discards,
    "Drop": on_drop,
    "ChoosePlay": on_play,
    "Reveal": on_reveal,
    "Prove": on_prove,
    "Look": on_look,
    "Pick": on_pick,
    "HandOver": on_hand_over,
    "SettleTurn": on_settle,
}


def move(state: State, what: str, how: Any) -> None:
    """What came of what the state waited for, as the vectors write it."""
    if what == "void":
        void(state, how)
        return
    asked = waits(state)
    name, *fields = state["queue"][0]
    if asked[0] == "reveil":
        seat = asked[1]
        state["hands"][seat] = new_slots(state, len(asked[2]))
        state["has_traces"][seat] = False
    elif asked[0] == "shuffle" and not asked[3]:
        state["deck"], state["discards"] = new_slots(state, len(asked[1])), []
    else:
        FOLLOWS[name](state, how, *fields)
    go_on(state)


def go_on(state: State) -> None:
    """What is not waited for, and the phases."""
    while state["phase"] != "over":
        if not state["queue"]:
            PHASES[state["phase"]](state)
        elif not skipped(state):
            return


def skipped(state: State) -> bool:
    """Does at once what is not waited for."""
    name, *fields = state["queue"][0]
    empty = not state["deck"] and not state["discards"]
    if (name == "Fill" and (empty or not fields[0])) or (name == "LookAhead" and empty):
        become(state)
        return True
    if name == "ChooseTaken" and len(fields[1]) == 1:
        become(state, ("TakeCard", fields[0], fields[1][0]))
        return True
    if name == "Pick" and len(state["hands"][fields[0]]) == 1:
        on_pick(state, 0, *fields)
        return True
    return name in ("ChooseDiscards", "ChoosePlay") and skipped_choice(state, name, *fields)


def skipped_choice(state: State, name: str, seat: int, least: int = 0, *more: Any) -> bool:
    hand, is_battle = state["hands"][seat], state["phase"] == "battle"
    if name == "ChooseDiscards":
        if hand and (len(hand) > least or reveiled_first(state) >= 0):
            return False
        become(state, *([("Drop", seat, hand, "effect")] if hand else []))
        return True
    allowed, proven = open_types(state, seat), state["proven"][seat]
    cannot = is_battle and (not allowed or (proven and not set(proven) & set(allowed)))
    if hand and not cannot:
        return False
    become(state)
    state["passes"] += is_battle
    return True


# --- Phases -----------------------------------------------------------------------------------


def enter(state: State, phase: str) -> None:
    state.update(phase=phase, turn=-1)


def ask_next(state: State, step_of: Callable[[int], Step]) -> bool:
    """Asks the next seat; False if all have been asked."""
    seat = next_seat(state)
    if state["turn"] != -1 and seat == order(state, state["shogun"])[0]:
        return False
    state.update(turn=seat, queue=[step_of(seat)])
    return True


def begin_turn(state: State) -> None:
    state.update(passes=0, result=None)
    enter(state, "preparations")
    lacks = [[seat, 8 - len(state["hands"][seat])] for seat in order(state, state["shogun"])]
    state["queue"] = [("Fill", [want for want in lacks if want[1] > 0])]


def in_strategy(state: State) -> None:
    if not ask_next(state, lambda seat: ("ChooseDiscards", seat, 0, 3, True)):
        enter(state, "tactics")


def in_tactics(state: State) -> None:
    if state["playing"]:
        state.update(discards=[*state["discards"], state["playing"]], playing=None)
    if not ask_next(state, lambda seat: ("ChoosePlay", seat)):
        enter(state, "battle")


def in_battle(state: State) -> None:
    if state["passes"] == len(present(state)):
        enter(state, "victory")
        return
    seat = next_seat(state)
    state.update(turn=seat, queue=[("ChoosePlay", seat)])


def in_victory(state: State) -> None:
    totals = {seat: total(*line(state, seat)) for seat in present(state)}
    best = [seat for seat in totals if totals[seat] == max(totals.values())]
    winner = best[0] if len(best) == 1 else -1
    points = [int(seat == winner) for seat in range(state["seats"])]
    scores = [old + new for old, new in zip(state["scores"], points, strict=True)]
    details = [[f"force_{seat}", force] for seat, force in totals.items()]
    kind = "won" if winner >= 0 else "tied"
    state["result"] = ("Result", kind, winner, points, scores, details)
    state["queue"] = [("SettleTurn",)]


def in_shogun(state: State) -> None:
    winner = state["result"][2]
    if winner >= 0:
        state["shogun"] = winner
    enter(state, "end")


def in_end(state: State) -> None:
    if not ask_next(state, lambda seat: ("ChooseDiscards", seat, 0, 1, False)):
        state["turn_number"] += 1
        begin_turn(state)


PHASES: dict[str, Callable[[State], None]] = {
    "setup": begin_turn,
    "preparations": lambda state: enter(state, "strategy"),
    "strategy": in_strategy,
    "tactics": in_tactics,
    "battle": in_battle,
    "victory": in_victory,
    "shogun": in_shogun,
    "end": in_end,
}


def void(state: State, out: Sequence[int]) -> None:
    here = [is_here and s not in out for s, is_here in enumerate(state["present"])]
    new = start(state["seats"], state["target"], 0, [])
    kept = ("scores", "turns_settled", "turn_number", "shogun", "next_slot")
    new.update({name: state[name] for name in kept}, present=here)
    new["turn_number"] += state["phase"] in ("shogun", "end")
    new["queue"] = [("TossFirst",) if new["shogun"] == -1 else ("ShuffleAll",)]
    state.update(new)
    if sum(here) < 2:
        state.update(phase="over", outcome="abandoned", queue=[])
    elif state["shogun"] != -1 and not here[state["shogun"]]:
        state["shogun"] = order(state, state["shogun"])[0]


__all__ = ["present", "winners"]
