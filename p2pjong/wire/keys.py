"""Which 32 bytes may be an identity key (Ed25519): what no honest program makes is refused.

Implements "Identities" of `protocol/handshake.md`. A point of small order verifies signatures that
nobody made, so its owner could deny what it signed, or say that anyone did; and of a point in two
encodings there would be two identities. Both are known from "Taming the many EdDSAs" (Chalkias,
Garillot, Nikolaenko 2020, table 1), and refused by libsodium as here (`ge25519_has_small_order`).
"""

from p2pjong.wire.codec import DecodeError

KEY_BYTES = 32
FIELD = 2**255 - 19  # of edwards25519 (RFC 8032, 5.1): a key is y, with the sign of x on top
_SIGN = 1 << 255
# The y of the eight points whose order divides 8; both signs of x, also where x is 0 and has none.
SMALL_ORDER_Y = frozenset(
    {
        0,  # order 4
        1,  # the neutral element
        FIELD - 1,  # order 2
        0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7,  # order 8
        0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826,  # order 8
    }
)


def check_identity_key(key: bytes) -> None:
    """Raises DecodeError on another encoding than the one of a point, or one of small order."""
    if len(key) != KEY_BYTES:
        raise DecodeError(f"an identity key has {KEY_BYTES} bytes, not {len(key)}")
    y = int.from_bytes(key, "little") % _SIGN
    if y >= FIELD:
        raise DecodeError("an identity key in another encoding than its own")
    if y in SMALL_ORDER_Y:
        raise DecodeError("an identity key under which anyone may sign")
