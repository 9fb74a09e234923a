# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import asyncio
import threading

import numpy
import pytest

import nnet3


@pytest.fixture
def library(stream_library):
    return nnet3.load(stream_library)


@pytest.fixture
def speakers(library, random):
    """Frames, i-vector and output of some streams."""
    info = library.batch().info
    result = []
    for _ in range(12):
        length = int(random.integers(1, 150))
        frames = random.standard_normal((length, info.input_dim))
        ivector = random.standard_normal(info.ivector_dim)
        stream = library.stream(ivector)
        output = numpy.concatenate([stream.push(frames), stream.finish()])
        result.append((frames, ivector, output))
    return result


def test_threads(library, speakers):
    outputs = {}
    with nnet3.Scheduler(library, num_workers=2) as scheduler:

        def speak(number, frames, ivector):
            stream = scheduler.open()
            for begin in range(0, len(frames), 11):
                stream.push(frames[begin : begin + 11], ivector)
            stream.finish()
            outputs[number] = stream.read_all()

        threads = [
            threading.Thread(target=speak, args=(number, frames, ivector))
            for number, (frames, ivector, _) in enumerate(speakers)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        metrics = scheduler.metrics()
    assert metrics["num_ended"] == len(speakers)
    assert metrics["num_frames"] == sum(len(frames) for frames, *_ in speakers)
    for number, (_, _, expected) in enumerate(speakers):
        numpy.testing.assert_array_equal(outputs[number], expected)


def test_coroutines(library, speakers):
    async def speak(scheduler, frames, ivector):
        stream = scheduler.open()
        for begin in range(0, len(frames), 11):
            await stream.apush(frames[begin : begin + 11], ivector)
        stream.finish()
        return [rows async for rows in stream]

    async def speak_all():
        with nnet3.Scheduler(library) as scheduler:
            return await asyncio.gather(
                *(speak(scheduler, *speaker[:2]) for speaker in speakers)
            )

    for parts, (_, _, expected) in zip(asyncio.run(speak_all()), speakers):
        numpy.testing.assert_array_equal(numpy.concatenate(parts), expected)


def test_many_frames_at_once(library, speakers):
    frames, ivector, _ = speakers[0]
    frames = numpy.tile(frames, (40, 1))
    with nnet3.Scheduler(library) as scheduler:
        stream = scheduler.open()
        assert len(frames) > scheduler.info.max_frames
        stream.push(frames, ivector)
        stream.finish()
        output = stream.read_all()
    assert len(output) == -(-len(frames) // 3)


def test_ends(library, speakers):
    frames, ivector, _ = speakers[0]
    scheduler = nnet3.Scheduler(library)
    cancelled, left = scheduler.open(), scheduler.open()
    cancelled.cancel()
    assert cancelled.read() is None
    with pytest.raises(TimeoutError):
        left.read(timeout=0.01)
    with pytest.raises(nnet3.Error, match="columns"):
        left.push(frames[:, 1:], ivector)
    with pytest.raises(nnet3.Error, match="i-vector of"):
        left.push(frames, ivector[1:])
    scheduler.close()
    with pytest.raises(nnet3.Error, match="closed"):
        left.read()
    with pytest.raises(nnet3.Error, match="closed"):
        left.push(frames, ivector)
    with pytest.raises(nnet3.Error, match="closed"):
        scheduler.open()


def test_needs_a_library():
    with pytest.raises(nnet3.Error, match="expects a nnet3.Library, but got NoneType"):
        nnet3.Scheduler(None)


def test_needs_an_ivector(library, speakers):
    frames, ivector, _ = speakers[0]
    with nnet3.Scheduler(library) as scheduler:
        stream = scheduler.open()
        with pytest.raises(nnet3.Error, match="expects an i-vector, but got none"):
            asyncio.run(stream.apush(frames))
        with pytest.raises(nnet3.Error, match="expects an i-vector, but got none"):
            stream.push(frames)
        stream.push(frames, list(ivector))
        stream.push(frames)


def test_dropped_schedulers_end(library):
    scheduler = nnet3.Scheduler(library, num_workers=2)
    scheduler.open().push(numpy.zeros((90, 20)), numpy.zeros(library.batch().info.ivector_dim))
    del scheduler
