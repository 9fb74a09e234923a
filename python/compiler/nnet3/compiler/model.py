# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models: networks with parameters."""

from __future__ import annotations

import dataclasses
import os
import pathlib
import re
import tempfile

from typing import Any, Literal, overload

import numpy
from numpy.typing import ArrayLike, NDArray

from nnet3._runtime import Error, Program
from nnet3.compiler._tools import CompileError, run_tool
from nnet3.compiler.ir import Module, load_description
from nnet3.compiler.tables import read_matrices, write_matrices
from nnet3.library import Library
from nnet3.matrices import take_matrix

_ROWS = re.compile(r"!nnet3\.rows<(\d+)>")


@dataclasses.dataclass(frozen=True)
class Node:
    """A node of a network.

    Attributes:
        name: Kaldi's name.
        kind: input, component, dim_range or output.
        dim: number of columns.
        component: name of the component of a component node, else None.
    """

    name: str
    kind: str
    dim: int
    component: str | None = None


@dataclasses.dataclass(frozen=True)
class Component:
    """A component of a network.

    Attributes:
        name: Kaldi's name.
        type: name of the operation, such as `natural_gradient_affine`.
        config: dict from names to values.
        parameters: dict from names to read-only float32 arrays: parameters, and
            statistics of training.
    """

    name: str
    type: str
    config: dict[str, Any]
    parameters: dict[str, NDArray[numpy.float32]]


