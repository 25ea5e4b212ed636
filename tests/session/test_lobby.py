"""The lobby of a host: who sits, who is turned away and why, and when the game begins."""

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pjong.session.lobby import (
    HAS_CHANGED,
    REFUSALS,
    WORDS_MAX,
    Begun,
    Changed,
    Drop,
    Hint,
    HostLobby,
    LobbyEffect,
    Prove,
    Tell,
    unique_name,
)
from p2pjong.session.lobby_view import Leave, Remove, SetReady, Start
from p2pjong.wire.codec import decode
from p2pjong.wire.messages import (
    PROTOCOL_VERSION,
    Begin,
    Bye,
    Draft,
    Join,
    LobbyMessage,
    LobbyState,
    PeerAddress,
    Ready,
    Refused,
)
from tests.support.lobbies import (
    ANN,
    BEN,
    CAT,
    HOST,
    NONCE,
    OPTIONS,
    WAIT,
    ask,
    begin_of,
    joiner,
    open_lobby,
    ready,
    seated,
)


def told(effects: Sequence[LobbyEffect], key: bytes) -> list[LobbyMessage]:
    frames = [effect.frame for effect in effects if isinstance(effect, Tell) and effect.key == key]
    return [decode(frame, LobbyMessage) for frame in frames]


# --- Sitting down -----------------------------------------------------------------------------


def test_who_asks_gets_the_next_seat_and_all_at_the_table_are_told() -> None:
    lobby = seated(ANN)
    effects = lobby.receive(BEN, ask("Ben", is_bot=True))
    assert Changed() in effects
    for key in (ANN, BEN):
        (state,) = told(effects, key)
        assert state == lobby.state()
    assert told(effects, CAT) == []
    seats = lobby.state().seats
    assert [(seat.key, seat.is_bot, seat.is_ready) for seat in seats] == [
        (HOST, False, False),
        (ANN, False, False),
        (BEN, True, False),
    ]
    assert lobby.seats_free == 0
    assert lobby.has_seat(BEN)
    assert not lobby.has_seat(CAT)


def test_the_table_is_shown_with_all_its_options() -> None:
    state = open_lobby().state()
    assert (state.table, state.name, state.game) == (bytes(16), "a table", "war-jhong")
    assert (state.options, state.seats_total) == (OPTIONS, 3)


def refusal(lobby: HostLobby, key: bytes, join: Join) -> str:
    before = lobby.state()
    effects = lobby.receive(key, join)
    (refused,) = told(effects, key)
    assert isinstance(refused, Refused)
    assert refused.text == REFUSALS[refused.reason]
    assert [effect.key for effect in effects if isinstance(effect, Drop)] == [key]
    assert Changed() not in effects
    assert lobby.state() == before
    return refused.reason


def test_a_full_table_a_late_joiner_and_another_version_each_get_a_clear_answer() -> None:
    assert refusal(seated(ANN, BEN), CAT, ask()) == "full"
    assert refusal(seated(ANN), CAT, ask(version=PROTOCOL_VERSION + 1)) == "version"
    lobby = seated(ANN)
    lobby.receive(ANN, ready(lobby))
    lobby.command(Start())
    assert refusal(lobby, CAT, ask()) == "started"
    assert refusal(lobby, ANN, ask()) == "started"


def test_the_same_identity_again_takes_over_its_own_seat() -> None:
    lobby = seated(ANN, BEN)
    lobby.receive(ANN, ready(lobby))
    effects = lobby.receive(ANN, ask("Anna", port=7009))
    assert not [effect for effect in effects if isinstance(effect, Drop)]
    seats = lobby.state().seats
    assert [seat.key for seat in seats] == [HOST, ANN, BEN]
    assert (seats[1].name, seats[1].is_ready) == ("Anna", False), "it says anew that it is ready"


def test_coming_again_does_not_change_a_name_that_is_its_own() -> None:
    lobby = seated(ANN)
    lobby.receive(ANN, ask("guest 0"))
    assert lobby.state().seats[1].name == "guest 0"


def test_names_that_collide_are_told_apart() -> None:
    lobby = open_lobby(5)
    for key in (ANN, BEN, CAT):
        lobby.receive(key, ask("HOST"))
    assert [seat.name for seat in lobby.state().seats] == [
        "Host",
        "HOST (2)",
        "HOST (3)",
        "HOST (4)",
    ]


def test_names_are_cleaned_before_anyone_is_shown_them() -> None:
    lobby = open_lobby()
    lobby.receive(ANN, ask("\x1b[2J\u202eAnn\n  x"))
    lobby.receive(BEN, ask("\u200b"))
    names = [seat.name for seat in lobby.state().seats]
    assert names[1:] == ["[2JAnn x", "?"]


