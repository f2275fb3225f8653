# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # What does the board decide?
#
# Nobody wrote down the size of the real board. So every number of it is data here, and the question of
# this notebook is how much each number matters: **how do the odds of the first push change when the
# board gets deeper, wider, fenced or more slippery?**
#
# Lengths are millimetres. The push goes along *x*; *x* = 0 is the blocking edge, where the pusher stops.

# %%
import numpy as np
from scipy import stats

import thrillsim as ts
from thrillsim.studies.statistics import chance
from thrillsim.view import picture

# %% [markdown]
# The quasi-static engine (the limit of a slow push) does a hundred pushes a second or more; the rigid one,
# with inertia, needs many times as long. More trials make every interval below narrower: change these lines
# and run everything again.

# %%
ENGINE = "quasistatic"
ACCURACY = "standard"
TRIALS = 60
SEED = 1996

# %% [markdown]
# ## The board
#
# A board shows itself. Dashed edges are open: what passes them falls. Thick edges carry a rail.

# %%
board = ts.default_board()
board

# %% [markdown]
# The game opens with 28 disks on the playing surface. `opening` lays them out at random; the same seed
# gives the same arrangement. They cover 71 % of the surface, which is tight.

# %%
layout = ts.opening(board, SEED)
ts.plot_board(board, layout)

# %% [markdown]
# ## One push
#
# A medium disk goes in far to the left (*y* = 80). The dashed outlines show where the disks were, crosses
# where some lost their support.

# %%
result = ts.push(board, layout, ts.Push("medium", x=-30, y=80), engine=ENGINE, accuracy=ACCURACY, trace=True)
ts.plot_push(result)

# %% [markdown]
# ## Nine other boards
#
# Each differs from the default in one thing only.

# %%
boards = {
    "default": board,
    "depth 116": ts.rectangular_board(depth=116),
    "depth 132": ts.rectangular_board(depth=132),
    "width 210": ts.rectangular_board(width=210),
    "width 234": ts.rectangular_board(width=234),
    "front only open": ts.rectangular_board(open_edges="front"),
    "board friction 0.15": ts.rectangular_board(friction=ts.Friction(board=0.15)),
    "board friction 0.60": ts.rectangular_board(friction=ts.Friction(board=0.60)),
    "rim friction 0.05": ts.rectangular_board(friction=ts.Friction(rim=0.05)),
    "rim friction 0.50": ts.rectangular_board(friction=ts.Friction(rim=0.50)),
}

figure = picture(10, 3.5)
axes = figure.subplots(1, 3)
for ax, name in zip(axes, ["depth 132", "width 210", "front only open"], strict=True):
    ts.plot_board(boards[name], ts.opening(boards[name], SEED), ax, numbers=False)
    ax.set_title(name, loc="left")
figure

# %% [markdown]
# ## The same luck for every board
#
# To compare boards we give them **the same luck**: trial *k* has the same seed for its opening, the same
# size of disk and the same relative place on every board. What chance does to all boards alike cancels in
# the difference to the default board, so fewer pushes are needed. Where only friction or a rail changes,
# even the openings are the same to the last bit, and that helps much; another size brings other openings, and
# little cancels.


# %%
def trial(board, k):
    """Chips that trial k costs on this board."""
    rng = np.random.default_rng([SEED, k])
    disk = rng.choice(["big", "medium"])  # what the reserve holds at the start
    across = rng.uniform(-1, 1)
    radius = board.radii[board.kind_index(disk)]
    room = board.sliding.blocking_span()[1] - radius
    push = ts.Push(disk, x=-board.pusher.travel / 2, y=across * room)
    return ts.push(board, ts.opening(board, k), push, engine=ENGINE, accuracy=ACCURACY).cost


costs = {name: np.array([trial(one, k) for k in range(TRIALS)]) for name, one in boards.items()}

# %% [markdown]
# For each board: the chance that at least one disk falls (Wilson interval), the mean cost, and the
# difference to the default board, trial by trial (Student interval, 95 %).


