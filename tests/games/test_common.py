"""What holds for every game: the same checks over the whole registry."""

from dataclasses import replace
from random import Random

import pytest

from p2pjong.engine.canonical import digest
from p2pjong.engine.table import Table, check_state
from p2pjong.games import GAMES
from p2pjong.games.game import (
    NOBODY,
    Action,
    Decide,
    Face,
    Facts,
    Game,
    IllegalAction,
    Options,
    Over,
    Seat,
    Slot,
    twins,
)
from tests.support.sim import ALL_GAMES
from tests.support.tables import choose_any, make_table, open_dealer, steps

SHORT = 3  # a target that few hands reach


@pytest.fixture(params=sorted(GAMES))
def game(request: pytest.FixtureRequest) -> Game:
    return GAMES[request.param]


def played(game: Game, seats: int, seed: int, target: int = SHORT) -> Table:
    table = make_table(game, seats, seed, target)
    for _ in steps(table, seed):
        pass
    return table


def test_a_game_is_registered_under_its_name(game: Game) -> None:
    assert GAMES[game.name] is game
    assert game.title
    assert len(game.deck) >= game.seats_max


def test_random_play_ends_with_every_number_of_seats(game: Game) -> None:
    for seats in range(game.seats_min, game.seats_max + 1):
        over = played(game, seats, seed=seats).pending
        assert isinstance(over, Over)
        assert over.outcome == "finished"
        assert over.hands > 0
        assert max(over.scores) == over.scores[over.winners[0]]


def test_seats_that_the_game_does_not_take_are_refused(game: Game) -> None:
    for seats in (game.seats_min - 1, game.seats_max + 1):
        with pytest.raises(ValueError, match="seats"):
            game.start(seats, Options())


def test_legal_actions_are_sorted_and_there_for_awaited_seats_alone(game: Game) -> None:
    table = make_table(game, game.seats_max, seed=3, target=SHORT)
    for _ in steps(table, 3):
        pending = table.pending
        awaited = pending.seats if isinstance(pending, Decide) else ()
        for seat in range(game.seats_max):
            offered = table.legal(seat)
            assert offered == tuple(sorted(set(offered)))
            assert bool(offered) == (seat in awaited)
            assert all(action.seat == seat for action in offered)
    assert not any(table.legal(seat) for seat in range(game.seats_max))


def test_own_choices_are_among_those_that_others_cannot_rule_out(game: Game) -> None:
    table = make_table(game, game.seats_min, seed=4, target=SHORT)
    for _ in steps(table, 4):
        for seat in table.awaited():
            public = game.legal(table.state, seat, {})
            assert public == tuple(sorted(set(public)))
            assert set(table.legal(seat)) <= set(public)


def test_decide_takes_what_others_cannot_rule_out_and_nothing_else(game: Game) -> None:
    rng = Random(5)
    table = make_table(game, game.seats_min, seed=5, target=SHORT)
    for _ in steps(table, 5):
        pending = table.pending
        if isinstance(pending, Decide):
            chosen = [choose_any(table, seat, rng) for seat in pending.seats]
            seat = pending.seats[0]
            public = game.legal(table.state, seat, {})
            for action in (*rng.sample(public, min(3, len(public))), *mutants(chosen[0], rng)):
                actions = (action, *chosen[1:])
                if action in public:
                    assert game.decide(table.state, actions) != table.state
                else:
                    with pytest.raises(IllegalAction):
                        game.decide(table.state, actions)


def mutants(action: Action, rng: Random) -> list[Action]:
    """Actions much like a legal one."""
    slots = action.slots
    return [
        replace(action, verb="cheat"),
        replace(action, target=action.target + 1),
        replace(action, slots=(*slots, rng.randrange(10**6))),
        replace(action, slots=(*slots, *slots, 0)),
        replace(action, slots=slots[1:]),
        replace(action, slots=tuple(slot + 1 for slot in slots)),
        replace(action, slots=(slots or (1, 2))[::-1]),
        replace(action, verb="pass"),
    ]


