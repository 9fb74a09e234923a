# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Many live streams through one library made by nnet3-compile --streaming, which
a scheduler computes in batches on threads of its own.

    from nnet3_scheduler import Scheduler

    scheduler = Scheduler("libnnet3_scheduler.so", "./libasr.so", "asr", num_workers=2)
    stream = scheduler.open()  # from any thread, and so are all other calls
    stream.push(frames, ivector)
    scores = stream.poll()  # what has been computed by now
    stream.close()
    scores = stream.rest()  # waits for all others
"""
import ctypes

import numpy

ABI_VERSION = 1
WOULD_BLOCK, ENDED = 3, 5


class _Options(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("num_workers", ctypes.c_int32),
        ("pin_workers", ctypes.c_int32),
        ("max_batch", ctypes.c_int32),
        ("max_wait", ctypes.c_double),
        ("max_frames", ctypes.c_int32),
        ("push_waits", ctypes.c_int32),
        ("on_result", ctypes.c_void_p),
        ("context", ctypes.c_void_p),
        ("message", ctypes.c_char_p),
        ("message_size", ctypes.c_uint64),
    ]


class _Info(ctypes.Structure):
    _fields_ = [
        (name, ctypes.c_uint32 if name == "struct_size" else ctypes.c_int32)
        for name in (
            "struct_size",
            "input_dim",
            "ivector_dim",
            "output_dim",
            "frame_subsampling_factor",
            "right_context",
            "shortest_chunk",
            "longest_chunk",
            "max_batch",
            "max_frames",
        )
    ]


class Metrics(ctypes.Structure):
    """nnet3sc_metrics of nnet3_scheduler.h."""

    _fields_ = (
        [
            ("struct_size", ctypes.c_uint32),
            ("num_batch_sizes", ctypes.c_int32),
            ("batch_sizes", ctypes.POINTER(ctypes.c_uint64)),
        ]
        + [
            (name, ctypes.c_uint64)
            for name in (
                "num_streams",
                "num_ready",
                "num_opened",
                "num_ended",
                "num_failed",
                "num_frames",
                "num_outputs",
                "num_steps",
                "num_chunks",
            )
        ]
        + [
            (name, ctypes.c_double)
            for name in (
                "seconds",
                "utilisation",
                "latency_p50",
                "latency_p99",
                "latency_max",
                "delay_p50",
                "delay_p99",
                "delay_max",
            )
        ]
    )


class Error(Exception):
    """What a function of the scheduler came to."""

    def __init__(self, text, status):
        super().__init__(text)
        self.status = status


def _address(array):
    return ctypes.c_void_p(array.ctypes.data if array is not None else None)


class Scheduler:
    """A scheduler for the library at `path` whose functions begin with `prefix`.
    `options` are those of nnet3sc_options; a push waits for room unless they say
    otherwise."""

    def __init__(self, scheduler_path, path, prefix, weights=None, **options):
        self._code = ctypes.CDLL(scheduler_path)
        self._code.nnet3sc_error_text.restype = ctypes.c_char_p
        self._code.nnet3sc_destroy.restype = None
        if self._code.nnet3sc_abi_version() != ABI_VERSION:
            raise Error("the scheduler has another version", None)
        message = ctypes.create_string_buffer(512)
        given = _Options(
            struct_size=ctypes.sizeof(_Options),
            message=ctypes.cast(message, ctypes.c_char_p),
            message_size=len(message),
            **{"push_waits": 1, **options},
        )
        self._scheduler = ctypes.c_void_p()
        try:
            self._call(
                "create",
                path.encode(),
                prefix.encode(),
                weights.encode() if weights else None,
                ctypes.byref(given),
                ctypes.byref(self._scheduler),
            )
        except Error as error:
            text = message.value.decode() or str(error)
            raise Error(text, error.status) from None
        self.info = _Info(struct_size=ctypes.sizeof(_Info))
        self._call("get_info", self._scheduler, ctypes.byref(self.info))

    def __del__(self):
        if getattr(self, "_scheduler", None):
            self._code.nnet3sc_destroy(self._scheduler)

    def _call(self, name, *arguments):
        status = getattr(self._code, f"nnet3sc_{name}")(*arguments)
        if status != 0:
            text = self._code.nnet3sc_error_text(status).decode()
            raise Error(f"{name}: {text}", status)

    def open(self):
        """A stream without frames."""
        number = ctypes.c_uint64()
        self._call("open", self._scheduler, ctypes.byref(number))
        return Stream(self, number)

    def metrics(self, batch_sizes=0):
        """The metrics, with so many entries of the histogram of batch sizes."""
        metrics = Metrics(struct_size=ctypes.sizeof(Metrics))
        metrics.num_batch_sizes = batch_sizes
        metrics.batch_sizes = (ctypes.c_uint64 * max(batch_sizes, 1))()
        self._call("get_metrics", self._scheduler, ctypes.byref(metrics))
        return metrics


class Stream:
    """A stream of a scheduler, with a queue of its own."""

    def __init__(self, scheduler, number):
        self._scheduler = scheduler
        self._number = number

    def _call(self, name, *arguments):
        scheduler = self._scheduler
        scheduler._call(name, scheduler._scheduler, self._number, *arguments)

    def push(self, frames, ivector=None):
        """Adds frames. The i-vector is for them and for those that follow; the
        first frames need one if the network takes i-vectors."""
        frames = numpy.ascontiguousarray(frames, numpy.float32)
        if frames.shape[1:] != (self._scheduler.info.input_dim,):
            raise ValueError(
                f"expects frames of {self._scheduler.info.input_dim} numbers"
            )
        if ivector is not None:
            ivector = numpy.ascontiguousarray(ivector, numpy.float32)
            if ivector.shape != (self._scheduler.info.ivector_dim,):
                raise ValueError(
                    "expects an i-vector of "
                    f"{self._scheduler.info.ivector_dim} numbers"
                )
        self._call(
            "push", _address(frames), len(frames), _address(ivector), None
        )

    def close(self):
        """Says that no more frames come."""
        self._call("close")

    def cancel(self):
        """Ends the stream at once."""
        self._call("cancel")

    def poll(self, timeout=0.0):
        """Outputs, or none after `timeout` seconds; None if there will be no
        more. A step that failed is an error."""
        info = self._scheduler.info
        # As many as wait at most.
        most = info.max_frames + 2 * info.longest_chunk
        rows = numpy.empty((most, info.output_dim), numpy.float32)
        count = ctypes.c_int32()
        try:
            self._call(
                "poll",
                _address(rows),
                len(rows),
                ctypes.c_double(timeout),
                ctypes.byref(count),
            )
        except Error as error:
            if error.status == ENDED:
                return None
            if error.status != WOULD_BLOCK:
                raise
        return rows[: count.value]

    def rest(self):
        """All outputs that are left of a stream that has been closed."""
        outputs = [
            numpy.empty((0, self._scheduler.info.output_dim), numpy.float32)
        ]
        while (rows := self.poll(timeout=1.0)) is not None:
            outputs.append(rows)
        return numpy.concatenate(outputs)
