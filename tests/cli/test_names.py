"""Names that would break a line or steer a terminal: refused where given, harmless where they are said."""

from __future__ import annotations

from pathlib import Path

import pytest

from thrillsim.board import DiskKind, rectangular_board
from thrillsim.cli.main import main
from thrillsim.errors import InputError

ODD = {
    "\\n": "\\n",
    "\\t": "\\t",
    "\\u001b[31m": "\\u001b[31m",
    "\\u007f": "\\x7f",
    "\\u202e": "\\u202e",
    " ": " ",
}
FILES = {
    "board": ('name = "{}"', "name"),
    "study": ('title = "{}"', "title"),
    "scenario check": ('board.name = "{}"', "board.name"),
    "board ": ('[[disks]]\nname = "{}"\nradius = 20\nmass = 2', "disks[0].name"),
}


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("command", FILES)
def test_a_name_that_does_not_show_on_one_line_is_refused(
    command: str, odd: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, key = FILES[command]
    path = tmp_path / "a.toml"
    path.write_text(text.format(odd))
    assert main([*command.split(), str(path)]) == 2
    line = f'{path}: {key}: must be a text that shows on one line, got "{ODD[odd]}"'
    assert capsys.readouterr() == ("", f"thrillsim: {line}\n")


def test_names_in_any_script_are_taken(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_text('title = "Größe 大"\n[board]\nname = "Brett – 板"\n')
    assert main(["scenario", "check", str(path)]) == 0
    for bad in ("", "a\nb", 3):
        for make in (lambda name: DiskKind(name, 20.0, 2.0), lambda name: rectangular_board(name=name)):
            with pytest.raises(InputError) as caught:
                make(bad)
            assert caught.value.key == "name"


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (
            ["push", "--disk", "a\x1b[1m\x9b"],
            r'--disk: must be one of big, medium, small, got "a\u001b[1m\x9b"',
        ),
        (["push", "--layout", "a\nb\x1b"], r"a\nb\x1b: cannot be read: no such file or directory"),
        (["push", "--\x1bz"], r"no such option: --\x1bz; see thrillsim push --help"),
    ],
)
def test_what_was_typed_cannot_steer_the_terminal(
    words: list[str], line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert capsys.readouterr() == ("", f"thrillsim: {line}\n")
