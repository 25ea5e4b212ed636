"""The legal actions against a slow list made from the oracle alone."""

from itertools import combinations
from random import Random

import pytest

from p2pjong.games.game import Action, Face, Known
from p2pjong.games.not_your_mas_jong.choices import is_allowed, legal, set_pairs
from p2pjong.games.not_your_mas_jong.faces import FACES
from p2pjong.games.not_your_mas_jong.state import State
from p2pjong.games.not_your_mas_jong.view import NotYourMasJongView, right_answers, unseen
from tests.support import mas_jong_oracle as oracle
from tests.support.mas_jong_scene import GAME, Scene
from tests.support.tables import make_table, steps


def slow_faces(state: State, seat: int, known: Known) -> set[tuple[str, tuple[Face, ...]]]:
    """What the seat may do, in faces."""
    hand = [known[slot] for slot in state.hands[seat]]
    found: set[tuple[str, tuple[Face, ...]]] = set()
    if state.phase == "turn" and seat == state.turn:
        is_out = oracle.goes_out(hand)
        if not (is_out and state.is_stolen):
            found |= {("discard", (face,)) for face in hand}
        return found | ({("go_out", ())} if is_out else set())
    if state.phase == "call" and seat != state.turn:
        return {("pass", ()), ("call_win", ()), ("call_set", ())}
    if state.phase == "serve" and seat == state.calls[state.served].seat:
        found.add(("wrong", ()))
        wanted = state.discards[-1].face
        if state.calls[state.served].verb == "call_win":
            return found | ({("show_win", ())} if oracle.goes_out([*hand, wanted]) else set())
        return found | {
            ("show_set", tuple(sorted(pair)))
            for pair in combinations(hand, 2)
            if oracle.is_set((*pair, wanted))
        }
    return found


@pytest.mark.parametrize("seats", [3, 4])
def test_the_list_is_exact_for_a_known_hand(seats: int) -> None:
    table = make_table(GAME, seats, seed=seats, target=2)
    for _ in steps(table, seats):
        for seat in range(seats):
            known = table.dealer.known(seat)
            in_faces = [
                (action.verb, tuple(sorted(known[slot] for slot in action.slots)))
                for action in legal(table.state, seat, known)
            ]
            assert set(in_faces) == slow_faces(table.state, seat, known)
            others = [choice for choice in in_faces if choice[0] != "discard"]
            assert len(others) == len(set(others))


def test_what_others_cannot_rule_out_is_what_they_accept() -> None:
    rng = Random(1)
    table = make_table(GAME, 3, seed=1, target=2)
    for _ in steps(table, 1):
        for seat in table.awaited():
            public = legal(table.state, seat, {})
            assert all(is_allowed(table.state, action) for action in public)
            hand = table.state.hands[seat]
            for _ in range(3):
                slots = tuple(rng.choices((*hand, 10**6), k=rng.randrange(3)))
                verb = rng.choice(
                    "discard go_out pass call_win call_set show_win show_set wrong".split()
                )
                action = Action(seat, verb, slots, rng.choice((-1, -1, 0)))
                assert is_allowed(table.state, action) is (action in public)


@pytest.mark.parametrize("wanted", FACES)
def test_with_a_hand_half_known_no_pair_is_missed_nor_offered_against_all_hands(
    wanted: Face,
) -> None:
    hand = (1, 2, 3, 4)
    known = {1: "R3", 2: "S2", 3: wanted}
    expected = [
        pair
        for pair in combinations(hand, 2)
        if any(
            oracle.is_set((known.get(pair[0], one), known.get(pair[1], other), wanted))
            for one in FACES
            for other in FACES
        )
    ]
    assert set_pairs(hand, known, wanted) == expected


# --- The view -----------------------------------------------------------------------------------


def test_right_answers_are_those_that_are_no_mistake() -> None:
    scene = Scene({0: "R5", 1: "R5 R5 B1 B1 B1 B3 B4 B5 G2 G2", 2: "E1"}, draws="G2")
    assert right_answers(scene.view(1)) == ()
    scene.discard("R5")
    assert right_answers(scene.view(1)) == ("call_set", "call_win", "pass")
    assert right_answers(scene.view(2)) == ("pass",)
    assert right_answers(scene.view(0)) == ()
    scene.call()
    scene.discard("G2")
    scene.call(s2="set")
    assert right_answers(scene.view(2)) == ()


def test_right_answers_are_right() -> None:
    table = make_table(GAME, 4, seed=5, target=3)
    seen = set()
    for _ in steps(table, 5):
        for seat in table.awaited():
            view = table.view(seat)
            assert isinstance(view, NotYourMasJongView)
            right = right_answers(view)
            if view.phase != "call":
                assert right == ()
                continue
            faces, wanted = [face for _, face in view.hand], view.discards[-1].face
            pairs = combinations(faces, 2)
            assert ("call_win" in right) is oracle.goes_out([*faces, wanted])
            assert ("call_set" in right) is any(oracle.is_set((*p, wanted)) for p in pairs)
            assert right[-1] == "pass"
            seen |= set(right)
    assert "call_set" in seen


def test_unseen_counts_what_is_in_the_deck_and_in_other_hands() -> None:
    table = make_table(GAME, 3, seed=6, target=1)
    for _ in steps(table, 6):
        view = table.view(0)
        assert isinstance(view, NotYourMasJongView)
        left = unseen(view)
        # A hand that was opened is still counted as out of sight: the round is over then.
        if view.phase in ("draw", "reveil", "turn", "call", "serve"):
            hidden = view.deck_size + sum(view.hand_sizes) - len(view.hand)
            assert left.total() == hidden
            assert min(left.values()) >= 0


def test_the_view_tells_who_called_and_who_is_served() -> None:
    scene = Scene({0: "R5", 1: "R5 R5"}, seats=4)
    assert scene.view(0).serving == -1
    scene.discard("R5")
    scene.call(s3="set", s1="set")
    assert [call.seat for call in scene.view(0).calls] == [3, 1]
    assert scene.view(0).serving == 3
    scene.do(3, "wrong")
    assert scene.view(0).serving == 1
    scene.do(1, "show_set R5 R5")
    assert (scene.view(0).serving, scene.view(0).calls) == (-1, ())
