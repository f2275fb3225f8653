"""Who touches whom: contacts at the start of a step, the graph linked to the pusher, meetings inside a step.  Compiled.

A feature is a wall or pusher edge or corner, a row of `features`:
kind (0 edge, 1 corner), x1, y1, x2, y2, moves with the pusher?, and for a corner its two edges.
The free side is left of an edge.
"""

from __future__ import annotations

import math

import numpy as np

from thrillsim.physics.quasistatic.compiled import jit
from thrillsim.physics.quasistatic.law import moves
from thrillsim.physics.quasistatic.linear import analyse
from thrillsim.physics.quasistatic.options import FRONT, OVERLAP, PUSHER_MU, RAIL_MU, RIM_MU, SNAP, SOFT
from thrillsim.physics.quasistatic.state import (
    ALIVE,
    DEGREE,
    EXCESS,
    FEATURE,
    GROUP,
    LAM,
    LINKED,
    LOAD,
    MEMBER,
    MOVING,
    MU,
    OPEN,
    ORDER,
    POSE,
    PUSHER,
    REST,
    RIM,
    STATE,
    VEL,
    WALL,
    A,
    B,
)

#: mm; less than this below zero is rounding, not a meeting
TOUCHING = 1e-9
#: disks at rest that are taken along behind one that moves
LAYERS = 2
#: contact force, in loads of the disk behind, from which on that disk is needed for support
CARRIES = 1.0
#: more layers than there are disks
FAR = 1 << 30


@jit
def feature_gap(features, f, x, y, rim, advance):
    """Gap and distance of a disk to a feature; gap 1e9 where another feature of the same outline is nearer."""
    x1, y1 = features[f, 1], features[f, 2]
    if features[f, 5] != 0.0:
        x -= advance
    dx, dy = x - x1, y - y1
    if features[f, 0] == 0.0:
        ex, ey = features[f, 3] - x1, features[f, 4] - y1
        length = math.sqrt(ex * ex + ey * ey)
        along = dx * ex + dy * ey
        side = (dy * ex - dx * ey) / length
        if along < 0.0 or along > length * length or side < -rim:
            return 1e9, 0.0
        return side - rim, side
    distance = math.sqrt(dx * dx + dy * dy)
    if distance > rim + 10.0:
        return distance - rim, distance
    for which in range(6, 8):
        s = int(features[f, which])
        if s >= 0:
            ex, ey = features[s, 3] - features[s, 1], features[s, 4] - features[s, 2]
            along = (x - features[s, 1]) * ex + (y - features[s, 2]) * ey
            if 0.0 <= along <= ex * ex + ey * ey:
                return 1e9, 0.0
    return distance - rim, distance


@jit
def known(CI, count, a, b, feature):
    """Whether the pair is among the first `count` contacts."""
    for c in range(count):
        if CI[c, B] == b and CI[c, A] == a and CI[c, FEATURE] == feature:
            return True
    return False


@jit
def set_distance(C, features, c, feature, gap, distance, snap):
    """What the contact is to keep in this step: its distance if it touches, else a closed gap.

    An overlap that the layout came with is kept too, never grown.
    """
    target = distance if gap <= snap else distance - gap
    if feature >= 0 and features[feature, 0] == 0.0:
        C[c, EXCESS] = distance - target
    else:
        C[c, EXCESS] = distance * distance - target * target


@jit
def add_contact(C, CI, features, options, count, a, b, feature, gap, distance):
    """Append a contact; returns the new count (unchanged when there is no room)."""
    if count >= len(CI):
        return count
    CI[count, A], CI[count, B], CI[count, FEATURE], CI[count, STATE] = a, b, feature, OPEN
    if a >= 0:
        C[count, MU] = options[RIM_MU]
    elif a == PUSHER:
        C[count, MU] = options[PUSHER_MU]
    else:
        C[count, MU] = options[RAIL_MU]
    C[count, LAM] = C[count, LAM + 1] = 0.0
    set_distance(C, features, count, feature, gap, distance, options[SNAP])
    return count + 1


