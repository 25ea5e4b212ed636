"""The records of `protocol/vectors`, and the cases of `records.json` made of them by small edits.

Four tables are played by the production sessions with the simulator's keys and fixed seeds. Every
refused case says what was done to a record and what that must come to; what a verdict holds besides
(scores, digest) is what the audit says, on which two verifiers must agree.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from msgspec.structs import replace as with_fields

from p2pjong.app.verify import verify_record
from p2pjong.errors import Exit, P2PJongError
from p2pjong.games.game import Action, Game, Known, Seat
from p2pjong.games.war_jhong import WarJhong
from p2pjong.session.audit import Verdict
from p2pjong.session.effects import Ask
from p2pjong.session.lanes import SIGNATURE_LABEL, message_hash
from p2pjong.session.session import Secrets, Session
from p2pjong.store.record import RecordHeader
from p2pjong.wire.codec import decode, encode
from p2pjong.wire.messages import Act, Draft, Echo, Head, Lane, LaneBody, Leave, Payload
from tests.support.hostile import hostile
from tests.support.misdeeds import MISDEEDS
from tests.support.sim import SessionMaker, SimTable, make_draft, signing_key

Case = dict[str, Any]
Frames = list[bytes]
Change = Callable[[LaneBody], LaneBody]

CHEAT: Seat = 1


class InOrder(SimTable):
    """A network that delivers in one fixed order, so that a record is the same every time."""

    def step(self) -> bool:
        """The next delivery or choice; False when nothing is left to do."""
        for wire in sorted(self.wires):
            if self.wires[wire]:
                self.hand_over(*wire, self.wires[wire].pop(0))
                return True
        for seat, peer in enumerate(self.peers):
            if peer.asked is not None:
                self.choose_for(seat)
                return True
        return False


# --- The tables ---------------------------------------------------------------------------------

EAGERNESS = {"go_out": 0, "claim_go_out": 0, "claim_formation": 1, "discard": 2, "pass": 3}


def choose_eagerly(ask: Ask, rng: Random) -> Action:
    """Go out or claim whenever it can be, so that records are short."""
    best = min(EAGERNESS[action.verb] for action in ask.actions)
    return rng.choice([action for action in ask.actions if EAGERNESS[action.verb] == best])


def choose_falsely(wanted: str, ask: Ask, rng: Random) -> Action:
    """Seat 1 does what is wanted as soon as it has the form of an action; else all stay quiet."""
    wrong = [action for action in ask.actions if action.verb == wanted]
    if wrong and wrong[0].seat == CHEAT:
        return wrong[0]
    quiet = [action for action in ask.actions if action.verb in ("discard", "pass")]
    return rng.choice(quiet)


class Credulous(WarJhong):
    """Offers a seat whatever nobody else can rule out, so that its session lets it cheat."""

    def legal(self, state: Any, seat: Seat, known: Known) -> tuple[Action, ...]:
        return super().legal(state, seat, {})


def credulous(draft: Draft, game: Game, secrets: Secrets) -> Session:
    return Session(draft, Credulous(), secrets)


def two_seats() -> InOrder:
    table = InOrder(2, 5, draft=make_draft(2, target=1), choose=choose_eagerly)
    table.start().run()
    return table


def one_leaves() -> InOrder:
    """Three seats; one leaves in the midst of a hand, having just answered a discard."""
    table = InOrder(3, LEAVING_SEED, draft=make_draft(3, target=1), choose=choose_eagerly)
    table.start().run_until(lambda table: len(table.peers[CHEAT].chosen) == 3)
    table.at(CHEAT, lambda session: session.leave())
    table.run()
    return table


LEAVING_SEED = 2


def foul(wanted: str, seed: int) -> InOrder:
    """Two seats, one of which claims what its cards do not bear out."""
    makers: dict[Seat, SessionMaker] = {CHEAT: credulous}
    choose = partial(choose_falsely, wanted)
    table = InOrder(2, seed, draft=make_draft(2, target=1), choose=choose, makers=makers)
    table.start().run()
    return table


def misdeed(name: str) -> InOrder:
    """Two seats, one of which commits a misdeed of the hostile clients of the tests."""
    (wanted,) = (misdeed for misdeed in MISDEEDS if misdeed.name == name)
    makers: dict[Seat, SessionMaker] = {CHEAT: hostile(wanted)}
    table = InOrder(2, 7, draft=make_draft(2, target=1), choose=choose_eagerly, makers=makers)
    table.start().run()
    return table


TABLES: dict[str, Callable[[], InOrder]] = {
    "record-two-seats.bin": two_seats,
    "record-one-leaves.bin": one_leaves,
    "record-false-claim.bin": partial(foul, "claim_formation", 1),
    "record-false-win.bin": partial(foul, "go_out", 1),
    "record-no-key.bin": lambda: misdeed("has no key proof"),
}


def frames_of(table: InOrder) -> Frames:
    """The record of seat 0."""
    return list(table.peers[0].journal)


# --- Edits --------------------------------------------------------------------------------------


@dataclass
class Story:
    """The lane frames of one table, as data to be tampered with."""

    frames: Frames

    def body(self, index: int) -> LaneBody:
        lane: Lane = decode(self.frames[index], Lane)
        body: LaneBody = decode(lane.body, LaneBody)
        return body

    def find(self, kind: str, seat: Seat = CHEAT, nth: int = 0) -> int:
        """Where the seat's nth message with that payload stands."""
        found = [
            index
            for index in range(len(self.frames))
            if self.body(index).seat == seat and type(self.body(index).payload).__name__ == kind
        ]
        return found[nth]

    def forge(self, index: int, change: Change) -> bytes:
        """The message with another body, signed anew by its seat."""
        return signed(change(self.body(index)))

    def after_forgery(self, index: int, forged: bytes) -> Frames:
        """The record up to the forged message, and of the rest what does not rest on the old."""
        lanes: dict[Seat, list[bytes]] = {}
        kept: Frames = []
        for frame in [*self.frames[:index], forged, *self.frames[index + 1 :]]:
            lane: Lane = decode(frame, Lane)
            body: LaneBody = decode(lane.body, LaneBody)
            if frame is forged or _fits(body, lanes):
                lanes.setdefault(body.seat, []).append(message_hash(lane.body))
                kept.append(frame)
        return kept


