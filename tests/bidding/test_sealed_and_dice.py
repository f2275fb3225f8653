"""Sealed choices and dice cups."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thrillsim.bidding import Cup, Sealed, highest, lowest, matching

FACES = st.lists(st.integers(1, 6), max_size=8)


@given(st.dictionaries(st.integers(0, 5), st.integers(0, 10), min_size=1), st.randoms())
def test_the_order_of_committing_makes_no_difference(bids: dict[int, int], rnd: object) -> None:
    seats = list(bids)
    rnd.shuffle(seats)  # type: ignore[attr-defined]
    sealed: Sealed[int] = Sealed.start(bids)
    plain: Sealed[int] = Sealed.start(bids)
    for seat in seats:
        with pytest.raises(ValueError, match="not to be revealed"):
            sealed.reveal()
        assert sealed.own(seat) is None
        sealed = sealed.commit(seat, bids[seat])
        assert sealed.own(seat) == bids[seat]
    for seat in sorted(bids):
        plain = plain.commit(seat, bids[seat])
    assert sealed == plain
    assert sealed.complete
    assert sealed.reveal() == bids


def test_nobody_chooses_twice() -> None:
    sealed: Sealed[int] = Sealed.start((0, 1)).commit(0, 3)
    for seat in (0, 7):
        with pytest.raises(ValueError, match="nothing to choose"):
            sealed.commit(seat, 1)


@given(st.dictionaries(st.integers(0, 5), st.integers(0, 10), min_size=1))
def test_lowest_and_highest(bids: dict[int, int]) -> None:
    assert set(lowest(bids)) == {s for s in bids if all(bids[s] <= b for b in bids.values())}
    assert set(highest(bids)) == {s for s in bids if all(bids[s] >= b for b in bids.values())}


@given(FACES, st.data())
def test_showing_dice_keeps_them_all(faces: list[int], data: st.DataObject) -> None:
    cup = Cup.of(faces)
    out = data.draw(st.lists(st.sampled_from(faces), max_size=len(faces))) if faces else []
    if Counter(out) - Counter(faces):
        with pytest.raises(ValueError, match="under the cup"):
            cup.show(out)
        return
    shown = cup.show(out)
    assert shown.all == cup.all == tuple(sorted(faces))
    assert shown.shown == tuple(sorted(out))
    assert shown.lift() == Cup((), tuple(sorted(faces)))
    again = shown.roll([6] * len(shown.hidden))
    assert again.shown == shown.shown
    assert again.hidden == (6,) * (len(faces) - len(out))
    with pytest.raises(ValueError, match="dice are under the cup"):
        shown.roll([1] * (len(shown.hidden) + 1))


@given(FACES, st.integers(1, 5))
def test_matching_counts_the_face_and_the_wild_one(faces: list[int], face: int) -> None:
    count = Counter(faces)
    assert matching(faces, face, wild=6) == count[face] + count[6]
    assert matching(faces, 6, wild=6) == count[6]
    assert matching(faces, face) == count[face]
