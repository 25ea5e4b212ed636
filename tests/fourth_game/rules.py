"""Low Card: hidden hands, a hidden choice of all seats at once, a loser instead of a winner."""

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
    Seat,
    Settle,
    Shuffle,
    Slot,
    View,
    Way,
)

HANDS = 3
HELD = 3


@dataclass(frozen=True)
class State:
    """Public facts alone."""

    seats: int
    hands_played: int
    present: tuple[bool, ...]
    strikes: tuple[int, ...]
    hands_ended: int = 0
    next_slot: Slot = 0
    phase: str = "shuffle"
    deck: tuple[Slot, ...] = ()
    hands: tuple[tuple[Slot, ...], ...] = ()
    chosen: tuple[Action, ...] = ()
    shown: tuple[tuple[Seat, Slot, Face], ...] = ()
    result: Result | None = None
    outcome: str = ""


@dataclass(frozen=True)
class LowCardView(View):
    """What a seat may know."""

    shown: tuple[tuple[Seat, Face], ...] = ()


class LowCard:
    """Implements `Game`."""

    name = "low-card"
    title = "Low Card"
    seats_min = 2
    seats_max = 4
    deck: tuple[Face, ...] = tuple("1234") * 4

    def start(self, seats: int, options: Options) -> State:
        if options.target or not self.seats_min <= seats <= self.seats_max:
            raise ValueError("Low Card has rounds, and 2 to 4 seats")
        return State(seats, options.rounds or HANDS, (True,) * seats, (0,) * seats)

    def pending(self, state: State) -> Pending:
        here = _here(state)
        if state.phase == "shuffle":
            first = state.next_slot
            return Shuffle(self.deck, tuple(range(first, first + len(self.deck))), True)
        if state.phase == "deal":
            seats = [seat for seat in here for _ in range(HELD)]
            return Draw(tuple(zip(state.deck, seats, strict=False)))
        if state.phase == "choose":
            return Decide(here, "choose", Way.CHOICE)
        if state.phase == "show":
            action = state.chosen[0]
            return Open(action.seat, action.slots or state.hands[action.seat])
        if state.phase == "settle":
            assert state.result is not None
            return Settle(state.result)
        return Over(state.outcome, state.strikes, _winners(state), state.hands_ended)

    def legal(self, state: State, seat: Seat, known: Known) -> tuple[Action, ...]:
        if state.phase != "choose" or seat not in _here(state):
            return ()
        hand = state.hands[seat]
        faces = {known.get(slot, "?") for slot in hand}
        cards = tuple(Action(seat, "show", (slot,)) for slot in hand)
        is_safe = "?" in faces or len(faces) == 1
        return (*cards, Action(seat, "show_all")) if is_safe else cards

    def default(self, state: State, seat: Seat, known: Known) -> Action:
        return Action(seat, "show", (state.hands[seat][0],))

    def decide(self, state: State, actions: tuple[Action, ...]) -> State:
        for action in actions:
            if action not in self.legal(state, action.seat, {}):
                raise IllegalAction("choose one of your cards")
        return replace(state, chosen=actions, phase="show")

    def resolve(self, state: State, facts: Facts) -> State:
        if state.phase == "shuffle":
            end = state.next_slot + len(self.deck)
            return replace(
                state, deck=tuple(range(state.next_slot, end)), next_slot=end, phase="deal"
            )
        if state.phase == "deal":
            return self._dealt(state)
        if state.phase == "show":
            return self._shown(state, facts.opened)
        return self._settled(state)

    def _dealt(self, state: State) -> State:
        here, deck = _here(state), state.deck
        dealt = {seat: deck[HELD * at : HELD * at + HELD] for at, seat in enumerate(here)}
        hands = tuple(dealt.get(seat, ()) for seat in range(state.seats))
        return replace(state, deck=deck[HELD * len(here) :], hands=hands, phase="choose")

    def _shown(self, state: State, opened: tuple[tuple[Slot, Face], ...]) -> State:
        action, *rest = state.chosen
        if action.verb == "show_all" and len({face for _, face in opened}) > 1:
            raise Foul(action.seat, "not-all-equal")
        shown = (*state.shown, *((action.seat, slot, face) for slot, face in opened))
        after = replace(state, chosen=tuple(rest), shown=shown)
        return after if rest else _end(after)

    def _settled(self, state: State) -> State:
        assert state.result is not None
        after = replace(state, strikes=state.result.scores, hands_ended=state.hands_ended + 1)
        if after.hands_ended == after.hands_played:
            return replace(after, phase="over", outcome="finished")
        return _deal_again(after)

    def void(self, state: State, out: tuple[Seat, ...]) -> State:
        present = tuple(here and seat not in out for seat, here in enumerate(state.present))
        after = _deal_again(replace(state, present=present))
        return replace(after, phase="over", outcome="abandoned") if sum(present) < 2 else after

    def view(self, state: State, seat: Seat, known: Known) -> LowCardView:
        own = state.hands[seat] if seat != NOBODY and state.hands else ()
        pending = self.pending(state)
        return LowCardView(
            game=self.name,
            seat=seat,
            seats=state.seats,
            present=state.present,
            scores=state.strikes,
            hand_number=state.hands_ended + (state.phase != "over"),
            hand=tuple(
                sorted(
                    ((slot, known[slot]) for slot in own if slot in known), key=lambda one: one[1]
                )
            ),
            hand_sizes=tuple(map(len, state.hands)) or (0,) * state.seats,
            deck_size=len(state.deck),
            reason=pending.reason if isinstance(pending, Decide) else "",
            shown=tuple((who, face) for who, _, face in state.shown),
        )

    def zones(self, state: State) -> Mapping[str, tuple[Slot, ...]]:
        if not state.hands:
            return {}
        shown = tuple(slot for _, slot, _ in state.shown)
        hands = {
            f"hand:{seat}": tuple(slot for slot in hand if slot not in shown)
            for seat, hand in enumerate(state.hands)
        }
        return {"deck": state.deck, "shown": shown, **hands}

    def events(
        self, before: State, cause: Facts | tuple[Action, ...], after: State
    ) -> tuple[Event, ...]:
        if cause == ():
            return (Event("void"),)
        if before.phase == "deal":
            return (Event("dealt", number=HELD),)
        if before.phase == "show":
            new = after.shown[len(before.shown) :]
            events = [Event("shown", new[0][0], tuple(face for _, _, face in new))]
            if after.result is not None:
                events.append(Event("lost", _loser(after)))
            return tuple(events)
        return (Event("game_over"),) if after.phase == "over" else ()


def _here(state: State) -> tuple[Seat, ...]:
    return tuple(seat for seat in range(state.seats) if state.present[seat])


def _loser(state: State) -> Seat:
    """Who shows the lowest card; who has shown a whole hand is safe."""
    count = {seat: sum(who == seat for who, _, _ in state.shown) for seat in _here(state)}
    single = [(face, seat) for seat, _, face in state.shown if count[seat] == 1]
    return min(single)[1] if single else NOBODY


def _end(state: State) -> State:
    loser = _loser(state)
    points = tuple(int(seat == loser) for seat in range(state.seats))
    scores = tuple(had + more for had, more in zip(state.strikes, points, strict=True))
    return replace(state, phase="settle", result=Result("lost", loser, points, scores))


def _deal_again(state: State) -> State:
    return replace(state, phase="shuffle", deck=(), hands=(), chosen=(), shown=(), result=None)


def _winners(state: State) -> tuple[Seat, ...]:
    """All but those with the most strikes."""
    if state.outcome != "finished":
        return ()
    most = max(state.strikes[seat] for seat in _here(state))
    return tuple(seat for seat in _here(state) if state.strikes[seat] < most)