def _fits(body: LaneBody, lanes: dict[Seat, list[bytes]]) -> bool:
    for seat, head in enumerate(body.heads):
        lane = lanes.get(seat, [])
        if head.length > len(lane) or (head.length and lane[head.length - 1] != head.hash):
            return False
    return body.heads[body.seat].length == len(lanes.get(body.seat, []))


def signed(body: LaneBody) -> bytes:
    """A lane frame, signed with the known key of its seat."""
    packed = encode(body)
    return encode(Lane(packed, signing_key(body.seat).sign(SIGNATURE_LABEL + packed)))


def flipped(content: bytes) -> bytes:
    return bytes([content[0] ^ 1]) + content[1:]


def payload(**changes: Callable[[Any], Any]) -> Change:
    """A change of some fields of the payload."""

    def change(body: LaneBody) -> LaneBody:
        old = body.payload
        new = {name: alter(getattr(old, name)) for name, alter in changes.items()}
        return with_fields(body, payload=with_fields(old, **new))

    return change


def instead(new: Payload) -> Change:
    return lambda body: with_fields(body, payload=new)


def fields(**changes: Callable[[Any], Any]) -> Change:
    """A change of some fields of the body."""
    return lambda body: with_fields(
        body, **{name: alter(getattr(body, name)) for name, alter in changes.items()}
    )


# --- Cases --------------------------------------------------------------------------------------


def record_cases(stories: dict[str, Frames]) -> list[Case]:
    """All cases of `records.json`."""
    story = Story(stories["record-two-seats.bin"])
    cases = [
        *_whole(stories),
        *_reordered(story),
        *_broken_off(story),
        *_tampered(story),
        *_forged(story),
        *_after_the_end(story),
    ]
    draft = make_draft(2, target=1)
    drafts = {"record-one-leaves.bin": make_draft(3, target=1)}
    return [_with_verdict(case, stories, drafts.get(case["file"], draft)) for case in cases]


def _case(name: str, *edits: Any, file: str = "record-two-seats.bin", **expected: Any) -> Case:
    return {"name": name, "file": file, "edits": list(edits), "verdict": expected}


def _whole(stories: dict[str, Frames]) -> list[Case]:
    foul = {"valid": False, "outcome": "abandoned"}
    return [
        _case("a game of two", valid=True, outcome="finished"),
        _case(
            "three seats, one of which leaves",
            file="record-one-leaves.bin",
            valid=True,
            outcome="finished",
            left=[CHEAT],
        ),
        _case(
            "a Formation claimed with cards that make none",
            file="record-false-claim.bin",
            rule="claim-without-formation",
            **foul,
        ),
        _case(
            "going out with a hand that does not",
            file="record-false-win.bin",
            rule="hand-does-not-go-out",
            **foul,
        ),
        _case("a key without a proof", file="record-no-key.bin", rule="proof-proof", **foul),
    ]


