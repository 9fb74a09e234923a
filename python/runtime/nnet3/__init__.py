# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kaldi nnet3 networks in Python.

    import nnet3

    library = nnet3.load("libasr.so")          # made by nnet3-compile
    scores = library(features, ivector)        # one utterance
    stream = library.stream()                  # live speech

    model = nnet3.load("final.mdl")            # needs the package nnet3-compiler
    library = model.compile(chunk=[21, 51], frame_subsampling_factor=3)
    trainer = nnet3.Trainer(model)             # the same

Matrices are objects with the buffer protocol or DLPack, such as numpy arrays and
CPU tensors of torch, rows x columns; results are numpy arrays of float32. Errors
are `nnet3.Error`. The GIL is released while a network computes.
"""

from typing import TYPE_CHECKING

from nnet3._runtime import Error, Program, ProgramInstance
from nnet3.chunks import Chunk, UtteranceError
from nnet3.features import Features, FeatureStream, fbank, mfcc
from nnet3.library import Instance, Library
from nnet3.loading import load
from nnet3.scheduling import ScheduledStream, Scheduler
from nnet3.streams import Batch, Stream

__all__ = [
    "Batch",
    "Chunk",
    "Error",
    "FeatureStream",
    "Features",
    "Instance",
    "Library",
    "Program",
    "ProgramInstance",
    "ScheduledStream",
    "Scheduler",
    "Stream",
    "UtteranceError",
    "fbank",
    "load",
    "mfcc",
]


if TYPE_CHECKING:
    from nnet3.compiler import Trainer as Trainer
else:

    def __getattr__(name):
        if name != "Trainer":
            raise AttributeError(f"module 'nnet3' has no attribute {name!r}")
        try:
            from nnet3.compiler import Trainer
        except ModuleNotFoundError as error:
            raise Error("nnet3.Trainer needs the package nnet3-compiler") from error
        return Trainer
