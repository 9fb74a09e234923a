#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes a corpus on many machines with Ray Data.

    corpus.py [--workers=N] [--ivectors=SCP] LIBRARY FEATURES-SCP FOLDER

LIBRARY is one of nnet3-compile with chunks of one sequence; it, the features and
FOLDER lie where every machine sees them. A worker computes a batch of utterances
and writes its archive into FOLDER. FOLDER/output.scp, written last, lists every
utterance once. If a worker dies, Ray gives its batches to another one, which
writes their archives anew.

Needs nnet3-runtime, kaldiio and ray[data]. RAY_ADDRESS says where a cluster is;
without it, workers run on this machine.
"""

import argparse
import hashlib
import os
import pathlib
import sys

import kaldiio
import numpy
import ray

import nnet3


class Computer:
    """A worker: opens the library once, and computes batches."""

    def __init__(self, library, folder):
        self._library = nnet3.load(library)
        self._folder = pathlib.Path(folder)

    def __call__(self, batch):
        keys, results, errors = list(batch["key"]), {}, {}
        for key, features, ivector in zip(keys, batch["features"], batch["ivector"]):
            try:
                results[key] = self._library(
                    kaldiio.load_mat(features),
                    # The first row of an online i-vector, or the i-vector.
                    numpy.atleast_2d(kaldiio.load_mat(ivector))[0] if ivector else None,
                )
            except (OSError, ValueError, nnet3.Error) as error:
                errors[key] = str(error)
        places = self._write(keys, results) if results else {}
        return {
            "key": keys,
            "place": [places.get(key, "") for key in keys],
            "error": [errors.get(key, "") for key in keys],
        }

    def _write(self, keys, results):
        """Writes an archive, whole or not at all. Returns places by keys."""
        name = hashlib.sha256("\0".join(keys).encode()).hexdigest()[:16]
        archive, unfinished = self._folder / f"{name}.ark", f"{name}.{os.getpid()}"
        table = self._folder / f"{unfinished}.scp"
        kaldiio.save_ark(str(self._folder / unfinished), results, scp=str(table))
        places = dict(line.split(maxsplit=1) for line in table.read_text().splitlines())
        table.unlink()
        os.replace(self._folder / unfinished, archive)
        return {
            key: f"{archive}:{place.rpartition(':')[2]}" for key, place in places.items()
        }


class TableError(Exception):
    """A script that cannot be read."""


def read_table(path):
    """Places by keys of a script. Raises TableError."""
    places = {}
    try:
        with open(path, "rb") as file:
            lines = file.read().splitlines()
    except OSError as error:
        raise TableError(f"cannot open {path}: {error.strerror}") from error
    for number, line in enumerate(lines, start=1):
        try:
            fields = line.decode().strip().split(maxsplit=1)
        except UnicodeDecodeError as error:
            raise TableError(f"{path}:{number}: expects text in UTF-8") from error
        if len(fields) == 1:
            raise TableError(
                f"{path}:{number}: expects a key and a place, but got '{fields[0]}'"
            )
        if fields:
            places[fields[0]] = fields[1]
    return places


def compute(library, features, folder, ivectors=None, workers=2, batch=32):
    """Computes the utterances of a table.

    Args:
        library, features, ivectors, folder: paths; `ivectors` may be None.
        workers: processes that compute.
        batch: utterances of an archive.

    Returns:
        (places, errors): dicts from keys.

    Raises:
        TableError: a table cannot be read.
    """
    ivectors = read_table(ivectors) if ivectors else {}
    rows = [
        {"key": key, "features": place, "ivector": ivectors.get(key, "")}
        for key, place in read_table(features).items()
    ]
    folder = pathlib.Path(folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    dataset = ray.data.from_items(rows).map_batches(
        Computer,
        fn_constructor_args=(os.path.abspath(library), folder),
        batch_size=batch,
        batch_format="numpy",
        compute=ray.data.ActorPoolStrategy(size=workers),
        num_cpus=1,
    )
    places, errors = {}, {}
    for row in dataset.iter_rows():
        if row["error"]:
            errors[row["key"]] = row["error"]
        else:
            places[row["key"]] = row["place"]
    unfinished = folder / "output.scp.unfinished"
    unfinished.write_text("".join(f"{key} {places[key]}\n" for key in sorted(places)))
    os.replace(unfinished, folder / "output.scp")
    return places, errors


def main():
    parser = argparse.ArgumentParser(description="Computes a corpus with Ray Data.")
    parser.add_argument("library")
    parser.add_argument("features")
    parser.add_argument("folder")
    parser.add_argument("--ivectors")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--batch", type=int, default=32)
    options = vars(parser.parse_args())
    try:
        places, errors = compute(**options)
    except TableError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    for key, error in errors.items():
        print(f"error: {key}: {error}", file=sys.stderr)
    print(f"{len(places)} utterances computed, {len(errors)} failed")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
