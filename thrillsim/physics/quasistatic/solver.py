"""Solving one step: which velocities and contact forces.  Compiled.

Unknown are the velocities of the disks linked to the pusher and the forces of their contacts, such that
friction with the board, no penetration and Coulomb's law at the rims hold together.

`newton` is a primal-dual semismooth Newton method: velocities, board forces and contact forces are
all kept from step to step, so it is warm.  `interior` follows a smoothed path from scratch and
is called when Newton does not settle; Newton then polishes its answer to full precision.
"""

from __future__ import annotations

import math

from thrillsim.physics.quasistatic.compiled import jit

from thrillsim.physics.quasistatic.law import branch, contact_rates, evaluate, gather_forces
from thrillsim.physics.quasistatic.patch import invert3
from thrillsim.physics.quasistatic.state import (
    A,
    AXIS,
    B,
    BASE,
    BEFORE,
    BODY_A,
    BODY_B,
    COL,
    COMP,
    CONTACT,
    DIAG,
    FORCE,
    GAP_RATE,
    GAP_TERM,
    GRAD,
    HELD,
    HESS,
    INV,
    KEPT,
    KIND,
    LAM,
    LAM_KEPT,
    LAST,
    LENGTH,
    LISTED,
    LOAD,
    MATCH,
    MEMBER,
    METRIC,
    MOVING,
    MU,
    NORMAL,
    OPEN,
    OLD,
    ORDER,
    PATCH,
    PULL,
    PUSHER,
    RHS,
    RIM,
    ROW,
    SIDE_RATE,
    SLACK,
    SLIP_MINUS,
    SLIP_PLUS,
    SLIP_RATE,
    STATE,
    STICK,
    UNEVEN,
    UNKNOWN,
    VEL,
)

FAILED = 1e30

#: weight of the regularisation along a disk's own motion: largest, smallest, and per residual
ETA = 0.3
ETA_LEAST = 2e-5
ETA_SLOPE = 0.3
#: compliance of unsettled forces: largest, smallest, and per residual
GIVE = 1e-4
GIVE_LEAST = 1e-7
GIVE_SLOPE = 1e-3
#: least stiffness of a smoothed disk along its motion, relative
HOLD = 1e-5
#: residual below which the turning of the normals within the step enters the iteration
NEARBY = 0.5


@jit
def assemble(D, DI, M, S, SI, lists, unknowns):
    """Matrix A C A^T and right side from the disks' compliance and base velocity; the caller adds the rest."""
    for k in range(unknowns):
        for j in range(unknowns):
            M[k, j] = 0.0
        SI[k, LAST] = k
    for k in range(unknowns):
        total = S[k, RHS]
        last = k
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
                if j > last:
                    last = j
        S[k, RHS] = total
        SI[k, LAST] = last


@jit
def eliminate(M, S, SI, n):
    """Solve in place, in graph order, skipping zeros: nearly linear work on a tree of contacts."""
    for k in range(n):
        pivot = M[k, k]
        if abs(pivot) < 1e-14 * S[k, DIAG] + 1e-300:  # redundant contacts: share the load somehow
            pivot += 1e-12 * S[k, DIAG] + 1e-300
            M[k, k] = pivot
        inv = 1.0 / pivot
        last = SI[k, LAST]
        for i in range(k + 1, n):
            if M[i, k] != 0.0:
                f = M[i, k] * inv
                for j in range(k + 1, last + 1):
                    M[i, j] -= f * M[k, j]
                S[i, RHS] -= f * S[k, RHS]
                if last > SI[i, LAST]:
                    SI[i, LAST] = last
    for k in range(n - 1, -1, -1):
        total = S[k, RHS]
        for j in range(k + 1, SI[k, LAST] + 1):
            total -= M[k, j] * S[j, RHS]
        S[k, RHS] = total / M[k, k]


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
def rim_compliance(D, DI, C, CI, c, kind):
    """How much the contact's rate answers to its own force."""
    nx, ny = C[c, NORMAL], C[c, NORMAL + 1]
    total = 0.0
    for side in range(2):
        i = CI[c, A] if side == 0 else CI[c, B]
        if i < 0:
            continue
        if kind == 0:
            total += nx * nx * D[i, COMP] + ny * ny * D[i, COMP + 4] + 2.0 * nx * ny * D[i, COMP + 1]
        else:
            r = D[i, RIM] / D[i, PATCH]
            if side == 1:
                r = -r
            total += ny * ny * D[i, COMP] + nx * nx * D[i, COMP + 4] - 2.0 * nx * ny * D[i, COMP + 1]
            total += r * r * D[i, COMP + 8] + 2.0 * r * (nx * D[i, COMP + 5] - ny * D[i, COMP + 2])
    return total


