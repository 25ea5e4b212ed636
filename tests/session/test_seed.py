"""The seed walks on when an epoch is over: what is on the disk later opens no earlier hand."""

import pytest

from p2pjong.session.effects import Keep
from p2pjong.session.seed import Seed
from p2pjong.session.session import Session
from p2pjong.wire.messages import Leave, Payload, Settled
from tests.support.sim import SimTable, choose_randomly, make_draft, tiny_draft


def test_the_next_seed_follows_from_the_last_and_derives_other_secrets() -> None:
    one, same = Seed(b"s" * 32), Seed(b"s" * 32)
    before = one.entropy(b"place").take("key", b"", 32)
    one.walk_on()
    assert one.value != same.value
    assert one.entropy(b"place").take("key", b"", 32) != before
    same.walk_on()
    assert one.value == same.value


def test_every_epoch_that_ends_replaces_the_seed_on_the_disk() -> None:
    table = SimTable(2, seed=4, draft=tiny_draft(2, target=3))
    table.link()
    table.begin()
    table.run()
    for peer in table.peers:
        assert peer.finished is not None
        seeds = [effect.seed for effect in peer.seen if isinstance(effect, Keep)]
        assert len(seeds) == len(set(seeds)) == peer.finished.over.hands
        assert not any(seed in frame for seed in seeds for frame in peer.journal)


class LeavesAtResult(Session):
    """Leaves where it should sign the first result: the result counts, and the seat is out."""

    def _say(self, payload: Payload) -> None:
        self._has_left = self._has_left or isinstance(payload, Settled)
        super()._say(Leave() if isinstance(payload, Settled) else payload)


@pytest.mark.slow
def test_a_hand_that_is_void_in_the_middle_of_an_epoch_ends_it_for_the_seed_too() -> None:
    """In Samurai Warfare cards last from turn to turn: a leave at a result deals them anew."""
    draft = make_draft(3, "samurai-warfare", target=2)
    table = SimTable(
        3, seed=1, draft=draft, makers={1: LeavesAtResult}, choose=choose_randomly
    ).start()
    session = table.peers[0].session
    table.run_until(lambda table: session.play.results_closed() == 1)
    assert session.view().present == (True, False, True)
    table.run_until(lambda table: session.course.epoch == 2)
    (seed,) = (effect.seed for effect in table.peers[0].seen if isinstance(effect, Keep))
    assert session._seed.value == seed
