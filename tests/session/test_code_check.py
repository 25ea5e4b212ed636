"""The check of a table's code: who passes, and that nobody else does."""

import hashlib
import runpy
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from p2pjong.session.code_check import BadElement, Between, HostCheck, JoinerCheck, WrongCode
from p2pjong.wire.codec import DecodeError, decode, encode
from p2pjong.wire.messages import (
    CodeAnswer,
    CodeMessage,
    CodePassed,
    CodeProof,
    CodeStart,
    LobbyMessage,
)
from tests.support.second_spake2 import Check, Malformed, decoded
from tests.support.vectors import VECTORS, by_name, load

CODE = "417-amber-falcon"
BETWEEN = Between(b"\x01" * 32, joiner=b"\x02" * 32, host=b"\x03" * 32)
OTHER = b"\x04" * 32
CASES: list[dict[str, Any]] = load("codes.json")["cases"]


def cases(kind: str) -> pytest.MarkDecorator:
    chosen = by_name([case for case in CASES if case["kind"] == kind])
    return pytest.mark.parametrize("case", chosen.values(), ids=chosen)


def bytes_of(label: str) -> Callable[[int], bytes]:
    return lambda size: hashlib.shake_256(label.encode()).digest(size)


def joiner(code: str = CODE, between: Between = BETWEEN) -> JoinerCheck:
    return JoinerCheck(code, between, bytes_of("joiner"))


def host(code: str = CODE, between: Between = BETWEEN, label: str = "host") -> HostCheck:
    return HostCheck(code, between, bytes_of(label))


def test_who_knows_the_code_passes_and_learns_that_the_host_does() -> None:
    guest, table = joiner(), host()
    confirmed = table.judge(guest.prove(table.answer(guest.start())))
    other = joiner()
    other.prove(host(label="another").answer(other.start()))
    with pytest.raises(WrongCode):
        other.accept(confirmed)
    guest.accept(confirmed)


WRONG = {
    "another code": ("418-amber-falcon", BETWEEN),
    "a code that begins alike": ("417-amber-falcons", BETWEEN),
    "another link": (CODE, replace(BETWEEN, transcript=OTHER)),
    "another joiner": (CODE, replace(BETWEEN, joiner=OTHER)),
    "another host": (CODE, replace(BETWEEN, host=OTHER)),
    "the ends exchanged": (CODE, replace(BETWEEN, joiner=BETWEEN.host, host=BETWEEN.joiner)),
}


@pytest.mark.parametrize("known", WRONG.values(), ids=WRONG)
def test_the_host_refuses_a_joiner_that_knows_another_thing(known: tuple[str, Between]) -> None:
    guest, table = joiner(*known), host()
    proof = guest.prove(table.answer(guest.start()))
    with pytest.raises(WrongCode):
        table.judge(proof)


@pytest.mark.parametrize("known", WRONG.values(), ids=WRONG)
def test_a_joiner_refuses_a_host_that_knows_another_thing(known: tuple[str, Between]) -> None:
    guest, table = joiner(), host(*known)
    guest.prove(table.answer(guest.start()))
    # An impostor does not care for our proof, and sends the best that it has.
    with pytest.raises(WrongCode):
        guest.accept(CodePassed(table._passed))


def test_neither_proof_serves_as_the_other() -> None:
    guest, table = joiner(), host()
    proof = guest.prove(table.answer(guest.start()))
    with pytest.raises(WrongCode):
        guest.accept(CodePassed(proof.mac))
    with pytest.raises(WrongCode):
        table.judge(CodeProof(guest._passed))


def test_the_host_says_nothing_of_the_code_before_the_joiners_proof() -> None:
    """With fixed randomness all that the host has sent by then is its element."""
    table = host()
    answer = table.answer(joiner("a guess").start())
    assert len(encode(answer)) == len(encode(CodeAnswer(bytes(32))))
    fields = [getattr(answer, name) for name in answer.__struct_fields__]
    assert fields == [answer.element]


# --- Tampering ----------------------------------------------------------------------------------

BITS = (0, 7, 100, 251, 254, 255)


def flipped(message: bytes, bit: int) -> bytes:
    changed = bytearray(message)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


@pytest.mark.parametrize("bit", BITS)
def test_a_changed_element_of_the_joiner_is_refused(bit: int) -> None:
    guest, table = joiner(), host()
    start = guest.start()
    try:
        answer = table.answer(CodeStart(flipped(start.element, bit)))
    except BadElement:
        return
    with pytest.raises(WrongCode):
        table.judge(guest.prove(answer))


@pytest.mark.parametrize("bit", BITS)
def test_a_changed_element_of_the_host_is_refused(bit: int) -> None:
    guest, table = joiner(), host()
    answer = table.answer(guest.start())
    try:
        proof = guest.prove(CodeAnswer(flipped(answer.element, bit)))
    except BadElement:
        return
    with pytest.raises(WrongCode):
        table.judge(proof)
    with pytest.raises(WrongCode):
        guest.accept(CodePassed(table._passed))


