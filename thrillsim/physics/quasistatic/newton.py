"""A step by Newton's method: which velocities and contact forces.  Compiled.

Unknown are the velocities of the disks linked to the pusher and the forces of their contacts, such that
friction with the board, no penetration and Coulomb's law at the rims hold together.  Primal-dual and
semismooth: velocities, board forces and contact forces are all kept from step to step, so it is warm.
"""

from __future__ import annotations

import math

import numpy as np

from thrillsim.physics.quasistatic.compiled import jit
from thrillsim.physics.quasistatic.law import (
    at_rest,
    branch,
    comply,
    contact_rates,
    gather_forces,
    moves,
    present_velocity,
)
from thrillsim.physics.quasistatic.linear import add_unknown, assemble, eliminate, start_row
from thrillsim.physics.quasistatic.spread import SPREADING, spread
from thrillsim.physics.quasistatic.state import (
    AXIS,
    BASE,
    BODY_A,
    COL,
    COMP,
    DIAG,
    FORCE,
    GAP_RATE,
    GAP_TERM,
    GRAD,
    HAS,
    HELD,
    LAM,
    LENGTH,
    LOAD,
    MEMBER,
    MOVING,
    MU,
    NORMAL,
    OLD,
    OPEN,
    ORDER,
    PATCH,
    PUSHER,
    RHS,
    RIM,
    ROW,
    SIDE_RATE,
    SLIP_MINUS,
    SLIP_PLUS,
    SLIP_RATE,
    STATE,
    STICK,
    USED,
    VEL,
    WALL,
    A,
    B,
)

#: residual of an iteration that blew up
FAILED = 1e30
#: contact force, in sliding resistances of a disk, that is no force any more
WILD = 1e9
#: residuals from which it does not find back: at any time but after the first iteration, and after a few
LOST, ASTRAY = 0.5, 0.1
#: weight of the regularisation along a disk's own motion: largest, smallest, and per residual
ETA = 0.3
ETA_LEAST = 2e-5
ETA_SLOPE = 0.3
#: compliance of unsettled forces: largest, smallest, and per residual
GIVE = 1e-4
GIVE_LEAST = 1e-7
GIVE_SLOPE = 1e-3
#: weight, on frozen states, of the forces as they were
NEAR = 1e-7
#: residual below which the turning of the normals within the step enters the iteration
NEARBY = 0.5
#: residual below which the loads are spread again in every iteration
SETTLING = 0.3
#: mm per residual: how far a disk may be from where its load was spread
ASIDE = 1e-3
#: how little a sliding contact may slip against its friction, or lack of that, and go on sliding
GOES_ON = 1e-9
#: share of its resistance that a disk at rest may use and still count as calm
CALM = 0.97


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
def goes_on(state, ln, lt, rt, mu):
    """Whether a sliding contact slides on: its friction is at the bound, and it does not slip against it.

    Between disks that hardly move the slip is rounding.  Judged by it, the contact would let go and be caught again,
    in turn with a disk or contact that it holds.
    """
    bound = (1.0 - GOES_ON) * mu * ln
    if state == SLIP_PLUS:
        return lt >= bound and rt <= GOES_ON
    return state == SLIP_MINUS and -lt >= bound and -rt <= GOES_ON


@jit
def judge(D, DI, C, CI, count, frozen):
    """State of every active contact (kept if `frozen`); returns the largest violation of the contact laws."""
    worst = 0.0
    for k in range(count):
        c = CI[k, ORDER]
        ln, lt = C[c, LAM], C[c, LAM + 1]
        rn, rt, mu = C[c, GAP_RATE], C[c, SLIP_RATE], C[c, MU]
        if not abs(ln) + abs(lt) < WILD:
            return FAILED
        worst = max(worst, -rn, abs(lt) - mu * ln)
        if not frozen:
            trial = ln - rn / rim_compliance(D, DI, C, CI, c, np.int64(0))
            if trial <= 0.0:
                CI[c, STATE] = OPEN
                worst = max(worst, min(abs(ln), 1.0))
                C[c, LAM] = C[c, LAM + 1] = 0.0
            elif mu == 0.0:
                CI[c, STATE] = SLIP_PLUS
            elif not goes_on(CI[c, STATE], ln, lt, rt, mu):
                trial_t = lt - rt / rim_compliance(D, DI, C, CI, c, np.int64(1))
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
def misfit(C, CI, count):
    """Largest violation of the contact laws as far as it can be told without the contacts' states."""
    worst = 0.0
    for k in range(count):
        c = CI[k, ORDER]
        worst = max(worst, -C[c, GAP_RATE], min(abs(C[c, GAP_RATE]), C[c, LAM]))
    return worst


