"""The refusals of this package: `protocol/shuffle.md` names them as failure classes."""

from typing import ClassVar


class InvalidProof(ValueError):
    """A proof does not hold, or what it speaks of is malformed; the text is for logs only."""

    failure: ClassVar[str] = "proof"


class InvalidEncoding(InvalidProof):
    """Bytes that are not the one canonical encoding of a usable point, scalar or proof."""

    failure: ClassVar[str] = "encoding"


class InvalidStatement(InvalidProof):
    """A statement with no meaning: empty, too long, of unequal lengths, or with repetitions."""

    failure: ClassVar[str] = "statement"
