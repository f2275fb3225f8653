"""The sparse elimination against a dense solver, and the order it goes in."""

from __future__ import annotations

import numpy as np
import pytest

from tests.physics.quasistatic.scenes import called
from thrillsim.physics.quasistatic import contacts, linear
from thrillsim.physics.quasistatic.state import (
    COL,
    COMP,
    CONTACT_INTS,
    DISK_INTS,
    HAS,
    MEMBER,
    ORDER,
    RHS,
    ROW,
    USED,
    A,
    B,
    Workspace,
)

order_contacts, analyse, start_row, assemble, eliminate = map(
    called,
    (contacts.order_contacts, linear.analyse, linear.start_row, linear.assemble, linear.eliminate),
)


def some_system(rng: np.random.Generator, disks: int, extra: int) -> tuple[Workspace, int]:
    """A tree of contacts between disks, and some more of them, with rows and columns at random."""
    space = Workspace(disks, 1)
    pairs = [(int(rng.integers(k)), k) for k in range(1, disks)]
    pairs += [
        (int(a), int(b)) for a, b in np.sort([rng.choice(disks, 2, replace=False) for _ in range(extra)])
    ]
    n = len(pairs)
    space.DI[:, MEMBER] = range(disks)
    space.CI[:n, A], space.CI[:n, B] = np.array(pairs).T
    space.CI[:n, ORDER] = range(n)
    order_contacts(space.DI, space.CI, disks, n)
    analyse(space.DI, space.CI, space.system, disks, n)
    _, S, SI, *_ = space.system
    space.D[:, COMP : COMP + 9] = (np.eye(3) * 3.0 + rng.normal(size=(disks, 3, 3))).reshape(disks, 9)
    for k in range(n):
        start_row(space.CI, S, SI, k, rng.random() < 0.8)
        SI[k, HAS : HAS + 3] = 1, rng.random() < 0.7, rng.random() < 0.5
        S[k, ROW : ROW + 18] = rng.normal(size=18)
        S[k, COL : COL + 18] = (
            S[k, ROW : ROW + 18].reshape(2, 3, 3).transpose(0, 2, 1) + rng.normal(size=(2, 3, 3)) / 4
        ).reshape(-1)
        for side in (0, 1):  # normal forces and turns know no spin
            S[k, [ROW + 9 * side + 2, ROW + 9 * side + 8, COL + 9 * side + 8]] = 0.0
        for kind in range(3):
            if not SI[k, HAS + kind]:
                S[k, [COL + 9 * side + 3 * j + kind for side in (0, 1) for j in range(3)]] = 0.0
        S[k, RHS : RHS + 3] = rng.normal(size=3) * SI[k, HAS : HAS + 3]
    return space, n


@pytest.mark.parametrize("disks", [2, 7, 40])
@pytest.mark.parametrize("extra", [0, 10])
def test_elimination_solves_the_system(disks: int, extra: int) -> None:
    """Against the same matrix solved densely; unused rows and absent unknowns take no part."""
    rng = np.random.default_rng([disks, extra])
    space, n = some_system(rng, disks, extra)
    M, S, SI, _, _, place = space.system
    rows = [(k, kind) for k in range(n) for kind in range(3) if SI[k, USED] and SI[k, HAS + kind]]
    on = np.zeros((len(rows), 3 * disks))
    by = np.zeros((3 * disks, len(rows)))
    for at, (k, kind) in enumerate(rows):
        for side in range(2):
            i = space.CI[space.CI[k, ORDER], A + side]
            on[at, 3 * i : 3 * i + 3] += S[k, ROW + 9 * side + 3 * kind :][:3]
            by[3 * i : 3 * i + 3, at] += S[k, COL + 9 * side + kind :][:9:3]
    compliance = np.zeros((3 * disks, 3 * disks))
    for i in range(disks):
        compliance[3 * i : 3 * i + 3, 3 * i : 3 * i + 3] = space.D[i, COMP : COMP + 9].reshape(3, 3)
    weight = 5.0 + rng.random(len(rows))
    matrix = on @ compliance @ by + np.diag(weight)
    right = np.array([S[k, RHS + kind] for k, kind in rows])
    for _ in range(2):  # nothing of the first system may be left for the second
        for at, (k, kind) in enumerate(rows):
            S[k, RHS + kind] = right[at]
        assemble(space.D, space.DI, space.system, n, np.bool_(True))
        for at, (k, kind) in enumerate(rows):
            M[place[k * n + k], 4 * kind] += weight[at]
        eliminate(space.system, n, np.bool_(True))
        found = np.array([S[k, RHS + kind] for k, kind in rows])
        assert found == pytest.approx(np.linalg.solve(matrix, right), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("extra", [0, 10])
def test_without_turns_it_is_the_same(extra: int) -> None:
    """The shorter way, for systems that have no unknown of the third kind, does what the longer one does."""
    solutions = []
    for turns in (np.bool_(False), np.bool_(True)):
        space, n = some_system(np.random.default_rng(extra), 20, extra)
        M, S, SI, _, _, place = space.system
        SI[:, HAS + 2] = 0
        S[:n, [COL + 9 * side + 3 * j + 2 for side in (0, 1) for j in range(3)]] = 0.0
        S[:n, RHS + 2] = 0.0
        assemble(space.D, space.DI, space.system, n, turns)
        for k in range(n):
            M[place[k * n + k], [0, 4]] += 5.0
        eliminate(space.system, n, turns)
        solutions.append(S[:n, RHS : RHS + 2].copy())
    np.testing.assert_allclose(*solutions, rtol=1e-12)


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
