# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Libraries of nnet3-compile."""

from __future__ import annotations

import os
from collections.abc import Mapping

import numpy
from numpy.typing import ArrayLike, NDArray

from nnet3 import _runtime
from nnet3._runtime import Error
from nnet3.chunks import Chunk, cut_frames, find_chunk, plan_chunks
from nnet3.matrices import check_target, take_matrix, take_vector
from nnet3.streams import Batch, Stream

Matrices = dict[str, NDArray[numpy.float32]]


class Instance:
    """The memory of one run of a request. It serves one thread at a time.

    Args:
        library: a `Library`.
        request: name of the request.
        num_threads: number of threads that share large matmuls.
        seed: seed of random components in training mode.
    """

    def __init__(
        self, library: Library, request: str, num_threads: int = 1, seed: int = 0
    ) -> None:
        self._request = library.request(request)
        self._instance = _runtime.Instance(
            library._library, self._request.number, num_threads, seed
        )

    def __call__(
        self, inputs: Mapping[str, ArrayLike], outputs: Matrices | None = None
    ) -> Matrices:
        """Computes the request.

        Args:
            inputs: dict from the names of the inputs to matrices, rows x cols.
            outputs: dict from names to contiguous float32 matrices that receive
                the outputs; None to create matrices.

        Returns:
            dict from the names of the outputs to matrices.

        Raises:
            Error: a matrix is missing, has the wrong dims, or cannot be written.
        """
        given = [self._take(inputs, m) for m in self._request.inputs]
        names = [m.name for m in self._request.outputs]
        if outputs is None:
            return dict(zip(names, self._instance.run(given)))
        for m in self._request.outputs:
            if m.name not in outputs:
                raise self._error(f"output '{m.name}' is not given")
            check_target(outputs[m.name], f"output '{m.name}'", m.rows, m.cols)
        self._instance.run_into(given, [outputs[name] for name in names])
        return outputs

    def _take(self, inputs, expected):
        if expected.name not in inputs:
            raise self._error(f"input '{expected.name}' is not given")
        matrix = take_matrix(inputs[expected.name], f"input '{expected.name}'")
        if matrix.shape != (expected.rows, expected.cols):
            raise self._error(
                f"expects input '{expected.name}' of {expected.rows} x "
                f"{expected.cols}, but got {' x '.join(map(str, matrix.shape))}"
            )
        return matrix

    def _error(self, message):
        return Error(f"request '{self._request.name}': {message}")


