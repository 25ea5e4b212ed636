"""The door of a private table: guesses are counted, friends come in, strangers learn nothing."""

import hashlib
from collections.abc import Callable
from typing import Any

import pytest

from p2pjong.session.code_check import Between, JoinerCheck, WrongCode
from p2pjong.session.door import WRONG_MAX, Door
from p2pjong.session.lobby import Changed, Drop, Hint, LobbyEffect, Tell
from p2pjong.session.table_code import check_form
from p2pjong.wire.codec import decode, encode
from p2pjong.wire.messages import (
    CodeAnswer,
    CodePassed,
    CodeProof,
    CodeStart,
    LobbyMessage,
    Refused,
)

CODE = "417-amber-falcon"
HOST = b"\x01" * 32
ELEMENT = bytes.fromhex("58" + "66" * 31)  # the base point: any element does for a guess


def some() -> Callable[[int], bytes]:
    """Bytes that look random, different each time, the same in each run."""
    count = 0

    def entropy(size: int) -> bytes:
        nonlocal count
        count += 1
        return hashlib.shake_256(b"door %d" % count).digest(size)

    return entropy


def key_of(number: int) -> bytes:
    return number.to_bytes(32)


def new_door(code: str = CODE) -> Door:
    return Door(HOST, some(), code)


class Guest:
    """One link of an identity to a door, and the joiner's side of its check."""

    links = 0

    def __init__(self, door: Door, number: int, code: str = CODE) -> None:
        Guest.links += 1
        transcript = hashlib.sha256(b"link %d" % Guest.links).digest()
        self.door, self.key = door, key_of(number)
        self.check = JoinerCheck(code, Between(transcript, self.key, HOST), some())
        door.linked(self.key, transcript)

    def send(self, message: LobbyMessage) -> list[LobbyEffect]:
        return self.door.receive(self.key, message)

    def start(self) -> CodeProof:
        """The check as far as the proof, which is not sent yet."""
        (told,) = self.send(self.check.start())
        return self.check.prove(message_of(told, self.key, CodeAnswer))

    def knock(self) -> list[LobbyEffect]:
        """The whole check."""
        return self.send(self.start())

    def comes_in(self) -> bool:
        """Whether the check passes, on both sides."""
        first = self.knock()[0]
        if isinstance(decode(frame_of(first, self.key), LobbyMessage), Refused):
            return False
        self.check.accept(message_of(first, self.key, CodePassed))
        return True


def frame_of(effect: LobbyEffect, key: bytes) -> bytes:
    assert isinstance(effect, Tell) and effect.key == key
    return effect.frame


def message_of(effect: LobbyEffect, key: bytes, kind: type[Any]) -> Any:
    return decode(frame_of(effect, key), kind)


def reasons(effects: list[LobbyEffect]) -> list[str]:
    """Why somebody was refused, and then dropped."""
    told = [decode(effect.frame, LobbyMessage) for effect in effects if isinstance(effect, Tell)]
    assert sum(isinstance(effect, Drop) for effect in effects) == len(told)
    return [message.reason for message in told if isinstance(message, Refused)]


def guess(door: Door, number: int) -> list[LobbyEffect]:
    """A wrong code on a link of its own, which ends as it should; without the guesser's pains."""
    guest = Guest(door, number)
    answer, *_ = guest.send(CodeStart(ELEMENT))
    message_of(answer, guest.key, CodeAnswer)
    effects = guest.send(CodeProof(bytes(32)))
    assert reasons(effects)[0] == "code-wrong"
    return [*effects, *door.gone(guest.key)]


def test_who_knows_the_code_is_admitted_and_nobody_else() -> None:
    door = new_door()
    assert not door.admits(key_of(1))
    assert Guest(door, 1).comes_in()
    assert door.admits(key_of(1)) and not door.admits(key_of(2))


def test_without_a_code_of_its_own_a_door_makes_one() -> None:
    entropy = some()
    codes = {Door(HOST, entropy).code for _ in range(20)}
    assert len(codes) == 20
    for code in codes:
        check_form(code)


def test_a_wrong_code_is_refused_counted_and_told_to_the_host() -> None:
    door = new_door()
    effects = Guest(door, 1, "999-zebra-window").knock()
    assert reasons(effects) == ["code-wrong"]
    assert not door.admits(key_of(1))
    assert [effect.text for effect in effects if isinstance(effect, Hint)] == [
        "somebody tried a wrong code (1 of 10, then the code changes)"
    ]
    assert door.code == CODE and Guest(door, 2).comes_in()


def test_after_ten_wrong_ones_there_is_another_code_and_the_old_one_is_none() -> None:
    door = new_door()
    for number in range(1, WRONG_MAX):
        assert Changed() not in guess(door, number)
    effects = guess(door, WRONG_MAX)
    assert Changed() in effects and "guessing" in str(effects)
    new = door.code
    assert new != CODE and new not in str(effects)
    assert not Guest(door, 20, CODE).comes_in()
    assert Guest(door, 21, new).comes_in()


def test_the_count_begins_anew_with_each_code() -> None:
    door = new_door()
    for number in range(WRONG_MAX + WRONG_MAX - 1):
        guess(door, number)
    second = door.code
    assert second != CODE
    guess(door, 50)
    assert door.code not in (CODE, second)


