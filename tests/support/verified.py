"""Two verdicts on one record: the program's, and that of a verifier written from the pages alone.

A mistake in one of the two shows as a difference.
"""

from collections.abc import Iterable
from typing import Any, TypeAlias

from p2pjong.audit import Verdict, audit
from p2pjong.session.faults import Refusal
from p2pjong.session.onlooker import Onlooker
from p2pjong.store.record import RecordHeader
from p2pjong.wire.codec import decode, encode
from p2pjong.wire.messages import Draft, Evidence, Lane
from scripts.vector_edits import record_of
from scripts.vector_records import verdict_json
from tests.support.second_verifier import verify
from tests.support.sim import ALL_GAMES

Recorded: TypeAlias = Lane | Evidence


def recorded(journal: Iterable[bytes]) -> list[Any]:
    """The messages of a journal."""
    return [decode(frame, Recorded) for frame in journal]


def check_record(draft: Draft, messages: Iterable[Recorded]) -> Verdict:
    """The verdict on a record, to which both must come."""
    messages = list(messages)
    verdict = audit(draft, messages, ALL_GAMES)
    record = record_of(encode(RecordHeader(1, draft)), map(encode, messages))
    assert verdict_json(verdict) == verify(record)
    return verdict


def hear(onlooker: Onlooker, message: Recorded) -> bool:
    """Let an onlooker read this; says whether a record may hold it."""
    try:
        onlooker.read(message)
    except Refusal:
        return False
    return True
