"""An independent referee of one step: a cone program (Clarabel) built from positions alone.

Nothing of the engine is used but its trace.  Of a step from poses p to p' over the advance h:

* normals are those of the middle of the step, gaps those that the step has to keep or may close;
* the friction of a patch is a sum over many points, one cone each (`pressure_points`, which know about
  overhang and the weight);
* `velocities` minimises the power; with rim friction it repeats with the bounds mu times the last normal
  forces (Tresca) until the velocities settle, which they need not;
* `misfit` asks the reverse: given the velocities, is there any set of contact forces that obeys all laws?
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import clarabel
import numpy as np
from scipy import sparse

from thrillsim.board import Board, Patch
from thrillsim.physics import PushResult, Trace
from thrillsim.physics.friction import patch_friction
from thrillsim.physics.pressure import patch_points, pressure_points
from thrillsim.physics.quasistatic.spread import SMALLEST
from thrillsim.physics.weight import weighted_load

CLOSED = 2e-4  #: mm: a gap that counts as closed
REACH = 0.5  #: mm: pairs further apart are left out (no step moves anything that far)
POINTS = 64


@dataclass
class Contact:
    """Body b against body a (-1: fixed, -2: pusher)."""

    a: int
    b: int
    normal: np.ndarray
    gap: float  #: per advance
    mu: float


@dataclass
class Step:
    """One step of a trace as the referee sees it."""

    board: Board
    disks: list[int]  #: indices into the layout, those standing and linked
    kinds: list[int]
    velocity: np.ndarray  #: (m, 3) ux, uy, spin (rad) per advance
    rims: np.ndarray
    loads: np.ndarray  #: mu_b W
    points: list[tuple[np.ndarray, np.ndarray]]  #: (k, 2), (k,) of each disk
    sizes: list[np.ndarray]  #: (k,) mm², mean square size of the piece of the patch each point stands for
    even: list[bool]
    contacts: list[Contact]
    thrust: float  #: force on the pusher by the trace


def segment_contact(x, y, r, wall):
    """Distance and unit normal from a wall (or its end) to the disk's centre."""
    ax, ay, bx, by = wall
    ex, ey = bx - ax, by - ay
    t = min(max(((x - ax) * ex + (y - ay) * ey) / (ex * ex + ey * ey), 0.0), 1.0)
    dx, dy = x - ax - t * ex, y - ay - t * ey
    d = math.hypot(dx, dy)
    return d - r, np.array([dx / d, dy / d])


def piece_sizes(board: Board, patch: Patch, x: float, y: float, n: int) -> np.ndarray:
    """How far the piece of a ring round each point reaches, squared; the wall of a cup is no line."""
    rows, lengths = np.empty((n + 16, 2)), np.empty(n + 16)
    none = np.empty(0)
    count = patch_points(board.outline, x, y, patch.radius, patch.radius, n, none, none, rows, lengths)
    return np.maximum(lengths[:count] ** 2 / 12.0, SMALLEST * patch.radius**2)


