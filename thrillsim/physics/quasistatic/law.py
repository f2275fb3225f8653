"""One iteration's ingredients, compiled: contacts at mid-step, and the answer of each disk's friction.

Mid-step geometry.  Over a step of length h the relative displacement U of two centres turns
d0 into d0 + U.  With the normal n taken at d0 + U/2 the distance after the step is exact::

    |d0 + U|^2 - |d0|^2 = 2 |d0 + U/2| n.U

So a kept contact keeps its distance to rounding, and the scheme is second order (implicit midpoint).
"""

from __future__ import annotations

import math

from thrillsim.physics.quasistatic.compiled import jit
from thrillsim.physics.quasistatic.patch import INSIDE, gauge, invert3, points_eval, symmetric
from thrillsim.physics.quasistatic.state import (
    AXIS,
    BASE,
    BEYOND,
    CENTRE,
    COMP,
    COUNT,
    CURVES,
    EXCESS,
    FEATURE,
    FORCE,
    GAP_RATE,
    GAP_TERM,
    GRAD,
    HESS,
    HOLE,
    INV,
    LAM,
    LENGTH,
    LEVER,
    LOAD,
    MATCH,
    MEMBER,
    METRIC,
    MOVING,
    NORMAL,
    ORDER,
    PATCH,
    POSE,
    PULL,
    PUSHER,
    RIM,
    SHAPE,
    SIDE_RATE,
    SLIP_RATE,
    SPEED,
    UNEVEN,
    VEL,
    A,
    B,
)

#: speed that a resting disk's yield counts as
YIELD = 1e-3
#: slowest speed that a moving disk's velocity is weighed with
SLOW = 1e-6
#: a slower disk is at rest (the solution cannot tell)
TINY = 5e-9
#: a disk slower than this rests if its force, as a share of what it takes to move it, is well inside: among disks
#: that support each other in many ways it would be put to rest and set moving again, in turn with its neighbours
CREEP, WELL_INSIDE = 1e-4, 0.997
#: how much of what a resting disk's force is outside its limit by is taken off once more, and at most: disks whose
#: forces balance each other would be put back to their limits in turn, each time by less than they push each other out
ONCE_MORE, AT_MOST = 0.5, 0.1
#: how far a resting disk's force may be outside the limit surface, relative
ON_SURFACE = 1e-9
#: misfit of force and velocity (in loads) up to which a moving disk is linearised where it is
FITTING = 0.1


@jit
def moves(D, i):
    """Whether disk i has a velocity."""
    return D[i, VEL] != 0.0 or D[i, VEL + 1] != 0.0 or D[i, VEL + 2] != 0.0


@jit
def at_rest(DI, a, b):
    """Whether no disk of a contact moves."""
    return DI[b, MOVING] == 0 and (a < 0 or DI[a, MOVING] == 0)


@jit
def contact_rates(D, C, CI, features, count, h, advance, refresh):
    """Normals (if `refresh`), gap, slip and side rates of the active contacts at the current velocities."""
    for k in range(count):
        c = CI[k, ORDER]
        a, b = CI[c, A], CI[c, B]
        ux, uy = D[b, VEL], D[b, VEL + 1]
        spin = D[b, VEL + 2] * D[b, RIM] / D[b, PATCH]
        if a >= 0:
            ux -= D[a, VEL]
            uy -= D[a, VEL + 1]
            spin += D[a, VEL + 2] * D[a, RIM] / D[a, PATCH]
        elif a == PUSHER:
            ux -= 1.0
        if refresh:
            f = CI[c, FEATURE]
            if f >= 0 and features[f, 0] == 0.0:
                ex = features[f, 3] - features[f, 1]
                ey = features[f, 4] - features[f, 2]
                length = math.sqrt(ex * ex + ey * ey)
                C[c, NORMAL], C[c, NORMAL + 1] = -ey / length, ex / length
                C[c, GAP_TERM] = C[c, EXCESS] / h
                C[c, LENGTH] = 0.0
            else:
                if f < 0:
                    dx, dy = D[b, POSE] - D[a, POSE], D[b, POSE + 1] - D[a, POSE + 1]
                else:
                    dx, dy = D[b, POSE] - features[f, 1], D[b, POSE + 1] - features[f, 2]
                    if a == PUSHER:
                        dx -= advance
                dx += 0.5 * h * ux
                dy += 0.5 * h * uy
                length = math.sqrt(dx * dx + dy * dy)
                C[c, NORMAL], C[c, NORMAL + 1] = dx / length, dy / length
                C[c, GAP_TERM] = C[c, EXCESS] / (2.0 * length * h)
                C[c, LENGTH] = length
        nx, ny = C[c, NORMAL], C[c, NORMAL + 1]
        side = nx * uy - ny * ux
        C[c, GAP_RATE] = C[c, GAP_TERM] + nx * ux + ny * uy
        C[c, SIDE_RATE] = side
        C[c, SLIP_RATE] = side - spin


