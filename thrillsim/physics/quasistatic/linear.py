"""The linear system of one iteration: unknown contact forces, assembled and solved in the order of the contact graph.

The unknowns are what the forces change by.  Solved for the forces themselves, the rounding of large, nearly
indeterminate forces would come back in every iteration; so it dies out with the changes.

Row k belongs to the k-th active contact (column ORDER) and has up to three unknowns: its normal force (kind 0),
its tangential force (1) and, near the solution, the turn of its normal within the step (2).  The matrix is kept
as blocks of 3 x 3, one for each pair of contacts that share a disk
or come to do so in the elimination; `analyse` finds these pairs once for all iterations on the same contacts.
"""

from __future__ import annotations

from thrillsim.physics.quasistatic.compiled import jit
from thrillsim.physics.quasistatic.state import (
    BASE,
    BODY_A,
    BODY_B,
    COL,
    COMP,
    DIAG,
    HAS,
    LAM,
    LENGTH,
    LISTED,
    MEMBER,
    MU,
    NORMAL,
    ORDER,
    PATCH,
    RHS,
    RIM,
    ROW,
    SLIP_MINUS,
    SLIP_PLUS,
    STATE,
    USED,
    A,
    B,
)

NOWHERE = 0xFFFFFFFF  #: number of a block that there is not


@jit
def analyse(DI, CI, system, members, count):
    """Which blocks the elimination of the active contacts needs.

    Row k of `above` gets, after their number, the contacts j > k whose blocks with k are not zero; `place`
    the number of the block of any two contacts.  The last of `above` is how many blocks there are.
    """
    _M, _S, _SI, lists, above, place = system
    n = count
    for k in range(members):
        DI[DI[k, MEMBER], LISTED] = 0
    for k in range(n * n):
        place[k] = NOWHERE
    for k in range(n):
        above[k * n] = 0
        for side in range(2):
            i = CI[CI[k, ORDER], A + side]
            if i < 0:
                continue
            slot = DI[i, LISTED]
            for s in range(slot):
                j = lists[i, s] >> 1
                if place[j * n + k] == NOWHERE:
                    above[j * n] += 1
                    above[j * n + above[j * n]] = k
                    place[j * n + k] = 0
            lists[i, slot] = 2 * k + side
            DI[i, LISTED] = slot + 1
    for k in range(n):
        filled = above[k * n]
        parent = n
        for q in range(filled):
            parent = min(parent, above[k * n + 1 + q])
        for q in range(filled):
            j = above[k * n + 1 + q]
            if j != parent and place[parent * n + j] == NOWHERE:
                above[parent * n] += 1
                above[parent * n + above[parent * n]] = j
                place[parent * n + j] = 0
    # (all pairs among the neighbours of k have a block now: the parent's are handed on)
    blocks = 0
    for k in range(n):  # what is used together lies together
        place[k * n + k] = blocks
        blocks += 1
        for q in range(k * n + 1, k * n + 1 + above[k * n]):
            j = above[q]
            place[k * n + j], place[j * n + k] = blocks, blocks + 1
            blocks += 2
    above[-1] = blocks


@jit
def start_row(CI, S, SI, k, used):
    """Row k without unknowns yet; one that is not `used` takes no part."""
    c = CI[k, ORDER]
    SI[k, USED] = used
    SI[k, BODY_A], SI[k, BODY_B] = CI[c, A], CI[c, B]
    for kind in range(3):
        SI[k, HAS + kind] = 0
        S[k, RHS + kind] = 0.0
    for j in range(18):
        S[k, COL + j] = 0.0


@jit
def add_unknown(D, C, CI, S, SI, k, kind, h):
    """Unknown of row k: normal (kind 0) or tangential force (1) of the contact, or the turn of its normal (2)."""
    c = CI[k, ORDER]
    nx, ny = C[c, NORMAL], C[c, NORMAL + 1]
    a, b = CI[c, A], CI[c, B]
    SI[k, HAS + kind] = 1
    rb = D[b, RIM] / D[b, PATCH]
    ra = D[a, RIM] / D[a, PATCH] if a >= 0 else 0.0
    if kind == 0:
        x, y, qa, qb = nx, ny, 0.0, 0.0
    elif kind == 1:
        x, y, qa, qb = -ny, nx, -ra, -rb
    else:
        x, y, qa, qb = -ny, nx, 0.0, 0.0
    r = ROW + 3 * kind
    S[k, r], S[k, r + 1], S[k, r + 2] = -x, -y, qa
    S[k, r + 9], S[k, r + 10], S[k, r + 11] = x, y, qb
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
    r = COL + kind
    S[k, r], S[k, r + 3], S[k, r + 6] = -x, -y, qa
    S[k, r + 9], S[k, r + 12], S[k, r + 15] = x, y, qb