@given(st.lists(st.text(max_size=32), max_size=7))
def test_all_names_at_a_table_are_different_and_short(names: list[str]) -> None:
    lobby = open_lobby(8)
    for number, name in enumerate(names):
        lobby.receive(bytes([number + 1]) * 32, ask(name))
    shown = [seat.name.casefold() for seat in lobby.state().seats]
    assert len(set(shown)) == len(shown) == len(names) + 1
    assert all(len(seat.name) <= 32 for seat in lobby.state().seats)


def test_a_long_name_with_a_number_stays_within_the_limit() -> None:
    name = "x" * 32
    assert unique_name(name, [name]) == "x" * 26 + " (2)"


def test_addresses_are_where_the_host_saw_it_and_what_it_says_each_once() -> None:
    lobby = open_lobby()
    lobby.receive(ANN, ask(addresses=("10.0.0.2", "fe80::1", "")), ["10.9.9.9", "10.0.0.2"])
    lobby.receive(ANN, ready(lobby))
    (begun,) = [effect for effect in lobby.command(Start()) if isinstance(effect, Begun)]
    hosts = [address.host for address in begun.addresses[1]]
    assert hosts == ["10.9.9.9", "10.0.0.2", "fe80::1"]
    assert {address.port for address in begun.addresses[1]} == {7001}


def test_there_are_never_more_addresses_than_a_message_may_hold() -> None:
    lobby = seated()
    lobby.receive(ANN, ask(addresses=tuple(f"10.0.0.{n}" for n in range(16))), ["10.9.9.9"])
    lobby.receive(ANN, ready(lobby))
    effects = lobby.command(Start())
    (begin,) = [message for message in told(effects, ANN) if isinstance(message, Begin)]
    assert len(begin.addresses[1]) == 16


# --- Going ------------------------------------------------------------------------------------


@pytest.mark.parametrize("says_goodbye", [True, False])
def test_who_goes_before_the_start_frees_its_seat(says_goodbye: bool) -> None:
    lobby = seated(ANN, BEN)
    effects = lobby.receive(ANN, Bye()) if says_goodbye else lobby.gone(ANN)
    assert [seat.key for seat in lobby.state().seats] == [HOST, BEN]
    assert told(effects, BEN) == [lobby.state()]
    assert told(effects, ANN) == []
    assert lobby.seats_free == 1


def test_who_never_sat_changes_nothing_by_going() -> None:
    lobby = seated(ANN)
    assert lobby.gone(CAT) == []
    assert lobby.receive(CAT, Bye()) == []


def test_who_goes_after_the_start_leaves_the_draft_as_it_is() -> None:
    lobby = seated(ANN)
    lobby.receive(ANN, ready(lobby))
    lobby.command(Start())
    assert lobby.gone(ANN) == []
    assert lobby.has_seat(ANN)


def test_the_host_can_remove_a_joiner_who_is_told_so() -> None:
    lobby = seated(ANN, BEN)
    effects = lobby.command(Remove(1))
    assert [message.reason for message in told(effects, ANN) if isinstance(message, Refused)] == [
        "removed"
    ]
    assert Drop(ANN, f"refused: {REFUSALS['removed']}") in effects
    assert told(effects, BEN) == [lobby.state()]
    assert [seat.key for seat in lobby.state().seats] == [HOST, BEN]


@pytest.mark.parametrize("seat", [0, 3, -1, 99])
def test_only_a_joiner_can_be_removed(seat: int) -> None:
    lobby = seated(ANN, BEN)
    effects = lobby.command(Remove(seat))
    assert [type(effect) for effect in effects] == [Hint]
    assert len(lobby.state().seats) == 3


def test_all_are_told_when_the_host_closes_the_table() -> None:
    effects = seated(ANN, BEN).close()
    for key in (ANN, BEN):
        (refused,) = told(effects, key)
        assert isinstance(refused, Refused)
        assert refused.reason == "closed"


def test_what_a_host_may_not_ask_of_its_lobby_does_nothing() -> None:
    assert open_lobby().command(Leave()) == []


# --- Starting ---------------------------------------------------------------------------------


def begun(effects: Sequence[LobbyEffect]) -> list[Draft]:
    return [effect.draft for effect in effects if isinstance(effect, Begun)]