@jit
def kick(D, DI, C, CI, c):
    """Start a resting disk that the pusher meets: along the contact normal at the pusher's speed."""
    b = CI[c, B]
    nx, ny = C[c, NORMAL], C[c, NORMAL + 1]
    D[b, VEL], D[b, VEL + 1], D[b, VEL + 2] = nx * nx, nx * ny, 0.0
    D[b, AXIS], D[b, AXIS + 1], D[b, AXIS + 2] = nx, ny, 0.0
    C[c, LAM] = max(C[c, LAM], 2.0 * D[b, LOAD])


@jit
def judge(D, DI, C, CI, count, frozen):
    """State of every active contact (kept if `frozen`); returns the largest violation of the contact laws."""
    worst = 0.0
    for k in range(count):
        c = CI[k, ORDER]
        ln, lt = C[c, LAM], C[c, LAM + 1]
        rn, rt, mu = C[c, GAP_RATE], C[c, SLIP_RATE], C[c, MU]
        worst = max(worst, -rn, abs(lt) - mu * ln)
        if not frozen:
            trial = ln - rn / rim_compliance(D, DI, C, CI, c, 0)
            if trial <= 0.0:
                CI[c, STATE] = OPEN
                worst = max(worst, min(abs(ln), 1.0))
                C[c, LAM] = C[c, LAM + 1] = 0.0
            elif mu == 0.0:
                CI[c, STATE] = SLIP_PLUS
            else:
                trial_t = lt - rt / rim_compliance(D, DI, C, CI, c, 1)
                if abs(trial_t) <= mu * trial:
                    CI[c, STATE] = STICK
                elif trial_t > 0.0:
                    CI[c, STATE] = SLIP_PLUS
                else:
                    CI[c, STATE] = SLIP_MINUS
        state = CI[c, STATE]
        if state == OPEN:
            continue
        worst = max(worst, rn, -ln)
        if state == STICK or state == HELD:
            worst = max(worst, abs(rt))
        elif state == SLIP_PLUS:
            worst = max(worst, abs(lt - mu * ln), rt if mu > 0.0 else 0.0)
        else:
            worst = max(worst, abs(lt + mu * ln), -rt)
    return worst


@jit
def freeze(D, DI, C, CI, members, count, tau):
    """Read off the interior solution who rests and what each contact does."""
    for k in range(members):
        i = DI[k, MEMBER]
        DI[i, MOVING] = 1
        if abs(D[i, VEL]) + abs(D[i, VEL + 1]) + abs(D[i, VEL + 2]) < 100.0 * tau:
            D[i, VEL] = D[i, VEL + 1] = D[i, VEL + 2] = 0.0
            DI[i, MOVING] = 0
    for k in range(count):
        c = CI[k, ORDER]
        a, b = CI[c, A], CI[c, B]
        rt = C[c, SLIP_RATE]
        if C[c, SLACK] > C[c, LAM]:
            CI[c, STATE] = OPEN
            C[c, LAM] = C[c, LAM + 1] = 0.0
        elif DI[b, MOVING] == 0 and (a < 0 or DI[a, MOVING] == 0):
            CI[c, STATE] = HELD  # its force has no part in any motion
        elif C[c, MU] == 0.0 or rt < -1e3 * tau:
            CI[c, STATE] = SLIP_PLUS
        elif rt > 1e3 * tau:
            CI[c, STATE] = SLIP_MINUS
        else:
            CI[c, STATE] = STICK


