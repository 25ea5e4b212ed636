"""Writes `protocol/vectors/codes.json`, the cases of `protocol/code.md`.

python scripts/make_code_vectors.py
"""

import json
from hashlib import shake_256
from pathlib import Path
from typing import Any

from p2pjong.session.code_check import Between, HostCheck, JoinerCheck
from p2pjong.wire.messages import CodeAnswer, CodeProof, CodeStart

FILE = Path(__file__).resolve().parents[1] / "protocol" / "vectors" / "codes.json"
CODE = "417-amber-falcon"
FIELD = 2**255 - 19

Case = dict[str, Any]


def some(label: str, size: int = 32) -> bytes:
    """Bytes that look random and are always the same."""
    return shake_256(label.encode()).digest(size)


BETWEEN = Between(some("transcript"), some("joiner's key"), some("host's key"))


def codes() -> list[Case]:
    typed = {
        "as it is shown": CODE,
        "in capitals": "417-AMBER-FALCON",
        "as it is said": " 417 amber, falcon ",
        "with other dashes": "417\u2011amber\u2013falcon",
        "in wide letters": "\uff14\uff11\uff17 \uff21mber_falcon",
    }
    refused = {"nothing": "", "no letter": " - ", "too long": "x" * 65}
    return [
        *(
            {"kind": "code", "name": name, "verdict": "accept", "typed": text, "code": CODE}
            for name, text in typed.items()
        ),
        *(
            {"kind": "code", "name": name, "verdict": "refuse", "typed": text}
            for name, text in refused.items()
        ),
    ]


def elements() -> list[Case]:
    order_8 = "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"
    refused = {
        "the neutral element": (1).to_bytes(32, "little").hex(),
        "the neutral element with a sign": (1 | 1 << 255).to_bytes(32, "little").hex(),
        "the neutral element as p + 1": (FIELD + 1).to_bytes(32, "little").hex(),
        "the element of order 2": (FIELD - 1).to_bytes(32, "little").hex(),
        "an element of order 4": bytes(32).hex(),
        "an element of order 4 as p": FIELD.to_bytes(32, "little").hex(),
        "an element of order 8": order_8,
        "the base point times 4 plus an element of order 2": _other_coset().hex(),
        "no point": (2).to_bytes(32, "little").hex(),
        "all ones": "ff" * 32,
    }
    taken = {"the base point": (4 * pow(5, -1, FIELD) % FIELD).to_bytes(32, "little").hex()}
    return [
        *(
            {"kind": "element", "name": name, "verdict": "accept", "element": element}
            for name, element in taken.items()
        ),
        *(
            {
                "kind": "element",
                "name": name,
                "verdict": "refuse",
                "failure": "malformed",
                "element": element,
            }
            for name, element in refused.items()
        ),
    ]


def _other_coset() -> bytes:
    """4G plus the point of order 2: on the curve, and not in the group."""
    from spake2.ed25519_basic import Base, ElementOfUnknownGroup, xform_affine_to_extended

    order_2 = ElementOfUnknownGroup(xform_affine_to_extended((0, FIELD - 1)))
    element: bytes = Base.scalarmult(4).add(order_2).to_bytes()
    return element


def ends(code: str = CODE, between: Between = BETWEEN) -> tuple[JoinerCheck, HostCheck]:
    """A joiner of the first case, and a host that knows this."""
    joiner = JoinerCheck(CODE, BETWEEN, lambda size: some("joiner's random bytes", size))
    return joiner, HostCheck(code, between, lambda size: some("host's random bytes", size))


def checks() -> list[Case]:
    joiner, host = ends()
    start = joiner.start()
    answer = host.answer(start)
    proof = joiner.prove(answer)
    passed = host.judge(proof)
    joiner.accept(passed)
    return [
        {
            "kind": "check",
            "name": "both know the code",
            "verdict": "accept",
            **_known(CODE, BETWEEN),
            "joiner_random": some("joiner's random bytes", 64).hex(),
            "host_random": some("host's random bytes", 64).hex(),
            "joiner_element": start.element.hex(),
            "host_element": answer.element.hex(),
            "joiner_mac": proof.mac.hex(),
            "host_mac": passed.mac.hex(),
        }
    ]


def _known(code: str, between: Between) -> Case:
    return {
        "code": code,
        "joiner": between.joiner.hex(),
        "host": between.host.hex(),
        "transcript": between.transcript.hex(),
    }


def proofs() -> list[Case]:
    other = some("something else")
    honest = {"host": _known(CODE, BETWEEN)}
    cases: dict[str, Any] = {
        "the host has another code": {"host": _known("418-amber-falcon", BETWEEN)},
        "the host has another link": {
            "host": _known(CODE, Between(other, BETWEEN.joiner, BETWEEN.host))
        },
        "the host sees another joiner": {
            "host": _known(CODE, Between(BETWEEN.transcript, other, BETWEEN.host))
        },
        "the host is another": {
            "host": _known(CODE, Between(BETWEEN.transcript, BETWEEN.joiner, other))
        },
        "the joiner's element was replaced": {**honest, "start": _an_element("one")},
        "the host's element was replaced": {**honest, "answer": _an_element("two")},
        "the joiner sends the host's proof": {**honest, "mac": checks()[0]["host_mac"]},
        "the proof of zeros": {**honest, "mac": bytes(32).hex()},
    }
    return [
        {"kind": "proof", "name": name, "verdict": "refuse", **_run(**case)}
        for name, case in cases.items()
    ]


def _an_element(label: str) -> str:
    check = JoinerCheck(CODE, BETWEEN, lambda size: some(label, size))
    return check.start().element.hex()


def _run(host: Case, start: str = "", answer: str = "", mac: str = "") -> Case:
    """What the host gets of a joiner of the first case, with what was replaced on the way."""
    between = Between(*(bytes.fromhex(host[end]) for end in ("transcript", "joiner", "host")))
    joiner, knower = ends(host["code"], between)
    element = start or joiner.start().element.hex()
    if start:
        joiner.start()
    answered = knower.answer(CodeStart(bytes.fromhex(element)))
    shown = CodeAnswer(bytes.fromhex(answer)) if answer else answered
    proof = CodeProof(bytes.fromhex(mac)) if mac else joiner.prove(shown)
    return {
        "host": host,
        "host_random": some("host's random bytes", 64).hex(),
        "joiner_element": element,
        "joiner_mac": proof.mac.hex(),
    }


def text() -> str:
    """The file."""
    cases = [*codes(), *elements(), *checks(), *proofs()]
    content = {"page": "protocol/code.md", "cases": cases}
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
