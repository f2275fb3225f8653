"""The linear system of one iteration: unknown contact forces, assembled and solved in the order of the contact graph.

Unknown k is the normal force of a contact (kind 0), its tangential force (1) or, near the solution,
the turn of its normal within the step (2).
"""

from __future__ import annotations

from thrillsim.physics.quasistatic.compiled import jit
from thrillsim.physics.quasistatic.state import (
    BASE,
    BODY_A,
    BODY_B,
    COL,
    COMP,
    CONTACT,
    DIAG,
    KIND,
    LAM,
    LENGTH,
    LISTED,
    MU,
    NORMAL,
    PATCH,
    PULL,
    RHS,
    RIM,
    ROW,
    SLIP_MINUS,
    SLIP_PLUS,
    STATE,
    UNKNOWN,
    A,
    B,
)


@jit
def add_unknown(D, DI, C, CI, S, SI, lists, k, c, kind, h):
    """Register unknown k: normal (kind 0) or tangential force (1) of contact c, or the turn of its normal (2).

    Returns False if a disk has no slot left.
    """
    nx, ny = C[c, NORMAL], C[c, NORMAL + 1]
    a, b = CI[c, A], CI[c, B]
    SI[k, CONTACT] = c
    SI[k, KIND] = kind
    SI[k, BODY_A], SI[k, BODY_B] = a, b
    CI[c, UNKNOWN + kind] = k
    rb = D[b, RIM] / D[b, PATCH]
    ra = D[a, RIM] / D[a, PATCH] if a >= 0 else 0.0
    if kind == 0:
        x, y, qa, qb = nx, ny, 0.0, 0.0
    elif kind == 1:
        x, y, qa, qb = -ny, nx, -ra, -rb
    else:
        x, y, qa, qb = -ny, nx, 0.0, 0.0
    S[k, ROW], S[k, ROW + 1], S[k, ROW + 2] = -x, -y, qa
    S[k, ROW + 3], S[k, ROW + 4], S[k, ROW + 5] = x, y, qb
    if kind == 0:
        state = CI[c, STATE]
        m = 0.0
        if state == SLIP_PLUS:
            m = C[c, MU]
        elif state == SLIP_MINUS:
            m = -C[c, MU]
        x -= m * ny
        y += m * nx
        qa, qb = -m * ra, -m * rb
    elif kind == 2:
        f = h / (2.0 * C[c, LENGTH])
        ln, lt = C[c, LAM], C[c, LAM + 1]
        x, y = f * (-ny * ln - nx * lt), f * (nx * ln - ny * lt)
    S[k, COL], S[k, COL + 1], S[k, COL + 2] = -x, -y, qa
    S[k, COL + 3], S[k, COL + 4], S[k, COL + 5] = x, y, qb
    for side in range(2):
        i = a if side == 0 else b
        if i >= 0:
            slot = DI[i, LISTED]
            if slot >= lists.shape[1]:
                return False
            lists[i, slot] = 2 * k + side
            DI[i, LISTED] = slot + 1
    return True


@jit
def assemble(D, DI, M, S, SI, lists, above, mark, n):
    """Matrix A C A^T and right side from the disks' compliance and base velocity; the caller adds the rest.

    M, `above` and `mark` are used as n x n, close together in memory.  Row k of `above` lists, after its length,
    the columns j > k that are not zero (marked in row k of `mark`); the pattern is symmetric.
    Between systems M and `mark` are zero: `eliminate` clears what was used.
    """
    for k in range(n):
        total = S[k, RHS]
        filled = 0
        for side in range(2):
            i = SI[k, BODY_A + side]
            if i < 0:
                continue
            at = ROW + 3 * side
            r0, r1, r2 = S[k, at], S[k, at + 1], S[k, at + 2]
            total -= r0 * D[i, BASE] + r1 * D[i, BASE + 1] + r2 * D[i, BASE + 2]
            u0 = r0 * D[i, COMP] + r1 * D[i, COMP + 3] + r2 * D[i, COMP + 6]
            u1 = r0 * D[i, COMP + 1] + r1 * D[i, COMP + 4] + r2 * D[i, COMP + 7]
            u2 = r0 * D[i, COMP + 2] + r1 * D[i, COMP + 5] + r2 * D[i, COMP + 8]
            total -= u0 * D[i, PULL] + u1 * D[i, PULL + 1] + u2 * D[i, PULL + 2]
            for slot in range(DI[i, LISTED]):
                code = lists[i, slot]
                j = code >> 1
                to = COL + 3 * (code & 1)
                M[k * n + j] += u0 * S[j, to] + u1 * S[j, to + 1] + u2 * S[j, to + 2]
                if j > k and mark[k * n + j] == 0:
                    mark[k * n + j] = 1
                    filled += 1
                    above[k * n + filled] = j
        S[k, RHS] = total
        above[k * n] = filled


@jit
def eliminate(M, S, above, mark, row, n):
    """Solve in place, in graph order, touching only what is not zero: nearly linear work on a tree of contacts."""
    for k in range(n):
        pivot = M[k * n + k]
        if abs(pivot) < 1e-14 * S[k, DIAG] + 1e-300:  # redundant contacts: share the load somehow
            pivot += 1e-12 * S[k, DIAG] + 1e-300
            M[k * n + k] = pivot
        filled = above[k * n]
        if filled == 0:
            continue
        inv = 1.0 / pivot
        parent = n
        for q in range(filled):
            j = above[k * n + 1 + q]
            parent = min(parent, j)
            row[q] = M[k * n + j]
        fill = above[parent * n]
        for q in range(filled):
            i = above[k * n + 1 + q]
            f = M[i * n + k] * inv
            M[i * n + k] = 0.0
            if f != 0.0:
                S[i, RHS] -= f * S[k, RHS]
                for r in range(filled):
                    M[i * n + above[k * n + 1 + r]] -= f * row[r]
            if i != parent and mark[parent * n + i] == 0:
                mark[parent * n + i] = 1
                fill += 1
                above[parent * n + fill] = i
        above[parent * n] = fill
    for k in range(n - 1, -1, -1):
        total = S[k, RHS]
        for q in range(above[k * n]):
            j = above[k * n + 1 + q]
            total -= M[k * n + j] * S[j, RHS]
            M[k * n + j] = 0.0
            mark[k * n + j] = 0
        S[k, RHS] = total / M[k * n + k]
        M[k * n + k] = 0.0
