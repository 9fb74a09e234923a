# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Training from Python."""

import numpy
import pytest

import nnet3
from conftest import SOURCE
from nnet3.compiler import CompileError

TRAINING = SOURCE / "test" / "Inputs" / "training"
CHAIN = SOURCE / "test" / "Inputs" / "chain"


def mean(record):
    objective = record["objectives"]["output"]
    return objective["value"] / objective["weight"]


def parameters(model):
    return {
        (component.name, name): value
        for component in model.components.values()
        for name, value in component.parameters.items()
    }


@pytest.fixture
def egs(tmp_path):
    """Minibatches of a network with quadratic objectives, as a script."""
    script = tmp_path / "egs.scp"
    lines = (TRAINING / "egs" / "quad.first20.scp").read_text().splitlines()
    with open(script, "w") as file:
        for line in lines:
            key, place = line.split()
            file.write(f"{key} {TRAINING / place}\n")
    return f"scp:{script}"


def test_passes(egs, tmp_path):
    trainer = nnet3.Trainer(
        nnet3.load(TRAINING / "quadratic-momentum" / "init.raw"),
        momentum=0.9,
        srand=7,
        native_after=0,
    )
    first = trainer.train(egs)
    second = trainer.train(egs)
    assert [record["minibatch"] for record in first if "objectives" in record] == list(
        range(20)
    )
    assert mean(second[-1]) > mean(first[0])
    assert trainer.records == first + second
    trainer.save(tmp_path / "trained.raw")
    saved, kept = nnet3.load(tmp_path / "trained.raw"), trainer.model
    assert parameters(saved).keys() == parameters(kept).keys()
    for key, value in parameters(saved).items():
        assert numpy.array_equal(value, parameters(kept)[key]), key


def test_backends_agree(egs):
    models = []
    for backend in "native", "interpreter":
        trainer = nnet3.Trainer(
            TRAINING / "quadratic-momentum" / "init.raw", backend=backend, srand=7
        )
        trainer.train(egs)
        models.append(parameters(trainer.model))
    for key, value in models[0].items():
        assert numpy.allclose(value, models[1][key], rtol=1e-2, atol=1e-3), key


def test_chain():
    trainer = nnet3.Trainer(
        CHAIN / "train-tdnn-xent" / "init.raw",
        leaky_hmm_coefficient=0.1,
        xent_regularize=0.1,
    )
    egs = CHAIN / "egs" / "biphone.ark"
    records = trainer.train(egs, denominator=CHAIN / "biphone.den.fst")
    assert "output" in records[0]["objectives"]


def test_errors(egs):
    trainer = nnet3.Trainer(TRAINING / "quadratic-momentum" / "init.raw")
    with pytest.raises(CompileError, match="cannot open"):
        trainer.train("missing.ark")
    with pytest.raises(CompileError, match="momentum"):
        trainer.train(egs, momentum=2)
    assert trainer.records == []
