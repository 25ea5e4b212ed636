"""The elementary changes of a state of Samurai Warfare: cards that move, words that are said."""

from p2pjong.games.game import NOBODY, Event, Seat, Slot
from p2pjong.games.samurai_warfare.awaited import fresh_slots, reveil
from p2pjong.games.samurai_warfare.state import FaceUp, Sight, State
from p2pjong.games.samurai_warfare.steps import Step
from p2pjong.games.seating import put
from p2pjong.games.values import evolve


def tell(state: State, *events: Event) -> State:
    """Everyone sees this happen."""
    return evolve(state, news=(*state.news, *events))


def follow_with(state: State, *steps: Step) -> State:
    """The step under way is done; these come before what else is in the queue."""
    return evolve(state, queue=(*steps, *state.queue[1:]))


def see(
    state: State, verb: str, seat: Seat, slots: tuple[Slot, ...], target: Seat = NOBODY
) -> State:
    """These seats alone see the faces of the slots; a second look at a hand replaces the first."""
    seen = Sight(verb, seat, target, slots)
    old = (verb, seat, target) if verb == "looked" else None
    kept = [sight for sight in state.sights if (sight.verb, sight.seat, sight.target) != old]
    return evolve(state, sights=(*kept, seen))


def receive(state: State, seat: Seat, slots: tuple[Slot, ...]) -> State:
    """The slots come into the hand, whose places have a history from then on (G3).

    Not so if it was empty and nobody has looked at any: then all places are alike.
    """
    is_mixed = bool(state.hands[seat]) or not set(slots).isdisjoint(state.peeked)
    return evolve(
        state,
        hands=put(state.hands, seat, tuple(sorted((*state.hands[seat], *slots)))),
        has_traces=put(state.has_traces, seat, is_mixed),
        proven=put(state.proven, seat, ()),
        peeked=tuple([slot for slot in state.peeked if slot not in slots]),
    )


def release(state: State, seat: Seat, *cards: FaceUp) -> State:
    """The cards leave the hand; a face is "" where not everyone sees it."""
    slots = [card.slot for card in cards]
    left = tuple([slot for slot in state.hands[seat] if slot not in slots])
    sights = tuple(
        [
            evolve(sight, gone=(*sight.gone, *cards)) if is_look_at(sight, seat) else sight
            for sight in state.sights
        ]
    )
    return evolve(state, hands=put(state.hands, seat, left), sights=sights)


def is_look_at(sight: Sight, seat: Seat) -> bool:
    """Whether somebody looked at this seat's whole hand."""
    return sight.verb == "looked" and sight.target == seat


def reveiled(state: State, seat: Seat) -> State:
    """The hand lies in new places, of which nobody else knows anything."""
    fresh = reveil(state, seat).fresh
    return evolve(
        state,
        hands=put(state.hands, seat, fresh),
        has_traces=put(state.has_traces, seat, False),
        next_slot=state.next_slot + len(fresh),
    )


def reshuffled(state: State) -> State:
    """The discard pile has become the deck (S4)."""
    count = len(state.discards)
    after = evolve(
        state,
        deck=fresh_slots(state, count),
        discards=(),
        next_slot=state.next_slot + count,
    )
    return tell(after, Event("reshuffled", number=count))


def discarded(state: State, *cards: FaceUp) -> State:
    """The open cards go to the discard pile."""
    return evolve(state, discards=(*state.discards, *cards))


def bare(state: State) -> State:
    """No card lies anywhere: what a game begins with, and what a void leaves (G6)."""
    nothing: tuple[()] = ()
    return evolve(
        state,
        turn=NOBODY,
        passes=0,
        queue=(),
        deck=(),
        peeked=(),
        hands=(nothing,) * state.seats,
        has_traces=(False,) * state.seats,
        proven=(nothing,) * state.seats,
        in_play=(nothing,) * state.seats,
        fallen=(nothing,) * state.seats,
        playing=None,
        discards=(),
        result=None,
        sights=(),
    )
