#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares batches of utterances with computing them chunk by chunk.

    batches.py [--bin=build/bin] [--utterances=2000] [--alone=N]
               [--frames=20,120] [--backend=interpreter] [--repeat=3] NETWORK...

A NETWORK is a config in benchmarks/networks, such as lstmp, with random
parameters. Utterances of random features have as many frames as any number
between the two of --frames. The table has utterances per second of processor
time for nnet3-run chunk by chunk, with --minibatch-size=128, and for
nnet3-compute-batch, the best of --repeat alternated runs each; how far the
outputs are apart; and the largest memory of a run in batches with all
utterances, and with half of them. With --alone, the first and the last program
take only the first N utterances.
"""
import argparse
import os
import pathlib
import re
import struct
import subprocess
import tempfile

import numpy

ROOT = pathlib.Path(__file__).resolve().parent.parent
OPTIONS = ["--print-args=false", "--frame-subsampling-factor=3", "--frames-per-chunk=150"]


def write_archive(path, matrices):
    with open(path, "wb") as file:
        for key, matrix in matrices:
            file.write(key.encode() + b" \0BFM " if matrix.ndim > 1 else key.encode() + b" \0BFV ")
            for dim in matrix.shape:
                file.write(b"\4" + struct.pack("<i", dim))
            file.write(matrix.astype("<f4").tobytes())


def run(command):
    """Processor time in seconds, peak memory in MB, and what is printed."""
    with tempfile.TemporaryFile("w+") as log:
        process = subprocess.Popen(command, stderr=log, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        log.seek(0)
        text = log.read()
    if status != 0:
        raise SystemExit(f"{' '.join(map(str, command))}\n{text}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, text


def get_dim(config, node):
    found = re.search(rf"^input-node name={node} dim=(\d+)", config, re.M)
    return int(found[1]) if found else 0


def prepare(options, network, folder):
    """The model, and the options and files of a run on all utterances and on
    half of them."""
    config = (ROOT / "benchmarks/networks" / f"{network}.config").read_text()
    model = folder / "model.raw"
    run([options.bin / "nnet3-init", ROOT / f"benchmarks/networks/{network}.config", model])
    random = numpy.random.default_rng(1)
    low, high = map(int, options.frames.split(","))
    utterances = [
        (f"utterance{i}", random.standard_normal((n, get_dim(config, "input"))))
        for i, n in enumerate(random.integers(low, high + 1, options.utterances))
    ]
    write_archive(folder / "all.ark", utterances)
    write_archive(folder / "half.ark", utterances[: len(utterances) // 2])
    write_archive(folder / "some.ark", utterances[: options.alone or len(utterances)])
    arguments = [*OPTIONS, f"--backend={options.backend}"]
    if dim := get_dim(config, "ivector"):
        vectors = [(key, random.standard_normal(dim)) for key, _ in utterances]
        write_archive(folder / "ivectors.ark", vectors)
        arguments.append(f"--ivectors=ark:{folder}/ivectors.ark")
    return model, arguments


def measure(options, network):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        model, arguments = prepare(options, network, folder)
        programs = {
            "alone": [options.bin / "nnet3-run"],
            "batches": [options.bin / "nnet3-run", "--minibatch-size=128"],
            "compute-batch": [options.bin / "nnet3-compute-batch"],
        }
        times, memory = {name: [] for name in programs}, {}
        for _ in range(options.repeat):
            for name, program in programs.items():
                table = "all" if name == "batches" else "some"
                files = [model, f"ark:{folder}/{table}.ark", f"ark:{folder}/{name}.ark"]
                time, memory[name], _ = run([*program, *arguments, *files])
                times[name].append(time)
        half = run([*programs["batches"], *arguments, model, f"ark:{folder}/half.ark", "ark:/dev/null"])
        difference = compare(folder)
    counts = {"batches": options.utterances}
    some = options.alone or options.utterances
    best = {name: counts.get(name, some) / min(values) for name, values in times.items()}
    print(f"| {network} | {best['alone']:.1f} | {best['batches']:.1f} | "
          f"{best['batches'] / best['alone']:.2f} | {best['compute-batch']:.1f} | "
          f"{difference:.1e} | {memory['batches']:.0f} | {half[1]:.0f} |", flush=True)


def compare(folder):
    """The largest difference by 1 plus the value."""
    values = []
    for name in "alone", "batches":
        data = (folder / f"{name}.ark").read_bytes()
        rows, at = [], 0
        while at < len(data):
            at = data.index(b"\0BFM ", at) + 5
            height, width = (struct.unpack_from("<i", data, at + 1 + 5 * i)[0] for i in (0, 1))
            rows.append(numpy.frombuffer(data, "<f4", height * width, at + 10))
            at += 10 + 4 * height * width
        values.append(numpy.concatenate(rows))
    alone, batches = values[0], values[1][: len(values[0])]
    return (abs(batches - alone) / (1 + abs(alone))).max()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT / "build/bin")
    parser.add_argument("--utterances", type=int, default=2000)
    parser.add_argument("--alone", type=int)
    parser.add_argument("--frames", default="20,120")
    parser.add_argument("--backend", default="interpreter")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("networks", nargs="+")
    options = parser.parse_args()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.pop("OPENBLAS_CORETYPE", None)
    print("| network | alone, utterances/s | batches | ratio | nnet3-compute-batch | "
          "largest difference | memory, MB | memory of half, MB |\n" + "|---" * 8 + "|")
    for network in options.networks:
        measure(options, network)


if __name__ == "__main__":
    main()
