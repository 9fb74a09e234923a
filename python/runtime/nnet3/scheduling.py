# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes many live streams of one library in batches on worker threads."""

from __future__ import annotations

import asyncio
import collections
import threading
import weakref
from typing import Any

import numpy
from numpy.typing import ArrayLike, NDArray

from nnet3 import _runtime
from nnet3._runtime import Error
from nnet3.library import Library


class Scheduler:
    """Computes streams in batches on worker threads.

    Any thread, and any coroutine, may open streams and push frames. The outputs
    of a stream do not depend on the others.

    Args:
        library: a `nnet3.Library` that supports streams.
        num_workers: number of worker threads.
        pin_workers: whether to pin each worker to one CPU.
        max_batch: largest number of streams per batch; 0 for the largest batch
            size of the library.
        max_wait: longest time in seconds that a stream waits for a fuller batch.
        max_frames: capacity of a stream's frame queue; 0 for a default.
    """

    def __init__(
        self,
        library: Library,
        num_workers: int = 1,
        pin_workers: bool = False,
        max_batch: int = 0,
        max_wait: float = 0.0,
        max_frames: int = 0,
    ) -> None:
        self._scheduler: _runtime.Scheduler | None = None
        if not isinstance(library, Library):
            raise Error(f"expects a nnet3.Library, but got {type(library).__name__}")
        self._streams: dict[int, ScheduledStream] = {}
        self._lock = threading.Lock()
        # The threads of the scheduler must not keep it alive.
        this = weakref.ref(self)

        def on_result(*result):
            scheduler = this()
            if scheduler is not None:
                scheduler._deliver(*result)

        self._scheduler = _runtime.Scheduler(
            library._library,
            on_result,
            num_workers,
            pin_workers,
            max_batch,
            max_wait,
            max_frames,
        )
        self.info: _runtime.SchedulerInfo = self._scheduler.info
        """Dims, context and chunk lengths."""

    def open(self) -> ScheduledStream:
        """Opens a `ScheduledStream`."""
        # A result may come before the number is known here.
        with self._lock:
            number = self._runtime().open()
            stream = ScheduledStream(self, number)
            self._streams[number] = stream
        return stream

    def metrics(self) -> dict[str, Any]:
        """Streams, batch sizes, utilisation and latencies, as a dict; times in
        seconds."""
        return self._runtime().metrics()

    def reset_metrics(self) -> None:
        """Sets all metrics to zero."""
        self._runtime().reset_metrics()

    def close(self) -> None:
        """Ends the threads. Open streams get no more outputs."""
        if self._scheduler is None:
            return
        scheduler, self._scheduler = self._scheduler, None
        scheduler.close()
        with self._lock:
            streams = list(self._streams.values())
            self._streams.clear()
        for stream in streams:
            stream._deliver(None, True, "the scheduler has been closed")

    def __enter__(self) -> Scheduler:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _runtime(self) -> _runtime.Scheduler:
        if self._scheduler is None:
            raise Error("the scheduler has been closed")
        return self._scheduler

    def _deliver(self, number, rows, is_last, error):
        with self._lock:
            stream = self._streams.get(number)
            if is_last:
                self._streams.pop(number, None)
        if stream is not None:
            stream._deliver(rows, is_last, error)


