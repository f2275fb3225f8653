"""A whole push, compiled: steps of the pusher with first contacts and edge crossings located exactly::

    idle       nothing touches the pusher: advance to the first contact
    step       solve; shorten the step to the first new contact or edge crossing inside it
    fall       a disk whose support margin reached 0 is removed at once, the rest goes on

`run_push` is the one entry point.
"""

from __future__ import annotations

import math

import numpy as np

from thrillsim.physics.quasistatic.compiled import entry, inlined, jit
from thrillsim.physics.quasistatic.contacts import (
    FAR,
    LAYERS,
    link,
    new_contacts,
    outgrown,
    pusher_meeting,
    refresh,
)
from thrillsim.physics.quasistatic.crossing import CROSSING, first_crossing
from thrillsim.physics.quasistatic.interior import (
    COLD,
    DRAGS,
    JAM_FORCE,
    PATIENT,
    WARM,
    freeze,
    interior,
    keep,
)
from thrillsim.physics.quasistatic.law import contact_rates, gather_forces, yielding
from thrillsim.physics.quasistatic.newton import FAILED, newton
from thrillsim.physics.quasistatic.options import (
    ADVANCE,
    CALLS,
    CUTS,
    FALLS,
    FORCE_ERROR,
    INNER,
    ITERATIONS,
    JAMMED,
    JUDGED,
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
from thrillsim.physics.quasistatic.patch import points_eval, symmetric
from thrillsim.physics.quasistatic.spread import SPREADING, spread
from thrillsim.physics.quasistatic.state import (
    ALIVE,
    COUNT,
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
    PAST,
    PATCH,
    POSE,
    PULL,
    PUSHER,
    SHAPE,
    SLIP_RATE,
    TURN,
    UNEVEN,
    VEL,
    WALL,
    A,
    B,
)

MOST_STEPS = 20000  #: far more than any push takes
MOST_ITERATIONS = 20000  #: of Newton and the path together; what needs more is given up, and says so
SHORTEST = 1e-6  #: mm; a step that must be shorter than this cannot be taken
#: stages of the interior path: plain Newton may finish after the first, Newton on frozen states after the others
PATH = (1e-6, 1e-7, 1e-9, 1e-10, 1e-11)
EARLY = 1e-2  #: how far the first stage is to settle: Newton finds the rest
SHARP = 1e-9  #: smoothing from which on a point of the path may be a solution as it is
ROUNDING = 1e-9  #: of a direction
SMOOTH = 0.1  #: change of a velocity from step to step, per mm of advance, that is no event
LOOSE = 1e-5  #: smoothing up to which an unpolished step is taken, counted as unconverged


@jit
def account(D, DI, P, C, CI, features, members, active, h, advance, report, at, force_scale):
    """Residuals and power of the step, from column `at` of the report; returns the force on the pusher along x (scaled)."""
    contact_rates(D, C, CI, features, active, h, advance, np.bool_(True))
    gather_forces(D, DI, C, CI, members, active)
    dissipated = 0.0
    for k in range(members):
        i = DI[k, MEMBER]
        if DI[i, MOVING] == 0:
            load = D[i, LOAD]
            f0, f1, f2 = D[i, FORCE] / load, D[i, FORCE + 1] / load, D[i, FORCE + 2] / load
            norm, _ = yielding(D, DI, P, i, f0, f1, f2)
            report[at + FORCE_ERROR] = max(report[at + FORCE_ERROR], (norm - 1.0) * load / force_scale)
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
            report[at + FORCE_ERROR] = max(report[at + FORCE_ERROR], misfit)
            dissipated += (friction - D[i, PULL + j]) * D[i, VEL + j]
    thrust = 0.0
    power = 0.0
    law = report[at + LAW_ERROR]
    for k in range(active):
        c = CI[k, ORDER]
        ln, lt, rn, rt = C[c, LAM], C[c, LAM + 1], C[c, GAP_RATE], C[c, SLIP_RATE]
        law = max(law, -rn, min(abs(rn), abs(ln)), -ln / force_scale, (abs(lt) - C[c, MU] * ln) / force_scale)
        if CI[c, A] == PUSHER:
            thrust += ln * C[c, NORMAL] - lt * C[c, NORMAL + 1]
        dissipated += abs(lt * rt)
        power -= ln * C[c, GAP_TERM]  # work of closing small gaps, spread over the step
    report[at + LAW_ERROR] = law
    power += thrust
    if thrust > 0.0:
        report[at + POWER_ERROR] = max(report[at + POWER_ERROR], abs(power - dissipated) / thrust)
    return thrust


@jit
def doubt(D, DI, P, C, CI, features, members, active, h, advance, report, force_scale):
    """Largest residual of a step that is not taken yet."""
    report[JUDGED + FORCE_ERROR] = report[JUDGED + LAW_ERROR] = 0.0
    account(D, DI, P, C, CI, features, members, active, h, advance, report, np.int64(JUDGED), force_scale)
    return max(report[JUDGED + FORCE_ERROR], report[JUDGED + LAW_ERROR])


@jit
def jamming(C, CI, active):
    """Whether some contact force has no bound."""
    for k in range(active):
        if not C[CI[k, ORDER], LAM] < JAM_FORCE:
            return True
    return False


@jit
def wedged(C, CI, active):
    """Whether a disk is caught between pusher and wall: the line through both contacts lies in both friction cones.

    Then forces along that line balance each other however large they are, and the pusher shortens it.
    """
    for k in range(active):
        c = CI[k, ORDER]
        if CI[c, A] != PUSHER:
            continue
        for m in range(active):
            d = CI[m, ORDER]
            if CI[d, A] != WALL or CI[d, B] != CI[c, B]:
                continue
            ex, ey = C[c, NORMAL] - C[d, NORMAL], C[c, NORMAL + 1] - C[d, NORMAL + 1]
            inside_both = ex > 0.0
            for which in range(2):
                at, sign = (c, 1.0) if which == 0 else (d, -1.0)
                along = sign * (ex * C[at, NORMAL] + ey * C[at, NORMAL + 1])
                across = abs(ex * C[at, NORMAL + 1] - ey * C[at, NORMAL])
                inside_both = inside_both and across <= C[at, MU] * along + ROUNDING
            if inside_both:
                return True
    return False


@jit
def settled_at(tau):
    """Change of velocities in one iteration at which a stage of the path ends."""
    return max(0.3 * tau, 1e-10)


@inlined
def solve_step(
    D, DI, P, C, CI, system, ground, features, members, active, h, advance, tolerance, report, strict, force_scale
):  # fmt: skip
    """Newton, else the interior path polished by Newton, on one way after the other.  Returns the residual.

    If all that fails and not `strict`, leaves the best point of the path; the residual is then its smoothing.
    """
    report[SOLVES] += 1
    keep(D, DI, C, CI, members, active, np.bool_(False))
    # (plain literals as arguments would have the compiler make a copy of the callee for each)
    residual, iterations = newton(
        D, DI, P, C, CI, system, ground, features, members, active, h, advance, tolerance, np.int64(10), np.bool_(False)
    )  # fmt: skip
    report[ITERATIONS] += iterations
    if residual <= tolerance:
        return residual
    keep(D, DI, C, CI, members, active, np.bool_(True))
    loose, loose_way = FAILED, 0
    for way in range(len(DRAGS)):
        if way > 0 and wedged(C, CI, active):
            return FAILED
        tau = WARM if way == 0 or way == PATIENT else COLD
        for last_tau in PATH:
            early = last_tau == PATH[0]
            roughly = early and DRAGS[way] == 0.0
            report[CALLS] += 1
            tau, moved, iterations = interior(
                D, DI, P, C, CI, system, features, members, active, h, advance, tau, last_tau,
                EARLY if roughly else settled_at(last_tau), np.int64(way),
            )  # fmt: skip
            report[INNER] += iterations
            if tau > last_tau:
                break
            keep(D, DI, C, CI, members, active, np.bool_(False))
            if moved <= tau:
                loose, loose_way = tau, way
            freeze(D, DI, C, CI, members, active, last_tau, early)
            if last_tau <= SHARP:
                residual = doubt(D, DI, P, C, CI, features, members, active, h, advance, report, force_scale)
                if residual <= tolerance:
                    return residual
            for free in range(2):  # who rests and what sticks as the path has it; then left to Newton
                if early and free == 0:
                    continue
                most = 10 if free else 6
                residual, iterations = newton(
                    D, DI, P, C, CI, system, ground, features, members, active, h, advance, tolerance, most, free == 0
                )  # fmt: skip
                report[ITERATIONS] += iterations
                if residual <= tolerance:
                    return residual
                keep(D, DI, C, CI, members, active, np.bool_(True))
            if moved > 3.0 * tau and early != (way == 0):
                break
        if strict and jamming(C, CI, active):  # a long step may find a way out that is none
            return FAILED
    if loose <= LOOSE and not strict:  # walk the path again, to the last stage that settled
        tau = WARM if loose_way == PATIENT else COLD
        for last_tau in PATH:
            if last_tau >= 0.99 * loose:
                tau, moved, iterations = interior(
                    D, DI, P, C, CI, system, features, members, active, h, advance, tau, last_tau,
                    settled_at(last_tau), np.int64(loose_way),
                )  # fmt: skip
    return max(loose, 2.0 * tolerance)


@jit
def remember(D, DI, last, h):
    """Keep velocities and, where they turned smoothly since the last step, how fast they do."""
    for i in range(len(D)):
        smooth = DI[i, MOVING] != 0 and last > 0.0
        for j in range(3):
            smooth = smooth and abs(D[i, VEL + j] - D[i, PAST + j]) < SMOOTH
        for j in range(3):
            D[i, TURN + j] = (D[i, VEL + j] - D[i, PAST + j]) / (0.5 * (last + h)) if smooth else 0.0
            D[i, PAST + j] = D[i, VEL + j]


@jit
def foresee(D, DI, members, last, h):
    """Start the step from the velocities that the disks will have half-way if they go on turning as they did."""
    for k in range(members):
        i = DI[k, MEMBER]
        for j in range(3):
            change = 0.5 * (last + h) * D[i, TURN + j]
            if abs(change) < SMOOTH:
                D[i, VEL + j] += change


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


@entry
def run_push(D, DI, P, C, CI, system, ground, features, options, falls, rows, report):
    """Carry out one push on prepared arrays.

    `system`: room for the linear system; `ground`: the board's outline, and what it takes to spread a load on it.
    `falls` (n, 4) gets disk, x, y, advance in order; `rows` (t, n + 1, 4) the trace, if it has room.
    """
    n = len(D)
    outline = ground[0]
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
    last = 0.0
    everything = np.bool_(True)
    for _step in range(MOST_STEPS):
        record(D, DI, rows, report, advance, thrust)
        if advance >= stop:
            break
        count = refresh(D, DI, C, CI, features, options, count, advance, everything, report)
        everything = np.bool_(False)
        layers = np.int64(LAYERS)
        members, active = link(D, DI, C, CI, system, count, layers, np.bool_(False))
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
        foresee(D, DI, members, last, h)
        # what these velocities would meet: most events are foreseen, and cost no second solution
        fraction, more = new_contacts(D, DI, C, CI, features, options, count, h, advance)
        if more > count:
            count = more
            members, active = link(D, DI, C, CI, system, count, layers, np.bool_(True))
        if fraction <= 1.0:
            h = max(h * fraction, SHORTEST)
        if members > 1:
            h = min(h, options[STEP])
        # solve; shorten until neither a new contact nor an edge crossing lies inside the step
        halved = 0
        falling = -1
        solved = loosely = False
        # settled: solved, with no event inside; but its loads may have been spread elsewhere
        settled = np.bool_(False)
        again = 0
        for _attempt in range(100):
            if settled and again == 3:
                break
            elsewhere = spread(D, DI, P, ground, members, h, SPREADING if settled else 0.0)
            if settled:
                if not elsewhere:
                    break
                again += 1
                settled = np.bool_(False)
            if report[ITERATIONS] + report[INNER] > MOST_ITERATIONS:
                solved = False
                break
            residual = solve_step(
                D, DI, P, C, CI, system, ground, features, members, active, h, advance, options[TOLERANCE], report,
                halved < 2, force_scale,
            )  # fmt: skip
            solved = residual <= options[TOLERANCE]  # False for nan
            if not solved:
                usable = residual <= LOOSE
                if (halved < 2 or (not usable and halved < 10)) and h > SHORTEST:
                    halved += 1
                    h *= 0.25
                    if halved > 2 and layers < FAR:  # perhaps a disk far behind has to give way
                        layers = np.int64(FAR)
                        members, active = link(D, DI, C, CI, system, count, layers, np.bool_(True))
                    continue
                if not usable:
                    break
                solved = True
                loosely = True
            if outgrown(D, DI, CI, count):
                members, active = link(D, DI, C, CI, system, count, layers, np.bool_(True))
                solved = loosely = False
                continue
            fraction, more = new_contacts(D, DI, C, CI, features, options, count, h, advance)
            if more > count:
                count = more
                members, active = link(D, DI, C, CI, system, count, layers, np.bool_(True))
            if fraction <= 1.0:
                report[CUTS] += 1
                h = max(h * fraction, SHORTEST)
            elif fraction < 2.0:
                pass
            else:
                cut, falling, depth = first_crossing(D, DI, outline, members, h)
                # (where the last of an arc leaves the board, the margin jumps: then the place is what is located)
                if falling < 0 or depth >= -CROSSING or h * (1.0 - cut) < 0.01 * CROSSING:
                    settled = np.bool_(True)
                    continue
                report[CUTS] += 1
                h *= cut
            solved = loosely = False
        if loosely:
            residual = doubt(D, DI, P, C, CI, features, members, active, h, advance, report, force_scale)
            if residual > options[TOLERANCE]:
                report[UNCONVERGED] += 1
        if not solved:
            jam = jamming(C, CI, active)
            for k in range(members):  # (what was tried last may be a wreck)
                i = DI[k, MEMBER]
                D[i, VEL] = D[i, VEL + 1] = D[i, VEL + 2] = 0.0
            contact_rates(D, C, CI, features, active, h, advance, np.bool_(True))
            report[STATUS] = JAMMED if jam or wedged(C, CI, active) else STUCK
            break
        thrust = account(
            D, DI, P, C, CI, features, members, active, h, advance, report, np.int64(0), force_scale
        )
        report[STEPS] += 1
        remember(D, DI, last, h)
        last = h
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