def test_an_unlisted_action_is_refused_and_changes_nothing(game: Game) -> None:
    table = make_table(game, game.seats_min, seed=6, target=SHORT)
    for _ in steps(table, 6):
        before, waiting = table.state, table.awaited()
        for seat in (*range(game.seats_min), NOBODY, game.seats_max):
            with pytest.raises(IllegalAction):
                table.choose(Action(seat, "cheat"))
        assert table.state is before
        assert table.awaited() == waiting


def test_the_default_is_legal(game: Game) -> None:
    table = make_table(game, game.seats_max, seed=7, target=SHORT)
    for _ in steps(table, 7):
        for seat in table.awaited():
            assert table.default(seat) in table.legal(seat)
            assert game.default(table.state, seat, {}) in game.legal(table.state, seat, {})


def test_twins_name_equal_cards_and_are_taken(game: Game) -> None:
    rng = Random(8)

    def choose_twin(table: Table, seat: Seat, rng: Random) -> Action:
        known = table.dealer.known(seat)
        action = choose_any(table, seat, rng)
        same = twins(game, table.state, action, known)
        assert action in same
        faces = {tuple(sorted(known[slot] for slot in twin.slots)) for twin in same}
        assert len(faces) == 1
        return rng.choice(same)

    table = make_table(game, game.seats_min, seed=8, target=SHORT)
    for _ in steps(table, rng.randrange(9), choose_twin):
        pass
    assert table.is_over


def test_a_card_that_is_not_known_has_no_twin(game: Game) -> None:
    table = make_table(game, game.seats_min, seed=8)
    table.advance()
    seat = table.awaited()[0]
    named = next(action for action in table.legal(seat) if action.slots)
    assert twins(game, table.state, named, {}) == (named,)


@pytest.mark.slow
def test_a_view_shows_nothing_that_its_seat_does_not_know(game: Game) -> None:
    seats = list(range(game.seats_min))
    table = make_table(game, game.seats_min, seed=9, target=SHORT)
    for number, _ in enumerate(steps(table, 9)):
        if number % 3:
            continue
        for seat in seats:
            shuffled = permuted(table, seat, Random(number))
            known = shuffled[seat]
            assert game.view(table.state, seat, known) == table.view(seat)
            assert game.legal(table.state, seat, known) == game.legal(
                table.state, seat, table.dealer.known(seat)
            )
        assert table.view(NOBODY) == game.view(table.state, NOBODY, {})


def permuted(table: Table, seat: Seat, rng: Random) -> list[dict[Slot, Face]]:
    """What each seat would know if the faces that `seat` does not know lay otherwise."""
    known = [dict(table.dealer.known(other)) for other in range(table.game.seats_min)]
    zones = table.game.zones(table.state).values()
    hidden = sorted({slot for slots in zones for slot in slots} - known[seat].keys())
    faces = [open_dealer(table).face(slot) for slot in hidden]
    rng.shuffle(faces)
    moved = dict(zip(hidden, faces, strict=True))
    return [{slot: moved.get(slot, face) for slot, face in each.items()} for each in known]


def test_a_seat_sees_its_whole_hand_and_an_onlooker_none(game: Game) -> None:
    table = make_table(game, game.seats_min, seed=10, target=SHORT)
    for _ in steps(table, 10):
        zones = table.game.zones(table.state)
        for seat in range(game.seats_min):
            view = table.view(seat)
            assert {slot for slot, _ in view.hand} == set(zones.get(f"hand:{seat}", ()))
            assert view.hand_sizes[seat] == len(view.hand)
        assert table.view(NOBODY).hand == ()