@jit
def refresh(D, DI, C, CI, features, options, count, advance, everything, report):
    """Contacts at the start of a step: those known that still touch (forces kept), and new ones.

    Only pairs with a disk that just moved can have changed, unless `everything`.
    """
    n = len(D)
    snap = options[SNAP]
    kept = np.int64(0)
    for c in range(count):
        a, b, f = CI[c, A], CI[c, B], CI[c, FEATURE]
        if DI[b, ALIVE] == 0 or (a >= 0 and DI[a, ALIVE] == 0):
            continue
        if a >= 0:
            dx, dy = D[b, POSE] - D[a, POSE], D[b, POSE + 1] - D[a, POSE + 1]
            distance = math.sqrt(dx * dx + dy * dy)
            gap = distance - D[a, RIM] - D[b, RIM]
        else:
            gap, distance = feature_gap(features, f, D[b, POSE], D[b, POSE + 1], D[b, RIM], advance)
        if gap > options[SOFT] or (gap > snap and C[c, LAM] == 0.0):
            continue
        report[OVERLAP] = max(report[OVERLAP], -gap)
        if kept < c:
            C[kept, LAM], C[kept, LAM + 1], C[kept, MU] = C[c, LAM], C[c, LAM + 1], C[c, MU]
            CI[kept, A], CI[kept, B], CI[kept, FEATURE], CI[kept, STATE] = a, b, f, CI[c, STATE]
        set_distance(C, features, kept, f, gap, distance, snap)
        kept += 1
    count = kept
    for b in range(n):
        if DI[b, ALIVE] == 0:
            continue
        fresh = everything or DI[b, MOVING] != 0
        x, y, rim = D[b, POSE], D[b, POSE + 1], D[b, RIM]
        for a in range(b):
            if not fresh and DI[a, MOVING] == 0:
                continue
            dx = x - D[a, POSE]
            reach = rim + D[a, RIM] + snap
            if dx > reach or dx < -reach:
                continue
            dy = y - D[a, POSE + 1]
            squared = dx * dx + dy * dy
            if squared < reach * reach and DI[a, ALIVE] != 0 and not known(CI, kept, a, b, np.int64(-1)):
                distance = math.sqrt(squared)
                gap = distance - rim - D[a, RIM]
                report[OVERLAP] = max(report[OVERLAP], -gap)
                count = add_contact(C, CI, features, options, count, a, b, np.int64(-1), gap, distance)
        near = x - rim < options[FRONT] + advance + 1.0
        for f in range(len(features)):
            pusher = features[f, 5] != 0.0
            if (pusher and not near) or not (pusher or fresh):
                continue
            gap, distance = feature_gap(features, f, x, y, rim, advance)
            a = PUSHER if pusher else WALL
            if gap < snap and not known(CI, kept, a, b, f):
                report[OVERLAP] = max(report[OVERLAP], -gap)
                count = add_contact(C, CI, features, options, count, a, b, f, gap, distance)
    return count


@jit
def group_of(DI, i):
    """The group that disk i has been merged into."""
    while DI[i, GROUP] != i:
        i = DI[i, GROUP]
    return i


@jit
def order_contacts(DI, CI, members, active):
    """Sort the active contacts (column ORDER) for elimination with little fill: minimum degree.

    Eliminating the force of a contact ties its two disks together: all contacts of the one then touch all of the
    other.  So the contact to go next is the one between the two groups of disks that have the fewest contacts.
    """
    for k in range(members):
        i = DI[k, MEMBER]
        DI[i, GROUP], DI[i, DEGREE] = i, 0
    for k in range(active):
        for side in range(2):
            i = CI[CI[k, ORDER], A + side]
            if i >= 0:
                DI[i, DEGREE] += 1
    for first in range(active):
        best, least = first, 1 << 30
        for k in range(first, active):
            c = CI[k, ORDER]
            degree = 0
            for side in range(2):
                i = CI[c, A + side]
                if i >= 0:
                    degree += DI[group_of(DI, i), DEGREE]
            if degree < least:
                best, least = k, degree
        c = CI[best, ORDER]
        for k in range(best, first, -1):
            CI[k, ORDER] = CI[k - 1, ORDER]
        CI[first, ORDER] = c
        b = group_of(DI, CI[c, B])
        DI[b, DEGREE] -= 1
        if CI[c, A] >= 0:
            a = group_of(DI, CI[c, A])
            DI[a, DEGREE] -= 1
            if a != b:
                DI[b, GROUP] = a
                DI[a, DEGREE] += DI[b, DEGREE]


