"""What a table may be set to, by the one definition."""

import math

import pytest

from p2pjong.wire.ranges import CLOCK, GRACE, WINDOW, Times, check_times


@pytest.mark.parametrize("times", [CLOCK, WINDOW, GRACE])
def test_both_ends_of_a_range_are_within_and_what_is_beyond_them_is_not(times: Times) -> None:
    for seconds in (times.least_s, times.most_s):
        times.check(seconds)
    for seconds in (-1, times.least_s - 0.001, times.most_s + 0.001, math.nan, math.inf):
        with pytest.raises(ValueError, match=f"{times.name} is "):
            times.check(seconds)


def test_there_can_be_no_clock_and_no_window_but_never_no_grace() -> None:
    check_times(0, 0, GRACE.least_s)
    with pytest.raises(ValueError, match="grace is 5 to 3600 seconds, not 0"):
        check_times(0, 0, 0)


def test_the_window_ends_before_anybody_may_be_voted_absent() -> None:
    check_times(0, 10, 10)
    with pytest.raises(ValueError, match="would be taken for absent"):
        check_times(0, 10.5, 10)
