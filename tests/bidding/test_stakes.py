"""Stakes: whatever is moved, nothing is made or lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from thrillsim.bidding import Stakes

OWNERS = (0, 1, 2, "bank", "pile")
KINDS = ("big", "small")


class Moving(RuleBasedStateMachine):
    """Random transfers against a plain dictionary."""

    def __init__(self) -> None:
        super().__init__()
        self.stakes = Stakes.deal({owner: {"big": 10, "small": 3} for owner in OWNERS})
        self.model = {(owner, kind): {"big": 10, "small": 3}[kind] for owner in OWNERS for kind in KINDS}

    @rule(
        kind=st.sampled_from(KINDS),
        a=st.sampled_from(OWNERS),
        b=st.sampled_from(OWNERS),
        n=st.integers(-3, 25),
    )
    def move(self, kind: str, a: int | str, b: int | str, n: int) -> None:
        if 0 <= n <= self.model[a, kind]:
            self.stakes = self.stakes.move(kind, a, b, n)
            self.model[a, kind] -= n
            self.model[b, kind] += n
        else:
            with pytest.raises(ValueError, match="cannot move"):
                self.stakes.move(kind, a, b, n)

    @rule(
        kind=st.sampled_from(KINDS),
        a=st.sampled_from(OWNERS),
        b=st.sampled_from(OWNERS),
        n=st.integers(0, 25),
    )
    def move_up_to(self, kind: str, a: int | str, b: int | str, n: int) -> None:
        self.stakes = self.stakes.move_up_to(kind, a, b, n)
        n = min(n, self.model[a, kind])
        self.model[a, kind] -= n
        self.model[b, kind] += n

    @rule(kind=st.sampled_from(KINDS), a=st.sampled_from(OWNERS), b=st.sampled_from(OWNERS))
    def move_all(self, kind: str, a: int | str, b: int | str) -> None:
        self.stakes = self.stakes.move_all(kind, a, b)
        n = self.model[a, kind]
        self.model[a, kind] -= n
        self.model[b, kind] += n

    @invariant()
    def nothing_made_or_lost(self) -> None:
        assert {(o, k): self.stakes.held(o, k) for o in OWNERS for k in KINDS} == self.model
        assert (self.stakes.total("big"), self.stakes.total("small")) == (50, 15)


TestMoving = Moving.TestCase


@given(st.sampled_from(OWNERS), st.integers(0, 10))
def test_moving_to_oneself_changes_nothing(owner: int | str, n: int) -> None:
    stakes = Stakes.deal({o: {"big": 10} for o in OWNERS})
    assert stakes.move("big", owner, owner, n) == stakes


def test_strangers_are_refused() -> None:
    stakes = Stakes.deal({0: {"big": 1}})
    with pytest.raises(ValueError, match="no such owner"):
        stakes.move("big", 0, 1, 1)
    with pytest.raises(ValueError, match="no such token"):
        stakes.held(0, "gold")
    with pytest.raises(ValueError, match="negative"):
        Stakes.deal({0: {"big": -1}})


def test_each_lists_all_owners_in_order() -> None:
    stakes = Stakes.deal({1: {"chip": 2}, "bank": {"chip": 5, "die": 1}, 0: {}})
    assert stakes.each("chip") == (2, 5, 0)
    assert stakes.each("die") == (0, 1, 0)
    assert stakes.each("chip") == tuple(stakes.held(owner, "chip") for owner in stakes.owners)
