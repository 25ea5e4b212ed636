"""Changing frozen values: as the standard library does it, only faster."""

from dataclasses import dataclass, replace

import pytest

from p2pjong.games.values import evolve


@dataclass(frozen=True)
class Point:
    left: int
    right: tuple[int, ...] = ()


def test_an_evolved_value_is_what_replace_would_make() -> None:
    point = Point(1, (2,))
    assert evolve(point, left=3) == replace(point, left=3) == Point(3, (2,))
    assert evolve(point) == point
    assert hash(evolve(point, right=())) == hash(Point(1))


def test_the_old_value_stays_as_it_is() -> None:
    point = Point(1)
    changed = evolve(point, left=2)
    assert (point.left, changed.left) == (1, 2)
    with pytest.raises(AttributeError):
        changed.left = 3  # type: ignore[misc]


def test_a_field_that_there_is_not_is_a_mistake() -> None:
    with pytest.raises(AssertionError):
        evolve(Point(1), top=2)
