"""Meshes over real loopback sockets: who links with whom, what replaces what, how it ends."""

import asyncio
import dataclasses
import logging
import random
import socket
from functools import partial

import pytest

from p2pjong.errors import Exit
from p2pjong.net.address import Address
from p2pjong.net.channel import Channel
from p2pjong.net.identity import Identity
from p2pjong.net.limits import Limits
from p2pjong.net.link_errors import LinkError
from p2pjong.net.mesh import Callbacks, Mesh
from p2pjong.wire.handshake import CloseCode
from tests.support.loopback import QUICK, Peer, nobody_at, peers, run


def test_all_who_expect_each_other_are_linked_once_though_all_dial_at_once() -> None:
    async def scene() -> None:
        async with peers(6) as all_peers:
            for peer in all_peers:
                peer.mesh.expect({other.key: [other.address] for other in all_peers})
            for peer in all_peers:
                others = [other for other in all_peers if other is not peer]
                await peer.until(partial(peer.is_linked, *others))
            for peer in all_peers:
                assert all(what == "up" for what, _ in peer.happened), peer.happened
                assert len(peer.happened) == 5

    run(scene)


@pytest.mark.parametrize("round_number", range(20))
def test_two_who_dial_at_once_end_with_one_link_and_no_flapping(round_number: int) -> None:
    async def scene() -> None:
        async with peers(2) as (low, high):
            low.mesh.expect({high.key: [high.address]})
            # Vary who is a little ahead, from one event loop iteration to several.
            for _ in range(round_number):
                await asyncio.sleep(0)
            high.mesh.expect({low.key: [low.address]})
            await low.until(lambda: low.is_linked(high))
            await high.until(lambda: high.is_linked(low))
            low.mesh.send(high.key, b"\x91\x01")
            high.mesh.send(low.key, b"\x91\x02")
            await high.until(lambda: high.frames == [(low.key, b"\x91\x01")])
            await low.until(lambda: low.frames == [(high.key, b"\x91\x02")])
            assert low.told(high) == ["up"]
            assert high.told(low) == ["up"]
            first, second = low.mesh.link(high.key), high.mesh.link(low.key)
            assert first is not None and second is not None
            assert first.transcript == second.transcript

    run(scene)


def test_frames_arrive_whole_and_in_order_up_to_the_limit() -> None:
    async def scene() -> None:
        async with peers(2) as (host, guest):
            assert await guest.mesh.connect([host.address]) == host.key
            bodies = [b"\xc4" + bytes([n]) * n for n in range(1, 200)] + [bytes(1 << 20), b"\x01"]
            for body in bodies:
                assert guest.mesh.send(host.key, body)
            await host.until(lambda: len(host.frames) == len(bodies))
            assert [frame for _, frame in host.frames] == bodies

    run(scene)


def test_frames_leave_at_once_on_both_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    ends: list[socket.socket] = []
    make = Channel.__init__

    def make_and_keep(
        self: Channel, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, limits: Limits
    ) -> None:
        make(self, reader, writer, limits)
        ends.append(writer.get_extra_info("socket"))

    monkeypatch.setattr(Channel, "__init__", make_and_keep)

    async def scene() -> None:
        async with peers(2) as (host, guest):
            await guest.mesh.connect([host.address])
            assert len(ends) == 2
            assert all(end.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) for end in ends)

    run(scene)


def test_to_whom_there_is_no_link_nothing_is_sent() -> None:
    async def scene() -> None:
        async with peers(2) as (host, guest):
            assert not host.mesh.send(guest.key, b"\x01")
            assert host.mesh.linked() == frozenset()
            host.mesh.drop(guest.key, CloseCode.MALFORMED)  # no link, no matter

    run(scene)


def test_the_gate_decides_about_the_unexpected_and_is_not_asked_about_the_expected() -> None:
    async def scene() -> None:
        async with peers(3) as (host, guest, seated):
            asked: list[bytes] = []

            def lets_in(key: bytes, address: Address) -> bool:
                assert address.host == "127.0.0.1"
                asked.append(key)
                return False

            host.lets_in = lets_in
            host.mesh.expect({seated.key: []})
            with pytest.raises(LinkError) as caught:
                await guest.mesh.connect([host.address])
            assert caught.value.told is CloseCode.REFUSED
            assert "does not let this identity in" in str(caught.value)
            assert await seated.mesh.connect([host.address]) == host.key
            await host.until(lambda: host.is_linked(seated))
            assert asked == [guest.key]

    run(scene)


def test_the_host_is_checked_against_the_fingerprint_that_was_announced() -> None:
    async def scene() -> None:
        async with peers(3) as (host, guest, other):
            found = await guest.mesh.connect([host.address], host.identity.fingerprint)
            assert found == host.key
            with pytest.raises(LinkError) as caught:
                await guest.mesh.connect([other.address], host.identity.fingerprint)
            assert caught.value.close is CloseCode.WRONG_KEY
            assert str(caught.value).startswith(f"{other.address} is someone else")
            assert not guest.is_linked(other)

    run(scene)


