"""The cases of `protocol/vectors/records.json`: records, and what small edits make of them.

Every refused case says what was done to a record and what that must come to. What a verdict holds
besides (scores, digest) is what the audit says; two verifiers must agree on it.
"""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from msgspec.structs import replace as with_fields

from p2pjong.app.verify import verify_record
from p2pjong.audit import Verdict
from p2pjong.errors import Exit, P2PJongError
from p2pjong.session.lanes import message_hash
from p2pjong.store.record import RecordHeader
from p2pjong.wire.codec import decode, encode
from p2pjong.wire.messages import (
    Act,
    Convict,
    Draft,
    Echo,
    Head,
    Lane,
    LaneBody,
    Leave,
    PutOut,
    Stamp,
)
from scripts.vector_edits import (
    Case,
    Change,
    Frames,
    Story,
    edited,
    fields,
    flipped,
    forgery,
    instead,
    next_body,
    payload,
    record_case,
    record_of,
    signed,
)
from scripts.vector_records_others import other_cases
from scripts.vector_tables import CHEAT
from tests.support.ballots import word_of
from tests.support.sim import make_draft


def record_cases(stories: dict[str, Frames], drafts: dict[str, Draft]) -> list[Case]:
    """All cases of `records.json`, of the lane frames and the draft of each record."""
    story = Story(stories["record-two-seats.bin"])
    cases = [
        *_whole(stories),
        *_reordered(story),
        *_broken_off(story),
        *_tampered(story),
        *_forged(story),
        *_after_the_end(story),
        *other_cases(stories, drafts),
    ]
    return [_with_verdict(case, stories, drafts[case["file"]]) for case in cases]


def _whole(stories: dict[str, Frames]) -> list[Case]:
    foul: Case = {"valid": False, "outcome": "fault"}
    return [
        record_case("a game of two", valid=True, outcome="finished"),
        record_case(
            "three seats, one of which leaves",
            file="record-one-leaves.bin",
            valid=True,
            outcome="finished",
            left=[CHEAT],
        ),
        record_case(
            "a Formation claimed with cards that make none",
            file="record-false-claim.bin",
            rule="claim-without-formation",
            **foul,
        ),
        record_case(
            "going out with a hand that does not",
            file="record-false-win.bin",
            rule="hand-does-not-go-out",
            **foul,
        ),
        record_case(
            "keys that add up to nothing",
            file="record-no-joint-key.bin",
            rule="joint-key",
            **foul,
        ),
        record_case(
            "open books",
            file="record-open-books.bin",
            valid=True,
            outcome="finished",
        ),
        record_case(
            "a seat that leaves in place of opening its books, and undoes nothing",
            file="record-books-left-shut.bin",
            valid=True,
            outcome="finished",
            left=[0],
        ),
        record_case(
            "another key published than that of the epoch",
            file="record-published-key.bin",
            valid=False,
            outcome="finished",
            rule="published-key",
        ),
        record_case("a key without a proof", file="record-no-key.bin", rule="proof-proof", **foul),
        record_case(
            "two stories, and the hand turned back",
            file="record-two-stories.bin",
            valid=False,
            outcome="finished",
            rule="equivocation",
        ),
        record_case(
            "two stories as a result is signed, to which all had come: it stands",
            file="record-standing-result.bin",
            valid=False,
            outcome="finished",
            rule="equivocation",
        ),
        record_case(
            "two stories before all have come to a result: it falls; then a seat leaves",
            file="record-fallen-result.bin",
            valid=False,
            outcome="fault",
            rule="equivocation",
        ),
        record_case(
            "a silent seat voted absent, and the hand turned back",
            file="record-voted-absent.bin",
            valid=True,
            outcome="finished",
        ),
    ]


def _reordered(story: Story) -> list[Case]:
    whole: Case = {"valid": True, "outcome": "finished"}
    return [
        record_case("the frames backwards", {"reverse": True}, **whole),
        record_case("two frames swapped", {"swap": [40, 41]}, **whole),
        record_case("a frame twice", {"append": story.frames[7].hex()}, **whole),
    ]


