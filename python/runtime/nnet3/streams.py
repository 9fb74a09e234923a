# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Streams of live speech through libraries of `nnet3-compile --streaming`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy
from numpy.typing import ArrayLike, NDArray

from nnet3 import _runtime
from nnet3._runtime import Error
from nnet3.matrices import take_matrix, take_vector

if TYPE_CHECKING:
    from nnet3.library import Library


class Batch:
    """Computes chunks of any number of streams. It serves one thread at a time.

    Args:
        library: a `nnet3.Library` that supports streams.
    """

    def __init__(self, library: Library) -> None:
        self._library = library._library
        self.info = _runtime.stream_info(self._library)
        """Dims, contexts and chunk lengths."""
        self._stepper = _runtime.Stepper(self._library, library.num_threads)

    def stream(self, ivector: ArrayLike | None = None) -> Stream:
        """Opens a `Stream`. Its `ivector` may be changed at any time."""
        return Stream(self, _runtime.State.begin(self._library), ivector)

    def push(
        self, frames: Mapping[Stream, ArrayLike]
    ) -> dict[Stream, NDArray[numpy.float32]]:
        """Adds frames to streams, and computes the chunks that they complete
        together.

        Args:
            frames: dict from `Stream` to matrices of any number of rows.

        Returns:
            dict from `Stream` to the new outputs.
        """
        for stream, new in frames.items():
            stream._take(new)
        outputs: dict[Stream, list] = {stream: [] for stream in frames}
        while steps := self._find_steps(frames):
            for chunk, streams in steps:
                for stream, output in zip(streams, self._step(chunk, streams)):
                    outputs[stream].append(output)
        return {stream: self._join(parts) for stream, parts in outputs.items()}

    def _find_steps(self, streams):
        """Returns pairs of a chunk and the streams whose next chunk it is."""
        steps = []
        for chunk in self.info.chunks:
            ready = [s for s in streams if s._longest_chunk() == chunk.num_frames]
            if ready:
                steps.append((chunk, ready))
        return steps

    def _step(self, chunk, streams):
        """Computes a chunk of each stream."""
        outputs, errors = self._stepper.step(
            chunk.num_frames,
            [stream._state for stream in streams],
            [stream._inputs(chunk) for stream in streams],
            chunk.output_rows,
            self.info.output_dim,
        )
        for stream, error in zip(streams, errors):
            if error is None:
                stream._advance(chunk)
        failed = [error for error in errors if error is not None]
        if failed:
            raise Error(failed[0])
        return outputs

    def _join(self, outputs):
        if not outputs:
            return numpy.empty((0, self.info.output_dim), numpy.float32)
        return numpy.concatenate(outputs)


