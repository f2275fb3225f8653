"""A step by the interior path: smoothed friction and contact laws, sharpened in stages.  Compiled.

Starts warm or from rest, and settles where Newton's method cycles; with drag or lagged friction also where the
plain path does.  `freeze` reads off who rests and what each contact does, so that Newton can finish on these
states to full precision.
"""

from __future__ import annotations

import math

import numpy as np

from thrillsim.physics.quasistatic.compiled import jit
from thrillsim.physics.quasistatic.law import TINY, at_rest, contact_rates, evaluate, gather_forces
from thrillsim.physics.quasistatic.linear import add_unknown, assemble, eliminate, start_row
from thrillsim.physics.quasistatic.newton import FAILED, misfit
from thrillsim.physics.quasistatic.patch import invert3
from thrillsim.physics.quasistatic.state import (
    AXIS,
    BASE,
    BEFORE,
    BOUND,
    COMP,
    FADED,
    FORCE,
    GAP_RATE,
    GAP_TERM,
    GRAD,
    HELD,
    HESS,
    INV,
    KEPT,
    LAM,
    LAM_KEPT,
    LEFT,
    LOAD,
    MATCH,
    MEMBER,
    METRIC,
    MOVING,
    MU,
    NORMAL,
    OLD,
    OPEN,
    ORDER,
    PAST,
    PUSHER,
    RHS,
    SLACK,
    SLIP_MINUS,
    SLIP_PLUS,
    SLIP_RATE,
    STATE,
    STICK,
    UNEVEN,
    VEL,
    A,
    B,
)

#: smoothing to start with: from rest, and from the last step at most
COLD, WARM = 1.0, 0.3
#: drag on each way along the path; on one friction lags behind, on the last every point of the path is settled
DRAGS = (0.0, 0.1, 1.0, 0.0, 0.0)
LAGGED, PATIENT = 3, 4
#: least contact force and slack of a warm start: this share of what the laws are violated by, and not less than that
OFF, OFF_LEAST = 0.8, 0.1
#: contact force, in sliding resistances of a disk, beyond which the board is jammed
JAM_FORCE = 1e6
#: iterations of a stage: plain, with drag, and with lagged friction
MOST, MOST_DRAGGED, MOST_LAGGED = 40, 120, 200
#: iterations within which drag is to be followed, and after which it is taken for too weak again
QUICK, WEARY = 8, 12
#: change of velocities in one iteration, per smoothing, at which a point of the path has settled
PATIENCE = 0.1
#: factors of drag when it was followed quickly and when it was not, and the least of it
EASING, TIGHTENING, LEAST_DRAG = 0.1, 3.0, 1e-4
#: change of velocities in one iteration below which they have settled whatever the smoothing: rounding
ROUNDED = 1e-10
#: least stiffness of a smoothed disk along its motion, relative
HOLD = 1e-4
#: ratio of a contact's force to that of the stage before, below which it is going to vanish
FADING = 0.5
#: as long as it is not so many times as large as the contact's slack
PLAIN = 1e5
#: how much of the way to its bound a force or slack may go in one iteration
NEARLY = 0.99
#: how near a contact's friction counts as its bound, relative
FULL = 1e-6
#: how far the friction bounds may lag behind, in sliding resistances
BEHIND = 1e-9


@jit
def within(norm2, load):
    """Factor that brings a force, of so large a square in the matched metric, to within the limit surface."""
    norm = math.sqrt(max(norm2, 0.0)) / load
    return min(1.0, (1.0 - HOLD) / norm) if norm > 0.0 else 1.0


