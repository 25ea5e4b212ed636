"""Two seats in league whose keys add up to nothing: what all seats of a table can do together."""

from collections.abc import Callable

from p2pjong.crypto.group import ORDER, multiply_base
from p2pjong.crypto.masking import KeyPair, prove_key
from p2pjong.games.game import Game, Seat
from p2pjong.session.conduct import Secrets
from p2pjong.session.session import Session
from p2pjong.wire.messages import Draft, KeyOpen


def in_league(draft: Draft, game: Game, secrets: Secrets) -> Session:
    """A session of seat 0 or 1 that takes the negative of the other's key."""
    session = Session(draft, game, secrets)
    dealer, seat = session.dealer, secrets.seat
    secret = ORDER - 5 if seat else 5
    own = KeyPair(secret, multiply_base(secret))

    def draw(context: dict[Seat, bytes]) -> Callable[[], KeyOpen]:
        entropy = dealer._seed.entropy(context[seat])
        dealer._own = own
        proof = prove_key(context[seat], own, entropy).encode()
        return lambda: KeyOpen(own.public, proof, entropy.take("key-opening", own.public, 32))

    dealer._draw_key = draw  # type: ignore[method-assign]
    return session