class Model:
    """A network with parameters.

    Args:
        path: a config, a raw or acoustic model in text or binary, IR, or a folder
            with `final.mdl` or `am/final.mdl`, such as Vosk's.
        test_mode: whether batch norm and dropout compute in test mode, as usual
            after training.

    Attributes:
        nodes: dict from names to `Node`.
        components: dict from names to `Component`.
        left_context, right_context: frames before and after its own frame that an
            output needs.
        num_parameters: number of trainable parameters.
        priors: priors of an acoustic model, or None.
    """

    def __init__(self, path: str | os.PathLike[str], test_mode: bool = True) -> None:
        self.path = os.fspath(path)
        self._test_mode = test_mode
        self._libraries = tempfile.TemporaryDirectory(prefix="nnet3-")
        with tempfile.TemporaryDirectory() as folder:
            run_tool("nnet3-translate", "--model-to-json", self.path, "-o", folder)
            root = load_description(pathlib.Path(folder))
        networks = [op for op in root.walk() if op.name == "nnet3.network"]
        if len(networks) != 1:
            raise Error(f"{self.path}: expects one network, but got {len(networks)}")
        (self._network,) = networks
        self.name: str = self._network.attributes["sym_name"]
        self.priors: NDArray[numpy.float32] | None = self._network.attributes.get(
            "priors"
        )
        self.nodes: dict[str, Node] = {}
        self.components: dict[str, Component] = {}
        for op in self._network.regions[0][0]:
            self._add(op)
        info = run_tool("nnet3-info", self.path).decode()

        def read(key):
            return int(re.search(rf"^{key}: (\d+)", info, re.MULTILINE)[1])

        self.left_context, self.right_context = read("left-context"), read("right-context")
        self.num_parameters = read("num-parameters")

    def _add(self, op):
        kind = op.name.removeprefix("nnet3.")
        if op.symbol is not None:
            parameters = {
                name: value
                for name, value in op.attributes.items()
                if isinstance(value, numpy.ndarray)
            }
            config = {
                name: value
                for name, value in op.attributes.items()
                if name not in parameters and name != "sym_name"
            }
            self.components[op.symbol] = Component(op.symbol, kind, config, parameters)
        elif kind.endswith("_node"):
            name = op.attributes["name"]
            component = op.attributes.get("component")
            dim = self._dims.get(op.operands[0]) if kind == "output_node" else None
            if op.results:
                dim = _dim(op.results[0])
            self.nodes[name] = Node(
                name,
                kind.removesuffix("_node"),
                dim,
                component.lstrip("@").strip('"') if component else None,
            )

    @property
    def _dims(self):
        """Number of columns of each value of the network."""
        return {
            result.id: _dim(result)
            for op in self._network.walk()
            for result in op.results
        }

    @property
    def module(self) -> Module:
        """The IR of the network: a `Module`."""
        return Module(self.path)

    def __call__(
        self,
        features: ArrayLike,
        ivectors: ArrayLike | None = None,
        frame_subsampling_factor: int = 1,
        ivector_period: int | None = None,
        **options: Any,
    ) -> NDArray[numpy.float32]:
        """Computes an utterance with the interpreter, as nnet3-compute does.

        Args:
            features: frames x dim.
            ivectors: if the network takes i-vectors, dim numbers for the whole
                utterance, or n x dim: one per `ivector_period` frames.
            frame_subsampling_factor: frames per output.
            ivector_period: frames per i-vector.
            **options: options of nnet3-run, with underscores.

        Returns:
            Outputs x dim.

        Raises:
            Error: several i-vectors without a period, or features that are not a
                matrix.
            CompileError: the network does not accept these features.
        """
        features = take_matrix(features, "features")
        options = {
            "print_args": False,
            "frame_subsampling_factor": frame_subsampling_factor,
            **options,
        }
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            write_matrices(folder / "features.ark", {"utterance": features})
            if ivectors is not None:
                if numpy.ndim(ivectors) == 1:
                    ivectors = numpy.asarray(ivectors)[None]
                ivectors = take_matrix(ivectors, "i-vectors")
                if len(ivectors) > 1 and ivector_period is None:
                    raise Error(
                        f"expects ivector_period for {len(ivectors)} i-vectors"
                    )
                write_matrices(folder / "ivectors.ark", {"utterance": ivectors})
                options["online_ivectors"] = f"ark:{folder / 'ivectors.ark'}"
                options["online_ivector_period"] = ivector_period or len(features) + 1
            run_tool(
                "nnet3-run",
                *to_options(options),
                self.path,
                f"ark:{folder / 'features.ark'}",
                f"ark:{folder / 'output.ark'}",
            )
            return read_matrices(folder / "output.ark")["utterance"]

    @overload
    def compile(
        self,
        path: str | os.PathLike[str] | None = None,
        prefix: str | None = None,
        streaming: bool | None = None,
        target: Literal["host"] = "host",
        emit: Literal["lib"] = "lib",
        **options: Any,
    ) -> Library: ...

    @overload
    def compile(
        self,
        path: str | os.PathLike[str] | None = None,
        prefix: str | None = None,
        streaming: bool | None = None,
        target: str = "host",
        emit: str = "lib",
        **options: Any,
    ) -> Library | str: ...

    def compile(
        self, path=None, prefix=None, streaming=None, target="host", emit="lib", **options
    ):
        """Compiles the model to a library.

        Args:
            path: path of the library, without `lib` and `.so`; None for a file
                that is deleted with this model.
            prefix: prefix of the library's functions.
            streaming: whether the library computes streams, and utterances as
                streams, or chunks with context. By default it computes streams
                if `chunk` is given and outputs do not depend on the chunk
                boundaries or on the padding of the last chunk.
            target: triple of another machine, such as `aarch64-linux-gnu`.
            emit: `archive`, `obj` or a stage of the compiler.
            **options: options of nnet3-compile, with underscores; lists are
                joined: `chunk=[21, 51]`, `sequences=[1, 4]`,
                `frame_subsampling_factor=3`, `precision="int8"`,
                `use_priors=True`.

        Returns:
            A `nnet3.Library`; for another machine, or with `emit`, the path of
            the written file.
        """
        if path is None:
            path = os.path.join(tempfile.mkdtemp(dir=self._libraries.name), "net")
        if target != "host":
            options["target"] = target
        if emit != "lib":
            options["emit"] = emit
        if prefix is not None:
            options["prefix"] = prefix
        if not self._test_mode:
            options["train_mode"] = True
        if streaming is None and "chunk" in options:
            try:
                library = self._compile(path, {"streaming": True, **options})
                if not isinstance(library, Library) or not (
                    library.depends_on_chunks or library.depends_on_end
                ):
                    return library
                del library  # The next library gets the same path.
            except CompileError as error:
                if not error.message.startswith("cannot stream"):
                    raise
        return self._compile(path, {"streaming": bool(streaming), **options})

    def _compile(self, path, options):
        path = os.fspath(path)
        run_tool("nnet3-compile", *to_options(options), "-o", path, self.path)
        folder, name = os.path.split(path)
        if options.get("target", "").startswith("wasm"):
            library_name = f"{name}.wasm"
        else:
            library_name = f"lib{name}.so"
        files = {"lib": library_name, "archive": f"lib{name}.a", "obj": f"{name}.o"}
        made = os.path.join(folder, files.get(options.get("emit", "lib"), name))
        if "target" in options or "emit" in options:
            return made
        library = Library(made)
        library._files = self._libraries  # keeps the files until it is closed
        return library

    def program(self, request: str | None = None) -> Program:
        """Compiles one request to a program of the interpreter.

        Args:
            request: text in the format of `nnet3-run --request`, such as
                `input name=input t=-6:35 has-deriv=true` and
                `output name=output t=0:27:3 has-deriv=true` in two lines. None
                for IR, which has its own request.

        Returns:
            A `nnet3.Program`. It computes the derivatives of the request, but not
            those of parameters.
        """
        passes = ["nnet3-compile", "nnet3-optimize"]
        if self._test_mode:
            passes = [
                "nnet3.network(nnet3-set-batch-norm-test-mode,nnet3-set-test-mode)",
                *passes,
            ]
        commands = Module(self.path, request).run(f"builtin.module({','.join(passes)})")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "net.n3pg"
            run_tool(
                "nnet3-translate",
                "--mlir-to-program",
                "-o",
                path,
                input=commands.bytecode,
            )
            return Program.load(os.fspath(path))

    def _repr_html_(self) -> str:
        return self.module._repr_html_()

    def __repr__(self) -> str:
        return (
            f"<nnet3.compiler.Model {self.path}: {len(self.components)} components, "
            f"{self.num_parameters} parameters>"
        )


def _dim(value):
    match = _ROWS.fullmatch(value.type)
    return int(match[1]) if match else None


def to_options(options: dict[str, Any]) -> list[str]:
    """Converts keyword arguments to command-line options."""
    result = []
    for name, value in options.items():
        if isinstance(value, bool):
            value = str(value).lower()
        elif isinstance(value, (list, tuple)):
            value = ",".join(map(str, value))
        result.append(f"--{name.replace('_', '-')}={value}")
    return result