@jit
def near_movers(D, DI, C, CI, count, layers, more):
    """Column REST: how many disks at rest, itself included, lie between a disk and the next that moves.

    If `more`, disks that are linked already count as near enough.
    """
    for i in range(len(DI)):
        DI[i, REST] = layers if more and DI[i, LINKED] != 0 else FAR
    changed = True
    while changed:
        changed = False
        for c in range(count):
            a, b = CI[c, A], CI[c, B]
            for side in range(2):
                if side == 0:
                    i, j = a, b
                elif a >= 0:
                    i, j = b, a
                else:
                    continue
                near = 0 if i == PUSHER else (DI[i, REST] if i >= 0 else FAR)
                if near > layers:
                    continue
                if moves(D, j):
                    near = 0
                elif near == 0 or C[c, LAM] < CARRIES * D[j, LOAD]:
                    near += 1
                if near < DI[j, REST]:
                    DI[j, REST] = near
                    changed = True


@jit
def link(D, DI, C, CI, system, count, layers, more):
    """Disks that may move, and their contacts in the order in which their forces are eliminated.

    These are the disks linked to the pusher, but of those at rest only the first layers.  If `more`, to those of
    the last time: where several solutions exist, leaving out and taking in could go on for ever.
    Returns (members, active contacts).
    """
    near_movers(D, DI, C, CI, count, layers, more)
    for i in range(len(DI)):
        DI[i, LINKED] = 0
    members = np.int64(0)
    for c in range(count):
        b = CI[c, B]
        if CI[c, A] == PUSHER and DI[b, LINKED] == 0:
            DI[b, LINKED] = 1
            DI[members, MEMBER] = b
            members += 1
    first = 0
    while first < members:
        i = DI[first, MEMBER]
        first += 1
        for c in range(count):
            a, b = CI[c, A], CI[c, B]
            j = -1
            if a == i:
                j = b
            elif b == i and a >= 0:
                j = a
            if j >= 0 and DI[j, LINKED] == 0 and DI[j, REST] <= layers:
                DI[j, LINKED] = 1
                DI[members, MEMBER] = j
                members += 1
    for i in range(len(DI)):
        if DI[i, LINKED] == 0:
            DI[i, MOVING] = 0
            D[i, VEL] = D[i, VEL + 1] = D[i, VEL + 2] = 0.0
    active = np.int64(0)
    for c in range(count):
        a = CI[c, A]
        if DI[CI[c, B], LINKED] != 0 and (a < 0 or DI[a, LINKED] != 0):
            CI[active, ORDER] = c
            active += 1
        else:
            C[c, LAM] = C[c, LAM + 1] = 0.0
    order_contacts(DI, CI, members, active)
    analyse(DI, CI, system, members, active)
    return members, active


@jit
def outgrown(D, DI, CI, count):
    """Whether a disk that moves touches one that was left out."""
    for c in range(count):
        a, b = CI[c, A], CI[c, B]
        if a >= 0 and DI[a, LINKED] != DI[b, LINKED]:
            if moves(D, a if DI[b, LINKED] == 0 else b):
                return True
    return False


@jit
def meeting(dx, dy, ux, uy, reach):
    """Smallest s in [0, 1] at which the length of d + s u is `reach` while closing; 2 if there is none."""
    closing = dx * ux + dy * uy
    if closing >= 0.0:
        return 2.0
    c = dx * dx + dy * dy - reach * reach
    if c <= 0.0:
        return 0.0
    root = closing * closing - (ux * ux + uy * uy) * c
    if root < 0.0:
        return 2.0
    s = c / (math.sqrt(root) - closing)
    return s if s <= 1.0 else 2.0