@jit
def velocities(D, DI, members, give):
    """New velocities of the members from what their forces have changed by."""
    for k in range(members):
        i = DI[k, MEMBER]
        if DI[i, MOVING] == 0:
            D[i, VEL] = D[i, VEL + 1] = D[i, VEL + 2] = 0.0
            continue
        f0, f1, f2 = D[i, FORCE] - D[i, OLD], D[i, FORCE + 1] - D[i, OLD + 1], D[i, FORCE + 2] - D[i, OLD + 2]
        share = give / D[i, LOAD]
        along = 0.0
        for j in range(3):
            at = COMP + 3 * j
            v = D[i, BASE + j] + D[i, at] * f0 + D[i, at + 1] * f1 + D[i, at + 2] * f2
            v -= share * (D[i, FORCE + j] - D[i, OLD + j])  # the give is no motion
            D[i, VEL + j] = v
            along += v * D[i, GRAD + j]
        if along <= 0.0:  # friction would drive it: let its force decide whether it rests
            D[i, VEL] = D[i, VEL + 1] = D[i, VEL + 2] = 0.0


@jit
def turn_forces(D, S, SI, count):
    """Add to the disks' forces what the turning of the normals changes in them."""
    for k in range(count):
        if SI[k, USED] and SI[k, HAS + 2]:
            for side in range(2):
                i = SI[k, BODY_A + side]
                if i >= 0:
                    for j in range(3):
                        D[i, FORCE + j] += S[k, COL + 9 * side + 3 * j + 2] * S[k, RHS + 2]


@jit
def calm(D, DI, i):
    """Whether disk i rests well inside its limit surface."""
    if i < 0:
        return i == WALL
    if DI[i, MOVING] != 0:
        return False
    f0, f1, f2 = D[i, FORCE], D[i, FORCE + 1], D[i, FORCE + 2]
    return math.sqrt(f0 * f0 + f1 * f1) + 1.6 * abs(f2) < CALM * D[i, LOAD]


@jit
def settle_friction(D, DI, C, CI, count, frozen):
    """Put the friction of every contact where its state wants it: at its bound, or within.

    A contact between calm disks is held: its force stays.  So is one on frozen states if its disks have come to rest.
    """
    for k in range(count):
        c = CI[k, ORDER]
        a, b = CI[c, A], CI[c, B]
        if CI[c, STATE] != OPEN:
            if at_rest(DI, a, b) if frozen else calm(D, DI, b) and calm(D, DI, a):
                CI[c, STATE] = HELD
        state, bound = CI[c, STATE], C[c, MU] * C[c, LAM]
        if state == SLIP_PLUS:
            C[c, LAM + 1] = bound
        elif state == SLIP_MINUS:
            C[c, LAM + 1] = -bound
        elif state == HELD:
            C[c, LAM + 1] = max(-bound, min(bound, C[c, LAM + 1]))