def _broken_off(story: Story) -> list[Case]:
    last = len(story.frames) - 1
    settled = story.find("Settled", seat=0)
    unfinished: Case = {"valid": True, "outcome": "unfinished"}
    leave = signed(next_body(story, story.find("Shuffled"), Leave()))
    early_leave = signed(next_body(story, story.find("NonceCommit"), Leave()))
    abandoned: Case = {"valid": True, "outcome": "abandoned", "left": [CHEAT]}
    return [
        record_case("no message at all", {"keep": 0}, **unfinished),
        record_case("broken off in the charter", {"keep": 3}, **unfinished),
        record_case("broken off in the midst of a hand", {"keep": 100}, **unfinished),
        record_case("the last signature is missing", {"keep": last}, **unfinished),
        record_case("no signature of the result", {"keep": settled}, **unfinished),
        record_case(
            "a seat leaves after its shuffle",
            {"keep": story.find("Shuffled") + 1},
            {"append": leave.hex()},
            {"append": _answer_to(story, story.find("Shuffled"), leave).hex()},
            **abandoned,
        ),
        record_case(
            "a seat leaves before the charter is signed",
            {"keep": 2},
            {"append": early_leave.hex()},
            {"append": story.frames[story.find("NonceOpen", seat=0)].hex()},
            **abandoned,
        ),
    ]


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
    bad: Case = {"valid": False, "outcome": "unfinished", "rule": None}
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
        return record_case(name, {"replace": [index, frame.hex()]}, **bad)

    return [
        record_case("a bit of a body flipped", {"flip": [middle, 8 * 60]}, **bad),
        record_case("a bit of a signature flipped", {"flip": [middle, -8]}, **bad),
        record_case("a message dropped", {"drop": middle}, **bad),
        record_case("the first message dropped", {"drop": 0}, **bad),
        replaced("a message signed for another table", stranger),
        replaced("a message of another incarnation", restored),
        replaced("a message of a seat that is not there", ghost),
        replaced("a message that names another story", unseen),
        replaced("an empty lane with a hash", empty, 0),
        replaced("a message with the signature of another", encode(swapped)),
        record_case("cut off within a frame", {"cut": 10}, error="damaged"),
        record_case("cut off within a length", {"append_bytes": "000001"}, error="damaged"),
        record_case("an empty frame", {"append_bytes": "00000000"}, error="damaged"),
        record_case("a frame over the limit", {"append_bytes": "00100001"}, error="damaged"),
        record_case("a frame that is no lane", {"append": "91a3627965"}, error="damaged"),
        record_case("another first frame", {"head": "91a3627965"}, error="damaged"),
        record_case("no frame at all", {"file": ""}, error="damaged"),
        record_case("another version of records", {"head": _head(version=2)}, error="mismatch"),
        record_case(
            "another version of the protocol", {"head": _head(draft_version=2)}, error="mismatch"
        ),
        record_case("another game", {"head": _head(game="old-maid")}, error="mismatch"),
        record_case(
            "options that the game does not have", {"head": _head(rounds=3)}, error="mismatch"
        ),
        *_of_other_times(),
        record_case("another draft", {"head": _head(table=b"\7" * 16)}, **bad),
        *(record_case(name, {"head": _keyed(key)}, **bad) for name, key in BAD_KEYS.items()),
    ]


def _other_story(body: LaneBody) -> LaneBody:
    other = 1 - body.seat
    heads = list(body.heads)
    heads[other] = Head(heads[other].length, flipped(heads[other].hash))
    return with_fields(body, heads=tuple(heads))


FIRST_KEY = make_draft(2).seats[0].key
BAD_KEYS = {
    "two seats with one key": FIRST_KEY,
    "a seat with a key of order 1": (1).to_bytes(32, "little"),
    "a seat with a key of order 8": bytes.fromhex(
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa"
    ),
    "a seat with a key in another encoding": (2**255 - 19 + 3).to_bytes(32, "little"),
}


def _keyed(key: bytes) -> str:
    """The head of a draft whose second seat has this key."""
    draft = make_draft(2, target=1)
    seats = (draft.seats[0], with_fields(draft.seats[1], key=key))
    return encode(RecordHeader(1, with_fields(draft, seats=seats))).hex()


