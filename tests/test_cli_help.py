"""The console script: what it lists and imports, and what becomes of errors, interrupts and closed pipes."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from importlib.metadata import version
from importlib.util import module_from_spec
from pathlib import Path
from typing import Annotated, Any

import pytest
import typer

from thrillsim.cli import main as entry
from thrillsim.errors import InputError

HEAVY = ("numpy", "scipy", "pymunk", "numba", "matplotlib", "pyarrow", "rich")

Install = Callable[..., None]


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Install:
    """Puts a command of the test's own into the table, as a file in thrillsim/cli would be."""

    def put(name: str, **content: Any) -> None:
        module = module_from_spec(ModuleSpec(f"thrillsim.cli.{name}", None))
        vars(module).update(content)
        monkeypatch.setitem(sys.modules, module.__name__, module)
        monkeypatch.setitem(entry.COMMANDS, name, f"Does {name}.")

    return put


def _modules_after(*argv: str) -> set[str]:
    """Top-level names in sys.modules of a fresh interpreter that ran the command line `argv`."""
    code = (
        "import contextlib, io, sys\n"
        "from thrillsim.cli.main import main\n"
        "with contextlib.redirect_stdout(io.StringIO()) as out:\n"
        f"    code = main({list(argv)!r})\n"
        "assert code == 0 and out.getvalue(), (code, out.getvalue())\n"
        "print(*{name.split('.')[0] for name in sys.modules})\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "argv", [("--help",), ("--version",), *((name, "--help") for name in entry.available())], ids=" ".join
)
def test_help_imports_nothing_heavy(argv: tuple[str, ...]) -> None:
    modules = _modules_after(*argv)
    assert "thrillsim" in modules
    assert modules.isdisjoint(HEAVY)


