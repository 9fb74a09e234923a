# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Live speech through libraries made by nnet3-compile --streaming.

    from nnet3_library import Library
    from nnet3_stream import Stepper

    stepper = Stepper(Library("./libasr.so", "asr"))  # for any number of streams
    stream = stepper.stream(ivector)
    for frames in microphone:
        scores = stream.push(frames)  # what can be computed by now
    scores = stream.finish()

Streams that have frames at the same time are computed together, with the same
numbers and in less time:

    scores = stepper.push({stream: frames, another: other_frames})[stream]
"""
import ctypes

import numpy

from nnet3_library import Error, _describe

ALIGNMENT = 64


class _StreamInfo(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("num_chunks", ctypes.c_int32),
        ("left_context", ctypes.c_int32),
        ("right_context", ctypes.c_int32),
        ("frame_subsampling_factor", ctypes.c_int32),
        ("ivector_period", ctypes.c_int32),
        ("num_sequences", ctypes.c_int32),
        ("depends_on_chunks", ctypes.c_int32),
        ("input_dim", ctypes.c_int32),
        ("ivector_dim", ctypes.c_int32),
        ("output_dim", ctypes.c_int32),
        ("num_batch_sizes", ctypes.c_int32),
        ("state_bytes", ctypes.c_uint64),
        ("batch_sizes", ctypes.POINTER(ctypes.c_int32)),
    ]


class _ChunkInfo(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("num_frames", ctypes.c_int32),
        ("can_begin", ctypes.c_int32),
        ("first_input_rows", ctypes.c_int32),
        ("first_ivector_rows", ctypes.c_int32),
        ("next_input_rows", ctypes.c_int32),
        ("next_ivector_rows", ctypes.c_int32),
        ("output_rows", ctypes.c_int32),
    ]


class _Step(ctypes.Structure):
    _fields_ = [
        ("state", ctypes.c_void_p),
        ("inputs", ctypes.c_void_p),
        ("output", ctypes.c_void_p),
        ("num_inputs", ctypes.c_int32),
        ("status", ctypes.c_int32),
    ]


class Stepper:
    """Computes chunks of any number of streams."""

    def __init__(self, library):
        self._library = library
        if not hasattr(library._library, f"{library._prefix}_stepper_step_batch"):
            raise Error("the library is too old for streams")
        library._function("stepper_destroy").restype = None
        self.info = _StreamInfo(struct_size=ctypes.sizeof(_StreamInfo))
        self._call("get_stream_info", library._model, ctypes.byref(self.info))
        self.chunks = []
        for number in range(self.info.num_chunks):
            chunk = _ChunkInfo(struct_size=ctypes.sizeof(_ChunkInfo))
            self._call(
                "get_chunk_info", library._model, number, ctypes.byref(chunk)
            )
            self.chunks.append(chunk)
        self.input_dim = self.info.input_dim
        self.output_dim = self.info.output_dim
        self._stepper = ctypes.c_void_p()
        self._call(
            "stepper_create", library._model, None, ctypes.byref(self._stepper)
        )

    def __del__(self):
        if getattr(self, "_stepper", None):
            self._library._function("stepper_destroy")(self._stepper)

    def _call(self, name, *arguments):
        self._library._call(name, *arguments)

    def stream(self, ivector=None):
        """A stream without frames; the i-vector can be changed at any time."""
        return Stream(self, ivector)

    def push(self, frames):
        """Takes frames of streams, {stream: frames}, as many as there are, and
        gives for each stream the outputs that can be computed."""
        for stream, new in frames.items():
            stream._take(new)
        outputs = {stream: [] for stream in frames}
        while steps := self._next_steps(frames):
            for chunk, streams in steps:
                for stream, output in zip(streams, self._step(chunk, streams)):
                    outputs[stream].append(output)
        return {stream: self._join(parts) for stream, parts in outputs.items()}

    def _next_steps(self, streams):
        """Pairs of a chunk and of the streams whose next chunk it is."""
        steps = []
        for chunk in self.chunks:
            ready = [s for s in streams if s._longest() is chunk]
            if ready:
                steps.append((chunk, ready))
        return steps

    def _step(self, chunk, streams):
        """Computes a chunk of each stream and gives the outputs."""
        inputs = [stream._inputs(chunk) for stream in streams]
        outputs = [
            numpy.empty((chunk.output_rows, self.output_dim), numpy.float32)
            for _ in streams
        ]
        steps = (_Step * len(streams))()
        held = []  # until the call returns
        for step, stream, given, output in zip(steps, streams, inputs, outputs):
            held += [_describe(given), _describe([output])]
            step.state = stream._state.ctypes.data
            step.inputs = ctypes.addressof(held[-2])
            step.output = ctypes.addressof(held[-1])
            step.num_inputs = len(given)
        self._call(
            "stepper_step_batch",
            self._stepper,
            chunk.num_frames,
            steps,
            len(steps),
        )
        for stream in streams:
            stream._advance(chunk)
        return outputs

    def _join(self, outputs):
        if not outputs:
            return numpy.empty((0, self.output_dim), numpy.float32)
        return numpy.concatenate(outputs)


class Stream:
    """What has come of a stream, and what its library keeps of that."""

    def __init__(self, stepper, ivector=None):
        self.stepper = stepper
        self.ivector = ivector
        size = stepper.info.state_bytes
        memory = numpy.zeros(size + ALIGNMENT, numpy.uint8)
        start = -memory.ctypes.data % ALIGNMENT
        self._state = memory[start : start + size]
        stepper._call(
            "state_init",
            stepper._library._model,
            self._address(),
            ctypes.c_uint64(size),
        )
        self._frames = numpy.empty((0, stepper.input_dim), numpy.float32)
        self._last = None  # of the frames that have come
        self._has_begun = False
        self._num_frames = 0  # that have come
        self._num_computed = 0  # whose outputs have been computed

    def copy(self):
        """A stream that goes on from here by itself."""
        other = Stream(self.stepper, self.ivector)
        other._state[:] = self._state
        other._frames = self._frames
        other._last = self._last
        other._has_begun = self._has_begun
        other._num_frames = self._num_frames
        other._num_computed = self._num_computed
        return other

    def reset(self, ivector=None):
        """Begins another stream in its place."""
        Stream.__init__(self, self.stepper, ivector)

    def save(self):
        """A dict of plain values with which restore() goes on, in another process,
        too."""
        sealed = self.copy()
        self.stepper._call(
            "state_seal", self.stepper._library._model, sealed._address()
        )
        values = dict(vars(sealed), _state=sealed._state.tobytes())
        del values["stepper"]
        return values

    @classmethod
    def restore(cls, stepper, saved):
        """Goes on with a stream that was saved. An Error says that the state is
        damaged, or that of another library."""
        stream = cls(stepper)
        state = numpy.frombuffer(saved["_state"], numpy.uint8)
        stream._state[: len(state)] = state[: len(stream._state)]
        stepper._call(
            "state_check",
            stepper._library._model,
            stream._address(),
            ctypes.c_uint64(len(state)),
        )
        vars(stream).update(saved, _state=stream._state)
        return stream

    def _address(self):
        return ctypes.c_void_p(self._state.ctypes.data)

    def push(self, frames):
        """Takes frames, as many as there are, and gives the outputs that can be
        computed: in long chunks if many frames have come."""
        return self.stepper.push({self: frames})[self]

    def _take(self, frames):
        frames = numpy.asarray(frames, numpy.float32)
        if self._num_frames == 0 and len(frames) > 0:
            # Copies of the first frame stand for those before it.
            left = self.stepper.info.left_context
            frames = numpy.concatenate([frames[:1]] * left + [frames])
            self._num_frames -= left
        if len(frames) > 0:
            self._last = frames[-1:]
        self._num_frames += len(frames)
        self._frames = numpy.concatenate([self._frames, frames])

    def finish(self):
        """Gives the outputs that are left: copies of the last frame stand for
        those behind it."""
        outputs = []
        missing = self._num_frames - self._num_computed
        factor = self.stepper.info.frame_subsampling_factor
        while missing > 0:
            chunk = self._shortest(missing)
            lacks = max(self._rows(chunk) - len(self._frames), 0)
            self._frames = numpy.concatenate(
                [self._frames] + [self._last] * lacks
            )
            (output,) = self.stepper._step(chunk, [self])
            outputs.append(output[: -(-missing // factor)])
            missing -= chunk.num_frames
        return self.stepper._join(outputs)

    def _rows(self, chunk):
        if self._has_begun:
            return chunk.next_input_rows
        return chunk.first_input_rows

    def _usable(self):
        return [c for c in self.stepper.chunks if self._has_begun or c.can_begin]

    def _longest(self):
        """The longest chunk whose frames are there."""
        there = [c for c in self._usable() if self._rows(c) <= len(self._frames)]
        return there[-1] if there else None

    def _shortest(self, frames):
        """The shortest chunk with so many frames, or else the longest."""
        usable = self._usable()
        return next((c for c in usable if c.num_frames >= frames), usable[-1])

    def _inputs(self, chunk):
        """What the next chunk takes."""
        inputs = [numpy.ascontiguousarray(self._frames[: self._rows(chunk)])]
        if self.ivector is not None:
            count = (
                chunk.next_ivector_rows
                if self._has_begun
                else chunk.first_ivector_rows
            )
            ivector = numpy.asarray(self.ivector, numpy.float32)
            inputs.append(numpy.tile(ivector, (count, 1)))
        return inputs

    def _advance(self, chunk):
        self._frames = self._frames[self._rows(chunk) :]
        self._has_begun = True
        self._num_computed += chunk.num_frames
