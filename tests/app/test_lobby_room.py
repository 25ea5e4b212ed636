"""What a table's options are called in the lobby."""

from dataclasses import replace
from pathlib import Path

from p2pjong.app.host import table_options
from p2pjong.app.lobby_room import terms_of
from p2pjong.settings import PeerSettings
from p2pjong.ui.terms import told_terms
from p2pjong.wire.messages import TableOptions

OPTIONS = TableOptions(
    target=0, rounds=0, clock_ms=60_000, window_ms=2_000, grace_ms=90_000, is_open_books=False
)


def described(game: str, seats: int = 4, **changes: int) -> dict[str, str]:
    fields = {name: getattr(OPTIONS, name) for name in OPTIONS.__struct_fields__}
    return dict(told_terms(game, terms_of(TableOptions(**(fields | changes))), seats))


def test_open_books_are_told_before_anybody_joins_and_shut_ones_need_no_word() -> None:
    for game in ("war-jhong", "samurai-warfare", "not-your-mas-jong", "some other game"):
        assert "open books" not in described(game)
        told = described(game, is_open_books=True)["open books"]
        assert "all cards are shown" in told
        assert "when each came" in told
        assert len(told) <= 60, "the lobby cuts it off there"


def test_each_game_says_what_it_is_played_to_and_how_long_one_may_think() -> None:
    assert described("war-jhong") == {
        "to win": "100 points",
        "a turn": "60 s",
        "claims": "2 s after a discard (--window); alone with bots: 60 s",
        "a silent player": "can be removed by vote after 90 s",
    }
    assert described("samurai-warfare", target=3) == {
        "to win": "3 tokens",
        "a turn": "60 s",
        "a silent player": "can be removed by vote after 90 s",
    }
    assert described("samurai-warfare")["to win"] == "5 tokens"
    assert described("samurai-warfare", target=1)["to win"] == "1 token"
    assert described("not-your-mas-jong")["rounds"] == "8 with 4 players"
    assert described("not-your-mas-jong", seats=3)["rounds"] == "9 with 3 players"
    assert described("not-your-mas-jong", rounds=2)["rounds"] == "2"


def test_no_clock_and_no_window_are_said_openly() -> None:
    free = described("not-your-mas-jong", clock_ms=0, window_ms=0)
    assert (
        free["a turn"] == "no clock"
        and free["calls"] == "no claim window: how fast you answer may tell what you hold"
    )


def test_no_word_on_an_option_is_cut_off_in_the_lobby() -> None:
    for game in ("war-jhong", "samurai-warfare", "not-your-mas-jong"):
        for clock_ms in (0, 60_000, 600_000):
            told = described(game, clock_ms=clock_ms, window_ms=2_500, is_open_books=True)
            assert max(map(len, told.values())) <= 60, told


def test_a_game_of_a_later_version_is_no_crash() -> None:
    assert described("chess")["a turn"] == "60 s"


def test_a_host_puts_open_books_into_the_draft_only_if_told_to() -> None:
    shut = PeerSettings(role="host", name="Ann", home=Path("home"), seats=2)
    assert not table_options(shut).is_open_books
    assert table_options(replace(shut, is_open_books=True)).is_open_books
