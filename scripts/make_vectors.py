"""Writes the vectors of `protocol/shuffle.md`: `python scripts/make_vectors.py [--check]`.

The output is a function of this file and of `p2pjong.crypto` alone. Each refused case says what
was changed in an accepted one, and which failure class that must give; nothing here asks the
verifiers. With --check nothing is written, and the exit code says whether the files are current.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from p2pjong.crypto.commitment import combine_toss, commit
from p2pjong.crypto.entropy import Entropy
from p2pjong.crypto.group import (
    BASE,
    ORDER,
    Point,
    add,
    decode_scalar,
    encode_scalar,
    face_point,
    frame,
    generators,
    hash_to_group,
    multiply,
    multiply_base,
    subtract,
)
from p2pjong.crypto.masking import (
    Ciphertext,
    encode_slots,
    joint_key,
    make_key,
    make_shares,
    prove_key,
    prove_shares,
    unmask,
    veil_faces,
)
from p2pjong.crypto.membership import prove_membership
from p2pjong.crypto.shuffle import Shuffled, prove_shuffle, shuffle_slots
from p2pjong.crypto.switch import prove_switch
from p2pjong.crypto.transcript import Transcript

VECTORS = Path(__file__).resolve().parent.parent / "protocol" / "vectors"
CONTEXT = frame(b"charter", b"epoch 1", b"step 7", b"seat 0")
OTHER_CONTEXTS = {
    "another seat": frame(b"charter", b"epoch 1", b"step 7", b"seat 1"),
    "another hand": frame(b"charter", b"epoch 2", b"step 7", b"seat 0"),
    "another step": frame(b"charter", b"epoch 1", b"step 8", b"seat 0"),
    "another table": frame(b"other", b"epoch 1", b"step 7", b"seat 0"),
    "no context": b"",
}
ENTROPY = [Entropy(bytes([seat + 1]) * 32, b"vectors") for seat in range(3)]
KEYS = [make_key(b"epoch 1", entropy) for entropy in ENTROPY]
JOINT = joint_key([key.public for key in KEYS])
FACES = [face_point("vectors", face) for face in ("A", "B", "C", "D", "E")]
BAD_POINTS = {
    "the identity": bytes(32),
    "a field element that is no point": bytes.fromhex(
        "26948d35ca62e643e26a83177332e6b6afeb9d08e4268b650f1f5bbd8d81d371"
    ),
    "a negative field element": bytes.fromhex("01" + "00" * 31),
    "a field element not reduced": bytes.fromhex("ed" + "ff" * 30 + "7f"),
}
BAD_SCALARS = {
    "the group order": ORDER.to_bytes(32, "little"),
    "a scalar with its highest bit set": bytes(31) + b"\x80",
}

Fields = dict[str, bytes]
Case = dict[str, Any]


@dataclass(frozen=True)
class Base:
    """An accepted case; `points` says how many words of each field are points."""

    name: str
    fields: Fields
    points: dict[str, int]


def hexed(fields: Fields) -> dict[str, str]:
    return {name: content.hex() for name, content in fields.items()}


def accepted(base: Base) -> Case:
    return {"name": base.name, "verdict": "accept", **hexed(base.fields)}


def refused(base: Base, name: str, failure: str, **changed: bytes) -> Case:
    return {
        "name": f"{base.name}: {name}",
        "verdict": "refuse",
        "failure": failure,
        **hexed({**base.fields, **changed}),
    }


def with_word(encoding: bytes, index: int, word: bytes) -> bytes:
    return encoding[: 32 * index] + word + encoding[32 * (index + 1) :]


def all_cases(base: Base) -> Iterator[Case]:
    """The base, and every systematic change of one thing in it."""
    yield accepted(base)
    for name, context in OTHER_CONTEXTS.items():
        yield refused(base, f"moved to {name}", "proof", context=context)
    for field in base.points:
        yield from changed_words(base, field)
        yield from malformed_words(base, field)


def changed_words(base: Base, field: str) -> Iterator[Case]:
    encoding = base.fields[field]
    for index in range(len(encoding) // 32):
        word = encoding[32 * index : 32 * (index + 1)]
        if index < base.points[field]:
            other: bytes = add(Point(word), BASE)
        else:
            other = encode_scalar(decode_scalar(word) + 1)
        changed = {field: with_word(encoding, index, other)}
        yield refused(base, f"word {index} of {field} changed", "proof", **changed)


def malformed_words(base: Base, field: str) -> Iterator[Case]:
    encoding, points = base.fields[field], base.points[field]
    bad = [(points - 1, name, word) for name, word in BAD_POINTS.items() if points]
    bad += [(-1, name, word) for name, word in BAD_SCALARS.items() if 32 * points < len(encoding)]
    for place, name, word in bad:
        index = place if place >= 0 else len(encoding) // 32 - 1
        changed = {field: with_word(encoding, index, word)}
        yield refused(base, f"word {index} of {field} is {name}", "encoding", **changed)
    for name, content in [("cut short", encoding[:-1]), ("one byte longer", encoding + b"\0")]:
        yield refused(base, f"{field} {name}", "encoding", **{field: content})


# --- Keys and shares ----------------------------------------------------------------------------


def key_cases() -> Iterator[Case]:
    proof = prove_key(CONTEXT, KEYS[0], ENTROPY[0]).encode()
    fields = {"context": CONTEXT, "key": KEYS[0].public, "proof": proof}
    base = Base("a key", fields, {"key": 1, "proof": 1})
    yield from all_cases(base)
    yield refused(base, "the proof of another seat's key", "proof", key=KEYS[1].public)
    rogue = subtract(multiply_base(5), KEYS[1].public)
    yield refused(base, "a rogue key", "proof", key=rogue)


def dealt_hand(size: int, key: Point = KEYS[0].public) -> tuple[Ciphertext, ...]:
    start = veil_faces([FACES[card % 4] for card in range(size)], key)
    return shuffle_slots(b"deal", key, start, ENTROPY[0]).after


def shares_base(name: str, slots: Sequence[Ciphertext]) -> Base:
    shares = make_shares(KEYS[0], slots)
    proof = prove_shares(CONTEXT, KEYS[0], slots, shares, ENTROPY[0]).encode()
    fields = {
        "context": CONTEXT,
        "key": KEYS[0].public,
        "slots": encode_slots(slots),
        "shares": b"".join(shares),
        "proof": proof,
    }
    count = len(slots)
    return Base(name, fields, {"key": 1, "slots": 2 * count, "shares": count, "proof": 2})


def shares_cases() -> Iterator[Case]:
    deck = dealt_hand(3, JOINT)
    yield from all_cases(shares_base("one slot of a deck", deck[:1]))
    base = shares_base("three slots of a deck", deck)
    yield from all_cases(base)
    left = [unmask(slot, [make_shares(key, [slot])[0] for key in KEYS[1:]]) for slot in deck]
    yield accepted(shares_base("three slots opened by their holder", left))
    yield accepted(shares_base("one slot twice", (deck[0], deck[0])))
    shares = base.fields["shares"]
    swapped = shares[32:64] + shares[:32] + shares[64:]
    yield refused(base, "two shares swapped", "proof", shares=swapped)
    first, second = Point(shares[:32]), Point(shares[32:64])
    cancelling = add(first, BASE) + subtract(second, BASE) + shares[64:]
    yield refused(base, "errors that add up to nothing", "proof", shares=cancelling)
    yield refused(base, "a share missing", "statement", shares=shares[:64])
    yield refused(base, "a share too many", "statement", shares=shares + shares[:32])
    yield refused(base, "nothing shared", "statement", slots=b"", shares=b"")


# --- Shuffles -----------------------------------------------------------------------------------


def shuffle_base(
    name: str, before: Sequence[Ciphertext], key: Point, shuffled: Shuffled | None = None
) -> Base:
    made = shuffled or shuffle_slots(CONTEXT, key, before, ENTROPY[0])
    fields = {
        "context": CONTEXT,
        "key": key,
        "before": encode_slots(before),
        "after": encode_slots(made.after),
        "proof": prove_shuffle(CONTEXT, key, before, made, ENTROPY[0]).encode(),
    }
    count = 2 * len(before)
    return Base(name, fields, {"key": 1, "before": count, "after": count, "proof": 7})


def shuffle_cases() -> Iterator[Case]:
    hand = dealt_hand(4)
    key = KEYS[0].public
    for cards in (1, 2, 4):
        yield from all_cases(shuffle_base(f"a hand of {cards}", hand[:cards], key))
    deck = veil_faces([FACES[card % 4] for card in range(6)], JOINT)
    yield accepted(shuffle_base("a first deck with copies", deck, JOINT))
    same = Shuffled(hand, tuple(range(4)), (0,) * 4)
    yield accepted(shuffle_base("a hand returned as it was", hand, key, same))
    base = shuffle_base("a hand of 4", hand, key)
    after, before = base.fields["after"], base.fields["before"]
    swapped = after[64:128] + after[:64] + after[128:]
    yield refused(base, "two new slots swapped", "proof", after=swapped)
    yield refused(base, "a new slot twice", "proof", after=after[:64] + after[:64] + after[128:])
    yield refused(base, "a card dropped", "statement", after=after[:-64])
    yield refused(base, "a card added", "statement", after=after + after[:64])
    empty = {"before": b"", "after": b""}
    yield refused(base, "no cards at all", "statement", **empty, proof=b"")
    many = {"before": before[:64] * 257, "after": after[:64] * 257}
    yield refused(base, "257 cards", "statement", **many)
    yield from dishonest_shuffles(hand, key)


def dishonest_shuffles(hand: Sequence[Ciphertext], key: Point) -> Iterator[Case]:
    """Wrong decks with the best proof that the honest prover's code makes for them."""
    honest = shuffle_slots(CONTEXT, key, hand, ENTROPY[0])
    foreign = Ciphertext(honest.after[0].a, add(honest.after[0].b, subtract(FACES[4], FACES[0])))
    cheats = {
        "a card duplicated": taken_from(hand, key, (0, 0, 2, 3)),
        "all cards the same": taken_from(hand, key, (3, 3, 3, 3)),
        "a foreign card": replace(honest, after=(foreign, *honest.after[1:])),
        "other masks than used": replace(honest, masks=(*honest.masks[:-1], 5)),
        "another order than used": replace(honest, permutation=honest.permutation[::-1]),
    }
    for name, cheat in cheats.items():
        base = shuffle_base("a dishonest hand of 4", hand, key, cheat)
        yield refused(base, name, "proof")