class ScheduledStream:
    """A stream of a `Scheduler`.

    `push`, `finish` and `read` are for threads; `apush` and `async for` are for
    coroutines.
    """

    def __init__(self, scheduler: Scheduler, number: int) -> None:
        self._scheduler = scheduler
        self._number = number
        self._changed = threading.Condition()
        self._rows: collections.deque[NDArray[numpy.float32]] = collections.deque()
        self._has_ivector = False
        self._has_ended = False
        self._error: str | None = None
        self._waiters: list[tuple[asyncio.AbstractEventLoop, asyncio.Future[None]]] = []

    def push(self, frames: ArrayLike, ivector: ArrayLike | None = None) -> None:
        """Adds frames x dim; waits while the queue is full. `ivector` is for these
        and later frames; required with the first frames if the network takes
        one."""
        frames = numpy.asarray(frames, numpy.float32)
        while True:
            with self._changed:
                # The queue has space before the result is delivered.
                count = self._offer(frames, ivector)
                frames, ivector = frames[count:], None if count else ivector
                if len(frames) == 0:
                    return
                self._changed.wait(0.05)

    async def apush(self, frames: ArrayLike, ivector: ArrayLike | None = None) -> None:
        """As `push()`, for coroutines."""
        frames = numpy.asarray(frames, numpy.float32)
        while True:
            waiter = self._wait()
            count = self._offer(frames, ivector)
            frames, ivector = frames[count:], None if count else ivector
            if len(frames) == 0:
                return
            await asyncio.wait([waiter], timeout=0.05)

    def finish(self) -> None:
        """Ends the frames of the stream."""
        self._runtime().finish(self._number)

    def cancel(self) -> None:
        """Ends the stream immediately. Available outputs stay readable."""
        self._runtime().cancel(self._number)
        with self._scheduler._lock:
            self._scheduler._streams.pop(self._number, None)
        self._deliver(None, True, None)

    def read(self, timeout: float | None = None) -> NDArray[numpy.float32] | None:
        """Waits for outputs, at most `timeout` seconds.

        Returns:
            Outputs x dim; None when the stream has ended and all have been read.

        Raises:
            Error: a step of the stream failed.
            TimeoutError: there are no outputs yet.
        """
        with self._changed:
            ready = self._changed.wait_for(
                lambda: self._rows or self._has_ended, timeout
            )
            if not ready:
                raise TimeoutError("the stream has no outputs yet")
            return self._next()

    def read_all(self) -> NDArray[numpy.float32]:
        """Waits for the end of the stream, and returns all unread outputs."""
        parts = [numpy.empty((0, self._scheduler.info.output_dim), numpy.float32)]
        while (rows := self.read()) is not None:
            parts.append(rows)
        return numpy.concatenate(parts)

    def __aiter__(self) -> ScheduledStream:
        return self

    async def __anext__(self) -> NDArray[numpy.float32]:
        while True:
            waiter = self._wait()
            with self._changed:
                if self._rows or self._has_ended:
                    rows = self._next()
                    if rows is None:
                        raise StopAsyncIteration
                    return rows
            await waiter

    def _runtime(self) -> _runtime.Scheduler:
        return self._scheduler._runtime()

    def _offer(self, frames: NDArray[numpy.float32], ivector: ArrayLike | None) -> int:
        runtime = self._runtime()
        if ivector is not None:
            ivector = numpy.asarray(ivector, numpy.float32)
        elif self._scheduler.info.ivector_dim and not self._has_ivector:
            raise Error("expects an i-vector, but got none")
        count = runtime.push(self._number, frames, ivector)
        self._has_ivector = self._has_ivector or (ivector is not None and count > 0)
        return count

    def _next(self) -> NDArray[numpy.float32] | None:
        """Returns the next outputs, or None at the end."""
        if self._rows:
            return self._rows.popleft()
        if self._error is not None:
            raise Error(self._error)
        return None

    def _wait(self) -> asyncio.Future[None]:
        """Returns a future that the next result completes."""
        loop = asyncio.get_running_loop()
        waiter = loop.create_future()
        with self._changed:
            self._waiters.append((loop, waiter))
        return waiter

    def _deliver(self, rows, is_last, error):
        with self._changed:
            if rows is not None and len(rows) > 0:
                self._rows.append(rows)
            self._error = self._error or error
            self._has_ended = self._has_ended or is_last
            waiters, self._waiters = self._waiters, []
            self._changed.notify_all()
        for loop, waiter in waiters:
            if not loop.is_closed():
                loop.call_soon_threadsafe(_complete, waiter)


def _complete(waiter):
    if not waiter.done():
        waiter.set_result(None)
