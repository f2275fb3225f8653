"""TOML in and out: each mistake is one line (file, key, value, what is allowed); what goes out comes back."""

from __future__ import annotations

import datetime as dt
import errno
import math
import os
import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta

from thrillsim import toml
from thrillsim.errors import InputError
from thrillsim.toml import write_whole


class Leaf(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    count: Annotated[int, Meta(ge=1)] = 1
    share: Annotated[float, Meta(gt=0, le=1)] = 0.5
    mode: Literal["near", "far"] = "near"
    auto: float | Literal["auto"] = 1.0
    name: Annotated[str, Meta(min_length=1)] = "x"
    pair: tuple[float, float] = (0.0, 0.0)
    flag: bool = False
    rates: dict[str, list[float]] = {}
    fixed: float | None = None

    def __post_init__(self) -> None:
        if self.count == 7:
            raise InputError("must not be 7", key="count")
        if self.count == 8:
            raise ValueError("eight is refused too")


class Grid(msgspec.Struct, frozen=True, tag="grid", forbid_unknown_fields=True):
    steps: int


class Points(msgspec.Struct, frozen=True, tag="points", forbid_unknown_fields=True):
    at: list[float]


class Root(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    leaf: Leaf = Leaf()
    either: str | Leaf = "default"
    leaves: list[Leaf] = []
    place: Grid | Points | None = None
    needed: int | msgspec.UnsetType = msgspec.UNSET


MISTAKES = {
    "trials = 1": "trials: unknown key, allowed: leaf, either, leaves, place, needed",
    "needde = 1": "needde: unknown key, did you mean needed? allowed: leaf, either, leaves, place, needed",
    '"two\\nlines" = 1': '"two\\nlines": unknown key, allowed: leaf, either, leaves, place, needed',
    "leaf.coutn = 3": (
        "leaf.coutn: unknown key, did you mean count?"
        " allowed: count, share, mode, auto, name, pair, flag, rates, fixed"
    ),
    "leaf.count = 0": "leaf.count: must be >= 1, got 0",
    "leaf.count = 2.0": "leaf.count: must be a whole number, got 2.0",
    "leaf.count = true": "leaf.count: must be a whole number, got true",
    "leaf.count = 7": "leaf.count: must not be 7",
    "leaf.count = 8": "leaf: eight is refused too",
    "leaf.share = 0": "leaf.share: must be > 0 and <= 1, got 0",
    "leaf.share = 1.5": "leaf.share: must be > 0 and <= 1, got 1.5",
    "leaf.share = nan": "leaf.share: must be a finite number, got nan",
    "leaf.pair = [1.0, -inf]": "leaf.pair[1]: must be a finite number, got -inf",
    'leaf.mode = "mid"': 'leaf.mode: must be one of near, far, got "mid"',
    "leaf.mode = 3": "leaf.mode: must be near or far, got 3",
    "leaf.auto = [1]": "leaf.auto: must be auto or a number, got [1]",
    'leaf.auto = "no"': 'leaf.auto: must be one of auto, got "no"',
    'leaf.name = ""': 'leaf.name: must have length >= 1, got ""',
    "leaf.pair = [1]": "leaf.pair: must have length 2, got [1]",
    'leaf.pair = [1, "a"]': 'leaf.pair[1]: must be a number, got "a"',
    "leaf.flag = 1": "leaf.flag: must be true or false, got 1",
    "leaf.rates.b = [1]\nleaf.rates.c = [1, true]": "leaf.rates.c[1]: must be a number, got true",
    "leaf.rates = 3": "leaf.rates: must be a table, got 3",
    'leaf.fixed = "a"': 'leaf.fixed: must be a number, got "a"',
    "leaf.fixed = 2020-01-01": "leaf.fixed: must be a number, got 2020-01-01",
    "leaf = [1]": "leaf: must be a table, got [1]",
    "leaves = 1": "leaves: must be a list, got 1",
    "[[leaves]]\n[[leaves]]\ncount = 0": "leaves[1].count: must be >= 1, got 0",
    "either = 3": "either: must be a text or a table, got 3",
    "either.cuont = 3": (
        "either.cuont: unknown key, did you mean count?"
        " allowed: count, share, mode, auto, name, pair, flag, rates, fixed"
    ),
    'place.type = "line"': 'place.type: must be one of grid, points, got "line"',
    "place.steps = 3": "place.type: is required, one of grid, points",
    'place.type = "grid"': "place.steps: is required",
    'place = {type = "grid", steps = 3, at = [1.0]}': "place.at: unknown key, allowed: type, steps",
    "a = ": "is not TOML: Invalid value (at line 1)",
    "leaf.count = 1\nleaf.count = 2\n\n": "is not TOML: Cannot overwrite a value (at line 2, column 15)",
    "x = [1,\n2": "is not TOML: Unclosed array (at line 2)",
    f"x = {'[' * 3000}": "is not TOML: nested too deeply",
    f"leaf.count = {'9' * 5000}": "is not TOML: holds a number of thousands of digits",
    f"leaf.flag = 0x{'f' * 5000}": "leaf.flag: must be true or false, got int too long to show",
}


@pytest.mark.parametrize("text", MISTAKES, ids=lambda t: t[:30])
def test_a_mistake_is_one_line_with_all_one_needs(text: str) -> None:
    with pytest.raises(InputError) as caught:
        toml.decode(text, Root, "a.toml")
    assert str(caught.value) == f"a.toml: {MISTAKES[text]}"
    assert caught.value.__cause__ is None  # no second traceback behind it


def test_long_values_are_cut() -> None:
    with pytest.raises(InputError) as caught:
        toml.decode(f'leaf.count = "{"long " * 100}"', Root, "a.toml")
    assert len(str(caught.value)) < 120
    with pytest.raises(InputError) as caught:
        toml.decode('leaf.count = "two\\nlines"', Root, "a.toml")
    assert str(caught.value) == r'a.toml: leaf.count: must be a whole number, got "two\nlines"'


def test_good_text_is_read() -> None:
    root = toml.decode(
        'either = "file.toml"\n[leaf]\nshare = 1\n[place]\ntype = "points"\nat = [1, 2.5]', Root, "a"
    )
    assert root == Root(leaf=Leaf(share=1.0), either="file.toml", place=Points([1.0, 2.5]))
    assert toml.decode("", Root, "a") == Root()


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "s.toml"
    path.write_text("leaf.count = 3")
    assert toml.load(path, Root).leaf.count == 3
    assert toml.load(str(path), Root).leaf.count == 3
    path.write_bytes(b'leaf.name = "\xff"')
    for bad, reason in [
        (path, "is not UTF-8 text (byte 13)"),
        (tmp_path, "cannot be read: is a directory"),
        (tmp_path / "no.toml", "cannot be read: no such file or directory"),
    ]:
        with pytest.raises(InputError) as caught:
            toml.load(bad, Root)
        assert str(caught.value) == f"{bad}: {reason}"


def test_windows_line_ends_and_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "w.toml"
    path.write_bytes(b"\xef\xbb\xbfleaf.count = 3\r\nleaf.flag = true\r\n")
    assert toml.load(path, Root).leaf == Leaf(count=3, flag=True)


# -- writing --------------------------------------------------------------------------------

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
scalars = st.one_of(st.booleans(), st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False), texts)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=12,
)