@jit
def smooth_even(D, i, speed, d, fv, kappa, rho, drag):
    """`smooth_disk` for an evenly loaded patch: friction across the sliding is apart from that along it and of spin.

    e is the direction of sliding, p across it, s the spin.
    """
    load = D[i, LOAD]
    n0, n1, n2 = D[i, AXIS], D[i, AXIS + 1], D[i, AXIS + 2]
    f0, f1, fs = D[i, FORCE], D[i, FORCE + 1], D[i, FORCE + 2]
    m0, m2 = D[i, MATCH], D[i, MATCH + 1]
    v = math.sqrt(n0 * n0 + n1 * n1)
    ex, ey = 1.0, 0.0
    if v > 0.0:
        ex, ey = n0 / v, n1 / v
    fe, fp = ex * f0 + ey * f1, ex * f1 - ey * f0
    ge, gs = fv * v, D[i, GRAD + 2]
    we, ws = speed * d * ge, speed * d * gs
    share = within((fe * fe + fp * fp) / m0 + fs * fs / m2, load) / rho
    bend = load * d * kappa
    along = load * ge * gs - bend * n2 * v
    qee = bend * n2 * n2 + load * ge * ge - share * fe * we + drag * rho
    qes, qse = along - share * fe * ws, along - share * fs * we
    qss = bend * v * v + load * gs * gs - share * fs * ws + drag * rho
    scale = rho / (qee * qss - qes * qse)
    cee, ces, cse, css = scale * qss, -scale * qes, -scale * qse, scale * qee
    cpp = rho / (load * d * fv + drag * rho)
    lean = share * fp * cpp / rho
    cpe, cps = lean * (we * cee + ws * cse), lean * (we * ces + ws * css)
    D[i, COMP] = ex * ex * cee - ex * ey * cpe + ey * ey * cpp
    D[i, COMP + 1] = ex * ey * (cee - cpp) - ey * ey * cpe
    D[i, COMP + 2] = ex * ces - ey * cps
    D[i, COMP + 3] = ex * ey * (cee - cpp) + ex * ex * cpe
    D[i, COMP + 4] = ey * ey * cee + ex * ey * cpe + ex * ex * cpp
    D[i, COMP + 5] = ey * ces + ex * cps
    D[i, COMP + 6], D[i, COMP + 7], D[i, COMP + 8] = ex * cse, ey * cse, css
    # (the p-component of w is 0)
    ue, us = fe - load * we / rho, fs - load * ws / rho
    ve, vp = cee * ue + ces * us, cpe * ue + cps * us + cpp * fp
    D[i, BASE] = D[i, VEL] + ex * ve - ey * vp
    D[i, BASE + 1] = D[i, VEL + 1] + ey * ve + ex * vp
    D[i, BASE + 2] = D[i, VEL + 2] + cse * ue + css * us


@jit
def smooth_uneven(D, i, speed, d, rho, drag, safe):
    """`smooth_disk` for an unevenly loaded patch, whose directions are all tied."""
    load = D[i, LOAD]
    norm2 = 0.0
    for j in range(3):
        for k in range(3):
            norm2 += D[i, FORCE + j] * D[i, INV + 3 * j + k] * D[i, FORCE + k]
    share = within(norm2, load) / rho
    g0, g1, g2 = D[i, GRAD], D[i, GRAD + 1], D[i, GRAD + 2]
    w0, w1, w2 = speed * d * g0, speed * d * g1, speed * d * g2
    for j in range(3):
        f = D[i, FORCE + j] * share
        gj = D[i, GRAD + j]
        at = HESS + 3 * j
        if safe:
            q0, q1, q2 = D[i, METRIC + 3 * j], D[i, METRIC + 3 * j + 1], D[i, METRIC + 3 * j + 2]
        else:
            q0, q1, q2 = d * D[i, at] + gj * g0, d * D[i, at + 1] + gj * g1, d * D[i, at + 2] + gj * g2
        D[i, at], D[i, at + 1], D[i, at + 2] = load * q0 - f * w0, load * q1 - f * w1, load * q2 - f * w2
        D[i, at + j] += rho * drag
    invert3(D, i, HESS, INV)
    u0, u1, u2 = (
        rho * D[i, FORCE] - load * w0,
        rho * D[i, FORCE + 1] - load * w1,
        rho * D[i, FORCE + 2] - load * w2,
    )
    for j in range(3):
        at = INV + 3 * j
        D[i, BASE + j] = D[i, VEL + j] + (D[i, at] * u0 + D[i, at + 1] * u1 + D[i, at + 2] * u2)
    for j in range(9):
        D[i, COMP + j] = rho * D[i, INV + j]