def _reordered(story: Story) -> list[Case]:
    whole = {"valid": True, "outcome": "finished"}
    return [
        _case("the frames backwards", {"reverse": True}, **whole),
        _case("two frames swapped", {"swap": [40, 41]}, **whole),
        _case("a frame twice", {"append": story.frames[7].hex()}, **whole),
    ]


def _broken_off(story: Story) -> list[Case]:
    last = len(story.frames) - 1
    settled = story.find("Settled", seat=0)
    unfinished = {"valid": True, "outcome": "unfinished"}
    leave = signed(_next_body(story, story.find("Shuffled"), Leave()))
    early_leave = signed(_next_body(story, story.find("NonceCommit"), Leave()))
    abandoned = {"valid": True, "outcome": "abandoned", "left": [CHEAT]}
    return [
        _case("no message at all", {"keep": 0}, **unfinished),
        _case("broken off in the charter", {"keep": 3}, **unfinished),
        _case("broken off in the midst of a hand", {"keep": 100}, **unfinished),
        _case("the last signature is missing", {"keep": last}, **unfinished),
        _case("no signature of the result", {"keep": settled}, **unfinished),
        _case(
            "a seat leaves after its shuffle",
            {"keep": story.find("Shuffled") + 1},
            {"append": leave.hex()},
            {"append": _answer_to(story, story.find("Shuffled"), leave).hex()},
            **abandoned,
        ),
        _case(
            "a seat leaves before the charter is signed",
            {"keep": 2},
            {"append": early_leave.hex()},
            {"append": story.frames[story.find("NonceOpen", seat=0)].hex()},
            **abandoned,
        ),
    ]


def _next_body(story: Story, index: int, new: Payload) -> LaneBody:
    """A next message of the same lane, with the heads of the one before."""
    body = story.body(index)
    lane: Lane = decode(story.frames[index], Lane)
    heads = list(body.heads)
    heads[body.seat] = Head(heads[body.seat].length + 1, message_hash(lane.body))
    return with_fields(body, heads=tuple(heads), payload=new)


def _answer_to(story: Story, shuffled: int, leave: bytes) -> bytes:
    """Seat 0's echo of the deck, which stands whatever the other does."""
    echoes = [
        index
        for index in range(shuffled, len(story.frames))
        if story.body(index).seat == 0 and isinstance(story.body(index).payload, Echo)
    ]
    return story.frames[echoes[0]]


def _tampered(story: Story) -> list[Case]:
    middle = len(story.frames) // 2
    bad: dict[str, Any] = {"valid": False, "outcome": "unfinished", "rule": None}
    stranger = story.forge(middle, fields(table=flipped))
    restored = story.forge(middle, fields(incarnation=lambda number: number + 1))
    unseen = story.forge(middle, _other_story)
    ghost = story.forge(middle, lambda body: with_fields(body, seat=2))
    empty = story.forge(0, lambda body: with_fields(body, heads=(Head(0, b"\1" * 32),) * 2))
    swapped = with_fields(
        decode(story.frames[middle], Lane),
        signature=decode(story.frames[middle + 1], Lane).signature,
    )

    def replaced(name: str, frame: bytes, index: int = middle) -> Case:
        return _case(name, {"replace": [index, frame.hex()]}, **bad)

    return [
        _case("a bit of a body flipped", {"flip": [middle, 8 * 60]}, **bad),
        _case("a bit of a signature flipped", {"flip": [middle, -8]}, **bad),
        _case("a message dropped", {"drop": middle}, **bad),
        _case("the first message dropped", {"drop": 0}, **bad),
        replaced("a message signed for another table", stranger),
        replaced("a message of another incarnation", restored),
        replaced("a message of a seat that is not there", ghost),
        replaced("a message that names another story", unseen),
        replaced("an empty lane with a hash", empty, 0),
        replaced("a message with the signature of another", encode(swapped)),
        _case("cut off within a frame", {"cut": 10}, error="damaged"),
        _case("cut off within a length", {"append_bytes": "000001"}, error="damaged"),
        _case("an empty frame", {"append_bytes": "00000000"}, error="damaged"),
        _case("a frame over the limit", {"append_bytes": "00100001"}, error="damaged"),
        _case("a frame that is no lane", {"append": "91a3627965"}, error="damaged"),
        _case("another first frame", {"head": "91a3627965"}, error="damaged"),
        _case("no frame at all", {"file": ""}, error="damaged"),
        _case("another version of records", {"head": _head(version=2)}, error="mismatch"),
        _case(
            "another version of the protocol", {"head": _head(draft_version=2)}, error="mismatch"
        ),
        _case("another game", {"head": _head(game="old-maid")}, error="mismatch"),
        _case("options that the game does not have", {"head": _head(rounds=3)}, error="mismatch"),
        _case("another draft", {"head": _head(table=b"\7" * 16)}, **bad),
    ]


