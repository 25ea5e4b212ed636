"""The lobby of a joiner: what it agrees to, and what it makes of a refusal."""

import pytest
from msgspec.structs import replace as with_fields

from p2pjong.games import GAMES
from p2pjong.session.draft import table_id
from p2pjong.session.joiner_lobby import JoinerLobby, LobbyClosed
from p2pjong.session.lobby import REFUSALS, Begun, Changed, HostLobby
from p2pjong.wire.messages import Begin, Bye, LobbyMessage, Refused
from tests.support.lobbies import (
    ANN,
    BEN,
    CAT,
    HOST,
    NONCE,
    OPTIONS,
    OTHER_NONCE,
    WAIT,
    ask,
    begin_of,
    joiner,
    open_lobby,
    ready,
    seated,
)


def test_a_joiner_begins_what_it_was_shown() -> None:
    lobby, own = seated(ANN, BEN), joiner()
    assert own.receive(lobby.state()) == [Changed()]
    assert own.ready(True) == ready(lobby)
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
    assert own.ready(False) == with_fields(WAIT, shown=lobby.shown)
    assert turned_away(own, begin_of(lobby)).reason == "unready"


def test_who_was_ready_for_one_lobby_is_not_for_the_next() -> None:
    lobby = seated(ANN, BEN)
    before = ready_joiner(lobby)
    next_one = JoinerLobby(before.key, before.host, before.games, OTHER_NONCE)
    next_one.receive(lobby.state())
    assert turned_away(next_one, begin_of(lobby)).reason == "unready"


def test_who_sits_at_the_table_cannot_change_in_the_instant_before_it_begins() -> None:
    """The host swaps Ben for a stranger of the same name, and begins: nobody could have looked."""
    lobby = seated(ANN, BEN)
    own = ready_joiner(lobby)
    lobby.gone(BEN)
    lobby.receive(CAT, ask("guest 1"))
    state = lobby.state()
    all_ready = tuple(with_fields(seat, is_ready=True) for seat in state.seats)
    assert own.receive(with_fields(state, seats=all_ready)) == [Changed()]
    assert own.state and not own.state.seats[1].is_ready, "whatever the host says of our seat"
    closed = turned_away(own, begin_of(lobby))
    assert (closed.reason, "who sits at the table" in closed.text) == ("switched", True)
    own = ready_joiner(lobby)
    own.receive(state)
    assert own.receive(begin_of(lobby)), "ready for who sits here now"


@pytest.mark.parametrize("change", ["comes", "goes", "moves", "is called otherwise", "is a bot"])
def test_any_change_of_who_sits_here_takes_our_ready_back(change: str) -> None:
    lobby = seated(ANN, BEN, seats=4)
    own = ready_joiner(lobby)
    state = lobby.state()
    host, ann, ben = state.seats
    seats = {
        "comes": (host, ann, ben, with_fields(ben, key=CAT, name="Cat")),
        "goes": (host, ann),
        "moves": (host, ben, ann),
        "is called otherwise": (host, ann, with_fields(ben, name="Benny")),
        "is a bot": (host, ann, with_fields(ben, is_bot=True)),
    }
    own.receive(with_fields(state, seats=seats[change]))
    assert own.ready_for is None and own.has_changed
    assert own.ready(True).shown == own.shown != lobby.shown


def test_others_getting_ready_take_nobodys_ready_back() -> None:
    lobby = seated(ANN, BEN)
    own = ready_joiner(lobby)
    lobby.receive(ANN, ready(lobby))
    lobby.receive(BEN, ready(lobby))
    own.receive(lobby.state())
    assert own.state == lobby.state() and own.ready_for == lobby.shown
    assert own.receive(begin_of(lobby))


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


@pytest.mark.parametrize("times", [{"clock_ms": 1}, {"window_ms": 1}, {"grace_ms": 0}])
def test_times_that_nobody_can_play_by_are_refused_at_once(times: dict[str, int]) -> None:
    state = seated(ANN).state()
    state = with_fields(state, options=with_fields(OPTIONS, **times))
    closed = turned_away(joiner(), state)
    assert closed.reason == "options"
    assert f"{next(iter(times)).removesuffix('_ms')} is " in closed.text


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
    for message in (ask(), WAIT):
        assert joiner().receive(message) == []