# %%
def paired(cost):
    """Mean difference to the default board and half its 95 % interval."""
    difference = cost - costs["default"]
    half = stats.t.ppf(0.975, TRIALS - 1) * difference.std(ddof=1) / np.sqrt(TRIALS)
    return difference.mean(), half


def spread(cost):
    """Half the interval of the difference if every board had its own luck instead."""
    error = np.sqrt((cost.var(ddof=1) + costs["default"].var(ddof=1)) / TRIALS)
    return stats.t.ppf(0.975, 2 * TRIALS - 2) * error


print(f"{TRIALS} pushes per board, engine {ENGINE} ({ACCURACY})\n")
print(f"{'board':<20} {'something falls':>22} {'chips':>6} {'difference to default':>24}")
for name, cost in costs.items():
    p = chance(int((cost > 0).sum()), TRIALS)
    falls = f"{p.value:.0%} [{p.low:.0%}, {p.high:.0%}]"
    change = ""
    if name != "default":
        mean, half = paired(cost)
        change = f"{mean:+.2f} ± {half:.2f}"
    print(f"{name:<20} {falls:>22} {cost.mean():>6.2f} {change:>24}")

# %% [markdown]
# The same as a picture: left the odds, right what changes. A bar that crosses the line could be chance.
# The thin grey bars show how wide the intervals would be without the shared luck: for friction much wider,
# for depth and width hardly.

# %%
figure = picture(9, 4.2)
odds, change = figure.subplots(1, 2, sharey=True)
for row, (name, cost) in enumerate(costs.items()):
    p = chance(int((cost > 0).sum()), TRIALS)
    odds.plot([100 * p.low, 100 * p.high], [row, row], color="#0072b2", linewidth=2)
    odds.plot(100 * p.value, row, "o", color="#0072b2")
    if name != "default":
        mean, half = paired(cost)
        alone = spread(cost)
        change.plot([mean - alone, mean + alone], [row, row], color="#bbbbbb", linewidth=1)
        change.plot([mean - half, mean + half], [row, row], color="#d55e00", linewidth=3)
        change.plot(mean, row, "s", color="#d55e00")
odds.set_yticks(range(len(costs)), list(costs))
odds.invert_yaxis()
odds.set_xlabel("pushes in which something falls (%)")
change.set_xlabel("cost against the default board (chips)")
change.axvline(0, color="black", linewidth=0.8)
for ax in (odds, change):
    ax.locator_params(axis="x", nbins=6)
    ax.grid(axis="x", color="#dddddd")
    ax.spines[["top", "right"]].set_visible(False)
figure

# %% [markdown]
# ## What to take home
#
# The next cell reads the answer off the intervals; it says "no difference seen" where an interval
# contains zero, which is not the same as "no difference".

# %%
for name, cost in costs.items():
    if name == "default":
        continue
    mean, half = paired(cost)
    if (cost == costs["default"]).all():
        verdict = "the same in every single push"
    elif abs(mean) <= half:
        verdict = "no difference seen"
    else:
        verdict = f"{abs(mean) / costs['default'].mean():.0%} {'dearer' if mean > 0 else 'cheaper'}"
    packing = ts.opening(boards[name], SEED).packing(boards[name])
    print(f"{name:<20} packing {packing:.2f}  {verdict}")

# %% [markdown]
# Three things stand behind these lines:
#
# - **Depth and width** set how tightly the disks lie, and tightness decides. A strip of a few millimetres
#   along an edge makes the difference between a push that finds a gap and one that passes on to the edge.
# - **The friction of the board cancels.** When the push is slow every disk resists in proportion to it, so
#   it scales the force of the hand and not the paths: the same disks fall, push by push. That is why nobody
#   needs to know it, and a sharp test of the engine besides.
# - **The friction between the rims** does not cancel: it decides whether disks roll off each other or lock
#   and move as a block.
#
# What to try next: other seeds for the openings, the `rigid` engine, a board of your own
# (`ts.rectangular_board`, or a TOML file like those in `scenarios/boards`).
