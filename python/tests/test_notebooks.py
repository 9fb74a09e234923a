# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The notebooks of examples/notebooks."""

import nbclient
import nbformat
import pytest

from conftest import SOURCE

FOLDER = SOURCE / "examples" / "notebooks"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.ipynb")), ids=lambda path: path.stem)
def test_runs(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    for cell in notebook.cells:
        assert not cell.get("outputs"), "notebooks are kept without their outputs"
    nbclient.NotebookClient(
        notebook, timeout=300, resources={"metadata": {"path": FOLDER}}
    ).execute()
    mimes = {
        mime
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        for mime in output.get("data", {})
    }
    assert "image/png" in mimes, "expects a plot"
