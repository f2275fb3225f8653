"""The console script `thrillsim`: names every command, imports only the one that is asked for.

Convention for a command `name` (file ``thrillsim/cli/name.py``, row in `COMMANDS` below):

* one command: the file has a plain typed function called ``command``; typer reads its annotations
  (``Annotated[int, typer.Option("-n", "--trials", help="...")]``), and its docstring is the help text;
* several subcommands (``thrillsim scenario check``): the file has ``app = typer.Typer(no_args_is_help=True)``
  with ``@app.command()`` functions; the file's subcommand functions carry the help texts.

A row whose file does not exist is not listed; a file without either is a helper of its neighbours.
Heavy imports (numpy, scipy, pymunk, numba, matplotlib, pyarrow, rich) go inside the function, so that
``thrillsim name --help`` stays quick too.

What a command may count on: an `InputError` becomes the one line ``thrillsim: file: key: reason`` on stderr
and exit code 2; Ctrl-C becomes one line and exit code 130 (a command that wants to say more catches
KeyboardInterrupt, says it on stderr and raises ``typer.Exit(130)``), SIGTERM the same with 143 and SIGHUP
with 129; a reader that closes the pipe ends the command quietly; any other exit code is
``raise typer.Exit(code)``.  Results go to stdout, progress to stderr.

In tests call ``main(["study", "..."])``, which returns the exit code.
"""

from __future__ import annotations

import errno
import importlib
import io
import os
import re
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from thrillsim.cli.interrupts import heard
from thrillsim.errors import InputError, printable, system_reason

if TYPE_CHECKING:
    from collections.abc import Sequence

    import typer

COMMANDS: dict[str, str] = {
    "study": "Push a disk in many times and say what falls, with intervals.",
    "push": "Push one disk in and show what happens.",
    "board": "Show a board and check it.",
    "turn": "Turn the board and see whether the disks stay on it.",
    "scenario": "Check a scenario file, or print the schema of such files.",
    "play": "Play one full game.",
    "match": "Play many games between players and rate them.",
    "replay": "Re-run a recorded game, verify it and tell it.",
    "rules": "Print the rule sheet of a game.",
}
"""Command name -> its one line in ``thrillsim --help``, in the order shown."""


def available() -> list[str]:
    """The commands whose file exists, in the order of `COMMANDS`; imports none of them."""
    return [name for name in COMMANDS if find_spec(f"thrillsim.cli.{name}") is not None]


def build(wanted: str | None) -> typer.Typer:
    """The command tree with the command `wanted` imported and every other as a name with its one line."""
    import typer

    from thrillsim.cli.root import placeholder, root

    # Plain help: typer's rich help takes three times as long as all the rest of `thrillsim --help`.
    tree = typer.Typer(
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},  # every command below inherits it
    )
    tree.callback()(root)
    for name in available():
        if name != wanted:
            tree.command(name, help=COMMANDS[name])(placeholder)
            continue
        module = importlib.import_module(f"thrillsim.cli.{name}")
        if hasattr(module, "app"):
            tree.add_typer(module.app, name=name, help=COMMANDS[name])
        else:
            tree.command(name)(module.command)
    return tree


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv` (default: the process's own) and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # (None where it is closed)
            stream.reconfigure(errors="backslashreplace")  # an odd sign is no reason to say nothing
    if argv is not None:
        return _flushed(_answered(list(argv), []))
    with heard() as signals:
        return _flushed(_answered(sys.argv[1:], signals))


def _answered(args: list[str], signals: list[int]) -> int:
    """Run a command line; `signals` fills with those that came, also while typer is imported."""
    try:
        code = _run(args)
    except (KeyboardInterrupt, Exception) as error:
        if isinstance(error, Exception) and not signals:  # else a library that was interrupted fails
            raise
        _say("interrupted")
        code = 130
    return 128 + signals[0] if signals and code == 130 else code


def _run(args: list[str]) -> int:
    """Run a command line and say what is wrong with it."""
    import typer

    # The root takes flags only, so the first word that is no flag names the command.
    wanted = next((word for word in args if not word.startswith("-")), None)
    try:
        command = typer.main.get_command(build(wanted))
        with command.make_context("thrillsim", args) as context:
            command.invoke(context)
    except typer.Exit as stop:
        return stop.exit_code
    except SystemExit as stop:
        return _code_of(stop)
    except InputError as error:
        _say(str(error))
        return 2
    except typer.TyperException as error:
        _say_usage(error)
        return 2
    except BrokenPipeError:
        return 1
    except OSError as error:
        if error.filename is not None or error.errno != errno.ENOSPC:
            raise
        return _unwritten(error)
    return 0


def _say_usage(error: typer.TyperException) -> None:
    """A word that the command line does not have: one line, like every other mistake."""
    context = getattr(error, "ctx", None)
    text = error.format_message()
    if context is not None and text == context.get_help():  # a command that was given no words shows its help
        print(text, file=sys.stderr)
        return
    text = _bad_value(error) or re.sub("'([^']*)'", r'"\1"', text[:1].lower() + text[1:]).rstrip(".")
    if context is not None and not text.endswith("?"):  # "Did you mean ...?" is help enough
        text += f"; see {context.command_path} --help"
    _say(text)


def _bad_value(error: typer.TyperException) -> str:
    """``--trials: must be a whole number, got "abc"`` for a word that is no value of its option; else ""."""
    param = getattr(error, "param", None)
    if param is None or not error.message:  # (without a message the whole option is missing)
        return ""
    name = max(param.opts, key=len)
    found: list[Any] = getattr(error.__cause__, "errors", list)()  # pydantic reads the numbers for typer
    wanted = {"int": "a whole number", "float": "a number"}
    kind = found[0]["type"].split("_")[0] if found else ""
    if kind not in wanted:
        return f"{name}: {error.message}"
    from thrillsim.errors import shown

    return f"{name}: must be {wanted[kind]}, got {shown(found[0]['input'])}"


def _code_of(stop: SystemExit) -> int:
    if stop.code is None:
        return 0
    if isinstance(stop.code, int):
        return stop.code
    _say(str(stop.code))
    return 1


def _say(text: str) -> None:
    print("thrillsim:", printable(" ".join(text.split("\n"))), file=sys.stderr)


def _flushed(code: int) -> int:
    """Write out what is still buffered now, so that a closed pipe is not reported at interpreter exit."""
    if sys.stdout is None:  # closed from the start
        return code
    try:
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            return _unwritten(error)
    return code


def _unwritten(error: OSError) -> int:
    """Say that the answer did not get out, a full disk perhaps."""
    _say(f"standard output: cannot be written: {system_reason(error)}")
    return 1
