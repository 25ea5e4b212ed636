"""The arena: many games, the same for one seed, whoever plays them where."""

import pytest

from p2pjong.arena import Pairing, play, run
from p2pjong.arena import match as arena_match
from p2pjong.arena.match import Outcome
from p2pjong.arena.report import summarise
from p2pjong.bots import STRATEGIES
from p2pjong.games.game import NOBODY, Action, Options, View

SHORT = Options(target=5)


def test_a_report_is_the_same_for_one_seed() -> None:
    bots = ["random", "greedy", "random"]
    one = run("war-jhong", bots, games=3, seed=5, options=SHORT)
    assert one == run("war-jhong", bots, games=3, seed=5, options=SHORT)
    assert one.digest != run("war-jhong", bots, games=3, seed=6, options=SHORT).digest


@pytest.mark.slow
def test_more_processes_play_the_same_games() -> None:
    alone = run("war-jhong", ["random"] * 2, games=5, seed=5, options=SHORT)
    assert run("war-jhong", ["random"] * 2, 5, 5, processes=2, options=SHORT) == alone


def test_a_report_adds_up() -> None:
    report = run("war-jhong", ["random", "greedy", "random"], games=6, seed=1, options=SHORT)
    assert (report.games, report.unfinished) == (6, 0)
    assert [(row.strategy, row.seats) for row in report.rows] == [("random", 12), ("greedy", 6)]
    assert sum(row.games_won for row in report.rows) == 6
    assert sum(row.hands_won for row in report.rows) + report.washed_out == report.hands
    assert [row.hands for row in report.rows] == [2 * report.hands, report.hands]
    for row in report.rows:
        assert row.win_share == row.games_won / row.seats
        assert row.mean_points == row.points / row.hands
        assert row.mean_win == (row.points / row.hands_won if row.hands_won else 0)


def test_strategies_move_on_one_seat_each_game() -> None:
    games = [
        Pairing("war-jhong", ("greedy", "random"), SHORT, "1/0"),
        Pairing("war-jhong", ("random", "greedy"), SHORT, "1/1"),
    ]
    expected = summarise("war-jhong", 1, ["greedy", "random"], map(play, games))
    assert run("war-jhong", ["greedy", "random"], games=2, seed=1, options=SHORT) == expected


def test_shared_games_and_washed_out_hands_are_counted_as_such() -> None:
    shared = Outcome(("a", "b"), (0, 1), 4, 2, hands_won=(1, 1), points=(3, 3), digest="0")
    unfinished = Outcome(("b", "a"), (), 4, 4, hands_won=(0, 0), points=(0, 0), digest="1")
    outcomes = [shared, unfinished]
    report = summarise("war-jhong", 0, ["a", "b"], outcomes)
    assert (report.unfinished, report.hands, report.washed_out) == (1, 8, 6)
    assert report.washed_out_share == 0.75
    assert [(row.games_won, row.hands_won, row.points) for row in report.rows] == [(0.5, 1, 3)] * 2
    assert [row.mean_points for row in report.rows] == [3 / 8, 3 / 8]


def test_bots_that_never_go_out_are_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    def dawdle(view: View, actions: tuple[Action, ...], rng: object) -> Action:
        return actions[0] if actions[0].verb == "discard" else actions[-1]

    monkeypatch.setitem(STRATEGIES, "dawdle", lambda: dawdle)
    monkeypatch.setattr(arena_match, "HANDS_MAX", 2)
    report = run("war-jhong", ["dawdle"] * 8, games=1, seed=1)
    assert (report.unfinished, report.hands, report.washed_out) == (1, 2, 2)
    assert report.rows[0].games_won == 0
    assert report.rows[0].mean_win == 0
    assert report.washed_out_share == 1


def test_winners_are_seats_of_the_game() -> None:
    outcome = play(Pairing("war-jhong", ("random",) * 3, SHORT, "winners"))
    assert NOBODY not in outcome.winners
    assert outcome.points[outcome.winners[0]] >= SHORT.target


@pytest.mark.parametrize(("games", "processes"), [(0, 1), (1, 0), (-1, 1)])
def test_an_arena_without_games_or_processes_is_refused(games: int, processes: int) -> None:
    with pytest.raises(ValueError, match="at least one"):
        run("war-jhong", ["random"] * 2, games, seed=1, processes=processes)


def test_unknown_games_strategies_and_too_many_seats_are_refused() -> None:
    with pytest.raises(KeyError):
        run("chess", ["random"] * 2, 1, seed=1)
    with pytest.raises(KeyError):
        run("war-jhong", ["random", "clairvoyant"], 1, seed=1)
    with pytest.raises(ValueError, match="seats"):
        run("war-jhong", ["random"] * 9, 1, seed=1)
