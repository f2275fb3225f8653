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
    FIRST,
    KIND,
    LAM,
    LAST,
    LENGTH,
    LISTED,
    MU,
    NORMAL,
    PATCH,
    PULL,
    REACH,
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

#: how much larger an entry below the pivot must be to take its place
SWAP = 10.0


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
def assemble(D, DI, M, S, SI, lists, unknowns):
    """Matrix A C A^T and right side from the disks' compliance and base velocity; the caller adds the rest.

    Between systems M is zero: `eliminate` clears what was used.
    """
    for k in range(unknowns):
        total = S[k, RHS]
        first = last = k
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
                M[k, j] += u0 * S[j, to] + u1 * S[j, to + 1] + u2 * S[j, to + 2]
                first = min(first, j)
                last = max(last, j)
        S[k, RHS] = total
        SI[k, FIRST], SI[k, LAST] = first, last


@jit
def eliminate(M, S, SI, n):
    """Solve in place, in graph order, skipping zeros: nearly linear work on a tree of contacts."""
    for k in range(n):  # the pattern is symmetric as long as no rows are swapped
        SI[k, REACH] = SI[k, LAST]
    for k in range(n):
        pivot = M[k, k]
        best = k
        size = SWAP * abs(pivot)
        for i in range(k + 1, SI[k, REACH] + 1):
            if abs(M[i, k]) > size:
                best, size = i, abs(M[i, k])
        if best != k:  # only where keeping the order would cost digits
            last = max(SI[k, LAST], SI[best, LAST])
            for j in range(k, last + 1):
                M[k, j], M[best, j] = M[best, j], M[k, j]
                SI[j, REACH] = max(SI[j, REACH], best)
            S[k, RHS], S[best, RHS] = S[best, RHS], S[k, RHS]
            SI[k, LAST] = SI[best, LAST] = last
            pivot = M[k, k]
        if abs(pivot) < 1e-14 * S[k, DIAG] + 1e-300:  # redundant contacts: share the load somehow
            pivot += 1e-12 * S[k, DIAG] + 1e-300
            M[k, k] = pivot
        inv = 1.0 / pivot
        last, reach = SI[k, LAST], SI[k, REACH]
        for j in range(k + 1, last + 1):
            SI[j, REACH] = max(SI[j, REACH], reach)
        for i in range(k + 1, reach + 1):
            if M[i, k] != 0.0:
                f = M[i, k] * inv
                for j in range(k + 1, last + 1):
                    M[i, j] -= f * M[k, j]
                S[i, RHS] -= f * S[k, RHS]
                SI[i, LAST] = max(SI[i, LAST], last)
    for k in range(n - 1, -1, -1):
        total = S[k, RHS]
        for j in range(k + 1, SI[k, LAST] + 1):
            total -= M[k, j] * S[j, RHS]
        S[k, RHS] = total / M[k, k]
    for k in range(n):
        for j in range(SI[k, FIRST], SI[k, LAST] + 1):
            M[k, j] = 0.0
