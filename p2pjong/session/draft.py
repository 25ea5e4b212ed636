"""What a draft must be before anybody signs it: one rule for host, joiner, peer and auditor.

Implements "What a draft must be" of `protocol/lobby.md`.
"""

from collections.abc import Sequence
from hashlib import sha256

from msgspec.structs import replace

from p2pjong.games.game import Game, Options
from p2pjong.wire.codec import DecodeError, encode
from p2pjong.wire.keys import check_identity_key
from p2pjong.wire.messages import Draft, LobbyState, TableOptions
from p2pjong.wire.ranges import check_times

TABLE_LABEL = b"p2pjong/v1/table\x00"
SHOWN_LABEL = b"p2pjong/v1/shown\x00"
TABLE_ID_BYTES = 16


class BadDraft(Exception):
    """Nobody signs such a draft; the text says why, for people."""


def check_keys(keys: Sequence[bytes]) -> None:
    """Raises BadDraft unless each seat has an identity key of its own, and each is a usable one.

    With one key for two seats nobody could say whose a message is; with an unusable one, anyone's.
    """
    if len(set(keys)) != len(keys):
        raise BadDraft("two seats have one identity key")
    for seat, key in enumerate(keys):
        try:
            check_identity_key(key)
        except DecodeError as error:
            raise BadDraft(f"seat {seat} has {error}") from error


def check_options(game: Game, options: TableOptions, seats: int) -> None:
    """Raises BadDraft if so many seats cannot play this game with these options."""
    try:
        check_times(options.clock_ms / 1000, options.window_ms / 1000, options.grace_ms / 1000)
    except ValueError as error:
        raise BadDraft(f"nobody can play by the table's options: {error}") from error
    try:
        game.start(seats, Options(options.target, options.rounds, ()))
    except ValueError as error:
        raise BadDraft(f"the table's options do not fit its game: {error}") from error


def table_id(lobby: bytes, nonces: Sequence[bytes]) -> bytes:
    """The id of the table that this lobby became, with a nonce of each joiner in seat order.

    A host that brought an old table's id back would bring its messages back, too: what an honest
    seat signed there would stand beside what it signs here, as two stories of it.
    """
    digest = sha256(TABLE_LABEL + lobby + b"".join(nonces)).digest()
    return digest[:TABLE_ID_BYTES]


def shown_hash(state: LobbyState) -> bytes:
    """Names a table as it is shown: all of it, and who sits where, but not who is ready.

    Whoever says ready names it, so that nobody is taken to be ready for other people.
    """
    seats = tuple(replace(seat, is_ready=False) for seat in state.seats)
    return sha256(SHOWN_LABEL + encode(replace(state, seats=seats))).digest()


def game_options(draft: Draft) -> Options:
    """What of a draft's options the rules know."""
    oldest = tuple(seat for seat, entry in enumerate(draft.seats) if entry.is_oldest)
    return Options(draft.options.target, draft.options.rounds, oldest)