def test_help_lists_each_command_that_exists_and_no_other(
    install: Install, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    install("here", command=lambda: None)
    monkeypatch.setitem(entry.COMMANDS, "absent", "Has no file.")
    assert entry.main(["--help"]) == 0
    text = capsys.readouterr().out
    listed = [line.split()[0] for line in text.partition("Commands:")[2].splitlines() if line.strip()]
    assert listed == entry.available()
    assert listed[-1] == "here"


@pytest.mark.parametrize("name", entry.available())
def test_each_command_helps(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert entry.main([name, "--help"]) == 0
    usage, _, rest = capsys.readouterr().out.partition("\n\n")
    assert usage.startswith(f"Usage: thrillsim {name}")
    assert "--install-completion" not in rest
    assert len(rest.splitlines()) > 3


@pytest.mark.parametrize(
    "words", [[], *([name] for name in entry.available()), ["scenario", "check"]], ids=" ".join
)
def test_h_is_short_for_help(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert entry.main([*words, "--help"]) == 0
    helped = capsys.readouterr()
    assert entry.main([*words, "-h"]) == 0
    assert capsys.readouterr() == helped
    assert "-h, --help" in helped.out


def test_every_command_file_has_its_row() -> None:
    """A file in thrillsim/cli that offers `command` or `app`, as the convention says, can be called."""
    files = (path for path in Path(entry.__file__).parent.glob("*.py") if path.stem != "main")
    offer = re.compile(r"^(def command\(|app = )", re.MULTILINE)
    found = {path.stem for path in files if offer.search(path.read_text(encoding="utf-8"))}
    assert found == set(entry.available())


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert entry.main(["--version"]) == 0
    assert capsys.readouterr().out == f"thrillsim {version('thrillsim')}\n"


def test_a_command_gets_its_arguments(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    def command(times: int, word: str = "push") -> None:
        print(" ".join([word] * times))

    install("say", command=command)
    assert entry.main(["say", "3", "--word", "fall"]) == 0
    assert capsys.readouterr().out == "fall fall fall\n"


def test_a_command_may_have_subcommands(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    app = typer.Typer(no_args_is_help=True)
    for name in ("check", "schema"):
        app.command(name)(lambda name=name: print("ran", name))
    install("pair", app=app)
    assert entry.main(["pair", "schema"]) == 0
    assert capsys.readouterr().out == "ran schema\n"


def test_only_the_command_asked_for_is_imported(install: Install) -> None:
    install("first", command=lambda: None)
    install("second")  # has no `command`: importing it would fail
    assert entry.main(["first"]) == 0


def test_a_mistyped_command_names_the_near_one(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    install("ponder", command=lambda: None)
    assert entry.main(["pnoder"]) == 2
    assert 'Did you mean "ponder"?' in capsys.readouterr().err


def _near(_text: str) -> Path:
    raise typer.BadParameter("must be close")


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("say", 'missing argument "times"; see thrillsim say --help'),
        ("say 3 4", "got unexpected extra argument(s) (4); see thrillsim say --help"),
        ("say 3 --quick", "no such option: --quick; see thrillsim say --help"),
        ("say 3 --word", 'option "--word" requires an argument\n'),
        ("say x", 'times: must be a whole number, got "x"; see thrillsim say --help\n'),
        ("say 1.5", 'times: must be a whole number, got "1.5"; see thrillsim say --help\n'),
        ("say 3 -f 1,5", '--far: must be a number, got "1,5"; see thrillsim say --help\n'),
        ("say 3 --near x", "--near: must be close; see thrillsim say --help\n"),
        (f"say {'9' * 5000}x", f'times: must be a whole number, got "{"9" * 56}...; see'),
        ("--loud", "no such option: --loud; see thrillsim --help"),
        ("sing", 'no such command "sing"; see thrillsim --help'),
    ],
)
def test_a_word_that_a_command_does_not_have_is_one_line(
    words: str, line: str, install: Install, capsys: pytest.CaptureFixture[str]
) -> None:
    def command(
        times: int,
        word: str = "push",
        far: Annotated[float, typer.Option("-f", "--far")] = 1.0,
        near: Annotated[Path | None, typer.Option(parser=_near)] = None,
    ) -> None:
        print(" ".join([word] * times))

    install("say", command=command)
    assert entry.main(words.split()) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"thrillsim: {line}")
    assert err.count("\n") == 1


def test_no_words_at_all_show_the_help(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    assert entry.main([]) == 2
    assert capsys.readouterr().err.startswith("Usage: thrillsim [OPTIONS] COMMAND")


def _raises(error: BaseException) -> Callable[[], None]:
    def command() -> None:
        raise error

    return command


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (
            InputError("must be > 0, got -3", source="a.toml", key="trials"),
            2,
            "thrillsim: a.toml: trials: must be > 0, got -3\n",
        ),
        (InputError("two\nlines"), 2, "thrillsim: two\\nlines\n"),
        (KeyboardInterrupt(), 130, "thrillsim: interrupted\n"),
        (typer.Exit(130), 130, ""),  # the command has said it already
        (typer.Exit(3), 3, ""),
        (SystemExit("no room left"), 1, "thrillsim: no room left\n"),
        (BrokenPipeError(), 1, ""),
    ],
)
def test_errors_become_one_line_and_a_code(
    install: Install, capsys: pytest.CaptureFixture[str], error: BaseException, code: int, line: str
) -> None:
    install("fail", command=_raises(error))
    assert entry.main(["fail"]) == code
    printed = capsys.readouterr()
    assert printed.err == line
    assert printed.out == ""


def test_our_own_mistakes_keep_their_traceback(install: Install) -> None:
    install("fail", command=_raises(ZeroDivisionError()))
    with pytest.raises(ZeroDivisionError):
        entry.main(["fail"])


def test_a_closed_pipe_ends_quietly() -> None:
    # `true` reads nothing: the pipe is closed before, or while, the help is written.
    script = f"set -o pipefail; (sleep 0.3; {sys.executable} -m thrillsim --help) | true"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.returncode == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
@pytest.mark.parametrize("words", ["--help", "rules thrill", "scenario schema"])
def test_an_answer_that_cannot_be_written_is_said_in_one_line(words: str) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "thrillsim", *words.split()],
            stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr == "thrillsim: standard output: cannot be written: no space left on device\n"


def test_the_package_itself_can_be_run() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "thrillsim", "nothing"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("thrillsim: ")
    assert "nothing" in done.stderr


def test_a_closed_standard_output_is_no_crash() -> None:
    script = f"{sys.executable} -m thrillsim rules thrill >&-"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
