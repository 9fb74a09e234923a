#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares two archives of matrices, each in text or binary, compressed or not.

Every element must satisfy |a - b| <= 1e-4 + 1e-4 * |b|. Exits with 1, and says
where, if one does not, or if keys or shapes differ.
"""

import array
import struct
import sys


class Archive:
    """Reads an archive's records from front to back."""

    def __init__(self, path):
        self.path = path
        try:
            with open(path, "rb") as file:
                self.data = file.read()
        except OSError as error:
            sys.exit(f"{path}: error: {error.strerror}")
        self.at = 0

    def fail(self, message):
        sys.exit(f"{self.path}:byte {self.at}: error: {message}")

    def take(self, size):
        """The next `size` bytes."""
        part = self.data[self.at : self.at + size]
        if len(part) < size:
            self.fail(f"expects {size} bytes, but only {len(part)} are left")
        self.at += size
        return part

    def take_until(self, mark):
        """The bytes up to `mark`, which is passed over."""
        end = self.data.find(mark, self.at)
        if end < 0:
            self.fail(f"expects {mark.decode()!r} before the end of the file")
        part = self.data[self.at : end]
        self.at = end + len(mark)
        return part

    def unpack(self, layout):
        return struct.unpack("<" + layout, self.take(struct.calcsize("<" + layout)))

    def numbers(self, code, count):
        values = array.array(code, self.take(count * array.array(code).itemsize))
        if sys.byteorder == "big":
            values.byteswap()
        return values

    def size(self):
        rows, cols = self.unpack("xixi")
        return self.checked_size(rows, cols)

    def checked_size(self, rows, cols):
        if rows < 0 or cols < 0:
            self.fail(f"expects a size, but got {rows} x {cols}")
        return rows, cols

    def read_binary(self):
        """A matrix behind the mark of a binary record."""
        token = self.take_until(b" ")
        if token in (b"FM", b"DM"):
            rows, cols = self.size()
            values = self.numbers("f" if token == b"FM" else "d", rows * cols)
            return [list(values[r * cols : (r + 1) * cols]) for r in range(rows)]
        if token in (b"CM", b"CM2", b"CM3"):
            return self.read_compressed(token)
        return self.fail(f"expects a matrix, but got {token[:20]!r}")

    def read_compressed(self, token):
        least, extent, rows, cols = self.unpack("ffii")
        self.checked_size(rows, cols)
        if token != b"CM":
            steps = 65535 if token == b"CM2" else 255
            codes = self.numbers("H" if token == b"CM2" else "B", rows * cols)
            values = [least + extent / steps * code for code in codes]
            return [values[r * cols : (r + 1) * cols] for r in range(rows)]
        heads = self.numbers("H", 4 * cols)
        points = [least + extent / 65535 * head for head in heads]
        columns = [
            [expand(code, *points[4 * col : 4 * col + 4]) for code in self.take(rows)]
            for col in range(cols)
        ]
        return [list(row) for row in zip(*columns)]

    def read_text(self):
        """A matrix in brackets; a row is a line."""
        if self.take_until(b"[").strip():
            self.fail("expects '[' after the key")
        try:
            rows = [
                [float(word) for word in line.split()]
                for line in self.take_until(b"]").split(b"\n")
            ]
        except ValueError as error:
            self.fail(error)
        return [row for row in rows if row]

    def read(self):
        """A dictionary from key to a list of rows."""
        matrices = {}
        while True:
            while self.data[self.at : self.at + 1].isspace():
                self.at += 1
            if self.at == len(self.data):
                return matrices
            key = self.take_until(b" ").decode(errors="replace")
            if self.data[self.at : self.at + 2] == b"\0B":
                self.at += 2
                matrices[key] = self.read_binary()
            else:
                matrices[key] = self.read_text()


def expand(code, p0, p25, p75, p100):
    """The value that a code stands for between a column's percentiles."""
    if code <= 64:
        return p0 + (p25 - p0) * code / 64
    if code <= 192:
        return p25 + (p75 - p25) * (code - 64) / 128
    return p75 + (p100 - p75) * (code - 192) / 63


def compare(actual, expected):
    """The largest error; exits if the archives differ."""
    if list(actual) != list(expected):
        sys.exit(f"keys differ: {list(actual)} and {list(expected)}")
    worst = 0.0
    for key in expected:
        shapes = [[len(row) for row in m[key]] for m in (actual, expected)]
        if shapes[0] != shapes[1]:
            sys.exit(f"{key}: shapes differ")
        for row, (xs, ys) in enumerate(zip(actual[key], expected[key])):
            for col, (a, b) in enumerate(zip(xs, ys)):
                error = abs(a - b)
                if not error <= 1e-4 + 1e-4 * abs(b):
                    sys.exit(f"{key}: row {row}, column {col}: {a} and {b}")
                worst = max(worst, error / (1 + abs(b)))
    return worst


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: compare-archives.py ACTUAL EXPECTED")
    actual, expected = (Archive(path).read() for path in sys.argv[1:])
    worst = compare(actual, expected)
    rows = sum(len(matrix) for matrix in expected.values())
    print(f"{len(expected)} matrices, {rows} rows agree; "
          f"largest error {worst:.2g}")


if __name__ == "__main__":
    main()