@jit
def assemble(D, DI, system, n, turns):
    """Matrix A C A^T and right side from the disks' compliance and present velocity; the caller adds the rest.

    Column DIAG gets the size of the diagonal, which is 1 where a row has no unknown of that kind.
    `turns`: whether there are unknowns of kind 2.  Rows of kinds 0 and 2, and columns of kind 2, know no spin.
    """
    M, S, SI, lists, above, place = system
    for b in range(above[-1]):
        for p in range(9):
            M[b, p] = 0.0
    for k in range(n):
        if SI[k, USED] == 0:
            continue
        rough, turning = SI[k, HAS + 1] != 0, SI[k, HAS + 2] != 0
        for side in range(2):
            i = SI[k, BODY_A + side]
            if i < 0:
                continue
            r = ROW + 9 * side
            base0, base1, base2 = D[i, BASE], D[i, BASE + 1], D[i, BASE + 2]
            c00, c01, c02 = D[i, COMP], D[i, COMP + 1], D[i, COMP + 2]
            c10, c11, c12 = D[i, COMP + 3], D[i, COMP + 4], D[i, COMP + 5]
            c20, c21, c22 = D[i, COMP + 6], D[i, COMP + 7], D[i, COMP + 8]
            r0, r1 = S[k, r], S[k, r + 1]
            u0, u1, u2 = r0 * c00 + r1 * c10, r0 * c01 + r1 * c11, r0 * c02 + r1 * c12
            S[k, RHS] -= r0 * base0 + r1 * base1
            v0 = v1 = v2 = w0 = w1 = w2 = 0.0
            if rough:
                r0, r1, r2 = S[k, r + 3], S[k, r + 4], S[k, r + 5]
                v0 = r0 * c00 + r1 * c10 + r2 * c20
                v1 = r0 * c01 + r1 * c11 + r2 * c21
                v2 = r0 * c02 + r1 * c12 + r2 * c22
                S[k, RHS + 1] -= r0 * base0 + r1 * base1 + r2 * base2
            if turning:
                r0, r1 = S[k, r + 6], S[k, r + 7]
                w0, w1, w2 = r0 * c00 + r1 * c10, r0 * c01 + r1 * c11, r0 * c02 + r1 * c12
                S[k, RHS + 2] -= r0 * base0 + r1 * base1
            for slot in range(DI[i, LISTED]):
                code = lists[i, slot]
                j = code >> 1
                if SI[j, USED] == 0:
                    continue
                b = place[k * n + j]
                c = COL + 9 * (code & 1)
                x, y, z = S[j, c], S[j, c + 3], S[j, c + 6]
                M[b, 0] += u0 * x + u1 * y + u2 * z
                if rough:
                    M[b, 3] += v0 * x + v1 * y + v2 * z
                if turning:
                    M[b, 6] += w0 * x + w1 * y + w2 * z
                if SI[j, HAS + 1] != 0:
                    x, y, z = S[j, c + 1], S[j, c + 4], S[j, c + 7]
                    M[b, 1] += u0 * x + u1 * y + u2 * z
                    if rough:
                        M[b, 4] += v0 * x + v1 * y + v2 * z
                    if turning:
                        M[b, 7] += w0 * x + w1 * y + w2 * z
                if turns:
                    x, y = S[j, c + 2], S[j, c + 5]
                    M[b, 2] += u0 * x + u1 * y
                    if rough:
                        M[b, 5] += v0 * x + v1 * y
                    if turning:
                        M[b, 8] += w0 * x + w1 * y
        for kind in range(3):
            b = place[k * n + k]
            if SI[k, HAS + kind] == 0:
                M[b, 4 * kind] = 1.0
            S[k, DIAG + kind] = abs(M[b, 4 * kind])


@jit
def inverse_of(pivot, size):
    """One over a pivot; redundant contacts share the load somehow."""
    return 1.0 / (pivot if abs(pivot) >= 1e-14 * size + 1e-300 else pivot + 1e-12 * size + 1e-300)


