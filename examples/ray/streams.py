#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Serves live streams on many machines with Ray Serve.

    serve run streams:app library=liblive.so replicas=2

The library is one of nnet3-compile --streaming, at the same path everywhere. Each replica computes its streams in
batches with nnet3.Scheduler. A client opens a websocket at /stream and sends
frames: binary messages of float32, one frame behind the other. If the network
takes an i-vector, its numbers are the first binary message. The text "end" says
that no frames come. The server sends outputs as binary messages of float32, and
closes the websocket behind the last one, with code 1000, or with 1011 and the
error as the reason.

A stream lives in one replica. If that dies, the websocket breaks; the client
opens another, at another replica, and sends its frames again.

Needs nnet3-runtime and ray[serve].
"""

import asyncio
import os

import fastapi
import numpy
from ray import serve

import nnet3

api = fastapi.FastAPI()


@serve.deployment(ray_actor_options={"num_cpus": 1})
@serve.ingress(api)
class Streams:
    """A replica.

    Args:
        library: path of the library, the same on every machine.
        num_workers: threads that compute.
    """

    def __init__(self, library, num_workers=1):
        self._scheduler = nnet3.Scheduler(nnet3.load(library), num_workers=num_workers)

    @api.get("/metrics")
    def metrics(self):
        return self._scheduler.metrics()

    @api.websocket("/stream")
    async def stream(self, socket: fastapi.WebSocket):
        await socket.accept()
        stream = self._scheduler.open()
        sender = asyncio.ensure_future(self._send(stream, socket))
        try:
            await self._receive(stream, socket)
            await sender
            await socket.close()
        except fastapi.WebSocketDisconnect:
            stream.cancel()
        except (ValueError, nnet3.Error) as error:
            stream.cancel()
            await socket.close(code=1011, reason=str(error)[:120])
        finally:
            sender.cancel()

    async def _receive(self, stream, socket):
        """Passes on frames until the client ends the stream."""
        info, ivector = self._scheduler.info, None
        while True:
            message = await socket.receive()
            if message["type"] == "websocket.disconnect":
                raise fastapi.WebSocketDisconnect
            if message.get("text") == "end":
                return stream.finish()
            if not message.get("bytes"):
                raise ValueError("expects frames, or 'end'")
            numbers = numpy.frombuffer(message["bytes"], numpy.float32)
            if info.ivector_dim and ivector is None:
                ivector = numbers
                continue
            await stream.apush(numbers.reshape(-1, info.input_dim), ivector)

    @staticmethod
    async def _send(stream, socket):
        async for rows in stream:
            await socket.send_bytes(rows.tobytes())


def app(arguments: dict):
    """The application: `library` is a path, `replicas` how many share the streams."""
    streams = Streams.options(num_replicas=int(arguments.get("replicas", 1)))
    return streams.bind(os.path.abspath(arguments["library"]))