@jit
def smooth_disk(D, DI, P, i, tau, drag, safe):
    """Compliance and present velocity of a disk whose dissipation D is smoothed to sqrt(D^2 + tau^2) = rho.

    Primal-dual: F D(v) grad D(v) = phi rho, linearised in v and phi; the contacts balance phi and the drag
    towards the velocity it had (column LEFT).  If `safe`, the curvature of an uneven patch is replaced by its
    metric, which is never too small: slower, but it cannot cycle.
    """
    v0, v1, v2 = D[i, VEL], D[i, VEL + 1], D[i, VEL + 2]
    speed = math.sqrt(v0 * v0 + v1 * v1 + v2 * v2)
    if speed > 1e-12:
        D[i, AXIS], D[i, AXIS + 1], D[i, AXIS + 2] = v0 / speed, v1 / speed, v2 / speed
    fv, kappa = evaluate(D, DI, P, i)
    d = D[i, GRAD] * D[i, AXIS] + D[i, GRAD + 1] * D[i, AXIS + 1] + D[i, GRAD + 2] * D[i, AXIS + 2]
    rho = math.sqrt((speed * d) ** 2 + tau * tau)
    drag *= D[i, LOAD]
    for j in range(3):
        D[i, OLD + j] = D[i, FORCE + j]
        D[i, FORCE + j] -= drag * (D[i, VEL + j] - D[i, LEFT + j])
    if DI[i, UNEVEN]:
        smooth_uneven(D, i, speed, d, rho, drag, safe)
    else:
        smooth_even(D, i, speed, d, fv, kappa, rho, drag)
    DI[i, MOVING] = 1


@jit
def catch_up(C, CI, count, share):
    """Let the friction bounds follow the normal forces by a share of what they lag behind; returns the largest lag."""
    lag = 0.0
    for k in range(count):
        c = CI[k, ORDER]
        behind = C[c, MU] * C[c, LAM] - C[c, BOUND]
        lag = max(lag, abs(behind))
        C[c, BOUND] += share * behind
    return lag


@jit
def leave(D, DI, members):
    """Let the drag pull back to the present velocities; returns how far they had come from the ones before."""
    far = 0.0
    for k in range(members):
        i = DI[k, MEMBER]
        for j in range(3):
            far = max(far, abs(D[i, VEL + j] - D[i, LEFT + j]))
            D[i, LEFT + j] = D[i, VEL + j]
    return far


