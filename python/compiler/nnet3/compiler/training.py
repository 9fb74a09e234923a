# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Training."""

from __future__ import annotations

import json
import os
import pathlib
import tempfile
from typing import Any

from nnet3.compiler._tools import run_tool
from nnet3.compiler.model import Model, to_options


class Trainer:
    """Trains a model on tables of minibatches, as nnet3-train does.

    Args:
        model: a `Model`, or the path of a model; training does not change its
            file.
        backend: `native`, machine code compiled for each shape of minibatches;
            `interpreter`; or `cuda`.
        program_cache: folder for machine code; None for a folder that is deleted
            with this trainer.
        **options: options of nnet3-train, with underscores: `momentum=0.9`,
            `max_param_change=2.0`, `l2_regularize_factor=0.5`, `srand=7`,
            `native_after=0`.

    Attributes:
        records: a record of each minibatch so far: a dict with `minibatch`,
            counted from 0 in each call of `train()`, and `objectives`, a dict
            from outputs to `value`, a sum, and `weight`, usually the number of
            frames. Every `print_interval` minibatches (100) there is a record
            about the components instead.
    """

    def __init__(
        self,
        model: Model | str | os.PathLike[str],
        backend: str = "native",
        program_cache: str | os.PathLike[str] | None = None,
        **options: Any,
    ) -> None:
        self._files = tempfile.TemporaryDirectory(prefix="nnet3-")
        self._folder = pathlib.Path(self._files.name)
        self._path = model.path if isinstance(model, Model) else os.fspath(model)
        self._options: dict[str, Any] = {"backend": backend, **options}
        if backend == "native":
            if program_cache is None:
                program_cache = self._folder / "programs"
            self._options["program_cache"] = os.fspath(program_cache)
        self._count = 0
        self.records: list[dict[str, Any]] = []

    @property
    def model(self) -> Model:
        """The current model, a `Model`."""
        return Model(self._path)

    def train(
        self,
        examples: str | os.PathLike[str],
        denominator: str | os.PathLike[str] | None = None,
        **options: Any,
    ) -> list[dict[str, Any]]:
        """Trains on each minibatch of a table once.

        Args:
            examples: a table, such as `ark:egs.ark`; without a prefix an archive.
            denominator: file of the denominator graph of a chain model.
            **options: options of nnet3-train for this pass only.

        Returns:
            The records of this pass.

        Raises:
            CompileError: the model or the examples are invalid; the model is
                unchanged.
        """
        examples = os.fspath(examples)
        if not examples.startswith(("ark:", "ark,", "scp:", "scp,")):
            examples = f"ark:{examples}"
        self._count += 1
        trained = self._folder / f"{self._count}.raw"
        log = self._folder / "log.jsonl"
        graph = [] if denominator is None else [denominator]
        run_tool(
            "nnet3-train",
            "--print-args=false",
            *to_options({**self._options, **options, "log": log}),
            self._path,
            *graph,
            examples,
            trained,
        )
        with open(log) as file:
            records = [json.loads(line) for line in file]
        if pathlib.Path(self._path).parent == self._folder:
            os.remove(self._path)
        self._path = os.fspath(trained)
        self.records += records
        return records

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model as a raw model."""
        run_tool("nnet3-copy", "--print-args=false", self._path, path)
