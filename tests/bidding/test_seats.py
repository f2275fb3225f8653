"""Seats: order, directions, elimination, first met from X with X last."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thrillsim.bidding import Seats, places, replaced


@st.composite
def tables(draw: st.DrawFn) -> Seats:
    n = draw(st.integers(1, 8))
    out = draw(st.sets(st.integers(0, n - 1), max_size=n - 1))
    return Seats(n, tuple(sorted(out)))


@given(tables(), st.data(), st.sampled_from([1, -1]))
def test_round_from_meets_everybody_once_and_the_start_last(
    table: Seats, data: st.DataObject, way: int
) -> None:
    start = data.draw(st.integers(0, table.n - 1))
    met = table.round_from(start, way)
    assert sorted(met) == list(table.living)
    gaps = [(way * (seat - start) - 1) % table.n for seat in met]
    assert gaps == sorted(gaps)
    if start in table:
        assert met[-1] == start


@given(tables(), st.data())
def test_first_of_is_the_smallest_distance_to_the_left(table: Seats, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, table.n - 1))
    among = data.draw(st.sets(st.sampled_from(table.living), min_size=1))
    assert table.first_of(among, start) == min(among, key=lambda s: (s - start - 1) % table.n)


@given(tables(), st.data())
def test_left_and_right_undo_each_other(table: Seats, data: st.DataObject) -> None:
    seat = data.draw(st.sampled_from(table.living))
    assert table.next(table.next(seat, 1), -1) == seat


@given(tables(), st.data())
def test_leaving_takes_out_exactly_one(table: Seats, data: st.DataObject) -> None:
    seat = data.draw(st.sampled_from(table.living))
    after = table.without(seat)
    assert set(after.living) == set(table.living) - {seat}
    assert len(after) == len(table) - 1
    assert seat not in after
    with pytest.raises(ValueError, match="is not in"):
        after.without(seat)


def test_five_way_tie_with_the_start_as_last() -> None:
    table = Seats(5)
    assert [table.first_of({0, 2, 4}, start) for start in range(5)] == [2, 2, 4, 4, 0]


def test_nonsense_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        Seats(0)
    with pytest.raises(ValueError, match="ascending"):
        Seats(3, (2, 1))
    with pytest.raises(ValueError, match="direction"):
        Seats(3).round_from(0, 2)
    with pytest.raises(ValueError, match="none of"):
        Seats(3, (1,)).first_of({1}, 0)


@given(st.integers(1, 8), st.data())
def test_only_these_are_in(n: int, data: st.DataObject) -> None:
    chosen = data.draw(st.sets(st.integers(0, n - 1)))
    assert Seats.only(n, chosen).living == tuple(sorted(chosen))


@given(st.integers(1, 8), st.data())
def test_places_count_who_is_ahead(n: int, data: st.DataObject) -> None:
    """A place is one more than the number of seats that stayed longer."""
    when = [data.draw(st.integers(0, 4)) for _ in range(n)]  # 0: stays
    groups = [[seat for seat in range(n) if when[seat] == t] for t in (1, 2, 3, 4)]
    stays = [t or 5 for t in when]
    placed = places(n, [group for group in groups if group])
    assert placed == tuple(1 + sum(other > own for other in stays) for own in stays)


@given(st.lists(st.integers(), min_size=1, max_size=6).map(tuple), st.integers(), st.data())
def test_replaced_changes_one_value_only(values: tuple[int, ...], new: int, data: st.DataObject) -> None:
    seat = data.draw(st.integers(0, len(values) - 1))
    after = replaced(values, seat, new)
    assert after[seat] == new
    assert [v for i, v in enumerate(after) if i != seat] == [v for i, v in enumerate(values) if i != seat]
    for nobody in (-1, len(values)):
        with pytest.raises(ValueError, match=f"no seat {nobody}"):
            replaced(values, nobody, new)
