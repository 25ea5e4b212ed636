"""The legal actions against a slow list made from the scorer alone."""

from itertools import combinations, combinations_with_replacement
from random import Random

import pytest

from p2pjong.games import GAMES
from p2pjong.games.game import Action, Face, Known
from p2pjong.games.war_jhong.choices import find_drawn, is_allowed, legal, partners
from p2pjong.games.war_jhong.faces import FACES
from p2pjong.games.war_jhong.formations import is_formation
from p2pjong.games.war_jhong.scoring import goes_out
from p2pjong.games.war_jhong.state import ANSWER, TURN, State
from tests.support.tables import make_table, steps

GAME = GAMES["war-jhong"]


@pytest.mark.parametrize("claimed", FACES)
def test_partners_are_all_pairs_that_make_a_formation(claimed: Face) -> None:
    pairs = combinations_with_replacement(FACES, 2)
    assert partners(claimed) == tuple(pair for pair in pairs if is_formation((*pair, claimed)))


def slow_faces(state: State, seat: int, known: Known) -> set[tuple[str, tuple[Face, ...]]]:
    """What the seat may do, in faces."""
    hand = [known[slot] for slot in state.hands[seat]]
    melds = [meld.faces for meld in state.melds[seat]]
    if state.phase == TURN and state.turn == seat:
        discards: set[tuple[str, tuple[Face, ...]]] = {("discard", (face,)) for face in hand}
        return discards | ({("go_out", ())} if goes_out(hand, melds) else set())
    if state.phase != ANSWER or state.turn == seat:
        return set()
    claimed = state.discards[-1].face
    choices: set[tuple[str, tuple[Face, ...]]] = {
        ("claim_formation", tuple(sorted(pair)))
        for pair in combinations(hand, 2)
        if is_formation((*pair, claimed))
    }
    if goes_out([*hand, claimed], melds, claimed):
        choices.add(("claim_go_out", ()))
    return choices | {("pass", ())}


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 5])
def test_the_list_is_exact_for_a_known_hand(seats: int) -> None:
    table = make_table(GAME, seats, seed=seats, target=6)
    for _ in steps(table, seats):
        for seat in range(seats):
            known = table.dealer.known(seat)
            offered = legal(table.state, seat, known)
            in_faces = [
                (action.verb, tuple(sorted(known[slot] for slot in action.slots)))
                for action in offered
            ]
            assert set(in_faces) == slow_faces(table.state, seat, known)
            claims = [choice for choice in in_faces if choice[0] != "discard"]
            assert len(claims) == len(set(claims))


def test_a_partly_known_hand_leaves_open_what_the_unknown_cards_may_be() -> None:
    rng = Random(2)
    table = make_table(GAME, 3, seed=2, target=10)
    for _ in steps(table, 2):
        for seat in table.awaited():
            known = table.dealer.known(seat)
            hand = table.state.hands[seat]
            some = {slot: known[slot] for slot in rng.sample(hand, len(hand) // 2)}
            wide = set(legal(table.state, seat, some))
            assert set(legal(table.state, seat, known)) <= wide
            for action in wide:
                if action.verb == "claim_formation" and set(action.slots) <= some.keys():
                    faces = [some[slot] for slot in action.slots]
                    assert is_formation((*faces, table.state.discards[-1].face))


def test_what_anyone_must_accept_is_the_list_without_knowledge() -> None:
    table = make_table(GAME, 2, seed=3, target=3)
    for _ in steps(table, 3):
        state = table.state
        slots = sorted({slot for hand in state.hands for slot in hand})
        for seat in range(2):
            public = legal(state, seat, {})
            singles = [Action(seat, "discard", (slot,)) for slot in slots]
            pairs = [Action(seat, "claim_formation", pair) for pair in combinations(slots, 2)]
            bare = [Action(seat, verb) for verb in ("go_out", "claim_go_out", "pass", "discard")]
            allowed = {each for each in (*singles, *pairs, *bare) if is_allowed(state, each)}
            assert allowed == set(public)


def test_the_drawn_card_is_found_again_after_the_veil() -> None:
    table = make_table(GAME, 3, seed=4, target=3)
    found = 0
    for _ in steps(table, 4):
        state = table.state
        if state.phase == TURN:
            known = table.dealer.known(state.turn)
            slot = find_drawn(state, known)
            assert (slot is None) == (state.drawn == -1)
            if slot is not None:
                assert slot in state.hands[state.turn]
                assert known[slot] == known[state.drawn]
                found += 1
            assert find_drawn(state, {}) is None
    assert found > 10
