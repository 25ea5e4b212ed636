"""What places and public facts may tell: nothing of when a card came, nothing to third seats."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pjong.engine.table import Table
from p2pjong.games.game import (
    Decide,
    Draw,
    Face,
    Give,
    Open,
    Peek,
    ProveAmong,
    Reveil,
    Seat,
    Show,
    Slot,
)
from p2pjong.games.samurai_warfare.battlefield import limit
from p2pjong.games.samurai_warfare.cards import CARDS
from p2pjong.games.samurai_warfare.state import BATTLE, END, STRATEGY, TACTICS, faces
from p2pjong.games.samurai_warfare.steps import ChooseDiscards, ChoosePlay
from tests.support.samurai_scene import GAME, Scene
from tests.support.tables import make_table, open_dealer, steps


@dataclass
class Births:
    """When each slot came about: those of a re-veil, or that one seat drew at once, all alike."""

    of: dict[Slot, int] = field(default_factory=dict)
    moments: Iterator[int] = field(default_factory=count)

    def note(self, table: Table) -> None:
        pending = table.pending
        if isinstance(pending, Reveil):
            self.of.update(dict.fromkeys(pending.fresh, next(self.moments)))
        elif isinstance(pending, Draw):
            seats = {seat: next(self.moments) for _, seat in pending.moves}
            self.of.update({slot: seats[seat] for slot, seat in pending.moves})
        elif isinstance(pending, Give):
            self.of[pending.slot] = next(self.moments)

    def is_one(self, hand: tuple[Slot, ...]) -> bool:
        return len({self.of[slot] for slot in hand}) <= 1


def hand_being_named(table: Table) -> Seat | None:
    """Whose slots are named now: in a choice, to a looker or to all."""
    pending, state = table.pending, table.state
    if isinstance(pending, Decide) and isinstance(state.queue[0], ChoosePlay | ChooseDiscards):
        return pending.seats[0]
    if isinstance(pending, Show | ProveAmong | Open):
        return pending.seat
    return pending.giver if isinstance(pending, Give) else None


def knows_any(table: Table, seat: Seat, hand: tuple[Slot, ...]) -> bool:
    others = [other for other in range(table.state.seats) if other != seat]
    return any(slot in table.dealer.known(other) for other in others for slot in hand)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 6))
def test_whatever_is_played_no_place_tells_a_history(seed: int, seats: int) -> None:
    table, births = make_table(GAME, seats, seed, target=1), Births()
    births.note(table)
    for _ in steps(table, seed):
        seat = hand_being_named(table)
        if seat is not None:
            hand = table.state.hands[seat]
            assert births.is_one(hand), "a place tells when its card came"
            assert len(hand) == 1 or not knows_any(table, seat, hand)
        births.note(table)
        check_public(table)


def check_public(table: Table) -> None:
    """What is true at every moment of a game."""
    state = table.state
    for seat in range(state.seats):
        line, fallen = faces(state.in_play[seat]), state.fallen[seat]
        for kind in {CARDS[face].type for face in line}:
            held = [face for face in line if CARDS[face].type == kind]
            assert len(held) <= limit(kind, line, fallen)
        dealer = open_dealer(table)
        hand = state.hands[seat]
        assert hand == tuple(sorted(hand))
        if state.proven[seat]:
            assert {CARDS[dealer.face(slot)].type for slot in hand} <= set(state.proven[seat])
        assert all(dealer.face(card.slot) == card.face for card in state.in_play[seat])
    assert all(slot < state.next_slot for slots in GAME.zones(state).values() for slot in slots)
    assert not any(state.in_play) or state.phase in (BATTLE, "victory", "over")


# --- When a hand is re-veiled, and when not -----------------------------------------------------


def test_a_hand_drawn_at_once_needs_no_mixing() -> None:
    table = make_table(GAME, 4, seed=1)
    asked = []
    while not table.awaited():
        asked.append(type(table.pending).__name__)
        table.step()
    assert asked == ["Toss", "Shuffle", "Draw"]


def test_a_hand_drawn_at_once_is_mixed_if_somebody_had_looked_at_some() -> None:
    scene = Scene({0: "honda naginata", 1: "yari-spearmen", 2: "siege"}, phase=TACTICS)
    scene.do(0, "play honda")
    scene.do(0, scene.choices(0)[0])
    assert len(scene.state.peeked) == 4
    scene.do(1, "play yari-spearmen")  # draws two of them into an empty hand
    assert len(scene.state.peeked) == 2
    scene.do(2, "pass")
    scene.do(0, scene.choices(0)[0])
    assert scene.awaited[0] == 1
    assert [operation.seat for operation in scene.asked_of(Reveil)] == [0, 1]


def test_a_refill_is_mixed_in_once_before_its_owner_chooses() -> None:
    scene = Scene({0: "siege", 2: "river"}, phase=END, turn=2)
    scene.do(2, "pass")
    assert scene.awaited == (0, "strategy")
    assert [type(operation).__name__ for operation in scene.asked] == ["Draw", "Reveil"]


def test_a_hand_into_which_nothing_came_is_not_re_veiled_again() -> None:
    scene = Scene({0: "honda siege", 1: "river roads"}, phase=STRATEGY)
    for _ in range(2):
        scene.do(scene.awaited[0], "pass")
    assert scene.state.phase == TACTICS
    assert scene.awaited == (0, "tactics") and not scene.asked_of(Reveil)


def test_cards_drawn_are_mixed_in_before_the_owner_discards() -> None:
    scene = Scene({0: "naginata honda", 1: "siege"}, phase=TACTICS)
    scene.do(0, "play naginata")
    assert [type(operation) for operation in scene.asked] == [Open, Draw, Reveil]
    assert scene.awaited == (0, "discard")


def test_the_hand_is_mixed_before_one_of_its_cards_is_tossed_for() -> None:
    scene = Scene({0: "river", 1: "honda siege"}, traces=[1])
    scene.do(0, "play river @1")
    kinds = [type(operation).__name__ for operation in scene.asked]
    assert kinds == ["Open", "Reveil", "Toss", "Give"]


def test_the_hand_is_mixed_before_it_is_looked_at_and_after() -> None:
    scene = Scene({0: "spies", 1: "honda siege", 2: "roads"}, traces=[1])
    scene.do(0, "play spies @1")
    kinds = [type(operation).__name__ for operation in scene.asked]
    assert kinds == ["Open", "Reveil", "Show", "Reveil"]
    assert scene.awaited == (1, "battle")
    seen = scene.dealer.known(0)
    assert not any(slot in seen for slot in scene.state.hands[1])


def test_a_hand_of_one_card_needs_no_mixing() -> None:
    scene = Scene({0: "spies", 1: "honda"}, traces=[1])
    scene.do(0, "play spies @1")
    assert not scene.asked_of(Reveil)


def test_a_stolen_card_loses_its_trace_before_the_thief_names_a_card() -> None:
    scene = Scene({0: "river takeda cannons", 1: "honda siege"}, tosses=[1])
    scene.do(0, "play river @1")
    scene.do(1, "play honda @0")
    slots = scene.state.hands[0]
    assert scene.awaited == (0, "battle")
    assert not any(slot in scene.dealer.known(1) for slot in slots)
    assert scene.hand(0) == ["takeda", "cannons", "siege"]


def test_a_victim_is_not_re_veiled_for_what_left_its_hand() -> None:
    scene = Scene({0: "river", 1: "honda siege takeda"}, tosses=[1])
    scene.do(0, "play river @1")
    assert scene.awaited == (1, "battle") and not scene.asked_of(Reveil)


def test_what_two_seats_saw_a_third_and_an_onlooker_do_not() -> None:
    scene = Scene({0: "spies", 1: "honda siege", 2: "roads"})
    scene.do(0, "play spies @1")
    assert scene.view(0).seen and scene.view(1).seen and not scene.view(2).seen
    assert scene.view(-1).seen == () and scene.view(-1).hand == ()


def test_private_news_last_to_the_end_of_the_turn_and_a_look_as_long_as_its_cards() -> None:
    scene = Scene({0: "spies", 1: "honda siege"})
    scene.do(0, "play spies @1")
    assert looks(scene, 0) == [(0, 1, ("honda", "siege"), 0)]
    scene.do(1, "play honda")
    assert looks(scene, 0) == looks(scene, 1) == [(0, 1, ("siege",), 0)]
    scene.do(1, "play siege")
    assert looks(scene, 0) == [(0, 1, (), 0)]
    scene.settle()
    assert [seen.verb for seen in scene.view(0).seen] == ["looked", "drew"]


def looks(scene: Scene, seat: Seat) -> list[tuple[Seat, Seat, tuple[Face, ...], int]]:
    """What a seat knows of looks at hands: who, whose, what is left of it, how many are unsure."""
    seen = [seen for seen in scene.view(seat).seen if seen.verb == "looked"]
    return [(one.seat, one.target, one.faces, one.unsure) for one in seen]


def test_a_card_stolen_since_is_gone_for_thief_and_victim_and_unsure_for_others() -> None:
    hands = {0: "campaign", 1: "castle forest", 2: "river roads"}
    scene = Scene(hands, phase=TACTICS, deck="takeda", tosses=[0])
    scene.do(0, "play campaign @1")
    scene.do(1, "pass")
    scene.do(2, "play river @1")
    (stolen,) = {"castle", "forest"} - set(scene.hand(1))
    (left,) = {"castle", "forest"} - {stolen}
    assert looks(scene, 0) == [(0, 1, ("castle", "forest"), 1)]
    assert looks(scene, 1) == [(0, 1, (left,), 0)]
    assert looks(scene, 2) == []


def test_a_card_that_the_looker_itself_stole_is_gone() -> None:
    hands = {0: "spies river", 1: "honda siege"}
    scene = Scene(hands, seats=2)
    scene.do(0, "play spies @1")
    scene.do(1, "play honda @0")
    scene.do(0, "play river @1")
    assert "siege" in scene.hand(0)
    assert looks(scene, 0)[0] == (0, 1, (), 0)


def test_a_second_look_replaces_the_first() -> None:
    scene = Scene({0: "spies honda", 1: "siege roads"}, seats=2)
    scene.do(0, "play spies @1")
    scene.do(1, "play roads")
    scene.do(0, "play honda @1")
    assert looks(scene, 0) == [(0, 1, ("siege",), 0)]


def test_a_peek_leaves_the_deck_as_it_was_for_all_others() -> None:
    scene = Scene({0: "honda", 1: "siege"}, phase=TACTICS, deck="river spies takeda cannons forest")
    deck = scene.state.deck
    scene.do(0, "play honda")
    assert scene.state.deck == deck
    assert scene.asked_of(Peek) and scene.view(1).deck_seen == ()


@pytest.mark.parametrize("seats", [2, 6])
def test_the_passes_of_random_games_are_proven_or_plain(seats: int) -> None:
    table = make_table(GAME, seats, seed=4, target=2)
    proofs = passes = 0
    for events in steps(table, 4):
        for event in events:
            if event.verb == "passed" and event.details == ((BATTLE, 1),):
                passes += 1
                proofs += event.number
    assert 0 < proofs < passes