@jit
def velocities(D, DI, members, give):
    """New velocities of the members from their forces."""
    for k in range(members):
        i = DI[k, MEMBER]
        if DI[i, MOVING] == 0:
            D[i, VEL] = D[i, VEL + 1] = D[i, VEL + 2] = 0.0
            continue
        f0, f1, f2 = D[i, FORCE], D[i, FORCE + 1], D[i, FORCE + 2]
        share = give / D[i, LOAD]
        along = 0.0
        for j in range(3):
            at = COMP + 3 * j
            v = D[i, at] * f0 + D[i, at + 1] * f1 + D[i, at + 2] * f2 + D[i, BASE + j]
            v -= share * (D[i, FORCE + j] - D[i, OLD + j])  # the give is no motion
            D[i, VEL + j] = v
            along += v * D[i, GRAD + j]
        if along <= 0.0:  # friction would drive it: let its force decide whether it rests
            D[i, VEL] = D[i, VEL + 1] = D[i, VEL + 2] = 0.0


@jit
def turn_forces(D, CI, S, SI, unknowns):
    """Add to the disks' forces what the turning of the normals changes in them."""
    for k in range(unknowns):
        if SI[k, KIND] == 2:
            for side in range(2):
                i = SI[k, BODY_A + side]
                if i >= 0:
                    for j in range(3):
                        D[i, FORCE + j] += S[k, COL + 3 * side + j] * S[k, RHS]


@jit
def newton(D, DI, P, C, CI, M, S, SI, lists, features, members, count, h, advance, tolerance, most, frozen):
    """Iterate to the solution of the step.  Returns (residual, iterations); FAILED if it blew up.

    If `frozen`, who rests, and which contacts stick, slip or are open, is taken from the interior path.

    The residual is the largest violation of any law: relative force (of the disk's own sliding
    resistance) or rate (in units of the pusher's speed).
    """
    worst = FAILED
    limit = S.shape[0]
    for iteration in range(most + 1):
        contact_rates(D, C, CI, features, count, h, advance, True)
        for k in range(count):
            c = CI[k, ORDER]
            b = CI[c, B]
            if CI[c, A] == PUSHER and C[c, GAP_RATE] < -1e-6:
                if D[b, VEL] == 0.0 and D[b, VEL + 1] == 0.0 and D[b, VEL + 2] == 0.0:
                    kick(D, DI, C, CI, c)
                    contact_rates(D, C, CI, features, count, h, advance, True)
        gather_forces(D, DI, C, CI, members, count)
        eta = max(ETA_LEAST, min(ETA, ETA_SLOPE * worst))
        give = 0.0 if frozen else max(GIVE_LEAST, min(GIVE, GIVE_SLOPE * worst))
        reach = min(1.0, worst)
        worst = 0.0
        for k in range(members):
            i = DI[k, MEMBER]
            for j in range(3):
                D[i, OLD + j] = D[i, FORCE + j]
            _, residual = branch(D, DI, P, i, eta, reach, give, frozen)
            DI[i, LISTED] = 0
            worst = max(worst, residual)
        worst = max(worst, judge(D, DI, C, CI, count, frozen))
        if not worst < 1e12:
            return FAILED, iteration
        if worst <= tolerance or iteration == most:
            return worst, iteration
        unknowns = 0
        for k in range(count):
            c = CI[k, ORDER]
            state = CI[c, STATE]
            if state == OPEN or state == HELD:
                continue
            if unknowns + 3 > limit or not add_unknown(D, DI, C, CI, S, SI, lists, unknowns, c, 0, h):
                return FAILED, iteration
            push = 1.0 if CI[c, A] == PUSHER else 0.0
            nx, ny = C[c, NORMAL], C[c, NORMAL + 1]
            S[unknowns, RHS] = push * nx - C[c, GAP_TERM]
            curved = worst < NEARBY and C[c, LENGTH] > 0.0
            if curved:
                # the distance after the step answers along the normal at its end, not at its middle
                f = h * C[c, SIDE_RATE] / (2.0 * C[c, LENGTH])
                S[unknowns, ROW] += f * ny
                S[unknowns, ROW + 1] -= f * nx
                S[unknowns, ROW + 3] -= f * ny
                S[unknowns, ROW + 4] += f * nx
                S[unknowns, RHS] += f * (C[c, SIDE_RATE] - push * ny)
            unknowns += 1
            if state == STICK:
                if not add_unknown(D, DI, C, CI, S, SI, lists, unknowns, c, 1, h):
                    return FAILED, iteration
                S[unknowns, RHS] = -push * ny
                unknowns += 1
            if curved:
                if not add_unknown(D, DI, C, CI, S, SI, lists, unknowns, c, 2, h):
                    return FAILED, iteration
                S[unknowns, RHS] = C[c, SIDE_RATE] - push * ny
                unknowns += 1
        assemble(D, DI, M, S, SI, lists, unknowns)
        for k in range(unknowns):
            S[k, DIAG] = abs(M[k, k])
            if SI[k, KIND] == 2:
                M[k, k] -= 1.0
        eliminate(M, S, SI, unknowns)
        for k in range(count):
            c = CI[k, ORDER]
            state = CI[c, STATE]
            if state == OPEN or state == HELD:
                continue
            ln = S[CI[c, UNKNOWN], RHS]
            C[c, LAM] = ln
            if state == STICK:
                C[c, LAM + 1] = S[CI[c, UNKNOWN + 1], RHS]
            elif state == SLIP_PLUS:
                C[c, LAM + 1] = C[c, MU] * ln
            else:
                C[c, LAM + 1] = -C[c, MU] * ln
        gather_forces(D, DI, C, CI, members, count)
        turn_forces(D, CI, S, SI, unknowns)
        velocities(D, DI, members, give)
    return worst, most


