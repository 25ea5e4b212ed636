"""Drafts whose keys nobody signs with."""

from msgspec.structs import replace as with_fields

from p2pjong.wire.messages import Draft


def bad_drafts(draft: Draft) -> dict[str, Draft]:
    def with_key(key: bytes) -> Draft:
        return with_fields(draft, seats=(*draft.seats[:2], with_fields(draft.seats[2], key=key)))

    return {
        "two seats have one identity key": with_key(draft.seats[0].key),
        "seat 2 has an identity key under which anyone may sign": with_key(bytes(32)),
        "seat 2 has an identity key in another encoding than its own": with_key(b"\xff" * 32),
    }
