# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ray Serve computes live streams."""

import asyncio
import os
import signal

import numpy
import pytest
import streams
import websockets
from ray import serve

from conftest import LIBRARIES, find_processes

URL = "ws://127.0.0.1:8123/stream"


@pytest.fixture(scope="module")
def server(cluster):
    serve.start(http_options={"host": "127.0.0.1", "port": 8123})
    serve.run(streams.app({"library": str(LIBRARIES / "liblive.so"), "replicas": "2"}))
    yield
    serve.shutdown()


async def recognise(features, ivector):
    """Sends an utterance in pieces of ten frames; returns the outputs."""
    async with websockets.connect(URL) as socket:
        await socket.send(numpy.atleast_2d(ivector)[0].tobytes())
        for begin in range(0, len(features), 10):
            await socket.send(features[begin : begin + 10].tobytes())
        await socket.send("end")
        parts = [numpy.frombuffer(part, numpy.float32) async for part in socket]
        return numpy.concatenate(parts)


async def recognise_again(features, ivector):
    """As `recognise()`, but restarts each time that a replica dies."""
    for _ in range(100):
        try:
            return await recognise(features, ivector)
        except (websockets.ConnectionClosed, websockets.InvalidStatus):
            await asyncio.sleep(0.1)
    raise AssertionError("there is no replica")


def test_many_streams(server, utterances):
    check_all(utterances)


def test_clients_reach_another_replica(server, utterances):
    replicas = find_processes("Streams")
    assert len(replicas) == 2
    os.kill(replicas[0], signal.SIGKILL)
    check_all(utterances)


def check_all(utterances):
    async def run():
        return await asyncio.gather(
            *(
                recognise_again(features, ivector)
                for features, ivector, _ in utterances.values()
            )
        )

    for output, (_, _, expected) in zip(asyncio.run(run()), utterances.values()):
        output = output.reshape(-1, expected.shape[1])
        numpy.testing.assert_allclose(output, expected, rtol=1e-4, atol=1e-4)


def test_says_what_is_wrong(server):
    async def run():
        async with websockets.connect(URL) as socket:
            await socket.send(numpy.zeros(10, numpy.float32).tobytes())
            await socket.send(numpy.zeros(7, numpy.float32).tobytes())
            await socket.recv()

    with pytest.raises(websockets.ConnectionClosedError) as raised:
        asyncio.run(run())
    assert raised.value.rcvd.code == 1011 and "reshape" in raised.value.rcvd.reason