@jit
def smooth_disk(D, DI, P, i, tau, safe):
    """Compliance and base of a disk whose dissipation D is smoothed to sqrt(D^2 + tau^2) = rho.

    Primal-dual: F D(v) grad D(v) = phi rho, linearised in v and phi.  If `safe`, the curvature of an uneven
    patch is replaced by its metric, which is never too small: slower, but it cannot cycle.
    """
    v0, v1, v2 = D[i, VEL], D[i, VEL + 1], D[i, VEL + 2]
    speed = math.sqrt(v0 * v0 + v1 * v1 + v2 * v2)
    if speed > 1e-12:
        D[i, AXIS], D[i, AXIS + 1], D[i, AXIS + 2] = v0 / speed, v1 / speed, v2 / speed
    fv, kappa = evaluate(D, DI, P, i)
    n0, n1, n2 = D[i, AXIS], D[i, AXIS + 1], D[i, AXIS + 2]
    g0, g1, g2 = D[i, GRAD], D[i, GRAD + 1], D[i, GRAD + 2]
    d = g0 * n0 + g1 * n1 + g2 * n2
    if DI[i, UNEVEN] == 0:
        for j in range(9):
            D[i, METRIC + j] = D[i, INV + j] = 0.0
        m0, m2 = D[i, MATCH], D[i, MATCH + 1]
        D[i, METRIC] = D[i, METRIC + 4] = m0
        D[i, METRIC + 8] = m2
        D[i, INV] = D[i, INV + 4] = 1.0 / m0
        D[i, INV + 8] = 1.0 / m2
        v = math.sqrt(n0 * n0 + n1 * n1)
        ex, ey = 1.0, 0.0
        if v > 0.0:
            ex, ey = n0 / v, n1 / v
        t0, t1, t2 = -n2 * ex, -n2 * ey, v
        D[i, HESS] = fv * ey * ey + kappa * t0 * t0
        D[i, HESS + 1] = D[i, HESS + 3] = -fv * ey * ex + kappa * t0 * t1
        D[i, HESS + 2] = D[i, HESS + 6] = kappa * t0 * t2
        D[i, HESS + 4] = fv * ex * ex + kappa * t1 * t1
        D[i, HESS + 5] = D[i, HESS + 7] = kappa * t1 * t2
        D[i, HESS + 8] = kappa * t2 * t2
    load = D[i, LOAD]
    w0, w1, w2 = speed * d * g0, speed * d * g1, speed * d * g2
    rho = math.sqrt((speed * d) ** 2 + tau * tau)
    norm2 = 0.0
    for j in range(3):
        for k in range(3):
            norm2 += D[i, FORCE + j] * D[i, INV + 3 * j + k] * D[i, FORCE + k]
    norm = math.sqrt(max(norm2, 0.0)) / load
    shrink = min(1.0, (1.0 - HOLD) / norm) if norm > 0.0 else 1.0
    metric = safe and DI[i, UNEVEN] != 0
    for j in range(3):
        f = D[i, FORCE + j] * shrink / rho
        gj = D[i, GRAD + j]
        at = HESS + 3 * j
        if metric:
            q0, q1, q2 = D[i, METRIC + 3 * j], D[i, METRIC + 3 * j + 1], D[i, METRIC + 3 * j + 2]
        else:
            q0, q1, q2 = d * D[i, at] + gj * g0, d * D[i, at + 1] + gj * g1, d * D[i, at + 2] + gj * g2
        D[i, at], D[i, at + 1], D[i, at + 2] = load * q0 - f * w0, load * q1 - f * w1, load * q2 - f * w2
    invert3(D, i, HESS, INV)
    for j in range(3):
        at = INV + 3 * j
        D[i, BASE + j] = D[i, VEL + j] - load * (D[i, at] * w0 + D[i, at + 1] * w1 + D[i, at + 2] * w2)
    for j in range(9):
        D[i, COMP + j] = rho * D[i, INV + j]
    DI[i, MOVING] = 1


