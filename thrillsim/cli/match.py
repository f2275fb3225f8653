"""``thrillsim match``: many games between players, with ratings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from thrillsim.cli.given import (
    WORLD,
    AccuracyOption,
    BoardOption,
    EngineOption,
    VariantOption,
    by_option,
    check_seed,
    folder,
    game_given,
    option_names,
    options_given,
)
from thrillsim.errors import InputError, counted

if TYPE_CHECKING:
    from thrillsim.play.ratings import Mean, Rate
    from thrillsim.play.summary import Summary


def command(
    game: Annotated[str, typer.Argument(help="Which game (see thrillsim rules).")],
    players: Annotated[list[str], typer.Argument(help="Who plays: built-in names, plug-ins, module:Class.")],
    count: Annotated[int, typer.Option("-n", "--games", help="How many games.")] = 100,
    variant: VariantOption = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", "-o", help="name=value; see thrillsim rules GAME --options."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Same seed, same match.")] = 1,
    jobs: Annotated[int, typer.Option(help="Processes; the result does not depend on it.")] = 1,
    out: Annotated[
        Path | None,
        typer.Option(
            parser=folder,
            metavar="PATH",
            help="Folder for the records; the same command goes on there.",
            show_default=False,
        ),
    ] = None,
    engine: EngineOption = None,
    accuracy: AccuracyOption = None,
    board: BoardOption = None,
    time_limit: Annotated[float, typer.Option(help="Seconds per decision of a plugged-in player.")] = 10.0,
    json: Annotated[bool, typer.Option("--json", help="Print the result as JSON, nothing else.")] = False,
) -> None:
    """Play many games between players and rate them.

    Seats rotate; every record is replayed before it counts. A game of Thrill that circles is stopped
    without a winner after 100 rounds (--option max_rounds=N, or none). For example:
    thrillsim match thrill planner cautious random -n 500 --jobs 2 --out results/match
    """
    import msgspec

    from thrillsim.play.match import Plan, run_match
    from thrillsim.play.summary import summarise
    from thrillsim.play.worlds import world_for
    from thrillsim.players.finding import resolve

    check_seed("--seed", seed)
    if "human" in players:
        raise InputError("a person plays with thrillsim play", key="PLAYERS")
    rules = game_given(game)
    chosen = options_given(rules, option or [], variant)
    with by_option(WORLD):
        _, world = world_for(game, engine, accuracy, board)
    with by_option({"players": "PLAYERS"}):
        where = tuple(resolve(name, game) for name in players)
    with by_option(option_names(rules) | {"players": "PLAYERS"}):
        rules.initial(chosen, len(players))  # refuse before anything is played
    plan = Plan(
        game=game,
        options=msgspec.json.decode(msgspec.json.encode(chosen)),
        players=tuple(players),
        where=where,
        seed=seed,
        world=world,
        time_limit=time_limit,
    )
    try:
        with by_option(WORLD | {"count": "--games", "jobs": "--jobs"}):
            finished = run_match(plan, count, jobs=jobs, out=out, progress=_Progress())
    except KeyboardInterrupt:
        more = "; the same command goes on" if out else ""
        typer.echo(f"thrillsim: interrupted{more}", err=True)
        raise typer.Exit(130) from None
    summary = summarise(plan, finished)
    if json:
        typer.echo(msgspec.json.encode(summary).decode())
    else:
        _print(summary)


class _Progress:
    """Says on stderr how far it is: a bar at a terminal, else a line for every tenth."""

    def __init__(self) -> None:
        self._said = -1

    def __call__(self, done: int, of: int) -> None:
        import sys

        if sys.stderr.isatty():
            end = "\n" if done == of else ""
            print(f"\r{done} of {counted(of, 'game')}", end=end, file=sys.stderr, flush=True)
        elif 10 * done // of > self._said:
            self._said = 10 * done // of
            print(f"{done} of {counted(of, 'game')}", file=sys.stderr, flush=True)


def _print(summary: Summary) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console(soft_wrap=True, highlight=False, markup=False)
    console.print(
        f"{counted(summary.games, 'game')} of {summary.game}, seed {summary.seed}, world {summary.world}"
    )
    console.print("± is a standard error; a range is a 95 % interval.")
    table = Table("player", "wins", "95 %", "rating", "mean place", "forfeits", box=None)
    for line in summary.players:
        rating = f"{line.rating.value:+.0f} ± {line.rating.error:.0f}"
        table.add_row(line.name, *_rate(line.wins), rating, f"{line.place.value:.2f}", str(line.forfeits))
    console.print(table)
    thrill = summary.thrill
    if thrill:
        table = Table("player", "bid", "pushes", "a push costs", "chips left", box=None)
        for who in thrill.players:
            table.add_row(who.name, *map(_mean, (who.bid, who.pushes, who.push_cost, who.left)))
        console.print(table)
    seats = Table("seat", "wins", "95 %", box=None)
    for seat, won in enumerate(summary.seats):
        seats.add_row(chr(ord("A") + seat), *_rate(won))
    console.print(seats)
    for one in summary.forfeits[:10]:
        console.print(f"game {one.game}: {one.player} forfeits: {one.reason}")
    if thrill:
        for name, text in _thrill_lines(thrill):
            console.print(f"{name:<36} {text}")


def _thrill_lines(thrill: Any) -> list[tuple[str, str]]:
    rounds = thrill.rounds
    return [
        ("rounds per game", f"{_mean(rounds.mean)}, {rounds.shortest} to {rounds.longest}"),
        ("pushes without a fall", _mean(thrill.clean)),
        ("cost of a push", _mean(thrill.cost)),
        ("the Disk Boss pushes", _mean(thrill.boss_pushes)),
        ("another player pushes", _mean(thrill.others_push)),
        ("chips lost per round, Disk Boss", _mean(thrill.boss_loses)),
        ("chips lost per round, other player", _mean(thrill.others_lose)),
        ("rounds with a tie for the lowest bid", _mean(thrill.tied)),
        ("rounds in which a tie saves the Boss", _mean(thrill.boss_saved)),
        ("the first Disk Boss wins", " ".join(_rate(thrill.first_boss_wins))),
        ("the winner has no chip", " ".join(_rate(thrill.won_with_nothing))),
        ("games without a winner, left out", str(thrill.undecided)),
    ]


def _rate(rate: Rate) -> tuple[str, str]:
    return f"{rate.value:.3f}", f"{rate.low:.3f}..{rate.high:.3f}"


def _mean(mean: Mean) -> str:
    return f"{mean.value:.3f} ± {mean.error:.3f}"