@jit
def gather_forces(D, DI, C, CI, members, count):
    """Force on every member: pull + contact forces, third component torque over patch radius."""
    for k in range(members):
        i = DI[k, MEMBER]
        for j in range(3):
            D[i, FORCE + j] = D[i, PULL + j]
    for k in range(count):
        c = CI[k, ORDER]
        ln, lt = C[c, LAM], C[c, LAM + 1]
        if ln == 0.0 and lt == 0.0:
            continue
        nx, ny = C[c, NORMAL], C[c, NORMAL + 1]
        fx, fy = nx * ln - ny * lt, ny * ln + nx * lt
        b = CI[c, B]
        D[b, FORCE] += fx
        D[b, FORCE + 1] += fy
        D[b, FORCE + 2] -= lt * D[b, RIM] / D[b, PATCH]
        a = CI[c, A]
        if a >= 0:
            D[a, FORCE] -= fx
            D[a, FORCE + 1] -= fy
            D[a, FORCE + 2] -= lt * D[a, RIM] / D[a, PATCH]


@jit
def evaluate(D, DI, P, i):
    """Friction at the disk's axis: GRAD, and the matched metric M with z^T M z = D(z)^2 and the same gradient there.

    An even patch has its metric in two numbers (MATCH) and its curvature in the returned fv and kappa; an
    uneven one has METRIC, its inverse INV and the Hessian HESS.
    """
    ax, ay, aq = D[i, AXIS], D[i, AXIS + 1], D[i, AXIS + 2]
    if ax == 0.0 and ay == 0.0 and aq == 0.0:
        ax = 1.0
        D[i, AXIS] = 1.0
    if DI[i, UNEVEN]:
        points_eval(P, i, DI[i, COUNT], ax, ay, aq, D, GRAD, METRIC, HESS)
        for j in range(3):  # a patch on two points cannot resist along their line: keep the matrix invertible
            D[i, METRIC + 4 * j] += 1e-9
        invert3(D, i, METRIC, INV)
        return 0.0, 0.0
    d, fv, tq, kappa = symmetric(DI[i, SHAPE], D[i, HOLE], math.sqrt(ax * ax + ay * ay), abs(aq))
    D[i, MATCH], D[i, MATCH + 1] = fv * d, tq * d
    D[i, GRAD], D[i, GRAD + 1], D[i, GRAD + 2] = fv * ax, fv * ay, tq * aq
    return fv, kappa


@jit
def quadratic(D, i, at, x, y, z):
    """(x, y, z) M (x, y, z) for the matrix at column `at` of disk i."""
    return (
        x * (D[i, at] * x + D[i, at + 1] * y + D[i, at + 2] * z)
        + y * (D[i, at + 3] * x + D[i, at + 4] * y + D[i, at + 5] * z)
        + z * (D[i, at + 6] * x + D[i, at + 7] * y + D[i, at + 8] * z)
    )