class Library:
    """A network compiled to a library by nnet3-compile.

    Args:
        path: path of the shared library. Its checksum is verified before any of
            its code runs.
        weights: path of the weights, if they are in a separate file;
            NAME.weights beside libNAME.so by default.
        prefix: prefix of the library's functions; needed only if there are
            several.
        num_threads: number of threads that share large matmuls.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        weights: str | os.PathLike[str] | None = None,
        prefix: str = "",
        num_threads: int = 1,
    ) -> None:
        path = os.fspath(path)
        self.path = path
        self.num_threads = num_threads
        self._library = _runtime.Library.open(
            path, os.fspath(weights or _find_weights(path)), prefix
        )
        self._requests = {r.name: r for r in self._library.requests()}
        found = [find_chunk(r) for r in self._requests.values()]
        self.chunks: list[Chunk] = sorted(
            (chunk for chunk in found if chunk), key=lambda chunk: chunk.frames
        )
        """Requests that compute chunks of one sequence, shortest first."""
        self._instances: dict[str, Instance] = {}
        self._batch: Batch | None = None

    @property
    def network(self) -> str:
        """The name of the network."""
        return self._library.network

    @property
    def precision(self) -> str:
        """The operand type of large matmuls: f32, tf32, bf16, fp16, int16 or
        int8."""
        return self._library.precision

    @property
    def layers(self) -> dict[str, tuple[str, float | None]]:
        """The precision of each layer, if `precision` is below f32: a dict from
        names to (precision, error). The error is the rms error of the output,
        relative to the output's rms, with only this layer in this precision, or
        None if it was not measured."""
        lines = (line.split() for line in self._library.layers.splitlines())
        return {
            name: (precision, float(error[0]) if error else None)
            for name, precision, *error in lines
        }

    @property
    def target(self) -> str:
        """The target: cpu or cuda."""
        return self._library.target

    @property
    def requests(self) -> list[str]:
        """The names of all requests."""
        return list(self._requests)

    def request(self, name: str) -> _runtime.Request:
        """Describes a request: `name`, `inputs` and `outputs`; each matrix has
        `name`, `rows`, `cols` and `indexes` (n, t and x of each row)."""
        if name not in self._requests:
            names = ", ".join(f"'{known}'" for known in self._requests)
            raise Error(f"{self.path}: no request '{name}'; there is {names}")
        return self._requests[name]

    def instance(
        self, request: str, num_threads: int | None = None, seed: int = 0
    ) -> Instance:
        """Creates an `Instance` of a request, for use by one thread."""
        return Instance(self, request, num_threads or self.num_threads, seed)

    def run(self, request: str, inputs: Mapping[str, ArrayLike]) -> Matrices:
        """Computes a request on a dict of matrices; returns a dict."""
        return self._kept_instance(request)(inputs)

    def __call__(
        self, features: ArrayLike, ivector: ArrayLike | None = None
    ) -> NDArray[numpy.float32]:
        """Computes an utterance: chunk by chunk, or as a stream if the library
        supports streams.

        Args:
            features: frames x dim.
            ivector: dim numbers, if the network takes an i-vector.

        Returns:
            Outputs x dim: one per `frame_subsampling_factor` frames.

        Raises:
            UtteranceError: the end of the utterance needs a chunk of exactly its
                length, which the library does not have.
        """
        if self.streams:
            stream = self.stream(ivector)
            return numpy.concatenate([stream.push(features), stream.finish()])
        if not self.chunks:
            raise Error(f"{self.path}: computes no chunks of one sequence")
        dim = self._input_dim(self.chunks[-1], "input")
        features = take_matrix(features, "features", dim)
        step = self.chunks[-1].step
        chunks = [chunk for chunk in self.chunks if chunk.step == step]
        outputs, done = [], 0
        for chunk, count in plan_chunks(chunks, len(features)):
            inputs = {"input": cut_frames(features, chunk, done)}
            if chunk.has_ivector:
                if ivector is None:
                    raise Error("expects an i-vector, but got none")
                dim = self._input_dim(chunk, "ivector")
                inputs["ivector"] = take_vector(ivector, "an i-vector", dim)[None]
            outputs.append(self.run(chunk.name, inputs)["output"][:count])
            done += count
        if outputs:
            return numpy.concatenate(outputs)
        return numpy.empty((0, self._output_dim(chunks[-1])), numpy.float32)

    def _kept_instance(self, request):
        if request not in self._instances:
            self._instances[request] = self.instance(request)
        return self._instances[request]

    def _output_dim(self, chunk):
        return self.request(chunk.name).outputs[0].cols

    def _input_dim(self, chunk, name):
        inputs = self.request(chunk.name).inputs
        return next(m.cols for m in inputs if m.name == name)

    @property
    def streams(self) -> bool:
        """Whether the library supports streams."""
        return self._library.has_stream

    @property
    def depends_on_chunks(self) -> bool:
        """Whether the outputs of streams depend on the chunk boundaries, because
        the network has optional inputs from later frames."""
        if not self.streams:
            return False
        return bool(_runtime.stream_info(self._library).depends_on_chunks)

    @property
    def depends_on_end(self) -> bool:
        """Whether the last outputs of a stream depend on copies of the last frame
        behind it, because the network has optional inputs from later frames."""
        if not self.streams:
            return False
        return bool(_runtime.stream_info(self._library).depends_on_end)

    def batch(self) -> Batch:
        """Creates a `nnet3.Batch`, which computes chunks of many streams together."""
        return Batch(self)

    def stream(self, ivector: ArrayLike | None = None) -> Stream:
        """Opens a `nnet3.Stream` of live speech. The streams of a library are for
        one thread; other threads need `batch()`."""
        if self._batch is None:
            self._batch = self.batch()
        return self._batch.stream(ivector)

    def __repr__(self):
        return f"<nnet3.Library {self.path}: {', '.join(self._requests)}>"


def _find_weights(path):
    """NAME.weights beside libNAME.so, or an empty string."""
    folder, name = os.path.split(path)
    stem = name.removeprefix("lib").split(".so")[0]
    weights = os.path.join(folder, stem + ".weights")
    return weights if os.path.exists(weights) else ""
