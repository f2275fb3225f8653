"""Dry friction of one contact patch, compiled: dissipation, force, torque and curvature.

Scaled per disk: speed of the centre v, rim speed of the spin q = R abs(omega) (R the patch radius),
dissipation in units of mu W.  For a patch whose load is symmetric about the centre D depends
on (v, q) only and has closed forms; otherwise it is a sum over weighted points.
`thrillsim.physics.friction` has the same closed forms in NumPy; tests hold them against each other.

D is homogeneous of degree 1, so its Hessian in the (v, q) plane has one free number:
H = kappa (-q, v)(-q, v)^T; across v it is F/v.
"""

from __future__ import annotations

import math

from thrillsim.physics.quasistatic.compiled import jit, vector

RING, SOLID, ANNULUS = 0, 1, 2

INSIDE = 0.99  #: share of what a patch can resist, below which nobody needs to know it exactly


@jit
def elliptic(b):
    """K and E for the complementary modulus b in (0, 1], by the arithmetic-geometric mean."""
    a = 1.0
    b = max(b, 1e-14)
    total = 0.5 * (1.0 - b * b)
    power = 0.5
    while True:
        c = 0.5 * (a - b)
        power *= 2.0
        total += power * c * c
        a, b = 0.5 * (a + b), math.sqrt(a * b)
        if not c >= 1e-8:  # (nan ends too) the next c is c^2/4 of this size: below rounding
            break
    k = 0.5 * math.pi / a
    return k, k * (1.0 - total)


@jit
def ring(v, q):
    """D, F/v, T/q and kappa of a ring (v + q > 0)."""
    if q < 1e-3 * v:
        x2 = (q / v) ** 2
        d = v * (1.0 + x2 * (0.25 + x2 / 64.0))
        return (
            d,
            (1.0 - x2 * (0.25 + 3.0 * x2 / 64.0)) / v,
            (0.5 + x2 / 16.0) / v,
            (0.5 + 3.0 * x2 / 16.0) / v**3,
        )
    if v < 1e-3 * q:
        x2 = (v / q) ** 2
        d = q * (1.0 + x2 * (0.25 + x2 / 64.0))
        return (
            d,
            (0.5 + x2 / 16.0) / q,
            (1.0 - x2 * (0.25 + 3.0 * x2 / 64.0)) / q,
            (0.5 + 3.0 * x2 / 16.0) / q**3,
        )
    s = v + q
    k, e = elliptic(abs(v - q) / s)
    f = (s * e + (v - q) * k) / (math.pi * v)
    t = (s * e - (v - q) * k) / (math.pi * q)
    j = 2.0 * k / (math.pi * s)
    if v > q:
        kappa = (v * j - f) / (v * q * q)
    else:
        kappa = (q * j - t) / (q * v * v)
    return 2.0 * s * e / math.pi, f / v, t / q, kappa


@jit
def solid(v, q):
    """D, F/v, T/q and kappa of a solid disk (v + q > 0)."""
    if v >= 100.0 * q:
        x2 = (q / v) ** 2
        d = v * (1.0 + x2 * (0.125 + x2 / 192.0))
        return d, (1.0 - x2 * (0.125 + x2 / 64.0)) / v, (0.25 + x2 / 48.0) / v, (0.25 + x2 / 16.0) / v**3
    e = v / q
    e2 = e * e
    if e < 1e-4:
        return q * (2.0 / 3.0 + 0.5 * e2), (1.0 - 0.125 * e2) / q, (2.0 / 3.0 - 0.5 * e2) / q, 1.0 / q**3
    if e <= 1.0:
        kk, ee = elliptic(math.sqrt(max(0.0, 1.0 - e2)))
        c = (1.0 - e2) * kk
        f = 4.0 / (3.0 * math.pi * e) * ((1.0 + e2) * ee - c)
        t = 4.0 / (9.0 * math.pi) * ((4.0 - 2.0 * e2) * ee - c)
        slope = 4.0 / (3.0 * math.pi * e2) * ((2.0 * e2 - 1.0) * ee + c)
    else:
        kk, ee = elliptic(math.sqrt(max(0.0, 1.0 - 1.0 / e2)))
        c = (e2 - 1.0) * kk
        f = 4.0 / (3.0 * math.pi) * ((1.0 + e2) * ee - c)
        t = 4.0 * e / (9.0 * math.pi) * ((4.0 - 2.0 * e2) * ee + c * (2.0 - 3.0 / e2))
        slope = 4.0 / (3.0 * math.pi) * ((2.0 * e - 1.0 / e) * ee - 2.0 * c / e)
    return v * f + q * t, f / v, t / q, slope / q**3


@jit
def symmetric(shape, hole, v, q):
    """D, F/v, T/q, kappa of a patch loaded evenly; `hole` = inner over outer radius of an annulus."""
    if shape == RING:
        return ring(v, q)
    if shape == SOLID:
        return solid(v, q)
    big_d, big_f, big_t, big_k = solid(v, q)
    small_d, small_f, small_t, small_k = solid(v, hole * q)
    h2 = hole * hole
    scale = 1.0 / (1.0 - h2)
    return (
        scale * (big_d - h2 * small_d),
        scale * (big_f - h2 * small_f),
        scale * (big_t - h2 * h2 * small_t),
        scale * (big_k - h2 * h2 * small_k),
    )