@jit
def propose(D, DI, i, f0, f1, f2, v0, v1, v2, sigma):
    """Point the axis where M^-1 force + sigma velocity points.  Returns (norm in M, length, change of the axis)."""
    if DI[i, UNEVEN]:
        z0 = D[i, INV] * f0 + D[i, INV + 1] * f1 + D[i, INV + 2] * f2 + sigma * v0
        z1 = D[i, INV + 3] * f0 + D[i, INV + 4] * f1 + D[i, INV + 5] * f2 + sigma * v1
        z2 = D[i, INV + 6] * f0 + D[i, INV + 7] * f1 + D[i, INV + 8] * f2 + sigma * v2
        norm = math.sqrt(max(0.0, quadratic(D, i, METRIC, z0, z1, z2)))
    else:
        m0, m2 = D[i, MATCH], D[i, MATCH + 1]
        z0, z1, z2 = f0 / m0 + sigma * v0, f1 / m0 + sigma * v1, f2 / m2 + sigma * v2
        norm = math.sqrt(m0 * (z0 * z0 + z1 * z1) + m2 * z2 * z2)
    size = math.sqrt(z0 * z0 + z1 * z1 + z2 * z2)
    if size == 0.0:
        return 0.0, 0.0, 0.0
    n0, n1, n2 = z0 / size, z1 / size, z2 / size
    change = abs(n0 - D[i, AXIS]) + abs(n1 - D[i, AXIS + 1]) + abs(n2 - D[i, AXIS + 2])
    D[i, AXIS], D[i, AXIS + 1], D[i, AXIS + 2] = n0, n1, n2
    return norm, size, change


@jit
def surely(D, i, f0, f1, f2):
    """Upper bound of the gauge of a force on an uneven patch: spread over the points by their loads, as if stiff."""
    torque = f2 - (D[i, CENTRE] * f1 - D[i, CENTRE + 1] * f0)
    return math.sqrt(f0 * f0 + f1 * f1) + abs(torque) * D[i, LEVER]


@jit
def yielding_uneven(D, DI, P, i, f0, f1, f2):
    """`yielding` of an unevenly loaded patch: the direction in which the force does most work against friction.

    Newton's method; where that loses (the limit surface has kinks), steps by the matched metric, which never do.
    """
    bound = surely(D, i, f0, f1, f2)
    if bound < INSIDE:
        return bound, bound
    reach = best = dissipation = 0.0
    p0, p1, p2 = D[i, AXIS], D[i, AXIS + 1], D[i, AXIS + 2]
    leapt = False
    for _ in range(400):
        evaluate(D, DI, P, i)
        n0, n1, n2 = D[i, AXIS], D[i, AXIS + 1], D[i, AXIS + 2]
        g0, g1, g2 = D[i, GRAD], D[i, GRAD + 1], D[i, GRAD + 2]
        dissipation = g0 * n0 + g1 * n1 + g2 * n2
        reach = max(0.0, (f0 * n0 + f1 * n1 + f2 * n2) / dissipation)
        if leapt and reach < best:
            D[i, AXIS], D[i, AXIS + 1], D[i, AXIS + 2] = p0, p1, p2
            leapt = False
            continue
        best = reach
        bound = reach + surely(D, i, f0 - reach * g0, f1 - reach * g1, f2 - reach * g2)
        if bound < INSIDE:
            return bound, bound
        _, _, change = propose(D, DI, i, f0, f1, f2, 0.0, 0.0, 0.0, 0.0)
        if change < 1e-10:
            break
        leapt = False
        if reach < 0.1:
            continue
        p0, p1, p2 = D[i, AXIS], D[i, AXIS + 1], D[i, AXIS + 2]
        for j in range(3):
            at = HESS + 3 * j
            gj = D[i, GRAD + j]
            D[i, at] += gj * g0
            D[i, at + 1] += gj * g1
            D[i, at + 2] += gj * g2
        invert3(D, i, HESS, COMP)
        r0, r1, r2 = f0 / reach - g0, f1 / reach - g1, f2 / reach - g2
        s0 = D[i, COMP] * r0 + D[i, COMP + 1] * r1 + D[i, COMP + 2] * r2
        s1 = D[i, COMP + 3] * r0 + D[i, COMP + 4] * r1 + D[i, COMP + 5] * r2
        s2 = D[i, COMP + 6] * r0 + D[i, COMP + 7] * r1 + D[i, COMP + 8] * r2
        change = abs(s0) + abs(s1) + abs(s2)
        if not change < 0.5:
            continue
        n0, n1, n2 = n0 + s0, n1 + s1, n2 + s2
        length = math.sqrt(n0 * n0 + n1 * n1 + n2 * n2)
        D[i, AXIS], D[i, AXIS + 1], D[i, AXIS + 2] = n0 / length, n1 / length, n2 / length
        if change < 1e-6:  # (what is left is its square)
            break
        leapt = True
    return reach, reach / dissipation


