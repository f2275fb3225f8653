"""A whole push, compiled: steps of the pusher with first contacts and edge crossings located exactly::

    idle       nothing touches the pusher: advance to the first contact
    step       solve; shorten the step to the first new contact or edge crossing inside it
    fall       a disk whose support margin reached 0 is removed at once, the rest goes on

`run_push` is the one entry point.
"""

from __future__ import annotations

import math

import numpy as np

from thrillsim.physics.quasistatic.compiled import (
    balance_shares,
    edge_distance,
    inside,
    jit,
    patch_points,
    support_margin,
)
from thrillsim.physics.quasistatic.contacts import link, new_contacts, pusher_meeting, refresh
from thrillsim.physics.quasistatic.interior import JAM_FORCE, freeze, interior, keep
from thrillsim.physics.quasistatic.law import contact_rates, gather_forces, yielding
from thrillsim.physics.quasistatic.newton import FAILED, newton
from thrillsim.physics.quasistatic.options import (
    ADVANCE,
    CALLS,
    CIRCLE,
    CUTS,
    FALLS,
    FORCE_ERROR,
    INNER,
    ITERATIONS,
    JAMMED,
    LAW_ERROR,
    POWER_ERROR,
    REPORT,
    ROWS,
    SOLVES,
    START,
    STATUS,
    STEP,
    STEPS,
    STOP,
    STUCK,
    TOLERANCE,
    UNCONVERGED,
)
from thrillsim.physics.quasistatic.patch import RING, points_eval, symmetric
from thrillsim.physics.quasistatic.state import (
    ALIVE,
    COM,
    COUNT,
    DEPTH,
    FEATURE,
    FORCE,
    GAP_RATE,
    GAP_TERM,
    GRAD,
    HESS,
    HOLE,
    LAM,
    LOAD,
    MEMBER,
    METRIC,
    MOVING,
    MU,
    NORMAL,
    ORDER,
    PATCH,
    POSE,
    PULL,
    PUSHER,
    SHAPE,
    SLIP_RATE,
    SPREAD,
    UNEVEN,
    VEL,
    A,
)

MOST_STEPS = 20000  #: far more than any push takes
MOST_ITERATIONS = 20000  #: of Newton and the path together; what needs more is given up, and says so
SHORTEST = 1e-6  #: mm; a step that must be shorter than this cannot be taken
SPREADING = 1e-4  #: mm; how exactly the load of an overhanging disk is spread at mid-step
CROSSING = 1e-7  #: mm; how exactly an edge crossing is located
#: stages of the interior path: plain Newton may finish after the first, Newton on frozen states after the others
PATH = (1e-3, 1e-5, 1e-7, 1e-9, 1e-10, 1e-11)
SHARP = 1e-9  #: smoothing from which on a point of the path may be a solution as it is
GOOD_ENOUGH = 8.0  #: residual of such a point, in tolerances
LOOSE = 1e-5  #: smoothing up to which an unpolished step is taken, counted as unconverged
SMALLEST = 5e-4  #: (size / R)^2 of the smallest piece of a patch: the wall of a cup is no line


@jit
def load_patch(D, DI, P, outline, i, h, circle, nodes, node_weights, store, weights, shares):
    """How the load of disk i spreads at mid-step: decides `UNEVEN`, and fills its points if it is."""
    radius = D[i, PATCH]
    cx, cy = D[i, COM], D[i, COM + 1]
    x = D[i, POSE] + 0.5 * h * D[i, VEL]
    y = D[i, POSE + 1] + 0.5 * h * D[i, VEL + 1]
    turned = D[i, POSE + 2] * radius + 0.5 * h * D[i, VEL + 2]
    if DI[i, UNEVEN] and x == D[i, SPREAD] and y == D[i, SPREAD + 1] and turned == D[i, SPREAD + 2]:
        return  # as it was
    if cx == 0.0 and cy == 0.0 and edge_distance(outline, x, y) >= radius:
        DI[i, UNEVEN] = 0
        return
    DI[i, UNEVEN] = 1
    angle = turned / radius
    D[i, SPREAD], D[i, SPREAD + 1], D[i, SPREAD + 2] = x, y, turned
    inner = radius if DI[i, SHAPE] == RING else radius * D[i, HOLE]
    count = patch_points(outline, x, y, radius, inner, circle, nodes, node_weights, store, weights)
    cos, sin = math.cos(angle), math.sin(angle)
    balance_shares(store, weights, count, cos * cx - sin * cy, sin * cx + cos * cy, shares)
    for k in range(count):
        P[i, k, 0] = store[k, 0] / radius
        P[i, k, 1] = store[k, 1] / radius
        P[i, k, 2] = shares[k]
        size = weights[k] / radius if DI[i, SHAPE] == RING else math.sqrt(weights[k]) / radius
        P[i, k, 3] = max(size * size / 12.0, SMALLEST)
    DI[i, COUNT] = count