def passing() -> tuple[JoinerCheck, HostCheck, CodeProof, CodePassed]:
    guest, table = joiner(), host()
    proof = guest.prove(table.answer(guest.start()))
    return guest, table, proof, table.judge(proof)


def test_a_changed_proof_is_refused_at_every_bit() -> None:
    guest, table, proof, passed = passing()
    for bit in range(256):
        with pytest.raises(WrongCode):
            table.judge(CodeProof(flipped(proof.mac, bit)))
        with pytest.raises(WrongCode):
            guest.accept(CodePassed(flipped(passed.mac, bit)))


def test_a_proof_from_another_check_of_the_same_ends_is_refused() -> None:
    _, _, proof, passed = passing()
    guest, again = joiner(), host(label="later")
    fresh = guest.prove(again.answer(guest.start()))
    assert fresh.mac != proof.mac
    with pytest.raises(WrongCode):
        again.judge(proof)
    with pytest.raises(WrongCode):
        guest.accept(passed)


def test_an_element_sent_back_to_its_maker_is_refused() -> None:
    guest = joiner()
    with pytest.raises(BadElement):
        guest.prove(CodeAnswer(guest.start().element))


def test_a_host_does_not_pass_for_a_joiner_of_its_own_table() -> None:
    answer = host().answer(joiner().start())
    guest, other = joiner(), host(label="other")
    guest.start()
    other.answer(CodeStart(answer.element))
    with pytest.raises(WrongCode):
        other.judge(guest.prove(answer))


def test_who_relays_between_two_links_of_its_own_gets_nowhere() -> None:
    """The relay is a proper peer to both; only what the two ends know of each other differs."""
    relay = b"\x05" * 32
    to_relay = Between(b"\x06" * 32, joiner=BETWEEN.joiner, host=relay)
    from_relay = Between(b"\x07" * 32, joiner=relay, host=BETWEEN.host)
    guest, table = joiner(between=to_relay), host(between=from_relay)
    proof = guest.prove(table.answer(guest.start()))
    with pytest.raises(WrongCode):
        table.judge(proof)
    with pytest.raises(WrongCode):
        guest.accept(CodePassed(table._passed))


# --- Vectors and bounds -------------------------------------------------------------------------


@cases("element")
def test_an_element_is_taken_or_refused_as_the_page_says(case: dict[str, Any]) -> None:
    element = bytes.fromhex(case["element"])
    if case["verdict"] == "accept":
        decoded(element)
        host().answer(CodeStart(element))
        return
    with pytest.raises(Malformed):
        decoded(element)
    with pytest.raises(BadElement):
        host().answer(CodeStart(element))
    guest = joiner()
    guest.start()
    with pytest.raises(BadElement):
        guest.prove(CodeAnswer(element))


def known(case: dict[str, Any]) -> Between:
    return Between(*(bytes.fromhex(case[end]) for end in ("transcript", "joiner", "host")))


@cases("check")
def test_a_check_goes_as_the_page_says_and_as_a_second_program_has_it(case: dict[str, Any]) -> None:
    random = tuple(bytes.fromhex(case[f"{end}_random"]) for end in ("joiner", "host"))
    between = known(case)
    guest = JoinerCheck(case["code"], between, lambda size: random[0][:size])
    table = HostCheck(case["code"], between, lambda size: random[1][:size])
    start = guest.start()
    answer = table.answer(start)
    proof = guest.prove(answer)
    passed = table.judge(proof)
    second = Check(
        case["code"], between.joiner, between.host, between.transcript, (random[0], random[1])
    )
    for ours, theirs, named in (
        (start.element, second.joiner_element, "joiner_element"),
        (answer.element, second.host_element, "host_element"),
        (proof.mac, second.joiner_mac, "joiner_mac"),
        (passed.mac, second.host_mac, "host_mac"),
    ):
        assert ours.hex() == theirs.hex() == case[named]


@cases("proof")
def test_a_proof_over_something_else_is_refused(case: dict[str, Any]) -> None:
    random = bytes.fromhex(case["host_random"])
    table = HostCheck(case["host"]["code"], known(case["host"]), lambda size: random[:size])
    table.answer(CodeStart(bytes.fromhex(case["joiner_element"])))
    with pytest.raises(WrongCode):
        table.judge(CodeProof(bytes.fromhex(case["joiner_mac"])))


def test_the_file_of_vectors_is_what_the_script_writes() -> None:
    root = VECTORS.parent.parent
    script = runpy.run_path(str(root / "scripts" / "make_code_vectors.py"))
    written = (VECTORS / "codes.json").read_text(encoding="utf-8")
    assert written == script["text"](), "run scripts/make_code_vectors.py"


@pytest.mark.parametrize("kind", [CodeStart, CodeAnswer, CodeProof, CodePassed])
@pytest.mark.parametrize("size", [0, 31, 33, 1000])
def test_the_messages_are_of_exactly_one_size(kind: type[CodeMessage], size: int) -> None:
    assert decode(encode(kind(bytes(32))), LobbyMessage) == kind(bytes(32))
    with pytest.raises(DecodeError):
        decode(encode(kind(bytes(size))), LobbyMessage)
