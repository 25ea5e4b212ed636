"""The seed walks on when an epoch is over: what is on the disk later opens no earlier hand."""

from p2pjong.session.effects import Keep
from p2pjong.session.seed import Seed
from tests.support.sim import SimTable, tiny_draft


def test_the_next_seed_follows_from_the_last_and_derives_other_secrets() -> None:
    one, same = Seed(b"s" * 32), Seed(b"s" * 32)
    before = one.entropy(b"place").take("key", b"", 32)
    one.walk_on()
    assert one.value != same.value
    assert one.entropy(b"place").take("key", b"", 32) != before
    same.walk_on()
    assert one.value == same.value


def test_an_onlooker_has_no_seed_to_walk() -> None:
    onlooker = Seed(b"")
    onlooker.walk_on()
    assert onlooker.value == b""


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