def taken_from(hand: Sequence[Ciphertext], key: Point, sources: tuple[int, ...]) -> Shuffled:
    masks = (11, 12, 13, 14)
    after = tuple(
        Ciphertext(add(hand[place].a, multiply_base(mask)), add(hand[place].b, multiply(mask, key)))
        for place, mask in zip(sources, masks, strict=True)
    )
    return Shuffled(after, sources, masks)


# --- Switches and passes ------------------------------------------------------------------------


def switch_base(name: str, slots: Sequence[Ciphertext]) -> Base:
    owner = KEYS[1].public
    after, proof = prove_switch(CONTEXT, KEYS[0], owner, slots, ENTROPY[0])
    fields = {
        "context": CONTEXT,
        "holder": KEYS[0].public,
        "owner": owner,
        "before": encode_slots(slots),
        "after": encode_slots(after),
        "proof": proof.encode(),
    }
    count = 2 * len(slots)
    points = {"holder": 1, "owner": 1, "before": count, "after": count, "proof": 3}
    return Base(name, fields, points)


def switch_cases() -> Iterator[Case]:
    hand = dealt_hand(3)
    yield from all_cases(switch_base("one card", hand[:1]))
    base = switch_base("three cards", hand)
    yield from all_cases(base)
    after = base.fields["after"]
    swapped = after[64:128] + after[:64] + after[128:]
    yield refused(base, "two new slots swapped", "proof", after=swapped)
    yield refused(base, "a card missing", "statement", after=after[:-64])
    yield refused(base, "nothing switched", "statement", before=b"", after=b"")
    yield refused(base, "from a seat to itself", "statement", owner=base.fields["holder"])
    yield refused(base, "to a third seat", "proof", owner=KEYS[2].public)