@jit
def gauge(shape, hole, f, t):
    """How far a force f and torque t (over R, both >= 0, in loads) reach towards the limit surface: > 1 is outside.

    Returns (gauge, v, q) with (v, q) the unit direction of motion in which the patch would yield; below `INSIDE`
    the gauge is an upper bound, and the direction roughly that one.
    The ratio torque / force grows with the direction from sliding to spinning: Newton's method within a bracket.
    """
    _, _, most, _ = symmetric(shape, hole, 0.0, 1.0)
    if t == 0.0:
        return f, 1.0, 0.0
    if f == 0.0:
        return t / most, 0.0, 1.0
    v, q = f * most * most, t  # the limit surface is not far from an ellipse
    size = math.sqrt(v * v + q * q)
    v, q = v / size, q / size
    low_v, low_q, high_v, high_q = 1.0, 0.0, 0.0, 1.0
    reach = 0.0
    for iteration in range(60):
        _, fv, tq, kappa = symmetric(shape, hole, v, q)
        force, torque = fv * v, tq * q
        excess = f * torque - t * force  # > 0: turned too far towards spinning
        reach = (f * v + t * q) / (force * v + torque * q)
        if iteration == 0:  # the chord to the end of the limit surface that the force lies towards is inside
            x, y = (0.0, most) if excess < 0.0 else (1.0, 0.0)
            inside = (f * (y - torque) - t * (x - force)) / (force * y - torque * x)
            if inside < INSIDE:
                return inside, v, q
        if excess < 0.0:
            low_v, low_q = v, q
        else:
            high_v, high_q = v, q
        turn = -excess / (kappa * (f * v + t * q))
        v, q = v - turn * q, q + turn * v
        settled = abs(turn) < 1e-8  # (what is left is its square)
        if not settled and (low_v * q <= low_q * v or v * high_q <= q * high_v):
            v, q = low_v + high_v, low_q + high_q
        size = math.sqrt(v * v + q * q)
        v, q = v / size, q / size
        if settled:
            break
    return reach, v, q


@vector
def points_eval(P, i, count, zx, zy, zq, D, grad, metric, hess):
    """Point patch of disk i: D at z; gradient, matched metric and Hessian into columns of D.

    P (n, 4, m): x/R, y/R, share of the load and (size/R)^2; z = (vx, vy, R omega).  A point stands for a
    piece of the patch and so resists being turned about: its speed is sqrt(u^2 + size^2 omega^2).
    """
    d = g0 = g1 = g2 = 0.0
    m00 = m02 = m12 = m22 = 0.0
    h00 = h01 = h02 = h11 = h12 = h22 = 0.0
    for k in range(count):
        x, y, p, size = P[i, 0, k], P[i, 1, k], P[i, 2, k], P[i, 3, k]
        ux = zx - zq * y
        uy = zy + zq * x
        inv = 1.0 / math.sqrt(ux * ux + uy * uy + size * zq * zq + 1e-24)
        g = p * inv
        d += p * (ux * ux + uy * uy + size * zq * zq + 1e-24) * inv
        ux *= inv
        uy *= inv
        b2 = x * uy - y * ux + size * zq * inv
        g0 += p * ux
        g1 += p * uy
        g2 += p * b2
        arm = x * x + y * y + size
        m00 += g
        m02 -= g * y
        m12 += g * x
        m22 += g * arm
        h00 += g * (1.0 - ux * ux)
        h01 -= g * ux * uy
        h11 += g * (1.0 - uy * uy)
        h02 -= g * (y + ux * b2)
        h12 += g * (x - uy * b2)
        h22 += g * (arm - b2 * b2)
    D[i, grad], D[i, grad + 1], D[i, grad + 2] = g0, g1, g2
    D[i, metric], D[i, metric + 1], D[i, metric + 2] = m00 * d, 0.0, m02 * d
    D[i, metric + 3], D[i, metric + 4], D[i, metric + 5] = 0.0, m00 * d, m12 * d
    D[i, metric + 6], D[i, metric + 7], D[i, metric + 8] = m02 * d, m12 * d, m22 * d
    D[i, hess], D[i, hess + 1], D[i, hess + 2] = h00, h01, h02
    D[i, hess + 3], D[i, hess + 4], D[i, hess + 5] = h01, h11, h12
    D[i, hess + 6], D[i, hess + 7], D[i, hess + 8] = h02, h12, h22
    return d


@jit
def invert3(D, i, at, to):
    """Inverse of the 3 x 3 matrix in columns `at` of row i, into columns `to`."""
    a, b, c = D[i, at], D[i, at + 1], D[i, at + 2]
    d, e, f = D[i, at + 3], D[i, at + 4], D[i, at + 5]
    g, h, k = D[i, at + 6], D[i, at + 7], D[i, at + 8]
    p, q, r = e * k - f * h, f * g - d * k, d * h - e * g
    s = 1.0 / (a * p + b * q + c * r)
    D[i, to], D[i, to + 1], D[i, to + 2] = s * p, s * (c * h - b * k), s * (b * f - c * e)
    D[i, to + 3], D[i, to + 4], D[i, to + 5] = s * q, s * (a * k - c * g), s * (c * d - a * f)
    D[i, to + 6], D[i, to + 7], D[i, to + 8] = s * r, s * (b * g - a * h), s * (a * e - b * d)
