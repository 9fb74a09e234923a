# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Readers of Kaldi's files: matrices, text archives, raw models."""
import re
import struct

import numpy


def parse_binary(data, at):
    """The float or double matrix whose token begins at `at`."""
    kinds = {b"FM ": "<f4", b"DM ": "<f8"}
    dtype = kinds[data[at : at + 3]]
    rows, cols = struct.unpack_from("<xixi", data, at + 3)
    return numpy.frombuffer(data, dtype, rows * cols, at + 13).reshape(
        rows, cols
    )


def parse_text(text):
    """A matrix in brackets."""
    body = text[text.index("[") + 1 : text.index("]")]
    rows = [row.split() for row in body.strip().split("\n") if row.strip()]
    return numpy.array(rows, dtype=numpy.float64)


def read_matrix(path):
    with open(path, "rb") as file:
        data = file.read()
    if data[:2] == b"\0B":
        return parse_binary(data, 2).astype(numpy.float64)
    return parse_text(data.decode())


def read_text_archive(path):
    """Matrices by key."""
    with open(path) as file:
        text = file.read()
    records = re.findall(r"^(\S+)\s+\[(.*?)\]", text, re.M | re.S)
    return {key: parse_text("[" + body + "]") for key, body in records}


def parse_model(text):
    """A raw model in text form: its configuration lines; and for each
    component, by name, pairs of a token and the words that follow it."""
    # Composites have a number of their own.
    head, body = text.split("<NumComponents>", 1)
    components = {}
    for part in body.split("<ComponentName>")[1:]:
        name, part = part.split(None, 1)
        tokens = re.split(r"<(/?\w+)>", part)[1:]
        components[name] = [
            (token, words.replace("[", " ").replace("]", " ").split())
            for token, words in zip(tokens[::2], tokens[1::2])
        ]
    return head.split(), components


def read_statistics(path):
    """(component, token, words) of each line `component <Token> [ words ]`."""
    with open(path) as file:
        for line in file:
            name, token, *words = line.split("#")[0].split()
            words = [word for word in words if word not in "[]"]
            yield name, token.strip("<>"), words