@jit
def yielding(D, DI, P, i, f0, f1, f2):
    """Gauge of a resting disk's force (> 1: it yields), and the length of what the axis is the unit vector of.

    Points the axis where it would yield.  Below `INSIDE` only an upper bound, and the axis may be any.
    """
    if DI[i, UNEVEN]:
        return yielding_uneven(D, DI, P, i, f0, f1, f2)
    f, t = math.sqrt(f0 * f0 + f1 * f1), abs(f2)
    if f + 1.6 * t < 1.0:  # inside the triangle of pure sliding and (weakest) pure spinning
        return 0.0, 0.0
    norm, v, q = gauge(DI[i, SHAPE], D[i, HOLE], f, t)
    if f > 0.0:
        D[i, AXIS], D[i, AXIS + 1] = v * f0 / f, v * f1 / f
    else:
        D[i, AXIS], D[i, AXIS + 1] = 0.0, 0.0
    D[i, AXIS + 2] = math.copysign(q, f2)
    return norm, norm


@jit
def branch(D, DI, P, i, frozen):
    """Rest or motion of disk i, decided from force and velocity together.  Returns its residual.

    A moving disk whose force nearly fits its velocity is linearised where it is.  Otherwise the law
    phi in dD(w) is solved for the proposal w* nearest to (velocity, force) in the matched metric.
    If `frozen`, a disk at rest stays so.  The residual is how far (velocity, force) is from solving the law,
    in units of speed 1 and of the load.
    """
    load = D[i, LOAD]
    f0, f1, f2 = D[i, FORCE] / load, D[i, FORCE + 1] / load, D[i, FORCE + 2] / load
    v0, v1, v2 = D[i, VEL], D[i, VEL + 1], D[i, VEL + 2]
    speed = math.sqrt(v0 * v0 + v1 * v1 + v2 * v2)
    if speed < TINY:
        v0 = v1 = v2 = speed = D[i, VEL] = D[i, VEL + 1] = D[i, VEL + 2] = 0.0
    fv = kappa = residual = beyond = 0.0
    if speed > 0.0:
        D[i, AXIS], D[i, AXIS + 1], D[i, AXIS + 2] = v0 / speed, v1 / speed, v2 / speed
        fv, kappa = evaluate(D, DI, P, i)
        residual = max(abs(f0 - D[i, GRAD]), abs(f1 - D[i, GRAD + 1]), abs(f2 - D[i, GRAD + 2]))
        if not frozen and speed < CREEP and residual > 1.0 - WELL_INSIDE:
            a0, a1, a2 = D[i, AXIS], D[i, AXIS + 1], D[i, AXIS + 2]
            norm, _ = yielding(D, DI, P, i, f0, f1, f2)
            if norm < WELL_INSIDE:
                DI[i, MOVING] = 0
                D[i, VEL] = D[i, VEL + 1] = D[i, VEL + 2] = 0.0
                return speed
            D[i, AXIS], D[i, AXIS + 1], D[i, AXIS + 2] = a0, a1, a2
            fv, kappa = evaluate(D, DI, P, i)
    if speed == 0.0 or residual > FITTING:
        norm = size = 0.0
        sigma = 1.0 / YIELD
        if speed > 0.0:
            d = D[i, GRAD] * v0 + D[i, GRAD + 1] * v1 + D[i, GRAD + 2] * v2
            sigma = 1.0 / max(d, SLOW)
            norm, size, _ = propose(D, DI, i, f0, f1, f2, v0, v1, v2, sigma)
        else:
            norm, size = yielding(D, DI, P, i, f0, f1, f2)
            beyond = min(AT_MOST, ONCE_MORE * (norm - 1.0))
        if norm <= 1.0 + ON_SURFACE or (frozen and speed == 0.0):
            DI[i, MOVING] = 0
            return max(speed, norm - 1.0 - ON_SURFACE)
        w = (norm - 1.0) / (sigma * norm) * size
        fv, kappa = evaluate(D, DI, P, i)
        n0, n1, n2 = w * D[i, AXIS], w * D[i, AXIS + 1], w * D[i, AXIS + 2]
        residual = max(residual, abs(v0 - n0), abs(v1 - n1), abs(v2 - n2))
        speed = w
    DI[i, MOVING] = 1
    D[i, SPEED], D[i, CURVES], D[i, CURVES + 1], D[i, BEYOND] = speed, fv, kappa, beyond
    return residual