def step_of(result: PushResult, t: int, n: int = POINTS) -> Step | None:
    """The step from row t to t + 1 of the trace, n points a circle; None if nothing moved in it."""
    trace: Trace | None = result.trace
    assert trace is not None
    board, kinds = result.board, result.before.kind
    h = float(trace.advance[t + 1] - trace.advance[t])
    p, q = trace.poses[t], trace.poses[t + 1]
    if h <= 0 or not np.any(p[:, :2] != q[:, :2]):
        return None
    stands = np.flatnonzero(trace.standing[t])
    radii = board.radii[kinds]
    mid = 0.5 * (p + q)
    front = float(trace.advance[t]) - board.pusher.travel
    raw: list[Contact] = []
    for bi, b in enumerate(stands):
        for a in stands[:bi]:
            d0 = p[b, :2] - p[a, :2]
            reach = radii[a] + radii[b]
            gap = math.hypot(*d0) - reach
            if gap > REACH:
                continue
            d = mid[b, :2] - mid[a, :2]
            length = math.hypot(*d)
            target = math.hypot(*d0) if gap <= CLOSED else reach
            raw.append(
                Contact(a, b, d / length, (d0 @ d0 - target**2) / (2 * length * h), board.friction.rim)
            )
        gap = float(p[b, 0] - radii[b] - front)
        if gap <= REACH + h:
            raw.append(
                Contact(
                    -2, b, np.array([1.0, 0.0]), (0.0 if gap <= CLOSED else gap) / h, board.friction.pusher
                )
            )
        for wall in board.walls:
            gap, _ = segment_contact(p[b, 0], p[b, 1], radii[b], wall)
            if gap <= REACH:
                _, normal = segment_contact(mid[b, 0], mid[b, 1], radii[b], wall)
                raw.append(Contact(-1, b, normal, (0.0 if gap <= CLOSED else gap) / h, board.friction.rail))
    linked = {c.b for c in raw if c.a == -2}
    while True:
        more = {i for c in raw if c.a >= 0 and (c.a in linked or c.b in linked) for i in (c.a, c.b)} - linked
        if not more:
            break
        linked |= more
    disks = sorted(int(i) for i in linked)
    place = {i: k for k, i in enumerate(disks)}
    contacts = [
        Contact(place[c.a] if c.a >= 0 else c.a, place[c.b], c.normal, c.gap, c.mu)
        for c in raw
        if c.b in linked
    ]
    weight = result.push.weight
    loads, points, even, sizes = [], [], [], []
    for i in disks:
        mass, arm = float(board.masses[kinds[i]]), (0.0, 0.0)
        if weight is not None and weight.disk == i:
            turned = mid[i, 2] - result.before.angle[i]
            c, s = math.cos(turned), math.sin(turned)
            load = weighted_load(
                board, int(kinds[i]), c * weight.dx - s * weight.dy, s * weight.dx + c * weight.dy
            )
            mass, arm = load.mass, (load.dx, load.dy)
        loads.append(board.friction.board * mass * board.gravity)
        patch = board.kinds[kinds[i]].contact
        pts, shares = pressure_points(board, patch, float(mid[i, 0]), float(mid[i, 1]), arm, n=n)
        points.append((pts, shares))
        sizes.append(piece_sizes(board, patch, float(mid[i, 0]), float(mid[i, 1]), n))
        even.append(bool(np.ptp(shares) < 1e-9 and len(shares) == n) if patch.shape == "ring" else False)
    return Step(
        board, disks, [int(k) for k in kinds[disks]], (q[disks] - p[disks]) / h, radii[disks],
        np.array(loads), points, sizes, even, contacts, float(trace.force[t + 1]),
    )  # fmt: skip


def rows(step: Step, c: Contact) -> tuple[np.ndarray, np.ndarray, float, float]:
    """Normal and tangential row over all velocities, and their constants."""
    m = 3 * len(step.disks)
    normal, slip = np.zeros(m), np.zeros(m)
    nx, ny = c.normal
    for body, sign in ((c.b, 1.0), (c.a, -1.0)):
        if body >= 0:
            normal[3 * body : 3 * body + 2] = sign * nx, sign * ny
            slip[3 * body : 3 * body + 3] = -sign * ny, sign * nx, -step.rims[body]
    if c.a == -2:
        return normal, slip, c.gap - nx, ny
    return normal, slip, c.gap, 0.0