@jit
def shifted(D, DI, outline, members, h):
    """How far (mm) from where its load was spread the mid-step of some member turned out to be."""
    most = 0.0
    for k in range(members):
        i = DI[k, MEMBER]
        if DI[i, MOVING] == 0:
            continue
        x, y = D[i, POSE] + 0.5 * h * D[i, VEL], D[i, POSE + 1] + 0.5 * h * D[i, VEL + 1]
        if DI[i, UNEVEN] == 0:
            if edge_distance(outline, x, y) < D[i, PATCH]:
                return 1.0
            continue
        most = max(most, abs(x - D[i, SPREAD]), abs(y - D[i, SPREAD + 1]))
        if D[i, COM] != 0.0 or D[i, COM + 1] != 0.0:
            turned = D[i, POSE + 2] * D[i, PATCH] + 0.5 * h * D[i, VEL + 2]
            most = max(most, abs(turned - D[i, SPREAD + 2]))
    return most


@jit
def margin_at(D, DI, outline, i, h):
    """Support margin of disk i after moving for a step of length h at its present velocity, mm."""
    radius = D[i, PATCH]
    x = D[i, POSE] + h * D[i, VEL]
    y = D[i, POSE + 1] + h * D[i, VEL + 1]
    px, py = D[i, COM], D[i, COM + 1]
    if px != 0.0 or py != 0.0:
        angle = D[i, POSE + 2] + h * D[i, VEL + 2] / radius
        cos, sin = math.cos(angle), math.sin(angle)
        px, py = cos * px - sin * py, sin * px + cos * py
    if edge_distance(outline, x, y) >= radius and inside(outline, x, y):
        return radius - math.hypot(px, py)
    inner = radius if DI[i, SHAPE] == RING else radius * D[i, HOLE]
    return support_margin(outline, x, y, radius, inner, x + px, y + py)


@jit
def first_crossing(D, DI, outline, members, h):
    """Earliest edge crossing of a moving disk inside the step.  Returns (fraction, disk, margin at the end)."""
    cut, falling, depth = 2.0, -1, 0.0
    for k in range(members):
        i = DI[k, MEMBER]
        if DI[i, MOVING] == 0:
            continue
        after = margin_at(D, DI, outline, i, h)
        if after > 0.0:
            continue
        low, high = 0.0, 1.0
        g_low, g_high = margin_at(D, DI, outline, i, 0.0), after
        for _ in range(60):
            if g_high >= -0.01 * CROSSING or high - low < 1e-13:
                break
            s = low + (high - low) * g_low / (g_low - g_high)
            s = min(max(s, low + 0.02 * (high - low)), high - 0.02 * (high - low))
            g = margin_at(D, DI, outline, i, s * h)
            if g > 0.0:
                low, g_low = s, g
            else:
                high, g_high = s, g
        if high < cut:
            cut, falling, depth = high, i, after
    return cut, falling, depth


@jit
def account(D, DI, P, C, CI, features, members, active, h, advance, report, force_scale):
    """Residuals and power of the accepted step; returns the force on the pusher along x (scaled)."""
    contact_rates(D, C, CI, features, active, h, advance, np.bool_(True))
    gather_forces(D, DI, C, CI, members, active)
    dissipated = 0.0
    for k in range(members):
        i = DI[k, MEMBER]
        if DI[i, MOVING] == 0:
            load = D[i, LOAD]
            f0, f1, f2 = D[i, FORCE] / load, D[i, FORCE + 1] / load, D[i, FORCE + 2] / load
            norm, _ = yielding(D, DI, P, i, f0, f1, f2)
            report[FORCE_ERROR] = max(report[FORCE_ERROR], (norm - 1.0) * load / force_scale)
            continue
        v0, v1, v2 = D[i, VEL], D[i, VEL + 1], D[i, VEL + 2]
        size = math.sqrt(v0 * v0 + v1 * v1 + v2 * v2)
        if size == 0.0:
            continue
        v0, v1, v2 = v0 / size, v1 / size, v2 / size
        if DI[i, UNEVEN]:
            points_eval(P, i, DI[i, COUNT], v0, v1, v2, D, GRAD, METRIC, HESS)
        else:
            _, fv, tq, _ = symmetric(DI[i, SHAPE], D[i, HOLE], math.sqrt(v0 * v0 + v1 * v1), abs(v2))
            D[i, GRAD], D[i, GRAD + 1], D[i, GRAD + 2] = fv * v0, fv * v1, tq * v2
        for j in range(3):
            friction = D[i, LOAD] * D[i, GRAD + j]
            misfit = min(
                abs(D[i, FORCE + j] - friction) / force_scale, size
            )  # a disk that slow may as well rest
            report[FORCE_ERROR] = max(report[FORCE_ERROR], misfit)
            dissipated += (friction - D[i, PULL + j]) * D[i, VEL + j]
    thrust = 0.0
    power = 0.0
    law = report[LAW_ERROR]
    for k in range(active):
        c = CI[k, ORDER]
        ln, lt, rn, rt = C[c, LAM], C[c, LAM + 1], C[c, GAP_RATE], C[c, SLIP_RATE]
        law = max(law, -rn, min(abs(rn), abs(ln)), -ln / force_scale, (abs(lt) - C[c, MU] * ln) / force_scale)
        if CI[c, A] == PUSHER:
            thrust += ln * C[c, NORMAL] - lt * C[c, NORMAL + 1]
        dissipated += abs(lt * rt)
        power -= ln * C[c, GAP_TERM]  # work of closing small gaps, spread over the step
    report[LAW_ERROR] = law
    power += thrust
    if thrust > 0.0:
        report[POWER_ERROR] = max(report[POWER_ERROR], abs(power - dissipated) / thrust)
    return thrust