@jit
def comply(D, DI, i, eta, reach, give):
    """Compliance of disk i: its new velocity is base + comp . change of force, the base from `present_velocity`.

    `eta` holds its speed near what `branch` proposes during one iteration, `give` is a compliance, per load, of a
    force that is not yet settled: it shares loads among disks at rest, whose forces nothing else determines.
    The effect of both vanishes at the solution.
    """
    load = D[i, LOAD]
    if DI[i, MOVING] == 0:
        for j in range(9):
            D[i, COMP + j] = 0.0
        for j in range(3):
            D[i, COMP + 4 * j] = give / load
        return
    speed, fv, kappa = D[i, SPEED], D[i, CURVES], D[i, CURVES + 1]
    n0, n1, n2 = D[i, AXIS], D[i, AXIS + 1], D[i, AXIS + 2]
    g0, g1, g2 = D[i, GRAD], D[i, GRAD + 1], D[i, GRAD + 2]
    eta /= speed + reach
    if DI[i, UNEVEN]:
        inv = 1.0 / speed
        floor = 1e-7 * (g0 * n0 + g1 * n1 + g2 * n2) * inv
        across = eta - floor
        D[i, HESS] = D[i, HESS] * inv + floor + across * n0 * n0
        D[i, HESS + 1] = D[i, HESS + 1] * inv + across * n0 * n1
        D[i, HESS + 2] = D[i, HESS + 2] * inv + across * n0 * n2
        D[i, HESS + 4] = D[i, HESS + 4] * inv + floor + across * n1 * n1
        D[i, HESS + 5] = D[i, HESS + 5] * inv + across * n1 * n2
        D[i, HESS + 8] = D[i, HESS + 8] * inv + floor + across * n2 * n2
        D[i, HESS + 3], D[i, HESS + 6], D[i, HESS + 7] = D[i, HESS + 1], D[i, HESS + 2], D[i, HESS + 5]
        invert3(D, i, HESS, COMP)
    else:
        v = math.sqrt(n0 * n0 + n1 * n1)
        ex, ey = 1.0, 0.0
        if v > 0.0:
            ex, ey = n0 / v, n1 / v
        across = speed / fv
        turn = speed / kappa
        # orthonormal: along (n0, n1, n2), across (-ey, ex, 0), and the change of the ratio of sliding to spinning
        t0, t1, t2 = -n2 * ex, -n2 * ey, v
        along = 1.0 / eta
        D[i, COMP] = across * ey * ey + turn * t0 * t0 + along * n0 * n0
        D[i, COMP + 1] = -across * ey * ex + turn * t0 * t1 + along * n0 * n1
        D[i, COMP + 2] = turn * t0 * t2 + along * n0 * n2
        D[i, COMP + 4] = across * ex * ex + turn * t1 * t1 + along * n1 * n1
        D[i, COMP + 5] = turn * t1 * t2 + along * n1 * n2
        D[i, COMP + 8] = turn * t2 * t2 + along * n2 * n2
        D[i, COMP + 3], D[i, COMP + 6], D[i, COMP + 7] = D[i, COMP + 1], D[i, COMP + 2], D[i, COMP + 5]
    for j in range(9):
        D[i, COMP + j] /= load
    for j in range(3):
        D[i, COMP + 4 * j] += give / load


@jit
def present_velocity(D, DI, i, give):
    """Velocity of disk i under its present force, by the friction as `comply` linearised it (column BASE)."""
    if DI[i, MOVING] == 0:
        D[i, BASE] = D[i, BASE + 1] = D[i, BASE + 2] = 0.0
        return
    load = D[i, LOAD]
    limit = load * (1.0 - D[i, BEYOND])
    f0, f1, f2 = (
        D[i, FORCE] - limit * D[i, GRAD],
        D[i, FORCE + 1] - limit * D[i, GRAD + 1],
        D[i, FORCE + 2] - limit * D[i, GRAD + 2],
    )
    share = give / load  # the give is no motion
    for j in range(3):
        k = COMP + 3 * j
        D[i, BASE + j] = D[i, SPEED] * D[i, AXIS + j] + D[i, k] * f0 + D[i, k + 1] * f1 + D[i, k + 2] * f2
    D[i, BASE] -= share * f0
    D[i, BASE + 1] -= share * f1
    D[i, BASE + 2] -= share * f2
