"""The verdict of a session that looks on against that of the verifier written from the pages."""

from collections.abc import Iterable
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace as with_fields

from p2pjong.wire.messages import (
    Convict,
    Draft,
    Evidence,
    Lane,
    LaneBody,
    Leave,
    Payload,
)
from tests.support.ballots import word_of
from tests.support.forging import Change, around, body_of, lanes_of, next_of, sign, stamp_of
from tests.support.hostile import Misdeed, flipped, hostile
from tests.support.marks import first_quick
from tests.support.misdeeds import BOOKS, MISDEEDS
from tests.support.scenario import draw, play, short_draft
from tests.support.sim import SimTable, make_draft, tiny_draft
from tests.support.trials import SEATS, choose_greedily, misdeeds_of, seats_of, try_in
from tests.support.verified import check_record, recorded

slow = pytest.mark.slow
pytestmark = pytest.mark.timeout(120)
CHEAT = 1


def check(table: SimTable, mixed: bool = True) -> None:
    """Of every honest peer's journal, as it is and with its messages in disorder."""
    for seat, peer in enumerate(table.peers):
        if not peer.is_honest:
            continue
        messages = recorded(peer.journal)
        verdict = check_record(table.draft, messages)
        if peer.finished and verdict.stop is None:
            assert verdict.digest == peer.finished.digest
        if mixed:
            Random(seat).shuffle(messages)
            messages.sort(key=lambda one: isinstance(one, Evidence))  # always last
            check_record(table.draft, messages)


def opened(draft: Draft) -> Draft:
    return with_fields(draft, options=with_fields(draft.options, is_open_books=True))


# --- Honest tables --------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", first_quick([3, 2, 5, 8]))
def test_honest_games(seats: int) -> None:
    check(SimTable(seats, seed=seats, draft=tiny_draft(seats, target=2)).start().finish())


REAL = [
    ("war-jhong", 2),
    pytest.param("war-jhong", 4, marks=slow),
    pytest.param("samurai-warfare", 2, marks=slow),
    pytest.param("samurai-warfare", 4, marks=slow),
    pytest.param("not-your-mas-jong", 3, marks=slow),
    pytest.param("not-your-mas-jong", 4, marks=slow),
]


@pytest.mark.slow
@pytest.mark.timeout(120)
@pytest.mark.parametrize("is_open", [False, pytest.param(True, marks=slow)])
@pytest.mark.parametrize(("game", "seats"), REAL)
def test_games_of_all_rules(game: str, seats: int, is_open: bool) -> None:
    draft = short_draft(game, seats)
    draft = opened(draft) if is_open else draft
    table = SimTable(seats, 3, draft=draft, choose=choose_greedily).start().finish()
    assert table.is_finished()
    check(table, mixed=False)


def test_open_books() -> None:
    draft = opened(tiny_draft(3, target=2))
    check(SimTable(3, seed=5, draft=draft).start().finish())


# --- Tables with a cheat --------------------------------------------------------------------------


def named(misdeeds: Iterable[Misdeed]) -> list[Any]:
    return [pytest.param(one, id=one.name.replace(" ", "-")) for one in misdeeds]


def check_misdeed(misdeed: Misdeed, draft: Draft, seed: int) -> None:
    seats = len(draft.seats)
    makers = {CHEAT: hostile(misdeed)}
    table = SimTable(seats, seed, draft=draft, makers=makers).start().finish(ticks=2)
    for voter in range(seats):
        if voter != CHEAT:
            table.at(voter, lambda session: session.propose_absent(CHEAT))
    check(table.finish(ticks=2))


@pytest.mark.slow
@pytest.mark.parametrize("misdeed", named(MISDEEDS[::20]))
def test_a_misdeed(misdeed: Misdeed) -> None:
    check_misdeed(misdeed, tiny_draft(3, target=2), 1)