@jit
def interior(D, DI, P, C, CI, M, S, SI, lists, features, members, count, h, advance, tau, last_tau):
    """Follow the smoothed path from tau (1: from rest) to last_tau.  Returns (tau reached, change left, iterations)."""
    moved = FAILED
    if tau == 1.0:
        for k in range(members):
            i = DI[k, MEMBER]
            D[i, VEL] = D[i, VEL + 1] = D[i, VEL + 2] = 0.0
        for k in range(count):
            c = CI[k, ORDER]
            C[c, LAM], C[c, LAM + 1], C[c, SLACK] = 1.0, 0.0, 1.0
    else:
        tau = max(last_tau, 0.1 * tau)
    for k in range(count):
        CI[CI[k, ORDER], STATE] = STICK
    if 2 * count > S.shape[0]:
        return tau, moved, 0
    stalled = 0
    for iteration in range(60):
        contact_rates(D, C, CI, features, count, h, advance, iteration == 0 or tau < 0.05)
        gather_forces(D, DI, C, CI, members, count)
        for k in range(members):
            i = DI[k, MEMBER]
            smooth_disk(D, DI, P, i, tau, stalled > 5)
            DI[i, LISTED] = 0
        unknowns = 0
        for k in range(count):
            c = CI[k, ORDER]
            push = 1.0 if CI[c, A] == PUSHER else 0.0
            if not add_unknown(D, DI, C, CI, S, SI, lists, unknowns, c, 0, h):
                return tau, moved, iteration
            S[unknowns, RHS] = tau / C[c, LAM] + C[c, SLACK] - C[c, GAP_TERM] + push * C[c, NORMAL]
            unknowns += 1
            CI[c, UNKNOWN + 1] = -1
            if C[c, MU] > 0.0:
                if not add_unknown(D, DI, C, CI, S, SI, lists, unknowns, c, 1, h):
                    return tau, moved, iteration
                S[unknowns, RHS] = C[c, SLIP_RATE] - push * C[c, NORMAL + 1]
                unknowns += 1
        assemble(D, DI, M, S, SI, lists, unknowns)
        for k in range(unknowns):
            S[k, DIAG] = abs(M[k, k])
        for k in range(count):
            c = CI[k, ORDER]
            u, u2 = CI[c, UNKNOWN], CI[c, UNKNOWN + 1]
            ln, lt = C[c, LAM], C[c, LAM + 1]
            M[u, u] += C[c, SLACK] / ln
            if u2 >= 0:
                rt, mu = C[c, SLIP_RATE], C[c, MU]
                rho = math.sqrt(rt * rt + tau * tau)
                alpha = max(mu * ln + lt * rt / rho, 1e-9 * mu * ln)
                M[u2, u2] += rho / alpha
                M[u2, u] += mu * rt / alpha
        eliminate(M, S, SI, unknowns)
        step = 1.0  # the longest that keeps normal forces and slacks positive
        for k in range(count):
            c = CI[k, ORDER]
            ln, s = C[c, LAM], C[c, SLACK]
            dln = S[CI[c, UNKNOWN], RHS] - ln
            ds = (tau - ln * s - s * dln) / ln
            if dln < 0.0:
                step = min(step, -0.95 * ln / dln)
            if ds < 0.0:
                step = min(step, -0.95 * s / ds)
        for k in range(count):
            c = CI[k, ORDER]
            ln, s = C[c, LAM], C[c, SLACK]
            full = S[CI[c, UNKNOWN], RHS]
            C[c, SLACK] = s + step * (tau - ln * s - s * (full - ln)) / ln
            C[c, BEFORE], C[c, BEFORE + 1] = ln, C[c, LAM + 1]
            C[c, LAM] = full
            u = CI[c, UNKNOWN + 1]
            C[c, LAM + 1] = S[u, RHS] if u >= 0 else 0.0
        gather_forces(D, DI, C, CI, members, count)
        moved = 0.0
        for k in range(members):
            i = DI[k, MEMBER]
            f0, f1, f2 = D[i, FORCE], D[i, FORCE + 1], D[i, FORCE + 2]
            for j in range(3):
                at = COMP + 3 * j
                change = D[i, at] * f0 + D[i, at + 1] * f1 + D[i, at + 2] * f2 + D[i, BASE + j] - D[i, VEL + j]
                moved = max(moved, abs(change))
                D[i, VEL + j] += step * change
        largest = 0.0
        for k in range(count):
            c = CI[k, ORDER]
            for j in range(2):
                old = C[c, BEFORE + j]
                C[c, LAM + j] = old + step * (C[c, LAM + j] - old)
            largest = max(largest, C[c, LAM])
        if not largest < 1e12:
            return tau, moved, iteration
        if tau <= last_tau and moved < max(0.3 * tau, 1e-10):
            return tau, moved, iteration
        stalled += 1
        if step > 0.5 and moved < max(0.5, 3.0 * tau):
            stalled = 0 if tau > last_tau else stalled
            tau = max(last_tau, tau * (0.1 if step > 0.9 else 0.3))
    return tau, moved, 60


@jit
def keep(D, DI, C, CI, members, count, back):
    """Remember velocities and forces (back = False), or return to them."""
    for k in range(members):
        i = DI[k, MEMBER]
        for j in range(3):
            if back:
                D[i, VEL + j] = D[i, KEPT + j]
            else:
                D[i, KEPT + j] = D[i, VEL + j]
    for k in range(count):
        c = CI[k, ORDER]
        for j in range(2):
            if back:
                C[c, LAM + j] = C[c, LAM_KEPT + j]
            else:
                C[c, LAM_KEPT + j] = C[c, LAM + j]
