# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ray Data computes a corpus."""

import os
import signal
import sys
import threading
import time

import corpus
import kaldiio
import numpy
import pytest

from conftest import LIBRARIES, find_processes


@pytest.fixture
def tables(utterances, tmp_path):
    """Scripts of features and i-vectors: each utterance under many keys."""
    paths = []
    for number, name in enumerate(("features", "ivectors")):
        table = tmp_path / f"{name}.scp"
        matrices = {key: value[number] for key, value in utterances.items()}
        kaldiio.save_ark(str(tmp_path / f"{name}.ark"), matrices, scp=str(table))
        lines = table.read_text().splitlines()
        with open(table, "w", encoding="utf-8") as file:
            for copy in range(150):
                file.writelines(f"{copy}-{line}\n" for line in lines)
        paths.append(table)
    return paths


def check(folder, utterances, tables):
    """FOLDER/output.scp has each utterance once, with the expected numbers."""
    lines = (folder / "output.scp").read_text().splitlines()
    keys = [line.split()[0] for line in lines]
    assert keys == sorted(corpus.read_table(tables[0]))
    for key, output in kaldiio.load_scp(str(folder / "output.scp")).items():
        expected = utterances[key.split("-", 1)[1]][2]
        numpy.testing.assert_allclose(output, expected, rtol=1e-4, atol=1e-4)


def test_a_killed_worker_loses_no_utterance(cluster, utterances, tables, tmp_path):
    folder, results = tmp_path / "output", []
    run = threading.Thread(
        target=lambda: results.append(
            corpus.compute(
                LIBRARIES / "libchunks.so", tables[0], folder, tables[1], batch=2
            )
        )
    )
    run.start()
    while run.is_alive() and len(list(folder.glob("*.ark"))) < 10:
        time.sleep(0.01)
    # The second worker may still be starting: the first one has written the blocks.
    os.kill(min(find_processes("Computer")), signal.SIGKILL)
    before = len(list(folder.glob("*.ark")))
    most = 0
    while run.is_alive():
        most = max(most, len(find_processes("Computer")))
        time.sleep(0.2)
    assert most == 2
    places, errors = results[0]
    assert before < len(places) / 2, "expects a worker to die while there is work"
    assert errors == {}
    check(folder, utterances, tables)


def test_says_what_failed(cluster, utterances, tables, tmp_path):
    table = tmp_path / "bad.scp"
    good = tables[0].read_text().splitlines()[0]
    table.write_text(f"{good}\nmissing {tmp_path}/none.ark:5\n")
    places, errors = corpus.compute(
        LIBRARIES / "libchunks.so", table, tmp_path / "output", tables[1]
    )
    assert list(places) == [good.split()[0]]
    assert list(errors) == ["missing"] and "none.ark" in errors["missing"]


@pytest.mark.parametrize(
    "content, message",
    [
        (None, "cannot open {path}: No such file or directory"),
        (b"a a.ark:5\n\nb\n", "{path}:3: expects a key and a place, but got 'b'"),
        (b"a a.ark:5\n\xff b.ark:5\n", "{path}:2: expects text in UTF-8"),
    ],
)
@pytest.mark.parametrize("table", ["features", "ivectors"])
def test_refuses_tables(table, content, message, tables, tmp_path, monkeypatch, capsys):
    path = tmp_path / "refused.scp"
    if content is not None:
        path.write_bytes(content)
    features, ivectors = tables
    if table == "features":
        features = path
    else:
        ivectors = path
    output = tmp_path / "output"
    command = ["corpus.py", f"--ivectors={ivectors}", "library", features, output]
    monkeypatch.setattr(sys, "argv", [str(word) for word in command])
    assert corpus.main() == 1
    assert capsys.readouterr().err == f"error: {message.format(path=path)}\n"
    assert not output.exists()