def test_a_replay_of_the_same_choices_has_the_same_digests(game: Game) -> None:
    tables = [make_table(game, game.seats_min, seed=11, target=SHORT) for _ in range(2)]
    for seen, again in zip(*(steps(table, 11) for table in tables), strict=True):
        assert seen == again
        assert tables[0].digest() == tables[1].digest()
    other = make_table(game, game.seats_min, seed=12, target=SHORT)
    assert other.digest() == make_table(game, game.seats_min, seed=11, target=SHORT).digest()
    for _ in steps(other, 12):
        pass
    assert other.digest() != tables[0].digest()


def test_every_change_of_state_changes_the_digest(game: Game) -> None:
    table = make_table(game, game.seats_min, seed=13, target=SHORT)
    seen = {table.digest()}
    count = 1
    for _ in steps(table, 13):
        seen.add(table.digest())
        count += 1
    assert len(seen) == count


def test_zones_part_the_deck_after_every_step(game: Game) -> None:
    for seats in (game.seats_min, game.seats_max):
        table = make_table(game, seats, seed=14, target=SHORT)  # every state is checked
        sizes = [sum(map(len, game.zones(table.state).values())) for _ in steps(table, 14)]
        assert set(sizes) <= {0, len(game.deck)}
        assert len(game.deck) in sizes


def test_a_void_keeps_scores_and_deals_again_at_every_point(game: Game) -> None:
    table = make_table(game, game.seats_max, seed=15, target=SHORT)
    for number, _ in enumerate(steps(table, 15)):
        if table.is_over:
            break
        out = number % game.seats_max
        void = game.void(table.state, (out,))
        check_state(game, void)
        before = game.view(table.state, NOBODY, {})
        after = game.view(void, NOBODY, {})
        assert after.scores == before.scores
        # A turn of Samurai Warfare whose token was given is over, though its last phases are not.
        is_counted = getattr(before, "phase", "") in ("shogun", "end")
        assert after.hand_number == before.hand_number + is_counted
        assert not any(after.hand_sizes)
        assert after.present == tuple(seat != out for seat in range(game.seats_max))
        assert {event.verb for event in game.events(table.state, (), void)} >= {"seat_left"}


@pytest.mark.parametrize("name", sorted(ALL_GAMES))
def test_in_every_game_a_hand_can_be_void_for_all_seats(name: str) -> None:
    """As an auditor may find, at a table of cheats."""
    rules = ALL_GAMES[name]
    state = rules.start(rules.seats_min, Options())
    after = rules.void(state, tuple(range(rules.seats_min)))
    assert isinstance(rules.pending(after), Over)


def test_a_game_goes_on_without_the_seats_that_left(game: Game) -> None:
    table = make_table(game, game.seats_max, seed=16, target=SHORT)
    rounds = steps(table, 16)
    for out in range(game.seats_max - game.seats_min):
        for _ in range(25):
            next(rounds)
        if table.is_over:
            break
        table.void((out,))
        rounds = steps(table, out)
    for _ in rounds:
        pass
    over = table.pending
    assert isinstance(over, Over)
    assert over.outcome == "finished"
    assert all(table.view(NOBODY).present[seat] for seat in over.winners)


def test_too_few_seats_abandon_the_game_without_winners(game: Game) -> None:
    table = make_table(game, game.seats_min, seed=17)
    rounds = steps(table, 17)
    for _ in range(20):
        next(rounds)
    table.void((0,))
    assert table.pending == Over("abandoned", table.view(NOBODY).scores, (), 0)


def test_a_state_is_a_value(game: Game) -> None:
    table = make_table(game, game.seats_min, seed=19, target=SHORT)
    states = [(table.state, table.digest()) for _ in steps(table, 19)]
    assert all(digest(state) == before for state, before in states)


def test_facts_of_one_operation_do_not_fit_a_decision(game: Game) -> None:
    table = make_table(game, game.seats_min, seed=20)
    table.advance()
    with pytest.raises((AssertionError, KeyError)):
        game.resolve(table.state, Facts())