@jit
def factor(M, S, k, b):
    """Block b of row k with itself into lower and upper triangle, with the inverse of the pivots on the diagonal."""
    M[b, 0] = inverse_of(M[b, 0], S[k, DIAG])
    M[b, 3] *= M[b, 0]
    M[b, 6] *= M[b, 0]
    M[b, 4] -= M[b, 3] * M[b, 1]
    M[b, 5] -= M[b, 3] * M[b, 2]
    M[b, 7] -= M[b, 6] * M[b, 1]
    M[b, 8] -= M[b, 6] * M[b, 2]
    M[b, 4] = inverse_of(M[b, 4], S[k, DIAG + 1])
    M[b, 7] *= M[b, 4]
    M[b, 8] -= M[b, 7] * M[b, 5]
    M[b, 8] = inverse_of(M[b, 8], S[k, DIAG + 2])


@jit
def eliminate(system, n, turns):
    """Solve in place, in graph order, touching only what is not zero: nearly linear work on a tree of contacts.

    The solution is in the column RHS.
    """
    M, S, SI, _lists, above, place = system
    for k in range(n):
        if SI[k, USED] == 0:
            continue
        b = place[k * n + k]
        factor(M, S, k, b)
        p0, u0, u1 = M[b, 0], M[b, 1], M[b, 2]
        l0, p1, u2 = M[b, 3], M[b, 4], M[b, 5]
        l1, l2, p2 = M[b, 6], M[b, 7], M[b, 8]
        y0 = S[k, RHS]
        y1 = S[k, RHS + 1] - l0 * y0
        y2 = S[k, RHS + 2] - l1 * y0 - l2 * y1
        S[k, RHS + 1], S[k, RHS + 2] = y1, y2
        c0 = c1 = c2 = 0.0
        first = k * n + 1
        last = first + above[k * n]
        for q in range(first, last):
            u = place[k * n + above[q]]
            for p in range(3):
                M[u, 3 + p] -= l0 * M[u, p]
                M[u, 6 + p] -= l1 * M[u, p] + l2 * M[u, 3 + p]
        for q in range(first, last):
            i = above[q]
            if SI[i, USED] == 0:
                continue
            d = place[i * n + k]
            # rows of the block times the inverse of the upper triangle
            a0 = M[d, 0] * p0
            a1 = (M[d, 1] - a0 * u0) * p1
            a2 = (M[d, 2] - a0 * u1 - a1 * u2) * p2
            b0 = M[d, 3] * p0
            b1 = (M[d, 4] - b0 * u0) * p1
            b2 = (M[d, 5] - b0 * u1 - b1 * u2) * p2
            S[i, RHS] -= a0 * y0 + a1 * y1 + a2 * y2
            S[i, RHS + 1] -= b0 * y0 + b1 * y1 + b2 * y2
            if turns:
                c0 = M[d, 6] * p0
                c1 = (M[d, 7] - c0 * u0) * p1
                c2 = (M[d, 8] - c0 * u1 - c1 * u2) * p2
                S[i, RHS + 2] -= c0 * y0 + c1 * y1 + c2 * y2
            for r in range(first, last):
                j = above[r]
                u, to = place[k * n + j], place[i * n + j]
                if turns:
                    for p in range(3):
                        v0, v1, v2 = M[u, p], M[u, 3 + p], M[u, 6 + p]
                        M[to, p] -= a0 * v0 + a1 * v1 + a2 * v2
                        M[to, 3 + p] -= b0 * v0 + b1 * v1 + b2 * v2
                        M[to, 6 + p] -= c0 * v0 + c1 * v1 + c2 * v2
                else:
                    for p in range(2):
                        v0, v1 = M[u, p], M[u, 3 + p]
                        M[to, p] -= a0 * v0 + a1 * v1
                        M[to, 3 + p] -= b0 * v0 + b1 * v1
    for k in range(n - 1, -1, -1):
        if SI[k, USED] == 0:
            continue
        x0, x1, x2 = S[k, RHS], S[k, RHS + 1], S[k, RHS + 2]
        for q in range(k * n + 1, k * n + 1 + above[k * n]):
            j = above[q]
            if SI[j, USED] == 0:
                continue
            u = place[k * n + j]
            y0, y1, y2 = S[j, RHS], S[j, RHS + 1], S[j, RHS + 2]
            x0 -= M[u, 0] * y0 + M[u, 1] * y1 + M[u, 2] * y2
            x1 -= M[u, 3] * y0 + M[u, 4] * y1 + M[u, 5] * y2
            x2 -= M[u, 6] * y0 + M[u, 7] * y1 + M[u, 8] * y2
        b = place[k * n + k]
        x2 *= M[b, 8]
        x1 = (x1 - M[b, 5] * x2) * M[b, 4]
        x0 = (x0 - M[b, 1] * x1 - M[b, 2] * x2) * M[b, 0]
        S[k, RHS], S[k, RHS + 1], S[k, RHS + 2] = x0, x1, x2