def membership_cases() -> Iterator[Case]:
    hand = dealt_hand(2)
    faces = FACES[:3]
    fields = {
        "context": CONTEXT,
        "key": KEYS[0].public,
        "slots": encode_slots(hand),
        "faces": b"".join(faces),
        "proof": prove_membership(CONTEXT, KEYS[0], hand, faces, ENTROPY[0]).encode(),
    }
    base = Base("two slots, three faces", fields, {"key": 1, "slots": 4, "faces": 3, "proof": 0})
    yield from all_cases(base)
    twice = b"".join((*faces[:2], faces[0]))
    yield refused(base, "a face twice in the set", "statement", faces=twice)
    yield refused(base, "no faces", "statement", faces=b"", proof=b"")
    yield refused(base, "no slots", "statement", slots=b"", proof=b"")
    reordered = b"".join(reversed(faces))
    yield refused(base, "the faces in another order", "proof", faces=reordered)
    zero = with_word(fields["proof"], 0, bytes(32))
    yield refused(base, "a challenge of zero", "proof", proof=zero)


# --- Commitments and derivations ----------------------------------------------------------------


def commitment_cases() -> Iterator[Case]:
    nonce = bytes(range(32))
    fields = {
        "context": CONTEXT,
        "commitment": commit(CONTEXT, b"content", nonce),
        "content": b"content",
        "nonce": nonce,
    }
    base = Base("a commitment", fields, {})
    yield from all_cases(base)
    yield refused(base, "other content", "proof", content=b"Content")
    yield refused(base, "another nonce", "proof", nonce=nonce[::-1])
    yield refused(base, "another commitment", "proof", commitment=bytes(32))
    yield refused(base, "a commitment cut short", "proof", commitment=fields["commitment"][:31])
    yield refused(base, "a short nonce", "encoding", nonce=nonce[:31])
    yield refused(base, "a long nonce", "encoding", nonce=nonce + b"\0")