def _other_story(body: LaneBody) -> LaneBody:
    other = 1 - body.seat
    heads = list(body.heads)
    heads[other] = Head(heads[other].length, flipped(heads[other].hash))
    return with_fields(body, heads=tuple(heads))


def _head(
    version: int = 1,
    draft_version: int = 1,
    game: str = "war-jhong",
    rounds: int = 0,
    table: bytes = bytes(16),
) -> str:
    draft = make_draft(2, target=1)
    options = with_fields(draft.options, rounds=rounds)
    draft = with_fields(draft, version=draft_version, game=game, options=options, table=table)
    return encode(RecordHeader(version, draft)).hex()


def _forged(story: Story) -> list[Case]:
    """One message of seat 1 put in place of another, signed by it: each a fault."""
    middle = story.find("Act", nth=2)
    key = story.find("KeyOpen")
    discard: Any = story.body(middle).payload
    forgeries: list[tuple[str, str, int, Change]] = [
        ("charter", "signs another charter", story.find("Sign"), payload(charter=flipped)),
        ("commitment", "opens another nonce", story.find("NonceOpen"), payload(nonce=flipped)),
        ("commitment", "opens another toss", story.find("TossOpen"), payload(part=flipped)),
        ("commitment", "opens another key", key, payload(proof=flipped)),
        ("commitment", "opens another answer", story.find("ActOpen"), payload(opening=flipped)),
        ("echo", "echoes another chain", story.find("Echo", nth=1), payload(chain=flipped)),
        (
            "proof-proof",
            "mixes its hand with a spoilt proof",
            story.find("Shuffled", nth=1),
            payload(proof=lambda proof: proof[:-32] + flipped(proof[-32:])),
        ),
        (
            "proof-proof",
            "mixes its hand and then swaps two cards",
            story.find("Shuffled", nth=1),
            payload(cards=lambda cards: cards[64:128] + cards[:64] + cards[128:]),
        ),
        (
            "proof-encoding",
            "mixes its hand and keeps a card",
            story.find("Shuffled", nth=1),
            payload(cards=lambda cards: cards[64:]),
        ),
        (
            "proof-encoding",
            "gives shares that are no points",
            story.find("Shares", nth=1),
            payload(shares=lambda shares: b"\1" + bytes(31) + shares[32:]),
        ),
        (
            "proof-proof",
            "gives a share of another slot",
            story.find("Shares", nth=1),
            payload(shares=lambda shares: _another_share(story)),
        ),
        (
            "illegal-action",
            "discards what it does not hold",
            middle,
            instead(with_fields(discard, slots=(0,))),
        ),
        (
            "illegal-action",
            "names a target",
            middle,
            instead(with_fields(discard, target=0)),
        ),
        ("illegal-action", "passes on its turn", middle, instead(Act("pass", (), -1))),
        ("result", "signs another result", story.find("Settled"), payload(result=flipped)),
        ("wrong-kind", "echoes on its turn", middle, instead(Echo(bytes(32)))),
        ("digest", "sees another state", middle, fields(digest=flipped)),
        ("wrong-place", "speaks of another place", middle, fields(place=flipped)),
        ("wrong-place", "speaks of another epoch", middle, fields(epoch=lambda epoch: epoch + 1)),
        ("out-of-turn", "answers a later step", middle, fields(step=lambda step: step + 1)),
        ("out-of-turn", "has not seen what it answers", middle, _blind),
        ("out-of-turn", "answers twice", story.find("Shuffled") + 1, _again(story)),
        ("equivocation", "tells two stories", middle, fields(digest=flipped)),
    ]
    return [_forgery(story, *forgery) for forgery in forgeries]


def _blind(body: LaneBody) -> LaneBody:
    heads = [Head(0, bytes(32))] * 2
    heads[body.seat] = body.heads[body.seat]
    return with_fields(body, heads=tuple(heads))


def _again(story: Story) -> Change:
    """The last message once more, as the next one of its lane."""
    before = story.find("Shuffled")
    return lambda body: _next_body(story, before, story.body(before).payload)