@jit
def nearest_feature(features, CI, count, a, b, x, y, rim, advance):
    """Feature of the walls or the pusher nearest to disk b that is not in contact with it.  Returns (it, gap, distance).

    Of them all: a disk that passes the end of a wall meets the wall first, its corner afterwards.
    """
    nearest, least, distance = -1, 1e9, 0.0
    for f in range(len(features)):
        if (features[f, 5] != 0.0) == (a == PUSHER):
            gap, d = feature_gap(features, f, x, y, rim, advance)
            if gap < least and not known(CI, count, a, b, f):
                nearest, least, distance = f, gap, d
    return nearest, least, distance


@jit
def new_contacts(D, DI, C, CI, features, options, count, h, advance):
    """First meeting inside the step of a pair that is no contact yet.

    Pairs that are close from the start are added as contacts to be closed within the step; the others
    end the step just before they meet.  Returns (fraction of the step to keep, contacts now); the
    fraction is 1.5 if contacts were added only, 2 if nothing meets.
    """
    soft = options[SOFT]
    first = 2.0
    old = count
    n = len(D)
    for b in range(n):
        if DI[b, ALIVE] == 0:
            continue
        x, y, rim = D[b, POSE], D[b, POSE + 1], D[b, RIM]
        moving = DI[b, MOVING] != 0
        back = min(0.0, h * D[b, VEL]) if moving else 0.0
        near = x + back - rim < options[FRONT] + advance + h + 1e-6
        if not moving and not near:
            continue
        ux, uy = h * D[b, VEL], h * D[b, VEL + 1]
        if moving:
            for a in range(n):
                if a == b or DI[a, ALIVE] == 0 or (DI[a, MOVING] != 0 and a > b):
                    continue
                dx, dy = x - D[a, POSE], y - D[a, POSE + 1]
                vx, vy = ux, uy
                if DI[a, MOVING] != 0:
                    vx -= h * D[a, VEL]
                    vy -= h * D[a, VEL + 1]
                if dx * vx + dy * vy >= 0.0:
                    continue
                reach = rim + D[a, RIM]
                if meeting(dx, dy, vx, vy, reach) > 1.0 or known(CI, old, min(a, b), max(a, b), np.int64(-1)):
                    continue
                low, high = min(a, b), max(a, b)
                distance = math.sqrt(dx * dx + dy * dy)
                if distance - reach <= soft:
                    count = add_contact(
                        C, CI, features, options, count, low, high, np.int64(-1), distance - reach, distance
                    )
                    first = min(first, 1.5)
                else:
                    first = min(first, meeting(dx, dy, vx, vy, reach + 0.5 * soft))
        for f in range(len(features)):
            pusher = features[f, 5] != 0.0
            if (pusher and not near) or not (pusher or moving):
                continue
            shift = h if pusher else 0.0
            end, _ = feature_gap(features, f, x + ux, y + uy, rim, advance + shift)
            if end >= -TOUCHING:
                continue
            a = PUSHER if pusher else WALL
            if known(CI, old, a, b, f):
                continue
            nearest, gap, distance = nearest_feature(features, CI, old, a, b, x, y, rim, advance)
            if gap <= soft:
                if not known(CI, count, a, b, nearest):
                    count = add_contact(C, CI, features, options, count, a, b, nearest, gap, distance)
                    first = min(first, 1.5)
                continue
            low_s, high_s = 0.0, 1.0  # apart at the first, together at the second
            for _bisection in range(40):
                s = 0.5 * (low_s + high_s)
                _, gap, _ = nearest_feature(
                    features, CI, old, a, b, x + s * ux, y + s * uy, rim, advance + s * shift
                )
                if gap > 0.5 * soft:
                    low_s = s
                else:
                    high_s = s
            first = min(first, high_s)
    return first, count


@jit
def pusher_meeting(D, DI, features, advance, stop):
    """Advance at which the pusher first touches a disk while nothing moves, at most `stop`."""
    best = stop
    for b in range(len(D)):
        if DI[b, ALIVE] == 0:
            continue
        at = advance
        for _ in range(200):
            nearest = 1e9
            for f in range(len(features)):
                if features[f, 5] != 0.0:
                    gap, _ = feature_gap(features, f, D[b, POSE], D[b, POSE + 1], D[b, RIM], at)
                    nearest = min(nearest, gap)
            if nearest <= 1e-9 or at >= best:
                break
            at += nearest
        best = min(best, at)
    return best