def least_power(step: Step, bounds: np.ndarray, frictionless: bool) -> tuple[np.ndarray, np.ndarray, float]:
    """Velocities (m, 3), normal forces and power at given bounds of the tangential forces.

    Forces are scaled by the mean load.  Without rim friction no disk turns: one cone a disk.
    """
    m = len(step.disks)
    unit = float(step.loads.mean())
    cones = []  # (disk, share, x, y)
    for k in range(m):
        if frictionless:
            cones.append((k, step.loads[k] / unit, 0.0, 0.0))
        else:
            pts, shares = step.points[k]
            for (x, y), share in zip(pts, shares, strict=True):
                if share > 1e-12:
                    cones.append((k, share * step.loads[k] / unit, x, y))
    sliders = [i for i, bound in enumerate(bounds) if bound > 1e-12]
    n = 3 * m + len(cones) + len(sliders)
    q = np.zeros(n)
    blocks = []
    ar, ac, av = [], [], []
    for k, (disk, weight, x, y) in enumerate(cones):  # (t, ux - spin y, uy + spin x) in the cone
        q[3 * m + k] = weight
        ar += [3 * k, 3 * k + 1, 3 * k + 1, 3 * k + 2, 3 * k + 2]
        ac += [3 * m + k, 3 * disk, 3 * disk + 2, 3 * disk + 1, 3 * disk + 2]
        av += [-1.0, -1.0, y, -1.0, -x]
    gaps = [rows(step, c) for c in step.contacts]
    if frictionless:
        spins = np.zeros((m, n))
        spins[np.arange(m), 3 * np.arange(m) + 2] = 1.0
        blocks.append((clarabel.ZeroConeT(m), sparse.csc_matrix(spins), np.zeros(m)))
    J = np.zeros((len(gaps), n))
    for i, (row, _, _, _) in enumerate(gaps):
        J[i, : 3 * m] = -row
    blocks.append(
        (clarabel.NonnegativeConeT(len(gaps)), sparse.csc_matrix(J), np.array([g[2] for g in gaps]))
    )
    T = np.zeros((2 * len(sliders), n))
    b = np.zeros(2 * len(sliders))
    for j, i in enumerate(sliders):  # z >= |slip|
        at = 3 * m + len(cones) + j
        q[at] = bounds[i]
        T[2 * j, : 3 * m], T[2 * j + 1, : 3 * m] = gaps[i][1], -gaps[i][1]
        T[2 * j : 2 * j + 2, at] = -1.0
        b[2 * j : 2 * j + 2] = -gaps[i][3], gaps[i][3]
    if sliders:
        blocks.append((clarabel.NonnegativeConeT(len(b)), sparse.csc_matrix(T), b))
    first = len(blocks)
    big = sparse.csc_matrix((av, (ar, ac)), shape=(3 * len(cones), n))
    blocks.append((None, big, np.zeros(3 * len(cones))))
    head = blocks[:first]
    cone_list = [block[0] for block in head] + [clarabel.SecondOrderConeT(3)] * len(cones)
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-10
    A = sparse.csc_matrix(sparse.vstack([block[1] for block in blocks]))
    rhs = np.concatenate([block[2] for block in blocks])
    found = clarabel.DefaultSolver(sparse.csc_matrix((n, n)), q, A, rhs, cone_list, settings).solve()
    z = np.array(found.z)
    start = m if frictionless else 0
    return (
        np.array(found.x[: 3 * m]).reshape(m, 3),
        z[start : start + len(gaps)],
        float(q @ np.array(found.x)),
    )


def velocities(step: Step, most: int = 25) -> tuple[np.ndarray, bool, float]:
    """Velocities (m, 3), whether they settled, and the power (scaled by the mean load)."""
    mu = np.array([c.mu for c in step.contacts])
    if not mu.any():
        u, _, power = least_power(step, np.zeros(len(mu)), True)
        return u, True, power
    bounds = np.zeros(len(mu))
    last = None
    settled = 0
    for _ in range(most):
        u, normal, power = least_power(step, bounds, False)
        if last is not None and np.abs(u - last)[:, :2].max() < 1e-6:
            settled += 1
            if settled == 2:
                return u, True, power
        else:
            settled = 0
        last = u
        bounds = mu * normal
    return u, False, power


def closing(step: Step) -> bool:
    """Whether a gap is closed within the step: then the pusher does that work too."""
    u = step.velocity.reshape(-1)
    return any(c.gap > 1e-9 and (r := rows(step, c))[0] @ u + r[2] < 1e-6 for c in step.contacts)