def test_who_expects_one_and_meets_another_does_not_link() -> None:
    async def scene() -> None:
        async with peers(3) as (host, guest, other):
            guest.mesh.expect({host.key: [other.address]})
            host.mesh.expect({guest.key: []})
            guest.mesh.expect({host.key: [other.address, host.address]})
            await guest.until(lambda: guest.is_linked(host))
            assert not guest.is_linked(other)
            assert not other.happened

    run(scene)


def test_connecting_again_to_a_linked_peer_gives_the_link_there_is() -> None:
    async def scene() -> None:
        async with peers(2) as (host, guest):
            await guest.mesh.connect([host.address])
            link = guest.mesh.link(host.key)
            assert await guest.mesh.connect([host.address]) == host.key
            assert guest.mesh.link(host.key) is link
            assert host.told(guest) == ["up"]

    run(scene)


def test_the_first_address_that_answers_is_taken() -> None:
    async def scene() -> None:
        with nobody_at() as nobody:
            async with peers(2) as (host, guest):
                assert await guest.mesh.connect([nobody, host.address]) == host.key

    run(scene)


def test_nobody_at_the_address_is_said_plainly() -> None:
    async def scene() -> None:
        async with peers(1) as (guest,):
            with nobody_at() as nobody, pytest.raises(LinkError) as caught:
                await guest.mesh.connect([nobody])
            assert caught.value.code is Exit.NO_CONNECTION
            assert "cannot be reached" in str(caught.value)
            assert "firewall" in caught.value.hint
            with pytest.raises(LinkError):
                await guest.mesh.connect([])
            with pytest.raises(LinkError):
                await guest.mesh.connect([Address("no-such-host.invalid", 1)])

    run(scene)


def test_our_own_address_is_recognised() -> None:
    async def scene() -> None:
        async with peers(1) as (host,):
            with pytest.raises(LinkError) as caught:
                await host.mesh.connect([host.address])
            assert caught.value.reason == CloseCode.OWN_KEY
            assert not host.happened

    run(scene)


def test_a_restarted_peer_replaces_its_older_link() -> None:
    async def scene() -> None:
        async with peers(1) as (host,):
            before, after = Peer(77), Peer(77)
            try:
                await before.mesh.connect([host.address])
                await host.until(lambda: host.is_linked(before))
                await after.mesh.connect([host.address])
                await before.until(lambda: before.told(host) == ["up", "down: replaced"])
                assert host.told(before) == ["up", "down: replaced", "up"]
                host.mesh.send(after.key, b"\x07")
                await after.until(lambda: after.frames == [(host.key, b"\x07")])
                assert before.frames == []
            finally:
                await before.mesh.close()
                await after.mesh.close()

    run(scene)


def test_two_programs_with_one_identity_do_not_tug_at_the_link() -> None:
    async def scene() -> None:
        limits = dataclasses.replace(QUICK, redial_max_s=0.05)
        async with peers(1, limits) as (host,):
            first, second = Peer(77, limits), Peer(77, limits)
            try:
                first.mesh.expect({host.key: [host.address]})
                await first.until(lambda: first.is_linked(host))
                second.mesh.expect({host.key: [host.address]})
                await first.until(lambda: first.told(host) == ["up", "down: replaced"])
                await second.until(lambda: second.is_linked(host))
                # Long enough for many redials, if there were any.
                await asyncio.sleep(5 * limits.redial_max_s)
                assert host.told(first) == ["up", "down: replaced", "up"]
                assert not first.is_linked(host)
            finally:
                await first.mesh.close()
                await second.mesh.close()

    run(scene)


def test_who_lost_a_link_that_the_other_end_holds_open_gets_a_new_one() -> None:
    async def scene() -> None:
        async with peers(2) as (host, guest):
            guest.mesh.expect({host.key: [host.address]})
            await guest.until(lambda: guest.is_linked(host))
            link = guest.mesh.link(host.key)
            assert link is not None
            # Our end forgets the link without a word to the other: as after a cable came out.
            link.fail(LinkError("was lost"))
            await host.until(lambda: host.told(guest)[-1] == "up" and len(host.told(guest)) >= 3)
            await guest.until(lambda: guest.told(host) == ["up", "down: lost", "up"])

    run(scene)


def test_a_dropped_peer_is_told_why_and_comes_back_later() -> None:
    async def scene() -> None:
        async with peers(2) as (host, guest):
            guest.mesh.expect({host.key: [host.address]})
            await host.until(lambda: host.is_linked(guest))
            host.mesh.drop(guest.key, CloseCode.MALFORMED)
            await guest.until(lambda: guest.told(host)[:2] == ["up", "down: malformed"])
            await host.until(lambda: host.told(guest) == ["up", "down: malformed", "up"])

    run(scene)