def test_guesses_on_many_links_at_once_are_counted_like_one_after_the_other() -> None:
    door = new_door()
    guests = [Guest(door, number) for number in range(100, 100 + WRONG_MAX + 3)]
    friend = Guest(door, 1)
    for guest in guests:
        guest.send(CodeStart(ELEMENT))
    right = friend.start()
    proof = CodeProof(bytes(32))
    for guest in guests[: WRONG_MAX - 1]:
        assert reasons(guest.send(proof)) == ["code-wrong"]
    last = guests[WRONG_MAX - 1].send(proof)
    # With the tenth all that were still at it are sent away: none of them is judged any more.
    assert reasons(last) == ["code-wrong"] * (1 + 3 + 1)
    for guest in guests[WRONG_MAX:]:
        assert isinstance(guest.send(proof)[0], Drop)
    # Even the right proof of the old code: who guesses could have sent it.
    assert isinstance(friend.send(right)[0], Drop)
    assert not door.admits(friend.key)
    new = door.code
    for guest in [*guests, friend]:
        door.gone(guest.key)
    assert door.code == new, "those sent away count no more"


def test_who_goes_after_the_answer_has_made_a_guess() -> None:
    door = new_door()
    for number in range(WRONG_MAX):
        guest = Guest(door, number)
        guest.send(CodeStart(ELEMENT))
        assert door.gone(guest.key)
    assert door.code != CODE


def test_who_goes_before_the_answer_or_sends_no_element_has_made_none() -> None:
    door = new_door()
    for number in range(2 * WRONG_MAX):
        door.gone(Guest(door, number).key)
        bad = Guest(door, number)
        assert bad.send(CodeStart(b"\xff" * 32)) == [
            Drop(bad.key, "sent an element in another encoding than its own, or the neutral one")
        ]
        assert door.gone(bad.key) == []
    assert door.code == CODE


def test_one_link_is_one_guess() -> None:
    door = new_door()
    guest = Guest(door, 1, "999-zebra-window")
    guest.knock()
    for message in (guest.check._start, CodeProof(bytes(32))):
        (effect,) = guest.send(message)
        assert isinstance(effect, Drop)
    twice = Guest(door, 2)
    twice.start()
    assert isinstance(twice.send(twice.check._start)[0], Drop)


@pytest.mark.parametrize(
    "message", [CodeProof(bytes(32)), CodeAnswer(bytes(32)), CodePassed(bytes(32))]
)
def test_what_is_not_its_turn_ends_the_link(message: LobbyMessage) -> None:
    guest = Guest(new_door(), 1)
    assert guest.send(message) == [
        Drop(guest.key, "sent a message of the code's check that was not its turn")
    ]


def test_who_is_not_linked_is_not_heard() -> None:
    door = new_door()
    (effect,) = door.receive(
        key_of(1), JoinerCheck(CODE, Between(HOST, HOST, HOST), some()).start()
    )
    assert isinstance(effect, Drop)


def test_a_new_link_begins_a_new_check_bound_to_itself() -> None:
    door = new_door()
    old = Guest(door, 1)
    proof = old.start()
    assert not reasons(door.gone(old.key))
    new = Guest(door, 1)
    new.start()
    assert reasons(new.send(proof)) == ["code-wrong"]


def test_who_passed_is_never_locked_out() -> None:
    door = new_door()
    friend = Guest(door, 1)
    assert friend.comes_in()
    door.gone(friend.key)
    for number in range(10, 10 + WRONG_MAX):
        guess(door, number)
    assert door.code != CODE
    assert door.admits(friend.key), "without a code"
    assert Guest(door, 1, CODE).comes_in(), "with the one that it passed with"


def test_a_friend_that_types_the_wrong_one_is_still_a_friend_and_no_guesser() -> None:
    door = new_door()
    assert Guest(door, 1).comes_in()
    assert not Guest(door, 1, "999-zebra-window").comes_in()
    for _ in range(WRONG_MAX):
        guess(door, 1)
    assert door.code == CODE and door.admits(key_of(1))


def test_a_friend_that_was_told_the_new_code_may_use_it_the_second_time() -> None:
    door = new_door()
    assert Guest(door, 1).comes_in()
    for number in range(10, 10 + WRONG_MAX):
        guess(door, number)
    assert not Guest(door, 1, door.code).comes_in()
    assert Guest(door, 1, door.code).comes_in()


def test_who_is_sent_away_must_pass_anew_and_knows_no_code_any_more() -> None:
    door = new_door()
    assert Guest(door, 1).comes_in() and Guest(door, 2).comes_in()
    assert Changed() in door.expel(key_of(1))
    assert door.code != CODE and not door.admits(key_of(1))
    assert not Guest(door, 1, CODE).comes_in()
    assert door.admits(key_of(2))


def test_a_bot_of_the_hosts_own_needs_no_code_and_sending_it_away_changes_none() -> None:
    door = new_door()
    door.admit(key_of(1))
    assert door.admits(key_of(1))
    assert door.expel(key_of(1)) == []
    assert door.code == CODE and not door.admits(key_of(1))


def test_a_host_is_not_fooled_by_its_own_proof_sent_back() -> None:
    door = new_door()
    first = Guest(door, 1)
    (told, *_) = first.knock()
    passed = message_of(told, first.key, CodePassed)
    second = Guest(door, 2)
    second.start()
    assert reasons(second.send(CodeProof(passed.mac))) == ["code-wrong"]
    with pytest.raises(WrongCode):
        second.check.accept(passed)


def test_no_message_to_a_guesser_holds_the_code() -> None:
    door = new_door()
    effects = [effect for number in range(WRONG_MAX) for effect in guess(door, number)]
    sent = b"".join(effect.frame for effect in effects if isinstance(effect, Tell))
    for code in (CODE, door.code):
        assert code.encode() not in sent
    assert (
        encode(Refused("code-wrong", "the code is wrong, or no longer the one of this table"))
        in sent
    )
