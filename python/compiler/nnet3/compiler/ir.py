# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""IR in Python: text, passes and operations."""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import tempfile
from collections.abc import Iterator
from typing import Any

import numpy

from nnet3._runtime import Error
from nnet3.compiler._tools import run_tool
from nnet3.compiler.computation import Computation

# Precedes the data in the page of a report.
_DATA = '<script id="data" type="application/json">'


@dataclasses.dataclass
class Value:
    """An SSA value. Values with the same `id` are the same value.

    Attributes:
        id: number in the module.
        type: type as text, such as `!nnet3.rows<40>`.
    """

    id: int
    type: str


@dataclasses.dataclass
class Operation:
    """An operation.

    Attributes:
        name: name, such as `nnet3.component_node`.
        attributes: dict from names to numbers, strings, lists, dicts or
            matrices; attributes of other kinds are given as text.
        operands: ids of values.
        results: list of `Value`.
        regions: list of lists of blocks; a block is a list of `Operation`.
        location: (file, line, column), or None.
    """

    name: str
    attributes: dict[str, Any]
    operands: list[int]
    results: list[Value]
    regions: list[list[list[Operation]]]
    location: tuple[str, int, int] | None

    def walk(self) -> Iterator[Operation]:
        """Yields this operation and all operations nested in it, in order."""
        yield self
        for region in self.regions:
            for block in region:
                for operation in block:
                    yield from operation.walk()

    @property
    def symbol(self) -> str | None:
        """The symbol name, or None."""
        return self.attributes.get("sym_name")

    def __repr__(self) -> str:
        symbol = f" @{self.symbol}" if self.symbol else ""
        return f"<{self.name}{symbol}>"


class Module:
    """A module of IR in any stage.

    Args:
        source: text, bytecode, or the path of any model.
        requests: requests for a model that is not IR, in the format of
            `nnet3-run --request`.
    """

    def __init__(
        self, source: str | bytes | os.PathLike[str], requests: str | None = None
    ) -> None:
        self._root: Operation | None = None
        if isinstance(source, bytes):
            self._code = source
        elif isinstance(source, str) and "\n" in source:
            self._code = source.encode()
        else:
            self._code = _read(os.fspath(source), requests)

    @classmethod
    def parse(cls, text: str) -> Module:
        """Creates a module from text, and checks it immediately."""
        module = cls(text if "\n" in text else text + "\n")
        module.run()
        return module

    @property
    def text(self) -> str:
        """The module as text, with elided weights."""
        return run_tool(
            "nnet3-opt",
            "--mlir-elide-resource-strings-if-larger=64",
            "--mlir-elide-elementsattrs-if-larger=64",
            input=self._code,
        ).decode()

    def run(self, *passes: str) -> Module:
        """Runs passes or pipelines, and returns the resulting module.

        Args:
            *passes: names with options as for nnet3-opt (`nnet3-compile`,
                `nnet3-native=to=fused`), or one pipeline, `builtin.module(...)`.
        """
        if len(passes) == 1 and passes[0].startswith("builtin.module"):
            options = [f"--pass-pipeline={passes[0]}"]
        else:
            options = [f"--{name}" for name in passes]
        return Module(
            run_tool("nnet3-opt", "--emit-bytecode", *options, input=self._code)
        )

    @property
    def bytecode(self) -> bytes:
        """The module as bytecode, or in the format that it was read from."""
        return self._code

    @property
    def operation(self) -> Operation:
        """The `builtin.module` operation, with tensors as numpy arrays."""
        if self._root is None:
            self._root = _describe(self._code)
        return self._root

    def walk(self) -> Iterator[Operation]:
        """Yields all operations."""
        return self.operation.walk()

    def find(self, symbol: str) -> Operation | None:
        """Returns the operation with this symbol name, or None."""
        return next((op for op in self.walk() if op.symbol == symbol), None)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the module: text, or bytecode if the name ends in `.mlirbc`."""
        run_tool("nnet3-opt", "-o", path, *_bytecode(path), input=self._code)

    def report(self, *passes: str) -> str:
        """Returns an HTML page that shows the computations after each pass."""
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "report.html"
            options = [f"--{name}" for name in passes]
            run_tool(
                "nnet3-opt",
                f"--nnet3-report={page}",
                "-o",
                os.devnull,
                *options,
                input=self._code,
            )
            return page.read_text(encoding="utf-8")

    def computations(self) -> list[Computation]:
        """The commands and matrices of each computation: list of `Computation`."""
        _, _, data = self.report().partition(_DATA)
        data, _ = json.JSONDecoder().raw_decode(data.lstrip())
        return [Computation.from_report(described) for described in data["computations"]]

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        import html

        page = html.escape(self.report(), quote=True)
        return (
            f'<iframe srcdoc="{page}" width="100%" height="600" '
            'style="border:0"></iframe>'
        )


def _bytecode(path):
    return ["--emit-bytecode"] if os.fspath(path).endswith(".mlirbc") else []


def _read(path, requests):
    """Returns the module of a model as bytecode."""
    with open(path, "rb") if os.path.isfile(path) else open(os.devnull) as file:
        head = file.read(4)
    if path.endswith(".mlir") or head == b"ML\xefR":
        if requests is not None:
            raise Error(f"{path}: expects no requests for IR, which has its own")
        with open(path, "rb") as file:
            return file.read()
    config = path.endswith((".config", ".xconfig"))
    command = ["--config-to-mlir"] if config else ["--raw-to-mlir", "--emit-bytecode"]
    if requests is None:
        return run_tool("nnet3-translate", *command, path)
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "requests"
        file.write_text(requests, encoding="utf-8")
        return run_tool("nnet3-translate", *command, f"--request={file}", path)


def _describe(code):
    with tempfile.TemporaryDirectory() as folder:
        run_tool("nnet3-translate", "--model-to-json", "-", "-o", folder, input=code)
        return load_description(pathlib.Path(folder))


def load_description(folder: pathlib.Path) -> Operation:
    """Loads a folder of `nnet3-translate --model-to-json`; returns the root."""
    tensors = numpy.fromfile(folder / "tensors.bin", "<f4")
    tensors.flags.writeable = False
    description = json.loads((folder / "module.json").read_text(encoding="utf-8"))
    return _build(description, tensors)


def _build(op, tensors):
    place = op.get("location")
    return Operation(
        name=op["name"],
        attributes={
            name: _attribute(value, tensors)
            for name, value in op["attributes"].items()
        },
        operands=op.get("operands", []),
        results=[Value(**result) for result in op.get("results", [])],
        regions=[
            [[_build(inner, tensors) for inner in block["operations"]] for block in region]
            for region in op.get("regions", [])
        ],
        location=place and (place["file"], place["line"], place["column"]),
    )


def _attribute(value, tensors):
    if isinstance(value, dict) and "offset" in value:
        shape = value["shape"]
        size = int(numpy.prod(shape, dtype=numpy.int64))
        return tensors[value["offset"] : value["offset"] + size].reshape(shape)
    return value