@jit
def newton(D, DI, P, C, CI, system, ground, features, members, count, h, advance, tolerance, most, frozen):
    """Iterate to the solution of the step.  Returns (residual, iterations); FAILED if it blew up.

    If `frozen`, who rests, and which contacts stick, slip or are open, is taken from the interior path.

    The residual is the largest violation of any law: relative force (of the disk's own sliding
    resistance) or rate (in units of the pusher's speed).
    """
    M, S, SI, _lists, _above, place = system
    worst = FAILED
    for iteration in range(most + 1):
        if iteration == 0:
            spread(D, DI, P, ground, members, h, SPREADING)
        elif worst < SETTLING:
            spread(D, DI, P, ground, members, h, max(SPREADING, ASIDE * worst))
        contact_rates(D, C, CI, features, count, h, advance, np.bool_(True))
        for k in range(count):
            c = CI[k, ORDER]
            b = CI[c, B]
            if CI[c, A] == PUSHER and C[c, GAP_RATE] < -1e-6 and not moves(D, b):
                kick(D, DI, C, CI, c)
                contact_rates(D, C, CI, features, count, h, advance, np.bool_(True))
        gather_forces(D, DI, C, CI, members, count)
        worst = misfit(C, CI, count)
        for k in range(members):
            i = DI[k, MEMBER]
            worst = max(worst, branch(D, DI, P, i, frozen))
        eta = max(ETA_LEAST, min(ETA, ETA_SLOPE * worst))
        give = 0.0 if frozen else max(GIVE_LEAST, min(GIVE, GIVE_SLOPE * worst))
        for k in range(members):
            comply(D, DI, DI[k, MEMBER], eta, min(1.0, worst), give)
        worst = max(worst, judge(D, DI, C, CI, count, frozen))
        if not worst < 1e12:
            return FAILED, iteration
        if worst <= tolerance or iteration == most or (frozen and iteration > 3 and worst > 1e-6):
            return worst, iteration
        if not frozen and ((iteration != 1 and worst > LOST) or (iteration > 3 and worst > ASTRAY)):
            return worst, iteration
        turns = worst < NEARBY
        settle_friction(D, DI, C, CI, count, frozen)
        gather_forces(D, DI, C, CI, members, count)
        for k in range(members):
            i = DI[k, MEMBER]
            for j in range(3):
                D[i, OLD + j] = D[i, FORCE + j]
            present_velocity(D, DI, i, give)
        for k in range(count):
            c = CI[k, ORDER]
            state = CI[c, STATE]
            used = state != OPEN and state != HELD
            start_row(CI, S, SI, k, used)
            if not used:
                continue
            add_unknown(D, C, CI, S, SI, k, np.int64(0), h)
            push = 1.0 if CI[c, A] == PUSHER else 0.0
            nx, ny = C[c, NORMAL], C[c, NORMAL + 1]
            S[k, RHS] = push * nx - C[c, GAP_TERM]
            if state == STICK:
                add_unknown(D, C, CI, S, SI, k, np.int64(1), h)
                S[k, RHS + 1] = -push * ny
            if turns and C[c, LENGTH] > 0.0:
                # the distance after the step answers along the normal at its end, not at its middle
                f = h * C[c, SIDE_RATE] / (2.0 * C[c, LENGTH])
                S[k, ROW] += f * ny
                S[k, ROW + 1] -= f * nx
                S[k, ROW + 9] -= f * ny
                S[k, ROW + 10] += f * nx
                S[k, RHS] += f * (C[c, SIDE_RATE] - push * ny)
                add_unknown(D, C, CI, S, SI, k, np.int64(2), h)
                S[k, RHS + 2] = C[c, SIDE_RATE] - push * ny
        assemble(D, DI, system, count, turns)
        for k in range(count):
            if SI[k, USED] == 0:
                continue
            b = place[k * count + k]
            if SI[k, HAS + 2]:
                M[b, 8] -= 1.0
            # what the motion leaves open of the forces stays as the path has it
            for kind in range(2):
                if frozen and SI[k, HAS + kind]:
                    M[b, 4 * kind] += NEAR * S[k, DIAG + kind]
        eliminate(system, count, turns)
        for k in range(count):
            if SI[k, USED] == 0:
                continue
            c = CI[k, ORDER]
            state = CI[c, STATE]
            C[c, LAM] += S[k, RHS]
            if state == STICK:
                C[c, LAM + 1] += S[k, RHS + 1]
            elif state == SLIP_PLUS:
                C[c, LAM + 1] = C[c, MU] * C[c, LAM]
            else:
                C[c, LAM + 1] = -C[c, MU] * C[c, LAM]
        gather_forces(D, DI, C, CI, members, count)
        turn_forces(D, S, SI, count)
        velocities(D, DI, members, give)
    return worst, most
