# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs libraries made by nnet3-compile, with ctypes and numpy.

    from nnet3_library import Library

    library = Library("./libasr.so", "asr")
    outputs = library.run("request", {"input": features, "ivector": ivector})
    for chunk in library.chunks():
        print(chunk.name, chunk.frames, chunk.left, chunk.right)
    output = library.run_utterance(features, ivector)
"""
import collections
import ctypes
import re

import numpy

ABI_VERSION = 3

Matrix = collections.namedtuple("Matrix", "name rows cols")

# A request for `frames` frames, an output every `step` of them, of one sequence,
# and so many frames of context around them. `min_outputs` outputs are the fewest
# that are exact if the frames behind them are padding.
Chunk = collections.namedtuple(
    "Chunk", "name frames step left right min_outputs"
)


class _OpenOptions(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("copy_weights", ctypes.c_uint32),
        ("weights_path", ctypes.c_char_p),
        ("message", ctypes.c_char_p),
        ("message_size", ctypes.c_uint64),
    ]


class _ModelInfo(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("num_requests", ctypes.c_int32),
        ("network", ctypes.c_char_p),
        ("producer", ctypes.c_char_p),
        ("weights_bytes", ctypes.c_uint64),
    ]


class _RequestInfo(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("num_inputs", ctypes.c_int32),
        ("num_outputs", ctypes.c_int32),
        ("min_outputs", ctypes.c_int32),
        ("name", ctypes.c_char_p),
        ("instance_bytes", ctypes.c_uint64),
    ]


class _MatrixInfo(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("rows", ctypes.c_int32),
        ("cols", ctypes.c_int32),
        ("reserved", ctypes.c_uint32),
        ("name", ctypes.c_char_p),
        ("n", ctypes.c_void_p),
        ("t", ctypes.c_void_p),
        ("x", ctypes.c_void_p),
    ]


class _InstanceOptions(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("num_threads", ctypes.c_int32),
        ("seed", ctypes.c_uint64),
        ("device", ctypes.c_int32),
        ("reserved", ctypes.c_int32),
        ("stream", ctypes.c_void_p),
        ("message", ctypes.c_char_p),
        ("message_size", ctypes.c_uint64),
    ]


class _Matrix(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("stride", ctypes.c_int64),
        ("rows", ctypes.c_int32),
        ("cols", ctypes.c_int32),
    ]


class Error(Exception):
    """What a function of the library came to."""


class Library:
    """A library at `path` whose functions begin with `prefix`. `weights` is the
    file of the weights, where they are not in the library; with `copy_weights`
    they are copied to memory of this process."""

    def __init__(self, path, prefix, weights=None, copy_weights=False):
        self._library = ctypes.CDLL(path)
        self._prefix = prefix
        if not hasattr(self._library, f"{prefix}_model_open"):
            with open(path, "rb") as file:
                names = re.findall(rb"\0(\w+)_model_open\0", file.read())
            known = ", ".join(sorted({name.decode() for name in names}))
            raise Error(f"{path}: no prefix '{prefix}'; there is {known}")
        self._function("error_text").restype = ctypes.c_char_p
        self._function("model_close").restype = None
        self._function("instance_destroy").restype = None
        message = ctypes.create_string_buffer(512)
        options = _OpenOptions(
            struct_size=ctypes.sizeof(_OpenOptions),
            copy_weights=copy_weights,
            weights_path=weights.encode() if weights else None,
            message=ctypes.cast(message, ctypes.c_char_p),
            message_size=len(message),
        )
        self._model = ctypes.c_void_p()
        try:
            self._call(
                "model_open",
                ABI_VERSION,
                ctypes.byref(options),
                ctypes.byref(self._model),
            )
        except Error as error:
            raise Error(message.value.decode() or str(error)) from None

    def __del__(self):
        if getattr(self, "_model", None):
            self._function("model_close")(self._model)

    def _function(self, name):
        return getattr(self._library, f"{self._prefix}_{name}")

    def _call(self, name, *arguments):
        status = self._function(name)(*arguments)
        if status != 0:
            text = self._function("error_text")(status)
            raise Error(f"{name}: {text.decode()}")

    def _matrices(self, kind, request, count):
        matrices = []
        for index in range(count):
            info = _MatrixInfo(struct_size=ctypes.sizeof(_MatrixInfo))
            self._call(
                f"get_{kind}_info",
                self._model,
                request,
                index,
                ctypes.byref(info),
            )
            matrices.append(Matrix(info.name.decode(), info.rows, info.cols))
        return matrices

    def precision(self):
        """What large matrix products are computed in: f32, bf16, int16 or
        int8."""
        name = ctypes.c_char_p()
        self._call("get_precision", self._model, ctypes.byref(name))
        return name.value.decode()

    def layers(self):
        """Of each layer, where the precision is not f32: its name, its precision
        and, if it was measured, its error."""
        text = ctypes.c_char_p()
        self._call("get_layers", self._model, ctypes.byref(text))
        return [line.split() for line in text.value.decode().splitlines()]

    def target(self):
        """What runs the library: cpu or cuda."""
        name = ctypes.c_char_p()
        self._call("get_target", self._model, ctypes.byref(name))
        return name.value.decode()

    def requests(self):
        """The names of all requests."""
        info = _ModelInfo(struct_size=ctypes.sizeof(_ModelInfo))
        self._call("get_model_info", self._model, ctypes.byref(info))
        return [
            self._request_info(number).name.decode()
            for number in range(info.num_requests)
        ]

    def _request_info(self, number):
        info = _RequestInfo(struct_size=ctypes.sizeof(_RequestInfo))
        self._call("get_request_info", self._model, number, ctypes.byref(info))
        return info

    def _find(self, request):
        names = self.requests()
        if request not in names:
            raise Error(f"no request '{request}'; there are {names}")
        return names.index(request)

    def min_outputs(self, request):
        """How few output rows of a sequence are exact if the input behind them
        is padding; all of them if padding changes every output."""
        return self._request_info(self._find(request)).min_outputs

    def signature(self, request):
        """Number, inputs and outputs of the request of that name."""
        number = self._find(request)
        info = self._request_info(number)
        return (
            number,
            self._matrices("input", number, info.num_inputs),
            self._matrices("output", number, info.num_outputs),
        )

    def rows(self, request):
        """The rows of each input and output of a request, by name: n, t and x of
        each; None where the library does not say."""
        number = self._find(request)
        info = self._request_info(number)
        result = {}
        for kind, count in (
            ("input", info.num_inputs),
            ("output", info.num_outputs),
        ):
            for index in range(count):
                matrix = _MatrixInfo(struct_size=ctypes.sizeof(_MatrixInfo))
                self._call(
                    f"get_{kind}_info",
                    self._model,
                    number,
                    index,
                    ctypes.byref(matrix),
                )
                result[matrix.name.decode()] = _indexes(matrix)
        return result

    def chunks(self):
        """The requests that compute chunks of the frames of one sequence, the
        shortest first."""
        found = []
        for name in self.requests():
            rows = self.rows(name)
            if rows.keys() - {"input", "ivector", "output"}:
                continue
            chunk = _chunk(name, rows, self.min_outputs(name))
            if chunk:
                found.append(chunk)
        return sorted(found, key=lambda chunk: chunk.frames)

    def run_utterance(self, features, ivector=None, threads=1):
        """Computes an utterance with the longest chunks, the end with a shorter
        one where it is long enough. Copies of the first and the last frame stand
        for what lies outside. Returns all outputs."""
        features = numpy.asarray(features, numpy.float32)
        chunks = self.chunks()
        if not chunks:
            raise Error(f"no chunks of one sequence; there are {self.requests()}")
        step = chunks[-1].step
        chunks = [chunk for chunk in chunks if chunk.step == step]
        wanted = -(-len(features) // step)
        instances, outputs, done = {}, [], 0
        while done < wanted:
            chunk, rest = chunks[-1], wanted - done
            for shorter in reversed(chunks):
                if shorter.frames >= rest * step:
                    chunk = shorter
            count = min(rest, chunk.frames // step)
            if count < (chunk.min_outputs or chunk.frames // step):
                raise Error(
                    f"the last {rest * step} frames need a chunk of their "
                    "length: padding would change the outputs"
                )
            times = numpy.arange(
                -chunk.left, chunk.frames - step + 1 + chunk.right
            )
            frames = numpy.clip(times + done * step, 0, len(features) - 1)
            inputs = {"input": features[frames]}
            if ivector is not None:
                inputs["ivector"] = numpy.reshape(ivector, (1, -1))
            if chunk.name not in instances:
                instances[chunk.name] = self.instance(chunk.name, threads)
            output = instances[chunk.name].run(inputs)["output"]
            outputs.append(output[:count])
            done += count
        return numpy.concatenate(outputs)

    def instance(self, request, threads=1, seed=0, device=0, stream=None):
        """What computes `request` again and again, for one thread at a time.
        The device is the number of the GPU, for libraries that need one; the
        stream, a CUstream as a number, is where runs go to there."""
        return Instance(self, request, threads, seed, device, stream)

    def run(self, request, inputs, threads=1, seed=0, device=0):
        """Computes `request` on a dictionary of float32 matrices; gives one of
        the outputs. So many threads share large matrix products; the seed is
        for random components in training mode."""
        return self.instance(request, threads, seed, device).run(inputs)


class Instance:
    """Memory for one computation of a request of `library`."""

    def __init__(self, library, request, threads, seed, device, stream=None):
        self._library = library
        self._name = request
        number, self.inputs, self.outputs = library.signature(request)
        message = ctypes.create_string_buffer(512)
        options = _InstanceOptions(
            struct_size=ctypes.sizeof(_InstanceOptions),
            num_threads=threads,
            seed=seed,
            device=device,
            stream=stream,
            message=ctypes.cast(message, ctypes.c_char_p),
            message_size=len(message),
        )
        self._instance = ctypes.c_void_p()
        try:
            library._call(
                "instance_create_with",
                library._model,
                number,
                ctypes.byref(options),
                ctypes.byref(self._instance),
            )
        except Error as error:
            raise Error(message.value.decode() or str(error)) from None

    def __del__(self):
        if getattr(self, "_instance", None):
            self._library._function("instance_destroy")(self._instance)

    def _take(self, inputs):
        """The matrices in the order of the request, with its dims."""
        matrices = []
        for m in self.inputs:
            matrix = numpy.ascontiguousarray(
                inputs[m.name], dtype=numpy.float32
            )
            if matrix.shape != (m.rows, m.cols):
                got = " x ".join(str(dim) for dim in matrix.shape)
                raise Error(
                    f"request '{self._name}' expects input '{m.name}' of "
                    f"{m.rows} x {m.cols}, but got {got}; for shorter input see "
                    "Library.min_outputs, or compile a chunk of its length"
                )
            matrices.append(matrix)
        return matrices

    def run(self, inputs):
        """Computes on a dictionary of float32 matrices; gives one of the
        outputs."""
        matrices = self._take(inputs)
        outputs = [
            numpy.empty((m.rows, m.cols), numpy.float32) for m in self.outputs
        ]
        self._library._call(
            "instance_run",
            self._instance,
            _describe(matrices),
            len(matrices),
            _describe(outputs),
            len(outputs),
        )
        return {m.name: array for m, array in zip(self.outputs, outputs)}

    def submit(self, inputs):
        """Begins to compute; the inputs may be changed at once."""
        matrices = self._take(inputs)
        self._library._call(
            "instance_submit",
            self._instance,
            _describe(matrices),
            len(matrices),
        )

    def wait(self):
        """Gives the outputs of what was begun with submit()."""
        outputs = [
            numpy.empty((m.rows, m.cols), numpy.float32) for m in self.outputs
        ]
        self._library._call(
            "instance_wait", self._instance, _describe(outputs), len(outputs)
        )
        return {m.name: array for m, array in zip(self.outputs, outputs)}

    def run_on_device(self, inputs, outputs):
        """Computes on matrices in the memory of the GPU: dictionaries of
        addresses, where the rows of each matrix follow each other."""
        self.submit_on_device(inputs, outputs)
        self._library._call("instance_wait", self._instance, None, 0)

    def submit_on_device(self, inputs, outputs, strides={}):
        """The same, and waits for nothing. Rows are as many numbers apart as
        `strides` says for the name of their matrix."""

        def describe(matrices, addresses):
            return (_Matrix * len(matrices))(
                *(
                    _Matrix(
                        addresses[m.name],
                        strides.get(m.name, m.cols),
                        m.rows,
                        m.cols,
                    )
                    for m in matrices
                )
            )

        self._library._call(
            "instance_submit_on_device",
            self._instance,
            describe(self.inputs, inputs),
            len(self.inputs),
            describe(self.outputs, outputs),
            len(self.outputs),
        )


def _indexes(matrix):
    """n, t and x of each row that a library describes."""
    if not matrix.t:
        return None
    columns = []
    for address in (matrix.n, matrix.t, matrix.x):
        numbers = ctypes.cast(address, ctypes.POINTER(ctypes.c_int32))
        columns.append([numbers[i] if address else 0 for i in range(matrix.rows)])
    return numpy.array(columns, numpy.int32).T


def _chunk(name, rows, min_outputs):
    """The chunk that a request with these rows computes; None if it is none."""
    if rows.get("input") is None or rows.get("output") is None:
        return None
    inputs, outputs = rows["input"], rows["output"]
    step = outputs[1][1] - outputs[0][1] if len(outputs) > 1 else 1
    times = numpy.arange(len(outputs)) * step
    if (
        (outputs != numpy.stack([0 * times, times, 0 * times], 1)).any()
        or (numpy.diff(inputs[:, 1]) != 1).any()
        or inputs[:, [0, 2]].any()
        or len(rows.get("ivector", [0])) != 1
    ):
        return None
    return Chunk(
        name,
        int(len(outputs) * step),
        int(step),
        int(-inputs[0][1]),
        int(inputs[-1][1] - outputs[-1][1]),
        min_outputs,
    )


def _describe(arrays):
    return (_Matrix * len(arrays))(
        *(_Matrix(a.ctypes.data, a.shape[1], *a.shape) for a in arrays)
    )