class Stream:
    """A stream of live speech.

    `Library.stream()` and `Batch.stream()` open streams.
    """

    def __init__(
        self, batch: Batch, state: _runtime.State, ivector: ArrayLike | None
    ) -> None:
        self._batch = batch
        self._state = state
        self.ivector = ivector
        """The latest i-vector, dim numbers; None if the network takes none."""
        self._waiting = numpy.empty((0, batch.info.input_dim), numpy.float32)
        self._last = self._waiting  # the last frame that has come
        self._has_begun = False
        self._has_ended = False
        self._num_frames = 0
        self._num_computed = 0  # frames whose outputs have been computed

    def push(self, frames: ArrayLike) -> NDArray[numpy.float32]:
        """Adds frames x dim, and returns the new outputs. Uses the longest chunks
        whose frames are there."""
        return self._batch.push({self: frames})[self]

    def finish(self) -> NDArray[numpy.float32]:
        """Ends the stream and returns the remaining outputs. Pads with copies of
        the last frame."""
        factor = self._batch.info.frame_subsampling_factor
        self._has_ended = True
        outputs = []
        missing = self._num_frames - self._num_computed
        while missing > 0:
            chunk = self._shortest_chunk(missing)
            lacking = max(self._rows(chunk) - len(self._waiting), 0)
            if lacking:
                padding = numpy.repeat(self._last, lacking, axis=0)
                self._waiting = numpy.concatenate([self._waiting, padding])
            (output,) = self._batch._step(chunk, [self])
            outputs.append(output[: -(-missing // factor)])
            missing -= chunk.num_frames
        return self._batch._join(outputs)

    def reset(self, ivector: ArrayLike | None = None) -> None:
        """Begins another stream in its place."""
        state = _runtime.State.begin(self._batch._library)
        Stream.__init__(self, self._batch, state, ivector)

    def copy(self) -> Stream:
        """Returns an independent stream in the same state, such as for branches of
        a decoder."""
        other = Stream(self._batch, self._state.copy(), self.ivector)
        other._restore(self._progress())
        return other

    def save(self) -> dict[str, Any]:
        """Returns the state and the i-vector as a dict of plain values for pickle or
        numpy.savez. `restore()` continues the stream, also in another process."""
        # numpy.savez cannot store None, and drops zeros at the end of bytes.
        state = numpy.frombuffer(self._state.save(), numpy.uint8)
        ivector = numpy.empty(0, numpy.float32)
        if self.ivector is not None:
            ivector = self._take_ivector().copy()
        return {"state": state, "ivector": ivector, **self._progress()}

    @classmethod
    def restore(
        cls, batch: Batch, saved: Mapping[str, Any], ivector: ArrayLike | None = None
    ) -> Stream:
        """Continues a saved stream of the same library.

        Args:
            batch: `Library.batch()`.
            saved: what `save()` returned.
            ivector: replaces the saved i-vector.

        Raises:
            Error: the state is damaged, or of another library.
        """
        state = _runtime.State.load(batch._library, bytes(saved["state"]))
        if ivector is None and "ivector" in saved and len(saved["ivector"]) > 0:
            ivector = saved["ivector"]
        stream = cls(batch, state, ivector)
        stream._restore(saved)
        return stream

    def _progress(self):
        return {
            "waiting": self._waiting,
            "last": self._last,
            "has_begun": self._has_begun,
            "has_ended": self._has_ended,
            "num_frames": self._num_frames,
            "num_computed": self._num_computed,
        }

    def _restore(self, saved):
        self._waiting = numpy.asarray(saved["waiting"], numpy.float32)
        self._last = numpy.asarray(saved["last"], numpy.float32)
        self._has_begun = bool(saved["has_begun"])
        self._has_ended = bool(saved["has_ended"])
        self._num_frames = int(saved["num_frames"])
        self._num_computed = int(saved["num_computed"])

    def _take(self, frames):
        if self._has_ended:
            raise Error("expects no frames after the end of a stream")
        frames = take_matrix(frames, "frames", self._batch.info.input_dim)
        if self._num_frames == 0 and len(frames) > 0:
            # Pad the left context with copies of the first frame.
            left = numpy.repeat(frames[:1], self._batch.info.left_context, axis=0)
            self._waiting = numpy.concatenate([left, self._waiting])
        self._num_frames += len(frames)
        self._last = frames[-1:] if len(frames) else self._last
        self._waiting = numpy.concatenate([self._waiting, frames])

    def _rows(self, chunk):
        return chunk.next_input_rows if self._has_begun else chunk.first_input_rows

    def _usable_chunks(self):
        return [
            chunk
            for chunk in self._batch.info.chunks
            if self._has_begun or chunk.can_begin
        ]

    def _longest_chunk(self):
        """Returns the frames of the longest chunk whose input is there, or None."""
        ready = [
            chunk.num_frames
            for chunk in self._usable_chunks()
            if self._rows(chunk) <= len(self._waiting)
        ]
        return ready[-1] if ready else None

    def _shortest_chunk(self, num_frames):
        """Returns the shortest chunk of at least `num_frames` frames, else the
        longest one."""
        usable = self._usable_chunks()
        fitting = (chunk for chunk in usable if chunk.num_frames >= num_frames)
        return next(fitting, usable[-1])

    def _inputs(self, chunk):
        inputs = [numpy.ascontiguousarray(self._waiting[: self._rows(chunk)])]
        if self._batch.info.ivector_dim:
            if self.ivector is None:
                raise Error("expects an i-vector, but got none")
            rows = (
                chunk.next_ivector_rows
                if self._has_begun
                else chunk.first_ivector_rows
            )
            inputs.append(numpy.tile(self._take_ivector(), (rows, 1)))
        return inputs

    def _take_ivector(self):
        dim = self._batch.info.ivector_dim
        return take_vector(self.ivector, "an i-vector", dim)

    def _advance(self, chunk):
        self._waiting = self._waiting[self._rows(chunk) :]
        self._has_begun = True
        self._num_computed += chunk.num_frames