@jit
def jamming(C, CI, active):
    """Whether some contact force has no bound."""
    for k in range(active):
        if not C[CI[k, ORDER], LAM] < JAM_FORCE:
            return True
    return False


@jit
def solve_step(
    D, DI, P, C, CI, M, S, SI, lists, features, members, active, h, advance, tolerance, report, strict,
    force_scale,
):  # fmt: skip
    """Newton, else the interior path polished by Newton, where it cycles with lagged friction.  Returns the residual.

    If all that fails and not `strict`, leaves the best point of the path; the residual is then its smoothing.
    """
    report[SOLVES] += 1
    # (plain literals as arguments would have the compiler make a copy of the callee for each)
    residual, iterations = newton(
        D, DI, P, C, CI, M, S, SI, lists, features, members, active, h, advance, tolerance,
        np.int64(10), np.bool_(False),
    )  # fmt: skip
    report[ITERATIONS] += iterations
    if residual <= tolerance:
        return residual
    loose = FAILED
    for way in range(2):
        lagged = way == 1
        tau = 1.0
        for last_tau in PATH:
            report[CALLS] += 1
            tau, moved, iterations = interior(
                D, DI, P, C, CI, M, S, SI, lists, features, members, active, h, advance, tau, last_tau, lagged
            )
            report[INNER] += iterations
            if tau > last_tau:
                break
            keep(D, DI, C, CI, members, active, np.bool_(False))
            if moved <= tau:
                loose = tau
            frozen = last_tau < PATH[0]
            freeze(D, DI, C, CI, members, active, last_tau)
            if last_tau <= SHARP and moved <= max(tau, 1e-10):
                judged = np.zeros(REPORT)
                account(D, DI, P, C, CI, features, members, active, h, advance, judged, force_scale)
                residual = max(judged[FORCE_ERROR], judged[LAW_ERROR])
                if residual <= GOOD_ENOUGH * tolerance:
                    return tolerance
            residual, iterations = newton(
                D, DI, P, C, CI, M, S, SI, lists, features, members, active, h, advance, tolerance,
                np.int64(6), frozen,
            )  # fmt: skip
            report[ITERATIONS] += iterations
            if residual <= tolerance:
                return residual
            keep(D, DI, C, CI, members, active, np.bool_(True))
            if moved > tau and not lagged:
                break
        if strict and jamming(C, CI, active):  # a long step may find a way out that is none
            return FAILED
    if loose <= LOOSE and not strict:  # walk the path again, to the last stage that settled
        tau = 1.0
        for last_tau in PATH:
            if last_tau >= 0.99 * loose:
                tau, moved, iterations = interior(
                    D, DI, P, C, CI, M, S, SI, lists, features, members, active, h, advance, tau, last_tau,
                    np.bool_(True),
                )  # fmt: skip
    return max(loose, 2.0 * tolerance)


@jit
def record(D, DI, rows, report, advance, thrust):
    """One row of the trace."""
    if report[ROWS] < len(rows):
        t = int(report[ROWS])
        rows[t, 0, 0], rows[t, 0, 1] = advance, thrust
        for i in range(len(D)):
            for j in range(3):
                rows[t, 1 + i, j] = D[i, POSE + j]
            rows[t, 1 + i, 3] = DI[i, ALIVE]
        report[ROWS] += 1


