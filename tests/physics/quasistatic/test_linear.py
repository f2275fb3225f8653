"""The sparse elimination against a dense solver, and the order it goes in."""

from __future__ import annotations

import numpy as np
import pytest

from thrillsim.physics.quasistatic.contacts import order_contacts
from thrillsim.physics.quasistatic.linear import eliminate
from thrillsim.physics.quasistatic.state import (
    CONTACT_INTS,
    DIAG,
    DISK_INTS,
    MEMBER,
    ORDER,
    RHS,
    SYSTEM_FLOATS,
    A,
    B,
)


def listed(pattern: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The upper pattern as the solver keeps it: columns per row after their number, and marks."""
    n = len(pattern)
    above, mark = np.zeros((n, n), np.int64), np.triu(pattern, 1).astype(np.int8)
    for k in range(n):
        columns = np.flatnonzero(mark[k])
        above[k, 0] = len(columns)
        above[k, 1 : 1 + len(columns)] = columns
    return above.reshape(-1), mark.reshape(-1)


@pytest.mark.parametrize("n", [1, 2, 7, 40])
@pytest.mark.parametrize("density", [0.0, 0.1, 1.0])
def test_elimination_solves_the_system_and_leaves_nothing_behind(n: int, density: float) -> None:
    rng = np.random.default_rng([n, int(10 * density)])
    pattern = rng.random((n, n)) < density
    pattern = pattern | pattern.T
    matrix = np.where(pattern, rng.normal(size=(n, n)), 0.0)
    np.fill_diagonal(matrix, n + rng.random(n))
    right = rng.normal(size=n)
    system, flat = np.zeros((n, SYSTEM_FLOATS)), matrix.reshape(-1).copy()
    system[:, RHS], system[:, DIAG] = right, np.diag(matrix)
    above, mark = listed(pattern)
    eliminate(flat, system, above, mark, np.zeros(n), n)
    assert system[:, RHS] == pytest.approx(np.linalg.solve(matrix, right), rel=1e-12, abs=1e-13)
    assert not flat.any()
    assert not mark.any()


def fill(pairs: list[tuple[int, int]], order: list[int]) -> int:
    """How many zeros the elimination of these contacts in that order fills in (one unknown each)."""
    near = {c: {d for d in order if d != c and set(pairs[c]) & set(pairs[d])} for c in order}
    filled = 0
    for c in order:
        for d in near[c]:
            new = near[c] - near[d] - {d}
            filled += len(new)
            near[d] = (near[d] | new) - {c}
    return filled // 2


@pytest.mark.parametrize("seed", range(5))
def test_a_tree_of_contacts_is_eliminated_without_fill(seed: int) -> None:
    """Minimum degree on a tree: leaves first, in whatever order the contacts come."""
    rng = np.random.default_rng(seed)
    disks = 15
    pairs = [(int(rng.integers(k)), k) for k in range(1, disks)]
    rng.shuffle(pairs)
    pairs = [(int(a), int(b)) for a, b in pairs]
    DI, CI = np.zeros((disks, DISK_INTS), np.int64), np.zeros((len(pairs), CONTACT_INTS), np.int64)
    DI[:, MEMBER] = range(disks)
    CI[:, A], CI[:, B] = np.array(pairs).T
    CI[:, ORDER] = range(len(pairs))
    order_contacts(DI, CI, disks, len(pairs))
    order = [int(c) for c in CI[:, ORDER]]
    assert sorted(order) == list(range(len(pairs)))
    assert fill(pairs, order) == 0
    assert fill(pairs, list(range(len(pairs)))) > 0  # as they came it would not be