def test_a_full_table_begins_when_the_last_one_is_ready() -> None:
    lobby = seated(ANN, BEN)
    assert begun(lobby.receive(ANN, ready(lobby))) == []
    assert begun(lobby.command(SetReady(True))) == []
    effects = lobby.receive(BEN, ready(lobby))
    (draft,) = begun(effects)
    assert [entry.key for entry in draft.seats] == [HOST, ANN, BEN]
    assert (draft.version, draft.options) == (PROTOCOL_VERSION, OPTIONS)
    assert lobby.seats_free == 0
    for key in (ANN, BEN):
        assert isinstance(told(effects, key)[-1], Begin)


def test_who_is_no_longer_ready_holds_the_start_up() -> None:
    lobby = seated(ANN, BEN)
    lobby.receive(ANN, ready(lobby))
    lobby.receive(BEN, ready(lobby))
    lobby.receive(ANN, WAIT)
    assert begun(lobby.command(SetReady(True))) == []
    assert len(begun(lobby.receive(ANN, ready(lobby)))) == 1


def test_a_table_that_is_not_full_begins_when_the_host_says_so() -> None:
    lobby = seated(ANN)
    lobby.receive(ANN, ready(lobby))
    (draft,) = begun(lobby.command(Start()))
    assert len(draft.seats) == 2


def test_too_few_seats_or_a_joiner_who_is_not_ready_give_a_hint_and_no_start() -> None:
    (hint,) = open_lobby().command(Start())
    assert hint == Hint("this game needs at least 2 seats taken")
    lobby = seated(ANN, BEN)
    lobby.receive(BEN, ready(lobby))
    (hint,) = lobby.command(Start())
    assert hint == Hint("not ready yet: guest 0")
    assert not lobby.has_begun


def test_who_has_no_seat_cannot_start_anything_by_being_ready() -> None:
    lobby = seated(ANN)
    lobby.receive(ANN, ready(lobby))
    lobby.command(SetReady(True))
    assert begun(lobby.receive(CAT, ready(lobby))) == []
    assert lobby.state().seats[1].is_ready


def test_being_ready_after_the_start_changes_nothing() -> None:
    lobby = seated(ANN)
    lobby.receive(ANN, ready(lobby))
    lobby.command(Start())
    assert lobby.receive(ANN, WAIT) == []


def test_messages_that_only_a_host_sends_mean_nothing_to_a_host() -> None:
    lobby = seated(ANN)
    for message in (lobby.state(), Refused("full", ""), begin_of(lobby)):
        assert lobby.receive(ANN, message) == []


def test_a_rematch_gathers_those_who_are_still_there_on_a_table_of_a_new_name() -> None:
    lobby = seated(ANN, BEN)
    lobby.receive(ANN, ready(lobby))
    lobby.receive(BEN, ready(lobby))
    lobby.command(SetReady(True))
    effects = lobby.reopen(bytes([5]) * 16, [ANN])
    assert (lobby.state().table, lobby.seats_free) == (bytes([5]) * 16, 1)
    assert [(seat.key, seat.is_ready) for seat in lobby.state().seats] == [
        (HOST, False),
        (ANN, False),
    ]
    assert told(effects, ANN) == [lobby.state()]
    assert told(effects, BEN) == []


# --- Floods -----------------------------------------------------------------------------------


def test_who_repeats_itself_makes_no_work_for_all() -> None:
    lobby = seated(ANN, BEN)
    assert Changed() in lobby.receive(ANN, ready(lobby))
    assert lobby.receive(ANN, ready(lobby)) == []
    assert Changed() in lobby.receive(ANN, WAIT)


def test_who_has_no_seat_is_not_told_on_to_all() -> None:
    lobby = seated(ANN)
    effects = lobby.receive(CAT, ready(lobby))
    assert [type(effect) for effect in effects] == [Drop]


@pytest.mark.parametrize("words", ["ready wait", "join", "ready ready", "join ready", "stale"])
def test_who_does_not_come_to_rest_loses_its_seat(words: str) -> None:
    lobby = seated(ANN, BEN)
    told_others = 0
    for number in range(WORDS_MAX + 2):
        word = words.split()[number % len(words.split())]
        said: dict[str, LobbyMessage] = {"ready": ready(lobby), "wait": WAIT, "join": ask()}
        effects = lobby.receive(ANN, said.get(word, Ready(True, NONCE, bytes(32))))
        told_others += len(told(effects, BEN))
        refused = [message for message in told(effects, ANN) if isinstance(message, Refused)]
        if refused:
            break
    assert refused[0].reason == "flood"
    assert [seat.key for seat in lobby.state().seats] == [HOST, BEN]
    assert told_others <= WORDS_MAX + 1


