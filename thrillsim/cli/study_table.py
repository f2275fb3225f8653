"""The tables of ``thrillsim study``: a `Summary` as rich renderables.  No numbers are made here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from thrillsim.errors import counted

if TYPE_CHECKING:
    from rich.console import RenderableType

    from thrillsim.studies.summary import EdgeFalls, Estimate, Summary


def tables(summary: Summary) -> Iterator[RenderableType]:
    """Everything a study says, fit for 80 columns."""
    level = f"{summary.confidence:.0%} interval"
    title = summary.scenario or "Push study"
    yield Text(
        f"{title}\n{counted(summary.trials, 'push', 'pushes')}, board {summary.board.name},"
        f" engine {summary.engine} ({summary.accuracy}), seed {summary.seed}\n",
        style="bold",
    )
    yield Text(f"Ranges are {level}s: low … high, [low, high], or value ± half the width.\n")
    yield _main(summary, level)
    yield _sizes(summary)
    yield _costs(summary, level)
    yield _edges(summary)
    yield _curve(summary)
    yield Text(_evidence(summary) + "\n")


def number(estimate: Estimate, digits: int = 3) -> str:
    """The value, or a dash."""
    return "–" if estimate.value is None else f"{estimate.value:.{digits}f}"


def interval(estimate: Estimate, digits: int = 3) -> str:
    """low … high, or a dash where the sample supports none."""
    if estimate.low is None or estimate.high is None:
        return "–"
    return f"{estimate.low:.{digits}f} … {estimate.high:.{digits}f}"


def with_bounds(estimate: Estimate) -> str:
    """value [low, high]; the value alone where there is no interval."""
    if estimate.value is None:
        return "–"
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:.2f}"
    return f"{estimate.value:.2f} [{estimate.low:.2f}, {estimate.high:.2f}]"


def with_margin(estimate: Estimate) -> str:
    """value ± half width; the value alone where there is no interval."""
    if estimate.value is None:
        return "–"
    if estimate.high is None:
        return f"{estimate.value:.2f}"
    return f"{estimate.value:.2f} ± {estimate.high - estimate.value:.2f}"


def _table(title: str, *headers: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", header_style="")
    for i, header in enumerate(headers):
        table.add_column(header, justify="right" if i else "left", no_wrap=True)
    return table


def _main(summary: Summary, level: str) -> Table:
    table = _table("One push", "", "estimate", level)
    rows = [
        ("chance that at least one disk falls", summary.any_fell),
        ("chance that none falls", summary.none_fell),
        ("expected cost, chips", summary.cost),
        ("chance that the push jams", summary.jammed),
    ]
    if summary.weight is not None:
        rows.append(("chance that the weighted disk falls", summary.weight.fell_push))
        rows.append(("chance that it falls at the lift", summary.weight.fell_lift))
    for name, estimate in rows:
        table.add_row(name, number(estimate), interval(estimate))
    return table


def _sizes(summary: Summary) -> Table:
    table = _table("By size", "", "any falls", "per push", "each disk", "pushes", "then cost")
    placed = {row.disk: row for row in summary.placed}
    for row in summary.kinds:
        given = placed.get(row.disk)
        table.add_row(
            row.disk,
            with_bounds(row.any_fell),
            with_margin(row.fell),
            number(row.share),
            "0" if given is None else str(given.cost.n),
            "–" if given is None else with_margin(given.cost),
        )
    return table


def _costs(summary: Summary, level: str) -> Table:
    table = _table("Distribution of the cost", "chips", "trials", "chance", level, "")
    table.columns[-1].justify = "left"
    largest = max(row.chance.value or 0.0 for row in summary.costs)
    for row in summary.costs:
        share = row.chance.value or 0.0
        bar = "█" * round(24 * share / largest)
        table.add_row(
            str(row.cost), str(round(share * summary.trials)), number(row.chance), interval(row.chance), bar
        )
    return table


def edge_name(summary: Summary, edge: EdgeFalls) -> str:
    """front, left, right where the edge is the board's bounding line there; else its ends."""
    (x1, y1), (x2, y2) = edge.start, edge.end
    corners = summary.board.outline
    if x1 == x2 == corners[:, 0].max():
        return "front"
    if y1 == y2 and y1 in (corners[:, 1].min(), corners[:, 1].max()):
        return "right" if x1 < x2 else "left"
    return f"({x1:g}, {y1:g}) – ({x2:g}, {y2:g})"


def _edges(summary: Summary) -> Table:
    table = _table("Where disks fall", "edge", "length, mm", "disks", "per push", "most at, mm")
    for edge in summary.edges:
        most = "–"
        if any(edge.counts):
            i = edge.counts.index(max(edge.counts))
            t = (edge.limits[i] + edge.limits[i + 1]) / 2 / edge.limits[-1]
            x, y = (a + t * (b - a) for a, b in zip(edge.start, edge.end, strict=True))
            most = f"({x:.0f}, {y:.0f})"
        table.add_row(
            edge_name(summary, edge),
            f"{edge.limits[-1]:.0f}",
            str(sum(edge.counts)),
            with_margin(edge.per_push),
            most,
        )
    return table


def _curve(summary: Summary) -> Table:
    names = ["all" if curve.disk is None else curve.disk for curve in summary.curves]
    shown = summary.curves[1:] if len(names) == 2 else summary.curves
    names = names[1:] if len(names) == 2 else names
    table = _table("Expected cost over the place y of the new disk, mm", "y", "pushes", *names)
    first = shown[0]
    for i, y in enumerate(first.y):
        exact = first.low_y[i] == first.high_y[i]
        place = f"{y:.1f}" if exact else f"{first.low_y[i]:.0f} … {first.high_y[i]:.0f}"
        table.add_row(place, str(first.cost[i].n), *(with_margin(curve.cost[i]) for curve in shown))
    return table


def _evidence(summary: Summary) -> str:
    evidence = summary.evidence
    parts = [
        f"{name} {value:.2g}{unit}"
        for name, value, unit in (
            ("overlap", evidence.overlap, " mm"),
            ("force residual", evidence.force, ""),
            ("contact residual", evidence.complementarity, ""),
            ("power error", evidence.power, ""),
        )
        if value is not None
    ]
    trust = "all trials converged"
    if many := evidence.unconverged:
        trust = (
            f"{counted(many, 'trial')} not converged (the pusher may have stopped early "
            "and more may fall: see `unconverged` and `advance` in the trials)"
        )
    jams = round((summary.jammed.value or 0.0) * summary.trials)
    if jams:  # a push that stops early is no failure of the engine
        trust += f"; {counted(jams, 'push', 'pushes')} jammed (see `jammed` and `advance` in the trials)"
    if not parts:
        return trust
    return f"Evidence: {trust}; at most {', '.join(parts)}; {counted(evidence.steps, 'step')}"