def misfit(step: Step, rate: float = 1e-6) -> float:
    """Least force imbalance of any disk over all contact forces that obey the laws at the step's velocities.

    In units of the mean load.  Contacts that open carry nothing, those that slide carry mu times the normal
    force against the slip; a resting patch resists with at most its share at each point.
    """
    m, unit = len(step.disks), float(step.loads.mean())
    u = step.velocity
    phi = np.zeros((m, 3))
    resting = []
    for k in range(m):
        v, spin = u[k, :2], u[k, 2]
        if not u[k].any():
            resting.append(k)
        elif step.even[k]:
            patch = step.board.kinds[step.kinds[k]].contact
            speed = math.hypot(*v)
            _, f, t = patch_friction(patch, speed, abs(spin))
            phi[k, :2] = float(f) * v / speed if speed > 0 else 0.0
            phi[k, 2] = float(t) * np.sign(spin)
        else:
            pts, shares = step.points[k]
            w = np.stack([v[0] - spin * pts[:, 1], v[1] + spin * pts[:, 0]], axis=1)
            share = shares / np.sqrt(w[:, 0] ** 2 + w[:, 1] ** 2 + step.sizes[k] * spin**2)
            turn = pts[:, 0] * w[:, 1] - pts[:, 1] * w[:, 0] + step.sizes[k] * spin
            phi[k] = share @ w[:, 0], share @ w[:, 1], share @ turn
        phi[k] *= step.loads[k] / unit
    flat = u.reshape(-1)
    columns, law = [], []  # force on all disks per unknown; |second| <= mu first
    for c in step.contacts:
        J, T, g, s = rows(step, c)
        slip = T @ flat + s
        if J @ flat + g > rate:
            continue
        if c.mu == 0 or abs(slip) > rate:
            columns.append(J - c.mu * np.sign(slip) * T)
            law.append((len(columns) - 1, -1, 0.0))
        else:
            columns += [J, T]
            law.append((len(columns) - 2, len(columns) - 1, c.mu))
    held = [(k, j) for k in resting for j in range(len(step.points[k][1])) if step.points[k][1][j] > 1e-12]
    n = len(columns) + 2 * len(held) + 1
    balance = np.zeros((3 * m, n))
    balance[:, : len(columns)] = np.array(columns).T if columns else 0.0
    for e, (k, j) in enumerate(held):
        (x, y), at = step.points[k][0][j], len(columns) + 2 * e
        balance[3 * k, at] = balance[3 * k + 1, at + 1] = -1.0
        balance[3 * k + 2, at], balance[3 * k + 2, at + 1] = y, -x
    balance[2::3] /= step.rims[:, None]
    right = phi.copy()
    right[:, 2] /= step.rims
    ones = np.zeros((3 * m, n))
    ones[:, -1] = 1.0
    blocks = [np.vstack([balance - ones, -balance - ones])]
    b = [right.reshape(-1), -right.reshape(-1)]
    signs = []
    for first, second, mu in law:
        row = np.zeros(n)
        row[first] = -1.0
        signs.append(row)
        if second >= 0:
            for sign in (1.0, -1.0):
                row = np.zeros(n)
                row[first], row[second] = -mu, sign
                signs.append(row)
    blocks.append(np.array(signs))
    b.append(np.zeros(len(signs)))
    cones: list[object] = [clarabel.NonnegativeConeT(6 * m + len(signs))]
    A = [sparse.csc_matrix(np.vstack(blocks))]
    if held:
        at = len(columns) + np.arange(2 * len(held))
        where = np.array([(3 * e + 1, 3 * e + 2) for e in range(len(held))]).reshape(-1)
        A.append(sparse.csc_matrix((-np.ones(len(at)), (where, at)), shape=(3 * len(held), n)))
        most = np.zeros(3 * len(held))
        most[::3] = [step.points[k][1][j] * step.loads[k] / unit for k, j in held]
        b.append(most)
        cones += [clarabel.SecondOrderConeT(3)] * len(held)
    q = np.zeros(n)
    q[-1] = 1.0
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    stacked = sparse.csc_matrix(sparse.vstack(A))
    found = clarabel.DefaultSolver(
        sparse.csc_matrix((n, n)), q, stacked, np.concatenate(b), cones, settings
    ).solve()
    return float(found.x[-1])