def test_a_new_lobby_is_a_new_start_for_who_spoke_much() -> None:
    lobby = seated(ANN)
    for number in range(WORDS_MAX - 1):
        lobby.receive(ANN, (ready(lobby), WAIT)[number % 2])
    lobby.reopen(bytes([5]) * 16, [ANN])
    assert Changed() in lobby.receive(ANN, ready(lobby))
    assert Changed() in lobby.receive(ANN, WAIT)
    assert Changed() in lobby.receive(ANN, ready(lobby))


def test_a_game_begins_once() -> None:
    lobby = seated(ANN)
    lobby.receive(ANN, ready(lobby))
    table = begun(lobby.command(Start()))[0].table
    assert lobby.command(Start()) == []
    assert lobby.command(SetReady(True)) == []
    assert lobby.table == table


@pytest.mark.parametrize("name", ["\uff28ost", "HOST", "\u210bost", "H\u043est", "Host."])
def test_names_that_look_alike_are_told_apart(name: str) -> None:
    lobby = open_lobby()
    lobby.receive(ANN, ask(name))
    assert lobby.state().seats[1].name == f"{name} (2)"


def test_host_and_joiner_come_to_the_same_draft_over_the_wire() -> None:
    lobby, own = open_lobby(2), joiner()
    for message in told(lobby.receive(ANN, ask("Ann")), ANN):
        own.receive(message)
    lobby.command(SetReady(True))
    effects = lobby.receive(ANN, own.ready(True))
    results = [effect for message in told(effects, ANN) for effect in own.receive(message)]
    assert begun(results) == begun(effects) != []
    assert isinstance(own.state, LobbyState)


# --- Who sits at the table changes --------------------------------------------------------------


def all_ready(*guests: bytes, seats: int = 4) -> HostLobby:
    """A table at which all are ready, the host too, with a seat free."""
    lobby = seated(*guests, seats=seats)
    for key in guests:
        lobby.receive(key, ready(lobby))
    lobby.command(SetReady(True))
    assert all(seat.is_ready for seat in lobby.state().seats)
    return lobby


def is_anyone_ready(lobby: HostLobby) -> bool:
    return any(seat.is_ready for seat in lobby.state().seats)


def test_whoever_comes_or_goes_takes_everyones_ready_back() -> None:
    changes: tuple[Callable[[HostLobby], list[LobbyEffect]], ...] = (
        lambda lobby: lobby.receive(CAT, ask("Cat")),
        lambda lobby: lobby.receive(BEN, Bye()),
        lambda lobby: lobby.gone(BEN),
        lambda lobby: lobby.command(Remove(2)),
        lambda lobby: lobby.receive(BEN, ask("another name")),
        lambda lobby: lobby.receive(BEN, ask("guest 1", is_bot=True)),
    )
    for change in changes:
        lobby = all_ready(ANN, BEN)
        effects = change(lobby)
        assert not is_anyone_ready(lobby)
        assert told(effects, ANN) == [lobby.state()], "and all are told"
        assert [type(effect) for effect in lobby.command(Start())] == [Hint]


def test_whoever_only_links_anew_takes_nobody_elses_ready_back() -> None:
    lobby = all_ready(ANN, BEN)
    lobby.receive(BEN, ask("guest 1", port=7009))
    assert [seat.is_ready for seat in lobby.state().seats] == [True, True, False]


def test_a_ready_for_other_people_is_none_and_nothing_begins_on_it() -> None:
    """Ann's word was on its way while Ben gave way to somebody who calls himself the same."""
    lobby = seated(ANN, BEN)
    late = ready(lobby)
    lobby.gone(BEN)
    lobby.receive(CAT, ask("guest 1"))
    lobby.command(SetReady(True))
    lobby.receive(CAT, ready(lobby))
    assert begun(lobby.receive(ANN, late)) == []
    assert [seat.is_ready for seat in lobby.state().seats] == [True, False, True]
    assert begun(lobby.command(Start())) == []
    assert len(begun(lobby.receive(ANN, ready(lobby)))) == 1


@pytest.mark.parametrize("command", [SetReady, Start])
def test_what_the_hosts_person_says_is_for_those_it_was_shown(command: type) -> None:
    lobby = seated(ANN, seats=2)
    shown = lobby.shown.hex()
    lobby.gone(ANN)
    lobby.receive(BEN, ask("guest 0"))
    lobby.receive(BEN, ready(lobby))
    word = SetReady(True, shown) if command is SetReady else Start(shown)
    assert lobby.command(word) == [Hint(HAS_CHANGED)]
    assert not lobby.has_begun