def test_a_peer_that_ends_in_order_says_so_and_is_dialled_until_it_is_back() -> None:
    async def scene() -> None:
        async with peers(1) as (host,):
            guest = Peer(77)
            guest.mesh.start()
            host.mesh.expect({guest.key: [guest.address]})
            await host.until(lambda: host.is_linked(guest))
            await guest.mesh.close()
            await host.until(lambda: host.told(guest) == ["up", "down: going"])
            back = Peer(77)
            back.mesh.start()
            host.mesh.expect({guest.key: [back.address]})
            try:
                await host.until(lambda: host.is_linked(back))
            finally:
                await back.mesh.close()

    run(scene)


def test_after_closing_no_callback_comes_and_nothing_connects() -> None:
    async def scene() -> None:
        async with peers(2) as (host, guest):
            await guest.mesh.connect([host.address])
            await host.mesh.close()
            assert host.told(guest) == ["up"]
            with pytest.raises(LinkError):
                await host.mesh.connect([guest.address])
            assert host.told(guest) == ["up"]
            await guest.until(lambda: guest.told(host) == ["up", "down: going"])

    run(scene)


def test_no_more_links_than_the_limit_and_the_expected_keep_their_places() -> None:
    async def scene() -> None:
        limits = dataclasses.replace(QUICK, links=3)
        async with peers(4, limits) as (host, seated, first, second):
            third = Peer(78)
            host.mesh.expect({seated.key: []})
            await first.mesh.connect([host.address])
            await second.mesh.connect([host.address])
            try:
                with pytest.raises(LinkError) as caught:
                    await third.mesh.connect([host.address])
                assert caught.value.told is CloseCode.FULL
                await seated.mesh.connect([host.address])
                await host.until(lambda: host.is_linked(seated, first, second))
            finally:
                await third.mesh.close()

    run(scene)


def test_a_reader_that_has_stopped_is_dropped(caplog: pytest.LogCaptureFixture) -> None:
    async def scene() -> None:
        limits = dataclasses.replace(QUICK, write_buffer_bytes=4 << 20)
        async with peers(2, limits) as (host, guest):
            await guest.mesh.connect([host.address])
            await host.until(lambda: host.is_linked(guest))
            # No reading happens between two sends: for the sender it is a reader that has stopped.
            sent = 0
            while host.mesh.send(guest.key, bytes(1 << 20)):
                sent += 1
                assert sent < 64
            await host.until(lambda: host.told(guest) == ["up", "down: slow"])

    with caplog.at_level(logging.INFO, "p2pjong"):
        run(scene)
    assert sum("does not read" in line for line in caplog.messages) == 1


def test_draining_paces_a_long_catch_up() -> None:
    async def scene() -> None:
        limits = dataclasses.replace(QUICK, write_buffer_bytes=2 << 20)
        async with peers(2, limits) as (host, guest):
            await guest.mesh.connect([host.address])
            await host.until(lambda: host.is_linked(guest))
            link = host.mesh.link(guest.key)
            assert link is not None
            for _ in range(12):
                assert host.mesh.send(guest.key, bytes(1 << 20))
                await link.drain()
            await guest.until(lambda: len(guest.frames) == 12)
            assert link.pending_bytes < 1 << 20

    run(scene)


def test_a_peer_that_has_gone_silent_is_given_up() -> None:
    async def scene() -> None:
        limits = dataclasses.replace(QUICK, ping_s=0.05, pings_unanswered=2)
        async with peers(1, limits) as (host,):
            guest = Peer(77)
            await guest.mesh.connect([host.address])
            await host.until(lambda: host.is_linked(guest))
            link = guest.mesh.link(host.key)
            assert link is not None
            # The guest's machine stands still: it neither reads nor answers.
            link._channel._writer.transport.pause_reading()  # type: ignore[attr-defined]
            await host.until(lambda: host.told(guest) == ["up", "down: timeout"])
            await guest.mesh.close()

    run(scene)


@pytest.mark.slow
def test_silence_alone_does_not_end_a_link_that_answers() -> None:
    async def scene() -> None:
        # As long as many pings take, but a machine may stand still in the midst of one or two.
        limits = dataclasses.replace(QUICK, ping_s=0.02, pings_unanswered=5)
        async with peers(2, limits) as (host, guest):
            await guest.mesh.connect([host.address])
            await asyncio.sleep(20 * limits.ping_s)
            guest.mesh.send(host.key, b"\x01")
            await host.until(lambda: host.frames == [(guest.key, b"\x01")])
            assert host.told(guest) == ["up"]

    run(scene)