@jit
def interior(
    D, DI, P, C, CI, system, features, members, count, h, advance, tau, last_tau, settle, way
):  # fmt: skip
    """Follow the smoothed path from tau to last_tau.  Returns (tau reached, change left, iterations).

    COLD starts from rest, WARM from the present velocities and forces, moved off their bounds and as smooth as
    they are off the laws; any other tau goes on from there.  `settle` is how little an iteration must change at
    the end.  The `way` is plain, or:

    With drag (`DRAGS`: force per speed, in units of the load), velocities answer to forces slowly, as with
    inertia: each time they have settled, the drag starts anew from where they are, and so has no part in the end.
    It finds solutions that the plain iteration circles about.  Followed quickly, it is eased.

    `LAGGED`: each contact's friction is bounded by a number that follows the normal force at leisure: with the
    bounds given the problem is convex, and its solution the state of least power.  Slower still, but it ends in a
    solution that small changes come back to, where the others circle about one that is none.

    `PATIENT`: from the last step's velocities, and sharper only when a point of the path has settled.  Slow, but
    it does not lose a path that bends.
    """
    drag = DRAGS[way]
    lagged = way == LAGGED
    patient = way == PATIENT
    M, S, SI, _lists, _above, place = system
    moved = FAILED
    if tau >= WARM:
        for k in range(members):
            i = DI[k, MEMBER]
            for j in range(3):
                D[i, LEFT + j] = D[i, PAST + j]
                if tau == COLD:
                    D[i, VEL + j] = 0.0
                elif patient:  # what other ways left is no start
                    D[i, VEL + j] = D[i, PAST + j]
            # an axis may be a wreck of Newton's
            if not 0.5 < abs(D[i, AXIS]) + abs(D[i, AXIS + 1]) + abs(D[i, AXIS + 2]) < 2.0:
                D[i, AXIS], D[i, AXIS + 1], D[i, AXIS + 2] = 1.0, 0.0, 0.0
        contact_rates(D, C, CI, features, count, h, advance, np.bool_(True))
        off = 0.0
        if tau < COLD:  # the nearer the answer, the sharper
            off = max(OFF_LEAST, min(math.sqrt(WARM), OFF * misfit(C, CI, count)))
            tau = off * off
        for k in range(count):
            c = CI[k, ORDER]
            if tau == COLD:
                C[c, LAM], C[c, LAM + 1], C[c, SLACK] = 1.0, 0.0, 1.0
            else:
                C[c, LAM], C[c, SLACK] = max(C[c, LAM], off), max(C[c, GAP_RATE], off)
                C[c, LAM + 1] *= 0.9
            C[c, BOUND] = C[c, MU]
    else:
        tau = max(last_tau, 0.1 * tau)
    for k in range(count):
        CI[CI[k, ORDER], STATE] = STICK
    stalled = since = 0
    share = 0.5
    lag = FAILED if lagged or drag > 0.0 else 0.0
    most_drag = drag
    most = MOST_LAGGED if lagged or patient else MOST_DRAGGED if drag > 0.0 else MOST
    for iteration in range(most):
        contact_rates(D, C, CI, features, count, h, advance, iteration == 0 or tau < 0.05)
        gather_forces(D, DI, C, CI, members, count)
        for k in range(members):
            i = DI[k, MEMBER]
            smooth_disk(D, DI, P, i, tau, drag, lagged or (drag == 0.0 and stalled > 5))
        for k in range(count):
            c = CI[k, ORDER]
            push = 1.0 if CI[c, A] == PUSHER else 0.0
            start_row(CI, S, SI, k, np.bool_(True))
            add_unknown(D, C, CI, S, SI, k, np.int64(0), h)
            S[k, RHS] = tau / C[c, LAM] - C[c, GAP_TERM] + push * C[c, NORMAL]
            if C[c, MU] > 0.0:
                add_unknown(D, C, CI, S, SI, k, np.int64(1), h)
                S[k, RHS + 1] = C[c, SLIP_RATE] - push * C[c, NORMAL + 1]
        assemble(D, DI, system, count, np.bool_(False))
        for k in range(count):
            c = CI[k, ORDER]
            b = place[k * count + k]
            ln, lt = C[c, LAM], C[c, LAM + 1]
            M[b, 0] += C[c, SLACK] / ln
            if C[c, MU] > 0.0:
                rt, mu = C[c, SLIP_RATE], C[c, MU]
                rho = math.sqrt(rt * rt + tau * tau)
                if lagged:
                    bound = C[c, BOUND]
                    lt = min(max(lt, (FULL - 1.0) * bound), (1.0 - FULL) * bound)
                    alpha = max(bound + lt * rt / rho, 1e-9 * bound)
                    S[k, RHS + 1] -= (bound * rt + rho * C[c, LAM + 1]) / alpha
                    M[b, 4] += rho / alpha
                else:
                    alpha = max(mu * ln + lt * rt / rho, 1e-9 * mu * ln)
                    S[k, RHS + 1] -= (mu * ln * rt + rho * lt) / alpha
                    M[b, 4] += rho / alpha
                    M[b, 3] += mu * rt / alpha
        eliminate(system, count, np.bool_(False))
        # the longest steps that keep slacks, and forces, positive: motion and forces need not wait for each other
        step = step_forces = 1.0 if lagged or drag > 0.0 or stalled < 12 else 0.5
        for k in range(count):
            c = CI[k, ORDER]
            ln, s = C[c, LAM], C[c, SLACK]
            dln = S[k, RHS]
            ds = (tau - ln * s - s * dln) / ln
            if dln < 0.0:
                step_forces = min(step_forces, -NEARLY * ln / dln)
            if ds < 0.0:
                step = min(step, -NEARLY * s / ds)
        shorter = min(step, step_forces)
        for k in range(count):
            c = CI[k, ORDER]
            ln, s = C[c, LAM], C[c, SLACK]
            dln = S[k, RHS]
            C[c, SLACK] = s + step * (tau - ln * s - s * dln) / ln
            C[c, BEFORE], C[c, BEFORE + 1] = ln, C[c, LAM + 1]
            C[c, LAM] = ln + dln
            C[c, LAM + 1] = C[c, LAM + 1] + S[k, RHS + 1] if C[c, MU] > 0.0 else 0.0
        gather_forces(D, DI, C, CI, members, count)
        moved = 0.0
        for k in range(members):
            i = DI[k, MEMBER]
            f0, f1, f2 = (
                D[i, FORCE] - D[i, OLD],
                D[i, FORCE + 1] - D[i, OLD + 1],
                D[i, FORCE + 2] - D[i, OLD + 2],
            )
            for j in range(3):
                at = COMP + 3 * j
                change = (
                    D[i, BASE + j] - D[i, VEL + j] + D[i, at] * f0 + D[i, at + 1] * f1 + D[i, at + 2] * f2
                )
                moved = max(moved, abs(change))
                D[i, VEL + j] += step * change
        largest = 0.0
        for k in range(count):
            c = CI[k, ORDER]
            for j in range(2):
                old = C[c, BEFORE + j]
                C[c, LAM + j] = old + step_forces * (C[c, LAM + j] - old)
            largest = max(largest, C[c, LAM])
        if lagged and moved < 3.0 * tau:
            last_lag, lag = lag, catch_up(C, CI, count, share)
            if tau <= last_tau:  # rounds about the answer: smaller shares
                share = max(0.05, 0.7 * share) if lag > 0.95 * last_lag else min(0.6, 1.1 * share)
        since += 1
        if drag > 0.0 and moved < max(3.0 * tau, ROUNDED):
            lag = leave(D, DI, members)
            if since <= QUICK and tau <= last_tau:
                drag = max(LEAST_DRAG, EASING * drag)
            since = 0
        elif since > WEARY:
            drag = min(most_drag, TIGHTENING * drag)
            since = 0
        if not largest < 10.0 * JAM_FORCE:
            return max(tau, 2.0 * last_tau), moved, iteration
        if tau <= last_tau and moved < settle and lag < max(3.0 * settle, BEHIND):
            return tau, moved, iteration
        stalled += 1
        if (moved < PATIENCE * tau) if patient else (shorter > 0.5 and moved < max(0.5, 3.0 * tau)):
            stalled = 0 if tau > last_tau else stalled
            tau = max(last_tau, tau * (0.1 if shorter > 0.9 else 0.3))
    # (bounds that lag, and velocities that drag, are as bad as motion that has not settled)
    return tau, max(moved, lag), most