@slow
@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("misdeed", named(MISDEEDS))
def test_misdeeds(misdeed: Misdeed, seats: int) -> None:
    for seed in range(3):
        check_misdeed(misdeed, tiny_draft(seats, target=2), seed)


@pytest.mark.parametrize("misdeed", first_quick(BOOKS, 2), ids=[one.name for one in BOOKS])
def test_misdeeds_with_open_books(misdeed: Misdeed) -> None:
    check_misdeed(misdeed, opened(tiny_draft(3, target=2)), 2)


IN_GAMES = [
    pytest.param(game, misdeed, seats, id=f"{misdeed.name.replace(' ', '-')}-{game}-{seats}")
    for game in SEATS
    if game != "tiny"
    for misdeed in misdeeds_of(game)
    for seats in seats_of(game, misdeed)[:1]
]


@slow
@pytest.mark.timeout(60)
@pytest.mark.parametrize(("game", "misdeed", "seats"), IN_GAMES)
def test_misdeeds_in_all_games(game: str, misdeed: Misdeed, seats: int) -> None:
    check(try_in(game, misdeed, seats), mixed=False)


# --- Tables of chance -----------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("seed", first_quick([3, *range(3), *range(4, 200)], 2))
def test_tables_drawn_at_random(seed: int) -> None:
    check(play(draw(seed)))


@pytest.mark.slow
@pytest.mark.parametrize("seed", first_quick([3, *range(3), *range(4, 100)], 2))
def test_tables_at_which_everybody_votes_wildly(seed: int) -> None:
    check(play(replace(draw(seed), is_impatient=True)))


# --- Whatever is signed ---------------------------------------------------------------------------


def any_word(rng: Random, body: LaneBody, draft: Draft) -> Payload:
    """Votes of some seats, perhaps of enough, perhaps in another step than this one."""
    seats = len(draft.seats)
    out = rng.randrange(seats)
    others = [seat for seat in range(seats) if seat != out]
    voters = rng.sample(others, rng.randint(1, len(others)))
    step = body.step + rng.choice([0, 0, 1])
    return word_of(draft, voters, out, body.place, step=step)


def any_payload(rng: Random, lanes: list[Lane], draft: Draft) -> Payload:
    """A word, a vote, a leave, or what somebody has said before."""
    other = rng.choice(lanes)
    second = sign(around(digest=flipped)(body_of(other)))
    payloads: list[Payload] = [
        Leave(),
        any_word(rng, body_of(lanes[-1]), draft),
        any_word(rng, body_of(other), draft),
        Convict(stamp_of(other), stamp_of(rng.choice([second, second, other]))),
        body_of(other).payload,
        body_of(lanes[-1]).payload,
    ]
    return rng.choice(payloads)


def talk(rng: Random, lanes: list[Lane], draft: Draft) -> list[Lane]:
    """The beginning of a record, and what its seats may say after that; twice, or out of order."""
    seats = len(draft.seats)
    said = lanes[: rng.randrange(3 * seats, len(lanes))]
    for _ in range(rng.randrange(1, 12)):
        message = next_of(said, rng.randrange(seats), any_payload(rng, said, draft))
        edits: list[Change] = [around(step=lambda step: step + 1), around(place=flipped)]
        if rng.random() < 0.2:
            message = sign(rng.choice(edits)(body_of(message)))
        if rng.random() < 0.9:
            said.append(message)
        else:
            said.insert(rng.randrange(len(said)), message)
    return said


@pytest.mark.slow
@pytest.mark.parametrize("seed", first_quick(range(60), 3))
def test_peers_and_auditors_make_the_same_of_whatever_is_signed(seed: int) -> None:
    rng = Random(seed)
    seats = rng.choice([2, 3, 4])
    draft = make_draft(seats, "tiny-3", 2, is_open_books=rng.random() < 0.5)
    table = SimTable(seats, seed, draft=draft).start().finish()
    for _ in range(10):
        check_record(draft, talk(rng, lanes_of(table), draft))