def derivation_cases() -> Iterator[Case]:
    parts = [b"", b"a", b"bc"]
    yield {"name": "frame", "parts": [p.hex() for p in parts], "output": frame(*parts).hex()}
    yield {"name": "frame of nothing", "parts": [], "output": frame().hex()}
    yield {
        "name": "hash to group",
        "label": [p.hex() for p in parts],
        "output": hash_to_group(*parts).hex(),
    }
    for index in (1, 2, 120, 256):
        yield {"name": "generator", "index": index, "output": generators(256)[index - 1].hex()}
    for game, face in [("war-jhong", "R1"), ("samurai-warfare", "Forest")]:
        point = face_point(game, face)
        yield {"name": "face", "game": game, "face": face, "output": point.hex()}
    transcript = Transcript("vectors", CONTEXT)
    transcript.absorb("first", b"content")
    one = transcript.challenges("one", 1)
    transcript.absorb("second", b"")
    three = transcript.challenges("three", 3)
    yield {
        "name": "transcript",
        "label": "vectors",
        "context": CONTEXT.hex(),
        "moves": [
            {"absorb": "first", "content": b"content".hex()},
            {"challenges": "one", "output": [encode_scalar(s).hex() for s in one]},
            {"absorb": "second", "content": ""},
            {"challenges": "three", "output": [encode_scalar(s).hex() for s in three]},
        ],
    }
    yield from toss_cases()
    yield from entropy_cases()


def toss_cases() -> Iterator[Case]:
    parts = [bytes([seat]) * 32 for seat in range(3)]
    for bound in (1, 2, 6, 120, 2**31 + 1, 2**32):
        yield {
            "name": "toss",
            "context": CONTEXT.hex(),
            "contributions": [part.hex() for part in parts],
            "bound": bound,
            "output": combine_toss(CONTEXT, parts, bound),
        }


def entropy_cases() -> Iterator[Case]:
    entropy = ENTROPY[0]
    given = {"seed": (b"\1" * 32).hex(), "context": b"vectors".hex(), "statement": CONTEXT.hex()}
    taken = entropy.take("bytes", CONTEXT, 80)
    yield {"name": "entropy bytes", **given, "label": "bytes", "output": taken.hex()}
    scalars = [encode_scalar(s).hex() for s in entropy.scalars("scalars", CONTEXT, 3)]
    yield {"name": "entropy scalars", **given, "label": "scalars", "output": scalars}
    order = list(entropy.permutation("order", CONTEXT, 20))
    yield {"name": "entropy permutation", **given, "label": "order", "output": order}


def vector_files() -> dict[str, str]:
    """Name and text of every file."""
    cases = {
        "commitments": commitment_cases(),
        "derivations": derivation_cases(),
        "keys": key_cases(),
        "membership": membership_cases(),
        "shares": shares_cases(),
        "shuffles": shuffle_cases(),
        "switches": switch_cases(),
    }
    return {f"{kind}.json": _text(kind, list(listed)) for kind, listed in cases.items()}


def _text(kind: str, cases: list[Case]) -> str:
    about = {"page": "protocol/shuffle.md", "kind": kind, "cases": _compact(cases)}
    return json.dumps(about, indent=1) + "\n"


def _compact(cases: list[Case]) -> list[Case]:
    """Refused cases name the accepted one before them and list only what differs from it."""
    compact: list[Case] = []
    full = {case["name"]: case for case in cases if case.get("verdict") == "accept"}
    for case in cases:
        origin = full.get(case["name"].split(":")[0]) if case.get("verdict") == "refuse" else None
        if origin is None:
            compact.append(case)
        else:
            kept = {k: v for k, v in case.items() if origin.get(k) != v}
            compact.append({"change_of": origin["name"], **kept})
    return compact


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare, do not write")
    check = parser.parse_args().check
    files = vector_files()
    stale = [n for n, text in files.items() if not _is_current(VECTORS / n, text)]
    for name in stale:
        print(f"{'stale' if check else 'written'}: {name}")
        if not check:
            VECTORS.mkdir(exist_ok=True)
            (VECTORS / name).write_text(files[name])
    return 1 if check and stale else 0


def _is_current(path: Path, text: str) -> bool:
    return path.exists() and path.read_text() == text


if __name__ == "__main__":
    sys.exit(main())
