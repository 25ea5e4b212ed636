"""What a command line may ask for, and what an outcome says."""

from dataclasses import replace
from pathlib import Path

import pytest

from p2pjong.errors import Exit, P2PJongError
from p2pjong.settings import Outcome, OutcomeFault, OutcomeSeat, PeerSettings

HOST = PeerSettings(
    role="host", name="Ada", home=Path("."), game="war-jhong", table="Ada's table", seats=4, bots=3
)
OUTCOME = Outcome(
    game="war-jhong",
    table="Ada's table",
    outcome="finished",
    seats=(OutcomeSeat("Ada", "ab" * 32), OutcomeSeat("Ben", "cd" * 32)),
    scores=(12, 3),
    winners=(0,),
    hands=2,
    digest="ef" * 32,
)


def test_what_can_be_passes() -> None:
    HOST.check()
    replace(HOST, clock_s=0.0, window_s=0.0, name="n" * 32).check()


@pytest.mark.parametrize(
    "changes",
    [
        {"bots": 4},
        {"clock_s": -1.0},
        {"clock_s": float("nan")},
        {"clock_s": 0.001},
        {"clock_s": 3601.0},
        {"window_s": 0.1},
        {"window_s": 301.0},
        {"grace_s": 0.0},
        {"grace_s": 4.0},
        {"grace_s": 86400.0},
        {"name": ""},
        {"name": "   "},
        {"name": "n" * 33},
        {"table": "t" * 33},
    ],
)
def test_what_cannot_be_is_a_usage_error(changes: dict[str, object]) -> None:
    with pytest.raises(P2PJongError) as refused:
        replace(HOST, **changes).check()  # type: ignore[arg-type]
    assert refused.value.code == Exit.USAGE
    assert str(refused.value.message)


def test_a_joiner_needs_no_table() -> None:
    joiner = PeerSettings(role="join", name="Ben", home=Path("."), bots=9)
    joiner.check()
    with pytest.raises(P2PJongError, match="do not fit"):
        replace(joiner, role="host").check()


def test_who_needs_no_terminal() -> None:
    assert not HOST.is_automatic
    assert replace(HOST, strategy="greedy").is_automatic
    assert replace(HOST, role="bot", strategy="greedy").is_bot


def test_the_json_of_an_outcome_has_the_fields_that_scripts_rely_on() -> None:
    assert OUTCOME.as_json() == {
        "game": "war-jhong",
        "table": "Ada's table",
        "outcome": "finished",
        "seats": [{"name": "Ada", "key": "ab" * 32}, {"name": "Ben", "key": "cd" * 32}],
        "scores": [12, 3],
        "winners": [0],
        "hands": 2,
        "digest": "ef" * 32,
        "fault": None,
    }
    fault = replace(OUTCOME, fault=OutcomeFault(1, "shuffle-proof", "it does not hold"))
    assert fault.as_json()["fault"] == {
        "seat": 1,
        "rule": "shuffle-proof",
        "message": "it does not hold",
    }


@pytest.mark.parametrize(
    ("outcome", "code"), [("finished", Exit.OK), ("abandoned", Exit.LEFT), ("fault", Exit.FAULT)]
)
def test_the_exit_code_tells_how_it_ended(outcome: str, code: Exit) -> None:
    assert replace(OUTCOME, outcome=outcome).code == code  # type: ignore[arg-type]


def test_a_window_longer_than_the_grace_is_refused_with_the_reason() -> None:
    replace(HOST, window_s=60.0, grace_s=60.0).check()
    with pytest.raises(P2PJongError, match="--window 90 is longer than --grace 60") as refused:
        replace(HOST, window_s=90.0, grace_s=60.0).check()
    assert refused.value.code == Exit.USAGE


def test_one_file_for_events_and_record_is_refused_before_anything_is_written() -> None:
    one = Path("game.out")
    with pytest.raises(P2PJongError, match="--events and --record both name"):
        replace(HOST, events=one, record=one.absolute()).check()
    replace(HOST, events=one, record=Path("game.p2pjong")).check()