@jit
def run_push(
    D, DI, P, C, CI, M, S, SI, lists, outline, features, options, nodes, node_weights, store, weights, shares,
    falls, rows, report,
):  # fmt: skip
    """Carry out one push on prepared arrays.

    `falls` (n, 4) gets disk, x, y, advance in order; `rows` (t, n + 1, 4) the trace, if it has room.
    """
    n = len(D)
    stop = options[STOP]
    for k in range(REPORT):
        report[k] = 0.0
    force_scale = 0.0
    for i in range(n):
        force_scale = max(force_scale, D[i, LOAD])
    advance = options[START]
    thrust = 0.0
    count = np.int64(0)
    short = 0
    everything = np.bool_(True)
    for _step in range(MOST_STEPS):
        record(D, DI, rows, report, advance, thrust)
        if advance >= stop:
            break
        count = refresh(D, DI, C, CI, features, options, count, advance, everything, report)
        everything = np.bool_(False)
        members, active = link(DI, CI, count)
        if members == 0:
            thrust = 0.0
            everything = np.bool_(True)
            advance = pusher_meeting(D, DI, features, advance, stop)
            continue
        h = stop - advance
        i = DI[0, MEMBER]
        lone = members == 1 and active == 1 and features[CI[CI[0, ORDER], FEATURE], 0] == 0.0
        if not lone or D[i, PULL] != 0.0 or D[i, PULL + 1] != 0.0:
            h = min(h, options[STEP])
        # what the last velocities would meet: most events are foreseen, and cost no second solution
        fraction, count = new_contacts(D, DI, C, CI, features, options, count, h, advance)
        members, active = link(DI, CI, count)
        if fraction <= 1.0:
            h = max(h * fraction, SHORTEST)
        if members > 1:
            h = min(h, options[STEP])
        for i in range(n):
            DI[i, MOVING] = 0
            if DI[i, DEPTH] < 0:
                D[i, VEL] = D[i, VEL + 1] = D[i, VEL + 2] = 0.0
        # solve; shorten until neither a new contact nor an edge crossing lies inside the step
        halved = 0
        spread = 0
        falling = -1
        solved = loosely = False
        for _attempt in range(100):
            if report[ITERATIONS] + report[INNER] > MOST_ITERATIONS:
                solved = False
                break
            for k in range(members):
                load_patch(
                    D, DI, P, outline, DI[k, MEMBER], h, int(options[CIRCLE]),
                    nodes, node_weights, store, weights, shares,
                )  # fmt: skip
            residual = solve_step(
                D,
                DI,
                P,
                C,
                CI,
                M,
                S,
                SI,
                lists,
                features,
                members,
                active,
                h,
                advance,
                options[TOLERANCE],
                report,
                halved < 2,
                force_scale,
            )
            solved = residual <= options[TOLERANCE]  # False for nan
            if not solved:
                usable = residual <= LOOSE
                if (halved < 2 or (not usable and halved < 10)) and h > SHORTEST:
                    halved += 1
                    h *= 0.25
                    continue
                if not usable:
                    break
                solved = True
                loosely = True
            fraction, more = new_contacts(D, DI, C, CI, features, options, count, h, advance)
            if more > count:
                count = more
                members, active = link(DI, CI, count)
            if fraction <= 1.0:
                report[CUTS] += 1
                h = max(h * fraction, SHORTEST)
            elif fraction < 2.0:
                pass
            else:
                cut, falling, depth = first_crossing(D, DI, outline, members, h)
                # (where the last of an arc leaves the board, the margin jumps: then the place is what is located)
                if falling < 0 or depth >= -CROSSING or h * (1.0 - cut) < 0.01 * CROSSING:
                    if spread < 3 and shifted(D, DI, outline, members, h) > SPREADING:
                        spread += 1
                        continue
                    break
                report[CUTS] += 1
                h *= cut
            solved = loosely = False
        if loosely:
            judged = np.zeros(REPORT)
            account(D, DI, P, C, CI, features, members, active, h, advance, judged, force_scale)
            if max(judged[FORCE_ERROR], judged[LAW_ERROR]) > GOOD_ENOUGH * options[TOLERANCE]:
                report[UNCONVERGED] += 1
        if not solved:
            report[STATUS] = JAMMED if jamming(C, CI, active) else STUCK
            break
        thrust = account(D, DI, P, C, CI, features, members, active, h, advance, report, force_scale)
        report[STEPS] += 1
        for k in range(members):
            i = DI[k, MEMBER]
            if DI[i, MOVING]:
                D[i, POSE] += h * D[i, VEL]
                D[i, POSE + 1] += h * D[i, VEL + 1]
                D[i, POSE + 2] += h * D[i, VEL + 2] / D[i, PATCH]
        advance = advance + h if stop - advance - h > 1e-12 else stop
        if falling >= 0:
            t = int(report[FALLS])
            falls[t, 0], falls[t, 1], falls[t, 2], falls[t, 3] = (
                falling,
                D[falling, POSE],
                D[falling, POSE + 1],
                advance,
            )
            report[FALLS] += 1
            DI[falling, ALIVE] = 0
        short = short + 1 if h < 1e-3 else 0
        if short > 500:
            report[STATUS] = STUCK
            break
    report[ADVANCE] = advance
