"""What a person sees of a table before play."""

from dataclasses import replace

import pytest

from p2pjong.session.lobby_view import LobbySeat, LobbyView, Terms

HOST = LobbySeat("Host", "aaaa", is_host=True)
GUEST = LobbySeat("Guest", "bbbb")
VIEW = LobbyView("a table", "war-jhong", Terms(), (HOST, GUEST), seats_total=3)


def test_a_table_is_full_when_every_seat_is_taken() -> None:
    assert not VIEW.is_full
    assert replace(VIEW, seats=(HOST, GUEST, GUEST)).is_full


@pytest.mark.parametrize(("me", "am_host"), [(None, False), (0, True), (1, False)])
def test_only_who_opened_the_table_may_start_it(me: int | None, am_host: bool) -> None:
    assert replace(VIEW, me=me).am_host == am_host