@jit
def freeze(D, DI, C, CI, members, count, tau, early):
    """Read off the interior solution who rests and what each contact does.

    A contact is open if its force went down with the smoothing since the stage before; at the first stage
    (`early`) what is smaller, force or slack, has to tell.
    """
    for k in range(members):
        i = DI[k, MEMBER]
        DI[i, MOVING] = 1
        if abs(D[i, VEL]) + abs(D[i, VEL + 1]) + abs(D[i, VEL + 2]) < max(50.0 * tau, 2.0 * TINY):
            D[i, VEL] = D[i, VEL + 1] = D[i, VEL + 2] = 0.0
            DI[i, MOVING] = 0
    for k in range(count):
        c = CI[k, ORDER]
        a, b = CI[c, A], CI[c, B]
        rt = C[c, SLIP_RATE]
        vanishing = C[c, FADED] < FADING and C[c, LAM] < PLAIN * C[c, SLACK]
        if (C[c, SLACK] > C[c, LAM]) if early else vanishing:
            CI[c, STATE] = OPEN
            C[c, LAM] = C[c, LAM + 1] = 0.0
        elif at_rest(DI, a, b):
            CI[c, STATE] = HELD  # its force has no part in any motion
        elif C[c, MU] == 0.0 or rt < -1e3 * tau:
            CI[c, STATE] = SLIP_PLUS
        elif rt > 1e3 * tau:
            CI[c, STATE] = SLIP_MINUS
        else:
            CI[c, STATE] = STICK


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
        if not back:
            C[c, FADED] = C[c, LAM] / max(C[c, LAM_KEPT], 1e-300)
        for j in range(2):
            if back:
                C[c, LAM + j] = C[c, LAM_KEPT + j]
            else:
                C[c, LAM_KEPT + j] = C[c, LAM + j]
