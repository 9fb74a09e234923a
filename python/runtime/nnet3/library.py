# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Libraries of nnet3-compile."""

import os

import numpy

from nnet3 import _runtime
from nnet3._runtime import Error
from nnet3.chunks import cut_frames, find_chunk, plan_chunks
from nnet3.streams import Batch


class Instance:
    """Memory for one computation of a request. It serves one thread at a time.

    Args:
        library: a `Library`.
        request: its name.
        num_threads: threads that share large matrix products.
        seed: of random components in training mode.
    """

    def __init__(self, library, request, num_threads=1, seed=0):
        self._request = library.request(request)
        self._instance = _runtime.Instance(
            library._library, self._request.number, num_threads, seed
        )

    def __call__(self, inputs, outputs=None):
        """Computes the request.

        Args:
            inputs: dict from the names of the inputs to matrices, rows x cols.
            outputs: dict from names to float32 matrices that receive the
                outputs; None for new ones.

        Returns:
            dict from the names of the outputs to matrices.

        Raises:
            Error: an input is missing, or has other dims than the request.
        """
        given = [self._take(inputs, m) for m in self._request.inputs]
        names = [m.name for m in self._request.outputs]
        if outputs is None:
            return dict(zip(names, self._instance.run(given)))
        self._instance.run_into(given, [outputs[name] for name in names])
        return outputs

    def _take(self, inputs, expected):
        if expected.name not in inputs:
            raise Error(
                f"request '{self._request.name}': input '{expected.name}' is "
                "not given"
            )
        matrix = inputs[expected.name]
        if tuple(matrix.shape) != (expected.rows, expected.cols):
            raise Error(
                f"request '{self._request.name}': expects input "
                f"'{expected.name}' of {expected.rows} x {expected.cols}, but "
                f"got {' x '.join(map(str, matrix.shape))}"
            )
        return matrix


class Library:
    """A network that nnet3-compile has made a library of.

    Args:
        path: of the shared library. Its checksum is compared before any of its
            code runs.
        weights: path of the weights, if they are in a file of their own;
            NAME.weights beside libNAME.so by default.
        prefix: of the library's functions; needed only if there are several.
        num_threads: threads that share large matrix products.
    """

    def __init__(self, path, weights=None, prefix="", num_threads=1):
        path = os.fspath(path)
        self.path = path
        self.num_threads = num_threads
        self._library = _runtime.Library.open(
            path, os.fspath(weights or _find_weights(path)), prefix
        )
        self._requests = {r.name: r for r in self._library.requests()}
        found = [find_chunk(r) for r in self._requests.values()]
        self.chunks = sorted(
            (chunk for chunk in found if chunk), key=lambda chunk: chunk.frames
        )
        """Requests that compute chunks of one sequence, shortest first."""
        self._instances = {}
        self._batch = None

    network = property(lambda self: self._library.network, doc="Its name.")
    precision = property(
        lambda self: self._library.precision,
        doc="What large matrix products multiply: f32, bf16 or int8.",
    )
    @property
    def layers(self):
        """The precision of each layer, where `precision` is not f32: pairs of
        the name and (precision, error). The error is the rms error of the
        output, relative to the output's rms, with this layer alone in this
        precision, or None if it was not measured."""
        lines = (line.split() for line in self._library.layers.splitlines())
        return {
            name: (precision, float(error[0]) if error else None)
            for name, precision, *error in lines
        }

    target = property(
        lambda self: self._library.target, doc="What runs it: cpu or cuda."
    )

    @property
    def requests(self):
        """The names of all requests."""
        return list(self._requests)

    def request(self, name):
        """What a request takes and gives: `name`, `inputs` and `outputs`, each
        with `name`, `rows`, `cols` and `indexes` (n, t and x of each row)."""
        if name not in self._requests:
            names = ", ".join(f"'{known}'" for known in self._requests)
            raise Error(f"{self.path}: no request '{name}'; there is {names}")
        return self._requests[name]

    def instance(self, request, num_threads=None, seed=0):
        """Memory for a request, for a thread of its own."""
        return Instance(self, request, num_threads or self.num_threads, seed)

    def run(self, request, inputs):
        """Computes a request on a dict of matrices; returns a dict."""
        return self._kept_instance(request)(inputs)

    def __call__(self, features, ivector=None):
        """Computes an utterance, chunk by chunk.

        Args:
            features: frames x dim.
            ivector: dim numbers, if the network takes an i-vector.

        Returns:
            Outputs x dim: one for every `frame_subsampling_factor` frames.

        Raises:
            UtteranceError: the end of the utterance needs a chunk of its length.
        """
        if not self.chunks:
            raise Error(f"{self.path}: computes no chunks of one sequence")
        features = numpy.asarray(features, numpy.float32)
        step = self.chunks[-1].step
        chunks = [chunk for chunk in self.chunks if chunk.step == step]
        outputs, done = [], 0
        for chunk, count in plan_chunks(chunks, len(features)):
            inputs = {"input": cut_frames(features, chunk, done)}
            if chunk.has_ivector:
                if ivector is None:
                    raise Error("expects an i-vector, but got none")
                inputs["ivector"] = numpy.reshape(ivector, (1, -1))
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

    def batch(self):
        """What computes chunks of many streams together: a `nnet3.Batch`."""
        return Batch(self)

    def stream(self, ivector=None):
        """Begins a stream of live speech: a `nnet3.Stream`. The streams of a
        library are for one thread; others need `batch()`."""
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
