# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the parameters of binary raw nnet3 models."""
import re

import numpy


class Weights:
    """The parameters in the file at `path`, by component and token."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self._data = file.read()
        name = re.compile(rb"<ComponentName> (\S+) ")
        names = list(name.finditer(self._data))
        ends = [match.start() for match in names[1:]] + [len(self._data)]
        self._spans = {
            match[1].decode(): (match.end(), end)
            for match, end in zip(names, ends)
        }

    def _find(self, component, token):
        begin, end = self._spans[component]
        wanted = f"<{token}> ".encode()
        position = self._data.find(wanted, begin, end)
        if position < 0:
            raise KeyError(f"component {component} has no <{token}>")
        return position + len(wanted)

    def _int(self, position):
        return int.from_bytes(self._data[position + 1 : position + 5], "little")

    def matrix(self, component, token):
        position = self._find(component, token)
        if self._data[position : position + 3] != b"FM ":
            raise ValueError(f"<{token}> of {component} is no matrix")
        rows, cols = self._int(position + 3), self._int(position + 8)
        values = numpy.frombuffer(
            self._data, numpy.float32, rows * cols, position + 13
        )
        return values.reshape(rows, cols).copy()

    def vector(self, component, token):
        position = self._find(component, token)
        if self._data[position : position + 3] != b"FV ":
            raise ValueError(f"<{token}> of {component} is no vector")
        size = self._int(position + 3)
        return numpy.frombuffer(
            self._data, numpy.float32, size, position + 8
        ).copy()

    def number(self, component, token):
        position = self._find(component, token) + 1
        return float(
            numpy.frombuffer(self._data, numpy.float32, 1, position)[0]
        )

    def batch_norm(self, component):
        """Scale and offset of a batch norm in test mode."""
        variance = self.vector(component, "StatsVar")
        epsilon = self.number(component, "Epsilon")
        target = self.number(component, "TargetRms")
        scale = target / numpy.sqrt(variance + epsilon)
        return scale, -self.vector(component, "StatsMean") * scale
