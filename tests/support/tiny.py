"""A tiny game for tests of the session: every step that War Jhong has, with few cards.

Who begins is drawn, and a die cast: odd has turns go round to the right, even to the left. Each
seat gets two cards. In turn a seat draws, re-veils and either discards or shows a pair, which ends
the hand; the others answer a discard in secret, by claiming it with an equal card or passing.
Rulings G4 to G6 hold as in the real games.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from p2pjong.games.game import (
    NOBODY,
    Action,
    Decide,
    Draw,
    Event,
    Face,
    Facts,
    Foul,
    IllegalAction,
    Known,
    Open,
    Options,
    Over,
    Pending,
    Result,
    Reveil,
    Seat,
    Settle,
    Shuffle,
    Slot,
    Toss,
    View,
    Way,
)

COPIES = 4
DEAL = 2
TURNS_MAX = 3  # of one hand, which then ends without a winner
DIE = 6


@dataclass(frozen=True)
class State:
    """Public facts alone, as in every game."""

    seats: int
    target: int
    present: tuple[bool, ...]
    scores: tuple[int, ...]
    hands_ended: int = 0
    first: Seat = NOBODY
    die: int = 0  # 0: not cast yet
    next_slot: Slot = 0
    phase: str = "lot"
    turn: Seat = NOBODY
    turns: int = 0
    deck: tuple[Slot, ...] = ()
    hands: tuple[tuple[Slot, ...], ...] = ()
    table: tuple[tuple[Slot, Face], ...] = ()  # all that lies open
    chosen: Action | None = None
    result: Result | None = None
    outcome: str = ""


class TinyGame:
    """Implements `Game`."""

    title = "Tiny"
    seats_min = 2

    def __init__(self, kinds: int) -> None:
        self.name = f"tiny-{kinds}"
        self.deck: tuple[Face, ...] = tuple("ABCDE"[:kinds]) * COPIES
        self.seats_max = (len(self.deck) - TURNS_MAX) // DEAL

    def start(self, seats: int, options: Options) -> State:
        if options.rounds or not self.seats_min <= seats <= self.seats_max:
            raise ValueError("no such table")
        hands = ((),) * seats
        return State(seats, options.target or 2, (True,) * seats, (0,) * seats, hands=hands)

    # --- What it waits for --------------------------------------------------------------------

    def pending(self, state: State) -> Pending:
        if state.phase == "shuffle":
            first = state.next_slot
            return Shuffle(self.deck, tuple(range(first, first + len(self.deck))), True)
        if state.phase == "over":
            return Over(state.outcome, state.scores, _winners(state), state.hands_ended)
        if state.phase == "settle":
            assert state.result is not None
            return Settle(state.result)
        return _operation(state) or _decision(state)

    def legal(self, state: State, seat: Seat, known: Known) -> tuple[Action, ...]:
        pending = self.pending(state)
        if not isinstance(pending, Decide) or seat not in pending.seats:
            return ()
        hand = state.hands[seat]
        if state.phase == "answer":
            wanted = state.table[-1][1]
            claims = [slot for slot in hand if known.get(slot, wanted) == wanted]
            return (*(Action(seat, "claim", (slot,)) for slot in claims), Action(seat, "pass"))
        discards = tuple(Action(seat, "discard", (slot,)) for slot in hand)
        faces = [known.get(slot, "?") for slot in hand]
        has_pair = "?" in faces or len(set(faces)) < len(faces)
        return (*discards, Action(seat, "show")) if has_pair else discards

    def default(self, state: State, seat: Seat, known: Known) -> Action:
        if state.phase == "answer":
            return Action(seat, "pass")
        return Action(seat, "discard", (state.hands[seat][-1],))

    # --- What follows -------------------------------------------------------------------------

    def decide(self, state: State, actions: tuple[Action, ...]) -> State:
        for action in actions:
            if action not in self.legal(state, action.seat, {}):
                raise IllegalAction("not now")
        if state.phase == "turn":
            return replace(state, chosen=actions[0], phase="open")
        claims = [action for action in actions if action.verb == "claim"]
        if claims:
            return replace(state, chosen=claims[0], phase="open")
        return self._next_turn(state, _after(state, state.turn)[0])

    def resolve(self, state: State, facts: Facts) -> State:
        if state.phase == "lot":
            seats = [seat for seat in range(state.seats) if state.present[seat]]
            return replace(state, first=seats[facts.tossed], phase="toss")
        if state.phase == "toss":
            return replace(state, die=facts.tossed + 1, phase="shuffle")
        if state.phase == "shuffle":
            end = state.next_slot + len(self.deck)
            deck = tuple(range(state.next_slot, end))
            return replace(state, deck=deck, next_slot=end, phase="deal")
        if state.phase == "deal":
            return self._dealt(state)
        if state.phase == "draw":
            hands = _put(state.hands, state.turn, (*state.hands[state.turn], state.deck[0]))
            return replace(state, hands=hands, deck=state.deck[1:], phase="reveil")
        if state.phase == "reveil":
            fresh = _reveil(state).fresh
            hands = _put(state.hands, state.turn, fresh)
            return replace(state, hands=hands, next_slot=fresh[-1] + 1, phase="turn")
        if state.phase == "open":
            return self._opened(state, facts.opened)
        return self._settled(state)

    def _dealt(self, state: State) -> State:
        moves = _deal(state)
        hands = tuple(
            tuple(slot for slot, to in moves if to == seat) for seat in range(state.seats)
        )
        return self._next_turn(
            replace(state, hands=hands, deck=state.deck[len(moves) :]), state.first
        )

    def _next_turn(self, state: State, seat: Seat) -> State:
        if state.turns == TURNS_MAX:
            return _end(state, NOBODY)
        return replace(state, turn=seat, turns=state.turns + 1, chosen=None, phase="draw")

    def _opened(self, state: State, opened: tuple[tuple[Slot, Face], ...]) -> State:
        action = state.chosen
        assert action is not None
        seat, faces = action.seat, [face for _, face in opened]
        if action.verb == "claim" and faces != [state.table[-1][1]]:
            raise Foul(seat, "claim-without-pair")
        if action.verb == "show" and len(set(faces)) == len(faces):
            raise Foul(seat, "shown-without-pair")
        left = tuple(slot for slot in state.hands[seat] if slot not in dict(opened))
        after = replace(
            state,
            hands=_put(state.hands, seat, left),
            table=(*state.table, *opened),
            chosen=None,
        )
        if action.verb == "discard":
            return replace(after, phase="answer")
        return _end(after, seat)

    def _settled(self, state: State) -> State:
        assert state.result is not None
        after = replace(state, scores=state.result.scores, hands_ended=state.hands_ended + 1)
        if after.hands_ended == state.target:
            return replace(after, phase="over", outcome="finished")
        return _deal_again(after)

    def void(self, state: State, out: tuple[Seat, ...]) -> State:
        assert state.phase != "over"
        present = tuple(here and seat not in out for seat, here in enumerate(state.present))
        after = _deal_again(replace(state, present=present))
        if sum(present) < self.seats_min:
            return replace(after, phase="over", outcome="abandoned")
        if state.first == NOBODY:
            return replace(after, phase="lot")
        first = state.first if present[state.first] else _to_right(after, state.first)[0]
        return replace(after, first=first, phase="shuffle" if state.die else "toss")

    # --- What is seen -------------------------------------------------------------------------

    def view(self, state: State, seat: Seat, known: Known) -> View:
        own = state.hands[seat] if seat != NOBODY else ()
        return View(
            game=self.name,
            seat=seat,
            seats=state.seats,
            present=state.present,
            scores=state.scores,
            hand_number=state.hands_ended + (state.phase != "over"),
            hand=tuple((slot, known[slot]) for slot in own if slot in known),
            hand_sizes=tuple(len(hand) for hand in state.hands),
            deck_size=len(state.deck),
        )

    def zones(self, state: State) -> Mapping[str, tuple[Slot, ...]]:
        if not (state.deck or state.table or any(state.hands)):
            return {}
        hands = {f"hand:{seat}": hand for seat, hand in enumerate(state.hands)}
        return {"deck": state.deck, "table": tuple(slot for slot, _ in state.table), **hands}

    def events(
        self, before: State, cause: Facts | tuple[Action, ...], after: State
    ) -> tuple[Event, ...]:
        return (Event(f"{before.phase} to {after.phase}"),)


def _operation(state: State) -> Pending | None:
    if state.phase == "lot":
        return Toss(sum(state.present))
    if state.phase == "toss":
        return Toss(DIE)
    if state.phase == "deal":
        return Draw(_deal(state))
    if state.phase == "draw":
        return Draw(((state.deck[0], state.turn),))
    if state.phase == "reveil":
        return _reveil(state)
    if state.phase == "open":
        assert state.chosen is not None
        seat = state.chosen.seat
        return Open(seat, state.chosen.slots or state.hands[seat])
    return None


def _decision(state: State) -> Decide:
    if state.phase == "turn":
        return Decide((state.turn,), "turn")
    return Decide(_after(state, state.turn), "answer", Way.ANSWER)


def _deal(state: State) -> tuple[tuple[Slot, Seat], ...]:
    order = [seat for seat in range(state.seats) if state.present[seat] for _ in range(DEAL)]
    return tuple(zip(state.deck, order, strict=False))


def _reveil(state: State) -> Reveil:
    hand, first = state.hands[state.turn], state.next_slot
    return Reveil(state.turn, hand, tuple(range(first, first + len(hand))))


def _deal_again(state: State) -> State:
    hands: tuple[tuple[Slot, ...], ...] = ((),) * state.seats
    return replace(
        state,
        phase="shuffle",
        turn=NOBODY,
        turns=0,
        deck=(),
        hands=hands,
        table=(),
        chosen=None,
        result=None,
    )


def _end(state: State, winner: Seat) -> State:
    points = tuple(int(seat == winner) for seat in range(state.seats))
    scores = tuple(had + point for had, point in zip(state.scores, points, strict=True))
    kind = "won" if winner != NOBODY else "washed_out"
    return replace(state, phase="settle", result=Result(kind, winner, points, scores))


def _winners(state: State) -> tuple[Seat, ...]:
    if state.outcome != "finished":
        return ()
    here = [seat for seat in range(state.seats) if state.present[seat]]
    best = max(state.scores[seat] for seat in here)
    return tuple(seat for seat in here if state.scores[seat] == best)


def _after(state: State, seat: Seat) -> tuple[Seat, ...]:
    """The others in the order of turns."""
    return _to_right(state, seat)[:: 1 if state.die % 2 else -1]


def _to_right(state: State, seat: Seat) -> tuple[Seat, ...]:
    around = [(seat + step) % state.seats for step in range(1, state.seats)]
    return tuple(other for other in around if state.present[other])


def _put(
    row: tuple[tuple[Slot, ...], ...], seat: Seat, item: tuple[Slot, ...]
) -> tuple[tuple[Slot, ...], ...]:
    return (*row[:seat], item, *row[seat + 1 :])