def _another_share(story: Story) -> bytes:
    shares: bytes = story.body(story.find("Shares", seat=0, nth=1)).payload.shares  # type: ignore[union-attr]
    return shares[:32]


def _forgery(story: Story, rule: str, name: str, index: int, change: Change) -> Case:
    forged = story.forge(index, change)
    if rule == "equivocation":
        edits: list[Case] = [{"keep": index + 1}, {"append": forged.hex()}]
    else:
        rest = story.after_forgery(index, forged)
        edits = [{"keep": index}] + [{"append": frame.hex()} for frame in rest[index:]]
    body: LaneBody = decode(decode(forged, Lane).body, LaneBody)
    number = body.heads[CHEAT].length
    return _case(f"seat 1 {name}", *edits, valid=False, rule=rule, number=number)


def _after_the_end(story: Story) -> list[Case]:
    last = story.find("Settled")
    whole = {"valid": True, "outcome": "finished"}
    more = signed(_next_body(story, last, Leave()))
    two = story.forge(last, payload(result=flipped))
    return [
        _case("a leave after the end", {"append": more.hex()}, **whole),
        _case("a second story after the end", {"append": two.hex()}, **whole),
        _case(
            "a bad signature after the end",
            {"append": more.hex()},
            {"flip": [-1, -8]},
            valid=False,
            outcome="finished",
            rule=None,
        ),
    ]


# --- Verdicts -----------------------------------------------------------------------------------


def edited(head: bytes, frames: Sequence[bytes], edits: Iterable[Case]) -> bytes:
    """The record after the edits of a case."""
    frames = list(frames)
    tail, cut = b"", 0
    for edit in edits:
        ((what, how),) = edit.items()
        if what == "file":
            return bytes.fromhex(how)
        if what == "head":
            head = bytes.fromhex(how)
        elif what == "cut":
            cut = how
        elif what == "append_bytes":
            tail = bytes.fromhex(how)
        else:
            FRAME_EDITS[what](frames, how)
    record = record_of(head, frames) + tail
    return record[: len(record) - cut]


def _keep(frames: Frames, count: int) -> None:
    del frames[count:]


def _drop(frames: Frames, index: int) -> None:
    del frames[index]


def _swap(frames: Frames, places: list[int]) -> None:
    one, other = places
    frames[one], frames[other] = frames[other], frames[one]


def _replace(frames: Frames, how: tuple[int, str]) -> None:
    frames[how[0]] = bytes.fromhex(how[1])


def _flip(frames: Frames, how: list[int]) -> None:
    index, bit = how
    frame = bytearray(frames[index])
    frame[bit // 8] ^= 1 << bit % 8
    frames[index] = bytes(frame)


FRAME_EDITS: dict[str, Callable[[Frames, Any], None]] = {
    "keep": _keep,
    "drop": _drop,
    "swap": _swap,
    "reverse": lambda frames, _: frames.reverse(),
    "append": lambda frames, frame: frames.append(bytes.fromhex(frame)),
    "replace": _replace,
    "flip": _flip,
}


def record_of(head: bytes, frames: Iterable[bytes]) -> bytes:
    """A record file."""
    return b"".join(len(frame).to_bytes(4, "big") + frame for frame in [head, *frames])


def audited(record: bytes) -> Case:
    """The program's verdict on a record file, or its error, as the vectors write it."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "record.bin"
        path.write_bytes(record)
        try:
            return verdict_json(verify_record(path))
        except P2PJongError as error:
            return {"error": "damaged" if error.code == Exit.FAULT else "mismatch"}


def _with_verdict(case: Case, stories: dict[str, Frames], draft: Draft) -> Case:
    """The case with its whole verdict, which must be as it was made to be."""
    head = encode(RecordHeader(1, draft))
    told = audited(edited(head, stories[case["file"]], case["edits"]))
    fault = told.get("fault") or {"rule": None, "number": None}
    for name, value in case["verdict"].items():
        found = {**told, **fault}.get(name)
        assert found == value, f"{case['name']}: {name} is {found}, not {value}"
    return case | {"verdict": told}


def verdict_json(verdict: Verdict) -> Case:
    """A verdict as the vectors write it."""
    fault = verdict.fault
    return {
        "valid": verdict.is_valid,
        "outcome": verdict.outcome,
        "scores": list(verdict.scores),
        "winners": list(verdict.winners),
        "hands": verdict.hands,
        "digest": verdict.digest.hex(),
        "fault": fault
        and {
            "seat": fault.seat,
            "number": fault.number,
            "epoch": fault.epoch,
            "rule": fault.rule,
        },
        "left": list(verdict.left),
    }
