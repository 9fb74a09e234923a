# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models: networks with parameters."""

import dataclasses
import os
import pathlib
import re
import tempfile

import numpy

from nnet3._runtime import Error, Program
from nnet3.compiler._tools import run_tool
from nnet3.compiler.ir import Module, load_description
from nnet3.compiler.tables import read_matrices, write_matrices
from nnet3.library import Library

_ROWS = re.compile(r"!nnet3\.rows<(\d+)>")


@dataclasses.dataclass(frozen=True)
class Node:
    """A node of a network.

    Attributes:
        name: Kaldi's name.
        kind: input, component, dim_range or output.
        dim: columns.
        component: name of the component of a component node, else None.
    """

    name: str
    kind: str
    dim: int
    component: str = None


@dataclasses.dataclass(frozen=True)
class Component:
    """A component of a network.

    Attributes:
        name: Kaldi's name.
        type: of the operation, such as `natural_gradient_affine`.
        config: dict from names to values.
        parameters: dict from names to float32 arrays that cannot be written:
            parameters, and statistics that training keeps.
    """

    name: str
    type: str
    config: dict
    parameters: dict


class Model:
    """A network that Kaldi's tools, or these, have made.

    Args:
        path: a config, a raw or acoustic model in text or binary, IR, or a folder
            with `final.mdl` or `am/final.mdl`, such as Vosk's.
        test_mode: whether batch norm and dropout are in test mode when the model
            computes, as usual behind training.

    Attributes:
        nodes: dict from names to `Node`.
        components: dict from names to `Component`.
        left_context, right_context: frames that an output needs beside its own.
        num_parameters: numbers that training changes.
        priors: of an acoustic model, or None.
    """

    def __init__(self, path, test_mode=True):
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
        self.name = self._network.symbol
        self.priors = self._network.attributes.get("priors")
        self.nodes, self.components = {}, {}
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
        """Columns of each value of the network."""
        return {
            result.id: _dim(result)
            for op in self._network.walk()
            for result in op.results
        }

    @property
    def module(self):
        """The IR of the network: a `Module`."""
        return Module(self.path)

    def __call__(
        self,
        features,
        ivectors=None,
        frame_subsampling_factor=1,
        ivector_period=None,
        **options,
    ):
        """Computes an utterance with the interpreter, as nnet3-compute does.

        Args:
            features: frames x dim.
            ivectors: if the network takes i-vectors, dim numbers for the whole
                utterance, or n x dim: one for every `ivector_period` frames.
            frame_subsampling_factor: frames from one output to the next.
            ivector_period: frames from one i-vector to the next.
            **options: of nnet3-run, with underscores.

        Returns:
            Outputs x dim.

        Raises:
            ValueError: several i-vectors, but no period.
            CompileError: the network does not take these features.
        """
        options = {"frame_subsampling_factor": frame_subsampling_factor, **options}
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            write_matrices(folder / "features.ark", {"utterance": features})
            if ivectors is not None:
                ivectors = numpy.atleast_2d(ivectors)
                if len(ivectors) > 1 and ivector_period is None:
                    raise ValueError(
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

    def compile(self, path=None, prefix=None, **options):
        """Compiles the model to a library.

        Args:
            path: of the library, without `lib` and `.so`; None for a file that
                is deleted with this model.
            prefix: of the library's functions.
            **options: of nnet3-compile, with underscores; lists are joined:
                `chunk=[21, 51]`, `sequences=[1, 4]`, `streaming=True`,
                `frame_subsampling_factor=3`, `precision="int8"`,
                `target="aarch64-linux-gnu"`.

        Returns:
            A `nnet3.Library`; for another machine, its path.
        """
        if path is None:
            path = os.path.join(tempfile.mkdtemp(dir=self._libraries.name), "net")
        folder, name = os.path.split(os.fspath(path))
        foreign = options.get("target", "host")
        if foreign == "host":
            options.pop("target", None)
        if prefix is not None:
            options["prefix"] = prefix
        if not self._test_mode:
            options["train_mode"] = True
        run_tool("nnet3-compile", *to_options(options), "-o", path, self.path)
        made = os.path.join(folder, f"lib{name}.so")
        if foreign != "host":
            return made
        library = Library(made)
        library._files = self._libraries  # until the library is closed
        return library

    def program(self, request=None):
        """Compiles one request to a program of the interpreter.

        Args:
            request: text as in the files of `nnet3-run --request`, such as
                `input name=input t=-6:35 has-deriv=true` and
                `output name=output t=0:27:3 has-deriv=true` in two lines. None
                where the model is IR, which has its own.

        Returns:
            A `nnet3.Program`. The derivatives of the request are computed;
            those of parameters are not.
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

    def _repr_html_(self):
        return self.module._repr_html_()

    def __repr__(self):
        return (
            f"<nnet3.compiler.Model {self.path}: {len(self.components)} components, "
            f"{self.num_parameters} parameters>"
        )


def _dim(value):
    match = _ROWS.fullmatch(value.type)
    return int(match[1]) if match else None


def to_options(options):
    """Command-line options of keyword arguments."""
    result = []
    for name, value in options.items():
        if isinstance(value, bool):
            value = str(value).lower()
        elif isinstance(value, (list, tuple)):
            value = ",".join(map(str, value))
        result.append(f"--{name.replace('_', '-')}={value}")
    return result
