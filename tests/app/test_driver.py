"""The driver alone: when answers leave (no tells), and what is on the disk before anything is sent.

On a virtual clock, so that times are exact; with the questions of a real game.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import pytest

from p2pjong.app import driver as module
from p2pjong.app.driver import Driver
from p2pjong.app.pace import NO_PACE, Pace, clocks_of
from p2pjong.errors import Exit, P2PJongError
from p2pjong.front import Clocks, Linked, Stuck, TimeUp
from p2pjong.games.game import Action, Seat
from p2pjong.session.effects import Ask, Awaiting, Effect, Keep, Left, Rest, Send, Store, Withdraw
from p2pjong.session.faults import OtherTable, Refusal
from p2pjong.wire.messages import Have, TableOptions
from tests.support.peers import ScriptedFront, front
from tests.support.shared_sums import shared_sums
from tests.support.sim import SimTable, choose_default, tiny_draft
from tests.support.virtual_clock import run_virtually

WINDOW_S = 2.0
STEADY = Clocks(clock_s=20.0, window_s=WINDOW_S, grace_s=60.0)
OPTIONS = TableOptions(
    target=0, rounds=0, clock_ms=20_000, window_ms=2_000, grace_ms=60_000, is_open_books=False
)


@dataclass
class Thinker(ScriptedFront):
    """A person who takes its time and then picks one of the choices."""

    thinks_s: float = 0.0
    pick: Callable[[Ask], Action] = lambda ask: ask.actions[-1]
    was_asked: bool = False

    async def choose(self, ask: Ask, timeout_s: float | None) -> Action:
        self.was_asked = True
        await asyncio.sleep(self.thinks_s)
        return self.pick(ask)


@dataclass
class Wire:
    """Links and a journal that note in which order they are used."""

    used: list[str] = field(default_factory=list)
    failed: list[Seat] = field(default_factory=list)
    is_full: bool = False
    has_run_out: bool = False

    def send(self, seat: Seat, frame: bytes) -> None:
        self.used.append(f"send {frame.decode()}")

    def linked(self) -> set[Seat]:
        return {1}

    def fail(self, seat: Seat, reason: str) -> None:
        self.failed.append(seat)

    def append(self, rows: Iterable[tuple[int, int, bytes]]) -> None:
        if self.is_full:
            raise P2PJongError("the disk is full", "", Exit.STORAGE)
        self.used += [f"store {frame.decode()}" for _, _, frame in rows]

    def keep(self, seed: bytes) -> None:
        self.used.append(f"keep {seed.decode()}")


def make_driver(
    person: Any = None, clocks: Clocks = STEADY, session: Any = None, pace: Pace = NO_PACE
) -> Driver:
    wire: Any = Wire()
    return Driver(session, wire, person or front(), wire, clocks, pace=pace)


def thinker(**how: Any) -> Thinker:
    base = front()
    return Thinker(strategy=base.strategy, rng=base.rng, write=base.write, **how)


# --- No tells -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def asks() -> list[Ask]:
    """Questions after a discard, of hands that can claim it and of hands that cannot."""
    found: list[Ask] = []
    for seed in range(6):
        with shared_sums():
            table = SimTable(3, seed, draft=tiny_draft(3), choose=choose_default).start().finish()
        seen = [one for peer in table.peers for one in peer.seen]
        found += [one for one in seen if isinstance(one, Ask) and one.is_answer]
    assert {len(ask.actions) for ask in found} >= {1, 2}
    return found


@dataclass
class Prepared:
    """A session that notes when it is to prepare an answer, and when to give it."""

    noted: list[tuple[str, float, Action]] = field(default_factory=list)

    def prepare(self, question: int, action: Action) -> list[Effect]:
        self.noted.append(("prepare", asyncio.get_running_loop().time(), action))
        return []

    def answer(self, question: int, action: Action) -> list[Effect]:
        self.noted.append(("answer", asyncio.get_running_loop().time(), action))
        return []


def answered_after(
    ask: Ask, person: Any, clocks: Clocks = STEADY, pace: Pace = NO_PACE
) -> tuple[float, Action]:
    """When the answer leaves, in seconds after the question opened, and which it is.

    What the question takes to be asked, half a second here, is not added to it.
    """

    async def scene() -> tuple[float, Action]:
        session = Prepared()
        driver = make_driver(person, clocks, session, pace)
        await asyncio.sleep(0.5)
        answering = asyncio.create_task(driver._answer(ask, opened_s=0.0))
        while not session.noted or session.noted[-1][0] != "answer":
            (await driver._inputs.get())()
        await answering
        (_, prepared_s, prepared), (_, left_s, action) = session.noted[-2:]
        assert prepared == action and prepared_s <= left_s, "it is worked out before it leaves"
        return left_s, action

    return run_virtually(scene())


@pytest.mark.slow
@pytest.mark.parametrize("thinks_s", [0.0, 0.4, 1.24, 1.99, 2.0, 50.0])
def test_with_a_steady_window_every_answer_leaves_at_the_same_moment(
    asks: list[Ask], thinks_s: float
) -> None:
    """Whether the hand could have claimed, and how long its person thought, does not show."""
    for ask in asks:
        for pick in (lambda ask: ask.actions[0], lambda ask: ask.default):
            left_s, _ = answered_after(ask, thinker(thinks_s=thinks_s, pick=pick))
            assert left_s == WINDOW_S


def test_who_can_only_pass_is_not_asked_and_takes_as_long(asks: list[Ask]) -> None:
    for ask in asks:
        person = thinker()
        left_s, action = answered_after(ask, person)
        assert person.was_asked == (len(ask.actions) > 1)
        assert left_s == WINDOW_S
        assert action in ask.actions


def test_who_is_too_slow_for_the_window_passes(asks: list[Ask]) -> None:
    """G8: the default, at the moment at which all answers leave."""
    ask = next(ask for ask in asks if len(ask.actions) > 1)
    claim = next(action for action in ask.actions if action != ask.default)
    assert answered_after(ask, thinker(pick=lambda ask: claim))[1] == claim
    late = thinker(thinks_s=WINDOW_S + 0.1, pick=lambda ask: claim)
    left_s, action = answered_after(ask, late)
    assert left_s == pytest.approx(WINDOW_S)
    assert action == ask.default


@dataclass
class Wavering(Thinker):
    """A person who passes first, and thinks better of it some time later."""

    wavers_s: float = 0.5

    async def reconsider(self, ask: Ask, action: Action) -> Action:
        await asyncio.sleep(self.wavers_s if action == ask.default else 99)
        return next(other for other in ask.actions if other != action)


def wavering(**how: Any) -> Wavering:
    base = front()
    return Wavering(base.strategy, base.rng, base.write, pick=lambda ask: ask.default, **how)


@pytest.mark.parametrize(("wavers_s", "is_in_time"), [(0.5, True), (3.0, False)])
def test_an_answer_can_be_taken_back_until_its_time_is_up(
    asks: list[Ask], wavers_s: float, is_in_time: bool
) -> None:
    """The last key counts, and it all leaves at the same moment."""
    ask = next(ask for ask in asks if len(ask.actions) == 2)
    left_s, action = answered_after(ask, wavering(wavers_s=wavers_s))
    assert (action != ask.default) == is_in_time
    assert left_s == WINDOW_S


def test_a_pass_that_becomes_a_call_of_a_race_leaves_at_once(asks: list[Ask]) -> None:
    """And a call is never taken back: it has left (N4)."""
    ask = next(replace(ask, is_race=True) for ask in asks if len(ask.actions) == 2)
    left_s, action = answered_after(ask, wavering())
    assert action.verb != "pass" and left_s == pytest.approx(1.0)
    call = wavering()
    call.pick = lambda ask: next(action for action in ask.actions if action.verb != "pass")
    left_s, action = answered_after(ask, call)
    assert action.verb != "pass" and left_s == pytest.approx(0.5)


def test_n4_where_the_first_call_counts_a_call_goes_out_at_once_and_a_pass_does_not(
    asks: list[Ask],
) -> None:
    ask = next(replace(ask, is_race=True) for ask in asks if len(ask.actions) > 1)
    claim = next(action for action in ask.actions if action.verb != "pass")
    called_s, _ = answered_after(ask, thinker(thinks_s=0.5, pick=lambda ask: claim))
    passed_s, _ = answered_after(ask, thinker(thinks_s=0.5, pick=lambda ask: ask.default))
    assert called_s == pytest.approx(1.0)
    assert passed_s == WINDOW_S


def test_a_move_of_ones_own_and_a_table_without_a_window_wait_for_nothing(asks: list[Ask]) -> None:
    ask = next(ask for ask in asks if len(ask.actions) > 1)
    own = replace(ask, is_answer=False)
    assert answered_after(own, thinker(thinks_s=0.5))[0] == pytest.approx(1.0)
    at_once = replace(STEADY, window_s=0.0)
    assert answered_after(ask, thinker(thinks_s=0.5), at_once)[0] == pytest.approx(1.0)
    assert answered_after(own, thinker(thinks_s=99))[0] == pytest.approx(20), "the clock"


@pytest.mark.parametrize(("people", "window_s"), [(0, 0.0), (1, 0.0), (2, 2.0), (8, 2.0)])
def test_with_one_person_and_bots_nobody_waits(people: int, window_s: float) -> None:
    assert clocks_of(OPTIONS, people) == Clocks(20.0, window_s, 60.0)


# --- What others make us send -------------------------------------------------------------------

ANSWERING = Awaiting((0, 2), "answer-discard", is_decision=True, is_answer=True)
TURN = Awaiting((0,), "discard", is_decision=True)


def sent_by(*steps: list[Effect], clocks: Clocks = STEADY) -> list[str]:
    """What has left for the links right after these batches, one after the other."""
    driver = make_driver(clocks=clocks, session=Speaking())

    async def scene() -> None:
        driver._loop = asyncio.get_running_loop()
        with ThreadPoolExecutor(1) as thread:
            for effects in steps:
                driver._inputs.put_nowait(partial(list[Effect], effects))
                await driver._process(thread)
        await asyncio.sleep(0)

    asyncio.run(scene())
    wire: Any = driver._links
    return [used for used in wire.used if used.startswith("send")]


def test_while_our_answer_is_awaited_a_reply_does_not_leave_when_another_likes() -> None:
    """Or many of them would time how long our machine is busy with showing a question."""
    assert sent_by([ANSWERING], [Send(b"reply", 1)]) == []
    assert sent_by([TURN], [Send(b"reply", 1)]) == ["send reply"]
    at_once = replace(STEADY, window_s=0.0)
    assert sent_by([ANSWERING], [Send(b"reply", 1)], clocks=at_once) == ["send reply"]


def test_what_our_seat_says_never_waits_and_what_waited_goes_before_it() -> None:
    said: list[Effect] = [Store(0, 5, b"mine"), Send(b"mine")]
    assert sent_by([ANSWERING], [Send(b"reply", 1)], said) == ["send reply", "send mine"]


def test_when_our_answer_is_given_or_void_replies_leave_at_once() -> None:
    others = replace(ANSWERING, seats=(2,))
    void = Awaiting((1, 2), "begin-anew")
    for effect in (others, void):
        batches: list[list[Effect]] = [[ANSWERING], [Send(b"a", 1)], [effect], [Send(b"b", 1)]]
        assert sent_by(*batches) == ["send a", "send b"]


def test_a_message_of_another_that_we_keep_is_none_of_our_own() -> None:
    forwarded: list[Effect] = [Store(1, 5, b"theirs"), Send(b"theirs", 2)]
    assert sent_by([ANSWERING], forwarded) == []


# --- The disk and the links ---------------------------------------------------------------------


def process(driver: Driver, *steps: Callable[[], list[Effect]]) -> None:
    async def scene() -> None:
        driver._loop = asyncio.get_running_loop()
        for step in steps:
            driver._inputs.put_nowait(step)
        with ThreadPoolExecutor(1) as thread:
            await driver._process(thread)
        await asyncio.sleep(0)

    asyncio.run(scene())


def test_all_of_a_batch_is_on_the_disk_before_any_of_it_is_sent() -> None:
    driver = make_driver(session=Speaking())
    process(
        driver,
        lambda: [Send(b"a"), Store(0, 1, b"a")],
        lambda: [Keep(b"s"), Send(b"b"), Store(0, 2, b"b")],
    )
    wire: Any = driver._links
    assert wire.used == ["store a", "store b", "keep s", "send a", "send b"]


def test_what_cannot_be_journaled_is_not_sent() -> None:
    driver = make_driver(session=Speaking())
    wire: Any = driver._links
    wire.is_full = True
    with pytest.raises(P2PJongError):
        process(driver, lambda: [Store(0, 1, b"a"), Send(b"a")])
    assert wire.used == []


@dataclass
class Speaking:
    """A session of seat 0, which leaves by a word of its own."""

    me: Seat = 0

    def leave(self) -> list[Effect]:
        return [Store(0, 7, b"bye"), Send(b"bye")]


def test_on_a_full_disk_our_seat_leaves_by_its_word_the_last_that_is_kept_and_sent() -> None:
    person = front()
    driver = make_driver(person, session=Speaking())
    driver._others = lambda: 2  # type: ignore[method-assign]
    driver._session.game = Waiting(3)  # type: ignore[assignment]
    driver._part = lambda does_go_on: []  # type: ignore[method-assign]
    wire: Any = driver._links

    async def scene() -> None:
        driver._loop = asyncio.get_running_loop()
        with ThreadPoolExecutor(1) as thread:
            wire.has_run_out = True  # in the midst of what is stored now, with what was set aside
            driver._inputs.put_nowait(lambda: [Store(1, 4, b"a"), Store(0, 6, b"b"), Send(b"b")])
            await driver._process(thread)
            await driver._process(thread)
            assert wire.used == ["store a", "store b", "send b", "store bye", "send bye"]
            assert driver.has_left and driver.has_run_out
            assert "disk is full" in person.said[-1]
            wire.is_full = True
            driver._inputs.put_nowait(lambda: [Store(1, 5, b"what others go on to say")])
            await driver._process(thread)
            driver._inputs.put_nowait(lambda: [Store(0, 8, b"c"), Send(b"c")])
            with pytest.raises(P2PJongError):
                await driver._process(thread)
            assert wire.used[-1] == "send bye"
        assert driver._going
        driver._going.cancel()

    asyncio.run(scene())


class Refusing:
    """A session that takes nothing."""

    def __init__(self, error: Refusal) -> None:
        self.error = error

    def receive(self, seat: Seat, message: object) -> list[Effect]:
        raise self.error

    def drain(self) -> list[Effect]:
        return [Send(b"what came before")]


def test_who_floods_a_table_pays_for_it_and_no_other_seat_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "WAITING_MAX", 3)
    driver, message = make_driver(), Have(bytes(32), (0, 0), 0)
    wire: Any = driver._links
    for _ in range(5):
        driver.on_message(1, message)
    driver.on_message(2, message)
    driver.on_message(0, message, module.WAITING_BYTES_MAX)
    assert wire.failed == [1, 1]
    driver.on_message(0, message)
    assert wire.failed == [1, 1, 0], "a few large ones are as many"
    heard: list[Seat] = []
    driver._receive = lambda seat, message: heard.append(seat) or []  # type: ignore[method-assign,func-returns-value]
    while not driver._inputs.empty():
        driver._inputs.get_nowait()()
    assert heard == [1, 2, 0, 1, 1], "each in its turn"


@pytest.mark.parametrize(("error", "failed"), [(Refusal("x"), [1]), (OtherTable("x"), [])])
def test_who_sends_too_much_that_is_refused_loses_its_link(
    error: Refusal,
    failed: list[Seat],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """But for messages of the table before, which an honest peer may send after a rematch."""
    monkeypatch.setattr(module, "BATCH_MAX", 999)
    driver = make_driver(session=Refusing(error))
    process(driver, *[lambda: driver._receive(1, None)] * (module.REFUSALS_MAX + 1))  # type: ignore[arg-type]
    wire: Any = driver._links
    assert wire.failed == failed
    assert wire.used == ["send what came before"] * (module.REFUSALS_MAX + 1)
    assert all(record.levelno < logging.WARNING for record in caplog.records), "no news for people"


class Leaving:
    """A session whose seat 1 leaves by its word, before its link goes down."""

    def receive(self, seat: Seat, message: object) -> list[Effect]:
        return [Left(seat)]

    def unlinked(self, seat: Seat) -> list[Effect]:
        return []


@pytest.mark.parametrize("does_leave", [True, False])
def test_a_link_that_is_down_is_told_at_once_and_after_what_its_seat_has_said(
    does_leave: bool,
) -> None:
    person, session = front(), Leaving()
    driver = make_driver(person, session=session)
    links: Any = driver._links
    links.linked = lambda: {2}
    driver._receive = session.receive  # type: ignore[method-assign]
    if does_leave:
        driver.on_message(1, Have(bytes(32), (0, 0), 0))
    driver.on_down(1)
    process(driver)
    assert person.shown == [*([Left(1)] if does_leave else []), Linked((2,))]


# --- Clocks that run out, and seats that leave or are silent --------------------------------------


def test_a_clock_that_runs_out_is_told_with_what_was_done(asks: list[Ask]) -> None:
    ask = next(ask for ask in asks if len(ask.actions) > 1)
    late = thinker(thinks_s=WINDOW_S + 1)
    answered_after(ask, late)
    assert late.shown == [TimeUp(ask, ask.default)]
    in_time = thinker(thinks_s=1)
    answered_after(ask, in_time)
    assert in_time.shown == []


def test_a_question_that_is_withdrawn_is_neither_answered_nor_spoken_of(asks: list[Ask]) -> None:
    """On leaving, at the end, and when a hand is void: no default, and nothing is said."""
    ask = next(ask for ask in asks if len(ask.actions) > 1)
    person = thinker(thinks_s=50)
    given: list[Action] = []

    async def scene() -> None:
        driver = make_driver(person)
        driver._loop = asyncio.get_running_loop()
        driver._give = lambda ask, action: given.append(action) or []  # type: ignore[method-assign,func-returns-value]
        driver._carry_out([ask], opened_s=0.0)
        await asyncio.sleep(1)
        driver._carry_out([Withdraw(ask.question)], opened_s=1.0)
        await asyncio.sleep(60)
        assert driver._inputs.empty()

    run_virtually(scene())
    assert person.was_asked and not given and not person.shown


@pytest.mark.parametrize("is_answer", [True, False])
def test_a_choice_stays_open_while_another_seat_leaves_and_no_default_is_played(
    is_answer: bool,
) -> None:
    """Who leaves never chooses for us: an open step still waits for our answer, and has time."""
    table = SimTable(4, 5, draft=tiny_draft(4), choose=choose_default).start()
    assert table.run_until(lambda table: bool(askers(table, is_answer)))
    seat = askers(table, is_answer)[0]
    chooser, leaver = table.peers[seat], (seat + 1) % 4
    ask, said = chooser.asked, chooser.session.lanes.head(seat).length
    table.at(leaver, lambda session: session.leave())
    deliver_all(table)
    assert Left(leaver) in chooser.seen
    assert chooser.asked == ask is not None, "it is asked still"
    assert chooser.session.lanes.head(seat).length == said, "nothing was said for it"


def askers(table: SimTable, is_answer: bool) -> list[Seat]:
    return [
        seat
        for seat, peer in enumerate(table.peers)
        if peer.asked and peer.asked.is_answer == is_answer and len(peer.asked.actions) > 1
    ]


def deliver_all(table: SimTable) -> None:
    """All that is on the wires arrives, and nobody chooses."""
    while wires := [wire for wire, frames in table.wires.items() if frames]:
        table.deliver(*wires[0])


class Waiting:
    """A session that awaits others for ever; `present` says how many are in the game."""

    me = 0

    def __init__(self, present: int) -> None:
        self.play = self
        self.game = self
        self.seats_min = 2
        self.name = "samurai-warfare"
        self._present = tuple(range(present))

    def present(self) -> tuple[Seat, ...]:
        return self._present

    def propose_absent(self, seat: Seat) -> list[Effect]:
        return []


@dataclass
class Voter(ScriptedFront):
    """A person who notes when it is asked to vote."""

    votes: list[tuple[float, Seat]] = field(default_factory=list)

    async def vote_absent(self, seat: Seat, waited_s: float) -> bool:
        self.votes.append((asyncio.get_running_loop().time(), seat))
        return True


def watched(present: int, *effects: tuple[float, Awaiting], seconds: float) -> Voter:
    """What a person meets who sees these effects at these times."""
    base = front()
    person = Voter(strategy=base.strategy, rng=base.rng, write=base.write)

    async def scene() -> None:
        driver = make_driver(person, Clocks(0.0, 0.0, 60.0), Waiting(present))
        driver._loop = asyncio.get_running_loop()
        watching = asyncio.create_task(driver._watch_absence())
        for at_s, effect in effects:
            await asyncio.sleep(at_s - asyncio.get_running_loop().time())
            driver._await(effect, opened_s=at_s)
        await asyncio.sleep(seconds - asyncio.get_running_loop().time())
        watching.cancel()

    run_virtually(scene())
    return person


def stuck_of(person: Voter) -> list[Stuck]:
    return [one for one in person.shown if isinstance(one, Stuck)]


def test_with_two_seats_a_silent_one_is_told_of_with_what_can_be_done() -> None:
    person = watched(2, (0.0, Awaiting((0, 1), "shuffle-deck")), seconds=130)
    first, second = stuck_of(person)
    assert (first.seat, first.present, first.has_voted) == (1, 2, False)
    assert 60 <= first.waited_s < 63 <= second.waited_s
    assert "nobody wins" in first.cost and "this turn is void" in first.cost
    assert person.votes == []


def test_a_silence_is_spoken_of_again_when_it_is_twice_as_long() -> None:
    person = watched(2, (0.0, Awaiting((0, 1), "shuffle-deck")), seconds=600)
    waited_s = [told.waited_s for told in stuck_of(person)]
    assert len(waited_s) == 4
    for told_s, due_s in zip(waited_s, (60, 120, 240, 480), strict=True):
        assert due_s <= told_s < due_s * 1.1


def test_a_vote_that_finds_no_majority_is_told_of() -> None:
    person = watched(4, (0.0, Awaiting((1,), "shuffle-deck", votable=(1,))), seconds=130)
    assert [seat for _, seat in person.votes] == [1]
    (told,) = stuck_of(person)
    assert told.has_voted and told.present == 4


def test_who_is_awaited_again_and_again_but_answers_is_not_silent() -> None:
    waits = [
        (20.0 * turn, Awaiting((1, 2), f"to do {turn % 2}", votable=(1, 2))) for turn in range(9)
    ]
    person = watched(4, *waits, seconds=175)
    assert person.votes == [] and stuck_of(person) == []


def test_who_stays_silent_while_others_answer_is() -> None:
    waits = [
        (0.0, Awaiting((1, 2, 3), "answer", votable=(1, 2, 3))),
        (50.0, Awaiting((1,), "answer", votable=(1,))),
    ]
    person = watched(4, *waits, seconds=70)
    ((at_s, seat),) = person.votes
    assert seat == 1 and 60 <= at_s < 63


@dataclass
class Reader(ScriptedFront):
    """A person who reads the end of a hand for some time."""

    reads_s: float = 0.0

    async def next_hand(self, timeout_s: float) -> None:
        await asyncio.sleep(self.reads_s)


@pytest.mark.parametrize(("reads_s", "went_on_s"), [(0.0, 0.0), (5.0, 5.0), (99.0, 20.0)])
def test_the_next_hand_begins_when_our_person_goes_on_or_the_pause_is_over(
    reads_s: float, went_on_s: float
) -> None:
    base = front()
    person = Reader(base.strategy, base.rng, base.write, reads_s=reads_s)

    class Resting:
        def go_on(self) -> list[Effect]:
            went.append(asyncio.get_running_loop().time())
            return []

    went: list[float] = []

    async def scene() -> None:
        driver = make_driver(person, session=Resting(), pace=Pace(pause_s=20.0))
        driver._carry_out([Rest(1)], opened_s=0.0)
        (await driver._inputs.get())()

    run_virtually(scene())
    assert went == [went_on_s]