def _of_other_times() -> list[Case]:
    """First frames alone: the clock, the window and the grace of `lobby.md`, and beside them."""
    right = [(0, 0, 5000), (5000, 500, 5000), (3_600_000, 300_000, 3_600_000), (0, 5000, 5000)]
    wrong = {
        "a clock of 1 ms": (1, 0, 60_000),
        "a clock of a little less than 5 s": (4999, 0, 60_000),
        "a clock of more than an hour": (3_600_001, 0, 60_000),
        "a window of 1 ms": (0, 1, 60_000),
        "a window of a little less than half a second": (0, 499, 60_000),
        "a window of more than five minutes": (0, 300_001, 3_600_000),
        "a window longer than the grace": (0, 5001, 5000),
        "no grace": (0, 0, 0),
        "a grace of a little less than 5 s": (0, 0, 4999),
        "a grace of a day": (0, 0, 86_400_000),
    }
    return [
        *(
            record_case(
                f"only a draft, with times of {times} ms",
                {"file": record_of(bytes.fromhex(_head(times=times)), ()).hex()},
                valid=True,
                outcome="unfinished",
            )
            for times in right
        ),
        *(
            record_case(name, {"head": _head(times=times)}, error="mismatch")
            for name, times in wrong.items()
        ),
    ]


def _head(
    version: int = 1,
    draft_version: int = 1,
    game: str = "war-jhong",
    rounds: int = 0,
    table: bytes = bytes(16),
    times: tuple[int, int, int] = (0, 0, 60_000),
) -> str:
    draft = make_draft(2, target=1)
    clock_ms, window_ms, grace_ms = times
    options = with_fields(
        draft.options, rounds=rounds, clock_ms=clock_ms, window_ms=window_ms, grace_ms=grace_ms
    )
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
        ("out-of-turn", "has not seen what it answers", *_half_blind(story)),
        ("out-of-turn", "answers twice", story.find("Shuffled") + 1, _again(story)),
        ("equivocation", "tells two stories", middle, fields(digest=flipped)),
        (
            "false-evidence",
            "holds up one story as two",
            middle,
            instead(Convict(_stamp(story, 0), _stamp(story, 0))),
        ),
        ("word", "puts itself out", middle, instead(PutOut(1, _vote(story).votes))),
        ("word", "puts out who is not there", middle, instead(PutOut(7, _vote(story).votes))),
        ("false-evidence", "puts out by a vote of half", middle, instead(_vote(story))),
        ("heads", "has seen less than before", middle, _blind),
    ]
    return [forgery(story, *one) for one in forgeries]


def _vote(story: Story) -> PutOut:
    """The vote of seat 1 that seat 0 is absent: half of that table."""
    return word_of(make_draft(2, target=1), (1,), 0, story.body(story.find("Act")).place)


def _stamp(story: Story, index: int) -> Stamp:
    lane: Lane = decode(story.frames[index], Lane)
    body = story.body(index)
    number = body.heads[body.seat].length
    return Stamp(body.seat, 0, number, body.epoch, message_hash(lane.body), lane.signature)


def _half_blind(story: Story) -> tuple[int, Change]:
    """Where a seat opens its key, and has not seen that the other has confirmed."""
    index = story.find("KeyOpen")
    before = next(
        body for body in map(story.body, range(index - 1, -1, -1)) if body.seat == 1
    ).heads

    def change(body: LaneBody) -> LaneBody:
        heads = list(before)
        heads[body.seat] = body.heads[body.seat]
        return with_fields(body, heads=tuple(heads))

    return index, change


def _blind(body: LaneBody) -> LaneBody:
    heads = [Head(0, bytes(32))] * 2
    heads[body.seat] = body.heads[body.seat]
    return with_fields(body, heads=tuple(heads))


def _again(story: Story) -> Change:
    """The last message once more, as the next one of its lane."""
    before = story.find("Shuffled")
    return lambda body: next_body(story, before, story.body(before).payload)


def _another_share(story: Story) -> bytes:
    shares: bytes = story.body(story.find("Shares", seat=0, nth=1)).payload.shares  # type: ignore[union-attr]
    return shares[:32]


def _after_the_end(story: Story) -> list[Case]:
    last = story.find("Settled")
    whole: Case = {"valid": True, "outcome": "finished"}
    more = signed(next_body(story, last, Leave()))
    two = story.forge(last, payload(result=flipped))
    return [
        record_case("a leave after the end", {"append": more.hex()}, **whole),
        record_case("a second story after the end", {"append": two.hex()}, **whole),
        record_case(
            "a bad signature after the end",
            {"append": more.hex()},
            {"flip": [-1, -8]},
            valid=False,
            outcome="finished",
            rule=None,
        ),
    ]


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
