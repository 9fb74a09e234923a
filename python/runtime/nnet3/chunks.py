# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Splits utterances into the chunks that a library computes."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

import numpy
from numpy.typing import NDArray

from nnet3._runtime import Error, Request


class UtteranceError(Error):
    """The chunks of a library cannot compute an utterance."""


@dataclasses.dataclass(frozen=True)
class Chunk:
    """A request for frames of one sequence.

    Attributes:
        name: name of the request.
        frames: number of input frames without context.
        step: input frames per output.
        left, right: frames of left and right context.
        min_outputs: the first k outputs are exact with padding after them if k is
            at least this number; 0 if not known.
        has_ivector: whether the request takes an i-vector.
    """

    name: str
    frames: int
    step: int
    left: int
    right: int
    min_outputs: int
    has_ivector: bool

    @property
    def outputs(self) -> int:
        """Number of rows of the output."""
        return self.frames // self.step

    def can_end_with(self, count: int) -> bool:
        """Whether the first `count` outputs are exact with padding after them."""
        return count >= (self.min_outputs or self.outputs)


def find_chunk(request: Request) -> Chunk | None:
    """Returns the chunk that a request computes. None unless it computes `output`
    of one sequence from `input` and perhaps one row of `ivector`."""
    matrices = {m.name: m for m in [*request.inputs, *request.outputs]}
    if not {"input", "output"} <= matrices.keys() <= {"input", "ivector", "output"}:
        return None
    if "ivector" in matrices and matrices["ivector"].rows != 1:
        return None
    inputs, outputs = matrices["input"].indexes, matrices["output"].indexes
    if inputs is None or outputs is None:
        return None
    if inputs[:, [0, 2]].any() or outputs[:, [0, 2]].any():
        return None
    steps = numpy.diff(outputs[:, 1])
    step = int(steps[0]) if len(steps) else 1
    if step <= 0 or (steps != step).any() or (numpy.diff(inputs[:, 1]) != 1).any():
        return None
    return Chunk(
        name=request.name,
        frames=len(outputs) * step,
        step=step,
        left=int(outputs[0, 1] - inputs[0, 1]),
        right=int(inputs[-1, 1] - outputs[-1, 1]),
        min_outputs=request.min_outputs,
        has_ivector="ivector" in matrices,
    )


def plan_chunks(
    chunks: Sequence[Chunk], num_frames: int
) -> Iterator[tuple[Chunk, int]]:
    """Plans the chunks of an utterance: the longest one as often as it fits, then
    the shortest one that covers the rest.

    Args:
        chunks: list of `Chunk` with equal steps, shortest first.
        num_frames: number of frames of the utterance.

    Yields:
        Pairs of a chunk and the number of outputs to keep.

    Raises:
        UtteranceError: no chunk can compute the rest of the utterance.
    """
    step = chunks[-1].step
    rest = -(-num_frames // step)
    while rest > 0:
        fitting = [chunk for chunk in chunks if chunk.outputs >= rest]
        chunk = fitting[0] if fitting else chunks[-1]
        count = min(rest, chunk.outputs)
        if not chunk.can_end_with(count):
            raise UtteranceError(
                f"expects at least {chunk.min_outputs or chunk.outputs} outputs "
                f"in chunk '{chunk.name}', whose outputs depend on its end, but "
                f"{count} are left of the utterance; compile a chunk of "
                f"{count * step} frames"
            )
        yield chunk, count
        rest -= count


def cut_frames(
    features: NDArray[numpy.float32], chunk: Chunk, first_output: int
) -> NDArray[numpy.float32]:
    """Returns the input rows of a chunk whose first output is number
    `first_output`, padded with copies of the first and the last frame."""
    begin = first_output * chunk.step - chunk.left
    length = chunk.left + (chunk.outputs - 1) * chunk.step + 1 + chunk.right
    if begin >= 0 and begin + length <= len(features):
        return features[begin : begin + length]
    times = numpy.arange(begin, begin + length)
    return features[numpy.clip(times, 0, len(features) - 1)]
