"""Every notebook runs from its text, start to end, and shows what it promises."""

from __future__ import annotations

from pathlib import Path

import jupytext
import pytest
from nbmake.nb_run import NotebookRun

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.py"))


def test_there_are_notebooks() -> None:
    assert "board_geometry" in {path.stem for path in NOTEBOOKS}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_is_paired_and_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    notebook = jupytext.read(path)
    assert notebook.metadata["jupytext"]["formats"] == "ipynb,py:percent"
    copy = tmp_path / f"{path.stem}.ipynb"
    jupytext.write(notebook, copy)
    done = NotebookRun(copy, default_timeout=180).execute()
    assert done.error is None, done.error and done.error.trace
    shown = [
        kind
        for cell in done.nb.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if output.output_type in {"execute_result", "display_data"}
        for kind in output.data
    ]
    assert "image/png" in shown  # plots
    assert "image/svg+xml" in shown  # values that show themselves
    said = "".join(o.text for c in done.nb.cells for o in c.get("outputs", ()) if o.output_type == "stream")
    # The slow limit in which the friction of the board cancels, push by push.
    assert said.count("the same in every single push") == 2
