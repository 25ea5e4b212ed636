"""The vectors of `protocol/shuffle.md`: accepted and refused as the files say, and up to date."""

import json
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from p2pjong.crypto.commitment import combine_toss, open_commitment
from p2pjong.crypto.entropy import Entropy
from p2pjong.crypto.group import (
    decode_point,
    decode_points,
    encode_scalar,
    face_point,
    frame,
    generators,
    hash_to_group,
)
from p2pjong.crypto.invalid import InvalidProof
from p2pjong.crypto.masking import (
    KeyProof,
    SharesProof,
    decode_slots,
    verify_key,
    verify_shares,
)
from p2pjong.crypto.membership import MembershipProof, verify_membership
from p2pjong.crypto.shuffle import ShuffleProof, verify_shuffle
from p2pjong.crypto.switch import Switch, SwitchProof, verify_switch
from p2pjong.crypto.transcript import Transcript
from tests.support import page_verifier

ROOT = Path(__file__).resolve().parent.parent.parent
VECTORS = ROOT / "protocol" / "vectors"
NOT_FIELDS = ("name", "verdict", "failure", "change_of")
Fields = dict[str, bytes]


def check_commitments(given: Fields) -> None:
    open_commitment(given["context"], given["commitment"], given["content"], given["nonce"])


def check_keys(given: Fields) -> None:
    verify_key(given["context"], decode_point(given["key"]), KeyProof.decode(given["proof"]))


def check_shares(given: Fields) -> None:
    slots = decode_slots(given["slots"], len(given["slots"]) // 64)
    shares = decode_points(given["shares"], len(given["shares"]) // 32)
    key, proof = decode_point(given["key"]), SharesProof.decode(given["proof"])
    verify_shares(given["context"], key, slots, shares, proof)


def check_shuffles(given: Fields) -> None:
    before = decode_slots(given["before"], len(given["before"]) // 64)
    after = decode_slots(given["after"], len(given["after"]) // 64)
    key, proof = decode_point(given["key"]), ShuffleProof.decode(given["proof"], len(before))
    verify_shuffle(given["context"], key, before, after, proof)


def check_switches(given: Fields) -> None:
    before = decode_slots(given["before"], len(given["before"]) // 64)
    after = decode_slots(given["after"], len(given["after"]) // 64)
    holder, owner = decode_point(given["holder"]), decode_point(given["owner"])
    proof = SwitchProof.decode(given["proof"])
    verify_switch(given["context"], Switch(holder, owner, before, after), proof)


def check_membership(given: Fields) -> None:
    slots = decode_slots(given["slots"], len(given["slots"]) // 64)
    faces = decode_points(given["faces"], len(given["faces"]) // 32)
    key = decode_point(given["key"])
    proof = MembershipProof.decode(given["proof"], len(slots), len(faces))
    verify_membership(given["context"], key, slots, faces, proof)


CHECKS: dict[str, Callable[[Fields], None]] = {
    "commitments": check_commitments,
    "keys": check_keys,
    "membership": check_membership,
    "shares": check_shares,
    "shuffles": check_shuffles,
    "switches": check_switches,
}


def cases_of(kind: str) -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = json.loads((VECTORS / f"{kind}.json").read_text())["cases"]
    by_name = {case["name"]: case for case in cases}
    return [{**by_name.get(case.get("change_of"), {}), **case} for case in cases]


def given(case: dict[str, Any]) -> Fields:
    return {k: bytes.fromhex(v) for k, v in case.items() if k not in NOT_FIELDS}


def told(kind: str) -> dict[str, str]:
    """What becomes of each case by its file: it is accepted, or its failure class."""
    return {
        case["name"]: "accept" if case["verdict"] == "accept" else case["failure"]
        for case in cases_of(kind)
    }


def found(kind: str, judge: Callable[[Fields], str]) -> dict[str, str]:
    return {case["name"]: judge(given(case)) for case in cases_of(kind)}


# A case takes less time than pytest takes around it: those of a kind are one test.
@pytest.mark.parametrize("kind", CHECKS)
def test_a_case_is_accepted_or_refused_with_its_failure_class(kind: str) -> None:
    def judge(fields: Fields) -> str:
        try:
            CHECKS[kind](fields)
        except InvalidProof as refusal:
            return refusal.failure
        return "accept"

    assert found(kind, judge) == told(kind)


@pytest.mark.parametrize("kind", CHECKS)
def test_a_verifier_written_from_the_page_alone_agrees(kind: str) -> None:
    def judge(fields: Fields) -> str:
        try:
            getattr(page_verifier, kind)(**fields)
        except page_verifier.Refused as refusal:
            return str(refusal)
        return "accept"

    assert found(kind, judge) == told(kind)


def test_each_kind_has_cases_to_accept_and_more_to_refuse() -> None:
    for kind in CHECKS:
        verdicts = [case["verdict"] for case in cases_of(kind)]
        assert 0 < verdicts.count("accept") < verdicts.count("refuse")
        assert len({case["name"] for case in cases_of(kind)}) == len(verdicts)


def hexes(texts: list[str]) -> list[bytes]:
    return [bytes.fromhex(text) for text in texts]


def replay(case: dict[str, Any]) -> list[list[str]]:
    transcript = Transcript(case["label"], bytes.fromhex(case["context"]))
    drawn = []
    for move in case["moves"]:
        if "absorb" in move:
            transcript.absorb(move["absorb"], bytes.fromhex(move["content"]))
        else:
            scalars = transcript.challenges(move["challenges"], len(move["output"]))
            drawn.append([encode_scalar(scalar).hex() for scalar in scalars])
    return drawn


def entropy(case: dict[str, Any]) -> tuple[Entropy, str, bytes]:
    made = Entropy(bytes.fromhex(case["seed"]), bytes.fromhex(case["context"]))
    return made, case["label"], bytes.fromhex(case["statement"])


def derived(case: dict[str, Any]) -> Any:
    match case["name"]:
        case "frame" | "frame of nothing":
            return frame(*hexes(case["parts"])).hex()
        case "hash to group":
            return hash_to_group(*hexes(case["label"])).hex()
        case "generator":
            return generators(case["index"])[-1].hex()
        case "face":
            return face_point(case["game"], case["face"]).hex()
        case "toss":
            parts = hexes(case["contributions"])
            return combine_toss(bytes.fromhex(case["context"]), parts, case["bound"])
        case "entropy bytes":
            made, label, statement = entropy(case)
            return made.take(label, statement, len(case["output"]) // 2).hex()
        case "entropy scalars":
            made, label, statement = entropy(case)
            scalars = made.scalars(label, statement, len(case["output"]))
            return [encode_scalar(scalar).hex() for scalar in scalars]
        case "entropy permutation":
            made, label, statement = entropy(case)
            return list(made.permutation(label, statement, len(case["output"])))
    raise AssertionError(f"no such derivation: {case['name']}")


@pytest.mark.parametrize("case", cases_of("derivations"), ids=lambda case: str(case["name"]))
def test_a_derivation_gives_the_written_output(case: dict[str, Any]) -> None:
    if case["name"] == "transcript":
        assert replay(case) == [m["output"] for m in case["moves"] if "challenges" in m]
    else:
        assert derived(case) == case["output"]


def test_the_files_are_what_their_script_writes() -> None:
    written: dict[str, str] = runpy.run_path(str(ROOT / "scripts" / "make_vectors.py"))[
        "vector_files"
    ]()
    assert set(written) == {f"{kind}.json" for kind in (*CHECKS, "derivations")}
    for name, text in written.items():
        assert (VECTORS / name).read_text() == text, f"{name} is stale: run scripts/make_vectors.py"