def test_a_bot_that_the_host_has_started_itself_is_no_news_to_the_host_but_to_all_others() -> None:
    lobby = all_ready(ANN)
    lobby.companions = frozenset({BEN})
    lobby.receive(BEN, ask("bot 1", is_bot=True))
    assert [seat.is_ready for seat in lobby.state().seats] == [True, False, False]
    lobby.gone(BEN)
    assert not is_anyone_ready(lobby), "that it goes is news"


def test_saying_ready_again_for_each_who_comes_costs_nobody_their_seat() -> None:
    lobby = seated(ANN, seats=3)
    for _ in range(WORDS_MAX):
        lobby.receive(BEN, ask("Ben"))
        assert Changed() in lobby.receive(ANN, ready(lobby))
        lobby.gone(BEN)
        assert Changed() in lobby.receive(ANN, ready(lobby))
    assert lobby.has_seat(ANN)


def test_two_who_change_their_names_in_turn_lose_their_seats_too() -> None:
    lobby = seated(ANN, BEN)
    for number in range(3 * WORDS_MAX):
        key = (ANN, BEN)[number % 2]
        if lobby.has_seat(key):
            lobby.receive(key, ask(f"name {number}"))
    assert not lobby.has_seat(ANN) and not lobby.has_seat(BEN)


def test_whoever_says_goodbye_loses_its_link() -> None:
    """Coming and going on one link would cost nothing, and take everyone's ready back each time."""
    effects = seated(ANN, BEN).receive(ANN, Bye())
    assert [effect.key for effect in effects if isinstance(effect, Drop)] == [ANN]


def test_a_host_that_moved_is_begun_with_where_it_listens_now() -> None:
    lobby = open_lobby()
    where = (PeerAddress("10.1.0.9", 4242),)
    assert lobby.moved(where) and not lobby.moved(where)
    assert lobby.host.addresses == where


def proving(*keys: bytes, seats: int = 3) -> HostLobby:
    """A lobby whose guests are all ready, and whose host is not yet."""
    lobby = seated(*keys, seats=seats)
    lobby.proves_links = True
    for key in keys:
        lobby.receive(key, ready(lobby))
    return lobby


def asked(effects: Sequence[LobbyEffect]) -> list[Prove]:
    return [effect for effect in effects if isinstance(effect, Prove)]


def has_begun(effects: Sequence[LobbyEffect]) -> bool:
    return any(isinstance(effect, Begun) for effect in effects)


def test_nobody_is_begun_with_before_all_have_answered() -> None:
    lobby = proving(ANN, BEN)
    effects = lobby.command(SetReady(True))
    (prove,) = asked(effects)
    assert prove.keys == (ANN, BEN) and not has_begun(effects) and not lobby.has_begun
    assert has_begun(lobby.proved(prove.shown, frozenset()))


def test_who_does_not_answer_loses_its_seat_and_the_others_their_ready_marks() -> None:
    lobby = proving(ANN, BEN)
    (prove,) = asked(lobby.command(SetReady(True)))
    effects = lobby.proved(prove.shown, {BEN})
    assert not has_begun(effects) and not lobby.has_seat(BEN) and lobby.has_seat(ANN)
    assert not is_anyone_ready(lobby)
    (hint,) = [effect for effect in effects if isinstance(effect, Hint)]
    assert "did not answer" in hint.text
    (state,) = [one for one in told(effects, ANN) if isinstance(one, LobbyState)]
    assert [seat.key for seat in state.seats] == [HOST, ANN]
    assert any(isinstance(effect, Drop) and effect.key == BEN for effect in effects)


def test_a_start_with_free_seats_goes_on_once_all_have_answered() -> None:
    lobby = proving(ANN, seats=4)
    (prove,) = asked(lobby.command(Start()))
    assert has_begun(lobby.proved(prove.shown, frozenset()))


def test_what_was_proved_for_others_than_sit_there_now_begins_nothing() -> None:
    lobby = proving(ANN, BEN)
    (prove,) = asked(lobby.command(SetReady(True)))
    lobby.gone(BEN)
    assert lobby.proved(prove.shown, frozenset()) == [] and not lobby.has_begun


def test_who_takes_ready_back_meanwhile_is_not_begun_with() -> None:
    lobby = proving(ANN, BEN)
    (prove,) = asked(lobby.command(SetReady(True)))
    lobby.command(SetReady(False))
    assert not has_begun(lobby.proved(prove.shown, frozenset()))
    assert asked(lobby.command(SetReady(True))), "later they are asked again"
