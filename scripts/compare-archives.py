#!/usr/bin/python3
"""Compares two text archives of matrices.

Every element must satisfy |a - b| <= 1e-4 + 1e-4 * |b|. Exits with 1, and says
where, if one does not, or if keys or shapes differ.
"""

import sys


def read_archive(path):
    """A dictionary from key to a list of rows."""
    matrices = {}
    key = None
    with open(path) as archive:
        for line in archive:
            fields = line.split()
            if len(fields) >= 2 and fields[1] == "[":
                key, fields = fields[0], fields[2:]
                matrices[key] = []
            values = [float(f) for f in fields if f != "]"]
            if values:
                matrices[key].append(values)
    return matrices


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
    actual, expected = (read_archive(path) for path in sys.argv[1:])
    worst = compare(actual, expected)
    rows = sum(len(matrix) for matrix in expected.values())
    print(f"{len(expected)} matrices, {rows} rows agree; "
          f"largest error {worst:.2g}")


if __name__ == "__main__":
    main()
