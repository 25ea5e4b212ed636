"""Nothing that is shown, logged or written for others holds a key, a seed or another seat's card.

A real game over loopback with `--debug` and `--events`, and all the secrets that it had.
"""

import asyncio
import base64
import io
import json
import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from p2pjong.app.peer import run_peer
from p2pjong.crypto.entropy import Entropy
from p2pjong.crypto.group import encode_scalar
from p2pjong.crypto.masking import KeyPair, make_key
from p2pjong.session import mental_dealer
from p2pjong.session.conduct import Secrets
from p2pjong.session.seed import Seed
from p2pjong.session.session import Session
from p2pjong.ui.event_log import EventLog
from tests.support.marks import first_quick
from tests.support.peers import free_port, front, host_settings, join_settings
from tests.support.sim import SimTable, choose_default, tiny_draft


@dataclass
class Spy:
    """The secrets of all seats of a process, and the sessions that had them."""

    seeds: set[bytes] = field(default_factory=set)
    keys: set[bytes] = field(default_factory=set)
    sessions: list[Session] = field(default_factory=list)

    def secrets(self) -> set[bytes]:
        return {secret for secret in self.seeds | self.keys if secret}

    def find_in(self, text: str) -> set[str]:
        """The secrets that stand in this text, however written."""
        low = text.lower()
        return {form for one in self.secrets() for form in forms(one) if form.lower() in low}


def forms(secret: bytes) -> Iterator[str]:
    yield secret.hex()
    yield secret[::-1].hex()
    yield repr(secret)[2:-1]
    yield base64.b64encode(secret).decode()[:40]
    yield str(int.from_bytes(secret, "little"))
    yield str(int.from_bytes(secret, "big"))


@pytest.fixture
def spy(monkeypatch: pytest.MonkeyPatch) -> Spy:
    found = Spy()

    class NotedSeed(Seed):
        def __setattr__(self, name: str, value: Any) -> None:
            super().__setattr__(name, value)
            found.seeds.add(value)

    def noted_key(context: bytes, entropy: Entropy) -> KeyPair:
        key = make_key(context, entropy)
        found.keys.add(encode_scalar(key.secret))
        return key

    begin = Session.begin

    def noted_begin(session: Session) -> Any:
        found.sessions.append(session)
        return begin(session)

    monkeypatch.setattr("p2pjong.session.conduct.Seed", NotedSeed)
    monkeypatch.setattr(mental_dealer, "make_key", noted_key)
    monkeypatch.setattr(Session, "begin", noted_begin)
    return found


def test_the_spy_finds_secrets_in_every_form(spy: Spy) -> None:
    spy.seeds.add(bytes(range(32)))
    for form in forms(bytes(range(32))):
        assert spy.find_in(f"a line with {form} in it")
    assert not spy.find_in("a line without")


def events_of(file: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.getvalue().splitlines()]


# With how many seats, and how long: Not Your Ma's Jong is played for rounds.
TABLES: dict[str, dict[str, int]] = {
    "war-jhong": {"seats": 2},
    "samurai-warfare": {"seats": 2},
    "not-your-mas-jong": {"seats": 3, "target": 0, "rounds": 1},
}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("game", first_quick(TABLES))
def test_no_output_of_a_game_holds_a_secret_or_anothers_card(
    game: str, spy: Spy, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    seats = TABLES[game]["seats"]
    files = [io.StringIO() for _ in range(seats)]
    fronts = [front(seed) for seed in range(1, seats + 1)]
    for one in fronts:
        one.company = fronts
    logged: Any = [EventLog(*pair, lambda: 0) for pair in zip(fronts, files, strict=True)]

    async def scene() -> list[Any]:
        port = free_port()
        record = tmp_path / "a.rec"
        host = host_settings(tmp_path, port=port, game=game, record=record, **TABLES[game])
        hosting = await start_host_logged(host, fronts[0], logged[0])
        joining = [
            run_peer(join_settings(tmp_path, port, f"guest{seat}"), logged[seat])
            for seat in range(1, seats)
        ]
        return list(await asyncio.gather(hosting, *joining))

    outcomes = asyncio.run(scene())
    assert len(spy.sessions) == seats
    assert len(spy.keys) >= seats and len(spy.seeds) >= seats
    written = [file.getvalue() for file in files]
    shown = [repr(fronts[at].shown) + "\n".join(fronts[at].said) for at in range(seats)]
    answers = [json.dumps(outcome.as_json()) for outcome in outcomes]
    for text in (caplog.text, *written, *shown, *answers, *map(repr, outcomes)):
        assert spy.find_in(text) == set()
    record = (tmp_path / "a.rec").read_bytes()
    assert not [secret for secret in spy.secrets() if secret in record]
    check_cards([events_of(file) for file in files])


async def start_host_logged(settings: Any, own: Any, logged: Any) -> Any:
    task = asyncio.create_task(run_peer(settings, logged))
    await own.until(lambda: own.lobbies)
    return task


def check_cards(events: list[list[dict[str, Any]]]) -> None:
    """What happened is the same in all files: no card in it that not everyone saw. Besides that
    each file names faces only in its own seat's questions and choices."""
    happened = [[one for one in seen if one["kind"] == "happened"] for seen in events]
    assert all(seen == happened[0] for seen in happened)
    assert any(one["faces"] for one in happened[0])
    for seen in events:
        for one in seen:
            has_faces = "faces" in one or "hand" in one
            assert not has_faces or one["kind"] in ("happened", "asked", "chose")
    hands = [[one["hand"] for one in seen if one["kind"] == "asked"] for seen in events]
    assert all(hands), "everyone was asked"
    assert all(one != other for one, other in combinations(hands, 2))


def test_no_part_of_a_session_shows_a_secret_when_it_is_printed(spy: Spy) -> None:
    """As it would be in the report of a crash that shows values."""
    table = SimTable(2, seed=1, draft=tiny_draft(2), choose=choose_default).start()
    table.run_until(lambda table: any(peer.asked for peer in table.peers))
    for peer in table.peers:
        assert peer.session._secrets is not None
        spy.seeds.add(peer.session._secrets.seed)
        parts = list(parts_of(peer.session, set()))
        assert {type(part).__name__ for part in parts} >= {"Session", "MentalDealer", "Secrets"}
        assert "KeyPair" in {type(part).__name__ for part in parts}, "its keys are in use"
        for part in parts:
            assert spy.find_in(repr(part)) == set(), type(part).__name__
    assert "seed" not in repr(Secrets(0, bytes, bytes(32)))


def parts_of(value: Any, met: set[int]) -> Iterator[Any]:
    """All objects of ours that can be reached from this one."""
    if id(value) in met:
        return
    met.add(id(value))
    if isinstance(value, dict):
        for item in value.values():
            yield from parts_of(item, met)
    elif isinstance(value, list | tuple | set | frozenset):
        for item in value:
            yield from parts_of(item, met)
    elif type(value).__module__.startswith("p2pjong."):
        yield value
        slots = getattr(type(value), "__slots__", ())
        names = [*getattr(value, "__dict__", {}), *slots]
        for name in names:
            yield from parts_of(getattr(value, name, None), met)