@pytest.mark.slow
def test_a_flood_is_read_at_a_pace() -> None:
    async def scene() -> None:
        limits = dataclasses.replace(
            QUICK, inbound_burst_bytes=100_000, inbound_bytes_per_s=1_000_000.0
        )
        async with peers(2, limits) as (host, guest):
            await guest.mesh.connect([host.address])
            began_at = asyncio.get_running_loop().time()
            for _ in range(60):
                guest.mesh.send(host.key, bytes(10_000))
            await host.until(lambda: len(host.frames) == 60)
            assert asyncio.get_running_loop().time() - began_at > 0.4

    run(scene)


def test_what_an_ended_link_still_brings_is_not_handed_out() -> None:
    async def scene() -> None:
        async with peers(2) as (host, guest):
            await guest.mesh.connect([host.address])
            await host.until(lambda: host.is_linked(guest))
            callbacks = host.mesh._callbacks
            record = callbacks.on_frame

            def drop_at_once(key: bytes, frame: bytes) -> None:
                record(key, frame)
                host.mesh.drop(key, CloseCode.MALFORMED)

            callbacks.on_frame = drop_at_once
            for _ in range(10):
                guest.mesh.send(host.key, b"\x01")
            await host.until(lambda: "down: malformed" in host.told(guest))
            assert len(host.frames) == 1

    run(scene)


def test_a_mesh_without_a_listener_can_dial() -> None:
    async def scene() -> None:
        async with peers(1) as (host,):
            mesh = Mesh(Identity.fresh(), None, Callbacks(), QUICK)
            mesh.start()
            assert await mesh.connect([host.address]) == host.key
            await mesh.close()

    run(scene)


@pytest.mark.parametrize("seed", range(3))
def test_whatever_breaks_all_are_linked_again_and_ups_and_downs_alternate(seed: int) -> None:
    async def scene() -> None:
        chance = random.Random(seed)
        async with peers(4) as all_peers:
            for peer in all_peers:
                peer.mesh.expect({other.key: [other.address] for other in all_peers})
            for _ in range(8):
                one, two = chance.sample(all_peers, 2)
                await one.until(partial(one.is_linked, two))
                break_link(one, two, chance)
                await asyncio.sleep(chance.random() * 0.02)
            for peer in all_peers:
                others = [other for other in all_peers if other is not peer]
                await peer.until(partial(peer.is_linked, *others))
                for other in others:
                    steps = [what.partition(":")[0] for what in peer.told(other)]
                    assert steps == [("up", "down")[number % 2] for number in range(len(steps))]

    run(scene)


def break_link(one: Peer, two: Peer, chance: random.Random) -> None:
    link = one.mesh.link(two.key)
    assert link is not None
    match chance.randrange(3):
        case 0:
            one.mesh.drop(two.key, CloseCode.MALFORMED)
        case 1:
            link.fail(LinkError("was lost"))
        case 2:
            link._channel.abort()


def test_an_expected_peer_that_has_moved_is_dialled_where_it_is_now() -> None:
    async def scene() -> None:
        async with peers(2) as (one, other):
            with nobody_at() as nowhere:
                one.mesh.expect({other.key: [nowhere]})
                await asyncio.sleep(0)
            one.mesh.move(b"?" * 32, [other.address])  # of nobody that is expected: nothing
            one.mesh.move(other.key, [other.address])
            await one.until(lambda: one.is_linked(other))

    run(scene)


def test_links_over_an_address_that_is_gone_end_at_once() -> None:
    async def scene() -> None:
        async with peers(2) as (one, other):
            await one.mesh.connect([other.address])
            link = one.mesh.link(other.key)
            assert link is not None and link.local_host == "127.0.0.1"
            one.mesh.leave_all_but(set())
            assert one.is_linked(other), "loopback does not come and go"
            link.local_host = "192.0.2.7"
            one.mesh.leave_all_but({"192.0.2.7"})
            assert one.mesh.link(other.key) is link
            one.mesh.leave_all_but({"192.0.2.8"})
            await one.until(lambda: not one.is_linked(other))

    run(scene)


def test_who_does_not_answer_is_known_within_the_time_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stranger = b"?" * 32

    async def scene() -> None:
        async with peers(3) as (host, awake, asleep):
            for guest in (awake, asleep):
                await guest.mesh.connect([host.address])
            keys = [awake.key, asleep.key, stranger]
            assert await host.mesh.silent(keys, 5.0) == {stranger}
            assert await host.mesh.silent([], 5.0) == frozenset()
            sleeping = asleep.mesh.link(host.key)
            assert sleeping is not None
            monkeypatch.setattr(sleeping, "_upkeep", lambda message: None)
            assert await host.mesh.silent(keys, 0.2) == {asleep.key, stranger}
            assert host.is_linked(asleep), "whether it goes is for others to say"

    run(scene)
