"""The lobby, host and joiner: who sits, who is turned away and why, and what a joiner agrees to."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace as with_fields

from p2pjong.games import GAMES
from p2pjong.session.draft import table_id
from p2pjong.session.lobby import (
    REFUSALS,
    WORDS_MAX,
    Begun,
    Changed,
    Drop,
    Guest,
    Hint,
    HostLobby,
    JoinerLobby,
    LobbyClosed,
    LobbyEffect,
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
    TableOptions,
)

HOST, ANN, BEN, CAT = (bytes([number]) * 32 for number in range(2, 6))
NONCE = bytes([9]) * 32
OTHER_NONCE = bytes([8]) * 32
READY, WAIT = Ready(True, NONCE), Ready(False, NONCE)
OPTIONS = TableOptions(20, 0, 0, 2000, 60_000, False)


def open_lobby(seats: int = 3) -> HostLobby:
    host = Guest("Host", HOST, False, False, False, (PeerAddress("10.0.0.1", 7000),))
    return HostLobby(bytes(16), "a table", "war-jhong", OPTIONS, seats, 2, host)


def ask(name: str = "Ann", **fields: object) -> Join:
    join = Join(PROTOCOL_VERSION, name, False, False, 7001, ("10.0.0.2",))
    return with_fields(join, **fields)


def told(effects: Sequence[LobbyEffect], key: bytes) -> list[LobbyMessage]:
    frames = [effect.frame for effect in effects if isinstance(effect, Tell) and effect.key == key]
    return [decode(frame, LobbyMessage) for frame in frames]


def seated(*keys: bytes, seats: int = 3) -> HostLobby:
    lobby = open_lobby(seats)
    for number, key in enumerate(keys):
        lobby.receive(key, ask(f"guest {number}"))
    return lobby


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
    lobby.receive(ANN, READY)
    lobby.command(Start())
    assert refusal(lobby, CAT, ask()) == "started"
    assert refusal(lobby, ANN, ask()) == "started"


def test_the_same_identity_again_takes_over_its_own_seat() -> None:
    lobby = seated(ANN, BEN)
    lobby.receive(ANN, READY)
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
    lobby.receive(ANN, READY)
    (begun,) = [effect for effect in lobby.command(Start()) if isinstance(effect, Begun)]
    hosts = [address.host for address in begun.addresses[1]]
    assert hosts == ["10.9.9.9", "10.0.0.2", "fe80::1"]
    assert {address.port for address in begun.addresses[1]} == {7001}


def test_there_are_never_more_addresses_than_a_message_may_hold() -> None:
    lobby = seated()
    lobby.receive(ANN, ask(addresses=tuple(f"10.0.0.{n}" for n in range(16))), ["10.9.9.9"])
    lobby.receive(ANN, READY)
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
    lobby.receive(ANN, READY)
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
    assert begun(lobby.receive(ANN, READY)) == []
    assert begun(lobby.command(SetReady(True))) == []
    effects = lobby.receive(BEN, READY)
    (draft,) = begun(effects)
    assert [entry.key for entry in draft.seats] == [HOST, ANN, BEN]
    assert (draft.version, draft.options) == (PROTOCOL_VERSION, OPTIONS)
    assert lobby.seats_free == 0
    for key in (ANN, BEN):
        assert isinstance(told(effects, key)[-1], Begin)


def test_who_is_no_longer_ready_holds_the_start_up() -> None:
    lobby = seated(ANN, BEN)
    lobby.receive(ANN, READY)
    lobby.receive(BEN, READY)
    lobby.receive(ANN, WAIT)
    assert begun(lobby.command(SetReady(True))) == []
    assert len(begun(lobby.receive(ANN, READY))) == 1


def test_a_table_that_is_not_full_begins_when_the_host_says_so() -> None:
    lobby = seated(ANN)
    lobby.receive(ANN, READY)
    (draft,) = begun(lobby.command(Start()))
    assert len(draft.seats) == 2


def test_too_few_seats_or_a_joiner_who_is_not_ready_give_a_hint_and_no_start() -> None:
    (hint,) = open_lobby().command(Start())
    assert hint == Hint("this game needs at least 2 seats taken")
    lobby = seated(ANN, BEN)
    lobby.receive(BEN, READY)
    (hint,) = lobby.command(Start())
    assert hint == Hint("not ready yet: guest 0")
    assert not lobby.has_begun


def test_who_has_no_seat_cannot_start_anything_by_being_ready() -> None:
    lobby = seated(ANN)
    lobby.receive(ANN, READY)
    lobby.command(SetReady(True))
    assert begun(lobby.receive(CAT, READY)) == []
    assert lobby.state().seats[1].is_ready


def test_being_ready_after_the_start_changes_nothing() -> None:
    lobby = seated(ANN)
    lobby.receive(ANN, READY)
    lobby.command(Start())
    assert lobby.receive(ANN, WAIT) == []


def test_messages_that_only_a_host_sends_mean_nothing_to_a_host() -> None:
    lobby = seated(ANN)
    for message in (lobby.state(), Refused("full", ""), begin_of(lobby)):
        assert lobby.receive(ANN, message) == []


def test_a_rematch_gathers_those_who_are_still_there_on_a_table_of_a_new_name() -> None:
    lobby = seated(ANN, BEN)
    lobby.receive(ANN, READY)
    lobby.receive(BEN, READY)
    lobby.command(SetReady(True))
    effects = lobby.reopen(bytes([5]) * 16, [ANN])
    assert (lobby.state().table, lobby.seats_free) == (bytes([5]) * 16, 1)
    assert [(seat.key, seat.is_ready) for seat in lobby.state().seats] == [
        (HOST, False),
        (ANN, False),
    ]
    assert told(effects, ANN) == [lobby.state()]
    assert told(effects, BEN) == []


# --- The joiner -------------------------------------------------------------------------------


def joiner() -> JoinerLobby:
    return JoinerLobby(ANN, HOST, {"war-jhong": GAMES["war-jhong"]}, NONCE)


def begin_of(lobby: HostLobby) -> Begin:
    seats = [guest.entry() for guest in lobby._all()]
    nonces = tuple(NONCE if guest.key == ANN else OTHER_NONCE for guest in lobby.guests)
    table = table_id(lobby.table, nonces)
    draft = Draft(1, table, lobby.name, lobby.game, lobby.options, tuple(seats))
    return Begin(draft, tuple(guest.addresses for guest in lobby._all()), nonces)


def test_a_joiner_begins_what_it_was_shown() -> None:
    lobby, own = seated(ANN, BEN), joiner()
    assert own.receive(lobby.state()) == [Changed()]
    assert own.ready(True) == READY
    begin = begin_of(lobby)
    assert own.receive(begin) == [Begun(begin.draft, begin.addresses)]


def turned_away(own: JoinerLobby, message: LobbyMessage) -> LobbyClosed:
    with pytest.raises(LobbyClosed) as closed:
        own.receive(message)
    assert closed.value.text == str(closed.value) != ""
    return closed.value


def test_a_joiner_agrees_to_nothing_that_it_was_not_shown() -> None:
    lobby = seated(ANN, BEN)
    begin = begin_of(lobby)
    draft = begin.draft
    assert turned_away(joiner(), begin).reason == "broken"
    renamed = with_fields(draft.seats[2], name="Benny")
    other_key = with_fields(draft.seats[2], key=CAT)
    other_bot = with_fields(draft.seats[2], is_bot=True)
    drafts = [
        with_fields(draft, table=bytes([1]) * 16),
        with_fields(draft, name="another"),
        with_fields(draft, game="samurai-warfare"),
        with_fields(draft, options=with_fields(OPTIONS, target=1)),
        with_fields(draft, options=with_fields(OPTIONS, clock_ms=1)),
        with_fields(draft, options=with_fields(OPTIONS, window_ms=0)),
        with_fields(draft, version=2),
        with_fields(draft, seats=draft.seats[:2]),
        with_fields(draft, seats=draft.seats[::-1]),
        *(with_fields(draft, seats=(*draft.seats[:2], seat)) for seat in (renamed, other_key)),
        with_fields(draft, seats=(*draft.seats[:2], other_bot)),
    ]
    for other in drafts:
        own = joiner()
        own.receive(lobby.state())
        own.ready(True)
        cut = len(other.seats)
        other_begin = Begin(other, begin.addresses[:cut], begin.nonces[: cut - 1])
        assert turned_away(own, other_begin).reason == "broken"


def test_a_joiner_begins_no_table_at_which_it_has_no_seat() -> None:
    lobby, own = seated(BEN, CAT), joiner()
    own.receive(lobby.state())
    own.ready(True)
    assert "without this seat" in turned_away(own, begin_of(lobby)).text


def test_addresses_must_be_as_many_as_seats() -> None:
    lobby, own = seated(ANN, BEN), joiner()
    own.receive(lobby.state())
    begin = begin_of(lobby)
    assert (
        turned_away(own, Begin(begin.draft, begin.addresses[:2], begin.nonces)).reason == "broken"
    )


def test_a_table_that_cannot_be_is_not_shown_to_anyone() -> None:
    state = seated(ANN, BEN).state()
    seats = state.seats
    for other in (
        with_fields(state, seats=seats[1:]),
        with_fields(state, seats=(*seats, seats[1])),
        with_fields(state, seats_total=2),
    ):
        assert turned_away(joiner(), other).reason == "broken"
    own = joiner()
    assert turned_away(own, with_fields(state, game="whist")).reason == "game"
    assert own.state is None


def ready_joiner(lobby: HostLobby) -> JoinerLobby:
    own = joiner()
    own.receive(lobby.state())
    own.ready(True)
    return own


def test_nobody_signs_who_was_not_ready() -> None:
    lobby, own = seated(ANN, BEN), joiner()
    own.receive(lobby.state())
    assert turned_away(own, begin_of(lobby)).reason == "unready"
    own = ready_joiner(lobby)
    assert own.ready(False) == WAIT
    assert turned_away(own, begin_of(lobby)).reason == "unready"


def test_who_was_ready_for_one_lobby_is_not_for_the_next() -> None:
    lobby = seated(ANN, BEN)
    before = ready_joiner(lobby)
    next_one = JoinerLobby(before.key, before.host, before.games, OTHER_NONCE)
    next_one.receive(lobby.state())
    assert turned_away(next_one, begin_of(lobby)).reason == "unready"


def test_being_the_oldest_is_not_for_the_host_to_say() -> None:
    """It decides who begins, in games where the oldest does; lobbies do not show it."""
    lobby = seated(ANN, BEN)
    begin = begin_of(lobby)
    seats = begin.draft.seats
    lie = with_fields(
        begin.draft, seats=(seats[0], with_fields(seats[1], is_oldest=True), seats[2])
    )
    closed = turned_away(ready_joiner(lobby), with_fields(begin, draft=lie))
    assert (closed.reason, "our seat" in closed.text) == ("broken", True)
    other = with_fields(begin.draft, seats=(*seats[:2], with_fields(seats[2], is_oldest=True)))
    assert ready_joiner(lobby).receive(with_fields(begin, draft=other)), "that is for Ben to say"


def test_a_joiner_is_not_shown_as_a_bot_that_is_none() -> None:
    state = seated(ANN, BEN).state()
    seats = state.seats
    lie = (seats[0], with_fields(seats[1], is_bot=True), seats[2])
    assert turned_away(joiner(), with_fields(state, seats=lie)).reason == "broken"


def test_options_that_the_game_does_not_have_are_refused_at_once() -> None:
    """Found out after `begin` it would cost the others their table."""
    state = with_fields(seated(ANN).state(), options=with_fields(OPTIONS, rounds=3))
    closed = turned_away(joiner(), state)
    assert closed.reason == "options"
    assert "options do not fit its game" in closed.text


def test_a_table_for_more_than_the_game_allows_is_refused() -> None:
    state = seated(ANN).state()
    state = with_fields(state, game="not-your-mas-jong", seats_total=8)
    own = JoinerLobby(ANN, HOST, GAMES, NONCE)
    assert turned_away(own, state).reason == "options"


def test_a_draft_for_fewer_than_the_game_needs_is_refused() -> None:
    own = JoinerLobby(ANN, HOST, GAMES, NONCE)
    lobby = HostLobby(
        bytes(16),
        "a table",
        "not-your-mas-jong",
        with_fields(OPTIONS, target=0),
        4,
        2,
        open_lobby().host,
    )
    lobby.receive(ANN, ask())
    own.receive(lobby.state())
    own.ready(True)
    assert turned_away(own, begin_of(lobby)).reason == "options"


@pytest.mark.parametrize(
    "key", [bytes(32), (1).to_bytes(32, "little"), (2**255 - 1).to_bytes(32, "little")]
)
def test_a_seat_with_a_key_under_which_anyone_may_sign_is_refused(key: bytes) -> None:
    state = seated(ANN, BEN).state()
    weak = (*state.seats[:2], with_fields(state.seats[2], key=key))
    assert turned_away(joiner(), with_fields(state, seats=weak)).reason == "broken"


def test_two_seats_with_one_key_are_refused() -> None:
    state = seated(ANN, BEN).state()
    twice = (*state.seats[:2], with_fields(state.seats[2], key=ANN))
    closed = turned_away(joiner(), with_fields(state, seats=twice))
    assert (closed.reason, closed.text) == ("broken", "two seats have one identity key")


def test_the_nonces_must_be_those_of_the_joiners() -> None:
    lobby = seated(ANN, BEN)
    begin = begin_of(lobby)
    swapped = begin.nonces[::-1]
    for nonces in (swapped, begin.nonces[:1], (*begin.nonces, NONCE), (NONCE, NONCE)):
        closed = turned_away(ready_joiner(lobby), with_fields(begin, nonces=nonces))
        assert "may be an old one" in closed.text
    table = table_id(lobby.table, swapped)
    draft = with_fields(begin.draft, table=table)
    closed = turned_away(ready_joiner(lobby), with_fields(begin, draft=draft, nonces=swapped))
    assert "may be an old one" in closed.text


# --- Floods -----------------------------------------------------------------------------------


def test_who_repeats_itself_makes_no_work_for_all() -> None:
    lobby = seated(ANN, BEN)
    assert Changed() in lobby.receive(ANN, READY)
    assert lobby.receive(ANN, READY) == []
    assert Changed() in lobby.receive(ANN, WAIT)


def test_who_has_no_seat_is_not_told_on_to_all() -> None:
    lobby = seated(ANN)
    effects = lobby.receive(CAT, READY)
    assert [type(effect) for effect in effects] == [Drop]


@pytest.mark.parametrize("words", [[READY, WAIT], [ask()], [READY, READY], [ask(), READY]])
def test_who_does_not_come_to_rest_loses_its_seat(words: list[LobbyMessage]) -> None:
    lobby = seated(ANN, BEN)
    told_others = 0
    for number in range(WORDS_MAX + 2):
        effects = lobby.receive(ANN, words[number % len(words)])
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
        lobby.receive(ANN, (READY, WAIT)[number % 2])
    lobby.reopen(bytes([5]) * 16, [ANN])
    assert Changed() in lobby.receive(ANN, READY)
    assert Changed() in lobby.receive(ANN, WAIT)
    assert Changed() in lobby.receive(ANN, READY)


def test_a_game_begins_once() -> None:
    lobby = seated(ANN)
    lobby.receive(ANN, READY)
    table = begun(lobby.command(Start()))[0].table
    assert lobby.command(Start()) == []
    assert lobby.command(SetReady(True)) == []
    assert lobby.table == table


@pytest.mark.parametrize("name", ["\uff28ost", "HOST", "\u210bost"])
def test_names_that_look_alike_are_told_apart(name: str) -> None:
    lobby = open_lobby()
    lobby.receive(ANN, ask(name))
    assert lobby.state().seats[1].name == f"{name} (2)"


# --- Refusals ---------------------------------------------------------------------------------


@pytest.mark.parametrize("reason", sorted(REFUSALS))
def test_every_refusal_is_told_in_our_own_words(reason: str) -> None:
    closed = turned_away(joiner(), Refused(reason, "\x1b[31mthe host's words"))
    assert (closed.reason, closed.text) == (reason, REFUSALS[reason])
    assert "{" not in closed.text


def test_a_refusal_without_a_reason_we_know_has_words_too() -> None:
    assert "\x1b" not in turned_away(joiner(), Refused("whim", "\x1b[31mgo away")).text


def test_a_host_that_says_goodbye_closed_the_table() -> None:
    assert turned_away(joiner(), Bye()).reason == "closed"


def test_messages_that_only_a_joiner_sends_mean_nothing_to_a_joiner() -> None:
    for message in (ask(), READY):
        assert joiner().receive(message) == []


def test_host_and_joiner_come_to_the_same_draft_over_the_wire() -> None:
    lobby, own = open_lobby(2), joiner()
    for message in told(lobby.receive(ANN, ask("Ann")), ANN):
        own.receive(message)
    lobby.command(SetReady(True))
    effects = lobby.receive(ANN, own.ready(True))
    results = [effect for message in told(effects, ANN) for effect in own.receive(message)]
    assert begun(results) == begun(effects) != []
    assert isinstance(own.state, LobbyState)