@given(st.dictionaries(texts, values, max_size=5))
def test_what_is_written_reads_back_equal(data: dict[str, Any]) -> None:
    again = tomllib.loads(toml.encode(data))
    assert again == data
    assert list(again) == list(data) or {k for k, v in data.items() if isinstance(v, dict | list)}


def test_numpy_numbers_are_numbers_and_none_is_left_out() -> None:
    text = toml.encode({"a": np.float64(0.1), "b": None, "c": {"d": None, "e": (1, 2)}, "z": -0.0})
    data = tomllib.loads(text)
    assert data == {"a": 0.1, "z": 0.0, "c": {"e": [1, 2]}}
    assert math.copysign(1, data["z"]) == -1
    with pytest.raises(TypeError, match="no form for date"):
        toml.encode({"a": dt.date(2020, 1, 1)})


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "is not JSON: ends in the middle"),
        ('{"leaf": {"count": 1', "is not JSON: ends in the middle"),
        ('{"leaf": {\n"count" 1}}', 'is not JSON: wrong from line 2, character 9 on: "1}}"'),
        ("{} {}", 'is not JSON: wrong from character 4 on: "{}"'),
        (b'{"a": "\xff"}', "is not JSON: not UTF-8 text (byte 7)"),
        ('{"leaf": {"count": Infinity}}', "leaf.count: must be a finite number, got inf"),
        ("[" * 9999, "is not JSON: nested too deeply"),
        ('{"leaf": {"share": 1}, "leaf": {"share": 1}}', "leaf: is given twice"),
        ('{"leaf": {"share": 1, "share": 0.5}}', "share: is given twice"),
        ('{"leaf": {"count": "x"}}', 'leaf.count: must be a whole number, got "x"'),
    ],
)
def test_what_is_no_json_is_said_in_our_words(text: str | bytes, reason: str) -> None:
    with pytest.raises(InputError) as caught:
        toml.decode_json(text, Root, "a.json")
    assert str(caught.value) == f"a.json: {reason}"
    assert toml.decode_json('{"leaf": {"share": 1}}', Root) == Root(leaf=Leaf(share=1.0))


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, link = tmp_path / "a.json", tmp_path / "link"
    link.symlink_to(file)
    write_whole(link, "ä")
    assert (link.is_symlink(), file.read_bytes()) == (True, "ä".encode())

    def half(path: Path, raw: bytes) -> None:
        with path.open("wb") as file:
            file.write(raw[:1])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", half)
    for path in (file, tmp_path / "new"):
        with pytest.raises(InputError) as caught:
            write_whole(path, b"long")
        assert str(caught.value) == f"{path}: cannot be written: no space left on device"
    assert sorted(tmp_path.iterdir()) == [file, link]
    assert file.read_bytes() == "ä".encode()


def test_a_pipe_is_written_to_and_stays_one(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    write_whole(tmp_path / "pipe", "row\n")
    assert os.read(reader, 9) == b"row\n"
    os.close(reader)
    assert (tmp_path / "pipe").is_fifo()
